"""The table, as a person uses it."""

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QAccessible, QContextMenuEvent, QFontMetricsF, QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from docs.scenes.tables import build, files_model
from gui.theme.theme import Theme
from gui.widgets.inputs.menu import Menu
from gui.widgets.tables.table import Table
from gui.widgets.tables.table_model import (
    Column,
    Interval,
    Measure,
    Progress,
    Record,
    State,
    TableModel,
    sort_value,
    told,
)
from gui.widgets.tables.table_paint import FAILED_PX, HEAD_PX, PADDING_PX, ROW_PX

ASCENDING, DESCENDING = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder
LOCKED = "EP 3 921 550 A1.pdf"
CELLS = st.one_of(
    st.none(),
    st.floats(-1e6, 1e6),
    st.integers(-9, 9),
    st.text("abc", max_size=2),
    st.builds(Interval, st.floats(-9, 9), st.just(0.0), st.just(1.0)),
    st.builds(State, st.just("done"), st.text("abc", max_size=2)),
)


@pytest.fixture
def table(qtbot: QtBot, theme: Theme) -> Table:
    return shown(qtbot, Table(theme, files_model(), name="Files"))


def shown(qtbot: QtBot, table: Table, width: int = 1200) -> Table:
    qtbot.addWidget(table)
    table.resize(width, 500)
    with qtbot.waitExposed(table):
        table.show()
    table.activateWindow()
    table.setFocus()
    qtbot.waitUntil(table.hasFocus)
    return table


def middle(table: Table, row: int) -> QPoint:
    return table.row_rect(row).center()


@given(st.lists(CELLS, max_size=30), st.sampled_from([ASCENDING, DESCENDING]))
def test_sorting_keeps_every_row_and_puts_empty_ones_last(
    cells: list[object], order: Qt.SortOrder
) -> None:
    records = [Record(i, {"a": cell}) for i, cell in enumerate(cells)]  # type: ignore[dict-item]
    model = TableModel([Column("a", "A")], records)
    model.sort(0, order)
    shown = [model.record(row) for row in range(model.rowCount())]
    assert sorted(record.key for record in shown) == list(range(len(cells)))  # type: ignore[type-var]
    values = [sort_value(record.cells["a"]) for record in shown]
    filled = [value for value in values if value is not None]
    assert values == [*filled, *[None] * (len(values) - len(filled))]
    assert filled == sorted(filled, reverse=order == DESCENDING)
    assert [model.row_of(record.key) for record in shown] == list(range(len(cells)))


def test_rows_have_their_heights(table: Table) -> None:
    heights = [table.rowHeight(row) for row in range(table.table_model.rowCount())]
    assert heights.count(FAILED_PX) == 1
    assert set(heights) == {FAILED_PX, ROW_PX}
    assert table.horizontalHeader().height() == HEAD_PX
    table.table_model.sort(0, ASCENDING)
    assert table.rowHeight(table.table_model.row_of(LOCKED)) == FAILED_PX
    done = State("done", "done")
    table.table_model.update(Record(LOCKED, {"file": LOCKED, "state": done}, "done"))
    assert table.rowHeight(table.table_model.row_of(LOCKED)) == ROW_PX


def test_arrows_home_end_and_space(qtbot: QtBot, table: Table) -> None:
    last = table.table_model.rowCount() - 1
    qtbot.keyClick(table, Qt.Key.Key_End)
    assert table.currentIndex().row() == last
    qtbot.keyClick(table, Qt.Key.Key_Up)
    assert table.currentIndex().row() == last - 1
    qtbot.keyClick(table, Qt.Key.Key_Home)
    assert table.selected_keys() == ["EP 3 902 115 A1.pdf"]
    qtbot.keyClick(table, Qt.Key.Key_Space)
    assert table.selected_keys() == []
    qtbot.keyClick(table, Qt.Key.Key_Space)
    assert table.selected_keys() == ["EP 3 902 115 A1.pdf"]


def test_enter_opens_a_row_and_mends_a_failed_one(qtbot: QtBot, table: Table) -> None:
    table.select("EP 3 902 115 A1.pdf")
    with qtbot.waitSignal(table.opened) as opened:
        qtbot.keyClick(table, Qt.Key.Key_Return)
    assert opened.args == ["EP 3 902 115 A1.pdf"]
    table.select(LOCKED)
    with qtbot.waitSignal(table.remedy_wanted) as wanted, qtbot.assertNotEmitted(table.opened):
        qtbot.keyClick(table, Qt.Key.Key_Return)
    assert wanted.args == [LOCKED]


