"""What the Models panel says of a model, in words."""

from dataclasses import dataclass
from datetime import date

from PySide6.QtCore import QCoreApplication

from core.jobs.models.describe_models import DescribedModel
from core.models.families import get_family
from core.numbers import format_count, format_size
from core.summarisers.built_in_facts import BuiltInFacts
from gui.dates import format_date
from gui.widgets.display.chip import State as ChipState


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
    if model.card.is_damaged:
        marks = [Mark(tr("damaged card"), "warn")]
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
    settings = model.settings
    what = tr("Model") if settings is None else get_family(settings).kind(settings)
    return tr("{what}, {purpose}.").format(what=what, purpose=_purpose(model))


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
    if model.conversion is not None and not model.step:
        return tr("Ready, but not trained at its new length yet.") + " " + words
    if not model.step:
        return tr("Ready, as it was imported.") + " " + words
    kept = tr("Ready, as it was at {step}.")
    if model.step < model.last_step:
        kept = tr("Ready, as it was at {step}, its best by validation.")
    return kept.format(step=step) + " " + words


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


def built_in_rows(size_bytes: int, licence: str) -> list[tuple[str, str]]:
    """Names and short values of what is known of the built-in summariser."""
    return [
        (tr("Reads at once"), tr("any length")),
        (tr("Writes"), tr("nothing of its own")),
        (tr("On disk"), format_size(size_bytes)),
        (tr("Licence"), licence),
    ]


def built_in_origins(known: BuiltInFacts) -> list[tuple[str, str]]:
    """Names and long values: its languages, and what it learnt from."""
    if not known.languages:
        return [(tr("Languages"), languages_of(None))]
    told = tr("{first}, in which it is most exact; also {others}; any other by its form alone")
    first, *others = known.languages
    languages = told.format(first=first, others=", ".join(others))
    return [(tr("Languages"), languages), (tr("Learnt from"), known.trained_on)]


def facts_of(model: DescribedModel) -> list[tuple[str, str]]:
    """Names and values of what else is known of a trained model."""
    settings = model.settings
    facts = [
        (tr("Parameters"), format_count(model.parameters) if model.parameters else tr("unknown")),
        (tr("Reads at once"), length_of(model)),
    ]
    if settings is not None:
        facts += get_family(settings).describe(settings)
    if model.step:
        facts.append((tr("Trained on"), model.corpus or tr("unknown")))
    facts += [
        (tr("Languages"), languages_of(model)),
        (tr("On disk"), _on_disk(model)),
    ]
    if model.card.imported:
        facts.append((tr("Imported"), _day(model.card.imported)))
    return facts


def kin_words(model: DescribedModel | None) -> str:
    """A few words below a name in the lineage."""
    if model is None:
        return tr("an earlier model it was trained from; it is not on this computer")
    steps = tr("{n} steps").format(n=format_count(model.step)) if model.step else ""
    return ", ".join(filter(None, (_purpose(model), model.corpus, steps)))


def _day(written: str) -> str:
    """Formats a day: "14 Nov 2023"; what is no day stays as it is."""
    try:
        day = date.fromisoformat(written)
    except ValueError:
        return written
    return format_date(day)


def _on_disk(model: DescribedModel) -> str:
    kept = tr("1 checkpoint") if model.checkpoints == 1 else tr("{n} checkpoints")
    return f"{format_size(model.size_bytes)}, {kept.format(n=model.checkpoints)}"


def _purpose(model: DescribedModel) -> str:
    if not model.step:
        converted = tr("made from {name}, not trained since")
        if model.conversion:
            return converted.format(name=model.conversion.source)
        return tr("as its authors trained it")
    return {
        "gsg": tr("pre-trained on gap sentences"),
        "language-model": tr("trained as a language model"),
        "summary": tr("trained on summaries"),
    }.get(model.objective, tr("trained for an unknown purpose"))


def prompt_of(model: DescribedModel | None) -> str:
    """The prompt of a model that has one, as a person may change it; empty for others."""
    if model is None or model.settings is None:
        return ""
    return model.settings.editable_prompt(model.card.prompt)
