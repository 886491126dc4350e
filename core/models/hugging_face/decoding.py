"""A model of the Hugging Face library as decoding wants it."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor
from transformers import PreTrainedModel

from core.errors import EpitomeError
from core.models.hugging_face.by_length import EncoderOutput, encode, is_sparse
from core.models.hugging_face.model import evaluating, padding_first

_UNBOUNDED = 2**31 - 1  # positions of a model whose positions are relative


@dataclass(frozen=True)
class HuggingFaceState:
    """What is remembered of N rows that read sources of up to T tokens.

    Args:
        origins: [N] the source each row reads.
        encoded: [N, T, D] what the encoder made of it.
        present: [N, T] int64, 0 at padding.
        cache: Its `EncoderDecoderCache`; None before the first token.
        num_fed: How many tokens each row was fed.
    """

    origins: Tensor
    encoded: Tensor
    present: Tensor
    cache: Any = None
    num_fed: int = 0


class HuggingFaceDecoder:
    """Keeps the decoding protocol for a model of the library.

    It writes without dropout, and leaves the model in the mode it was in: a run is validated with
    the model that goes on learning.

    Args:
        model: An encoder-decoder model with a language head.
        start_ids: What its texts begin with.
        end_id: What ends them.
        before: What stands before each source.
        after: What stands behind it.
        other_ends: More tokens that end its texts; they count as the end token.
        attending: Of [B, T] tokens and mask, what else the encoder is told.
        reads: How many tokens it reads at most; None for as many as it has positions.
    """

    def __init__(
        self,
        model: PreTrainedModel,
        start_ids: Sequence[int],
        end_id: int,
        before: Sequence[int] = (),
        after: Sequence[int] = (),
        other_ends: Sequence[int] = (),
        attending: Callable[[Tensor, Tensor], dict[str, Any]] = lambda tokens, present: {},
        reads: int | None = None,
    ) -> None:
        self.model: Any = model
        self.start_ids, self.end_id = tuple(start_ids), end_id
        self.vocabulary_size = int(self.model.config.vocab_size)
        self._before, self._after = tuple(before), tuple(after)
        self._other_ends, self._attending = list(other_ends), attending
        self._reads = reads

    def begin(self, sources: Sequence[Sequence[int]]) -> HuggingFaceState:
        """Runs the encoder once, over all sources; see `Decodable`."""
        tokens, present = self._rows(sources)
        with evaluating(self.model):
            if is_sparse(self.model):
                output = encode(self.model, tokens, present)
            else:
                told = self._attending(tokens, present)
                encoder = self.model.get_encoder()
                output = encoder(input_ids=tokens, attention_mask=present, **told)
        assert output.last_hidden_state is not None
        origins = torch.arange(len(tokens), device=tokens.device)
        return HuggingFaceState(origins, output.last_hidden_state, present)

    def _rows(self, sources: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
        """[N, T] the tokens of framed sources, and [N, T] int64, 0 at the padding behind them."""
        sources = [[*self._before, *source, *self._after] for source in sources]
        self._check(sources)
        width = max(map(len, sources))
        padding = self.model.config.pad_token_id or 0
        rows = [[*source, *[padding] * (width - len(source))] for source in sources]
        tokens = torch.tensor(rows, device=self.model.device)
        lengths = torch.tensor([len(source) for source in sources], device=tokens.device)
        return tokens, (torch.arange(width, device=tokens.device) < lengths[:, None]).long()

    def advance(self, state: HuggingFaceState, tokens: Tensor) -> tuple[Tensor, HuggingFaceState]:
        """Runs the decoder on one token a row, with its cache; see `Decodable`."""
        with evaluating(self.model):
            output = self.model(
                encoder_outputs=EncoderOutput(last_hidden_state=state.encoded),
                attention_mask=state.present,
                decoder_input_ids=tokens[:, None],
                past_key_values=state.cache,
                use_cache=True,
            )
        fed = state.num_fed + 1
        state = replace(state, cache=output.past_key_values, num_fed=fed)
        return self._log_probs(output.logits[:, -1]), state

    def _log_probs(self, logits: Tensor) -> Tensor:
        """[N, V]; the likeliest of all tokens that end a text stands for them."""
        log_probs = logits.to(torch.promote_types(logits.dtype, torch.float32)).log_softmax(-1)
        if self._other_ends:
            ends = log_probs[:, [self.end_id, *self._other_ends]]
            log_probs[:, self._other_ends] = -math.inf
            log_probs[:, self.end_id] = ends.amax(-1)
        return log_probs

    def reorder(self, state: HuggingFaceState, rows: Tensor) -> HuggingFaceState:
        """Takes rows of the cache; those of the sources only if they change; see `Decodable`."""
        origins = state.origins[rows]
        same = torch.equal(origins, state.origins)  # drafts of one text read the same source
        if state.cache is not None:
            state.cache.self_attention_cache.reorder_cache(rows)
            if not same:
                state.cache.cross_attention_cache.reorder_cache(rows)
        if same:
            return state
        return replace(
            state, origins=origins, encoded=state.encoded[rows], present=state.present[rows]
        )

    def room(self, state: HuggingFaceState) -> Tensor:
        """The decoder's positions less the tokens that were fed; see `Decodable`."""
        return torch.full_like(state.origins, self._positions("decoder") - state.num_fed)

    def _positions(self, part: str) -> int:
        config = self.model.config
        shared = getattr(config, "max_position_embeddings", None) or _UNBOUNDED
        return int(getattr(config, f"max_{part}_position_embeddings", None) or shared)

    def _check(self, sources: Sequence[Sequence[int]]) -> None:
        longest = self._reads or self._positions("encoder")
        for number, source in enumerate(sources, start=1):
            if not source:
                raise EpitomeError(
                    f"Text {number} has no tokens; one or more are needed.", "Leave it out."
                )
            if len(source) > longest:
                raise EpitomeError(
                    f"Text {number} has {len(source)} tokens; this model reads up to {longest}.",
                    "Split it, or choose a model that reads more.",
                )


