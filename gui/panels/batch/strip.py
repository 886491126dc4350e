"""The settings of a batch: model, length and language, for all documents or for the selected."""

from collections.abc import Mapping

from PySide6.QtCore import Signal

from core.documents.languages import AUTO, languages
from core.jobs.summaries.summarise import SummariseSettings
from core.numbers import format_count
from core.summaries.length import Length, LengthUnit
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.inputs.button import Button
from gui.widgets.inputs.combo import ComboBox
from gui.widgets.inputs.length_field import LengthField
from gui.widgets.inputs.model_box import ModelBox
from gui.widgets.inputs.segmented import SegmentedControl
from gui.widgets.inputs.toggle import CheckBox
from gui.widgets.inputs.wrap_row import WrapRow, labelled

_MOST = 1_000
_MOST_LINES = 12
_FIRST: dict[LengthUnit, float] = {"sentences": 9, "words": 200, "share": 2}


class Strip(WrapRow):
    """A row of controls below the head."""

    wished = Signal(str, str)
    """A setting, "length", "model" or "language", and its new value."""
    quotations_chosen = Signal(bool)
    command_requested = Signal()
    place_chosen = Signal(str)
    """The address of the cluster that shall do the work; empty for this machine."""
    cluster_requested = Signal()
    """Another cluster shall be asked for."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, padding=(24, 10, 8, 10))  # the last button's words end at 16
        self._length = Length()
        self._shown: object = None
        self._place_shown: object = None
        self._address = ""
        self.models = ModelBox(theme)
        self.unit = SegmentedControl(
            theme,
            [
                ("sentences", self.tr("Sentences")),
                ("words", self.tr("Words")),
                ("share", self.tr("Share")),
            ],
            height=28,
            name=self.tr("Length in"),
        )
        self.field = LengthField(theme, self.tr("Length of the summaries"))
        self.percent = Label(theme, "%", "small", "text3")
        self.language = ComboBox(theme, name=self.tr("Language of the documents"), height=28)
        self.place = ComboBox(theme, name=self.tr("Where the documents are summarised"), height=28)
        self.place_told = Label(theme, "", "small", "text3")
        self.scope = Label(theme, "", "small", "text3")
        self.quotations = CheckBox(theme, self.tr("Page references"))
        self.command = Button(theme, self.tr("Command"), kind="ghost", icon="terminal", height=28)
        self._extras = (labelled(theme, "", self.quotations), self.command)
        self.set_groups(
            [
                labelled(theme, self.tr("Model"), self.models),
                labelled(theme, self.tr("Length"), self.unit, self.field, self.percent),
                labelled(theme, self.tr("Language"), self.language, self.scope),
                labelled(theme, self.tr("Run on"), self.place, self.place_told),
                *self._extras,
            ]
        )
        self._fill_languages()
        self.place.setMaximumWidth(220)
        self.show_place("", "", usable=True)
        self._connect()

    def fold(self, small: bool) -> None:
        """Leaves out what the export menu has too, where there is little room."""
        for group in self._extras:
            group.setVisible(not small)
        self.arrange()

    def _fill_languages(self) -> None:
        self.language.setMaximumWidth(160)
        self.language.setMaxVisibleItems(_MOST_LINES)
        self.language.addItem(self.tr("Detected"), AUTO)
        for code, language in sorted(languages().items(), key=lambda known: known[1].name):
            self.language.addItem(language.name, code)

    def _connect(self) -> None:
        self.quotations.setToolTip(self.tr("Exported files name the page of each sentence"))
        self.command.set_tooltip(self.tr("Show the command that does this"), "Ctrl Shift K copies")
        self.models.chosen.connect(lambda model: self.wished.emit("model", model))
        self.unit.chosen.connect(self._choose_unit)
        self.field.length_entered.connect(lambda length: self._wish_length(length))
        self.language.activated.connect(
            lambda index: self.wished.emit("language", self.language.itemData(index))
        )
        self.place.activated.connect(self._choose_place)
        self.quotations.toggled.connect(self.quotations_chosen)
        self.command.triggered.connect(self.command_requested)

    def _choose_place(self, index: int) -> None:
        chosen: str | None = self.place.itemData(index)
        self.place.setCurrentIndex(self.place.findData(self._address))  # until it is so
        if chosen is None:
            self.cluster_requested.emit()
        elif chosen != self._address:
            self.place_chosen.emit(chosen)

    def show_place(self, address: str, told: str, *, usable: bool) -> None:
        """Shows where the documents are summarised, without a signal.

        Args:
            address: The address of a cluster; empty for this machine.
            told: What a person should know of the cluster.
            usable: Whether another place may be chosen now.
        """
        shown = (address, told, usable)
        if shown == self._place_shown:
            return
        self._place_shown, self._address = shown, address
        self.place.clear()
        self.place.addItem(self.tr("This machine"), "")
        if address:
            self.place.addItem(address, address)
        self.place.addItem(self.tr("A cluster…"), None)
        self.place.setCurrentIndex(1 if address else 0)
        self.place.setEnabled(usable)
        self.place.setToolTip("" if usable else self.tr("Pause the batch to choose another place."))
        self.place_told.setText(told)
        self.place_told.setVisible(bool(told))
        self.arrange()

    def _choose_unit(self, unit: LengthUnit) -> None:
        self._wish_length(Length(_FIRST[unit], unit))

    def _wish_length(self, length: Length) -> None:
        self.wished.emit("length", str(length))

    def show_settings(
        self,
        settings: SummariseSettings,
        models: Mapping[str, str],
        num_selected: int,
        total: int,
        quotations: bool,
    ) -> None:
        """Shows settings, without a signal.

        Args:
            settings: The settings.
            models: What the trained models are called, by name.
            num_selected: How many documents they are of; 0 for all.
            total: How many there are.
            quotations: Whether exports have page references.
        """
        shown = (settings, dict(models), num_selected, total, quotations)
        if shown == self._shown:
            return
        self._shown = shown
        self._length = Length.parse(settings.length)
        self.models.show_models(models, settings.model)
        self.unit.set_value(self._length.unit)
        self.percent.setVisible(self._length.unit == "share")
        self.field.show_length(self._length, _MOST)
        self.language.setCurrentIndex(max(0, self.language.findData(settings.language)))
        self._show_scope(num_selected, total)
        blocked = self.quotations.blockSignals(True)
        self.quotations.setChecked(quotations)
        self.quotations.blockSignals(blocked)
        self.arrange()

    def _show_scope(self, num_selected: int, total: int) -> None:
        """Says of which documents the settings are, in a width that does not change with them: a
        click on a row must not move the table."""
        some, every = self.tr("for {0} selected"), self.tr("for all {0}")
        words = (some if num_selected else every).format(format_count(num_selected or total))
        self.scope.setText(some.format(format_count(total)))
        self.scope.setMinimumWidth(self.scope.sizeHint().width())
        self.scope.setText(words)
