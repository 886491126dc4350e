"""The JSON files of a Hugging Face model folder; nothing in the folder is ever executed."""

from contextlib import suppress
from pathlib import Path
from typing import Any

from core.errors import EpitomeError, explained
from core.storage.parsing import parse_json
from core.storage.regular_files import read_regular

CONFIG_FILE, GENERATION_FILE = "config.json", "generation_config.json"
TOKENIZER_SETTINGS_FILE = "tokenizer_config.json"
_MOST_BYTES = 8_000_000  # the values of a JSON file take up to forty times its size
_REMEDY = "Name a folder that save_pretrained wrote."


def is_model_folder(folder: Path) -> bool:
    """True if a folder holds a model of the library, and no run of this program."""
    return (folder / CONFIG_FILE).is_file() and not (folder / "job.toml").exists()


def read_json(path: Path) -> dict[str, Any]:
    """The values of a JSON file.

    Args:
        path: The file.

    Returns:
        Its values by name.

    Raises:
        EpitomeError: If it cannot be read, or holds something else.
    """
    what = f"{path} cannot be read"
    try:
        with explained(what, _REMEDY):
            found = parse_json(read_regular(path, _MOST_BYTES))
    except ValueError as error:
        raise EpitomeError(f"{what} ({error}).", _REMEDY) from error
    if not isinstance(found, dict):
        raise EpitomeError(f"{path} holds no settings.", _REMEDY)
    return found


def read_tokenizer_settings(folder: Path) -> dict[str, Any]:
    """What `tokenizer_config.json` says; nothing where it is not there."""
    path = folder / TOKENIZER_SETTINGS_FILE
    return read_json(path) if path.exists() else {}


def read_if_there(path: Path) -> str:
    """The text of a file; empty where it is not there, or is no text."""
    with suppress(OSError, ValueError):
        return read_regular(path, _MOST_BYTES).decode()
    return ""


def check_code(folder: Path, *settings: dict[str, Any]) -> None:
    """Refuses a model that works only with Python code of its own.

    Args:
        folder: The model's folder.
        *settings: What its JSON files say.

    Raises:
        EpitomeError: If one of them names code to be imported.
    """
    if any(values.get("auto_map") or values.get("trust_remote_code") for values in settings):
        raise EpitomeError(
            f"The model in {folder} needs Python code of its own (auto_map), which Epitome never "
            "runs.",
            "Choose a model whose architecture is part of the transformers library.",
            kind="remote-code",
        )
