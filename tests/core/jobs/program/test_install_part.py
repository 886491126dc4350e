"""A part is there as a whole or not at all, wherever its installation is interrupted."""

import json
import random
import shutil
import subprocess
import sys
import sysconfig
import threading
import venv
from collections.abc import Generator
from importlib.metadata import version
from pathlib import Path

import pip
import pytest

from core.distribution.locked_hashes import locked_hashes
from core.distribution.parts import FOLDER, Part
from core.events import Event, Failed, Finished, Progress, Stopped
from core.jobs.program import install_part
from core.jobs.program.install_part import InstallPartJob, PartInstalled
from core.jobs.run import run_inline
from core.stop import StopToken
from core.storage.files import FileLock
from core.system.processes import kill_tree
from tests.helpers.patience import PATIENCE_S
from tests.helpers.wheels import make_wheel, stalling_index

ROOT = Path(__file__).parents[4]
PAYLOAD = random.Random(0).randbytes(400_000)
PART = Part(
    "demo", "The demo part", ("epitome-demo",), ("epitome_demo",), 400_000, 400_000, "make demo"
)
PROGRAM = """
import json, sys
from pathlib import Path
from core.jobs.program.install_part import InstallPartJob
from core.jobs.run import run_inline
from core.distribution.parts import Part
from core.stop import StopToken
part, python, *options = json.loads(sys.argv[1])
part = Part(part[0], part[1], tuple(part[2]), tuple(part[3]), *part[4:])
for event in run_inline(InstallPartJob(part, Path(python), tuple(options)), StopToken()):
    print(repr(event), flush=True)
"""


def folder_of(kind: str, environment: Path) -> Path:
    """Returns a folder of an environment, as `sysconfig` names it, where this system has it."""
    return Path(sysconfig.get_path(kind, "venv", {"base": str(environment)}))


def leaders(python: Path) -> list[Path]:
    """Returns the files that lead an environment to the part."""
    return [*folder_of("purelib", python.parents[1]).glob("epitome-part-demo.pth")]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with pip and one package, that of the base."""
    folder = tmp_path_factory.mktemp("environment")
    venv.EnvBuilder().create(folder / "venv")
    program = "python.exe" if sys.platform == "win32" else "python"
    python = folder_of("scripts", folder / "venv") / program
    site = folder_of("purelib", folder / "venv")
    ours = Path(pip.__file__).parent  # a copy is made in no time, a pip by `venv` in seconds
    for part in (ours, *ours.parent.glob("pip-*.dist-info")):
        shutil.copytree(part, site / part.name)
    base = make_wheel(folder, "epitome-base", {"epitome_base.py": b"WORKS = True\n"})
    subprocess.run([python, "-m", "pip", "install", "-q", "--no-index", base], check=True)
    return python


@pytest.fixture
def python(made: Path) -> Path:
    """The same, as it was before any part was installed."""
    shutil.rmtree(made.parents[1] / FOLDER, ignore_errors=True)
    for file in leaders(made):
        file.unlink()
    return made


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    """A folder with the wheels of the part, which needs another package and the base."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    code = b"import epitome_base, epitome_helper\n"
    files = {"epitome_demo/__init__.py": code, "epitome_demo/data.bin": PAYLOAD}
    make_wheel(folder, "epitome-demo", files, needs=["epitome-helper", "epitome-base"])
    make_wheel(folder, "epitome-helper", {"epitome_helper.py": b""})
    return folder


def local(wheels: Path) -> tuple[str, ...]:
    return ("--isolated", "--no-index", "--find-links", str(wheels))


def install(python: Path, *options: str, part: Part = PART) -> list[Event]:
    return list(run_inline(InstallPartJob(part, python, options), StopToken()))


def imports(python: Path, module: str) -> bool:
    """Whether a fresh process of the environment imports a module."""
    command = [str(python), "-P", "-c", f"import {module}"]
    return subprocess.run(command, capture_output=True).returncode == 0


def is_untouched(python: Path) -> bool:
    """Whether the environment is as it was, without a trace of the part."""
    left = [path for path in (python.parents[1] / FOLDER).glob("*") if path.name != ".lock"]
    return imports(python, "epitome_base") and not imports(python, "epitome_demo") and not left


