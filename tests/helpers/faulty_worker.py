"""Makes a worker faulty: words in a document are commands. Loaded by `dask worker --preload`."""

import os
from collections.abc import Sequence
from typing import Any

from core.jobs.cluster import worker
from tests.helpers.killing import KILL

# Dask loads a preloaded file more than once into the same module.
_summarise = getattr(worker, "_true_summarise", worker.summarise)
_WRONG: dict[bytes, Any] = {
    b"REPLY-NUMBER": 42,
    b"REPLY-TOO-MANY": [b"{}", b"{}", b"{}"],
    b"REPLY-NO-BYTES": ["text"],
    b"REPLY-NO-JSON": [b"\xff{"],
    b"REPLY-NO-SUMMARY": [b'{"answer": {"kept": 1}}'],
}


def summarise(orders: Sequence[bytes]) -> Any:
    """As the true one, unless a document says otherwise."""
    for order in orders:
        if b"KILL-WORKER" in order:
            os.kill(os.getpid(), KILL)
        for word, reply in _WRONG.items():
            if word in order:
                return reply
    return _summarise(orders)


summarise.__module__, summarise.__qualname__ = _summarise.__module__, _summarise.__qualname__
worker._true_summarise, worker.summarise = _summarise, summarise  # type: ignore[attr-defined]
