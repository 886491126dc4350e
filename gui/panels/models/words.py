"""What the Models panel says of a model, in words."""

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from core.jobs.describe_models import DescribedModel
from core.models.reformer.settings import ReformerSettings
from core.models.settings import ModelSettings, PairSettings
from core.numbers import format_count, format_quantity, format_size
from core.runs.evaluations import Evaluation, KeptScore
from gui.widgets.chip import State as ChipState

_FIRST_MEASURE = "rouge-1 f1"
_MOST_TABLES = 3


def tr(text: str) -> str:
    """The words in the person's language."""
    return QCoreApplication.translate("ModelsPanel", text)


@dataclass(frozen=True)
class Mark:
    """A chip.

    Args:
        text: Two or three words.
        state: Its colour and icon.
    """

    text: str
    state: ChipState


def marks_of(model: DescribedModel | None) -> tuple[Mark, ...]:
    """The chips beside a model's name."""
    if model is None:
        return (Mark(tr("always there"), "plain"),)
    marks = [Mark(tr("imported") if model.card.imported else tr("trained here"), "plain")]
    if model.is_training:
        marks = [Mark(tr("training"), "accent")]
    if model.fault:
        return (*marks, Mark(tr("cannot be used"), "err"))
    return (*marks, Mark(tr("experimental"), "outline"))


def title_of(model: DescribedModel | None) -> str:
    """Its name."""
    return tr("Built-in") if model is None else model.title


def sentence_of(model: DescribedModel | None) -> str:
    """One sentence on what it is."""
    if model is None:
        return tr("A trained ranker. It takes sentences from the source and writes none.")
    if model.fault:
        return model.fault
    parts = [_families().get(_family(model), tr("Model")), _purpose(model)]
    return tr("{what}, {purpose}.").format(what=parts[0], purpose=parts[1])


def state_of(model: DescribedModel | None) -> str:
    """One sentence on whether it can be used."""
    if model is None:
        return tr("Ready at once, in any language. Nothing has to be trained.")
    if model.fault:
        return model.fault
    step = tr("step {n}").format(n=format_count(model.step))
    if model.is_training:
        return tr("It is being trained; it can be used as it was at {step}.").format(step=step)
    words = tr("It writes its own sentences, which can be wrong: check each by its evidence.")
    return tr("Ready, as it was at {step}.").format(step=step) + " " + words


def length_of(model: DescribedModel | None) -> str:
    """How much it reads at once."""
    if model is None:
        return tr("any")
    if not model.room:
        return tr("unknown")
    return tr("{n} tokens").format(n=format_count(model.room))


def size_of(model: DescribedModel | None, built_in_bytes: int) -> str:
    """What it takes on the disk."""
    return format_size(built_in_bytes if model is None else model.size_bytes)


def languages_of(model: DescribedModel | None) -> str:
    """The languages it was made for."""
    if model is None:
        return tr("any; most exact in English")
    return ", ".join(model.card.languages) or tr("not recorded")


def score_of(model: DescribedModel | None) -> tuple[str, str, str]:
    """The one score on a card, its interval, and what it is; empty where there is none."""
    if model is None:
        return "", "", ""
    for evaluation in model.evaluations:
        if (score := evaluation.score(_FIRST_MEASURE)) is not None:
            where = tr("ROUGE-1, {pairs}").format(pairs=Path(evaluation.pairs).stem)
            return f"{score.value:.1f}", half_width(score), where
    found = model.validation
    if found is None:
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


