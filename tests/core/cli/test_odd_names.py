"""Names with line breaks, marks that turn the reading round, 255 bytes, and no text at all."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from core.cli.main import main
from core.jobs.batches.adding import AddToBatchJob
from core.jobs.batches.store import BatchStore
from core.jobs.run import run_inline
from core.library.history import History
from core.stop import StopToken
from tests.core.cli.conftest import SENTENCES
from tests.helpers.command import ROOT
from tests.helpers.damage import NOBODY, as_nobody
from tests.helpers.histories import an_entry

Captured = pytest.CaptureFixture[str]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such names")
NAMES = {
    "a line break": b"two\nlines.txt",
    "an override": "report\u202efdp.txt".encode(),
    "a command for the terminal": b"a\x1b[31mred\x07.txt",
    "255 bytes": b"n" * 251 + b".txt",
    "255 bytes of letters of two": "ü".encode() * 125 + b"u.txt",
    "no UTF-8": b"caf\xe9.txt",
    "a formula": b"=cmd|' !A0.txt",
    "an option": b"-x.txt",
}


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    """A folder with a document of each name."""
    folder = tmp_path / "odd"
    folder.mkdir()
    for name in NAMES.values():
        (folder / os.fsdecode(name)).write_text(" ".join(SENTENCES), "utf-8")
    return folder


def test_a_folder_of_odd_names_is_summarised_whole(
    odd: Path, tmp_path: Path, capsys: Captured
) -> None:
    out = tmp_path / "out"
    assert main(["summarise", str(odd), "--out", str(out), "--length", "1s"]) == 0
    err = capsys.readouterr().err
    assert len(list(out.iterdir())) == len(NAMES)
    assert not any(mark in err for mark in ("\x1b", "\u202e", "\x07", "two\nlines"))
    assert err.count("written to") == len(NAMES)


@pytest.mark.parametrize(
    "typed",
    [
        ("bundle", "~no such run"),
        ("models", "show", "~no such model"),
        ("models", "import", "~no such file.gguf"),
        ("corpus", "~no such file.txt"),
        ("corpus", "~no such file.txt", "--out", "~nobody here/x"),
        ("train", "--resume", "~no such run"),
    ],
)
def test_what_begins_with_a_tilde_and_is_not_there_is_told_as_all_else(
    typed: tuple[str, ...], capsys: Captured
) -> None:
    assert main(typed) == 1
    err = capsys.readouterr().err
    assert "~no such" in err and "went wrong" not in err


def test_a_file_whose_name_begins_with_a_tilde_is_read_into_a_corpus(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("~notes of nobody.txt").write_text(" ".join(SENTENCES), "utf-8")
    assert main(["corpus", "~notes of nobody.txt"]) == 0


def test_json_of_odd_names_is_one_value(odd: Path, capsys: Captured) -> None:
    assert main(["summarise", str(odd), "--json", "--length", "1s", "--quiet"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == len(NAMES)


def test_a_batch_keeps_files_whose_names_are_no_text(odd: Path, tmp_path: Path) -> None:
    folder = tmp_path / "batch"
    *_, last = run_inline(AddToBatchJob(folder, (odd,)), StopToken())
    assert last.result.added == len(NAMES), last  # type: ignore[attr-defined]
    with BatchStore(folder) as store:
        rows = store.news(0, 0, -1)
    assert {os.fsencode(row.path) for row in rows} == {
        os.fsencode(odd) + b"/" + name for name in NAMES.values()
    }
    for row in rows:
        assert row.name.isprintable(), row.name
        assert Path(row.path).is_file()


def test_the_history_keeps_documents_whose_names_are_no_text(tmp_path: Path) -> None:
    history = History(tmp_path / "history.sqlite")
    for name in NAMES.values():
        history.keep(an_entry("Title\nof\u202etwo", path=f"/d/{os.fsdecode(name)}"))
    found = history.search()
    assert {os.fsencode(entry.path) for entry in found} == {b"/d/" + n for n in NAMES.values()}
    for entry in found:
        assert entry.title == "Title of�two" and entry.name.isprintable()
        assert history.search(entry.name.partition(".")[0][:20])


def test_a_damaged_row_of_the_history_is_listed(tmp_path: Path) -> None:
    import sqlite3

    history = History(tmp_path / "history.sqlite")
    history.keep(an_entry("First"), an_entry("Second", path="/other.md"))
    with sqlite3.connect(history.file) as database:
        database.execute("UPDATE entries SET made = 'never', words = 'many', path = x'ff'")
        database.execute("UPDATE entries SET title = CAST(x'ff41' AS TEXT) WHERE number = 1")
    database.close()
    assert {(entry.made_s, entry.words) for entry in history.search()} == {(0.0, 0)}
    assert {entry.title for entry in history.search()} == {"\ufffdA", "Second"}


def test_a_folder_that_may_not_be_opened_is_a_failure_with_its_name(
    odd: Path, capsys: Captured, home: Path
) -> None:
    closed = odd / "closed"
    closed.mkdir()
    closed.chmod(0)
    home.mkdir()
    try:
        with as_nobody(odd, home):
            assert main(["summarise", str(odd), "--length", "1s"]) == 1
    finally:
        closed.chmod(0o700)
    assert f"{closed}: The folder cannot be opened (Permission denied)." in capsys.readouterr().err


def test_somebody_elses_home_is_told_and_not_used(odd: Path, home: Path, capsys: Captured) -> None:
    (home / "data" / "runs").mkdir(parents=True)
    history = home / "data" / "history.sqlite"
    History(history).keep(an_entry())
    before = history.read_bytes()
    for path in (home / "data" / "runs", home / "data", home):
        path.chmod(0o700)
    with as_nobody(odd):
        assert main(["list", "runs"]) == 1
        assert "cannot be read (Permission denied)" in capsys.readouterr().err
        assert main(["summarise", str(odd / "-x.txt"), "--length", "1s"]) == 0
    err = capsys.readouterr().err
    assert "Something in the program" not in err and "Traceback" not in err
    assert history.read_bytes() == before


INTERRUPTED = """
import os, signal, sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
sys.argv[1:] = {words!r}
{run}
"""
GUI, CLI = (
    "from gui.app import main; sys.exit(main())",
    "import runpy; runpy.run_module('core.cli', run_name='__main__')",
)


@pytest.mark.parametrize("module", ["core.cli.main", "pydantic", "core.cli.summarise", "numpy"])
@pytest.mark.parametrize("run", [GUI, CLI], ids=["epitome", "core.cli"])
def test_an_interruption_during_imports_is_one_sentence(module: str, run: str, odd: Path) -> None:
    code = INTERRUPTED.format(module=module, words=["summarise", str(odd / "-x.txt")], run=run)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert -done.returncode != signal.SIGINT
    assert done.returncode == 130, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("Interrupted.")


@pytest.mark.parametrize("module", ["core.cli.main", "core.cli.summarise"])
@pytest.mark.parametrize("run", [GUI, CLI], ids=["epitome", "core.cli"])
def test_an_interruption_while_an_object_is_cleared_away_is_heard(
    run: str, module: str, odd: Path
) -> None:
    words = ["summarise", str(odd / "-x.txt"), "--length", "1s"]
    code = INTERRUPTED.format(module=module, words=words, run=run)
    dying = (
        "import os, signal, sys\n"
        "class Dying:\n"
        "    def __del__(self):\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "        [None for _ in range(9)]\n"
    )
    code = dying + code.replace("os.kill(os.getpid(), signal.SIGINT)", "Dying()")
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    told = "Interrupted. Nothing was written.\n"
    assert (done.returncode, done.stdout, done.stderr) == (130, "", told)


def test_an_interruption_inside_of_exec_is_one_sentence(odd: Path, tmp_path: Path) -> None:
    """Python forgets that it was caught: so end many of those while modules are imported."""
    kill = "import os, signal; os.kill(os.getpid(), signal.SIGINT); [None for _ in range(9)]"
    code = INTERRUPTED.format(module="pydantic", words=[], run="")
    at_start = code.replace("os.kill(os.getpid(), signal.SIGINT)", f"exec({kill!r})")
    (tmp_path / "sitecustomize.py").write_text(at_start.replace("sys.argv[1:] = []", ""), "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "core.cli", "summarise", str(odd / "-x.txt")],
        cwd=ROOT, capture_output=True, text=True, timeout=60,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (130, "Interrupted. Nothing was written.\n")


@pytest.mark.skipif(
    getattr(os, "geteuid", lambda: 1)() != 0, reason="only root can write into anybody's data"
)
def test_root_is_told_that_the_data_are_somebody_elses(
    odd: Path, home: Path, capsys: Captured
) -> None:
    home.mkdir()
    assert main(["list", "runs"]) == 0
    assert "root" not in capsys.readouterr().err
    os.chown(home, NOBODY, NOBODY)
    assert main(["list", "runs"]) == 0
    err = capsys.readouterr().err
    assert f"Epitome runs as root, and its data lie in {home}, which belongs to nobody" in err
    assert main(["list", "runs", "--quiet"]) == 0
    assert not capsys.readouterr().err


TOO_LONG = "n" * 256
COMMANDS_WITH_A_NAME = [
    ["summarise", "{long}"],
    ["summarise", "{text}", "--out", "{long}"],
    ["summarise", "{text}", "--model", "{long}"],
    ["summarise", "--config", "{long}"],
    ["corpus", "{long}"],
    ["corpus", "{text}", "--make", "text", "--out", "{long}"],
    ["evaluate", "--pairs", "{long}", "--predictions", "{long}"],
    ["train", "--corpus", "{long}"],
    ["measure", "{long}"],
    ["gauge", "{long}"],
    ["gsg", "{long}"],
    ["read", "{long}"],
    ["models", "show", "{long}"],
    ["bundle", "{long}"],
    ["judgements", "{long}"],
]


@pytest.mark.parametrize("typed", COMMANDS_WITH_A_NAME, ids=" ".join)
def test_a_name_that_no_file_can_have_is_said_to_be_too_long(
    odd: Path, capsys: Captured, typed: list[str]
) -> None:
    text = str(next(odd.iterdir()))
    assert main([each.format(long=TOO_LONG, text=text) for each in typed]) in (1, 2)
    err = capsys.readouterr().err
    assert "too long" in err and "standard output" not in err


def test_a_home_that_cannot_be_made_is_named(
    odd: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setenv("EPITOME_HOME", "/proc/home")
    text = str(next(odd.iterdir()))
    main(["corpus", text])
    main(["summarise", text])
    err = capsys.readouterr().err
    assert err.count("Set EPITOME_HOME to a folder that can be written.") == 2
    assert "standard output" not in err
