"""The language model as decoding wants it: it writes token by token, from caches.

Letters: N rows that are written, T positions of the longest source, H heads, K width of a head.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from core.errors import EpitomeError
from core.models.language_model.model import LOOK_BACK, LanguageModel, Look
from core.models.parts.caches import grown
from core.models.parts.copied import Copied
from core.models.transformer.layers import Dropout

_NO_DROPOUT = Dropout(0.0, None, "decoder")


class Seen:
    """Keys and values of one layer, of all that N rows have read and written.

    Args:
        keys: [N, H, T, K].
        values: [N, H, T, K].
        most: How many places a row may come to have.
    """

    def __init__(self, keys: Tensor, values: Tensor, most: int) -> None:
        self._both, self._most = torch.stack((keys, values)), most

    def look(
        self, places: Tensor, shown: Tensor | None, query: Tensor, key: Tensor, value: Tensor
    ) -> Tensor:
        """Writes one more place of each row down, and looks at all of them.

        Args:
            places: [N] int64, the place of each row.
            shown: [N, 1, 1, S] bool, True at what each row may see; None for all.
            query: [N, H, 1, K].
            key: [N, H, 1, K].
            value: [N, H, 1, K].

        Returns:
            [N, H, 1, K].
        """
        filled = int(places.max()) + 1
        if filled > self._both.shape[3]:
            self._both = grown(self._both, 3, self._most)
        rows = torch.arange(len(places), device=places.device)
        self._both[0, rows, :, places] = key[:, :, 0]
        self._both[1, rows, :, places] = value[:, :, 0]
        keys, values = self._both[:, :, :, :filled]
        return F.scaled_dot_product_attention(query, keys, values, attn_mask=shown)

    def reorder(self, rows: Tensor) -> None:
        """Takes rows, [N] int64."""
        self._both = self._both.index_select(1, rows)


@dataclass
class LanguageModelState:
    """What is remembered of N rows.

    Args:
        seen: Of each layer.
        lengths: [N] int64, how many tokens each row has, its source's among them.
        sources: [N] int64, how many of them are its source's.
        last: [N] int64, the last of them; anything where there is none.
        copied: What may be copied; None where the model does not copy.
    """

    seen: list[Seen]
    lengths: Tensor
    sources: Tensor
    last: Tensor
    copied: Copied | None


class LanguageModelDecoder:
    """Keeps the decoding protocol for a language model.

    It gives what the model would give if it read the whole text anew for every token.

    Args:
        model: The model, with its weights as they are now.
        start_ids: What stands between an article and its summary; one id or more, the first of
            which is the last of the article's part.
        end_id: The token that ends a text.
    """

    def __init__(self, model: LanguageModel, start_ids: Sequence[int], end_id: int) -> None:
        self.vocabulary_size = model.settings.vocabulary_size
        self.start_ids, self.end_id = tuple(start_ids), end_id
        self._model = model
        self._layers = [model.layer(depth) for depth in range(model.settings.depth)]

    @torch.no_grad()
    def begin(self, sources: Sequence[Sequence[int]]) -> LanguageModelState:
        """Runs the model once, over all sources; see `Decodable`."""
        model, longest = self._model, self._model.settings.length
        for number, source in enumerate(sources, start=1):
            if len(source) > longest:
                raise EpitomeError(
                    f"Text {number} has {len(source)} tokens; this model reads up to {longest}.",
                    "Split it, or choose a model that reads more.",
                )
        tokens, lengths = _padded(sources, model.embedding.weight.device)
        x = model.embedding(tokens)
        if model.smear is not None:
            x = model.smear(x)
        x = model.at_places(x, torch.arange(tokens.shape[1], device=tokens.device), None)
        seen: list[Seen] = []
        for layer in self._layers:
            x = layer(x, self._remembering(seen), _NO_DROPOUT)
        last = tokens.gather(1, (lengths - 1).clamp_min(0)[:, None])[:, 0]
        copied = None
        if model.pointer is not None:
            copied = Copied(model.pointer.offer(model.norm(x)), tokens)
        return LanguageModelState(seen, lengths, lengths, last, copied)

    def _remembering(self, seen: list[Seen]) -> Look:
        """Causal attention, whose keys and values become those of one more layer."""

        def look(queries: Tensor, keys: Tensor, values: Tensor) -> Tensor:
            seen.append(Seen(keys, values, self._model.settings.length))
            return LOOK_BACK(queries, keys, values)

        return look

    @torch.no_grad()
    def advance(
        self, state: LanguageModelState, tokens: Tensor
    ) -> tuple[Tensor, LanguageModelState]:
        """Runs the model on one token a row; see `Decodable`."""
        model, lengths = self._model, state.lengths
        x = self._vectors(state, tokens)
        shown, longest = None, int(lengths.max())
        if int(lengths.min()) < longest:
            places = torch.arange(longest + 1, device=lengths.device)
            shown = places <= lengths[:, None, None, None]
        for layer, seen in zip(self._layers, state.seen, strict=True):
            x = layer(x, partial(seen.look, lengths, shown), _NO_DROPOUT)
        hidden = model.norm(x)[:, 0]
        logits = model.output(hidden)
        if model.pointer is not None and state.copied is not None:
            state.copied.write(lengths, model.pointer.offer(hidden), tokens)
            source = state.copied.source(lengths)
            log_probs = model.pointer.log_probs(hidden[:, None], logits[:, None], source)[:, 0]
        else:
            log_probs = logits.log_softmax(-1, torch.promote_types(logits.dtype, torch.float32))
        parts = state.seen, lengths + 1, state.sources, tokens, state.copied
        return log_probs, LanguageModelState(*parts)

    def _vectors(self, state: LanguageModelState, tokens: Tensor) -> Tensor:
        """[N, 1, D], the vectors of one more token of each row."""
        model = self._model
        x: Tensor = model.embedding(tokens)
        if model.smear is not None:
            before = model.embedding(state.last)
            x = model.smear.add(x, before.masked_fill(state.lengths[:, None] == 0, 0.0))
        written = state.lengths - state.sources
        places = torch.where(written > 0, written - 1, state.lengths)
        return model.at_places(x, places, (written > 0).long())[:, None]

    @torch.no_grad()
    def reorder(self, state: LanguageModelState, rows: Tensor) -> LanguageModelState:
        """Takes rows of the caches; see `Decodable`."""
        for seen in state.seen:
            seen.reorder(rows)
        copied = state.copied and Copied(state.copied.keys[rows], state.copied.tokens[rows])
        parts = state.lengths[rows], state.sources[rows], state.last[rows], copied
        return LanguageModelState(state.seen, *parts)

    def room(self, state: LanguageModelState) -> Tensor:
        """The model's length less the tokens of each row; see `Decodable`."""
        return self._model.settings.length - state.lengths


def _padded(sources: Sequence[Sequence[int]], device: torch.device) -> tuple[Tensor, Tensor]:
    """[N, T] tokens, padded behind, and [N] how many of them there are."""
    lengths = [len(source) for source in sources]
    width = max(1, *lengths)
    rows = [[*source, *[0] * (width - len(source))] for source in sources]
    return torch.tensor(rows, device=device), torch.tensor(lengths, device=device)
