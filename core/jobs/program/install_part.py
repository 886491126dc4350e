"""Installs an optional part, so that nothing breaks wherever it is interrupted.

pip installs what is missing into a new folder in the environment; a fresh process tries to import
it from there. Only then one small file, written whole, leads Python to that folder. What an
installation that was killed left behind is removed by the next one.
"""

import json
import os
import re
import secrets
import shutil
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from packaging.version import Version

from core.distribution.locked_hashes import canonical, locked_hashes
from core.distribution.parts import CONSTRAINTS, FOLDER, LEADER, PYTORCH_CPU_INDEX, Part
from core.errors import EpitomeError, explained
from core.events import Event, Finished, Message, Progress, Started
from core.installation import installation
from core.numbers import format_size
from core.stop import StopToken
from core.storage.files import FileLock, write_bytes
from core.storage.regular_files import rename_patiently
from core.system.process_environment import find_program
from core.system.processes import lines_of, python_command, run_program

T = TypeVar("T")
_Work = Generator[Event, None, T]

_RAW_PROGRESS_SINCE = Version("24.1")  # pip's version
_RESUMES_SINCE = Version("25.1")
_RESUME_RETRIES = "10"  # large files on poor lines break more than once
_SPARE = 1.1  # times the size of the files
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_OWN_NAME = "epitome"
# A new environment brings them for building, and the program does not import them: another version
# may lie in a part's folder.
_TOOLS = ("setuptools", "wheel")
_PROGRESS = re.compile(r"Progress (\d+) of (\d+)")
_OFFLINE = re.compile(
    "NameResolutionError|NewConnectionError|ConnectTimeout|ReadTimeout|Network is unreachable"
    "|Failed to establish a new connection|getaddrinfo failed|ProxyError|Connection refused"
)
_FULL = re.compile(r"No space left on device|Errno 28|disk quota|not enough space", re.IGNORECASE)
_LOCAL_SITE = """
import json, sysconfig, importlib.metadata as m
found = {d.metadata["Name"]: d.version for d in m.distributions() if d.metadata["Name"]}
paths = {sysconfig.get_path(key) for key in ("purelib", "platlib")}
prefix = sysconfig.get_path("data")
print(json.dumps({"prefix": prefix, "site": sorted(paths)[0], "packages": found}))
"""


@dataclass(frozen=True)
class PartInstalled:
    """A part that is there now.

    Args:
        name: The part's.
        folder: Where it lies; None where nothing was missing.
        packages: What was installed, "name version" each.
    """

    name: str
    folder: Path | None
    packages: tuple[str, ...]


