"""The installer and the portable folder for Windows, built while other trials run."""

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from installers.trying import ROOT

from core.version import VERSION

_STEM: Final = f"epitome-{VERSION}-windows-x86_64"


class Builds:
    """Builds in the background: to pack the installer keeps one core busy for minutes.

    Args:
        kinds: What `make_installer.py` makes, one after the other.
        python: The embeddable Python that they bring along.
        out: Folder of the results and of the log.
    """

    def __init__(self, kinds: Iterable[str], python: Path, out: Path) -> None:
        self._log = out / "builds.log"
        maker = [sys.executable, ROOT / "packaging" / "make_installer.py"]
        options = ["--out", out, "--python", python]
        each = 'kinds=$1; shift; for kind in $kinds; do "$@" "$kind"; done'
        command = ["sh", "-ec", each, "-", " ".join(kinds), *maker, *options]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                command, stdout=log, stderr=log, start_new_session=True
            )

    def wait(self) -> str:
        """Waits for the builds; returns their log, or ends the trial where one failed."""
        code = self._process.wait()
        log = self._log.read_text("utf-8", "replace")
        if code:
            raise SystemExit(log)
        return log

    def stop(self) -> None:
        """Ends the builds that still run."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGTERM)
            self._process.wait()


def setup_file(options: argparse.Namespace) -> Path:
    """Returns the installer that is tried."""
    return options.installer or options.pictures / f"{_STEM}.exe"


def portable_file(options: argparse.Namespace) -> Path:
    """Returns the packed portable folder that is tried."""
    return options.portable or options.pictures / f"{_STEM}-portable.zip"
