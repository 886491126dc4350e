"""Chats and transcripts of meetings: whose words each message has, and what is no chat."""

from collections.abc import Callable

import pytest

from core.documents.document import Document, Kind
from core.documents.readers.chats import CHAT, read_chat
from tests.helpers.reader_checks import check_spans, read, texts

_SAID = [
    ("Anna Kern", "Good morning, everybody. Let us start with the budget."),
    ("Paul Weiss", "The council gave us forty thousand euros: less than we asked for."),
    ("Mira Holt", "The shelves alone cost eighteen thousand, and the lights are not in the plan."),
    ("Paul Weiss", "Then we have to wait with the lights."),
    ("Anna Kern", "Shall I tell the suppliers today what we decided?"),
    ("Mira Holt", "The workshop can begin on the third of May."),
]


def _export(message: Callable[[int, str, str], str], separator: str = "\n") -> str:
    return separator.join(message(i, name, words) for i, (name, words) in enumerate(_SAID))


def _turns(document: Document) -> list[tuple[str, str]]:
    """Who says which words, labels taken off."""
    check_spans(document)
    return [
        (document.speaker(index), document.paragraph(index)[document.label_lengths[index] :])
        for index in range(document.num_paragraphs)
        if document.kinds[index] in (Kind.PARAGRAPH, Kind.INTERJECTION)
    ]


_LINES = {
    "WhatsApp, iPhone, German": "[05.05.25, 10:0{i}:11] {name}: {words}",
    "WhatsApp, iPhone, British": "[05/05/2025, 10:0{i}:11] {name}: {words}",
    "WhatsApp, iPhone, 12 hours": "[5/5/25, 10:0{i}:11\u202fAM] {name}: {words}",
    "WhatsApp, iPhone, marked": "\u200e[2025-05-05, 10:0{i}:11 p.m.] ~\u202f{name}: {words}",
    "WhatsApp, Android, German": "05.05.25, 10:0{i} - {name}: {words}",
    "WhatsApp, Android, 12 hours": "5/5/25, 10:0{i} PM - {name}: {words}",
    "WhatsApp, Android, Spanish": "5/5/25, 10:0{i} a. m. - {name}: {words}",
    "WhatsApp, Android, Finnish": "5.5.2025 klo 10.0{i} – {name}: {words}",
    "WhatsApp, Android, Chinese": "2025/5/5 上午10:0{i} - {name}: {words}",
    "WhatsApp, Android, Arabic": "05/05/2025، 10:0{i} م - {name}: {words}",
    "WhatsApp, Android, Egyptian": "\u200f05\u200f/05\u200f/2025، 10:0{i} ص - {name}: {words}",
    "WhatsApp, Android, Persian": "۱۴۰۴/۲/۱۵, ۱۰:۰{i} - {name}: {words}",
    "Signal": "{name} (2025-05-05 10:0{i}): {words}",
    "IRC": "[10:0{i}] <{name}> {words}",
    "IRC, without brackets": "2025-05-05 10:0{i}:11 <@{name}> {words}",
    "Telegram": "{name}, [05.05.25 10:0{i}]\n{words}\n",
    "LINE": "10:0{i}\t{name}\t{words}",
    "Zoom, chat": "10:0{i}:11 From {name} to Everyone:\n\t{words}",
    "Zoom, chat, one line": "10:0{i}:11\t From  {name}  to  Everyone : {words}",
    "Zoom, chat, old": "10:0{i}:11\t From {name} : {words}",
    "Zoom, chat, private": "10:0{i}:11 From {name} to Me (Direct Message):\n\t{words}",
    "Zoom, chat, German": "10:0{i}:11 Von {name} an Alle:\n\t{words}",
    "Zoom, transcript": "[{name}] 10:0{i}:11\n{words}\n",
    "Zoom, transcript, one line": "10:0{i}:11 {name}: {words}",
    "Teams": "{name}   0:0{i}\n{words}\n",
    "Teams, without blank lines": "{name}\t0:0{i}\n{words}",
    "Webex": "{name}\n10:0{i} AM\n{words}\n",
    "Webex, time first": "00:0{i}:05 {name}\n{words}\n",
    "Slack": "{name}  10:0{i} AM\n{words}",
    "Discord, today": "{name} — Today at 10:0{i} AM\n{words}",
    "Discord, German": "{name} — heute um 10:0{i}\n{words}",
    "Discord": "{name} — 05/05/2025 10:0{i}\n{words}\n",
    "Otter": "{name}  3{i}:07  \n{words}\n",
}


