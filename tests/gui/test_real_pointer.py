"""The window on a screen of its own, with a pointer that Qt sees as it sees a person's."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.patience import PATIENCE_S
from tests.helpers.windows import failing
from tests.helpers.x_display import why_missing, x_display

ROOT = Path(__file__).parents[2]
TIMES = 6
"""Of six failures in a row, more than one ended the process when it was not safe."""

pytestmark = [
    pytest.mark.skipif(bool(why_missing()), reason=why_missing()),
    pytest.mark.cold_start,
]


@pytest.fixture(scope="module")
def screen() -> Iterator[dict[str, str]]:
    """The environment of programs on the screen."""
    with x_display() as environment:
        yield {**environment, "PYTHONFAULTHANDLER": "1"}


def run(screen: dict[str, str], home: Path, steps: list[list[Any]]) -> None:
    """Lets a real window do the steps and close; fails where it ended otherwise."""
    script = json.dumps({"steps": [*steps, ["close", ""]], "die_after_events": 0})
    done = subprocess.run(
        [sys.executable, "-m", "tests.helpers.window_program", script],
        cwd=ROOT,
        env={**screen, "EPITOME_HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert done.returncode == 0, done.stderr[-3000:]


def test_failure_after_failure_comes_under_the_pointer_that_asked_for_it(
    screen: dict[str, str], home: Path, tmp_path: Path
) -> None:
    unreadable, _ = failing("broken", tmp_path)
    run(screen, home, [["open", str(unreadable)], *[["press", "Try again"]] * TIMES])


def test_failures_come_and_go_under_a_parked_pointer(
    screen: dict[str, str], home: Path, tmp_path: Path
) -> None:
    paths = [str(failing(kind, tmp_path)[0]) for kind in ("broken", "vanished", "scan")]
    opened = [["open", path] for path in paths * (TIMES // 3)]
    run(screen, home, [opened[0], ["point", "Try again"], *opened[1:]])
