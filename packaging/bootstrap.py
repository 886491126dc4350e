#!/usr/bin/env python3
"""Two commands on a fresh machine: `run` opens Epitome, `test` runs its tests.

It uses the standard library only, says each step in a line (on stderr: stdout belongs to
Epitome's results), and can be run again at any time: a second start installs nothing twice.
"""

from __future__ import annotations  # so that an old Python reaches the line that says it is old

import argparse
import ctypes
import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
STAMP = VENV / "epitome-installed.json"
CONSTRAINTS = ROOT / "packaging" / "constraints.txt"
OLDEST_PYTHON = (3, 11)
PYTORCH_CPU_INDEX = "https://download.pytorch.org/whl/cpu"
CHECKS = (
    ("ruff", "format", "--check", "."),
    ("ruff", "check", "."),
    ("mypy",),
    ("lint-imports", "--no-cache"),
    ("python", "packaging/check_docs.py"),
)
# What Qt loads from the system, and the Debian package that holds it: first for every start
# (the tests draw into memory), then for a window on a screen.
DRAWING = {
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libfontconfig.so.1": "libfontconfig1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libdbus-1.so.3": "libdbus-1-3",
}
SCREEN = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}


class Halt(Exception):  # noqa: N818 - an end with a reason, not always an error
    """It cannot go on; the text says why and what to do."""


