"""The system libraries that Qt loads on Linux, and the packages that contain them.

`packaging/bootstrap.py` imports this before anything is installed: standard library only, and no
syntax that is newer than Python 3.7.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import sys
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence


class Library(NamedTuple):
    """A shared library.

    Args:
        name: As the loader knows it ("libEGL.so.1").
        debian: The package of Debian and Ubuntu that contains it.
        fedora: The package of Fedora that contains it.
    """

    name: str
    debian: str
    fedora: str


DRAWING = (
    Library("libGL.so.1", "libgl1", "libglvnd-glx"),
    Library("libEGL.so.1", "libegl1", "libglvnd-egl"),
    Library("libxkbcommon.so.0", "libxkbcommon0", "libxkbcommon"),
    Library("libfontconfig.so.1", "libfontconfig1", "fontconfig"),
    Library("libfreetype.so.6", "libfreetype6", "freetype"),
    Library("libglib-2.0.so.0", "libglib2.0-0", "glib2"),
    Library("libgthread-2.0.so.0", "libglib2.0-0", "glib2"),
    Library("libdbus-1.so.3", "libdbus-1-3", "dbus-libs"),
    Library("libX11.so.6", "libx11-6", "libX11"),
)
"""Needed wherever Qt draws, also off-screen."""

X11 = (
    Library("libX11-xcb.so.1", "libx11-xcb1", "libX11-xcb"),
    Library("libxcb.so.1", "libxcb1", "libxcb"),
    Library("libxcb-cursor.so.0", "libxcb-cursor0", "xcb-util-cursor"),
    Library("libxcb-icccm.so.4", "libxcb-icccm4", "xcb-util-wm"),
    Library("libxcb-image.so.0", "libxcb-image0", "xcb-util-image"),
    Library("libxcb-keysyms.so.1", "libxcb-keysyms1", "xcb-util-keysyms"),
    Library("libxcb-randr.so.0", "libxcb-randr0", "libxcb"),
    Library("libxcb-render.so.0", "libxcb-render0", "libxcb"),
    Library("libxcb-render-util.so.0", "libxcb-render-util0", "xcb-util-renderutil"),
    Library("libxcb-shape.so.0", "libxcb-shape0", "libxcb"),
    Library("libxcb-shm.so.0", "libxcb-shm0", "libxcb"),
    Library("libxcb-sync.so.1", "libxcb-sync1", "libxcb"),
    Library("libxcb-util.so.1", "libxcb-util1", "xcb-util"),
    Library("libxcb-xfixes.so.0", "libxcb-xfixes0", "libxcb"),
    Library("libxcb-xkb.so.1", "libxcb-xkb1", "libxcb"),
    Library("libxkbcommon-x11.so.0", "libxkbcommon-x11-0", "libxkbcommon-x11"),
)
"""Needed for a window on an X display."""

WAYLAND = (
    Library("libwayland-client.so.0", "libwayland-client0", "libwayland-client"),
    Library("libwayland-cursor.so.0", "libwayland-cursor0", "libwayland-cursor"),
)
"""Needed for a window on a Wayland display."""


def libraries_for(environment: Mapping[str, str]) -> tuple[Library, ...]:
    """The libraries that a window needs.

    Args:
        environment: The variables that tell where the display is.

    Returns:
        Those of the display; without one, those needed to draw off-screen. None but on Linux.
    """
    if sys.platform != "linux":
        return ()
    platform = environment.get("QT_QPA_PLATFORM", "").partition(":")[0].partition(";")[0]
    if platform == "xcb" or (not platform and environment.get("DISPLAY")):
        return DRAWING + X11
    if platform.startswith("wayland") or (not platform and environment.get("WAYLAND_DISPLAY")):
        return DRAWING + WAYLAND
    return DRAWING


def missing_libraries(
    libraries: Sequence[Library], load: Callable[[str], object] = ctypes.CDLL
) -> tuple[Library, ...]:
    """Those that the system's loader cannot load.

    Args:
        libraries: What to look for.
        load: Loads a library by its name, or raises OSError.

    Returns:
        The missing ones, in the same order.
    """

    def loads(library: Library) -> bool:
        try:
            load(library.name)
        except OSError:
            return False
        return True

    return tuple(library for library in libraries if not loads(library))


def told(missing: Sequence[Library]) -> str:
    """What is missing, one sentence."""
    names = [library.name for library in missing]
    listed = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
    one = len(names) == 1
    return (
        f"The system {'library' if one else 'libraries'} {listed} {'is' if one else 'are'} missing."
    )


def install_commands(missing: Sequence[Library]) -> dict[str, str]:
    """The command that installs them, by the name of the system it is for.

    Args:
        missing: The libraries.

    Returns:
        One command where the system's own installer is known, else all.
    """
    debian = _once(library.debian for library in missing)
    fedora = _once(library.fedora for library in missing)
    commands = {
        "Debian and Ubuntu": ("apt-get", f"sudo apt-get install {debian}"),
        "Fedora": ("dnf", f"sudo dnf install {fedora}"),
    }
    here = {name: line for name, (program, line) in commands.items() if shutil.which(program)}
    return here or {name: line for name, (_, line) in commands.items()}


def window_advice(environment: Mapping[str, str] = os.environ) -> str:
    """Why no window can open as far as the system's libraries are the cause.

    Args:
        environment: The variables that tell where the display is.

    Returns:
        The missing libraries and how to install them, in lines; empty when none is missing.
    """
    missing = missing_libraries(libraries_for(environment))
    if not missing:
        return ""
    commands = install_commands(missing)
    return "\n".join([told(missing), *(f"{name}: {line}" for name, line in commands.items())])


def _once(names: Iterable[str]) -> str:
    return " ".join(dict.fromkeys(names))
