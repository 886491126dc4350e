"""What a person set in the window, and how they left it."""

from collections.abc import Collection
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from core.errors import NewerFileError, of_system
from core.library.history_entry import Limits
from core.library.home_file import check_may_replace, read_home_file, read_regular
from core.settings import Settings, option
from core.storage.files import CHOOSE_HOME, check_known, locked, write_bytes, write_json
from core.storage.parsing import parse_json, parse_toml
from core.storage.schema import KEY, SCHEMA_VERSION
from core.summaries.length import LengthText

PanelState = dict[str, int | str]
"""What a panel wants to find again: short texts and whole numbers by name."""

OF_KEEPING = ("private", "history", "history_days", "history_megabytes")
"""The settings that say what is kept of documents: they hold in all windows at once."""

_WHAT = "The settings file"
_GREATEST = 2**31 - 1


class Preferences(Settings):
    """The window's settings."""

    text_face: Literal["source-serif", "inter", "system"] = option(
        "source-serif", "Text face", "Typeface of source and summary.", basic=True
    )
    reading_size: int = option(
        17, "Text size", "Text size of source and summary.", unit="px", basic=True, ge=14, le=24
    )
    line_width: int = option(
        68,
        "Line width",
        "Characters per line; 60 to 75 are easiest to read.",
        unit="characters",
        basic=True,
        ge=60,
        le=75,
    )
    theme: Literal["system", "light", "dark"] = option(
        "system", "Theme", "Light, dark, or as in the system settings.", basic=True
    )
    contrast: bool = option(False, "Contrast", "Stronger lines and secondary text.", basic=True)
    motion: Literal["system", "off"] = option(
        "system",
        "Motion",
        "Animations as in the system settings, or off.",
        basic=True,
    )
    length: LengthText = option(
        "9s",
        "Length",
        "Length of a new summary in sentences, in words or as a share of the text.",
        basic=True,
    )
    keep_awake: bool = option(
        True,
        "Stay awake",
        "Keep the computer from going to sleep while a model trains.",
        basic=True,
    )
    notify: bool = option(
        True,
        "Notifications",
        "Show a system notification when a job ends while the window is not active.",
        basic=True,
    )
    private: bool = option(
        False,
        "Private mode",
        "Keep nothing of what is opened: no history, recent documents, pins or recovery copies.",
        basic=True,
    )
    history: bool = option(
        True,
        "History",
        "Keep every summary, with what it quotes, in the History panel.",
        basic=True,
    )
    history_days: int = option(
        0,
        "Age limit (days)",
        "Remove older summaries that have no star; 0 keeps them for ever.",
        unit="days",
        basic=True,
        ge=0,
        le=36_500,
    )
    history_megabytes: int = option(
        500,
        "Size limit (MB)",
        "Remove the oldest summaries that have no star beyond this size; 0 sets no limit.",
        unit="MB",
        basic=True,
        ge=0,
        le=1_000_000,
    )

    @property
    def keeps_history(self) -> bool:
        """Whether summaries are kept."""
        return self.history and not self.private

    @property
    def history_limits(self) -> Limits:
        """How much of them is kept."""
        return Limits(self.history_days, self.history_megabytes)


@dataclass(frozen=True)
class WindowState:
    """How the window was left; nothing is lost when this is.

    Args:
        geometry: Place and size, as Qt writes them, in base64; empty for the default.
        panel: The panel that was shown.
        panels: What each panel wants to find again, by the panel's name.
    """

    geometry: str = ""
    panel: str = ""
    panels: dict[str, PanelState] = field(default_factory=dict)


def load_preferences(file: Path) -> tuple[Preferences, str]:
    """The settings, or the defaults; a file that cannot be used is set aside.

    Args:
        file: Where they are kept (`Folders.settings_file`).

    Returns:
        The settings, and what a person should be told; empty when all is well.
    """
    return read_home_file(
        file,
        lambda data: _parsed(data, file),
        Preferences(),
        _WHAT,
        "the defaults are used",
        known=SCHEMA_VERSION,
        of_newer=_private_settings,
    )


