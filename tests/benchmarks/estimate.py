"""The forecast of a training step against its measurement: `python tests/benchmarks/estimate.py`.

Each point of a grid over presets, families and settings is forecast, then measured in a fresh
process as *Try one step* does. Peaks over 300 MiB are to be within 15 % of the forecast, times on
an idle machine within 35 %. Rows go to `results/estimate.csv`, a drawing of forecast over
measurement to `results/estimate.png`. `--small` measures a few points, `--only` those of
some names, `--table` none; rows that are there are forecast anew.
"""

import argparse
import csv
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from core.decoding.settings import DecodingSettings  # noqa: E402
from core.events import Failed, Finished  # noqa: E402
from core.jobs.run import run_inline  # noqa: E402
from core.jobs.training.try_step import TryStepJob  # noqa: E402
from core.models.language_model.settings import PRESETS as LANGUAGE_MODELS  # noqa: E402
from core.models.reformer.encoder_decoder_settings import (  # noqa: E402
    ReformerEncoderDecoderSettings,
)
from core.models.reformer.settings import PRESETS, ReformerSettings  # noqa: E402
from core.models.transformer.settings import PRESETS as TRANSFORMERS  # noqa: E402
from core.profiling.forecast import (  # noqa: E402
    PROGRAM_MIB,
    bf16_gain,
    forecast,
    loss_tokens,
)
from core.profiling.work import MIB, step_work  # noqa: E402
from core.stop import StopToken  # noqa: E402
from core.system.machine import bf16_units, usable_cores  # noqa: E402
from core.training.plan import RunPlan  # noqa: E402
from core.training.settings import RunSettings, TrainSettings  # noqa: E402

RESULTS = Path(__file__).parent / "results" / "estimate.csv"
FIELDS = (
    "name", "family", "parameters", "tokens", "forecast_mib", "peak_mib", "state_mib", "code_mib",
    "baseline_mib", "forecast_s", "step_s", "gflop", "forecast_gflop", "rate_gflop_s", "load_1min",
)  # fmt: skip
LEAST_MIB, MEMORY_SHARE, TIME_SHARE = 300, 0.15, 0.35


def plan(model: Any, **train: Any) -> RunPlan:
    """A plan of one model."""
    usual = {"device": "cpu", "batch": 1, "objective": "language-model"}
    settings = TrainSettings.checked(usual | train)
    return RunPlan(RunSettings(), model, settings, DecodingSettings())


def grid(small: bool) -> Iterator[tuple[str, RunPlan]]:
    """The points by name."""
    small_model, quick = PRESETS["small"], ReformerSettings(width=128, length=1024)
    pair = ReformerEncoderDecoderSettings(source_length=1024, target_length=256)
    yield "small", plan(small_model)
    yield "quick, batch 8", plan(quick, batch=8)
    yield "pair", plan(pair, batch=2, objective="summary")
    if small:
        return
    yield "quick, batch 4", plan(quick, batch=4)
    yield "quick, batch 32", plan(quick, batch=32)
    yield "quick, gsg", plan(quick, batch=16, objective="gsg")
    yield "small, batch 4", plan(small_model, batch=4)
    yield "small, batch 8, 4 parts", plan(small_model, batch=8, accumulate=4)
    yield "small, bf16", plan(small_model, precision="bf16")
    yield "small, adafactor", plan(small_model, batch=2, optimizer="adafactor")
    changes: list[dict[str, Any]] = [
        {"length": 1024}, {"length": 16_384}, {"depth": 2}, {"depth": 12}, {"width": 512},
        {"rounds": 4}, {"rounds": 8}, {"bucket_size": 128}, {"reversible": False},
        {"reversible": False, "checkpointing": True}, {"attention": ("full",)},
        {"attention": ("local",)}, {"attention": ("lsh",)}, {"kept_mib": 0},
        {"vocabulary_size": 32_000}, {"shared_layers": True}, {"ff_chunks": 1},
        {"tied_embeddings": False}, {"dropout": 0.1}, {"heads": 8},
        {"width": 512, "depth": 8, "length": 8192}, {"width": 512, "vocabulary_size": 16_000},
        {"length": 8192, "reversible": False}, {"feed_forward_width": 4096},
    ]  # fmt: skip
    for change in changes:
        name = ", ".join(f"{key} {value}" for key, value in change.items())
        yield f"small, {name}", plan(small_model.model_copy(update=change))
    yield "paper", plan(PRESETS["paper"])
    yield "paper-deep", plan(PRESETS["paper-deep"])
    pairs: list[dict[str, Any]] = [
        {"source_length": 4096, "target_length": 512}, {"width": 512}, {"encoder_depth": 8},
        {"reversible": False}, {"encoder_attention": ("local",), "source_length": 8192},
        {"decoder_depth": 8}, {"vocabulary_size": 32_000},
    ]  # fmt: skip
    for change in pairs:
        name = ", ".join(f"{key} {value}" for key, value in change.items())
        model = pair.model_copy(update=change)
        yield f"pair, {name}", plan(model, batch=2, objective="summary")
    yield from transformers()
    yield from language_models()


