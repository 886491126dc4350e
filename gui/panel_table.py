"""The one table of panels: a row here is all that the window knows of a panel."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QKeySequence

from gui.panel import PanelEntry


def panel_table() -> tuple[PanelEntry, ...]:
    """The panels in the order of the rail; the first is shown when nothing else is known."""
    translate = QCoreApplication.translate
    return (
        PanelEntry(
            "summarise",
            translate("Panels", "Summarise"),
            "text-quote",
            "gui.panels.summarise.panel:SummarisePanel",
            anywhere=frozenset({"open", "paste", "drop"}),
        ),
        PanelEntry(
            "batch", translate("Panels", "Batch"), "files", "gui.panels.batch.panel:BatchPanel"
        ),
        PanelEntry(
            "corpus",
            translate("Panels", "Corpus"),
            "library",
            "gui.panels.corpus.panel:CorpusPanel",
        ),
        PanelEntry(
            "train",
            translate("Panels", "Train"),
            "chart-spline",
            "gui.panels.train.panel:TrainPanel",
            anywhere=frozenset({"new"}),
        ),
        PanelEntry(
            "memory",
            translate("Panels", "Memory"),
            "memory-stick",
            "gui.panels.memory.panel:MemoryPanel",
        ),
        PanelEntry(
            "compare",
            translate("Panels", "Compare"),
            "columns-3",
            "gui.panels.compare.panel:ComparePanel",
        ),
        PanelEntry(
            "models", translate("Panels", "Models"), "box", "gui.panels.models.panel:ModelsPanel"
        ),
        PanelEntry(
            "history",
            translate("Panels", "History"),
            "history",
            "gui.panels.history.panel:HistoryPanel",
        ),
        PanelEntry(
            "help",
            translate("Panels", "Help"),
            "circle-question-mark",
            "gui.panels.help.panel:HelpPanel",
            at_foot=True,
            closable=True,
            keys="F1",
            standard=QKeySequence.StandardKey.HelpContents,
        ),
        PanelEntry(
            "settings",
            translate("Panels", "Settings"),
            "settings",
            "gui.panels.settings.panel:SettingsPanel.for_window",
            anywhere=frozenset({"all_keys", "folders", "trash", "updates"}),
            at_foot=True,
            keys="Ctrl+,",
            standard=QKeySequence.StandardKey.Preferences,
        ),
    )
