"""The computer stays awake while work runs, or it is said why it does not."""

import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from core.system.keep_awake import kept_awake

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the programs are those of POSIX")


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that comes first on the path."""
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    return tmp_path


def program(folder: Path, name: str, lines: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{lines}\n", "utf-8")
    path.chmod(0o755)


def test_the_lock_is_held_inside_the_block_and_let_go_after_it(programs: Path) -> None:
    # As systemd-inhibit does: it runs the command behind its options.
    program(programs, "systemd-inhibit", 'while [ "$1" != sh ]; do shift; done\n"$@"')
    before = set(psutil.Process().children())
    with kept_awake("Training", "linux") as refused:
        assert refused == ""
        (holder,) = set(psutil.Process().children()) - before
        assert "--why=Training" in holder.cmdline() and "--what=idle:sleep" in holder.cmdline()
    assert not holder.is_running()


def test_a_killed_process_does_not_keep_the_computer_awake(programs: Path) -> None:
    program(programs, "systemd-inhibit", 'while [ "$1" != sh ]; do shift; done\nexec "$@"')
    code = (
        "import os, signal, psutil\n"
        "from core.system.keep_awake import kept_awake\n"
        "with kept_awake('Training', 'linux'):\n"
        "    (child,) = psutil.Process().children()\n"
        "    print(child.pid, flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    with suppress(psutil.NoSuchProcess):
        holder = psutil.Process(int(done.stdout))
        with suppress(psutil.TimeoutExpired):
            holder.wait(timeout=30)
        assert not holder.is_running()


@pytest.mark.parametrize(
    ("system", "lines", "told"),
    [
        ("linux", "echo 'Access denied' >&2; exit 1", "systemd-inhibit: Access denied"),
        ("darwin", None, "caffeinate is not installed"),
        ("plan9", None, "not supported on this system"),
    ],
)
def test_where_it_cannot_be_it_is_said_why(
    programs: Path, system: str, lines: str | None, told: str
) -> None:
    if lines:
        program(programs, "systemd-inhibit", lines)
    with kept_awake("Training", system) as refused:
        assert refused == told
