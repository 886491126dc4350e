"""Tabs, rows that wrap, marks of gap sentences."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from gui.theme.theme import Theme
from gui.widgets.inputs.command_line import CommandLine
from gui.widgets.inputs.tabs import Tabs
from gui.widgets.inputs.wrap_row import WrapRow, labelled
from gui.widgets.reading.gap_marks import GapMarks
from gui.widgets.reading.marks import Mark, Marks


def test_a_tab_is_chosen_by_pointer_and_arrows(qtbot: QtBot, theme: Theme) -> None:
    tabs = Tabs(theme, [("one", "One"), ("two", "Two"), ("three", "Three")], name="Parts")
    qtbot.addWidget(tabs)
    tabs.show()
    tabs.activateWindow()
    qtbot.waitUntil(tabs.isActiveWindow)
    chosen: list[str] = []
    tabs.chosen.connect(chosen.append)
    qtbot.mouseClick(tabs.tab("two"), Qt.MouseButton.LeftButton)
    qtbot.keyClick(tabs.tab("two"), Qt.Key.Key_Right)
    assert chosen == ["two", "three"] and tabs.value == "three"
    tabs.set_value("one")
    assert chosen == ["two", "three"] and tabs.value == "one"
    strong = [
        v for v in ("one", "two", "three") if tabs.tab(v).focusPolicy() & Qt.FocusPolicy.TabFocus
    ]
    assert strong == ["one"]
    tabs.set_words("two", "Two, 9")
    assert tabs.tab("two").accessibleName() == "Two, 9"


def test_groups_go_on_below_where_there_is_no_room(qtbot: QtBot, theme: Theme) -> None:
    groups = [labelled(theme, f"Name {n}", QLabel("a control of some width")) for n in range(6)]
    row = WrapRow(theme, groups)
    qtbot.addWidget(row)
    row.show()
    heights = []
    for width in (1600, 700, 320):
        row.resize(width, row.heightForWidth(width))
        heights.append(row.height())
        rects = [group.geometry() for group in groups]
        assert all(rect.right() <= width and rect.bottom() < row.height() for rect in rects)
        assert not any(a.intersects(b) for a in rects for b in rects if a is not b)
    assert heights == sorted(heights) and heights[0] < heights[2]
    groups[0].hide()
    row.arrange()
    assert groups[1].x() == 24


def test_a_command_is_copied(qtbot: QtBot, theme: Theme) -> None:
    line = CommandLine(theme)
    qtbot.addWidget(line)
    line.show_line("epitome corpus papers --out papers")
    line.show()
    qtbot.mouseClick(line.button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "epitome corpus papers --out papers"


@given(st.data())
def test_marks_from_arrays_are_found_as_others_are(data: Any) -> None:
    lengths = data.draw(st.lists(st.integers(1, 9), min_size=1, max_size=30))
    ends = np.cumsum(lengths)
    starts = ends - lengths
    ranks = data.draw(st.permutations(range(len(lengths))))
    ranks = [rank if rank <= 3 else 0 for rank in ranks]
    marks = GapMarks(starts, ends, [rank % 6 for rank in ranks], ranks)
    same = Marks(
        Mark(int(a), int(b), at + 1, "gap", rank % 6, rank)
        for at, (a, b, rank) in enumerate(zip(starts, ends, ranks, strict=True))
    )
    start = data.draw(st.integers(0, int(ends[-1])))
    end = data.draw(st.integers(start, int(ends[-1]) + 3))
    assert marks.between(start, end) == same.between(start, end)
    assert marks.at(start) == same.at(start)
    assert [marks.of(n) for n in (0, 1, len(lengths))] == [same.of(n) for n in (0, 1, len(lengths))]
    chosen = [mark for mark in same if mark.rank]
    assert marks.next_after(start) == next((m for m in chosen if m.start > start), None)
    before = [m for m in chosen if m.start < start]
    assert marks.last_before(start) == (before[-1] if before else None)


@pytest.mark.parametrize("number", [None, 0, 7])
def test_a_number_that_is_none_has_no_mark(number: int | None) -> None:
    assert GapMarks([0, 5], [5, 9], [0, 1], [0, 1]).of(number) == []
