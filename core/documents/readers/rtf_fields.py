"""Fields of RTF that show what their code or their form says."""

from dataclasses import dataclass, field

from core.documents.readers.field_codes import EMPTY_BOX, TICKED_BOX, field_text

_CHECK_BOX, _LIST = 1, 2
_UNSET = 25  # of a form field whose entry is its default


@dataclass
class FormField:
    """A field of a form; a text has its entry as its result.

    Args:
        values: The numbers of its control words.
        entries: The entries of a list.
    """

    values: dict[str, int] = field(default_factory=dict)
    entries: list[str] = field(default_factory=list)

    @property
    def text(self) -> str | None:
        """The text that it shows; None where that is the result."""
        kind = self.values.get("fftype", 0)
        number = self.values.get("ffres", _UNSET)
        if number == _UNSET:
            number = self.values.get("ffdefres", 0)
        if kind == _CHECK_BOX:
            return TICKED_BOX if number else EMPTY_BOX
        if kind == _LIST:
            return self.entries[number] if 0 <= number < len(self.entries) else ""
        return None


FORM_WORDS = frozenset(("fftype", "ffres", "ffdefres"))
"""Control words whose numbers a form field needs."""


def shown_text(code: str, form: FormField | None) -> str | None:
    """The text that a field's form or code gives; None where its result is read."""
    by_form = form.text if form is not None else None
    return field_text(code) if by_form is None else by_form
