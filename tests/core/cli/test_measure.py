"""`epitome measure` and `epitome gsg --row`: what the Corpus panel shows, as numbers."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.cli.main import main
from core.gsg.settings import GapPairSettings
from core.jobs.corpora.measure_corpus import MeasurePairsJob
from core.jobs.corpora.shade_gaps import OrderGapsJob, num_gaps
from tests.helpers.corpora import SUMMARIES, TEXTS, write_table
from tests.helpers.prepared import prepare, result
from tests.helpers.schemas import validate

Captured = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sixty pairs; a summary is copied from its document, and two documents are the same."""
    folder = tmp_path_factory.mktemp("corpora")
    summaries = [TEXTS[0].partition(".")[0], *SUMMARIES[1:]]
    columns = {"document": [*TEXTS[:-1], TEXTS[1]], "summary": summaries}
    source = write_table(folder / "pairs.parquet", columns)
    return prepare(folder / "letters", [source], split="80/10/10")


def measured(capsys: Captured, *words: str) -> dict[str, Any]:
    assert main(["measure", *words, "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    validate(value, "measure")
    found: dict[str, Any] = value["result"]
    return found


def test_a_corpus_is_measured_as_the_panel_measures_it(corpus: Path, capsys: Captured) -> None:
    found = measured(capsys, str(corpus))
    pairs = result(MeasurePairsJob(corpus))
    assert found["pairs"]["coverage"] == pytest.approx(float(np.median(pairs.coverage)), abs=1e-5)
    assert [row["row"] - 1 for row in found["suspicious"]] == np.flatnonzero(
        pairs.suspicious
    ).tolist()
    assert found["suspicious"][0]["reasons"] == ["copied from the document"]
    assert found["duplicates"] >= 1 and sum(found["rows"].values()) == 60
    assert (found["tokens"], found["longer"]) == ({}, None)


def test_the_share_over_a_model_s_length_is_counted_in_tokens(
    corpus: Path, capsys: Captured
) -> None:
    found = measured(capsys, str(corpus), "--length", "50")
    assert found["tokenizer"] == "this corpus's own"
    assert found["longer"] == pytest.approx(1.0) and found["tokens"]["0"] > 50
    assert main(["measure", str(corpus), "--length", "50"]) == 0
    out = capsys.readouterr().out
    assert "of the documents have more than 50 tokens (this corpus's own)" in out
    assert "suspicious rows: 1" in out and "row " in out


def test_gap_sentences_of_a_row_are_those_of_the_panel(corpus: Path, capsys: Captured) -> None:
    words = ["--strategy", "random", "--ratio", "0.5"]
    assert main(["gsg", str(corpus), "--row", "7", *words, "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    validate(value, "gsg")
    settings = GapPairSettings.checked({"strategy": "random", "ratio": 0.5})
    order = result(OrderGapsJob(corpus, 6, settings))
    wanted = num_gaps(order.num_scorable, settings, 6)
    by_rank = sorted(value["result"]["picked"], key=lambda item: item["rank"])
    assert [item["index"] for item in by_rank] == order.order[:wanted].tolist()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--row", "61"], "has no row 61; it has rows 1 to 60"),
        (["--row", "2", "--lines"], "A row of a corpus has no lines of its own."),
    ],
)
def test_a_row_that_is_none_is_told(
    corpus: Path, capsys: Captured, words: list[str], told: str
) -> None:
    assert main(["gsg", str(corpus), *words]) == 1
    assert told in capsys.readouterr().err


def test_a_corpus_that_is_none_is_told(home: Path, capsys: Captured) -> None:
    assert main(["measure", "nothing"]) == 1
    assert "There is no corpus in" in capsys.readouterr().err
    assert main(["measure"]) == 2
