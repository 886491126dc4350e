"""What the installer for Windows and the portable folder are made of."""

import ctypes
import importlib.util
import re
import shutil
import subprocess
import sys
import types
import zipfile
from pathlib import Path
from typing import Any

import pytest

PACKAGING = Path(__file__).parents[2] / "packaging"
COPY = Path("C:/Users/Ann/AppData/Local/Programs/Epitome")


@pytest.fixture(autouse=True)
def _scripts_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(PACKAGING))


@pytest.fixture
def setup() -> Any:
    place = PACKAGING / "windows" / "epitome_setup.py"
    found = importlib.util.spec_from_file_location("epitome_setup", place)
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def make_python(archive: Path, folder: str = "") -> Path:
    version = "ProductVersion\0003.11.9\0\0".encode("utf-16-le")
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr(f"{folder}python.exe", "MZ")
        packed.writestr(f"{folder}python311.dll", b"MZ..." + version)
        packed.writestr(f"{folder}python311._pth", "python311.zip\n.\n\n#import site\n")
    return archive


@pytest.mark.parametrize("folder", ["", "cp311/"])
def test_an_embeddable_python_is_unpacked_wherever_it_is_in_its_archive(
    folder: str, tmp_path: Path
) -> None:
    from installers import windows_tree

    python = windows_tree.find_python(make_python(tmp_path / "p.zip", folder), tmp_path)
    windows_tree._unpack(python.archive, tmp_path / "python")
    assert (tmp_path / "python" / "python311.dll").is_file()
    paths = (tmp_path / "python" / "python311._pth").read_text("utf-8")
    assert paths.splitlines() == ["python311.zip", ".", "import site"]


def test_the_build_names_the_python_that_it_ships(tmp_path: Path) -> None:
    from installers import windows_tree

    python = windows_tree.find_python(make_python(tmp_path / "p.zip"), tmp_path)
    assert python.title.startswith("Python 3.11.9 for Windows, NOT of python.org (SHA-256 ")
    own = windows_tree.EmbeddablePython(tmp_path, windows_tree.PUBLISHED_HASH, "3.11.9")
    assert own.title.startswith("Python 3.11.9 for Windows, of python.org (SHA-256 009d")


def test_a_download_with_another_hash_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from installers import windows_tree

    address = make_python(tmp_path / "p.zip").as_uri()
    monkeypatch.setattr(windows_tree, "PUBLISHED", address)
    with pytest.raises(OSError, match=r"has the SHA-256 [0-9a-f]{64}, not 009d"):
        windows_tree.find_python(None, tmp_path)


def test_what_cannot_be_downloaded_can_be_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from installers import windows_tree

    monkeypatch.setattr(windows_tree, "PUBLISHED", (tmp_path / "none.zip").as_uri())
    with pytest.raises(OSError, match=r"cannot be downloaded \(.+\)\. .+ --python\."):
        windows_tree.find_python(None, tmp_path)


def test_an_archive_without_python_is_refused(tmp_path: Path) -> None:
    from installers import windows_tree

    with zipfile.ZipFile(tmp_path / "p.zip", "w") as packed:
        packed.writestr("readme.txt", "")
    with pytest.raises(OSError, match="contains no embeddable Python"):
        windows_tree.find_python(tmp_path / "p.zip", tmp_path)


def test_what_no_user_needs_of_the_packages_is_left_out(tmp_path: Path) -> None:
    from installers import tree, windows_tree

    needed = ["numpy/_core/multiarray.py", "numpy/testing/__init__.py", "nltk/stem/porter.py"]
    needed += ["pip/__init__.py", "core/settings.py", "babel/locale-data/de.dat", "lxml/etree.pyd"]
    other = ["numpy/tests/test_a.py", "numpy/f2py/a.py", "setuptools/__init__.py", "lxml/etree.h"]
    other += ["setuptools-81.0.0.dist-info/RECORD", "numpy/__init__.pyi", "nltk/test/a.doctest"]
    for name in (*needed, *other):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    tree.leave_out(tmp_path, windows_tree._LEFT_OUT)
    files = (path for path in tmp_path.rglob("*") if path.is_file())
    assert {path.relative_to(tmp_path).as_posix() for path in files} == set(needed)


@pytest.mark.skipif(shutil.which("makensis") is None, reason="NSIS is not installed")
def test_the_scripts_of_the_installer_compile(tmp_path: Path) -> None:
    from installers import windows

    assert windows.compile_scripts(tmp_path).read_bytes()[:2] == b"MZ"
    assert (tmp_path / "tree" / "Epitome.exe").read_bytes()[:2] == b"MZ"


