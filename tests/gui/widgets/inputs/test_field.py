import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from core.numbers import THIN_SPACE
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.inputs.field import FieldFrame, NumberField, PasswordField, TextField


@pytest.fixture
def field(qtbot: QtBot, theme: Theme) -> NumberField:
    field = NumberField(theme, 512, 65536, 1024, name="Input length", unit="tokens")
    qtbot.addWidget(field)
    with qtbot.waitExposed(field):
        field.show()
    return field


def give(qtbot: QtBot, field: NumberField, text: str) -> None:
    field.selectAll()
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def test_number_is_taken_on_enter_and_shown_with_thin_spaces(
    qtbot: QtBot, field: NumberField
) -> None:
    with qtbot.waitSignal(field.value_changed) as told:
        give(qtbot, field, "16k")
    assert told.args == [16000]
    assert field.text() == f"16{THIN_SPACE}000"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("100000", f"Must be at most 65{THIN_SPACE}536."),
        ("12", "Must be at least 512."),
        ("many", "Enter a whole number, such as 512 or 16k."),
    ],
)
def test_wrong_value_stays_and_is_told(
    qtbot: QtBot, field: NumberField, text: str, sentence: str
) -> None:
    with qtbot.assertNotEmitted(field.value_changed):
        give(qtbot, field, text)
    assert field.text() == text
    assert field.error == sentence
    assert field.accessibleDescription() == sentence
    assert field.value == 1024


def test_error_goes_on_typing(qtbot: QtBot, field: NumberField) -> None:
    give(qtbot, field, "12")
    with qtbot.waitSignal(field.error_changed):
        qtbot.keyClicks(field, "0")
    assert field.error == ""


def test_arrows_step_within_bounds(qtbot: QtBot, field: NumberField) -> None:
    qtbot.keyClick(field, Qt.Key.Key_Up)
    assert field.value == 1025
    field.set_value(512)
    qtbot.keyClick(field, Qt.Key.Key_PageDown)
    assert field.value == 512


def test_setting_a_value_tells_nobody(qtbot: QtBot, field: NumberField) -> None:
    with qtbot.assertNotEmitted(field.value_changed):
        field.set_value(2048)
        qtbot.keyClick(field, Qt.Key.Key_Return)


def test_frame_shows_the_error_in_place_of_the_help(qtbot: QtBot, theme: Theme) -> None:
    field = NumberField(theme, 512, 65536, 1024, name="Input length")
    frame = FieldFrame(theme, "Input length", field, "512 to 65 536")
    qtbot.addWidget(frame)
    below = frame.findChildren(Label)[-1]
    assert below.text() == "512 to 65 536"
    field.set_error("Must be at least 512.")
    assert below.text() == "Must be at least 512."
    field.set_error("")
    assert below.text() == "512 to 65 536"


def test_password_is_hidden_until_the_eye_is_pressed(qtbot: QtBot, theme: Theme) -> None:
    field = PasswordField(theme, name="Password")
    qtbot.addWidget(field)
    field.resize(240, 32)
    field.show()
    assert field.echoMode() == QLineEdit.EchoMode.Password
    qtbot.mouseClick(field.eye, Qt.MouseButton.LeftButton)
    assert field.echoMode() == QLineEdit.EchoMode.Normal
    assert field.eye.accessibleName() == "Hide the password"
    qtbot.mouseClick(field.eye, Qt.MouseButton.LeftButton)
    assert field.echoMode() == QLineEdit.EchoMode.Password


def test_text_field_keeps_its_words_clear_of_icon_and_unit(qtbot: QtBot, theme: Theme) -> None:
    field = TextField(theme, name="Find", icon="search", unit="tokens", placeholder="Find")
    qtbot.addWidget(field)
    assert field.textMargins().left() > 16
    assert field.textMargins().right() > 30
    assert field.accessibleName() == "Find"


def test_a_field_of_one_digit_needs_little_room(qtbot: QtBot, theme: Theme) -> None:
    """Not the room of the widest character of all fonts, which depends on what was drawn before."""
    field = NumberField(theme, 1, 9, 5, name="Length", width=44, height=28)
    qtbot.addWidget(field)
    field.ensurePolished()
    assert field.minimumSizeHint().width() <= field.width()
    assert field.minimumSizeHint().width() < QLineEdit.minimumSizeHint(field).width()
