"""RTF as a row of tokens."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_TOKEN = re.compile(
    r"\\([a-zA-Z]{1,32})(-?\d+)? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|([^\\{}\r\n]+)"
)
_LARGEST = 2**31
_MOST_DIGITS = 10


class Token(NamedTuple):
    """One thing of an RTF file: one of brace, word, sign, text and byte.

    Args:
        end: Where it ends.
        brace: A brace that begins or ends a group.
        word: A control word ("par"), without its backslash.
        sign: A control sign ("~"), without its backslash.
        text: A run of characters, each standing for one byte.
        byte: A byte written in hexadecimal, as a character.
        number: The control word's number; None without one.
    """

    end: int
    brace: str = ""
    word: str = ""
    sign: str = ""
    text: str = ""
    byte: str = ""
    number: int | None = None


def tokens_of(data: str) -> Iterator[Token]:
    """The tokens of a file; what ``\\bin`` announces is passed over.

    Args:
        data: Its bytes, each as the character of the same number.

    Yields:
        Token after token; line ends, which mean nothing, are left away.
    """
    start = 0
    while start < len(data):
        for match in _TOKEN.finditer(data, start):
            start = match.end()
            word, digits, byte, sign, brace, text = match.groups()
            if word:
                number = _number(digits)
                if word == "bin" and number:
                    start += max(number, 0)
                    break
                yield Token(start, "", word, "", "", "", number)
            elif text:
                yield Token(start, "", "", "", text)
            elif brace:
                yield Token(start, brace)
            else:
                yield Token(start, byte=chr(int(byte, 16))) if byte else Token(start, sign=sign)
        else:
            return


def _number(digits: str | None) -> int | None:
    """The value of a control word's digits, huge ones cut."""
    if not digits:
        return None
    value = int(digits[: _MOST_DIGITS + 1])
    return max(-_LARGEST, min(value, _LARGEST))
