"""The controls of gap sentences: each is a field of the settings, and acts at once."""

from typing import get_args

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QStandardItemModel

from core.gsg.settings import GapPairSettings, Rouge
from gui.theme.theme import Theme
from gui.widgets.display.tooltip import set_tooltip
from gui.widgets.inputs.button import STRIP_HEIGHT_PX, icon_button
from gui.widgets.inputs.combo import ComboBox
from gui.widgets.inputs.field import NumberField
from gui.widgets.inputs.segmented import SegmentedControl
from gui.widgets.inputs.slider import Slider
from gui.widgets.inputs.toggle import CheckBox
from gui.widgets.inputs.wrap_row import WrapRow, labelled

_WAYS = (
    "sequential-document",
    "independent-document",
    "sequential-pairwise",
    "independent-pairwise",
)
_SCORED = "principal"


class GapControls(WrapRow):
    """Strategy, way, score, unique, ratio, mask; what is not allowed together cannot be chosen.

    Signals:
        changed: The settings are other ones.
        more_requested: All options shall be shown.
    """

    changed = Signal()
    more_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, gap=13)
        self._settings = GapPairSettings()
        self._make(theme)
        self._foldable = [
            labelled(theme, self.tr("Choose"), self.way),
            labelled(theme, self.tr("Score"), self.rouge),
            labelled(theme, "", self.unique),
            labelled(theme, self.tr("Mask"), self.masking),
        ]
        way, rouge, unique, masking = self._foldable
        groups = [
            labelled(theme, self.tr("Strategy"), self.strategy),
            way,
            rouge,
            unique,
            labelled(theme, self.tr("Gap ratio"), self.slider, self.ratio),
            masking,
            labelled(theme, "", self.more),
        ]
        self.set_groups(groups)
        self.setAccessibleName(self.tr("How gap sentences are chosen"))
        self._connect()
        self.show_settings(self._settings)

    def _make(self, theme: Theme) -> None:
        height = STRIP_HEIGHT_PX
        self.strategy = SegmentedControl(
            theme,
            [
                (_SCORED, self.tr("Principal")),
                ("lead", self.tr("Lead")),
                ("random", self.tr("Random")),
            ],
            height=height,
            name=self.tr("Strategy"),
        )
        self.way = ComboBox(theme, name=self.tr("Choose"), height=height, width=170)
        for value, words in zip(
            _WAYS,
            (
                self.tr("One by one"),
                self.tr("Each alone"),
                self.tr("One by one, in pairs"),
                self.tr("Each alone, in pairs"),
            ),
            strict=True,
        ):
            self.way.addItem(words, value)
        self.rouge = ComboBox(theme, name=self.tr("Score"), height=height, width=126)
        for value in get_args(Rouge):
            self.rouge.addItem(f"ROUGE-{value} F1", value)
        self.unique = CheckBox(theme, self.tr("Unique n-grams"))
        self.slider = Slider(theme, 1, 99, 30, name=self.tr("Gap ratio"), width=84)
        self.ratio = NumberField(
            theme,
            1,
            99,
            30,
            name=self.tr("Gap ratio in percent"),
            unit="%",
            width=66,
            height=height,
        )
        self.masking = ComboBox(theme, name=self.tr("Mask"), height=height, width=106)
        for value, words in (
            ("mask", self.tr("All chosen")),
            ("remove", self.tr("Removed")),
            ("keep", self.tr("None")),
        ):
            self.masking.addItem(words, value)
        self.more = icon_button(theme, "settings", self.tr("All options of gap sentences"))

    def _connect(self) -> None:
        self.strategy.chosen.connect(self._choose_strategy)
        self.way.activated.connect(lambda: self._put(strategy=self.way.currentData()))
        self.rouge.activated.connect(lambda: self._put(rouge=self.rouge.currentData()))
        self.unique.toggled.connect(lambda on: self._put(unique=on))
        self.slider.followed.connect(self._put_ratio)
        self.ratio.value_changed.connect(self._put_ratio)
        self.masking.activated.connect(lambda: self._put(masking=self.masking.currentData()))
        self.more.triggered.connect(self.more_requested)

    def set_brief(self, brief: bool) -> None:
        """Leaves the strategy and the ratio alone in the row; the others are under all options."""
        if brief != self._foldable[0].isHidden():
            for group in self._foldable:
                group.setVisible(not brief)
            self.arrange()

    @property
    def settings(self) -> GapPairSettings:
        """The settings as the controls stand."""
        return self._settings

    def show_settings(self, settings: GapPairSettings) -> None:
        """Shows other settings without a signal."""
        self._settings = settings
        scored = settings.strategy in _WAYS
        self.strategy.set_value(_SCORED if scored else settings.strategy)
        if scored:
            self.way.setCurrentIndex(self.way.findData(settings.strategy))
        self.rouge.setCurrentIndex(self.rouge.findData(settings.rouge))
        self.masking.setCurrentIndex(self.masking.findData(settings.masking))
        blocked = self.unique.blockSignals(True)
        self.unique.setChecked(settings.unique)
        self.unique.blockSignals(blocked)
        percent = round(settings.ratio * 100)
        self.slider.set_value_quietly(percent)
        if not self.ratio.hasFocus() or self.ratio.value != percent:
            self.ratio.set_value(percent)
        self._allow(scored)

    def _allow(self, scored: bool) -> None:
        """Disables what has no effect, or is not allowed, and says why."""
        settings = self._settings
        for control in (self.way, self.rouge, self.unique):
            control.setEnabled(scored)
            why = "" if scored else self.tr("Lead and random have no scores.")
            set_tooltip(control, self._theme, why)
            control.setAccessibleDescription(why)
        is_longest = settings.rouge == "L"
        self.unique.setEnabled(scored and not is_longest)
        if scored and is_longest:
            why = self.tr("ROUGE-L compares order, so no n-grams are counted.")
            set_tooltip(self.unique, self._theme, why)
        longest = list(get_args(Rouge)).index("L")
        allowed = settings.independent and not settings.unique
        _allow_item(self.rouge, longest, allowed, self.tr("ROUGE-L scores each sentence alone."))
        for at, way in enumerate(_WAYS):
            one_by_one = way.startswith("sequential")
            _allow_item(self.way, at, not (is_longest and one_by_one), self.tr("Not with ROUGE-L."))
        has_count = settings.count is not None
        for part in (self.slider, self.ratio):
            part.setEnabled(not has_count)
            told = self.tr("A fixed number is set under all options.")
            set_tooltip(part, self._theme, told if has_count else "")

    def _choose_strategy(self, value: str) -> None:
        if value == _SCORED:
            way = self.way.currentData() or _WAYS[0]
            self._put(strategy=way)
        else:
            self._put(strategy=value)

    def _put_ratio(self, percent: int) -> None:
        values: dict[str, object] = {"ratio": percent / 100}
        above = self._settings.ratio_to
        if above is not None and above < percent / 100:
            values["ratio_to"] = percent / 100
        self._put(**values)

    def _put(self, **values: object) -> None:
        """Takes new values; what does not go with them takes its default."""
        merged = self._settings.model_dump() | values
        strategy = str(merged["strategy"])
        if not strategy.endswith("pairwise"):
            merged |= {"aggregate": "mean", "algorithm": "fast"}
        if not strategy.startswith("independent"):
            merged["noise"] = 0.0
            if strategy.startswith("sequential") and merged["rouge"] == "L":
                merged["rouge"] = "1"
        if merged["rouge"] == "L":
            merged["unique"] = False
        if merged["masking"] == "keep":
            merged["left_in"] = 0.0
        settings = GapPairSettings.model_validate(merged)
        if settings != self._settings:
            self.show_settings(settings)
            self.changed.emit()


def _allow_item(box: ComboBox, at: int, allowed: bool, why: str) -> None:
    model = box.model()
    assert isinstance(model, QStandardItemModel)
    item = model.item(at)
    item.setEnabled(allowed)
    item.setToolTip("" if allowed else why)
    item.setData("" if allowed else why, Qt.ItemDataRole.AccessibleDescriptionRole)
