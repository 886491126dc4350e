"""Chats and transcripts of meetings as their programs export them in plain text.

Each message begins with a stamp and a name in a form of its program: WhatsApp, Telegram, LINE, the
chats and transcripts of Zoom, Teams, Webex, Meet, Slack, Discord, Otter, Signal and IRC. Who says
what is certain there. Programmes, diaries and logs look much the same, so a form that is theirs,
too, needs signs of a conversation. Stamp and name stay in the text as a label.
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
_B = rf"[{_BIDI}]{{0,2}}"
_DATE = (
    rf"(?:\d{{1,4}}{_B}[./-]{_S}?\d{{1,2}}{_B}[./-]{_S}?\d{{1,4}}\.?"
    rf"|\d{{4}}年\d{{1,2}}月\d{{1,2}}日|\d{{4}}년{_S}?\d{{1,2}}월{_S}?\d{{1,2}}일)(?:\([^()\n]{{1,3}}\))?"
)
_HALF = (
    rf"(?:{_S}?(?:[AaPp]\.?{_S}?[Mm]\b\.?|上午|下午|午前|午後|오전|오후|[صم]\b"
    rf"|[قب]\.{_S}?ظ\.?))"
)
_MINUTES = r"[0-5٠-٥۰-۵०-५]\d"
_TIME = rf"(?:{_HALF}{_S}?)?\d{{1,2}}:{_MINUTES}(?::{_MINUTES}(?:[.,]\d{{1,3}})?)?{_HALF}?"
_TIME_OF_DAY = rf"(?:{_TIME}|\d{{1,2}}[.h][0-5]\d(?:\.[0-5]\d)?)"  # with a date before it
_AT_WORD = r"(?:um|at|à|klo?\.?|om|alle|a las|às)"
_AT = rf"{_B}(?:[,،]|{_S}{_AT_WORD}\b)?{_S}*"
_DATED = rf"{_DATE}{_AT}{_TIME_OF_DAY}"
_STAMP = rf"(?:{_DATED}|{_TIME},?{_S}*{_DATE}|{_TIME})"
_DAY = rf"[^\W\d_]{{3,10}}(?:['’]hui)?{_S}{_AT_WORD}{_S}"  # "Today at "
_NAME = r"(?P<name>[^\s:,\[\]<>][^:\n\[\]<>]{0,60}?)"
_PROPER = r"(?P<name>[^\W\d_a-z][\w.'’\-]{0,24}(?:[ \xa0][\w.'’\-()]{1,24}){0,5})"
_HANDLE = r"(?P<name>[^\W\d_][\w.\-]{1,31})"
_NICK = r"(?P<name>[^\s<>/=@+%~&][^<>/=\n]{0,40})"
_START = rf"[{_BIDI}]*"
_TO = rf"{_S}+(?:to|an|à|a|para|aan){_S}"  # the receivers, in one of some languages
_SAID = rf":(?:{_S}+(?P<text>\S.*)|{_S}*)"


@dataclass(frozen=True)
class _Form:
    """The beginning of the messages of a program.

    Args:
        begins: A whole line with which a message begins: its name, and its first words.
        system: A whole line that the program wrote itself, which has a stamp only.
        is_certain: True if nothing else looks so; else the names have to recur.
        needs_talk: True if diaries and tables look so, too; a question or a line of the program
            makes the difference.
        is_programme: True if programmes, logs and notes of observations look so, too.
    """

    begins: re.Pattern[str]
    system: re.Pattern[str] | None = None
    is_certain: bool = True
    needs_talk: bool = False
    is_programme: bool = False


_FORMS = (
    _Form(
        # Without a comma, a year at the beginning is one of a log.
        re.compile(rf"{_START}\[(?!\d{{4}}-\d\d-\d\d[ T]){_DATED}\]{_S}*{_NAME}{_SAID}"),
        re.compile(rf"{_START}\[{_DATED}\]{_S}*(?P<text>\S.*)"),
        needs_talk=True,
    ),
    _Form(
        re.compile(rf"{_START}{_DATED}{_S}[-–—]{_S}{_NAME}{_SAID}"),
        re.compile(rf"{_START}{_DATED}{_S}[-–—]{_S}(?P<text>\S.*)"),
        needs_talk=True,
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
    _Form(re.compile(rf"{_NAME}{_S}\({_DATED}\){_SAID}")),
    _Form(
        re.compile(rf"\[?{_STAMP}\]?{_S}*<[@+%~& ]?{_NICK}>{_S}+(?P<text>\S.*)"),
        re.compile(rf"\[?{_STAMP}\]?{_S}+(?P<text>(?:\*{{1,3}}|-!-|--[->]|<--){_S}+\S.*)"),
        needs_talk=True,
    ),
    _Form(re.compile(rf"{_STAMP}\t{_NAME}\t(?P<text>\S.*)"), needs_talk=True),
    _Form(re.compile(rf"\[?{_STAMP}\]?{_S}+{_PROPER}{_SAID}"), is_certain=False, is_programme=True),
    _Form(
        re.compile(
            rf"{_PROPER}(?:{_S}*\t{_S}*|{_S}{{2,}}|{_S}[-–—]{_S})"
            rf"[\[(]?(?:{_DAY})?{_STAMP}[\])]?{_S}*(?P<text>)"
        ),
        is_certain=False,
    ),
    _Form(
        re.compile(
            rf"{_HANDLE}(?:{_S}{{2,}}|{_S}[-–—]{_S})"
            rf"(?:{_DAY}{_TIME}|{_DATED}|\d{{1,2}}:{_MINUTES}{_HALF}){_S}*(?P<text>)"
        ),
        is_certain=False,
    ),
    _Form(re.compile(rf"\[{_PROPER}\]{_S}*{_STAMP}{_S}*(?P<text>)"), is_certain=False),
    _Form(
        re.compile(rf"\[?{_STAMP}\]?{_S}+{_PROPER}{_S}*(?P<text>)"),
        is_certain=False,
        is_programme=True,
    ),
)
# "Anna Kern", and on the next line the time.
_TIME_LINE = re.compile(rf"[\[(]?{_STAMP}[\])]?{_S}*")
_NAME_LINE = re.compile(_PROPER)
_LOG_LEVELS = frozenset("info error warn warning debug trace fatal critical notice severe".split())
_OMITTED = re.compile(
    r"[<\[(]?[\w ]{1,30}\b(?:omitted|weggelassen|ausgeschlossen|omitid[oa]s?|omess[oaie]|absente?s?"
    r"|weggelaten|dahil edilmedi|pominięto|ocult[oa]s?|vynechán[ao]?|utelatt|utelämnad|udeladt"
    r"|пропущено|opuszczone)"
    r"[>\])]?"
    r"|<(?:attached|anhang|adjunto|allegato|bijlage|pièce jointe|anexado|załącznik)\b[^<>]{0,100}>"
    r"|<[^<>]{0,6}(?:メディア|媒体|媒體|多媒|미디어)[^<>]{0,20}>"
    r"|<[^<>\s]{1,20}(?: [^<>\s]{1,20}){1,5}>"  # Android's mark in any language
    r"|[^()]{1,80}\.\w{2,4} \((?:file attached|datei angehängt|archivo adjunto|fichier joint"
    r"|file allegato|arquivo anexado|bestand bijgevoegd)\)",
    re.IGNORECASE,
)
_DELETED = re.compile(
    r"(?:this message was deleted|you deleted this message|diese nachricht wurde gelöscht"
    r"|du hast diese nachricht gelöscht|ce message a été supprimé|vous avez supprimé ce message"
    r"|este mensaje fue eliminado|se eliminó este mensaje|eliminaste este mensaje"
    r"|(?:esta )?mensagem (?:foi )?apagada|você apagou esta mensagem|apagou esta mensagem"
    r"|questo messaggio è stato eliminato|hai eliminato questo messaggio"
    r"|dit bericht is verwijderd|(?:u|je) hebt dit bericht verwijderd|bu mesaj silindi"
    r"|bu mesajı sildiniz|ta wiadomość została usunięta|usunięto tę wiadomość"
    r"|данное сообщение удалено|вы удалили данное сообщение|pesan ini dihapus"
    r"|تم حذف (?:هذه )?الرسالة|این پیام حذف شد|यह मैसेज मिटा दिया गया|यह संदेश हटा दिया गया"
    r"|このメッセージは削除されました|此[消讯訊]息已[删刪]除|삭제된 메시지입니다)[.。।]?",
    re.IGNORECASE,
)
_NOTICE = re.compile(
    r"\bend-to-end\b|\bEnde-zu-Ende\b|\bde bout en bout\b|\bextremo a extremo\b"
    r"|\bde ponta a ponta\b|\bcrittografati\b|\bşifrelidir\b|\bсквозн|\bcompletamente cifrad"
    r"|التشفير|مشفرة|رمزگذاری|एन्क्रिप्ट|加密|暗号化|암호화|WhatsApp",
    re.IGNORECASE,
)
_EMOJI = re.compile("[\U0001f300-\U0001faff]")
_QUESTION = re.compile(r"\w[!)\"”’»]?(?:[?？؟՞፧]|\xa0\?| \?)(?!\S{3})|？")
_BARE_TIME = re.compile(r"\D*\d{1,2}:\d\d\W*")
_SECONDS = re.compile(r"\d:\d\d:\d\d")
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
_FEWEST_OF_STRANGERS = 12  # messages, where names look like those of events
_MOSTLY = 0.6  # of messages are sentences, and have words
_MOST_REPEATED = 0.2  # of messages; programmes have the same event again
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
        """The messages that are not in the text."""
        if self.omitted:
            what = (
                "1 picture or file" if self.omitted == 1 else f"{self.omitted} pictures and files"
            )
            yield LeftOut(what, "the chat was exported without them")


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

    @property
    def words(self) -> str:
        """Its words on one line."""
        return " ".join(self.lines).strip()


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
    """True if a line begins with a time, as it does in every form."""
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
        is_best = len(names) > most and len(names) >= _LEAST_SHARE * filled
        if is_best and _are_names(names) and _is_conversation(lines, form):
            best, most = form, len(names)
    return best


def _are_names(names: list[str]) -> bool:
    """True if those can be the senders of a chat: they are no fields of forms or logs."""
    foreign = sum(name_key(name) in FIELDS or _is_log_level(name) for name in names)
    return foreign <= _MOST_FOREIGN * len(names)


def _is_log_level(name: str) -> bool:
    """True if a label is a level of a log, or ends in one ("production.ERROR")."""
    return re.split(r"[\s./|-]", name.strip())[-1].lower() in _LOG_LEVELS


def _is_conversation(lines: list[str], form: _Form) -> bool:
    """True if the senders recur as in a chat, and the words are those of one where others could
    look so."""
    messages = list(_messages(lines, form))
    said = [message for message in messages if message.name]
    counts = Counter(message.name for message in said)
    recurring = sum(count for count in counts.values() if count > 1)
    if form.needs_talk:
        has_notice = any(map(_is_notice, messages))
        is_talk = has_notice or (recurring > 0 and any(_shows_talk(each.words) for each in said))
        return len(said) >= _FEWEST_MESSAGES and is_talk and not _repeat(said)
    if form.is_certain:
        return len(said) >= _FEWEST_MESSAGES and 2 * recurring >= len(said)
    is_enough = len(said) >= _FEWEST_UNCERTAIN and recurring >= _RECURRING * len(said)
    has_words = sum(bool(each.words) for each in said) >= _MOSTLY * len(said)
    is_known = is_enough and len(counts) > 1 and has_words and not _repeat(said)
    return is_known and not (_are_events(said) if form.is_programme else _are_stops(said))


def _is_notice(message: _Message) -> bool:
    """True if a chat's program wrote a message, by its mark or its words."""
    is_marked = message.words.startswith(_MARK_OF_PROGRAM)
    is_unnamed = bool(message.label) and not message.name
    return is_marked or (is_unnamed and _NOTICE.search(message.words) is not None)