@pytest.mark.parametrize("program", _LINES)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_each_message_has_its_sender(program: str, end: str) -> None:
    text = _export(lambda i, name, words: _LINES[program].format(i=i, name=name, words=words))
    document = read(text.replace("\n", end), "chat.txt")
    assert _turns(document) == _SAID
    assert CHAT in document.reading.notes and not document.reading.left_out
    assert "\u200e" not in document.text


_HANDLES = ["Slack", "Discord", "Discord, today", "IRC"]


@pytest.mark.parametrize("program", _HANDLES)
def test_names_in_small_letters_are_senders_where_the_stamp_is_of_a_chat(program: str) -> None:
    said = [(name.lower().replace(" ", "."), words) for name, words in _SAID]
    lines = [_LINES[program].format(i=i, name=name, words=w) for i, (name, w) in enumerate(said)]
    assert _turns(read("\n".join(lines), "chat.txt")) == said


def test_a_line_of_the_program_in_a_channel_is_no_speech() -> None:
    chat = _export(lambda i, name, words: f"[10:0{i}] <{name}> {words}")
    document = read(f"{chat}\n[10:10] * Eva joins the channel\n", "chat.txt")
    assert _turns(document) == _SAID and len(texts(document, Kind.BOILERPLATE)) == 1


_SHORT_GROUP = [("Mia", "Who comes to the lake?"), ("Jon", "I do, with the dog."),
                ("Eva", "I stay at home today."), ("Mia", "Good, then two of us.")]  # fmt: skip
_NOTICES = ["Messages are end-to-end encrypted.", "Die Chats sind Ende-zu-Ende-verschlüsselt.",
            "As mensagens são protegidas com a criptografia de ponta a ponta."]  # fmt: skip


@pytest.mark.parametrize("notice", ["", *_NOTICES])
def test_a_short_group_is_a_chat(notice: str) -> None:
    said = _SHORT_GROUP[: 3 if notice else 4]  # nobody writes twice, but the program did
    lines = [f"01.02.24, 18:0{i} - {name}: {words}" for i, (name, words) in enumerate(said)]
    text = "\n".join([f"01.02.24, 18:00 - {notice}"] * bool(notice) + lines)
    assert _turns(read(text, "chat.txt")) == said


@pytest.mark.parametrize("mark", [
    "<Media omitted>", "<Medya dahil edilmedi>", "<تم استبعاد الوسائط>", "<मीडिया शामिल नहीं>",
    "<メディアは含まれていません>",
    "görüntü dahil edilmedi",
])  # fmt: skip
def test_omitted_pictures_are_counted_in_any_language(mark: str) -> None:
    chat = _export(lambda i, name, words: f"05.05.25 10:0{i} - {name}: {words}")
    document = read(f"{chat}\n05.05.25 10:09 - Anna Kern: {mark}\n", "chat.txt")
    assert _turns(document) == _SAID
    assert [each.what for each in document.reading.left_out] == ["1 picture or file"]


@pytest.mark.parametrize("mark", [
    "This message was deleted", "Mensagem apagada", "Diese Nachricht wurde gelöscht.",
    "Bu mesaj silindi", "Данное сообщение удалено", "تم حذف هذه الرسالة",
])  # fmt: skip
def test_a_deleted_message_is_no_speech(mark: str) -> None:
    chat = _export(lambda i, name, words: f"05.05.25 10:0{i} - {name}: {words}")
    document = read(f"{chat}\n05.05.25 10:09 - Anna Kern: {mark}\n", "chat.txt")
    assert _turns(document) == _SAID and len(texts(document, Kind.BOILERPLATE)) == 1


def test_a_paragraph_below_a_transcript_is_no_ones() -> None:
    chat = _export(lambda i, name, words: f"10:0{i}:11 {name}: {words}")
    below = "The next meeting takes place on the fourth of June."
    assert _turns(read(f"{chat}\n\n{below}\n", "meeting.txt")) == [*_SAID, ("", below)]


_CUE = "00:0{i}:01.000 --> 00:0{i}:09.000"
_CUES = {
    "Zoom": "{n}\n" + _CUE + "\n{name}: {words}\n",
    "Teams": "a1-b2/{n}-0\n" + _CUE + "\n<v {name}>{words}</v>\n",
    "Webex": '{n} "{name}" (1234567)\n' + _CUE + "\n{words}\n",
    "Teams, names on lines": "0:{i}:1.0 --> 0:{i}:9.0\n{name}\n{words}\n",
    "Meet": "0:0{i}:01.000,0:0{i}:09.000\n{name}: {words}\n",
}


