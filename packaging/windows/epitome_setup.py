"""What the installer for Windows leaves to Python: `python.exe epitome_setup.py TASK...`.

    close        closes the windows of this copy, and pauses its jobs; 1 if some go on
    path on|off  whether terminals find the command `epitome`
    types on|off whether Windows lists Epitome under "Open with"

NSIS itself would cut a long PATH. Everything is this user's own: no administrator is needed, and
the programs that open files by default stay as they are.
"""

import ctypes
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

PROGRAM: Final = "Epitome.Document"
"""The name of the program in the registry's lists of those that open a type of files."""

_CLASSES: Final = "Software\\Classes"
_ENVIRONMENT: Final = "Environment"
_WAIT_S: Final = 60.0
_CLOSE, _SETTINGS_CHANGED, _ASSOCIATIONS_CHANGED = 0x10, 0x1A, 0x08000000


def main(arguments: list[str], copy: Path = Path(sys.prefix).parent) -> int:
    """Does a task for the copy in a folder; gives the exit code."""
    match arguments:
        case ["close"]:
            return int(not close(copy))
        case ["path", "on" | "off" as state]:
            change_path(str(copy / "bin"), state == "on")
        case ["types", "on" | "off" as state]:
            change_types(copy, _suffixes(), state == "on")
        case _:
            return 2
    return 0


def close(copy: Path, wait_s: float = _WAIT_S) -> bool:
    """Closes the windows of a copy and pauses its jobs.

    Args:
        copy: Its folder.
        wait_s: How long its processes may take to end, in seconds.

    Returns:
        Whether all have ended.
    """
    until_s = time.monotonic() + wait_s
    while numbers := set(_processes(copy)):
        _close_windows(numbers)
        with suppress(Exception):  # the copy may be an older version, or damaged
            from core.jobs.queue.job_queue import JobQueue

            JobQueue.of_this_user(sets_aside=False).pause_running()
        if time.monotonic() > until_s:
            return False
        time.sleep(0.5)
    return True


def _processes(copy: Path) -> Iterator[int]:
    """The process numbers of the programs that run from a folder, but for this one."""
    import psutil

    own = {psutil.Process().pid, *(each.pid for each in psutil.Process().parents())}
    for process in psutil.process_iter(["exe"]):
        program = process.info["exe"]
        if program and process.pid not in own and Path(program).is_relative_to(copy):
            yield process.pid


def _close_windows(numbers: set[int]) -> None:
    """Asks the visible windows of processes to close."""
    user32 = ctypes.windll.user32  # type: ignore[attr-defined,unused-ignore]

    @ctypes.WINFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)  # type: ignore[attr-defined,untyped-decorator,unused-ignore]
    def close_one(window: int, _: int) -> int:
        number = ctypes.c_ulong()
        user32.GetWindowThreadProcessId(ctypes.c_void_p(window), ctypes.byref(number))
        if number.value in numbers and user32.IsWindowVisible(ctypes.c_void_p(window)):
            user32.PostMessageW(ctypes.c_void_p(window), _CLOSE, 0, 0)
        return 1

    user32.EnumWindows(close_one, 0)


def change_path(folder: str, is_on: bool) -> None:
    """Adds a folder to the user's PATH, or removes it."""
    import winreg as registry

    with registry.CreateKeyEx(
        registry.HKEY_CURRENT_USER, _ENVIRONMENT, 0, registry.KEY_READ | registry.KEY_WRITE
    ) as key:
        try:
            before, kind = registry.QueryValueEx(key, "Path")
        except FileNotFoundError:
            before, kind = "", registry.REG_EXPAND_SZ
        after = changed_path(before, folder, is_on)
        if after and after != before:
            registry.SetValueEx(key, "Path", 0, kind, after)
        elif before and not after:  # the user had none before
            registry.DeleteValue(key, "Path")
    message = ctypes.c_wchar_p("Environment")
    everyone, do_not_hang, patience_ms = 0xFFFF, 0x2, 1000
    ctypes.windll.user32.SendMessageTimeoutW(  # type: ignore[attr-defined,unused-ignore]
        everyone, _SETTINGS_CHANGED, 0, message, do_not_hang, patience_ms, None
    )


def changed_path(path: str, folder: str, is_on: bool) -> str:
    """A PATH with a folder once at its end, or without it; nothing else of it changes."""
    others = [
        each for each in path.split(";") if each.strip('"').rstrip("\\").lower() != folder.lower()
    ]
    if is_on:
        return (
            path
            if len(others) < len(path.split(";"))
            else f"{path.rstrip(';')};{folder}".lstrip(";")
        )
    return ";".join(others)


def change_types(copy: Path, suffixes: tuple[str, ...], is_on: bool) -> None:
    """Lists Epitome among the programs that can open files, or removes it from these lists."""
    import winreg as registry

    user = registry.HKEY_CURRENT_USER
    program = f"{_CLASSES}\\{PROGRAM}"
    for suffix in suffixes:
        listed = f"{_CLASSES}\\{suffix}\\OpenWithProgids"
        if is_on:
            with registry.CreateKey(user, listed) as key:
                registry.SetValueEx(key, PROGRAM, 0, registry.REG_SZ, "")
        else:
            with suppress(FileNotFoundError), _writable(registry, listed) as key:
                registry.DeleteValue(key, PROGRAM)
            _delete_if_empty(registry, listed)
            _delete_if_empty(registry, f"{_CLASSES}\\{suffix}")
    values = {
        "": "Document",
        "DefaultIcon": str(copy / "epitome.ico"),
        "shell\\open\\command": f'"{copy / "Epitome.exe"}" "%1"',
    }
    if is_on:
        for name, value in values.items():
            with registry.CreateKey(user, f"{program}\\{name}".rstrip("\\")) as key:
                registry.SetValueEx(key, "", 0, registry.REG_SZ, value)
    else:
        for name in ("shell\\open\\command", "shell\\open", "shell", "DefaultIcon", ""):
            with suppress(FileNotFoundError):
                registry.DeleteKey(user, f"{program}\\{name}".rstrip("\\"))
    ctypes.windll.shell32.SHChangeNotify(_ASSOCIATIONS_CHANGED, 0, None, None)  # type: ignore[attr-defined,unused-ignore]


def _writable(registry: Any, key: str) -> Any:
    rights = registry.KEY_READ | registry.KEY_WRITE
    return registry.OpenKey(registry.HKEY_CURRENT_USER, key, 0, rights)


def _delete_if_empty(registry: Any, key: str) -> None:
    with suppress(FileNotFoundError):
        with registry.OpenKey(registry.HKEY_CURRENT_USER, key) as opened:
            num_keys, num_values, _ = registry.QueryInfoKey(opened)
        if not num_keys and not num_values:
            registry.DeleteKey(registry.HKEY_CURRENT_USER, key)


def _suffixes() -> tuple[str, ...]:
    from core.documents.readers.formats import FORMATS

    return tuple(suffix for each in FORMATS.values() for suffix in each.suffixes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