@dataclass(frozen=True)
class InstallPartJob:
    """Installs a part into an environment.

    Args:
        part: The part.
        python: The environment's Python; None for the running one.
        options: Further options of pip, such as ``--find-links``.
    """

    part: Part
    python: Path | None = None
    options: tuple[str, ...] = ()

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Installs.

        Args:
            stop: Ends it at once; files that came whole stay in pip's cache, so that another try
                fetches only the rest.

        Yields:
            Progress in bytes; at the end `Finished` with a `PartInstalled`.

        Raises:
            EpitomeError: If it cannot be installed; the environment is as it was.
        """
        yield Started(f"Installing {self.part.title.lower()}")
        yield Progress(0, 0, "packages", "Preparing")
        place = _place_of(self.python or Path(sys.executable), self.part)
        with place.claimed(self.part):
            wanted = yield from self._resolved(place, stop)
            if not wanted:
                yield Finished(PartInstalled(self.part.name, None, ()))
                return
            self._check_room(place, wanted)
            draft = place.new_draft(self.part)
            try:
                yield from self._fill(place, draft, wanted, stop)
                folder = place.switch_to(draft, self.part, wanted)
            finally:
                shutil.rmtree(draft, ignore_errors=True)
        yield Finished(PartInstalled(self.part.name, folder, tuple(map(str, wanted))))

    def _resolved(self, place: "_Place", stop: StopToken) -> "_Work[list[_Package]]":
        """What has to be installed, with all that it needs."""
        wanted = yield from self._dry_run(place, stop, ())
        if any(each.name.startswith("nvidia-") for each in wanted) and not _has_nvidia():
            try:
                index = ("--extra-index-url", PYTORCH_CPU_INDEX)
                wanted = yield from self._dry_run(place, stop, index)
            except EpitomeError:
                told = f"{PYTORCH_CPU_INDEX} cannot be reached; the build with CUDA is installed."
                yield Message("note", told)
        for each in wanted:
            there = place.packages.get(canonical(each.name))
            if there is not None:
                raise EpitomeError(
                    f"{self.part.title} needs {each.name} {each.version}, and {there} is "
                    "installed.",
                    f"Close Epitome and run {self.part.command}.",
                )
            if not each.is_as_locked:
                raise EpitomeError(
                    f"{self.part.title} was not installed: the index offers another file of "
                    f"{each} than the one this version of Epitome was made with.",
                    "Try again on another network, and tell whoever gave you Epitome.",
                )
        return wanted

    def _dry_run(
        self, place: "_Place", stop: StopToken, options: Sequence[str]
    ) -> "_Work[list[_Package]]":
        report, pins = place.new_file("report.json"), place.new_file("pins.txt")
        try:
            with explained(f"{pins} cannot be written", "Make the folder writable."):
                pins.write_text(place.pins(), "utf-8")
            dry = ("--dry-run", "--report", str(report), "--constraint", str(pins))
            command = self._pip(place, *dry, *options, *self.part.packages)
            yield from self._followed(command, "Preparing", 0, stop)
            told = json.loads(report.read_text("utf-8"))
        finally:
            for file in (report, pins):
                file.unlink(missing_ok=True)
        return [_Package.of(each) for each in told["install"]]

    def _check_room(self, place: "_Place", wanted: "list[_Package]") -> None:
        free = shutil.disk_usage(place.folder).free
        needed = int(self.part.installed_bytes * _SPARE)
        if free < needed:
            raise EpitomeError(
                f"{self.part.title} needs {format_size(needed)} on the disk of {place.folder}; "
                f"{format_size(free)} are free.",
                "Free some space on its disk.",
                "full",
            )

    def _fill(
        self, place: "_Place", draft: Path, wanted: "list[_Package]", stop: StopToken
    ) -> "_Work[None]":
        exact = [each.requirement for each in wanted]
        links = ("--no-deps", "--ignore-installed", "--no-warn-script-location", "--no-compile")
        command = self._pip(place, *links, "--prefix", str(draft), *exact)
        total = self.part.download_bytes
        yield from self._followed(command, "Downloading", total, stop)
        yield Progress(0, 0, "packages", "Checking")
        lines = yield from _collected(lines_of(self._trial(draft), stop))
        last = next(reversed(lines), "it ended")
        if last != "well":
            raise EpitomeError(
                f"{self.part.title} was downloaded, but does not run here ({last}).",
                f"Run {self.part.command}, which shows all messages.",
            )

    def _trial(self, draft: Path) -> list[str]:
        """Imports the part in a fresh process, from where it lies now."""
        code = "import sys; sys.path += sys.argv[1:]\n"
        code += "".join(f"import {module}\n" for module in self.part.modules)
        folders = map(str, _site_folders(draft))
        return python_command("-c", f"{code}print('well')", *folders, python=self.python)

    def _pip(self, place: "_Place", *arguments: str) -> list[str]:
        known = ["--disable-pip-version-check", "--no-input", "--retries", "1"]
        pip = Version(place.packages["pip"])
        if pip >= _RAW_PROGRESS_SINCE:
            known += ["--progress-bar", "raw"]
        if pip >= _RESUMES_SINCE:
            known += ["--resume-retries", _RESUME_RETRIES]
        command = ("-m", "pip", "install", *known, *self.options, *arguments)
        return python_command(*command, python=self.python)

    def _followed(
        self, command: list[str], what: str, total: int, stop: StopToken
    ) -> "_Work[None]":
        """Follows pip to its end, and tells how far it is."""
        lines = lines_of(command, stop)
        heard: list[str] = []
        before = done = 0
        while True:
            try:
                line = next(lines)
            except StopIteration as end:
                if end.value:
                    raise self._failure(heard) from None
                return
            if found := _PROGRESS.match(line):
                now, size = map(int, found.groups())
                done = now
                if now == size:
                    before, done = before + size, 0
            else:
                heard.append(line)
                if line.startswith("Installing collected"):
                    what = "Installing"
            if total:
                yield Progress(min(before + done, total), total, "bytes", what)

    def _failure(self, heard: list[str]) -> EpitomeError:
        """Why pip failed, by what it said."""
        text = "\n".join(heard)
        last = next((line for line in reversed(heard) if "ERROR" in line), "".join(heard[-1:]))
        what = f"{self.part.title} was not installed"
        if _FULL.search(text):
            return EpitomeError(f"{what}: the disk is full.", "Free some space on it.", "full")
        if _OFFLINE.search(text):
            return EpitomeError(
                f"{what}: the package index cannot be reached.",
                f"Connect to the network and try again, or run {self.part.command} later.",
                "offline",
            )
        reason = last.removeprefix("ERROR: ").rstrip(".")
        return EpitomeError(
            f"{what}: {reason}.", f"Run {self.part.command}, which shows all messages."
        )


@dataclass(frozen=True)
class _Package:
    """What pip would install.

    Args:
        name: Its name.
        version: Its version.
        url: Where the file lies that was chosen.
        sha256: The hash that the index names; empty where it names none.
    """

    name: str
    version: str
    url: str
    sha256: str

    @classmethod
    def of(cls, told: dict[str, Any]) -> "_Package":
        """From an entry of pip's report."""
        name, number = told["metadata"]["name"], told["metadata"]["version"]
        found = told["download_info"]
        hashes = found.get("archive_info", {}).get("hashes", {})
        return cls(name, number, found["url"], str(hashes.get("sha256", "")))

    @property
    def requirement(self) -> str:
        """The very file that was chosen, wherever it was found; pip checks its hash."""
        checked = f"#sha256={self.sha256}" if self.sha256 and "#" not in self.url else ""
        return f"{self.name} @ {self.url}{checked}"

    @property
    def is_as_locked(self) -> bool:
        """Whether its file is one of those locked, if any are; a person's own file may differ."""
        allowed = locked_hashes().get((canonical(self.name), self.version), frozenset())
        return not allowed or self.sha256 in allowed or self.url.startswith("file:")

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