def test_part_and_what_it_needs_are_there_afterwards(python: Path, wheels: Path) -> None:
    *events, last = install(python, *local(wheels))
    assert isinstance(last, Finished), last
    assert isinstance(last.result, PartInstalled)
    assert sorted(last.result.packages) == ["epitome-demo 1.0", "epitome-helper 1.0"]
    assert imports(python, "epitome_demo, epitome_base")
    told = [event.what for event in events if isinstance(event, Progress)]
    assert list(dict.fromkeys(told)) == ["Preparing", "Downloading", "Installing", "Checking"]
    command = [python, "-m", "pip", "list", "--format", "json"]
    listed = json.loads(subprocess.run(command, capture_output=True).stdout)
    assert "epitome-demo" in {each["name"] for each in listed}


def test_an_environment_that_was_moved_still_leads_to_its_parts(python: Path, wheels: Path) -> None:
    install(python, *local(wheels))
    (pth,) = leaders(python)
    lines = pth.read_text("utf-8").splitlines()
    assert lines and not any(Path(line).is_absolute() for line in lines)
    assert all((pth.parent / line).is_dir() for line in lines)


INDEX = "https://index.example.org/demo.whl"
LOCKED = {("epitome-demo", "1.0"): frozenset({"a" * 64, "b" * 64})}


def offered(version: str, url: str, sha256: str) -> install_part._Package:
    """What pip reports of a file that it has chosen."""
    archive = {"hashes": {"sha256": sha256}} if sha256 else {}
    told = {"name": "epitome_demo", "version": version}
    found = {"url": url, "archive_info": archive}
    return install_part._Package.of({"metadata": told, "download_info": found})


@pytest.mark.parametrize(
    ("version", "url", "sha256", "is_as_locked"),
    [
        ("1.0", INDEX, "b" * 64, True),
        ("1.0", INDEX, "c" * 64, False),
        ("1.0", INDEX, "", False),
        ("1.0", "file:///mine/demo.whl", "", True),
        ("1.0+cpu", INDEX, "c" * 64, True),
    ],
)
def test_a_file_is_one_of_the_locked_ones_if_any_are(
    monkeypatch: pytest.MonkeyPatch, version: str, url: str, sha256: str, is_as_locked: bool
) -> None:
    monkeypatch.setattr(install_part, "locked_hashes", lambda: LOCKED)
    assert offered(version, url, sha256).is_as_locked is is_as_locked