def test_the_installer_asks_for_no_administrator_and_removes_only_its_own() -> None:
    script = (PACKAGING / "windows" / "epitome.nsi").read_text("utf-8")
    assert "RequestExecutionLevel user" in script
    assert "HKLM" not in script and "MUI_PAGE_DIRECTORY" not in script
    removed = set(re.findall(r"RMDir /r \"([^\"]+)\"", script))
    assert removed == {f"$INSTDIR\\{name}" for name in ("python", "python.old", "bin")}


def test_windows_is_given_what_its_list_of_programs_shows() -> None:
    script = (PACKAGING / "windows" / "epitome.nsi").read_text("utf-8")
    values = set(re.findall(r'WriteReg\w+ HKCU "\$\{UNINSTALL\}" "(\w+)"', script))
    assert values >= {"DisplayName", "DisplayVersion", "Publisher", "EstimatedSize"}
    assert values >= {"UninstallString", "QuietUninstallString", "InstallLocation"}


def test_an_older_version_is_whole_until_the_new_one_is() -> None:
    script = (PACKAGING / "windows" / "epitome.nsi").read_text("utf-8")
    section = script[script.index('Section "Epitome"') :]
    steps = ["Call EndIfRunning", "Rename", "File /r", 'RMDir /r "$INSTDIR\\python.old"\n  Delete']
    assert [section.index(step) for step in steps] == sorted(map(section.index, steps))


def test_the_portable_folder_keeps_its_data_beside_it(tmp_path: Path) -> None:
    from installers import windows

    tree = tmp_path / "epitome"
    (tree / "python").mkdir(parents=True)
    (tree / "python" / "python.exe").touch()
    packed = windows.make_portable(tree, tmp_path, tmp_path)
    assert packed.name.endswith("-windows-x86_64-portable.zip")
    with zipfile.ZipFile(packed) as archive:
        assert "epitome/python/python.exe" in archive.namelist()


BIN = "C:\\Users\\Ann\\Epitome\\bin"


@pytest.mark.parametrize(
    ("before", "on", "off"),
    [
        ("", BIN, ""),
        ("C:\\a;D:\\b", f"C:\\a;D:\\b;{BIN}", "C:\\a;D:\\b"),
        ("C:\\a;", f"C:\\a;{BIN}", "C:\\a;"),
        (f"C:\\a;{BIN.upper()}\\;D:\\b", f"C:\\a;{BIN.upper()}\\;D:\\b", "C:\\a;D:\\b"),
        (f'"{BIN}";%HOME%', f'"{BIN}";%HOME%', "%HOME%"),
        (f"{BIN}2;{BIN}\\sub", f"{BIN}2;{BIN}\\sub;{BIN}", f"{BIN}2;{BIN}\\sub"),
        ("x;" * 3000, "x;" * 2999 + f"x;{BIN}", "x;" * 3000),
    ],
)
def test_a_path_gets_the_folder_once_and_loses_nothing_else(
    before: str, on: str, off: str, setup: Any
) -> None:
    assert setup.changed_path(before, BIN, True) == on
    assert setup.changed_path(before, BIN, False) == off


class Registry(types.ModuleType):
    """The user's part of a registry, in memory: values by the names of keys."""

    HKEY_CURRENT_USER, KEY_READ, KEY_WRITE, REG_SZ, REG_EXPAND_SZ = range(5)

    def __init__(self) -> None:
        super().__init__("winreg")
        self.keys: dict[str, dict[str, tuple[str, int]]] = {}

    def CreateKey(self, user: int, name: str) -> "Key":
        parts = name.split("\\")
        for length in range(1, len(parts) + 1):
            self.keys.setdefault("\\".join(parts[:length]), {})
        return Key(name)

    def CreateKeyEx(self, user: int, name: str, *_: int) -> "Key":
        return self.CreateKey(user, name)

    def OpenKey(self, user: int, name: str, *_: int) -> "Key":
        if name not in self.keys:
            raise FileNotFoundError(name)
        return Key(name)

    def DeleteKey(self, user: int, name: str) -> None:
        self.OpenKey(user, name)
        if self._below(name):
            raise PermissionError(name)
        del self.keys[name]

    def QueryInfoKey(self, key: "Key") -> tuple[int, int, int]:
        return self._below(key.name), len(self.keys[key.name]), 0

    def QueryValueEx(self, key: "Key", name: str) -> tuple[str, int]:
        if name not in self.keys[key.name]:
            raise FileNotFoundError(name)
        return self.keys[key.name][name]

    def SetValueEx(self, key: "Key", name: str, _: int, kind: int, value: str) -> None:
        self.keys[key.name][name] = (value, kind)

    def DeleteValue(self, key: "Key", name: str) -> None:
        if self.keys[key.name].pop(name, None) is None:
            raise FileNotFoundError(name)

    def _below(self, name: str) -> int:
        return sum(key.startswith(f"{name}\\") for key in self.keys)


