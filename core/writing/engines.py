"""Opens a model with the program that is to compute it."""

import json
import secrets
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import torch

from core.decoding.ctranslate2_writer import CTranslate2Writer, Frame, load
from core.decoding.engine import Engine, EngineChoice, searches_alike
from core.decoding.settings import DecodingSettings
from core.decoding.streaming import Decided
from core.distribution.parts import part_of
from core.errors import EpitomeError, explained
from core.library.seal import seal_of
from core.models.families import get_family
from core.models.hugging_face.files import is_model_folder
from core.models.settings import PairSettings
from core.runs.folder import RunFolder
from core.runs.model_card import read_model_card
from core.stop import StopToken
from core.storage.files import write_json
from core.storage.parsing import parse_json
from core.storage.regular_files import read_regular, rename_patiently
from core.training.checkpoint import WEIGHTS_FILE
from core.training.device import open_device
from core.training.origins import Origin, origin_of
from core.training.plan import RunPlan
from core.training.settings import StepSettings
from core.writing.opened_model import name_of, open_model
from core.writing.writing_model import WritingModel

FOLDER: Final = "ctranslate2"
"""In a model's folder: its converted forms."""

_STAMP = "made-of.json"
_BITS: Final[dict[Engine, int]] = {"ctranslate2": 32, "ctranslate2-int8": 8}


def open_with(run: Path, engine: EngineChoice) -> WritingModel:
    """Loads the best checkpoint of a run.

    Args:
        run: The run's folder, or that of a Hugging Face model.
        engine: What is to compute it. "auto" takes ctranslate2 with weights of 8 bits where that
            part is installed, knows the model, and searches as the model's settings ask; else
            PyTorch.

    Returns:
        The model, with the prompt that a person gave it.

    Raises:
        EpitomeError: If it cannot be opened, or a named engine cannot compute it.
    """
    if gguf := _opened_gguf(run):
        return gguf
    if engine == "torch":
        return open_model(run)
    if is_model_folder(run):
        if engine == "auto":
            return open_model(run)
        raise EpitomeError(
            f"The model in {run} was not imported; ctranslate2 computes imported models.",
            f"Run epitome models import {run}.",
        )
    origin = origin_of(run)
    if engine == "auto":
        return _open_best(run, origin)
    _check(origin)
    return _open_converted(run, origin, engine)


def _opened_gguf(run: Path) -> WritingModel | None:
    """A GGUF file, which llama.cpp computes; None for other models."""
    folder = RunFolder(run)
    if not folder.exists:
        return None
    plan = RunPlan.load(folder)
    if not plan.model.is_gguf:
        return None
    from core.writing.gguf_model import open_gguf

    open_device(StepSettings())
    return open_gguf(run, plan, torch.get_num_threads())


def _open_best(run: Path, origin: Origin) -> WritingModel:
    engine = engine_for(origin)
    if engine == "torch":
        return open_model(run)
    try:
        return _open_converted(run, origin, engine)
    except EpitomeError as error:
        return replace(open_model(run), told=f"Computed by PyTorch: {error.message}")


def engine_for(origin: Origin) -> Engine:
    """What computes a model where a person has not said it."""
    settings = origin.plan.model
    on_cpu = open_device(StepSettings()).type == "cpu"
    can = (
        on_cpu
        and not get_family(settings).check_ctranslate2(settings)
        and searches_alike(origin.plan.decoding)
    )
    return "ctranslate2-int8" if can and part_of("fast").is_installed and _has_int8() else "torch"


def prepare(run: Path) -> bool:
    """Converts a model now that would be converted when it first writes.

    Args:
        run: The run's folder.

    Returns:
        Whether ctranslate2 will compute it.

    Raises:
        EpitomeError: If there is no whole checkpoint, or the model cannot be converted.
    """
    origin = origin_of(run)
    engine = engine_for(origin)
    if engine == "torch":
        return False
    _converted(run, origin, engine)
    return True


def _has_int8() -> bool:
    import ctranslate2

    return "int8" in ctranslate2.get_supported_compute_types("cpu")


def _check(origin: Origin) -> None:
    """Refuses what ctranslate2 cannot compute."""
    settings, part = origin.plan.model, part_of("fast")
    if not part.is_installed:
        raise EpitomeError(
            f"The part “{part.title}” (ctranslate2) is not installed.",
            f"Run {part.command}.",
            kind="missing-fast",
        )
    if told := get_family(settings).check_ctranslate2(settings):
        raise EpitomeError(f"ctranslate2 does not compute {told}.", "Choose the engine torch.")


