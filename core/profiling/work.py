"""The largest step of a model in bytes and operations, from its settings alone.

What is kept for the backward pass, what a layer holds while it works, and what the loss holds
follow the way in which the models work, with measured factors (`tests/benchmarks/estimate.py`).

Letters: B rows at once, T positions, D width, F inner width of feed-forward, V vocabulary.
"""

from dataclasses import dataclass
from typing import Any

from core.models.hugging_face.settings import HuggingFaceSettings
from core.models.language_model.settings import LanguageModelSettings
from core.models.reformer.encoder_decoder_settings import ReformerEncoderDecoderSettings
from core.models.reformer.settings import ReformerSettings
from core.models.settings import ModelSettings
from core.models.transformer.settings import TransformerSettings
from core.profiling.transformer_work import TransformerStack, decoder_alone, stacks_of
from core.storage.parsing import parse_json
from core.training.settings import TrainSettings

MIB = 2**20


@dataclass(frozen=True)
class StepWork:
    """The largest step in numbers, from which memory and time follow.

    Args:
        activations: Bytes that are kept, and that layers hold.
        attention: Bytes that attention holds.
        workspace: Bytes of the loss and of what does not depend on the sizes.
        flops: Operations of the matrix products of a step, with recomputation.
    """

    activations: float
    attention: float
    workspace: float
    flops: float


# Bytes that do not depend on the sizes: libraries' code that a step loads, and small tensors.
_CODE_BYTES = 24 * MIB
_LOGITS_AT_ONCE = 3 << 21
_ATTENTION_AT_ONCE, _FEED_FORWARD_AT_ONCE = 2048, 1024


