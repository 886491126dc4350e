"""The app for macOS in a disk image: made there, with a Python that may be moved.

`uv python install` has such a Python; those of python.org and Homebrew are bound to their place.
The app is not signed: macOS opens it only after the person allows it in the system's settings.
"""

import plistlib
import shutil
import subprocess
from pathlib import Path
from typing import Any

from installers.icons import write_icns
from installers.tree import compile_tree

from core.version import VERSION

_LAUNCHER = """\
#!/bin/sh
here=$(dirname -- "$(readlink -f -- "$0")")
exec "$here/../Resources/epitome/epitome" "$@"
"""


def make(tree: Path, work: Path, out: Path) -> Path:
    """Builds `epitome-VERSION-macos-arm64.dmg`; gives the file."""
    compile_tree(tree, Path("Epitome.app/Contents/Resources/epitome"))
    image = work / "image"
    contents = make_app(tree, image / "Epitome.app")
    write_icns(contents / "Resources" / "epitome.icns")
    (image / "Applications").symlink_to("/Applications")
    file = out / f"epitome-{VERSION}-macos-arm64.dmg"
    create = ["hdiutil", "create", "-volname", "Epitome", "-srcfolder", image, "-ov"]
    subprocess.run([*create, "-format", "UDZO", file], check=True)
    return file


def make_app(tree: Path, app: Path) -> Path:
    """Lays the app out around a tree; gives its folder `Contents`."""
    contents = app / "Contents"
    (contents / "MacOS").mkdir(parents=True)
    shutil.copytree(tree, contents / "Resources" / "epitome", symlinks=True)
    launcher = contents / "MacOS" / "Epitome"
    launcher.write_text(_LAUNCHER, "utf-8")
    launcher.chmod(0o755)
    (contents / "Info.plist").write_bytes(plistlib.dumps(information()))
    return contents


def information() -> dict[str, Any]:
    """What stands in `Info.plist`."""
    return {
        "CFBundleName": "Epitome",
        "CFBundleDisplayName": "Epitome",
        "CFBundleIdentifier": "org.epitome.Epitome",
        "CFBundleVersion": VERSION,
        "CFBundleShortVersionString": VERSION,
        "CFBundlePackageType": "APPL",
        "CFBundleExecutable": "Epitome",
        "CFBundleIconFile": "epitome.icns",
        "CFBundleInfoDictionaryVersion": "6.0",
        "LSMinimumSystemVersion": "14.0",
        "NSHighResolutionCapable": True,
    }
