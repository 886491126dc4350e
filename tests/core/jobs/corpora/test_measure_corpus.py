"""Pairs and tokens of a corpus are measured, once."""

from pathlib import Path

import numpy as np

from core.data.examples import open_examples
from core.data.tokenizer import Tokenizer
from core.events import Failed, Progress, Stopped
from core.jobs.call import CallJob
from core.jobs.corpora.browse_corpus import OpenCorpusJob
from core.jobs.corpora.measure_corpus import (
    MeasurePairsJob,
    MeasureTokensJob,
    PairMeasures,
    list_tokenizers,
)
from core.jobs.run import run_inline
from core.metrics.novelty import novelty
from core.stop import StopToken
from tests.helpers.corpora import SUMMARIES, TEXTS, write_table
from tests.helpers.prepared import events, pairs_corpus, prepare, result

GERMAN = "Die Pumpe speist den Kessel und das Ventil ist nicht mehr dicht, was auch der Grund war."


def odd_corpus(folder: Path) -> Path:
    summaries = [*SUMMARIES[:56], "!?", TEXTS[57].split(". ")[0], GERMAN, f"{TEXTS[59]} " * 2]
    source = write_table(folder / "odd.parquet", {"document": TEXTS, "summary": summaries})
    return prepare(folder / "odd", [source])


def numbers(corpus: Path, flags: np.ndarray) -> set[str]:  # type: ignore[type-arg]
    from core.data.corpus import open_corpus
    from core.data.stored_rows import StoredRows

    rows = StoredRows(open_corpus(corpus))
    return {rows[number]["document"] for number in np.flatnonzero(flags).tolist()}


def test_pairs_that_look_wrong_are_found(tmp_path: Path) -> None:
    corpus = odd_corpus(tmp_path)
    found: PairMeasures = result(MeasurePairsJob(corpus))
    assert numbers(corpus, found.empty) == {TEXTS[56]}
    assert numbers(corpus, found.copied) == {TEXTS[57]}
    assert numbers(corpus, found.other_language) == {TEXTS[58]}
    assert numbers(corpus, found.longer) == {TEXTS[59]}
    assert numbers(corpus, found.suspicious) == set(TEXTS[56:])


def test_measures_are_those_of_the_metrics_and_are_kept(tmp_path: Path) -> None:
    corpus = pairs_corpus(tmp_path / "corpus")
    told = events(MeasurePairsJob(corpus))
    assert any(isinstance(event, Progress) for event in told)
    found: PairMeasures = told[-1].result  # type: ignore[attr-defined]
    expected = sorted(novelty(s, d).coverage for s, d in zip(SUMMARIES, TEXTS, strict=True))
    assert np.allclose(np.sort(found.coverage), expected)
    again = events(MeasurePairsJob(corpus))
    assert not any(isinstance(event, Progress) for event in again)
    assert again[-1].result.density.tolist() == found.density.tolist()  # type: ignore[attr-defined]


def test_a_corpus_without_summaries_is_not_measured(tmp_path: Path) -> None:
    corpus = pairs_corpus(tmp_path / "corpus", make="text")
    (failure,) = [e for e in events(MeasurePairsJob(corpus)) if isinstance(e, Failed)]
    assert "has no summaries" in failure.message


def test_tokens_are_those_that_training_reads(tmp_path: Path) -> None:
    corpus = pairs_corpus(tmp_path / "corpus", split="60/20/20")
    found = result(MeasureTokensJob(corpus, size=320))
    tokenizer = Tokenizer.load(corpus / "tokenizer-320")
    lengths = [open_examples(corpus, tokenizer, s).lengths for s in ("train", "validation", "test")]
    assert found.lengths.tolist() == np.concatenate(lengths).tolist()
    assert 0.1 < found.words_per_token < 1
    tokenizer.save(tmp_path / "tokenizers" / "mine")
    (folder,) = result(CallJob(list_tokenizers, tmp_path / "tokenizers"))
    named = result(MeasureTokensJob(corpus, folder))
    assert named.tokenizer == "mine" and named.lengths.tolist() == found.lengths.tolist()
    assert result(CallJob(list_tokenizers, tmp_path / "none")) == ()


def test_a_stopped_measurement_leaves_nothing_behind(tmp_path: Path) -> None:
    corpus = pairs_corpus(tmp_path / "corpus")
    stop, last = StopToken(), None
    for event in run_inline(MeasurePairsJob(corpus), stop):
        last = event
        if isinstance(event, Progress):
            stop.request("cancel")
    assert last == Stopped("cancel")
    assert not (corpus / "measures.npy").exists()


def test_duplicates_say_where_they_stand(tmp_path: Path) -> None:
    folder = tmp_path / "split"
    texts = [" ".join(f"word{n}of{at}" for at in range(40)) for n in range(60)]
    write_table(folder / "train.parquet", {"text": [*texts[:30], texts[3]]})
    write_table(folder / "test.parquet", {"text": [*texts[30:], texts[5]]})
    corpus = prepare(tmp_path / "corpus", [folder])
    opened = result(OpenCorpusJob(corpus))
    found = opened.statistics["duplicates"]
    assert (found["pairs"], found["in_two_splits"]) == (2, 1)
    from core.data.corpus import open_corpus
    from core.data.stored_rows import StoredRows

    rows = StoredRows(open_corpus(corpus))
    for name, text in (("examples", texts[5]), ("others", texts[3])):
        (example,) = found[name]
        assert [rows.text(number) for number in example["rows"]] == [text, text]
        assert [rows.split_of(number) for number in example["rows"]] == example["splits"]
