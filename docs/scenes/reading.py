"""Source, evidence map and summary side by side, over an invented patent."""

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QVBoxLayout, QWidget

from core.documents.document import Block, Document, Kind, Source
from core.summaries.summary import Evidence, Length, Summary, SummarySentence
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Divider, Plane
from gui.widgets.reading.evidence_map import EvidenceMap
from gui.widgets.reading.marks import evidence_marks
from gui.widgets.reading.reading_view import ReadingView
from gui.widgets.reading.summary_list import SummaryList

SIZE_PX = (1440, 900)
_RAIL_PX, _HEADER_PX, _STRIP_PX, _STATUS_PX = 72, 52, 44, 28
_SOURCE_PX = 668
_COVERAGE = (
    "Read all 14\u202f962 words (30 pages). 9 sentences, 218 words, 1.5 % of the text. 0.4 s."
)

_PICKED = (
    "The present disclosure relates to a solid-state lithium cell in which the sulphide separator "
    "is formed on the cathode itself.",
    "Cells of this kind have failed early, because a film that survives winding is thick, and "
    "because lithium goes on reducing it.",
    "It is cast directly onto the cathode from a suspension of argyrodite particles with a median "
    "diameter below 2 µm, and densified at 280 °C under 40 MPa.",
    "To stop it, a layer of lithium nitride between 30 and 80 nm thick is grown on the lithium "
    "surface before assembly, by exposing the foil to dry nitrogen at 60 °C for four to nine "
    "minutes.",
    "Below 30 nm the layer is not continuous and dendrites were seen in two of six cells after "
    "200 cycles.",
    "In a preferred embodiment the stack pressure during operation is held between 1.5 and 3 MPa "
    "by a spring plate.",
    "Cells built according to example 3 kept 91 % of their initial capacity after 1\u202f200 "
    "cycles at 1 C and 25 °C, against 64 % for the comparative cell without the nitride layer.",
    "The nitride layer tolerates exposure to air with a dew point of −40 °C for up to ninety "
    "minutes.",
    "A cell according to claim 1, wherein the separator is inseparable from the cathode without "
    "damage to either.",
)
_FILLER = (
    "The films were pressed in a uniaxial die and their density was taken from mass and "
    "thickness. Samples below ninety per cent of the theoretical density were not used, since "
    "their conductivity is governed by the pores and not by the material. Impedance was measured "
    "between 1 MHz and 0.1 Hz at 25 °C, and the value at the minimum of the imaginary part was "
    "taken for the resistance of the separator.",
    "Cathodes were coated on aluminium from a slurry of active material, electrolyte, carbon and "
    "a binder. The coating was dried under vacuum and rolled to a porosity of eighteen per cent.",
    "As used here, a layer is continuous when no opening wider than twice its thickness is seen "
    "on ten images of a section, taken at places chosen before the section was cut. The inventors "
    "have found this measure to agree with the behaviour of cells in the first fifty cycles, "
    "while a coverage computed from the mass of nitride alone does not.",
)


def make_document() -> Document:
    """An invented patent of 30 pages; the passage of the pictures lies on pages 7 and 8."""
    blocks = [Block("Technical field", Kind.HEADING, 1, page=1)]
    number = 0

    def add(text: str, page: int) -> None:
        nonlocal number
        number += 1
        blocks.append(Block(f"[{number:04d}] {text}", page=page))

    def fill(upto: int, first: int, last: int) -> None:
        start = number
        while number < upto:
            page = first + (number - start) * (last - first + 1) // max(1, upto - start)
            add(_FILLER[number % len(_FILLER)], min(last, page))

    fill(4, 1, 2)
    add(f"{_PICKED[0]} {_FILLER[1]}", 2)
    fill(14, 2, 4)
    add(f"{_FILLER[1]} {_PICKED[1]}", 4)
    fill(30, 5, 6)
    blocks.append(Block("Description", Kind.HEADING, 1, page=7))
    add(
        "The separator of the present disclosure is not laminated as a free-standing film. "
        f"{_PICKED[2]} The cast layer is 18 to 25 µm thick, which is less than half of what a "
        "free-standing film of the same material needs in order to survive winding.",
        7,
    )
    blocks.append(Block("Interface layer", Kind.HEADING, 2, page=7))
    add(
        "Lithium metal reduces sulphide electrolytes on contact. The reaction products conduct "
        "electrons poorly but not poorly enough, so the reaction continues for as long as the "
        f"cell is kept. {_PICKED[3]}",
        7,
    )
    add(
        f"{_PICKED[4]} Above 80 nm its resistance exceeds 14 Ω cm² and the cell loses the rate "
        "capability for which a thin separator was chosen in the first place. The inventors found "
        "no benefit from a second nitriding step.",
        7,
    )
    add(
        f"{_PICKED[5]} Pressures above 5 MPa, which are common in the prior art, are neither "
        "needed nor desirable, since they make the housing heavier than the energy it protects.",
        8,
    )
    add(f"{_PICKED[6]} {_FILLER[0]}", 8)
    add(f"{_PICKED[7]} {_FILLER[2]}", 8)
    fill(128, 9, 25)
    blocks.append(Block("Claims", Kind.HEADING, 1, page=26))
    add(_PICKED[8], 26)
    fill(150, 27, 30)
    title, source = "EP 4 117 233 A1", Source("EP4117233A1.pdf", format="pdf")
    return Document.from_blocks(blocks, title=title, source=source, num_pages=30)


