"""The words of the History panel."""

from collections.abc import Iterable
from datetime import datetime
from itertools import groupby

from PySide6.QtCore import QCoreApplication

from core.display_names import shown
from core.library.history import TRASH_DAYS
from core.library.history_entry import Entry
from core.library.preferences import Preferences
from core.numbers import format_count, format_quantity
from gui.dates import format_moment, format_when, name_day_group
from gui.forms.values import format_length
from gui.panels.history.state import HistoryState

BUILT_IN = "built-in"
_HASH_SIGNS = 16  # enough to tell two files apart


def tr(text: str) -> str:
    """The words in the user's language."""
    return QCoreApplication.translate("HistoryPanel", text)


def group_by_day(entries: Iterable[Entry], now: datetime) -> list[Entry | str]:
    """Puts the names of their groups of days between entries."""
    groups = groupby(entries, lambda entry: name_day_group(entry.made_s, now))
    rows: list[Entry | str] = []
    for name, group in groups:
        rows += [name, *group]
    return rows


def describe_entry(entry: Entry) -> str:
    """Describes an entry in a line: "9 sentences · clock.md"."""
    parts = [format_quantity(entry.sentences, "sentence")]
    if entry.model != BUILT_IN:
        parts.append(entry.model)
    if entry.name != entry.title and entry.documents == 1:  # else its title has the names
        parts.append(entry.name)
    return "  ·  ".join(parts)


def list_facts(entry: Entry, now: datetime) -> list[tuple[str, str]]:
    """Lists names and values of all facts about a summary."""
    model = tr("Built-in") if entry.model == BUILT_IN else entry.model
    words = format_quantity(entry.words, "word")
    sentences = format_quantity(entry.sentences, "sentence")
    documents = tr("Document") if entry.documents == 1 else tr("Documents")
    rows = [
        (documents, shown(entry.path or entry.name)),
        (tr("Summary"), f"{sentences}, {words}; {tr('asked for')} {format_length(entry.length)}"),
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
    made = format_moment(entry.made_s, now)
    rows.append((tr("Made"), f"{made}{origin}"))
    return rows


def format_spoken(entry: Entry, now: datetime) -> str:
    """Formats an entry as a screen reader reads it."""
    starred = tr("starred") if entry.starred else ""
    parts = (
        entry.title,
        starred,
        format_when(entry.made_s, now),
        entry.first,
        describe_entry(entry),
    )
    return ". ".join(part.rstrip(".") for part in parts if part)


def describe_list(state: HistoryState, preferences: Preferences) -> str:
    """Describes the list in the header: its number of summaries, and whether new ones are kept."""
    if not state.is_known:
        return ""
    is_search = bool(state.query.strip())
    total = state.counts[state.shown if is_search else "all"]
    count = format_quantity(total, tr("summary"), tr("summaries"))
    if is_search:
        words = tr("{found} or more of {all}") if state.has_more else tr("{found} of {all}")
        count = words.format(found=format_count(len(state.entries)), all=count)
    if state.is_empty:
        count = ""  # the page says so
    return "  ·  ".join(filter(None, (count, describe_off(preferences))))


def describe_off(preferences: Preferences) -> str:
    """Says that new summaries are not kept; empty if they are."""
    if preferences.private:
        return tr("Private mode: nothing is kept")
    return "" if preferences.history else tr("Off: new summaries are not kept")


def describe_start(preferences: Preferences) -> str:
    """Says what a history without summaries will show, or how it is turned on."""
    off = describe_off(preferences)
    where = tr("Turn it on in Settings, History.")
    if preferences.private:
        where = tr("Turn it off in Settings, History.")
    return f"{off}. {where}" if off else tr("Every summary you make is listed here.")


def describe_nothing(state: HistoryState) -> str:
    """Says why a list is empty; empty if it is not."""
    if state.entries or not state.is_known:
        return ""
    if query := state.query.strip():
        return tr("No summary matches “{words}”.").format(words=query)
    trash = tr("The trash is empty. Deleted summaries stay here for {days} days.")
    return {
        "starred": tr("No summary has a star. Press S to give one."),
        "trash": trash.format(days=TRASH_DAYS),
    }.get(state.shown, "")
