"""Epitome from this repository under Wine: installed by its own command, compared with Linux."""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from installers.documents import make_documents
from installers.trying import ROOT, step
from installers.wheels import needed_on
from installers.wine import Wine, add_shims

from core.version import VERSION

PYTHON: Final = "Z:\\src\\.venv\\Scripts\\python.exe"
EPITOME: Final = "Z:\\src\\.venv\\Scripts\\epitome.exe"
# One process reads all of them: a start takes seconds under Wine.
_READ_ALL: Final = """
import os, sys
from core.cli.main import main
flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
for name in sys.argv[2:]:
    for number, ending in ((1, "out"), (2, "err")):
        file = os.open(os.path.join(sys.argv[1], f"{name}.{ending}"), flags)
        os.dup2(file, number)
        os.close(file)
    print("exit code", main(["read", name]), flush=True)
"""
_SUMMARISE: Final = ("summarise", "--quiet", "--evidence", "--no-history")


def install_source(bare: Wine) -> str:
    """Installs Epitome with its own `bootstrap.py`, and what its tests need; gives its version."""
    source = bare.folder / "src"
    environment = source / ".venv"
    kept = bare.folder / "venv"
    if environment.exists():
        environment.rename(kept)
    shutil.rmtree(source, ignore_errors=True)
    ignored = shutil.ignore_patterns(
        ".git", ".venv", "__pycache__", "build", "dist", "*.egg-info", ".*_cache"
    )
    shutil.copytree(ROOT, source, ignore=ignored)
    if kept.exists():
        kept.rename(environment)
    bootstrap = "cd /d Z:\\src && Z:\\python\\python.exe packaging\\bootstrap.py run -- --version"
    # The first start ends in numpy, which needs what `add_shims` brings.
    bare.start("wine", "cmd", "/c", bootstrap).communicate()
    add_shims(bare, environment / "Lib" / "site-packages")
    pins = [block.split()[0] for block in needed_on("windows", ROOT / "packaging/locks/dev.txt")]
    bare.windows(PYTHON, "-m", "pip", "install", "-q", "--no-deps", *pins)
    version = bare.windows("cmd", "/c", bootstrap)
    assert f"epitome {VERSION}" in version, version
    return version


def try_commands(bare: Wine, options: argparse.Namespace) -> None:
    """Doctor, and documents of all formats read and summarised, against this system's Python."""
    report = step("epitome doctor", lambda: bare.windows(EPITOME, "doctor"))
    assert "Python" in report, report
    folder = bare.folder / "documents"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    files = make_documents(folder)
    if options.documents:
        files += [Path(shutil.copy(file, folder)) for file in sorted(options.documents.iterdir())]
    else:
        print("no further documents are compared: --documents FOLDER names some")
    names = [file.name for file in files]
    step(f"{len(files)} documents are read as on Linux", lambda: compare_texts(bare, names))
    step("they are summarised as on Linux", lambda: compare_summaries(bare, names))


def compare_texts(bare: Wine, names: list[str]) -> str:
    """Reads documents on Windows and on Linux; ends the trial where text or messages differ."""
    theirs, ours = bare.folder / "read-there", bare.folder / "read-here"
    for folder in (theirs, ours):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
    process = _start_there(bare, PYTHON, "-P", "-c", _READ_ALL, "Z:\\read-there", *names)
    _run_here(bare, "-P", "-c", _READ_ALL, str(ours), *names)
    printed = process.communicate()
    assert process.returncode == 0, printed
    written = sorted(file.name for file in ours.iterdir())
    assert len(written) == 2 * len(names), written
    differing = [name for name in written if _read_lines(theirs / name) != _read_lines(ours / name)]
    assert not differing, f"{differing} differ in {theirs} and {ours}"
    return ""


def compare_summaries(bare: Wine, names: list[str]) -> str:
    """Summarises documents on Windows and on Linux; ends the trial where the output differs."""
    start = "from gui.app import main; raise SystemExit(main())"
    process = _start_there(bare, EPITOME, *_SUMMARISE, *names)
    here = _run_here(bare, "-P", "-c", start, *_SUMMARISE, *names)
    output, errors = process.communicate()
    there = (process.returncode, output, errors)
    assert there == (here.returncode, here.stdout, here.stderr), f"Windows: {there}\nLinux: {here}"
    return ""


def _start_there(bare: Wine, *command: str) -> "subprocess.Popen[str]":
    return bare.start("sh", "-c", 'cd /documents && exec wine "$@"', "-", *command)


def _run_here(bare: Wine, *arguments: str) -> "subprocess.CompletedProcess[str]":
    with tempfile.TemporaryDirectory() as home:
        return subprocess.run(
            [sys.executable, *arguments],
            env={**os.environ, "PYTHONPATH": str(ROOT), "EPITOME_HOME": home},
            cwd=bare.folder / "documents",
            capture_output=True,
            encoding="utf-8",
        )


def _read_lines(file: Path) -> list[bytes]:
    return file.read_bytes().replace(b"\r\n", b"\n").splitlines()