@dataclass(frozen=True, kw_only=True)
class ConvertedModel(WritingModel):
    """A model that can write, computed by ctranslate2.

    Args:
        program: What `core.decoding.ctranslate2_writer.load` gave.
    """

    program: Any

    @cached_property
    def _writer(self) -> CTranslate2Writer:
        settings, special = PairSettings.require(self.settings), self.tokenizer.special
        frame = Frame(
            settings.start_ids(special), settings.end_ids(special), special.before, special.after
        )
        positions = settings.target_positions
        return CTranslate2Writer(
            self.program, frame, settings.source_length, positions, settings.is_chat
        )

    def write(
        self, sources: Sequence[Sequence[int]], settings: DecodingSettings, stop: StopToken
    ) -> Iterator[Decided]:
        """As `WritingModel` has it; see `CTranslate2Writer.write`."""
        return self._writer.write(sources, settings, stop)


def _told(engine: Engine, decoding: DecodingSettings) -> str:
    """What a reader should know of a text that ctranslate2 computed."""
    told = "Computed by ctranslate2."
    if engine == "ctranslate2-int8":
        told = (
            "Computed by ctranslate2 with weights of 8 bits: faster than PyTorch with 32, and some "
            "words can differ."
        )
    if not searches_alike(decoding):
        told += " It ends a beam search earlier than this model's settings ask."
    return told


def _open_converted(run: Path, origin: Origin, engine: Engine) -> WritingModel:
    settings = origin.plan.model
    opened = ConvertedModel(
        name=name_of(run, origin.checkpoint),
        settings=settings,
        tokenizer=origin.open_tokenizer(),
        decoding=origin.plan.decoding,
        weights=origin.checkpoint.path / WEIGHTS_FILE,
        told=_told(engine, origin.plan.decoding),
        note=origin.note,
        program=_loaded(run, origin, engine, is_chat=settings.is_chat),
    )
    return opened.prompted(read_model_card(RunFolder(run)).prompt)


def _loaded(run: Path, origin: Origin, engine: Engine, *, is_chat: bool) -> Any:
    """The converted form, loaded; one that is damaged is made anew."""
    threads = torch.get_num_threads()
    folder = _converted(run, origin, engine)
    try:
        return load(folder, _BITS[engine], threads, is_chat=is_chat)
    except EpitomeError:
        shutil.rmtree(folder, ignore_errors=True)
    return load(_converted(run, origin, engine), _BITS[engine], threads, is_chat=is_chat)


def _converted(run: Path, origin: Origin, engine: Engine) -> Path:
    """The folder of a model's converted form; made where it is missing, or of other weights."""
    from core.models.hugging_face.ctranslate2_form import convert

    bits = _BITS[engine]
    place = run / FOLDER / f"{bits}-bit"
    weights = origin.checkpoint.path / WEIGHTS_FILE
    status = weights.stat()
    stamp = {"weights": [weights.name, status.st_size, status.st_mtime_ns],
             "step": origin.checkpoint.step}  # fmt: skip
    if _read_stamp(place) == _sealed(place, stamp):
        return place
    model: Any = origin.built()
    special = origin.open_tokenizer().special
    draft = run / FOLDER / f".{secrets.token_hex(4)}.draft"
    settings = model.settings
    with explained(f"{draft.parent} cannot be written", "Make it writable, or choose torch."):
        draft.parent.mkdir(exist_ok=True)
        try:
            convert(model, draft, settings.start_ids(special), settings.end_ids(special), bits)
            write_json(draft / _STAMP, _sealed(draft, stamp))
            shutil.rmtree(place, ignore_errors=True)
            with suppress(FileExistsError):  # another process was quicker
                rename_patiently(draft, place)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    return place


def _sealed(place: Path, stamp: dict[str, Any]) -> dict[str, Any]:
    """The stamp of a converted form, which only this program can make for these files.

    ctranslate2 trusts the files that it loads, and a run's folder may come from somebody else.
    """
    sizes = [
        [file.name, file.stat().st_size, file.stat().st_mtime_ns]
        for file in sorted(place.glob("*"))
        if file.name != _STAMP
    ]
    return stamp | {"seal": seal_of(json.dumps([stamp, sizes]))}


def _read_stamp(place: Path) -> Any:
    with suppress(OSError, ValueError):
        return parse_json(read_regular(place / _STAMP))
    return None
