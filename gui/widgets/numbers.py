"""Numbers as a person writes and reads them."""

import re

THIN_SPACE = "\u202f"  # no-break

_SPACES = re.compile(r"[\s'\u2009\u202f\u00a0]")
_WRITTEN = re.compile(r"(?P<sign>[-−+]?)(?P<whole>\d+)(?:\.(?P<part>\d+))?(?P<unit>[kKmM]?)")
_UNITS = {"": 1, "k": 1_000, "m": 1_000_000}


def format_number(value: int) -> str:
    """A whole number with thin no-break spaces in its thousands; four digits stay together."""
    if abs(value) < 10_000:
        return str(value)
    return f"{value:,}".replace(",", THIN_SPACE)


def parse_number(text: str) -> int | None:
    """A whole number from "16384", "16 384", "16k" or "1.5k".

    Args:
        text: As typed.

    Returns:
        The number; None if it is none, or no whole one.
    """
    match = _WRITTEN.fullmatch(_SPACES.sub("", text))
    if match is None:
        return None
    part = match["part"] or ""
    digits: int = int(match["whole"] + part) * _UNITS[match["unit"].lower()]
    scale: int = 10 ** len(part)
    value, rest = divmod(digits, scale)
    if rest:
        return None
    return -value if match["sign"] in ("-", "−") else value
