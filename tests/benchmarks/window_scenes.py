"""What `window.py` measures, each in a fresh process: the real window, drawn without a screen.

A scene is a function that works the window and gives plain numbers. What is waited for is asked
every few milliseconds from the event loop, as a person's hand would come in between.
"""

import os
import re
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from core.library.folders import HOME_VARIABLE, Folders
from gui.main_window import MainWindow
from gui.panels.summarise.state import Phase
from tests.benchmarks.window_panel_scenes import comparing, remembering
from tests.benchmarks.window_play import Heartbeat, Paints, Script, play, window_at
from tests.helpers.windows import desk, drop, files_data

IDLE_S = 6.0
SCROLL_STEPS = 100
LENGTHS = range(2, 22)
WORDS = "the"
CORPUS_FILES, CORPUS_CHARACTERS = 400, 10_000
TRAINED_STEPS = 200
BATCH_FILES, BATCH_DONE = 10_000, 200
MEASURED_POINTS = 5
LONG_STEPS, LONG_FRAMES = 1_000_000, 200


@contextmanager
def open_window() -> Iterator[MainWindow]:
    """The window as it starts, with an empty home, its engine warm."""
    with tempfile.TemporaryDirectory() as home, window_at(Path(home)) as window:
        yield window


def is_ready(window: MainWindow) -> bool:
    """Whether a summary is there and nothing runs."""
    return desk(window).state.phase is Phase.READY


# The heartbeat


def heartbeat(document: Path) -> dict[str, float]:
    """Lateness while a long document is read, shown, scrolled, summarised and searched."""
    with open_window() as window:
        beat = Heartbeat()
        play(_work_through(window, document))
        seen = beat.stop()
        _check_work(window)
    return seen


def idle(document: Path) -> dict[str, float]:
    """The same window for six seconds without work."""
    with open_window():
        beat = Heartbeat()
        until_s = time.perf_counter() + IDLE_S
        play(iter([lambda: time.perf_counter() > until_s]))
        return beat.stop()


def _work_through(window: MainWindow, document: Path) -> Script:
    panel = desk(window)
    shown, listed = Paints(panel.source.view.viewport()), Paints(panel.summary.list.viewport())
    drop(window, files_data(document))
    yield lambda: is_ready(window) and shown.count > 0 and listed.count > 0
    assert panel.map._picture is not None, "the map was not drawn"
    yield from _scroll_through(window, shown)
    yield from _drag_length(window, listed)
    view, bar = panel.source.view, panel.source.find_bar
    bar.open_bar()
    bar.field.setText(WORDS)
    before = shown.count
    yield lambda: not view.look.finder.is_running and shown.count > before