def test_another_file_than_the_locked_one_is_not_installed(
    python: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dry_run(*arguments: object) -> Generator[Event, None, list[install_part._Package]]:
        return [offered("1.0", INDEX, "c" * 64)]
        yield

    monkeypatch.setattr(install_part, "locked_hashes", lambda: LOCKED)
    monkeypatch.setattr(InstallPartJob, "_dry_run", dry_run)
    *_, last = install(python)
    assert isinstance(last, Failed)
    assert "the index offers another file of epitome_demo 1.0 than the one" in last.message
    assert is_untouched(python)


def test_the_locks_are_read(tmp_path: Path) -> None:
    lock = tmp_path / "base.txt"
    lock.write_text(
        "# note\nA_b==1 ; python_version < '4' \\\n"
        f"    --hash=sha256:{'a' * 64} \\\n    --hash=sha256:{'b' * 64}\nc==2\n",
        "utf-8",
    )
    assert locked_hashes(tmp_path) == {
        ("a-b", "1"): frozenset({"a" * 64, "b" * 64}),
        ("c", "2"): frozenset(),
    }
    assert len(locked_hashes()[("numpy", version("numpy"))]) > 10


def test_nothing_outside_its_own_folder_is_touched(python: Path, wheels: Path) -> None:
    site = folder_of("purelib", python.parents[1])
    before = {path: path.stat().st_mtime_ns for path in site.rglob("*") if path.is_file()}
    install(python, *local(wheels))
    after = {path: path.stat().st_mtime_ns for path in site.rglob("*") if path.is_file()}
    new = after.keys() - before.keys()
    assert {path.name for path in new if path.suffix != ".pyc"} == {"epitome-part-demo.pth"}
    assert {path: after[path] for path in before} == before


def test_a_second_installation_does_nothing(python: Path, wheels: Path) -> None:
    install(python, *local(wheels))
    last = install(python, *local(wheels))[-1]
    assert last == Finished(PartInstalled("demo", None, ()))
    assert imports(python, "epitome_demo")


# Both wheels are looked at while it is found out what is needed, and installed afterwards.
WHILE_RESOLVING, WHILE_INSTALLING = 1, 3


@pytest.mark.parametrize("stalls_at", [WHILE_RESOLVING, WHILE_INSTALLING])
def test_cancelled_in_the_middle_of_a_download(python: Path, wheels: Path, stalls_at: int) -> None:
    stop, events = StopToken(), list[Event]()
    with stalling_index(wheels, stalls_at) as index:
        job = InstallPartJob(PART, python, index.options)
        thread = threading.Thread(target=lambda: events.extend(run_inline(job, stop)))
        thread.start()
        assert index.half_sent.wait(PATIENCE_S)
        stop.request("cancel")
        thread.join()
    assert events[-1] == Stopped("cancel")
    assert is_untouched(python)
    assert isinstance(install(python, *local(wheels))[-1], Finished)
    assert imports(python, "epitome_demo")


def test_what_came_whole_is_not_downloaded_again(
    python: Path, wheels: Path, tmp_path: Path
) -> None:
    stop, cache = StopToken(), tmp_path / "cache"
    with stalling_index(wheels, 2) as index:
        options = index.options_with_cache(cache)
        thread = threading.Thread(
            target=lambda: list(run_inline(InstallPartJob(PART, python, options), stop))
        )
        thread.start()
        assert index.half_sent.wait(PATIENCE_S)
        stop.request("cancel")
        thread.join()
        (whole,) = index.sent
        assert isinstance(install(python, *options)[-1], Finished)
    assert imports(python, "epitome_demo")
    assert index.sent.count(whole) == 1


@pytest.mark.parametrize(("pip", "is_asked"), [("25.0.1", False), ("25.1", True), ("26.3", True)])
def test_pip_resumes_a_broken_download_where_it_can(
    tmp_path: Path, pip: str, is_asked: bool
) -> None:
    place = install_part._Place(tmp_path, tmp_path, {"pip": pip})
    assert ("--resume-retries" in InstallPartJob(PART)._pip(place)) == is_asked


@pytest.mark.parametrize("stalls_at", [WHILE_RESOLVING, WHILE_INSTALLING])
def test_killed_in_the_middle_of_a_download(python: Path, wheels: Path, stalls_at: int) -> None:
    with stalling_index(wheels, stalls_at) as index:
        process = start(python, *index.options)
        assert index.half_sent.wait(PATIENCE_S)
        process.kill()
        process.communicate()
        assert imports(python, "epitome_base") and not imports(python, "epitome_demo")
        assert isinstance(install(python, *local(wheels))[-1], Finished)
    assert imports(python, "epitome_demo")
    assert not list((python.parents[1] / FOLDER).glob("*.draft"))


def test_killed_anywhere_it_is_there_as_a_whole_or_not_at_all(python: Path, wheels: Path) -> None:
    for lines in range(1, 6):  # what it has told before it is killed
        process = start(python, *local(wheels))
        assert process.stdout
        for _ in range(lines):
            process.stdout.readline()
        kill_tree(process.pid)
        process.communicate()
        assert imports(python, "epitome_base")
        assert imports(python, "epitome_demo") == bool(leaders(python))
    assert isinstance(install(python, *local(wheels))[-1], Finished)
    assert imports(python, "epitome_demo")


def start(python: Path, *options: str) -> "subprocess.Popen[str]":
    """Starts the installation in a process of its own."""
    part = (PART.name, PART.title, PART.packages, PART.modules, *(400_000, 400_000, "make demo"))
    given = json.dumps([part, str(python), *options])
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, given],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def test_without_network_it_says_so_with_the_command_to_copy(python: Path) -> None:
    last = install(python, "--isolated", "--index-url", "http://127.0.0.1:9/", "--no-cache")[-1]
    assert last == Failed(
        "The demo part was not installed: the package index cannot be reached.",
        "Connect to the network and try again, or run make demo later.",
        kind="offline",
    )
    assert is_untouched(python)


