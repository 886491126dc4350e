"""Recognises the pages of a PDF that have no text, or only a misread layer of it."""

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass, replace

from core.documents.languages import AUTO
from core.documents.readers.pdf_layout import scans
from core.documents.readers.pdf_layout.sheet import Sheet
from core.documents.readers.recognition.language_data import find_language_data, name_of
from core.documents.readers.recognition.pictures import Picture
from core.documents.readers.recognition.renderer import CannotDrawError, Renderer, renderer
from core.documents.readers.recognition.setup import Setup, language_notes, set_up
from core.documents.readers.recognition.sheets import as_sheet
from core.documents.readers.recognition.workers import Upright, Workers, awaited, workers
from core.events import Progress, Steps
from core.stop import StopToken
from core.system.limits import without_time_limit


@dataclass(frozen=True)
class Recognition:
    """What became of a document's pages.

    Args:
        sheets: All pages, those with recognised words in the place of those without.
        notes: What a person should know, one sentence each.
    """

    sheets: list[Sheet]
    notes: list[str]


def recognise_sheets(
    data: bytes, password: str, sheets: list[Sheet], language: str, stop: StopToken
) -> Steps[Recognition]:
    """Recognises the pages that want it, several at once.

    Args:
        data: The file.
        password: What opens it; empty for none.
        sheets: All its pages.
        language: The code of the document's language; `AUTO` tells it by its first pages.
        stop: Ends the work at once.

    Yields:
        How many pages are done.

    Returns:
        The pages.

    Raises:
        EpitomeError: If the data of a language cannot be used.
    """
    wanted = [index for index, sheet in enumerate(sheets) if scans.wants_recognition(sheet)]
    yield Progress(0, len(wanted), "pages", "Recognising")
    result = list(sheets)
    with (
        without_time_limit(),
        renderer(data, password) as drawing,
        workers(len(wanted)) as pool,
    ):
        setup = yield from set_up(drawing, wanted, language, find_language_data(), pool, stop)
        for done, (index, begun) in enumerate(_begun(drawing, wanted, setup, pool, stop), 1):
            if begun is None:
                result[index] = replace(sheets[index], undrawn=True)
            else:
                picture, work = begun
                turn, found = awaited(work, stop)
                result[index] = as_sheet(sheets[index], picture, turn, found, setup.language)
            yield Progress(done, len(wanted), "pages", "Recognising")
    name = name_of(setup.language) + (" (guessed)" if language == AUTO else "")
    notes = scans.notes_of_recognised(result, name)
    return Recognition(result, [*notes, *language_notes(language, setup.language)])


_Work = tuple[int, "tuple[Picture, Future[Upright]] | None"]
"""A page's place, and its picture with the work on it; None where it cannot be drawn in time."""


def _begun(
    drawing: Renderer, wanted: list[int], setup: Setup, pool: Workers, stop: StopToken
) -> Iterator[_Work]:
    """The work on each page; that on the pages after it goes on meanwhile."""
    running: deque[_Work] = deque()
    for index in wanted:
        if index in setup.known:
            running.append((index, setup.known[index]))
        else:
            try:
                if picture := drawing.draw(index, stop):
                    work = pool.set_upright(setup.data, picture, setup.turn)
                    running.append((index, (picture, work)))
            except CannotDrawError:
                running.append((index, None))
        if len(running) > pool.count:
            yield running.popleft()
    yield from running
