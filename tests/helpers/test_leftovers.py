"""The guards of the whole suite guard."""

import socket
import subprocess
import sys
import threading

import pytest
from PySide6.QtCore import QThread

from tests.helpers import leftovers
from tests.helpers.leftovers import nothing_left_running


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leftovers, "GRACE_S", 0.05)


def test_thread_left_running_is_named() -> None:
    end = threading.Event()
    thread = threading.Thread(target=end.wait, name="lost thread")
    with pytest.raises(AssertionError, match="lost thread"), nothing_left_running():
        thread.start()
    end.set()
    thread.join()


def test_qt_thread_left_running_is_named(qapp: object) -> None:
    thread = QThread()
    thread.setObjectName("lost Qt thread")
    with pytest.raises(AssertionError, match="QThread lost Qt thread"), nothing_left_running():
        thread.start()
    thread.quit()
    thread.wait()


def test_child_left_running_is_named_and_ended() -> None:
    command = [sys.executable, "-c", "import sys; sys.stdin.read()"]
    with pytest.raises(AssertionError, match="stdin"), nothing_left_running():
        child = subprocess.Popen(command, stdin=subprocess.PIPE)
    child.wait()
    assert child.stdin
    child.stdin.close()


def test_what_has_ended_is_no_leftover(qapp: object) -> None:
    with nothing_left_running():
        thread = QThread()
        thread.start()
        thread.quit()
        thread.wait()
        subprocess.run([sys.executable, "-c", ""], check=True)


@pytest.mark.parametrize("address", [("192.0.2.1", 80), ("example.org", 443)])
def test_network_is_cut(address: tuple[str, int]) -> None:
    with pytest.raises(RuntimeError, match="may not reach"):
        socket.create_connection(address, timeout=1)


def test_network_is_cut_for_children() -> None:
    code = "import socket; socket.create_connection(('192.0.2.1', 80), timeout=1)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "may not reach '192.0.2.1'" in done.stderr


def test_this_machine_can_be_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()
