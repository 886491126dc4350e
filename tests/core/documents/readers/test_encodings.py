"""From bytes to text."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.readers.encodings import decode, is_binary
from core.documents.readers.mojibake import repair

_TALE = {
    "cp1252": "Es war einmal ein König, der hatte drei Töchter – “schön” und klug…",
    "latin-1": "Il était une fois un roi qui avait trois filles ; à l'été, ça allait.",
    "cp1250": "Příliš žluťoučký kůň úpěl ďábelské ódy. Byl jednou jeden král a měl tři dcery.",
    "cp1251": "Жил-был король, у которого было три дочери, и он очень любил их всех.",
    "koi8_r": "Жил-был король, у которого было три дочери, и он очень любил их всех.",
    "cp1253": "Μια φορά κι έναν καιρό ήταν ένας βασιλιάς που είχε τρεις κόρες.",
    "shift_jis": "昔々あるところに、おじいさんとおばあさんが住んでいました。",
    "euc_jp": "昔々あるところに、おじいさんとおばあさんが住んでいました。",
    "gb18030": "从前有一个国王，他有三个女儿，他非常爱她们。",
    "big5": "從前有一個國王，他有三個女兒，他非常愛她們。",
    "euc_kr": "옛날 옛적에 한 왕이 있었는데 그에게는 세 딸이 있었다.",
}


@pytest.mark.parametrize("encoding", _TALE)
def test_encoding_of_a_short_text_is_guessed_and_said(encoding: str) -> None:
    text = "\n".join([_TALE[encoding]] * 8)
    decoded = decode(text.encode(encoding))
    assert decoded is not None
    assert decoded.text == text
    assert decoded.note.startswith("The encoding was guessed: ")


@pytest.mark.parametrize(
    ("encoding", "mark"),
    [
        ("utf-8", codecs.BOM_UTF8),
        ("utf-16-le", codecs.BOM_UTF16_LE),
        ("utf-16-be", codecs.BOM_UTF16_BE),
        ("utf-32-le", codecs.BOM_UTF32_LE),
        ("utf-32-be", codecs.BOM_UTF32_BE),
    ],
)
@pytest.mark.parametrize("marked", [True, False])
def test_unicode_is_known_with_and_without_its_mark(
    encoding: str, mark: bytes, marked: bool
) -> None:
    text = "Es war einmal ein König – und 𝛼 😀."
    decoded = decode((mark if marked else b"") + text.encode(encoding))
    assert decoded is not None
    assert (decoded.text, decoded.note) == (text, "")


def test_a_few_damaged_bytes_do_not_change_the_encoding() -> None:
    data = ("Größe, Länge, Höhe. " * 20).encode()
    decoded = decode(data + b"caf\xe9 " + data)
    assert decoded is not None
    assert decoded.encoding == "utf-8"
    assert "damaged in 1 place," in decoded.note
    assert decoded.text.count("�") == 1


def test_text_that_turns_foreign_far_from_its_start_is_guessed_from_there() -> None:
    text = "Plain words. " * 20_000 + "Déjà vu, à côté. " * 20
    decoded = decode(text.encode("cp1252"))
    assert decoded is not None
    assert decoded.text == text


def test_declared_encoding_is_believed_where_the_bytes_allow_it() -> None:
    data = "Žluťoučký kůň".encode("iso8859-2")
    decoded = decode(data, "iso8859-2")
    assert decoded is not None
    assert (decoded.text, decoded.note) == ("Žluťoučký kůň", "")
    assert decode("Größe".encode(), "no-such-encoding") is not None


@pytest.mark.parametrize(
    "data", [bytes(range(256)) * 4, b"\0" * 50, b"\x01\x02\x03\x04text"], ids=len
)
def test_rubble_is_no_text(data: bytes) -> None:
    assert is_binary(data)
    assert decode(data) is None


@given(st.binary(max_size=300))
def test_any_bytes_give_text_or_nothing(data: bytes) -> None:
    decoded = decode(data)
    assert decoded is None or isinstance(decoded.text, str)


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="\ufeff")))
def test_utf8_comes_back_whole(text: str) -> None:
    decoded = decode(text.encode())
    assert decoded is not None
    assert decoded.text == repair(text)


@pytest.mark.parametrize("name", ["punycode", "idna", "unicode_escape", "hex", "none\0"])
def test_what_is_no_encoding_is_not_heeded(name: str) -> None:
    data = b"caf\xe9 and more words-" + b"a" * 300_000  # punycode would take minutes
    decoded = decode(data, name)
    assert decoded is not None
    assert decoded.text.startswith("café and more")
