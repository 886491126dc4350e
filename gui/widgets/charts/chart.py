"""A chart: a head with title, legend and exports; below it the plot, or the same as a table."""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from core.errors import EpitomeError
from gui.theme.theme import Theme
from gui.widgets.charts.chart_legend import Legend
from gui.widgets.charts.chart_model import SMOOTHINGS, ChartModel, Reading
from gui.widgets.display.label import Label
from gui.widgets.display.sign import Sign
from gui.widgets.inputs.button import STRIP_HEIGHT_PX, Button, icon_button
from gui.widgets.inputs.menu import Menu
from gui.widgets.inputs.saving import CHART_FORMATS, ask_where
from gui.widgets.inputs.segmented import SegmentedControl
from gui.widgets.support.leaving import let_go
from gui.widgets.support.ticks import readable

if TYPE_CHECKING:
    from gui.widgets.charts.chart_plot import Plot
    from gui.widgets.tables.table import Table

LEAST_WIDTH_PX, LEAST_HEIGHT_PX = 240, 160
COMPACT_WIDTH_PX, COMPACT_HEIGHT_PX = 140, 120
_HEAD_PX, _COMPACT_HEAD_PX = 44, 28
_ROOMY_PX = 620
_HEAD_SPARE_PX = 64  # between the parts of the head


@cache
def _prepare_plots() -> None:
    """Imports pyqtgraph beside the window's thread, which it would hold for a fifth of a second."""
    Thread(target=import_module, args=("gui.widgets.charts.chart_plot",)).start()


