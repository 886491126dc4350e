"""The installer for Windows under Wine: its pages, upgrades, refusals, and what it leaves."""

import argparse
import re
import shutil
from pathlib import Path
from typing import Final

from installers import windows
from installers.trying import SAMPLE, step
from installers.wine import LOCAL, Wine, add_shims

from core.version import VERSION
from wine_trials.builds import setup_file
from wine_trials.copies import list_files, use_copy
from wine_trials.screen import (
    close_window,
    find_windows,
    press,
    take_picture,
    wait_for_window,
    wait_until,
    wait_until_still,
)

INSTALLED: Final = f"{LOCAL}\\Programs\\Epitome"
LINK: Final = (
    "C:\\users\\root\\AppData\\Roaming\\Microsoft\\Windows\\Start Menu\\Programs\\Epitome.lnk"
)
PACKAGES: Final = f"{INSTALLED}\\python\\Lib\\site-packages"
KEY: Final = "HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\Epitome"
MAX_TREE_MB, MAX_SETUP_MB = 260, 70
LONGEST_PATH: Final = 259 - len("C:\\Users\\\\AppData\\Local\\Programs\\Epitome\\") - 20
"""The most characters of a path in the tree, so that Windows opens it for a name of 20 letters."""
_TYPES: Final = "HKCU\\Software\\Classes\\.pdf\\OpenWithProgids"
_REFUSED: Final = 2
"""The exit code where Epitome runs, and the user does not close it."""


def try_installer(bare: Wine, options: argparse.Namespace) -> None:
    """Installs by the pages, upgrades and removes it, also while it runs; nothing is left."""
    shutil.copy(setup_file(options), bare.folder / "setup.exe")
    shutil.copy(SAMPLE, bare.folder)
    before, keys = list_files(bare.host("C:")), user_keys(bare)
    step("install by the pages", lambda: install_by_pages(bare, options.pictures))
    check_size(bare.host(INSTALLED), setup_file(options))
    check_registration(bare)
    use_copy(bare, INSTALLED, "Windows installer")
    step("the shortcut opens the window", lambda: open_by_link(bare))
    take_picture(bare, options.pictures / "installed.png")
    step("installing over it is refused", lambda: refuse_install(bare, options.pictures))
    step("close it and upgrade", lambda: upgrade(bare))
    use_copy(bare, INSTALLED, "Windows installer")
    open_by_link(bare)
    step("remove it by the pages", lambda: remove_by_pages(bare, options.pictures))
    check_removed(bare, before, keys)
    step("install silently", lambda: bare.windows("Z:\\setup.exe", "/S", "/TYPES=no"))
    assert bare.start("wine", "reg", "query", _TYPES).wait(), "listed though not chosen"
    step("remove silently", lambda: remove_silently(bare))
    check_removed(bare, before, keys)


def install_by_pages(bare: Wine, pictures: Path) -> str:
    """Installs it by keys, with the command for terminals, and lets its last page open Epitome."""
    bare.start("wine", "Z:\\setup.exe", quietly=True)
    window = open_choices(bare, pictures)
    press(bare, window, "Home", "Down", "space")  # the first option is Epitome itself
    wait_until_still(bare, window)
    take_picture(bare, pictures / "setup-options.png")
    press(bare, window, "Return")
    wait_until(bare.host(f"{INSTALLED}\\uninstall.exe").exists, "It is not installed.")
    wait_until_still(bare, window)
    take_picture(bare, pictures / "setup-installed.png")
    add_shims(bare, bare.host(PACKAGES))
    press(bare, window, "Return")
    return close_window(bare, "^Epitome$")


def open_choices(bare: Wine, pictures: Path) -> str:
    """Goes to the page with the options; returns the number of the window."""
    window = wait_for_window(bare, f"Epitome {VERSION} Setup")
    wait_until_still(bare, window)
    take_picture(bare, pictures / "setup-licence.png")
    press(bare, window, "Return")
    wait_until_still(bare, window)
    return window


def open_by_link(bare: Wine) -> str:
    """Opens the window by its shortcut in the Start menu."""
    bare.start("wine", "start", LINK, quietly=True).wait()
    return wait_for_window(bare, "^Epitome$")


def refuse_install(bare: Wine, pictures: Path) -> str:
    """Tries to install over a running Epitome, silently and by the pages; nothing changes."""
    old = bare.host(f"{INSTALLED}\\python\\of-an-older-version.txt")
    old.touch()
    silent = bare.start("wine", "Z:\\setup.exe", "/S")
    silent.communicate()
    shown = bare.start("wine", "Z:\\setup.exe", quietly=True)
    press(bare, open_choices(bare, pictures), "Return")
    cancel_question(bare, f"Epitome {VERSION} Setup", pictures / "setup-running.png")
    codes = (silent.returncode, shown.wait())
    assert codes == (_REFUSED, _REFUSED) and old.exists(), codes
    return ""


