"""What the machine has, what is installed, and what is missing with the command that mends it."""

import os
import platform
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from packaging.requirements import Requirement

from core.distribution.packages import found_package, is_wanted, needed_packages
from core.distribution.parts import PART_NAMES, PartName, part_of
from core.distribution.resources import resource
from core.distribution.system_libraries import (
    Library,
    install_commands,
    libraries_for,
    missing_libraries,
    told,
)
from core.documents.readers.recognition import part as recognition
from core.events import Event, Finished, Started
from core.installation import installation
from core.library.folders import Folders
from core.numbers import format_quantity, format_size
from core.stop import StopToken
from core.storage.parsing import parse_json
from core.system.crash_reports import count_reports
from core.system.machine import usable_cores
from core.system.processes import python_command, run_program
from core.version import VERSION

_WINDOW = "window"
_PARTS: dict[str, str] = {
    _WINDOW: "",
    **{name: name for name in PART_NAMES},
}  # the extra that brings each


@dataclass(frozen=True)
class Package:
    """A package that Epitome asks for.

    Args:
        name: Its name.
        version: The installed version; empty when it is not there.
        part: What it is for: "window" (always installed), or the name of an optional part.
    """

    name: str
    version: str
    part: str


@dataclass(frozen=True)
class OptionalPart:
    """A part that is installed on its own.

    Args:
        name: Its name.
        title: What it is called in the window.
        installed: Whether it is there.
        command: The command that installs it; empty where it cannot be had on this system.
    """

    name: str
    title: str
    installed: bool
    command: str


@dataclass(frozen=True)
class SystemLibrary:
    """A shared library of the system.

    Args:
        name: As the loader knows it.
        debian: The package of Debian and Ubuntu that contains it.
        fedora: The package of Fedora that contains it.
    """

    name: str
    debian: str
    fedora: str


@dataclass(frozen=True)
class Lack:
    """Something that is missing.

    Args:
        what: One sentence: what does not work, and why.
        command: The command that mends it; empty if none can.
    """

    what: str
    command: str


@dataclass(frozen=True)
class DoctorReport:
    """The state of this installation.

    Args:
        version: Epitome's version.
        installed_from: What brought this copy: its repository ("source") or an installer.
        data_folder: Where this copy keeps what a person makes.
        log_folder: Where it keeps messages and the reports of crashes.
        crash_reports: How many reports of crashes there are.
        python: Python's version.
        system: The operating system, its version and the processor's kind.
        cores: How many processor cores this process may use.
        memory_bytes: The machine's memory.
        memory_free_bytes: How much of it programs can still take.
        display: Whether there is a screen to open a window on.
        missing_libraries: The system libraries that the window needs and that cannot be loaded.
        scan_languages: The languages in which the text of scans can be recognised; empty when that
            part is not installed.
        parts: The optional parts.
        packages: What Epitome asks for, by part, then name.
        download_bytes: What `bootstrap.py run` downloads, measured when versions were pinned.
        download_measured_on: The system and Python it was measured on.
        installed_bytes: The files of Epitome without the training part and of all it needs, as
            they lie here; None when the program was not installed by `bootstrap.py`.
        missing: What is missing; empty when everything is there.
    """

    version: str
    installed_from: str
    data_folder: str
    log_folder: str
    crash_reports: int
    python: str
    system: str
    cores: int
    memory_bytes: int
    memory_free_bytes: int
    display: bool
    missing_libraries: tuple[SystemLibrary, ...]
    scan_languages: tuple[str, ...]
    parts: tuple[OptionalPart, ...]
    packages: tuple[Package, ...]
    download_bytes: int
    download_measured_on: str
    installed_bytes: int | None
    missing: tuple[Lack, ...]


