#!/usr/bin/env python3
"""Two commands on a fresh machine: `run` opens Epitome, `test` runs its tests.

It uses the standard library only, reports each step on stderr (stdout is for Epitome's results),
and can be run again at any time: nothing is installed twice.
"""

from __future__ import annotations  # so that an old Python gets as far as the version check

import argparse
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from core.distribution.system_libraries import (  # noqa: E402
    Library,
    install_commands,
    libraries_for,
    missing_libraries,
    told,
)
from core.system.process_environment import prepare_process  # noqa: E402 - found by the path above

VENV = ROOT / ".venv"
STAMP = VENV / "epitome-installed.json"
LOCKS = ROOT / "packaging" / "locks"
# What torch's build with CUDA asks for; the build for the CPU needs none of it.
WITH_CUDA = ("torch==", "cuda-", "nvidia-", "triton")
FAILED = "The installation failed; see the message of pip above. Run the same command to try again."
OLDEST_PYTHON = (3, 11)
# By their modules: in a folder that was moved, the programs in `.venv` name where they were before.
CHECKS = {
    "ruff format": ("-m", "ruff", "format", "--check", "."),
    "ruff check": ("-m", "ruff", "check", "."),
    "mypy": ("-m", "mypy"),
    "lint-imports": (
        "-c",
        "from importlinter.cli import lint_imports_command as run; run()",
        "--no-cache",
    ),
    "check_docs": ("packaging/check_docs.py",),
}
POINTER = {"Xvfb": "xvfb", "xdotool": "xdotool"}
"""Programs of the tests with a real pointer, and Debian's packages."""
PARTS = {
    "training": "the training part (PyTorch)",
    "scans": "text recognition (Tesseract)",
    "fast": "what lets models of others write faster (ctranslate2)",
    "gguf": "what opens GGUF files (llama.cpp)",
    "lora": "what fine-tunes with LoRA (peft)",
    "cluster": "what summarises and prepares corpora on several machines (Dask)",
}


class Halt(Exception):  # noqa: N818 - an end with a reason, not always an error
    """Ends the program with a text that says why and what to do."""


