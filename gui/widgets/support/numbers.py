"""Formats and parses numbers as people write them."""

import re
from decimal import Decimal

from core.numbers import format_count

_SPACES = re.compile(r"[\s'\u2009\u202f\u00a0]")
_GROUPED = re.compile(r"(?P<sign>[-−+]?)(?P<groups>\d{1,3}(?:,\d{3})+)(?P<rest>(?:\.\d*)?[kKmM]?)")
_WRITTEN = re.compile(
    r"(?P<sign>[-−+]?)(?P<digits>\d+\.?\d*|\.\d+)(?:[eE](?P<power>[-−+]?\d{1,3}))?(?P<unit>[kKmM]?)"
)
_UNITS = {"": 0, "k": 3, "m": 6}
_LOWEST_PLAIN = 1e-4  # smaller ones are written with a power of ten
_HIGHEST_PLAIN = 1e15


def format_decimal(value: float) -> str:
    """The shortest form that gives the same number: "0.0008", "1e-5", "16 384"."""
    if value == 0 or not _LOWEST_PLAIN <= abs(value) < _HIGHEST_PLAIN:
        digits, _, power = repr(value).partition("e")
        return digits.removesuffix(".0") + (f"e{int(power)}" if power else "")
    whole, _, part = f"{Decimal(repr(value)):f}".partition(".")
    sign, whole = ("-", whole[1:]) if whole.startswith("-") else ("", whole)
    return sign + format_count(int(whole)) + (f".{part}" if part.strip("0") else "")


def parse_number(text: str) -> int | None:
    """A whole number from "16384", "16 384", "16,384", "16k" or "1.5k".

    Args:
        text: As typed.

    Returns:
        The number; None if it is none, or no whole one.
    """
    value = parse_decimal(text)
    if value is None or value != value.to_integral_value():
        return None
    return int(value)


def parse_decimal(text: str) -> Decimal | None:
    """A number from "0.0008", "1e-4", "16 384", "16,384" or "16k"; None if it is none.

    A comma parts thousands only where three digits follow each; "1,5" is no number.
    """
    bare = _SPACES.sub("", text)
    grouped = _GROUPED.fullmatch(bare)
    if grouped:
        bare = grouped["sign"] + grouped["groups"].replace(",", "") + grouped["rest"]
    match = _WRITTEN.fullmatch(bare)
    if match is None:
        return None
    power = int((match["power"] or "0").replace("−", "-")) + _UNITS[match["unit"].lower()]
    value = Decimal(match["digits"]).scaleb(power)
    return -value if match["sign"] in ("-", "−") else value
