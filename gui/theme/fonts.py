"""The typefaces by role. Set in code, not in the style sheet, so that a role has one home."""

from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from PySide6.QtGui import QFont, QFontDatabase

from core.distribution.resources import resource

TextFace = Literal["serif", "inter", "system"]

MIN_READING_SIZE_PX = 14
MAX_READING_SIZE_PX = 24
DEFAULT_READING_SIZE_PX = 17

SANS = "Inter"
SANS_DISPLAY = "Inter Display"
SERIF = "Source Serif 4"
SERIF_SMALL = "Source Serif 4 SmText"
MONO = "JetBrains Mono"

_READING_LINE = 1.59  # line height in sizes


@dataclass(frozen=True)
class Role:
    """How one kind of text is set.

    Attributes:
        family: Its typeface.
        size_px: Height of the type.
        line_px: Height of a line.
        weight: 400 to 600.
        reading: Whether it follows the reader's own face and size.
    """

    family: str
    size_px: int
    line_px: int
    weight: int = 400
    reading: bool = False


ROLES: Final[dict[str, Role]] = {
    "display": Role(SANS_DISPLAY, 24, 32, 600),
    "figure": Role(SANS, 20, 24, 600),
    "title": Role(SANS, 16, 24, 600),
    "section": Role(SANS, 13, 20, 600),
    "strong": Role(SANS, 13, 20, 500),
    "body": Role(SANS, 13, 20),
    "small": Role(SANS, 12, 16),
    "smallb": Role(SANS, 12, 16, 500),
    "cap": Role(SANS, 11, 16, 500),
    "capb": Role(SANS, 11, 16, 600),
    "capr": Role(SANS, 11, 16),
    "read": Role(SERIF, 17, 27, reading=True),
    "readh": Role(SERIF, 21, 28, 600, reading=True),
    "readsec": Role(SERIF, 15, 24, 600, reading=True),
    "reads": Role(SERIF_SMALL, 15, 23, reading=True),
    "readxs": Role(SERIF_SMALL, 14, 21, reading=True),
    "mono": Role(MONO, 12, 20),
    "monos": Role(MONO, 11, 18),
    "monob": Role(MONO, 12, 20, 600),
}


@cache
def register_fonts() -> None:
    """Makes the bundled faces known to Qt, once; needs a QGuiApplication (about 5 ms)."""
    for path in sorted(resource("fonts").glob("*.?tf")):
        if QFontDatabase.addApplicationFont(str(path)) < 0:
            raise RuntimeError(f"{path} is no font")


def font(
    role: str, face: TextFace = "serif", reading_size_px: int = DEFAULT_READING_SIZE_PX
) -> QFont:
    """The font of a role.

    Args:
        role: A name in `ROLES`.
        face: The reader's typeface; counts for reading roles only.
        reading_size_px: The reader's size of `read`; the other reading roles keep their
            proportion to it.

    Returns:
        A font with tabular figures where it is Inter.
    """
    register_fonts()
    spec = ROLES[role]
    made = QFont(_family(spec, face))
    made.setPixelSize(_scaled(spec.size_px, spec, reading_size_px))
    made.setWeight(QFont.Weight(spec.weight))
    made.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    if made.family() == SANS:
        made.setFeature(QFont.Tag("tnum"), 1)
    return made


def line_height_px(role: str, reading_size_px: int = DEFAULT_READING_SIZE_PX) -> int:
    """Height of a line of a role, in logical px, at the reader's size of `read`."""
    spec = ROLES[role]
    if role == "read":
        return round(_READING_LINE * reading_size_px)
    return _scaled(spec.line_px, spec, reading_size_px)


def _scaled(length_px: int, spec: Role, reading_size_px: int) -> int:
    if not spec.reading:
        return length_px
    return round(length_px * reading_size_px / DEFAULT_READING_SIZE_PX)


def _family(spec: Role, face: TextFace) -> str:
    if not spec.reading or face == "serif":
        return spec.family
    if face == "inter":
        return SANS
    return QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).family()