def transformers() -> Iterator[tuple[str, RunPlan]]:
    """Points of the family transformer."""
    base = TRANSFORMERS["paper-2"]
    usual: dict[str, Any] = {"batch": 8, "objective": "summary"}
    yield "paper-2", plan(base, **usual)
    yield "paper-4", plan(TRANSFORMERS["paper-4"], **usual)
    changes: list[dict[str, Any]] = [
        {"encoder_attention": ("local",)}, {"encoder_attention": ("shifted",)},
        {"encoder_attention": ("light-convolution",)},
        {"encoder_attention": ("light-convolution",), "decoder_attention": ("light-convolution",)},
        {"encoder_attention": ("memory-compressed",)}, {"shortening": 4},
        {"source_length": 2000}, {"source_length": 2000, "encoder_attention": ("local",)},
        {"checkpointing": True, "source_length": 2000}, {"dropout": 0.0}, {"width": 512},
        {"encoder_depth": 6, "decoder_depth": 6},
    ]  # fmt: skip
    for change in changes:
        name = ", ".join(f"{key} {value}" for key, value in change.items())
        yield f"paper-2, {name}", plan(base.model_copy(update=change), **usual)


def language_models() -> Iterator[tuple[str, RunPlan]]:
    """Points of the family language-model."""
    base = LANGUAGE_MODELS["paper-5"]
    yield "paper-5, end task", plan(base, batch=8, objective="summary")
    changes: list[dict[str, Any]] = [
        {}, {"length": 2048}, {"length": 2048, "checkpointing": True}, {"dropout": 0.0},
        {"depth": 8}, {"width": 512, "heads": 8}, {"norm": "post"},
        {"smear": True, "pointer": True},
    ]  # fmt: skip
    for change in changes:
        name = ", ".join(("paper-5", *(f"{key} {value}" for key, value in change.items())))
        yield name, plan(base.model_copy(update=change), batch=8)


def measure(name: str, chosen: RunPlan) -> dict[str, Any] | None:
    """A row of the results; None where the point could not be measured."""
    *_, last = run_inline(TryStepJob(chosen), StopToken())
    if isinstance(last, Failed):
        print(f"{name}: {last.message}", file=sys.stderr)
        return None
    assert isinstance(last, Finished)
    found = last.result
    return {
        "name": name,
        "family": chosen.model.family,
        "parameters": found.num_parameters,
        "tokens": found.num_tokens,
        "peak_mib": round(found.peak_bytes / MIB, 1),
        "state_mib": round(found.state_bytes / MIB, 1),
        "code_mib": round((found.code_bytes or 0) / MIB, 1),
        "baseline_mib": round(found.baseline_bytes / MIB, 1),
        "step_s": round(found.step_s, 4),
        "gflop": round(found.matmul_flops / 1e9, 2),
        "rate_gflop_s": round(found.matmul_rate / 1e9, 1),
        "load_1min": round(found.load_1min, 2),
    }


