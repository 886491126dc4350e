import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontInfo, QFontMetricsF, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.theme.fonts import ROLES
from gui.theme.theme import Theme
from gui.theme.tokens import DARK, LIGHT


def test_colours_follow_the_scheme_at_run_time(qtbot: QtBot, theme: Theme) -> None:
    assert theme.color("surface").name().upper() == LIGHT["surface"]
    with qtbot.waitSignal(theme.changed):
        theme.set_scheme("dark")
    assert theme.is_dark
    assert theme.color("surface").name().upper() == DARK["surface"]


def test_a_colour_made_paler_stays_as_it_is_for_everybody_else(theme: Theme) -> None:
    theme.color("s1").setAlphaF(0.25)
    assert theme.color("s1").alpha() == 255


def test_more_contrast_is_told_and_changes_colours(qtbot: QtBot, theme: Theme) -> None:
    with qtbot.waitSignal(theme.changed):
        theme.set_contrast("more")
    assert theme.color("text2") == theme.color("text")


def test_system_scheme_is_followed_only_when_asked(qtbot: QtBot, theme: Theme) -> None:
    told = QGuiApplication.styleHints().colorSchemeChanged
    with qtbot.assertNotEmitted(theme.changed):
        told.emit(Qt.ColorScheme.Dark)
    theme.set_scheme("system")
    with qtbot.waitSignal(theme.changed):
        told.emit(Qt.ColorScheme.Dark)


def test_unknown_token_is_an_error(theme: Theme) -> None:
    with pytest.raises(KeyError):
        theme.color("mauve")


def test_reduced_motion_takes_no_time(qtbot: QtBot) -> None:
    assert Theme(motion="off").motion_ms(140) == 0
    assert Theme(motion="system").motion_ms(140) == 140


@pytest.mark.parametrize(("asked", "got"), [(3, 14), (14, 14), (20, 20), (99, 24)])
def test_reading_size_stays_within_14_and_24(theme: Theme, asked: int, got: int) -> None:
    theme.set_reading_size(asked)
    assert theme.reading_size == got
    assert theme.font("read").pixelSize() == got


def test_reading_size_is_told_once_and_scales_reading_roles_only(
    qtbot: QtBot, theme: Theme
) -> None:
    with qtbot.waitSignals([theme.reading_size_changed, theme.changed]):
        theme.set_reading_size(24)
    assert theme.line_height("read") == 38
    assert theme.font("body").pixelSize() == 13
    with qtbot.assertNotEmitted(theme.changed):
        theme.set_reading_size(24)


@pytest.mark.parametrize("role", ROLES)
def test_every_role_gets_the_bundled_face_and_weight(theme: Theme, role: str) -> None:
    font = theme.font(role)
    found = QFontInfo(font)
    assert found.family() == ROLES[role].family
    assert found.weight() == ROLES[role].weight
    assert font.pixelSize() == ROLES[role].size_px


def test_figures_of_the_window_have_one_width(theme: Theme) -> None:
    metrics = QFontMetricsF(theme.font("body"))
    assert metrics.horizontalAdvance("1111") == metrics.horizontalAdvance("8888")


def test_reading_measure_is_about_seven_and_a_half_px_a_character(theme: Theme) -> None:
    text = (
        "In a preferred embodiment the stack pressure during operation is held by a spring plate."
    )
    width = QFontMetricsF(theme.font("read")).horizontalAdvance(text) / len(text)
    assert 7.0 < width < 7.9


@pytest.mark.parametrize(("face", "family"), [("serif", "Source Serif 4"), ("inter", "Inter")])
def test_text_face_changes_what_is_read(theme: Theme, face: str, family: str) -> None:
    theme.set_text_face(face)  # type: ignore[arg-type]
    assert theme.font("read").family() == family
    assert theme.font("mono").family() == "JetBrains Mono"


def test_apply_dresses_the_application_and_follows(qtbot: QtBot, theme: Theme) -> None:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    theme.apply()
    try:
        theme.set_scheme("dark")
        assert app.palette().color(QPalette.ColorRole.Base).name().upper() == DARK["surface"]
        assert DARK["raised"] in app.styleSheet()
        assert app.font().family() == "Inter"
    finally:
        theme.set_scheme("system")
        app.setStyleSheet("")
