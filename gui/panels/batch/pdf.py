"""All summaries of a batch as one PDF; Qt lays them out in a process beside the window."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from PySide6.QtGui import QGuiApplication

from core.events import Event, Finished, Progress, Started
from core.jobs.batches.export import BatchExported, opened_batch
from core.stop import StopToken
from core.storage.atomic_files import open_whole
from gui.theme.fonts import register_fonts
from gui.widgets.reading.paper import PdfCollection


@dataclass(frozen=True)
class ExportPdfJob:
    """Writes the summaries of a batch as a PDF with a page of contents.

    Args:
        folder: The folder of the batch.
        path: The file.
        numbers: The documents whose summaries are written; empty for all.
        replace: Whether a file that is there is replaced.
    """

    folder: Path
    path: Path
    numbers: tuple[int, ...] = ()
    replace: bool = False

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Writes the summaries.

        Args:
            stop: The wish to end early; then nothing is left of the file.

        Yields:
            How many are laid out, then `Finished` with a `BatchExported`.

        Raises:
            EpitomeError: If nothing is done yet, a source would be replaced, or nothing can be
                written there.
        """
        yield Started("Exporting")
        _application()
        with opened_batch(self.folder, self.path, self.numbers, stop) as batch:
            pdf = PdfCollection(batch.title, quotations=batch.quotations)
            with open_whole(
                self.path, "Choose another name.", replace=self.replace, makes_folder=False
            ) as file:
                for done in pdf.write(Path(file.name), batch.items):  # Qt opens it once more
                    yield Progress(done, 2 * batch.total, "summaries", "Exporting")
        yield Finished(BatchExported(self.path, batch.items.number))


@cache
def _application() -> QGuiApplication | None:
    """What Qt needs to lay out text where there is no window; kept for the next file."""
    if QGuiApplication.instance() is not None:
        return None
    application = QGuiApplication(["epitome", "-platform", "offscreen"])
    register_fonts()
    return application
