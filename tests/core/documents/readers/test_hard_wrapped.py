"""Lines that an editor, a typesetter or a mail program broke, and lines that stay as they are."""

import random
import textwrap
from collections.abc import Callable

import pytest

from core.documents.document import Document, Source
from core.documents.line_mode import JOINED, KEPT, LineMode
from core.documents.readers.text import read_text
from core.events import result_of
from core.stop import StopToken
from tests.helpers.reader_checks import read, texts

ENGLISH = (
    "The museum of the town was opened in the spring of 1911, when the river had gone back to its "
    "bed and the mayor could cross the bridge again. It shows the boats with which the fishers "
    "went out, the nets that their wives mended in winter, and the lamp of the old lighthouse.",
    "Most visitors come in summer. They walk along the quay, look at the model of the harbour, and "
    "buy a card at the door; few of them stay for more than an hour, although the upper floor "
    "alone would fill a morning. The guide, who was a fisher himself, shows how a net is thrown.",
    "In 1987 a fire destroyed the roof and a part of the collection. The town paid for the repair, "
    "but the letters of the first director were lost. Copies of some of them were found in the "
    "archive of the county in 1994, and they are shown in a case beside the stairs.",
)
GERMAN = (
    "Das Museum der Stadt wurde im Frühjahr 1911 eröffnet, als der Fluss in sein Bett "
    "zurückgekehrt war und der Bürgermeister wieder über die Brücke gehen konnte. Es zeigt die "
    "Boote, mit denen die Fischer hinausfuhren, und die Netze, die ihre Frauen im Winter flickten.",
    "Die meisten Besucher kommen im Sommer. Sie gehen am Kai entlang, sehen sich das Modell des "
    "Hafens an und kaufen an der Tür eine Karte; wenige bleiben länger als eine Stunde, obwohl "
    "allein das obere Stockwerk einen Vormittag füllen würde.",
)
RUSSIAN = (
    "Музей города был открыт весной 1911 года, когда река вернулась в своё русло и мэр снова мог "
    "перейти через мост. Он показывает лодки, на которых рыбаки выходили в море, и сети, которые "
    "их жёны чинили зимой.",
    "Большинство посетителей приезжает летом. Они гуляют по набережной, смотрят на модель гавани и "
    "покупают у двери открытку; немногие остаются дольше часа, хотя один верхний этаж занял бы "
    "целое утро.",
)
ARABIC = (
    "افتتح متحف المدينة في ربيع عام 1911 عندما عاد النهر إلى مجراه وتمكن العمدة من عبور الجسر مرة "
    "أخرى. يعرض المتحف القوارب التي خرج بها الصيادون والشباك التي أصلحتها زوجاتهم في الشتاء ومصباح "
    "المنارة القديمة.",
    "يأتي معظم الزوار في الصيف. يتجولون على طول الرصيف وينظرون إلى نموذج الميناء ويشترون بطاقة عند "
    "الباب، وقليل منهم يبقى أكثر من ساعة رغم أن الطابق العلوي وحده يملأ صباحا كاملا.",
)
HINDI = (
    "नगर का संग्रहालय 1911 के वसंत में खोला गया, जब नदी अपने तल में लौट आई थी और महापौर फिर से पुल पार कर सकते "
    "थे। इसमें वे नावें हैं जिनसे मछुआरे बाहर जाते थे, और वे जाल जिनकी मरम्मत उनकी पत्नियाँ सर्दियों में करती थीं।",
    "अधिकांश आगंतुक गर्मियों में आते हैं। वे घाट के किनारे चलते हैं, बंदरगाह का नमूना देखते हैं और दरवाज़े पर एक "
    "कार्ड खरीदते हैं। उनमें से कुछ ही एक घंटे से अधिक रुकते हैं।",
)
CHINESE = (
    "这座城市的博物馆于一九一一年春天开放，当时河水已经退回河床，市长又可以走过那座桥了。馆里展出渔民出海时使用的"
    "船只，他们的妻子在冬天修补的渔网，以及老灯塔的灯。大多数游客在夏天来。他们沿着码头散步，看看港口的模型。",
    "很少有人停留超过一个小时，尽管仅仅楼上就可以看一个上午。导游自己也曾是渔民，他讲解如何撒网。一九八七年的一场"
    "大火烧毁了屋顶和一部分藏品，市政府支付了修理费用，但第一任馆长的信件却丢失了。",
)
JAPANESE = (
    "町の博物館は一九一一年の春に開館した。川が元の流れに戻り、町長が再び橋を渡れるようになった頃である。館内には"
    "漁師たちが沖へ出た船、冬に妻たちが繕った網、そして古い灯台のランプが展示されている。",
    "一時間以上いる人は少ないが、二階だけでも午前中いっぱいかかるだろう。案内人は自分も漁師だったので、網の投げ方"
    "を説明してくれる。一九八七年の火事で屋根と収蔵品の一部が失われた。",
)

