"""Text that was encoded twice is repaired, and all other text left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.readers.mojibake import REPAIRED, repair
from tests.helpers.epub_files import epub_file
from tests.helpers.reader_checks import read, texts

_SOUND = [
    "The season of 2002–03 cost £5 – “a lot”, he said…",
    "SÃO PAULO: NÃO HÁ AÇÃO “X”, ESTÃO À VENDA…",
    "CÔTÉ CŒUR, «À L’ÉTÉ», ÉLÈVE, à la carte, voilà ; œuvre",
    "ÅÄÖ °C, ÖÄÅ°, 5 × 3 ± 2 µm, 20 °C, ½ ¼ ¾",
    "Điện Biên Phủ, Łódź «ŻŻ», İstanbul, Dvořák, Çeşme",
    "Жил-был король… «Рёв», Рё, С°",
    "昔々あるところに、おじいさんと。 从前有一个国王。 옛날 옛적에",
    "Μια φορά κι έναν καιρό ήταν",
    "The letter “Â” has a circumflex; “Ã” has a tilde.",
    "A dash may come out as “â€“”, and “é” as “Ã©”, if a page is encoded twice.",
]


@pytest.mark.parametrize("text", _SOUND)
def test_sound_text_is_never_changed(text: str) -> None:
    assert repair(text) == text
    assert repair("\n".join([text, "Plain words.", text])).split("\n")[0] == text


@pytest.mark.parametrize("through", ["cp1252", "latin-1"])
@pytest.mark.parametrize(
    "text",
    ["The season of 2002–03 cost £5…", "“Voilà”, dit-elle – ça coûte 5 €.", "Größe: 20 °C × 3"],
)
def test_text_that_was_encoded_twice_is_repaired(text: str, through: str) -> None:
    damaged = "".join(
        bytes([byte]).decode(through, "replace").replace("\ufffd", chr(byte))
        for byte in text.encode()
    )
    assert damaged != text
    assert repair(damaged) == text
    assert repair(f"One line.\n{damaged}\n<p>{damaged}</p>") == f"One line.\n{text}\n<p>{text}</p>"


def test_a_quotation_mark_that_lost_a_byte_keeps_the_space_behind_it() -> None:
    assert repair("they said â€œcomeâ€ and cameâ€”late") == "they said “come” and came—late"


def test_a_line_half_sound_is_repaired_only_among_wholly_damaged_ones() -> None:
    half = "the “donâ€™t” of it"
    assert repair(half) == half
    assert repair(f"itâ€™s\nweâ€™re\n{half}") == "it’s\nwe’re\nthe “don’t” of it"


@given(st.text())
def test_nothing_but_characters_of_damage_changes(text: str) -> None:
    assert repair(text).count("\n") == text.count("\n")
    plain = "".join(char for char in text if char.isascii())
    assert repair(plain) == plain


def test_the_reading_tells_of_a_repair() -> None:
    page = "<html><body><article><h1>The season</h1><p>In 2002â€“03 it cost Â£5.</p></article>"
    letter = "From: a@b.example\nSubject: x\n\nIn 2002â€“03 it cost Â£5.\n"
    book = epub_file({"one.xhtml": "<h1>One</h1><p>In 2002â€“03 it cost Â£5.</p>"})
    for data, name in (
        ("In 2002â€“03 it cost Â£5.", "a.txt"),
        (page, "a.html"),
        (letter, "a.eml"),
        (book, "a.epub"),
    ):
        document = read(data, name)
        assert "In 2002–03 it cost £5." in texts(document), name
        assert REPAIRED in document.reading.notes, name