@pytest.mark.parametrize("program", _CUES)
def test_each_cue_has_its_speaker(program: str) -> None:
    text = _export(
        lambda i, name, words: _CUES[program].format(i=i, n=i + 1, name=name, words=words)
    )
    document = read(f"WEBVTT\n\n{text}", "meeting.vtt")
    assert _turns(document) == _SAID


def test_several_lines_of_a_message_are_its_senders() -> None:
    text = _export(lambda i, name, words: f"05.05.25, 10:0{i} - {name}: {words}\n\nAnd more {i}.")
    turns = [turn for name, words in _SAID for turn in ((name, words), (name, ""))]
    found = _turns(read(text, "chat.txt"))
    assert [name for name, _ in found] == [name for name, _ in turns]
    assert [words for _, words in found[1::2]] == [f"And more {i}." for i in range(len(_SAID))]


def test_lines_of_the_program_are_shown_and_pictures_are_counted() -> None:
    chat = _export(lambda i, name, words: f"[05.05.25, 10:0{i}:11] {name}: {words}")
    text = (
        "[05.05.25, 09:59:00] Museum: \u200eMessages and calls are end-to-end encrypted.\n"
        f"{chat}\n"
        "\u200e[05.05.25, 10:10:11] Anna Kern: \u200eimage omitted\n"
        "[05.05.25, 10:11:11] Paul Weiss: \u200e<attached: 00000012-PHOTO.jpg>\n"
        "[05.05.25, 10:12:11] Paul Weiss: \u200eThis message was deleted.\n"
        "[05.05.25, 10:13:11] Paul Weiss: ok\n"
    )
    document = read(text, "chat.txt")
    assert _turns(document) == [*_SAID, ("Paul Weiss", "ok")]
    assert len(texts(document, Kind.BOILERPLATE)) == 2 and texts(document, Kind.INTERJECTION)
    (left_out,) = document.reading.left_out
    assert (left_out.what, left_out.missed) == ("2 pictures and files", True)


def test_lines_of_the_program_without_a_sender() -> None:
    chat = _export(lambda i, name, words: f"5/5/25, 10:0{i} AM - {name}: {words}")
    text = (
        "5/5/25, 9:59 AM - Messages are end-to-end encrypted. No one can read them.\n"
        f"{chat}\n"
        "5/5/25, 10:10 AM - Anna Kern added Eva\n"
        "5/5/25, 10:11 AM - Anna Kern changed the subject to: Museum\n"
        "5/5/25, 10:12 AM - Paul Weiss: <Media omitted>\n"
        "5/5/25, 10:13 AM - Mira Holt: plan.pdf (file attached)\n"
    )
    document = read(text, "chat.txt")
    assert _turns(document) == _SAID
    assert len(texts(document, Kind.BOILERPLATE)) == 3
    assert [each.what for each in document.reading.left_out] == ["2 pictures and files"]


def test_what_is_before_a_transcript_stays() -> None:
    chat = _export(lambda i, name, words: f"{name}   0:0{i}\n{words}\n")
    document = read(f"Meeting of the council\n\n{chat}", "meeting.txt")
    assert _turns(document) == [("", "Meeting of the council"), *_SAID]


_LOG = "2025-05-05 10:0{i}:11 - {level}: The pump {i} was started by the service."
_PLAIN = [
    "\n".join(_LOG.format(i=i, level=("INFO", "WARN", "ERROR")[i % 3]) for i in range(9)),
    "\n".join(f"[10:0{i}:11] INFO: The pump was started." for i in range(9)),
    "\n".join(f"10:{i}0 {name}: The chair speaks.\n" for i, name in enumerate(
        ("Opening", "Budget", "Lunch", "Roof", "Closing"))),
    "\n".join(f"{name}  10:{i}0\nThe train stops here.\n" for i, name in enumerate(
        ("Ulm", "Augsburg", "München", "Rosenheim", "Kufstein"))),
    "\n".join(f"{name}  2{i}:15\n{words}" for i, (name, words) in enumerate(
        (("Krimi", "Das alte Haus"), ("Sport", "Rudern"), ("Krimi", "Nebel"), ("Sport", "Ski")))),
    "\n".join(f"10:4{i}:00 <{name}> {words}" for i, (name, words) in enumerate(
        (("request", "GET /a?b=1"), ("response", "200"), ("request", "GET /c"),
         ("response", "404")))),
    "\n".join(f"05.05.2025, 1{i}:00 - {name}: a talk." for i, name in enumerate(
        ("Budget", "Roof", "Boats", "Nets"))),
    "\n\n".join(f"1.{i} Purpose: The rule {i} is for the council." for i in range(8)),
    "\n\n".join(f"Anna came at 10:0{i}. She said: “Good morning.”" for i in range(8)),
    "\n\n".join(f"Time: 10:0{i}\nNote: It rained." for i in range(8)),
]  # fmt: skip


