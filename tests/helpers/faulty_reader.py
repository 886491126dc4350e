"""Readers with the faults that a reader may have: what a guard over readers must see."""

import ctypes
import socket
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import gettempdir

from core.documents.document import Block, Document, Source
from core.documents.readers.formats import FORMATS, format_by_suffix
from core.errors import EpitomeError
from core.events import Progress, Steps
from core.stop import StopToken
from tests.helpers.hostile_files import SECRET


def good(data: bytes, name: str, stop: StopToken) -> Steps[Document]:
    """Reads nothing, and that well."""
    yield Progress(0, 0, "words", "Reading")
    return _document("Words.")


def refusing(data: bytes, name: str, stop: StopToken) -> Steps[Document]:
    """Refuses in words."""
    yield Progress(0, 0, "words", "Reading")
    raise EpitomeError("It is damaged.", "Get it again.")


def _faulty(fault: Callable[[], object]) -> Callable[[bytes, str, StopToken], Steps[Document]]:
    def read(data: bytes, name: str, stop: StopToken) -> Steps[Document]:
        yield Progress(0, 0, "words", "Reading")
        fault()
        return _document("Words.")

    return read


def _document(text: str) -> Document:
    return Document.from_blocks([Block(text)], title="Title", source=Source("a"))


def _reach_out() -> None:
    socket.create_connection(("127.0.0.1", 9), 0.1).close()


def _write() -> None:
    (Path(gettempdir()) / "epitome-fuzz-planted").write_text("x", "utf-8")


def _work() -> None:
    end_s = time.process_time() + 0.4
    while time.process_time() < end_s:
        pass


def _give_away(data: bytes, name: str, stop: StopToken) -> Steps[Document]:
    yield Progress(0, 0, "words", "Reading")
    return _document(f"Here is {SECRET}.")


def _half(data: bytes, name: str, stop: StopToken) -> Steps[Document]:
    yield Progress(0, 0, "words", "Reading")
    return _document("half a pair \ud800")


_READERS = {
    "good": good,
    "refusing": refusing,
    "raising": _faulty(lambda: {}["key"]),
    "hanging": _faulty(lambda: time.sleep(3_600)),
    "slow": _faulty(_work),
    "crashing": _faulty(lambda: ctypes.string_at(0)),
    "filling": _faulty(lambda: bytearray(8_000_000_000)),
    "reaching": _faulty(_reach_out),
    "writing": _faulty(_write),
    "telling": _give_away,
    "halving": _half,
}
FAULTS = {
    "good": "",
    "refusing": "",
    "raising": "KeyError: 'key'",
    "hanging": "ran past its time",
    "slow": "took too long",
    "crashing": "the process ended with -11",
    "filling": "MemoryError",
    "reaching": "did socket.connect",
    "writing": "to write",
    "telling": "an external entity was read",
    "halving": "UnicodeEncodeError",
}
"""By the fault, what a guard must say of it; nothing where there is none."""


def in_turn(data: bytes, name: str, stop: StopToken) -> Steps[Document]:
    """Has one of the faults: they take turns as the formats of cases do."""
    number = sorted(FORMATS).index(format_by_suffix(Path(name).suffix))
    return _READERS[list(FAULTS)[number]](data, name, stop)
