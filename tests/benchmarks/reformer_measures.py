"""One measurement of `reformer.py`, in the process that called it, which should be a fresh one."""

import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

import torch

# What torch's optimisers and the peer's own backward pass load: it is no part of a step's memory.
import torch._dynamo  # noqa: F401
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from core.models.batch import NO_LOSS
from core.profiling.measure import Trial, measure
from core.profiling.settings import ProfileSettings
from tests.benchmarks import reformer_sides
from tests.benchmarks.reformer_sides import VOCABULARY, Epitome, Side, build

if TYPE_CHECKING:
    from tests.benchmarks.reformer import Case

THREADS = 2
TASK_TOKENS = 256  # the last ones, which alone carry loss in the real task
ROOM = 256  # tokens that a model can write after its prompt
SLOW_WRITERS = {"reformer-pytorch": 3}  # tokens; the others write as many as here:
WRITTEN, UNTIMED = 64, 4
OPTIONS: dict[str, dict[str, Any]] = {
    "sliced": {"sliced": True},
    "recomputed": {"kept_mib": 0},  # of the floor: nothing is kept, everything recomputed
    "kept": {"reversible": False},
}
CPU = torch.device("cpu")
Row = dict[str, Any]


def measured(case: "Case") -> Row:
    """What a fresh process finds of a case."""
    torch.set_num_threads(THREADS)
    reformer_sides.load(case.side)
    if case.what == "decode":
        return decoding(case)
    return floor(case) if case.what == "floor" else step(case)


# --- training steps ---


def step(case: "Case") -> Row:
    """Time, memory and operations of a training step."""
    settings = step_settings(case)
    found = measure(lambda: trial(case, settings), settings, case.length, CPU)
    return {
        "seconds": found.step_s, "first_s": found.first_step_s,
        "peak_mib": found.peak_bytes / 2**20, "state_mib": found.state_bytes / 2**20,
        "baseline_mib": found.baseline_bytes / 2**20, "parameters": found.num_parameters,
        "gflop": found.matmul_flops / 1e9, "gflop_per_s": found.matmul_rate / 1e9,
    }  # fmt: skip


def step_settings(case: "Case") -> ProfileSettings:
    return ProfileSettings(
        threads=THREADS,
        precision="bf16" if case.variant == "bf16" else "fp32",
        warm_up=2 if case.length <= 8192 else 1,
        steps=5 if case.length <= 4096 else 2,
        loss_tokens=TASK_TOKENS if case.what == "task" else None,
    )


def trial(case: "Case", settings: ProfileSettings) -> Trial:
    """Model, optimiser and data of a side."""
    side = build(case.side, case.length, case.depth, **OPTIONS.get(case.variant, {})).train()
    tokens, labels = random_text(case.length, settings.loss_tokens)
    if isinstance(side, Epitome):
        return our_trial(side, tokens, labels, settings)
    optimizer = torch.optim.Adam(side.parameters(), settings.learning_rate, fused=True)

    def learn(_number: int) -> None:
        with torch.autocast("cpu", torch.bfloat16, settings.precision == "bf16"):
            loss = side.mean_loss(tokens, labels, settings.loss_tokens)
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        optimizer.zero_grad()

    return Trial(side, optimizer, learn)


def our_trial(side: Epitome, tokens: Tensor, labels: Tensor, settings: ProfileSettings) -> Trial:
    """The program's own step, which draws new rotations each time."""
    from core.models.batch import Batch
    from core.models.parts.randomness import Randomness
    from core.training.step import TrainingStep

    learn, batch = TrainingStep(side.model, settings, CPU), Batch(tokens, labels)
    return Trial(side, learn.optimizer, lambda number: learn(batch, Randomness(0, number, (0,))))


def random_text(length: int, loss_tokens: int | None) -> tuple[Tensor, Tensor]:
    """Tokens and labels, [1, T] each, the same for all sides."""
    source = torch.Generator().manual_seed(0)
    text = torch.randint(1, VOCABULARY, (1, length + 1), generator=source)
    tokens, labels = text[:, :-1].contiguous(), text[:, 1:].clone()
    if loss_tokens is not None:
        labels[:, : length - loss_tokens] = NO_LOSS
    return tokens, labels


