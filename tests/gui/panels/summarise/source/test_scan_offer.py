"""A scan that cannot be read offers the part that reads it; then it is read."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from core.distribution import parts
from core.distribution.parts import PART_NAMES, Part
from core.events import Failed
from core.jobs.sources.sources import SourceRef
from gui.main_window import MainWindow
from gui.panels.settings.part_rows import OptionalPartRow
from gui.panels.summarise.state import Phase
from gui.widgets.chrome.part_offer import PartOffer
from tests.gui.workers.test_part_installer import Installing
from tests.helpers.windows import ARTICLE, desk, end_window, show_window, toasts, wait_for, words_on

LACK = Failed(
    "This PDF contains no text: its only page is a picture.", "Run it.", kind="missing-scans"
)


class Bench:
    """A window in which text recognition is missing, and what it installs."""

    def __init__(self, home: Path, missing: set[str]) -> None:
        self.missing = missing
        self.made: list[Installing] = []
        self.window = show_window(home)
        self.window.parts._make_job = self.make

    def make(self, part: Part) -> Installing:
        """Makes a job that waits."""
        job = Installing(part)
        job.there = lambda: self.missing.discard(part.name)
        self.made.append(job)
        return job

    def fail(self, source: Path) -> PartOffer | None:
        """Shows what a scan shows; the file is another one, which can be read afterwards."""
        state = desk(self.window).state
        state.begin(SourceRef(path=source))
        state.fail(LACK)
        desk(self.window).redraw()
        (offer,) = desk(self.window).failure.findChildren(PartOffer)
        return offer if offer.isVisible() else None

    def finish(self, qtbot: QtBot) -> None:
        """Lets the installation end."""
        qtbot.waitUntil(lambda: bool(self.made))
        self.made[-1].go_on.set()


@pytest.fixture
def bench(tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    missing = {"scans"}
    monkeypatch.setattr(parts.Part, "is_installed", property(lambda part: part.name not in missing))
    made = Bench(tmp_path, missing)
    yield made
    end_window(made.window)


def test_a_scan_offers_the_part_and_is_read_when_it_is_there(qtbot: QtBot, bench: Bench) -> None:
    offer = bench.fail(ARTICLE)
    assert offer is not None
    assert offer.install.text().startswith("Install text recognition (")
    assert "documents stay on this computer" in words_on(desk(bench.window).failure)
    assert "bootstrap" not in words_on(desk(bench.window).failure)
    assert desk(bench.window).failure._remedy is offer.install
    qtbot.keyClick(offer.install, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "Downloading: 6.0" in words_on(offer))
    assert offer.cancel.isVisible() and not offer.install.isVisible()
    bench.finish(qtbot)
    wait_for(qtbot, bench.window)
    assert desk(bench.window).state.opened is not None
    assert any("Text recognition is installed" in told for told in toasts(bench.window))


def test_cancel_offers_it_again(qtbot: QtBot, bench: Bench) -> None:
    offer = bench.fail(ARTICLE)
    assert offer is not None
    qtbot.mouseClick(offer.install, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(offer.cancel.isVisible)
    qtbot.mouseClick(offer.cancel, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(offer.install.isVisible)
    assert desk(bench.window).state.phase is Phase.FAILED


def test_a_failure_says_why_and_gives_the_command(qtbot: QtBot, bench: Bench) -> None:
    offer = bench.fail(ARTICLE)
    assert offer is not None
    offer.install.triggered.emit()
    qtbot.waitUntil(lambda: bool(bench.made))
    bench.made[0].fails = "Text recognition was not installed: the package index is far away."
    bench.finish(qtbot)
    qtbot.waitUntil(lambda: "far away. Try again." in words_on(offer))
    assert offer.install.isVisible()
    qtbot.mouseClick(offer.copy, Qt.MouseButton.LeftButton)
    command = "python3 packaging/bootstrap.py run --with-scans"
    assert QGuiApplication.clipboard().text() == command


def test_another_scan_shows_the_installation_that_is_under_way(qtbot: QtBot, bench: Bench) -> None:
    first = bench.fail(ARTICLE)
    assert first is not None
    first.install.triggered.emit()
    qtbot.waitUntil(lambda: bool(bench.made))
    desk(bench.window).go_back()
    second = bench.fail(ARTICLE)
    assert second is not None
    assert second.cancel.isVisible()
    bench.finish(qtbot)
    wait_for(qtbot, bench.window)


def test_where_it_cannot_be_installed_the_sentence_says_what_to_do(
    qtbot: QtBot, bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "CONSTRAINTS", tmp_path / "none.txt")
    assert bench.fail(ARTICLE) is None
    assert "Run it." in words_on(desk(bench.window).failure)


def test_settings_offer_all_parts(qtbot: QtBot, bench: Bench) -> None:
    window: MainWindow = bench.window
    window.show_panel("settings")
    window.panel("settings").show_page("parts")  # type: ignore[attr-defined]
    settings = window.panel("settings")
    qtbot.waitUntil(lambda: len(settings.findChildren(OptionalPartRow)) == len(PART_NAMES))
    rows = dict(zip(PART_NAMES, settings.findChildren(OptionalPartRow), strict=True))
    scans, training = rows["scans"], rows["training"]
    assert scans.install.isVisible() and not scans.cancel.isVisible()
    assert not training.install.isVisible() and "installed" in words_on(training)
    qtbot.mouseClick(scans.install, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "Downloading" in words_on(scans))
    qtbot.mouseClick(scans.cancel, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(scans.install.isVisible)
    qtbot.mouseClick(scans.install, Qt.MouseButton.LeftButton)
    bench.finish(qtbot)
    qtbot.waitUntil(lambda: "installed" in words_on(scans))
