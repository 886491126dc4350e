"""Records of speech in plain text: subtitles, and court transcripts with numbered lines."""

import re
from collections.abc import Iterator
from itertools import pairwise

from core.documents.document import LeftOut, count_words

SUBTITLES = "The text is subtitles and was read as a transcript."
_TIME = r"(?:\d+:)?\d{1,2}:\d{1,2}[.,]\d{1,3}"
_SPAN = rf"\s*{_TIME}\s+-->\s+{_TIME}(?:\s[^\n]*)?"
_CUE = re.compile(rf"{_SPAN}|\s*\d+:\d\d:\d\d\.\d{{3}},\d+:\d\d:\d\d\.\d{{3}}\s*")
_NAMED_CUE = re.compile(r"\d+ \"([^\"\n]{1,60})\" \(\d*\)\s*")  # Webex's, on the line before
_FEWEST_CUES = 3
_WORDS_OF_PARAGRAPH = 80  # where nobody is named; then a paragraph ends with the next sentence
_VOICE = re.compile(r"<v(?:\.[\w.]+)?\s+([^<>\n]{1,60})>")
_FAMILY_FIRST = re.compile(r"([^,()]+), ([^,()]+?)( \(.*\))?")
_TAG = re.compile(
    r"</?[a-z][^<>\n]{0,40}>|<(?:\d+:)?\d\d:\d\d[.,]\d{3}>|\{\\[^{}\n]{1,40}\}", re.IGNORECASE
)
_SOUND = re.compile(r"[\[(][^\[\]()]{1,60}[\])]")
_NAMED_SOUND = re.compile(r"\[(?:music|applause|laughter)\]|♪+", re.IGNORECASE)
_DASH = re.compile(r"[-–]\s+(?=\S)")
_MOSTLY_REPEATED = 0.4  # of the cues begin with what the one before ended with
_LABEL = re.compile(r"(?:>>|[-–]\s|[^\W\d_][\w .’'-]{0,40}:\s)")
_ENDED = re.compile(r"[.!?…][\"'”’)\]]*$")
_SPEAKER_LINE = re.compile(r"[^\W\d_a-z][\w.'’\-]*(?: [\w.'’\-()]+){0,5}(?<![.])")
_NUMBERED = re.compile(r"[ \t]{0,8}(\d{1,2})(?:[ \t]{2,}(\S.*)|[ \t]*)")
_FEWEST_NUMBERED = 20
_MOSTLY = 0.85
_MOST_SAMPLED = 500  # lines, before all are looked at
_SURELY = 0.5  # of these, where most of all are numbered


def is_subtitles(text: str) -> bool:
    """True if a text is a file of subtitles (WebVTT, SubRip, SubViewer)."""
    return sum(bool(_CUE.fullmatch(line)) for line in text.split("\n", 400)[:400]) >= _FEWEST_CUES


def words_of_subtitles(text: str) -> str:
    """The words of subtitles as paragraphs, without times, numbers and markup.

    Args:
        text: A file of subtitles.

    Returns:
        A paragraph for each turn; where no speakers are named, for each few sentences.
    """
    paragraphs: list[str] = []
    for cue in _cues(text.split("\n")):
        goes_on = paragraphs and not _LABEL.match(cue) and not _ENDED.search(paragraphs[-1])
        if goes_on:
            paragraphs[-1] += f" {cue}"
        else:
            paragraphs.append(_DASH.sub("", cue.removeprefix(">>").strip(), count=1))
    return "\n\n".join(_joined(paragraphs))


def _joined(paragraphs: list[str]) -> Iterator[str]:
    """Joins what the same speaker says in one cue after the other."""
    current, label = "", ""
    for paragraph in paragraphs:
        match = _LABEL.match(paragraph)
        if current and match and match[0] == label:
            current += f" {paragraph[match.end() :]}"
            continue
        if current and not match and (label or count_words(current) < _WORDS_OF_PARAGRAPH):
            current += f" {paragraph}"
            continue
        if current:
            yield current
        current, label = paragraph, match[0] if match else ""
    if current:
        yield current


