"""What the Models panel says of scores, in words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.jobs.evaluation.score import ScoringDone
from core.jobs.models.describe_models import DescribedModel
from core.numbers import format_count, format_interval, format_quantity
from core.runs.evaluations import Evaluation, KeptDifference, KeptGroup, KeptScore, is_clear
from core.summarisers.built_in_facts import MeasuredTable
from gui.panels.models.words import tr

_FIRST_MEASURE = "rouge-1 f1"
_MOST_TABLES = 3


def score_of(
    model: DescribedModel | None, evaluations: Sequence[Evaluation]
) -> tuple[str, str, str]:
    """The one score on a card, its interval, and what it is; empty where there is none.

    Args:
        model: The model; None for the built-in summariser.
        evaluations: Its evaluations, the newest first.

    Returns:
        Such as "40.5", "± 1.3" and "ROUGE-1, articles".
    """
    for evaluation in evaluations:
        if (score := evaluation.score(_FIRST_MEASURE)) is not None:
            where = tr("ROUGE-1, {pairs}").format(pairs=Path(evaluation.pairs).stem)
            return f"{score.value:.1f}", half_width(score), where
    found = model.validation if model is not None else None
    if model is None or found is None:
        return "", "", ""
    if "1" in found.rouge:
        count = format_quantity(model.rouge_rows, tr("document"), tr("documents"))
        return f"{100 * found.rouge['1']:.1f}", "", tr("ROUGE-1, {n}").format(n=count)
    return f"{found.loss:.2f}", "", tr("validation loss")


def half_width(score: KeptScore) -> str:
    """Half of a score's interval: "± 1.3"; empty where it has none."""
    if score.low is None or score.high is None:
        return ""
    return f"±\u202f{(score.high - score.low) / 2:.1f}"


@dataclass(frozen=True)
class ScoreTable:
    """Scores that were measured together.

    Args:
        told: On what and how, one sentence.
        rows: Names and values.
        recipe: How the scores are computed; empty where nobody has said.
    """

    told: str
    rows: tuple[tuple[str, str], ...] = ()
    recipe: str = ""


def scores_of(
    model: DescribedModel | None,
    evaluations: Sequence[Evaluation],
    measured: Sequence[MeasuredTable] = (),
) -> tuple[ScoreTable, ...]:
    """How a model did: where it was evaluated, the newest first, then in its own validation.

    Args:
        model: The model; None for the built-in summariser.
        evaluations: Its evaluations, the newest first.
        measured: How the built-in summariser did before this version was given away.

    Returns:
        The tables; one without rows says that there is nothing.
    """
    evaluated = tuple(map(_evaluated, evaluations[:_MOST_TABLES]))
    if model is None:
        before = tuple(ScoreTable(each.told, each.rows, each.recipe) for each in measured)
        return (*evaluated, *before) or (ScoreTable(tr("Not evaluated yet.")),)
    found = model.validation
    if found is None:
        return evaluated or (
            ScoreTable(tr("Not evaluated yet. It has no validation of its own either.")),
        )
    rows = [(tr("Loss"), tr("{n} nats per token").format(n=f"{found.loss:.3f}"))]
    rows += [(f"ROUGE-{name} F1", f"{100 * f1:.1f}") for name, f1 in found.rouge.items()]
    told = tr("Validation at step {step}: the loss of {n}").format(
        step=format_count(found.step),
        n=format_quantity(model.validation_rows, tr("example"), tr("examples")),
    )
    if found.rouge:
        count = format_quantity(model.rouge_rows, tr("summary"), tr("summaries"))
        told += tr(", ROUGE of {n}").format(n=count)
    return (*evaluated, ScoreTable(f"{told}.", tuple(rows)))


def _evaluated(evaluation: Evaluation) -> ScoreTable:
    shown = [each for each in evaluation.scores if _is_shown(each.measure)]
    rows = [(measure_name(each.measure), _value(each)) for each in shown]
    rows += map(_of_group, evaluation.groups)
    names = {"rouge": "ROUGE", "intervals": tr("Intervals")}
    recipes = (f"{names[name]}: {text}." for name, text in evaluation.recipes.items()
               if name in names)  # fmt: skip
    return ScoreTable(_how(evaluation), tuple(rows), " ".join(recipes))


