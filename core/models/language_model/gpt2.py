"""Takes over the weights of a model of the form of GPT-2: model.safetensors, never unpickled."""

from collections.abc import Iterator
from pathlib import Path

import torch
from torch import Tensor

from core.errors import EpitomeError
from core.models.language_model.model import LanguageModel
from core.models.parts.randomness import generator
from core.models.weights import named_weights, read_tensors

WEIGHTS_FILE = "model.safetensors"
_REMEDY = "Save the model again with save_pretrained, as one file of safetensors."
_BUFFERS = (".attn.bias", ".attn.masked_bias")  # masks, which older versions kept
_ADDED = ("source_embedding.", "smear.", "pointer.", "output.bias")


@torch.no_grad()
def read_gpt2(model: LanguageModel, folder: Path) -> None:
    """Gives a model the weights of a folder; what GPT-2 does not have is left as drawn.

    Tokens that were added behind its vocabulary get vectors drawn with the spread of the others;
    source embeddings are drawn by the norms of its token vectors.

    Args:
        model: Of the folder's sizes; its vocabulary may be larger, its length smaller.
        folder: With `model.safetensors`.

    Raises:
        EpitomeError: If the file cannot be read, or its names or shapes are not the model's.
    """
    path = folder / WEIGHTS_FILE
    if not path.is_file():
        raise EpitomeError(f"There is no {WEIGHTS_FILE} in {folder}.", _REMEDY)
    found = _named(read_tensors(path))
    if odd := [name for name, tensor in found.items() if not tensor.is_floating_point()]:
        raise EpitomeError(
            f"{path} does not fit the model: “{odd[0]}” is {found[odd[0]].dtype}, and no "
            "floating-point numbers.",
            _REMEDY,
        )
    if model.settings.tied_embeddings:
        head = found.pop("lm_head.weight", None)
        if head is not None and "wte.weight" in found and not head.equal(found["wte.weight"]):
            raise EpitomeError(
                f"{path} holds “lm_head.weight” and “wte.weight”, which config.json ties together, "
                "and they differ.",
                _REMEDY,
            )
    ours = dict(_renamed(found))
    wanted = {name: w for name, w in named_weights(model).items() if not name.startswith(_ADDED)}
    if odd := sorted(ours.keys() ^ wanted.keys()):
        where = "is not the model's" if odd[0] in ours else "is missing"
        raise EpitomeError(
            f"{path} does not fit the model: “{odd[0]}” {where} ({len(odd)} such in all).", _REMEDY
        )
    for name, weight in wanted.items():
        _copy(path, name, weight, ours[name], model.settings.seed)
    model.draw_source_embeddings()


def _named(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    """By names that do not say whether the output is among them."""
    named = {name.removeprefix("transformer."): each for name, each in tensors.items()}
    return {name: each for name, each in named.items() if not name.endswith(_BUFFERS)}


def _renamed(found: dict[str, Tensor]) -> Iterator[tuple[str, Tensor]]:
    """The names that the weights have here; matrices are stored the other way round there."""
    parts = {
        "ln_1": "around_attention.norm",
        "ln_2": "around_feed_forward.norm",
        "attn.c_proj": "attention.out",
        "mlp.c_fc": "feed_forward.widen",
        "mlp.c_proj": "feed_forward.narrow",
    }
    whole = {"wte": "embedding", "wpe": "positions", "ln_f": "norm", "lm_head": "output"}
    for name, tensor in found.items():
        place, _, kind = name.rpartition(".")
        if place in whole:
            yield f"{whole[place]}.{'table' if place == 'wpe' else kind}", tensor
            continue
        _, depth, layer = (*place.split(".", 2), "", "")[:3]
        flat = tensor.t() if tensor.dim() == 2 else tensor
        if layer == "attn.c_attn":
            for each, part in zip(("queries", "keys", "values"), flat.chunk(3), strict=True):
                yield f"layers.{depth}.attention.{each}.{kind}", part
        else:
            yield f"layers.{depth}.{parts.get(layer, layer)}.{kind}", flat


def _copy(path: Path, name: str, weight: Tensor, found: Tensor, seed: int) -> None:
    """Copies a weight; of tables as many rows as both have, the rest is drawn."""
    rows = min(len(weight), len(found))
    is_words = name in ("embedding.weight", "output.weight")
    may_differ = is_words or (name == "positions.table" and rows == len(weight))
    shape = (len(weight), *found.shape[1:]) if may_differ else found.shape
    if weight.shape != shape:
        raise EpitomeError(
            f"{path} does not fit the model: “{name}” is {list(found.shape)} there and "
            f"{list(weight.shape)} in the model.",
            _REMEDY,
        )
    weight[:rows] = found[:rows]
    if rows < len(weight):
        weight[rows:].normal_(0.0, float(found.float().std()), generator=generator(name, seed))
