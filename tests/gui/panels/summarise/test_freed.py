"""What is closed takes no memory any more."""

import gc
import weakref

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from tests.helpers.windows import ARTICLE, LOCKED_TEXT, PATENT, desk, drop, files_data


def test_a_closed_document_is_freed(qtbot: QtBot, window: MainWindow) -> None:
    panel = desk(window)
    drop(panel, files_data(PATENT, ARTICLE, LOCKED_TEXT))
    qtbot.waitUntil(lambda: len(panel.documents) == 3)
    for place in (1, 2, 0):
        panel.turner.show(panel.documents.all[place])
        qtbot.waitUntil(lambda: panel.opener.run is None and not panel.documents.next_to_read())
    held = [weakref.ref(document) for document in panel.documents.all]
    for _ in held:
        QTest.keyClick(window, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)

    def are_freed() -> bool:
        gc.collect()
        return [each() for each in held[:2]] == [None, None]  # the last one stays, empty

    qtbot.waitUntil(are_freed)