def _is_shown(measure: str) -> bool:
    return measure.endswith(" f1") or measure.startswith("content ")


def _of_group(group: KeptGroup) -> tuple[str, str]:
    """A group's name, and its ROUGE: "40.5 / 18.2 / 36.1  12 documents"."""
    scores = [f"{each.value:.1f}" for each in group.scores if each.measure.endswith(" f1")]
    count = format_quantity(group.documents, tr("document"), tr("documents"))
    name = tr("Length") if group.by == "length" else tr("References")
    return f"{name}: {group.name}", f"{' / '.join(scores)}  {count}"


def _how(evaluation: Evaluation) -> str:
    """On what was evaluated and how: one sentence."""
    count = format_quantity(evaluation.documents, tr("document"), tr("documents"))
    parts = [tr("{n} of {pairs}").format(n=count, pairs=evaluation.pairs)]
    if evaluation.split:
        parts[0] += tr(" ({split} split)").format(split=evaluation.split)
    if evaluation.step:
        parts[0] += tr(" at step {step}").format(step=format_count(evaluation.step))
    parts.append(tr("summaries of {length}").format(length=_length_words(evaluation.length)))
    if any(map(half_width, evaluation.scores)):
        parts.append(tr("95 % intervals"))
    if evaluation.against:
        parts.append(tr("then the difference to {model}").format(model=evaluation.against))
    return ", ".join(parts) + "."


def _value(score: KeptScore) -> str:
    """ "40.5  ± 1.3  +2.1 (+0.4 to +3.8)"."""
    parts = (f"{score.value:.1f}", half_width(score), _difference(score.ahead))
    return "  ".join(filter(None, parts))


def _difference(ahead: KeptDifference | None) -> str:
    if ahead is None:
        return ""
    return f"{signed(ahead.value)} ({_signed_ends(ahead.low, ahead.high)})"


def _signed_ends(low: float | None, high: float | None) -> str:
    return format_interval(low, high, "+.1f").replace("-", "−")


def signed(number: float) -> str:
    """A difference with its sign: "+2.1", "−0.4"."""
    return f"{number:+.1f}".replace("-", "−")


def _length_words(length: str) -> str:
    """ "120w" in words; what is no length stays as it is."""
    units = {"w": tr("{n} words"), "s": tr("{n} sentences"), "%": tr("{n}\u202f% of the text")}
    words = units.get(length[-1:])
    return words.format(n=length[:-1]) if words else length


def measure_name(measure: str) -> str:
    """ "rouge-lsum f1" as it is written elsewhere: "ROUGE-Lsum F1"."""
    kind, _, part = measure.partition(" ")
    if kind == "content":
        return tr("Content words, {part}").format(part=part)
    name, _, variant = kind.partition("-")
    return f"{name.upper()}-{variant.capitalize()} {part.upper()}"


def result_words(done: ScoringDone, titles: Sequence[str]) -> tuple[str, str]:
    """What is told when models were scored.

    Args:
        done: What was found.
        titles: Their names, in the same order; the model is the last, what it is compared with
            the first.

    Returns:
        A title, and a few sentences.
    """
    count = format_quantity(done.num_documents, tr("document"), tr("documents"))
    where = tr("{n} of {pairs}").format(n=count, pairs=done.inputs[0].path.name)
    told = [*_scored(done, titles), *done.warnings]
    title = tr("“{model}” was scored on {where}").format(model=titles[-1], where=where)
    return title, " ".join(told)


def _scored(done: ScoringDone, titles: Sequence[str]) -> Iterator[str]:
    last = done.systems[-1]
    score = next((each for each in last.scores if each.measure.name.endswith(" f1")), None)
    if score is not None:
        name = measure_name(score.measure.name)
        yield tr("{name} {value}.").format(name=name, value=f"{score.value:.1f}")
    against = next((each for each in last.differences if each.measure.name.endswith(" f1")), None)
    if against is not None:
        found = against.difference
        words = (
            tr("{by} against “{other}” ({ends}).")
            if is_clear(found, done.num_documents)
            else tr("{by} against “{other}” ({ends}), which may be chance.")
        )
        ends = _signed_ends(found.low, found.high)
        yield words.format(by=signed(found.value), other=titles[0], ends=ends)
