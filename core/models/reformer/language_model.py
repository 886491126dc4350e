"""The Reformer language model.

Token and position vectors → two equal streams → `depth` blocks of attention and feed-forward →
mean of the streams → norm → logits. Sources: Kitaev et al.: Reformer (2020); Pre-training Reformer
language models for abstractive summarisation (2020), whose size is the preset `paper`.
"""

from collections.abc import Collection, Iterator
from typing import Literal, NamedTuple

import torch
from torch import Tensor, nn

from core.errors import EpitomeError
from core.models.batch import Batch
from core.models.parts.embedding import TokenEmbedding
from core.models.parts.first_weights import draw_weights, init_unigram_bias
from core.models.parts.layers import AttentionLayer, FeedForwardLayer, Pass
from core.models.parts.loss import cross_entropy_sum
from core.models.parts.modules import FeedForward, SharedAttention
from core.models.parts.pointer import PointerHead, Source
from core.models.parts.positions import AxialPositions, LearnedPositions
from core.models.parts.products import Linear
from core.models.parts.randomness import Randomness
from core.models.parts.reversible import ResidualFunction, run_plain, run_reversible
from core.models.parts.smear import Smear
from core.models.protocol import Model
from core.models.reformer.attention import attention_kind
from core.models.reformer.settings import ReformerSettings


class _Kept(NamedTuple):
    """What a layer keeps for the backward pass."""

    what: Literal["attention", "feed-forward", "wide"]
    depth: int


