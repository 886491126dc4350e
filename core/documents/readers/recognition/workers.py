"""Threads that recognise pictures: Tesseract gives the interpreter free while it works."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from core.documents.readers.recognition.engine import Engine, Recognised
from core.documents.readers.recognition.pictures import Picture
from core.stop import StopToken
from core.system.machine import usable_cores

T = TypeVar("T")

_MOST = 4  # each takes some 100 MB
_LOOK_S = 0.05
_TURN_LIMIT_S = 20.0  # after which no further turn of a page is tried
_TURNS = (0, 1, 3, 2)  # quarter turns anticlockwise, the likely ones first

Upright = tuple[int, Recognised]
"""At how many quarter turns anticlockwise a picture reads best, and its words."""


class Workers:
    """Threads with engines of their own; for a block of `workers`.

    Args:
        count: How many.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._pool = ThreadPoolExecutor(count, "recognition")
        self._own = threading.local()

    def set_upright(self, data: Path, picture: Picture, likely: int) -> "Future[Upright]":
        """The words of a picture that may lie on its side; a likely turn is tried first."""
        return self._pool.submit(
            lambda: best_turn(
                lambda turn: self._engine(data).recognise(picture.turned(turn)), likely
            )
        )

    def _engine(self, data: Path) -> Engine:
        own = self._own.__dict__
        if own.get("data") != data:
            own.update(data=data, engine=Engine(data))
        engine: Engine = own["engine"]
        return engine

    def end(self) -> None:
        """Gives up what waits. A page that is being recognised ends by itself, for nobody."""
        self._pool.shutdown(wait=False, cancel_futures=True)


@contextmanager
def workers(num_pages: int) -> Iterator[Workers]:
    """As many as the machine has cores for, up to a bound.

    Args:
        num_pages: How many pages there are to do.

    Yields:
        The workers; they end after the block.
    """
    made = Workers(max(1, min(usable_cores(), _MOST, num_pages)))
    try:
        yield made
    finally:
        made.end()


def awaited(future: "Future[T]", stop: StopToken) -> T:
    """The result of a worker, or `Stopping` as soon as an end is asked for."""
    while not wait([future], _LOOK_S).done:
        stop.raise_if_set()
    return future.result()


def best_turn(recognise: Callable[[int], Recognised], likely: int) -> Upright:
    """Tries turns until the words are sure, and not for too long: a page of specks takes minutes.

    Args:
        recognise: Gives the words at a number of quarter turns anticlockwise.
        likely: The turn to try first.

    Returns:
        The turn that reads best.
    """
    started_s = time.monotonic()
    best = likely, recognise(likely)
    for turn in _TURNS:
        if best[1].is_sound or time.monotonic() - started_s > _TURN_LIMIT_S:
            break
        if turn != likely:
            best = max(best, (turn, recognise(turn)), key=lambda each: each[1].letters)
    return best
