"""The Reformer language model.

Token and position vectors → two equal streams → `depth` blocks of attention and feed-forward →
mean of the streams → norm → logits. Sources: Kitaev et al.: Reformer (2020); Pre-training Reformer
language models for abstractive summarisation (2020), whose size is the preset `paper`.
"""

import math

import torch
from torch import Tensor, nn

from core.errors import EpitomeError
from core.models.batch import NO_LOSS, Batch
from core.models.parts.layers import FeedForward, SharedAttention
from core.models.parts.loss import cross_entropy_sum
from core.models.parts.positions import AxialPositions, LearnedPositions
from core.models.parts.randomness import Randomness, generator
from core.models.parts.reversible import ResidualFunction, run_plain, run_reversible
from core.models.reformer.settings import ReformerSettings
from core.models.reformer.steps import FeedForwardStep, Situation, attention_step

_SPREAD = 0.02


class ReformerLM(nn.Module):
    """A Reformer that predicts the next token.

    Args:
        settings: What it is made of; its first weights are drawn from their seed alone.
    """

    def __init__(self, settings: ReformerSettings) -> None:
        super().__init__()
        self.settings = settings
        width, blocks = settings.width, 1 if settings.shared_layers else settings.depth
        inner = settings.feed_forward_width or 4 * width
        self.embedding = nn.Embedding(settings.vocabulary_size, width)
        self.positions = (
            AxialPositions(settings.length, width, settings.axial_rows)
            if settings.positions == "axial"
            else LearnedPositions(settings.length, width)
        )
        self.attention = nn.ModuleList(
            SharedAttention(width, settings.heads) for _ in range(blocks)
        )
        self.feed_forward = nn.ModuleList(FeedForward(width, inner) for _ in range(blocks))
        self.norm = nn.LayerNorm(width)
        self.output = nn.Linear(width, settings.vocabulary_size, bias=not settings.tied_embeddings)
        if settings.tied_embeddings:
            self.output.weight = self.embedding.weight
        draw_weights(self, settings.depth, settings.seed)

    def forward(self, batch: Batch, randomness: Randomness | None = None) -> Tensor:
        """[B, T, V], the logits of what comes after each position."""
        logits: Tensor = self.output(self.hidden(batch, randomness))
        return logits

    def loss(self, batch: Batch, randomness: Randomness | None = None) -> Tensor:
        """The summed cross-entropy of a batch's labels.

        Args:
            batch: Must have labels.
            randomness: What a training step draws from; None in evaluation.

        Returns:
            A scalar in nats, over all positions that carry loss.
        """
        assert batch.labels is not None
        where = _span(batch.labels)
        hidden = self.norm(self._streams(batch, randomness, where)[:, where])
        return cross_entropy_sum(
            hidden,
            self.output.weight,
            self.output.bias,
            batch.labels[:, where],
            self.settings.loss_chunks,
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

    def _streams(self, batch: Batch, randomness: Randomness | None, needed: slice | None) -> Tensor:
        """[B, T, D], the mean of the streams, right at the positions that are needed."""
        x = self._embedded(batch)
        functions = self._functions(Situation(len(x), batch.present, randomness, needed))
        if not self.settings.reversible:
            return run_plain(functions, x, None)
        return run_reversible(functions, x, None, self._kept(x))

    def _kept(self, x: Tensor) -> list[int]:
        """The functions that keep something, those first that save most time a byte."""
        stream = x.numel() * x.element_size() / 2**20
        left, kept = float(self.settings.kept_mib), []
        for streams, j in sorted(
            (self._streams_kept(j), -j) for j in range(2 * self.settings.depth)
        ):
            left -= streams * stream
            if left < 0:
                break
            kept.append(-j)
        return kept

    def _streams_kept(self, function: int) -> int:
        """What a function keeps, in streams: [B, T, D] each."""
        if function % 2:
            return 1  # feed-forward: the stream as it was
        if self.settings.kinds[function // 2] in ("local", "local-chunk"):
            return 5  # normed, shared vectors, values, what is found, output
        return 3  # shared vectors, values, what is found

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
        x: Tensor = self.embedding(batch.tokens) + self.positions(places)
        return x

    def _functions(self, situation: Situation) -> list[ResidualFunction]:
        functions: list[ResidualFunction] = []
        for depth in range(self.settings.depth):
            block = 0 if self.settings.shared_layers else depth
            attention, feed_forward = self.attention[block], self.feed_forward[block]
            assert isinstance(attention, SharedAttention)
            assert isinstance(feed_forward, FeedForward)
            functions += [
                attention_step(attention, self.settings, depth, situation),
                FeedForwardStep(self.settings, depth, situation, feed_forward),
            ]
        return functions


def draw_weights(model: nn.Module, depth: int, seed: int) -> None:
    """Draws a model's first weights, from the seed alone.

    Args:
        model: Its tables and matrices become normal with spread 0.02, those that write into the
            streams less by the root of twice the depth; biases 0, norms 1.
        depth: Layers.
        seed: What is drawn from.
    """
    source = generator("weights", seed)
    for name, weight in model.named_parameters():
        if "norm" in name:
            continue
        if weight.dim() == 1:
            nn.init.zeros_(weight)
            continue
        writes = name.endswith(("out.weight", "narrow.weight"))
        spread = _SPREAD / math.sqrt(2 * depth) if writes else _SPREAD
        nn.init.normal_(weight, 0.0, spread, source)


def _span(labels: Tensor) -> slice:
    """The positions between the first and the last label of any row."""
    places = (labels != NO_LOSS).any(0).nonzero()[:, 0]
    # Without any label one position is done, so that the loss is a 0 with gradients of 0.
    return slice(int(places[0]), int(places[-1]) + 1) if len(places) else slice(0, 1)
