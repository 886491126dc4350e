"""Refuses weights of a folder that the library would read as something else, before it does."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from safetensors import safe_open
from torch import Tensor

from core.errors import EpitomeError
from core.models.hugging_face.loading_report import REMEDY, quote
from core.models.hugging_face.lora import plain_name
from core.models.weights_header import FLOATS, read_head


def check_stored(folder: Path, files: Iterable[Path], model: Any) -> None:
    """Refuses weights of kinds that are not read, and tied ones of which there are two versions.

    The library takes whole numbers for real ones, and one of two versions of a tied tensor.

    Args:
        folder: The model's.
        files: Its files of weights.
        model: The library's model that is to get them.

    Raises:
        EpitomeError: If there are any; it names one.
    """
    places = {name: (file, each) for file in files for name, each in read_head(file).items()}
    state = {plain_name(name): weight for name, weight in model.state_dict().items()}
    for name, (_, tensor) in places.items():
        known = state.get(name)
        is_weight = name.endswith(".weight") if known is None else known.is_floating_point()
        if is_weight and tensor.dtype not in FLOATS:
            raise EpitomeError(
                f"The weights in {folder} have a number format that Epitome does not read: "
                f"{quote(name)} is {tensor.dtype}; F32, F16 and BF16 are read.",
                REMEDY,
            )
    prefix = f"{model.base_model_prefix}."
    for names in _tied_names(model):
        forms = {form for name in names for form in (name, name.removeprefix(prefix))}
        first, *others = sorted(forms & places.keys()) or [""]
        for other in others:
            if not _read(places[first][0], first).equal(_read(places[other][0], other)):
                raise EpitomeError(
                    f"The weights in {folder} hold {quote(first)} and {quote(other)}, which "
                    "config.json ties together, and they differ.",
                    REMEDY,
                )


def _tied_names(model: Any) -> Iterable[list[str]]:
    """The names of parameters that have several."""
    names: dict[int, list[str]] = {}
    for name, weight in model.named_parameters(remove_duplicate=False):
        names.setdefault(id(weight), []).append(plain_name(name))
    return [several for several in names.values() if several[1:]]


def _read(file: Path, name: str) -> Tensor:
    with safe_open(file, "pt") as opened:
        tensor: Tensor = opened.get_tensor(name)
        return tensor.float()