def make_summary(document: Document) -> Summary:
    """Nine sentences of it with their evidence; the first is pinned."""
    sentences = [
        SummarySentence(text, (_evidence(document, text),), pinned=row == 0)
        for row, text in enumerate(_PICKED)
    ]
    return Summary(
        title=document.title,
        source=document.source,
        sentences=tuple(sentences),
        length=Length(9),
        read=document.reading,
    )


def _evidence(document: Document, text: str) -> Evidence:
    start = document.text.index(text)
    paragraph = document.label(document.paragraph_at(start))
    return Evidence(start, start + len(text), 0, document.page_at(start), paragraph)


class Reading(QWidget):
    """The three widgets, wired as the summarise panel wires them."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.view, self.map, self.list = ReadingView(theme), EvidenceMap(theme), SummaryList(theme)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        left = _column(theme, "Source", self.view, "")
        left.setFixedWidth(_SOURCE_PX)
        for part in (left, self.map, _column(theme, "Summary", self.list, _COVERAGE)):
            row.addWidget(part)
        for part in (self.view, self.map, self.list):
            part.hovered.connect(self.light)
        self.list.activated.connect(self.view.scroll_to_number)
        self.list.show_in_source.connect(self.view.scroll_to_number)
        self.map.activated.connect(self.view.scroll_to_number)
        self.view.activated.connect(self.list.scroll_to)
        self.map.scroll_requested.connect(self.view.show_from)
        self.view.visible_changed.connect(
            lambda first, last, _: self.map.set_visible_span(first, last)
        )
        self.list.rows_moved.connect(self.map.set_rows)

    def show_document(self, document: Document, summary: Summary) -> None:
        """Shows a document with its summary."""
        marks = evidence_marks(summary)
        self.view.set_document(document)
        self.map.set_document(document)
        self.list.set_summary(summary, document)
        self.view.set_marks(marks)
        self.map.set_marks(marks)

    def light(self, number: int | None) -> None:
        """Lights one sentence everywhere."""
        for part in (self.view, self.map, self.list):
            part.set_lit(number)


def _column(theme: Theme, title: str, body: QWidget, coverage: str) -> QWidget:
    column = Plane(theme, "surface")
    rows = QVBoxLayout(column)
    rows.setContentsMargins(0, 0, 0, 0)
    rows.setSpacing(0)
    head = QWidget()
    head.setFixedHeight(_STRIP_PX)
    line = QHBoxLayout(head)
    line.setContentsMargins(24, 0, 24, 0)
    line.addWidget(Label(theme, title, "section"))
    line.addStretch(1)
    rows.addWidget(head)
    rows.addWidget(Divider(theme))
    if coverage:
        said = QHBoxLayout()
        said.setContentsMargins(46, 10, 24, 7)
        said.addWidget(Label(theme, coverage, "small", "text2"))
        rows.addLayout(said)
    rows.addWidget(body, 1)
    return column


def build(theme: Theme) -> QWidget:
    """The page: room for rail, header and status bar, and the three widgets where they belong."""
    page = Plane(theme, "window")
    page.setFixedSize(*SIZE_PX)
    reading = Reading(theme)
    reading.setParent(page)
    top = _HEADER_PX + 1
    reading.setGeometry(_RAIL_PX, top, SIZE_PX[0] - _RAIL_PX, SIZE_PX[1] - top - _STATUS_PX)
    document = make_document()
    reading.show_document(document, make_summary(document))
    page.show()
    reading.view.scroll_to_heading(document.text.index("Description\n"))
    _point_at(reading.list, 4)
    return page


def _point_at(summary: SummaryList, number: int) -> None:
    window_y = summary.row_heights()[number]
    viewport = summary.viewport()
    at = QPointF(200, window_y - viewport.mapTo(viewport.window(), QPoint(0, 0)).y())
    none = Qt.MouseButton.NoButton
    move = QMouseEvent(
        QEvent.Type.MouseMove, at, viewport.mapToGlobal(at), none, none, Qt.KeyboardModifier(0)
    )
    QApplication.sendEvent(viewport, move)
