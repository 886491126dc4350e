"""Looks through the folder of a Hugging Face model before anything of it is loaded."""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from core.display_names import shown
from core.documents.languages import language_of
from core.errors import EpitomeError, explained
from core.models.families import estimate_parameters
from core.models.hugging_face.chat_template import chat_frame
from core.models.hugging_face.files import (
    CONFIG_FILE,
    check_code,
    read_if_there,
    read_json,
    read_tokenizer_settings,
)
from core.models.hugging_face.settings import HuggingFaceSettings
from core.models.weights_header import count_parameters
from core.numbers import format_count, format_size

WEIGHTS_FILE, INDEX_FILE = "model.safetensors", "model.safetensors.index.json"
TOKENIZER_FILE, ADAPTER_FILE = "tokenizer.json", "adapter_config.json"
_CTRANSLATE2_FILE, _ITS_VOCABULARY = "model.bin", "*vocabulary.*"
_PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl", "*.pickle")
_OTHERS = ("*.h5", "*.msgpack", "*.gguf", "*.onnx")
_RAW_TOKENIZERS = (
    "spiece.model", "sentencepiece.bpe.model", "tokenizer.model", "vocab.json", "vocab.txt",
    "prophetnet.tokenizer",
)  # fmt: skip
_CARD_HEAD = re.compile(r"\s*---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|$)", re.DOTALL)
_MOST_TIMES, _MOST_MORE = 4, 1_000_000  # sizes are told by their main parts alone
_LONGEST_NAME, _MOST_LANGUAGES = 80, 200
_LONGEST_CARD_HEAD = 50_000
_LICENCES = {
    "apache-2.0": "Apache 2.0", "mit": "MIT", "bsd-3-clause": "BSD 3-Clause", "gpl-3.0": "GPL 3.0",
    "cc-by-4.0": "CC BY 4.0", "cc-by-sa-4.0": "CC BY-SA 4.0", "cc-by-nc-4.0": "CC BY-NC 4.0",
    "cc-by-nc-sa-4.0": "CC BY-NC-SA 4.0",
}  # fmt: skip


@dataclass(frozen=True)
class FolderFacts:
    """What is known of a model before it is imported.

    Args:
        folder: Where it lies.
        settings: Its architecture, and how much it reads and writes.
        parameters: How many numbers its files of weights hold.
        size_bytes: The size of these files.
        licence: By its model card; empty where that does not say.
        languages: Names of languages, by its model card.
        decoding: How its authors let it write, where they say so; names as in their files.
        free_bytes: Memory that was free when it was looked through; 0 where that is not known.
    """

    folder: Path
    settings: HuggingFaceSettings
    parameters: int
    size_bytes: int
    licence: str = ""
    languages: tuple[str, ...] = ()
    decoding: dict[str, Any] = field(default_factory=dict)
    free_bytes: int = 0

    @property
    def memory_bytes(self) -> int:
        """What its weights take in memory, as numbers of 32 bits."""
        return 4 * self.parameters

    @property
    def memory_warning(self) -> str:
        """Says that memory is not enough for the weights; empty where it is."""
        if not self.free_bytes or self.memory_bytes <= self.free_bytes:
            return ""
        needed, free = format_size(self.memory_bytes), format_size(self.free_bytes)
        return f"The model needs {needed} of memory for its weights alone; {free} are free."


def look_through(folder: Path) -> FolderFacts:
    """Checks a model's folder by its JSON files and the heads of its weights.

    Args:
        folder: The folder.

    Returns:
        What is known of the model.

    Raises:
        EpitomeError: If it holds no such model, its weights are no safetensors, it needs code of
            its own, or a tokenizer is missing.
    """
    check_adapter(folder)
    if not (folder / CONFIG_FILE).is_file():
        raise EpitomeError(
            f"There is no {CONFIG_FILE} in {folder}, so it holds no Hugging Face model.",
            "Choose the folder with config.json, the weights and the tokenizer.",
            kind="no-model",
        )
    check_links(folder)
    check_code(folder, read_json(folder / CONFIG_FILE), read_tokenizer_settings(folder))
    files = check_weights(folder)
    check_tokenizer(folder)
    settings = read_settings(folder, full=True)
    card = _card(folder)
    parameters = sum(_counted(file) for file in files)
    _check_size(folder, settings, parameters)
    return FolderFacts(
        folder,
        settings,
        parameters,
        sum(file.stat().st_size for file in files),
        _licence(card),
        tuple(_languages(card)),
        settings.generation_values,
        psutil.virtual_memory().available,
    )


