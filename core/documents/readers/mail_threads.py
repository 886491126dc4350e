"""Threads of e-mail that were pasted, or saved as plain text."""

import re
from dataclasses import replace
from datetime import datetime

from core.documents.document import Block, Document, Kind, LeftOut, Source, count_words
from core.documents.kinds import refine_kinds
from core.documents.readers.armour import remove_armour
from core.documents.readers.mail_phrases import (
    HEADER,
    HEADERS_WITHIN,
    SENDER,
    SENT,
    SUBJECT,
    WROTE,
    WROTE_ONCE,
)
from core.documents.readers.mail_text import (
    Aside,
    blocks_of_body,
    headers_begin,
    marked,
    without_repeats,
)
from core.events import Steps
from core.stop import StopToken

THREAD = "The text is an e-mail thread and was read as such."
NEWEST_FIRST = "The messages are in the order of their dates, the newest first."
_FEWEST_HEADERS = 3
_LINES_OF_HEADERS = 8
_FEWEST_INTRODUCTIONS = 2
_LONGEST_LINE = 300
_MONTHS = (  # how the names of months begin in English, German, French and Spanish
    *(("jan", "ene"), ("feb", "fév", "fev"), ("mar", "mär", "mrz"), ("apr", "avr", "abr")),
    *(("may", "mai"), ("jun", "juin"), ("jul", "juil"), ("aug", "aoû", "aou", "ago")),
    *(("sep",), ("oct", "okt"), ("nov",), ("dec", "dez", "déc", "dic")),
)
_DAY = re.compile(
    r"(?<!\d)(?P<day>\d{1,2})(?:st|nd|rd|th|er)?\.?(?: de)? (?P<month>[^\W\d_]{3,10})"
)
_MONTH = re.compile(r"(?P<month>[^\W\d_]{3,10})\.? (?P<day>\d{1,2})(?:st|nd|rd|th)?,?(?=\s)")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_TIME = re.compile(r"(?<!\d)(\d{1,2}):(\d\d)(?::\d\d)?\s*([ap]m\b)?", re.IGNORECASE)


def is_thread(text: str) -> bool:
    """Whether a text holds messages below each other, each under its header or "… wrote:"."""
    lines = [line.strip() for line in text.split("\n")]
    introductions = headers = 0
    begun = False
    for index, line in enumerate(lines):
        if len(line) > _LONGEST_LINE:
            continue
        if SENDER.match(line) and _is_header(lines[index : index + _LINES_OF_HEADERS]):
            headers += 1
            if begun or headers > 1:  # one alone at the top may be that of a memorandum
                return True
        begun = begun or bool(line and not HEADER.match(line))
        if line.endswith(":") and any(char.isdigit() or char == "@" for char in line):
            quoted = any(after.startswith(">") for after in lines[index + 1 : index + 3])
            if (quoted and "@" in line) or (WROTE_ONCE.fullmatch(line) and WROTE.fullmatch(line)):
                introductions += _FEWEST_INTRODUCTIONS if quoted else 1
    return introductions >= _FEWEST_INTRODUCTIONS


def _is_header(lines: list[str]) -> bool:
    """Whether lines tell the sender, the date and the subject of a message."""
    heads = []
    for line in lines:
        if not HEADER.match(line[:_LONGEST_LINE]):
            break
        heads.append(line)
    named = any(map(SENT.match, heads)) and any(map(SUBJECT.match, heads))
    return named and len(heads) >= _FEWEST_HEADERS


def read_thread(text: str, source: Source, stop: StopToken, notes: list[str]) -> Steps[Document]:
    """Reads a thread of e-mail out of plain text.

    Args:
        text: The text.
        source: Where it came from.
        stop: The wish to end early.
        notes: What is worth saying about it, one sentence each.

    Yields:
        How many lines are done.

    Returns:
        The document: the newest message first where the headers tell the dates of all; what is
        quoted is in it once, signatures and disclaimers are left out.
    """
    text, armour = remove_armour(text)
    blocks = yield from blocks_of_body(text, stop)
    ordered = _newest_first(blocks)
    said = [THREAD, *([] if ordered == blocks else [NEWEST_FIRST])]
    found = _with_senders(marked(ordered))
    asides: list[Block] = [block for block in found if isinstance(block, Aside)]
    kept, repeated = without_repeats(block for block in found if not isinstance(block, Aside))
    return Document.from_blocks(
        refine_kinds(kept),
        title=_subject(ordered) or source.name,
        source=source,
        left_out=[*armour.files_left_out(), *armour.left_out(), *_left_out(repeated, asides)],
        notes=[*notes, *said],
    )


