"""Lines that forced line breaks part in a paragraph: bold heads, and the speakers of a meeting.

A reader marks bold pieces while it collects a paragraph (`mark_bold`), and has it parted when it is
whole (`split_at_heads`).
"""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby, pairwise
from typing import NamedTuple

from core.documents.document import RUNNING_TEXT, Block, Kind
from core.documents.readers.chats import read_chat
from core.documents.readers.cleaning import paragraph_lines
from core.documents.readers.office import is_bold_heading

BOLD, BOLD_END = "\x05", "\x06"
"""Marks around bold pieces of a paragraph on its way to blocks; no cleaned text has them."""

_BOLD_PIECE = re.compile("\x05[^\x05\x06]*\x06")
_HEAD, _SPEAKER = "head", "speaker"
_STAMP = r"(?:\d{1,2}:)?\d{1,2}:\d\d"
_TIME = re.compile(_STAMP)
_STAMPED = re.compile(rf"[^\W\d].{{0,60}}?(?:\t|\s{{2}})\s*{_STAMP}")
_SPAN = re.compile(r"(\d{1,2}):(\d{1,2}):(\d{1,2})[.,]\d{1,3} --> [\d:.,]{5,15}")
_NAME = re.compile(r"[^\W\d_][^.!?:;\n]{0,59}")
_MOST_WORDS_NAME = 6
_ENDED = re.compile(r"[.!?…:;。！？][\"'”’»)]*$")
_TURN = re.compile(rf"(?P<name>[^\W\d][^\n]{{0,60}}?) (?P<time>{_STAMP})")
_TIME_FIRST = re.compile(r"\[?(\d{1,2}:\d\d:\d\d)(?:[.,]\d{1,3})?\]? \S")
_ASIDE = re.compile(r"\s*[(\[][^()\[\]]*[)\]]$")
_FAMILY_FIRST = re.compile(r"([^,]{2,30}), ([^,]{2,30})")
_FEWEST_TURNS = 4
_LATEST_START = 300  # seconds; times of a programme are those of a clock
_MOSTLY = 0.9  # of the times of a meeting rise


def mark_bold(text: str) -> str:
    """Bold text with marks for `split_at_heads`; blank lines have none."""
    if "\n" not in text:
        return f"{BOLD}{text}{BOLD_END}" if text and not text.isspace() else text
    lines = text.split("\n")
    return "\n".join(f"{BOLD}{line}{BOLD_END}" if line.strip() else line for line in lines)


def with_bold_lines(text: str) -> str:
    """Text in which marks of bold pieces end with each line; without marks where it is one line."""
    if BOLD not in text or "\n" not in text:
        return remove_marks(text)
    return _BOLD_PIECE.sub(lambda match: mark_bold(match[0][1:-1]), text)


def remove_marks(text: str) -> str:
    """Text without the marks that `mark_bold` set."""
    return text.replace(BOLD, "").replace(BOLD_END, "") if BOLD in text else text


class Part(NamedTuple):
    """A part of a paragraph between line breaks.

    Args:
        text: Its lines, without marks.
        is_head: True for a bold head above or between other lines.
        label: For `with_meeting_speakers`: the length of a name with a time, above what may be
            said, below 0 for what is said; else 0.
        whole: The paragraph, of the first name in it.
    """

    text: str
    is_head: bool = False
    label: int = 0
    whole: str = ""


def split_at_heads(text: str, *, at_speakers: bool = True) -> list[Part]:
    """Parts a paragraph at line breaks around bold heads, and around names of speakers.

    Args:
        text: A paragraph in which `mark_bold` has marked pieces.
        at_speakers: False for a document that is no record of a meeting.

    Returns:
        Its parts that are not blank; the whole paragraph where it has no such line.
    """
    if "\n" not in text:
        return [Part(remove_marks(text))]
    lines = text.split("\n")
    timed = _join_times(lines) if at_speakers else lines
    kinds = _line_kinds(timed, at_speakers=at_speakers)
    if not any(kinds):
        return [Part(remove_marks(text))]
    others = -1 if _SPEAKER in kinds else 0
    whole = remove_marks(text)
    parts: list[Part] = []
    for kind, numbered in groupby(enumerate(timed), key=lambda line: kinds[line[0]]):
        pieces = [remove_marks(line) for _, line in numbered]
        if kind == _SPEAKER:
            parts += [Part(piece, label=len(piece)) for piece in pieces]
            parts[-len(pieces)] = parts[-len(pieces)]._replace(whole=whole)
            whole = ""
        else:
            parts.append(Part("\n".join(pieces), kind == _HEAD, others))
    return [part for part in parts if part.text.strip()]


def _join_times(lines: list[str]) -> list[str]:
    """Lines in which a time on a line of its own, above or below a name, is beside it."""
    joined: list[str] = []
    span: re.Match[str] | None = None
    for line in lines:
        plain = remove_marks(line).strip()
        if span and _is_name(plain):
            hours, minutes, seconds = map(int, span.groups())
            joined[-1] = f"{plain}   {hours}:{minutes:02}:{seconds:02}"
        elif joined and _TIME.fullmatch(plain) and _is_name(remove_marks(joined[-1]).strip()):
            joined[-1] = f"{remove_marks(joined[-1]).strip()}   {plain}"
        else:
            joined.append(line)
        span = _SPAN.fullmatch(plain)
    return joined


