"""Risky work in a child process: what it says, and how it is ended."""

import contextlib
import gc
import json
from pathlib import Path

import psutil
import pytest

from core.system import bounded_child
from core.system.bounded_child import BoundedService, CallFailedError
from core.system.crash_reports import count_reports
from tests.helpers.leftovers import living_children

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


def test_memory_of_what_it_has_started_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded_child, "_BEGIN", "")
    code = (
        f"import subprocess, sys; child = subprocess.Popen([sys.executable, '-c', {HELD!r}]); "
        "open(sys.stdin.read(), 'w').write(str(child.pid)); child.wait()"
    )
    note = tmp_path / "child.txt"
    answer = bounded_child.ask(code, str(note).encode(), wait_s=50, memory_mib=512)
    assert (answer.outcome, answer.text) == ("died", "it takes too much memory")
    with contextlib.suppress(psutil.NoSuchProcess):  # it is ended too
        psutil.Process(int(note.read_text("utf-8"))).wait(60)


def test_a_crash_is_reported_where_reports_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EPITOME_CRASH_REPORTS", str(tmp_path))  # as its parent had begun
    answer = bounded_child.ask("import faulthandler; faulthandler._sigsegv()", b"")
    assert answer.outcome == "died"
    assert count_reports(tmp_path) == 1


SERVICE = """
import os, time
from core.system.bounded_child import serve
class Target:
    def add(self, first, second): return first + second
    def fail(self): raise ValueError("no")
    def sleep(self): time.sleep(600)
    def grow(self): held = [bytearray(1 << 20) for _ in range(4000)]
    def leave(self): os._exit(7)
    def secret(self): return 1
serve(Target(), ["add", "fail", "sleep", "grow", "leave"])
"""


@pytest.fixture
def service() -> BoundedService:
    return BoundedService(f"exec({json.dumps(SERVICE)})", wait_s=5, memory_mib=512)


def test_a_service_answers_calls_with_one_process(service: BoundedService) -> None:
    assert service.call("add", "ä", "b\n") == "äb\n"
    children = living_children()
    with pytest.raises(CallFailedError, match=r"^no$") as e:
        service.call("fail")
    assert e.value.answer.outcome == "refused"
    assert service.call("add", [1], [2] * 1_000_000)[-1] == 2
    assert living_children() == children and len(children) == 1


@pytest.mark.parametrize(
    ("name", "outcome", "why"),
    [
        ("sleep", "timeout", "it took more than 5 seconds"),
        ("grow", "died", "it takes too much memory"),
        ("leave", "died", "it ended the process that read it (7)"),
        ("secret", "died", "ValueError: secret"),
    ],
)
def test_a_call_that_goes_beyond_its_budget_fails_and_the_next_is_answered(
    service: BoundedService, name: str, outcome: str, why: str
) -> None:
    with pytest.raises(CallFailedError) as e:
        service.call(name)
    assert (e.value.answer.outcome, e.value.answer.why) == (outcome, why)
    assert service.call("add", 1, 2) == 3


def test_a_service_that_is_let_go_leaves_no_process() -> None:
    other = BoundedService(f"exec({json.dumps(SERVICE)})")
    other.call("add", 1, 2)
    assert living_children()
    del other
    gc.collect()
    assert not living_children()