def read_settings(folder: Path, *, full: bool = False) -> HuggingFaceSettings:
    """The settings of a model, with the frame of its chat template where it is a chat model.

    Args:
        folder: What `save_pretrained` wrote.
        full: As `HuggingFaceSettings.from_folder` takes it.

    Returns:
        The settings.

    Raises:
        EpitomeError: As there, and if the chat template cannot be used.
    """
    config, named = read_json(folder / CONFIG_FILE), read_tokenizer_settings(folder)
    check_code(folder, config, named)
    frame = None if config.get("is_encoder_decoder") else chat_frame(folder, named)
    return HuggingFaceSettings.from_folder(folder, full=full, frame=frame)


def check_weights(folder: Path) -> tuple[Path, ...]:
    """The files of a model's weights.

    Args:
        folder: The model's folder.

    Returns:
        One safetensors file, or the several that its index names.

    Raises:
        EpitomeError: If there are none, one is missing, or they are pickles or only additions.
    """
    check_adapter(folder)
    if (folder / WEIGHTS_FILE).is_file():
        return (folder / WEIGHTS_FILE,)
    if (folder / INDEX_FILE).is_file():
        with explained(f"{folder} cannot be read", "Make it readable."):
            present = {file.name for file in folder.iterdir()}
        for name in (names := _indexed(folder)):
            if name not in present or not (folder / name).is_file():
                told = shown(name[:_LONGEST_NAME])
                raise EpitomeError(
                    f"The weights in {folder} are not whole: {told} is missing.",
                    "Copy all files of the model into the folder.",
                )
        if names:
            return tuple(folder / name for name in names)
    raise _no_weights(folder)


def _indexed(folder: Path) -> list[str]:
    """The files of weights that an index names, each once."""
    told = read_json(folder / INDEX_FILE).get("weight_map")
    values = list(told.values()) if isinstance(told, dict) else [told]
    names = [name for name in values if isinstance(name, str)]
    if len(names) < len(values):
        raise EpitomeError(
            f"The file {INDEX_FILE} in {folder} names no files of weights.",
            "Copy all files of the model into the folder.",
        )
    return sorted(set(names))


def _check_size(folder: Path, settings: HuggingFaceSettings, parameters: int) -> None:
    """Refuses a configuration of a far larger model than the weights are, before it is made."""
    described = estimate_parameters(settings)
    if described > _MOST_TIMES * parameters + _MOST_MORE:
        raise EpitomeError(
            f"{CONFIG_FILE} in {folder} describes a model of about {format_count(described)} "
            f"numbers, and its weights hold {format_count(parameters)}.",
            "Copy all files of the model into the folder again.",
        )


def check_adapter(folder: Path) -> None:
    """Refuses a LoRA adapter, alone or beside a model.

    The library would load the model that the adapter names, from wherever that is, instead of the
    folder's own.

    Args:
        folder: The model's folder.

    Raises:
        EpitomeError: If there is one.
    """
    if not (folder / ADAPTER_FILE).exists():
        return
    base = ""
    with suppress(EpitomeError):
        base = str(read_json(folder / ADAPTER_FILE).get("base_model_name_or_path") or "")
    of = f" of “{shown(base[:_LONGEST_NAME])}”" if base else ""
    raise EpitomeError(
        f"{folder} holds a LoRA adapter{of} ({ADAPTER_FILE}); only whole models are read.",
        "Merge it into its model (merge_and_unload of peft), save that as safetensors, and choose "
        "that folder.",
        kind="adapter",
    )


