"""Nothing looks for updates but a person's click, and that opens one page in the browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from pytestqt.qtbot import QtBot

from core.library.folders import Folders
from core.library.preferences import Preferences
from gui.panels.settings import panel as settings_panel
from gui.panels.settings.panel import SettingsPanel
from gui.theme.theme import Theme

PAGE = "https://code.example.org/team/epitome/releases"


class Browser(QObject):
    """Takes the place of the system's browser."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        self.opened.append(url.toString())


@pytest.fixture
def browser(qtbot: QtBot) -> Iterator[Browser]:
    browser = Browser()
    QDesktopServices.setUrlHandler("https", browser, "open")
    yield browser
    QDesktopServices.unsetUrlHandler("https")


def opened(
    qtbot: QtBot, theme: Theme, home: Path, monkeypatch: pytest.MonkeyPatch, page: str
) -> SettingsPanel:
    """The panel of a copy with that page of releases, at About."""
    monkeypatch.setattr(settings_panel, "releases_page", lambda: page)
    panel = SettingsPanel(theme, Preferences(), Folders.under(home))
    qtbot.addWidget(panel)
    panel.resize(1440, 900)
    with qtbot.waitExposed(panel):
        panel.show()
    panel.show_page("about")
    qtbot.waitUntil(panel.updates.check.isVisible)
    return panel


def test_only_a_click_opens_the_page(
    qtbot: QtBot, theme: Theme, home: Path, monkeypatch: pytest.MonkeyPatch, browser: Browser
) -> None:
    panel = opened(qtbot, theme, home, monkeypatch, PAGE)
    assert PAGE in panel.updates.told
    panel.refresh()
    panel.show_page("privacy")
    panel.show_page("about")
    assert browser.opened == []
    qtbot.mouseClick(panel.updates.check, Qt.MouseButton.LeftButton)
    assert browser.opened == [PAGE]


def test_help_leads_to_it(
    qtbot: QtBot, theme: Theme, home: Path, monkeypatch: pytest.MonkeyPatch, browser: Browser
) -> None:
    from gui.panel_table import panel_table
    from gui.panels.help.topics import topics

    link = next(topic for topic in topics() if topic.leads_to == "updates")
    assert link.link == "Check for updates"
    assert [entry.name for entry in panel_table() if "updates" in entry.anywhere] == ["settings"]
    panel = opened(qtbot, theme, home, monkeypatch, PAGE)
    panel.show_page("reading")
    panel.commands()["updates"]()
    assert browser.opened == [PAGE]
    assert panel.page == "about"


def test_the_privacy_card_names_it_as_a_connection(
    qtbot: QtBot, theme: Theme, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = opened(qtbot, theme, home, monkeypatch, PAGE)
    assert panel.privacy.matches("check for updates browser only when you click")


def test_a_copy_without_a_page_says_so(
    qtbot: QtBot, theme: Theme, home: Path, monkeypatch: pytest.MonkeyPatch, browser: Browser
) -> None:
    panel = opened(qtbot, theme, home, monkeypatch, "")
    assert not panel.updates.check.isEnabled()
    assert "does not name a page of releases" in panel.updates.told
    panel.commands()["updates"]()
    assert browser.opened == []


def test_without_a_browser_the_page_is_named(
    qtbot: QtBot, theme: Theme, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: False)
    panel = opened(qtbot, theme, home, monkeypatch, PAGE)
    qtbot.mouseClick(panel.updates.check, Qt.MouseButton.LeftButton)
    assert panel.updates.told == f"No program to open web pages was found. The page is {PAGE}."