def settings_of_keeping(file: Path) -> dict[str, Any]:
    """What is kept of documents as the file says now, which is left as it is.

    Args:
        file: Where the settings are kept.

    Returns:
        Those of `OF_KEEPING` that it sets; nothing where it cannot be read.
    """
    names: tuple[str, ...] = OF_KEEPING
    try:
        data = read_regular(file)
        check_known(_WHAT, data, SCHEMA_VERSION)
        found = _parsed(data, file)
    except NewerFileError:
        found, names = _private_settings(data), ("private", "history")
    except Exception:  # parsers fail in many ways; the next start tells of it
        return {}
    return {name: getattr(found, name) for name in names}


def change_preferences(wished: Preferences, changed: Collection[str], file: Path) -> None:
    """Writes the settings that a person changed; the others stay as another window left them.

    Args:
        wished: All settings, as they are in this window.
        changed: The names of those that were changed. Where the file sets nothing, all are written.
        file: Where.

    Raises:
        EpitomeError: As `save_preferences`.
    """
    nothing: Preferences | None = None
    try:
        with locked(file.with_suffix(".lock")):
            found, _ = read_home_file(
                file, lambda data: _parsed(data, file), nothing, _WHAT, "", known=SCHEMA_VERSION
            )
            if found is not None:
                changes = {name: getattr(wished, name) for name in changed}
                wished = found.model_copy(update=changes)
            save_preferences(wished, file)
    except OSError as error:
        raise of_system(error, f"{_WHAT} cannot be written", CHOOSE_HOME) from error


def save_preferences(preferences: Preferences, file: Path) -> None:
    """Writes the settings.

    Args:
        preferences: All of them.
        file: Where.

    Raises:
        EpitomeError: If nothing can be written there, the file there could not be read, or a newer
            program wrote it.
    """
    check_may_replace(file, SCHEMA_VERSION)
    # Users keep their settings elsewhere, and managers of dotfiles put a link here.
    write_bytes(file, preferences.to_toml().encode(), links="follow")


def load_window_state(file: Path) -> tuple[WindowState, str]:
    """How the window was left, or the default; a file that cannot be used is set aside.

    Args:
        file: Where it is kept (`Folders.window_file`).

    Returns:
        The state, and what a person should be told; empty when all is well.
    """
    return read_home_file(
        file,
        lambda data: _checked(WindowState(**_migrated(parse_json(data)))),
        WindowState(),
        "The file of the window's size and columns",
        "the window opens in its usual size",
    )


def save_window_state(state: WindowState, file: Path) -> None:
    """Writes how the window is left.

    Args:
        state: What to remember.
        file: Where (`Folders.window_file`).

    Raises:
        EpitomeError: If nothing can be written there, or the file there could not be read.
    """
    check_may_replace(file)
    write_json(file, {KEY: 1, **asdict(state)})


def _parsed(data: bytes, file: Path) -> Preferences:
    return Preferences.from_toml(data.decode("utf-8"), file)


def _private_settings(data: bytes) -> Preferences:
    """What holds beside the settings of a newer program: it may keep no more than they allow."""
    try:
        told = parse_toml(data.decode())
    except ValueError:
        told = {"private": True}
    return Preferences(private=told.get("private", False) is not False,
                       history=told.get("history", True) is not False)  # fmt: skip


def _migrated(values: dict[str, Any]) -> dict[str, Any]:
    """Values as they are called now: older programs kept one share of a width, in per mille."""
    values.pop(KEY, None)
    if "splitters" not in values:
        return values
    splitters = values.pop("splitters")
    shares = {name: int(widths[0]) for name, widths in splitters.items() if widths}
    return values | {"panels": {name: {"source_share": share} for name, share in shares.items()}}


def _checked(state: WindowState) -> WindowState:
    for panel in state.panels.values():
        for value in panel.values():
            if type(value) is not str and not (type(value) is int and abs(value) <= _GREATEST):
                raise TypeError(value)
    if not all(type(text) is str and text.isascii() for text in (state.geometry, state.panel)):
        raise TypeError(state)
    return state
