"""Documents that are summarised by a worker of a cluster."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from core.errors import EpitomeError
from core.events import Event, Failed, Finished, Steps
from core.export.excerpt import KeptSummary
from core.jobs.cluster.messages import read_reply, write_order, write_reply
from core.jobs.sources.sources import SourceRef
from core.jobs.summaries.summarise import BUILT_IN, Summarised, SummariseJob, SummariseSettings
from core.stop import StopToken
from core.summaries.summary import OutlineEntry

KIND = "summary"


@dataclass(frozen=True)
class Answer:
    """The summary of a document, without the document.

    Args:
        kept: The summary with the passages it quotes.
        timings_s: As `Summarised` has them.
        outline: As `Summarised` has it.
    """

    kept: KeptSummary
    timings_s: dict[str, float]
    outline: tuple[OutlineEntry, ...]

    @classmethod
    def of(cls, result: Summarised) -> "Answer":
        """Takes what is needed from a result."""
        kept = KeptSummary.of(result.summary, result.document)
        return cls(kept, result.timings_s, result.outline)

    def at(self, path: str) -> Summarised:
        """The result on the client.

        Args:
            path: The document's file there; empty where it has none.

        Returns:
            What the built-in engine would have given, with the quoted passages for the document.
        """
        summary = self.kept.summary
        summary = replace(summary, source=replace(summary.source, path=path))
        excerpt = replace(self.kept, summary=summary).excerpt
        return Summarised(excerpt, summary, self.timings_s, self.outline)


@dataclass(frozen=True)
class AnswerJob:
    """Summarises the document of an order; runs in the process beside a worker.

    Args:
        job: The summary.
    """

    memory_remedy = SummariseJob.memory_remedy

    job: SummariseJob

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields progress, then `Finished` with the reply."""
        for event in self.job.run(stop):
            if isinstance(event, Finished):
                yield Finished(write_reply(KIND, asdict(Answer.of(event.result))))
            else:
                yield event


def num_bytes(source: SourceRef) -> int:
    """Returns the size of a document; 0 if its file cannot be read, which reading it reports."""
    if source.path is not None:
        with suppress(OSError, ValueError):
            return source.path.stat().st_size
        return 0
    return len(source.data or b"") + len(source.text)


def write_document(job: SummariseJob, stop: StopToken) -> Steps[bytes]:
    """Writes the order for a document: the settings and the document itself.

    Args:
        job: The job; its source is a file, bytes or a text.
        stop: Ends the reading.

    Yields:
        How much of the file is read.

    Returns:
        The order.

    Raises:
        EpitomeError: If the file cannot be read, or no worker can do the job.
    """
    from core.documents.readers.door import bytes_of_file

    _check_possible(job)
    source, is_text, name = job.source, False, job.source.name
    if source.path is not None:
        data = yield from bytes_of_file(source.path, stop)
        name = source.path.name
    elif source.data is not None:
        data = source.data
    else:
        data, is_text = source.text.encode("utf-8", "surrogatepass"), True
    settings = job.settings.model_dump(mode="json", include=set(SummariseSettings.model_fields))
    return write_order(KIND, {"settings": settings, "name": name, "is_text": is_text}, data)


def _check_possible(job: SummariseJob) -> None:
    if job.settings.model != BUILT_IN:
        raise EpitomeError(
            "A cluster summarises with the built-in summariser only, not with "
            f"{job.settings.model}.",
            f"Use the model {BUILT_IN}, or summarise on this machine.",
        )
    if job.source.password:
        raise EpitomeError(
            "Passwords are not sent to a cluster.",
            "Summarise encrypted documents on this machine.",
            kind="password",
        )


def read_job(head: dict[str, Any], data: bytes) -> AnswerJob:
    """Reads the job of an order.

    Args:
        head: The head of the order.
        data: The document.

    Returns:
        The job.
    """
    name = head["name"]
    source = SourceRef(data=data, name=name)
    if head["is_text"]:
        source = SourceRef(text=data.decode("utf-8", "surrogatepass"), name=name)
    return AnswerJob(SummariseJob(source, SummariseSettings.checked(head["settings"])))


def read_summary(reply: object, job: SummariseJob) -> Summarised | Failed:
    """Reads the reply to the order for a document.

    Args:
        reply: Whatever a worker returned.
        job: The job.

    Returns:
        The result, or the reason why there is none.

    Raises:
        OtherEnvironmentError: If the worker has another environment.
    """
    path = job.source.path
    file = str(path.absolute()) if path is not None else ""

    def parse(value: Any, _: bytes) -> Summarised:
        return job.named(_answers().validate_python(value).at(file))

    return read_reply(reply, KIND, parse)


@cache
def _answers() -> "TypeAdapter[Answer]":
    return TypeAdapter(Answer)
