"""Risky work in a child process: what it says, and how it is ended."""

import pytest

from core import bounded_child

HELD = "held = bytearray(1 << 30); import time; time.sleep(60)"
"""Holds a gibibyte, and does not end."""


def test_what_it_reads_and_prints() -> None:
    code = "import sys; print(len(sys.stdin.buffer.read()))"
    answer = bounded_child.ask(code, b"x" * 3_000_000, wait_s=60, memory_mib=1024)
    assert (answer.outcome, answer.text.strip()) == ("done", "3000000")


def test_a_child_that_reads_late_is_given_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_child, "_LOOK_S", 1e-4)  # looked at before it has begun to read
    code = "import sys; print(len(sys.stdin.buffer.read()))"
    answer = bounded_child.ask(code, b"x" * 3_000_000, wait_s=60, memory_mib=1024)
    assert (answer.outcome, answer.text.strip()) == ("done", "3000000")


def test_what_it_refuses_is_told_in_its_words() -> None:
    answer = bounded_child.ask("raise SystemExit('no')", b"", wait_s=60, memory_mib=1024)
    assert (answer.outcome, answer.text) == ("refused", "no")


def test_what_never_ends_is_ended() -> None:
    answer = bounded_child.ask("import time; time.sleep(600)", b"", wait_s=0.2, memory_mib=1024)
    assert answer.outcome == "timeout"


@pytest.mark.parametrize("limited_by", ["system", "parent"])
def test_what_takes_too_much_memory_is_told_so(
    monkeypatch: pytest.MonkeyPatch, limited_by: str
) -> None:
    if limited_by == "parent":  # as where the system has no such limit
        monkeypatch.setattr(bounded_child, "_BEGIN", "")
    answer = bounded_child.ask(HELD, b"", wait_s=50, memory_mib=512)
    assert (answer.outcome, answer.text) == ("died", "it takes too much memory")