_EVENTS = [
    ("Guided tour", "Ships of the river"), ("Talk", "How the bridge was built"),
    ("Guided tour", "Ships of the river"), ("Workshop", "Knots for children"),
    ("Guided tour", "Ships of the river"), ("Talk", "Who built the bridge?"),
]  # fmt: skip
_TRACKS = [
    ("Kern Trio", "The river at night"), ("Holt", "Boats of the morning"),
    ("Kern Trio", "The mill"), ("Holt", "Harbour song"), ("Kern Trio", "Where are you?"),
]  # fmt: skip
_SKY = [
    ("Moon", "It rises behind the chapel in thin cloud."), ("Jupiter", "Four moons are seen."),
    ("Moon", "The terminator crosses the sea of rains."), ("Jupiter", "The red spot is seen."),
    ("Moon", "Is that a new crater at the edge?"),
]  # fmt: skip
_JOBS = [
    ("Mail Gateway", "Forty letters were sent to members."), ("Job Runner", "A job was started."),
    ("Mail Gateway", "Two letters came back."), ("Job Runner", "Loaded /jobs?state=new in time."),
]  # fmt: skip
_LEVELS = [
    ("production.ERROR", "Is the connection lost?"), ("production.INFO", "Connected again."),
    ("production.ERROR", "The queue has many waiting jobs."), ("production.INFO", "All is well."),
]  # fmt: skip
_HIKE = [
    ("Wanderung", "drei Stunden am Fjord entlang."), ("Ankunft", "Regen und Wind."),
    ("Wanderung", "die Straße war glatt."), ("Ankunft", "alles war ruhig."),
]  # fmt: skip
_STAMPS = [
    "1{i}:00 {name}: {words}", "[1{i}:00] {name}: {words}", "10:0{i}:11 {name}: {words}",
    "[10:0{i}:11] {name}: {words}", "1{i}:00 {name}\n{words}", "[10:0{i}] {name}\n{words}\n",
    "[2024-03-01 10:0{i}:11] {name}: {words}", "2024-03-01 10:0{i}:11 {name}: {words}",
]  # fmt: skip
_TABULAR = ["05.05.2025, 1{i}:00 - {name}: {words}", "1{i}:00\t{name}\t{words}",
            "[05.05.2025, 1{i}:00] {name}: {words}"]  # fmt: skip


def _lines(form: str, entries: list[tuple[str, str]]) -> str:
    return "\n".join(form.format(i=i, name=name, words=w) for i, (name, w) in enumerate(entries))


@pytest.mark.parametrize("entries", [_EVENTS, _TRACKS, _JOBS, _LEVELS, _HIKE])
@pytest.mark.parametrize("form", _STAMPS)
def test_programmes_tracks_diaries_and_logs_are_no_chats(
    form: str, entries: list[tuple[str, str]]
) -> None:
    text = _lines(form, entries)
    below = "Please book the workshop by telephone before Thursday noon."
    assert read_chat(text) is None and read_chat(f"Programme\n\n{text}\n\n{below}") is None


@pytest.mark.parametrize("form", [form for form in _STAMPS if "11" not in form])
def test_observations_in_sentences_are_no_chat(form: str) -> None:
    assert read_chat(_lines(form, _SKY)) is None


@pytest.mark.parametrize("entries", [_EVENTS, _JOBS, _LEVELS, _HIKE])
@pytest.mark.parametrize("form", _TABULAR)
def test_no_form_of_a_chat_makes_one_of_what_nobody_says(
    form: str, entries: list[tuple[str, str]]
) -> None:
    assert read_chat(_lines(form, entries)) is None


@pytest.mark.parametrize("text", _PLAIN, ids=range(len(_PLAIN)))
def test_logs_timetables_and_agendas_are_no_chats(text: str) -> None:
    assert read_chat(text) is None


def test_an_article_with_a_few_messages_is_no_chat() -> None:
    chat = _export(lambda i, name, words: f"[05.05.25, 10:0{i}:11] {name}: {words}")
    article = "\n\n".join(
        f"The museum opened in the year {i}, and it shows boats." for i in range(40)
    )
    assert read_chat(f"{article}\n\n{chat}\n\n{article}") is None


def test_hostile_lines_take_no_quadratic_time() -> None:
    for line in ("[" * 300, "10:00 " + "A " * 200, " " * 390 + ":", "Anna " * 60 + "  10:00 x"):
        read_chat("\n".join([line] * 400))
    read_chat("[05.05.25, 10:00] A: " + "x " * 300_000)
