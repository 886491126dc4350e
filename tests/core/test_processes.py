"""A child process is talked to, watched and ended."""

import os
import signal
import sys
from pathlib import Path

import pytest

from core.processes import Child, ChildEndedError, describe_exit

ECHO = [
    sys.executable,
    "-c",
    "from core.processes import *\n"
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
    assert child.how_it_ended() == "it ended by itself"


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
def test_a_killed_child_is_told_in_words() -> None:
    child = Child(ECHO)
    os.kill(child.pid, signal.SIGKILL)
    with pytest.raises(ChildEndedError):
        child.channel.receive()
    assert "signal 9, SIGKILL, as happens when memory runs out" in child.how_it_ended()
    child.end()


def test_a_child_that_does_not_go_is_ended() -> None:
    stubborn = Child([sys.executable, "-c", "while True: pass"])
    stubborn.end(patience_s=0.05)
    assert not stubborn.alive()


def test_exit_status_in_words() -> None:
    assert describe_exit(0) == "it ended by itself"
    assert describe_exit(3) == "it ended with status 3"


def test_what_a_child_prints_goes_into_its_log(tmp_path: Path) -> None:
    log = tmp_path / "new folder" / "engine.log"
    child = Child(ECHO, log)
    child.channel.send(1)
    child.channel.receive()
    child.end()
    assert log.read_text().strip() == "this is not an answer"


def test_a_child_starts_also_where_no_log_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    child = Child(ECHO, tmp_path / "file" / "engine.log")
    child.channel.send(1)
    assert child.channel.receive() == 1
    child.end()
