"""Damages each file of a filled home in turn, and looks what the window says and loses.

    python tests/benchmarks/damages.py                     # each file in each way
    python tests/benchmarks/damages.py --ways "other bytes" "a folder"
    python tests/benchmarks/damages.py --share 0.2         # a fifth of the cases, drawn by a seed

The home is `tests.helpers.whole_home`: every kind of file that the program keeps, each made as the
program makes it. A case is a copy of it with one file in a bad way; the window is opened with the
run, the batch, the corpus, the comparison that the file belongs to, each panel is shown, a new job
is set up, the window is closed. A row a case goes to `results/damages.csv`, as it comes; a
round that was ended is gone on with by the same command. What came of a case:

- `named`: a sentence about trouble that is not said of a sound home names the file, or what it is
  part of: the run, the corpus, the batch;
- `told`: there is such a sentence, without the name;
- `silent`: nothing is said;
- `fault`: the program calls it a fault of its own, or the window does not open;
- `lost`: another file is gone or changed.
"""

import argparse
import csv
import hashlib
import os
import random
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtTest import QTest  # noqa: E402
from PySide6.QtWidgets import QApplication  # noqa: E402

from core.library.folders import HOME_VARIABLE, Folders  # noqa: E402
from core.library.preferences import PanelState, WindowState, save_window_state  # noqa: E402
from gui.app import make_window  # noqa: E402
from gui.main_window import MainWindow  # noqa: E402
from gui.panel_table import panel_table  # noqa: E402
from tests.core.cli.test_damaged_home import KINDS_OF_DAMAGE  # noqa: E402
from tests.helpers.queued_jobs import end_all  # noqa: E402
from tests.helpers.told import WENT_WRONG, at_work, said_on  # noqa: E402
from tests.helpers.whole_home import whole_home  # noqa: E402
from tests.helpers.windows import end_window, toasts  # noqa: E402

RESULTS = Path(__file__).parent / "results" / "damages.csv"
COLUMNS = ("file", "way", "outcome", "seconds", "said")
MADE_ANEW = ("lock", "-wal", "-shm", "engine.log", "lanes.log", "now.json")
"""How names of files end that the program makes anew whenever it likes."""
CHANGED = ("window.json", "history.sqlite", "queue.json", "train-draft.json")
"""What a window writes though nothing is wrong: where it stood, what it has looked through."""
SESSION = ("data", "session")
"""Where open documents are, which a window shows again; they are removed when it is closed."""
PATIENCE_S = 60.0
TROUBLE = re.compile(
    r"damaged|cannot|can.t be|could not|missing|no longer|lost|broken|too large|unreadable|invalid"
    r"|there is no |newer|not kept|must be|expected",
    re.IGNORECASE,
)
_NUMBER, _ID = re.compile(r"\d+(?:[.,\u202f]\d+)*"), re.compile(r"(?=\d*[a-f])[0-9a-f]{8,}\b")
_MOST_SAID = 160


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ways", nargs="*", default=list(KINDS_OF_DAMAGE), help="ways of damage")
    parser.add_argument("--files", nargs="*", default=[], help="parts of names of files")
    parser.add_argument("--share", type=float, default=1.0, help="how much of the cases, 0 to 1")
    parser.add_argument("--seed", type=int, default=0, help="draws the share")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the file of its rows")
    options = parser.parse_args()
    QApplication(["epitome"])
    with tempfile.TemporaryDirectory(prefix="damages-") as folder:
        os.environ[HOME_VARIABLE] = str(Path(folder) / "whole")
        sweep = Sweep(Path(folder))
        return sweep.run(options)