LONG = (
    "“Minutes of the harbour board, spring.txt” has 41 words, and a summary needs at least 100 of "
    "them. Add a longer text 🏺, or open the file and read it: that takes less time than a summary."
)


@pytest.mark.parametrize("width", [420, 640, 900, 1200])
def test_a_failed_row_tells_its_whole_reason(qtbot: QtBot, theme: Theme, width: int) -> None:
    model = files_model()
    row = model.row_of(LOCKED)
    model.update(replace(model.record(row), reason=LONG, second="Skip"))
    table = shown(qtbot, Table(theme, model, name="Files"), width)
    record, rect = model.record(row), QRectF(table.row_rect(row))
    lines = table._rows.reason_lines(record, rect.width())
    assert " ".join(lines) == LONG
    metrics = QFontMetricsF(theme.font("body"))
    left = table._rows.remedy_box(rect, record).left()
    assert all(PADDING_PX + metrics.horizontalAdvance(line) < left for line in lines)
    assert table.rowHeight(row) == FAILED_PX + (len(lines) - 1) * 20


def test_a_failed_row_is_as_high_as_its_reason_at_any_width(qtbot: QtBot, theme: Theme) -> None:
    model = files_model()
    row = model.row_of(LOCKED)
    model.update(replace(model.record(row), reason=LONG))
    table = shown(qtbot, Table(theme, model, name="Files"), 500)
    high = table.rowHeight(row)
    table.resize(1900, 500)
    assert table.rowHeight(row) == FAILED_PX
    table.resize(500, 500)
    assert table.rowHeight(row) == high > FAILED_PX
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=middle(table, row))
    assert table.rowHeight(row) > high  # its other values stand below the whole reason


def test_a_whole_table_needs_no_scroll_bar(qtbot: QtBot, theme: Theme) -> None:
    model = files_model()
    row = model.row_of(LOCKED)
    model.update(replace(model.record(row), reason=LONG))
    table = Table(theme, model, name="Files")
    table.stay_whole()
    shown(qtbot, table, 500)
    for width in (500, 700, 1900):
        table.resize(width, table.height())
        assert table.verticalScrollBar().maximum() == 0
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=middle(table, row))
    assert table.verticalScrollBar().maximum() == 0


def test_remedy_of_a_failed_row_is_pressed(qtbot: QtBot, table: Table) -> None:
    row = table.table_model.row_of(LOCKED)
    rect = QRectF(table.row_rect(row))
    box = table._rows.remedy_box(rect, table.table_model.record(row))
    with qtbot.waitSignal(table.remedy_wanted) as wanted:
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=box.center().toPoint())
    assert wanted.args == [LOCKED]


def test_the_quieter_button_of_a_failed_row_is_pressed(qtbot: QtBot, table: Table) -> None:
    model = table.table_model
    row = model.row_of(LOCKED)
    model.update(replace(model.record(row), second="Skip"))
    rect, record = QRectF(table.row_rect(row)), model.record(row)
    first, second = (box(rect, record) for box in (table._rows.remedy_box, table._rows.second_box))
    assert first.right() < second.left()
    with (
        qtbot.waitSignal(table.second_wanted) as wanted,
        qtbot.assertNotEmitted(table.remedy_wanted),
    ):
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=second.center().toPoint())
    assert wanted.args == [LOCKED]


def test_only_failed_rows_are_higher_whatever_rows_are_shown(table: Table) -> None:
    model = table.table_model
    records = [model.record(row) for row in range(model.rowCount())]
    for shown in (records, records[::-1], [r for r in records if r.key != LOCKED], records[:2]):
        model.set_records(shown)
        heights = [table.rowHeight(row) for row in range(model.rowCount())]
        assert heights == [FAILED_PX if r.state == "failed" else ROW_PX for r in shown]


def test_a_table_is_resized_when_its_failed_rows_are_not_listed_any_more(table: Table) -> None:
    model = table.table_model
    done = [model.record(row) for row in range(model.rowCount()) if not model.is_failed(row)]
    for records in (done[:1], []):
        model.set_records(records)
        table.resize(table.width() - 200, 500)
        assert [table.rowHeight(row) for row in range(model.rowCount())] == [ROW_PX] * len(records)


