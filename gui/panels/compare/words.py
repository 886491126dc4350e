"""What the Compare panel says, in words."""

from datetime import datetime

from PySide6.QtCore import QCoreApplication

from core.runs.comparisons import Comparison
from core.runs.evaluations import KeptScore
from gui.dates import format_date

COLORS = ("s1", "s3", "s2", "s4", "s5", "s6")
"""The colours of systems, in their order."""
_UNSUPPORTED = "unsupported sentences"
_GOOD_WHEN_LOW = (_UNSUPPORTED,)
PERCENT = "%"


def tr(text: str) -> str:
    """The words in the person's language."""
    return QCoreApplication.translate("ComparePanel", text)


def named(system: str) -> str:
    """What a system is called on screen: ready models have names, others their own titles."""
    known = {
        "built-in": tr("Built-in"),
        "lead": tr("Lead"),
        "gap-sentences": tr("Gap sentences"),
        "random": tr("Random"),
    }
    return known.get(system, system)


def day_of(moment: str) -> str:
    """The day of a moment in ISO 8601, where the person is: "25 Nov 2026"; empty for none."""
    try:
        day = datetime.fromisoformat(moment).astimezone()
    except ValueError:
        return ""
    return format_date(day)


def color_of(system: int) -> str:
    """The colour of a system."""
    return COLORS[system % len(COLORS)]


def measure_title(name: str) -> str:
    """What a measure is called in the head of a column: "ROUGE-1 F1"."""
    known = {
        "novel 1-grams": tr("New words"),
        _UNSUPPORTED: tr("Without support"),
        "words": tr("Words"),
    }
    if name in known:
        return known[name]
    if name.startswith(("rouge", "bleu")):
        kind, _, part = name.partition(" ")
        kind = kind.upper().replace("ROUGE-LSUM", "ROUGE-Lsum")
        return f"{kind} {part.upper() if part == 'f1' else part}".strip()
    return name[:1].upper() + name[1:]


def main_measure(about: Comparison) -> str:
    """The measure that documents are told apart by at first."""
    names = [name for name, _ in about.measures]
    wanted = ("rouge-1 f1", "rouge-l f1", "novel 2-grams", "words")
    return next((name for name in wanted if name in names), names[0] if names else "")


def recipe_title(name: str) -> str:
    """What a kind of score is called where it is told how it is computed: "ROUGE", "Novelty"."""
    return name.upper() if name in ("rouge", "bleu") else name[:1].upper() + name[1:]


def higher_is_better(measure: str) -> bool:
    """Whether a system wins with the higher value."""
    return measure not in _GOOD_WHEN_LOW


def with_unit(measure: str, value: float, unit: str) -> str:
    """A value as it is told: "31.2 %", "44"; ROUGE and BLEU are told in points: "61.2"."""
    if unit == "words":
        return f"{value:.0f}"
    is_share = unit == PERCENT and not measure.startswith(("rouge", "bleu"))
    return f"{value:.1f}\u202f%" if is_share else f"{value:.1f}"


def table_measures(about: Comparison) -> tuple[KeptScore, ...]:
    """The scores that have a column in the table of systems: each kind once."""
    first = about.systems[0].scores
    whole = [s for s in first if not s.measure.endswith((" precision", " recall"))]
    some = [s for s in whole if s.measure.startswith(("rouge", "bleu-4"))]
    rest = ("novel 1-grams", "content precision", "content recall", _UNSUPPORTED, "words")
    return (*some, *(s for name in rest for s in first if s.measure == name))


def facts_of(about: Comparison) -> str:
    """What is compared, in a line: "patents-eu, test part"."""
    part = tr("{split} part").format(split=about.split) if about.split else ""
    return ", ".join(filter(None, (about.pairs, part)))


def questions() -> dict[str, str]:
    """The questions of blind judging by their names.

    Source: Hoang et al. (2019), table 3: the four criteria of Celikyilmaz et al. (2018).
    """
    return {
        "faithful": tr("Which summary says more faithfully what the source says?"),
        "non-redundancy": tr("Which summary repeats fewer of its ideas?"),
        "coherence": tr("Which summary expresses its ideas more clearly?"),
        "focus": tr("Which summary keeps better to the main ideas of the source?"),
        "overall": tr("Which summary is better overall?"),
    }
