"""What stands in a message: its own words, what it quotes, signatures and standing phrases."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from core.documents.document import Block, Kind
from core.documents.readers.cleaning import clean
from core.documents.readers.mail_phrases import (
    CLOSING,
    FORWARDED,
    HEADER,
    HEADERS_WITHIN,
    QUOTED_BELOW,
    SIGNATURE,
    STANDING,
    SUBJECT,
    WROTE,
    WROTE_BEGINS,
    WROTE_ONCE,
)
from core.documents.readers.text import blocks_of_text
from core.events import Steps
from core.stop import StopToken

_MARKS = re.compile(r"(?:>[ \t]?)+")
_MOST_WORDS_STANDING = 300
_FEWEST_HEADERS = 2
_LONGEST_SIGNATURE = 12  # lines
_LONGEST_SIGNED_LINE = 80
_MOST_WORDS_SIGNED = 9  # of a line that ends like a sentence
_LINES_OF_WROTE = 3
_KEY = re.compile(r"\W+")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_SHORTEST_REPEAT = 40  # characters; shorter passages ("Thanks!") may well be said twice


@dataclass(frozen=True, slots=True)
class Aside(Block):
    """A signature or a standing phrase."""


def blocks_of_body(text: str, stop: StopToken, *, flowed: str = "") -> Steps[list[Block]]:
    """The paragraphs of a plain text body.

    Args:
        text: The decoded text.
        stop: The wish to end early.
        flowed: "yes" or "delsp" where lines that end in a space go on in the next.

    Yields:
        How many lines are done.

    Returns:
        Blocks; what is quoted is `QUOTE`, a signature an `Aside`.
    """
    lines = [_unquoted(line) for line in _without_from_marks(clean(text).split("\n"))]
    lines = list(_with_whole_introductions(lines))
    if flowed:
        lines = list(_joined(lines, delete_space=flowed == "delsp"))
    blocks: list[Block] = []
    for depth, group in groupby(lines, key=lambda line: line[0]):
        for signed, run in _runs([line for _, line in group]):
            if signed:
                blocks += [Aside(line.strip(), Kind.BOILERPLATE) for line in run if line.strip()]
                continue
            inner = yield from blocks_of_text("\n".join(run), stop)
            blocks += _as_quotes(inner) if depth else inner
    return blocks


def marked(blocks: Iterable[Block]) -> list[Block]:
    """Blocks whose quotations, forwarded messages and standing phrases are known by their words.

    Args:
        blocks: The paragraphs of a message, or of a thread that begins with a header.

    Returns:
        As many blocks: what stands under "Original message" or "… wrote:" is `QUOTE`, the subject
        of a message forwarded inside a heading, header lines `BOILERPLATE`, and disclaimers an
        `Aside`.
    """
    found = list(blocks)
    below = forwarded = in_header = False
    for index, block in enumerate(found):
        if block.kind in (Kind.TABLE, Kind.CODE) or isinstance(block, Aside):
            continue
        begins = headers_begin(found, index)
        if FORWARDED.fullmatch(block.text) or QUOTED_BELOW.match(block.text):
            forwarded = bool(FORWARDED.fullmatch(block.text))
            below = not forwarded
            found[index] = replace(block, kind=Kind.BOILERPLATE, level=0)
            in_header = True
            continue
        in_header = begins or (in_header and bool(HEADER.match(block.text)))
        if in_header:
            forwarded = forwarded or index == 0
            below = below or not forwarded
            found[index] = _header_line(block.text, forwarded)
        elif _introduces(block, found, index):
            below = below or found[index + 1].kind != Kind.QUOTE
            found[index] = replace(block, kind=Kind.BOILERPLATE, level=0)
        else:
            found[index] = _as_quotes([block])[0] if below else block
            found[index] = _standing_or(found[index])
    return found


def without_repeats(blocks: Iterable[Block]) -> tuple[list[Block], list[Block]]:
    """Parts blocks from quotations of what stands elsewhere in the text.

    Args:
        blocks: The paragraphs of all messages.

    Returns:
        The blocks that stay, and those that repeat: a message's own words, wherever they stand, or
        an earlier quotation.
    """
    found = list(blocks)
    known = {key for block in found if block.kind != Kind.QUOTE for key in _keys(block.text)}
    kept: list[Block] = []
    repeated: list[Block] = []
    for quoted, run in groupby(found, lambda block: block.kind == Kind.QUOTE):
        if quoted:
            _sort_quotes(list(run), known, kept, repeated)
        else:
            kept += run
    return kept, repeated


def _sort_quotes(
    run: list[Block], known: set[str], kept: list[Block], repeated: list[Block]
) -> None:
    """Adds quotations to those kept or repeated; short ones repeat only beside a longer one."""
    telling = False
    for block in run:
        keys = _keys(block.text)
        again = keys[0] in known or (len(keys) > 1 and known.issuperset(keys[1:]))
        telling = telling or (again and len(keys[0]) >= _SHORTEST_REPEAT)
        (repeated if again and telling else kept).append(block)
        known.update(keys)


def _keys(text: str) -> list[str]:
    """Letters and digits of a passage, and of each of its sentences."""
    parts = _SENTENCE_END.split(text)
    return [_KEY.sub("", part).casefold() for part in (text, *(parts if len(parts) > 1 else ()))]


def _with_whole_introductions(lines: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Lines of which "On … wrote:" that was broken over two or three is one again."""
    at = 0
    while at < len(lines):
        depth, line = lines[at]
        taken = 1
        if WROTE_BEGINS.match(line):
            for more in range(2, _LINES_OF_WROTE + 1):
                run = lines[at : at + more]
                whole = " ".join(text.strip() for _, text in run)
                if len(whole) < 300 and all(d == depth for d, _ in run) and WROTE.fullmatch(whole):
                    line, taken = whole, len(run)
                    break
        yield depth, line
        at += taken


