"""Pictures of Summarise."""

import tempfile
from pathlib import Path

from core.distribution.resources import resource
from core.events import Failed, Progress
from core.jobs.sources.sources import SourceRef
from core.summaries.summary import Length
from docs.pictures_of.stage import settle
from gui.main_window import MainWindow
from gui.panels.summarise.state import Phase
from tests.helpers.pdf_maker import encrypted, mixed_pages, scan
from tests.helpers.windows import desk, words_on

PROSE = (
    "The inspection of the north quay began on the third of March and took eleven days. Divers "
    "went along all 214 piles and found corrosion on 38 of them, mostly between low water and "
    "the sea bed. Nine piles have lost more than a third of their steel and should be clad before "
    "the winter. The deck above them carries half of the traffic of the container terminal, so "
    "the work has to be done in two halves. The cranes can stay where they are, provided that "
    "no more than two of them stand on the same bay.",
    "Cladding the nine piles takes six weeks and costs about 410 000 euros. If it is put off by "
    "a year, fourteen further piles will have to be clad, and the cost will double. The inspectors "
    "therefore advise the port to begin in May, when the water is calm and the ferries do not run "
    "at night. A second inspection in two years would show whether the anodes that were renewed "
    "this spring protect the steel as they should.",
)
"""What stands on the readable pages of a report whose third page is a picture."""
PATENT_REFERENCE = (
    "A solid-state lithium cell has a sulphide separator that is cast directly onto its cathode. A "
    "layer of lithium nitride, grown on the lithium surface before assembly, keeps the metal from "
    "reducing the sulphide. Such cells keep 91 % of their capacity after 1 200 cycles."
)


def open_and_wait(shown: MainWindow, path: Path, phase: Phase = Phase.READY) -> None:
    """Opens a document and waits for what comes of it."""
    desk(shown).open_source(SourceRef(path=path))
    settle(lambda: desk(shown).state.phase is phase)
    settle()


def empty(shown: MainWindow) -> None:
    """Nothing is open."""


def summarised(shown: MainWindow) -> None:
    """The patent, with a sentence and its evidence lit."""
    open_and_wait(shown, resource("samples", "patent.pdf"))
    desk(shown).stage.show_evidence(4)
    if shown.width() < 1200:
        desk(shown).show_side("summary")
    desk(shown).stage.light(4)
    settle()


def source_alone(shown: MainWindow) -> None:
    """The source where there is room for one column."""
    summarised(shown)
    desk(shown).show_side("source")
    settle()


def pinned(shown: MainWindow) -> None:
    """The report, with pinned sentences, a search and a longer summary."""
    open_and_wait(shown, resource("samples", "report.docx"))
    panel = desk(shown)
    panel.editor.decide(panel.state.toggle_pin, 1)
    panel.editor.decide(panel.state.replace, 3)
    panel.source.find_bar.open_bar()
    panel.source.find_bar.field.setText("nitrate")
    settle()


def returned(shown: MainWindow) -> None:
    """The article is opened again: its pins are back, and a sentence was just replaced."""
    article, panel = resource("samples", "article.md"), desk(shown)
    open_and_wait(shown, article)
    panel.editor.decide(panel.state.toggle_pin, 1)
    panel.editor.decide(panel.state.drop, 4)
    panel.saver.keep_decisions()
    file = shown.decisions.file
    settle(file.exists)
    open_and_wait(shown, article)
    panel.editor.replace(2)
    settle()


def compared(shown: MainWindow) -> None:
    """Two lengths of one summary side by side, a sentence with its evidence in its place."""
    open_and_wait(shown, resource("samples", "patent.pdf"))
    panel = desk(shown)
    panel.editor.wish_length(Length(5), False)
    panel.comparison.open(panel.state.model)
    rows = panel.comparison.column.list
    rows._enter(1)
    rows._activate(1)
    panel.comparison.column.length.field.clearFocus()
    settle()


def referenced(shown: MainWindow) -> None:
    """A reference under the summary, with the summary's scores."""
    open_and_wait(shown, resource("samples", "patent.pdf"))
    panel = desk(shown)
    panel.references.toggle()
    panel.summary.reference.text.setPlainText(PATENT_REFERENCE)
    panel.summary.list.setFocus()
    settle()


def referenced_twice(shown: MainWindow) -> None:
    """Two summaries, each scored against the reference."""
    referenced(shown)
    panel = desk(shown)
    panel.editor.wish_length(Length(5), False)
    panel.comparison.open(panel.state.model)
    settle()


def reading(shown: MainWindow) -> None:
    """A document is being read."""
    panel = desk(shown)
    panel.state.begin(SourceRef(path=Path("Annual report 2024.pdf")))
    panel.state.progress = Progress(4, 10, "pages", "Opening")
    panel.redraw()
    settle()


def locked(shown: MainWindow) -> None:
    """A PDF that opens only with its password, after a summary was made."""
    open_and_wait(shown, resource("samples", "article.md"))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "Annual report 2024.pdf"
        path.write_bytes(encrypted("open"))
        open_and_wait(shown, path, Phase.FAILED)


def incomplete(shown: MainWindow) -> None:
    """A PDF of which some pages are pictures."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "Inspection report.pdf"
        path.write_bytes(mixed_pages(*PROSE))
        open_and_wait(shown, path)
        desk(shown).editor.wish_length(Length(4), False)


def several(shown: MainWindow) -> None:
    """Six documents: one is shown, one cannot be read, one waits."""
    names = ("patent.pdf", "report.docx", "article.md")
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("Plan.docx", "Minutes.md", "Inspection.txt")]
        files[0].write_bytes(b"PK\x03\x04" + bytes(500))
        for file in files[1:]:
            file.write_text("\n\n".join(PROSE), "utf-8")
        panel = desk(shown)
        panel.open_files([*(resource("samples", name) for name in names), *files])
        settle(lambda: len(panel.documents) == 6)
        for place, phase in ((3, Phase.FAILED), (1, Phase.READY)):
            panel.turner.show(panel.documents.all[place])
            settle(lambda phase=phase: panel.state.phase is phase and panel.opener.run is None)
        panel.source.view.setFocus()
        panel.source.view.clearFocus()
        panel.stage.light(2)
        settle()


def several_in_menu(shown: MainWindow) -> None:
    """The list of the open documents where there is no room for it beside the text."""
    several(shown)
    desk(shown).header.documents.triggered.emit()
    settle()


def one_failed_of_several(shown: MainWindow) -> None:
    """The document that cannot be read, with its reason in its place."""
    several(shown)
    panel = desk(shown)
    panel.turner.show(panel.documents.all[3])
    settle()


def scan_offered(shown: MainWindow) -> None:
    """A scan, and the part that would read it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "Annual report 1987.pdf"
        path.write_bytes(scan(12))
        panel = desk(shown)
        panel.state.begin(SourceRef(path=path))
        told = "This PDF contains no text: all of its 12 pages are pictures."
        panel.state.fail(Failed(told, "", kind="missing-scans"))
        panel.redraw()
        settle(lambda: "Format" in words_on(shown))
