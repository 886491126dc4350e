"""The processes that train a run together: one, or as many as were launched.

Gradients are summed, not averaged, over the processes: each has divided by the loss tokens of the
whole step before. So a run's result does not depend on how many there are, or on how many machines.

How they meet stands in `core.training.meeting`. Only numbers and text are exchanged, no pickles.
"""

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar, get_args

import torch
from torch import Tensor, distributed, nn

from core.errors import EpitomeError
from core.stop import Wish
from core.training.meeting import TEAMMATE, Meeting

T = TypeVar("T")

_MAX_GROUP = 1 << 24  # elements summed at once: few enough for memory, many enough for speed
_WISHES: tuple[Wish, ...] = get_args(Wish)


class TeammateError(Exception):
    """Another process failed in a way nobody foresaw; says which and how."""


class Team:
    """This process among those of its run.

    Args:
        device: Where tensors lie; of several processes with CUDA, each takes its own.
        meeting: Where the others were met; None to meet them now.

    Raises:
        EpitomeError: If there is no device for this process, or the others cannot be joined.
    """

    def __init__(self, device: torch.device, meeting: Meeting | None = None) -> None:
        meeting = meeting or Meeting()
        self.device = device
        self.rank, self.count, self.hosts = meeting.rank, meeting.count, meeting.hosts
        if self.count > 1:
            self.device = _own_device(device)
            meeting.join("nccl" if device.type == "cuda" else "gloo")

    @property
    def exact_device(self) -> torch.device:
        """Where float64 can be summed: Apple's devices have none."""
        return torch.device("cpu") if self.device.type == "mps" else self.device

    @property
    def leads(self) -> bool:
        """Whether this process writes what all have made."""
        return self.rank == 0

    @property
    def is_first_here(self) -> bool:
        """Whether this process is the first of those on its machine."""
        return os.environ.get("LOCAL_RANK", str(self.rank)) == "0"

    def share(self, rows: Iterable[T]) -> list[T]:
        """The part of a step's rows that is this process's."""
        return list(rows)[self.rank :: self.count]

    def sum(self, values: Tensor) -> Tensor:
        """Adds up what each process has; in place.

        Args:
            values: Of the same shape and dtype in every process.

        Returns:
            The same tensor, with the sum in every process.

        Raises:
            EpitomeError: If another process is gone.
        """
        if self.count > 1:
            with self._told_if_lost():
                distributed.all_reduce(values)
        return values

    def spread(self, values: Tensor) -> Tensor:
        """Gives every process the first one's values; in place.

        Args:
            values: Of the same shape and dtype in every process.

        Returns:
            The same tensor.

        Raises:
            EpitomeError: If another process is gone.
        """
        if self.count > 1:
            with torch.no_grad(), self._told_if_lost():
                whole = values.detach().contiguous()
                distributed.broadcast(whole, 0)
                values.copy_(whole)
        return values

    def told(self, text: str) -> str:
        """The first process's text, in every process; the others' own is ignored."""
        return text if self.count == 1 else self._broadcast(text.encode(), 0).decode()

    def sum_gradients(self, weights: Iterable[nn.Parameter]) -> None:
        """Adds up the gradients of every process; one that has none counts as 0.

        Frozen weights get none.
        """
        if self.count == 1:
            return
        for group in _groups(weight for weight in weights if weight.requires_grad):
            for weight in group:
                weight.grad = torch.zeros_like(weight) if weight.grad is None else weight.grad
            gradients = [weight.grad for weight in group if weight.grad is not None]
            summed = self.sum(torch.cat([gradient.flatten() for gradient in gradients]))
            sizes = [gradient.numel() for gradient in gradients]
            for gradient, part in zip(gradients, summed.split(sizes), strict=True):
                gradient.copy_(part.view_as(gradient))

    def wait(self) -> None:
        """Waits until every process has come this far."""
        self.sum(torch.zeros(1, device=self.device))

    def agreed_wish(self, wish: Wish) -> Wish:
        """The first process's wish, in every process; the others' own is ignored."""
        if self.count == 1:
            return wish
        told = torch.tensor([_WISHES.index(wish) if self.leads else 0], device=self.device)
        return _WISHES[int(self.sum(told))]

    @contextmanager
    def together(self) -> Iterator[None]:
        """Makes what fails in one process fail in all, so that none waits for it in vain.

        Every process must enter the block, and nothing in it may wait for the others.

        Yields:
            None: each process does its own part inside the block.

        Raises:
            EpitomeError: The one that was raised in this process, or in another.
            TeammateError: If another process raised something else.
        """
        error: Exception | None = None
        try:
            yield
        except Exception as raised:
            error = raised
        if self.count == 1:
            if error:
                raise error
            return
        failing = self._first_failing(error is not None)
        if error:
            self._tell(error, failing)
            raise error
        if failing is not None:
            raise self._heard(failing)

    def _first_failing(self, failed: bool) -> int | None:
        flags = torch.zeros(self.count, dtype=torch.int64, device=self.device)
        flags[self.rank] = failed
        found = self.sum(flags).nonzero()
        return int(found[0]) if len(found) else None

    def _tell(self, error: Exception, teller: int | None) -> None:
        if teller != self.rank:  # another failed too, and its words are heard
            self._heard(teller or 0)
            return
        words = [type(error).__name__, str(error)]
        if isinstance(error, EpitomeError):
            words = [error.message, error.remedy, error.kind]
        self._broadcast(json.dumps(words).encode(), self.rank)

    def _heard(self, teller: int) -> Exception:
        words = json.loads(self._broadcast(b"", teller))
        host = self.hosts[teller]
        if len(words) == 3:
            message, remedy, kind = words
            where = f" (on {host})." if host != self.hosts[self.rank] else "."
            return EpitomeError(message.removesuffix(".") + where, remedy, kind)
        name, text = words
        return TeammateError(f"process {teller + 1} of {self.count} raised {name}: {text}")

    def _broadcast(self, data: bytes, teller: int) -> bytes:
        """What one process has to say, in every process; the others' own is ignored."""
        size = torch.tensor([len(data)], device=self.device)
        with self._told_if_lost():
            distributed.broadcast(size, teller)
            said = torch.zeros(int(size), dtype=torch.uint8, device=self.device)
            if self.rank == teller:
                said.copy_(torch.frombuffer(bytearray(data), dtype=torch.uint8))
            distributed.broadcast(said, teller)
        return said.cpu().numpy().tobytes()

    @contextmanager
    def _told_if_lost(self) -> Iterator[None]:
        try:
            yield
        except RuntimeError as error:
            apart = len(set(self.hosts)) > 1
            or_machine = ", or its machine cannot be reached" if apart else ""
            where = ", on the machines that are left" if apart else ""
            raise EpitomeError(
                f"Another process of this run has ended{or_machine}, so this one cannot continue.",
                f"Resume the run with --resume{where}.",
                TEAMMATE,
            ) from error


def leave_team() -> None:
    """Closes the connections to the others, if there are any; also after a failure.

    A process that ends with open ones may be aborted by their threads.
    """
    if distributed.is_available() and distributed.is_initialized():
        distributed.destroy_process_group()


def _own_device(device: torch.device) -> torch.device:
    if device.type == "mps":
        raise EpitomeError(
            "Several processes work on the device cpu or cuda only; the device was mps.",
            "Choose --device cpu, or --processes 1.",
        )
    if device.type != "cuda":
        return device
    number, there = int(os.environ.get("LOCAL_RANK", "0")), torch.cuda.device_count()
    if number >= there:
        raise EpitomeError(
            f"Each process needs its own GPU: process {number + 1} has none, as this machine has "
            f"{there}.",
            f"Use --processes {there} at most, or --device cpu.",
        )
    device = torch.device("cuda", number)
    torch.cuda.set_device(device)
    return device


def _groups(weights: Iterable[nn.Parameter]) -> Iterable[list[nn.Parameter]]:
    group: list[nn.Parameter] = []
    size = 0
    for weight in weights:
        if group and size + weight.numel() > _MAX_GROUP:
            yield group
            group, size = [], 0
        group.append(weight)
        size += weight.numel()
    if group:
        yield group
