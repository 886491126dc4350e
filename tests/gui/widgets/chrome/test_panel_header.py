"""The head of a panel: what it says, its switch, and actions that fold."""

from pytestqt.qtbot import QtBot

from gui.theme.theme import Theme
from gui.widgets.chrome.panel_header import PanelHeader
from gui.widgets.inputs.button import Button


def test_folded_actions_keep_their_names_and_say_them_in_tooltips(
    qtbot: QtBot, theme: Theme
) -> None:
    header = PanelHeader(theme, "Quay", "3 ships")
    qtbot.addWidget(header)
    folds, stays = Button(theme, "Moor", icon="plus"), Button(theme, "Sail", kind="primary")
    header.add(folds, stays, folding=[folds])
    header.resize(600, 52)
    header.show()
    wide = folds.sizeHint().width()
    header.fold(True)
    assert folds.sizeHint().width() == folds.sizeHint().height() < wide
    assert folds.accessibleName() == folds.toolTip() == "Moor"
    assert stays.sizeHint().width() > stays.sizeHint().height()
    folds.set_usable(False, "There is no berth.")
    header.fold(False)
    assert folds.sizeHint().width() == wide and folds.toolTip() == "There is no berth."


def test_the_switch_says_which_side_was_chosen(qtbot: QtBot, theme: Theme) -> None:
    sides = (("list", "List"), ("ship", "Ship"))
    header = PanelHeader(theme, "Quay", sides=sides)
    qtbot.addWidget(header)
    chosen: list[str] = []
    header.side_chosen.connect(chosen.append)
    header.show_side("ship")
    assert header.side == "ship" and chosen == []
    header.switch.part("list").click()
    assert header.side == "list" and chosen == ["list"]
