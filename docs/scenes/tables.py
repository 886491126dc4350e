"""Tables with rows in every state, with intervals, and with what is over a limit."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.display.plane import Plane
from gui.widgets.tables.table import Table
from gui.widgets.tables.table_model import (
    Column,
    Interval,
    Measure,
    Progress,
    Record,
    State,
    TableModel,
)

_LOCKED = "This PDF opens only with its password. The other files go on."
_FILES = (
    ("EP 3 902 115 A1.pdf", 30, 6120, "done", 9, 0.5, "all"),
    ("EP 3 911 804 A1.pdf", 44, 18_230, "done", 11, 0.9, "all"),
    ("WO 2021 104 338 A1.pdf", 38, 15_042, "note", 10, 0.8, "2 pages of drawings without text"),
    ("EP 3 921 550 A1.pdf", None, None, "failed", None, None, None),
    ("US 2022 0 184 401 A1.pdf", 88, 41_877, "done", 14, 2.1, "all"),
    ("EP 3 933 048 A1.pdf", 52, 20_344, "running", None, None, None),
    ("EP 3 935 180 A1.pdf", 29, None, "paused", None, None, None),
    ("EP 3 938 701 A1.pdf", 31, None, "waiting", None, None, None),
)
_WORDS = {
    "done": "done",
    "note": "done, with a note",
    "failed": "not read",
    "running": "summarising",
    "paused": "paused",
    "waiting": "waiting",
}


def build(theme: Theme, size: tuple[int, int]) -> QWidget:
    """The page; `grab()` it once it is shown. A small one has the first table alone."""
    page = Plane(theme, "surface")
    page.setFixedSize(*size)
    column = QVBoxLayout(page)
    column.setContentsMargins(24, 12, 24, 12)
    column.setSpacing(4)
    files = Table(theme, files_model(), name="Files")
    files.select("EP 3 911 804 A1.pdf")
    if size[0] < 1200:
        column.addWidget(files)
        return page
    parts = (("Files", files, 4), ("Models", _models(theme), 2), ("Memory", _memory(theme), 2))
    for title, table, share in parts:
        column.addWidget(Label(theme, title, "section"))
        column.addWidget(table, share)
        column.addSpacing(8)
    files.table_model.sort(0, Qt.SortOrder.AscendingOrder)
    return page


def files_model() -> TableModel:
    """Files of a batch."""
    columns = (
        Column("file", "File", kept=True, strong=True),
        Column("pages", "Pages", number=True, width=88),
        Column("words", "Words", number=True, width=100),
        Column("state", "State", width=200, kept=True),
        Column("sentences", "Sentences", number=True, width=104),
        Column("time", "Time, s", number=True, width=88, words=lambda value: f"{value:.1f}"),
        Column("read", "Read", width=340, kept=True),
    )
    return TableModel(columns, map(_file, _FILES))


def _file(row: tuple[object, ...]) -> Record:
    name, pages, words, state, sentences, seconds, read = row
    cells = {
        "file": name,
        "pages": pages,
        "words": words,
        "state": State(state, _WORDS[str(state)]),  # type: ignore[arg-type]
        "sentences": sentences,
        "time": seconds,
        "read": Progress(33 / 52, "page 33 of 52") if state == "running" else read,
    }
    failed = state == "failed"
    return Record(
        name,
        cells,  # type: ignore[arg-type]
        state,  # type: ignore[arg-type]
        reason=_LOCKED if failed else "",
        remedy="Enter password" if failed else "",
    )


def _models(theme: Theme) -> Table:
    scores = (("ROUGE-1 F1", (28, 44)), ("ROUGE-2 F1", (10, 22)), ("ROUGE-L F1", (22, 36)))
    columns = [
        Column("model", "200 held-out documents", width=240, kept=True, strong=True),
        *(Column(title, title, width=272, scale=scale) for title, scale in scores),
        Column("new", "New words", number=True, words=lambda value: f"{value:.1f}\u202f%"),
    ]
    rows = (
        ("patents-16k", "s1", (40.7, 1.3), (19.3, 1.1), (33.6, 1.2), 31.2),
        ("patents-4k", "s3", (38.6, 1.2), (17.9, 1.0), (31.7, 1.1), 28.4),
        ("Built-in, extractive", "s6", (37.9, 1.1), (16.4, 0.9), (30.1, 1.0), 0.0),
        ("Lead 5 sentences", "s6", (31.4, 1.0), (11.8, 0.8), (24.9, 0.8), 0.0),
    )
    records = []
    for name, color, *values, new in rows:
        spans = [
            Interval(value, value - half, value + half, str(color))
            for value, half in values  # type: ignore[misc]
        ]
        cells = dict(zip([title for title, _ in scores], spans, strict=True))
        records.append(
            Record(name, {"model": name, **cells, "new": new}, color=str(color))  # type: ignore[dict-item]
        )
    return Table(theme, TableModel(columns, records), name="Models")


def _memory(theme: Theme) -> Table:
    lengths = (1, 2, 4, 8, 16, 32, 64)
    columns = [
        Column("model", "Peak memory, GB", kept=True, strong=True),
        *(Column(str(each), f"{each}\u202fk", number=True, width=104) for each in lengths),
        Column("longest", "Longest that fits", number=True, width=160),
    ]
    rows = (
        ("Full attention, stored", (3.6, 5.1, 10.4, 27, 86.4, 310, 1175), 3, "7\u202fk"),
        ("Full attention, reversible", (3.1, 3.9, 7.0, 19.1, 64.5, 241, 936), 4, "8.9\u202fk"),
        ("LSH, reversible", (3.0, 3.4, 4.3, 6.2, 9.9, 17.3, 32), 5, "42\u202fk"),
    )
    records = []
    for name, values, measured, longest in rows:
        cells = {
            str(length): Measure(value, at >= measured, value > 22.7)
            for at, (length, value) in enumerate(zip(lengths, values, strict=True))
        }
        records.append(Record(name, {"model": name, **cells, "longest": longest}))
    return Table(theme, TableModel(columns, records), name="Memory")
