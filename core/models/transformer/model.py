"""The encoder-decoder Transformer: it reads one text and writes another.

Source: token vectors (→ strided convolutions) + positions → encoder layers → memory. Target: token
vectors + positions → decoder layers → logits. With the norm before each sub-layer, each stack ends
with one more. Sources: Vaswani et al.: Attention is all you need (2017); Faster Transformers for
text summarization; Analysis of Transformers applied to abstractive text summarization (2020).
"""

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from core.errors import EpitomeError
from core.models.batch import Batch, PairBatch
from core.models.parts.embedding import TokenEmbedding
from core.models.parts.loss import cross_entropy_sum
from core.models.parts.pointer import PointerHead, Source
from core.models.parts.positions import LearnedPositions, SinusoidalPositions
from core.models.parts.products import Linear
from core.models.parts.randomness import Randomness, generator
from core.models.parts.smear import Smear
from core.models.protocol import Model
from core.models.transformer.convolution import Shortening
from core.models.transformer.layers import DecoderLayer, Dropout, EncoderLayer
from core.models.transformer.packing import Packed, pack
from core.models.transformer.settings import TransformerSettings

# A fifth of what token vectors have, so that places do not hide them when learning begins.
_SPREAD_OF_POSITIONS = 0.2


class Memory(NamedTuple):
    """What the encoder gives to the decoder.

    Args:
        vectors: [B, S, D]; S is the source's length, or less if it was shortened.
        present: [B, S] bool, False at padding, which stands behind; None without padding.
        tokens: [B, T] int64, the source's, each row from its first.
    """

    vectors: Tensor
    present: Tensor | None
    tokens: Tensor