@dataclass(frozen=True)
class DoctorJob:
    """Looks the installation over; reads only, needs no network."""

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Gives the report.

        Args:
            stop: Ends the job between two looks.

        Yields:
            `Started`, then `Finished` with a `DoctorReport`.
        """
        yield Started("Checking the installation")
        stop.raise_if_set()
        yield Finished(examine())


def examine() -> DoctorReport:
    """The report on this machine and this installation."""
    import psutil

    memory = psutil.virtual_memory()
    packages = _asked_for()
    libraries, folders = missing_libraries(libraries_for(os.environ)), Folders.of_this_user()
    sizes = parse_json(resource("sizes.json").read_text("utf-8"))
    return DoctorReport(
        version=VERSION,
        installed_from=installation().title,
        data_folder=str(folders.data),
        log_folder=str(folders.log),
        crash_reports=count_reports(folders.crashes),
        python=platform.python_version(),
        system=f"{platform.system()} {platform.release()}, {platform.machine()}",
        cores=usable_cores(),
        memory_bytes=memory.total,
        memory_free_bytes=memory.available,
        display=_has_display(),
        missing_libraries=tuple(SystemLibrary(*library) for library in libraries),
        scan_languages=recognition.languages(),
        parts=tuple(map(_optional, PART_NAMES)),
        packages=packages,
        download_bytes=sum(sizes["download_bytes"].values()),
        download_measured_on=sizes["measured_on"],
        installed_bytes=_installed_bytes(),
        missing=tuple(_missing(packages, libraries)),
    )


def render(report: DoctorReport) -> str:
    """The report as a person reads it, without a last line end."""
    disk = "unknown" if report.installed_bytes is None else format_size(report.installed_bytes)
    lines = [
        f"Epitome {report.version} ({report.installed_from})",
        f"Your data {report.data_folder}",
        f"Log       {report.log_folder} ({_crash_words(report.crash_reports)})",
        f"Python    {report.python}",
        f"System    {report.system}",
        f"Cores     {report.cores}",
        f"Memory    {format_size(report.memory_bytes)}, of which "
        f"{format_size(report.memory_free_bytes)} is free",
        f"Display   {'yes' if report.display else 'none; the command line works without one'}",
        f"Libraries {_library_line(report.missing_libraries)}",
        f"Scans     {_scan_line(report.scan_languages)}",
        f"Download  {format_size(report.download_bytes)} "
        f"(measured on {report.download_measured_on})",
        f"On disk   {disk} (without the training part)",
        *_part_lines(report.parts),
        *_package_lines(report.packages),
    ]
    for lack in report.missing:
        lines += ["", lack.what, *([f"  {lack.command}"] if lack.command else [])]
    return "\n".join(lines)


def _crash_words(count: int) -> str:
    return format_quantity(count, "report of a crash", "reports of crashes")


def _optional(name: PartName) -> OptionalPart:
    part = part_of(name)
    return OptionalPart(
        name, part.title, part.is_installed, part.command if part.is_offered else ""
    )


def _part_lines(parts: tuple[OptionalPart, ...]) -> Iterator[str]:
    width = max((len(part.title) for part in parts), default=0)
    yield "\nOptional parts:"
    for part in parts:
        absent = f"not installed: {part.command}" if part.command else "not for this system"
        yield f"  {part.title:<{width}}  {'installed' if part.installed else absent}"


def _package_lines(packages: tuple[Package, ...]) -> Iterator[str]:
    width = max((len(package.name) for package in packages), default=0)
    for part in (_WINDOW, *PART_NAMES):
        chosen = [package for package in packages if package.part == part]
        if chosen:
            what = "the window" if part == _WINDOW else f"the part “{part_of(part).title}”"
            yield f"\nPackages of {what}:"
        for package in chosen:
            yield f"  {package.name:<{width}}  {package.version or 'not installed'}"


def _missing(packages: tuple[Package, ...], libraries: tuple[Library, ...]) -> Iterator[Lack]:
    absent = {
        part: [p.name for p in packages if p.part == part and not p.version] for part in _PARTS
    }
    copy = installation()
    fault = "" if absent[_WINDOW] or libraries else _window_fault()
    if not packages:
        yield Lack("Epitome is not installed as a package.", copy.mend)
    elif absent[_WINDOW]:
        yield Lack(f"The program lacks {', '.join(absent['window'])}.", copy.mend)
    elif libraries:
        commands = install_commands(libraries)
        for system, command in commands.items():
            where = "" if len(commands) == 1 else f" On {system}:"
            yield Lack(f"The window cannot open. {told(libraries)}{where}", command)
    elif fault:
        yield Lack(f"The window cannot open: {fault}.", copy.mend)
    if absent["training"]:
        yield Lack(
            f"The training part lacks {', '.join(absent['training'])}.", copy.adding("training")
        )
    if not recognition.is_offered():
        yield Lack(recognition.NOT_OFFERED, "")
    elif not recognition.is_installed():
        yield Lack("The text of scans cannot be read: that part is missing.", recognition.COMMAND)


def _library_line(missing: tuple[SystemLibrary, ...]) -> str:
    return f"missing: {', '.join(each.name for each in missing)}" if missing else "all found"


def _scan_line(languages: tuple[str, ...]) -> str:
    return f"read in {', '.join(languages)}" if languages else "cannot be read"


def _window_fault() -> str:
    """Why Qt makes no window; empty when it does. Tried in a process of its own: it may crash."""
    code = "from PySide6.QtWidgets import QApplication"
    if _has_display():
        code += "; QApplication([])"
    done = run_program(python_command("-c", code))
    if done.returncode == 0:
        return ""
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    first = lines[0] if "Traceback" not in done.stderr and lines else "".join(lines[-1:])
    return first.rpartition("Error: ")[2].rstrip(".") or f"Qt ended with code {done.returncode}"


def _asked_for() -> tuple[Package, ...]:
    epitome = found_package("epitome")
    found = []
    for line in (epitome.requires or []) if epitome else []:
        asked = Requirement(line)
        part = next((part for part in _PARTS if is_wanted(asked, _PARTS[part])), "")
        if part:
            version = installed.version if (installed := found_package(asked.name)) else ""
            found.append(Package(asked.name, version, part))
    return tuple(sorted(found, key=lambda p: (list(_PARTS).index(p.part), p.name.lower())))


def _installed_bytes() -> int | None:
    """The size of all files of Epitome and of what it needs, and what that needs, and so on."""
    if not found_package("epitome"):
        return None
    packages = needed_packages("epitome", "pip")
    files = (os.path.split(file.locate()) for each in packages for file in each.files or [])
    names_by_folder: defaultdict[str, set[str]] = defaultdict(set)
    for folder, name in files:
        names_by_folder[folder].add(name)
    return sum(_sizes(folder, names) for folder, names in names_by_folder.items())


def _sizes(folder: str, names: set[str]) -> int:
    """The size of some files of a folder: Windows lists it with the names, and opens no file."""
    with suppress(OSError), os.scandir(folder) as entries:
        return sum(each.stat().st_size for each in entries if each.name in names and each.is_file())
    return 0


def _has_display() -> bool:
    return sys.platform != "linux" or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )
