"""The decoder-only Transformer: article, <D> and summary are one sequence.

Token vectors + positions, which restart at the summary, + source embeddings → layers of causal
attention and feed-forward → logits. Sources: Radford et al.: Improving language understanding by
generative pre-training (2018); Efficient adaptation of pretrained transformers for abstractive
summarization (2019).
"""

import math
from collections.abc import Callable
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from core.errors import EpitomeError
from core.models.batch import Batch
from core.models.language_model.settings import LanguageModelSettings
from core.models.parts.loss import cross_entropy_sum
from core.models.parts.pointer import PointerHead, Source
from core.models.parts.positions import LearnedPositions
from core.models.parts.products import Linear
from core.models.parts.randomness import Randomness, generator
from core.models.parts.smear import Smear
from core.models.protocol import Model
from core.models.transformer.attention import Attention
from core.models.transformer.layers import Dropout, FeedForward, Residual
from core.models.transformer.packing import pack

# GPT's at its width. Narrower models begin with more, so that what layers make is as large.
_GPT_WIDTH, _SPREAD, _SPREAD_OF_POSITIONS = 768, 0.02, 0.01

Look = Callable[[Tensor, Tensor, Tensor], Tensor]
"""From queries, keys and values, [B, H, T, K] each, to what each position finds, of their shape."""

LOOK_BACK: Look = partial(F.scaled_dot_product_attention, is_causal=True)
"""Each position finds something in itself and in all before it."""


class GeluFeedForward(FeedForward):
    """A layer that looks at each position alone: widen, GELU as in GPT, narrow."""

    def forward(self, x: Tensor) -> Tensor:
        """[…, D] to […, D]."""
        narrowed: Tensor = self.narrow(F.gelu(self.widen(x), approximate="tanh"))
        return narrowed


