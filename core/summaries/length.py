"""How long a summary is wished to be."""

import re
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import AfterValidator

from core.errors import EpitomeError

LengthUnit = Literal["sentences", "words", "share"]
_SUFFIX: dict[str, LengthUnit] = {"s": "sentences", "w": "words", "%": "share"}


@dataclass(frozen=True)
class Length:
    """How long a summary is wished to be.

    Args:
        value: Sentences, words, or percent of the document's words; above 0.
        unit: What `value` counts.
    """

    value: float = 9
    unit: LengthUnit = "sentences"

    @classmethod
    def parse(cls, text: str) -> "Length":
        """Reads "5s", "120w" or "10%".

        Args:
            text: What the person wrote.

        Returns:
            The length.

        Raises:
            EpitomeError: If it is none of these forms, or not above 0 (a share: not up to 100).
        """
        match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([sw%])\s*", text)
        value = float(match[1]) if match else 0.0
        unit = _SUFFIX[match[2]] if match else "sentences"
        whole = value.is_integer()
        if not value or (unit == "share" and value > 100) or (unit != "share" and not whole):
            raise EpitomeError(
                f"The length “{text}” is not one: whole sentences (5s), whole words (120w) "
                "or a share up to 100 % (10%) are.",
                "Write it as 5s, 120w or 10%.",
            )
        return cls(value, unit)

    def __str__(self) -> str:
        suffix = next(mark for mark, unit in _SUFFIX.items() if unit == self.unit)
        value = float(self.value)
        return f"{int(value) if value.is_integer() else value}{suffix}"


def _length_text(text: str) -> str:
    try:
        return str(Length.parse(text))
    except EpitomeError as error:
        raise ValueError(error.message) from error  # what pydantic gathers


LengthText = Annotated[str, AfterValidator(_length_text)]
"""A length as settings hold it: "9s", "120w" or "10%"."""
