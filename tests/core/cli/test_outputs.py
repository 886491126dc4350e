"""Results never replace what a command reads, and never more than they should."""

import os
import stat
import sys
from pathlib import Path

import pytest

from core.cli.main import main
from tests.core.cli.conftest import SENTENCES

Captured = pytest.CaptureFixture[str]
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.fixture
def two(tmp_path: Path) -> Path:
    """A folder with two sources whose summaries would have the same name as one of them."""
    folder = tmp_path / "two"
    folder.mkdir()
    (folder / "report.txt").write_text(" ".join(SENTENCES), "utf-8")
    (folder / "report.md").write_text("# Another\n\n" + " ".join(SENTENCES[::-1]), "utf-8")
    return folder


@pytest.mark.parametrize("words", [["report.txt", "report.md"], ["."], ["report.txt", "./"]])
def test_no_summary_replaces_a_source(
    two: Path, words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    before = contents(two)
    monkeypatch.chdir(two)
    assert main(["summarise", *words, "--out", ".", "--format", "md"]) == 0
    after = contents(two)
    assert before.items() <= after.items()
    assert {"report-2.md", "report-3.md"} <= after.keys()
    assert "written to report-2.md." in capsys.readouterr().err


@POSIX
def test_a_source_is_known_under_its_other_names(
    two: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "report.md").symlink_to(two / "report.md")
    os.link(two / "report.txt", out / "report-2.md")
    before = contents(two)
    assert main(["summarise", str(two), "--out", str(out)]) == 0
    assert contents(two) == before
    assert (out / "report.md").is_symlink()
    assert {path.name for path in out.iterdir()} == {
        "report.md", "report-2.md", "report-3.md", "report-4.md"
    }  # fmt: skip


@pytest.mark.parametrize("option", ["--config", "--password-file"])
def test_other_files_that_are_read_are_not_replaced_either(
    report: Path, tmp_path: Path, option: str, capsys: Captured
) -> None:
    secret = tmp_path / "read.txt"
    secret.write_text('schema_version = 1\ncommand = "summarise"\n', "utf-8")
    before = secret.read_bytes()
    assert main(["summarise", str(report), option, str(secret), "--out", str(secret)]) == 1
    assert f"{secret} is one of the sources, and would be lost." in capsys.readouterr().err
    assert secret.read_bytes() == before


@pytest.mark.parametrize("read", ["table.csv", "documents.csv", "predictions.jsonl"])
def test_scores_never_replace_what_is_scored(tmp_path: Path, read: str, capsys: Captured) -> None:
    pairs = tmp_path / read
    row = '{"document": "A long text. It is here.", "summary": "A text."}\n'
    pairs.write_text(
        row if read.endswith("jsonl") else 'document,summary\n"A long text.",A text.\n', "utf-8"
    )
    before = pairs.read_bytes()
    command = ["evaluate", "--model", "lead", "--pairs", str(pairs), "--out", str(tmp_path)]
    assert main(command) == 1
    assert f"{pairs} is one of the sources, and would be lost." in capsys.readouterr().err
    assert pairs.read_bytes() == before


def test_the_table_of_a_profile_never_replaces_its_job(tmp_path: Path, capsys: Captured) -> None:
    job = tmp_path / "job.toml"
    job.write_text('schema_version = 1\ncommand = "profile"\n', "utf-8")
    before = job.read_bytes()
    assert main(["profile", "--config", str(job), "--csv", str(job)]) == 1
    assert "is one of the sources" in capsys.readouterr().err
    assert main(["profile", "--csv", str(job), "--png", str(job)]) == 2
    assert "“csv” and “png” are the same file." in capsys.readouterr().err
    assert job.read_bytes() == before


@POSIX
def test_a_replaced_file_keeps_its_permissions(report: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.md"
    out.write_text("old", "utf-8")
    out.chmod(0o640)
    assert main(["summarise", str(report), "--out", str(out), "--force"]) == 0
    assert stat.S_IMODE(out.stat().st_mode) == 0o640 and out.read_text("utf-8") != "old"


def test_a_read_only_file_is_not_replaced(report: Path, tmp_path: Path, capsys: Captured) -> None:
    out = tmp_path / "out.md"
    out.write_text("old", "utf-8")
    out.chmod(0o444)
    assert main(["summarise", str(report), "--out", str(out), "--force"]) == 1
    told = f"{out} cannot be written (the file is read-only). Choose another name."
    assert told in capsys.readouterr().err
    assert out.read_text("utf-8") == "old"


@POSIX
@pytest.mark.parametrize("kind", ["pipe", "loop"])
def test_what_is_no_file_is_not_replaced(
    report: Path, tmp_path: Path, kind: str, capsys: Captured
) -> None:
    out = tmp_path / "out.md"
    if kind == "pipe":
        os.mkfifo(out)
    else:
        out.symlink_to(out)
    assert main(["summarise", str(report), "--out", str(out)]) == 1
    assert f"{out} cannot be written (" in capsys.readouterr().err
    mode = out.lstat().st_mode
    assert stat.S_ISFIFO(mode) if kind == "pipe" else stat.S_ISLNK(mode)
