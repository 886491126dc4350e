"""Writes `packaging/constraints.txt` and `resources/sizes.json`; run it when requirements change.

    python packaging/make_constraints.py

The constraints pin one version of everything for all systems and Pythons. Use them with
`pip install -c`, never `-r`: they also name what only other systems need.
"""

import json
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CONSTRAINTS = ROOT / "packaging" / "constraints.txt"
SIZES = ROOT / "resources" / "sizes.json"
HEADER = """\
# Written by `python packaging/make_constraints.py`; not by hand.
# For `pip install -c` only: it also pins what other systems and other extras need.
"""


def main() -> None:
    """Pins the versions, then measures their download size on this system."""
    CONSTRAINTS.write_text(HEADER + pinned_versions(), "utf-8")
    python = ".".join(platform.python_version_tuple()[:2])
    sizes = {
        "measured_on": f"{platform.system()} {platform.machine()}, Python {python}",
        "download_bytes": download_sizes(),
    }
    SIZES.write_text(json.dumps(sizes, indent=2) + "\n", "utf-8")


def pinned_versions() -> str:
    """One line per package, for all supported systems and Python versions."""
    command = [sys.executable, "-m", "uv", "pip", "compile", "--universal", "--quiet"]
    command += ["--python-version", "3.11", "--all-extras", "--upgrade", "pyproject.toml"]
    command += ["--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links"]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def download_sizes() -> dict[str, int]:
    """Size of each file that `bootstrap.py run` downloads here, including pip and setuptools."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--dest", folder]
        command += ["--constraint", str(CONSTRAINTS), ".", "pip", "setuptools"]
        subprocess.run(command, cwd=ROOT, check=True)
        files = [file for file in Path(folder).iterdir() if not file.name.startswith("epitome")]
        sizes = {"-".join(file.name.split("-")[:2]): file.stat().st_size for file in files}
    return dict(sorted(sizes.items(), key=lambda item: item[0].lower()))


if __name__ == "__main__":
    main()
