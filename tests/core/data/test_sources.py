"""Names become sources: files, tables, folders of both, data sets of the hub."""

import gzip
import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.data import hub
from core.data.columns import Columns
from core.data.corpus import SPLITS, open_corpus
from core.data.prepared import PreparedCorpus
from core.data.preparing import prepare
from core.data.settings import CorpusSettings
from core.data.source_rows import SourceRow, blocks_of
from core.data.sources import RowSource, find_row_sources
from core.errors import EpitomeError
from core.stop import StopToken
from tests.helpers.corpora import SUMMARIES, TEXTS, write_pairs, write_table

COMMIT = "0" * 40


def find(*names: object, **settings: Any) -> list[RowSource]:
    return find_row_sources(tuple(map(str, names)), CorpusSettings.checked(settings))


def rows(*names: object, **settings: Any) -> list[SourceRow]:
    return [row for source in find(*names, **settings) for row in source.rows()]


def prepared(name: object, out: Path, **settings: Any) -> PreparedCorpus:
    steps = prepare((str(name),), CorpusSettings.checked(settings), out, StopToken())
    while True:
        try:
            next(steps)
        except StopIteration as end:
            made: PreparedCorpus = end.value
            return made


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    """A folder of documents, a table, and what is passed over."""
    folder = tmp_path / "papers"
    (folder / "deep").mkdir(parents=True)
    (folder / "a.md").write_text(f"# A pump\n\n{TEXTS[0]}", "utf-8")
    (folder / "deep" / "b.txt").write_text(TEXTS[1], "utf-8")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 nothing more")
    (folder / "picture.png").write_bytes(b"\x89PNG")
    (folder / ".hidden.txt").write_text(TEXTS[2], "utf-8")
    write_pairs(folder / "c.parquet", TEXTS[3:6], SUMMARIES[3:6])
    return folder


def test_a_folder_gives_its_tables_and_its_documents(papers: Path) -> None:
    table, files = find(papers)
    assert [row.document for row in table.rows()] == [*TEXTS[3:6]]
    assert [Path(row.path).name for row in files.rows()] == ["a.md", "broken.pdf", "b.txt"]
    assert files.describe("text") == f"{papers}: 3 documents."


def test_patterns_choose_files(papers: Path) -> None:
    assert [Path(row.path).name for row in rows(papers, include=("b.*",))] == ["b.txt"]
    found = rows(papers, exclude=("*.pdf", "deep/*", "*.parquet"))
    assert [Path(row.path).name for row in found] == ["a.md"]
    with pytest.raises(
        EpitomeError, match=r"contains no document and no table\. Choose another folder"
    ):
        rows(papers, include=("*.odt",))


def test_documents_are_read_as_summarise_reads_them(papers: Path, tmp_path: Path) -> None:
    made = prepared(papers, tmp_path / "c", split="100/0/0")
    assert made.make == "text"
    assert made.statistics["skipped"] == {"files without enough text that can be read": 1}
    found = {row["title"]: row["document"] for row in open_corpus(tmp_path / "c").rows("train")}
    assert found["A pump"] == f"A pump\n\n{TEXTS[0]}"
    assert found["b"] == TEXTS[1]


def test_tables_called_after_splits_are_split(tmp_path: Path) -> None:
    for name, first in (("train", 0), ("dev", 4), ("test", 8)):
        write_pairs(tmp_path / "s" / f"{name}.parquet", TEXTS[first : first + 4], SUMMARIES[:4])
    found = rows(tmp_path / "s")
    assert {row.split for row in found} == {"train", "validation", "test"}
    assert {row.split for row in found if row.document in TEXTS[4:8]} == {"validation"}
    assert {row.split for row in rows(tmp_path / "s" / "test.parquet")} == {None}
    assert {row.split for row in rows(tmp_path / "s", include=("train*",))} == {None}


