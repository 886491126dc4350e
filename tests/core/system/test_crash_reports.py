"""A process that crashes leaves a report; one that ends otherwise leaves nothing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.cli.main import main
from core.system.crash_reports import count_reports, read_report, take_report
from tests.helpers.command import ROOT

pytestmark = pytest.mark.cold_start

CRASH = "import faulthandler; faulthandler._sigsegv()"
KILL = "import os; os.kill(os.getpid(), 9)"


def process(folder: Path, end: str, kind: str = "window") -> int:
    """Runs a process that ends in a certain way; gives its number."""
    code = (
        "import sys, threading\nfrom pathlib import Path\nfrom core.system import crash_reports\n"
        f"crash_reports.begin({kind!r}, Path(sys.argv[1]))\ndef read_document(text):\n    {end}\n"
        "import os; print(os.getpid(), flush=True)\n"  # a virtual environment's of Windows has two
        "read_document('a secret')"
    )
    command = [sys.executable, "-P", "-c", code, folder]
    return int(subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE).stdout)


def test_a_crash_leaves_the_stacks_of_all_threads_and_no_text(tmp_path: Path) -> None:
    pid = process(tmp_path / "log" / "crashes", CRASH)
    report = read_report(tmp_path / "log" / "crashes", pid)
    assert report.startswith("Fatal Python error: Segmentation fault")
    assert "in read_document" in report and "secret" not in report


@pytest.mark.parametrize("end", ["pass", "raise SystemExit(3)", "raise ValueError"])
def test_a_process_that_ends_by_itself_leaves_nothing(tmp_path: Path, end: str) -> None:
    assert not read_report(tmp_path, process(tmp_path, end))
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_what_a_killed_process_leaves_is_removed_by_the_next(tmp_path: Path) -> None:
    process(tmp_path, KILL)
    assert count_reports(tmp_path) == 0
    process(tmp_path, "pass")
    assert not list(tmp_path.iterdir())


def test_a_report_is_offered_once_and_kept(tmp_path: Path) -> None:
    process(tmp_path, CRASH)
    other = process(tmp_path, CRASH, "child")
    assert "read_document" in take_report(tmp_path, "window")
    assert take_report(tmp_path, "window") == ""
    assert count_reports(tmp_path) == 2
    assert read_report(tmp_path, other)


def test_few_reports_are_kept(tmp_path: Path) -> None:
    pids = [process(tmp_path, CRASH) for _ in range(7)]
    process(tmp_path, "pass")
    assert [bool(read_report(tmp_path, pid)) for pid in pids] == [False] * 2 + [True] * 5


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_link_in_its_place_is_not_followed(tmp_path: Path) -> None:
    victim, folder = tmp_path / "victim.txt", tmp_path / "crashes"
    victim.write_text("whole", "utf-8")
    folder.mkdir()
    code = "import os; os.symlink(sys.argv[2], sys.argv[1] + f'/window-{os.getpid()}.txt')\n"
    code = (
        f"import sys; {code}from pathlib import Path\nfrom core.system import crash_reports\n"
        f"crash_reports.begin('window', Path(sys.argv[1]))\n{CRASH}"
    )
    subprocess.run([sys.executable, "-P", "-c", code, folder, victim], cwd=ROOT)
    assert victim.read_text("utf-8") == "whole"
    assert "Segmentation fault" in take_report(folder, "window")


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_nothing_is_written_or_deleted_behind_a_link_in_the_place_of_the_folder(
    tmp_path: Path,
) -> None:
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "window-1.txt").write_text("", "utf-8")
    (tmp_path / "crashes").symlink_to(tmp_path / "theirs")
    process(tmp_path / "crashes", CRASH)
    assert [path.name for path in (tmp_path / "theirs").iterdir()] == ["window-1.txt"]


def test_where_nothing_can_be_written_the_process_goes_on(tmp_path: Path) -> None:
    (tmp_path / "crashes").write_text("no folder", "utf-8")
    process(tmp_path / "crashes", "open(sys.argv[1] + '.done', 'w').close()")
    assert (tmp_path / "crashes.done").exists()


def run_command(start: str, home: Path) -> "subprocess.CompletedProcess[str]":
    """Runs a command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-P", "-c", f"import sys; {start}"],
        cwd=ROOT, capture_output=True, text=True, env={**os.environ, "EPITOME_HOME": str(home)},
    )  # fmt: skip


STARTS = {
    "epitome": "from gui.app import main; sys.argv[1:] = {words}; main()",
    "core.cli": "import runpy; sys.argv[1:] = {words}; "
    "runpy.run_module('core.cli', None, '__main__')",
}
CRASHES = (
    "import faulthandler, core.cli.doctor as doctor; "
    "doctor.run_one = lambda *_, **__: faulthandler._sigsegv(); "
)


@pytest.mark.parametrize("start", STARTS.values(), ids=STARTS)
def test_a_command_that_crashes_leaves_a_report_and_the_next_one_names_it(
    tmp_path: Path, start: str
) -> None:
    assert run_command(CRASHES + start.format(words=["doctor"]), tmp_path).returncode not in (0, 1)
    (report,) = (tmp_path / "log" / "crashes").iterdir()
    assert "run_command" in report.read_text("utf-8")
    seen = report.with_suffix(".seen.txt")
    told = f"An earlier command crashed; its report is {seen}.\n"
    for expected in (told, ""):
        after = run_command(start.format(words=["list", "corpora"]), tmp_path)
        assert after.stderr.partition("There is no corpus")[0] == expected
        assert list(seen.parent.iterdir()) == [seen]


def test_help_makes_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EPITOME_HOME", str(tmp_path / "home"))
    assert main(["list", "--help"], is_process=True) == 0
    assert not (tmp_path / "home").exists()
