"""One step: the right loss, the right update, nothing left over."""

import math
from collections.abc import Callable, Iterator

import pytest
import torch
from torch import Tensor, nn

from core.errors import EpitomeError
from core.models.batch import NO_LOSS, Batch
from core.models.parts.randomness import Randomness
from core.training.device import open_device
from core.training.settings import StepSettings
from core.training.step import TrainingStep
from tests.helpers.reformers import batch_of, reformer

CPU = torch.device("cpu")
WIDTH, VOCABULARY = 4, 7
RATE = 0.05


class Bigrams(nn.Module):
    """Predicts a token from the one before; remembers in which type it multiplied."""

    def __init__(self) -> None:
        super().__init__()
        source = torch.Generator().manual_seed(1)
        self.table = nn.Parameter(torch.randn(VOCABULARY, WIDTH, generator=source))
        self.output = nn.Parameter(torch.randn(WIDTH, VOCABULARY, generator=source))
        self.seen: list[torch.dtype] = []

    def loss(
        self, batch: Batch, randomness: Randomness | None = None, smoothing: float = 0.0
    ) -> Tensor:
        logits = self.table[batch.tokens] @ self.output
        self.seen.append(logits.dtype)
        assert batch.labels is not None
        return nn.functional.cross_entropy(
            logits.float().flatten(0, 1),
            batch.labels.flatten(),
            reduction="sum",
            label_smoothing=smoothing,
        )


def random_batch(seed: int, rows: int = 3) -> Batch:
    source = torch.Generator().manual_seed(seed)
    tokens, labels = torch.randint(0, VOCABULARY, (2, rows, 5), generator=source)
    labels[0, :3] = NO_LOSS
    return Batch(tokens, labels)


def adam(weights: list[Tensor], clip: float | None) -> Iterator[Callable[[list[Tensor]], None]]:
    """Kingma and Ba's algorithm, written out; yields what makes each update."""
    first, second = ([torch.zeros_like(w) for w in weights] for _ in range(2))
    step = 0

    def update(gradients: list[Tensor]) -> None:
        length = math.sqrt(sum(float((g * g).sum()) for g in gradients))
        scale = min(1.0, clip / length) if clip else 1.0
        for w, g, m, v in zip(weights, gradients, first, second, strict=True):
            m.mul_(0.9).add_(0.1 * scale * g)
            v.mul_(0.999).add_(0.001 * (scale * g) ** 2)
            m_hat, v_hat = m / (1 - 0.9**step), v / (1 - 0.999**step)
            w -= RATE * m_hat / (v_hat.sqrt() + 1e-8)

    while True:
        step += 1
        yield update


def mean_loss(table: Tensor, output: Tensor, batch: Batch) -> Tensor:
    """One position after the other, in plain words."""
    losses = []
    assert batch.labels is not None
    for row, wanted in zip(batch.tokens.tolist(), batch.labels.tolist(), strict=True):
        for token, label in zip(row, wanted, strict=True):
            if label != NO_LOSS:
                scores = table[token] @ output
                losses.append(scores.exp().sum().log() - scores[label])
    return torch.stack(losses).mean()


@pytest.mark.parametrize("clip", [None, 0.05])
def test_steps_are_those_of_the_loop_written_out(clip: float | None) -> None:
    model = Bigrams()
    twin = [w.detach().clone().requires_grad_() for w in model.parameters()]
    step = TrainingStep(model, StepSettings(learning_rate=RATE, clip=clip), CPU)
    for number, update in zip(range(4), adam([w.data for w in twin], clip), strict=False):
        batch = random_batch(number)
        stepped = step(batch)
        loss = mean_loss(*twin, batch)
        gradients = torch.autograd.grad(loss, twin)
        update(list(gradients))
        torch.testing.assert_close(stepped.loss, loss.detach())
        if clip:
            length = torch.cat([g.flatten() for g in gradients]).norm()
            assert stepped.gradient_norm is not None
            torch.testing.assert_close(stepped.gradient_norm, length)
    for weight, wanted in zip(model.parameters(), twin, strict=True):
        torch.testing.assert_close(weight.detach(), wanted.detach())


