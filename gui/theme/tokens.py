"""The colours of the window by name: palette, style sheet and charts are made from these dicts."""

from collections.abc import Mapping
from types import MappingProxyType

LIGHT: Mapping[str, str] = MappingProxyType(
    {
        "window": "#F4F4F1",
        "surface": "#FFFFFF",
        "sunken": "#ECECE8",
        "hover": "#E6E6E1",
        "raised": "#FFFFFF",
        "text": "#1B1C1E",
        "text2": "#4E5156",
        "text3": "#686B70",
        "disabled": "#9A9C9F",
        "line": "#DFDFD9",
        "track": "#DFDFD9",
        "line2": "#868781",
        "accent": "#28509E",
        "accentHover": "#1F4287",
        "accentText": "#FFFFFF",
        "accentSoft": "#E6ECF8",
        "accentLine": "#6884C0",
        "ev": "#9C5800",
        "evStrong": "#FFDD85",
        "evStrongText": "#1B1C1E",
        "evSoft": "#FFF1CC",
        "ok": "#1B7443",
        "okSoft": "#E3F3E9",
        "warn": "#A8450B",
        "warnSoft": "#FBE9DE",
        "err": "#B11F2B",
        "errSoft": "#FBE6E6",
        "errText": "#FFFFFF",
        "grid": "#E9E9E4",
        "s1": "#28509E",
        "s2": "#BF4A15",
        "s3": "#0A7A68",
        "s4": "#7647AE",
        "s5": "#8C6200",
        "s6": "#5F6368",
        "m1": "#1F3F80",
        "m2": "#4468B0",
        "m3": "#7490C9",
        "m4": "#7E3F16",
        "m5": "#B97C4C",
        "score0": "#FFFFFF",
        "score1": "#FFF8E6",
        "score2": "#FFF1CC",
        "score3": "#FFE8AD",
        "score4": "#FFDD85",
        "score5": "#FACB55",
        "shadow": "#2E000000",
    }
)

DARK: Mapping[str, str] = MappingProxyType(
    {
        "window": "#141518",
        "surface": "#1B1D20",
        "sunken": "#131417",
        "hover": "#2A2C31",
        "raised": "#24262A",
        "text": "#E8E7E3",
        "text2": "#B9BABD",
        "text3": "#989BA1",
        "disabled": "#676A70",
        "line": "#303338",
        "track": "#303338",
        "line2": "#7C8089",
        "accent": "#94B4F7",
        "accentHover": "#B1C8FA",
        "accentText": "#10182B",
        "accentSoft": "#222C42",
        "accentLine": "#6C86BE",
        "ev": "#EDB548",
        "evStrong": "#66490A",
        "evStrongText": "#FBF3E0",
        "evSoft": "#382D14",
        "ok": "#6FCB93",
        "okSoft": "#1B3325",
        "warn": "#F29A61",
        "warnSoft": "#3A271B",
        "err": "#FF8B86",
        "errSoft": "#3D2022",
        "errText": "#10182B",
        "grid": "#292C30",
        "s1": "#94B4F7",
        "s2": "#F29A61",
        "s3": "#5FCBB3",
        "s4": "#C5A5F2",
        "s5": "#DDB965",
        "s6": "#A6A9AF",
        "m1": "#A9C3FA",
        "m2": "#7B9BE0",
        "m3": "#5472B4",
        "m4": "#E8B07E",
        "m5": "#B87E50",
        "score0": "#1B1D20",
        "score1": "#2A2517",
        "score2": "#382D14",
        "score3": "#493912",
        "score4": "#58410D",
        "score5": "#66490A",
        "shadow": "#8C000000",
    }
)

# Where more contrast is wanted, a name takes the colour of a stronger one. Empty tracks and
# pressed plates ("track") do not: what lies on them must stay seen.
_STRONGER = {"text2": "text", "text3": "text2", "line": "line2"}


def tokens(*, dark: bool, more_contrast: bool = False) -> Mapping[str, str]:
    """The colours of one look.

    Args:
        dark: Whether the dark ones.
        more_contrast: Whether secondary text and lines are stronger.

    Returns:
        "#RRGGBB" (or "#AARRGGBB") by name; both looks have the same names.
    """
    base = DARK if dark else LIGHT
    if not more_contrast:
        return base
    return MappingProxyType({**base, **{name: base[source] for name, source in _STRONGER.items()}})
