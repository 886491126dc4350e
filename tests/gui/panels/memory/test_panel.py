"""The Memory panel in the real window: chosen, forecast, really measured, exported, by keys."""

import csv
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from core.decoding.settings import DecodingSettings
from core.library.folders import Folders
from core.library.preferences import PanelState
from core.profiling.memory_fields import preset_model
from core.profiling.memory_sweeps import Machine
from core.profiling.paper_figures import FIGURES
from core.training.plan import QUEUED_FILE, RunPlan
from core.training.settings import RunSettings, TrainSettings
from gui.main_window import MainWindow
from gui.panels.memory.panel import MemoryPanel
from gui.widgets.inputs.menu import Menu
from tests.helpers.memory_window import MACHINE, memory, take_tiny
from tests.helpers.queued_jobs import ROOT, end_all
from tests.helpers.training_window import train
from tests.helpers.windows import WIDE, end_window, show_window, toasts

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")


@pytest.fixture
def window(qtbot: QtBot, shared_window: MainWindow) -> MainWindow:
    """The module's window with the panel as it is at first, for a machine that does not change."""
    shared_window.resize(*WIDE)
    shared_window.show_panel("memory")
    panel = memory(shared_window)
    panel.show_results()
    qtbot.waitUntil(lambda: panel.knows_machine)
    panel.state.pinned = []
    panel.state.choose_preset("small")
    panel.state.choose_axis("length")
    panel.results.what.set_value("memory")
    panel.show_machine(MACHINE, 0)
    shared_window.activateWindow()
    qtbot.waitUntil(shared_window.isActiveWindow)
    return shared_window


@pytest.fixture
def own_window(qtbot: QtBot, home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    """A window whose queue really works."""
    monkeypatch.setenv("PYTHONPATH", f"{ROOT}{os.pathsep}{os.environ['PYTHONPATH']}")
    monkeypatch.setenv("EPITOME_HOME", str(home))
    window = show_window(home)
    window.resize(*WIDE)
    window.show_panel("memory")
    qtbot.waitUntil(lambda: memory(window).knows_machine)
    memory(window).show_machine(MACHINE, 0)
    yield window
    end_window(window)
    end_all(home)


@pytest.fixture
def panel(window: MainWindow) -> MemoryPanel:
    return memory(window)


def pick(qtbot: QtBot, box: QComboBox, words: str) -> None:
    """Chooses an entry with the keys."""
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Home)
    for _ in range(box.count()):
        if box.currentText() == words:
            break
        qtbot.keyClick(box, Qt.Key.Key_Down)
    assert box.currentText() == words


def settled(qtbot: QtBot, panel: MemoryPanel) -> None:
    qtbot.waitUntil(lambda: not panel._soon.isActive())


def type_values(qtbot: QtBot, panel: MemoryPanel, text: str) -> None:
    field = panel.side.values
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    settled(qtbot, panel)


def click(qtbot: QtBot, button: QWidget) -> None:
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def heads(panel: MemoryPanel) -> list[str]:
    assert panel.results.table is not None
    return [column.title for column in panel.results.table.table_model.columns]


def menu_of(qtbot: QtBot, button: QWidget) -> Menu:
    click(qtbot, button)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, Menu)
    return menu


def entry(menu: Menu, words: str) -> QAction:
    (found,) = [a for a in menu.actions() if a.text().partition("\t")[0] == words]
    return found


def test_a_forecast_stands_there_at_once(panel: MemoryPanel) -> None:
    assert "tokens fit in this machine" in panel.results.words
    assert "≈\u202f" in panel.results.parts.words and "of 8.00\u202fGB" in panel.results.parts.words
    assert heads(panel)[0] == "Peak memory, GB" and heads(panel)[-1] == "Longest that fits"
    assert all(not chart.model.empty for chart in panel.results.charts)
    assert panel.header.measure.text().startswith("Measure ")
    assert "Nothing was measured on this machine yet." in panel.results.words


@pytest.mark.parametrize("values", ["128,256", "1024..65536x2"])
@pytest.mark.parametrize("size", [(1366, 768), (1366, 1024), (1200, 800), (720, 450)])
def test_nothing_is_wider_than_its_room(
    qtbot: QtBot, window: MainWindow, panel: MemoryPanel, size: tuple[int, int], values: str
) -> None:
    window.resize(*size)
    panel.show_side("charts")
    panel.state.choose_values(values)
    panel.redraw()
    QApplication.processEvents()
    page = panel.results.widget()
    assert page is not None
    assert page.width() == panel.results.viewport().width()
    for part in page.findChildren(QWidget):
        if part.isVisible() and part.parentWidget() is not None:
            left = part.mapTo(page, part.rect().topLeft()).x()
            assert left + part.width() <= page.width(), part


