"""Pictures of Memory."""

from collections.abc import Callable

from core.profiling.paper_figures import FIGURES
from docs.pictures_of.stage import settle
from docs.scenes import memory, training
from gui.main_window import MainWindow
from gui.panels.memory.panel import MemoryPanel


def memory_of(shown: MainWindow) -> MemoryPanel:
    """The Memory panel, for a machine that does not change."""
    shown.show_panel("memory")
    panel = shown.panel("memory")
    assert isinstance(panel, MemoryPanel)
    settle(lambda: panel.knows_machine)
    panel.side.show_machine("", 0, memory.MEMORY_BYTES)
    panel.show_machine(memory.MACHINE, memory.HELD_BYTES)
    return panel


def measured(side: str = "charts", what: str = "memory") -> Callable[[MainWindow], None]:
    """Four variants against the length, measured where they fit."""

    def show(shown: MainWindow) -> None:
        panel = memory_of(shown)
        panel.state.choose_preset("large")
        panel.state.choose_values("1024..65536x2")
        panel.redraw()
        memory.measure(panel.state, shown.folders.measurements_file)
        panel.look()
        settle(lambda: bool(panel.state.kept))
        settle(lambda: panel._reading is None)
        panel._take_machine = lambda facts: None
        panel.side.show_machine("", 0, memory.MEMORY_BYTES)
        panel.show_machine(memory.MACHINE, memory.HELD_BYTES)
        panel.results.what.set_value(what)
        panel.show_side(side)
        panel.redraw()
        settle()

    return show


def forecast(shown: MainWindow) -> None:
    """Nothing was measured yet."""
    memory_of(shown)
    settle()


def paper(shown: MainWindow) -> None:
    """A figure of the paper, beside what the paper says."""
    panel = memory_of(shown)
    panel.show_figure(next(iter(FIGURES.values()))[7])
    settle()


def parts(shown: MainWindow) -> None:
    """The model with each part switched off in turn."""
    panel = memory_of(shown)
    panel.state.choose_axis("parts")
    panel.redraw()
    settle()


def run(shown: MainWindow) -> None:
    """A run with its own settings beside the variants of a preset."""
    panel = memory_of(shown)
    panel.show_plan("patents-16k", training.plan())
    settle()


def settings(shown: MainWindow) -> None:
    """All settings of the model and its step."""
    memory_of(shown).show_settings()
    settle()
