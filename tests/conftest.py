"""What holds for every test: no screen, no network, a home of its own, nothing left running."""

import gc
import os
import signal
import sys
from collections.abc import Generator, Iterator
from pathlib import Path

import hypothesis
import pytest

OFFLINE = str(Path(__file__).parent / "helpers" / "offline")
WINDOW = Path(__file__).parent / "gui"

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# One thread a process: two test processes with two threads each wait for one another on two cores.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# Compiled once: hundreds of child processes import the program.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
os.environ["PYTHONPATH"] = os.pathsep.join(
    [OFFLINE, *filter(None, [os.environ.get("PYTHONPATH")])]
)  # a child process imports sitecustomize from there, and is offline from its first line
sys.path.insert(0, OFFLINE)
sys.modules.pop("sitecustomize", None)
import sitecustomize  # noqa: E402

from core.system.machine import usable_cores  # noqa: E402
from tests.helpers import warm_processes  # noqa: E402
from tests.helpers.leftovers import nothing_left_running  # noqa: E402

sitecustomize.cut_network()
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # begun in the background of a shell
    signal.signal(signal.SIGINT, signal.default_int_handler)  # children would ignore Ctrl-C, too


def pytest_configure(config: pytest.Config) -> None:
    """Draws the same examples in every run; `--hypothesis-seed=N` draws others."""
    same = config.getoption("--hypothesis-seed") is None
    hypothesis.settings.register_profile("epitome", deadline=None, derandomize=same)
    hypothesis.settings.load_profile("epitome")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Spares collections of garbage all that tests import: a million objects, which stay."""
    gc.disable()
    result = yield
    gc.freeze()
    gc.enable()
    return result


def pytest_xdist_auto_num_workers() -> int:
    """One more than cores: about a third of the time a test waits for its child processes."""
    return usable_cores() + 1


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leaves no widget to be collected on a thread of a test that is not of the window.

    Children are forked but of tests that are about how they start.
    """
    warm_processes.switch(item.get_closest_marker("cold_start") is None)
    if not gc.isenabled() and not item.path.is_relative_to(WINDOW):
        gc.collect()
        gc.enable()


@pytest.fixture(autouse=True)
def leaves_nothing_running(tmp_path: Path) -> Iterator[None]:
    """Fails a test that leaves a thread, a Qt thread or a child process behind.

    It looks before the folder of the test is removed.
    """
    with nothing_left_running():
        yield


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that holds all of Epitome's own folders during a test."""
    folder = tmp_path / "home"
    monkeypatch.setenv("EPITOME_HOME", str(folder))
    return folder
