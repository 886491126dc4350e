"""Segmented control, rail, slider, combo box and toggles: one value, by pointer and by keys."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gui.theme.theme import Theme
from gui.widgets.chrome.rail import NARROW_PX, WIDE_PX, Rail, RailItem
from gui.widgets.inputs.combo import ComboBox
from gui.widgets.inputs.segmented import SegmentedControl
from gui.widgets.inputs.slider import Slider
from gui.widgets.inputs.toggle import CheckBox, RadioButton, Switch

PARTS = [("sentences", "Sentences"), ("words", "Words"), ("share", "Share")]
ITEMS = (
    RailItem("settings", "Settings", "settings", "Ctrl ,", at_foot=True),
    RailItem("summarise", "Summarise", "text-quote", "Ctrl 1"),
    RailItem("batch", "Batch", "file-text", "Ctrl 2"),
)


def role(widget: QWidget) -> QAccessible.Role:
    return QAccessible.queryAccessibleInterface(widget).role()


@pytest.fixture
def control(qtbot: QtBot, theme: Theme) -> SegmentedControl:
    control = SegmentedControl(theme, PARTS, value="words", name="Length in")
    qtbot.addWidget(control)
    with qtbot.waitExposed(control):
        control.show()
    return control


@pytest.fixture
def rail(qtbot: QtBot, theme: Theme) -> Rail:
    rail = Rail(theme, ITEMS)
    qtbot.addWidget(rail)
    rail.resize(WIDE_PX, 600)
    with qtbot.waitExposed(rail):
        rail.show()
    return rail


def test_click_chooses_a_part(qtbot: QtBot, control: SegmentedControl) -> None:
    with qtbot.waitSignal(control.chosen) as told:
        qtbot.mouseClick(control.part("share"), Qt.MouseButton.LeftButton)
    assert told.args == ["share"]
    assert control.value == "share"


def test_arrow_keys_move_the_choice(qtbot: QtBot, control: SegmentedControl) -> None:
    control.part("words").setFocus()
    with qtbot.waitSignal(control.chosen) as told:
        qtbot.keyClick(control.part("words"), Qt.Key.Key_Right)
    assert told.args == ["share"]
    assert control.part("share").hasFocus()


def test_setting_a_part_tells_nobody(qtbot: QtBot, control: SegmentedControl) -> None:
    with qtbot.assertNotEmitted(control.chosen):
        control.set_value("sentences")
    assert control.value == "sentences"
    with pytest.raises(KeyError):
        control.set_value("pages")


def test_parts_are_radio_buttons_with_names(control: SegmentedControl) -> None:
    interface = QAccessible.queryAccessibleInterface(control.part("words"))
    assert interface.role() == QAccessible.Role.RadioButton
    assert interface.text(QAccessible.Text.Name) == "Words"
    assert interface.state().checked


@pytest.mark.parametrize("count", [1, 6])
def test_segmented_control_has_two_to_five_parts(theme: Theme, count: int) -> None:
    with pytest.raises(ValueError, match="2 to 5"):
        SegmentedControl(theme, [(str(i), str(i)) for i in range(count)])


def test_nothing_moves_when_another_part_is_chosen(control: SegmentedControl) -> None:
    before = [control.part(value).sizeHint() for value, _ in PARTS]
    control.set_value("share")
    assert [control.part(value).sizeHint() for value, _ in PARTS] == before


def test_rail_starts_with_the_first_panel_and_has_settings_at_the_foot(rail: Rail) -> None:
    assert rail.value == "summarise"
    assert rail.button("settings").y() > rail.button("batch").y() + 200


def test_rail_is_worked_with_arrow_keys(qtbot: QtBot, rail: Rail) -> None:
    rail.button("summarise").setFocus(Qt.FocusReason.TabFocusReason)
    with qtbot.waitSignal(rail.chosen) as told:
        qtbot.keyClick(rail.button("summarise"), Qt.Key.Key_Down)
    assert told.args == ["batch"]
    assert rail.button("batch").hasFocus()


def test_rail_tells_only_what_the_person_chose(qtbot: QtBot, rail: Rail) -> None:
    with qtbot.assertNotEmitted(rail.chosen):
        rail.set_value("batch")
    with qtbot.waitSignal(rail.chosen) as told:
        qtbot.mouseClick(rail.button("settings"), Qt.MouseButton.LeftButton)
    assert told.args == ["settings"]


def test_narrow_rail_moves_names_to_tooltips(rail: Rail) -> None:
    rail.set_narrow(True)
    assert rail.width() == NARROW_PX
    assert rail.button("batch").toolTip() == "Batch"
    assert rail.button("batch").accessibleName() == "Batch"
    rail.set_narrow(False)
    assert rail.width() == WIDE_PX
    assert rail.button("batch").toolTip() == ""


def test_slider_obeys_keys_and_bounds(qtbot: QtBot, theme: Theme) -> None:
    slider = Slider(theme, 1, 101, 50, name="Length")
    qtbot.addWidget(slider)
    slider.show()
    steps = [
        (Qt.Key.Key_Right, 51),
        (Qt.Key.Key_PageUp, 61),
        (Qt.Key.Key_Home, 1),
        (Qt.Key.Key_Left, 1),
        (Qt.Key.Key_End, 101),
    ]
    for key, value in steps:
        qtbot.keyClick(slider, key)
        assert slider.value() == value
    assert role(slider) == QAccessible.Role.Slider
    assert slider.accessibleName() == "Length"


def test_slider_goes_where_it_is_pressed_and_follows(qtbot: QtBot, theme: Theme) -> None:
    slider = Slider(theme, 0, 100, 0, name="Length", width=218)
    qtbot.addWidget(slider)
    slider.resize(218, 24)
    slider.show()
    with qtbot.waitSignal(slider.followed) as told:
        qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=QPoint(109, 12))
    assert told.args == [50]
    qtbot.mouseMove(slider, QPoint(400, 12))
    qtbot.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=QPoint(400, 12))
    assert not slider.isSliderDown()


def test_slider_tells_once_a_frame(qtbot: QtBot, theme: Theme) -> None:
    slider = Slider(theme, 0, 100, 0, name="Length")
    qtbot.addWidget(slider)
    told: list[int] = []
    slider.followed.connect(told.append)
    for value in range(40):
        slider.setValue(value)
    qtbot.waitUntil(lambda: told == [39])


def test_slider_set_quietly_tells_nobody(qtbot: QtBot, theme: Theme) -> None:
    slider = Slider(theme, 0, 100, 0, name="Length")
    qtbot.addWidget(slider)
    with qtbot.assertNotEmitted(slider.valueChanged), qtbot.assertNotEmitted(slider.followed):
        slider.set_value_quietly(30)
    assert slider.value() == 30


def test_wheel_over_a_combo_box_changes_nothing(qtbot: QtBot, theme: Theme) -> None:
    combo = ComboBox(theme, name="Method")
    qtbot.addWidget(combo)
    combo.addItems(["one", "two"])
    combo.show()
    at = QPointF(5, 5)
    wheel = QWheelEvent(
        at,
        at,
        QPoint(0, -120),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(combo, wheel)
    assert combo.currentText() == "one"
    assert not wheel.isAccepted()


def test_combo_box_is_wide_enough_for_its_longest_item(qtbot: QtBot, theme: Theme) -> None:
    combo = ComboBox(theme, name="Method")
    qtbot.addWidget(combo)
    combo.addItems(["one"])
    narrow = combo.sizeHint().width()
    combo.addItems(["something much longer"])
    assert combo.sizeHint().width() > narrow + 80
    assert role(combo) == QAccessible.Role.ComboBox


def test_toggles_are_worked_by_pointer_on_their_words_and_by_space(
    qtbot: QtBot, theme: Theme
) -> None:
    for toggle in (
        CheckBox(theme, "Shade by score"),
        RadioButton(theme, "One"),
        Switch(theme, "On"),
    ):
        qtbot.addWidget(toggle)
        toggle.resize(toggle.sizeHint())
        toggle.show()
        off = toggle.grab().toImage()
        at = QPoint(toggle.width() - 4, toggle.height() // 2)
        qtbot.mouseClick(toggle, Qt.MouseButton.LeftButton, pos=at)
        assert toggle.isChecked()
        assert toggle.grab().toImage() != off
        assert toggle.height() >= 24
        if not isinstance(toggle, RadioButton):
            qtbot.keyClick(toggle, Qt.Key.Key_Space)
            assert not toggle.isChecked()


def test_switch_without_words_has_a_name(qtbot: QtBot, theme: Theme) -> None:
    switch = Switch(theme, name="More contrast")
    qtbot.addWidget(switch)
    interface = QAccessible.queryAccessibleInterface(switch)
    assert interface.text(QAccessible.Text.Name) == "More contrast"
    assert interface.role() == QAccessible.Role.CheckBox