def scores_of(model: DescribedModel) -> tuple[ScoreTable, ...]:
    """How a model did: where it was evaluated, the newest first, then in its own validation."""
    evaluated = tuple(map(_evaluated, model.evaluations[:_MOST_TABLES]))
    found = model.validation
    if found is None:
        return evaluated or (ScoreTable(tr("It was neither evaluated nor validated.")),)
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
    told = tr("{n} of {pairs} at step {step}, summaries of {length}{intervals}.").format(
        n=format_quantity(evaluation.documents, tr("document"), tr("documents")),
        pairs=evaluation.pairs,
        step=format_count(evaluation.step),
        length=_length_words(evaluation.length),
        intervals=tr(", 95 % intervals") if any(map(half_width, evaluation.scores)) else "",
    )
    shown = [each for each in evaluation.scores if each.measure.endswith(" f1")]
    rows = tuple(
        (_measure(each), f"{each.value:.1f}  {half_width(each)}".strip()) for each in shown
    )
    recipes = (text for name, text in evaluation.recipes.items() if name in ("rouge", "intervals"))
    return ScoreTable(told, rows, " ".join(recipes))


def _length_words(length: str) -> str:
    """ "120w" in words; what is no length stays as it is."""
    units = {"w": tr("{n} words"), "s": tr("{n} sentences"), "%": tr("{n}\u202f% of the text")}
    words = units.get(length[-1:])
    return words.format(n=length[:-1]) if words else length


def _measure(score: KeptScore) -> str:
    """ "rouge-lsum f1" as it is written elsewhere: "ROUGE-Lsum F1"."""
    kind, _, part = score.measure.partition(" ")
    name, _, variant = kind.partition("-")
    return f"{name.upper()}-{variant.capitalize()} {part.upper()}"


def facts_of(model: DescribedModel) -> list[tuple[str, str]]:
    """Names and values of what else is known of a trained model."""
    settings = model.settings
    facts = [
        (tr("Parameters"), format_count(model.parameters) if model.parameters else tr("unknown")),
        (tr("Reads at once"), length_of(model)),
    ]
    if settings is not None:
        facts += _architecture(settings)
    facts += [
        (tr("Trained on"), model.corpus or tr("unknown")),
        (tr("Languages"), languages_of(model)),
        (tr("On disk"), _on_disk(model)),
    ]
    if model.card.imported:
        facts.append((tr("Imported"), model.card.imported))
    return facts


def kin_words(model: DescribedModel | None) -> str:
    """A few words below a name in the lineage."""
    if model is None:
        return tr("not on this computer")
    steps = tr("{n} steps").format(n=format_count(model.step))
    return ", ".join(filter(None, (_purpose(model), model.corpus, steps)))


def _on_disk(model: DescribedModel) -> str:
    kept = tr("1 checkpoint") if model.checkpoints == 1 else tr("{n} checkpoints")
    return f"{format_size(model.size_bytes)}, {kept.format(n=model.checkpoints)}"


def _family(model: DescribedModel) -> str:
    return model.settings.family if model.settings is not None else ""


def _families() -> dict[str, str]:
    return {
        "reformer": tr("Reformer language model"),
        "reformer-encoder-decoder": tr("Reformer encoder-decoder"),
        "hugging-face": tr("Hugging Face encoder-decoder"),
    }


def _purpose(model: DescribedModel) -> str:
    return {
        "gsg": tr("pre-trained on gap sentences"),
        "language-model": tr("trained as a language model"),
        "summary": tr("trained on summaries"),
    }.get(model.objective, tr("trained for something unknown"))


def _architecture(settings: ModelSettings) -> list[tuple[str, str]]:
    """What stands in a model's settings, in words."""
    facts = [(tr("Vocabulary"), _tokens(settings.vocabulary_size))]
    if isinstance(settings, PairSettings):
        facts.append((tr("Writes at most"), _tokens(settings.target_length)))
    if isinstance(settings, ReformerSettings):
        layers = tr("{n}, reversible") if settings.reversible else "{n}"
        kinds = tr(" and ").join(
            kind.replace("lsh", "LSH") for kind in dict.fromkeys(settings.kinds)
        )
        hashed = tr(", {n} rounds").format(n=settings.rounds) if "LSH" in kinds else ""
        facts += [
            (tr("Layers"), layers.format(n=settings.depth)),
            (tr("Attention"), kinds + hashed),
        ]
    return facts


def _tokens(number: int) -> str:
    return tr("{n} tokens").format(n=format_count(number))