Paragraphs = tuple[str, ...]
Style = Callable[[Paragraphs, int], str]


def _plain(paragraphs: Paragraphs, width: int) -> str:
    return "\n\n".join(textwrap.fill(text, width) for text in paragraphs)


def _without_blank_lines(paragraphs: Paragraphs, width: int) -> str:
    return "\n".join(textwrap.fill(text, width) for text in paragraphs)


def _first_lines_indented(paragraphs: Paragraphs, width: int) -> str:
    return "\n".join(textwrap.fill(text, width, initial_indent="    ") for text in paragraphs)


def _all_indented(paragraphs: Paragraphs, width: int) -> str:
    return textwrap.indent(_plain(paragraphs, width), "      ")


def _space_at_ends(paragraphs: Paragraphs, width: int) -> str:
    return _plain(paragraphs, width).replace("\n", "  \n")


def _double_spaced(paragraphs: Paragraphs, width: int) -> str:
    return "\n\n\n".join("\n\n".join(textwrap.wrap(text, width)) for text in paragraphs)


def _ragged(paragraphs: Paragraphs, width: int) -> str:
    """As type of letters of different widths is broken."""
    generator = random.Random(3)
    found = []
    for text in paragraphs:
        lines, limit = [""], width
        for word in text.split():
            if lines[-1] and len(lines[-1]) + 1 + len(word) > limit:
                lines.append("")
                limit = width - generator.randint(0, width // 8)
            lines[-1] = f"{lines[-1]} {word}".strip()
        found.append("\n".join(lines))
    return "\n\n".join(found)


def _hyphenated(paragraphs: Paragraphs, width: int) -> str:
    found = []
    for text in paragraphs:
        lines = [""]
        for word in text.split():
            room = width - len(lines[-1]) - 2
            if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
                if word.isalpha() and 2 < room < len(word) - 2:
                    lines[-1] += f" {word[:room]}-"
                    word = word[room:]
                lines.append("")
            lines[-1] = f"{lines[-1]} {word}".strip()
        found.append("\n".join(lines))
    return "\n\n".join(found)


def _by_characters(paragraphs: Paragraphs, width: int) -> str:
    rows = ([text[at : at + width] for at in range(0, len(text), width)] for text in paragraphs)
    return "\n\n".join("\n".join(lines) for lines in rows)


WRAPPED: list[tuple[Paragraphs, Style, int]] = [
    *((ENGLISH, _plain, width) for width in (24, 32, 45, 60, 72, 79, 100, 140)),
    *((ENGLISH, _without_blank_lines, width) for width in (40, 66, 80)),
    *((ENGLISH, _first_lines_indented, width) for width in (40, 66, 80)),
    *((ENGLISH, _all_indented, width) for width in (34, 66)),
    *((ENGLISH, _space_at_ends, width) for width in (40, 72)),
    *((ENGLISH, _double_spaced, width) for width in (36, 72, 90)),
    *((ENGLISH, _ragged, width) for width in (60, 80, 100)),
    *((ENGLISH, _hyphenated, width) for width in (34, 48, 64)),
    *((texts_, _plain, width) for texts_ in (GERMAN, RUSSIAN, ARABIC, HINDI) for width in (42, 72)),
    *((texts_, _by_characters, width) for texts_ in (CHINESE, JAPANESE) for width in (18, 32, 40)),
    *((paragraphs[:1], _plain, 60) for paragraphs in (ENGLISH, GERMAN, ARABIC)),
]


@pytest.mark.parametrize(("paragraphs", "style", "width"), WRAPPED)
def test_broken_lines_become_the_paragraphs_they_were(
    paragraphs: Paragraphs, style: Style, width: int
) -> None:
    document = read(style(paragraphs, width) + "\n", "museum.txt")
    assert texts(document) == list(paragraphs)
    assert not {JOINED, KEPT} & set(document.reading.notes)


KEPT_LINES = {
    "verse": """\
The river goes down to the sea in the night,
And nobody hears it but me and the owl;
The lamp on the quay is a small yellow light,
And far on the water the seals start to howl.
""",
    "verse in small letters": """\
the river
goes down to the sea
in the night and nobody
hears
but me and
the owl on the lamp
""",
    "long-lined verse in small letters": """\
and the boats came home with the light of the morning on them,
and the women stood at the quay,
and one of them counted the sails as they passed the old lamp, and counted again,
and said nothing,
and went home over the hill with the basket still empty on her arm
""",
    "lyrics": """\
Oh take me down to the harbour
Down where the boats are low
Oh take me down to the harbour
(Down where the boats are low)
And I will sing you a sailor's song
""",
    "haiku": "an old quiet pond\na frog jumps into the pond\nsplash silence again\n",
    "psalm": """\
The Lord is my shepherd; I shall not want.
He maketh me to lie down in green pastures:
he leadeth me beside the still waters.
He restoreth my soul:
he leadeth me in the paths of righteousness.
""",
    "Chinese verse": "床前明月光，\n疑是地上霜。\n举头望明月，\n低头思故乡。\n",
    "Arabic verse": """\
قفا نبك من ذكرى حبيب ومنزل
بسقط اللوى بين الدخول فحومل
فتوضح فالمقراة لم يعف رسمها
""",
    "addresses": """\
Museum of the Town
12 Quay Street
Harbourville HV1 2AB
United Kingdom
museum@example.org
""",
    "contacts": """\
Anna Kern, director, 030 123 456
Paul Weiss, guide, 030 123 457
Mira Holt, archive, 030 123 458
Jan Berg, boats and nets, 030 123 459
""",
    "names": "Anna Kern\nPaul Weiss\nMira Holt\nJan Berg\nEva Lind\n",
    "log": """\
2024-03-01 10:00:01 INFO server started on port 80 and is waiting
2024-03-01 10:00:02 WARN the disk is nearly full and will be cleaned
2024-03-01 10:00:09 INFO user anna opened the page of the museum
2024-03-01 10:00:12 ERROR the page of the museum was not found
""",
    "log without dates": """\
starting server on port 80
loading the page of the museum
waiting for the disk to be cleaned
done in 12 seconds
""",
    "minutes": """\
Present: Anna Kern, Paul Weiss
Apologies: Mira Holt
Budget: approved with two votes against
Next meeting: 3 May, in the museum
""",
    "chat": """\
10:02 anna: are the boats in yet
10:03 paul: two of them, the third one is late
10:03 anna: then we wait
10:09 paul: it is in
""",
    "screenplay": """\
ANNA: Where are the boats?
PAUL: Two of them are in.
ANNA: And the third?
PAUL: Late, as always.
""",
    "recipe": """\
200 g flour
2 eggs
half a litre of milk
a pinch of salt
butter for the pan
""",
    "to do": """\
call the mayor about the bridge
write to the county archive
mend the nets in the upper room
count the cards at the door
""",
    "menu": """\
Soup of the day ........ 4.50
Fish with potatoes .... 12.00
Cake with cream ........ 3.80
Coffee ................. 2.20
""",
    "proverbs": """\
A rolling stone gathers no moss.
Many hands make light work.
The early bird catches the worm.
Still waters run deep.
""",
    "questions": """\
Where is the museum?
When is it open, and for how long?
What does a card cost at the door?
May dogs come in?
""",
    "Japanese items": "船の模型\n漁師の網\n灯台のランプ\n町長の手紙\n",
    "Chinese sentences": "博物馆在春天开放。\n大多数游客在夏天来。\n导游自己也曾是渔民。\n",
    "German nouns": "Boote und Netze\nLampe des Turms\nBriefe des Direktors\nKarten an der Tür\n",
    "places": "Quayville, on the river Quay\nUpper Ford, by the mill\nLower Ford, by the bridge\n",
}


@pytest.mark.parametrize("text", KEPT_LINES.values(), ids=KEPT_LINES)
@pytest.mark.parametrize("with_prose", [False, True], ids=["alone", "in prose"])
def test_lines_that_stand_for_themselves_stay(text: str, with_prose: bool) -> None:
    prose = _plain(ENGLISH, 72)
    whole = f"{prose}\n\n{text}\n{prose}\n" if with_prose else text
    document = read(whole, "museum.txt")
    found = [line for part in document.text.split("\n") for line in [part.strip()] if line]
    for line in text.splitlines():
        assert any(entry.endswith(line) for entry in found), line


CODE = {
    "python": "import boats\ndef open_door(key):\n    locked = key.turn()\n    print(locked)\n",
    "shell": "$ cd museum\n$ ls -l\n$ make all\n",
    "table": "Name      Width     Height\nBasin     12        4\nFloat     3         3\n",
    "values": "name;width;height\nbasin;12;4\nfloat;3;3\n",
}


@pytest.mark.parametrize("text", CODE.values(), ids=CODE)
def test_code_and_tables_keep_their_line_breaks(text: str) -> None:
    prose = _plain(ENGLISH, 60)
    document = read(f"{prose}\n\n{text}\n{prose}\n", "museum.txt")
    assert texts(document)[3:-3] == [text.rstrip("\n")]


def _read_lines(text: str, mode: LineMode) -> Document:
    return result_of(read_text(text.encode(), Source("museum.txt"), StopToken(), mode))


def test_lines_are_joined_or_kept_as_chosen() -> None:
    verse = KEPT_LINES["verse in small letters"]
    assert texts(_read_lines(verse, "join")) == [" ".join(verse.split())]
    assert texts(_read_lines(verse, "keep")) == verse.splitlines()
    wrapped = _plain(ENGLISH, 60)
    assert texts(_read_lines(wrapped, "keep")) == [line for line in wrapped.splitlines() if line]
    items = "- mend the nets\n- call the mayor\n"
    assert len(texts(_read_lines(items, "join"))) == 2


@pytest.mark.parametrize("mode", ["join", "keep"])
def test_a_choice_of_lines_leaves_no_doubt(mode: LineMode) -> None:
    for text in (_plain(ENGLISH, 60), *KEPT_LINES.values()):
        assert not {JOINED, KEPT} & set(_read_lines(text, mode).reading.notes)


def test_doubts_about_lines_are_said() -> None:
    small = KEPT_LINES["verse in small letters"]
    assert KEPT in _read_lines(small, "auto").reading.notes
    capitals = _plain(ENGLISH, 60).upper()
    document = _read_lines(capitals, "auto")
    assert texts(document) == [text.upper() for text in ENGLISH]
    assert JOINED in document.reading.notes


@pytest.mark.parametrize("head", ["The Museum of the Town", "12 The Museum of the Town", ""])
def test_pages_are_joined_without_heads_and_numbers(head: str) -> None:
    lines = _plain(ENGLISH * 3, 62).split("\n")
    parts = [lines[at : at + 11] for at in range(0, len(lines), 11)]
    pages = [f"{head}\n\n" + "\n".join(part) + f"\n\n{n}\n" for n, part in enumerate(parts, 1)]
    document = read("\f".join(pages) + "\f", "museum.txt")
    found = texts(document)
    assert found[-9:] == list(ENGLISH * 3)
    assert len(found) == 9 + bool(head)
    assert document.reading.left_out[0].what == "running heads and feet"


def test_form_feeds_between_chapters_leave_nothing_out() -> None:
    chapters = [f"Chapter {number}\n\n{text}" for number, text in enumerate(ENGLISH, 1)]
    document = read("\f".join(chapters), "museum.txt")
    assert len(texts(document)) == 6
    assert not document.reading.left_out