class Chart(QWidget):
    """Draws a model; call `refresh` when the model has changed.

    What its buttons do is in its context menu too.
    """

    has_views = True
    """True if it can be smoothed, zoomed, and drawn on logarithmic axes."""

    axis_chosen = Signal(str)
    """The person chose what is drawn over; the model has it."""
    failed = Signal(object)
    """An `EpitomeError`: the file could not be written."""
    saved = Signal(object)
    """The path of a file that was written."""

    def __init__(
        self,
        theme: Theme,
        model: ChartModel,
        parent: QWidget | None = None,
        *,
        compact: bool = False,
        chooses_axis: bool = True,
    ) -> None:
        """A chart.

        Args:
            theme: The look.
            model: What is drawn.
            parent: Qt's owner.
            compact: Whether it is a small one: its head has the last value instead of buttons.
            chooses_axis: Whether its head offers other axes; one that is linked follows another.
        """
        super().__init__(parent)
        _prepare_plots()
        self._theme, self.model, self.compact = theme, model, compact
        self._chooses_axis = chooses_axis and not compact
        self._plot: Plot | None = None
        self._table: Table | None = None
        self._linked: list[Chart] = [self]
        self._busy = ""
        self._added: list[Button] = []
        self._make_head()
        self._empty_words = self.tr("None yet") if compact else self.tr("No measurements yet")
        self._waiting, self._ring, self._words = QWidget(), Sign(theme, "", "text3"), Label(theme)
        self._make_waiting()
        self._stack_holder = QWidget()
        self._stack = QStackedLayout(self._stack_holder)
        self._stack.addWidget(self._waiting)
        column = self._column = QVBoxLayout(self)
        column.setSizeConstraint(QVBoxLayout.SizeConstraint.SetNoConstraint)  # the head folds
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._head)
        column.addWidget(self._stack_holder, 1)
        self.setAccessibleName(model.title)
        self.setMinimumHeight(self.minimumSizeHint().height())

    def _make_head(self) -> None:
        theme, model = self._theme, self.model
        self._head = QWidget()
        self._head.setFixedHeight(_COMPACT_HEAD_PX if self.compact else _HEAD_PX)
        row = self._head_row = QHBoxLayout(self._head)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        role, color = ("small", "text2") if self.compact else ("section", "text")
        self._title = Label(theme, model.title, role, color, elide=True)
        row.addWidget(self._title)
        self._unit = Label(theme, model.unit, "small", "text3", elide=True)
        row.addSpacing(0 if self.compact else 4)
        row.addWidget(self._unit)
        row.addSpacing(0 if self.compact else 12)
        self.legend = Legend(theme, model)
        row.addWidget(self.legend)
        row.addStretch(1)
        self.axes: SegmentedControl | None = None
        if self._chooses_axis and 2 <= len(model.axes) <= 5:
            parts = [(axis.name, axis.title) for axis in model.axes]
            self.axes = SegmentedControl(
                theme, parts, height=STRIP_HEIGHT_PX, name=self.tr("Drawn over")
            )
            self.axes.chosen.connect(self._choose_axis)
            row.addWidget(self.axes)
            row.addSpacing(4)
        self.view = icon_button(theme, "sliders-horizontal", self.tr("View"))
        self.view.triggered.connect(self._open_view_menu)
        self.table_button = icon_button(theme, "table-2", self.tr("Show as a table"))
        self.table_button.setCheckable(True)
        self.table_button.triggered.connect(self._turn_table)
        self.download = icon_button(theme, "download", self.tr("Download"))
        self.download.triggered.connect(self._open_download_menu)
        self._last = Label(theme, "", "smallb", "text")
        row.addWidget(self._last)
        for button in (self.view, self.table_button, self.download):
            row.addWidget(button)
        self._show_buttons()

    def _show_buttons(self) -> None:
        self._last.setVisible(self.compact)
        for widget in (self.legend, self.axes, self.view, self.table_button, self.download):
            if widget is not None:
                widget.setVisible(not self.compact)
        self.view.setVisible(self.has_views and not self.compact)

    def add_button(self, button: Button) -> None:
        """Puts a button into the head, before those of view, table and download."""
        self._added.append(button)
        self._head_row.insertWidget(self._head_row.indexOf(self.view), button)

    def set_title(self, title: str) -> None:
        """Names the chart anew."""
        self.model.title = title
        self._title.setText(title)
        self.setAccessibleName(title)

    def show_model(self, model: ChartModel) -> None:
        """Draws another model of the same axes, all of it, as a plot."""
        self.model = self.legend.model = model
        self._busy = ""
        self.set_title(model.title)
        if self.axes is not None:
            self.axes.set_value(model.axis.name)
        if self._plot is not None:
            self._plot.show_model(model)
        self.table_button.setChecked(False)
        self._show_table(False)

    def _make_waiting(self) -> None:
        row = QHBoxLayout(self._waiting)
        row.setSpacing(8)
        row.addStretch()
        row.addWidget(self._ring)
        self._words.set_color("text3")
        row.addWidget(self._words)
        row.addStretch()

    @property
    def plot(self) -> "Plot":
        """The plot; made when it is first asked for."""
        if self._plot is None:
            self._plot = self._make_plot()
            self._plot.range_changed.connect(self._follow)
            self._plot.read.connect(self._share_crosshair)
            self._stack.addWidget(self._plot)
            QWidget.setTabOrder(self.download, self._plot)
        return self._plot

    def _make_plot(self) -> "Plot":
        from gui.widgets.charts.chart_plot import Plot

        return Plot(self._theme, self.model)

    @property
    def plot_is_made(self) -> bool:
        """Whether the plot is there already."""
        return self._plot is not None

    @property
    def stops(self) -> list[QWidget]:
        """Where Tab leads, in order."""
        axes = self.axes.findChildren(QWidget) if self.axes is not None else []
        own = [self.view, self.table_button, self.download]
        plot = [self._plot] if self._plot is not None else []
        return [*axes, *self._added, *own, *plot]

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.compact:
            return
        self._fold_head()

    def _fold_head(self) -> None:
        """Leaves out the legend, then the axes, where they would lie on one another."""
        roomy = self.width() >= _ROOMY_PX
        others = [self._title, self._unit, self.axes, self.view, self.table_button, self.download]
        needed = sum(w.sizeHint().width() for w in others if w is not None) + _HEAD_SPARE_PX
        self.legend.setVisible(self.width() >= needed + self.legend.sizeHint().width())
        if self.axes is not None:
            self.axes.setVisible(roomy)

    def sizeHint(self) -> QSize:
        return QSize(200, 150) if self.compact else QSize(640, 320)

    def minimumSizeHint(self) -> QSize:
        if self.compact:
            return QSize(COMPACT_WIDTH_PX, COMPACT_HEIGHT_PX)
        return QSize(LEAST_WIDTH_PX, LEAST_HEIGHT_PX)

    # What is shown

    def refresh(self) -> None:
        """Draws the model as it is now; nothing is done while the chart is not to be seen."""
        if not self.isVisible():
            return
        self.legend.refresh()
        if not self.compact:
            self._fold_head()
        self._unit.setText(self._subtitle())
        first = self.model.drawn[0].last() if self.compact and self.model.drawn else None
        self._last.setText("" if first is None else readable(first, 2 if abs(first) < 1 else 3))
        if self._busy or self.model.empty:
            self._ring.setVisible(bool(self._busy))
            self._words.setText(self._busy or self._empty_words)
            self._stack.setCurrentWidget(self._waiting)
        else:
            self.plot.refresh()
            if self._table is not None:
                from gui.widgets.charts.chart_table import renew

                renew(self._table)
            self._stack.setCurrentWidget(self._table or self.plot)
            self._share_margin()
        for button in (self.view, self.table_button, self.download):
            button.set_usable(not self.model.empty, self._empty_words)

    def _subtitle(self) -> str:
        left_out = self.model.num_left_out
        note = self.tr("{0} at or below 0 not shown").format(left_out) if left_out else ""
        return ", ".join(filter(None, (self.model.subtitle, note)))

    def set_waiting(self, words: str) -> None:
        """Says what is waited for, in place of the plot; "" shows the plot."""
        self._busy = words
        self._ring.set_icon("loader-circle", "text3")
        self.refresh()

    def set_smoothing(self, amount: float) -> None:
        """Smooths from 0 (off) to below 1."""
        self.model.smoothing = amount
        self.refresh()

    def set_log(self, *, x: bool | None = None, y: bool | None = None) -> None:
        """Makes an axis logarithmic or not."""
        self.model.log_x = self.model.log_x if x is None else x
        self.model.log_y = self.model.log_y if y is None else y
        self.plot.reset()
        self.refresh()

    def _choose_axis(self, name: str) -> None:
        for chart in self._linked:
            if name in {axis.name for axis in chart.model.axes}:
                chart.model.choose_axis(name)
                if chart.axes is not None:
                    chart.axes.set_value(name)
                if chart._plot is not None:
                    chart._plot.reset()
                chart._show_table(chart.table_button.isChecked())
        self.axis_chosen.emit(name)

    # Charts that share an axis

    def _follow(self) -> None:
        for plot in self._peers():
            if self.plot.follows:
                plot.reset_quietly()
            else:
                plot.show_x(self.plot.ends.left, self.plot.ends.right)
        self._share_margin()

    def _share_crosshair(self, reading: Reading | None) -> None:
        for plot in self._peers():
            plot.point_with(reading)

    def _peers(self) -> "list[Plot]":
        """The plots of linked charts that are drawn over the same axis now."""
        mine = (self.model.axis.name, self.model.log_x)
        others = [chart for chart in self._linked if chart is not self]
        same = [chart for chart in others if (chart.model.axis.name, chart.model.log_x) == mine]
        return [chart._plot for chart in same if chart._plot is not None]

    def _share_margin(self) -> None:
        if self.compact or len(self._linked) < 2:
            return  # a small one has no labels, and the others are wider
        large = [chart for chart in self._linked if not chart.compact]
        plots = [chart._plot for chart in large if chart._plot is not None]
        margin = max(plot.wanted_margin() for plot in plots)
        for plot in plots:
            plot.set_margin(margin)

    # The table twin

    def _turn_table(self) -> None:
        self._show_table(self.table_button.isChecked())

    def _show_table(self, shown: bool) -> None:
        had_focus = self._stack_holder.isAncestorOf(self.focusWidget() or self)
        if self._table is not None:
            self._stack.removeWidget(self._table)
            let_go(self._table)
            self._table = None
        if shown:
            from gui.widgets.charts.chart_table import chart_table

            self._table = chart_table(self._theme, self.model)
            self._table.menu_made.connect(self._add_way_back)
            self._stack.addWidget(self._table)
        tooltip = self.tr("Show as a chart") if shown else self.tr("Show as a table")
        self.table_button.set_tooltip(tooltip)
        self.refresh()
        if had_focus:
            (self._table or self.plot).setFocus(Qt.FocusReason.OtherFocusReason)

    # Menus

    def _add_way_back(self, menu: Menu) -> None:
        """The menu of the table leads back to the chart: a small one has no button for it."""
        menu.addSeparator()
        menu.add(self.tr("Show as a chart"), self.table_button.click, icon="chart-spline")

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.model.empty or (self._table is not None and self._table.underMouse()):
            return
        menu = Menu(self._theme, self.model.title, self)
        if self.has_views:
            self._fill_view_menu(menu)
            menu.addSeparator()
        shown = self.table_button.isChecked()
        words = self.tr("Show as a chart") if shown else self.tr("Show as a table")
        menu.add(words, self.table_button.click, icon="table-2")
        self._fill_download_menu(menu)
        menu.popup(event.globalPos())

    def _open_view_menu(self) -> None:
        menu = Menu(self._theme, self.tr("View"), self)
        self._fill_view_menu(menu)
        self._pop_up(menu, self.view)

    def _fill_view_menu(self, menu: Menu) -> None:
        if any(series.look.smooth for series in self.model.series):
            for amount in SMOOTHINGS:
                off = self.tr("No smoothing")
                words = self.tr("Smoothing {0}").format(amount) if amount else off
                icon = "check" if amount == self.model.smoothing else ""
                menu.add(words, lambda amount=amount: self.set_smoothing(amount), icon=icon)  # type: ignore[misc]
            menu.addSeparator()
        if self.axes is not None and not self.axes.isVisible():
            for axis in self.model.axes:
                icon = "check" if axis is self.model.axis else ""
                menu.add(axis.title, lambda name=axis.name: self._choose_axis(name), icon=icon)  # type: ignore[misc]
            menu.addSeparator()
        log_x, log_y = self.model.log_x, self.model.log_y
        menu.add(
            self.tr("Logarithmic values"),
            lambda: self.set_log(y=not log_y),
            icon="check" if log_y else "",
        )
        menu.add(
            self.tr("Logarithmic {0}").format(self.model.axis.title.lower()),
            lambda: self.set_log(x=not log_x),
            icon="check" if log_x else "",
        )
        menu.addSeparator()
        menu.add(self.tr("Show all"), self._show_all, shortcut="0")

    def _open_download_menu(self) -> None:
        menu = Menu(self._theme, self.tr("Download"), self)
        self._fill_download_menu(menu)
        self._pop_up(menu, self.download)

    def _fill_download_menu(self, menu: Menu) -> None:
        menu.add(self.tr("Picture, .png"), lambda: self._save_as(".png"), icon="download")
        menu.add(self.tr("Drawing, .svg"), lambda: self._save_as(".svg"), icon="download")
        menu.add(self.tr("Table, .csv"), lambda: self._save_as(".csv"), icon="table-2")

    def _pop_up(self, menu: Menu, button: Button) -> None:
        width = menu.sizeHint().width()
        menu.popup(button.mapToGlobal(QPoint(button.width() - width, button.height() + 4)))

    def _show_all(self) -> None:
        self.plot.reset()

    def _save_as(self, suffix: str) -> None:
        title, name = self.tr("Download"), self.model.title
        path = ask_where(self._theme, self, title, name, suffix, known=CHART_FORMATS)
        if path is not None:
            self.save(path)

    def save(self, path: Path) -> None:
        """Writes the chart as its path ends: .png, .svg or .csv."""
        from gui.widgets.charts.chart_export import save_chart

        try:
            save_chart(self._theme, self.model, self.plot, path)
        except EpitomeError as error:
            self.failed.emit(error)
        else:
            self.saved.emit(path)


def link(charts: Sequence[Chart]) -> None:
    """Lets charts share their x axis: what is zoomed, panned or chosen in one is so in all."""
    for chart in charts:
        chart._linked = list(charts)
