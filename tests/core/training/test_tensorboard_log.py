"""What TensorBoard is given, read back from its files."""

import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from tensorboardX.proto.event_pb2 import Event as BoardEvent

from core.training.events import StepDone, ValidationDone
from core.training.tensorboard_log import TensorBoardLog


def written(folder: Path) -> Iterator[BoardEvent]:
    """All events, file by file: length, check sum, event, check sum."""
    for path in sorted(folder.iterdir()):
        data = path.read_bytes()
        while data:
            (length,) = struct.unpack("<Q", data[:8])
            yield BoardEvent.FromString(data[12 : 12 + length])
            data = data[12 + length + 4 :]


def scalars(folder: Path) -> list[tuple[str, int, float]]:
    return [
        (value.tag, event.step, value.simple_value)
        for event in written(folder)
        for value in event.summary.value
    ]


STEP = StepDone(3, 0, 4.5, 1.25, 0.01, 10, 100, 0.5)


def test_losses_rates_and_scores_are_there(tmp_path: Path) -> None:
    board = TensorBoardLog(tmp_path)
    board.keep(STEP)
    board.keep(ValidationDone(3, 4.25, 10, {"1": 0.5}, True, 1.0))
    board.close()
    assert scalars(tmp_path) == [
        ("training/loss", 3, 4.5),
        ("training/gradient_norm", 3, 1.25),
        ("training/learning_rate", 3, pytest.approx(0.01)),
        ("training/tokens_a_second", 3, 200.0),
        ("validation/loss", 3, 4.25),
        ("validation/ROUGE-1", 3, 0.5),
    ]


def test_a_resumed_run_takes_later_steps_back(tmp_path: Path) -> None:
    board = TensorBoardLog(tmp_path)
    board.keep(STEP)
    board.close()
    board = TensorBoardLog(tmp_path, after=2)
    board.keep(STEP)
    board.close()
    starts = [each for each in written(tmp_path) if each.session_log.status]
    assert [each.step for each in starts] == [3]
