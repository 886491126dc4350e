"""The Reformer language model as decoding wants it: it writes token by token, from caches."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from core.errors import EpitomeError
from core.models.parts.caches import Cache, CachedAttention
from core.models.parts.copied import Copied
from core.models.parts.few_rows import FewRows, FewRowsFeedForward
from core.models.parts.layers import AttentionLayer, FeedForwardLayer, Pass
from core.models.parts.modules import FeedForward, SharedAttention
from core.models.reformer.language_model import ReformerLM


@dataclass
class ReformerState:
    """What is remembered of N rows.

    Args:
        caches: One of each depth.
        positions: [N] int64, how many tokens each row has, its source's among them.
        last: [N] int64, the last of them; anything where there is none.
        copied: What may be copied; None where the model does not copy.
    """

    caches: list[Cache]
    positions: Tensor
    last: Tensor
    copied: Copied | None


@dataclass(frozen=True)
class _Block:
    """The layers of one depth."""

    attention: SharedAttention
    feed_forward: FeedForward
    cached: CachedAttention
    few_rows: FewRowsFeedForward


class ReformerDecoder:
    """Keeps the decoding protocol for a Reformer language model.

    It gives what the model would give if it read the whole text anew for every token.

    Args:
        model: The model, with its weights as they are now.
        start_ids: What stands between a source and its text; one id or more.
        end_id: The token that ends a text.

    Raises:
        EpitomeError: If some attention kind of the model cannot be cached.
    """

    def __init__(self, model: ReformerLM, start_ids: Sequence[int], end_id: int) -> None:
        self.vocabulary_size = model.settings.vocabulary_size
        self.start_ids, self.end_id = tuple(start_ids), end_id
        self._model = model
        self._blocks = list(_blocks(model))
        self._output = FewRows(model.output.weight, model.output.bias)

    def begin(self, sources: Sequence[Sequence[int]]) -> ReformerState:
        """Runs the model once, over all sources; see `Decodable`."""
        longest = self._model.settings.length
        for number, source in enumerate(sources, start=1):
            if len(source) > longest:
                raise EpitomeError(
                    f"Text {number} has {len(source)} tokens; this model reads up to {longest}.",
                    "Split it, or choose a model that reads more.",
                )
        with torch.inference_mode():
            tokens, lengths = _padded(sources, self._model.embedding.weight.device)
            last = tokens.gather(1, (lengths - 1).clamp_min(0)[:, None])[:, 0]
            caches, hidden = self._read(tokens, lengths)
            copied = None
            if self._model.pointer is not None and hidden is not None:
                copied = Copied(self._model.pointer.offer(hidden), tokens)
            return ReformerState(caches, lengths, last, copied)

    def _read(self, tokens: Tensor, lengths: Tensor) -> tuple[list[Cache], Tensor | None]:
        """The caches of [N, T] tokens; they are padded behind, where no position looks.

        With a pointer head also the hidden states, [N, T, D].
        """
        model, num_blocks = self._model, len(self._blocks)
        places = torch.arange(tokens.shape[1], device=tokens.device)
        a = b = model.vectors(tokens, places, None)
        this_pass, caches = Pass(num_blocks, len(tokens), None, None), []
        for depth, block in enumerate(self._blocks):
            caches.append(block.cached.begin(b, lengths))
            if depth + 1 == num_blocks and model.pointer is None:
                return (
                    caches,
                    None,
                )  # nothing is chosen yet: what the last layers find is not needed
            attention = AttentionLayer(depth, this_pass, block.attention, model.kinds[depth])
            a, b = b, a + attention(b, None)
            feed_forward = FeedForwardLayer(depth, this_pass, block.feed_forward)
            a, b = b, a + feed_forward(b, None)
        return caches, model.norm((a + b) / 2)

    def advance(self, state: ReformerState, tokens: Tensor) -> tuple[Tensor, ReformerState]:
        """Runs the model on one position a row; see `Decodable`."""
        model = self._model
        with torch.inference_mode():
            a = b = self._vectors(state, tokens)
            for block, cache in zip(self._blocks, state.caches, strict=True):
                a, b = b, a + cache.advance(b, state.positions)
                a, b = b, a + block.few_rows(b)
            hidden = model.norm((a + b) / 2)
            logits = self._output(hidden)
            if model.pointer is not None and state.copied is not None:
                state.copied.write(state.positions, model.pointer.offer(hidden), tokens)
                source = state.copied.source(state.positions)
                logits = model.pointer.log_probs(hidden[:, None], logits[:, None], source)[:, 0]
            state.positions += 1
            state.last = tokens
        # Made out here, so that the caller may write into it.
        dtype = torch.promote_types(logits.dtype, torch.float32)
        return logits.log_softmax(-1, dtype), state

    def _vectors(self, state: ReformerState, tokens: Tensor) -> Tensor:
        """[N, D], the vectors of one more token of each row."""
        model = self._model
        x: Tensor = model.embedding(tokens)
        if model.smear is not None:
            before = model.embedding(state.last)
            x = model.smear.add(x, before.masked_fill(state.positions[:, None] == 0, 0.0))
        return x + model.positions(state.positions)

    def reorder(self, state: ReformerState, rows: Tensor) -> ReformerState:
        """Takes rows of the caches; see `Decodable`."""
        with torch.inference_mode():
            for cache in state.caches:
                cache.reorder(rows)
            state.positions, state.last = state.positions[rows], state.last[rows]
            if state.copied is not None:
                state.copied = Copied(state.copied.keys[rows], state.copied.tokens[rows])
        return state

    def room(self, state: ReformerState) -> Tensor:
        """The model's length less the tokens of each row; see `Decodable`."""
        return self._model.settings.length - state.positions


def _blocks(model: ReformerLM) -> Iterator[_Block]:
    for depth in range(model.settings.depth):
        number = 0 if model.settings.shared_layers else depth
        attention, feed_forward = model.attention[number], model.feed_forward[number]
        assert isinstance(attention, SharedAttention)
        assert isinstance(feed_forward, FeedForward)
        cached = _cached(model, attention, depth)
        yield _Block(attention, feed_forward, cached, FewRowsFeedForward(feed_forward))


def _padded(sources: Sequence[Sequence[int]], device: torch.device) -> tuple[Tensor, Tensor]:
    """[N, T] tokens, padded behind, and [N] how many of them there are."""
    lengths = [len(source) for source in sources]
    width = max(1, *lengths)
    rows = [[*source, *[0] * (width - len(source))] for source in sources]
    return torch.tensor(rows, device=device), torch.tensor(lengths, device=device)


def _cached(model: ReformerLM, module: SharedAttention, depth: int) -> CachedAttention:
    """The attention of one depth, as decoding needs it; fails if its kind cannot be cached."""
    cached = model.kinds[depth].cached(module, model.settings.length)
    if cached is None:
        raise EpitomeError(
            f"Layer {depth + 1} has attention of the kind “{model.settings.kinds[depth]}”, which "
            "cannot write token by token: which positions it sees changes with those that follow.",
            "Use the kind “lsh”, which takes the same weights.",
        )
    return cached
