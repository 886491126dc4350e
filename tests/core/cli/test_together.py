"""`epitome summarise --together`: one summary of several sources."""

import json
from pathlib import Path

import pytest

from core.cli.main import main
from core.events import Finished
from core.export.combined import CombinedSummary, render_combined
from core.jobs.history.history import OpenEntryJob
from core.library.folders import Folders
from core.library.history import History
from core.stop import StopToken
from tests.helpers.schemas import validate
from tests.helpers.towns import text_of

Captured = pytest.CaptureFixture[str]
WALL = "The old harbour wall of the northern basin was repaired with granite blocks."


@pytest.fixture
def towns(tmp_path: Path) -> Path:
    folder = tmp_path / "towns"
    folder.mkdir()
    for town in ("Arden", "Borrow"):
        (folder / f"{town}.txt").write_text(f"{text_of(town)} {WALL}", "utf-8")
    return folder


def test_shared_and_differing_points_are_printed_with_their_documents(
    towns: Path, capsys: Captured
) -> None:
    assert main(["summarise", str(towns), "--together", "--quiet"]) == 0
    out, err = capsys.readouterr()
    shared, _, rest = out.partition("Where they differ")
    assert "What the documents share" in shared and f"{WALL} [1, 2]" in shared
    assert "[1] " in rest and "Arden" in rest and "para. 1" in rest
    assert err == ""


def test_json_follows_its_schema(towns: Path, capsys: Captured) -> None:
    (towns / "broken.docx").write_bytes(b"PK\x03\x04" + bytes(500))
    command = ["summarise", str(towns), "--together", "--json", "--length", "4s"]
    assert main(command) == 1
    out, err = capsys.readouterr()
    value = json.loads(out)
    validate(value, "together")
    assert len(value["inputs"]) == 2 and "broken.docx" in err
    points = value["result"]["shared"] + value["result"]["differing"]
    assert 0 < len(points) <= 4
    (wall,) = (point for point in value["result"]["shared"] if point["text"] == WALL)
    assert [voice["input"] for voice in wall["documents"]] == [0, 1]
    assert all(voice["evidence"][0]["quotation"] == WALL for voice in wall["documents"])


def test_a_file_is_written(towns: Path, tmp_path: Path, capsys: Captured) -> None:
    out = tmp_path / "one.html"
    assert main(["summarise", str(towns), "--together", "--out", str(out)]) == 0
    assert WALL in out.read_text("utf-8") and capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--out", "one.pdf"], "is not a file that --together writes"),
        (["--model", "mine"], "summarises one document at a time"),
    ],
)
def test_what_cannot_be_is_refused(
    towns: Path, capsys: Captured, more: list[str], said: str
) -> None:
    assert main(["summarise", str(towns), "--together", *more]) in (1, 2)
    assert said in capsys.readouterr().err


def test_one_source_is_refused(towns: Path, capsys: Captured) -> None:
    assert main(["summarise", str(towns / "Arden.txt"), "--together"]) == 2
    assert "--together needs several sources." in capsys.readouterr().err


def test_two_readable_documents_are_needed(tmp_path: Path, capsys: Captured) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("Two words.", "utf-8")
    assert main(["summarise", str(tmp_path), "--together"]) == 1
    assert "needs two that can be read; none could be." in capsys.readouterr().err


def test_it_is_kept_in_the_history_and_read_back_as_it_was(towns: Path, capsys: Captured) -> None:
    assert main(["summarise", str(towns), "--together"]) == 0
    history = History(Folders.of_this_user().history_file)
    (entry,) = history.search("granite blocks")
    assert entry.title == "One summary of 2 documents: Arden, Borrow"
    assert (entry.documents, entry.origin, entry.path) == (2, "command", "")
    *_, last = OpenEntryJob(history, entry.id).run(StopToken())
    assert isinstance(last, Finished)
    combined = last.result.kept
    assert isinstance(combined, CombinedSummary)
    assert render_combined(combined, ".txt").decode() == capsys.readouterr().out
    assert not any(document.summary.sentences for document in combined.documents)
