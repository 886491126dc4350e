"""Every pair of colours that the design names keeps its contrast (WCAG 2.1)."""

import pytest

from gui.theme.tokens import DARK, LIGHT, tokens

AA_TEXT = 4.5
AA_LINES = 3.0

# Foreground, background, ratio in light and in dark.
TEXT = [
    ("text", "hover", 13.6, 11.3),
    ("text", "raised", 17.1, 12.2),
    ("text", "surface", 17.1, 13.7),
    ("text", "window", 15.5, 14.8),
    ("text2", "surface", 8.0, 8.7),
    ("text2", "window", 7.2, 9.4),
    ("text2", "sunken", 6.7, 9.5),
    ("text3", "surface", 5.4, 6.1),
    ("text3", "window", 4.9, 6.6),
    ("text3", "sunken", 4.5, 6.6),
    ("text3", "accentSoft", 4.5, 5.0),
    ("accent", "surface", 7.7, 8.2),
    ("accent", "window", 7.0, 8.8),
    ("accentText", "accentHover", 9.6, 10.5),
    ("accentText", "accent", 7.7, 8.5),
    ("text", "accentSoft", 14.4, 11.3),
    ("accent", "accentSoft", 6.5, 6.7),
    ("text2", "accentSoft", 6.7, 7.2),
    ("ev", "surface", 5.5, 9.1),
    ("ev", "evSoft", 4.9, 7.3),
    ("evStrongText", "evStrong", 12.9, 7.5),
    ("evStrongText", "evSoft", 15.2, 12.2),
    ("text2", "evSoft", 7.1, 7.0),
    ("ok", "surface", 5.8, 8.6),
    ("ok", "okSoft", 5.0, 6.9),
    ("warn", "surface", 6.0, 7.7),
    ("warn", "warnSoft", 5.1, 6.4),
    ("err", "surface", 6.8, 7.5),
    ("err", "errSoft", 5.7, 6.5),
    ("s1", "surface", 7.7, 8.2),
    ("s2", "surface", 5.0, 7.7),
    ("s3", "surface", 5.3, 8.6),
    ("s4", "surface", 6.4, 8.1),
    ("s5", "surface", 5.4, 9.0),
    ("s6", "surface", 6.1, 7.2),
]
LINES = [
    ("line2", "surface", 3.6, 4.3),
    ("line2", "window", 3.3, 4.6),
    ("line2", "sunken", 3.1, 4.7),
    ("accentLine", "surface", 3.7, 4.7),
    ("accentLine", "accentSoft", 3.1, 3.8),
    ("ev", "evStrong", 4.2, 4.5),
    ("m1", "surface", 10.1, 9.6),
    ("m2", "surface", 5.5, 6.1),
    ("m3", "surface", 3.2, 3.6),
    ("m4", "surface", 8.1, 8.8),
    ("m5", "surface", 3.5, 4.9),
]


def luminance(color: str) -> float:
    """WCAG's relative luminance of "#RRGGBB"."""
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    """WCAG's contrast ratio of two colours."""
    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_contrast_of_black_on_white_is_21() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21.0)


@pytest.mark.parametrize(("ink", "ground", "light", "dark"), TEXT)
def test_text_is_readable_on_its_ground(ink: str, ground: str, light: float, dark: float) -> None:
    for look, stated in ((LIGHT, light), (DARK, dark)):
        ratio = contrast(look[ink], look[ground])
        assert ratio == pytest.approx(stated, abs=0.06)
        assert round(ratio, 1) >= AA_TEXT


@pytest.mark.parametrize(("ink", "ground", "light", "dark"), LINES)
def test_lines_are_seen_on_their_ground(ink: str, ground: str, light: float, dark: float) -> None:
    for look, stated in ((LIGHT, light), (DARK, dark)):
        ratio = contrast(look[ink], look[ground])
        assert ratio == pytest.approx(stated, abs=0.06)
        assert ratio >= AA_LINES


@pytest.mark.parametrize("look", [LIGHT, DARK], ids=["light", "dark"])
def test_text_is_readable_on_every_score(look: dict[str, str]) -> None:
    for step in range(6):
        assert contrast(look["text"], look[f"score{step}"]) >= 6.7


@pytest.mark.parametrize("look", [LIGHT, DARK], ids=["light", "dark"])
def test_words_on_filled_danger_are_readable(look: dict[str, str]) -> None:
    assert contrast(look["errText"], look["err"]) >= AA_TEXT


@pytest.mark.parametrize("dark", [False, True])
def test_more_contrast_strengthens_text_and_lines(dark: bool) -> None:
    usual, more = tokens(dark=dark), tokens(dark=dark, more_contrast=True)
    for name in ("text2", "text3", "line"):
        stronger = contrast(more[name], more["surface"])
        assert stronger > contrast(usual[name], usual["surface"])


def test_both_looks_name_the_same_colours() -> None:
    assert LIGHT.keys() == DARK.keys()