@dataclass(frozen=True)
class ChatState:
    """What is remembered of N rows of a language model.

    Args:
        lengths: [N] tokens of each source, its frame included.
        present: [N, T] int64, 0 at the padding before a source.
        cache: Keys and values of all T columns.
        num_fed: How many tokens each row was fed after its source.
    """

    lengths: Tensor
    present: Tensor
    cache: Any
    num_fed: int = 0


class ChatDecoder(HuggingFaceDecoder):
    """Keeps the decoding protocol for a causal language model: a row begins with its source.

    It is made as `HuggingFaceDecoder` is; the frame is that of chat template and prompt.
    """

    def begin(self, sources: Sequence[Sequence[int]]) -> Any:
        """Reads all sources side by side; see `Decodable`."""
        tokens, present = padding_first(*self._rows(sources))
        with evaluating(self.model):
            cache = self.model(
                input_ids=tokens,
                attention_mask=present,
                position_ids=(present.cumsum(1) - 1).clamp_min(0),
                use_cache=True,
                logits_to_keep=1,
            ).past_key_values
        return ChatState(present.sum(1), present, cache)

    def advance(self, state: Any, tokens: Tensor) -> tuple[Tensor, Any]:
        """Feeds one token a row, with the cache; see `Decodable`."""
        present = torch.cat([state.present, torch.ones_like(tokens)[:, None]], 1)
        with evaluating(self.model):
            output = self.model(
                input_ids=tokens[:, None],
                attention_mask=present,
                position_ids=(state.lengths + state.num_fed)[:, None],
                past_key_values=state.cache,
                use_cache=True,
            )
        fed = state.num_fed + 1
        return self._log_probs(output.logits[:, -1]), replace(
            state, present=present, cache=output.past_key_values, num_fed=fed
        )

    def reorder(self, state: Any, rows: Tensor) -> Any:
        """Takes rows of the cache; see `Decodable`."""
        state.cache.reorder_cache(rows)
        return replace(state, lengths=state.lengths[rows], present=state.present[rows])

    def room(self, state: Any) -> Tensor:
        """The model's positions less the source and the tokens that were fed; see `Decodable`."""
        return self._positions("decoder") - state.lengths - state.num_fed
