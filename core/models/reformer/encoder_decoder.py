"""The Reformer encoder-decoder: it reads one text and writes another.

Encoder: token and position vectors of the source → two equal streams → blocks of attention and
feed-forward → mean of the streams → norm → memory. Decoder: the target so far → two equal streams →
blocks of attention to itself, attention to the memory, and feed-forward → mean → norm → logits.
Nothing is hashed, since queries and keys are different vectors. Sources: Kitaev et al.: Reformer
(2020); Pre-training Reformer language models for abstractive summarisation (2020).
"""

from collections.abc import Sequence
from typing import Literal

import torch
from torch import Tensor, nn

from core.errors import EpitomeError
from core.models.batch import Batch, PairBatch
from core.models.parts.attention_kinds import (
    AttentionKind,
    BidirectionalAttention,
    FullAttention,
    LocalAttention,
)
from core.models.parts.embedding import TokenEmbedding
from core.models.parts.first_weights import draw_weights
from core.models.parts.layers import (
    AttentionLayer,
    CrossAttentionLayer,
    FeedForwardLayer,
    Pass,
)
from core.models.parts.loss import cross_entropy_sum
from core.models.parts.modules import FeedForward, SeparateAttention
from core.models.parts.pointer import PointerHead, Source
from core.models.parts.positions import AxialPositions, LearnedPositions
from core.models.parts.products import Linear
from core.models.parts.randomness import Randomness
from core.models.parts.reversible import run_plain, run_reversible
from core.models.parts.smear import Smear
from core.models.protocol import Model
from core.models.reformer.encoder_decoder_settings import (
    EncoderAttentionName,
    ReformerEncoderDecoderSettings,
)

_DECODER_KIND = FullAttention(self_last=False)
EncoderDecoderLayer = FeedForwardLayer | AttentionLayer | CrossAttentionLayer


class EncoderBlock(nn.Module):
    """The weights of one layer of the encoder.

    Args:
        width: D.
        heads: H, which divides D.
        inner: Width inside feed-forward.
    """

    def __init__(self, width: int, heads: int, inner: int) -> None:
        super().__init__()
        self.attention = SeparateAttention(width, heads)
        self.feed_forward = FeedForward(width, inner)


class DecoderBlock(EncoderBlock):
    """The weights of one layer of the decoder; see `EncoderBlock`."""

    def __init__(self, width: int, heads: int, inner: int) -> None:
        super().__init__(width, heads, inner)
        self.cross_attention = SeparateAttention(width, heads)


