"""The options of a command that say what settings say."""

from collections.abc import Iterator
from typing import Any

from core.settings import NONE, Settings


def option_words(settings: Settings, default: Settings | None = None) -> list[str]:
    """The options that make settings of others.

    Args:
        settings: What is wanted.
        default: What holds without options; the defaults of the class if None.

    Returns:
        The words of a command line; fields that are the same in both are left out.
    """
    values, base = settings.model_dump(mode="json"), _base(settings, default)
    return [
        word
        for name, value in values.items()
        if value != base[name]
        for word in _words(name, value)
    ]


def _base(settings: Settings, default: Settings | None) -> dict[str, Any]:
    if default is not None:
        return default.model_dump(mode="json")
    fields = type(settings).model_fields
    whole = settings.model_copy(
        update={
            name: info.get_default(call_default_factory=True, validated_data={})
            for name, info in fields.items()
        }
    )
    return whole.model_dump(mode="json")


def _words(name: str, value: Any) -> Iterator[str]:
    flag = name.replace("_", "-")
    if isinstance(value, bool):
        yield f"--{flag}" if value else f"--no-{flag}"
    elif isinstance(value, list):
        for each in value:
            yield from (f"--{flag}", str(each))
    else:
        yield from (f"--{flag}", NONE if value is None else str(value))
