"""What the page of first steps says, without Qt's widgets."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QCoreApplication

from gui.widgets.reading.text_block import MarkStyle

tr = partial(QCoreApplication.translate, "Help")


@dataclass(frozen=True)
class Point:
    """A line of a topic.

    Args:
        text: What it says.
        key: The name of the shortcut that does it; empty for none.
        mark: How the words that it explains are marked in a text; empty for none.
    """

    text: str
    key: str = ""
    mark: MarkStyle | None = None


@dataclass(frozen=True)
class Topic:
    """What is said of one thing.

    Args:
        title: Its heading.
        icon: Lucide's name.
        text: A few sentences.
        points: What stands below them, a line each.
        link: The words of the link at its foot; empty for none.
        leads_to: What the link does, as `gui.panel.Services.act` takes it.
    """

    title: str
    icon: str
    text: str
    points: Sequence[Point] = ()
    link: str = ""
    leads_to: str = ""


def topics() -> tuple[Topic, ...]:
    """All topics, in the order in which they are read."""
    return (*_reading(), *_shaping(), *_further())


def _reading() -> tuple[Topic, ...]:
    return (
        Topic(
            tr("Open a document"),
            "file-text",
            tr(
                "Drop a file on the window, open it, or paste text. Its summary appears beside it; "
                "the line above the summary says how much was read, and what was left out."
            ),
            (Point(tr("Open a document"), "open"), Point(tr("Paste text"), "paste")),
        ),
        Topic(
            tr("What the highlights mean"),
            "text-quote",
            tr("Point at a sentence of the summary, or move to it, to see where it comes from."),
            (
                Point(tr("a passage that the summary uses"), mark="rest"),
                Point(tr("the passage behind the sentence you point at"), mark="lit"),
                Point(tr("words for which no support was found"), mark="unsupported"),
                Point(tr("a number, date or name to check"), mark="doubtful"),
                Point(tr("words you searched for"), mark="found"),
            ),
        ),
    )


def _shaping() -> tuple[Topic, ...]:
    return (
        Topic(
            tr("Set the length"),
            "a-large-small",
            tr(
                "Choose sentences, words or a share of the text, and drag the slider or type a "
                "number. If too few sentences are worth it, the summary is shorter and says so."
            ),
            (Point(tr("Shorter summary"), "shorter"), Point(tr("Longer summary"), "longer")),
        ),
        Topic(
            tr("Choose the sentences"),
            "pin",
            tr("Your choices are kept for each document and come back when you open it again."),
            (
                Point(tr("Pin: keep the sentence at any length"), "pin"),
                Point(tr("Replace it with the next best one"), "replace"),
                Point(tr("Drop it"), "drop"),
                Point(tr("Add a sentence of the source"), "add"),
                Point(tr("Undo"), "undo"),
            ),
        ),
        Topic(
            tr("Use the summary elsewhere"),
            "share",
            tr("Exports name the page and paragraph of every sentence and quote the source."),
            (
                Point(tr("Copy"), "copy_summary"),
                Point(tr("Export as Word, PDF, HTML or text"), "export"),
                Point(tr("Print"), "print"),
            ),
        ),
    )


def _further() -> tuple[Topic, ...]:
    return (
        Topic(
            tr("Move without the mouse"),
            "keyboard",
            "",
            (
                Point(tr("Next sentence"), "next_sentence"),
                Point(tr("Show its evidence"), "show_evidence"),
                Point(tr("Next evidence in the source"), "next_evidence"),
                Point(tr("Find words in the source"), "find"),
                Point(tr("Next part of the window"), "next_region"),
            ),
            link=tr("Show all keys"),
            leads_to="all_keys",
        ),
        Topic(
            tr("Where your data is"),
            "folder-open",
            tr(
                "Documents stay where they are. Recent documents, pins, corpora and models are "
                "kept in folders of your own."
            ),
            link=tr("Show these folders"),
            leads_to="folders",
        ),
        Topic(
            tr("What leaves this computer"),
            "shield-check",
            tr(
                "Nothing, unless you give a batch the address of a cluster: then its documents are "
                "sent there. All else is read and summarised here, and there is no account. "
                "Epitome also connects to the network when you install an optional part. It never "
                "looks for updates by itself."
            ),
            link=tr("Check for updates"),
            leads_to="updates",
        ),
    )
