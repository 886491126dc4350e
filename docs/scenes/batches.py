"""A batch of patents for the pictures: made PDF files, really summarised; one is encrypted."""

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from core.distribution.resources import resource
from core.events import Progress
from core.jobs.batches.adding import AddToBatchJob
from core.jobs.batches.rows import BatchSettings
from core.jobs.batches.store import BatchStore, EarlierStart
from core.jobs.batches.work import BatchJob, resumed_line
from core.jobs.queue.listing import JobNow
from core.jobs.run import run_inline
from core.stop import StopToken
from gui.main_window import MainWindow
from gui.panels.batch.panel import BatchPanel
from tests.helpers.pdf_maker import Printer, Style, encrypted, mixed_pages, pages_of
from tests.helpers.towns import text_of

Settle = Callable[..., None]

_NAMES: Final = (
    "EP 3 902 115 A1", "EP 3 911 804 A1", "EP 3 914 220 B1", "WO 2021 104 338 A1",
    "EP 3 920 017 A1", "EP 3 921 550 A1", "EP 3 925 912 A1", "US 2022 0 184 401 A1",
    "EP 3 931 266 A1",
)  # fmt: skip
_WAITING: Final = tuple(f"EP 3 {number} {rest} A1" for number, rest in (
    (933, "048"), (935, "180"), (938, "701"), (940, "092"), (944, "315"), (946, "620"),
))  # fmt: skip
_NOTE, _LOCKED = 3, 5
_PROSE = (
    "The separator of the cell is cast on the cathode and dried at 80 degrees. It holds the layer "
    "of nitride that keeps lithium from the electrolyte. The cell was charged and discharged 900 "
    "times and kept nine tenths of its charge. The inventors name three ways to cast the layer. "
)
_AT_S = 1_795_300_000.0


def _patent(generator: random.Random) -> bytes:
    """A PDF of a few pages: paragraphs of the sample patent, in another order."""
    text = (Path(__file__).parents[1] / "samples" / "patent.md").read_text("utf-8")
    paragraphs = [each[7:] for each in text.split("\n\n") if each.startswith("[")]
    printer = Printer(Style(size=11.0, leading=14.0, indent=0.0, space_after=7.0, justify=False))
    frames = pages_of(20)
    for paragraph in generator.sample(paragraphs, generator.randint(24, len(paragraphs))):
        frames = printer.set(paragraph.encode("latin-1", "ignore").decode("latin-1"), frames)
    return printer.finish()


def _write_patents(folder: Path) -> Path:
    folder.mkdir(parents=True)
    generator = random.Random(1)
    for at, name in enumerate((*_NAMES, *_WAITING)):
        if at == _LOCKED:
            data = encrypted("open")
        elif at == _NOTE:
            data = mixed_pages(_PROSE, _PROSE)
        elif at >= len(_NAMES):
            data = b""
        else:
            data = _patent(generator)
        (folder / f"{name}.pdf").write_bytes(data)
    (folder / "EP 3 912 040 A1.docx").write_bytes(resource("samples", "report.docx").read_bytes())
    return folder


def _panel(shown: MainWindow) -> BatchPanel:
    shown.show_panel("batch")
    panel = shown.panel("batch")
    assert isinstance(panel, BatchPanel)
    return panel


def _summarise(folder: Path, names: tuple[Path, ...], length: str) -> None:
    settings = BatchSettings.checked({"length": length, "processes": 1})
    for job in (AddToBatchJob(folder, names, settings), BatchJob(folder)):
        list(run_inline(job, StopToken()))


def show_running(shown: MainWindow, settle: Settle) -> None:
    """The batch in the middle of its work."""
    home = shown.folders.data
    patents = _write_patents(home / "Patents 2021")
    folder = shown.folders.batches / "patents"
    waiting = [patents / f"{name}.pdf" for name in _WAITING]
    done = sorted(set(patents.iterdir()) - set(waiting))
    _summarise(folder, tuple(done), "2%")
    list(run_inline(AddToBatchJob(folder, (*waiting,)), StopToken()))
    with BatchStore(folder) as store:
        store._database.execute("UPDATE rows SET seconds = 0.04 * pages + 0.1")
        store.note_resumed(resumed_line(EarlierStart("off", _AT_S, 7)))
        store.add([], [str(patents)])
        store._set_fact("sources", f'["{patents}"]')
        first = store.waiting(0)[0].number
    panel = _panel(shown)
    shown.controller.queue.listed.disconnect(panel._take_jobs)
    panel.open_batch(folder)
    settle(lambda: panel.state.counts["all"] == len(done) + len(waiting))
    panel.follower.open(None)  # the picture shows a moment, nothing runs
    panel.state.job = JobNow("1", "Patents 2021", "running", folder, 0.6, kind="batch")
    panel.state.rows[first] = replace(panel.state.rows[first], pages=52, words=20_344)
    panel.state.now = {first: Progress(33, 52, "pages", "Reading")}
    through = panel.state.counts["all"] - panel.state.counts["waiting"]
    panel.state._ended.extend([(0.0, through - 14), (10.0, through)])
    panel.page.model.redraw([first])
    panel._redraw()
    settle()


def show_together(shown: MainWindow, settle: Settle) -> None:
    """What three reports share, and where they differ."""
    documents = shown.folders.data / "Harbours"
    documents.mkdir(parents=True)
    common = (
        "The quay wall was inspected by divers, who found corrosion on most of the piles. "
        "The anodes of the piles were renewed in the spring. "
    )
    for town, cost in (("Arden", 410), ("Borrow", 410), ("Caster", 530)):
        told = f"Cladding the nine worst piles of the quay takes six weeks and costs {cost} crowns."
        (documents / f"{town}.txt").write_text(f"{town}\n\n{common}{told} {text_of(town)}", "utf-8")
    folder = shown.folders.batches / "harbours"
    _summarise(folder, (documents,), "9s")
    panel = _panel(shown)
    panel.open_batch(folder)
    settle(lambda: panel.state.counts["done"] == 3)
    panel.summarise_together()
    settle(lambda: panel.together_page.combined is not None)
    settle()
