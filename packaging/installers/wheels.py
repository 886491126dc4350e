"""The packages that a lock names for a system, wherever it is read."""

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

PYTHON: Final = "3.11"
"""The version of Python that the installers for Windows and macOS bring along."""

PLATFORMS: Final = {
    "windows": ("win_amd64",),
    "macos": (
        "macosx_14_0_arm64", "macosx_13_0_arm64", "macosx_12_0_arm64", "macosx_11_0_arm64",
        "macosx_10_13_universal2", "macosx_10_9_universal2", "macosx_13_0_universal2",
    ),
}  # fmt: skip
_MARKERS: Final = {
    "windows": {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt",
                "platform_machine": "AMD64"},
    "macos": {"sys_platform": "darwin", "platform_system": "Darwin", "os_name": "posix",
              "platform_machine": "arm64"},
}  # fmt: skip


def needed_on(system: str, lock: Path) -> Iterator[str]:
    """The blocks of a lock whose markers hold on a system: pip would ask for those of this one."""
    from pip._vendor.packaging.requirements import Requirement  # it comes with pip, which installs

    environment = {"python_version": PYTHON, "python_full_version": f"{PYTHON}.9"}
    for block in re.split(r"\n(?=\S)", lock.read_text("utf-8").strip()):
        pin, _, hashes = block.partition(" \\\n")
        if pin.startswith("#"):
            continue
        requirement = Requirement(pin)
        marker = requirement.marker
        if marker is None or marker.evaluate(environment | _MARKERS[system]):
            requirement.marker = None
            yield f"{requirement} \\\n{hashes}"


def pip_for(system: str, *command: str, blocks: Iterable[str], listed: Path) -> None:
    """Runs pip of this system for another: wheels only, all with pinned hashes.

    Args:
        system: The other system.
        command: "download" or "install", and where to.
        blocks: Those of `needed_on`.
        listed: A file for them.

    Raises:
        subprocess.CalledProcessError: If there is no such wheel, or one with another hash.
    """
    listed.write_text("\n".join([*dict.fromkeys(blocks), ""]), "utf-8")
    options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--require-hashes"]
    tags = [option for platform in PLATFORMS[system] for option in ("--platform", platform)]
    target = ["--only-binary=:all:", "--python-version", PYTHON, "--implementation", "cp", *tags]
    pip = [sys.executable, "-P", "-m", "pip", *command, *options, *target, "--requirement", listed]
    subprocess.run(pip, check=True)