class ReformerLM(Model):
    """A Reformer that predicts the next token.

    Args:
        settings: What it is made of; its first weights are drawn from their seed alone.
    """

    def __init__(self, settings: ReformerSettings) -> None:
        super().__init__()
        self.settings: ReformerSettings = settings
        self.kinds = tuple(attention_kind(settings, depth) for depth in range(settings.depth))
        width, blocks = settings.width, 1 if settings.shared_layers else settings.depth
        inner = settings.inner_width
        self.embedding = TokenEmbedding(settings.vocabulary_size, width)
        self.positions = (
            AxialPositions(settings.length, width, settings.axial_rows)
            if settings.positions == "axial"
            else LearnedPositions(settings.length, width)
        )
        self.smear = Smear(width) if settings.smear else None
        self.attention = nn.ModuleList(
            SharedAttention(width, settings.heads) for _ in range(blocks)
        )
        self.feed_forward = nn.ModuleList(FeedForward(width, inner) for _ in range(blocks))
        self.norm = nn.LayerNorm(width)
        self.output = Linear(width, settings.vocabulary_size, bias=not settings.tied_embeddings)
        if settings.tied_embeddings:
            self.output.weight = self.embedding.weight
        self.pointer = PointerHead(width) if settings.pointer else None
        draw_weights(self, width, settings.depth, settings.seed)

    starts_at_frequencies = True

    def init_unigram_bias(self, counts: Tensor) -> None:
        """As `Model`."""
        init_unigram_bias(self.output, self.norm, counts, self.settings.seed)

    def forward(self, batch: Batch, randomness: Randomness | None = None) -> Tensor:
        """[B, T, V], the logits of what comes after each position.

        They are log-probabilities if the model copies.
        """
        hidden = self.hidden(batch, randomness)
        logits: Tensor = self.output(hidden)
        if self.pointer is None:
            return logits
        return self.pointer.log_probs(hidden, logits, self._source(batch, hidden, 0))

    def loss(
        self, batch: Batch, randomness: Randomness | None = None, smoothing: float = 0.0
    ) -> Tensor:
        """The summed cross-entropy of a batch's labels.

        Args:
            batch: Must have labels.
            randomness: What a training step draws from; None in evaluation.
            smoothing: Share of each target that is spread over all tokens.

        Returns:
            A scalar in nats, over all positions that carry loss.
        """
        assert batch.labels is not None
        where, chunks = batch.loss_span, self.settings.loss_chunks
        labels = batch.labels[:, where]
        if self.pointer is not None:
            hidden = self.hidden(batch, randomness)  # of all positions, for any may be copied
            source = self._source(batch, hidden, where.start)
            return self.pointer.loss_sum(
                hidden[:, where], source, self.output, labels, chunks, smoothing
            )
        hidden = self.norm(self._streams(batch, randomness, where)[:, where])
        return cross_entropy_sum(
            hidden, self.output.weight, self.output.bias, labels, chunks, smoothing
        )

    def hidden(self, batch: Batch, randomness: Randomness | None = None) -> Tensor:
        """The normed mean of the streams.

        Args:
            batch: B rows of up to `settings.length` tokens.
            randomness: What a training step draws from; None in evaluation.

        Returns:
            [B, T, D], of the model's dtype, float32 at least.

        Raises:
            EpitomeError: If the rows are longer than the model.
        """
        normed: Tensor = self.norm(self._streams(batch, randomness, None))
        return normed

    def _source(self, batch: Batch, hidden: Tensor, first: int) -> Source:
        """The text so far, of which the positions from `first` on copy."""
        assert self.pointer is not None
        return Source(self.pointer.offer(hidden), batch.tokens, batch.present, first)

    def _streams(self, batch: Batch, randomness: Randomness | None, needed: slice | None) -> Tensor:
        """[B, T, D], the mean of the streams, right at the positions that are needed."""
        x, settings = self._embedded(batch), self.settings
        this_pass = Pass(
            settings.depth,
            len(x),
            batch.present,
            randomness,
            needed,
            settings.dropout,
            settings.ff_chunks,
        )
        if not settings.reversible:
            functions = self._functions(this_pass, frozenset())
            return run_plain(functions, x, None, checkpointing=settings.checkpointing)
        kept = self._kept(x, needed)
        functions = self._functions(this_pass, kept)
        attention = {2 * each.depth for each in kept if each.what == "attention"}
        feed_forward = {2 * each.depth + 1 for each in kept if each.what == "feed-forward"}
        return run_reversible(functions, x, None, attention | feed_forward)

    def _kept(self, x: Tensor, needed: slice | None) -> frozenset[_Kept]:
        """What is not recomputed, as much as there is memory for."""
        settings, stream = self.settings, x.numel() * x.element_size() / 2**20
        share = 1.0 if needed is None else (needed.stop - needed.start) / x.shape[1]
        left, kept = float(settings.kept_mib), set()
        for streams, each in self._worth_keeping():
            # The last block does only what is needed, but attention that looks far reads all.
            far = each.what == "attention" and self.kinds[each.depth].looks_far
            partly = each.depth + 1 == settings.depth and not far
            left -= streams * stream * (share if partly else 1)
            if left < 0:
                break
            kept.add(each)
        return frozenset(kept)

    def _worth_keeping(self) -> Iterator[tuple[float, _Kept]]:
        """What could be kept and its size in streams, [B, T, D] each; the best use of it first.

        What the last attention needs is there anyway when memory is fullest: at the beginning of
        the backward pass, which recomputes that layer first.
        """
        settings = self.settings
        *others, last = range(settings.depth)
        others.sort(key=lambda depth: (not self.kinds[depth].looks_far, -depth))
        wide = settings.inner_width / settings.width
        # Of attention: shared vectors, values, what is found. Of feed-forward: the stream before.
        yield 3, _Kept("attention", last)
        yield from ((1, _Kept("feed-forward", depth)) for depth in (last, *others))
        yield from ((3, _Kept("attention", depth)) for depth in others)
        yield from ((wide, _Kept("wide", depth)) for depth in (last, *others))

    def _embedded(self, batch: Batch) -> Tensor:
        num_tokens, longest = batch.tokens.shape[1], self.settings.length
        if num_tokens > longest:
            raise EpitomeError(
                f"The text has {num_tokens} tokens; this model reads at most {longest} at once.",
                "Split the text, or use a model of a greater length.",
            )
        places = batch.positions
        if places is None:
            places = torch.arange(num_tokens, device=batch.tokens.device)
        return self.vectors(batch.tokens, places, batch.present)

    def vectors(self, tokens: Tensor, places: Tensor, present: Tensor | None) -> Tensor:
        """[B, T] int64 tokens at their places to [B, T, D]; `present` as in `Batch`."""
        x: Tensor = self.embedding(tokens)
        if self.smear is not None:
            x = self.smear(x, present)
        return x + self.positions(places)

    def _functions(self, this_pass: Pass, kept: Collection[_Kept]) -> list[ResidualFunction]:
        functions: list[ResidualFunction] = []
        for depth in range(self.settings.depth):
            block = 0 if self.settings.shared_layers else depth
            attention, feed_forward = self.attention[block], self.feed_forward[block]
            assert isinstance(attention, SharedAttention)
            assert isinstance(feed_forward, FeedForward)
            keeps_wide = _Kept("wide", depth) in kept
            functions += [
                AttentionLayer(depth, this_pass, attention, self.kinds[depth]),
                FeedForwardLayer(depth, this_pass, feed_forward, keeps_wide),
            ]
        return functions
