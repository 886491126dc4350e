"""Numbers as lists print them: figures, letters, Roman numerals."""

from collections.abc import Callable

_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc")),
    *((50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
_LONGEST_ROMAN = 4_999
_MOST_LETTERS = 20
_MOST_DIGITS = 7

LONGEST_TEMPLATE = 255
"""Characters of what a list prints before its items; office programs allow no more."""


def whole_number(text: str | None) -> int | None:
    """The whole number that digits write; None for anything else, and for more than seven."""
    digits = text or ""
    is_number = digits.isascii() and digits.isdecimal() and len(digits) <= _MOST_DIGITS
    return int(digits) if is_number else None


def numeral(count: int, form: str) -> str:
    """A number in one of Word's forms.

    Args:
        count: The number.
        form: "lowerLetter", "upperRoman" and so on; anything else gives figures.

    Returns:
        "3", "c", "III" and the like.
    """
    return _FORMS.get(form, str)(count)


def _letters(count: int) -> str:
    times = min((count - 1) // 26 + 1, _MOST_LETTERS)
    return chr(ord("a") + (count - 1) % 26) * times if count > 0 else "0"


def _roman(count: int) -> str:
    count = min(count, _LONGEST_ROMAN)
    written = ""
    for value, mark in _ROMAN:
        written += mark * (count // value)
        count %= value
    return written


_FORMS: dict[str, Callable[[int], str]] = {
    "decimalZero": "{:02d}".format,
    "lowerLetter": _letters,
    "upperLetter": lambda count: _letters(count).upper(),
    "lowerRoman": _roman,
    "upperRoman": lambda count: _roman(count).upper(),
}
FORMS_BY_SIGN = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
"""As HTML and OpenDocument call them."""
