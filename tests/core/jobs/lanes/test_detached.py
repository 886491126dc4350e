"""The process of a queued job: the end of the session is a pause."""

import signal
import sys
import threading

import pytest

from core.jobs.lanes.detached import _answer_console, _heed_termination


@pytest.mark.parametrize(
    ("event", "ends"), [(0, False), (1, False), (2, True), (5, True), (6, True)]
)
def test_windows_is_answered_when_the_job_has_ended(event: int, ends: bool) -> None:
    came, is_written = list[int](), threading.Event()
    answers = list[bool]()
    answering = threading.Thread(
        target=lambda: answers.append(_answer_console(event, came, is_written))
    )
    answering.start()
    if ends:
        assert not answers, "it would be ended before its checkpoint is written"
    is_written.set()
    answering.join()
    assert (answers, came) == ([ends], [event] if ends else [])


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no SIGTERM")
def test_a_termination_is_heard() -> None:
    before = signal.getsignal(signal.SIGTERM)
    try:
        came = _heed_termination(threading.Event())
        signal.raise_signal(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert came == [signal.SIGTERM]
