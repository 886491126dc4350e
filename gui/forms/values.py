"""Between what stands in a form and what a settings class takes: texts and values."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.errors import EpitomeError
from core.numbers import THIN_SPACE, format_count, format_quantity
from core.settings import NONE
from core.summaries.length import Length, LengthUnit
from gui.forms.fields import (
    Choice,
    Folder,
    FormField,
    Items,
    Kind,
    Number,
    OnOff,
    SummaryLength,
    Table,
)
from gui.widgets.support.numbers import format_decimal, parse_decimal, parse_number

_OWN_CASE = {
    "adafactor": "Adafactor",
    "adam": "Adam",
    "adamw": "AdamW",
    "bf16": "bf16",
    "fp16": "fp16",
    "fp32": "fp32",
    "gsg": "GSG",
    "lsh": "LSH",
    "rouge": "ROUGE",
}


def written(kind: Kind, value: Any) -> Any:
    """A value as the form holds it.

    Args:
        kind: Of the field.
        value: As the settings hold it; None for nothing.

    Returns:
        A text for numbers, texts and folders; a tuple of such for items, of dicts for tables; the
        value itself for a choice. None stays None.
    """
    if value is None:
        return None
    match kind:
        case Number():
            return _number_text(value)
        case Folder():
            return str(value)
        case Items(item):
            return tuple(written(item, each) for each in value)
        case Table(columns=columns):
            return tuple(
                {column.name: written(column.kind, getattr(row, column.name)) for column in columns}
                for row in value
            )
        case _:
            return value


def plain(kind: Kind, raw: Any, optional: bool = False) -> Any:
    """What the settings class shall judge: numbers where they can be read, else the text itself.

    Args:
        kind: Of the field.
        raw: As the form holds it.
        optional: Whether nothing may be given.

    Returns:
        A value for `Settings.checked`.
    """
    match kind:
        case Number(whole):
            return _number(raw, whole, optional)
        case Items(item) if raw is not None:
            return tuple(plain(item, each) for each in raw)
        case Table(columns=columns) if raw is not None:
            return tuple(
                {each.name: plain(each.kind, row[each.name], each.optional) for each in columns}
                for row in raw
            )
        case Folder() if raw is not None:
            return Path(raw)
        case _:
            return raw


def blank(kind: Kind) -> Any:
    """What a new item of a list holds before anything is typed."""
    match kind:
        case Choice(values):
            return values[0]
        case OnOff():
            return False
        case Items() | Table():
            return ()
        case _:
            return ""


def blank_row(columns: tuple[FormField, ...]) -> dict[str, Any]:
    """A new row of a table: each column at its default."""
    return {
        each.name: blank(each.kind)
        if each.default is None and not each.optional
        else written(each.kind, each.default)
        for each in columns
    }


def words_of(value: object) -> str:
    """A value as a person reads it: "16 384", "on", "none"."""
    if value is None or value in ("", ()):
        return NONE
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int | float):
        return _number_text(value)
    return str(value)


def shown_value(
    field: FormField,
    value: Any,
    words: Mapping[object, str] = {},
) -> str:
    """A value of a field in a few words: "8 192", "30 %", "inverse square root", "2 entries".

    Args:
        field: Whose.
        value: As the settings hold it.
        words: How the values of choices are called.

    Returns:
        Words without a stop.
    """
    match field.kind:
        case Choice() if value is None and None in words:
            return words[None]
        case Choice() if isinstance(value, str):
            return words.get(value, _own_case(value))
        case Items(Choice()) if value:
            return ", ".join(words.get(each, _own_case(each)) for each in value)
        case Items(Number()) if value:
            return ", ".join(map(words_of, value))
        case SummaryLength():
            return format_length(str(value))
        case Items() | Table() if value:
            return f"{len(value)} entries" if len(value) > 1 else "1 entry"
        case _:
            return words_of(value) + (f"{THIN_SPACE}%" if field.unit == "%" else "")


def title_of(value: object) -> str:
    """The words of a part of a choice: "language-model" becomes "Language model"."""
    if not isinstance(value, str):
        return words_of(value).capitalize()
    words = _own_case(value)
    first = words.partition(" ")[0]
    return words if first in _OWN_CASE.values() else words[:1].upper() + words[1:]


def length_raw(number: str, unit: LengthUnit) -> str:
    """A length as settings hold it: of a number as typed and what it counts.

    Args:
        number: As typed; white space and the unit's own letter do not count.
        unit: What it counts.

    Returns:
        "9s", "120w" or "10%"; of what is no number something that settings refuse.
    """
    suffix = str(Length(1, unit)).removeprefix("1")
    return "".join(number.split()).removesuffix(suffix) + suffix


def format_length(text: str) -> str:
    """Formats a length: "9 sentences", "5 %"; what is none stays as it is."""
    try:
        length = Length.parse(text)
    except EpitomeError:
        return text
    if length.unit == "share":
        return f"{length.value:g}{THIN_SPACE}%"
    return format_quantity(round(length.value), length.unit.removesuffix("s"))


def _own_case(value: object) -> str:
    kind, _, variant = str(value).partition("-")
    if kind == "rouge" and variant:  # "ROUGE-2", "ROUGE-Lsum"
        return f"ROUGE-{variant[0].upper()}{variant[1:]}"
    return " ".join(_OWN_CASE.get(part, part) for part in str(value).split("-"))


def range_of(kind: Kind) -> str:
    """What a number may be, as a sentence: "1 to 32.", "Above 0, below 1."; else empty."""
    if not isinstance(kind, Number) or (kind.low is None and kind.high is None):
        return ""
    low = None if kind.low is None else _number_text(kind.low)
    high = None if kind.high is None else _number_text(kind.high)
    if low is None:
        return f"{'Below' if kind.high_open else 'At most'} {high}."
    if high is None:
        return f"{'Above' if kind.low_open else 'At least'} {low}."
    if not kind.low_open and not kind.high_open:
        return f"{low} to {high}."
    start = f"Above {low}" if kind.low_open else f"From {low}"
    return f"{start}, {'below' if kind.high_open else 'at most'} {high}."


def _number_text(value: float) -> str:
    return format_count(value) if isinstance(value, int) else format_decimal(value)


def _number(raw: Any, whole: bool, optional: bool) -> Any:
    text = raw.strip() if isinstance(raw, str) else raw
    if optional and (text is None or text.casefold() in ("", NONE)):
        return None
    if text is None:
        return ""
    if whole:
        value = parse_number(text)
        return text if value is None else value
    decimal = parse_decimal(text)
    return text if decimal is None else float(decimal)
