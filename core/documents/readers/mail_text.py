"""What stands in a message: its own words, what it quotes, signatures and standing phrases."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby

from core.documents.document import Block, Kind
from core.documents.readers.cleaning import clean
from core.documents.readers.text import blocks_of_text
from core.events import Steps
from core.stop import StopToken

_MARKS = re.compile(r"(?:>[ \t]?)+")
_SIGNATURE = re.compile(r"-- ?$|__ ?$")
_WROTE = re.compile(
    r"(?:on|am|le|el|il|em|op|den|dnia)\b.{5,200}\b(?:wrote|writes|schrieb.{0,60}|écrit|escribió"
    r"|scritto|escreveu|schreef.{0,60}|skrev|napisał\w*)\s*:"
    r"|.{1,120}\b(?:wrote|writes|schrieb|écrit)\s*:",
    re.IGNORECASE,
)
_QUOTED_BELOW = re.compile(
    r"-{2,}\s*(?:original message|ursprüngliche nachricht|message d.origine|mensaje original"
    r"|messaggio originale|oorspronkelijk bericht)\s*-{2,}",
    re.IGNORECASE,
)
_FORWARDED = re.compile(
    r"(?:-{2,}\s*)?(?:begin )?forwarded message(?: follows)?(?:\s*-{2,}|:)"
    r"|-{2,}\s*weitergeleitete nachricht\s*-{2,}",
    re.IGNORECASE,
)
_HEADER = re.compile(
    r"\*?(?:from|sent|to|cc|date|subject|reply-to|von|gesendet|an|datum|betreff|de|envoyé|à|objet"
    r"|para|enviado|asunto):\*?(?:\s|$)",
    re.IGNORECASE,
)
_SUBJECT = re.compile(r"\*?(?:subject|betreff|objet|asunto):\*?\s+(\S.*)", re.IGNORECASE)
_STANDING = re.compile(
    r"sent from my \w+|get outlook for \w+|von meinem \w+ gesendet|envoyé de mon \w+"
    r"|(?:to )?unsubscribe\b.{0,200}$|please consider the environment before printing"
    r"|(?:caution|warning|external e-?mail)\s*:.{0,300}\b(?:sender|attachments?|links?)\b"
    r"|.{0,200}\bif you (?:are|were) not the (?:intended|named) (?:recipient|addressee)"
    r"|.{0,60}\b(?:e-?mail|message|communication|transmission)\b.{0,120}\b(?:confidential|"
    r"privileged|intended (?:only|solely) for)\b",
    re.IGNORECASE,
)
_MOST_WORDS_STANDING = 300
_FEWEST_HEADERS = 2
_LONGEST_SIGNATURE = 12  # lines
_KEY = re.compile(r"\W+")
_SHORTEST_REPEAT = 40  # characters; shorter passages ("Thanks!") may well be said twice


def blocks_of_body(text: str, stop: StopToken, *, flowed: str = "") -> Steps[list[Block]]:
    """The paragraphs of a plain text body.

    Args:
        text: The decoded text.
        stop: The wish to end early.
        flowed: "yes" or "delsp" where lines that end in a space go on in the next.

    Yields:
        How many lines are done.

    Returns:
        Blocks; what is quoted is `QUOTE`, a signature `BOILERPLATE`.
    """
    lines = [_unquoted(line) for line in clean(text).split("\n")]
    if flowed:
        lines = list(_joined(lines, delete_space=flowed == "delsp"))
    blocks: list[Block] = []
    for depth, group in groupby(lines, key=lambda line: line[0]):
        for signed, run in _runs([line for _, line in group]):
            if signed:
                blocks += [Block(line.strip(), Kind.BOILERPLATE) for line in run if line.strip()]
                continue
            inner = yield from blocks_of_text("\n".join(run), stop)
            blocks += _as_quotes(inner) if depth else inner
    return blocks


def marked(blocks: Iterable[Block]) -> list[Block]:
    """Blocks whose quotations, forwarded messages and standing phrases are known by their words.

    Args:
        blocks: The paragraphs of a message.

    Returns:
        As many blocks: what stands under "Original message" is `QUOTE`, the subject of a message
        forwarded inside a heading, and header lines, "… wrote:" and disclaimers `BOILERPLATE`.
    """
    found = list(blocks)
    below = forwarded = False
    for index, block in enumerate(found):
        if block.kind in (Kind.TABLE, Kind.CODE):
            continue
        begins = _headers_begin(found, index)
        if _FORWARDED.fullmatch(block.text) or _QUOTED_BELOW.match(block.text):
            forwarded = bool(_FORWARDED.fullmatch(block.text))
            below = not forwarded
            found[index] = replace(block, kind=Kind.BOILERPLATE, level=0)
        elif begins or (_HEADER.match(block.text) and _after_header(found, index)):
            below = below or not forwarded
            found[index] = _header_line(block.text, forwarded)
        else:
            found[index] = _as_quotes([block])[0] if below else _refined(block, found, index)
    return found


def without_repeats(blocks: list[Block], seen: set[str]) -> tuple[list[Block], list[Block]]:
    """Parts blocks from quotations of what stands in the text already.

    Args:
        blocks: The paragraphs of a message.
        seen: Keys of the passages of earlier messages; those of this one are added.

    Returns:
        The blocks that stay, and those that repeat.
    """
    kept: list[Block] = []
    repeated: list[Block] = []
    for block in blocks:
        key = _KEY.sub("", block.text).casefold()
        known = block.kind == Kind.QUOTE and len(key) >= _SHORTEST_REPEAT and key in seen
        (repeated if known else kept).append(block)
        seen.add(key)
    return kept, repeated


def _unquoted(line: str) -> tuple[int, str]:
    """How deep a line is quoted, and the line without the marks."""
    match = _MARKS.match(line)
    return (match[0].count(">"), line[match.end() :]) if match else (0, line)


def _joined(lines: list[tuple[int, str]], *, delete_space: bool) -> Iterator[tuple[int, str]]:
    """Lines of which those that end in a space were joined with the next (RFC 3676)."""
    held: list[str] = []
    before = 0
    for depth, raw in lines:
        line = raw[1:] if raw.startswith(" ") else raw
        if held and (depth != before or _SIGNATURE.match(line)):
            yield before, "".join(held)
            held = []
        before = depth
        if line.endswith(" ") and not _SIGNATURE.match(line):
            held.append(line[:-1] if delete_space else line)
        else:
            yield depth, "".join([*held, line])
            held = []
    if held:
        yield before, "".join(held)


def _runs(lines: list[str]) -> Iterator[tuple[bool, list[str]]]:
    """Runs of lines that are a signature, and of those that are none."""
    run: list[str] = []
    signed = False
    for line in lines:
        begins = bool(_SIGNATURE.match(line))
        if begins or (signed and (len(run) >= _LONGEST_SIGNATURE or _begins_another(line))):
            yield signed, run
            run, signed = [], begins
        if not begins:
            run.append(line)
    yield signed, run


def _begins_another(line: str) -> bool:
    """Whether another message begins at a line, quoted or forwarded below a signature."""
    return any(pattern.match(line) for pattern in (_FORWARDED, _QUOTED_BELOW, _HEADER, _SIGNATURE))


def _as_quotes(blocks: list[Block]) -> list[Block]:
    running = (Kind.PARAGRAPH, Kind.HEADING, Kind.LIST_ITEM)
    return [
        replace(block, kind=Kind.QUOTE, level=0) if block.kind in running else block
        for block in blocks
    ]


def _headers_begin(blocks: list[Block], index: int) -> bool:
    """Whether the header lines of another message begin here, each a block or all in one."""
    if not _HEADER.match(blocks[index].text):
        return False
    if index and _HEADER.match(blocks[index - 1].text):
        return False
    following = [block.text for block in blocks[index : index + _FEWEST_HEADERS + 1]]
    apart = sum(bool(_HEADER.match(text)) for text in following) > _FEWEST_HEADERS
    inside = len(re.findall(r"\b(?:Sent|To|Date|Subject|Gesendet|An|Betreff):\s", following[0]))
    return apart or inside >= _FEWEST_HEADERS


def _header_line(text: str, forwarded: bool) -> Block:
    subject = _SUBJECT.match(text) if forwarded else None
    return Block(subject[1], Kind.HEADING, 2) if subject else Block(text, Kind.BOILERPLATE)


def _after_header(blocks: list[Block], index: int) -> bool:
    return index > 0 and blocks[index - 1].kind in (Kind.BOILERPLATE, Kind.HEADING)


def _refined(block: Block, blocks: list[Block], index: int) -> Block:
    """A block that is BOILERPLATE if it only introduces a quotation or stands under every mail."""
    if block.kind not in (Kind.PARAGRAPH, Kind.HEADING, Kind.QUOTE):
        return block
    quoted_next = index + 1 < len(blocks) and blocks[index + 1].kind == Kind.QUOTE
    introduces = quoted_next and len(block.text) < 300 and _WROTE.fullmatch(block.text)
    short = len(block.text.split()) <= _MOST_WORDS_STANDING
    if introduces or (short and _STANDING.match(block.text)):
        return replace(block, kind=Kind.BOILERPLATE, level=0)
    return block
