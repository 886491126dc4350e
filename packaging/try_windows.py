#!/usr/bin/env python3
"""Tries Epitome for Windows under Wine 10: `sudo .venv/bin/python packaging/try_windows.py`.

In a root of Debian 13 (debootstrap), which is kept for the next time, it installs Epitome from this
repository with a Python for Windows, compares what it reads with what Linux reads, opens the window
as the Start menu does, runs tests, makes the installer, and installs, uses, upgrades and removes
it. Each step prints its outcome and time; pictures of the window are written for a look at them.

Four holes of Wine are filled (`packaging/windows/wine`). It does not replace a run on Windows:
locks, virus scanners, the terminal, screens and signatures are those of Wine, or missing.
"""

import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from installers.documents import make_documents
from installers.trying import ROOT, SAMPLE, step
from installers.trying import try_commands as try_commands_of
from installers.wine import Wine, add_shims, bring_wheels, make_wine, wine

sys.path.insert(0, str(ROOT))

from installers import windows
from installers.wheels import needed_on

from core.version import VERSION

PYTHON = "Z:\\src\\.venv\\Scripts\\python.exe"
LOCAL = "C:\\users\\root\\AppData\\Local"
INSTALLED = f"{LOCAL}\\Programs\\Epitome"
LINK = "C:\\users\\root\\AppData\\Roaming\\Microsoft\\Windows\\Start Menu\\Programs\\Epitome.lnk"
KEY = "HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\Epitome"
MAX_TREE_MB, MAX_SETUP_MB = 260, 70
LONGEST_PATH = 259 - len("C:\\Users\\\\AppData\\Local\\Programs\\Epitome\\") - 20
"""The most characters of a path in the tree, so that Windows opens it for a name of 20 letters."""
TESTS = (
    "tests/core/test_files.py", "tests/core/test_renaming.py", "tests/core/test_regular_files.py",
    "tests/core/test_atomic_files.py", "tests/packaging/test_windows_installer.py",
)  # fmt: skip
"""Tests that are run by default: the files and locks that differ on Windows, and the installer."""
TRAINING = (
    "--corpus c --tokenizer t --objective gsg --preset quick --steps 24 --checkpoint-every 4 "
    "--batch 1 --length 256 --vocabulary-size 512 --samples 0 --rouge-rows 0 --threads 1 "
    "--deterministic"
)
NUM_KILLS = 2
WAIT_S = 120


def main() -> int:
    """Tries it; gives the exit code."""
    steps: dict[str, Callable[[Wine, argparse.Namespace], None]] = {
        "commands": try_commands,
        "window": try_window,
        "installer": try_installer,
        "portable": try_portable,
        "training": try_training,
        "tests": try_tests,
    }
    parser = argparse.ArgumentParser(description="Tries Epitome for Windows under Wine.")
    parser.add_argument(
        "--root",
        type=Path,
        default=Path("/var/tmp/epitome-wine"),
        help="The root, 4 GB, made where it is missing (default: %(default)s)",
    )
    parser.add_argument("--only", choices=steps, action="append", help="Only these steps")
    parser.add_argument("--documents", type=Path, help="A folder of further documents to compare")
    parser.add_argument("--installer", type=Path, help="The installer; made where it is missing")
    parser.add_argument(
        "--pictures",
        type=Path,
        default=ROOT / "dist" / "wine",
        help="Folder of the pictures (default: dist/wine)",
    )
    parser.add_argument(
        "--tests", nargs="+", default=TESTS, help="Tests to run (default: %(default)s)"
    )
    options = parser.parse_args()
    if os.geteuid():
        sys.exit("A root is made with debootstrap: run this with sudo.")
    if lack := [tool for tool in ("debootstrap", "makensis") if not shutil.which(tool)]:
        sys.exit(f"Missing: {', '.join(lack)}. Run: apt-get install debootstrap nsis")
    options.pictures.mkdir(parents=True, exist_ok=True)
    step("root with Wine and a Python for Windows", lambda: make_wine(options.root))
    step("wheels", lambda: bring_wheels(options.root / "wheels", "tools", "base", "dev"))
    with wine(options.root) as bare:
        step("Epitome from this repository", lambda: install_source(bare))
        for name in options.only or steps:
            steps[name](bare, options)
    return 0


