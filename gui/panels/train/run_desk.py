"""The runs of the Train panel: keeps list and page up to date, and does what is asked of a run."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QPoint, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from core.events import Event, Failed
from core.jobs.call import CallJob
from core.jobs.job import Job
from core.jobs.queue.listing import JobNow
from core.jobs.runs.bundle_run import BundleRunJob
from core.jobs.runs.compare_runs import ComparedRun, CompareRunsJob
from core.jobs.runs.gauge_run import Found, GaugeRunJob
from core.jobs.runs.list_runs import list_runs
from core.jobs.runs.run_history import FollowRunJob, ReadRunJob, RunHistory, RunNews
from core.jobs.runs.run_report import RunReportJob
from core.jobs.training.queued_training import specify_resumed
from core.jobs.training.retry_training import FailedRun, Retry, find_retries, keep_retry
from core.jobs.training.run_plan import plan_in
from core.models.families import get_family
from core.profiling.settings import GaugeName, GaugeSettings
from core.runs.about import read_about, write_about
from core.runs.control import request
from core.runs.folder import RunFolder, last_start
from core.training.plan import RunPlan
from gui.job_list import time_left as left_words
from gui.panel import Services
from gui.panels.train.curves import OTHER_COLORS, RunCurves
from gui.panels.train.run_list import RunList
from gui.panels.train.run_page import RunPage
from gui.panels.train.state import Deed, ListedRun, TrainState
from gui.theme.theme import Theme
from gui.widgets.inputs.menu import Menu
from gui.widgets.inputs.saving import ask_where
from gui.workers.latest_run import LatestRun
from gui.workers.runner import Run

_LIST_AGAIN_MS = 1000
_MOST_OVERLAYS = 20
_MOST_COLORS = 24  # kept for the next window; there are fewer colours
_LARGE_BYTES = 1_000_000
"""A longer file of events is read in another process: the window must not stutter."""


class RunDesk(QObject):
    """Knows all runs, follows the one that is open.

    Args:
        services: What the window does.
        runs: Shows the list.
        page: Shows the open run.
        parent: Qt's owner.
    """

    changed = Signal()
    """Other runs are there, or another one is open."""
    compared = Signal(object)
    """What was read of the runs that are compared: a tuple of `ComparedRun`."""
    new_wanted = Signal(object, str)
    """A new job that begins with a run's settings: its folder, and the deed."""
    plan_wanted = Signal(object)
    """A new job that begins with this `RunPlan`."""

    def __init__(self, services: Services, runs: RunList, page: RunPage, parent: QObject) -> None:
        super().__init__(parent)
        self._is_over = False
        self._services, self._list, self._page = services, runs, page
        self.state = TrainState()
        self._follow: Run | None = None
        self._listing: Run | None = None
        self._is_stale = False
        self._histories: dict[Path, RunHistory] = {}
        self._colors: dict[Path, str] = {}
        self._opened: Path | None = None
        self._opened_id = ""
        """The id of the open run: another one may get the folder of a run that was deleted."""
        self._is_unread = False
        self._failed: tuple[Path, Failed] | None = None
        self._gauging: Run | None = None
        self._comparing = LatestRun()
        self._total_bytes = 0.0
        self._again = QTimer(self, singleShot=True, interval=_LIST_AGAIN_MS)
        self._again.timeout.connect(self.look)
        self._queue = services.controller.queue
        self._queue.listed.connect(self._take_jobs)
        self.state.take_jobs(self._queue.jobs)
        runs.chosen.connect(self.open)
        runs.menu_requested.connect(self._open_menu_at)
        page.asked.connect(self.do)
        page.menu_requested.connect(self._open_menu_below)
        page.overlays_requested.connect(self._open_overlays)
        page.about_edited.connect(self._keep_about)
        page.retried.connect(self.retry)
        page.gauges.wanted.connect(self.gauge)
        page.gauges.cancelled.connect(self.cancel_gauge)
        page.failed.connect(services.report_failure)
        page.saved.connect(lambda path: services.notify("ok", self.tr("Saved"), str(path)))

    @property
    def theme(self) -> Theme:
        """The look."""
        return self._services.theme

    # The list

    def look(self) -> None:
        """Looks which runs are there, in a thread."""
        if self._listing is not None:
            self._is_stale = True
            return
        elsewhere = tuple(job.folder for job in self.state.jobs if job.state != "cancelled")
        job = CallJob(list_runs, self._services.folders.runs, elsewhere)
        run = self._listing = self._services.controller.run_in_thread(job)
        run.finished.connect(self._take_cards)
        run.failed.connect(self._services.report_failure)
        run.ended.connect(self._listed)

    def _listed(self) -> None:
        self._listing = None
        if self._is_stale:
            self._is_stale = False
            self._again.start()

    def _take_cards(self, cards: object) -> None:
        self.state.take_cards(cards)  # type: ignore[arg-type]
        self._show()

    def _take_jobs(self, listed: tuple[JobNow, ...]) -> None:
        told = {job.key: left_words(job.left_s) for job in self._services.jobs.jobs}
        left = {job.folder: told.get(f"queued {job.id}", "") for job in listed}
        if self._opened is not None and self._page.time_left:
            left[self._opened] = self._page.time_left
        self.state.take_jobs(listed, left)
        self._show()
        if not self._again.isActive():
            self._again.start()

    def _show(self) -> None:
        if self._is_over:
            return
        selected = self.state.choose()
        self._list.show_groups(self.state.groups, selected)
        run = self.state.open
        if run is None:
            self._close()
            self._opened = None
        elif self._is_another(run):
            self._open(run)
        else:
            self._page.show_run(run)
        if run is not None:
            self._look_into_failure(run)
        self.changed.emit()

    def _is_another(self, run: ListedRun) -> bool:
        """True if a run is not the one whose history is shown, or can be read only now."""
        if self._opened != run.folder or (self._is_unread and run.state != "cancelled"):
            return True
        return bool(run.id and self._opened_id and run.id != self._opened_id)

    # The open run

    def open(self, folder: Path) -> None:
        """Opens a run."""
        self.state.selected, self.state.wanted = folder, None
        self._show()

    def end(self) -> None:
        """Follows nothing any more, and takes no more news: the window closes."""
        self._is_over = True
        self._close()

    def _close(self) -> None:
        self.cancel_gauge()
        if self._follow is not None:
            self._follow.stop()
            self._follow = None

    def _open(self, run: ListedRun) -> None:
        self._close()
        self._opened, self._opened_id = run.folder, run.id
        self._is_unread = run.state == "cancelled"  # its folder is in the trash
        curves = RunCurves(run.card.steps if run.card else 0, self._total_bytes)
        self._page.open(run, RunHistory(), curves)
        self._show_gauges(run)
        if self._is_unread:
            return
        self._read(run.folder, self._page.history)
        plan = self._services.controller.run_in_thread(CallJob(plan_in, run.folder))
        plan.finished.connect(partial(self._take_plan, run.folder))

    def _read(self, folder: Path, history: RunHistory) -> None:
        """Reads what there is, a long file in another process, then follows it."""
        if _size(folder) < _LARGE_BYTES:
            self._follow_from(folder, history, 0)
            return
        self._page.set_waiting(self.tr("Reading the run…"))
        reading = self._services.controller.run_in_engine(ReadRunJob(folder))
        self._follow = reading
        reading.happened.connect(partial(self._take_history, folder, history))
        reading.finished.connect(partial(self._follow_from, folder, history))
        reading.failed.connect(self._services.report_failure)

    def _follow_from(self, folder: Path, history: RunHistory, offset: object) -> None:
        if folder != self._opened or self._is_over:
            return
        self._page.set_waiting("")
        self._page.redraw_soon()
        job = FollowRunJob(folder, offset if isinstance(offset, int) else 0)
        run = self._follow = self._services.controller.run_in_thread(job)
        run.happened.connect(partial(self._take_history, folder, history))
        run.failed.connect(self._services.report_failure)

    def _take_history(self, folder: Path, history: RunHistory, event: Event) -> None:
        if folder == self._opened and isinstance(event, RunNews) and not self._is_over:
            history.take(event)
            self._page.redraw_soon()

    def _take_plan(self, folder: Path, plan: object) -> None:
        if folder == self._opened and isinstance(plan, RunPlan) and not self._is_over:
            self._page.show_plan(plan)
            if self.state.open is not None and self._gauging is None:
                self._show_gauges(self.state.open)

    def _look_into_failure(self, run: ListedRun) -> None:
        """Looks once for each failure what can be done about it."""
        failed = (run.folder, run.failure) if run.failure else None
        if failed == self._failed:
            return
        self._failed = failed
        self._page.show_failed(None)
        if failed is not None:
            looking = self._services.controller.run_in_thread(CallJob(find_retries, run.folder))
            looking.finished.connect(self._take_failed)

    def _take_failed(self, found: FailedRun) -> None:
        if found.folder == self._opened and not self._is_over:
            self._page.show_failed(found)

    # Gauges

    def _show_gauges(self, run: ListedRun) -> None:
        plan, why_not = self._page.plan, ""
        if self._services.parts.state("training").status != "installed":
            why_not = self.tr("The training part is not installed.")
        elif plan is not None and not get_family(plan.model).attention_names:
            why_not = self.tr("Gauges are for language models of the family reformer.")
        self._page.gauges.show_run(run.folder.name, why_not)

    def gauge(self, name: GaugeName) -> None:
        """Gauges the open run in a process of its own."""
        if self._opened is None or self._gauging is not None:
            return
        job = GaugeRunJob(self._opened, GaugeSettings(gauge=(name,)))
        self._page.gauges.show_busy(name)
        run = self._gauging = self._services.controller.run_in_thread(job)
        run.finished.connect(partial(self._take_gauged, self._opened, name))
        run.failed.connect(partial(self._take_gauge_trouble, self._opened, name))
        run.ended.connect(self._gauged)

    def cancel_gauge(self) -> None:
        """Gives up what is being gauged."""
        if self._gauging is not None:
            self._gauging.stop()

    def _take_gauged(self, folder: Path, name: GaugeName, found: tuple[Found, ...]) -> None:
        if folder == self._opened and not self._is_over:
            self._page.gauges.show_found(name, found)

    def _take_gauge_trouble(self, folder: Path, name: GaugeName, failure: Failed) -> None:
        if folder == self._opened and not self._is_over:
            self._page.gauges.show_trouble(name, f"{failure.message} {failure.remedy}")

    def _gauged(self) -> None:
        self._gauging = None
        if not self._is_over:
            self._page.gauges.show_busy(None)

    # Deeds

    def do(self, deed: str) -> None:
        """Does something with the open run, as far as it can be done now."""
        run = self.state.open
        if run is None or (deed not in run.deeds and not (deed == "resume" and run.is_pausing)):
            return
        change = self._queue.change
        match deed:
            case "stop" if not run.id:
                change(lambda queue: _ask_to_stop(run.folder))
            case "pause" | "stop" if run.id:
                change(lambda queue: queue.ask(run.id, deed))
            case "resume":
                change(lambda queue: _adopted(queue, run, "resume"))
            case "cancel":
                change(lambda queue: _adopted(queue, run, "cancel"))
            case "restore":
                change(lambda queue: queue.undo_cancel(run.id))
            case "move_up" | "move_down":
                self._move(run, -1 if deed == "move_up" else 1)
            case "show_folder":
                self._show_folder(run.folder)
            case "report" | "bundle":
                self._ask_where(run, deed)
            case "duplicate" | "continue" | "fine_tune":
                self.new_wanted.emit(run.folder, deed)
            case _:
                self._show_elsewhere(run, deed)

    def _show_elsewhere(self, run: ListedRun, deed: str) -> None:
        """Lets a run summarise, or draws the memory of its settings, in another panel."""
        if deed == "summarise":
            self._services.show_panel("summarise", model=run.folder.name)
            return
        self._services.run(
            CallJob(plan_in, run.folder),
            lambda plan: self._services.show_panel("memory", title=run.title, plan=plan.to_json()),
        )

    def retry(self, retry: Retry) -> None:
        """Continues the failed run with a change, or begins a new job where it cannot go on so."""
        run = self.state.open
        if run is None or "resume" not in run.deeds:
            return
        if not retry.in_place:
            self.plan_wanted.emit(retry.plan)
            return

        def go_on(queue: Any) -> None:
            keep_retry(run.folder, retry)
            _adopted(queue, run, "resume")

        self._queue.change(go_on)

    def stop_all(self, runs: Sequence[ListedRun]) -> None:
        """Asks jobs to save a checkpoint and end."""
        for run in runs:
            self._queue.change(partial(_stopped, run.id))

    def _move(self, run: ListedRun, by: int) -> None:
        jobs = [job for job in self.state.jobs if job.state == "waiting"]
        lane = run.job.lane if run.job else ""
        line = [job.id for job in jobs if job.lane == lane]
        place = line.index(run.id) if run.id in line else len(line)
        first = min(place, place + by)
        if 0 <= first < len(line) - 1:
            later, before = line[first + 1], line[first]
            self._queue.change(lambda queue: queue.move(later, before))

    def _show_folder(self, folder: Path) -> None:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))):
            self._services.notify(
                "warn", self.tr("No program to open folders was found"), str(folder)
            )

    def _ask_where(self, run: ListedRun, deed: str) -> None:
        title, suffix, write = {
            "report": (self.tr("Report"), ".html", self.write_report),
            "bundle": (self.tr("Reproduction bundle"), ".zip", self.write_bundle),
        }[deed]
        theme, home = self._services.theme, Path.home()
        path = ask_where(theme, self._page, title, run.title, suffix, folder=home)
        if path is not None:
            write(run.folder, path)

    def write_report(self, folder: Path, out: Path) -> None:
        """Writes the report of a run as one HTML file."""
        job = RunReportJob(folder, out, replace=True)
        self._write(job, self.tr("Report written"), out, out)

    def write_bundle(self, folder: Path, out: Path) -> None:
        """Writes all that makes a run again, without its data, into one zip file."""
        job = BundleRunJob(folder, out, replace=True)
        self._write(job, self.tr("Bundle written"), out, out.parent)

    def _write(self, job: Job, told: str, out: Path, opens: Path) -> None:
        """Writes a file in another process, says so, and offers to open it or its folder."""
        writing = self._services.run(job, lane="engine")
        show = partial(QDesktopServices.openUrl, QUrl.fromLocalFile(str(opens)))
        writing.finished.connect(
            lambda _: self._services.notify(
                "ok", told, str(out), action=self.tr("Open"), on_action=show
            )
        )

    # Runs side by side

    def compare(self, folders: tuple[Path, ...]) -> None:
        """Reads runs in another process; `compared` tells what they are."""
        self._comparing.stop()  # what was ticked before is not wanted any more
        if len(folders) < 2:
            self.compared.emit(())
            return
        reading = self._services.controller.run_in_engine(CompareRunsJob(folders))
        self._comparing.follow(reading, self.compared.emit, self._services.report_failure)

    def _keep_about(self, changed: dict[str, str]) -> None:
        run = self._page.run  # that whose name and notes were typed
        if run is None:
            return
        if changed.get("title") == run.folder.name:
            changed = changed | {"title": ""}
        folder = RunFolder(run.folder)

        def write() -> None:  # read when it is written: another window may have changed the rest
            write_about(folder, replace(read_about(folder), **changed))

        self._services.keeper.keep(f"about {run.folder} {sorted(changed)}", write)
        QTimer.singleShot(_LIST_AGAIN_MS // 4, self, self.look)

    def _open_menu_below(self, button: QWidget) -> None:
        self.menu().open_below(button, flush_right=True)

    def _open_menu_at(self, place: QPoint) -> None:
        self.menu().popup(place)

    def menu(self) -> Menu:
        """What can be done with the open run."""
        menu = Menu(self.theme, self.tr("Run"), self._page)
        run = self.state.open
        if run is None:
            return menu
        names: list[tuple[Deed, str, str]] = [
            ("pause", self.tr("Pause"), "pause"),
            ("resume", self.tr("Resume"), "play"),
            ("stop", self.tr("Stop and keep"), "square"),
            ("restore", self.tr("Restore from the trash"), "undo-2"),
            ("summarise", self.tr("Summarise with it"), "text-quote"),
            ("move_up", self.tr("Move up in the queue"), "arrow-up"),
            ("move_down", self.tr("Move down in the queue"), "arrow-down"),
            ("forecast", self.tr("Forecast its memory"), "memory-stick"),
            ("duplicate", self.tr("New job with these settings…"), "copy"),
            ("continue", self.tr("Continue in a new run…"), "repeat-2"),
            ("fine_tune", self.tr("Fine-tune from here…"), "git-branch"),
            ("report", self.tr("Write a report…"), "file-text"),
            ("bundle", self.tr("Write a reproduction bundle…"), "box"),
            ("show_folder", self.tr("Show its folder"), "folder-open"),
            ("cancel", self.tr("Move to the trash"), "trash-2"),
        ]
        for deed, words, icon in names:
            if deed in run.deeds:
                if deed == "cancel":
                    menu.addSeparator()
                menu.add(words, partial(self.do, deed), icon=icon)
        return menu

    # Other runs behind the open one

    def _open_overlays(self, button: QWidget) -> None:
        self.overlay_menu().open_below(button, flush_right=True)

    def overlay_menu(self, most: int = _MOST_OVERLAYS) -> Menu:
        """The runs that can be drawn behind the open one; how many are left out stands below."""
        menu = Menu(self.theme, self.tr("Other runs"), self._page)
        shown = self._page.curves.overlays
        others = [
            run
            for run in self.state.runs
            if run.folder != self._opened and run.card is not None and run.card.step
        ]
        titles = Counter(run.title for run in others)
        for run in others[:most]:
            act: Callable[[], object] = partial(self._turn_overlay, run)
            where = run.folder.name if titles[run.title] > 1 else ""
            icon = "check" if run.folder in shown else ""
            menu.add(run.title, act, icon=icon, detail=where)
        if not others:
            menu.add(self.tr("There is no other run with steps")).setEnabled(False)
        elif len(others) > most:
            menu.addSeparator()
            left_out = self.tr("{0} more under “Compare runs”").format(len(others) - most)
            menu.add(left_out).setEnabled(False)
        return menu

    def _turn_overlay(self, run: ListedRun) -> None:
        curves = self._page.curves
        if run.folder in curves.overlays:
            curves.keep_overlays([place for place in curves.overlays if place != run.folder])
            self._page.redraw()
            return
        self._services.run(
            CompareRunsJob((run.folder,)),
            lambda read: self._overlay(read[0], curves),
            lane="engine",
        )

    def _overlay(self, run: ComparedRun, curves: RunCurves) -> None:
        if self._is_over:
            return
        curves.overlay(run, self.color_of(run.folder))
        self._page.redraw()

    def color_of(self, folder: Path) -> str:
        """The colour that a run keeps wherever it is drawn beside others."""
        return self.colors_of([folder])[folder]

    def colors_of(self, folders: Sequence[Path]) -> dict[Path, str]:
        """The colours of runs that are drawn together: each keeps its own while it can."""
        made: dict[Path, str] = {}
        for folder in folders:
            kept = self._colors.get(folder, "")
            free = [color for color in OTHER_COLORS if color not in made.values()]
            if kept in free:
                made[folder] = kept
                continue
            unused = [color for color in free if color not in self._colors.values()]
            made[folder] = (unused or free or list(OTHER_COLORS))[0]
            self._colors.setdefault(folder, made[folder])
        return made

    @property
    def kept_colors(self) -> str:
        """The colours of the runs that were drawn together, for the next window."""
        latest = list(self._colors.items())[-_MOST_COLORS:]
        return json.dumps({str(folder): color for folder, color in latest})

    def take_colors(self, told: str) -> None:
        """Gives runs the colours that they had in an earlier window, as `kept_colors` told them."""
        with suppress(ValueError, AttributeError, RecursionError):
            for folder, color in json.loads(told).items():
                if color in OTHER_COLORS:
                    self._colors.setdefault(Path(folder), color)


def _size(folder: Path) -> int:
    try:
        return RunFolder(folder).events_file.stat().st_size
    except OSError:
        return 0


def _stopped(id: str, queue: Any) -> None:
    queue.ask(id, "stop")


def _adopted(queue: Any, run: ListedRun, deed: str) -> None:
    """Resumes or cancels a run, also one that the queue does not know yet."""
    id = run.id or queue.adopt(specify_resumed(run.folder, run.title)).id
    if deed == "resume":
        queue.resume(id)
    else:
        queue.ask(id, "cancel")


def _ask_to_stop(folder: Path) -> None:
    """Asks a run of the command line to keep what it has and to end."""
    run = RunFolder(folder)
    request(run.control_file, "stop", last_start(run))
