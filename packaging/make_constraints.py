"""Pins versions, their hashes and sizes; run it when requirements change.

    python packaging/make_constraints.py            # newest versions, their hashes and sizes
    python packaging/make_constraints.py --locks    # the hashes of the versions that are pinned

The constraints pin one version of everything for all systems and Pythons. Use them with
`pip install -c`, never `-r`: they also name what only other systems need. `packaging/locks` has
the same versions with the hashes of their files, as the index gives them: `base.txt` is what the
window needs, `tools.txt` what installs it, the others what each extra adds.
"""

import argparse
import json
import platform
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Collection
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CONSTRAINTS = ROOT / "packaging" / "constraints.txt"
LOCKS = ROOT / "packaging" / "locks"
TOOLS = "pip\nsetuptools>=80\n"
SIZES = ROOT / "resources" / "sizes.json"
PARTS = ("scans", "training", "fast", "gguf", "lora", "cluster")
ON_TRAINING = ("fast", "gguf", "lora")  # of use with the training part alone
LOCKED_EXTRAS = ("dev", *PARTS)
"""What `bootstrap.py` and the window install; the other extras are for developers' tools alone."""
HEADER = """\
# Written by `python packaging/make_constraints.py`; not by hand.
# For `pip install -c` only: it also pins what other systems and other extras need.
"""


LOCK_HEADER = """\
# Written by `python packaging/make_constraints.py`; not by hand.
# For `pip install --require-hashes -r`.
"""


def main() -> None:
    """Pins the versions and the hashes of their files, then measures their size on this system."""
    parser = argparse.ArgumentParser(description="Pins versions and the hashes of their files.")
    parser.add_argument("--locks", action="store_true", help="Keep the versions; renew the hashes")
    if parser.parse_args().locks:
        write_locks()
        return
    CONSTRAINTS.write_text(HEADER + pinned_versions(), "utf-8")
    write_locks()
    python = ".".join(platform.python_version_tuple()[:2])
    base = wheel_sizes(".", "pip", "setuptools")
    sizes = {
        "measured_on": f"{platform.system()} {platform.machine()}, Python {python}",
        "download_bytes": {name: size for name, (size, _) in base.items()},
        "parts": {part: part_size(part, base.keys() | needed(part)) for part in PARTS},
    }
    SIZES.write_text(json.dumps(sizes, indent=2) + "\n", "utf-8")


def pinned_versions() -> str:
    """One line per package, for all supported systems and Python versions."""
    command = [sys.executable, "-m", "uv", "pip", "compile", "--universal", "--quiet"]
    command += ["--python-version", "3.11", "--all-extras", "--upgrade", "pyproject.toml"]
    command += ["--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links"]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def write_locks() -> None:
    """Writes the hashes of all files of the pinned versions, for all systems."""
    LOCKS.mkdir(exist_ok=True)
    base = locked("pyproject.toml")
    _write_lock("base", base)
    _write_lock("tools", locked("-", given=TOOLS))
    for extra in LOCKED_EXTRAS:
        whole = locked("pyproject.toml", "--extra", extra)
        _write_lock(extra, [block for block in whole if block not in base])


def locked(*what: str, given: str | None = None) -> list[str]:
    """One block per package: its pin, and a line for the hash of each of its files."""
    command = [sys.executable, "-m", "uv", "pip", "compile", "--universal", "--quiet"]
    command += ["--python-version", "3.11", "--generate-hashes", "--constraint", str(CONSTRAINTS)]
    command += ["--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links"]
    done = subprocess.run(
        [*command, *what], cwd=ROOT, check=True, capture_output=True, text=True, input=given
    )
    return re.split(r"\n(?=\S)", done.stdout.strip())


def _write_lock(name: str, blocks: list[str]) -> None:
    (LOCKS / f"{name}.txt").write_text(LOCK_HEADER + "\n".join(blocks) + "\n", "utf-8")


def needed(part: str) -> Collection[str]:
    """The packages of the part that a part is added to."""
    return wheel_sizes(".[training]").keys() if part in ON_TRAINING else set()


def part_size(part: str, base: Collection[str]) -> dict[str, int]:
    """What a part adds to the packages of the base, in bytes: to download, and on the disk."""
    added = [size for name, size in wheel_sizes(f".[{part}]").items() if name not in base]
    return {
        "download_bytes": sum(packed for packed, _ in added),
        "installed_bytes": sum(unpacked for _, unpacked in added),
    }


def wheel_sizes(*requirements: str) -> dict[str, tuple[int, int]]:
    """Size of each file that is downloaded here for some requirements, packed and unpacked."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--dest", folder]
        command += ["--constraint", str(CONSTRAINTS), *requirements]
        subprocess.run(command, cwd=ROOT, check=True)
        files = [file for file in Path(folder).iterdir() if not file.name.startswith("epitome")]
        sizes = {"-".join(file.name.split("-")[:2]): _sizes_of(file) for file in files}
    return dict(sorted(sizes.items(), key=lambda item: item[0].lower()))


def _sizes_of(file: Path) -> tuple[int, int]:
    packed = file.stat().st_size
    if not zipfile.is_zipfile(file):
        return packed, packed
    with zipfile.ZipFile(file) as wheel:
        return packed, sum(member.file_size for member in wheel.infolist())


if __name__ == "__main__":
    main()