def test_a_press_on_a_head_sorts_and_keeps_the_selection(qtbot: QtBot, table: Table) -> None:
    table.select("EP 3 933 048 A1.pdf")
    head = table.horizontalHeader()
    at = QPoint(head.sectionViewportPosition(2) + 20, HEAD_PX // 2)
    for order in (ASCENDING, DESCENDING):
        qtbot.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=at)
        assert table.table_model.sorted_by == (2, order)
        assert table.selected_keys() == ["EP 3 933 048 A1.pdf"]
    words = [table.table_model.record(row).cells["words"] for row in range(5)]
    assert words == [41_877, 20_344, 18_230, 15_042, 6120]


def test_selected_rows_are_copied_for_a_spreadsheet(qtbot: QtBot, table: Table) -> None:
    table.select("EP 3 902 115 A1.pdf")
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    rows = QGuiApplication.clipboard().text().splitlines()
    assert rows[0] == "File\tPages\tWords\tState\tSentences\tTime, s\tRead"
    assert rows[1] == "EP 3 902 115 A1.pdf\t30\t6120\tdone\t9\t0.5\tall"


def test_csv_holds_all_rows_with_the_ends_of_intervals() -> None:
    columns = [Column("a", "A"), Column("b", "B", scale=(0, 2)), Column("c", "C")]
    cells = {"a": "x, y", "b": Interval(1, 0.5, 1.5), "c": Measure(2.25, forecast=True)}
    model = TableModel(columns, [Record(1, cells), Record(2)])
    rows = list(csv.reader(io.StringIO(model.csv())))
    assert rows == [
        ["A", "B", "B low", "B high", "C"],
        ["x, y", "1", "0.5", "1.5", "2.25"],
        ["", "", "", "", ""],
    ]


def test_menu_sorts_copies_and_saves(qtbot: QtBot, table: Table, tmp_path: Path) -> None:
    menu = table.make_menu()
    actions = {action.text(): action for action in menu.actions() if action.text()}
    copy = next(action for text, action in actions.items() if text.startswith("Copy"))
    assert not copy.isEnabled()
    next(action for text, action in actions.items() if text.startswith("Sort by Words")).trigger()
    assert table.table_model.sorted_by == (2, ASCENDING)
    with qtbot.waitSignal(table.saved):
        table.save(tmp_path / "files.csv")
    assert (tmp_path / "files.csv").read_text("utf-8") == table.table_model.csv()
    with qtbot.waitSignal(table.failed):
        table.save(tmp_path / "files.csv" / "no.csv")
    menu.deleteLater()


def test_menu_key_opens_the_menu(qtbot: QtBot, table: Table) -> None:
    qtbot.keyClick(table, Qt.Key.Key_Home)
    reason, at = QContextMenuEvent.Reason.Keyboard, QPoint(5, 5)
    event = QContextMenuEvent(reason, at, table.viewport().mapToGlobal(at))
    QApplication.sendEvent(table.viewport(), event)
    (menu,) = table.findChildren(Menu)
    assert menu.isVisible()
    menu.close()


def test_little_room_keeps_name_state_and_result(qtbot: QtBot, theme: Theme) -> None:
    table = shown(qtbot, Table(theme, files_model(), name="Files"), 640)
    assert table.is_narrow
    kept = [c.name for i, c in enumerate(files_model().columns) if not table.isColumnHidden(i)]
    assert kept == ["file", "state", "read"]
    row = 0
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=middle(table, row))
    assert table.rowHeight(row) > ROW_PX
    record = table.table_model.record(row)
    assert table._rows.details(record, (1, 2)) == [("Pages", "30"), ("Words", "6\u202f120")]
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert table.rowHeight(row) == ROW_PX
    table.resize(1200, 500)
    assert not table.is_narrow


def test_a_folded_table_shows_as_many_columns_as_have_room(qtbot: QtBot, theme: Theme) -> None:
    columns = (
        Column("file", "File", width=200, kept=True),
        *(Column(name, name, number=True, width=80) for name in "abc"),
        Column("state", "State", width=160, kept=True),
        Column("begins", "Begins", kept=True),
        Column("read", "Read"),
    )
    table = shown(qtbot, Table(theme, TableModel(columns, [Record(1)]), name="Files"), 1000)
    for width, names in (
        (1000, "file a b c state begins read"),
        (860, "file a b state begins"),
        (740, "file a state begins"),
        (600, "file state begins"),
        (740, "file a state begins"),
    ):
        table.resize(width, 400)
        seen = [c.name for at, c in enumerate(columns) if not table.isColumnHidden(at)]
        assert (seen, table.is_narrow) == (names.split(), width < 1000)
        assert abs(table.horizontalHeader().length() - table.viewport().width()) <= 1