def _with_senders(blocks: list[Block]) -> list[Block]:
    """Blocks of which those below the header of a message have its sender as speaker, where there
    are several senders."""
    found: list[Block] = []
    name = ""
    for block in blocks:
        if block.kind == Kind.BOILERPLATE and SENDER.match(block.text):
            name = _sender_in(block.text)
        is_own = block.kind in (Kind.PARAGRAPH, Kind.LIST_ITEM)
        found.append(replace(block, speaker=name) if is_own else block)
    return found if len({block.speaker for block in found if block.speaker}) > 1 else blocks


def _sender_in(line: str) -> str:
    """The name in a header line ("From: Ann Lee <ann@example.org> Sent: …")."""
    name = re.split(r":\*?\s+", line[:_LONGEST_LINE], maxsplit=1)[-1]
    headers = HEADERS_WITHIN.search(name)
    name = name[: headers.start()] if headers else name
    return re.split(r"[<\[(]", name)[0].strip(" *\"'") or name.strip(" <>[]()*")


def _left_out(repeated: list[Block], asides: list[Block]) -> list[LeftOut]:
    reasons = (
        ("quoted passages", "they repeat another message", repeated),
        ("signatures and disclaimers", "they stand below messages", asides),
    )
    return [
        LeftOut(what, why, sum(count_words(block.text) for block in blocks), missed=False)
        for what, why, blocks in reasons
        if blocks
    ]


def _subject(blocks: list[Block]) -> str:
    """The subject of the thread's first message, without "Re:"."""
    found = [match[1] for block in blocks if (match := SUBJECT.match(block.text))]
    return (
        re.sub(r"^(?:(?:re|aw|fwd?|wg|tr|rv)\s?:\s*)+", "", found[0], flags=re.I) if found else ""
    )


def _newest_first(blocks: list[Block]) -> list[Block]:
    """The blocks; messages that stand from the oldest to the newest are turned round."""
    starts = [index for index in range(len(blocks)) if headers_begin(blocks, index)]
    if len(starts) < 2 or starts[0] != 0:
        return blocks
    messages = [blocks[a:b] for a, b in zip(starts, [*starts[1:], len(blocks)], strict=True)]
    moments = [_moment_of(message) for message in messages]
    known = [moment for moment in moments if moment is not None]
    if len(known) < len(moments) or known != sorted(known) or known[0] == known[-1]:
        return blocks
    return [block for message in reversed(messages) for block in message]


def _moment_of(message: list[Block]) -> datetime | None:
    dates = (SENT.match(block.text) for block in message[:_LINES_OF_HEADERS])
    return next((moment_in(match[1]) for match in dates if match), None)


def moment_in(text: str) -> datetime | None:
    """The day and time that a header tells in words; None where it is not sure.

    Args:
        text: Such as "Montag, 4. Oktober 2012 13:02" or "October 4, 2012 1:02 PM".

    Returns:
        The moment, without a time zone.
    """
    text = text[:_LONGEST_LINE]
    year, time = _YEAR.search(text), _TIME.search(text)
    for match in (*_DAY.finditer(text), *_MONTH.finditer(text)):
        name = match["month"].casefold()
        month = next((i for i, names in enumerate(_MONTHS, 1) if name.startswith(names)), 0)
        if month and year:
            return _moment(int(year[0]), month, int(match["day"]), time)
    return None


def _moment(year: int, month: int, day: int, time: re.Match[str] | None) -> datetime | None:
    hour, minute = (int(time[1]), int(time[2])) if time else (0, 0)
    if time and time[3]:
        hour = hour % 12 + 12 * (time[3].lower() == "pm")
    try:
        return datetime(year, month, day, hour, minute)
    except ValueError:
        return None
