"""A forked process is, for all that tests see of it, one that was started."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.helpers import warm_processes
from tests.helpers.killing import KILL
from tests.helpers.leftovers import command_line, living_children

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux")

ABOUT = """
import json, os, signal, sys
print(json.dumps({
    "main": [__name__, sys.modules["__main__"].__dict__ is globals(), sys.argv],
    "place": [os.getcwd(), sys.path[0], os.environ["COLOUR"], os.environ.get("LEFT")],
    "parent": os.getppid(),
    "is_apart": os.getsid(0) == os.getpid(),
    "handlers": [str(signal.getsignal(each)) for each in (signal.SIGINT, signal.SIGTERM)],
    "given": sys.stdin.read(),
    "streams": [[each.encoding, each.errors, each.line_buffering]
                for each in (sys.stdin, sys.stdout, sys.stderr)],
}))
print("well", file=sys.stderr)
raise SystemExit(int("core.jobs.lanes.kinds" in sys.modules))
"""
WAITS = "import sys; print('here', flush=True); sys.stdin.read()"


def allow(monkeypatch: pytest.MonkeyPatch, code: str) -> list[str]:
    """Lets a command be forked; gives it."""
    monkeypatch.setattr(warm_processes, "_commands", lambda: [["-c", code]])
    return [sys.executable, "-c", code]


@pytest.mark.parametrize("is_apart", [True, False])
def test_it_finds_what_a_started_process_finds(
    is_apart: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = [*allow(monkeypatch, ABOUT), "a word", "-c"]
    monkeypatch.delenv("LEFT", raising=False)
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))  # as torch does when it compiles
    options: Mapping[str, Any] = {
        "cwd": tmp_path,
        "env": os.environ | {"COLOUR": "grün"},
        "input": "handed over",
        "capture_output": True,
        "start_new_session": is_apart,
        "text": True,
    }
    forked = subprocess.run(command, check=False, **options)
    warm_processes.switch(False)
    started = subprocess.run(command, check=False, **options)
    assert (forked.returncode, started.returncode) == (1, 0), "one has imported the program"
    assert forked.stderr == started.stderr == "well\n"
    assert json.loads(forked.stdout) == json.loads(started.stdout)
    assert json.loads(forked.stdout)["parent"] == os.getpid()


@pytest.mark.parametrize(
    ("number", "status"), [(KILL, -KILL), (signal.SIGINT, -signal.SIGINT), (None, 0)]
)
def test_it_ends_as_a_started_process_ends(
    number: int | None, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = allow(monkeypatch, WAITS)
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdout is not None and process.stdout.readline() == b"here\n"
        (child,) = living_children()
        assert child.pid == process.pid and command_line(child).startswith("-c import sys")
        if number is not None:
            process.send_signal(number)
        _, errors = process.communicate()
    assert process.returncode == status
    assert (b"KeyboardInterrupt" in errors) == (number == signal.SIGINT)
    assert not living_children()


def test_an_error_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    done = subprocess.run(allow(monkeypatch, "1 / 0"), check=False, capture_output=True)
    assert done.returncode == 1 and done.stderr.rstrip().endswith(b"division by zero")


def test_what_it_starts_is_its_own_child(monkeypatch: pytest.MonkeyPatch) -> None:
    code = """
import os, psutil, subprocess, sys
with subprocess.Popen([sys.executable, "-m", "core.cli", "--version"]) as process:
    parent = psutil.Process(process.pid).ppid()
print(parent == os.getpid(), process.returncode)
"""
    done = subprocess.run(allow(monkeypatch, code), check=True, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "True 0"
    assert done.stdout.startswith("epitome ")


@pytest.mark.parametrize(
    "options",
    [
        {"env": {"PYTHONHASHSEED": "1"}},
        {"env": {"LC_ALL": "C"}},
        {"env": {"PYTHONPATH": "/elsewhere"}},
        {"preexec_fn": os.getpid},
        {"args": [sys.executable, "-c", "import sys; raise SystemExit(7)"]},
    ],
)
def test_what_no_fork_gives_is_started(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "import sys; raise SystemExit(7 if 'core.jobs.lanes.kinds' not in sys.modules else 1)"
    command = allow(monkeypatch, code)
    if "env" in options:
        options["env"] = os.environ | options["env"]
    assert subprocess.run(**{"args": command, "check": False} | options).returncode == 7


def test_its_server_ends_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    command = allow(monkeypatch, WAITS)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stdout.readline()
        (server,) = psutil.Process(process.pid).children()
        assert not living_children(process.pid)
        process.kill()
    assert not psutil.wait_procs([server], timeout=60)[1]
