"""What Ray is not asked to do, and what is said where it cannot be asked."""

from pathlib import Path

import pytest

from core.cli.main import main
from core.data.settings import CorpusSettings
from core.distribution.parts import Part, part_of
from core.events import Failed
from core.jobs.corpora.make_corpus import MakeCorpusJob
from core.jobs.ray_engine import team
from core.jobs.ray_engine.address import checked_address
from core.jobs.run import run_inline
from core.stop import StopToken
from tests.helpers.corpora import SUMMARIES, TEXTS, write_pairs

pytest.importorskip("datasets")


def failure_of(source: Path, cluster: str = "") -> Failed:
    job = MakeCorpusJob((str(source),), CorpusSettings(), None, engine="ray", cluster=cluster)
    *_, last = run_inline(job, StopToken())
    assert isinstance(last, Failed)
    return last


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    return write_pairs(tmp_path / "pairs.parquet", TEXTS, SUMMARIES)


def test_without_the_part_it_is_told_how_to_get_it(
    pairs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(team, "SYSTEM", "linux")
    monkeypatch.setattr(Part, "is_installed", property(lambda part: part.name != "ray"))
    last = failure_of(pairs)
    assert last.kind == "missing-ray"
    assert last.message == (
        "The part “Corpora with Ray” (Ray) is not installed, which --engine ray needs."
    )
    assert last.remedy == f"Run {part_of('ray').command}."


def test_other_systems_are_told_that_it_is_for_linux(
    pairs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(team, "SYSTEM", "darwin")
    last = failure_of(pairs)
    assert last.message == "Ray prepares corpora on Linux only."
    assert last.remedy == "Leave out --engine ray."


def test_files_of_documents_are_not_sent_to_a_cluster(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(team, "SYSTEM", "linux")
    monkeypatch.setattr(Part, "is_installed", property(lambda part: True))
    (tmp_path / "a.txt").write_text(TEXTS[0], "utf-8")
    last = failure_of(tmp_path, "127.0.0.1:6379")
    assert last.message.startswith("A cluster gets the rows of tables and corpora only")
    assert "--include" in last.remedy


@pytest.mark.parametrize("address", ["", "host:6379", " 10.0.0.1:1 ", "[::1]:6379"])
def test_addresses_are_taken(address: str) -> None:
    assert checked_address(address) == address.strip()


@pytest.mark.parametrize("address", ["host", "ray://host:10001", "host:0", "host:99999", "a b:1"])
def test_other_texts_are_no_addresses(
    address: str, pairs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["corpus", str(pairs), "--engine", "ray", "--cluster", address]) == 2
    assert "is no address of a Ray cluster" in capsys.readouterr().err


def test_a_cluster_without_ray_is_wrong_usage(
    pairs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["corpus", str(pairs), "--cluster", "host:6379"]) == 2
    assert "Only Ray prepares corpora on a cluster." in capsys.readouterr().err