@dataclass(frozen=True)
class _Place:
    """Where parts of an environment lie.

    Args:
        folder: The folder of all parts.
        site: The folder whose `.pth` files Python reads.
        packages: The installed versions, by canonical name.
    """

    folder: Path
    site: Path
    packages: dict[str, str]

    def claimed(self, part: Part) -> "_Claim":
        """Keeps other windows from installing at the same time, and removes old drafts."""
        return _Claim(self, part)

    def pins(self) -> str:
        """Constraints under which nothing that is installed changes; the rest is as pinned."""
        pinned = CONSTRAINTS.read_text("utf-8").splitlines() if CONSTRAINTS.is_file() else []
        named = ((_NAME.match(line), line) for line in pinned)
        kept = [line for name, line in named if name and canonical(name[0]) not in self.packages]
        there = (f"{name}=={number}" for name, number in self.packages.items() if name != _OWN_NAME)
        return "\n".join([*kept, *there, ""])

    def new_file(self, name: str) -> Path:
        """A file that the next installation removes, if this one cannot."""
        return self.folder / f".{secrets.token_hex(4)}-{name}"

    def new_draft(self, part: Part) -> Path:
        """An empty folder to install into."""
        draft = self.folder / f"{part.name}-{secrets.token_hex(4)}.draft"
        with explained(f"{draft} cannot be written", "Make the folder writable."):
            draft.mkdir()
        return draft

    def switch_to(self, draft: Path, part: Part, wanted: list[_Package]) -> Path:
        """Leads Python to a folder that was tried; removes those of before."""
        final = draft.with_suffix("")
        with explained(f"{self.folder} cannot be written", "Make the folder writable."):
            manifest = {"part": part.name, "packages": {p.name: p.version for p in wanted}}
            write_bytes(draft / "part.json", json.dumps(manifest, indent=1).encode())
            rename_patiently(draft, final)
            # Relative, so that a portable copy may be moved.
            paths = "".join(f"{os.path.relpath(p, self.site)}\n" for p in _site_folders(final))
            write_bytes(self.site / f"{LEADER}{part.name}.pth", paths.encode())
        for older in self.folder.glob(f"{part.name}-*"):
            if older != final:
                shutil.rmtree(older, ignore_errors=True)
        return final


class _Claim:
    """The right to install; given up when the process ends, however it ends."""

    def __init__(self, place: _Place, part: Part) -> None:
        self._place, self._part = place, part
        self._lock = FileLock(place.folder / ".lock")

    def __enter__(self) -> None:
        folder = self._place.folder
        with explained(f"{folder} cannot be written", f"Run {self._part.command}."):
            folder.mkdir(parents=True, exist_ok=True)
            free = self._lock.acquire()
        if not free:
            raise EpitomeError("Another window installs a part just now.", "Wait until it is done.")
        for left in (
            *folder.glob("*.draft"),
            *folder.glob(".*-report.json"),
            *folder.glob(".*-pins.txt"),
        ):
            shutil.rmtree(left, ignore_errors=True)
            with suppress(OSError):
                left.unlink()

    def __exit__(self, *error: object) -> None:
        self._lock.release()


def _place_of(python: Path, part: Part) -> _Place:
    """Looks an environment over, from outside."""
    done = run_program(python_command("-c", _LOCAL_SITE, python=python))
    if done.returncode:
        last = done.stderr.strip().rpartition("\n")[2]
        raise EpitomeError(f"Python does not start here ({last}).", f"Run {part.command}.")
    told = json.loads(done.stdout)
    named = {canonical(name): number for name, number in told["packages"].items()}
    packages = {name: number for name, number in named.items() if name not in _TOOLS}
    if "pip" not in packages:
        raise EpitomeError(
            "This installation has no pip, so no part can be added to it.",
            f"Install Epitome again: {installation().mend}.",
        )
    own = installation().parts if python == Path(sys.executable) else None
    if own is not None:  # nobody can write to what an installer has installed
        return _Place(own, own, packages)
    return _Place(Path(told["prefix"]) / FOLDER, Path(told["site"]), packages)


def _collected(lines: Generator[str, None, int]) -> "_Work[list[str]]":
    """All that a program prints; nothing is told meanwhile."""
    heard = list(lines)
    return heard
    yield  # a generator, as all work is


def _site_folders(root: Path) -> list[Path]:
    """Where packages lie under the root of an installation."""
    return sorted({path.parent for path in root.glob("**/*.dist-info")})


def _has_nvidia() -> bool:
    return bool(find_program("nvidia-smi")) or Path("/proc/driver/nvidia").exists()
