"""Which system libraries are missing, and which packages contain them."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from core.distribution import system_libraries
from core.distribution.system_libraries import (
    DRAWING,
    WAYLAND,
    X11,
    Library,
    install_commands,
    libraries_for,
    missing_libraries,
    told,
    window_advice,
)

EGL, NOWHERE = DRAWING[1], Library("libnowhere.so.1", "libnowhere1", "nowhere-libs")
OFFSCREEN = {"QT_QPA_PLATFORM": "offscreen"}
# Part of every Linux system that runs Python, or brought along by Qt's own packages.
EVERYWHERE = ("linux-vdso.", "/lib", "ld-linux", "libc.", "libm.", "libz.", "libdl.", "libpthread.",
              "libgcc_s.", "libstdc++.", "librt.")  # fmt: skip

linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux lacks libraries")


def test_what_the_loader_does_not_find_is_missing() -> None:
    assert missing_libraries([NOWHERE]) == (NOWHERE,)

    def load(name: str) -> None:
        if "EGL" in name:
            raise OSError(name)

    assert missing_libraries(DRAWING + X11, load) == (EGL,)


@linux
@pytest.mark.parametrize(
    ("environment", "libraries"),
    [
        ({"DISPLAY": ":0"}, DRAWING + X11),
        ({"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}, DRAWING + X11),
        ({"WAYLAND_DISPLAY": "wayland-0"}, DRAWING + WAYLAND),
        ({"QT_QPA_PLATFORM": "xcb"}, DRAWING + X11),
        ({"DISPLAY": ":0", "QT_QPA_PLATFORM": "wayland;xcb"}, DRAWING + WAYLAND),
        ({"DISPLAY": ":0", **OFFSCREEN}, DRAWING),
        ({}, DRAWING),
    ],
)
def test_libraries_are_those_of_the_display(
    environment: dict[str, str], libraries: tuple[Library, ...]
) -> None:
    assert libraries_for(environment) == libraries


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_other_systems_need_none(platform: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert libraries_for({"DISPLAY": ":0"}) == ()
    assert window_advice({"DISPLAY": ":0"}) == ""


def test_one_and_several_are_told_in_a_sentence() -> None:
    assert told([EGL]) == "The system library libEGL.so.1 is missing."
    three = [DRAWING[0], EGL, NOWHERE]
    assert told(three) == (
        "The system libraries libGL.so.1, libEGL.so.1 and libnowhere.so.1 are missing."
    )


@pytest.mark.parametrize(
    ("installers", "systems"),
    [
        (["apt-get"], ["Debian and Ubuntu"]),
        (["dnf"], ["Fedora"]),
        ([], ["Debian and Ubuntu", "Fedora"]),
    ],
)
def test_the_command_is_that_of_the_system(
    installers: list[str], systems: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = {name: f"/usr/bin/{name}" for name in installers}
    monkeypatch.setattr(system_libraries.shutil, "which", found.get)
    all_commands = {
        "Debian and Ubuntu": "sudo apt-get install libegl1 libglib2.0-0",
        "Fedora": "sudo dnf install libglvnd-egl glib2",
    }
    glib = [each for each in DRAWING if each.debian == "libglib2.0-0"]
    assert len(glib) == 2  # one package for both
    assert install_commands([EGL, *glib]) == {name: all_commands[name] for name in systems}


@linux
def test_all_libraries_that_qt_asks_for_are_known() -> None:
    spec = find_spec("PySide6")
    assert spec and spec.origin
    qt = Path(spec.origin).parent / "Qt"
    asked = {
        "": [*qt.glob("lib/libQt6Gui.so.6"), *qt.glob("lib/libQt6Widgets.so.6")],
        "xcb": [*qt.glob("lib/libQt6XcbQpa.so.6"), *qt.glob("plugins/platforms/libqxcb.so")],
        "wayland": [*qt.glob("plugins/platforms/libqwayland.so")],
    }
    known = {"": DRAWING, "xcb": DRAWING + X11, "wayland": DRAWING + WAYLAND}
    for platform, files in asked.items():
        assert files, platform
        names = {name for file in files for name in _needed_by(file)}
        assert names <= {library.name for library in known[platform]}, platform


def _needed_by(file: Path) -> set[str]:
    """The libraries of the system that a file itself asks for."""
    try:
        shown = subprocess.run(["objdump", "-p", file], capture_output=True, text=True).stdout
    except OSError:
        pytest.skip("objdump is not installed")
    needed = [line.split()[1] for line in shown.splitlines() if line.split()[:1] == ["NEEDED"]]
    return {name for name in needed if not name.startswith((*EVERYWHERE, "libQt6", "libicu"))}


@linux
def test_bootstrap_finds_the_table_without_anything_installed(tmp_path: Path) -> None:
    code = "import core.distribution.system_libraries, sys; "
    code += "print(*(m for m in sys.modules if 'site-p' in m))"
    root = str(Path(__file__).parents[3])
    alone = [sys.executable, "-S", "-E", "-c", f"import sys; sys.path.insert(0, {root!r}); {code}"]
    done = subprocess.run(alone, capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
