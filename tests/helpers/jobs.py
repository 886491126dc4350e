"""Small real jobs that tests run in every lane."""

import faulthandler
import os
import re
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass

from core.errors import EpitomeError
from core.events import Event, Finished, Progress, Started
from core.stop import StopToken
from core.system import limits
from core.system.limits import Limits, limited, share_taken, without_time_limit
from tests.helpers.killing import KILL


@dataclass(frozen=True)
class CountJob:
    """Counts, and gives the sum."""

    top: int

    def run(self, stop: StopToken) -> Iterator[Event]:
        yield Started("Counting")
        for number in range(self.top):
            stop.raise_if_set()
            yield Progress(number + 1, self.top, "numbers", "Counting")
        yield Finished(sum(range(self.top + 1)))


@dataclass(frozen=True)
class EndlessJob:
    """Goes on until it is stopped; deaf ones do not even listen."""

    deaf: bool = False

    def run(self, stop: StopToken) -> Iterator[Event]:
        yield Started("Going on")
        while self.deaf or not stop:
            pass
        stop.raise_if_set()


@dataclass(frozen=True)
class HeldJob:
    """Cannot be seen to end when it is killed: a copy of its process, which it names, lives on."""

    def run(self, stop: StopToken) -> Iterator[Event]:
        copy = os.fork()
        if not copy:
            signal.pause()
        yield Started(str(copy))
        while True:
            signal.pause()


@dataclass(frozen=True)
class WrongJob:
    """Fails in a way a person can mend, or in one nobody foresaw."""

    foreseen: bool

    def run(self, stop: StopToken) -> Iterator[Event]:
        yield Started("Failing")
        if self.foreseen:
            raise EpitomeError("This is wrong.", "Do that.", kind="test")
        raise ZeroDivisionError("one by nothing")


@dataclass(frozen=True)
class DyingJob:
    """Kills its own process."""

    is_risky = True

    def run(self, stop: StopToken) -> Iterator[Event]:
        yield Started("Dying")
        os.kill(os.getpid(), KILL)


@dataclass(frozen=True)
class CrashingJob:
    """Ends its process as a fault of compiled code does."""

    def run(self, stop: StopToken) -> Iterator[Event]:
        yield Started("Crashing")
        faulthandler._sigsegv()  # type: ignore[attr-defined]


@dataclass(frozen=True)
class WhereJob:
    """Tells in which process it runs."""

    def run(self, stop: StopToken) -> Iterator[Event]:
        yield Finished(os.getpid())


@dataclass(frozen=True)
class GreedyJob:
    """Takes more than it is allowed, of one thing or another.

    Args:
        what: Of what.
        guard: Which of its guards is there: "both", the "system" or the thread that "looks".
    """

    what: str
    guard: str = "both"

    def run(self, stop: StopToken) -> Iterator[Event]:
        if self.guard == "looks":
            limits._set_soft = lambda *_: lambda: None  # type: ignore[assignment]
        if self.guard == "system":
            limits._Watch.run = lambda _: None  # type: ignore[method-assign]
        with limited(Limits(0.2, 60_000_000)):
            held = []
            if self.what == "recognition":
                with without_time_limit():
                    work_for(0.6)
            while self.what == "time":
                pass
            while self.what == "memory in pieces":
                held.append(bytearray(1_000_000))
            if self.what == "memory at once":
                held.append(bytearray(500_000_000))
            if self.what == "a search without end":
                re.match("(a+)+b", "a" * 100)
            shares = [share_taken()]
            if self.what == "half of both":
                held.append(bytearray(b"x") * 30_000_000)
                shares.append(share_taken())
                work_for(0.15)
                shares.append(share_taken())
        yield Finished(tuple(shares) if self.what == "half of both" else self.what)


def work_for(seconds: float) -> None:
    """Keeps the processor busy."""
    until_s = time.process_time() + seconds
    while time.process_time() < until_s:
        pass
