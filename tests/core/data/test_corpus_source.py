"""A corpus is a source of another one: same documents, same splits, without reading files again."""

from pathlib import Path

import numpy as np
import pytest

from core.data.corpus import document_of, open_corpus
from core.data.stored_rows import StoredRows
from core.errors import EpitomeError
from core.events import result_of
from core.stop import StopToken
from tests.helpers.corpora import TEXTS, write_table
from tests.helpers.damage import DAMAGES
from tests.helpers.prepared import pairs_corpus, prepare
from tests.helpers.runs import tiny_corpus


def documents(corpus: Path) -> dict[str, list[str]]:
    opened = open_corpus(corpus)
    return {
        split: [document_of(row, opened.masking) for row in opened.rows(split)]
        for split in opened.splits
    }


@pytest.mark.parametrize("make", ["gsg", "text", "pairs"])
def test_its_documents_stay_in_their_splits(tmp_path: Path, home: Path, make: str) -> None:
    first = pairs_corpus(tmp_path / "first", split="60/20/20")
    (first.parent / "first.parquet").unlink()
    second = prepare(tmp_path / "second", [first], make=make)
    assert documents(second) == documents(first)


def test_it_is_found_by_its_name_among_those_of_this_user(tmp_path: Path, home: Path) -> None:
    prepared = pairs_corpus(home / "data" / "corpora" / "letters")
    again = prepare(tmp_path / "again", ["letters"], make="text")
    assert documents(again) == documents(prepared)
    with pytest.raises(AssertionError, match="There is no file or folder"):
        prepare(tmp_path / "other", ["numbers"])


@pytest.mark.parametrize("masking", ["mask", "remove", "keep"])
def test_gap_sentences_give_the_document_back(tmp_path: Path, masking: str) -> None:
    source = write_table(tmp_path / "texts.parquet", {"text": TEXTS})
    corpus = prepare(tmp_path / "gaps", [source], make="gsg", masking=masking)
    found = [text for texts in documents(corpus).values() for text in texts]
    assert sorted(" ".join(text.split()) for text in found) == sorted(
        " ".join(text.split()) for text in TEXTS
    )


def test_rows_are_numbered_through_the_splits(tmp_path: Path) -> None:
    corpus = open_corpus(pairs_corpus(tmp_path / "corpus", split="60/20/20"))
    rows = StoredRows(corpus)
    assert len(rows) == len(TEXTS)
    splits = [rows.split_of(number) for number in range(len(rows))]
    assert [splits.count(split) for split in corpus.splits] == list(corpus.counts.values())
    texts = [text for split in documents(corpus.folder).values() for text in split]
    assert [rows.text(number) for number in range(len(rows))] == texts


def test_a_row_without_a_title_is_called_as_it_begins(tmp_path: Path) -> None:
    rows = StoredRows(open_corpus(pairs_corpus(tmp_path / "corpus")))
    assert all(title.startswith("Pump ") for title in rows.titles(0, 3))
    assert len(rows.titles(58, 10)) == 2


def test_a_row_that_begins_with_a_marked_heading_is_called_by_its_words(tmp_path: Path) -> None:
    texts = [f"# Pump {number}\n\n{text}" for number, text in enumerate(TEXTS)]
    source = write_table(tmp_path / "marked.parquet", {"text": texts})
    prepare(tmp_path / "corpus", [source], make="text")
    rows = StoredRows(open_corpus(tmp_path / "corpus"))
    titles = rows.titles(0, len(rows))
    assert sorted(titles) == sorted(f"Pump {number}" for number in range(len(TEXTS)))
    assert rows.text(0).startswith("# Pump")


@pytest.mark.parametrize("make", ["pairs", "gsg"])
def test_words_are_found_whatever_their_case(tmp_path: Path, make: str) -> None:
    rows = StoredRows(open_corpus(pairs_corpus(tmp_path / "corpus", make=make)))
    found = [number for _, numbers in rows.find("PUMP 17 FEEDS") for number in numbers]
    assert [rows.text(number)[:13] for number in found] == ["Pump 17 feeds"]
    assert not [number for _, numbers in rows.find("no such words") for number in numbers]


def test_words_are_counted_in_a_corpus_of_an_older_program(tmp_path: Path) -> None:
    corpus = open_corpus(pairs_corpus(tmp_path / "corpus"))
    rows = StoredRows(corpus)
    known = result_of(rows.lengths(StopToken()))
    (corpus.folder / "lengths.npy").unlink()
    counted = result_of(rows.lengths(StopToken()))
    assert counted.tolist() == known.tolist()
    assert (corpus.folder / "lengths.npy").is_file()


@pytest.mark.parametrize("damage", DAMAGES)
def test_words_are_counted_anew_where_their_file_is_damaged(tmp_path: Path, damage: str) -> None:
    corpus = open_corpus(pairs_corpus(tmp_path / "corpus"))
    known = result_of(StoredRows(corpus).lengths(StopToken()))
    if damage == "far too large":
        np.save(corpus.folder / "lengths.npy", np.zeros(known.shape))  # of another type
    else:
        DAMAGES[damage](corpus.folder / "lengths.npy")
    assert result_of(StoredRows(corpus).lengths(StopToken())).tolist() == known.tolist()


def test_rows_of_a_corpus_with_short_strings_have_titles(tmp_path: Path) -> None:
    rows = StoredRows(open_corpus(tiny_corpus(tmp_path / "corpus")))
    assert all(title.startswith("Pump ") for title in rows.titles(0, 3))


def test_a_damaged_corpus_is_told(tmp_path: Path) -> None:
    corpus = pairs_corpus(tmp_path / "corpus")
    (corpus / "corpus.toml").write_text("no card", "utf-8")
    with pytest.raises(EpitomeError, match="is damaged"):
        open_corpus(corpus)