def test_another_preset_field_and_values_are_drawn_at_once(
    qtbot: QtBot, panel: MemoryPanel
) -> None:
    pick(qtbot, panel.side.preset, "Quick, two cores")
    settled(qtbot, panel)
    pick(qtbot, panel.side.axis, "Depth")
    settled(qtbot, panel)
    type_values(qtbot, panel, "2,4")
    assert heads(panel) == ["Peak memory, GB", "2", "4", "Largest that fits"]
    assert "--vary depth=2,4" in panel.results.command.line
    assert "--preset quick" in panel.results.command.line
    type_values(qtbot, panel, "4..2x2")
    assert panel.side.values.error and not panel.header.measure.isEnabled()


def test_parts_that_are_switched_off_have_no_values_to_type(
    qtbot: QtBot, panel: MemoryPanel
) -> None:
    assert panel.side.values.isVisible()
    pick(qtbot, panel.side.axis, "Parts switched off")
    settled(qtbot, panel)
    assert not panel.side.values.isVisible()


def test_a_number_at_the_side_and_one_on_the_page_of_all_settings(
    qtbot: QtBot, panel: MemoryPanel
) -> None:
    before = panel.state.rows[0].cells[0].peak_bytes or 0
    field = panel.side.fields["batch"]
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "8")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    settled(qtbot, panel)
    assert (panel.state.rows[0].cells[0].peak_bytes or 0) > 1.2 * before
    click(qtbot, panel.side.all_settings)
    form = panel.settings.form
    assert form is not None and form.rows["batch"].difference.text() == "preset: 1"
    form.rows["width"].edited.emit("width", "512")
    settled(qtbot, panel)
    assert "--width 512" in panel.results.command.line
    assert panel.escape() and panel.results.isVisible()


def test_variants_are_ticked_and_added_up_to_six(qtbot: QtBot, panel: MemoryPanel) -> None:
    box = next(b for b in panel.side.boxes.values() if b.words == "Checkpointing")
    click(qtbot, box)
    settled(qtbot, panel)
    assert "Checkpointing" in [row.variant.title for row in panel.state.rows]
    menu = menu_of(qtbot, panel.side.add)
    entry(menu, "Quick, two cores").trigger()
    menu.close()
    assert panel.state.rows[-1].variant.title == "Quick, two cores: LSH, reversible"
    free = [b for b in panel.side.boxes.values() if not b.isChecked()]
    assert len(panel.state.rows) == 6 and free and not any(b.isEnabled() for b in free)


def test_each_chart_has_a_table_twin_and_files(
    qtbot: QtBot, panel: MemoryPanel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for chart in panel.results.charts:
        click(qtbot, chart.table_button)
        assert chart._table is not None and chart._table.table_model.rowCount() == 6
        click(qtbot, chart.table_button)
    for number, suffix in enumerate(("png", "svg", "csv")):
        path = tmp_path / f"memory.{suffix}"
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a, path=path: (str(path), ""))
        menu = menu_of(qtbot, panel.header.export)
        entry(menu, f"Peak memory, .{suffix}").trigger()
        menu.close()
        assert path.stat().st_size > 100 * (number != 2)
    rows = list(csv.reader((tmp_path / "memory.csv").read_text("utf-8").splitlines()))
    assert rows[0][0] == "Length" and rows[0][1] == "LSH, reversible, GB (forecast)"
    assert len(rows) == 7


def test_a_figure_of_the_paper_is_one_choice_in_a_menu(qtbot: QtBot, panel: MemoryPanel) -> None:
    menu = menu_of(qtbot, panel.header.paper)
    entry(menu, "Figure 13: LSH and full attention, by length").trigger()
    menu.close()
    assert panel.results.paper is not None
    shown = panel.results.paper.table_model.csv().splitlines()
    assert shown[1].startswith("Longest with LSH,81\u202f920 tokens,") and shown[1].endswith(
        " tokens"
    )
    assert len(FIGURES) == 3 and panel.state.figure in next(iter(FIGURES.values()))


