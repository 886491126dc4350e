import re
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QIcon, QPixmap

from core.distribution.resources import resource
from gui.theme.theme import Theme

ROOT = Path(__file__).parents[3]


def darkest(pixmap: QPixmap) -> QColor:
    """The colour of its most opaque pixel."""
    image = pixmap.toImage()
    pixels = (image.pixelColor(x, y) for y in range(image.height()) for x in range(image.width()))
    return max(pixels, key=QColor.alpha)


def test_icon_has_the_colour_it_was_asked_for(theme: Theme) -> None:
    assert darkest(theme.pixmap("square", "accent", 16, 4.0)).name() == theme.color("accent").name()


def test_disabled_icon_has_its_own_colour(theme: Theme) -> None:
    icon = theme.icon("pin", "text", 16)
    normal = icon.pixmap(QSize(16, 16), 1.0, QIcon.Mode.Normal).toImage()
    disabled = icon.pixmap(QSize(16, 16), 1.0, QIcon.Mode.Disabled).toImage()
    assert normal != disabled


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
def test_icon_is_drawn_in_device_pixels(theme: Theme, ratio: float) -> None:
    pixmap = theme.pixmap("pin", "text", 16, ratio)
    assert pixmap.width() == 16 * ratio
    assert pixmap.devicePixelRatioF() == ratio


def test_icon_is_drawn_once_until_the_theme_changes(theme: Theme) -> None:
    first = theme.pixmap("pin")
    assert theme.pixmap("pin").cacheKey() == first.cacheKey()
    theme.set_scheme("dark")
    assert theme.pixmap("pin").cacheKey() != first.cacheKey()


def test_unknown_icon_is_an_error(theme: Theme) -> None:
    with pytest.raises(FileNotFoundError):
        theme.pixmap("no-such-icon")


def test_every_icon_is_outlined_and_takes_a_colour() -> None:
    for path in resource("icons").glob("*.svg"):
        text = path.read_text("utf-8")
        assert 'stroke="currentColor"' in text, path.name
        assert 'stroke-width="2"' in text, path.name


def test_fonts_and_icons_have_their_licences_beside_them() -> None:
    listed = resource("LICENCES.md").read_text("utf-8")
    for target in re.findall(r"\]\((.+?)\)", listed):
        assert resource(*target.split("/")).stat().st_size > 0
    for family in ("Inter", "Source Serif 4", "JetBrains Mono", "Lucide"):
        assert family in listed
