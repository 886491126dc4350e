"""Loads the libraries that reading needs, so that the first document does not wait for them."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module

from core.events import Event, Finished
from core.stop import StopToken

_MODULES = (
    "core.summarisers.built_in",
    "core.documents.readers.door",
    "core.documents.readers.html",
    "core.documents.readers.pdf",
    "pypdfium2",
    "docx",
    "markdown_it",
    "trafilatura",
)


@dataclass(frozen=True)
class WarmUpJob:
    """Imports what the first document will need; leaves at once when a document comes."""

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` when all is loaded."""
        for name in _MODULES:
            stop.raise_if_set()
            import_module(name)
        yield Finished()


def warm_up_choice() -> None:
    """Prepares the choice of a summary, which the window's own thread makes."""
    from core.summarisers.choice import prepare

    prepare("en")