def test_what_was_shown_is_there_again_at_the_next_start(
    qtbot: QtBot, window: MainWindow, panel: MemoryPanel
) -> None:
    panel.state.choose_axis("batch")
    panel.state.choose_values("1,2")
    panel.state.put("width", "512")
    panel.state.pin("Mine", *panel.state.base)  # type: ignore[misc]
    kept: PanelState = panel.saved_state()
    panel.state.choose_preset("paper-4")
    panel.state.pinned = []
    panel.restore_state(kept)
    assert panel.state.axis == "batch" and panel.state.tried == "1,2"
    assert panel.state.form.value("width") == 512
    assert panel.state.variants[-1].title == "Mine: LSH, reversible"
    panel.restore_state({"shown": '{"preset": "gone"}'})
    panel.restore_state({"shown": "no json"})
    assert panel.state.rows


def test_the_added_models_that_were_drawn_are_drawn_at_the_next_start(
    panel: MemoryPanel,
) -> None:
    state = panel.state
    for name in ("first", "second", "third"):
        state.pin(name, *state.base)  # type: ignore[misc]
    first, second, third = state.pinned
    state.unpin(first.key)
    state.ticked = ["base", third.key]
    shown = [variant.title for variant in state.shown]
    assert shown[-1].startswith("third")
    kept: PanelState = panel.saved_state()
    panel.restore_state(kept)
    assert [variant.title for variant in state.shown] == shown
    state.unpin(second.key)
    assert [variant.title for variant in state.shown] == shown


@pytest.mark.slow
def test_points_are_measured_beside_the_window_and_cancelling_keeps_what_is_there(
    qtbot: QtBot, own_window: MainWindow
) -> None:
    panel = memory(own_window)
    take_tiny(panel.state, "16,32,48,64")
    panel.redraw()
    assert panel.header.measure.text() == "Measure 4 points"
    assert panel.commands()["start"]
    click(qtbot, panel.header.measure)
    qtbot.waitUntil(lambda: any(cell.is_measured for cell in panel.state.rows[0].cells))
    assert panel.state.busy and panel.jobs[0].kind == "profile"
    click(qtbot, panel.header.measure)  # it says "Cancel" now
    qtbot.waitUntil(lambda: not panel.state.busy)
    done = [cell for cell in panel.state.rows[0].cells if cell.is_measured]
    assert 1 <= len(done) < 4
    assert panel.header.measure.text() == f"Measure {4 - len(done)} points".replace(
        "1 points", "1 point"
    )
    file = Folders.of_this_user().measurements_file
    kept = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert len(kept) == len(done) and kept[0]["point"]["length"] == 16
    assert kept[0]["found"]["num_tokens"] == 16 and kept[0]["forecast_bytes"] > 0
    assert "Forecasts were off by" in panel.results.words and "Measured" in panel.results.words
    panel.results.what.set_value("all")
    panel.redraw()
    assert heads(panel)[2:5] == ["Process, GB", "Forecast, GB", "Off by"]
    assert not [toast for toast in toasts(own_window) if "failed" in str(toast)]


def test_nothing_is_measured_where_nothing_fits(qtbot: QtBot, panel: MemoryPanel) -> None:
    panel.show_machine(Machine(limit_bytes=10_000_000), 0)
    assert not panel.header.measure.isEnabled()
    assert panel.results.words.startswith("None of these fits in this machine.")
    panel.measure()
    assert not panel.state.busy


@pytest.mark.parametrize("size", [(1366, 768), (1000, 700), (720, 450)])
def test_every_part_can_be_reached_in_a_small_window(
    qtbot: QtBot, window: MainWindow, panel: MemoryPanel, size: tuple[int, int]
) -> None:
    window.resize(*size)
    QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
    qtbot.waitUntil(lambda: window.width() == size[0])
    if size[0] < 1000:
        assert panel.header.switch.isVisible() and not panel.side.isVisible()
        click(qtbot, panel.header.switch.findChildren(QWidget)[0])
        qtbot.waitUntil(panel.side.isVisible)
        panel.show_side("charts")
    assert panel.header.measure.isVisible()
    right = panel.header.measure.mapTo(window, panel.header.measure.rect().topRight()).x()
    assert right <= window.width()
    page = panel.results.widget()
    assert page is not None and page.minimumSizeHint().width() <= size[0] - 48


