"""The Reformer encoder-decoder as decoding wants it.

Letters: N rows that are written, M sources they read, L places of the target, S positions of the
longest source, H heads, K width of a head.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
import torch.nn.functional as F
from torch import Tensor

from core.models.parts.modules import SeparateAttention
from core.models.parts.pointer import Source
from core.models.parts.source_rows import (
    attend_to_sources,
    batch_of_sources,
    check_sources,
    row_numbers,
)
from core.models.reformer.encoder_decoder import ReformerEncoderDecoder


@dataclass(frozen=True)
class EncoderDecoderState:
    """What is remembered of N rows that are written from M sources.

    A source is kept once, however many rows read it.

    Args:
        origins: [N] int64, the source that each row reads.
        numbers: [N] int64, which of the rows of its source each row is.
        offered: [depth, 2, M, H, S, K], what the sources offer to each layer: keys and values.
        present: [M, S] bool, False at padding; None without padding.
        written: [depth, 2, N, H, L, K], keys and values of what is written, with room for all.
        num_fed: How many tokens each row was fed.
        last: [N] int64, the token that each row was fed last; None before the first.
        copied: What the M sources offer to copy; None where the model does not.
    """

    origins: Tensor
    numbers: Tensor
    offered: Tensor
    present: Tensor | None
    written: Tensor
    num_fed: int = 0
    last: Tensor | None = None
    copied: Source | None = None


class DecodableEncoderDecoder:
    """Keeps the decoding protocol for a Reformer encoder-decoder.

    Args:
        model: The model, with its weights as they are now.
        start_ids: What every text begins with; one id or more.
        end_id: The token that ends a text.
    """

    def __init__(
        self, model: ReformerEncoderDecoder, start_ids: Sequence[int], end_id: int
    ) -> None:
        self.vocabulary_size = model.settings.vocabulary_size
        self.start_ids, self.end_id = tuple(start_ids), end_id
        self._model = model

    @torch.no_grad()
    def begin(self, sources: Sequence[Sequence[int]]) -> EncoderDecoderState:
        """Runs the encoder once, over all sources; see `Decodable`."""
        check_sources(sources, self._model.settings.source_length)
        source = batch_of_sources(sources, self._model.output.weight.device)
        memory = self._model.encode(source)
        offers = [attention.offer(memory) for attention in self._cross_attentions()]
        offered = torch.stack([torch.stack(offer) for offer in offers]).transpose(3, 4).contiguous()
        depth, _, M, H, _, K = offered.shape
        written = offered.new_empty(depth, 2, M, H, self._model.settings.target_length, K)
        origins = torch.arange(M, device=memory.device)
        numbers = torch.zeros_like(origins)
        state = EncoderDecoderState(origins, numbers, offered, source.present, written)
        if self._model.pointer is None:
            return state
        keys = self._model.pointer.offer(memory)
        return replace(state, copied=Source(keys, source.tokens, source.present))

    @torch.no_grad()
    def advance(
        self, state: EncoderDecoderState, tokens: Tensor
    ) -> tuple[Tensor, EncoderDecoderState]:
        """Runs the decoder on one token a row; see `Decodable`."""
        place = state.origins.new_tensor([state.num_fed])
        a = b = self._model.next_vectors(tokens, state.last, place)  # [N, 1, D]
        for depth in range(len(state.offered)):
            block = self._model.decoder_block(depth)
            a, b = b, a + _attend_to_written(block.attention, state, depth, b)
            a, b = b, a + _attend_to_source(block.cross_attention, state, depth, b)
            a, b = b, a + block.feed_forward(b)
        hidden = self._model.decoder_norm((a + b) / 2)
        logits = self._model.output(hidden)
        if self._model.pointer is not None and state.copied is not None:
            copied = state.copied.rows(state.origins)
            log_probs = self._model.pointer.log_probs(hidden, logits, copied)[:, 0]
        else:
            exact = torch.promote_types(logits.dtype, torch.float32)
            log_probs = logits[:, 0].to(exact).log_softmax(-1)
        return log_probs, replace(state, num_fed=state.num_fed + 1, last=tokens)

    def reorder(self, state: EncoderDecoderState, rows: Tensor) -> EncoderDecoderState:
        """Takes rows of what is written; sources only when some leave; see `Decodable`."""
        written = state.written.new_empty(
            *state.written.shape[:2], len(rows), *state.written.shape[3:]
        )
        fed = slice(state.num_fed)
        written[..., fed, :] = state.written[..., fed, :].index_select(2, rows)
        used, origins = state.origins[rows].unique(return_inverse=True)
        offered, present, copied = state.offered, state.present, state.copied
        if len(used) < offered.shape[2]:
            offered = offered.index_select(2, used)
            present = None if present is None else present[used]
            copied = None if copied is None else copied.rows(used)
        return EncoderDecoderState(
            origins,
            row_numbers(origins),
            offered,
            present,
            written,
            state.num_fed,
            None if state.last is None else state.last[rows],
            copied,
        )

    def room(self, state: EncoderDecoderState) -> Tensor:
        """The target's places less the tokens that were fed; see `Decodable`."""
        return torch.full_like(state.origins, self._model.settings.target_length - state.num_fed)

    def _cross_attentions(self) -> list[SeparateAttention]:
        depths = range(self._model.settings.decoder_depth)
        return [self._model.decoder_block(depth).cross_attention for depth in depths]


def _attend_to_written(
    layer: SeparateAttention, state: EncoderDecoderState, depth: int, x: Tensor
) -> Tensor:
    """[N, 1, D] to [N, 1, D]; what it offers itself is written down, in place."""
    query, key, value = layer.project(x)
    keys, values = state.written[depth]
    keys[:, :, state.num_fed], values[:, :, state.num_fed] = key[:, 0], value[:, 0]
    seen = slice(state.num_fed + 1)
    found = F.scaled_dot_product_attention(
        query.transpose(1, 2), keys[:, :, seen], values[:, :, seen]
    )
    return layer.join(found.transpose(1, 2))


def _attend_to_source(
    layer: SeparateAttention, state: EncoderDecoderState, depth: int, x: Tensor
) -> Tensor:
    """[N, 1, D] to [N, 1, D]; the rows of one source ask it together."""
    keys, values = state.offered[depth]
    rows = state.present, state.origins, state.numbers
    found = attend_to_sources(layer.ask(x)[:, 0], keys, values, *rows)
    return layer.join(found[:, None])
