"""Corpora are listed by their cards and numbers; no document is opened."""

import json
from pathlib import Path
from typing import Any

import pytest
import tomlkit

from core.data.corpus_facts import CorpusFacts, list_corpora
from tests.helpers.prepared import pairs_corpus

SPREAD = {"sum": 5000, "mean": 50.0, "percentiles": {"0": 1, "50": 40, "100": 200}}


def a_card(folder: Path, **rows: int) -> Path:
    """A corpus with a card and nothing else."""
    folder.mkdir(parents=True)
    made = {"make": "gsg", "masking": "mask", "fingerprint": "f", "skipped": 3}
    card: dict[str, Any] = {"schema_version": 1, "made": made, "rows": rows}
    (folder / "corpus.toml").write_text(tomlkit.dumps(card), "utf-8")
    return folder


def listed(corpora: Path) -> tuple[CorpusFacts, ...]:
    found: tuple[CorpusFacts, ...] = list_corpora(corpora)
    return found


def test_facts_are_read_without_opening_documents(tmp_path: Path) -> None:
    folder = a_card(tmp_path / "reports", train=90, validation=10)
    (folder / "statistics.json").write_text(json.dumps({"all": {"words": SPREAD}}), "utf-8")
    (folder / "tokenizer-2048").mkdir()
    (facts,) = listed(tmp_path)
    assert (facts.name, facts.make, facts.documents, facts.words) == ("reports", "gsg", 100, 5000)
    assert (facts.tokenizers, facts.skipped, facts.fault) == ((2048,), 3, "")
    assert facts.words_at(50) == 40 and facts.share_longer(120) == pytest.approx(0.25)


def test_a_corpus_without_statistics_is_listed_too(tmp_path: Path) -> None:
    a_card(tmp_path / "old", train=5)
    (facts,) = listed(tmp_path)
    assert (facts.words, facts.share_longer(10), facts.fault) == (0, 0.0, "")


def test_corpora_are_listed_with_what_is_wrong_with_them(tmp_path: Path) -> None:
    assert listed(tmp_path / "nothing here") == ()
    pairs_corpus(tmp_path / "letters", split="60/20/20")
    broken = a_card(tmp_path / "broken", train=5)
    (broken / "corpus.toml").write_text("no card", "utf-8")
    lacking = a_card(tmp_path / "lacking", train=5)
    (lacking / "corpus.toml").write_text(
        'schema_version = 1\n[made]\nmake = "gsg"\n[rows]\n', "utf-8"
    )
    a_card(tmp_path / "half.preparing", train=5)
    (tmp_path / "not a corpus").mkdir()
    found = {each.name: each for each in listed(tmp_path)}
    assert set(found) == {"letters", "broken", "lacking"}
    assert (found["letters"].documents, found["letters"].make) == (60, "pairs")
    assert found["letters"].words and not found["letters"].fault
    for name in ("broken", "lacking"):
        assert "is damaged" in found[name].fault and found[name].remedy


def test_a_folder_elsewhere_is_listed_with_the_others(tmp_path: Path) -> None:
    a_card(tmp_path / "corpora" / "here", train=5)
    there = a_card(tmp_path / "there", train=5)
    found = list_corpora(tmp_path / "corpora", (there,))
    assert {each.name for each in found} == {"here", "there"}
