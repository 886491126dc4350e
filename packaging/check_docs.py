"""Checks docstrings, links between pages, and the commands in `docs/commands.md`.

python packaging/check_docs.py
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Checks that pydoclint gets wrong: DOC403 a function may return another's generator; DOC405 the
# alias `Steps[T]` is a Generator; DOC502 and DOC503 an error may come from a called function.
BLIND_SPOTS = ("DOC403", "DOC405", "DOC502", "DOC503")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")
COMMAND_ROW = re.compile(r"^\| `epitome ([a-z]+)[^`]*`.*$", re.MULTILINE)
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
COMMANDS = "docs/commands.md"
PAGE_FOLDERS = ("docs", "resources", "tests")
START = "import sys; from gui.app import main; sys.exit(main())"


def main() -> int:
    """Prints all faults; returns 1 if there are any."""
    faults = [*docstring_faults(), *link_faults(pages()), *command_faults()]
    print("\n".join(faults) or "Docstrings, links and commands are correct.")
    return 1 if faults else 0


def pages() -> list[Path]:
    """All pages of the repository, except in generated folders."""
    return [
        *sorted(ROOT.glob("*.md")),
        *(page for folder in PAGE_FOLDERS for page in sorted((ROOT / folder).rglob("*.md"))),
    ]


def docstring_faults() -> Iterator[str]:
    """Faults reported by pydoclint, except those it gets wrong."""
    command = [sys.executable, "-m", "pydoclint.main", "--quiet", "-sfn", "true", "core", "gui"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    faults = [line for line in f"{done.stdout}{done.stderr}".splitlines() if ": DOC" in line]
    if done.returncode and not faults:
        yield f"pydoclint failed: {done.stderr or done.stdout}"
    handing_on = [line.partition("DOC403")[0] + "DOC201" for line in faults if "DOC403" in line]
    blind_spots = (*BLIND_SPOTS, *handing_on)
    yield from (line for line in faults if not any(spot in line for spot in blind_spots))


def link_faults(pages: list[Path]) -> Iterator[str]:
    """Links to missing files or headings of this repository."""
    for page in pages:
        for first, second in LINK.findall(page.read_text("utf-8")):
            target, _, heading = (first or second).partition("#")
            if "://" in target or target.startswith("mailto:"):
                continue
            file = (page.parent / target).resolve() if target else page
            if not file.exists():
                yield f"{page.relative_to(ROOT)}: no file {target}"
            elif heading and heading not in anchors(file):
                yield f"{page.relative_to(ROOT)}: no heading #{heading} in {file.name}"


def anchors(page: Path) -> set[str]:
    """The link targets of a page's headings."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def command_faults() -> Iterator[str]:
    """Commands and options in the table of commands that the program does not know."""
    for row in COMMAND_ROW.finditer((ROOT / COMMANDS).read_text("utf-8")):
        command = [sys.executable, "-c", START, row[1], "--help"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        if done.returncode:
            yield f"{COMMANDS}: `epitome {row[1]} --help` fails: {done.stderr.strip()[-200:]}"
            continue
        known = set(OPTION.findall(done.stdout))
        for option in sorted(set(OPTION.findall(row[0])) - known):
            yield f"{COMMANDS}: `epitome {row[1]}` does not know {option}"


if __name__ == "__main__":
    sys.exit(main())
