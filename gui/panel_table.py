"""The one table of panels: a row here is all that the window knows of a panel."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QKeySequence

from gui.panel import Panel, PanelEntry, Services


def panel_table() -> tuple[PanelEntry, ...]:
    """The panels in the order of the rail; the first is shown when nothing else is known."""
    translate = QCoreApplication.translate
    return (
        PanelEntry(
            "summarise",
            translate("Panels", "Summarise"),
            "text-quote",
            _make_summarise,
            anywhere=frozenset({"open", "paste", "drop"}),
        ),
        PanelEntry("batch", translate("Panels", "Batch"), "files", _make_batch),
        PanelEntry("corpus", translate("Panels", "Corpus"), "library", _make_corpus),
        PanelEntry(
            "train",
            translate("Panels", "Train"),
            "chart-spline",
            _make_train,
            anywhere=frozenset({"new"}),
        ),
        PanelEntry("memory", translate("Panels", "Memory"), "memory-stick", _make_memory),
        PanelEntry("compare", translate("Panels", "Compare"), "columns-3", _make_compare),
        PanelEntry("models", translate("Panels", "Models"), "box", _make_models),
        PanelEntry("history", translate("Panels", "History"), "history", _make_history),
        PanelEntry(
            "help",
            translate("Panels", "Help"),
            "circle-question-mark",
            _make_help,
            at_foot=True,
            closable=True,
            keys="F1",
            standard=QKeySequence.StandardKey.HelpContents,
        ),
        PanelEntry(
            "settings",
            translate("Panels", "Settings"),
            "settings",
            _make_settings,
            anywhere=frozenset({"all_keys", "folders", "trash", "updates"}),
            at_foot=True,
            keys="Ctrl+,",
            standard=QKeySequence.StandardKey.Preferences,
        ),
    )


def _make_summarise(services: Services) -> Panel:
    from gui.panels.summarise.panel import SummarisePanel

    return SummarisePanel(services)


def _make_batch(services: Services) -> Panel:
    from gui.panels.batch.panel import BatchPanel

    return BatchPanel(services)


def _make_train(services: Services) -> Panel:
    from gui.panels.train.panel import TrainPanel

    return TrainPanel(services)


def _make_memory(services: Services) -> Panel:
    from gui.panels.memory.panel import MemoryPanel

    return MemoryPanel(services)


def _make_help(services: Services) -> Panel:
    from gui.panels.help.panel import HelpPanel

    return HelpPanel(services)


def _make_corpus(services: Services) -> Panel:
    from gui.panels.corpus.panel import CorpusPanel

    return CorpusPanel(services)


def _make_compare(services: Services) -> Panel:
    from gui.panels.compare.panel import ComparePanel

    return ComparePanel(services)


def _make_models(services: Services) -> Panel:
    from gui.panels.models.panel import ModelsPanel

    return ModelsPanel(services)


def _make_history(services: Services) -> Panel:
    from gui.panels.history.panel import HistoryPanel

    return HistoryPanel(services)


def _make_settings(services: Services) -> Panel:
    from gui.panels.settings.panel import SettingsPanel

    return SettingsPanel.for_window(services)