def _scroll_through(window: MainWindow, shown: Paints) -> Script:
    view = desk(window).source.view
    bar = view.verticalScrollBar()
    assert view.first_visible_offset == 0
    for step in range(1, SCROLL_STEPS + 1):
        before = shown.count
        bar.setValue(bar.maximum() * step // SCROLL_STEPS)
        yield lambda before=before: shown.count > before
    span = view.visible_span()
    assert span and view.document and span[1] == len(view.document.text), "it did not scroll"


def _drag_length(window: MainWindow, listed: Paints) -> Script:
    panel = desk(window)
    slider = panel.summary.length.slider
    for value in LENGTHS:
        before = listed.count
        slider.setValue(value)
        yield (
            lambda before=before, value=value: (
                listed.count > before and _num_sentences(window) == value
            )
        )


def _num_sentences(window: MainWindow) -> int:
    summary = desk(window).summary.list.summary
    return len(summary.sentences) if summary else 0


def _check_work(window: MainWindow) -> None:
    document = desk(window).source.view.document
    assert document is not None and len(document.text) > 4_500_000, "the document is not long"
    opened = desk(window).state.opened
    assert opened and opened.ranked and len(opened.ranked.ranking.starts) > 10_000
    finder = desk(window).source.view.look.finder
    places = sum(1 for _ in re.finditer(WORDS, document.text, re.IGNORECASE))
    assert finder.count == places, f"{finder.count} places were found of {places}"


# Dropped, and shown


def dropped(document: Path) -> dict[str, float]:
    """Seconds from the drop of a report to the paint that shows its summary; then once more."""
    with open_window() as window:
        first_s = _drop_and_time(window, document)
        desk(window).go_back()
        again_s = _drop_and_time(window, document)
        summary, read = (
            desk(window).state.summary,
            desk(window).state.opened,
        )
        assert summary is not None and read is not None
        return {
            "seconds": round(first_s, 3),
            "again_s": round(again_s, 3),
            "words": read.document.reading.words,
            "pages": read.document.reading.pages,
        }


def _drop_and_time(window: MainWindow, document: Path) -> float:
    listed = Paints(desk(window).summary.list.viewport())
    started_s = time.perf_counter()
    drop(window, files_data(document))
    assert not is_ready(window)
    painted_s = 0.0

    def is_shown() -> bool:
        nonlocal painted_s
        painted_s = listed.last_s
        return is_ready(window) and listed.count > 0

    play(iter([is_shown]))
    return painted_s - started_s


# Another length


def length(document: Path) -> dict[str, float]:
    """Milliseconds from a moved slider to the painted summary, over all lengths of the slider."""
    with open_window() as window:
        _drop_and_time(window, document)
        took_ms: list[float] = []
        for unit in ("sentences", "words"):
            desk(window).editor.choose_unit(unit)
            play(_time_lengths(window, took_ms))
    took_ms.sort()
    return {
        "moves": len(took_ms),
        "p50_ms": round(statistics.median(took_ms), 1),
        "p99_ms": round(took_ms[int(0.99 * (len(took_ms) - 1))], 1),
        "max_ms": round(took_ms[-1], 1),
    }


def _time_lengths(window: MainWindow, took_ms: list[float]) -> Script:
    panel = desk(window)
    listed, slider = Paints(panel.summary.list.viewport()), panel.summary.length.slider
    top = slider.maximum()
    for value in sorted({1 + (top - 1) * step // 40 for step in range(41)}, reverse=True):
        if value == slider.value():
            continue
        before, started_s = listed.count, time.perf_counter()
        slider.setValue(value)
        yield (
            lambda before=before, value=value: (
                listed.count > before and panel.state.length.value == value
            )
        )
        took_ms.append(1000 * (listed.last_s - started_s))


@contextmanager
def open_window_with_queue() -> Iterator[tuple[MainWindow, Path]]:
    """The window and its home, where queued jobs find it too."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        os.environ[HOME_VARIABLE] = folder
        with window_at(home) as window:
            yield window, home


def corpus(document: Path) -> dict[str, float]:
    """Lateness while the Corpus panel prepares a corpus, opens it and counts its tokens."""
    with open_window_with_queue() as (window, home):
        source = home / "documents"
        source.mkdir()
        text = document.read_text(encoding="utf-8")
        for number in range(CORPUS_FILES):
            start = number * CORPUS_CHARACTERS
            part = text[start : start + CORPUS_CHARACTERS]
            (source / f"{number:04}.txt").write_text(part, encoding="utf-8")
        window.show_panel("corpus")
        beat = Heartbeat()
        play(_prepare_corpus(window, source))
        seen = beat.stop()
        page = window.shown.opened_page  # type: ignore[attr-defined]
        tokens = page.lengths.lengths.tokens
        seen["documents"] = float(len(tokens.lengths))
        assert seen["documents"] == CORPUS_FILES, "a document is missing"
    return seen


def _prepare_corpus(window: MainWindow, source: Path) -> Script:
    panel: Any = window.shown
    panel.new_corpus([str(source)])
    yield lambda: not panel.new_page.state.is_looking and not panel.new_page.state.problem
    panel.prepare()
    yield (
        lambda: (
            panel.opened_page.isVisible() and panel.opened_page.lengths.lengths.corpus is not None
        )
    )
    panel.opened_page.show_tab("lengths")
    tab = panel.opened_page.lengths
    yield lambda: bool(tab.documents.model.counts.sum())
    tab.count_tokens()
    yield lambda: tab.lengths.tokens is not None
    for length in range(512, 8_192, 256):
        tab.set_model_length(length)
        yield lambda: True  # the next value comes in another turn


def training(document: Path) -> dict[str, float]:
    """Lateness while a real run trains: followed, paused, resumed, zoomed; a new job set up."""
    from tests.helpers.runs import tiny_corpus, tiny_plan

    with open_window_with_queue() as (window, home):
        tiny_corpus(Folders.under(home).corpora / "tiny")
        plan = tiny_plan(
            Folders.under(home).corpora / "tiny", steps=100_000, validate_every=100, batch=4
        )
        window.show_panel("train")
        play(_queue_run(window, plan, home))
        beat = Heartbeat()
        play(_watch_run(window))
        seen = beat.stop()
        seen["steps"] = float(len(_history(window)))
        assert seen["steps"] > TRAINED_STEPS
        play(_stop_run(window))
    return seen


def _train(window: MainWindow) -> Any:
    return window.panel("train")


def _history(window: MainWindow) -> Any:
    return _train(window).view.page.history


def _queue_run(window: MainWindow, plan: Any, home: Path) -> Script:
    from core.jobs.training.queued_training import specify_training

    run = Folders.under(home).runs / "tiny"
    window.controller.queue_job(specify_training(plan, run))
    _train(window).desk.state.selected = run
    yield lambda: len(_history(window)) > 1


def _watch_run(window: MainWindow) -> Script:
    panel = _train(window)
    yield lambda: len(_history(window)) > TRAINED_STEPS // 2
    panel.view.page.charts[0].plot.zoom(0.5)
    panel.new_job()
    yield lambda: panel.new_desk.has_looked
    form = panel.new_page.form
    for steps in range(100, 200):
        form.rows["steps"].edited.emit("steps", str(steps))
        yield lambda: True  # the next key comes in another turn
    panel.show_runs()
    panel.desk.do("pause")
    yield lambda: panel.desk.state.open.state == "paused"
    before = len(_history(window))
    panel.desk.do("resume")
    yield lambda: len(_history(window)) > max(before, TRAINED_STEPS) + 20


def _stop_run(window: MainWindow) -> Script:
    panel = _train(window)
    panel.desk.do("stop")
    yield lambda: panel.desk.state.open.state == "stopped"


def measuring(document: Path) -> dict[str, float]:
    """Lateness while points of memory and time are measured: settings typed, charts redrawn."""
    from tests.helpers.memory_window import take_tiny

    with open_window_with_queue() as (window, _):
        window.show_panel("memory")
        panel = window.panel("memory")
        play(_know_machine(panel))
        take_tiny(panel.state, "16..64+4")
        panel.redraw()
        window.grab()
        beat = Heartbeat()
        play(_watch_measuring(panel))
        seen = beat.stop()
        seen["steps"] = float(len(panel.state.kept))
        play(_cancel_measuring(panel))
    return seen


def _know_machine(panel: Any) -> Script:
    yield lambda: panel.knows_machine


def _watch_measuring(panel: Any) -> Script:
    panel.measure()
    for points in range(1, MEASURED_POINTS + 1):
        yield lambda points=points: len(panel.state.kept) >= points
        panel.side.fields["batch"].setText(str(points))
        panel.side._take_number("batch")
        yield lambda: not panel._soon.isActive()
        panel.side.fields["batch"].setText("1")
        panel.side._take_number("batch")
        yield lambda: not panel._soon.isActive()
        panel.results.charts[0].plot.zoom(0.5)
        yield lambda: True
        panel.results.charts[0].plot.reset()
        yield lambda: True


def _cancel_measuring(panel: Any) -> Script:
    panel.cancel()
    yield lambda: not panel.state.busy


def long_run(document: Path) -> dict[str, float]:
    """Lateness while a run of 1,000,000 steps grows, is panned and zoomed in its page."""
    from core.jobs.runs.run_history import RunHistory
    from gui.panels.train.curves import RunCurves
    from gui.panels.train.state import ListedRun
    from tests.helpers.long_runs import long_news

    with open_window() as window:
        window.show_panel("train")
        page, history = _train(window).view.page, RunHistory()
        for news in long_news(LONG_STEPS, LONG_STEPS // 10):
            history.take(news)
        run = ListedRun(Path("long"), "long", "running", "running")
        page.open(run, history, RunCurves(2 * LONG_STEPS))
        _train(window).view._stack.setCurrentIndex(1)
        window.grab()
        beat = Heartbeat()
        play(_move_through(page, history))
        seen = beat.stop()
        seen["steps"] = float(len(history))
        assert seen["steps"] > LONG_STEPS
    return seen


def _move_through(page: Any, history: Any) -> Script:
    from tests.helpers.long_runs import long_news

    plot = page.charts[0].plot
    for index, news in enumerate(long_news(3 * LONG_FRAMES, 3, first=LONG_STEPS + 1)):
        if index % 10 == 0:  # as a run of ten steps a second grows
            history.take(news)
            page.redraw()
        elif index < LONG_FRAMES // 2:
            plot.zoom(0.98)
        else:
            plot.box.translateBy(x=LONG_STEPS / 500)
        yield lambda: True


def batch(document: Path) -> dict[str, float]:
    """Lateness while a batch of 10,000 files fills, is filtered, searched, sorted and scrolled."""
    from tests.helpers.towns import write_documents

    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        os.environ[HOME_VARIABLE] = folder
        documents = write_documents(home / "documents", BATCH_FILES)
        with window_at(home) as window:
            window.show_panel("batch")
            panel: Any = window.panel("batch")
            beat = Heartbeat()
            play(_fill_batch(window, panel, documents))
            seen = beat.stop()
            seen["documents"] = float(panel.state.counts["done"])
            assert seen["documents"] >= BATCH_DONE
            panel.starter.cancel()
            play(iter([lambda: panel.state.phase == "empty"]))
    return seen


def _fill_batch(window: MainWindow, panel: Any, documents: Path) -> Script:
    drop(window, files_data(documents))
    yield lambda: len(panel.state.rows) == BATCH_FILES
    panel.starter.start()
    yield lambda: panel.state.counts["done"] > BATCH_DONE // 4
    for name in ("waiting", "done", "failed", "all"):
        panel.page.filters.part(name).click()
        before = panel.state.counts["done"]
        yield lambda before=before: panel.state.counts["done"] > before + 5
    for length in range(1, 5):
        panel.page.search.setText("0042"[:length])
        yield lambda: True
    panel.page.search.clear()
    bar = panel.table.verticalScrollBar()
    painted = Paints(panel.table.viewport())
    for step in range(1, SCROLL_STEPS + 1):
        count = painted.count
        bar.setValue(bar.maximum() * step // SCROLL_STEPS)
        yield lambda count=count: painted.count > count
    for column in (0, 2, 4):
        panel.table._sort_by(column)
        yield lambda: True
    yield lambda: panel.state.counts["done"] >= BATCH_DONE


SCENES: dict[str, Callable[[Path], dict[str, float]]] = {
    "heartbeat": heartbeat,
    "idle": idle,
    "dropped": dropped,
    "length": length,
    "corpus": corpus,
    "training": training,
    "measuring": measuring,
    "long_run": long_run,
    "batch": batch,
    "comparing": comparing,
    "remembering": remembering,
}


def show(name: str, document: Path) -> dict[str, float]:
    """Plays one scene; for a process of its own.

    Args:
        name: One of `SCENES`.
        document: The file that it opens.

    Returns:
        What was measured.
    """
    app = QApplication(["epitome"])
    measured = SCENES[name](document)
    app.sendPostedEvents()
    return measured