class Sweep:
    """A filled home, and what is said of it while it is sound.

    Args:
        folder: Where there is room.
    """

    def __init__(self, folder: Path) -> None:
        self._whole, self._home = folder / "whole", folder / "home"
        self.files = [f for f in whole_home(self._whole) if not f.name.endswith(MADE_ANEW)]
        os.environ[HOME_VARIABLE] = str(self._home)
        self._usual: set[str] = set()
        for file in {_owner(file)[0]: file for file in self.files}.values():
            self._copy()
            self._usual |= {_shape(line) for line in self._said(file)}

    def run(self, options: argparse.Namespace) -> int:
        """Goes through the cases; gives the exit code."""
        rows = _kept(options.results)
        done = {(row["file"], row["way"]) for row in rows}
        cases = list(self._cases(options))
        random.Random(options.seed).shuffle(cases)  # what was done before an end is a fair sample
        for file, way in cases[: round(options.share * len(cases))]:
            if (_named(file), way) in done:
                continue
            rows.append(self._row(file, way))
            _write(options.results, rows)
        counts = Counter(row["outcome"] for row in rows)
        print(", ".join(f"{count} {name}" for name, count in sorted(counts.items())))
        return 1 if counts["fault"] or counts["lost"] else 0

    def _cases(self, options: argparse.Namespace) -> Iterator[tuple[Path, str]]:
        for file in self.files:
            for way in options.ways:
                if not options.files or any(part in str(file) for part in options.files):
                    yield file, way

    def _copy(self) -> None:
        shutil.rmtree(self._home, ignore_errors=True)
        shutil.copytree(self._whole, self._home)

    def _row(self, file: Path, way: str) -> dict[str, str]:
        """Damages a file and opens the window."""
        self._copy()
        if (self._home / file).stat().st_size or way != "scribbled on":
            KINDS_OF_DAMAGE[way](self._home / file)
        before, start_s = self._prints(file), time.monotonic()
        try:
            said = self._said(file)
        except Exception as error:
            said = [f"{WENT_WRONG}: {type(error).__name__}: {error}"]
        outcome, line = self._judged(file, said)
        after = self._prints(file)
        if lost := [str(each) for each in before if after.get(each) != before[each]]:
            outcome, line = "lost", ", ".join(lost)
        # What is damaged in a session is moved into a folder beside it; what is sound there, as a
        # file that is only closed to writing, ends with the window that has shown it.
        is_shown = file.parts[:2] == SESSION and way == "read-only"
        if not is_shown and not list((self._home / file).parent.parent.rglob(f"{file.stem}*")):
            outcome, line = "lost", f"{file} itself"
        told = f"{time.monotonic() - start_s:.1f}"
        row = dict(zip(COLUMNS, (_named(file), way, outcome, told, line[:_MOST_SAID]), strict=True))
        print(", ".join(row.values()), flush=True)
        return row

    def _judged(self, file: Path, said: list[str]) -> tuple[str, str]:
        new = [line for line in said if _shape(line) not in self._usual and TROUBLE.search(line)]
        if wrong := [line for line in said if WENT_WRONG in line]:
            return "fault", wrong[0]
        names = [*file.parts[2:], *_TITLES.get(file.parts[2] if len(file.parts) > 2 else "", ())]
        names += [file.name, file.stem]
        naming = [line for line in new if any(name in line for name in names)]
        if naming:
            return "named", min(naming, key=len)
        return ("told", min(new, key=len)) if new else ("silent", "")

    def _prints(self, but: Path) -> dict[Path, bytes]:
        """What is in each file but the damaged one, and what may change."""
        found = {}
        for file in self.files:
            place = self._home / file
            if file != but and file.name not in CHANGED and file.parts[:2] != SESSION:
                is_there = place.is_file() and not place.is_symlink()
                found[file] = hashlib.sha256(place.read_bytes()).digest() if is_there else b""
        return found

    def _said(self, file: Path) -> list[str]:
        """All that the window says, from its start on and in each panel.

        Args:
            file: What it belongs to is open in its panel.
        """
        if file.name != "window.json":
            self._leave_open(file)
        window = make_window(Folders.under(self._home))
        try:
            window.show()
            window.begin([])
            told: dict[str, None] = {}
            for entry in panel_table():
                window.show_panel(entry.name)
                _wait(window)
                told |= dict.fromkeys(toasts(window))
                told |= dict.fromkeys(words for _, words in said_on(window))
            window.show_panel("train")
            window.panel("train").new_job()  # type: ignore[attr-defined]
            _wait(window)
            told |= dict.fromkeys([*toasts(window), *(words for _, words in said_on(window))])
            assert window.isVisible()
            return list(told)
        finally:
            end_window(window)
            end_all(self._home)

    def _leave_open(self, file: Path) -> None:
        """Notes what a window had open that was closed."""
        kind, name = _owner(file)
        opened: dict[str, PanelState] = {
            "batches": {"batch": {"batch": name}},
            "corpora": {"corpus": {"corpus": name}},
            "comparisons": {"compare": {"comparison": name}},
            "runs": {"train": {"run": str(self._home / "data" / "runs" / name)}},
        }.get(kind, {})
        save_window_state(WindowState("", "summarise", opened), self._home / "data" / "window.json")


def _owner(file: Path) -> tuple[str, str]:
    """The kind of thing that a file belongs to, and its name."""
    return (file.parts[1], file.parts[2]) if len(file.parts) > 3 else ("", "")


_TITLES = {"modelled": ("A run",), "presets": ("Mine",)}
"""What a person has called what lies in a folder."""


def _wait(window: MainWindow) -> None:
    until_s = time.monotonic() + PATIENCE_S
    QTest.qWait(20)
    while at_work(window) or window.controller._runs:
        assert time.monotonic() < until_s, f"{at_work(window)} did not end"
        QTest.qWait(5)


def _shape(line: str) -> str:
    """A line without its numbers, which change from one start to the next."""
    return _NUMBER.sub("#", _ID.sub("#", line))


def _named(file: Path) -> str:
    """A file without what is drawn by chance in its path."""
    return _ID.sub("*", str(file))


def _kept(results: Path) -> list[dict[str, str]]:
    if not results.exists():
        return []
    with results.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _write(results: Path, rows: list[dict[str, str]]) -> None:
    with results.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    sys.exit(main())