def main(argv: Sequence[str]) -> int:
    """Does one command.

    Args:
        argv: The command line, without the program's name.

    Returns:
        The exit code; on Linux and macOS a success never returns: the program takes over.
    """
    options, passed_on = parse(argv)
    try:
        if sys.version_info < OLDEST_PYTHON:
            raise Halt(f"Epitome needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
        if options.command == "run":
            return run(passed_on, options.with_training)
        ensure_system(DRAWING)
        ensure_installed({"dev", "training"})
        os.chdir(ROOT)
        return check() if options.command == "check" else test(passed_on)
    except Halt as reason:
        say(str(reason))
        return 1
    except KeyboardInterrupt:
        say("Interrupted; the same command goes on from here.")
        return 130


def parse(argv: Sequence[str]) -> tuple[argparse.Namespace, list[str]]:
    """Splits the command line into our own options and what is passed on."""
    parser = argparse.ArgumentParser("bootstrap.py", description=__doc__)
    parser.add_argument(
        "command",
        choices=("run", "test", "check"),
        help="run: open Epitome (what follows -- goes to it); test: run the tests "
        "(what follows goes to pytest); check: format, lint, types, imports and docs",
    )
    parser.add_argument("--with-training", action="store_true", help="install PyTorch as well")
    split = 1 if argv[:1] == ["test"] else len(argv)
    split = argv.index("--") if "--" in argv[:split] else split
    passed_on = argv[split:]
    options = parser.parse_args(argv[:split])
    return options, [*passed_on[1:]] if passed_on[:1] == ["--"] else [*passed_on]


def run(arguments: list[str], with_training: bool) -> int:
    """Installs what is missing and starts Epitome."""
    opens_window = not arguments or Path(arguments[0]).is_file()
    on_screen = opens_window and has_display(os.environ)
    ensure_system({**DRAWING, **SCREEN} if on_screen else {})
    ensure_installed({"training"} if with_training else set())
    epitome = program("epitome")
    if opens_window and not on_screen:
        raise Halt(
            "There is no display (neither DISPLAY nor WAYLAND_DISPLAY is set), so no window can "
            f"open here. The command line works: {epitome} summarise FILE"
        )
    return hand_over([epitome, *arguments])


def test(arguments: list[str]) -> int:
    """Runs the tests on all cores; `-n 0` among the arguments undoes that."""
    say("Running the tests.")
    return hand_over([program("python"), "-m", "pytest", "-n", "logical", *arguments])


def check() -> int:
    """Runs every check, also after one has failed; 1 if any did."""
    failed = []
    for name, *arguments in CHECKS:
        say(" ".join([name, *arguments]))
        if not succeeds([program(name), *arguments]):
            failed.append(" ".join([name, *arguments[:1]]))
    say(f"Failed: {', '.join(failed)}." if failed else "All checks passed.")
    return 1 if failed else 0


def ensure_system(libraries: Mapping[str, str]) -> None:
    """Sees to it that the system has what Python packages cannot bring.

    Args:
        libraries: Names of shared libraries and the Debian packages that hold them.

    Raises:
        Halt: If something is missing that cannot be installed from here.
    """
    missing = missing_packages(libraries) if sys.platform == "linux" else []
    if not VENV.exists() and not importlib.util.find_spec("ensurepip"):
        missing.append("python{}.{}-venv".format(*sys.version_info))
    if not missing:
        return
    install = ["apt-get", "install", "-y", "--no-install-recommends", *missing]
    if not shutil.which("apt-get"):
        raise Halt(f"The system lacks what Debian calls: {' '.join(missing)}. Install it.")
    if os.getuid() != 0:
        raise Halt(f"System packages are missing. Type: sudo {' '.join(install)}")
    say(f"Installing system packages: {' '.join(missing)}.")
    call(["apt-get", "update"], "The list of system packages could not be fetched.")
    call(install, "The system packages could not be installed.")


def missing_packages(
    libraries: Mapping[str, str], load: Callable[[str], object] = ctypes.CDLL
) -> list[str]:
    """The packages of those libraries that cannot be loaded."""

    def loads(name: str) -> bool:
        try:
            load(name)
        except OSError:
            return False
        return True

    return [package for name, package in libraries.items() if not loads(name)]


def ensure_installed(extras: set[str]) -> None:
    """Makes or mends `.venv` and installs Epitome with these extras, unless that is done."""
    done = installed_extras(STAMP, fingerprint())
    if done is not None and extras <= done and Path(program("python")).exists():
        return
    extras = extras | (done or set())
    STAMP.unlink(missing_ok=True)
    ensure_venv()
    if not succeeds(pip("--upgrade", "pip")):
        say("pip could not be brought up to date; going on with the one that is there.")
    if "training" in extras:
        prefer_cpu_torch()
    wanted = f"{ROOT}[{','.join(sorted(extras))}]" if extras else str(ROOT)
    say(f"Installing Epitome{' with ' + ' and '.join(sorted(extras)) if extras else ''}.")
    call(
        pip("--constraint", str(CONSTRAINTS), "--editable", wanted),
        "Not everything could be installed; pip says why above. The same command tries again.",
    )
    STAMP.write_text(json.dumps({"fingerprint": fingerprint(), "extras": sorted(extras)}))


def fingerprint() -> str:
    """A hash of all that decides what is installed."""
    decisive = json.dumps(project()) + CONSTRAINTS.read_text("utf-8")
    return hashlib.sha256(decisive.encode()).hexdigest()


def installed_extras(stamp: Path, wanted: str) -> set[str] | None:
    """The extras that were installed under this fingerprint; None if it is another or none."""
    try:
        written = json.loads(stamp.read_text())
        return set(written["extras"]) if written["fingerprint"] == wanted else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def ensure_venv() -> None:
    """Makes `.venv`, or makes it again where it is half-made or its Python is gone."""
    healthy = f"import sys, pip._internal.cli.main; sys.exit(sys.version_info < {OLDEST_PYTHON})"
    if VENV.exists():
        if succeeds([program("python"), "-c", healthy]):
            return
        say(f"{VENV} is incomplete.")
    say(f"Making {VENV}.")
    command = [sys.executable, "-m", "venv", "--clear", str(VENV)]
    call(command, f"{VENV} could not be made.")


def prefer_cpu_torch() -> None:
    """On Linux without an NVIDIA driver, takes the CPU build: the default one brings CUDA."""
    if (
        sys.platform != "linux"
        or shutil.which("nvidia-smi")
        or Path("/proc/driver/nvidia").exists()
    ):
        return
    training = project()["optional-dependencies"]["training"]
    torch = next(item for item in training if item.startswith("torch=="))
    offered = subprocess.run(
        pip("--dry-run", "--ignore-installed", "--no-deps", "--no-index", torch),
        capture_output=True,
        text=True,
    )
    if "+cpu" in offered.stdout:
        return  # a --find-links folder holds it, and it sorts before the default build
    say(f"No NVIDIA driver: fetching the CPU build of {torch} from {PYTORCH_CPU_INDEX}.")
    if not succeeds(pip("--no-deps", "--index-url", PYTORCH_CPU_INDEX, torch)):
        say(f"{PYTORCH_CPU_INDEX} did not give it; the default build brings CUDA (about 3 GB).")


def project() -> dict[str, Any]:
    """The table `project` of `pyproject.toml`."""
    import tomllib  # not in the Pythons that `main` turns away

    table: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return table


def has_display(environment: Mapping[str, str]) -> bool:
    """Whether a window can open: always on Windows and macOS."""
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return sys.platform != "linux" or any(environment.get(name) for name in names)


def program(name: str) -> str:
    """The path of a program in `.venv`."""
    return str(VENV / "Scripts" / f"{name}.exe" if os.name == "nt" else VENV / "bin" / name)


def pip(*arguments: str) -> list[str]:
    """The command that installs into `.venv`."""
    return [program("python"), "-m", "pip", "install", "--disable-pip-version-check", *arguments]


def call(command: list[str], failure: str) -> None:
    """Runs a command with its output on stderr.

    Raises:
        Halt: With `failure`, if it fails.
    """
    if not succeeds(command):
        raise Halt(failure)


def succeeds(command: list[str]) -> bool:
    """Runs a command with its output on stderr; whether it went well."""
    try:
        return subprocess.call(command, stdout=sys.stderr) == 0
    except OSError:
        return False


def hand_over(command: list[str]) -> int:
    """Lets a program take this one's place; on Windows, waits for it and gives its exit code."""
    sys.stdout.flush()
    if os.name == "nt":
        return subprocess.call(command)
    os.execv(command[0], command)


def say(text: str) -> None:
    """One line for the person."""
    print(f"epitome: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
