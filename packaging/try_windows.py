#!/usr/bin/env python3
"""Tries Epitome for Windows under Wine 10: `sudo .venv/bin/python packaging/try_windows.py`.

In a root of Debian 13 (debootstrap), which is kept for the next time, it installs Epitome from this
repository with a Python for Windows, compares what it reads with what Linux reads, opens the window
as the Start menu does, runs tests, and installs, uses, upgrades and removes what
`make_installer.py` builds meanwhile. Each step prints its time; pictures of the windows are written
for a look at them. `--only` tries a part again, on what earlier trials have left.

Four holes of Wine are filled (`packaging/windows/wine`). It does not replace a run on Windows:
locks, virus scanners, the terminal, screens and signatures are those of Wine, or missing.
"""

import argparse
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from installers.trying import ROOT, step
from installers.wine import Wine, bring_pythons, bring_wheels, make_wine, wine

sys.path.insert(0, str(ROOT))

from wine_trials.builds import Builds
from wine_trials.kills import try_kills
from wine_trials.portable import try_portable
from wine_trials.setup import try_installer
from wine_trials.source import install_source, try_commands
from wine_trials.suite import TESTS, try_tests
from wine_trials.training import try_training
from wine_trials.window import try_window

TRIALS: dict[str, Callable[[Wine, argparse.Namespace], None]] = {
    "commands": try_commands,
    "window": try_window,
    "kills": try_kills,
    "tests": try_tests,
    "portable": try_portable,
    "training": try_training,
    "installer": try_installer,
}
"""The trials in their order: what is built in the background comes last."""
BUILT = {"portable": "windows-portable", "training": "windows-portable", "installer": "windows"}


def main() -> int:
    """Tries it; returns the exit code."""
    options = parse_options()
    if os.geteuid():
        sys.exit("A root is made with debootstrap: run this with sudo.")
    if lack := [tool for tool in ("debootstrap", "makensis") if not shutil.which(tool)]:
        sys.exit(f"Missing: {', '.join(lack)}. Run: apt-get install debootstrap nsis")
    options.pictures.mkdir(parents=True, exist_ok=True)
    step("two Pythons for Windows", lambda: bring_pythons(options.root))
    builds = Builds(needed_builds(options), options.root / "embeddable.zip", options.pictures)
    try:
        step("root with Wine", lambda: make_wine(options.root))
        step("wheels", lambda: bring_wheels(options.root / "wheels", "tools", "base", "dev"))
        with wine(options.root) as bare:
            step("Epitome from this repository", lambda: install_source(bare))
            for name in TRIALS:
                if name in options.only:
                    if name in BUILT:
                        step("wait for the builds", builds.wait)
                    TRIALS[name](bare, options)
    finally:
        builds.stop()
    return 0


def needed_builds(options: argparse.Namespace) -> list[str]:
    """Returns what is built for the chosen trials; a file that is given is not."""
    given = {"windows": options.installer, "windows-portable": options.portable}
    kinds = dict.fromkeys(BUILT[name] for name in options.only if name in BUILT)
    return [kind for kind in kinds if not given[kind]]


def parse_options() -> argparse.Namespace:
    """Returns the options of the command line."""
    parser = argparse.ArgumentParser(description="Tries Epitome for Windows under Wine.")
    parser.add_argument(
        "--root",
        type=Path,
        default=Path("/var/tmp/epitome-wine"),
        help="The root, 6 GB, made where it is missing (default: %(default)s)",
    )
    parser.add_argument(
        "--only", choices=TRIALS, nargs="+", default=list(TRIALS), help="Only these trials"
    )
    parser.add_argument("--documents", type=Path, help="A folder of further documents to compare")
    parser.add_argument("--installer", type=Path, help="The installer; built where none is given")
    parser.add_argument("--portable", type=Path, help="The same of the portable folder")
    parser.add_argument(
        "--pictures",
        type=Path,
        default=ROOT / "dist" / "wine",
        help="Folder of pictures, builds and logs (default: dist/wine)",
    )
    parser.add_argument(
        "--tests", nargs="+", default=TESTS, help="Tests to run (default: %(default)s)"
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
