"""A child process is talked to, watched and ended."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import psutil
import pytest

from core.stop import StopToken
from core.system.processes import (
    Child,
    ChildEndedError,
    describe_exit,
    kill_tree,
    lines_of,
    own_process_options,
    python_command,
    run_program,
    start_detached,
)

ECHO = [
    sys.executable,
    "-c",
    "from core.system.processes import *\n"
    "channel = parent_channel()\n"
    "print('this is not an answer', flush=True)\n"
    "try:\n"
    "    while True: channel.send(channel.receive())\n"
    "except ChildEndedError: pass\n",
]


def test_objects_come_back_as_they_were_sent() -> None:
    child = Child(ECHO)
    for value in ({"a": [1, 2]}, "x" * 3_000_000, None):
        child.channel.send(value)
        assert child.channel.receive() == value
    child.end()
    assert not child.alive()
    assert child.how_it_ended() == "it exited with status 0"


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
def test_a_killed_child_is_told_in_words() -> None:
    child = Child(ECHO)
    os.kill(child.pid, signal.SIGKILL)
    with pytest.raises(ChildEndedError):
        child.channel.receive()
    assert "signal 9, SIGKILL: memory ran out, or somebody ended it" in child.how_it_ended()
    child.end()


@pytest.mark.skipif(sys.platform == "win32", reason="sessions are POSIX")
def test_what_is_started_is_in_a_session_of_its_own() -> None:
    command = [sys.executable, "-c", "import os; print(os.getpid() == os.getsid(0))"]
    assert run_program(command).stdout == "True\n"
    assert list(lines_of(command, StopToken())) == ["True"]


def test_windows_starts_no_console_and_passes_on_no_ctrl_c() -> None:
    options = own_process_options(["nvidia-smi"], "win32")
    assert options["creationflags"] == 0x08000000 | 0x00000200
    assert options["args"] == ["nvidia-smi"]
    assert "__PYVENV_LAUNCHER__" not in options["env"]


def test_windows_starts_the_real_python_of_a_virtual_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "executable", r"C:\home\venv\Scripts\python.exe")
    monkeypatch.setattr(sys, "_base_executable", r"C:\Python\python.exe")
    options = own_process_options(python_command("-c", "pass"), "win32")
    assert options["args"] == [r"C:\Python\python.exe", *python_command("-c", "pass")[1:]]
    assert options["env"]["__PYVENV_LAUNCHER__"] == sys.executable
    other = own_process_options([r"C:\other\python.exe"], "win32")
    assert other["args"] == [r"C:\other\python.exe"]
    assert "__PYVENV_LAUNCHER__" not in other["env"]
    installed = own_process_options(python_command("-c", "pass"), "linux")
    assert installed["args"][0] == sys.executable
    assert "__PYVENV_LAUNCHER__" not in installed["env"]


def test_a_tree_of_processes_is_ended_whole() -> None:
    inner = "import time; print(1, flush=True); time.sleep(600)"
    outer = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {inner!r}])"
    command = [sys.executable, "-c", outer]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "1\n"
        (child,) = psutil.Process(process.pid).children()
        kill_tree(process.pid)
        process.wait()
    psutil.wait_procs([child])
    kill_tree(process.pid)  # it has ended: nothing happens


def test_a_child_that_does_not_go_is_ended() -> None:
    stubborn = Child([sys.executable, "-c", "while True: pass"])
    stubborn.end(patience_s=0.05)
    assert not stubborn.alive()


def test_exit_status_in_words() -> None:
    assert describe_exit(0) == "it exited with status 0"
    assert describe_exit(3) == "it ended with status 3"


def test_what_a_child_prints_goes_into_its_log(tmp_path: Path) -> None:
    log = tmp_path / "new folder" / "engine.log"
    child = Child(ECHO, log)
    child.channel.send(1)
    child.channel.receive()
    child.end()
    assert log.read_text("utf-8").strip() == "this is not an answer"


def test_a_child_starts_also_where_no_log_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    child = Child(ECHO, tmp_path / "file" / "engine.log")
    child.channel.send(1)
    assert child.channel.receive() == 1
    child.end()


@pytest.mark.skipif(sys.platform == "win32", reason="pipes and signals are POSIX")
def test_a_detached_process_outlives_who_started_it_and_is_told_of(tmp_path: Path) -> None:
    starter = (
        "import sys; from pathlib import Path\n"
        "from core.system.processes import start_detached\n"
        "code = 'import os; print(os.getppid(), flush=True); open(sys.argv[1]).read()'\n"
        "command = [sys.executable, '-c', 'import sys; ' + code, sys.argv[1]]\n"
        "print(start_detached(command, Path(sys.argv[2])).pid)"
    )
    pipe, log = tmp_path / "pipe", tmp_path / "log.txt"
    os.mkfifo(pipe)
    done = subprocess.run(
        [sys.executable, "-c", starter, str(pipe), str(log)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    process = psutil.Process(int(done.stdout))
    assert process.is_running()
    with pipe.open("w", encoding="utf-8"):
        pass
    psutil.wait_procs([process])
    assert log.read_text("utf-8").strip().isdigit()


@pytest.mark.skipif(sys.platform == "win32", reason="pipes and signals are POSIX")
def test_how_a_detached_process_ended_is_known_to_who_started_it(tmp_path: Path) -> None:
    process = start_detached([sys.executable, "-c", "while True: pass"], tmp_path / "log.txt")
    assert not process.ended(0.0)
    process.kill()
    assert process.ended(60.0)
    assert "signal 9, SIGKILL" in process.how_it_ended()


@pytest.mark.skipif(sys.platform == "win32", reason="pipes are POSIX")
def test_nothing_is_said_of_a_detached_process_when_its_starter_ends(tmp_path: Path) -> None:
    starter = (
        "import sys; from pathlib import Path\n"
        "from core.system.processes import start_detached\n"
        "command = [sys.executable, '-c', 'import sys; open(sys.argv[1]).read()', sys.argv[1]]\n"
        "print(start_detached(command, Path(sys.argv[2])).pid)"
    )
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    done = subprocess.run(
        [sys.executable, "-W", "always", "-c", starter, str(pipe), str(tmp_path / "log.txt")],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    process = psutil.Process(int(done.stdout))
    with pipe.open("w", encoding="utf-8"):
        pass
    psutil.wait_procs([process])
    assert done.stderr == ""


@pytest.mark.skipif(sys.platform == "win32", reason="zombies are POSIX")
def test_a_detached_process_leaves_no_zombie(tmp_path: Path) -> None:
    pid = start_detached([sys.executable, "-c", ""], tmp_path / "log.txt").pid
    for thread in threading.enumerate():
        if thread.name == f"reaper of {pid}":
            thread.join()
    assert not psutil.pid_exists(pid)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has classes instead of numbers")
def test_a_process_that_gives_way_and_what_it_starts_come_after_others(tmp_path: Path) -> None:
    code = (
        "import os, pathlib, subprocess, sys\n"
        "from core.system.processes import give_way\n"
        "give_way()\n"
        "own = subprocess.check_output([sys.executable, '-c', 'import os; print(os.nice(0))'])\n"
        "session = pathlib.Path('/proc/self/autogroup')\n"
        "print(own.decode(), session.read_text() if session.exists() else 'nice 5')\n"
    )
    before = os.getpriority(os.PRIO_PROCESS, 0)
    child = start_detached([sys.executable, "-c", code], tmp_path / "log")
    assert child.ended(60.0)
    told = (tmp_path / "log").read_text("utf-8").split()
    assert int(told[0]) == max(before, 5)
    assert int(told[-1]) == max(before, 5)
    assert os.getpriority(os.PRIO_PROCESS, 0) == before
