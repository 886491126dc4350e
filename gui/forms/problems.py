"""What is wrong with the values of a form, field by field, in one sentence each."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError

from gui.control_words import in_window
from gui.forms.fields import FormField, Table
from gui.forms.values import words_of

ACROSS = ""
"""The key of what is wrong between fields, not with one."""

_QUOTED = re.compile("“([a-z_]+)”")


def sentences(error: ValidationError, fields: Iterable[FormField]) -> dict[str, str]:
    """The problems of a validation.

    Args:
        error: What the settings class found.
        fields: Those of the class.

    Returns:
        One sentence by field name; what is wrong between fields stands under `ACROSS`.
    """
    by_name = {field.name: field for field in fields}
    found: dict[str, str] = {}
    for problem in error.errors():
        name = str(problem["loc"][0]) if problem["loc"] else ACROSS
        field = by_name.get(name)
        sentence = _sentence(problem, field)
        if field is None:
            name, sentence = ACROSS, with_titles(sentence, by_name)
        else:
            sentence = _place(problem["loc"][1:], field) + sentence
        found.setdefault(name, sentence)
    return found


def with_titles(sentence: str, fields: Mapping[str, FormField]) -> str:
    """A sentence about fields, with their titles instead of their names."""

    def title(match: re.Match[str]) -> str:
        field = fields.get(match[1])
        return f"“{field.title}”" if field else match[0]

    return _QUOTED.sub(title, sentence)


def _place(loc: tuple[int | str, ...], field: FormField) -> str:
    if not loc or not isinstance(loc[0], int):
        return ""
    column = ""
    if isinstance(field.kind, Table) and len(loc) > 1:
        titles = {each.name: each.title for each in field.kind.columns}
        column = f", {titles.get(str(loc[1]), str(loc[1]))}"
    return f"Entry {loc[0] + 1}{column}: "


def _sentence(problem: Any, field: FormField | None) -> str:
    context = problem.get("ctx", {})
    known = _SENTENCES.get(problem["type"])
    if known:
        shown = {key: words_of(value) for key, value in context.items()}
        return known.format_map(shown)
    if problem["type"] == "literal_error" and field is not None:
        return f"Choose one of these: {context['expected']}."
    if problem["type"] == "string_pattern_mismatch" and field is not None:
        return f"“{problem['input']}” is not allowed. {field.help}".strip()
    told = str(problem["msg"]).removeprefix("Value error, ").replace("Input should", "It should")
    return in_window(told if told.endswith(".") else f"{told}.")


_SENTENCES = {
    "greater_than_equal": "Must be at least {ge}.",
    "less_than_equal": "Must be at most {le}.",
    "greater_than": "Must be above {gt}.",
    "less_than": "Must be below {lt}.",
    "int_parsing": "Enter a whole number, such as 512 or 16k.",
    "int_type": "Enter a whole number, such as 512 or 16k.",
    "int_from_float": "Enter a whole number, such as 512 or 16k.",
    "float_parsing": "Enter a number, such as 0.5 or 1e-4.",
    "float_type": "Enter a number, such as 0.5 or 1e-4.",
    "finite_number": "Enter a finite number, such as 0.5 or 1e-4.",
    "too_short": "At least {min_length} needed; add one.",
    "too_long": "At most {max_length} allowed; remove one.",
    "string_too_short": "Enter at least {min_length} characters.",
    "string_too_long": "Enter at most {max_length} characters.",
    "missing": "Enter a value.",
}