class Transformer(Model):
    """A Transformer that predicts the next token of a target from a source.

    Args:
        settings: What it is made of; its first weights are drawn from their seed alone.
    """

    def __init__(self, settings: TransformerSettings) -> None:
        super().__init__()
        self.settings: TransformerSettings = settings
        width, vocabulary = settings.width, settings.vocabulary_size
        self.target_embedding = TokenEmbedding(vocabulary, width)
        self.source_embedding = (
            self.target_embedding
            if settings.shared_embeddings
            else TokenEmbedding(vocabulary, width)
        )
        self.source_smear = Smear(width) if settings.smear else None
        self.target_smear = Smear(width) if settings.smear else None
        self.shortening = Shortening(width, settings.strides)
        self.source_positions = _positions(settings, settings.memory_length)
        self.target_positions = _positions(settings, settings.target_length)
        self.encoder = nn.ModuleList(
            EncoderLayer(settings, depth) for depth in range(settings.encoder_depth)
        )
        self.decoder = nn.ModuleList(
            DecoderLayer(settings, depth) for depth in range(settings.decoder_depth)
        )
        ends = settings.norm == "pre"
        self.encoder_norm = nn.LayerNorm(width) if ends else nn.Identity()
        self.decoder_norm = nn.LayerNorm(width) if ends else nn.Identity()
        self.output = Linear(width, vocabulary, bias=not settings.tied_embeddings)
        if settings.tied_embeddings:
            self.output.weight = self.target_embedding.weight
        self.pointer = PointerHead(width) if settings.pointer else None
        self._draw_weights()

    def forward(self, source: Batch, target: Batch, randomness: Randomness | None = None) -> Tensor:
        """[B, T, V], the logits of what comes after each position of the target.

        They are log-probabilities if the model copies.
        """
        hidden, memory = self._decoded(source, target, randomness)
        logits: Tensor = self.output(hidden)
        if self.pointer is None:
            return logits
        return self.pointer.log_probs(hidden, logits, self.copied(memory))

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
        target = batch.target
        assert target.labels is not None
        where, chunks = target.loss_span, self.settings.loss_chunks
        labels = target.labels[:, where]
        decoded, memory = self._decoded(batch.source, target, randomness)
        hidden = decoded[:, where]
        if self.pointer is not None:
            copied = self.copied(memory)
            return self.pointer.loss_sum(hidden, copied, self.output, labels, chunks, smoothing)
        return cross_entropy_sum(
            hidden, self.output.weight, self.output.bias, labels, chunks, smoothing
        )

    def hidden(self, source: Batch, target: Batch, randomness: Randomness | None = None) -> Tensor:
        """What the logits are made of.

        Args:
            source: B rows of up to `settings.source_length` tokens.
            target: B rows of up to `settings.target_length` tokens.
            randomness: What a training step draws from; None in evaluation.

        Returns:
            [B, T, D].

        Raises:
            EpitomeError: If source or target are longer than the model.
        """
        return self._decoded(source, target, randomness)[0]

    def _decoded(
        self, source: Batch, target: Batch, randomness: Randomness | None
    ) -> tuple[Tensor, Memory]:
        """What the logits are made of, [B, T, D], and the memory."""
        num_tokens, longest = target.tokens.shape[1], self.settings.target_length
        if num_tokens > longest:
            raise EpitomeError(
                f"The summary has {num_tokens} tokens; this model writes at most {longest}.",
                "Shorten the summary, or use a model of a greater target length.",
            )
        memory = self.encode(source, randomness)
        dropout, packed = Dropout(self.settings.dropout, randomness, "decoder"), pack(target)
        x = self.target_embedding(packed.tokens)
        if self.target_smear is not None:
            x = self.target_smear(x)  # padding stands behind
        x = dropout(self._at_places(x, packed.places), 0, "embedding")
        for layer in self.decoder:
            x = self._run(layer, x, memory.vectors, memory.present, dropout)
        return packed.unpack(self.decoder_norm(x)), memory

    def encode(self, source: Batch, randomness: Randomness | None = None) -> Memory:
        """What the encoder makes of sources.

        Args:
            source: B rows of up to `settings.source_length` tokens.
            randomness: What a training step draws from; None in evaluation.

        Returns:
            The memory; each row begins at its first place, wherever its padding stood.

        Raises:
            EpitomeError: If the source is longer than the model.
        """
        num_tokens, longest = source.tokens.shape[1], self.settings.source_length
        if num_tokens > longest:
            raise EpitomeError(
                f"The text has {num_tokens} tokens; this model reads at most {longest} at once.",
                "Split the text, or use a model of a greater source length.",
            )
        packed = pack(source)
        x = self.source_embedding(packed.tokens)
        if self.source_smear is not None:
            x = self.source_smear(x)
        x, present = self.shortening(x, packed.present)
        dropout = Dropout(self.settings.dropout, randomness, "encoder")
        x = dropout(x + self._source_positions(packed), 0, "embedding")
        for layer in self.encoder:
            x = self._run(layer, x, present, dropout)
        return Memory(self.encoder_norm(x), present, packed.tokens)

    def copied(self, memory: Memory) -> Source:
        """What a model with a pointer head may copy."""
        assert self.pointer is not None
        return Source(self.pointer.offer(memory.vectors), memory.tokens, memory.present)

    def next_vectors(self, tokens: Tensor, before: Tensor | None, places: Tensor) -> Tensor:
        """Vectors of one more token of each row of the target.

        Args:
            tokens: [N] int64.
            before: [N] int64, the tokens before them; None where they are the first.
            places: [N] int64, their places.

        Returns:
            [N, D].
        """
        x: Tensor = self.target_embedding(tokens)
        if self.target_smear is not None and before is not None:
            x = self.target_smear.add(x, self.target_embedding(before))
        return self._at_places(x, places)

    def _at_places(self, x: Tensor, places: Tensor) -> Tensor:
        """[…, D] vectors of the target's tokens with those of their places."""
        return x if self.target_positions is None else x + self.target_positions(places)

    def decoder_layer(self, depth: int) -> DecoderLayer:
        """The decoder's layer at one depth."""
        layer = self.decoder[depth]
        assert isinstance(layer, DecoderLayer)
        return layer

    def _source_positions(self, packed: Packed) -> Tensor | float:
        """[…, S, D]: a shortened source has the places of its groups' first tokens, shortened."""
        if self.source_positions is None:
            return 0.0
        places = packed.places[..., :: self.settings.shortening] // self.settings.shortening
        vectors: Tensor = self.source_positions(places)
        return vectors

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
        """Draws the first weights, from the seed alone.

        Matrices are Xavier's, as in the model of 2017: with much smaller ones it does not begin to
        learn what to look at. Token vectors are read multiplied by the root
        of the width, so they begin about as large as the waves they are added to.
        """
        source = generator("weights", self.settings.seed)
        for name, weight in self.named_parameters():
            if "norm" in name:
                continue
            if weight.dim() == 1:
                weight.zero_()
            elif "positions." in name:
                weight.normal_(0.0, _SPREAD_OF_POSITIONS, generator=source)
            elif "embedding" in name or name == "output.weight":
                weight.normal_(0.0, self.settings.width**-0.5, generator=source)
            else:
                nn.init.xavier_uniform_(weight, generator=source)


def _positions(
    settings: TransformerSettings, length: int
) -> SinusoidalPositions | LearnedPositions | None:
    match settings.positions:
        case "sinusoidal":
            return SinusoidalPositions(length, settings.width)
        case "learned":
            return LearnedPositions(length, settings.width)
        case "none":
            return None
