"""A history for the pictures: the samples are really summarised, on days of the past weeks."""

import random
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from core.distribution.resources import resource
from core.export.excerpt import KeptSummary
from core.jobs.run import run_inline
from core.jobs.sources.sources import SourceRef
from core.jobs.summaries.summarise import SummariseJob, SummariseSettings
from core.library.history import History
from core.library.history_entry import NewEntry
from core.stop import StopToken
from core.summaries.summary import Summary
from gui.main_window import MainWindow
from tests.helpers.histories import an_entry

Settle = Callable[..., None]

_SAMPLES = (("patent.pdf", "9s"), ("report.docx", "120w"), ("article.md", "5s"))
_OLDER = (
    (1, "Clocks of the shore"), (1, "What an oyster knows of the moon"),
    (3, "Flatworms of the mud flat"), (4, "Clock genes, a reading list"), (9, "The sea louse"),
    (30, "Tides in a jar"), (31, "Worms that count the days"), (75, "Rhythms of the beach"),
)  # fmt: skip


def fill(history: History) -> None:
    """Keeps three real summaries of today, and older ones of made documents."""
    noon = datetime.now().astimezone().replace(hour=12, minute=5, second=0)
    chance, sentences = random.Random(3), _sentences()
    for days, title in _OLDER:
        made_s = (noon - timedelta(days=days, minutes=17 * days % 60)).timestamp()
        chosen = sorted(chance.sample(range(len(sentences)), 9))
        texts = [sentences[at] for at in chosen]
        history.keep(an_entry(title, *texts, path=f"/papers/{title}.md", made_s=made_s))
    for number, (name, length) in enumerate(_SAMPLES):
        made_s = (noon - timedelta(minutes=41 * number)).timestamp()
        history.keep(_summarised(resource("samples", name), length, made_s))
    newest = history.search()
    history.star(newest[0].id, True)
    history.star(newest[4].id, True)
    history.annotate(newest[0].id, "For the meeting on separators")


def _sentences() -> list[str]:
    """Those of the article that stand for themselves."""
    text = resource("samples", "article.md").read_text("utf-8")
    found = (" ".join(each.split()) for each in re.split(r"(?<=[.?!])\s+", text))
    return [each for each in found if len(each) > 60 and '"' not in each and each[0].isupper()]


def _summarised(path: Path, length: str, made_s: float) -> NewEntry:
    settings = SummariseSettings(length=length)
    *_, last = run_inline(SummariseJob(SourceRef(path=path), settings), StopToken())
    result = last.result  # type: ignore[attr-defined]
    kept = KeptSummary.of(result.summary, result.document).to_json()
    return NewEntry(_placed(result.summary, path.name), kept, made_s=made_s)


def _placed(summary: Summary, name: str) -> Summary:
    """The summary of a document that lies in the same place on every machine."""
    return replace(summary, source=replace(summary.source, name=name, path=f"/papers/{name}"))


def show(shown: MainWindow, settle: Settle, wanted: str = "", side: str = "list") -> None:
    """The panel with its newest summary, or what a search finds."""
    fill(shown.history)
    shown.show_panel("history")
    panel = shown.panel("history")
    settle(lambda: bool(panel.state.entries))  # type: ignore[attr-defined]
    if wanted:
        panel.strip.find_field.setText(wanted)  # type: ignore[attr-defined]
        settle()
    settle(lambda: panel.preview.summary.summary is not None)  # type: ignore[attr-defined]
    panel.show_side(side)  # type: ignore[attr-defined]
    settle()