def test_a_package_that_is_nowhere_is_named(python: Path, tmp_path: Path) -> None:
    last = install(python, *local(tmp_path))[-1]
    assert isinstance(last, Failed)
    assert "No matching distribution found for epitome-demo" in last.message
    assert is_untouched(python)


def test_a_part_that_does_not_run_here_is_not_switched_to(python: Path, tmp_path: Path) -> None:
    code = b"raise RuntimeError('no such processor')\n"
    make_wheel(tmp_path, "epitome-demo", {"epitome_demo.py": code})
    last = install(python, *local(tmp_path))[-1]
    assert isinstance(last, Failed)
    assert last.message == (
        "The demo part was downloaded, but does not run here (RuntimeError: no such processor)."
    )
    assert is_untouched(python)


def test_too_little_room_is_told_before_anything_is_downloaded(python: Path, wheels: Path) -> None:
    large = Part("demo", "The demo part", PART.packages, PART.modules, 0, 10**15, "make demo")
    last = install(python, *local(wheels), part=large)[-1]
    assert isinstance(last, Failed)
    assert last.kind == "full"
    assert last.message.startswith("The demo part needs 1100\u202fTB on the disk of ")
    assert is_untouched(python)


def test_a_disk_that_fills_up_leaves_nothing_behind(python: Path, wheels: Path) -> None:
    alone = ["unshare", "--map-root-user", "--mount"]
    is_there = shutil.which("unshare") is not None
    if not is_there or subprocess.run([*alone, "true"], capture_output=True).returncode:
        pytest.skip("needs a system that lets this user make a mount namespace")
    parts = python.parents[1] / FOLDER
    parts.mkdir()
    small = f'mount -t tmpfs -o size=200k tmpfs {parts} && "$@"; echo status $?; ls -A {parts}'
    part = (PART.name, PART.title, PART.packages, PART.modules, 0, 0, "make demo")
    given = json.dumps([part, str(python), *local(wheels)])
    command = [*alone, "sh", "-c", small, "sh", sys.executable, "-c", PROGRAM, given]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert "The demo part was not installed: the disk is full." in done.stdout, done.stderr
    assert done.stdout.splitlines()[-2:] == ["status 0", ".lock"]
    assert is_untouched(python)


def test_another_version_that_is_installed_is_never_replaced(python: Path, wheels: Path) -> None:
    code = b"import epitome_base\n"
    make_wheel(wheels, "epitome-demo", {"epitome_demo.py": code}, needs=["epitome-base==2.0"])
    stem = make_wheel(wheels, "epitome-base", {"epitome_base.py": b""})
    newer = stem.with_name("epitome_base-2.0-py3-none-any.whl")
    _renumber(stem, newer)
    last = install(python, *local(wheels))[-1]
    assert isinstance(last, Failed)
    assert last.message.startswith("The demo part was not installed: ")
    assert last.remedy == "Run make demo, which shows all messages."
    assert is_untouched(python)


def _renumber(old: Path, new: Path) -> None:
    """The same wheel as version 2.0."""
    import zipfile

    with zipfile.ZipFile(old) as source, zipfile.ZipFile(new, "w") as made:
        for name in source.namelist():
            data = source.read(name).replace(b"Version: 1.0\nRequires", b"Version: 2.0\nRequires")
            data = data.replace(
                b"Name: epitome-base\nVersion: 1.0", b"Name: epitome-base\nVersion: 2.0"
            )
            if not name.endswith("RECORD"):
                made.writestr(name.replace("-1.0.", "-2.0."), data)
        names = [name.replace("-1.0.", "-2.0.") for name in source.namelist()]
        made.writestr("epitome_base-2.0.dist-info/RECORD", "".join(f"{n},,\n" for n in names))


def test_two_windows_do_not_install_at_once(python: Path, wheels: Path) -> None:
    parts = python.parents[1] / FOLDER
    parts.mkdir()
    lock = FileLock(parts / ".lock")
    assert lock.acquire()
    try:
        last = install(python, *local(wheels))[-1]
    finally:
        lock.release()
    assert isinstance(last, Failed)
    assert last.message == "Another window installs a part just now."