def main(argv: Sequence[str]) -> int:
    """Runs one command.

    Args:
        argv: The command line, without the program's name.

    Returns:
        The exit code; on Linux and macOS it does not return on success: the program replaces it.
    """
    options, passed_on = parse(argv)
    try:
        if sys.version_info < OLDEST_PYTHON:
            raise Halt(f"Epitome needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
        prepare_process()
        if options.command == "run":
            return run(passed_on, {part for part in PARTS if getattr(options, f"with_{part}")})
        ensure_system(libraries_for({"QT_QPA_PLATFORM": "offscreen"}))
        ensure_installed({"dev", *PARTS})
        if options.command == "test":
            ensure_pointer()
        os.chdir(ROOT)
        return check() if options.command == "check" else test(passed_on)
    except Halt as reason:
        say(str(reason))
        return 1
    except KeyboardInterrupt:
        say("Interrupted. Run the same command to continue.")
        return 130


def parse(argv: Sequence[str]) -> tuple[argparse.Namespace, list[str]]:
    """Splits the command line into our own options and what is passed on."""
    parser = argparse.ArgumentParser("bootstrap.py", description=__doc__)
    parser.add_argument(
        "command",
        choices=("run", "test", "check"),
        help="run: open Epitome (arguments after -- are passed to it); test: run the tests "
        "(further arguments are passed to pytest); check: format, lint, types, imports and docs",
    )
    for part, title in PARTS.items():
        parser.add_argument(f"--with-{part}", action="store_true", help=f"also install {title}")
    split = 1 if argv[:1] == ["test"] else len(argv)
    split = argv.index("--") if "--" in argv[:split] else split
    passed_on = argv[split:]
    options = parser.parse_args(argv[:split])
    return options, [*passed_on[1:]] if passed_on[:1] == ["--"] else [*passed_on]


def run(arguments: list[str], extras: set[str]) -> int:
    """Installs what is missing, with these extras, and starts Epitome."""
    opens_window = not arguments or Path(arguments[0]).is_file()
    on_screen = opens_window and has_display(os.environ)
    ensure_system(libraries_for(os.environ) if on_screen else ())
    ensure_installed(extras)
    epitome = program("epitome")
    if opens_window and not on_screen:
        raise Halt(
            "There is no display (neither DISPLAY nor WAYLAND_DISPLAY is set), so no window can "
            f"open here. The command line works: {epitome} summarise FILE"
        )
    return hand_over([epitome, *arguments])


def test(arguments: list[str]) -> int:
    """Runs the tests on all cores; the argument `-n 0` uses one."""
    say("Running the tests.")
    # Neighbours stay together, so that few modules are prepared twice, until somebody has no more.
    shared_out = ("-n", "logical", "--dist", "worksteal")
    slowest = "--durations=20"
    return hand_over([program("python"), "-m", "pytest", *shared_out, slowest, *arguments])


def check() -> int:
    """Runs all checks, even after a failure; returns 1 if any failed."""
    failed = []
    for name, arguments in CHECKS.items():
        say(f"{name}.")
        if not succeeds([program("python"), *arguments]):
            failed.append(name)
    say(f"Failed: {', '.join(failed)}." if failed else "All checks passed.")
    return 1 if failed else 0


def ensure_system(libraries: Sequence[Library]) -> None:
    """Installs system libraries that Python packages cannot provide.

    Args:
        libraries: What Qt loads.

    Raises:
        Halt: If something is missing that cannot be installed from here.
    """
    missing = missing_libraries(libraries)
    packages = list(dict.fromkeys(library.debian for library in missing))
    if not VENV.exists() and not importlib.util.find_spec("ensurepip"):
        packages.append("python{}.{}-venv".format(*sys.version_info))
    if not packages:
        return
    if not shutil.which("apt-get"):
        if missing:
            commands = [f"{name}: {line}" for name, line in install_commands(missing).items()]
            raise Halt("\n".join([told(missing), *commands]))
        raise Halt("Python's module ensurepip is missing; install the package python3-venv.")
    install_packages(packages)


def ensure_pointer() -> None:
    """Installs the screen and the pointer that some tests use; without them those are skipped."""
    libraries = missing_libraries(libraries_for({"QT_QPA_PLATFORM": "xcb"}))
    packages = [package for name, package in POINTER.items() if not shutil.which(name)]
    packages += dict.fromkeys(library.debian for library in libraries)
    if sys.platform == "linux" and packages:
        try:
            install_packages(packages)
        except Halt as reason:
            say(f"{reason} Without them, the tests with a real pointer are skipped.")


def install_packages(packages: Sequence[str]) -> None:
    """Installs packages of Debian or Ubuntu.

    Raises:
        Halt: If that is not allowed, or fails.
    """
    install = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
    if os.getuid() != 0:
        raise Halt(f"System packages are missing. Run: sudo {' '.join(install)}")
    say(f"Installing system packages: {' '.join(packages)}.")
    call(["apt-get", "update"], "The list of system packages could not be downloaded.")
    call(install, "The system packages could not be installed.")


def ensure_installed(extras: set[str]) -> None:
    """Creates or repairs `.venv` and installs Epitome with these extras, unless already done."""
    done = installed_extras(STAMP, fingerprint())
    if done is not None and extras <= done and Path(program("python")).exists():
        return
    known = known_extras(STAMP) | added_parts()
    extras = extras | known
    if STAMP.exists():
        write_stamp("", known)  # no finished installation until the end
    ensure_venv()
    call(pip("--require-hashes", "--requirement", str(LOCKS / "tools.txt")), FAILED)
    has_cpu_torch = "training" in extras and prefer_cpu_torch()
    wanted = f"{ROOT}[{','.join(sorted(extras))}]" if extras else str(ROOT)
    say(f"Installing Epitome{' with ' + ' and '.join(sorted(extras)) if extras else ''}.")
    listed = VENV / "epitome-requirements.txt"
    listed.write_text(locked(extras, with_cuda=not has_cpu_torch), "utf-8")
    call(pip("--require-hashes", "--requirement", str(listed)), FAILED)
    # All that it needs is there: nothing is downloaded, not even to build it.
    call(pip("--no-deps", "--no-build-isolation", "--editable", wanted), FAILED)
    write_stamp(fingerprint(), extras)


def locked(extras: set[str], *, with_cuda: bool) -> str:
    """All packages with the hashes of their files, as pip reads them.

    Args:
        extras: What is installed beside the base.
        with_cuda: Whether torch's build with CUDA and all that it needs are among them.

    Returns:
        Pins and hashes, each package once.
    """
    texts = [(LOCKS / f"{name}.txt").read_text("utf-8") for name in ("base", *sorted(extras))]
    blocks = [block for text in texts for block in re.split(r"\n(?=\S)", text.strip())]
    left_out = ("#",) if with_cuda else ("#", *WITH_CUDA)
    kept = [block for block in dict.fromkeys(blocks) if not block.startswith(left_out)]
    return "\n".join([*kept, ""])


def added_parts() -> set[str]:
    """Extras that the window has installed (`core.jobs.program.install_part`)."""
    found = set()
    for manifest in VENV.glob("epitome-parts/*/part.json"):
        try:
            found.add(str(json.loads(manifest.read_text("utf-8"))["part"]))
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            say(f"{manifest} is damaged, and its part is not kept up to date.")
    return found & {file.stem for file in LOCKS.glob("*.txt")}


def fingerprint() -> str:
    """A hash of everything that determines what is installed, and of where it lies.

    The programs of an environment name its place: where it was moved or copied, they would not
    start, or start those of the other place.
    """
    locks = [file.read_text("utf-8") for file in sorted(LOCKS.glob("*.txt"))]
    decisive = json.dumps([project(), locks, str(VENV)])
    return hashlib.sha256(decisive.encode()).hexdigest()


def installed_extras(stamp: Path, wanted: str) -> set[str] | None:
    """The extras installed with this fingerprint; None if it differs or is missing."""
    try:
        written = json.loads(stamp.read_text("utf-8"))
        return set(written["extras"]) if written["fingerprint"] == wanted else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def known_extras(stamp: Path) -> set[str]:
    """The extras that were installed last, in whatever versions; those that there still are."""
    try:
        written = {str(each) for each in json.loads(stamp.read_text("utf-8"))["extras"]}
    except (OSError, ValueError, KeyError, TypeError):
        return set()
    return written & {file.stem for file in LOCKS.glob("*.txt")}


def write_stamp(of: str, extras: set[str]) -> None:
    """Notes what is installed: with which fingerprint, and which extras."""
    STAMP.write_text(json.dumps({"fingerprint": of, "extras": sorted(extras)}), "utf-8")


def ensure_venv() -> None:
    """Creates `.venv`, again if it is incomplete or its Python is gone."""
    healthy = f"import sys, pip._internal.cli.main; sys.exit(sys.version_info < {OLDEST_PYTHON})"
    if VENV.exists():
        if succeeds([program("python"), "-P", "-c", healthy]):
            return
        say(f"{VENV} is incomplete.")
    say(f"Creating {VENV}.")
    command = [sys.executable, "-P", "-m", "venv", "--clear", str(VENV)]
    call(command, f"{VENV} could not be created.")


def prefer_cpu_torch() -> bool:
    """Installs the CPU build on Linux without an NVIDIA driver; the default includes CUDA.

    Returns:
        Whether it is installed. Its version is pinned; of its file, pip checks the hash that
        PyTorch's index names.
    """
    if (
        sys.platform != "linux"
        or shutil.which("nvidia-smi")
        or Path("/proc/driver/nvidia").exists()
    ):
        return False
    from core.distribution.parts import (
        PYTORCH_CPU_INDEX,  # its syntax is newer than the oldest Python here
    )

    training = project()["optional-dependencies"]["training"]
    torch = next(item for item in training if item.startswith("torch=="))
    offered = subprocess.run(
        pip("--dry-run", "--ignore-installed", "--no-deps", "--no-index", torch),
        capture_output=True,
        text=True,
    )
    if "+cpu" in offered.stdout:  # a --find-links folder has it
        return succeeds(pip("--no-deps", "--no-index", torch))
    say(f"No NVIDIA driver found: downloading the CPU build of {torch} from {PYTORCH_CPU_INDEX}.")
    if succeeds(pip("--no-deps", "--index-url", PYTORCH_CPU_INDEX, torch)):
        return True
    say(f"{PYTORCH_CPU_INDEX} is not available; the default build includes CUDA (about 3 GB).")
    return False


def project() -> dict[str, Any]:
    """The table `project` of `pyproject.toml`."""
    import tomllib  # missing in the Python versions that `main` refuses

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
    install = ("-m", "pip", "install", "--disable-pip-version-check")
    return [program("python"), "-P", *install, *arguments]


def call(command: list[str], failure: str) -> None:
    """Runs a command with its output on stderr.

    Raises:
        Halt: With `failure`, if it fails.
    """
    if not succeeds(command):
        raise Halt(failure)


def succeeds(command: list[str]) -> bool:
    """Runs a command with its output on stderr; returns whether it succeeded."""
    try:
        return subprocess.call(command, stdout=sys.stderr) == 0
    except OSError:
        return False


def hand_over(command: list[str]) -> int:
    """Replaces this program with another; on Windows, waits for it and returns its exit code."""
    sys.stdout.flush()
    if os.name == "nt":
        return subprocess.call(command)
    os.execv(command[0], command)


def say(text: str) -> None:
    """Prints one line for the user."""
    print(f"epitome: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
