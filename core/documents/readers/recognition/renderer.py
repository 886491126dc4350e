"""Draws pages of a PDF in a process of its own, which is ended where a page takes too long.

A few bytes can ask for more drawing than a machine does in a year: patterns in patterns, curves,
one picture thousands of times. pdfium looks up from its work between objects only, if at all.
"""

import os
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Final

from core.documents.readers.pdf_layout.opening import opened
from core.documents.readers.recognition.pictures import Picture, render_page
from core.stop import StopToken
from core.system.processes import (
    Channel,
    Child,
    ChildEndedError,
    parent_channel,
    python_command,
)

PAGE_LIMIT_S: Final = 20.0
"""For a page; each page that takes longer halves it for those that follow."""

_LEAST_LIMIT_S = 2.5
_START_S = 20.0  # for the process to start and open the file
_GRACE_S = 5.0  # after which the process ends itself, where its parent is gone
_LOOK_S = 0.05


class CannotDrawError(Exception):
    """A page takes too long to draw, or ends the process that draws it."""


class Renderer:
    """Draws the pages of one file.

    Args:
        data: The file.
        password: What opens it; empty for none.
        limit_s: For a page, in seconds.
    """

    def __init__(self, data: bytes, password: str, limit_s: float) -> None:
        self._data, self._password, self._limit_s = data, password, limit_s
        self._child: Child | None = None
        self._receiver = ThreadPoolExecutor(1, "pictures")

    def draw(self, index: int, stop: StopToken) -> Picture | None:
        """Draws a page.

        Args:
            index: Its place, from 0.
            stop: Ends the work at once.

        Returns:
            The picture; None for a page without size.

        Raises:
            CannotDrawError: If it takes too long, or ends the process.
        """
        try:
            child = self._living_child(stop)
            child.channel.send((index, self._limit_s + _GRACE_S))
            picture: Picture | None = self._receive(child, self._limit_s, stop)
        except ChildEndedError as error:
            self._end_child()
            self._limit_s = max(_LEAST_LIMIT_S, self._limit_s / 2)
            raise CannotDrawError from error
        return picture

    def _living_child(self, stop: StopToken) -> Child:
        if self._child is None:
            self._child = Child(python_command("-c", f"from {__name__} import main; main()"))
            self._child.channel.send((self._data, self._password))
            self._receive(self._child, _START_S, stop)
        return self._child

    def _receive(self, child: Child, limit_s: float, stop: StopToken) -> Picture | None:
        answer: Future[Picture | None] = self._receiver.submit(child.channel.receive)
        until_s = time.monotonic() + limit_s
        while not wait([answer], _LOOK_S).done:
            if stop or time.monotonic() > until_s:
                child.kill()
                stop.raise_if_set()
        return answer.result()

    def _end_child(self) -> None:
        if self._child is not None:
            self._child.kill()
            self._child.end()
            self._child = None

    def end(self) -> None:
        """Ends the process."""
        self._end_child()
        self._receiver.shutdown()


@contextmanager
def renderer(data: bytes, password: str) -> Iterator[Renderer]:
    """A renderer that ends with the block.

    Args:
        data: The file.
        password: What opens it; empty for none.

    Yields:
        The renderer.
    """
    drawing = Renderer(data, password, PAGE_LIMIT_S)
    try:
        yield drawing
    finally:
        drawing.end()


def main() -> None:
    """Executes the process: pages are drawn until the other side is gone."""
    channel = parent_channel()
    try:
        data, password = channel.receive()
        with opened(data, password) as handle:
            channel.send(None)
            while True:
                _answer(channel, handle, *channel.receive())
    except ChildEndedError:
        return


def _answer(channel: Channel, handle: object, index: int, limit_s: float) -> None:
    end = threading.Timer(limit_s, os._exit, (1,))  # pdfium leaves the interpreter free meanwhile
    end.daemon = True
    end.start()
    try:
        picture = render_page(handle, index)
    finally:
        end.cancel()
    channel.send(picture)
