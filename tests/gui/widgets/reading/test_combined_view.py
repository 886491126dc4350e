"""One summary of several documents, as it is shown."""

from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.events import Finished
from core.jobs.run import run_inline
from core.jobs.sources.sources import SourceRef
from core.jobs.summaries.summarise import SummariseSettings
from core.jobs.summaries.summarise_together import NamedSource, TogetherJob
from core.stop import StopToken
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.inputs.button import Button
from gui.widgets.reading.combined_view import CombinedView
from tests.helpers.towns import text_of


def test_other_numbers_stand_below_the_place_that_has_them(
    qtbot: QtBot, theme: Theme, tmp_path: Path
) -> None:
    sources = []
    for town, cost in (("Arden", 410), ("Borrow", 410), ("Caster", 530)):
        path = tmp_path / f"{town}.txt"
        told = f"Cladding the nine worst piles of the quay takes six weeks and costs {cost} crowns."
        path.write_text(f"{town}\n\n{told} {text_of(town)}", "utf-8")
        sources.append(NamedSource(path.name, SourceRef(path=path)))
    job = TogetherJob(tuple(sources), SummariseSettings(length="6s"), processes=1)
    *_, last = run_inline(job, StopToken())
    assert isinstance(last, Finished)
    view = CombinedView(theme)
    qtbot.addWidget(view)
    view.resize(800, 600)
    view.show_combined(last.result[0])
    view.show()
    content = view.widget()
    assert content is not None

    def height(part: QWidget) -> int:
        return part.mapTo(content, QPoint(0, 0)).y()

    links = content.findChildren(Button)
    quotes = [each for each in content.findChildren(Label) if "530 crowns" in each.text()]
    (quote,) = [each for each in quotes if each.text().startswith("With other numbers")]
    above = max((each for each in links if height(each) < height(quote)), key=height)
    assert "Caster" in above.text()
    assert height(quote) - height(above) < 2 * above.height()