class ReformerEncoderDecoder(Model):
    """A Reformer that predicts the next token of a target from a source.

    Args:
        settings: What it is made of; its first weights are drawn from their seed alone.
    """

    def __init__(self, settings: ReformerEncoderDecoderSettings) -> None:
        super().__init__()
        self.settings: ReformerEncoderDecoderSettings = settings
        self._encoder_kinds = [_encoder_kind(settings, name) for name in settings.encoder_kinds]
        width, vocabulary = settings.width, settings.vocabulary_size
        sizes = width, settings.heads, settings.inner_width
        depths = settings.encoder_depth, settings.decoder_depth
        blocks = (1, 1) if settings.shared_layers else depths
        self.target_embedding = TokenEmbedding(vocabulary, width)
        self.source_embedding = (
            self.target_embedding
            if settings.shared_embeddings
            else TokenEmbedding(vocabulary, width)
        )
        self.source_positions = _positions(settings, settings.source_length)
        self.target_positions = _positions(settings, settings.target_length)
        self.source_smear = Smear(width) if settings.smear else None
        self.target_smear = Smear(width) if settings.smear else None
        self.encoder = nn.ModuleList(EncoderBlock(*sizes) for _ in range(blocks[0]))
        self.decoder = nn.ModuleList(DecoderBlock(*sizes) for _ in range(blocks[1]))
        self.encoder_norm = nn.LayerNorm(width)
        self.decoder_norm = nn.LayerNorm(width)
        self.output = Linear(width, vocabulary, bias=not settings.tied_embeddings)
        if settings.tied_embeddings:
            self.output.weight = self.target_embedding.weight
        self.pointer = PointerHead(width) if settings.pointer else None
        draw_weights(self, width, max(depths), settings.seed)

    def forward(self, source: Batch, target: Batch, randomness: Randomness | None = None) -> Tensor:
        """[B, T, V], the logits of what comes after each position of the target.

        They are log-probabilities if the model copies.
        """
        streams, memory = self._streams(source, target, randomness, None)
        hidden = self.decoder_norm(streams)
        logits: Tensor = self.output(hidden)
        if self.pointer is None:
            return logits
        return self.pointer.log_probs(hidden, logits, self._copied(source, memory))

    def loss(
        self, batch: PairBatch, randomness: Randomness | None = None, smoothing: float = 0.0
    ) -> Tensor:
        """The summed cross-entropy of the targets' labels.

        Args:
            batch: Sources and targets.
            randomness: What a training step draws from; None in evaluation.
            smoothing: Share of each target token that is spread over all tokens.

        Returns:
            A scalar in nats, over all positions that carry loss.

        Raises:
            EpitomeError: If source or target are longer than the model.
        """
        source, target = batch.source, batch.target
        assert target.labels is not None
        where, chunks = target.loss_span, self.settings.loss_chunks
        labels = target.labels[:, where]
        streams, memory = self._streams(source, target, randomness, where)
        hidden = self.decoder_norm(streams[:, where])
        if self.pointer is not None:
            copied = self._copied(source, memory)
            return self.pointer.loss_sum(hidden, copied, self.output, labels, chunks, smoothing)
        return cross_entropy_sum(
            hidden, self.output.weight, self.output.bias, labels, chunks, smoothing
        )

    def hidden(self, source: Batch, target: Batch, randomness: Randomness | None = None) -> Tensor:
        """The normed mean of the decoder's streams.

        Args:
            source: B rows of up to `settings.source_length` tokens.
            target: B rows of up to `settings.target_length` tokens.
            randomness: What a training step draws from; None in evaluation.

        Returns:
            [B, T, D], of the model's dtype, float32 at least.

        Raises:
            EpitomeError: If source or target are longer than the model.
        """
        normed: Tensor = self.decoder_norm(self._streams(source, target, randomness, None)[0])
        return normed

    def encode(self, source: Batch, randomness: Randomness | None = None) -> Tensor:
        """The memory: the normed mean of the encoder's streams.

        Args:
            source: B rows of up to `settings.source_length` tokens.
            randomness: What a training step draws from; None in evaluation.

        Returns:
            [B, S, D], of the model's dtype, float32 at least.

        Raises:
            EpitomeError: If the source is longer than the model.
        """
        x = self._source_vectors(source)
        this_pass = self._pass("encoder ", x, source, randomness, None)
        memory: Tensor = self.encoder_norm(self._run(self._encoder_layers(this_pass), x, None))
        return memory

    def decoder_block(self, depth: int) -> DecoderBlock:
        """The weights of the decoder at one depth, which may be those of all depths."""
        block = self.decoder[depth % len(self.decoder)]
        assert isinstance(block, DecoderBlock)
        return block

    def next_vectors(self, tokens: Tensor, before: Tensor | None, place: Tensor) -> Tensor:
        """Vectors of one more token of each row of the target.

        Args:
            tokens: [N] int64.
            before: [N] int64, the tokens before them; None where they are the first.
            place: [1] int64, their place.

        Returns:
            [N, 1, D].
        """
        x: Tensor = self.target_embedding(tokens)
        if self.target_smear is not None and before is not None:
            x = self.target_smear.add(x, self.target_embedding(before))
        return (x + self.target_positions(place))[:, None]

    def _copied(self, source: Batch, memory: Tensor) -> Source:
        assert self.pointer is not None
        return Source(self.pointer.offer(memory), source.tokens, source.present)

    def _source_vectors(self, source: Batch) -> Tensor:
        num_tokens, longest = source.tokens.shape[1], self.settings.source_length
        if num_tokens > longest:
            raise EpitomeError(
                f"The text has {num_tokens} tokens; this model reads at most {longest} at once.",
                "Split the text, or use a model of a greater source length.",
            )
        x: Tensor = self.source_embedding(source.tokens)
        if self.source_smear is not None:
            x = self.source_smear(x, source.present)
        return x + self.source_positions(_places(source))

    def _streams(
        self, source: Batch, target: Batch, randomness: Randomness | None, needed: slice | None
    ) -> tuple[Tensor, Tensor]:
        """The mean of the decoder's streams, right at the positions that are needed; the memory.

        [B, T, D] and [B, S, D].
        """
        num_tokens, longest = target.tokens.shape[1], self.settings.target_length
        if num_tokens > longest:
            raise EpitomeError(
                f"The summary has {num_tokens} tokens; this model writes at most {longest}.",
                "Shorten the summary, or use a model of a greater target length.",
            )
        memory = self.encode(source, randomness)
        x = self.target_embedding(target.tokens)
        if self.target_smear is not None:
            x = self.target_smear(x, target.present)
        x = x + self.target_positions(_places(target))
        this_pass = self._pass("decoder ", x, target, randomness, needed)
        return self._run(self._decoder_layers(this_pass, source.present), x, memory), memory

    def _pass(
        self,
        side: Literal["encoder ", "decoder "],
        x: Tensor,
        batch: Batch,
        randomness: Randomness | None,
        needed: slice | None,
    ) -> Pass:
        settings = self.settings
        encodes = side == "encoder "
        return Pass(
            settings.encoder_depth if encodes else settings.decoder_depth,
            len(x),
            batch.present,
            randomness,
            needed,
            settings.dropout,
            settings.ff_chunks,
            side,
        )

    def _run(
        self, layers: Sequence[EncoderDecoderLayer], x: Tensor, memory: Tensor | None
    ) -> Tensor:
        if not self.settings.reversible:
            return run_plain(layers, x, memory)
        return run_reversible(layers, x, memory, self._kept(layers, x, memory))

    def _kept(
        self, layers: Sequence[EncoderDecoderLayer], x: Tensor, memory: Tensor | None
    ) -> list[int]:
        """The layers that keep their activations: the smallest first, of equals the last."""
        of_x, of_memory = (0 if part is None else part.nbytes for part in (x, memory))
        sizes = {
            FeedForwardLayer: of_x,  # the stream as it was
            AttentionLayer: 4 * of_x,  # queries, keys, values, and what is found
            # Input, what is normed, queries, what is found, output; keys and values.
            CrossAttentionLayer: 5 * of_x + 2 * of_memory,
        }
        left, kept = float(self.settings.kept_mib * 2**20), []
        for size, number in sorted((sizes[type(layer)], -j) for j, layer in enumerate(layers)):
            left -= size
            if left < 0:
                break
            kept.append(-number)
        return kept

    def _encoder_layers(self, this_pass: Pass) -> list[EncoderDecoderLayer]:
        layers: list[EncoderDecoderLayer] = []
        for depth, kind in enumerate(self._encoder_kinds):
            block = self.encoder[depth % len(self.encoder)]
            assert isinstance(block, EncoderBlock)
            layers += [
                AttentionLayer(depth, this_pass, block.attention, kind),
                FeedForwardLayer(depth, this_pass, block.feed_forward),
            ]
        return layers

    def _decoder_layers(
        self, this_pass: Pass, source_present: Tensor | None
    ) -> list[EncoderDecoderLayer]:
        layers: list[EncoderDecoderLayer] = []
        for depth in range(self.settings.decoder_depth):
            block = self.decoder_block(depth)
            layers += [
                AttentionLayer(depth, this_pass, block.attention, _DECODER_KIND),
                CrossAttentionLayer(depth, this_pass, block.cross_attention, source_present),
                FeedForwardLayer(depth, this_pass, block.feed_forward),
            ]
        return layers


def _encoder_kind(
    settings: ReformerEncoderDecoderSettings, name: EncoderAttentionName
) -> AttentionKind:
    if name == "full":
        return BidirectionalAttention()
    return LocalAttention(settings.window, causal=False, self_last=False)


def _positions(
    settings: ReformerEncoderDecoderSettings, length: int
) -> AxialPositions | LearnedPositions:
    if settings.positions == "axial":
        return AxialPositions(length, settings.width)
    return LearnedPositions(length, settings.width)


def _places(batch: Batch) -> Tensor:
    """[B, T] or [T] int64: the place of each token."""
    if batch.positions is not None:
        return batch.positions
    return torch.arange(batch.tokens.shape[1], device=batch.tokens.device)