class Layer(nn.Module):
    """Causal attention, then feed-forward.

    Args:
        settings: The model's.
        depth: Which layer, from 0.
    """

    def __init__(self, settings: LanguageModelSettings, depth: int) -> None:
        super().__init__()
        width, heads = settings.width, settings.heads
        self.depth = depth
        self.attention = Attention(width, heads, width // heads, bias=True)
        self.feed_forward = GeluFeedForward(width, settings.inner_width)
        self.around_attention = Residual(width, settings.norm)
        self.around_feed_forward = Residual(width, settings.norm)

    def forward(self, x: Tensor, look: Look, dropout: Dropout) -> Tensor:
        """[B, T, D] to [B, T, D]; `look` is how positions find what stands before them."""

        def attend(normed: Tensor) -> Tensor:
            found = look(self.attention.ask(normed), *self.attention.offer(normed))
            return dropout(self.attention.join(found), self.depth, "attention")

        def feed_forward(normed: Tensor) -> Tensor:
            return dropout(self.feed_forward(normed), self.depth, "feed-forward")

        return self.around_feed_forward(self.around_attention(x, attend), feed_forward)


class LanguageModel(Model):
    """A Transformer that predicts the next token of article and summary.

    Args:
        settings: What it is made of; its first weights are drawn from their seed alone.
    """

    def __init__(self, settings: LanguageModelSettings) -> None:
        super().__init__()
        self.settings: LanguageModelSettings = settings
        width, vocabulary = settings.width, settings.vocabulary_size
        self.embedding = nn.Embedding(vocabulary, width)
        self.positions = LearnedPositions(settings.length, width)
        has_sources = settings.source_embeddings != "none"
        self.source_embedding = nn.Embedding(2, width) if has_sources else None
        self.smear = Smear(width) if settings.smear else None
        self.layers = nn.ModuleList(Layer(settings, depth) for depth in range(settings.depth))
        self.norm = nn.LayerNorm(width) if settings.norm == "pre" else nn.Identity()
        self.output = Linear(width, vocabulary, bias=not settings.tied_embeddings)
        if settings.tied_embeddings:
            self.output.weight = self.embedding.weight
        self.pointer = PointerHead(width) if settings.pointer else None
        self._draw_weights()
        self.draw_source_embeddings()

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
            smoothing: Share of each target token that is spread over all tokens.

        Returns:
            A scalar in nats, over all positions that carry loss.

        Raises:
            EpitomeError: If the rows are longer than the model.
        """
        assert batch.labels is not None
        where, chunks = batch.loss_span, self.settings.loss_chunks
        labels, hidden = batch.labels[:, where], self.hidden(batch, randomness)
        if self.pointer is not None:
            source = self._source(batch, hidden, where.start)
            parts = hidden[:, where], source, self.output, labels
            return self.pointer.loss_sum(*parts, chunks, smoothing)
        output = self.output.weight, self.output.bias
        return cross_entropy_sum(hidden[:, where], *output, labels, chunks, smoothing)

    def hidden(self, batch: Batch, randomness: Randomness | None = None) -> Tensor:
        """What the logits are made of.

        Args:
            batch: B rows of up to `settings.length` tokens; without segments all are article.
            randomness: What a training step draws from; None in evaluation.

        Returns:
            [B, T, D].

        Raises:
            EpitomeError: If the rows are longer than the model.
        """
        num_tokens, longest = batch.tokens.shape[1], self.settings.length
        if num_tokens > longest:
            raise EpitomeError(
                f"The text has {num_tokens} tokens; this model reads at most {longest} at once.",
                "Split the text, or use a model of a greater length.",
            )
        packed = pack(batch)
        dropout = Dropout(self.settings.dropout, randomness, "decoder")
        x: Tensor = self.embedding(packed.tokens)
        if self.smear is not None:
            x = self.smear(x)  # padding stands behind
        x = dropout(self.at_places(x, packed.places, packed.segments), 0, "embedding")
        for layer in self.layers:
            x = self._run(layer, x, LOOK_BACK, dropout)
        return packed.unpack(self.norm(x))

    def at_places(self, x: Tensor, places: Tensor, segments: Tensor | None) -> Tensor:
        """Token vectors with those of their places and of the part of the text they stand in.

        Args:
            x: […, D].
            places: […] int64.
            segments: […] int64, 0 in the article, 1 in the summary; None for article alone.

        Returns:
            […, D].
        """
        x = x + self.positions(places)
        if self.source_embedding is None:
            return x
        if segments is None:
            segments = torch.zeros_like(places)
        source: Tensor = self.source_embedding(segments)
        return x + source

    def layer(self, depth: int) -> Layer:
        """The layer at one depth."""
        found = self.layers[depth]
        assert isinstance(found, Layer)
        return found

    @torch.no_grad()
    def draw_source_embeddings(self) -> None:
        """Draws the source embeddings, by the norms that token vectors have now."""
        if self.source_embedding is None:
            return
        weight, source = self.source_embedding.weight, generator("sources", self.settings.seed)
        weight.normal_(generator=source)
        if self.settings.source_embeddings == "zero":
            weight.zero_()
        elif self.settings.source_embeddings == "scaled":
            half = self.embedding.weight.norm(dim=1).mean() / 2
            weight.mul_(half / weight.norm(dim=1, keepdim=True))

    def _source(self, batch: Batch, hidden: Tensor, first: int) -> Source:
        """The text so far, of which the positions from `first` on copy."""
        assert self.pointer is not None
        return Source(self.pointer.offer(hidden), batch.tokens, batch.present, first)

    def _run(self, layer: nn.Module, x: Tensor, *others: object) -> Tensor:
        if self.settings.checkpointing and torch.is_grad_enabled():
            # No generator is touched: what is random follows from seeds.
            again: Tensor = checkpoint(
                layer, x, *others, use_reentrant=False, preserve_rng_state=False
            )
            return again
        found: Tensor = layer(x, *others)
        return found

    @torch.no_grad()
    def _draw_weights(self) -> None:
        """Draws the first weights, from the seed alone: normal, as in GPT.

        What layers write into the stream begins smaller, by the root of their number.
        """
        source, width = generator("weights", self.settings.seed), self.settings.width
        wider = math.sqrt(_GPT_WIDTH / width)
        for name, weight in self.named_parameters():
            if "norm" in name:
                continue
            if weight.dim() == 1:
                weight.zero_()
                continue
            spread = wider * (_SPREAD_OF_POSITIONS if name.startswith("positions.") else _SPREAD)
            if name.endswith(("attention.out.weight", "narrow.weight")):
                spread /= math.sqrt(2 * self.settings.depth)
            weight.normal_(0.0, spread, generator=source)
