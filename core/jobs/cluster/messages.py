"""Orders to the workers of a cluster, and their replies.

Both are a line of JSON with bytes behind it. Nothing of a reply is unpickled, and one of another
form is the failure of its order only.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, Final, TypeVar

from pydantic import TypeAdapter

from core.errors import EpitomeError
from core.events import Failed
from core.jobs.cluster.environment import Environment
from core.storage.parsing import parse_json

T = TypeVar("T")
_FAILED: Final = TypeAdapter(Failed)
_ENVIRONMENT: Final = "environment"


class OtherEnvironmentError(EpitomeError):
    """A worker has another version of Epitome than the client."""


def write_order(kind: str, head: Mapping[str, Any], data: bytes) -> bytes:
    """Writes an order.

    Args:
        kind: The kind of the job, as `core.jobs.cluster.worker` names it.
        head: What the worker needs besides the data, as plain values.
        data: What the worker reads.

    Returns:
        The order, with the environment of this process.
    """
    values = {_ENVIRONMENT: asdict(Environment.here()), "kind": kind, **head}
    return json.dumps(values).encode() + b"\n" + data


def read_order(order: bytes) -> tuple[str, dict[str, Any], bytes] | None:
    """Reads an order.

    Args:
        order: As `write_order` gives it.

    Returns:
        Its kind, head and data; None if the client has another environment.

    Raises:
        ValueError: If it is something else.
    """
    line, _, data = order.partition(b"\n")
    head = parse_json(line)
    if Environment.of(head[_ENVIRONMENT]) != Environment.here():
        return None
    return head["kind"], head, data


def write_reply(kind: str, value: Any, data: bytes = b"") -> bytes:
    """Writes the reply to an order: plain values under the name of what they are, and bytes."""
    return json.dumps({kind: value}).encode() + b"\n" + data


def write_failure(failure: Failed) -> bytes:
    """Writes the reply of a worker whose job failed."""
    return write_reply("failed", asdict(failure))


def write_environment() -> bytes:
    """Writes the reply of a worker with another environment than the client."""
    return write_reply(_ENVIRONMENT, asdict(Environment.here()))


def read_reply(reply: object, kind: str, parse: Callable[[Any, bytes], T]) -> T | Failed:
    """Reads the reply to an order.

    Args:
        reply: Whatever a worker returned.
        kind: What it should be ("summary").
        parse: Makes the result of the values and the bytes; may raise what wrong values raise.

    Returns:
        The result, or the reason why there is none.

    Raises:
        OtherEnvironmentError: If the worker has another environment.
    """
    try:
        if not isinstance(reply, bytes):
            raise ValueError(f"it is of the type {type(reply).__name__}")
        line, _, data = reply.partition(b"\n")
        ((name, value),) = parse_json(line).items()
        if name == _ENVIRONMENT:
            raise other_environment("A worker", Environment.of(value))
        if name == "failed":
            return _FAILED.validate_python(value)
        if name != kind:
            raise ValueError(f"it is named “{name}”")
        return parse(value, data)
    except (ValueError, TypeError, AttributeError, KeyError) as error:
        reason = " ".join(str(error).split())[:200]
        return Failed(
            f"The worker's reply is not a {kind} ({reason}).",
            "Check the workers of the cluster.",
            kind="reply",
        )


def other_environment(worker: str, environment: Environment | None) -> OtherEnvironmentError:
    """Returns the error about a worker that cannot work for this client.

    Args:
        worker: The worker's name.
        environment: Its environment; None if it is unknown.

    Returns:
        The error.
    """
    has = f"has {environment}" if environment else "has no Epitome, or another version"
    return OtherEnvironmentError(
        f"{worker} {has}; this machine has {Environment.here()}.",
        "Install the same version on all machines of the cluster, and restart the workers.",
    )
