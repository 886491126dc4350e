"""The draft of a job that is being set up, kept in a small file."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.events import Event, Finished, Message
from core.library.home_file import check_may_replace, read_home_file
from core.stop import StopToken
from core.storage.files import write_json
from core.storage.parsing import parse_json
from core.storage.schema import KEY


@dataclass(frozen=True)
class ReadDraftJob:
    """Reads a draft.

    Args:
        file: Where it is kept.
    """

    file: Path

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with its values; none where there is no draft.

        Args:
            stop: Not read: the file is small.

        Yields:
            A `Message` if the file cannot be used, which is set aside then; then `Finished`.
        """
        nothing: dict[str, Any] = {}
        values, note = read_home_file(
            self.file, _parsed, nothing, "The draft of a training job", "the form starts anew"
        )
        if note:
            yield Message("warning", note)
        yield Finished(values)


def write_draft(file: Path, values: Mapping[str, Any]) -> None:
    """Keeps a draft.

    Args:
        file: Where.
        values: What `core.storage.parsing.parse_json` gives back.

    Raises:
        EpitomeError: If it cannot be written, or a newer program has kept one there.
    """
    check_may_replace(file)
    write_json(file, {KEY: 1, **values})


def _parsed(data: bytes) -> dict[str, Any]:
    """The values of a draft; a ValueError where one is of another type than a draft has."""
    values = parse_json(data)
    if not isinstance(values, dict):
        raise ValueError(values)
    values.pop(KEY, None)
    chosen, fields = values.pop("chosen", []), values.pop("fields", {})
    texts = [*values.values(), *chosen] if isinstance(chosen, list) else [None]
    if not isinstance(fields, dict) or not all(isinstance(each, str) for each in texts):
        raise ValueError(data)
    return {**values, "chosen": chosen, "fields": fields}