@dataclass(frozen=True)
class _Stack:
    """A stack of layers as memory and time see it.

    Args:
        rows: B.
        length: T of the stack.
        width: D.
        inner: F.
        depth: Blocks.
        kinds: Attention of each block.
        window: Positions that local and hashed attention see.
        rounds: Hash rounds.
        heads: H.
        reversible: Whether activations are recomputed.
        checkpointing: Whether they are, without reversible layers.
        kept_mib: What is kept of reversible layers all the same.
        ff_chunks: Pieces of feed-forward; None lets the cache decide.
        memory_length: Positions of what a decoder looks at; 0 without cross-attention.
        projections: Projections of attention: shared and values, or queries, keys, values.
        is_causal: Whether a position sees only those before it.
    """

    rows: int
    length: int
    width: int
    inner: int
    depth: int
    kinds: tuple[str, ...]
    window: int
    rounds: int
    heads: int
    reversible: bool
    checkpointing: bool
    kept_mib: int
    ff_chunks: int | None
    memory_length: int
    projections: int
    is_causal: bool = True
    stored_factor = 0.81

    @property
    def stream(self) -> float:
        """Bytes of one stream, [B, T, D]."""
        return 4.0 * self.rows * self.length * self.width

    @property
    def matrix_weights(self) -> int:
        """Weights of the matrix products of a block, for each position."""
        cross = 4 * self.width**2 if self.memory_length else 0
        return (self.projections + 1) * self.width**2 + 2 * self.width * self.inner + cross

    def seen(self, kind: str) -> float:
        """Positions that one position is compared with."""
        if kind == "full":
            return self.length / 2 if self.is_causal else self.length
        return 2.0 * self.window * (self.rounds if kind.startswith("lsh") else 1)

    def attention_flops(self) -> float:
        """Forward, of all blocks, without the projections."""
        seen = sum(self.seen(kind) for kind in self.kinds)
        cross = self.memory_length * len(self.kinds)
        return 4.0 * self.rows * self.length * self.width * (seen + cross)

    def product_flops(self) -> float:
        """Operations of the projections, forward."""
        return 2.0 * self.rows * self.length * self.matrix_weights * self.depth

    def kept(self) -> float:
        """Bytes that a reversible stack keeps for the backward pass."""
        sizes = [self.stream * (self.projections + 1)] * self.depth + [self.stream] * self.depth
        if self.memory_length:
            memory = self.stream / self.length * self.memory_length
            sizes += [5 * self.stream + 2 * memory] * self.depth
        else:
            sizes += [self.stream * self.inner / self.width] * self.depth
        kept = 0.0
        for size in sizes if self.memory_length == 0 else sorted(sizes):
            if kept + size > self.kept_mib * MIB:
                break
            kept += size
        return kept

    def stored(self) -> float:
        """Bytes of all activations where nothing is recomputed."""
        of_attention = (2 * self.projections + 4) * self.stream
        of_attention += sum(2 * self.rounds * self.stream for k in self.kinds if k.startswith("lsh")
                            ) / max(self.depth, 1)  # fmt: skip
        of_feed_forward = (2 + 2 * self.inner / self.width) * self.stream
        cross = 7 * self.stream if self.memory_length else 0.0
        return self.depth * (of_attention + of_feed_forward + cross)

    def working(self) -> float:
        """Bytes that a feed-forward layer holds while it works."""
        pieces = self.ff_chunks or -(-self.rows * self.length // _FEED_FORWARD_AT_ONCE)
        return 4.0 * self.rows * self.length / max(pieces, 1) * self.inner

    def attending(self) -> float:
        """Bytes that the largest attention layer holds while it works."""
        return max(self._attending(kind) for kind in self.kinds)

    def _attending(self, kind: str) -> float:
        projected = (self.projections + 1) * self.stream
        if kind.startswith("lsh"):
            return projected + self.rounds * self.stream
        return projected


Stacks = tuple[_Stack, ...] | tuple[TransformerStack, ...]


def _stacks(model: ModelSettings, rows: int) -> Stacks:
    match model:
        case TransformerSettings():
            return stacks_of(model, rows)
        case LanguageModelSettings():
            return (decoder_alone(model, rows),)
        case ReformerSettings():
            return (
                _Stack(
                    rows, model.length, model.width, model.feed_forward_width or 4 * model.width,
                    model.depth, model.kinds, model.bucket_size, model.rounds, model.heads,
                    model.reversible, model.checkpointing, model.kept_mib, model.ff_chunks, 0, 2,
                ),
            )  # fmt: skip
        case ReformerEncoderDecoderSettings():
            inner = model.feed_forward_width or 4 * model.width
            encoder = _Stack(
                rows, model.source_length, model.width, inner, model.encoder_depth,
                model.encoder_kinds, model.window, 1, model.heads, model.reversible, False,
                model.kept_mib, model.ff_chunks, 0, 3, is_causal=False,
            )  # fmt: skip
            decoder = _Stack(
                rows, model.target_length, model.width, inner, model.decoder_depth,
                ("full",) * model.decoder_depth, model.window, 1, model.heads, model.reversible,
                False, model.kept_mib, model.ff_chunks, model.source_length, 3,
            )  # fmt: skip
            return (encoder, decoder)
    return _of_library(model, rows)


def _of_library(model: HuggingFaceSettings, rows: int) -> tuple[_Stack, ...]:
    config: dict[str, Any] = parse_json(model.architecture)
    width = int(config.get("d_model", config.get("hidden_size", 512)))
    inner = next(
        (int(config[name]) for name in ("encoder_ffn_dim", "d_ff", "intermediate_size")
         if config.get(name)),
        4 * width,
    )  # fmt: skip
    names = ("encoder_layers", "num_layers", "num_encoder_layers", "num_hidden_layers")
    depth = next((int(config[name]) for name in names if config.get(name)), 6)
    decoders = int(config.get("decoder_layers", config.get("num_decoder_layers", depth) or depth))
    kind, window = ("local", max(model.windows) // 2) if model.is_led else ("full", 64)
    sides = [(model.source_length, depth, 0, kind),
             (model.target_length, decoders, model.source_length, "full")]  # fmt: skip
    if model.is_chat:  # one stack reads both
        sides = [(model.source_length + model.target_length, depth, 0, "full")]
    return tuple(
        _Stack(rows, length, width, inner, layers, (each,) * layers, window, 1, 8, False,
               model.checkpointing, 0, 1, memory, 3, is_causal=bool(memory) or model.is_chat)
        for length, layers, memory, each in sides
    )  # fmt: skip


def step_work(
    model: ModelSettings, train: TrainSettings, loss_tokens: int | None = None
) -> StepWork:
    """The largest step of a model, all rows as long as it allows.

    Args:
        model: The model.
        train: Batch, accumulation, precision.
        loss_tokens: Tokens of a row that carry loss; None for all it writes.

    Returns:
        The work.
    """
    parts = min(train.accumulate, train.batch)
    stacks = _stacks(model, -(-train.batch // parts))
    last = stacks[-1]
    positions = last.rows * min(loss_tokens or last.length, last.length)
    logits = 4.0 * min(positions * model.vocabulary_size, _LOGITS_AT_ONCE)
    if isinstance(model, HuggingFaceSettings):
        logits = 4.0 * positions * model.vocabulary_size
    table = 4.0 * model.vocabulary_size * last.width
    factors = _factors(model)
    streams = sum(stack.stream for stack in stacks)
    activations = factors["streams"] * streams + factors["memory"] * stacks[0].stream
    for stack in stacks:
        if stack.reversible:
            activations += stack.kept() + factors["working"] * stack.working()
        elif stack.checkpointing:
            held = stack.depth * 2 * stack.stream + stack.stored() / stack.depth
            activations += factors["checkpointed"] * held
        else:
            activations += factors["stored"] * stack.stored_factor * stack.stored()
    if _copies(model):
        # Keys and queries with their gradients, and all hidden states where any may be copied.
        activations += 4 * (stacks[0].stream + last.stream)
        logits += 4.0 * min(positions * stacks[0].length, _LOGITS_AT_ONCE)
    attention = factors["attention"] * max(stack.attending() for stack in stacks)
    workspace = factors["logits"] * logits + factors["table"] * table + _CODE_BYTES
    flops = _flops(model, stacks, positions, parts)
    return StepWork(activations, attention, workspace, flops)


def _copies(model: ModelSettings) -> bool:
    return not isinstance(model, HuggingFaceSettings) and model.pointer


def _flops(model: ModelSettings, stacks: Stacks, positions: int, parts: int) -> float:
    """Operations of the matrix products: forward, backward, and what is recomputed."""
    total = 6.0 * positions * model.vocabulary_size * stacks[-1].width
    if _copies(model):
        width, read = stacks[0].width, stacks[0].length
        total += 6.0 * width * (stacks[0].rows * read * width + positions * (width + read))
    for stack in stacks:
        products = stack.product_flops()
        again = 0.0
        if stack.reversible:
            again = 1 - min(stack.kept() / max(stack.stored() / 2, 1), 1.0)
        elif stack.checkpointing:
            again = 1.0
        total += (3 + again) * products + 4.0 * stack.attention_flops()
    return parts * total


def _factors(model: ModelSettings) -> dict[str, float]:
    match model:
        case ReformerSettings():
            return _REFORMER_FACTORS
        case ReformerEncoderDecoderSettings():
            return _REFORMER_FACTORS | _READ
    return _FACTORS


_FACTORS = {
    "streams": 1.9,
    "memory": 0.0,
    "working": 4.3,
    "checkpointed": 1.1,
    "stored": 1.0,
    "attention": 1.42,
    "logits": 2.0,
    "table": 1.8,
}
"""Of the families but the Reformer's."""
# Products by oneDNN copy what they multiply where it is not laid out as they want it.
_REFORMER_FACTORS = {
    "streams": 7.4,
    "memory": 0.0,
    "working": 3.9,
    "checkpointed": 0.93,
    "stored": 1.05,
    "attention": 0.8,
    "logits": 2.0,
    "table": 5.6,
}
"""Fitted to the peaks of 43 models and batches on a processor, with an error of 12 % at most."""
_READ = {"memory": 5.9, "table": 0.0}
"""A decoder keeps what was read; few of its positions carry loss, so the table is not copied."""