class Key:
    """An open key."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __enter__(self) -> "Key":
        return self

    def __exit__(self, *_: object) -> None:
        pass


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Registry:
    registry = Registry()
    monkeypatch.setitem(sys.modules, "winreg", registry)
    silent = types.SimpleNamespace(
        user32=types.SimpleNamespace(SendMessageTimeoutW=lambda *_: 1),
        shell32=types.SimpleNamespace(SHChangeNotify=lambda *_: None),
    )
    monkeypatch.setattr(ctypes, "windll", silent, raising=False)
    return registry


def test_epitome_is_listed_under_open_with_and_steals_no_default(
    registry: Registry, setup: Any
) -> None:
    pdf, text = "Software\\Classes\\.pdf", "Software\\Classes\\.txt"
    registry.CreateKey(0, pdf)
    registry.keys[pdf][""] = ("Other.Pdf", registry.REG_SZ)
    before = {name: dict(values) for name, values in registry.keys.items()}
    setup.main(["types", "on"], COPY)
    assert registry.keys[f"{pdf}\\OpenWithProgids"] == {"Epitome.Document": ("", registry.REG_SZ)}
    assert registry.keys[pdf] == {"": ("Other.Pdf", registry.REG_SZ)} and not registry.keys[text]
    command, _ = registry.keys["Software\\Classes\\Epitome.Document\\shell\\open\\command"][""]
    assert command == f'"{COPY / "Epitome.exe"}" "%1"'
    setup.main(["types", "off"], COPY)
    left = {name: values for name, values in registry.keys.items() if name != "Software"}
    left.pop("Software\\Classes")
    assert left == {name: before[name] for name in left} == {pdf: before[pdf]}
    setup.main(["types", "off"], COPY)  # nothing is listed: nothing happens


def test_the_path_of_the_user_keeps_its_kind(registry: Registry, setup: Any) -> None:
    registry.CreateKey(0, "Environment")
    registry.keys["Environment"]["Path"] = ("%HOME%\\bin", registry.REG_EXPAND_SZ)
    setup.main(["path", "on"], COPY)
    value = f"%HOME%\\bin;{COPY / 'bin'}"
    assert registry.keys["Environment"]["Path"] == (value, registry.REG_EXPAND_SZ)
    setup.main(["path", "off"], COPY)
    assert registry.keys["Environment"]["Path"] == ("%HOME%\\bin", registry.REG_EXPAND_SZ)


def test_a_user_without_a_path_has_none_afterwards(registry: Registry, setup: Any) -> None:
    for state in ("on", "off", "off"):
        setup.main(["path", state], COPY)
    assert registry.keys["Environment"] == {}


def test_a_task_that_is_none_is_refused(setup: Any) -> None:
    assert setup.main(["path"]) == setup.main([]) == setup.main(["types", "maybe"]) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="the program that it copies is of Linux")
def test_what_runs_from_the_copy_is_closed_and_its_jobs_are_paused(
    tmp_path: Path, setup: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from core.jobs.queue.job_queue import JobQueue

    paused = []
    monkeypatch.setattr(JobQueue, "pause_running", lambda queue: paused.append(queue))
    python = tmp_path / "copy" / "python"
    python.mkdir(parents=True)
    program = Path(shutil.copy(Path("/bin/sleep").resolve(), python))
    with subprocess.Popen([program, "60"]) as running:

        def close_windows(numbers: set[int]) -> None:
            assert numbers == {running.pid}
            running.terminate()
            running.wait()

        monkeypatch.setattr(setup, "_close_windows", close_windows)
        assert list(setup._processes(tmp_path / "copy")) == [running.pid]
        assert setup.close(tmp_path / "copy")
    assert len(paused) == 1 and setup.close(tmp_path / "copy", wait_s=0)


def test_imports_of_a_module_are_found_in_what_objdump_prints() -> None:
    from installers import wine

    printed = """
\tDLL Name: python311.dll
\tvma:     Ordinal  Hint  Member-Name  Bound-To
\t002b2188  <none>  0017  PyErr_Occurred

\tDLL Name: api-ms-win-crt-math-l1-1-0.dll
\tvma:     Ordinal  Hint  Member-Name  Bound-To
\t002b2190  <none>  0017  _dsign
\t002b21a0  <none>  0082  cimagf
"""
    assert list(wine.imported_functions(printed)) == ["_dsign", "cimagf"]
