"""Draws the figures 6 to 15 of "Pre-training Reformer language models" as this machine sees them.

    python tests/benchmarks/reformer_figures.py          # about 20 minutes on two idle cores
    python tests/benchmarks/reformer_figures.py 7 14     # only these

Each figure is one call of `epitome profile` with the paper's model (preset `paper`: width 512, 6
layers that share their weights, 8 heads, vocabulary 320) on 4,096 tokens instead of 24,576, and
with nothing kept for the backward pass. Memory is the process's peak above what it had before the
model was built. Figures go to `docs/pictures`, rows to `results`.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
RESULTS = Path(__file__).parent / "results"
PICTURES = ROOT / "docs" / "pictures"
MODEL = ("--preset", "paper", "--length", "4096", "--kept-mib", "0")
STEP = ("--threads", "2", "--warm-up", "1", "--steps", "1")
LENGTHS, DEPTHS = "length=1024..16384x2", "depth=2..12+2"
VARIED: dict[int, tuple[str, ...]] = {
    6: ("width=512..1536+256",),
    7: (DEPTHS,),
    8: ("rounds=1,2,4,8",),
    9: ("heads=1..16x2",),
    10: ("bucket_size=64..512x2",),
    11: ("batch=1..8x2",),
    12: ("ff_chunks=1,2,5,10,20,50",),
    13: (LENGTHS, "attention=lsh+local-chunk,full"),
    14: (DEPTHS, "reversible=on,off"),
    15: (LENGTHS, "reversible=on,off"),
}


def draw(number: int) -> int:
    """Measures and draws one figure; the exit code of its command."""
    name = f"reformer-figure-{number}"
    varied = [word for one in VARIED[number] for word in ("--vary", one)]
    files = ("--png", str(PICTURES / f"{name}.png"), "--csv", str(RESULTS / f"{name}.csv"))
    words = ["profile", *MODEL, *STEP, *varied, *files]
    print(f"Figure {number}: epitome {' '.join(words)}", flush=True)
    return subprocess.run([Path(sys.executable).with_name("epitome"), *words]).returncode


def main() -> int:
    numbers = [int(word) for word in sys.argv[1:]] or list(VARIED)
    return max(draw(number) for number in numbers)


if __name__ == "__main__":
    sys.exit(main())
