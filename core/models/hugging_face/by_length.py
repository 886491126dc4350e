"""Models of the library that compute a row in another way when its batch is longer.

BigBird-PEGASUS attends sparsely over more than so many tokens, in blocks counted from the end of
the batch; rotary positions of the kind "longrope" (Phi-3) are scaled by the longest row; some
language models count the columns of padding as positions. Rows of different classes of length are
computed apart here, so that a row does not depend on its neighbours.

Letters: N rows, S and T positions of sources and of whole rows, D width, V vocabulary.
"""

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from transformers.modeling_outputs import BaseModelOutput

from core.models.protocol import Decodable

_SPARSE, _FULL = "block_sparse", "original_full"
_COUNT_DISTANCES = ("bloom", "mpt")  # ALiBi: padding before a row changes no distance in it
_COMPRESS_COLUMNS = ("deepseek_v4",)  # several columns become one key, padding among them


@dataclass
class EncoderOutput(BaseModelOutput):
    """An encoder's output, with the field that mixtures of experts look for."""

    router_logits: Any = None


def is_sparse(inner: Any) -> bool:
    """True for a BigBird-PEGASUS whose attention is sparse over long texts."""
    return getattr(inner.config, "attention_type", "") == _SPARSE


def needs_equal_lengths(inner: Any) -> bool:
    """True if a language model computes a row otherwise beside longer ones."""
    kind, reads = inner.config.model_type, inspect.signature(inner.forward).parameters
    counts_columns = "position_ids" not in reads and kind not in _COUNT_DISTANCES
    return counts_columns or kind in _COMPRESS_COLUMNS or bool(_long_scales(inner))


def _long_scales(inner: Any) -> set[int]:
    """The lengths above which rotary positions are scaled otherwise.

    The kind "dynamic" is not among them: it begins behind the last position that is used here.
    """
    rotary = getattr(inner.config, "rope_parameters", None) or {}
    nested = [each for each in rotary.values() if isinstance(each, dict)]  # by kind of layer
    return {
        int(each["original_max_position_embeddings"])
        for each in (rotary, *nested)
        if each.get("rope_type") == "longrope"
    }


def choose_attention_by_mask(inner: Any) -> None:
    """Lets each encoder layer of a BigBird-PEGASUS attend as the masks it is given say.

    The library changes all layers at once, which gradient checkpointing would meet again in its
    backward pass: the layers would be those of the class that was computed last.
    """
    if not is_sparse(inner):
        return

    def choose(attention: Any, args: Any, given: dict[str, Any]) -> None:
        kind = _FULL if given.get("band_mask") is None else _SPARSE
        with torch.device("meta"):  # draws nothing; the projections stay those of the layer
            attention.set_attention_type(kind)

    for layer in inner.get_encoder().layers:
        layer.self_attn.register_forward_pre_hook(choose, with_kwargs=True)


def encode(inner: Any, tokens: Tensor, present: Tensor) -> EncoderOutput:
    """Runs the encoder of a BigBird-PEGASUS on one class of lengths after the other.

    Args:
        inner: The library's model, after `choose_attention_by_mask`.
        tokens: [N, T] of the sources; padding is behind them.
        present: [N, T] int64, 0 at padding.

    Returns:
        Its output; `last_hidden_state` is [N, T, D], 0 behind the width of a class.
    """
    encoder, config = inner.get_encoder(), inner.config
    lengths = present.sum(1)
    most_full = (5 + 2 * config.num_random_blocks) * config.block_size
    num_blocks = -(-lengths // config.block_size)
    classes = torch.where(lengths <= most_full, 0, num_blocks)
    encoded = None
    for rows in _classes(classes):
        width = int(lengths[rows].max())
        encoder.attention_type = _FULL if width <= most_full else _SPARSE
        output = encoder(input_ids=tokens[rows, :width], attention_mask=present[rows, :width])
        part = nn.functional.pad(output.last_hidden_state, (0, 0, 0, tokens.shape[1] - width))
        if len(rows) == len(tokens):
            return EncoderOutput(last_hidden_state=part)
        encoded = part.new_zeros(*tokens.shape, part.shape[2]) if encoded is None else encoded
        encoded = encoded.index_copy(0, rows, part)
    return EncoderOutput(last_hidden_state=encoded)


def length_classes(inner: Any, sources: Tensor, lengths: Tensor) -> list[Tensor]:
    """Divides the rows of a language model into those that may be computed side by side.

    Args:
        inner: The library's model.
        sources: [N] int64, the tokens of each source.
        lengths: [N] int64, those of each whole row.

    Returns:
        The numbers of the rows of each class, [n] int64.
    """
    scaled = torch.stack([lengths * 0, *(lengths > scale for scale in _long_scales(inner))])
    return _classes(torch.stack([sources, scaled.sum(0)], 1))


def _classes(kinds: Tensor) -> list[Tensor]:
    """The numbers of the rows of each kind, [N] or [N, K], from the lowest kind on."""
    numbers = kinds.unique(dim=0, return_inverse=True)[1]
    return [(numbers == number).nonzero()[:, 0] for number in range(int(numbers.max()) + 1)]


@dataclass(frozen=True)
class GroupedState:
    """What is remembered of N rows, in groups of equal lengths.

    Args:
        groups: Of each group its rows, [n] int64, and the state of these.
    """

    groups: tuple[tuple[Tensor, Any], ...]


class ByLengthDecoder:
    """Keeps the decoding protocol by another decoder that only ever sees rows of equal length.

    Args:
        decoder: The decoder of the rows of one length.
        device: The model's.
    """

    def __init__(self, decoder: Decodable[Any], device: torch.device) -> None:
        self._decoder, self._device = decoder, device
        self.vocabulary_size = decoder.vocabulary_size
        self.start_ids, self.end_id = decoder.start_ids, decoder.end_id

    def begin(self, sources: Sequence[Sequence[int]]) -> GroupedState:
        """Reads the sources, those of one length side by side; see `Decodable`."""
        lengths = torch.tensor([len(source) for source in sources], device=self._device)
        return GroupedState(
            tuple(
                (rows, self._decoder.begin([sources[row] for row in rows.tolist()]))
                for rows in _classes(lengths)
            )
        )

    def advance(self, state: GroupedState, tokens: Tensor) -> tuple[Tensor, GroupedState]:
        """Feeds one token a row, group after group; see `Decodable`."""
        parts: list[Tensor] = []
        groups: list[tuple[Tensor, Any]] = []
        for rows, remembered in state.groups:
            log_probs, after = self._decoder.advance(remembered, tokens[rows])
            parts.append(log_probs)
            groups.append((rows, after))
        return _in_order(state, parts), GroupedState(tuple(groups))

    def reorder(self, state: GroupedState, rows: Tensor) -> GroupedState:
        """Takes rows of the groups; one without any is given up; see `Decodable`."""
        groups = []
        for members, remembered in state.groups:
            new, old = (rows[:, None] == members).nonzero().unbind(1)
            if len(new):
                groups.append((new, self._decoder.reorder(remembered, old)))
        return GroupedState(tuple(groups))

    def room(self, state: GroupedState) -> Tensor:
        """As that of the groups; see `Decodable`."""
        return _in_order(state, [self._decoder.room(each) for _, each in state.groups])


def _in_order(state: GroupedState, parts: Sequence[Tensor]) -> Tensor:
    """The values of all groups, [N, …], in the order of the rows."""
    rows = torch.cat([members for members, _ in state.groups])
    return torch.cat(list(parts))[rows.argsort()]
