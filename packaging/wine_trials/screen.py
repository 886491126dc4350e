"""The screen of a trial: windows are waited for, used by keys and mouse, and pictured."""

import re
import struct
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from installers.wine import Wine

WAIT_S: Final = 300
"""Seconds until a window, or the end of one, is given up."""


def wait_until(is_done: Callable[[], object], failure: str) -> None:
    """Waits until something is true.

    Args:
        is_done: Looks for it.
        failure: The message if it never comes.

    Raises:
        SystemExit: With `failure`, after `WAIT_S`.
    """
    until_s = time.monotonic() + WAIT_S
    while not is_done():
        if time.monotonic() > until_s:
            raise SystemExit(failure)
        time.sleep(0.5)


def find_windows(bare: Wine, title: str) -> list[str]:
    """Returns the numbers of the visible windows whose titles contain a text."""
    search = bare.start("xdotool", "search", "--onlyvisible", "--name", title)
    return search.communicate()[0].split()


def wait_for_window(bare: Wine, title: str) -> str:
    """Waits for a window whose title contains a text; returns its number."""
    wait_until(lambda: find_windows(bare, title), f"No window “{title}” within {WAIT_S} s.")
    return find_windows(bare, title)[-1]


def press(bare: Wine, window: str, *keys: str) -> None:
    """Presses keys in a window, one after the other."""
    bare.run("xdotool", "windowfocus", "--sync", window)
    for key in keys:
        bare.run("xdotool", "key", key)
        time.sleep(2)


def click(bare: Wine, window: str, x: int, y: int) -> None:
    """Clicks into a window; negative coordinates count from its right and lower edges."""
    shape = bare.run("xdotool", "getwindowgeometry", "--shell", window)
    width, height = (int(re.findall(rf"{name}=(\d+)", shape)[0]) for name in ("WIDTH", "HEIGHT"))
    place = (str(x % width), str(y % height))
    bare.run("xdotool", "mousemove", "--window", window, *place, "click", "1")


def fill_dialog(bare: Wine, title: str, text: str) -> None:
    """Types into the field of a dialog that opens a file, and confirms it."""
    dialog = wait_for_window(bare, title)
    wait_until_still(bare)
    bare.run("xdotool", "windowfocus", "--sync", dialog)
    click(bare, dialog, 320, -45)  # the field for the name is at the bottom
    bare.run("xdotool", "type", "--delay", "60", text)
    bare.run("xdotool", "key", "Return")


def close_window(bare: Wine, title: str = "Epitome") -> str:
    """Closes a window by its keys, and waits until it is gone."""
    window = wait_for_window(bare, title)
    bare.run("xdotool", "windowfocus", "--sync", window, "key", "alt+F4")
    wait_until(
        lambda: bare.start("xdotool", "getwindowname", window).wait(), "The window does not close."
    )
    return ""


def wait_until_still(bare: Wine, window: str = "") -> str:
    """Waits until a picture no longer changes: a bar moves while the program is at work.

    Args:
        bare: The root.
        window: The number of the window; empty for the whole screen.

    Returns:
        Nothing.
    """
    place = f"-id {window}" if window else "-root"
    num_same, before, until_s = 0, "", time.monotonic() + WAIT_S
    while num_same < 3:
        now = bare.run("sh", "-c", f"xwd -silent {place} | cksum")
        num_same = num_same + 1 if now == before else 0
        before = now
        if time.monotonic() > until_s:
            raise SystemExit("The window is still at work.")
        time.sleep(1)
    return ""


def take_picture(bare: Wine, file: Path) -> None:
    """Writes a picture of the screen."""
    from PySide6.QtGui import QImage

    bare.run("xwd", "-silent", "-root", "-out", "/screen.xwd")
    data = (bare.folder / "screen.xwd").read_bytes()
    fields = struct.unpack(">20I", data[:80])
    width, height, bits, bytes_per_line = fields[4], fields[5], fields[11], fields[12]
    formats = {24: QImage.Format.Format_BGR888, 32: QImage.Format.Format_RGB32}
    pixels = data[fields[0] + 12 * fields[19] :]  # after the header and the colours
    QImage(pixels, width, height, bytes_per_line, formats[bits]).save(str(file))
    print(f"picture: {file}")