def forecast_of(chosen: RunPlan, rate: float) -> dict[str, Any]:
    """The forecast of a point, in the columns of the results.

    Args:
        chosen: The point.
        rate: Operations a second of large matrix products, measured beside the step.
    """
    threads = max(usable_cores() - 1, 1)
    if chosen.train.precision != "fp32":
        rate /= bf16_gain(bf16_units())  # it was measured in that precision
    found = forecast(
        chosen.model, chosen.train, chosen.decoding, cores=usable_cores(), rate=rate / threads
    )
    work = step_work(
        chosen.model, chosen.train, loss_tokens(chosen.model, chosen.train, chosen.decoding)
    )
    return {
        "forecast_mib": round(found.peak_bytes / MIB - PROGRAM_MIB, 1),
        "forecast_s": round(found.longest_step_s, 4),
        "forecast_gflop": round(work.flops / 1e9, 2),
    }


def told(row: dict[str, Any]) -> tuple[str, bool]:
    """A line of the table, and whether the point is within its bounds."""
    peak, step_s = float(row["peak_mib"]), float(row["step_s"])
    memory = float(row["forecast_mib"]) / peak - 1
    time = float(row["forecast_s"]) / step_s - 1
    idle = float(row["load_1min"]) <= usable_cores() + 1
    good = (peak < LEAST_MIB or abs(memory) <= MEMORY_SHARE) and (
        not idle or abs(time) <= TIME_SHARE
    )
    busy = "" if idle else "  (others used the cores)"
    line = (
        f"{row['name']:46} {peak:7.0f} MiB {100 * memory:+4.0f} %   "
        f"{step_s:6.2f} s {100 * time:+4.0f} %{busy}"
    )
    return line, good


def draw(rows: list[dict[str, Any]], path: Path) -> None:
    """Draws forecast over measurement, with the bounds."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(9, 4.2))
    pairs = (("peak_mib", "forecast_mib", "Peak, MiB", MEMORY_SHARE),
             ("step_s", "forecast_s", "Step, s", TIME_SHARE))  # fmt: skip
    for plane, (measured, foreseen, title, share) in zip(axes, pairs, strict=True):
        x = [float(row[measured]) for row in rows]
        y = [float(row[foreseen]) for row in rows]
        ends = [min(x + y) / 1.2, max(x + y) * 1.2]
        plane.plot(ends, ends, color="0.5", linewidth=1)
        for sign in (-1, 1):
            plane.plot(ends, [(1 + sign * share) * end for end in ends], "--", color="0.8")
        plane.loglog(x, y, "o", markersize=4)
        plane.set(xlabel=f"{title}, measured", ylabel="forecast", xlim=ends, ylim=ends)
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def write(rows: Iterable[dict[str, Any]]) -> None:
    """Writes the rows of the results."""
    with RESULTS.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, FIELDS)
        writer.writeheader()
        writer.writerows(rows)


def main() -> int:
    """Measures, forecasts, prints, writes and draws; gives the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="Measure a few points")
    parser.add_argument("--table", action="store_true", help="Measure nothing")
    parser.add_argument("--only", default="", help="Measure points whose names begin with this")
    options = parser.parse_args()
    before = list(csv.DictReader(RESULTS.open(encoding="utf-8"))) if RESULTS.exists() else []
    rows = {row["name"]: row for row in before}
    for name, chosen in grid(options.small and not options.table):
        is_meant = name.startswith(options.only)
        row = measure(name, chosen) if is_meant and not options.table else rows.get(name)
        if row is None:
            continue
        rows[name] = row | forecast_of(chosen, 1e9 * float(row["rate_gflop_s"]))
        print(told(rows[name])[0], flush=True)
        write(rows.values())  # what is measured is kept when it is ended early
    draw(list(rows.values()), RESULTS.with_suffix(".png"))
    missed = [row["name"] for row in rows.values() if not told(row)[1]]
    print(f"{len(rows)} points, {len(missed)} beyond the bounds: {', '.join(missed) or 'none'}")
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())
