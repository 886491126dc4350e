"""Models for the pictures of the Models panel: a line of runs, an imported one, a damaged one."""

from pathlib import Path

from core.metrics import intervals, rouge
from core.models.reformer.settings import ReformerSettings
from core.runs.about import RunAbout, write_about
from core.runs.evaluations import Evaluation, KeptScore, keep_evaluation
from core.runs.folder import RunFolder
from core.runs.model_card import ModelCard, write_model_card
from tests.helpers.models import STILL_S, a_model

_DAY_S = 86_400
_LONG = ReformerSettings(length=16_384, depth=6, attention=("local", "lsh"), rounds=4)
_SHORT = ReformerSettings(length=4096, depth=6)


def fill(runs: Path) -> Path:
    """Makes the runs; gives the folder of the one that is chosen in the picture."""
    base = a_model(
        runs, "patents-base", parameters=28_000_000, step=50_000, model=_SHORT, objective="gsg",
        loss=3.4, when_s=STILL_S,
    )  # fmt: skip
    short = a_model(
        runs, "patents-4k", parameters=28_000_000, step=36_000, start_from=base, model=_SHORT,
        objective="summary", rouge={"1": 0.386, "2": 0.179, "L": 0.317}, loss=2.61,
        when_s=STILL_S + _DAY_S,
    )  # fmt: skip
    long = a_model(
        runs, "patents-16k", parameters=31_000_000, step=20_500, start_from=short, model=_LONG,
        objective="summary", rouge={"1": 0.407, "2": 0.193, "L": 0.336}, loss=2.48,
        when_s=STILL_S + 3 * _DAY_S,
    )  # fmt: skip
    a_model(
        runs, "2023-11-17-reformer-small-9b2c", parameters=4_200_000, step=1200, start_from=short,
        corpus="reports", objective="summary", loss=2.97, when_s=STILL_S + 2 * _DAY_S,
    )  # fmt: skip
    lab = a_model(
        runs, "lab-medical", parameters=12_000_000, step=9000, corpus="trials",
        objective="summary", rouge={"1": 0.33, "2": 0.141, "L": 0.27}, when_s=STILL_S - _DAY_S,
    )  # fmt: skip
    cut = a_model(runs, "essays-2k", parameters=4_200_000, when_s=STILL_S - 2 * _DAY_S)
    (cut / "job.toml").write_text("[run\n", "utf-8")
    recipes = {
        "rouge": rouge.recipe(("1", "2", "L")),
        "intervals": intervals.recipe(200),
    }
    values = {"rouge-1": (40.7, 1.3), "rouge-2": (19.3, 1.1), "rouge-l": (33.6, 1.2)}
    scores = tuple(
        KeptScore(f"{name} f1", "%", value, value - half, value + half)
        for name, (value, half) in values.items()
    )
    kept = Evaluation(
        "patents-eu.jsonl", "0", 200, 20_500, "120w", "2023-11-18T09:12:00+00:00", scores, recipes
    )
    keep_evaluation(RunFolder(long), kept)
    write_about(RunFolder(short), RunAbout(notes="The best on short patents so far."))
    write_about(RunFolder(runs / "2023-11-17-reformer-small-9b2c"), RunAbout("reports-2k"))
    write_about(RunFolder(long), RunAbout(notes="Compare with patents-4k on the long ones."))
    imported = ModelCard("", ("English",), "2023-11-03", ("lab-base",))
    write_model_card(RunFolder(lab), imported)
    write_model_card(RunFolder(base), ModelCard("", ("English",)))
    return long
