"""Pictures of Compare."""

from collections.abc import Callable

from docs.pictures_of.stage import settle
from docs.scenes import comparisons
from gui.main_window import MainWindow
from gui.panels.compare.panel import ComparePanel


def compare(shown: MainWindow) -> ComparePanel:
    """The Compare panel."""
    shown.show_panel("compare")
    panel = shown.panel("compare")
    assert isinstance(panel, ComparePanel)
    return panel


def empty(shown: MainWindow) -> None:
    """Nothing was compared yet."""
    compare(shown)
    settle()


def side_by_side(tab: str = "texts") -> Callable[[MainWindow], None]:
    """Four systems on one document, or a tab with all documents."""

    def show(shown: MainWindow) -> None:
        folder = comparisons.write_comparison(shown.folders.comparisons / "patents-eu")
        comparisons.write_judgements(folder, 40 if tab == "judging" else 12)
        panel = compare(shown)
        panel.open(folder)
        page = panel.opened_page
        settle(lambda: page.texts.shown is not None and panel.judge.last is not None)
        page.show_tab(tab)
        page.texts.columns[3].text.light(2)
        settle()

    return show


def searched(shown: MainWindow) -> None:
    """Words that were found in source, reference and summaries."""
    side_by_side()(shown)
    panel = compare(shown)
    page = panel.opened_page.texts
    page.open_find()
    page.find_bar.field.setText("speaker")
    settle(lambda: page.find_bar.count.startswith("1 of"))
    page.found.find_next()
    settle()


def judged_blind(shown: MainWindow) -> None:
    """A pair without names."""
    folder = comparisons.write_comparison(shown.folders.comparisons / "patents-eu")
    comparisons.write_judgements(folder, 12)
    panel = compare(shown)
    panel.open(folder)
    settle(lambda: panel.opened_page.texts.shown is not None and panel.judge.last is not None)
    assert panel.judge.open_session is not None
    panel.judge.go_on(panel.judge.open_session)
    settle(panel.judging_page.buttons["A"].isEnabled)
    settle()
