"""Small real jobs that tests run in every lane."""

import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass

from core.errors import EpitomeError
from core.events import Event, Finished, Progress, Started
from core.stop import StopToken


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

    def run(self, stop: StopToken) -> Iterator[Event]:
        yield Started("Dying")
        os.kill(os.getpid(), signal.SIGKILL)


@dataclass(frozen=True)
class WhereJob:
    """Tells in which process it runs."""

    def run(self, stop: StopToken) -> Iterator[Event]:
        yield Finished(os.getpid())
