"""Cuts the network off for the tests: this folder stands on their children's PYTHONPATH too.

Only this machine can be reached, so a test proves that what it calls needs nothing else.
"""

import socket
from typing import Any

LOCAL = {"localhost", "127.0.0.1", "::1", "", None}


class NetworkUsedError(RuntimeError):
    """Something reached for the network."""


def _refuse_unless_local(family: int, address: Any) -> None:
    host = address[0] if isinstance(address, tuple) else address
    if family not in (socket.AF_INET, socket.AF_INET6) or host in LOCAL:
        return
    if not str(host).startswith("127."):
        raise NetworkUsedError(f"the tests may not reach {host!r}")


def _guard(name: str) -> None:
    original = getattr(socket.socket, name)

    def guarded(self: socket.socket, *arguments: Any) -> Any:
        _refuse_unless_local(self.family, arguments[-1])
        return original(self, *arguments)

    setattr(socket.socket, name, guarded)


def cut_network() -> None:
    """Makes every way out raise `NetworkUsedError`; a second call does nothing."""
    if getattr(socket, "epitome_network_is_cut", False):
        return
    socket.epitome_network_is_cut = True  # type: ignore[attr-defined]
    for name in ("connect", "connect_ex", "sendto"):
        _guard(name)
    look_up = socket.getaddrinfo

    def guarded_look_up(host: Any, *arguments: Any, **options: Any) -> Any:
        _refuse_unless_local(socket.AF_INET, host)
        return look_up(host, *arguments, **options)

    socket.getaddrinfo = guarded_look_up


cut_network()