def test_keys_reach_each_part_and_the_command_is_copied(
    qtbot: QtBot, window: MainWindow, panel: MemoryPanel
) -> None:
    panel.side.preset.setFocus()
    seen: list[QWidget] = []
    for _ in range(80):
        focused = QApplication.focusWidget()
        assert focused is not None
        if focused in seen:
            break
        seen.append(focused)
        QTest.keyClick(focused, Qt.Key.Key_Tab)
    parts: list[QWidget] = [
        panel.side.axis, panel.side.values, panel.side.fields["batch"], panel.side.all_settings,
        *panel.side.boxes.values(), panel.side.add, panel.results.charts[0].table_button,
        panel.results.charts[1].download, panel.results.command.button, panel.header.measure,
    ]  # fmt: skip
    missing = [part.accessibleName() for part in parts if part not in seen]
    assert missing == []
    heights = [
        part.mapTo(panel.side, part.rect().center()).y()
        for part in seen[seen.index(panel.side.axis) :]
        if panel.side.isAncestorOf(part)
    ]
    assert heights == sorted(heights)  # from the top, whatever was made last
    panel.commands()["copy_command"]()
    assert QGuiApplication.clipboard().text().startswith("epitome profile ")


def write_run(window: MainWindow, name: str, family: str = "small") -> RunPlan:
    """A run that was queued and has not begun."""
    train = TrainSettings(batch=4, device="cpu")
    plan = RunPlan(RunSettings(corpus="c"), preset_model(family), train, DecodingSettings())
    folder = window.folders.runs / name
    folder.mkdir(parents=True)
    (folder / QUEUED_FILE).write_text(plan.to_toml(), "utf-8")
    return plan


def test_a_run_is_chosen_from_the_menu_and_its_own_point_stands_in_the_bar(
    qtbot: QtBot, panel: MemoryPanel, window: MainWindow
) -> None:
    write_run(window, "patents-4k")
    panel.look()
    qtbot.waitUntil(lambda: "patents-4k" in [run.title for run in panel._runs])
    menu = menu_of(qtbot, panel.side.add)
    entry(menu, "patents-4k").trigger()
    menu.close()
    title = "patents-4k: LSH, reversible, batch 4"
    qtbot.waitUntil(lambda: panel.state.rows[-1].variant.title == title)
    assert title in panel.results.parts.words
    assert panel.state.ticked[-1].startswith("added ")


def test_another_panel_hands_over_a_run_and_what_is_left_out_is_told(
    qtbot: QtBot, panel: MemoryPanel, window: MainWindow
) -> None:
    plan = write_run(window, "letters", "paper-4")
    changed = replace(plan, train=plan.train.model_copy(update={"optimizer": "adafactor"}))
    window.show_panel("memory", title="letters", plan=changed.to_json())
    assert panel.state.rows[-1].variant.title.startswith("letters: ")
    assert "The forecast is for Adam; Adafactor needs less." in toasts(window)


def test_the_menu_of_a_run_leads_to_its_memory(qtbot: QtBot, own_window: MainWindow) -> None:
    panel = memory(own_window)
    write_run(own_window, "speeches")
    own_window.show_panel("train")
    desk = train(own_window).desk
    folder = own_window.folders.runs / "speeches"
    desk.look()
    qtbot.waitUntil(lambda: desk.state.run(folder) is not None)
    desk.open(folder)
    entry(desk.menu(), "Forecast its memory").trigger()
    title = "speeches: LSH, reversible, batch 4"
    qtbot.waitUntil(lambda: panel.isVisible() and panel.state.rows[-1].variant.title == title)


def test_the_estimate_of_a_new_job_leads_to_its_memory(
    qtbot: QtBot, own_window: MainWindow
) -> None:
    panel = memory(own_window)
    own_window.show_panel("train")
    new_desk = train(own_window).new_desk
    train(own_window).new_job()
    qtbot.waitUntil(lambda: new_desk.has_looked and new_desk.draft.plan is not None)
    button = train(own_window).new_page.estimate.memory_button
    qtbot.waitUntil(button.isEnabled)
    button.triggered.emit()
    assert panel.isVisible()
    plan = new_desk.draft.plan
    assert plan is not None and panel.state.rows[-1].variant.model == plan.model


def test_a_long_list_of_values_shows_its_start_unless_it_is_typed(
    qtbot: QtBot, window: MainWindow
) -> None:
    panel = memory(window)
    values = panel.side.values
    panel.side.preset.setFocus()
    panel.state.choose_values("1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072")
    panel.redraw()
    assert values.cursorPosition() == 0
    values.setFocus()
    values.end(False)
    qtbot.keyClicks(values, ", 262144")
    assert values.cursorPosition() == len(values.text())
    panel.side.preset.setFocus()
    assert values.text().endswith("262144") and values.cursorPosition() == 0
