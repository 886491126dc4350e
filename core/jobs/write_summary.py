"""Lets a trained model write the summary of a document that is open in the window."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from core.data.needs import needs_training
from core.documents.document import Document
from core.events import Event, Finished, Started
from core.jobs.laps import Laps
from core.stop import StopToken
from core.summary import Length


@dataclass(frozen=True)
class WriteSummaryJob:
    """Loads the model of a run and lets it write.

    Args:
        document: What it reads.
        run_folder: The run's folder.
        length: How long the summary may be.
        seconds: How long reading the document took, to be said with the result.
    """

    document: Document
    run_folder: Path
    length: Length
    seconds: float = 0.0

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields how far it is, then `Finished` with the `core.summary.Summary`."""
        yield Started("Writing")
        laps = Laps()
        with needs_training("Trained models write"):
            from core.summarisers.trained import TrainedSummariser
            from core.training.opened import open_model

        opened = open_model(self.run_folder)
        summariser = TrainedSummariser(
            opened.name, opened.decoder, opened.tokenizer, opened.length, opened.decoding
        )
        stop.raise_if_set()
        summary = yield from summariser.summarise(self.document, self.length, stop)
        laps.end("write")
        yield Finished(replace(summary, seconds=self.seconds + laps.total_s))
