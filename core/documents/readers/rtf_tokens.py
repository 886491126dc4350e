"""RTF as a row of tokens, and what its numbers and fonts say about characters."""

import codecs
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_TOKEN = re.compile(
    r"\\([a-zA-Z]{1,32})(-?\d+)? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|([^\\{}\r\n]+)"
)
_LARGEST = 2**31
_MOST_DIGITS = 10

SYMBOL: Final = "symbol"
"""Stands for the encoding of fonts of signs."""

_CHARSETS = {  # of a font, by the numbers of Windows; 0 and 1 are those of the document
    2: SYMBOL,
    77: "mac_roman",
    128: "cp932",
    129: "cp949",
    130: "johab",
    134: "gbk",
    136: "cp950",
    161: "cp1253",
    162: "cp1254",
    163: "cp1258",
    177: "cp1255",
    178: "cp1256",
    186: "cp1257",
    204: "cp1251",
    222: "cp874",
    238: "cp1250",
    254: "cp437",
    255: "cp850",
}
_GREEK = dict(
    zip(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
        "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖαβχδεφγηιϕκλμνοπθρστυϖωξψζ",
        strict=True,
    )
)
_BULLETS = "\xa7\xa8\xb7\xd8\xfc"


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
                yield Token(start, word=word, number=number)
            elif text:
                yield Token(start, text=text)
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


def encoding_of_charset(charset: int, default: str) -> str:
    """The encoding that a font's character set stands for."""
    return _CHARSETS.get(charset, default)


def encoding_of_page(number: int, default: str) -> str:
    """Python's name for a code page of Windows; the default for one that is not known."""
    name = {10000: "mac_roman", 65001: "utf-8", 936: "gbk"}.get(number, f"cp{number}")
    try:
        return codecs.lookup(name).name
    except LookupError:
        return default


def decoded(text: str, encoding: str) -> str:
    """Characters that stand for bytes as those that they mean."""
    if encoding == SYMBOL:
        return "".join("•" if char in _BULLETS else _GREEK.get(char, _kept(char)) for char in text)
    if text.isascii() and not encoding.startswith("utf-7"):
        return text
    return text.encode("latin-1").decode(encoding, "replace")


def _kept(char: str) -> str:
    """Digits and marks of a font of signs are themselves; its pictures say nothing."""
    return char if char.isascii() else ""


def with_pairs_joined(text: str) -> str:
    """Text in which the halves of characters beyond 16 bits are put together."""
    if not any("\ud800" <= char <= "\udfff" for char in text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
