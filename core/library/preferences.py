"""What a person set in the window, and how they left it."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal

from core.errors import EpitomeError
from core.files import set_aside, write_bytes, write_json
from core.settings import Settings, option
from core.summary import LengthText


class Preferences(Settings):
    """The window's settings."""

    text_face: Literal["source-serif", "inter", "system"] = option(
        "source-serif", "Text face", "For source and summary", basic=True
    )
    reading_size: int = option(
        17, "Text size", "Of source and summary", unit="px", basic=True, ge=14, le=24
    )
    line_width: int = option(
        68,
        "Line width",
        "Characters to a line; 60 to 75 reads best",
        unit="characters",
        basic=True,
        ge=60,
        le=75,
    )
    theme: Literal["system", "light", "dark"] = option(
        "system", "Theme", "Light, dark, or as the system has it", basic=True
    )
    contrast: bool = option(False, "Contrast", "Stronger lines and secondary text", basic=True)
    motion: Literal["system", "off"] = option(
        "system",
        "Motion",
        "Follows the system; off means nothing moves that you did not move",
        basic=True,
    )
    length: LengthText = option(
        "9s",
        "Length",
        "Of a new summary: whole sentences, words or a share of the text",
        basic=True,
    )


@dataclass(frozen=True)
class WindowState:
    """How the window was left; nothing is lost when this is.

    Args:
        geometry: Place and size, as Qt writes them, in base64; empty for the default.
        panel: The panel that was shown.
        splitters: Widths of columns in px, by the splitter's name.
    """

    geometry: str = ""
    panel: str = ""
    splitters: dict[str, list[int]] = field(default_factory=dict)


def load_preferences(file: Path) -> tuple[Preferences, str]:
    """Reads the settings; a damaged file is set aside and the defaults are taken.

    Args:
        file: Where they are kept (`Folders.settings_file`).

    Returns:
        The settings, and what a person should be told; empty when all is well.
    """
    if not file.exists():
        return Preferences(), ""
    try:
        return Preferences.load(file), ""
    except EpitomeError as error:
        aside = set_aside(file)
        kept = f"It is kept as {aside.name}; the" if aside else "The"
        return Preferences(), f"{error.message} {kept} defaults are used."


def save_preferences(preferences: Preferences, file: Path) -> None:
    """Writes the settings.

    Args:
        preferences: All of them.
        file: Where.

    Raises:
        EpitomeError: If nothing can be written there.
    """
    write_bytes(file, preferences.to_toml().encode())


def load_window_state(file: Path) -> WindowState:
    """How the window was left; the default when that is not known. Damaged files are set aside."""
    try:
        return _checked(WindowState(**json.loads(file.read_bytes())))
    except OSError:
        return WindowState()
    except (ValueError, TypeError, AttributeError):
        set_aside(file)
        return WindowState()


def save_window_state(state: WindowState, file: Path) -> None:
    """Writes how the window is left.

    Args:
        state: What to remember.
        file: Where (`Folders.window_file`).

    Raises:
        EpitomeError: If nothing can be written there.
    """
    write_json(file, asdict(state))


def _checked(state: WindowState) -> WindowState:
    widths = [width for widths in state.splitters.values() for width in widths]
    if not all(isinstance(width, int) for width in widths):
        raise TypeError(widths)
    if not isinstance(state.geometry, str) or not isinstance(state.panel, str):
        raise TypeError(state)
    return state
