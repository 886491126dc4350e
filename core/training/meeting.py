"""How the processes of a run meet, and what they tell each other before they train.

Processes that `core.jobs.training.team` has launched meet through a file in a private folder and
talk over the loopback interface. Those of an outside launcher (`torchrun`, `accelerate launch`)
meet through the addresses it puts into the environment, on one machine or on several.
"""

import json
import os
import platform
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import psutil
from torch import distributed
from torch.distributed.rendezvous import rendezvous

from core.errors import EpitomeError
from core.version import VERSION

STORE_VARIABLE = "EPITOME_TEAM_STORE"
"""Names the file through which launched processes meet; its folder belongs to one person alone."""

TEAMMATE = "teammate"
"""The kind of an error that another process of the run has caused."""

_INTERFACE_VARIABLE = "GLOO_SOCKET_IFNAME"
_LOCAL = "127.0.0.1"
_MEETING = timedelta(minutes=10)
# A process that dies is noticed at once by its closed connections, and a machine that is switched
# off by its silence; one that waits for room on a full disk, or that writes long summaries, is
# waited for.
_PATIENCE = timedelta(days=1)
_SILENCE_S, _PROBES = 60, 4
# What must be the same on all machines, so that all compute the same.
_PACKAGES = ("torch", "numpy", "tokenizers", "transformers", "peft")


class Meeting:
    """The place where the processes of a run find each other.

    Of one process alone, nothing is opened.

    Raises:
        EpitomeError: If the others are not met, or have other versions.
    """

    def __init__(self) -> None:
        self.count = int(os.environ.get("WORLD_SIZE", "1"))
        self.rank = int(os.environ.get("RANK", "0")) if self.count > 1 else 0
        self.hosts = (platform.node(),) * self.count
        self._file = os.environ.get(STORE_VARIABLE)
        if self.count > 1:
            with self._met():
                self._store: Any = self._opened()
            if not self._file:  # else all are this installation's, on this machine
                facts = self._facts_of_all()
                self.hosts = tuple(each["host"] for each in facts)
                _check_versions(facts)

    @property
    def leads(self) -> bool:
        """Whether this process is the first."""
        return self.rank == 0

    @property
    def remark(self) -> str:
        """Says that a launcher has named a first machine, but started no team; else empty."""
        if self.count > 1 or "MASTER_ADDR" not in os.environ or "WORLD_SIZE" in os.environ:
            return ""
        return (
            "This run trains alone: the launcher has set MASTER_ADDR, but not WORLD_SIZE and RANK "
            "(accelerate launch needs --multi_gpu, also without a GPU)."
        )

    def told(self, say: Callable[[], str]) -> str:
        """What the first process has to say, in every process.

        Args:
            say: Called in the first process alone.

        Returns:
            What it gave there.

        Raises:
            EpitomeError: The one that it raised there.
        """
        if self.count == 1:
            return say()
        if not self.leads:
            return self._heard()
        try:
            text = say()
        except EpitomeError as error:
            self._store.set("told", json.dumps([error.message, error.remedy, error.kind]))
            raise
        self._store.set("told", json.dumps([text]))
        return text

    def join(self, backend: str) -> None:
        """Connects this process with all others.

        Args:
            backend: "gloo" or "nccl".

        Raises:
            EpitomeError: If one of them cannot be reached.
        """
        with self._met():
            distributed.init_process_group(
                backend,
                store=self._store,
                rank=self.rank,
                world_size=self.count,
                timeout=_PATIENCE,
            )
        watch_connections()

    def _opened(self) -> Any:
        if self._file:
            if loopback := _interface_of(_LOCAL):
                os.environ[_INTERFACE_VARIABLE] = os.environ["NCCL_SOCKET_IFNAME"] = loopback
            store = distributed.FileStore(self._file, self.count)  # type: ignore[attr-defined]
        else:
            _choose_interface()
            store, _, _ = next(rendezvous("env://", timeout=_MEETING))
        store.set_timeout(_MEETING)
        return store

    def _heard(self) -> str:
        with self._met():
            told = json.loads(self._store.get("told"))
        if len(told) == 3:
            raise EpitomeError(*told)
        return str(told[0])

    def _facts_of_all(self) -> list[dict[str, Any]]:
        with self._met():
            self._store.set(f"facts {self.rank}", json.dumps(_facts()))
            return [json.loads(self._store.get(f"facts {rank}")) for rank in range(self.count)]

    @contextmanager
    def _met(self) -> Iterator[None]:
        try:
            yield
        except (RuntimeError, ValueError, OSError) as error:
            why = (str(error).strip().splitlines() or [type(error).__name__])[0][:200].rstrip(".")
            address, port = (os.environ.get(f"MASTER_{what}", "?") for what in ("ADDR", "PORT"))
            raise EpitomeError(
                f"The {self.count} processes of this run did not all meet ({why}).",
                "Start the same command on every machine, and see whether each reaches port "
                f"{port} of {address}."
                if not self._file
                else "Resume the run with --resume.",
                TEAMMATE,
            ) from error


