"""Pictures of what stands around the panels: the list of jobs, the settings, the first steps."""

from collections.abc import Callable
from functools import partial
from unittest import mock

from core.distribution import parts
from core.jobs.queue.trash import discard_folder
from docs.pictures_of.stage import settle
from docs.pictures_of.summarise import summarised
from docs.scenes import models
from docs.scenes.comparisons import write_comparison
from docs.scenes.corpora import write_corpora
from gui.job_list import JobWish
from gui.main_window import MainWindow
from gui.panels.settings import panel as settings_panel


def jobs(shown: MainWindow) -> None:
    """The list of jobs over the status bar."""
    summarised(shown)
    # Five minutes passed since the list saw the first share of the training.
    now_s = [0.0]
    shown.jobs._clock = lambda: now_s[0]
    report = partial(shown.jobs.report, can_pause=True, obey=print)
    report("train", "Training patents-16k", share=0.2)
    now_s[0] = 300.0
    report("train", "Training patents-16k", share=0.41, note="step 8\u202f210 of 20\u202f000")
    report("paused", "Training reports-4k", "paused", share=0.78)
    moves: tuple[JobWish, ...] = ("move_down", "move_up")
    for move, title in zip(
        moves, ("Preparing the corpus speeches", "Training reports-16k"), strict=True
    ):
        report(title, title, "waiting", offers=frozenset({move}))
    report("failed", "Training first", share=0.1)
    shown.jobs.end(
        "failed", "failed", "The disk is full. Free some space, then resume it.", obey=print
    )
    report("cancelled", "Training essays-4k", share=0.1)
    trash = "Cancelled. Its folder is in the trash: ~/Epitome/data/trash/essays-4k-3f9c21aa."
    shown.jobs.end("cancelled", "stopped", trash, offers=frozenset({"restore"}), obey=print)
    shown.status.open_list()
    settle()


def settings(page: str) -> Callable[[MainWindow], None]:
    """A page of the settings."""

    def show(shown: MainWindow) -> None:
        shown.show_panel("settings")
        shown.panel("settings").show_page(page)
        settle()

    return show


def trash(shown: MainWindow) -> None:
    """What was deleted, in the settings."""
    models.fill(shown.folders.runs)
    comparison = write_comparison(shown.folders.comparisons / "patents, four systems")
    corpora = write_corpora(shown.folders.corpora, shown.folders.cache / "sources")
    runs = (shown.folders.runs / name for name in ("essays-2k", "patents-base", "lab-medical"))
    for folder in (*runs, comparison, corpora):
        discard_folder(folder, shown.folders.trash)
    settings("trash")(shown)
    settle(lambda: "5 items" in shown.panel("settings").trash._told.text())


def with_releases(scene: Callable[[MainWindow], None]) -> Callable[[MainWindow], None]:
    """A scene of a copy that names its page of releases."""

    def show(shown: MainWindow) -> None:
        page = "https://code.example.org/epitome/releases"
        with mock.patch.object(settings_panel, "releases_page", lambda: page):
            scene(shown)

    return show


def without_parts(scene: Callable[[MainWindow], None]) -> Callable[[MainWindow], None]:
    """A scene on a machine where no optional part is installed."""

    def show(shown: MainWindow) -> None:
        with mock.patch.object(parts.Part, "is_installed", False):
            scene(shown)

    return show


def helping(shown: MainWindow) -> None:
    """The page of first steps."""
    shown.show_panel("help")
    settle()
