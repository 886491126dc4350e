"""Settings that follow from the corpus and the machine."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from core.data.corpus_facts import CorpusFacts
from core.models.settings import ModelSettings
from core.profiling.forecast import MEMORY_SPREAD, forecast
from core.settings import Settings
from core.training.plan import RunPlan
from core.training.settings import Objective, RunSettings
from core.training.training_fields import fields_class, plan_of_flat

_TOKENS_A_WORD = {512: 2.6, 2048: 1.8, 4096: 1.6, 8192: 1.45, 32_768: 1.25}
"""Roughly, of European languages, by the size of the vocabulary."""
_TOKENS_A_STEP = {"cpu": 4096, "gpu": 32_768}
_MOST_BATCH = 64
_RATE, _RATE_WIDTH = 2e-3, 128  # the recipe of docs/train.md
_PASSES = 3
_STEPS = (200, 20_000)
_VALIDATIONS = 8
_WHOLE_PERCENT = 90  # so many documents are to fit whole
_SHORTEST = 512


@dataclass(frozen=True)
class Machine:
    """What a job may use.

    Args:
        memory_bytes: The machine's memory.
        free_bytes: How much of it programs can still take.
        cores: Processor cores.
        gpu: Name of the GPU; empty for none.
        gpu_bytes: Its memory.
        disk_free_bytes: Free space where runs lie.
        rate: Operations a second of one core in large matrix products; 0 where nobody knows.
    """

    memory_bytes: int = 0
    free_bytes: int = 0
    cores: int = 1
    gpu: str = ""
    gpu_bytes: int = 0
    disk_free_bytes: int = 0
    rate: float = 0.0

    @property
    def limit_bytes(self) -> int:
        """The memory that a step may take: the GPU's where there is one."""
        return self.gpu_bytes if self.gpu else self.memory_bytes

    @property
    def room_bytes(self) -> int:
        """The memory that is free now, on a GPU all of it; 0 where nobody knows."""
        if self.gpu or not self.free_bytes:
            return self.limit_bytes
        return min(self.free_bytes, self.limit_bytes)


def tokens_a_word(vocabulary_size: int) -> float:
    """About how many tokens a word has."""
    sizes = sorted(_TOKENS_A_WORD)
    if vocabulary_size <= sizes[0]:
        return _TOKENS_A_WORD[sizes[0]]
    for low, high in pairwise(sizes):
        if vocabulary_size <= high:
            share = math.log(vocabulary_size / low) / math.log(high / low)
            return _TOKENS_A_WORD[low] + share * (_TOKENS_A_WORD[high] - _TOKENS_A_WORD[low])
    return _TOKENS_A_WORD[sizes[-1]]


