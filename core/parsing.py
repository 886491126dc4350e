"""JSON and TOML as plain values; whatever is wrong with a text is a `ValueError`.

The libraries' parsers call themselves for each level of brackets, so text that is nested deep
enough raises `RecursionError`, which callers who expect damage would not foresee.
"""

import json
import tomllib
from typing import Any

_TOO_DEEP = "it is nested too deeply"


def parse_json(text: str | bytes) -> Any:
    """The value of a JSON text; raises `ValueError` if it is none."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None


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
