"""Fields of Word that show what their code or their form says: signs, formulas, boxes, lists."""

from dataclasses import dataclass, field
from typing import Any

from core.documents.readers.docx_looks import W, is_on
from core.documents.readers.docx_styles import value_of
from core.documents.readers.field_codes import EMPTY_BOX, TICKED_BOX, field_text
from core.documents.readers.numerals import whole_number

_DEEPEST = 20  # fields in fields; those below are read as their results


@dataclass
class _Field:
    """A field that has begun.

    Args:
        form: The form's data (`w:ffData`), or None.
        code: The pieces of its code.
        is_in_result: True behind its code.
        is_replaced: True where its result is not read, as its code or form says what it shows.
    """

    form: Any
    code: list[str] = field(default_factory=list)
    is_in_result: bool = False
    is_replaced: bool = False


class Fields:
    """The fields of one paragraph, each of which may be in the code of another."""

    def __init__(self) -> None:
        self._open: list[_Field] = []
        self._too_deep = 0  # fields

    def begin(self, mark: Any) -> None:
        """Begins a field at its `w:fldChar`."""
        if len(self._open) == _DEEPEST:
            self._too_deep += 1
            return
        self._open.append(_Field(mark.find(f"{W}ffData")))

    def add_code(self, text: str) -> None:
        """Adds a piece of code to the innermost field."""
        if self._open and not self._too_deep:
            self._open[-1].code.append(text)

    def separate(self) -> str:
        """Begins the result of the innermost field; returns the text that takes its place."""
        if not self._open or self._too_deep or self._open[-1].is_in_result:
            return ""
        innermost = self._open[-1]
        text = _shown_text(innermost)
        taken = self.take(text or "")
        innermost.is_in_result = True
        innermost.is_replaced = text is not None
        return taken

    def end(self) -> str:
        """Ends the innermost field; returns the text that it shows if it has no result."""
        text = self.separate()
        if self._too_deep:
            self._too_deep -= 1
        elif self._open:
            self._open.pop()
        return text

    def take(self, text: str) -> str:
        """Returns a text to be read; empty where it is the code of a formula, or not read."""
        outer = next((each for each in self._open[-2::-1] if not each.is_in_result), None)
        if outer is not None and _is_formula(outer):
            outer.code.append(text)
            return ""
        return "" if any(each.is_replaced for each in self._open) else text


def _is_formula(field: _Field) -> bool:
    return "".join(field.code[:3]).lstrip()[:2].upper() == "EQ"


def _shown_text(field: _Field) -> str | None:
    """The text that a field's form or code gives; None where its result is read."""
    if field.form is not None:
        box, choices = field.form.find(f"{W}checkBox"), field.form.find(f"{W}ddList")
        if box is not None:
            return _box(box)
        if choices is not None:
            return _choice(choices)
    return field_text("".join(field.code))


def _box(box: Any) -> str:
    checked = box.find(f"{W}checked")
    checked = box.find(f"{W}default") if checked is None else checked
    return TICKED_BOX if is_on(checked) else EMPTY_BOX


def _choice(choices: Any) -> str:
    """The chosen entry of a list; the first one where none is given."""
    entries = [str(entry.get(f"{W}val") or "") for entry in choices.findall(f"{W}listEntry")]
    chosen = whole_number(value_of(choices, "result") or value_of(choices, "default")) or 0
    return entries[chosen] if chosen < len(entries) else ""