def install_source(bare: Wine) -> str:
    """Installs Epitome with its own `bootstrap.py`, and what the tests need; gives its version."""
    source = bare.folder / "src"
    environment = source / ".venv"
    kept = bare.folder / "venv"
    if environment.exists():
        environment.rename(kept)
    shutil.rmtree(source, ignore_errors=True)
    ignored = shutil.ignore_patterns(".git", ".venv", "__pycache__", "build", "dist")
    shutil.copytree(ROOT, source, ignore=ignored)
    if kept.exists():
        kept.rename(environment)
    bootstrap = "cd /d Z:\\src && Z:\\python\\python.exe packaging\\bootstrap.py run -- --version"
    # The first start ends in numpy, which needs what `add_shims` brings.
    bare.start("wine", "cmd", "/c", bootstrap).communicate()
    add_shims(bare, environment / "Lib" / "site-packages")
    pins = [block.split()[0] for block in needed_on("windows", ROOT / "packaging/locks/dev.txt")]
    bare.windows(PYTHON, "-m", "pip", "install", "-q", "--no-deps", *pins)
    version = bare.windows("cmd", "/c", bootstrap)
    assert f"epitome {VERSION}" in version, version
    return version


def try_commands(bare: Wine, options: argparse.Namespace) -> None:
    """Doctor, and what is read and summarised, against this system's Python."""
    epitome = "Z:\\src\\.venv\\Scripts\\epitome.exe"
    told = step("epitome doctor", lambda: bare.windows(epitome, "doctor"))
    assert "Python" in told, told
    folder = bare.folder / "documents"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    files = make_documents(folder)
    if options.documents:
        files += [Path(shutil.copy(file, folder)) for file in sorted(options.documents.iterdir())]
    else:
        print("no further documents are compared: --documents FOLDER names some")

    names = [file.name for file in files]
    commands = [("read", name) for name in names]
    commands.append(("summarise", "--quiet", "--evidence", "--no-history", *names))

    def compare() -> str:
        differing = [command[:2] for command in commands if not is_same(bare, epitome, command)]
        assert not differing, differing
        return ""

    step(f"{len(files)} documents are read and summarised as on Linux", compare)


def is_same(bare: Wine, epitome: str, command: tuple[str, ...]) -> bool:
    """True if a command gives the same on Windows and Linux, but for the ends of lines."""
    folder, code = bare.folder / "documents", "from gui.app import main; raise SystemExit(main())"
    with tempfile.TemporaryDirectory() as home:
        ours = subprocess.run(
            [sys.executable, "-P", "-c", code, *command],
            env={**os.environ, "PYTHONPATH": str(ROOT), "EPITOME_HOME": home},
            cwd=folder,
            capture_output=True,
            encoding="utf-8",
        )
    inside = 'cd /documents && exec wine "$@"'
    process = bare.start("sh", "-c", inside, "-", epitome, *command)
    said, errors = process.communicate()
    theirs = (process.returncode, said, errors)
    if theirs == (ours.returncode, ours.stdout, ours.stderr):
        return True
    print(f"epitome {' '.join(command)} differs\nWindows: {theirs}\nLinux: {ours}"[:3000])
    return False


def try_window(bare: Wine, options: argparse.Namespace) -> None:
    """The window opens and reads without standard streams, as from the Start menu, and closes."""
    shutil.rmtree(bare.host(f"{LOCAL}\\Epitome"), ignore_errors=True)  # of an earlier trial
    for sample in SAMPLE.parent.iterdir():
        shutil.copy(sample, bare.folder)
    start = "from gui.app import main; raise SystemExit(main())"
    program = ("Z:\\src\\.venv\\Scripts\\pythonw.exe", "-P", "-c", start, f"Z:\\{SAMPLE.name}")
    process = bare.start(
        "wine", PYTHON, "Z:\\src\\packaging\\windows\\wine\\start_menu.py", *program
    )
    step("the window opens", lambda: wait_for_window(bare, "Epitome"))
    step("the document is read", lambda: wait_for_window(bare, "Solid-state lithium cell"))
    wait_until_still(bare)
    take_picture(bare, options.pictures / "window.png")
    step("a dialog opens another one", lambda: open_by_dialog(bare))
    step("a batch of two is done", lambda: run_batch(bare))
    take_picture(bare, options.pictures / "batch.png")
    step("the window closes", lambda: close_window(bare))
    said, errors = process.communicate(timeout=WAIT_S)
    assert "exit 0" in said, said + errors


def open_by_dialog(bare: Wine) -> str:
    """Opens a document by the system's dialog, with keys and the mouse."""
    press(bare, wait_for_window(bare, "Epitome"), "ctrl+o")
    fill_dialog(bare, "Open documents", "Z:\\report.docx")
    return wait_for_window(bare, "Ground water in the Upper Rhine")


