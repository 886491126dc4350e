"""Makes a worker faulty: words in a document are commands. Loaded by `dask worker --preload`."""

import os
from collections.abc import Sequence
from typing import Any

from core.jobs.cluster import worker
from tests.helpers.killing import KILL

# Dask loads a preloaded file more than once into the same module.
_run_orders = getattr(worker, "_true_run_orders", worker.run_orders)
_WRONG: dict[bytes, Any] = {
    b"REPLY-NUMBER": 42,
    b"REPLY-TOO-MANY": [b"{}", b"{}", b"{}"],
    b"REPLY-NO-BYTES": ["text"],
    b"REPLY-NO-JSON": [b"\xff{"],
    b"REPLY-NO-SUMMARY": [b'{"summary": {"kept": 1}}'],
}


def run_orders(orders: Sequence[bytes]) -> Any:
    """As the true one, unless a document says otherwise."""
    for order in orders:
        if b"KILL-WORKER" in order:
            os.kill(os.getpid(), KILL)
        for word, reply in _WRONG.items():
            if word in order:
                return reply
    return _run_orders(orders)


run_orders.__module__, run_orders.__qualname__ = _run_orders.__module__, _run_orders.__qualname__
worker._true_run_orders, worker.run_orders = _run_orders, run_orders  # type: ignore[attr-defined]