def cancel_question(bare: Wine, title: str, picture: Path) -> None:
    """Waits for a question, which has the title of its window, and cancels it."""
    wait_until(lambda: len(find_windows(bare, title)) == 2, "No question is asked.")
    question = find_windows(bare, title)[-1]
    wait_until_still(bare, question)
    take_picture(bare, picture)
    press(bare, question, "Escape")
    wait_until(lambda: not find_windows(bare, title), "It goes on after Cancel.")


def upgrade(bare: Wine) -> str:
    """Closes Epitome and installs over it silently; the options stay as they were chosen."""
    bare.windows("Z:\\setup.exe", "/S", "/CLOSE")
    assert not bare.host(f"{INSTALLED}\\python\\of-an-older-version.txt").exists()
    assert not find_windows(bare, "^Epitome$")
    assert f"{INSTALLED}\\bin" in bare.windows("reg", "query", "HKCU\\Environment", "/v", "Path")
    return ""


def remove_by_pages(bare: Wine, pictures: Path) -> str:
    """Removes it while it runs: cancelled, nothing changes; confirmed, it is closed and removed."""
    title = f"Epitome {VERSION} Uninstall"
    for answer in ("cancel", "confirm"):
        bare.start("wine", f"{INSTALLED}\\uninstall.exe", quietly=True)
        window = wait_for_window(bare, title)
        wait_until_still(bare, window)
        take_picture(bare, pictures / "uninstall.png")
        press(bare, window, "Return")
        if answer == "cancel":
            cancel_question(bare, title, pictures / "uninstall-running.png")
            assert bare.host(PACKAGES).exists() and find_windows(bare, "^Epitome$")
    wait_until(lambda: len(find_windows(bare, title)) == 2, "No question is asked.")
    press(bare, find_windows(bare, title)[-1], "Return")
    wait_until(lambda: not bare.host(INSTALLED).exists(), f"{INSTALLED} is still there.")
    wait_until_still(bare, window)
    take_picture(bare, pictures / "uninstall-done.png")
    press(bare, window, "Return")
    wait_until(lambda: not find_windows(bare, title), "The uninstaller does not close.")
    return ""


def remove_silently(bare: Wine) -> str:
    """Runs what Windows runs to uninstall it without a question, and waits for its end."""
    listed = bare.windows("reg", "query", KEY, "/v", "QuietUninstallString")
    command = listed.partition("REG_SZ")[2].strip()
    words = (quoted or plain for quoted, plain in re.findall(r'"([^"]+)"|(\S+)', command))
    bare.windows(*words)
    wait_until(lambda: not bare.host(INSTALLED).exists(), f"{INSTALLED} is still there.")
    return ""


def check_removed(bare: Wine, before: set[str], keys: set[str]) -> None:
    """No file and no key is left but what the user made.

    Args:
        bare: The root.
        before: The files of drive C before it was installed.
        keys: The keys of the registry before.
    """
    left = {
        name
        for name in list_files(bare.host("C:")) - before
        if "AppData/Local/Epitome" not in name and not name.endswith("AppData/Local/Programs")
    }
    assert not left, sorted(left)[:20]
    assert user_keys(bare) == keys, user_keys(bare) ^ keys
    print("nothing is left but what the user made")


def user_keys(bare: Wine) -> set[str]:
    """Returns the keys and values of the registry that an installer may write."""
    places = (
        "Environment",
        "Software\\Classes",
        "Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall",
    )
    keys: set[str] = set()
    for place in places:
        process = bare.start("wine", "reg", "query", f"HKCU\\{place}", "/s")
        keys |= set(process.communicate()[0].splitlines())
    return {key for key in keys if not key.startswith("reg:")}  # a place that is empty


def check_size(folder: Path, setup: Path) -> None:
    """The installer and what it installs are as small, and paths as short, as they may be."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    tree_mb, setup_mb = (windows.size_of(folder) / 1e6, setup.stat().st_size / 1e6)
    longest = max(len(str(path.relative_to(folder))) for path in files)
    print(f"{len(files)} files, {tree_mb:.0f} MB (at most {MAX_TREE_MB}); the installer "
          f"{setup_mb:.1f} MB (at most {MAX_SETUP_MB}); the longest path {longest} "
          f"(at most {LONGEST_PATH})")  # fmt: skip
    assert tree_mb <= MAX_TREE_MB and setup_mb <= MAX_SETUP_MB and longest <= LONGEST_PATH


def check_registration(bare: Wine) -> None:
    """Windows lists the program with all its facts, and what was chosen holds."""
    listed = bare.windows("reg", "query", KEY)
    for name in ("Publisher", "EstimatedSize", "QuietUninstallString", "InstallLocation"):
        assert name in listed, listed
    assert f"{INSTALLED}\\bin" in bare.windows("reg", "query", "HKCU\\Environment", "/v", "Path")
    assert "Epitome.Document" in bare.windows("reg", "query", _TYPES)
    version = step("epitome by the PATH", lambda: bare.windows("cmd", "/c", "epitome --version"))
    assert VERSION in version, version
