"""The special tokens of a vocabulary: which ids no text can reach, and what they are for."""

import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Self

from core.errors import EpitomeError, explained
from core.storage.atomic_files import write_whole
from core.storage.parsing import parse_json
from core.storage.regular_files import read_regular

_REMEDY = "Take the tokenizer from where it was first loaded."

SPECIAL = ("<PAD>", "<EOS>", "<SUMM>", "<MASK>")
"""Those of the tokenizers that this program trains, at the ids 0 to 3."""


@dataclass(frozen=True)
class SpecialTokens:
    """The ids of special tokens.

    Args:
        pad: Fills rows.
        end: Ends a text.
        summary: Stands between a document and its summary where both are one row.
        mask: Stands for a sentence that was taken out.
        before: What a model of others expects before a source.
        after: What it expects behind it.
    """

    pad: int
    end: int
    summary: int
    mask: int
    before: tuple[int, ...] = ()
    after: tuple[int, ...] = ()

    @property
    def ids(self) -> dict[str, Any]:
        """All of them by name, as plain values."""
        return asdict(self)

    @classmethod
    def trained(cls) -> Self:
        """Those of the tokenizers that this program trains."""
        return cls(*range(len(SPECIAL)))

    @classmethod
    def load(cls, path: Path) -> Self:
        """Reads what `save` wrote; raises `EpitomeError` if it is damaged."""
        with explained(f"The special tokens in {path} cannot be read", _REMEDY):
            data = read_regular(path)
        try:
            values = parse_json(data)
            if values.keys() != {field.name for field in fields(cls)}:
                raise ValueError("it holds other names than it should")
            before, after = (tuple(map(int, values.pop(side))) for side in ("before", "after"))
            return cls(**{name: int(value) for name, value in values.items()}, before=before,
                       after=after)  # fmt: skip
        except (ValueError, TypeError, AttributeError) as error:
            told = f"The special tokens in {path} cannot be read ({error})."
            raise EpitomeError(told, _REMEDY) from error

    def save(self, path: Path) -> None:
        """Writes them; fails as `core.storage.atomic_files.write_whole` does."""
        write_whole(path, json.dumps(self.ids, indent=1).encode(), replace=True)