# --- decoding ---


def decoding(case: "Case") -> Row:
    """Median seconds of a token after a prompt, greedily chosen; and of reading the prompt."""
    count = SLOW_WRITERS.get(case.side, UNTIMED + WRITTEN)
    side = build(case.side, case.length, case.depth, room=ROOM).eval()
    prompt, _ = random_text(case.length, None)
    with torch.inference_mode():
        times_s = token_times(side, prompt, count)
    timed = times_s[UNTIMED:] if count > UNTIMED else times_s[1:]
    return {
        "seconds": median(timed), "first_s": times_s[0],
        "parameters": sum(weight.numel() for weight in side.parameters()),
    }  # fmt: skip


def token_times(side: Side, prompt: Tensor, count: int) -> list[float]:
    times_s, start_s = [], time.perf_counter()
    for _ in side.greedy(prompt, count):
        end_s = time.perf_counter()
        times_s.append(end_s - start_s)
        start_s = end_s
    return times_s


# --- the floor: our step's matrix products and nothing else ---


class Product(NamedTuple):
    """Products of `batch` pairs of matrices, [m, k] times [k, n]."""

    batch: int
    m: int
    k: int
    n: int

    @property
    def flops(self) -> int:
        return 2 * self.batch * self.m * self.k * self.n


def floor(case: "Case") -> Row:
    """Seconds that the matrix products of a step take alone, each in its fastest layout."""
    products = products_of(case)
    seconds = sum(count * bare_seconds(product) for product, count in products.items())
    flops = sum(count * product.flops for product, count in products.items())
    return {"seconds": seconds, "gflop": flops / 1e9}


def products_of(case: "Case") -> Counter[Product]:
    """Every product of a step, and how often it is made."""
    learner = trial(case, step_settings(case))
    learner.step(0)
    recorder = Recorder()
    with recorder:
        learner.step(1)
    return recorder.products


def bare_seconds(product: Product) -> float:
    """Median time of the fastest layout, into memory that is there."""
    batch, m, k, n = product
    out = torch.empty(batch, m, n)
    lefts = torch.randn(batch, m, k), torch.randn(batch, k, m).transpose(1, 2)
    rights = torch.randn(batch, k, n), torch.randn(batch, n, k).transpose(1, 2)
    pairs = [(a, b) for a in lefts for b in rights]
    if batch > 1:
        return min(median_time(partial(torch.bmm, a, b, out=out)) for a, b in pairs)
    return min(median_time(partial(torch.mm, a[0], b[0], out=out[0])) for a, b in pairs)


def median_time(work: Callable[[], object]) -> float:
    times_s = []
    for _ in range(6):
        start_s = time.perf_counter()
        work()
        times_s.append(time.perf_counter() - start_s)
    return median(times_s[1:])


class Recorder(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Writes down the shape of each matrix product that reaches torch's dispatcher."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.products: Counter[Product] = Counter()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = func.overloadpacket.__name__
        if name in PLAIN:
            a, b = args[PLAIN[name] :][:2]
            batch = a.shape[0] if a.dim() == 3 else 1
            self.products[Product(batch, a.shape[-2], a.shape[-1], b.shape[-1])] += 1
        elif name.startswith(FUSED):
            self.products += fused_products(args, name.endswith("backward"))
        return func(*args, **(kwargs or {}))


PLAIN = {  # where the two factors stand among the arguments
    "mm": 0, "bmm": 0, "addmm": 1, "addmm_": 1, "baddbmm": 1, "baddbmm_": 1,
    "_addmm_activation": 1,
}  # fmt: skip
FUSED = "_scaled_dot_product_flash_attention_for_cpu"


def fused_products(args: Any, backward: bool) -> Counter[Product]:
    """The products inside the fused kernel: two forward; five backward, one of them again."""
    q, k = args[1:3] if backward else args[:2]
    batch, m, width, n = q.shape[0] * q.shape[1], q.shape[2], q.shape[3], k.shape[2]
    scores, values = Product(batch, m, width, n), Product(batch, m, n, width)
    if not backward:
        return Counter([scores, values])
    of_keys = Product(batch, n, m, width)
    return Counter({scores: 2, values: 1}) + Counter({of_keys: 2})
