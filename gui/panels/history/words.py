"""What the History panel says of a summary, in words."""

from datetime import datetime

from PySide6.QtCore import QCoreApplication, QLocale

from core.display_names import shown
from core.library.history_entry import Entry
from core.numbers import format_quantity
from core.summaries.length import Length

BUILT_IN = "built-in"
_HASH_SIGNS = 16  # enough to tell two files apart


def tr(text: str) -> str:
    """The words in the person's language."""
    return QCoreApplication.translate("HistoryPanel", text)


def group_of(moment_s: float, now: datetime) -> str:
    """The head under which a moment stands: today, yesterday, its weekday, its month.

    Args:
        moment_s: Seconds since 1970.
        now: The present, with its time zone.

    Returns:
        "Today", "Yesterday", "Earlier this week" or "November 2026".
    """
    then = datetime.fromtimestamp(moment_s, now.tzinfo)
    days = (now.date() - then.date()).days
    if days <= 0:
        return tr("Today")
    if days == 1:
        return tr("Yesterday")
    if days < 7:
        return tr("Earlier this week")
    month = QLocale(QLocale.Language.English).standaloneMonthName(then.month)
    return f"{tr(month)} {then.year}"


def when_of(moment_s: float, now: datetime) -> str:
    """The time of day for today and yesterday, else the day: "14:05", "3 Nov", "3 Nov 2025"."""
    then = datetime.fromtimestamp(moment_s, now.tzinfo)
    if (now.date() - then.date()).days <= 1:
        return f"{then:%H:%M}"
    day = f"{then.day} {tr(then.strftime('%b'))}"
    return day if then.year == now.year else f"{day} {then.year}"


def moment_of(moment_s: float, now: datetime) -> str:
    """Day and time: "14 Nov 2026, 22:13"."""
    then = datetime.fromtimestamp(moment_s, now.tzinfo)
    return f"{then.day} {tr(then.strftime('%b'))} {then.year}, {then:%H:%M}"


def facts_of(entry: Entry) -> str:
    """The last line in the list: "9 sentences · clock.md"."""
    parts = [format_quantity(entry.sentences, "sentence")]
    if entry.model != BUILT_IN:
        parts.append(entry.model)
    if entry.name != entry.title and entry.documents == 1:  # else its title has the names
        parts.append(entry.name)
    return "  ·  ".join(parts)


def rows_of(entry: Entry, now: datetime) -> list[tuple[str, str]]:
    """Names and values of all that is known of a summary."""
    model = tr("Built-in") if entry.model == BUILT_IN else entry.model
    words = format_quantity(entry.words, "word")
    sentences = format_quantity(entry.sentences, "sentence")
    documents = tr("Document") if entry.documents == 1 else tr("Documents")
    rows = [
        (documents, shown(entry.path or entry.name)),
        (tr("Summary"), f"{sentences}, {words}; {tr('asked for')} {asked_of(entry)}"),
        (tr("Model"), model),
    ]
    if entry.language != "auto":
        rows.append((tr("Language"), entry.language))
    if entry.edits:
        edited = format_quantity(entry.edits, "sentence")
        rows.append((tr("Edited"), tr("{count} pinned or taken out").format(count=edited)))
    if entry.sha256:
        rows.append((tr("SHA-256"), f"{entry.sha256[:_HASH_SIGNS]}…"))
    origins = {"batch": tr(" in Batch"), "command": tr(" at the command line")}
    origin = origins.get(entry.origin, "")
    made = moment_of(entry.made_s, now)
    rows.append((tr("Made"), f"{made}{origin}"))
    return rows


def asked_of(entry: Entry) -> str:
    """The requested length in words: "9 sentences", "120 words", "10 %"."""
    length = Length.parse(entry.length)
    value = f"{length.value:g}"
    units = {"sentences": tr("sentences"), "words": tr("words"), "share": "%"}
    unit = units[length.unit]
    return f"{value}\u202f{unit}" if unit == "%" else f"{value} {unit}"


def spoken(entry: Entry, now: datetime) -> str:
    """An entry as it is read aloud."""
    starred = tr("starred") if entry.starred else ""
    parts = (entry.title, starred, when_of(entry.made_s, now), entry.first, facts_of(entry))
    return ". ".join(part.rstrip(".") for part in parts if part)
