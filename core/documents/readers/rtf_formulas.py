"""Formulas in RTF, whose groups have the names of Office's markup of formulas (OMML)."""

from typing import Any

from lxml import etree

from core.documents.readers.formulas import MOST_CHARACTERS, set_apart
from core.documents.readers.office_formulas import MATHS, text_of_omml
from core.documents.readers.rtf_fonts import decoded
from core.documents.readers.rtf_tokens import Token
from core.documents.readers.rtf_words import SIGNS

_VALUES = tuple(f"{MATHS}{name}" for name in ("chr", "begChr", "endChr", "sepChr", "type", "pos"))
_DEEPEST = 100  # groups; no formula on a line has more


class FormulaGroup:
    """Reads the group of a formula, token by token, from behind its control word."""

    def __init__(self) -> None:
        self._root = etree.Element(f"{MATHS}oMathPara")
        self._open: list[Any] = [self._root]
        self._skipped = 0  # characters for older programs
        self._length = 0  # of its text

    def take(self, token: Token) -> bool:
        """Takes a token; returns False for the one that ends the group."""
        if token.brace == "{":
            self._open.append(self._open[-1])
        elif token.brace:
            self._open.pop()
        elif token.word == "u" and token.number is not None:
            self._add(chr(token.number % 65_536))
            self._skipped = 1
        elif token.word[:1] == "m" and token.number is None:
            self._begin(token.word[1:])
        elif text := token.text or decoded(token.byte, "cp1252") or SIGNS.get(token.sign, ""):
            shift, self._skipped = min(self._skipped, len(text)), 0
            self._add(text[shift:])
        return bool(self._open)

    @property
    def text(self) -> str:
        """The formulas of the group, on their way into sentences."""
        formulas = list(self._root.iter(f"{MATHS}oMath")) or [self._root]
        return "\n\n".join(set_apart(text_of_omml(each)) for each in formulas)

    def _begin(self, name: str) -> None:
        """Makes the innermost group an element."""
        if name == "nor":
            properties = etree.SubElement(self._open[-1], f"{MATHS}rPr")
            etree.SubElement(properties, f"{MATHS}nor")
        elif len(self._open) <= _DEEPEST and name:
            self._open[-1] = etree.SubElement(self._open[-1], f"{MATHS}{name}")

    def _add(self, text: str) -> None:
        if self._length > MOST_CHARACTERS:  # which leaves it out
            return
        self._length += len(text)
        innermost = self._open[-1]
        if innermost.tag in _VALUES:
            value = innermost.get(f"{MATHS}val", "") + text
            innermost.set(f"{MATHS}val", value.strip())
        elif innermost.tag == f"{MATHS}r":
            part = innermost.find(f"{MATHS}t")
            part = etree.SubElement(innermost, f"{MATHS}t") if part is None else part
            part.text = (part.text or "") + text
