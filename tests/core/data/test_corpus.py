"""Corpora are found by name or folder, and what is damaged is told."""

from pathlib import Path

import pytest

from core.data.corpus import open_corpus
from core.data.preparing import prepare
from core.data.settings import CorpusSettings
from core.errors import EpitomeError
from core.stop import StopToken
from tests.helpers.corpora import SUMMARIES, TEXTS, write_pairs


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    source = write_pairs(tmp_path / "pairs.parquet", TEXTS, SUMMARIES)
    for _ in prepare((str(source),), CorpusSettings(), tmp_path / "corpus", StopToken()):
        pass
    return tmp_path / "corpus"


def test_splits_that_have_rows_are_named(corpus: Path) -> None:
    found = open_corpus(corpus)
    assert found.splits == ("train", "validation", "test")
    assert found.counts == {"train": 48, "validation": 6, "test": 6}
    texts = list(found.texts("train"))
    assert len(texts) == 96 and set(texts) <= {*TEXTS, *SUMMARIES}
    with pytest.raises(EpitomeError, match=r"no split “dev”; it has train, validation and test\."):
        found.rows("dev")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "schema_version = 0",
            r"schema version 0; this program reads version 1\. Prepare",
        ),
        ("schema_version = 1", r"is damaged \(corpus.toml: 'made'\)\. Prepare it again"),
        ("schema_version", r"is damaged \(corpus.toml: .*\)\. Prepare it again"),
    ],
)
def test_a_damaged_card_is_told(corpus: Path, text: str, told: str) -> None:
    (corpus / "corpus.toml").write_text(text, "utf-8")
    with pytest.raises(EpitomeError, match=told):
        open_corpus(corpus)


def test_damaged_documents_are_told(corpus: Path) -> None:
    found = open_corpus(corpus)
    (file,) = (corpus / "documents" / "train").glob("*.arrow")
    file.write_bytes(file.read_bytes()[:1000])
    with pytest.raises(EpitomeError, match=r"cannot be read \(.*\)\. Prepare it again with"):
        found.rows("train")
