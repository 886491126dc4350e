"""The file that holds one model: which parts it may have, and how it is refused.

It is a zip archive of safetensors, JSON and TOML; nothing in it is ever executed. It is checked as
if somebody had made it to do harm: the names of its parts come from a fixed list, so that no part
can leave the model's folder, be a link, or be a program.
"""

import re
import stat
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from core.errors import EpitomeError
from core.numbers import format_size

SUFFIX: Final = ".epitome-model"
MANIFEST, WEIGHTS = "manifest.json", "model.safetensors"
FORMAT: Final = "epitome.model/1"
JOB, CARD, ABOUT, BEST = "job.toml", "model.json", "about.json", "best.json"
EVENTS, EVALUATIONS = "events.jsonl", "evaluations.json"
TOKENIZER_FILES: Final = ("tokenizer.json", "tokenizer.toml", "special_tokens.json")

REMEDY: Final = "Export the model again, and choose the file that was written."
_MOST_SMALL_BYTES = 64 * 2**20  # of each part but the weights
_PARTS = re.compile(
    r"manifest\.json|job\.toml|model\.json|about\.json|best\.json|events\.jsonl|evaluations\.json"
    r"|tokenizer/(tokenizer\.json|tokenizer\.toml|special_tokens\.json)"
    r"|checkpoints/step-[0-9]{8}/(model\.safetensors|state\.json)"
)
_NEEDED: Final = (MANIFEST, JOB, "tokenizer/tokenizer.json")


def checked_parts(path: Path, parts: Sequence[zipfile.ZipInfo]) -> list[zipfile.ZipInfo]:
    """Looks through the list of a file's parts before anything of it is read.

    Args:
        path: The file.
        parts: As the archive lists them.

    Returns:
        The same parts.

    Raises:
        EpitomeError: If one of them has no business there, or one is missing.
    """
    for part in parts:
        if fault := _fault(part):
            raise refused(path, f"its part “{part.filename[:80]}” {fault}")
    names = [part.filename for part in parts]
    if len(set(names)) < len(names):
        raise refused(path, "one of its parts is there twice")
    weights = [name for name in names if name.endswith(f"/{WEIGHTS}")]
    if len(weights) != 1:
        raise refused(path, f"it holds {len(weights)} files of weights, and one is allowed")
    state = str(Path(weights[0]).with_name("state.json").as_posix())
    for name in (*_NEEDED, state):
        if name not in names:
            raise refused(path, f"its part “{name}” is missing")
    return list(parts)


def refused(path: Path, why: str) -> EpitomeError:
    """The error of a file that is no model."""
    return EpitomeError(f"{path.name} cannot be imported: {why}.", REMEDY, kind="no-model")


def _fault(part: zipfile.ZipInfo) -> str:
    """What is wrong with a part, as the end of a sentence; empty where nothing is."""
    if not _PARTS.fullmatch(part.filename):
        return "is no part of a model"
    if stat.S_ISLNK(part.external_attr >> 16):
        return "is a link"
    if part.flag_bits & 1:
        return "is encrypted"
    if part.compress_type != zipfile.ZIP_STORED:
        return "is compressed, which no exported model is"
    if not part.filename.endswith(WEIGHTS) and part.file_size > _MOST_SMALL_BYTES:
        return f"has {format_size(part.file_size)}, more than any such part needs"
    return ""