def test_columns_share_what_is_left_by_their_parts(qtbot: QtBot, theme: Theme) -> None:
    columns = (
        Column("file", "File", width=200),
        Column("begins", "Begins", share=3),
        Column("read", "Read"),
    )
    table = shown(qtbot, Table(theme, TableModel(columns, [Record(1)]), name="Files"), 1000)
    beyond = table.viewport().width() - 200 - 2 * 96  # so much of each is always seen
    assert table.columnWidth(1) == pytest.approx(96 + 0.75 * beyond, abs=1)
    table.resize(400, 400)
    assert 96 <= table.columnWidth(2) < table.columnWidth(1)


def test_rows_of_fewer_columns_show_them_all_after_folded_ones(qtbot: QtBot, theme: Theme) -> None:
    table = shown(qtbot, Table(theme, files_model(), name="Files"), 640)
    assert table.is_narrow and table.isColumnHidden(1)
    columns = [Column("file", "File", kept=True), Column("words", "Words", number=True, width=90)]
    table.show_table(TableModel(columns, [Record(1, {"file": "a.pdf", "words": 7})]))
    assert not table.is_narrow
    assert not any(table.isColumnHidden(at) for at in range(len(columns)))


def test_all_columns_fit_at_any_width(qtbot: QtBot, table: Table) -> None:
    for width in (320, 420, 640, 900, 1300):
        table.resize(width, 400)
        assert table.horizontalHeader().length() <= table.viewport().width()


def test_screen_readers_are_told_cells_and_reasons(table: Table) -> None:
    model = table.table_model
    index = model.index(model.row_of(LOCKED), 0)
    assert model.data(index, Qt.ItemDataRole.AccessibleTextRole) == (
        f"File {LOCKED}. This PDF opens only with its password. The other files go on."
    )
    assert QAccessible.queryAccessibleInterface(table).role() == QAccessible.Role.Table
    assert table.accessibleName() == "Files"


def test_cells_are_told_in_words() -> None:
    plain = Column("a", "A")
    cells = [Interval(40.7, 39.4, 42.0), Measure(27.04, forecast=True), 16384, 0.25, None]
    assert [told(cell, plain) for cell in cells] == [  # type: ignore[arg-type]
        "40.7 ± 1.3",
        "≈\u202f27.0",
        "16\u202f384",
        "0.25",
        "",
    ]
    assert told(Progress(0.5, "page 3 of 6"), plain) == "page 3 of 6"


def test_only_rows_in_sight_are_painted(
    qtbot: QtBot, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = [Record(i, {"a": i, "b": f"row {i}"}) for i in range(20_000)]
    model = TableModel([Column("a", "A", number=True, width=90), Column("b", "B")], records)
    table = shown(qtbot, Table(theme, model, name="Many"))
    painted: list[object] = []
    paint = table._rows.paint
    monkeypatch.setattr(
        table._rows,
        "paint",
        lambda p, r, record, *a: (painted.append(record), paint(p, r, record, *a)),
    )
    table.verticalScrollBar().setValue(table.verticalScrollBar().maximum() // 2)
    table.viewport().repaint()
    table.grab()
    assert 0 < len(set(map(id, painted))) < 40
    assert table.verticalHeader().length() == 20_000 * ROW_PX


@pytest.mark.parametrize("size", [(1440, 900), (720, 450)])
def test_scene_is_drawn(qtbot: QtBot, theme: Theme, size: tuple[int, int]) -> None:
    page = build(theme, size)
    qtbot.addWidget(page)
    with qtbot.waitExposed(page):
        page.show()
    assert not page.grab().isNull()


def test_intervals_have_the_decimals_of_their_column_and_a_true_minus() -> None:
    column = Column("ahead", "Ahead", scale=(-100.0, 100.0), decimals=1)
    assert told(Interval(-20.0, -50.0, 10.0), column) == "−20.0 ± 30.0"
    assert told(Interval(2.694, 0.7, 4.6), column) == "2.7 ± 1.9"
    assert told(Interval(2.694, 0.7, 4.6), Column("a", "A", scale=(0.0, 9.0))) == "2.69 ± 1.95"


def test_a_row_unfolds_when_the_one_that_was_unfolded_is_not_listed_any_more(
    qtbot: QtBot, theme: Theme
) -> None:
    model = files_model()
    table = shown(qtbot, Table(theme, model, name="Files"), width=420)
    assert table.is_narrow
    table.selectRow(0)
    qtbot.keyClick(table, Qt.Key.Key_Return)
    model.set_records([model.record(row) for row in range(1, model.rowCount())])
    table.selectRow(0)
    height = table.rowHeight(0)
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert table.rowHeight(0) > height
