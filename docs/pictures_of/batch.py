"""Pictures of Batch."""

from docs.pictures_of.stage import settle
from docs.scenes import batches
from gui.main_window import MainWindow
from gui.panels.batch.cluster_dialog import ClusterDialog


def empty(shown: MainWindow) -> None:
    """No batch is open."""
    shown.show_panel("batch")
    settle()


def running(shown: MainWindow) -> None:
    """A batch that went on after the machine was switched off; one file is encrypted."""
    batches.show_running(shown, settle)


def cluster(shown: MainWindow) -> None:
    """The address of a cluster is asked for; nothing answers at the one that was typed."""
    dialog = _ask_for_cluster(shown)
    dialog.field.setText("tcp://127.0.0.1:9")
    dialog.deed.click()
    settle(lambda: dialog._sign.isVisible())


def cluster_without_part(shown: MainWindow) -> None:
    """The address of a cluster cannot be used before Dask is installed."""
    _ask_for_cluster(shown)
    settle()


def _ask_for_cluster(shown: MainWindow) -> ClusterDialog:
    batches.show_running(shown, settle)
    panel = shown.panel("batch")
    panel.state.job, panel.state.now = None, {}
    panel.page.model.redraw_all()
    panel._redraw()
    dialog: ClusterDialog = panel.wishes.ask_for_cluster()
    return dialog


def together(shown: MainWindow) -> None:
    """One summary of three documents."""
    batches.show_together(shown, settle)
