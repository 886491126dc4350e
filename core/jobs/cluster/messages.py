"""What a client and the workers of a cluster send each other: documents and their summaries.

Both are a line of JSON, and an order has the document's bytes behind it. Nothing of a reply is
unpickled, and one that is not what was asked for is the failure of its document alone.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from core.errors import EpitomeError
from core.events import Failed, Steps
from core.export.excerpt import KeptSummary
from core.jobs.cluster.environment import Environment
from core.jobs.sources.sources import SourceRef
from core.jobs.summaries.summarise import BUILT_IN, Summarised, SummariseJob, SummariseSettings
from core.stop import StopToken
from core.storage.parsing import parse_json
from core.summaries.summary import OutlineEntry

_NO_SUMMARY = "The worker's reply is not a summary"


class OtherEnvironmentError(EpitomeError):
    """A worker has another version of Epitome than the client."""


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


def write_order(job: SummariseJob, stop: StopToken) -> Steps[bytes]:
    """Everything a worker needs to do a job: the settings and the document itself.

    Args:
        job: The job; its source is a file, bytes or a text.
        stop: The wish to end.

    Yields:
        How much of the file is read.

    Returns:
        The order.

    Raises:
        EpitomeError: If the file cannot be read, or the job cannot be done by a worker.
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
    head = {
        "environment": asdict(Environment.here()),
        "settings": job.settings.model_dump(
            mode="json", include=set(SummariseSettings.model_fields)
        ),
        "name": name,
        "is_text": is_text,
    }
    return json.dumps(head).encode() + b"\n" + data


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


def read_order(order: bytes) -> SummariseJob | None:
    """The job of an order.

    Args:
        order: What `write_order` gave.

    Returns:
        The job; None if whoever wrote it has another environment.

    Raises:
        ValueError: If it is something else.
    """
    line, _, data = order.partition(b"\n")
    head = parse_json(line)
    if Environment.of(head["environment"]) != Environment.here():
        return None
    name = head["name"]
    source = SourceRef(data=data, name=name)
    if head["is_text"]:
        source = SourceRef(text=data.decode("utf-8", "surrogatepass"), name=name)
    return SummariseJob(source, SummariseSettings.checked(head["settings"]))


def write_reply(answer: Answer | Failed | Environment) -> bytes:
    """A reply: the summary, why there is none, or the environment of a worker that has another."""
    kind = {Answer: "answer", Failed: "failed", Environment: "environment"}[type(answer)]
    return json.dumps({kind: asdict(answer)}).encode()


def read_reply(reply: object, worker: str = "A worker") -> Answer | Failed:
    """What came of an order.

    Args:
        reply: What a worker gave back; it may be anything.
        worker: What to call the worker.

    Returns:
        The summary, or why there is none.

    Raises:
        OtherEnvironmentError: If the worker has another version.
    """
    try:
        if not isinstance(reply, bytes):
            raise ValueError(f"it is of the type {type(reply).__name__}")
        ((kind, value),) = parse_json(reply).items()
        if kind == "environment":
            raise other_environment(worker, Environment.of(value))
        return _parsed(kind, value)
    except (ValueError, TypeError, AttributeError, KeyError) as error:
        reason = " ".join(str(error).split())[:200]
        return Failed(
            f"{_NO_SUMMARY} ({reason}).", "Check the workers of the cluster.", kind="reply"
        )


def _parsed(kind: str, value: Mapping[str, Any]) -> Answer | Failed:
    found = _adapter(Failed if kind == "failed" else Answer).validate_python(value)
    assert isinstance(found, Answer | Failed)
    return found


@cache
def _adapter(kind: type) -> "TypeAdapter[Any]":
    return TypeAdapter(kind)


def other_environment(worker: str, found: Environment | None) -> OtherEnvironmentError:
    """The error about a worker that cannot work for this client.

    Args:
        worker: What it is called.
        found: What it has; None where that is not known.

    Returns:
        The error.
    """
    has = f"has {found}" if found else "has no Epitome, or another version"
    return OtherEnvironmentError(
        f"{worker} {has}; this machine has {Environment.here()}.",
        "Install the same version on all machines of the cluster, and restart the workers.",
    )


def file_of(job: SummariseJob) -> str:
    """The path of a job's document as its summary names it; empty where it has no file."""
    path: Path | None = job.source.path
    return str(path.absolute()) if path is not None else ""
