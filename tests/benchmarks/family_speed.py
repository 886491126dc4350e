"""One point of the speed figures of `families.py`, in this process, which should be a fresh one.

    python tests/benchmarks/family_speed.py '{"settings": {…}, "length": 400, "written": 100}'

Prints a row as JSON, times in seconds: a training step of one row (median of three after one that
is not timed), reading a source, writing a text from it, and how much of step and reading passes in
the encoder's self-attention, or what stands in its place.
"""

import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

import torch  # noqa: E402
from torch import nn  # noqa: E402

from core.models.batch import Batch, PairBatch  # noqa: E402
from core.models.parts.randomness import Randomness  # noqa: E402
from core.models.transformer.decoding import TransformerDecoder  # noqa: E402
from core.models.transformer.model import Transformer  # noqa: E402
from core.models.transformer.settings import TransformerSettings  # noqa: E402
from core.training.settings import StepSettings  # noqa: E402
from core.training.step import TrainingStep  # noqa: E402

_TIMES = 3
_NO_TOKEN = -1  # no text ends: every point writes as much


class Watch:
    """Sums the time that passes in some modules, forward and backward."""

    def __init__(self, modules: list[nn.Module]) -> None:
        self.seconds = 0.0
        for module in modules:
            module.register_forward_pre_hook(lambda *_: self._begin())
            module.register_forward_hook(lambda *_: self._end())
            module.register_full_backward_pre_hook(lambda *_: self._begin())
            module.register_full_backward_hook(lambda *_: self._end())

    def _begin(self) -> None:
        self._began_s = time.perf_counter()

    def _end(self) -> None:
        self.seconds += time.perf_counter() - self._began_s


def timed(watch: Watch, work: Callable[[], object]) -> tuple[float, float]:
    """Seconds of the work, and of the watched modules in it: those of the median time."""
    work()
    found = []
    for _ in range(_TIMES):
        watch.seconds = 0.0
        began_s = time.perf_counter()
        work()
        found.append((time.perf_counter() - began_s, watch.seconds))
    return statistics.median_low(found)


def measure(settings: dict[str, Any], length: int, written: int) -> dict[str, Any]:
    """A row of the results."""
    chosen = {"source_length": length, "target_length": max(written, 2)} | settings
    model = Transformer(TransformerSettings.checked(chosen))
    watch = Watch([layer.attention for layer in model.encoder])  # type: ignore[misc]
    random = torch.Generator().manual_seed(0)
    sizes = (1, length), (1, written)
    source, target = (
        torch.randint(4, model.settings.vocabulary_size, size, generator=random) for size in sizes
    )
    batch = PairBatch(Batch(source), Batch(target, target))
    step = TrainingStep(model, StepSettings(), torch.device("cpu"))
    step_s, step_attention_s = timed(watch, lambda: step(batch, Randomness(0, 0, (0,))))
    decoder = TransformerDecoder(model, (2,), _NO_TOKEN)
    read_s, read_attention_s = timed(watch, lambda: decoder.begin(source.tolist()))

    def write() -> None:
        state = decoder.begin(source.tolist())
        for place in range(written):
            _, state = decoder.advance(state, target[:, place])

    both_s, _ = timed(watch, write)
    times = (step_s, step_attention_s, read_s, read_attention_s, both_s - read_s)
    names = ("step_s", "step_attention_s", "read_s", "read_attention_s", "write_s")
    return {name: round(value, 5) for name, value in zip(names, times, strict=True)}


def main() -> None:
    """Measures the point that was typed."""
    point = json.loads(sys.argv[1])
    torch.set_num_threads(2)
    print(json.dumps(measure(point["settings"], point["length"], point["written"])))


if __name__ == "__main__":
    main()