def _cues(lines: list[str]) -> Iterator[str]:
    """The words of each cue on one line, after the name of its voice.

    What several speakers say in one cue, each after a dash, is several; sounds are none.
    """
    shown = _with_names([_shown(lines, start, end) for start, end in _spans(lines)])
    for cue in _without_repeats(shown):
        said: list[str] = []
        for line in cue:
            if said and not _DASH.match(line):
                said[-1] += f" {line}"
            else:
                said.append(line)
        yield from (words for words in said if not _SOUND.fullmatch(words))


def _spans(lines: list[str]) -> Iterator[tuple[int, int]]:
    starts = [index for index, line in enumerate(lines) if _CUE.fullmatch(line)]
    return pairwise([*starts, len(lines) + 1])


def _shown(lines: list[str], start: int, end: int) -> list[str]:
    """The lines that a cue shows."""
    shown: list[str] = []
    for line in lines[start + 1 : end - 1]:
        if not line.strip():
            if shown:
                break
            continue
        words = _VOICE.sub(lambda match: f"{_voice(match[1])}: ", line)
        if words := " ".join(_NAMED_SOUND.sub("", _TAG.sub("", words)).split()):
            shown.append(words)
    if shown and start and (named := _NAMED_CUE.fullmatch(lines[start - 1])):
        shown[0] = f"{_voice(named[1])}: {shown[0]}"
    return shown


def _with_names(cues: list[list[str]]) -> list[list[str]]:
    """Cues whose first line only names the speaker, as Teams writes them, begin with "Name:"."""
    named = [cue for cue in cues if len(cue) > 1 and _SPEAKER_LINE.fullmatch(cue[0])]
    recurring = 2 * len({cue[0] for cue in named}) <= len(named)
    if not recurring or len(named) < _MOSTLY * len([cue for cue in cues if cue]):
        return cues
    return [[f"{cue[0]}: {cue[1]}", *cue[2:]] if len(cue) > 1 else cue for cue in cues]


def _voice(name: str) -> str:
    """Who speaks: "Lee, Ann" is Ann Lee."""
    match = _FAMILY_FIRST.fullmatch(name.strip())
    return f"{match[2]} {match[1]}" if match else name.strip()


def _without_repeats(cues: list[list[str]]) -> list[list[str]]:
    """Cues without the lines that stay on the screen while the next one comes in below them."""
    filled = [cue for cue in cues if cue]
    again = sum(cue[0] == before[-1] for before, cue in pairwise(filled))
    if again < _MOSTLY_REPEATED * len(filled):
        return filled
    firsts = filled[:1]
    for before, cue in pairwise(filled):
        kept = next(
            n for n in range(min(len(before), len(cue)), -1, -1) if _ends_in(before, cue[:n])
        )
        firsts.append(cue[kept:])
    return [cue for cue in firsts if cue]


def _ends_in(lines: list[str], last: list[str]) -> bool:
    return not last or lines[-len(last) :] == last


def without_line_numbers(text: str) -> tuple[str, list[LeftOut]]:
    """A text without the numbers before its lines, as court reporters print them.

    Args:
        text: Any text.

    Returns:
        The text, and what was left out. It is the text as it is unless most lines have a number,
        and the numbers begin again on each page.
    """
    lines = text.split("\n")
    sample = lines[:: 1 + len(lines) // _MOST_SAMPLED]
    if sum(map(bool, map(_NUMBERED.fullmatch, sample))) < _SURELY * sum(map(bool, sample)):
        return text, []
    matches = [_NUMBERED.fullmatch(line) for line in lines]
    numbers = [int(match[1]) for match in matches if match]
    filled = sum(bool(line.strip()) for line in lines)
    if len(numbers) < max(_FEWEST_NUMBERED, _MOSTLY * filled) or numbers.count(1) < 2:
        return text, []
    following = sum(after in (before + 1, 1) for before, after in pairwise(numbers))
    if following < _MOSTLY * (len(numbers) - 1):
        return text, []
    kept = [match[2] or "" if match else line for line, match in zip(lines, matches, strict=True)]
    out = sum(map(count_words, map(str, numbers)))
    return "\n".join(kept), [LeftOut("line numbers", "they only count lines", out, missed=False)]
