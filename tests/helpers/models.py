"""Folders of runs with a checkpoint, as small as a disk allows: the weights are holes."""

import hashlib
import json
import math
import os
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from core.decoding.settings import DecodingSettings
from core.events import Event
from core.models.reformer.settings import ReformerSettings
from core.models.settings import ModelSettings
from core.runs.events_file import EventsFile
from core.runs.folder import RunFolder
from core.training.events import ValidationDone
from core.training.plan import RunPlan
from core.training.settings import RunSettings, TrainSettings

WEIGHTS = "model.safetensors"
STILL_S = 1_700_000_000
"""When checkpoints were made, in seconds since 1970, unless something else is said."""


TINY = ReformerSettings(vocabulary_size=20, length=16, width=8, depth=1, positions="learned")
"""A model whose file of weights is small though it holds all of them."""


def write_weights(path: Path, shapes: Mapping[str, Sequence[int]]) -> None:
    """A file of float32 tensors, all their numbers a hole in the file."""
    tensors, end = dict[str, Any](), 0
    for name, shape in shapes.items():
        start, end = end, end + 4 * math.prod(shape)
        tensors[name] = {"dtype": "F32", "shape": list(shape), "data_offsets": [start, end]}
    head = json.dumps(tensors).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(struct.pack("<Q", len(head)) + head)
    os.truncate(path, 8 + len(head) + end)


def a_model(
    runs: Path,
    name: str,
    *,
    parameters: int = 1000,
    step: int = 100,
    start_from: Path | None = None,
    corpus: str = "patents",
    model: ModelSettings | None = None,
    rouge: dict[str, float] | None = None,
    loss: float = 2.5,
    when_s: int = STILL_S,
    is_whole: bool = False,
    **train: Any,
) -> Path:
    """A run's folder with a checkpoint and its validation.

    Args:
        runs: The folder of all runs.
        name: Its name.
        parameters: How many numbers its weights have.
        step: The step of its checkpoint.
        start_from: The run it began with.
        corpus: The name of its corpus.
        model: Its architecture.
        rouge: F1 of its validation by type, 0 to 1; None where no summaries were written.
        loss: Loss of its validation.
        is_whole: Whether its weights are those of its architecture, `TINY` by default; else it has
            one tensor, and can be listed and not used.
        when_s: When the checkpoint was made, in seconds since 1970.
        **train: Settings of the training.

    Returns:
        The folder.
    """
    folder = RunFolder(runs / name)
    folder.path.mkdir(parents=True)
    begun = {"start_from": str(start_from or ""), "corpus": f"/corpora/{corpus}"}
    model = model or (TINY if is_whole else ReformerSettings())
    shapes: Mapping[str, Sequence[int]] = {"w": [parameters]}
    if is_whole:
        from core.models.builders import weights_on_meta

        shapes = {name: weight.shape for name, weight in weights_on_meta(model).items()}
    settings = {"rouge_rows": len(rouge or {}) and 20, **train}
    RunPlan(
        RunSettings.checked(begun),
        model,
        TrainSettings.checked(settings),
        DecodingSettings(),
    ).save(folder)
    place = folder.checkpoints / f"step-{step:08}"
    write_weights(place / WEIGHTS, shapes)
    data = (place / WEIGHTS).read_bytes()
    digest = hashlib.blake2b(data, digest_size=16).hexdigest()
    files = {WEIGHTS: {"bytes": len(data), "blake2b": digest}}
    (place / "state.json").write_text(json.dumps({"files": files, "state": {}}), "utf-8")
    (folder.path / "best.json").write_text(json.dumps({"step": step}), "utf-8")
    events: list[Event] = [ValidationDone(step, loss, 100, rouge or {}, True, 1.0)]
    for event in events:
        EventsFile(folder.events_file).append(event)
    os.utime(place / "state.json", (when_s, when_s))
    folder.tokenizer.mkdir()
    (folder.tokenizer / "tokenizer.json").write_text(json.dumps({"model": {"vocab": {}}}), "utf-8")
    return folder.path
