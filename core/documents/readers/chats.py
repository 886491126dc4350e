"""Chats and transcripts of meetings as their programs export them in plain text.

Each message begins with a stamp and a name in a form of its program: WhatsApp, Telegram, LINE, the
chats and transcripts of Zoom, Teams, Webex, Meet, Slack, Discord and Otter. Who says what is
certain there; nothing has to be guessed from the words. Stamp and name stay in the text as a label.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from core.documents.document import Block, Kind, LeftOut, count_words
from core.documents.readers.cleaning import one_line
from core.documents.speaker_names import FIELDS, name_key

CHAT = "The text is a chat or transcript with stamps and was read as such."

_BIDI = "\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff"
_S = r"[ \t\xa0\u202f]"
_DATE = (
    rf"(?:\d{{1,4}}[./-]{_S}?\d{{1,2}}[./-]{_S}?\d{{1,4}}\.?"
    rf"|\d{{4}}年\d{{1,2}}月\d{{1,2}}日|\d{{4}}년{_S}?\d{{1,2}}월{_S}?\d{{1,2}}일)(?:\([^()\n]{{1,3}}\))?"
)
_HALF = rf"(?:{_S}?(?:[AaPp]\.?{_S}?[Mm]\b\.?|上午|下午|午前|午後|오전|오후))"
_TIME = rf"(?:{_HALF}{_S}?)?\d{{1,2}}:[0-5]\d(?::[0-5]\d(?:[.,]\d{{1,3}})?)?{_HALF}?"
_TIME_OF_DAY = rf"(?:{_TIME}|\d{{1,2}}[.h][0-5]\d(?:\.[0-5]\d)?)"  # with a date before it
_AT = rf"(?:,|{_S}(?:um|at|à|klo?\.?|om|alle|a las|às)\b)?{_S}*"
_DATED = rf"{_DATE}{_AT}{_TIME_OF_DAY}"
_STAMP = rf"(?:{_DATED}|{_TIME},?{_S}*{_DATE}|{_TIME})"
_NAME = r"(?P<name>[^\s:,\[\]<>][^:\n\[\]<>]{0,60}?)"
_PROPER = r"(?P<name>[^\W\d_a-z][\w.'’\-]{0,24}(?:[ \xa0][\w.'’\-()]{1,24}){0,5})"
_START = rf"[{_BIDI}]*"
_TO = rf"{_S}+(?:to|an|à|a|para|aan){_S}"  # the receivers, in one of some languages
_SAID = rf":(?:{_S}+(?P<text>\S.*)|{_S}*)"


@dataclass(frozen=True)
class _Form:
    """How the messages of a program begin.

    Args:
        begins: A whole line with which a message begins: its name, and its first words.
        system: A whole line that the program wrote itself, which has a stamp only.
        is_certain: True if nothing else looks so; else the names have to recur.
    """

    begins: re.Pattern[str]
    system: re.Pattern[str] | None = None
    is_certain: bool = True


_FORMS = (
    _Form(
        re.compile(rf"{_START}\[{_STAMP}\]{_S}*{_NAME}{_SAID}"),
        re.compile(rf"{_START}\[{_DATED}\]{_S}*(?P<text>\S.*)"),
    ),
    _Form(
        re.compile(rf"{_START}{_DATED}{_S}[-–—]{_S}{_NAME}{_SAID}"),
        re.compile(rf"{_START}{_DATED}{_S}[-–—]{_S}(?P<text>\S.*)"),
    ),
    _Form(
        re.compile(
            rf"{_STAMP}{_S}+(?:From|Von|De|Da|Van){_S}+"
            rf"(?P<name>[^\s:,\[\]<>](?:(?!{_TO})[^:\n\[\]<>]){{0,60}}+)"
            rf"(?:{_TO}[^:\n]{{1,60}}+)?{_SAID}",
            re.IGNORECASE,
        ),
    ),
    _Form(re.compile(rf"{_NAME},{_S}\[{_DATED}\]:?{_S}*(?P<text>)")),
    _Form(re.compile(rf"{_STAMP}\t{_NAME}\t(?P<text>\S.*)")),
    _Form(re.compile(rf"\[?{_STAMP}\]?{_S}+{_PROPER}{_SAID}"), is_certain=False),
    _Form(
        re.compile(
            rf"{_PROPER}(?:{_S}*\t{_S}*|{_S}{{2,}}|{_S}[-–—]{_S})[\[(]?{_STAMP}[\])]?{_S}*(?P<text>)"
        ),
        is_certain=False,
    ),
    _Form(re.compile(rf"\[{_PROPER}\]{_S}*{_STAMP}{_S}*(?P<text>)"), is_certain=False),
    _Form(re.compile(rf"\[?{_STAMP}\]?{_S}+{_PROPER}{_S}*(?P<text>)"), is_certain=False),
)
# "Anna Kern", and on the next line the time.
_TIME_LINE = re.compile(rf"[\[(]?{_STAMP}[\])]?{_S}*")
_NAME_LINE = re.compile(_PROPER)
_LOG_LEVELS = frozenset("info error warn warning debug trace fatal critical notice severe".split())
_OMITTED = re.compile(
    r"[<\[(]?[\w ]{1,30}\b(?:omitted|weggelassen|ausgeschlossen|omitid[oa]s?|omess[oaie]|absente?s?"
    r"|weggelaten|pominięto|ocult[oa]s?|vynechán[ao]?|utelatt|utelämnad|udeladt|пропущено|opuszczone)"
    r"[>\])]?"
    r"|<(?:attached|anhang|adjunto|allegato|bijlage|pièce jointe|anexado|załącznik)\b[^<>]{0,100}>"
    r"|[^()]{1,80}\.\w{2,4} \((?:file attached|datei angehängt|archivo adjunto|fichier joint"
    r"|file allegato|arquivo anexado|bestand bijgevoegd)\)",
    re.IGNORECASE,
)
_MARK_OF_PROGRAM = "\u200e"  # before what WhatsApp wrote itself
_DIRECTIONS = re.compile(f"[{_BIDI}]")
_SPACE_AND_MARKS = " \t\u200e\u200f\u202a\u202c"
_ENDED = re.compile(r"[.!?:;…。！？][\"'”’»)\]]*$")
_WRAPPED = 50  # characters: a shorter line was not broken by its width
_FEWEST_WORDS = 3  # fewer say nothing
_LONGEST_NAME = 4  # words; "Anna changed the subject to" is none
_MOST_FOREIGN = 0.2
_CLOCK = re.compile(r"\d[:.h]\d\d?")
_LONGEST_HEAD = 120
_SAMPLE_LINES = 400
_FEWEST_MESSAGES = 3
_FEWEST_UNCERTAIN = 4
_RECURRING = 0.6  # of messages whose names recur, where the form is no proof
_LEAST_SHARE = 0.25  # of lines that begin a message; the others go on with one
_LONGEST_LINE = 400  # of which a label is looked for at the beginning


@dataclass
class Chat:
    """A chat.

    Attributes:
        blocks: Its messages.
        omitted: The number of pictures and files that are not in the text.
    """

    blocks: list[Block] = field(default_factory=list)
    omitted: int = 0

    def left_out(self) -> Iterator[LeftOut]:
        """What is not in the text."""
        if self.omitted:
            what = (
                "1 picture or file" if self.omitted == 1 else f"{self.omitted} pictures and files"
            )
            yield LeftOut(what, "the chat was exported without them")


def read_chat(text: str) -> Chat | None:
    """Reads a chat.

    Args:
        text: The text of a file, its lines ended by line feeds.

    Returns:
        A block for each paragraph of each message, with its speaker; None if it is no chat.
    """
    lines = text.split("\n")
    if sum(map(_has_time, lines[:_SAMPLE_LINES])) < _FEWEST_MESSAGES:
        return None
    form = _form_in(list(_with_whole_heads(lines[:_SAMPLE_LINES])))
    return _chat(list(_with_whole_heads(lines)), form) if form else None


def _has_time(line: str) -> bool:
    """True if the beginning of a line tells a time, as each form does."""
    return _CLOCK.search(line, 0, _LONGEST_HEAD) is not None


def _with_whole_heads(lines: list[str]) -> Iterator[str]:
    """Lines of which a name and the time below it are one."""
    at = 0
    while at < len(lines):
        line = lines[at]
        following = lines[at + 1] if at + 1 < len(lines) else ""
        is_timed = _has_time(following) and _TIME_LINE.fullmatch(following)
        if is_timed and _NAME_LINE.fullmatch(line.strip()[:100]):
            line, at = f"{line.strip()}  {following.strip()}", at + 1
        yield line
        at += 1


def _form_in(lines: list[str]) -> _Form | None:
    """The form of most messages; None if the lines are of no chat."""
    filled = sum(bool(line.strip()) for line in lines)
    timed = [line for line in lines if _has_time(line)]
    best, most = None, 0
    for form in _FORMS:
        matches = (form.begins.fullmatch(line[:_LONGEST_LINE]) for line in timed)
        names = [match["name"].strip() for match in matches if match]
        if len(names) > most and len(names) >= _LEAST_SHARE * filled and _are_names(names, form):
            best, most = form, len(names)
    return best


def _are_names(names: list[str], form: _Form) -> bool:
    """True if those are the senders of a chat: they recur, and are no fields of forms or logs."""
    counts = Counter(names)
    recurring = sum(count for count in counts.values() if count > 1)
    foreign = sum(name_key(name) in FIELDS or name.lower() in _LOG_LEVELS for name in names)
    if foreign > _MOST_FOREIGN * len(names):
        return False
    if form.is_certain:
        return len(names) >= _FEWEST_MESSAGES and 2 * recurring >= len(names)
    enough = len(names) >= _FEWEST_UNCERTAIN and recurring >= _RECURRING * len(names)
    return enough and len(counts) > 1


@dataclass
class _Message:
    """A message on its way.

    Attributes:
        name: Who wrote it; empty for a line of the program.
        label: Its stamp and name as printed.
        lines: Its words.
    """

    name: str
    label: str
    lines: list[str]


def _chat(lines: list[str], form: _Form) -> Chat:
    messages = list(_messages(lines, form))
    counts = Counter(message.name for message in messages)
    chat = Chat()
    for message in messages:
        is_clause = counts[message.name] == 1 and len(message.name.split()) > _LONGEST_NAME
        _add(chat, message, is_said=bool(message.name) and not is_clause)
    return chat


def _messages(lines: list[str], form: _Form) -> Iterator[_Message]:
    current = _Message("", "", [])
    for line in lines:
        head = line[:_LONGEST_LINE]
        if match := form.begins.fullmatch(head):
            yield current
            at = match.start("text") if match["text"] else match.end()
            current = _Message(_tidy(match["name"]).strip("~ "), head[:at].strip(), [line[at:]])
        elif form.system and (match := form.system.fullmatch(head)):
            yield current
            current = _Message(
                "", _tidy(line[: match.start("text")]), [line[match.start("text") :]]
            )
        else:
            current.lines.append(line)
    yield current


def _add(chat: Chat, message: _Message, *, is_said: bool) -> None:
    """Adds a message; what its program wrote is boilerplate."""
    first = message.lines[0] if message.lines else ""
    is_of_program = first.startswith(_MARK_OF_PROGRAM)
    if _OMITTED.fullmatch(first.strip(_SPACE_AND_MARKS)):
        chat.omitted += 1
        message.lines[0] = ""
        if not any(map(str.strip, message.lines)):
            return
        is_of_program = False
    paragraphs = list(_paragraphs(message.lines))
    if not message.label:  # a title, or what is before the chat
        chat.blocks += [Block(text) for text in paragraphs]
        return
    if not is_said or is_of_program:
        words = " ".join(filter(None, (message.label, *paragraphs)))
        chat.blocks += [Block(_tidy(words), Kind.BOILERPLATE)] if words else []
        return
    label = _tidy(message.label)
    if first.strip() and paragraphs:
        text = f"{label} {paragraphs.pop(0)}"
        chat.blocks.append(_said(text, message.name, len(label) + 1))
    else:
        chat.blocks.append(Block(label, Kind.SPEAKER, speaker=message.name, label=len(label)))
    chat.blocks += [_said(text, message.name) for text in paragraphs]


def _tidy(text: str) -> str:
    return one_line(_DIRECTIONS.sub("", text))


def _said(text: str, name: str, label: int = 0) -> Block:
    says_nothing = count_words(text[label:]) < _FEWEST_WORDS
    kind = Kind.INTERJECTION if says_nothing else Kind.PARAGRAPH
    return Block(text, kind, speaker=name, label=label)


def _paragraphs(lines: list[str]) -> Iterator[str]:
    """Lines as paragraphs: those that break off inside a sentence go on in the next."""
    held = ""
    for line in (*lines, ""):
        words = _tidy(line)
        if held and words and len(held) >= _WRAPPED and not _ENDED.search(held):
            held += f" {words}"
            continue
        if held:
            yield held
        held = words
