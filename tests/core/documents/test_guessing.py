"""The language of a text, guessed: article 1 of the Declaration of Human Rights, and worse."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.document import Block, Document, Kind, Source
from core.documents.guessing import guess_language
from core.documents.languages import languages

RIGHTS = Path(__file__).parents[2] / "reference" / "languages" / "rights.toml"
ARTICLE_1 = tomllib.loads(RIGHTS.read_text("utf-8"))
NOT_KNOWN = {
    "nothing": "",
    "numbers": "12 345 67,8 % 2021–2024",
    "names": "Rossi Müller García Nguyen Kowalski Smith Øst",
    "Latin": "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor "
    "incididunt ut labore et dolore magna aliqua. Ut enim ad minim veniam, quis nostrud.",
    "Indonesian": "Semua orang dilahirkan merdeka dan mempunyai martabat dan hak-hak yang sama. "
    "Mereka dikaruniai akal dan hati nurani dan hendaknya bergaul satu sama lain.",
    "Vietnamese": "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền.",
    "Hindi": "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है।",
}


def test_every_language_has_a_text_here() -> None:
    assert ARTICLE_1.keys() == languages().keys()


@pytest.mark.parametrize("code", ARTICLE_1)
def test_thirty_words_tell_the_language(code: str) -> None:
    assert guess_language(ARTICLE_1[code]) == code


def test_words_of_one_language_count_more_than_those_of_several() -> None:
    shared = "Jeg har ikke sett dem siden, men hun sa at det var for sent"
    assert guess_language(f"{shared}.") == ""
    assert guess_language(f"{shared} etter en uke av regn.") == "nb"


@pytest.mark.parametrize("text", NOT_KNOWN.values(), ids=NOT_KNOWN)
def test_what_is_in_none_of_them_is_not_known(text: str) -> None:
    assert guess_language(text) == ""


def test_a_quotation_or_a_list_of_references_does_not_change_the_language() -> None:
    other = f"{ARTICLE_1['fr']} {ARTICLE_1['en']} 2021, Vol. 3, Journal of the History of Europe."
    assert guess_language(f"{ARTICLE_1['de'] * 3} {other}") == "de"
    assert guess_language(f"{ARTICLE_1['ja']} {ARTICLE_1['en'][:40]}") == "ja"


def test_of_a_long_text_all_parts_are_looked_at() -> None:
    preface, body = ARTICLE_1["en"] + "\n\n", ARTICLE_1["es"] + "\n\n"
    assert guess_language(preface * 200 + body * 2000) == "es"


@given(st.text(max_size=300))
def test_any_text_has_one_of_the_languages_or_none(text: str) -> None:
    assert guess_language(text) in {"", *languages()}


def test_a_document_knows_its_language_and_can_be_told_another() -> None:
    blocks = [Block("Rechte", Kind.HEADING, 1), Block(ARTICLE_1["de"])]
    document = Document.from_blocks(blocks, title="Rechte", source=Source("rechte.txt"))
    assert (document.reading.language, document.reading.language_guessed) == ("de", True)
    told = document.in_language("nl")
    assert (told.reading.language, told.reading.language_guessed) == ("nl", False)
    again = Document.from_bytes(told.to_bytes())
    assert again.reading == told.reading
    assert told.in_language("auto").reading == document.reading
