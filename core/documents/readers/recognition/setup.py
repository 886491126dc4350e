"""In which language a document is recognised, and which way up its pages lie."""

from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path

from core.documents.languages import AUTO, language_of
from core.documents.readers.recognition.language_data import (
    FOLDER_VARIABLE,
    tesseract_code,
)
from core.documents.readers.recognition.pictures import Picture
from core.documents.readers.recognition.renderer import CannotDrawError, Renderer
from core.documents.readers.recognition.workers import Upright, Workers, awaited
from core.events import Progress, Steps
from core.stop import StopToken

_MOST_SAMPLES = 5  # pages that are looked at
_MOST_LANGUAGES = 8  # that are tried
_ENOUGH_WORDS = 20  # on a page that tells the language


@dataclass(frozen=True)
class Setup:
    """How the pages of a document are recognised.

    Args:
        language: Tesseract's code.
        data: Its file.
        turn: Quarter turns anticlockwise that set most pages upright.
        known: What was recognised on the way, by the page's place from 0; None of a page that
            cannot be drawn in time.
    """

    language: str
    data: Path
    turn: int = 0
    known: "Mapping[int, tuple[Picture, Future[Upright]] | None]" = field(default_factory=dict)


def set_up(
    drawing: Renderer,
    wanted: list[int],
    language: str,
    data: dict[str, Path],
    workers: Workers,
    stop: StopToken,
) -> Steps[Setup]:
    """Finds the language and the turn by the first page with enough words.

    Args:
        drawing: Draws the pages.
        wanted: The places of the pages to recognise, from 0.
        language: The code of the document's language, or `AUTO`: then the languages that are there
            are tried, and the one is taken whose words are surest.
        data: The file of each language, by Tesseract's code.
        workers: They do it.
        stop: Ends the work.

    Yields:
        That it goes on.

    Returns:
        The setup.
    """
    code = tesseract_code(language)
    first, *others = [code] if code in data else list(data)[:_MOST_LANGUAGES]
    undrawn: dict[int, tuple[Picture, Future[Upright]] | None] = {}
    for index in wanted[:_MOST_SAMPLES]:
        try:
            picture = drawing.draw(index, stop)
        except CannotDrawError:
            undrawn[index] = picture = None
        if picture is None:
            continue
        begun = workers.set_upright(data[first], picture, 0)
        turn, found = awaited(begun, stop)
        yield Progress(0, len(wanted), "pages", "Recognising")
        if len(found) < _ENOUGH_WORDS:
            continue
        tried = {first: begun}
        for other in others:
            tried[other] = workers.set_upright(data[other], picture, turn)
            awaited(tried[other], stop)
            yield Progress(0, len(wanted), "pages", "Recognising")
        best = max(tried, key=lambda each: tried[each].result()[1].mean_confidence)
        turn = tried[best].result()[0]
        return Setup(best, data[best], turn, {**undrawn, index: (picture, tried[best])})
    return Setup(first, data[first], known=undrawn)


def language_notes(wanted: str, used: str) -> list[str]:
    """What is to be said where a person's language could not be used.

    Args:
        wanted: The code of the document's language, or `AUTO`.
        used: Tesseract's code of the one that was used.

    Returns:
        A sentence, or none.
    """
    if wanted == AUTO or tesseract_code(wanted) == used:
        return []
    name, code = language_of(wanted).name, tesseract_code(wanted)
    return [
        f"The data to recognise {name} is missing: put {code}.traineddata into a folder, set"
        f" {FOLDER_VARIABLE} to that folder, and open the file again."
    ]
