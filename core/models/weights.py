"""Weights as safetensors: named, checked, never unpickled."""

from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor, nn

from core.errors import EpitomeError, of_system
from core.models.weights_header import FLOATS, read_head
from core.storage.regular_files import read_regular

_REMEDY = "Use a checkpoint that this model made."


def named_weights(model: nn.Module) -> dict[str, Tensor]:
    """A model's parameters and lasting buffers by name, those that have several names once."""
    lasting = model.state_dict().keys()
    buffers = {name: each for name, each in model.named_buffers() if name in lasting}
    return {name: weight.detach() for name, weight in model.named_parameters()} | buffers


def write_tensors(path: Path, tensors: Mapping[str, Tensor]) -> None:
    """Writes tensors as safetensors.

    Args:
        path: The file.
        tensors: By name; they may lie on any device.

    Raises:
        OSError: If it cannot be written.
    """
    path.write_bytes(save({name: each.cpu().contiguous() for name, each in tensors.items()}))


def read_tensors(path: Path) -> dict[str, Tensor]:
    """Reads what `write_tensors` wrote.

    Args:
        path: The file.

    Returns:
        By name, on the CPU.

    Raises:
        EpitomeError: If it cannot be read, or is no such file.
    """
    try:
        return load(read_regular(path, None))
    except OSError as error:
        raise of_system(error, f"{path} cannot be read", _REMEDY) from error
    except SafetensorError as error:
        raise EpitomeError(f"{path} holds no tensors ({error}).", _REMEDY) from error


def check_head(path: Path, expected: Mapping[str, Tensor]) -> None:
    """Refuses a file of weights that are not a model's, by the head of the file.

    Args:
        path: The file.
        expected: The model's, as `core.models.builders.weights_on_meta` has them.

    Raises:
        EpitomeError: If the file cannot be read, or its names, shapes or kinds are not the model's.
    """
    found = {
        name: torch.empty(
            stored.shape, dtype=torch.float if stored.dtype in FLOATS else torch.int, device="meta"
        )
        for name, stored in read_head(path).items()
    }
    check_same(Path(path.name), found, expected)


def read_weights(path: Path, model: nn.Module) -> None:
    """Gives a model the weights of a file.

    Args:
        path: What `write_tensors` wrote of `named_weights`.
        model: Of the same sizes; it keeps its dtype and device.

    Raises:
        EpitomeError: If the file cannot be read, or its names or shapes are not the model's.
    """
    found, wanted = read_tensors(path), named_weights(model)
    check_same(path, found, wanted)
    with torch.no_grad():
        for name, weight in wanted.items():
            weight.copy_(found[name])


def check_same(path: Path, found: Mapping[str, Tensor], wanted: Mapping[str, Tensor]) -> None:
    """Refuses tensors whose names or shapes are others than they should be.

    Args:
        path: The file they come from.
        found: What it holds.
        wanted: What it should hold.

    Raises:
        EpitomeError: If they differ.
    """
    if odd := sorted(found.keys() ^ wanted.keys()):
        where = "is not the model's" if odd[0] in found else "is missing"
        told = f"{path} does not fit the model: “{odd[0]}” {where} ({len(odd)} such in all)."
        raise EpitomeError(told, _REMEDY)
    for name, tensor in sorted(found.items()):
        if tensor.shape != wanted[name].shape:
            raise EpitomeError(
                f"{path} does not fit the model: “{name}” is {list(tensor.shape)} there and "
                f"{list(wanted[name].shape)} in the model.",
                _REMEDY,
            )
        if tensor.is_floating_point() != wanted[name].is_floating_point():
            raise EpitomeError(
                f"{path} does not fit the model: “{name}” is {tensor.dtype} there and "
                f"{wanted[name].dtype} in the model.",
                _REMEDY,
            )
