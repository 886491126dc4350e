"""The Transformer as decoding wants it: it writes token by token, from caches.

Letters: N rows that are written, M sources they read, S positions of the longest memory, H heads,
K width of a head.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from core.models.parts.pointer import Source
from core.models.parts.source_rows import (
    attend_to_sources,
    batch_of_sources,
    check_sources,
    row_numbers,
)
from core.models.transformer.layers import DecoderLayer
from core.models.transformer.model import Transformer
from core.models.transformer.written import Written


@dataclass(frozen=True)
class TransformerState:
    """What is remembered of N rows that are written from M sources.

    A source is kept once, however many rows read it.

    Args:
        origins: [N] int64, the source that each row reads.
        numbers: [N] int64, which of the rows of its source each row is.
        offered: [depth, 2, M, H, S, K], keys and values of the sources for each layer.
        present: [M, S] bool, False at padding; None without padding.
        written: Of each layer, the caches of what is written.
        num_fed: How many tokens each row was fed.
        last: [N] int64, the token that each row was fed last; None before the first.
        copied: What the M sources offer to copy; None where the model does not.
    """

    origins: Tensor
    numbers: Tensor
    offered: Tensor
    present: Tensor | None
    written: Sequence[list[Written]]
    num_fed: int = 0
    last: Tensor | None = None
    copied: Source | None = None


class TransformerDecoder:
    """Keeps the decoding protocol for a Transformer.

    Args:
        model: The model, with its weights as they are now.
        start_ids: What every text begins with; one id or more.
        end_id: The token that ends a text.
    """

    def __init__(self, model: Transformer, start_ids: Sequence[int], end_id: int) -> None:
        self.vocabulary_size = model.settings.vocabulary_size
        self.start_ids, self.end_id = tuple(start_ids), end_id
        self._model = model
        self._layers = [model.decoder_layer(d) for d in range(model.settings.decoder_depth)]

    @torch.no_grad()
    def begin(self, sources: Sequence[Sequence[int]]) -> TransformerState:
        """Runs the encoder once, over all sources; see `Decodable`."""
        check_sources(sources, self._model.settings.source_length)
        memory = self._model.encode(batch_of_sources(sources, self._model.output.weight.device))
        offers = [
            torch.stack(layer.cross_attention.offer(memory.vectors)) for layer in self._layers
        ]
        rows, places = len(sources), self._model.settings.target_length
        written = [layer.attention.begin(rows, places) for layer in self._layers]
        origins = torch.arange(rows, device=memory.vectors.device)
        numbers = torch.zeros_like(origins)
        copied = None if self._model.pointer is None else self._model.copied(memory)
        offered = torch.stack(offers)
        return TransformerState(origins, numbers, offered, memory.present, written, copied=copied)

    @torch.no_grad()
    def advance(self, state: TransformerState, tokens: Tensor) -> tuple[Tensor, TransformerState]:
        """Runs the decoder on one token a row; see `Decodable`."""
        places = torch.full_like(tokens, state.num_fed)
        x = self._model.next_vectors(tokens, state.last, places)
        for depth, layer in enumerate(self._layers):
            x = _advance(layer, state, depth, x)
        hidden = self._model.decoder_norm(x)
        logits = self._model.output(hidden)
        if self._model.pointer is not None and state.copied is not None:
            copied = state.copied.rows(state.origins)
            both = hidden[:, None], logits[:, None]
            log_probs = self._model.pointer.log_probs(*both, copied)[:, 0]
        else:
            exact = torch.promote_types(logits.dtype, torch.float32)
            log_probs = logits.to(exact).log_softmax(-1)
        return log_probs, replace(state, num_fed=state.num_fed + 1, last=tokens)

    def reorder(self, state: TransformerState, rows: Tensor) -> TransformerState:
        """Takes rows of what is written; sources only when some leave; see `Decodable`."""
        for caches in state.written:
            for cache in caches:
                cache.reorder(rows)
        used, origins = state.origins[rows].unique(return_inverse=True)
        offered, present, copied = state.offered, state.present, state.copied
        if len(used) < offered.shape[2]:
            offered = offered.index_select(2, used)
            present = None if present is None else present[used]
            copied = None if copied is None else copied.rows(used)
        return TransformerState(
            origins,
            row_numbers(origins),
            offered,
            present,
            state.written,
            state.num_fed,
            None if state.last is None else state.last[rows],
            copied,
        )

    def room(self, state: TransformerState) -> Tensor:
        """The target's places less the tokens that were fed; see `Decodable`."""
        return torch.full_like(state.origins, self._model.settings.target_length - state.num_fed)


def _advance(layer: DecoderLayer, state: TransformerState, depth: int, x: Tensor) -> Tensor:
    """[N, D] to [N, D]; what the layer needs of this position later is written down."""

    def attend(normed: Tensor) -> Tensor:
        return layer.attention.advance(normed, state.written[depth])

    def look_up(normed: Tensor) -> Tensor:
        query = layer.cross_attention.ask(normed[:, None])[:, :, 0]  # [N, H, K]
        keys, values = state.offered[depth]
        rows = state.present, state.origins, state.numbers
        found = attend_to_sources(query, keys, values, *rows)
        return layer.cross_attention.join(found[:, :, None])[:, 0]

    x = layer.around_cross_attention(layer.around_attention(x, attend), look_up)
    return layer.around_feed_forward(x, layer.feed_forward)
