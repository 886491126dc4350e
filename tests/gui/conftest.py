"""What tests of the window share."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gui.theme.theme import Theme

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Lets pass what the screenless platform says of itself; every other Qt warning fails."""
    mark = pytest.mark.qt_log_ignore("^This plugin does not support", extend=True)
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(mark)


@pytest.fixture
def theme(qtbot: QtBot) -> Iterator[Theme]:
    """A light theme without motion, so that nothing has to be waited for."""
    theme = Theme(scheme="light", motion="off")
    yield theme
    theme.deleteLater()