def test_smoothing_is_in_the_loss_of_a_step() -> None:
    settings = StepSettings(smoothing=0.1)
    smooth = TrainingStep(Bigrams(), settings, CPU)(random_batch(0)).loss
    wanted = Bigrams().loss(random_batch(0), None, 0.1) / random_batch(0).num_loss_tokens
    torch.testing.assert_close(smooth, wanted.detach())


def test_parts_of_a_batch_add_up_to_the_whole() -> None:
    whole, parts = Bigrams(), Bigrams()
    settings = StepSettings(learning_rate=RATE, clip=0.1)
    batch = random_batch(0)
    stepped = TrainingStep(whole, settings, CPU)(batch)
    step = TrainingStep(parts, settings, CPU)
    assert batch.labels is not None
    losses = [
        step.add_gradients(
            Batch(batch.tokens[row : row + 1], batch.labels[row : row + 1]), batch.num_loss_tokens
        )
        for row in range(3)
    ]
    norm = step.update()
    torch.testing.assert_close(torch.stack(losses).sum(), stepped.loss)
    assert norm is not None and stepped.gradient_norm is not None
    torch.testing.assert_close(norm, stepped.gradient_norm)
    for a, b in zip(whole.parameters(), parts.parameters(), strict=True):
        torch.testing.assert_close(a, b)


def test_nothing_of_a_step_is_left_for_the_next() -> None:
    model = Bigrams()
    stepped = TrainingStep(model, StepSettings(), CPU)(random_batch(0))
    assert all(weight.grad is None for weight in model.parameters())
    assert not stepped.loss.requires_grad
    assert stepped.gradient_norm is None


def test_bf16_multiplies_in_16_bits_and_keeps_weights_in_32() -> None:
    model, plain = Bigrams(), Bigrams()
    stepped = TrainingStep(model, StepSettings(precision="bf16"), CPU)(random_batch(0))
    wanted = TrainingStep(plain, StepSettings(), CPU)(random_batch(0))
    assert (model.seen, plain.seen) == ([torch.bfloat16], [torch.float32])
    assert {weight.dtype for weight in model.parameters()} == {torch.float32}
    torch.testing.assert_close(stepped.loss, wanted.loss, rtol=0.02, atol=0)


@pytest.mark.parametrize("precision", ["fp32", "bf16"])
def test_a_reformer_learns_a_batch_by_heart(precision: str) -> None:
    model = reformer(dtype=torch.float32)
    settings = StepSettings.checked({"precision": precision, "learning_rate": 0.01, "clip": 1.0})
    step, batch = TrainingStep(model, settings, CPU), batch_of(2, 12)
    losses = [float(step(batch, Randomness(0, number, (0, 1))).loss) for number in range(40)]
    assert losses[-1] < losses[0] / 3


def test_a_batch_without_loss_tokens_is_refused() -> None:
    tokens = torch.zeros(1, 4, dtype=torch.int64)
    with pytest.raises(ValueError, match="no position of the batch carries loss"):
        TrainingStep(Bigrams(), StepSettings(), CPU)(Batch(tokens, tokens + NO_LOSS))


def test_fp16_is_refused_on_the_processor() -> None:
    with pytest.raises(EpitomeError) as error:
        TrainingStep(Bigrams(), StepSettings(precision="fp16"), CPU)
    assert error.value.message == (
        "The precision fp16 works on the device cuda only; the device was cpu."
    )
    assert error.value.remedy == "Choose --precision fp32."


def test_a_device_that_is_not_there_is_refused_by_name() -> None:
    with pytest.raises(EpitomeError) as error:
        open_device(StepSettings(device="cuda:99", threads=1))
    assert error.value.message.startswith("The device cuda:99 does not exist; this machine has cpu")
    assert error.value.remedy == "Choose one of these, or auto."


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_are_those_of_the_settings(threads: int) -> None:
    before = torch.get_num_threads()
    try:
        assert open_device(StepSettings(device="cpu", threads=threads)) == CPU
        assert torch.get_num_threads() == threads
    finally:
        torch.set_num_threads(before)
