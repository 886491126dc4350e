"""Verse in small letters stays in lines; prose broken as narrow does not."""

import textwrap

import pytest

from core.documents.document import Kind
from core.documents.line_mode import JOINED, KEPT
from core.documents.readers.verse import verse_width
from tests.core.documents.readers.test_hard_wrapped import ENGLISH, GERMAN, RUSSIAN
from tests.helpers.reader_checks import outline, read, texts

VERSE = {
    "one stanza": """\
I hear the river in the night,
as if it asked me for my name,
and somewhere burns a little light
that was not there before I came.
""",
    "two stanzas": """\
The lamp is out, the street is long,
and nobody is on the stair,
the wind has sung its only song
and left the chapel and the square.

I hear the river in the night,
as if it asked me for my name,
and somewhere burns a little light
that was not there before I came.
""",
    "octosyllables": """\
La barque dort près du ponton,
le vent se tait sur la rivière,
et dans la brume un vieux garçon
allume encore sa lumière.

Demain reviendra le pêcheur
avec son pain et sa musique,
et dans la rue le vieux facteur
lui portera sa lettre unique.

La cloche sonne au fond du val,
le chien s'endort devant la porte,
et le printemps, tant bien que mal,
revient avec ce qu'il apporte.
""",
    "with a title": """\
Abendruhe

Das Licht verlässt die stillen Felder,
und hinter dunklen Hügeln ruht
der alte Wind, der durch die Wälder
am Tage strich mit raschem Mut.

Die Mühle steht, das Wasser schweigt,
und leise, wie ein müdes Kind,
hat sich das Schilf zum Schlaf geneigt
am Ufer, wo die Frösche sind.
""",
    "lyrics without a stop": """\
Verse 1
I was walking down to the river
when the morning was still grey
and the boats were tied together
and the gulls had gone away

Chorus
Oh carry me over, carry me over
carry me over the water wide
oh carry me over, carry me over
and set me down on the other side
""",
    "as wide as prose": """\
In the house by the river where nobody lives any more than the swallows do,
the clock on the wall goes on telling the hours to the chairs and the spoons,
and the letters that came for the man who was here are still lying unread,
as though he had only gone out for an hour to look at the boats and the moon.
""",
    "Russian": """\
Уснули лодки у причала,
и ветер стих, и лес притих,
и только чайка прокричала
о том, что не осталось их.

А за рекой огонь далёкий
горит, как память о весне,
и мальчик, тихий и высокий,
опять придёт ко мне во сне.
""",
    "couplets": """\
The mill is old, the wheel is slow,
and nobody comes here to see it go,

the miller sleeps beneath the tree,
and dreams of ships upon the sea,

the moon looks in, the moon looks out,
and turns the river all about.
""",
    "one long stanza": """\
He took the lantern from the wall,
the one that he had never lit,
and went across the empty hall,
and did not look at it,
but listened for the evening train,
and heard the water in the drain,
the slow and heavy autumn rain,
and found the bench, and sat on it.
""",
}


@pytest.mark.parametrize("text", VERSE.values(), ids=VERSE)
def test_verse_in_small_letters_stays_in_lines(text: str) -> None:
    document = read(text, "verse.txt")
    assert texts(document) == [line for line in text.splitlines() if line]
    assert KEPT in document.reading.notes


def test_title_above_verse_is_a_heading() -> None:
    text = VERSE["with a title"].replace("Abendruhe", "Wanderers Abendruhe")
    document = read(text, "verse.txt")
    assert outline(document)[0] == (Kind.HEADING, "Wanderers Abendruhe")
    assert document.title == "Wanderers Abendruhe"


@pytest.mark.parametrize("kind", ["one stanza", "with a title", "octosyllables", "Russian"])
def test_verse_in_prose_stays_in_lines(kind: str) -> None:
    prose = [textwrap.fill(text, 72) for text in ENGLISH * 2]
    document = read("\n\n".join([*prose[:3], VERSE[kind].strip(), *prose[3:]]), "book.txt")
    verse = [line for line in VERSE[kind].splitlines() if line]
    assert texts(document) == [*ENGLISH, *verse, *ENGLISH]


@pytest.mark.parametrize("width", [28, 32, 36, 38, 40, 44, 48, 50])
@pytest.mark.parametrize("paragraphs", [ENGLISH, GERMAN, RUSSIAN])
def test_narrow_prose_is_joined(paragraphs: tuple[str, ...], width: int) -> None:
    document = read("\n\n".join(textwrap.fill(text, width) for text in paragraphs), "prose.txt")
    assert texts(document) == list(paragraphs)
    assert not {JOINED, KEPT} & set(document.reading.notes)


SHORT_PROSE = (
    "The boats, the nets and the lamp were sold, and with the money, as everyone knew, the mayor "
    "paid the roof, the bridge and, in the end, himself.",
    "No, said the fisher, the river was never here, and it will, I fear, not come back.",
    "When it rains, which is often, the quay is empty, and the guide, who is old, sleeps.",
)


@pytest.mark.parametrize("width", range(30, 80, 3))
def test_short_paragraphs_with_many_commas_are_joined(width: int) -> None:
    text = "\n\n".join(textwrap.fill(text, width) for text in SHORT_PROSE)
    assert texts(read(text, "prose.txt")) == list(SHORT_PROSE)


def test_quotation_set_narrow_in_prose_is_joined() -> None:
    prose = [textwrap.fill(text, 72) for text in ENGLISH]
    quotation = textwrap.indent(textwrap.fill(GERMAN[0], 46), "    ")
    document = read("\n\n".join([*prose, quotation, *prose]), "book.txt")
    assert texts(document) == [*ENGLISH, GERMAN[0], *ENGLISH]


def test_lists_and_dialogues_are_no_verse() -> None:
    assert not verse_width([["1. the boats,", "2. the nets,", "3. the lamp,", "4. the roof."]])
    assert not verse_width([["ANNA: It is late,", "and it rains,", "and I go,", "says Paul."]])


def test_verse_between_line_breaks_of_a_page_stays_in_lines() -> None:
    verse = VERSE["one stanza"].strip()
    prose = "The poem is by an unknown writer of the town, who lived beside the mill for years."
    page = f"<h1>The river</h1><p>{verse.replace(chr(10), '<br>')}</p><p>{prose}</p>"
    assert texts(read(page, "page.html"))[1:] == [*verse.splitlines(), prose]
    broken = textwrap.fill(ENGLISH[0], 44).replace("\n", "<br>")
    assert texts(read(f"<h1>Museum</h1><p>{broken}</p>", "page.html"))[1:] == [ENGLISH[0]]