def run_batch(bare: Wine) -> str:
    """Summarises two documents in a process of their own, and waits until both are done."""
    window = wait_for_window(bare, "Epitome")
    press(bare, window, "ctrl+2", "ctrl+o")
    fill_dialog(bare, "Add documents", '"Z:\\report.docx" "Z:\\article.md"')
    wait_until_still(bare)
    press(bare, window, "ctrl+Return")
    queue = bare.host(f"{LOCAL}\\Epitome\\jobs\\queue.json")
    until_s = time.monotonic() + WAIT_S
    while not queue.exists() or '"state": "finished"' not in queue.read_text("utf-8"):
        if time.monotonic() > until_s:
            raise SystemExit("The batch does not end.")
        time.sleep(0.5)
    return wait_until_still(bare)


def press(bare: Wine, window: str, *keys: str) -> None:
    """Presses keys in a window, one after the other."""
    bare.run("xdotool", "windowfocus", "--sync", window)
    for key in keys:
        bare.run("xdotool", "key", key)
        time.sleep(2)


def fill_dialog(bare: Wine, title: str, text: str) -> None:
    """Types into the field of a dialog that opens a file, and confirms it."""
    dialog = wait_for_window(bare, title)
    wait_until_still(bare)
    bare.run("xdotool", "windowfocus", "--sync", dialog)
    shape = bare.run("xdotool", "getwindowgeometry", "--shell", dialog)
    width, height = (int(re.findall(rf"{name}=(\d+)", shape)[0]) for name in ("WIDTH", "HEIGHT"))
    field = (str(width // 2), str(height - 45))  # the name of a file is asked for at the bottom
    bare.run("xdotool", "mousemove", "--window", dialog, *field, "click", "1")
    bare.run("xdotool", "type", "--delay", "60", text)
    bare.run("xdotool", "key", "Return")


def wait_for_window(bare: Wine, title: str) -> str:
    """Waits for a window whose title has a text; gives its number."""
    until_s = time.monotonic() + WAIT_S
    while time.monotonic() < until_s:
        process = bare.start("xdotool", "search", "--onlyvisible", "--name", title)
        found = process.communicate()[0].split()
        if found:
            return found[-1]
        time.sleep(0.5)
    raise SystemExit(f"No window {title} within {WAIT_S} s.")


def close_window(bare: Wine) -> str:
    """Closes the window by its keys, and waits until it is gone."""
    window = wait_for_window(bare, "Epitome")
    bare.run("xdotool", "windowfocus", "--sync", window, "key", "alt+F4")
    until_s = time.monotonic() + WAIT_S
    while bare.start("xdotool", "getwindowname", window).wait() == 0:
        if time.monotonic() > until_s:
            raise SystemExit("The window does not close.")
        time.sleep(0.5)
    return ""


def wait_until_still(bare: Wine) -> str:
    """Waits until the screen no longer changes: a bar moves while the program is at work."""
    num_same, before, until_s = 0, "", time.monotonic() + WAIT_S
    while num_same < 3:
        now = bare.run("sh", "-c", "import -window root rgb:- | cksum")
        num_same = num_same + 1 if now == before else 0
        before = now
        if time.monotonic() > until_s:
            raise SystemExit("The window is still at work.")
        time.sleep(1)
    return ""


def take_picture(bare: Wine, file: Path) -> None:
    """Writes a picture of the screen."""
    bare.run("import", "-window", "root", "/screen.png")
    shutil.move(bare.folder / "screen.png", file)
    print(f"picture: {file}")


def try_installer(bare: Wine, options: argparse.Namespace) -> None:
    """Installs, uses, upgrades and removes it; nothing is left."""
    setup = options.installer
    if setup is None:
        step("tree and installer", lambda: make_for_windows(bare, "windows", options.pictures))
        setup = options.pictures / f"epitome-{VERSION}-windows-x86_64.exe"
    shutil.copy(setup, bare.folder / "setup.exe")
    shutil.copy(SAMPLE, bare.folder)
    before, keys = files_in(bare.host("C:")), user_keys(bare)
    step("install silently", lambda: bare.windows("Z:\\setup.exe", "/S", "/PATH=yes"))
    check_size(bare.host(INSTALLED), setup)
    check_registration(bare)
    use_installed(bare, INSTALLED, "Windows installer")
    try_running(bare, options.pictures)
    step("remove silently", lambda: remove(bare))
    left = {
        name
        for name in files_in(bare.host("C:")) - before
        if "AppData/Local/Epitome" not in name and not name.endswith("AppData/Local/Programs")
    }
    assert not left, sorted(left)[:20]
    assert user_keys(bare) == keys, user_keys(bare) ^ keys
    print("nothing is left but what the user made")


def make_for_windows(bare: Wine, kind: str, out: Path) -> str:
    """Makes an installer with the embeddable Python that third parties have packed."""
    maker = [sys.executable, ROOT / "packaging" / "make_installer.py", kind, "--out", out]
    subprocess.run([*maker, "--python", bare.folder / "embeddable.zip"], check=True)
    return ""


def try_portable(bare: Wine, options: argparse.Namespace) -> None:
    """Unpacks the portable folder, uses it, moves it, and finds its data beside it."""
    step("portable", lambda: make_for_windows(bare, "windows-portable", options.pictures))
    place, moved = "C:\\My stick – 2", "C:\\Moved here"
    shutil.rmtree(bare.host(moved), ignore_errors=True)
    unpack_portable(bare, options, place)
    shutil.copy(SAMPLE, bare.folder)
    usual = files_in(bare.host(LOCAL))
    told = use_installed(bare, f"{place}\\epitome", "portable folder")
    assert f"{place}\\epitome\\home" in told, told
    beside = files_in(bare.host(f"{place}\\epitome\\home"))
    assert beside and files_in(bare.host(LOCAL)) == usual, beside
    bare.host(place).rename(bare.host(moved))
    told = use_installed(bare, f"{moved}\\epitome", "portable folder")
    assert f"{moved}\\epitome\\home" in told, told
    kept = {name for name in beside if name.endswith(".sqlite")}
    assert kept and kept <= files_in(bare.host(f"{moved}\\epitome\\home")), beside
    shutil.rmtree(bare.host(moved))
    print("its data is beside it, and moves with it; nothing is in the usual folders")


def unpack_portable(bare: Wine, options: argparse.Namespace, place: str) -> None:
    """Unpacks the portable folder, which was made before, into a folder."""
    shutil.rmtree(bare.host(place), ignore_errors=True)
    file = options.pictures / f"epitome-{VERSION}-windows-x86_64-portable.zip"
    with zipfile.ZipFile(file) as packed:
        packed.extractall(bare.host(place))


def try_training(bare: Wine, options: argparse.Namespace) -> None:
    """Adds the training part to the portable folder; a run that is killed is resumed exactly."""
    step("wheels of the part", lambda: bring_wheels(bare.folder / "wheels", "training"))
    unpack_portable(bare, options, "C:\\Training")
    copy = "C:\\Training\\epitome"
    add_shims(bare, bare.host(f"{copy}\\python\\Lib\\site-packages"))
    epitome = ("cmd", "/c", f"{copy}\\bin\\epitome.cmd")
    step("install the part", lambda: bare.windows(*epitome, "install", "training"))
    folder = bare.folder / "documents"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    make_documents(folder)
    bare.windows(*epitome, "corpus", "Z:\\documents", *"--make gsg --split 80/20/0 --out c".split())
    bare.windows(*epitome, "tokenizer", "c", "--size", "512", "--out", "t")
    train = (*epitome, "train", *TRAINING.split(), "--out")
    start_s = time.monotonic()
    step("train a run", lambda: bare.windows(*train, "whole"))
    took_s = time.monotonic() - start_s
    resume = (*epitome, "train", "--resume", "cut")
    command = (*train, "cut")
    num_killed = 0
    for _ in range(NUM_KILLS):
        process = bare.start("wine", *command, quietly=True)
        wait_s = took_s * random.uniform(0.3, 0.8)
        time.sleep(wait_s)
        num_killed += kill_programs(copy)
        process.wait()
        command = resume if list(bare.host(f"{copy}\\home").rglob("cut/checkpoints")) else command
    assert num_killed, "the run ended before it was killed"
    step(f"resume it after {num_killed} kills", lambda: bare.windows(*resume))
    runs = bare.host(f"{copy}\\home\\data\\runs")
    files = [path.relative_to(runs / "whole") for path in (runs / "whole").rglob("*.safetensors")]
    for file in files:
        assert (runs / "whole" / file).read_bytes() == (runs / "cut" / file).read_bytes(), file
    print(f"{len(files)} files of weights and optimizer are the same, byte for byte")
    shutil.rmtree(bare.host("C:\\Training"))


def kill_programs(copy: str) -> int:
    """Kills, at once, the programs for Windows that run from a folder; gives their number."""
    num_killed = 0
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has just ended
            words = (process / "cmdline").read_bytes().split(b"\0")
            if (
                words[0].lower().endswith(b"python.exe")
                and copy.lower().encode() in words[0].lower()
            ):
                os.kill(int(process.name), signal.SIGKILL)
                num_killed += 1
    return num_killed


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
    """Windows is told all that its list of programs shows, and what was chosen."""
    told = bare.windows("reg", "query", KEY)
    for name in ("Publisher", "EstimatedSize", "QuietUninstallString", "InstallLocation"):
        assert name in told, told
    assert f"{INSTALLED}\\bin" in bare.windows("reg", "query", "HKCU\\Environment", "/v", "Path")
    types = "HKCU\\Software\\Classes\\.pdf\\OpenWithProgids"
    assert "Epitome.Document" in bare.windows("reg", "query", types)
    told = step("epitome by the PATH", lambda: bare.windows("cmd", "/c", "epitome --version"))
    assert VERSION in told, told


def use_installed(bare: Wine, folder: str, title: str) -> str:
    """Uses the command line of an installed copy; gives what doctor says."""
    add_shims(bare, bare.host(f"{folder}\\python\\Lib\\site-packages"))

    def run(program: str, *arguments: str) -> str:
        return bare.windows("cmd", "/c", program, *arguments)

    return try_commands_of(run, f"{folder}\\bin\\epitome.cmd", title)


def try_running(bare: Wine, pictures: Path) -> None:
    """What the shortcut starts is noticed by the installer, and closed where that is wanted."""
    bare.start("wine", "start", LINK, quietly=True).wait()
    step("the shortcut opens the window", lambda: wait_for_window(bare, "Epitome"))
    wait_until_still(bare)
    take_picture(bare, pictures / "installed.png")
    old = bare.host(f"{INSTALLED}\\python\\of-an-older-version.txt")
    old.touch()
    refused = bare.start("wine", "Z:\\setup.exe", "/S")
    refused.communicate()
    assert refused.returncode == 2 and old.exists(), refused.returncode
    print("installing over a running Epitome is refused, and changes nothing")
    step("close it and upgrade", lambda: bare.windows("Z:\\setup.exe", "/S", "/CLOSE"))
    assert not old.exists() and not window_titles(bare)
    assert "bin" in bare.windows("reg", "query", "HKCU\\Environment", "/v", "Path")
    use_installed(bare, INSTALLED, "Windows installer")


def window_titles(bare: Wine) -> str:
    """The numbers of the visible windows of Epitome."""
    found = bare.start("xdotool", "search", "--onlyvisible", "--name", "Epitome")
    return found.communicate()[0]


def remove(bare: Wine) -> str:
    """Runs what Windows runs to uninstall it without a question, and waits for its end."""
    told = bare.windows("reg", "query", KEY, "/v", "QuietUninstallString")
    command = told.partition("REG_SZ")[2].strip()
    bare.windows(
        *(each for each in re.findall(r'"([^"]+)"|(\S+)', command) for each in each if each)
    )
    until_s = time.monotonic() + WAIT_S
    while bare.host(INSTALLED).exists():
        if time.monotonic() > until_s:
            raise SystemExit(f"{INSTALLED} is still there.")
        time.sleep(0.5)
    time.sleep(2)
    return ""


def user_keys(bare: Wine) -> set[str]:
    """The keys and values of the registry that an installer may write."""
    places = (
        "Environment",
        "Software\\Classes",
        "Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall",
    )
    keys: set[str] = set()
    for place in places:
        process = bare.start("wine", "reg", "query", f"HKCU\\{place}", "/s")
        keys |= set(process.communicate()[0].splitlines())
    return keys


def try_tests(bare: Wine, options: argparse.Namespace) -> None:
    """Runs tests of this repository with the Python for Windows."""
    command = [PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "2", *options.tests]

    def test() -> str:
        inside = 'cd /src && exec wine "$@"'
        process = bare.start("sh", "-c", inside, "-", *command, QT_QPA_PLATFORM="offscreen")
        said, errors = process.communicate()
        print("\n".join(said.splitlines()[-30:]))
        assert process.returncode == 0, errors
        return said

    step("tests", test)


def files_in(drive: Path) -> set[str]:
    """All files and folders of drive C, but for what programs keep for a while."""
    return {str(path.relative_to(drive)) for path in drive.rglob("*") if "Temp" not in path.parts}


if __name__ == "__main__":
    sys.exit(main())
