"""The Memory panel in the real window, for a machine that is always the same."""

from core.models.reformer.settings import ReformerSettings
from core.profiling.memory_sweeps import Machine
from core.profiling.settings import ProfileSettings
from gui.main_window import MainWindow
from gui.panels.memory.panel import MemoryPanel
from gui.panels.memory.state import MemoryState

MACHINE = Machine(cores=2, rate=6e10, limit_bytes=8_000_000_000)
TINY = ReformerSettings(
    vocabulary_size=64, length=64, width=32, depth=1, heads=2, bucket_size=16, buckets=4
)
STEP = ProfileSettings(steps=1, warm_up=1, threads=1, device="cpu")


def memory(window: MainWindow) -> MemoryPanel:
    """The panel."""
    panel = window.panel("memory")
    assert isinstance(panel, MemoryPanel)
    return panel


def tiny_state(values: str = "32,64") -> MemoryState:
    """A model that is measured in a moment, against the length."""
    state = MemoryState(machine=MACHINE)
    take_tiny(state, values)
    return state


def take_tiny(state: MemoryState, values: str = "32,64") -> None:
    """Sets that model, and draws it alone."""
    state.show(TINY, STEP)
    state.choose_axis("length")
    state.choose_values(values)
    state.ticked = ["base"]
    state.renew()
