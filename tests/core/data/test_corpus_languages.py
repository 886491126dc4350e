"""A corpus says which languages its documents are in."""

from pathlib import Path

import pytest

from core.data.corpus import open_corpus, read_card
from core.data.corpus_languages import languages_in, languages_of_corpus
from tests.helpers.corpora import TEXTS, write_table
from tests.helpers.prepared import prepare

GERMAN = (
    "Die Pumpe speist den Kessel durch das Ventil, und wenn der Druck unter drei Bar fällt, wird "
    "sie von Hand angehalten. Der Kessel der Halle ist älter als die Pumpe, die in diesem Jahr "
    "geprüft wurde. Nach der Prüfung steht er wieder im Dienst."
)


def test_the_commonest_stands_first_and_strays_are_left_out() -> None:
    assert languages_in([*[GERMAN] * 30, *TEXTS[:10]]) == ("German", "English")
    assert languages_in([*[GERMAN] * 99, TEXTS[0]]) == ("German",)
    assert languages_in(["1 2 3", "", "x"]) == ()


@pytest.mark.parametrize("make", ["text", "gsg"])
def test_a_corpus_is_prepared_with_its_languages(tmp_path: Path, make: str) -> None:
    texts = [f"{GERMAN} {number}" for number in range(40)]
    source = write_table(tmp_path / "mixed.parquet", {"text": [*texts, *TEXTS[:20]]})
    corpus = prepare(tmp_path / "mixed", [source], make=make)
    assert read_card(corpus)["made"]["languages"] == ["German", "English"]
    assert languages_of_corpus(open_corpus(corpus)) == ("German", "English")


def test_languages_of_a_corpus_that_says_none_are_found(tmp_path: Path) -> None:
    corpus = prepare(tmp_path / "old", [write_table(tmp_path / "t.parquet", {"text": TEXTS})])
    card = corpus / "corpus.toml"
    told = card.read_text("utf-8")
    assert 'languages = ["English"]' in told
    card.write_text(told.replace('languages = ["English"]\n', ""), "utf-8")
    assert languages_of_corpus(open_corpus(corpus)) == ("English",)
