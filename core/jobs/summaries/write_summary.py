"""Lets a trained model write the summary of a document that is open in the window."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from core.decoding.engine import EngineChoice
from core.documents.document import Document
from core.events import Event, Finished, Started, Steps
from core.jobs.timings import Timings
from core.stop import StopToken
from core.summaries.length import Length
from core.summaries.summary import Summary
from core.summarisers.warm_model import WARM


@dataclass(frozen=True)
class WriteSummaryJob:
    """Loads the model of a run and lets it write; a wish to stop keeps what is written by then.

    Args:
        document: What it reads.
        run_folder: The run's folder.
        length: How long the summary may be.
        seconds: How long reading the document took, to be said with the result.
    """

    memory_remedy = "Close other programs, or use a shorter document."

    document: Document
    run_folder: Path
    length: Length
    seconds: float = 0.0

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields how far it is, the text as it grows, then `Finished` with the `Summary`."""
        yield Started("Writing")
        timings = Timings()
        summary = yield from write_summary(
            self.document, self.run_folder, self.length, timings, stop, keeps_begun=True
        )
        yield Finished(replace(summary, seconds=self.seconds + timings.total_s))


def write_summary(
    document: Document,
    run_folder: Path,
    length: Length,
    timings: Timings,
    stop: StopToken,
    *,
    keeps_begun: bool = False,
    prompt: str = "",
    engine: EngineChoice = "auto",
) -> Steps[Summary]:
    """Lets the model of a run write; it is loaded if it did not write the last summary.

    Args:
        document: What it reads.
        run_folder: The run's folder.
        length: How long the summary may be.
        timings: Where "load" and "write" are timed.
        stop: The wish to end.
        keeps_begun: Whether a wish to stop gives what was written by then, if there is any.
        prompt: What a Hugging Face model is given; empty for the model's own prompt.
        engine: What computes the model.

    Yields:
        How far it is, and `core.summarisers.events.TextWritten`.

    Returns:
        The summary.

    Raises:
        EpitomeError: If there is no such run, or nothing to run it with.
    """
    summariser = WARM.open(run_folder, engine).prompted(prompt)
    timings.end("load")
    stop.raise_if_set()
    summary = yield from summariser.summarise(document, length, stop, keeps_begun=keeps_begun)
    timings.end("write")
    return summary