def test_of_a_table_that_is_cut_off_the_rows_before_are_used(tmp_path: Path) -> None:
    lines = [json.dumps({"text": f"{text} {number}"}) for number, text in enumerate(TEXTS * 40)]
    packed = gzip.compress("\n".join(lines).encode())
    folder = tmp_path / "shards"
    folder.mkdir()
    (folder / "a.jsonl.gz").write_bytes(packed[: len(packed) // 2])
    (folder / "b.jsonl").write_text("\n".join(lines[:3]), "utf-8")
    made = prepared(folder, tmp_path / "c", make="text")
    (skipped,) = map(json.loads, (tmp_path / "c" / "skipped.jsonl").read_text("utf-8").splitlines())
    whole = made.statistics["documents"] - 3
    assert 0 < whole < len(lines)
    assert skipped["origin"] == f"{folder / 'a.jsonl.gz'}:{whole + 1}"
    assert skipped["reason"] == "tables that cannot be read to their end"
    assert "cannot be read (" in skipped["details"]


def test_files_that_are_not_there_are_skipped_and_listed(papers: Path, tmp_path: Path) -> None:
    (papers / "gone.txt").symlink_to(tmp_path / "nowhere.txt")
    (papers / "gone.jsonl").symlink_to(tmp_path / "nowhere.jsonl")
    made = prepared(papers, tmp_path / "c", make="text")
    told = map(json.loads, (tmp_path / "c" / "skipped.jsonl").read_text("utf-8").splitlines())
    skipped = {Path(each["origin"]).name: each["details"] for each in told}
    assert made.statistics["documents"] == 5
    assert skipped.keys() == {"broken.pdf", "gone.txt", "gone.jsonl"}
    assert skipped["gone.txt"].startswith("There is no file “gone.txt” in ")
    assert skipped["gone.jsonl"].startswith("There is no file “gone.jsonl” in ")


def test_what_is_deleted_after_it_was_found_stops_nothing(papers: Path) -> None:
    table, files = find(papers)
    before = [table.cache_key(), files.cache_key()]
    (papers / "c.parquet").unlink()
    (papers / "a.md").unlink()
    assert [table.cache_key(), files.cache_key()] != before
    assert table.count is None
    assert [row.faulty for row in table.rows()] == ["tables that cannot be read to their end"]


def test_pairs_of_what_has_no_summaries_are_refused(papers: Path, tmp_path: Path) -> None:
    with pytest.raises(
        EpitomeError, match=r"has no summaries, which pairs need\..* --summary-column"
    ):
        prepared(papers, tmp_path / "c", make="pairs")


def test_blocks_hold_rows_up_to_a_size() -> None:
    raws = [SourceRow(str(number), document="x" * 700_000) for number in range(7)]
    blocks = list(blocks_of(raws))
    assert [len(block.rows) for block in blocks] == [3, 3, 1]
    assert [(block.number, block.first) for block in blocks] == [(0, 0), (1, 3), (2, 6)]
    assert [row for block in blocks for row in block.rows] == raws
    assert list(blocks_of([])) == []


CARD = """\
---
dataset_info:
  splits:
  - name: train
    num_bytes: 1000
    num_examples: 204045
  - name: validation
    num_bytes: 1000
    num_examples: 11332
  - name: test
    num_bytes: 1000
    num_examples: 11334
configs:
- config_name: default
  data_files:
  - split: train
    path: other/train-*
---
A data set.
"""


def write_hub(folder: Path, source: hub.HubSource) -> None:
    """Files of the names and columns that a data set of the hub has, and a card of its form."""
    folder.mkdir()
    (folder / "README.md").write_text(CARD, "utf-8")
    for number, split in enumerate(source.splits):
        pattern = source.files.format(config=source.config, split=split)
        path = folder / pattern.replace("*", "00000-of-00001")
        columns = {
            source.columns.document: TEXTS[20 * number : 20 * number + 20],
            source.columns.summary: SUMMARIES[:20],
            source.columns.title: [f"Title {n}" for n in range(20)],
            source.columns.id: [f"{split}-{n}" for n in range(20)],
            "more": list(range(20)),
        }
        write_table(path, {name: column for name, column in columns.items() if name})


@pytest.fixture(params=list(hub.KNOWN))
def known(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[hub.HubSource]:
    """Each data set of the hub, its repository a folder of this machine."""
    source = replace(hub.KNOWN[request.param], repository=str(tmp_path / "hub"))
    write_hub(tmp_path / "hub", source)
    monkeypatch.setitem(hub.KNOWN, request.param, source)
    yield source
    shutil.rmtree(tmp_path / "hub")


def test_each_data_set_of_the_hub_is_read(known: hub.HubSource, tmp_path: Path) -> None:
    made = prepared(f"hf:{known.name}", tmp_path / "c")
    assert made.make == ("pairs" if known.columns.summary else "text")
    corpus = open_corpus(tmp_path / "c")
    if len(known.splits) > 1:
        assert corpus.counts == dict.fromkeys(SPLITS, 20)
    else:
        assert sum(corpus.counts.values()) == 20
    found = {row["document"] for split in corpus.splits for row in corpus.rows(split)}
    assert found == set(TEXTS[: 20 * len(known.splits)])
    assert made.sources[0].startswith(f"hf:{known.name}: {known.origin}")


def test_another_config_and_commit_can_be_named() -> None:
    (source,) = find(f"hf:wikipedia:20231101.de@{COMMIT}")
    assert isinstance(source, hub.HubSource)
    assert (source.config, source.revision) == ("20231101.de", COMMIT)
    assert f"wikimedia/wikipedia@{COMMIT} (20231101.de)" in source.describe("text")
    (other,) = find("hf:xsum", document_column="summary", summary_column="document")
    assert isinstance(other, hub.HubSource)
    assert other.columns == Columns("summary", "document", "", "id")


def test_what_is_known_is_pinned_or_looked_up() -> None:
    assert {name for name, source in hub.KNOWN.items() if not source.revision} == {
        "big_patent",
        "pubmed",
    }
    assert all(len(source.revision) in (0, 40) for source in hub.KNOWN.values())


@pytest.mark.parametrize("name", ["hf:cnn_dailymail", "hf:wikipedia", "hf:pubmed"])
def test_without_a_network_it_is_told(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(EpitomeError, match=r"cannot be read \(.*\)\. Connect to the network, or"):
        prepared(name, tmp_path / "c")
    assert not (tmp_path / "c").exists()


def test_names_that_cannot_be_meant_are_told() -> None:
    with pytest.raises(
        EpitomeError, match=r"“hf:poems” is not a known data set.* wikipedia, big_patent"
    ):
        find("hf:poems")
    with pytest.raises(EpitomeError, match=r"“main” is not a commit; a commit has 40 hex"):
        find("hf:xsum@main")
    with pytest.raises(EpitomeError, match=r"Newsroom is available on request .* hf:newsroom:FOL"):
        find("hf:newsroom")


def test_the_newsroom_archive_is_read_from_its_folder(tmp_path: Path) -> None:
    for split, number in (("train", 0), ("dev", 1), ("test", 2)):
        fields = {"url": f"http://{split}", "title": "T", "text": TEXTS[number],
                  "summary": SUMMARIES[number], "density": 1.5}  # fmt: skip
        data = gzip.compress(json.dumps(fields).encode())
        (tmp_path / f"{split}.jsonl.gz").write_bytes(data)
    found = rows(f"hf:newsroom:{tmp_path}")
    assert {row.split: row.summary for row in found} == {
        "train": SUMMARIES[0], "validation": SUMMARIES[1], "test": SUMMARIES[2],
    }  # fmt: skip
    assert {row.id for row in found} == {"http://train", "http://dev", "http://test"}
