"""Memory and time of a training step of models of others, as they are and with each option.

    python tests/benchmarks/imported.py            # about 15 minutes
    python tests/benchmarks/imported.py --table    # print the kept rows, run nothing

Folders as a person downloads them, with random weights and the sizes of known models, are measured
by the command that a person types: `epitome profile --from FOLDER --memory-options`. Sources and
summaries are full. Each point is a fresh process; the weights' values change neither memory nor
time. Rows go to `results/imported.csv`.
"""

import argparse
import csv
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

RESULTS = Path(__file__).parent / "results" / "imported.csv"
BATCH, TARGET = 2, 128
_BART_BASE: dict[str, Any] = {
    "d_model": 768, "vocab_size": 50_265, "init_std": 0.02,
    "encoder_layers": 6, "decoder_layers": 6, "encoder_attention_heads": 12,
    "decoder_attention_heads": 12, "encoder_ffn_dim": 3072, "decoder_ffn_dim": 3072,
}  # fmt: skip
MODELS: dict[str, tuple[str, int, dict[str, Any]]] = {
    "BART, base": ("bart", 1024, {**_BART_BASE, "max_position_embeddings": 1024}),
    "LED, base": (
        "led", 2048,
        {**_BART_BASE, "max_encoder_position_embeddings": 16_384,
         "max_decoder_position_embeddings": 1024, "attention_window": 512},
    ),
    "T5, small": (
        "t5", 1024,
        {"d_model": 512, "d_kv": 64, "d_ff": 2048, "num_layers": 6, "num_heads": 8,
         "vocab_size": 32_128, "n_positions": 512, "initializer_factor": 1.0},
    ),
}  # fmt: skip
"""Family, tokens of a source, and configuration as in the published model of that name."""
COLUMNS = (
    "model", "option", "length", "num_tokens", "num_parameters", "step_s", "peak_bytes",
    "state_bytes", "working_bytes", "memory_by", "threads", "load_1min", "num_cores", "failure",
)  # fmt: skip


def measure(model: str) -> list[dict[str, Any]]:
    """The rows of a model: as it is, and with each option."""
    from tests.helpers.library_folders import library_folder

    family, source, config = MODELS[model]
    with tempfile.TemporaryDirectory() as folder:
        made = library_folder(family, Path(folder) / "model", **config)
        file = Path(folder) / "points.csv"
        epitome = str(Path(sys.executable).with_name("epitome"))
        lengths = ("--source-length", str(source), "--target-length", str(TARGET))
        steps = ("--batch", str(BATCH), "--steps", "3", "--warm-up", "1", "--threads", "2")
        how = ("--memory-options", "--csv", str(file))
        subprocess.run(
            [epitome, "profile", "--from", str(made), *lengths, *steps, *how], check=True
        )
        with file.open(newline="", encoding="utf-8") as rows:
            return [{"model": model} | row for row in csv.DictReader(rows)]


def report(rows: list[dict[str, Any]]) -> None:
    """Peak memory and step time, and what each option makes of them."""
    print("| model | option | peak, MiB | of it weights, gradients, Adam | step, s |")
    print("| --- " * 5 + "|")
    for row in rows:
        plain = next(each for each in rows if each["model"] == row["model"])
        peak, time = (float(row[name]) for name in ("peak_bytes", "step_s"))
        cells = [
            f"{peak / 2**20:.0f} (× {peak / float(plain['peak_bytes']):.2f})",
            f"{float(row['state_bytes']) / 2**20:.0f}",
            f"{time:.1f} (× {time / float(plain['step_s']):.2f})",
        ]
        print(f"| {row['model']} | {row['option']} | {' | '.join(cells)} |")


def main() -> int:
    """Measures all models, keeps the rows and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--table", action="store_true", help="print the kept rows, run nothing")
    if not parser.parse_args().table:
        found = [row for model in MODELS for row in measure(model)]
        with RESULTS.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, COLUMNS, extrasaction="ignore", lineterminator="\n")
            writer.writeheader()
            writer.writerows(found)
    with RESULTS.open(newline="", encoding="utf-8") as file:
        report(list(csv.DictReader(file)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