def _shows_talk(words: str) -> bool:
    """True if words ask, are a message deleted or omitted, or have the pictures of a keyboard."""
    signs = (_QUESTION.search(words), _EMOJI.search(words))
    return any((*signs, _OMITTED.fullmatch(words), _DELETED.fullmatch(words)))


def _repeat(messages: list[_Message]) -> bool:
    """True if more than a few messages have the words of another with the same name."""
    texts = Counter((each.name, each.words) for each in messages)
    repeated = sum(
        count
        for (_, words), count in texts.items()
        if count > 1 and count_words(words) >= _FEWEST_WORDS and not _shows_talk(words)
    )
    return repeated > _MOST_REPEATED * len(messages)


def _are_events(messages: list[_Message]) -> bool:
    """True if stamps and names may be those of events: their words are no sentences, none asks, or
    names that are not a person's follow times of day."""
    sentences = sum(_ENDED.search(each.words) is not None for each in messages)
    asks = any(_QUESTION.search(each.words) for each in messages)
    if sentences < _MOSTLY * len(messages) or not asks:
        return True
    persons = sum(_is_person(each.name) for each in messages)
    is_long = len(messages) >= _FEWEST_OF_STRANGERS
    has_seconds = all(_SECONDS.search(each.label) for each in messages)
    return not (is_long or has_seconds or 2 * persons >= len(messages))


def _are_stops(messages: list[_Message]) -> bool:
    """True if names may be those of stops or of a programme at bare times of day: none is a full
    name, and no words ask."""
    is_bare = all(_BARE_TIME.fullmatch(each.label) for each in messages)
    asks = any(_QUESTION.search(each.words) for each in messages)
    return is_bare and not asks and not any(_is_person(each.name) for each in messages)


def _is_person(name: str) -> bool:
    """True if a label has the form of a full name ("Anna Kern", "Speaker 1")."""
    words = name.split()
    return len(words) > 1 and all(not word[0].islower() for word in words)


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
        elif form.is_programme and not line.strip() and any(map(str.strip, current.lines)):
            yield current  # the next paragraph may have no speaker
            current = _Message("", "", [])
        elif line.strip() or not form.is_programme:
            current.lines.append(line)
    yield current


def _add(chat: Chat, message: _Message, *, is_said: bool) -> None:
    """Adds a message; what its program wrote is boilerplate."""
    first = message.lines[0] if message.lines else ""
    bare = first.strip(_SPACE_AND_MARKS)
    is_of_program = first.startswith(_MARK_OF_PROGRAM) or bool(_DELETED.fullmatch(bare))
    if _OMITTED.fullmatch(bare):
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