def watch_connections() -> None:
    """Lets the system end this process's connections to machines that fall silent.

    A process that ends closes its connections; a machine that loses power or its network does not,
    and would be waited for. The system asks the other machine, not its process, which may be at
    work for hours.
    """
    for connection in psutil.Process().net_connections("tcp"):
        if connection.status == psutil.CONN_ESTABLISHED and connection.fd >= 0:
            with suppress(OSError), socket.socket(fileno=os.dup(connection.fd)) as opened:
                _watch(opened)


def _watch(opened: socket.socket) -> None:
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    pause_s = _SILENCE_S // _PROBES
    wanted = {
        "TCP_KEEPIDLE": pause_s,
        "TCP_KEEPALIVE": pause_s,  # what macOS calls it
        "TCP_KEEPINTVL": pause_s,
        "TCP_KEEPCNT": _PROBES,
        "TCP_USER_TIMEOUT": 1000 * _SILENCE_S,  # of what is being sent
    }
    for name, value in wanted.items():
        if hasattr(socket, name):
            opened.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def _choose_interface() -> None:
    """Lets gloo use the interface by which this machine reaches the first one.

    By itself it takes the address of the machine's name, which is often that of the loopback.
    """
    address = os.environ.get("MASTER_ADDR", "")
    if _INTERFACE_VARIABLE not in os.environ and (name := _interface_towards(address)):
        os.environ[_INTERFACE_VARIABLE] = name


def _interface_towards(address: str) -> str:
    with suppress(OSError):
        family, kind, _, _, place = socket.getaddrinfo(address, 9, type=socket.SOCK_DGRAM)[0]
        with socket.socket(family, kind) as opened:
            opened.connect(place)  # sends nothing
            return _interface_of(opened.getsockname()[0])
    return ""


def _interface_of(address: str) -> str:
    """The name of the interface with an address of this machine; empty where none has it."""
    names = psutil.net_if_addrs().items()
    return next((name for name, all in names if any(a.address == address for a in all)), "")


def _facts() -> dict[str, Any]:
    versions = {"epitome": VERSION}
    for name in _PACKAGES:
        with suppress(PackageNotFoundError):
            versions[name] = version(name).partition("+")[0]  # for CUDA or without it
    return {"host": platform.node(), "versions": versions}


def _check_versions(facts: list[dict[str, Any]]) -> None:
    first = facts[0]
    for other in facts[1:]:
        for name in ("epitome", *_PACKAGES):
            ours, theirs = (each["versions"].get(name, "none") for each in (first, other))
            if ours != theirs:
                raise EpitomeError(
                    f"The machines of this run have different versions of {name}: {ours} on "
                    f"{first['host']}, {theirs} on {other['host']}.",
                    "Install the same copy of Epitome, with the same parts, on every machine.",
                )
