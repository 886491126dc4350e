"""What is known of a GGUF file as a model, before it is loaded."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psutil

from core.distribution.parts import part_of
from core.documents.languages import language_of
from core.errors import EpitomeError
from core.models.gguf.header import GGUFHeader, read_header
from core.models.hugging_face.prompt import DEFAULT_PROMPT
from core.models.hugging_face.settings import GGUF, HuggingFaceSettings
from core.numbers import format_size

FILE: Final = "model.gguf"
"""The file in an imported model's checkpoint."""

_LONGEST_SOURCE, _LONGEST_TARGET = 4096, 512


@dataclass(frozen=True)
class GGUFFacts:
    """What is known of a GGUF file.

    Args:
        path: The file.
        header: Its head.
        free_bytes: Memory that was free when it was looked through; 0 where that is not known.
    """

    path: Path
    header: GGUFHeader
    free_bytes: int = 0

    @property
    def memory_warning(self) -> str:
        """Says that memory is not enough for the weights; empty where it is."""
        needed = self.header.size_bytes
        if not self.free_bytes or needed <= self.free_bytes:
            return ""
        free = format_size(self.free_bytes)
        return f"The model needs {format_size(needed)} of memory for its weights; {free} are free."

    @property
    def languages(self) -> tuple[str, ...]:
        """Names of its languages."""
        codes = self.header.languages
        return tuple(language_of(code).name if language_of(code).code else code for code in codes)

    def settings(self, opening: str, closing: str) -> HuggingFaceSettings:
        """Its settings.

        Args:
            opening: What its chat template puts before a prompt.
            closing: What it puts after it.

        Returns:
            The settings; it reads what it can, up to 4,096 tokens.
        """
        header = self.header
        written = min(_LONGEST_TARGET, max(3, header.context_length // 4))
        config = {
            "model_type": GGUF,
            "architecture": header.architecture,
            "quantisation": header.quantisation,
            "max_position_embeddings": header.context_length,
            "num_parameters": header.parameters,
            "vocab_size": header.vocabulary_size,
        }
        return HuggingFaceSettings.checked(
            {
                "source_length": min(_LONGEST_SOURCE, header.context_length - written),
                "target_length": written,
                "architecture": json.dumps(config),
                "opening": opening,
                "closing": closing,
                "prompt": DEFAULT_PROMPT,
            }
        )


def look_through_gguf(path: Path) -> GGUFFacts:
    """Checks a GGUF file by its head; nothing else of it is read.

    Args:
        path: The file.

    Returns:
        What is known of the model.

    Raises:
        EpitomeError: If it is no whole GGUF file, or holds no model that answers a prompt.
    """
    header = read_header(path)
    if not header.chat_template:
        raise EpitomeError(
            f"The model in {path} has no chat template, so it cannot be asked for a summary.",
            "Choose a file whose name says “Instruct” or “Chat”.",
        )
    if header.context_length < 64:
        raise EpitomeError(
            f"The file {path} does not say how many tokens its model reads.",
            "Get the file again from where it was published.",
        )
    return GGUFFacts(path, header, psutil.virtual_memory().available)


def check_part() -> None:
    """Refuses to go on without llama.cpp.

    Raises:
        EpitomeError: If the part is not installed.
    """
    part = part_of("gguf")
    if not part.is_installed:
        raise EpitomeError(
            f"The part “{part.title}” (llama.cpp) is not installed.",
            f"Run {part.command}.",
            kind="missing-gguf",
        )
