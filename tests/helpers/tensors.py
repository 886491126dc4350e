"""Watches what is made while something runs: how large, how much of it stays, at what cost."""

from typing import Any

import torch
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode


class _Watch(TorchDispatchMode):
    """Sees every operation, inside custom functions and backward passes too."""

    def __torch_dispatch__(
        self, function: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        result = function(*args, **(kwargs or {}))
        for each in result if isinstance(result, tuple | list) else [result]:
            if isinstance(each, torch.Tensor):
                self.see(function.overloadpacket.__name__, args, each)
        return result

    def see(self, name: str, args: tuple[Any, ...], made: torch.Tensor) -> None:
        """One tensor that an operation has made."""
        raise NotImplementedError


class Largest(_Watch):
    """The most numbers that any tensor holds."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def see(self, name: str, args: tuple[Any, ...], made: torch.Tensor) -> None:
        self.count = max(self.count, made.numel())


class Products(_Watch):
    """How many multiplications the matrix products take."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def see(self, name: str, args: tuple[Any, ...], made: torch.Tensor) -> None:
        if name in ("mm", "bmm", "addmm"):
            self.count += made.numel() * args[1 if name == "addmm" else 0].shape[-1]


class Made(_Watch):
    """Remembers all that is made, without keeping it alive; a model's weights do not count."""

    def __init__(self, model: torch.nn.Module) -> None:
        super().__init__()
        self._made: dict[int, tuple[StorageWeakRef, int]] = {}
        self._weights = {weight.untyped_storage()._cdata for weight in model.parameters()}

    def see(self, name: str, args: tuple[Any, ...], made: torch.Tensor) -> None:
        storage = made.untyped_storage()
        if storage._cdata not in self._weights:
            self._made[storage._cdata] = StorageWeakRef(storage), storage.nbytes()

    def alive_bytes(self) -> int:
        """What is still there, in bytes."""
        return sum(size for storage, size in self._made.values() if not storage.expired())
