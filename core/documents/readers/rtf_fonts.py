"""What the fonts and code pages of RTF say about its bytes."""

import codecs
import re
from typing import Final

from core.documents.readers.symbol_fonts import is_symbol_font

SYMBOL: Final = "symbol"
"""Stands for the encoding of fonts of signs that are not known."""

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
_BULLETS = "\xa7\xa8\xb7\xd8\xfc"
_HALF = re.compile("[\ud800-\udfff]")
_OLD_ENCODINGS = {"mac": "mac_roman", "pc": "cp437", "pca": "cp850"}


class Fonts:
    """The encodings of a file and of its fonts."""

    def __init__(self) -> None:
        self._encoding = "cp1252"
        self._by_font: dict[int, str] = {}
        self._default = 0
        self._symbol_fonts: dict[int, str] = {}  # their names

    def encoding_of(self, font: int) -> str:
        """The encoding of text in a font; a number below 0 is the file's default font."""
        return self._by_font.get(self._default if font < 0 else font, self._encoding)

    def symbol_font(self, font: int) -> str:
        """The name of a font of signs that are known; empty for others, and for the usual one."""
        return self._symbol_fonts.get(font, "")

    def name(self, font: int, name: str) -> None:
        """Takes down what a font is called."""
        if is_symbol_font(name):
            self._symbol_fonts[font] = name

    @property
    def have_signs(self) -> bool:
        """True if one of them is known as a font of signs."""
        return bool(self._symbol_fonts)

    def take_down(self, word: str, number: int, font: int) -> None:
        """Takes down what a control word says about encodings; other words say nothing.

        Args:
            word: The word.
            number: Its number.
            font: The font that is being described.
        """
        if word == "fcharset":
            self._by_font[font] = encoding_of_charset(number, self._encoding)
        elif word == "cpg":
            self._by_font[font] = encoding_of_page(number, self._encoding)
        elif word == "ansicpg":
            self._encoding = encoding_of_page(number, self._encoding)
        elif word == "deff":
            self._default = number
        else:
            self._encoding = _OLD_ENCODINGS.get(word, self._encoding)


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
        return "".join("•" if char in _BULLETS else char for char in text if is_legible(char))
    if text.isascii() and not encoding.startswith("utf-7"):
        return text
    return text.encode("latin-1").decode(encoding, "replace")


def is_legible(char: str) -> bool:
    """True for a character of an unknown font of signs that is read: a letter or a bullet."""
    return char.isascii() or char in _BULLETS


def with_pairs_joined(text: str) -> str:
    """Text in which the halves of characters beyond 16 bits are put together."""
    if not _HALF.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