def check_links(folder: Path) -> None:
    """Refuses texts of a model that are links to somewhere else.

    What such a link names would become part of the model, and be passed on with it. The library's
    own cache consists of links into one folder beside it; weights may lie anywhere.

    Args:
        folder: The model's folder.

    Raises:
        EpitomeError: If one of its files of text leads out of it.
    """
    inside = (folder.resolve(), folder.resolve().parent.parent / "blobs")
    with explained(f"{folder} cannot be read", "Make it readable."):
        files = sorted(folder.iterdir())
    for file in files:
        if not file.is_symlink() or file.suffix == ".safetensors":
            continue
        target = Path(os.path.realpath(file))
        if not any(target.is_relative_to(place) for place in inside):
            raise EpitomeError(
                f"{file.name} in {folder} is a link to {target}, outside of the model.",
                "Copy the file itself into the folder, if it belongs there.",
                kind="no-model",
            )


def check_tokenizer(folder: Path) -> None:
    """Refuses a folder without a tokenizer.

    Args:
        folder: The model's folder.

    Raises:
        EpitomeError: If no file of it is a tokenizer.
    """
    if not any((folder / name).is_file() for name in (TOKENIZER_FILE, *_RAW_TOKENIZERS)):
        raise EpitomeError(
            f"There is no tokenizer in {folder}; {TOKENIZER_FILE} is needed beside the weights.",
            f"Copy {TOKENIZER_FILE} from where the model comes from.",
            kind="no-tokenizer",
        )


def _no_weights(folder: Path) -> EpitomeError:
    if (folder / _CTRANSLATE2_FILE).exists() and _found(folder, (_ITS_VOCABULARY,)):
        return EpitomeError(
            f"The weights in {folder} are in the form of ctranslate2 (model.bin), which is not "
            "read.",
            f"Get the model as {WEIGHTS_FILE}; Epitome makes that form of it by itself.",
            kind="no-weights",
        )
    if pickles := _found(folder, _PICKLES):
        return EpitomeError(
            f"The weights in {folder} are pickled ({pickles[0]}); a pickle can run any program, so "
            "only safetensors are read.",
            f"Get the model as {WEIGHTS_FILE}; many are published in both forms.",
            kind="pickle",
        )
    others = _found(folder, _OTHERS)
    told = f" ({others[0]} is of another kind)" if others else ""
    return EpitomeError(
        f"There are no weights in {folder}{told}; {WEIGHTS_FILE} is needed.",
        "Copy all files of the model into the folder.",
        kind="no-weights",
    )


def _found(folder: Path, patterns: tuple[str, ...]) -> list[str]:
    return sorted(path.name for pattern in patterns for path in folder.glob(pattern))


def _counted(file: Path) -> int:
    try:
        return count_parameters(file)
    except EpitomeError as error:
        told = error.message.rstrip(".")
        raise EpitomeError(
            f"{told}, so the model is damaged or incomplete.", "Copy the file again."
        ) from error


def _card(folder: Path) -> dict[str, Any]:
    """The head of the model card; nothing where there is none, or it cannot be read."""
    import yaml

    match = _CARD_HEAD.match(read_if_there(folder / "README.md")[:_LONGEST_CARD_HEAD])
    try:
        found = yaml.safe_load(match[1]) if match else None
    except Exception:  # YAML raises much; a card is no part of the model
        return {}
    return found if isinstance(found, dict) else {}


def _licence(card: dict[str, Any]) -> str:
    told = card.get("license_name") if card.get("license") == "other" else card.get("license")
    told = told[0] if isinstance(told, list) and told else told
    return _LICENCES.get(told, told[:_LONGEST_NAME]) if isinstance(told, str) else ""


def _languages(card: dict[str, Any]) -> Iterator[str]:
    told = card.get("language") or []
    codes = told if isinstance(told, list) else [told]
    for code in [each for each in codes if isinstance(each, str)][:_MOST_LANGUAGES]:
        yield language_of(code).name if language_of(code).code else code[:_LONGEST_NAME]