def suggest(
    preset: Settings,
    objective: Objective,
    corpus: CorpusFacts | None,
    machine: Machine,
    origin: ModelSettings | None = None,
) -> Settings:
    """A preset whose lengths, batch, steps and rates follow from corpus and machine.

    Args:
        preset: The fields of a job, as in `core.training.training_fields`.
        objective: What is learnt.
        corpus: What it learns from; None where that is not chosen yet.
        machine: Where.
        origin: The model whose weights it begins with, and whose sizes stay; None for a new one.

    Returns:
        Fields of the same class.
    """
    values = preset.model_dump()
    if corpus is not None and corpus.percentiles and origin is None:
        values |= _lengths(values, corpus)
    values["batch"] = _batch(values, objective, machine, origin)
    values["steps"] = _steps(values, corpus)
    values["learning_rate"] = usual_rate(values, origin)
    values["warm_up"] = usual_warm_up(values["steps"])
    values["validate_every"] = max(20, values["steps"] // _VALIDATIONS)
    if values["too_long"] != "start":
        values["too_long"] = "window" if objective == "summary" else "split"
    held_out = corpus.rows.get("validation", 0) if corpus else 100
    values["validate_rows"] = max(1, min(100, held_out or 100))
    written = 0 if objective == "language-model" else min(8, values["validate_rows"])
    values["rouge_rows"] = written
    values["best_by"] = values["best_by"] if written else "loss"
    values["samples"] = min(4, written) if written else values["samples"]
    values["max_length"] = _max_length(values, corpus)
    if machine.gpu:
        values["precision"] = "bf16"
    return type(preset).model_validate(values)


def usual_rate(values: Mapping[str, Any], origin: ModelSettings | None) -> float:
    """The peak learning rate: lower for wide models, and where weights are trained already."""
    rate = _RATE * _RATE_WIDTH / max(values.get("width", 512), _RATE_WIDTH / 4)
    rate = rate / 4 if origin is not None else rate
    return float(f"{min(rate, 4e-3):.1g}")


def usual_warm_up(steps: int) -> int:
    """Steps of the warm-up of a run."""
    return max(10, min(steps // 10, 2000))


def _lengths(values: dict[str, Any], corpus: CorpusFacts) -> dict[str, Any]:
    """The shortest power of two that holds most documents, no longer than the preset's."""
    found: dict[str, Any] = {}
    for name, percentiles in (
        ("length", corpus.percentiles),
        ("source_length", corpus.percentiles),
        ("target_length", corpus.summary_percentiles),
    ):
        if name in values and percentiles:
            words = corpus.words_at(_WHOLE_PERCENT)
            if name == "target_length":
                words = float(percentiles.get(_WHOLE_PERCENT, max(percentiles.values())))
            wanted = 1.15 * words * tokens_a_word(values.get("vocabulary_size", 8192))
            least = _SHORTEST if name != "target_length" else 64
            power = 2 ** math.ceil(math.log2(max(wanted, least)))
            found[name] = min(power, values[name])
    return found


def _batch(
    values: Mapping[str, Any], objective: Objective, machine: Machine, origin: ModelSettings | None
) -> int:
    """As many rows as keep the machine busy, halved until they fit its memory."""
    batch = usual_batch(values, machine)
    while batch > 1 and not batch_fits(values, batch, objective, machine, origin):
        batch //= 2
    return batch


def usual_batch(values: Mapping[str, Any], machine: Machine) -> int:
    """As many rows as keep a machine busy, whatever memory they take."""
    length = row_tokens(values)
    wanted = _TOKENS_A_STEP["gpu" if machine.gpu else "cpu"] / max(length, 1)
    power = 2 ** round(math.log2(max(wanted, 1)))
    return int(max(1, min(power, _MOST_BATCH)))


def batch_fits(
    values: Mapping[str, Any], batch: int, objective: Objective, machine: Machine,
    origin: ModelSettings | None,
) -> bool:  # fmt: skip
    """Whether a step of so many rows fits the machine's memory, as far as that is known."""
    if not machine.room_bytes:
        return True
    fields = fields_class(str(values["family"])).model_validate({**values, "batch": batch})
    return fits_machine(plan_of_flat(fields, RunSettings(), objective, origin), machine)


def fits_machine(plan: RunPlan, machine: Machine) -> bool:
    """Whether a job fits the memory that a machine has free; so it does where nobody knows."""
    told = forecast(plan.model, plan.train, plan.decoding, on_gpu=bool(machine.gpu))
    room = machine.room_bytes
    return not room or (1 + MEMORY_SPREAD) * told.run_peak_bytes <= room


def row_tokens(values: Mapping[str, Any]) -> int:
    """Tokens of the longest row, source and target together."""
    if "length" in values:
        return int(values["length"])
    return int(values.get("source_length", 0)) + int(values.get("target_length", 0))


def corpus_tokens(values: Mapping[str, Any], corpus: CorpusFacts) -> float:
    """About how many tokens the training split has."""
    share = corpus.rows.get("train", 0) / max(corpus.documents, 1)
    return share * corpus.words * tokens_a_word(int(values.get("vocabulary_size", 8192)))


def mean_row_tokens(values: Mapping[str, Any], corpus: CorpusFacts | None) -> float:
    """About how many tokens a row has on average, after long ones were split or cut."""
    longest = row_tokens(values)
    if corpus is None or not corpus.words:
        return float(longest)
    mean = corpus.mean_words * tokens_a_word(int(values.get("vocabulary_size", 8192)))
    return min(mean, 0.9 * longest) if mean > longest / 2 else mean


def num_rows(values: Mapping[str, Any], corpus: CorpusFacts) -> float:
    """About how many rows the training split becomes: long documents may be split."""
    rows = float(corpus.rows.get("train", 0))
    if values.get("too_long") != "split" or not corpus.words:
        return rows
    return max(rows, corpus_tokens(values, corpus) / max(mean_row_tokens(values, corpus), 1))


def _steps(values: dict[str, Any], corpus: CorpusFacts | None) -> int:
    if corpus is None:
        return int(values["steps"])
    wanted = _PASSES * num_rows(values, corpus) / values["batch"]
    low, high = _STEPS
    steps = min(max(wanted, low), high)
    return int(float(f"{steps:.1g}")) if steps >= 1000 else int(-(-steps // 50) * 50)


def _max_length(values: dict[str, Any], corpus: CorpusFacts | None) -> int:
    if corpus is None or not corpus.summary_percentiles:
        return min(128, int(values["max_length"]))
    words = corpus.summary_percentiles.get(75) or max(corpus.summary_percentiles.values())
    tokens = words * tokens_a_word(int(values.get("vocabulary_size", 8192)))
    room = row_tokens(values) // 2
    return int(max(32, min(256, room, 32 * math.ceil(tokens / 32))))
