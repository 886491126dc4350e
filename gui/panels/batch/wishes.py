"""Model, length and language, of the whole batch or of its selected documents."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from core.jobs.batches.rows import Wish
from core.jobs.batches.store import BatchStore
from core.jobs.call import CallJob
from core.jobs.cluster.connection import ClusterFacts
from core.jobs.models.list_models import list_models
from gui.panel import Services
from gui.panels.batch.cluster_dialog import ClusterDialog
from gui.panels.batch.follower import BatchFollower
from gui.panels.batch.state import BatchState
from gui.panels.batch.strip import Strip


class Wishes(QObject):
    """Shows the settings in their strip, and changes them in the batch.

    Args:
        services: Lists the models.
        state: The batch that is open.
        follower: Makes the changes.
        strip: Shows the settings.
        selected: Gives the documents that are selected; none means the whole batch.
    """

    def __init__(
        self,
        services: Services,
        state: BatchState,
        follower: BatchFollower,
        strip: Strip,
        selected: Callable[[], list[int]],
    ) -> None:
        super().__init__(strip)
        self._services, self._state, self._follower = services, state, follower
        self._strip, self._selected = strip, selected
        self._models: dict[str, str] = {}
        strip.wished.connect(self._wish)
        strip.quotations_chosen.connect(self.choose_quotations)
        strip.place_chosen.connect(self.choose_place)
        strip.cluster_requested.connect(self.ask_for_cluster)

    def _wish(self, name: str, value: str) -> None:
        numbers = self._selected()
        if numbers:
            wish = Wish(**{name: value})
            self._follower.change(lambda store: store.wish(numbers, wish))
            return

        def change(store: BatchStore) -> None:
            store.set_settings(store.settings.model_copy(update={name: value}))
            store.clear_wishes(name)

        self._follower.change(change)

    def choose_quotations(self, wanted: bool) -> None:
        """Says whether exported files have page references."""
        self._follower.change(
            lambda store: store.set_settings(
                store.settings.model_copy(update={"quotations": wanted})
            )
        )

    def choose_place(self, address: str) -> None:
        """Has a cluster summarise the documents from the next start on; "" for this machine."""
        self._follower.change(lambda store: store.set_cluster(address))

    def ask_for_cluster(self) -> ClusterDialog:
        """Asks for the address of a cluster, and looks whether it can be used."""
        known = self._state.cluster or next(iter(self._state.cluster_has), "")
        dialog = ClusterDialog(self._services, known, self._strip.window())
        dialog.chosen.connect(self._take_cluster)
        dialog.open()
        return dialog

    def _take_cluster(self, address: str, facts: ClusterFacts) -> None:
        self._state.cluster_has[address] = facts
        self.choose_place(address)

    def show(self) -> None:
        """Shows the settings of the selected documents, or of the batch."""
        numbers = self._selected()
        self._strip.show_settings(
            self._state.settings_of(numbers),
            self._models,
            len(numbers),
            self._state.counts["all"],
            self._state.settings.quotations,
        )
        self._strip.show_place(
            self._state.cluster,
            self._state.cluster_told,
            usable=self._state.phase != "running",
        )

    def list_models(self) -> None:
        """Looks which models there are."""
        job = CallJob(list_models, self._services.folders.runs)
        run = self._services.controller.run_in_thread(job)
        run.finished.connect(self._take_models)

    def _take_models(self, models: dict[str, str]) -> None:
        self._models = models
        self.show()
