"""Actions on single documents of a batch: open, unlock, do again, skip."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from core.jobs.batches.adding import ChooseColumnJob
from core.jobs.batches.reopening import read_row_text
from core.jobs.batches.rows import NO_RECORD
from core.jobs.batches.work import UnlockRowJob
from core.jobs.call import CallJob
from gui.panel import Services
from gui.panels.batch.follower import BatchFollower
from gui.panels.batch.password_dialog import PasswordDialog
from gui.panels.batch.state import BatchState
from gui.widgets.inputs.menu import Menu

_ABOUT = "batch"
_PASSWORD = "password of a batch's document"


class RowActions(QObject):
    """Acts on documents by their numbers.

    Args:
        services: Runs jobs, shows other panels.
        state: The batch that is open.
        follower: Changes it, and looks at it again.
        start: Starts the work.
        window: Over what the dialog opens.
    """

    def __init__(
        self,
        services: Services,
        state: BatchState,
        follower: BatchFollower,
        start: Callable[[], object],
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._services, self._state, self._window = services, state, window
        self._follower, self._start = follower, start

    def open(self, number: int) -> None:
        """Opens a document in Summarise, with the settings it has here."""
        row, folder = self._state.rows[number], self._state.folder
        assert folder is not None
        settings = row.wish.over(self._state.settings)
        chosen = {
            "length": settings.length,
            "model": settings.model,
            "language": settings.language,
        }
        if row.record == NO_RECORD:
            self._services.show_panel("summarise", file=row.path, **chosen)
            return
        self._services.run(
            CallJob(read_row_text, folder, number),
            lambda text: self._services.show_panel("summarise", text=text, **chosen),
            lane="reader",
            about=_ABOUT,
        )

    def mend(self, number: int) -> None:
        """Does what the row of a document that failed offers first."""
        if self._state.rows[number].kind == "password":
            self.ask_password(number)
        else:
            self.do_again([number])

    def ask_password(self, number: int) -> PasswordDialog:
        """Asks for the password of a document; it is used once and kept nowhere."""
        row = self._state.rows[number]
        dialog = PasswordDialog(self._services.theme, Path(row.path).name, self._window.window())
        dialog.given.connect(partial(self._unlock, number))
        dialog.open()
        return dialog

    def _unlock(self, number: int, password: str) -> None:
        folder = self._state.folder
        assert folder is not None
        self._services.dismiss(_PASSWORD)  # what was said of the password before
        run = self._services.run(
            UnlockRowJob(folder, number, password), lane="engine", about=_PASSWORD
        )
        run.ended.connect(self._follower.look)

    def do_again(self, numbers: list[int]) -> None:
        """Summarises documents once more."""
        self._follower.change(lambda store: store.do_again(numbers))
        self._start()

    def skip(self, numbers: list[int]) -> None:
        """Leaves documents out."""
        self._follower.change(lambda store: store.skip(numbers))

    def choose_column(self, path: str, role: str, column: str) -> None:
        """Reads another column of a table, as "text" or "title"."""
        folder = self._state.folder
        assert folder is not None
        job = ChooseColumnJob(folder, path, role, column)  # type: ignore[arg-type]
        run = self._services.run(job, lane="reader", about=_ABOUT)
        run.ended.connect(self._follower.look)

    def fill_menu(self, menu: Menu, numbers: list[int]) -> None:
        """Adds what can be done with the selected documents to a menu."""
        if not numbers:
            return
        menu.addSeparator()
        if len(numbers) == 1:
            self._fill_for_one(menu, numbers[0])
        menu.add(self.tr("Summarise again"), partial(self.do_again, numbers), icon="rotate-ccw")
        menu.add(self.tr("Skip"), partial(self.skip, numbers), icon="x")

    def _fill_for_one(self, menu: Menu, number: int) -> None:
        row = self._state.rows[number]
        menu.add(self.tr("Open in Summarise"), partial(self.open, number), icon="text-quote")
        folder = Path(row.path).parent
        menu.add(self.tr("Show in folder"), partial(_show, folder), icon="folder-open")
        if row.kind == "password":
            menu.add(self.tr("Enter password…"), partial(self.ask_password, number), icon="lock")


def _show(folder: Path) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))