def _is_name(line: str) -> bool:
    return _NAME.fullmatch(line) is not None and len(line.split()) <= _MOST_WORDS_NAME


def _line_kinds(lines: list[str], *, at_speakers: bool) -> list[str]:
    """For each line of a paragraph `_HEAD` or `_SPEAKER`; empty for text and blank lines."""
    kinds = [_line_kind(line) for line in lines]
    kinds = kinds if at_speakers else [kind if kind == _HEAD else "" for kind in kinds]
    filled = [index for index, line in enumerate(lines) if remove_marks(line).strip()]
    after = ""  # the text below a line; heads are no text
    for index, before in zip(reversed(filled), [*reversed(filled[:-1]), None], strict=True):
        is_head = kinds[index] == _HEAD
        is_within = before is not None and not (
            kinds[before] or _ENDED.search(remove_marks(lines[before]).rstrip())
        )
        if not after or (is_head and (is_within or after[0].islower())):
            kinds[index] = ""
        if after or not is_head:
            after = remove_marks(lines[index]).strip()
    return kinds


def _line_kind(line: str) -> str:
    plain = remove_marks(line).strip()
    rest = _BOLD_PIECE.sub("", line).strip() if BOLD in line else plain
    if _STAMPED.fullmatch(plain) or (rest != plain and _TIME.fullmatch(rest)):
        return _SPEAKER
    return _HEAD if plain and not rest and is_bold_heading(plain) else ""


def with_meeting_speakers(blocks: list[Block]) -> list[Block]:
    """The blocks with their speakers, where lines with a name and a time are above each turn.

    Args:
        blocks: All blocks of a document; `Part.label` is the label of what a paragraph was parted
            into, `Part.whole` the speaker.

    Returns:
        The blocks of a meeting with their speakers: its times rise from about 0, and a name comes
        again. In other documents, the lines that were parted are parts of their paragraphs.
    """
    turns = {
        index: match
        for index, block in enumerate(blocks[:-1])
        if block.kind in (Kind.PARAGRAPH, Kind.HEADING)
        and (match := _TURN.fullmatch(block.text))
        and blocks[index + 1].kind == Kind.PARAGRAPH
    }
    if not _are_turns(list(turns.values())):
        return _with_speakers_behind_times(list(_rejoin(blocks)))
    found: list[Block] = []
    speaker = ""
    for index, block in enumerate(blocks):
        if index in turns:
            speaker = _display_name(turns[index]["name"])
            block = replace(block, kind=Kind.SPEAKER, speaker=speaker, label=len(block.text))
        elif block.kind == Kind.HEADING:
            speaker = ""
        if index not in turns:
            is_said = block.kind in RUNNING_TEXT
            block = replace(block, speaker=speaker if is_said else "", label=0)
        found.append(block)
    return found


def _are_turns(matches: list[re.Match[str]]) -> bool:
    """True for names and times of a meeting."""
    names = {_display_name(match["name"]) for match in matches}
    if not _FEWEST_TURNS <= len(matches) > len(names):
        return False
    return _are_of_meeting([_seconds(match["time"]) for match in matches])


def _are_of_meeting(times: list[int]) -> bool:
    """True for times that rise from about 0."""
    rising = sum(after >= before for before, after in pairwise(times))
    return times[0] <= _LATEST_START and rising >= _MOSTLY * (len(times) - 1)


def _with_speakers_behind_times(blocks: list[Block]) -> list[Block]:
    """The blocks with who speaks, where each turn begins with a time, and then a name.

    Args:
        blocks: All blocks of a document.

    Returns:
        As many blocks. They are as before unless the times are those of a recording, with seconds,
        and the same lines of plain text are a transcript.
    """
    lines = [block for block in blocks if block.kind in (Kind.PARAGRAPH, Kind.HEADING)]
    times = [match[1] for block in lines if (match := _TIME_FIRST.match(block.text))]
    if len(times) < _FEWEST_TURNS or not _are_of_meeting(list(map(_seconds, times))):
        return blocks
    chat = read_chat("\n\n".join(block.text for block in lines))
    if chat is None:
        return blocks
    turns: dict[str, deque[Block]] = {}
    for turn in chat.blocks:
        turns.setdefault(turn.text, deque()).append(turn)
    found = []
    for block in blocks:
        waiting = turns.get(block.text) if block.kind in (Kind.PARAGRAPH, Kind.HEADING) else None
        turn = waiting.popleft() if waiting else block
        if turn.speaker and (turn.label or block.kind == Kind.PARAGRAPH):
            block = replace(block, kind=turn.kind, level=0, speaker=turn.speaker, label=turn.label)
        found.append(block)
    return found


def _rejoin(blocks: list[Block]) -> Iterator[Block]:
    """The blocks with the paragraphs that were parted at names, where these are no speakers."""
    for block in blocks:
        if block.speaker:
            yield from map(Block, paragraph_lines(block.speaker))
        elif not block.label:
            yield block


def _display_name(name: str) -> str:
    """A speaker's name in its spoken order: "Lee, Ann (Guest)" is Ann Lee."""
    name = _ASIDE.sub("", name).strip() or name
    match = _FAMILY_FIRST.fullmatch(name)
    return f"{match[2]} {match[1]}" if match else name


def _seconds(time: str) -> int:
    total = 0
    for part in time.split(":"):
        total = 60 * total + int(part)
    return total
