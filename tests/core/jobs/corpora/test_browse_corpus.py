"""Corpora are listed, opened, read and searched; gap sentences are those that training gets."""

from pathlib import Path

import numpy as np
import pytest

from core.data.corpus import open_corpus
from core.data.gaps import gap_row
from core.data.settings import CorpusSettings
from core.events import Failed
from core.gsg.settings import GapPairSettings
from core.jobs.call import CallJob
from core.jobs.corpora.browse_corpus import (
    FindRowsJob,
    OpenCorpusJob,
    ReadRowJob,
    RowsFound,
    read_titles,
)
from core.jobs.corpora.preview_sources import PreviewSourcesJob
from core.jobs.corpora.shade_gaps import OrderGapsJob, num_gaps
from tests.helpers.corpora import SUMMARIES, TEXTS, write_table
from tests.helpers.prepared import events, pairs_corpus, prepare, result


def test_a_corpus_opens_with_its_counts_and_what_was_skipped(tmp_path: Path) -> None:
    columns = {"document": [*TEXTS, "", TEXTS[0]], "summary": [*SUMMARIES, "empty", ""]}
    source = write_table(tmp_path / "pairs.parquet", columns)
    corpus = prepare(tmp_path / "corpus", [source])
    opened = result(OpenCorpusJob(corpus))
    assert len(opened) == 60 and opened.num_skipped == 2
    assert [row.reason for row in opened.skipped] == [
        "rows without a document",
        "rows without a summary",
    ]
    assert opened.skipped[0].origin.endswith("pairs.parquet:61")
    assert sum(count for _, count in opened.counts) == 60
    assert opened.lengths[:, 0].min() > 40


def test_a_document_is_read_with_its_sentences(tmp_path: Path) -> None:
    corpus = pairs_corpus(tmp_path / "corpus")
    row = result(ReadRowJob(corpus, 3))
    text = row.document.text
    sentences = [text[a:b] for a, b in zip(row.starts, row.ends, strict=True)]
    assert len(sentences) == 6 and all(each.endswith(".") for each in sentences)
    assert row.summary in SUMMARIES
    (failure,) = [e for e in events(ReadRowJob(corpus, 60)) if isinstance(e, Failed)]
    assert "has no row 61; it has rows 1 to 60" in failure.message


def test_titles_and_words_are_found(tmp_path: Path) -> None:
    corpus = pairs_corpus(tmp_path / "corpus")
    titles = result(CallJob(read_titles, corpus, (0, 5)))
    assert len(titles) == 2 and all(title.startswith("Pump") for title in titles)
    found = [e for e in events(FindRowsJob(corpus, "hall 44 ")) if isinstance(e, RowsFound)]
    (number,) = [number for event in found for number in event.numbers]
    assert "hall 44 " in result(ReadRowJob(corpus, number)).document.text
    assert found[-1].done == found[-1].total == 60


STRATEGIES = [
    {"strategy": "sequential-document"},
    {"strategy": "sequential-document", "unique": True, "rouge": "2"},
    {"strategy": "independent-document", "rouge": "L"},
    {"strategy": "independent-document", "noise": 0.5},
    {"strategy": "sequential-pairwise"},
    {"strategy": "independent-pairwise", "aggregate": "max"},
    {"strategy": "random", "seed": 3},
    {"strategy": "lead"},
    {"ratio": 0.1, "ratio_to": 0.9},
    {"count": 2},
]


@pytest.mark.parametrize("values", STRATEGIES, ids=str)
def test_the_gaps_shown_are_those_of_the_corpus_that_is_made(
    tmp_path: Path, values: dict[str, object]
) -> None:
    first = pairs_corpus(tmp_path / "first", split="60/20/20")
    made = open_corpus(prepare(tmp_path / "made", [first], make="gsg", **values))
    settings = GapPairSettings.checked(values)
    rows = [row for split in made.splits for row in made.rows(split)]
    for number in (0, 31, 59):
        shown = result(ReadRowJob(first, number))
        order = result(OrderGapsJob(first, number, settings))
        picked = np.sort(order.order[: num_gaps(order.num_scorable, settings, number)])
        text = shown.document.text
        gaps = [text[shown.starts[each] : shown.ends[each]] for each in picked]
        assert gaps == [gap.strip() for gap in rows[number]["gaps"]]


def test_scores_are_those_of_sentences_chosen_first(tmp_path: Path) -> None:
    corpus = pairs_corpus(tmp_path / "corpus")
    order = result(OrderGapsJob(corpus, 0, GapPairSettings()))
    assert order.order[0] == np.argmax(order.scores)
    assert order.when_chosen[0] == order.scores.max()
    lead = result(OrderGapsJob(corpus, 0, GapPairSettings(strategy="lead")))
    assert lead.order.tolist() == list(range(6)) and np.isnan(lead.scores).all()


def test_a_document_of_one_sentence_has_no_gaps_and_says_so(tmp_path: Path) -> None:
    source = write_table(tmp_path / "one.parquet", {"text": ["Only one sentence stands here."] * 3})
    corpus = prepare(tmp_path / "corpus", [source])
    order = result(OrderGapsJob(corpus, 0, GapPairSettings()))
    assert len(order.order) == 0 and "fewer than two sentences" in order.note


def test_gap_sentences_of_a_corpus_are_found_in_its_documents(tmp_path: Path) -> None:
    source = write_table(tmp_path / "texts.parquet", {"text": TEXTS})
    corpus = prepare(tmp_path / "gaps", [source], make="gsg")
    row = result(ReadRowJob(corpus, 0))
    made = gap_row(row.document.text, CorpusSettings(), 0)
    assert made is not None and len(row.gaps) == len(made.gaps) > 0


def test_sources_are_looked_into(tmp_path: Path) -> None:
    folder = tmp_path / "mixed"
    columns = {"article": TEXTS, "highlights": SUMMARIES, "n": range(60)}
    write_table(folder / "news.parquet", columns)
    (folder / "notes.md").write_text("Some notes.", "utf-8")
    names = (str(folder), "hf:xsum", "hf:unknown", str(tmp_path / "gone"))
    found = result(PreviewSourcesJob(names, CorpusSettings()))
    kinds = [(each.asked, each.kind, bool(each.fault)) for each in found]
    assert kinds == [
        (names[0], "table", False),
        (names[0], "files", False),
        ("hf:xsum", "hub", False),
        ("hf:unknown", "none", True),
        (names[3], "none", True),
    ]
    table = found[0]
    assert (table.document, table.summary, table.count) == ("article", "highlights", 60)
    assert table.columns == ("article", "highlights", "n") and len(table.rows) == 3
    assert table.rows[0][2] == "0" and "There is no file or folder" in found[4].fault


def test_a_table_whose_columns_are_not_known_is_shown_all_the_same(tmp_path: Path) -> None:
    table = write_table(tmp_path / "odd.parquet", {"erste": TEXTS, "zweite": SUMMARIES})
    (found,) = result(PreviewSourcesJob((str(table),), CorpusSettings()))
    assert found.columns == ("erste", "zweite") and found.rows
    assert "No column of odd.parquet looks like documents" in found.fault
    assert found.remedy == "Choose the column of the documents."
    chosen = CorpusSettings(document_column="erste", summary_column="zweite")
    (mended,) = result(PreviewSourcesJob((str(table),), chosen))
    assert not mended.fault and mended.has_summaries
