"""Pictures of Models."""

from collections.abc import Callable

from docs.pictures_of.stage import settle
from docs.scenes import library_models, models, training
from gui.main_window import MainWindow


def listed(side: str) -> Callable[[MainWindow], None]:
    """Models in the list, with one of them chosen; where there is room for one side, that side."""

    def show(shown: MainWindow) -> None:
        chosen = models.fill(shown.folders.runs)
        shown.show_panel("models")
        panel = shown.panel("models")
        settle(lambda: panel.state.is_known)
        panel.choose({"model": chosen.name})
        panel.show_side(side)
        settle()

    return show


def scored(shown: MainWindow) -> None:
    """A comparison of two models is set up."""
    training.write_corpora(shown.folders.corpora)
    listed("details")(shown)
    panel = shown.panel("models")
    panel.set_up_scoring(True)
    settle(lambda: bool(panel.scoring.scoring.corpora))
    settle()


def of_others(state: str) -> Callable[[MainWindow], None]:
    """A model of others: its folder is looked through or refused; it is converted, or asked."""

    def show(shown: MainWindow) -> None:
        folders = library_models.fill(shown.folders.runs)
        shown.show_panel("models")
        panel = shown.panel("models")
        settle(lambda: len(panel.state.models) == 3)
        if state in ("import", "refused"):
            name = "bart-large-cnn" if state == "import" else "pegasus-xsum"
            place = shown.folders.data / "downloads" / name
            panel.set_up_import(library_models.a_download(place, pickled=state == "refused"))
            page = panel.page
            settle(lambda: page.form is not None or page.failure.isVisible())
        else:
            chosen = {"convert": "bart", "converted": "led", "prompt": "chat"}[state]
            panel.choose({"model": folders[chosen].name})
            settle()
            if state == "convert":
                panel.set_up_conversion()
            else:
                bar = panel.details.page.verticalScrollBar()
                settle(lambda: bar.maximum() > 0)
                bar.setValue(bar.maximum())
        settle()

    return show


def importing(shown: MainWindow) -> None:
    """The menu of what can be imported."""
    listed("details")(shown)
    shown.panel("models").importing.click()
    settle()


def empty(shown: MainWindow) -> None:
    """Nothing was trained yet."""
    shown.show_panel("models")
    settle(lambda: shown.panel("models").state.is_known)
