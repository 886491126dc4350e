"""Corpora are found by name or folder, and what is damaged is told."""

from pathlib import Path

import pytest

from core.data.corpus import named_folder, new_folder, open_corpus
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


def test_a_new_folder_is_where_its_name_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    under = tmp_path / "corpora"
    (tmp_path / "papers").mkdir()
    assert new_folder("papers", under) == under / "papers"
    assert new_folder("./papers", under) == tmp_path / "papers"
    assert new_folder("deep/papers", under) == tmp_path / "deep" / "papers"
    assert new_folder(tmp_path / "x", under) == tmp_path / "x"


def test_a_name_is_looked_for_among_named_folders_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    under = tmp_path / "corpora"
    assert named_folder("papers", under) == under / "papers"
    (tmp_path / "papers").mkdir()
    assert named_folder("papers", under) == tmp_path / "papers"
    (under / "papers").mkdir(parents=True)
    assert named_folder("papers", under) == under / "papers"


@pytest.mark.parametrize("name", ["", " ", "a\0b", "x" * 300])
def test_what_can_be_no_name_is_told(name: str, tmp_path: Path) -> None:
    with pytest.raises(EpitomeError, match=r"Give it a (shorter )?name\."):
        new_folder(name, tmp_path)


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
            "schema_version = 9",
            r"schema version 9; this program reads version 1\. Prepare",
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
