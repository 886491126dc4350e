"""No process of the program runs what lies in the folder in which it is started."""

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.cli.main import COMMANDS
from core.system.bounded_child import ask
from core.system.process_environment import find_program, safe_environment
from core.system.processes import python_command, run_program
from tests.helpers.corpora import write_pairs
from tests.helpers.planted_modules import importable_names, plant_modules

pytestmark = pytest.mark.cold_start

ROOT = Path(__file__).parents[3]
PROGRAM = ["-P", "-c", "from gui.app import main; raise SystemExit(main())"]
MODULE = ["-m", "core.cli"]
TEXT = "The first valve opens when the pressure falls. The second valve stays closed all day. " * 9
_STARTS = re.compile(
    r"subprocess\.(Popen|run|call|check_\w+|get\w+)$|multiprocessing|concurrent\.futures\.Process"
    r"|os\.(system|popen|exec|spawn|posix_spawn|startfile)|shutil\.which|sys\.executable$|QProcess"
)
_WORDS = re.compile("subprocess|multiprocessing|executable|shutil|QProcess|os[.](s|p|e)")
STARTERS = {
    ("core/system/processes.py", "subprocess.Popen"): "starts every process",
    ("core/system/process_environment.py", "shutil.which"): "looks for a program by its whole path",
    ("core/system/processes.py", "sys.executable"): "makes every command",
    ("core/distribution/system_libraries.py", "shutil.which"): "runs nothing: it names a command",
    **{
        (f"core/jobs/lanes/{name}.py", "sys.executable"): "the packaged program starts itself"
        for name in ("child", "detached", "lane")
    },
    ("core/jobs/program/install_part.py", "sys.executable"): "compares and asks no process",
}


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A folder with a module for every name that can be imported."""
    folder = tmp_path / "here"
    plant_modules(folder, *importable_names())
    return folder


def run_there(
    here: Path, *arguments: str, path: str = str(ROOT)
) -> "subprocess.CompletedProcess[str]":
    environment = os.environ | {"PYTHONPATH": path}
    return subprocess.run(
        [sys.executable, *arguments], cwd=here, env=environment, capture_output=True, text=True
    )


def names_run(here: Path) -> list[str]:
    note = here / "was-run"
    return note.read_text("utf-8").split() if note.exists() else []


@pytest.mark.parametrize(
    "words",
    [
        ["doctor"],
        ["summarise", "../a.html", "../b.md", "--out", "../out"],
        ["corpus", "../pairs.parquet", "--processes", "2", "--out", "../corpus"],
        ["list", "runs"],
    ],
    ids=lambda words: words[0],
)
def test_a_command_imports_nothing_from_the_current_folder(
    here: Path, tmp_path: Path, words: list[str]
) -> None:
    (tmp_path / "a.html").write_text(f"<p>{TEXT}</p>", "utf-8")
    (tmp_path / "b.md").write_text(TEXT, "utf-8")
    write_pairs(tmp_path / "pairs.parquet", [TEXT] * 40, ["One valve opens."] * 40)
    done = run_there(here, *PROGRAM, *words)
    assert (done.returncode, names_run(here)) == (0, []), done.stderr


def test_no_command_imports_anything_from_the_current_folder(here: Path) -> None:
    """All commands in one process; what each runs besides is imported as its modules are."""
    code = (
        "import sys; from gui.app import main\n"
        f"for name in {[*COMMANDS]}:\n"
        "    sys.argv[1:] = [name, '--help']\n"
        "    assert main() == 0, name\n"
        "import importlib, pkgutil, core.jobs\n"
        "for module in pkgutil.walk_packages(core.jobs.__path__, 'core.jobs.'):\n"
        "    importlib.import_module(module.name)\n"
    )
    done = run_there(here, "-P", "-c", code)
    assert (done.returncode, names_run(here)) == (0, []), done.stderr
    assert done.stdout.count("usage: epitome") == len(COMMANDS)


def test_a_command_started_as_a_module_imports_nothing_from_the_current_folder(
    tmp_path: Path,
) -> None:
    here = tmp_path / "here"  # without what Python's own start imports
    plant_modules(here, "signal", "torch", "numpy", "json", "psutil", "PySide6", "pydantic")
    done = run_there(here, *MODULE, "doctor")
    assert (done.returncode, names_run(here)) == (0, []), done.stderr


@pytest.mark.parametrize(
    "path", [f"{os.pathsep}{ROOT}", f"{ROOT}{os.pathsep}.", f"./{os.pathsep}{ROOT}"]
)
def test_an_empty_entry_of_the_search_path_is_not_the_current_folder(
    tmp_path: Path, path: str
) -> None:
    here = tmp_path / "here"
    plant_modules(here, "numpy", "psutil", "pydantic")
    done = run_there(here, *PROGRAM, "list", "runs", path=path)
    assert (done.returncode, names_run(here)) == (0, []), done.stderr


def test_a_child_imports_nothing_from_the_current_folder(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", f"{os.pathsep}{ROOT}")
    monkeypatch.chdir(here)
    done = run_program(python_command("-c", "import json, core, numpy; print('done')"))
    assert (done.stdout.strip(), names_run(here)) == ("done", []), done.stderr
    answer = ask("import json, core, tokenizers; print('done')", b"")
    assert (answer.text.strip(), names_run(here)) == ("done", [])


def test_the_folder_of_the_program_itself_is_searched() -> None:
    done = run_there(ROOT, "-c", PROGRAM[-1], "--version", path="")
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="there the programs have other endings")
def test_a_program_in_the_current_folder_is_not_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planted = tmp_path / "nvidia-smi"
    shutil.copy("/bin/sh", planted)
    monkeypatch.chdir(tmp_path)
    for relative in ("", ".", f"{os.pathsep}/nowhere", f"./{os.pathsep}/nowhere"):
        monkeypatch.setenv("PATH", relative)
        assert find_program("nvidia-smi") is None
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_program("nvidia-smi") == str(planted)


def test_search_paths_keep_their_absolute_entries_only() -> None:
    absolute = str(Path("/a").absolute())
    given = {"PATH": os.pathsep.join(["", absolute, ".", "b"]), "PYTHONPATH": ".", "OTHER": "."}
    safe = safe_environment(given)
    assert safe["PATH"] == absolute and "PYTHONPATH" not in safe and safe["OTHER"] == "."


@pytest.mark.parametrize("name", ["OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME"])
def test_threads_wait_without_spinning_unless_the_user_has_chosen(name: str) -> None:
    assert safe_environment({})["OMP_WAIT_POLICY"] == "PASSIVE"
    given = {name: "ACTIVE", "NoDefaultCurrentDirectoryInExePath": "1"}
    assert safe_environment(given) == given


def test_every_process_is_started_in_one_place() -> None:
    files = [*(ROOT / "core").rglob("*.py"), *(ROOT / "gui").rglob("*.py")]
    found = {(str(file.relative_to(ROOT)), use) for file in files for use in starts_in(file)}
    assert found == set(STARTERS)


def starts_in(file: Path) -> Iterator[str]:
    """What of a module starts a process, or names a program to start."""
    text = file.read_text("utf-8")
    if not _WORDS.search(text):  # which spares most files the parser
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            used = {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom):
            used = {f"{node.module}.{each.name}" for each in node.names}
        elif isinstance(node, ast.Call):
            used = {ast.unparse(node.func)}
        elif isinstance(node, ast.Attribute) and node.attr == "executable":
            used = {ast.unparse(node)}
        else:
            continue
        yield from (name for name in used if _STARTS.match(name))
