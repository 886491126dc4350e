"""The largest step of a model in bytes and operations, from its settings alone.

What is kept for the backward pass, what a layer holds while it works, and what the loss holds
follow the way in which the models work, with measured factors (`tests/benchmarks/estimate.py`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from core.models.families import get_family
from core.models.layer_stack import MIB, LayerStack
from core.models.settings import ModelSettings
from core.training.settings import TrainSettings


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
    family = get_family(model)
    stacks = family.stacks(model, -(-train.batch // parts))
    last = stacks[-1]
    positions = last.rows * min(loss_tokens or last.length, last.length)
    logits = 4.0 * positions * model.vocabulary_size
    if family.chunks_loss:
        logits = min(logits, 4.0 * _LOGITS_AT_ONCE)
    table = 4.0 * model.vocabulary_size * last.width
    factors = family.memory_factors
    streams = sum(stack.stream for stack in stacks)
    activations = factors.streams * streams + factors.memory * stacks[0].stream
    for stack in stacks:
        if stack.reversible:
            activations += stack.kept() + factors.working * stack.working()
        elif stack.checkpointing:
            held = stack.depth * 2 * stack.stream + stack.stored() / stack.depth
            activations += factors.checkpointed * held
        else:
            activations += factors.stored * stack.stored_factor * stack.stored()
    if _copies(model):
        # Keys and queries with their gradients, and all hidden states where any may be copied.
        activations += 4 * (stacks[0].stream + last.stream)
        logits += 4.0 * min(positions * stacks[0].length, _LOGITS_AT_ONCE)
    attention = factors.attention * max(stack.attending() for stack in stacks)
    workspace = factors.logits * logits + factors.table * table + _CODE_BYTES
    flops = _flops(model, stacks, positions, parts)
    return StepWork(activations, attention, workspace, flops)


def _copies(model: ModelSettings) -> bool:
    return getattr(model, "pointer", False)


def _flops(model: ModelSettings, stacks: Sequence[LayerStack], positions: int, parts: int) -> float:
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
