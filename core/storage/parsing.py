"""JSON and TOML as plain values; whatever is wrong with a text is a `ValueError`.

The libraries' parsers call themselves for each level of brackets, so text that is nested deep
enough raises `RecursionError`, which callers who expect damage would not foresee.
"""

import json
import tomllib
from collections.abc import Callable
from typing import Any

_TOO_DEEP = "it is nested too deeply"


def parse_json(text: str | bytes) -> Any:
    """The value of a JSON text; raises `ValueError` if it is none."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None


def json_text(value: Any, default: Callable[[Any], Any] | None = None) -> str:
    """A value as JSON on one line, which can be encoded and is read back by `parse_json` as it was.

    Args:
        value: Plain values; the name of a file in them need not be UTF-8.
        default: Makes plain values of others.

    Returns:
        The JSON; letters stand as themselves, but as ASCII where a text has half a surrogate pair.

    Raises:
        TypeError: If there are other values, and no `default`.
    """
    text = json.dumps(value, ensure_ascii=False, default=default)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, default=default)
    return text


def is_utf8(value: Any) -> bool:
    """Whether all texts in plain values can be encoded; the name of a file need not be UTF-8."""
    try:
        json.dumps(value, ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError:
        return False
    return True


def parse_toml(text: str) -> dict[str, Any]:
    """The tables of a TOML text; raises `ValueError` if it is none."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None


def parse_edited_toml(text: str) -> dict[str, Any]:
    """The same, read by tomlkit, whose messages name line and column for whoever wrote it."""
    import tomlkit  # the table of parts is read where nothing is installed yet

    try:
        return dict(tomlkit.parse(text).unwrap())
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
