"""A batch on a real cluster, chosen, started, paused and resumed in the real window."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from core.distribution import parts
from core.jobs.batches.store import BatchStore
from core.jobs.queue.job_queue import JobQueue
from gui.main_window import MainWindow
from gui.panels.batch.cluster_dialog import ClusterDialog
from gui.panels.batch.panel import BatchPanel
from tests.gui.workers.test_part_installer import Installing
from tests.helpers.clusters import LocalCluster, local_cluster, needs_part
from tests.helpers.queued_jobs import queue_of
from tests.helpers.towns import write_documents
from tests.helpers.windows import drop, end_window, files_data, show_window, words_on


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalCluster]:
    with local_cluster(tmp_path_factory.mktemp("cluster"), 1) as cluster:
        yield cluster


@pytest.fixture
def queue(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[JobQueue]:
    with queue_of(home, monkeypatch) as queue:
        yield queue


@pytest.fixture
def window(qtbot: QtBot, home: Path, queue: JobQueue) -> Iterator[MainWindow]:
    window = show_window(home)
    yield window
    end_window(window)


@pytest.fixture
def panel(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> BatchPanel:
    """The panel with a batch of thirty documents."""
    window.show_panel("batch")
    panel = window.shown
    assert isinstance(panel, BatchPanel)
    assert drop(window, files_data(write_documents(tmp_path / "Towns", 30)))
    qtbot.waitUntil(lambda: panel.state.counts["waiting"] == 30)
    return panel


def ask(window: MainWindow, panel: BatchPanel) -> ClusterDialog:
    """Chooses the last line of the box, as a person does."""
    box = panel.strip.place
    box.activated.emit(box.count() - 1)
    (dialog,) = (each for each in window.findChildren(ClusterDialog) if each.isVisible())
    return dialog


def connect(qtbot: QtBot, dialog: ClusterDialog, address: str) -> None:
    dialog.field.setText(address)
    qtbot.mouseClick(dialog.deed, Qt.MouseButton.LeftButton)


def choose(qtbot: QtBot, window: MainWindow, panel: BatchPanel, cluster: LocalCluster) -> None:
    connect(qtbot, ask(window, panel), cluster.address)
    qtbot.waitUntil(lambda: panel.state.cluster == cluster.address)


@needs_part
def test_a_batch_is_summarised_on_a_cluster(
    qtbot: QtBot, window: MainWindow, panel: BatchPanel, cluster: LocalCluster
) -> None:
    assert panel.strip.place.currentText() == "This machine"
    dialog = ask(window, panel)
    assert panel.strip.place.currentText() == "This machine"
    assert "are sent over the network" in words_on(dialog)
    assert "whoever reaches the scheduler can read them" in words_on(dialog)
    assert not dialog.offer.isVisible()
    qtbot.mouseClick(dialog.deed, Qt.MouseButton.LeftButton)
    assert dialog.told.text() == "Type the address first."
    connect(qtbot, dialog, "host:8786")
    assert "is no address of a Dask scheduler" in dialog.told.text()
    connect(qtbot, dialog, cluster.address)
    assert dialog.told.text().startswith("Connecting to")
    qtbot.waitUntil(lambda: panel.strip.place.currentText() == cluster.address)
    told = "1 worker, 1 task at a time; documents are sent there unencrypted"
    qtbot.waitUntil(lambda: panel.strip.place_told.text() == told)
    assert f"--cluster {cluster.address} --out summaries" in panel.page.command.line
    panel.starter.start()
    qtbot.waitUntil(lambda: not panel.strip.place.isEnabled() or panel.state.phase == "done")
    qtbot.waitUntil(lambda: panel.state.phase == "done")
    qtbot.waitUntil(lambda: panel.state.counts["done"] == 30)
    qtbot.waitUntil(panel.strip.place.isEnabled)
    panel.strip.place.activated.emit(0)
    qtbot.waitUntil(lambda: panel.state.cluster == "")
    qtbot.waitUntil(lambda: panel.strip.place.currentText() == "This machine")
    assert not panel.strip.place_told.isVisible()


@needs_part
def test_a_batch_on_a_cluster_is_paused_and_resumed(
    qtbot: QtBot, window: MainWindow, panel: BatchPanel, cluster: LocalCluster
) -> None:
    choose(qtbot, window, panel, cluster)
    panel.starter.start()
    qtbot.waitUntil(lambda: panel.state.counts["done"] > 0)
    panel.starter.toggle_pause()
    qtbot.waitUntil(lambda: panel.state.phase in ("paused", "done"))
    panel.starter.start()
    qtbot.waitUntil(lambda: panel.state.phase == "done")
    qtbot.waitUntil(lambda: panel.state.counts["done"] == 30)


@needs_part
def test_a_cluster_that_cannot_be_used_is_told_and_changes_nothing(
    qtbot: QtBot, window: MainWindow, panel: BatchPanel, tmp_path: Path
) -> None:
    with local_cluster(tmp_path / "empty", 0) as cluster:
        dialog = ask(window, panel)
        connect(qtbot, dialog, cluster.address)
        qtbot.waitUntil(lambda: "has no workers." in dialog.told.text())
        assert dialog.deed.isEnabled() and dialog.isVisible()
        connect(qtbot, dialog, cluster.address)
        dialog.reject()
        assert panel.state.cluster == ""
        folder = panel.state.folder
        assert folder is not None
        with BatchStore(folder) as store:
            store.set_cluster(cluster.address)
        panel.follower.look()
        qtbot.waitUntil(lambda: panel.state.cluster == cluster.address)
        panel.starter.start()
        qtbot.waitUntil(lambda: panel.state.phase == "failed")
        told = panel.page.banner.words
        qtbot.waitUntil(lambda: "has no workers. What is done is kept." in told.text())


def test_where_dask_is_missing_the_dialog_offers_it(
    qtbot: QtBot, window: MainWindow, panel: BatchPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = {"cluster"}
    monkeypatch.setattr(parts.Part, "is_installed", property(lambda part: part.name not in missing))
    made: list[Installing] = []

    def make(part: parts.Part) -> Installing:
        job = Installing(part)
        job.there = lambda: missing.discard(part.name)
        made.append(job)
        return job

    window.parts._make_job = make
    window.parts._states.clear()
    dialog = ask(window, panel)
    assert dialog.offer.isVisible() and not dialog.deed.isEnabled()
    qtbot.mouseClick(dialog.offer.install, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(made))
    made[0].go_on.set()
    qtbot.waitUntil(dialog.deed.isEnabled)
    assert not dialog.offer.isVisible()
    dialog.reject()