def _without_from_marks(lines: list[str]) -> Iterator[str]:
    """Lines of which one alone that begins with ">From " is no quotation: mailboxes mark it so."""
    for before, line, after in zip(["", *lines], lines, [*lines[1:], ""], strict=False):
        is_alone = not (before.startswith(">") or after.startswith(">"))
        yield line[1:] if line.startswith(">From ") and is_alone else line


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
        if held and (depth != before or SIGNATURE.match(line)):
            yield before, "".join(held)
            held = []
        before = depth
        if line.endswith(" ") and not SIGNATURE.match(line):
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
    for index, line in enumerate(lines):
        begins = bool(SIGNATURE.match(line)) or (not signed and _closes(lines, index))
        if begins or (signed and (len(run) >= _LONGEST_SIGNATURE or _begins_another(line))):
            yield signed, run
            run, signed = [], begins
        if not SIGNATURE.match(line):
            run.append(line)
    yield signed, run


def _closes(lines: list[str], index: int) -> bool:
    """Whether a line is the closing of a letter, with a name and an address at most below it."""
    if not CLOSING.fullmatch(lines[index].strip()):
        return False
    num_lines = 0
    for below in range(index + 1, len(lines)):
        line = lines[below]
        if not line.strip():
            continue
        if _begins_another(line) or WROTE.fullmatch(line.strip()):
            break
        num_lines += 1
        sentence = line.rstrip()[-1] in ".!?" and len(line.split()) > _MOST_WORDS_SIGNED
        if num_lines >= _LONGEST_SIGNATURE or len(line) > _LONGEST_SIGNED_LINE or sentence:
            return bool(STANDING.match(line.strip()))
    return True


def _begins_another(line: str) -> bool:
    """Whether another message begins at a line, quoted or forwarded below a signature."""
    return any(
        pattern.match(line) for pattern in (FORWARDED, QUOTED_BELOW, HEADER, SIGNATURE, WROTE_ONCE)
    )


def _as_quotes(blocks: list[Block]) -> list[Block]:
    running = (Kind.PARAGRAPH, Kind.HEADING, Kind.LIST_ITEM)
    return [
        replace(block, kind=Kind.QUOTE, level=0) if block.kind in running else block
        for block in blocks
    ]


def headers_begin(blocks: list[Block], index: int) -> bool:
    """Whether the header lines of another message begin here, each a block or all in one."""
    if not HEADER.match(blocks[index].text):
        return False
    if index and HEADER.match(blocks[index - 1].text):
        return False
    following = [block.text for block in blocks[index : index + _FEWEST_HEADERS + 1]]
    apart = sum(bool(HEADER.match(text)) for text in following) > _FEWEST_HEADERS
    return apart or len(HEADERS_WITHIN.findall(following[0][:2000])) >= _FEWEST_HEADERS


def _header_line(text: str, forwarded: bool) -> Block:
    subject = SUBJECT.match(text) if forwarded else None
    return Block(subject[1], Kind.HEADING, 2) if subject else Block(text, Kind.BOILERPLATE)


def _introduces(block: Block, blocks: list[Block], index: int) -> bool:
    """Whether a block only introduces a quotation, marked as one or not."""
    if block.kind not in (Kind.PARAGRAPH, Kind.HEADING, Kind.QUOTE) or len(block.text) > 300:
        return False
    if index + 1 >= len(blocks) or not WROTE.fullmatch(block.text):
        return False
    return blocks[index + 1].kind == Kind.QUOTE or bool(WROTE_ONCE.fullmatch(block.text))


def _standing_or(block: Block) -> Block:
    """The block, as an aside if it stands under every mail of its sender."""
    if block.kind not in (Kind.PARAGRAPH, Kind.HEADING, Kind.QUOTE):
        return block
    short = len(block.text.split()) <= _MOST_WORDS_STANDING
    return Aside(block.text, Kind.BOILERPLATE) if short and STANDING.match(block.text) else block
