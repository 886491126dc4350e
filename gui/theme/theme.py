"""The look of the window at this moment: colours, fonts, icons, motion. Handed to every widget."""

from collections.abc import Mapping
from typing import Final, Literal

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QGuiApplication, QIcon, QPixmap
from PySide6.QtWidgets import QApplication

from gui.theme import fonts
from gui.theme.fonts import DEFAULT_READING_SIZE_PX, TextFace
from gui.theme.icons import IconCache
from gui.theme.style import palette, style_sheet
from gui.theme.tokens import tokens

Scheme = Literal["system", "light", "dark"]
Contrast = Literal["system", "more"]
Motion = Literal["system", "off"]

DEFAULT_ICON_PX = 16

_QT_SCHEMES: Final[dict[Scheme, Qt.ColorScheme]] = {
    "system": Qt.ColorScheme.Unknown,
    "light": Qt.ColorScheme.Light,
    "dark": Qt.ColorScheme.Dark,
}


class Theme(QObject):
    """Colours, fonts, icons and motion as the person and the system want them now.

    Widgets get it in their constructor, ask it when they paint, and paint again on `changed`.
    """

    changed = Signal()
    """Anything that is drawn may look different (colours, contrast, face, size)."""
    reading_size_changed = Signal(int)
    """The reading size in px; `changed` follows."""

    def __init__(
        self,
        scheme: Scheme = "system",
        contrast: Contrast = "system",
        motion: Motion = "system",
        text_face: TextFace = "serif",
        reading_size: int = DEFAULT_READING_SIZE_PX,
        parent: QObject | None = None,
    ) -> None:
        """A theme that follows the system where it is told to.

        Args:
            scheme: Light, dark or as the system.
            contrast: More, or as the system.
            motion: Off, or as the system.
            text_face: What source and summary are set in.
            reading_size: Size of `read` in px, 14 to 24.
            parent: Qt's owner.
        """
        super().__init__(parent)
        self._scheme, self._contrast, self._motion = scheme, contrast, motion
        self._text_face: TextFace = text_face
        self._reading_size = _allowed_size(reading_size)
        self._icons = IconCache()
        self._fonts: dict[str, QFont] = {}
        self._colors: dict[str, QColor] = {}
        self._tokens: Mapping[str, str] = {}
        # Kept: without a Python owner Qt's hints are taken away under their user.
        self._hints = QGuiApplication.styleHints()
        self._accessibility = getattr(self._hints, "accessibility", lambda: None)()
        self._take_tokens()
        self._follow_system()

    # What is drawn

    def color(self, token: str) -> QColor:
        """The colour of a token, such as "evSoft": the caller's own, who may make it paler."""
        if token not in self._colors:
            self._colors[token] = QColor(self._tokens[token])
        return QColor(self._colors[token])

    def font(self, role: str) -> QFont:
        """The font of a role, such as "read"; not to be changed by the caller."""
        if role not in self._fonts:
            self._fonts[role] = fonts.font(role, self._text_face, self._reading_size)
        return self._fonts[role]

    def line_height(self, role: str) -> int:
        """Height of a line of a role in logical px."""
        return fonts.line_height_px(role, self._reading_size)

    def icon(self, name: str, color: str = "text2", size: int = DEFAULT_ICON_PX) -> QIcon:
        """An icon for menus and actions.

        Args:
            name: Lucide's name, such as "pin".
            color: Token of its strokes.
            size: Logical px.

        Returns:
            The icon, with its own disabled picture.
        """
        return self._icons.icon(name, self.color(color), self.color("disabled"), size)

    def pixmap(
        self,
        name: str,
        color: str = "text2",
        size: int = DEFAULT_ICON_PX,
        ratio: float = 1.0,
        angle: float = 0.0,
    ) -> QPixmap:
        """An icon for painted widgets.

        Args:
            name: Lucide's name, such as "pin".
            color: Token of its strokes.
            size: Logical px.
            ratio: The widget's `devicePixelRatioF()`.
            angle: Degrees clockwise.

        Returns:
            The picture.
        """
        return self._icons.pixmap(name, self.color(color), size, ratio, angle)

    # What the person chose

    @property
    def is_dark(self) -> bool:
        """Whether the dark colours are shown."""
        if self._scheme != "system":
            return self._scheme == "dark"
        return self._hints.colorScheme() == Qt.ColorScheme.Dark

    @property
    def more_contrast(self) -> bool:
        """Whether lines and secondary text are stronger."""
        return self._contrast == "more" or self._system_wants("contrastPreference", "HighContrast")

    @property
    def reduced_motion(self) -> bool:
        """Whether nothing moves that the person did not move."""
        return self._motion == "off" or self._system_wants("motionPreference", "ReducedMotion")

    @property
    def reading_size(self) -> int:
        """Size of `read` in px."""
        return self._reading_size

    @property
    def text_face(self) -> TextFace:
        """What source and summary are set in."""
        return self._text_face

    @property
    def scheme(self) -> Scheme:
        """Light, dark or as the system."""
        return self._scheme

    def motion_ms(self, base: int) -> int:
        """How long a movement of `base` ms lasts: 0 when motion is reduced."""
        return 0 if self.reduced_motion else base

    def set_scheme(self, scheme: Scheme) -> None:
        """Light, dark or as the system."""
        if scheme != self._scheme:
            self._scheme = scheme
            self._refresh()

    def set_contrast(self, contrast: Contrast) -> None:
        """More contrast, or as the system."""
        if contrast != self._contrast:
            self._contrast = contrast
            self._refresh()

    def set_motion(self, motion: Motion) -> None:
        """No motion, or as the system."""
        if motion != self._motion:
            self._motion = motion
            self._refresh()

    def set_text_face(self, face: TextFace) -> None:
        """What source and summary are set in."""
        if face != self._text_face:
            self._text_face = face
            self._refresh()

    def set_reading_size(self, size: int) -> None:
        """Size of `read` in px; beyond 14 to 24 it stays at the end."""
        size = _allowed_size(size)
        if size != self._reading_size:
            self._reading_size = size
            self._fonts.clear()
            self.reading_size_changed.emit(size)
            self.changed.emit()

    def apply(self) -> None:
        """Dresses the application (style, palette, style sheet, font) now and on every change."""
        QApplication.setStyle("Fusion")
        self._dress()
        self.changed.connect(self._dress)

    def _dress(self) -> None:
        app = QApplication.instance()
        if not isinstance(app, QApplication):
            return
        self._hints.setColorScheme(_QT_SCHEMES[self._scheme])  # title bars too
        sheet = style_sheet(self._tokens)
        if app.styleSheet() == sheet:
            return
        app.setFont(self.font("body"))
        app.setPalette(palette(self._tokens))
        app.setStyleSheet(sheet)

    def _refresh(self) -> None:
        self._take_tokens()
        self._fonts.clear()
        self._colors.clear()
        self._icons.clear()
        self.changed.emit()

    def _take_tokens(self) -> None:
        self._tokens = tokens(dark=self.is_dark, more_contrast=self.more_contrast)

    def _follow_system(self) -> None:
        self._hints.colorSchemeChanged.connect(self._on_system_scheme_changed)
        for name in ("contrastPreferenceChanged", "motionPreferenceChanged"):
            told = getattr(self._accessibility, name, None)
            if told is not None:
                told.connect(self._refresh)

    def _system_wants(self, preference: str, wish: str) -> bool:
        # Qt tells contrast from 6.10 on and motion from 6.12 on; before, the setting decides.
        ask = getattr(self._accessibility, preference, None)
        return ask is not None and bool(ask().name == wish)

    def _on_system_scheme_changed(self) -> None:
        if self._scheme == "system":
            self._refresh()


def _allowed_size(size: int) -> int:
    return min(max(size, fonts.MIN_READING_SIZE_PX), fonts.MAX_READING_SIZE_PX)
