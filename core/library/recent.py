"""The documents that were opened last."""

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.errors import of_system
from core.library.home_file import check_may_replace, read_home_file
from core.storage.files import CHOOSE_HOME, locked, write_json
from core.storage.parsing import parse_json
from core.storage.portable_names import path_key
from core.storage.schema import KEY

MOST_RECENTS = 20


@dataclass(frozen=True)
class Recent:
    """A document that was opened.

    Args:
        path: Its file.
        title: Its title.
        words: Words that were read.
        pages: Its pages; 0 when it has none.
        opened: When, in UTC, as ISO 8601.
    """

    path: str
    title: str
    words: int = 0
    pages: int = 0
    opened: str = ""


def file_is_missing(path: str) -> bool:
    """Whether a file is not there now; it may come back with a disk or a network.

    The answer may take minutes where a disk does not answer.
    """
    try:
        return not Path(path).is_file()
    except OSError:
        return True


class Recents:
    """The list of recent documents in a file, newest first; several windows may share it.

    Args:
        file: Where it is kept (`Folders.recents_file`).
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self.note = ""
        """What a person should be told about the last reading; empty when all is well."""

    def read(self) -> tuple[Recent, ...]:
        """The list; a file that cannot be used is set aside, and `note` says so."""
        nothing: tuple[Recent, ...] = ()
        found, self.note = read_home_file(
            self.file,
            lambda data: tuple(_parsed(parse_json(data))),
            nothing,
            "The list of recent documents",
            "the list starts empty",
        )
        return found

    def add(self, recent: Recent) -> tuple[Recent, ...]:
        """Puts a document first; the same file is listed once.

        Args:
            recent: The document; its time is set when it has none.

        Returns:
            The list, at most `MOST_RECENTS` long.

        Raises:
            EpitomeError: If the list cannot be read now, or cannot be written.
        """
        path = str(Path(recent.path).absolute())
        opened = recent.opened or datetime.now(UTC).isoformat(timespec="seconds")
        first = replace(recent, path=path, opened=opened)

        def put_first(items: Iterable[Recent]) -> list[Recent]:
            others = (item for item in items if path_key(item.path) != path_key(path))
            return [first, *others][:MOST_RECENTS]

        return self._change(put_first)

    def clear(self) -> None:
        """Empties the list because the person asked for it; the files stay.

        Raises:
            EpitomeError: If the list cannot be written.
        """
        self._change(lambda items: [])

    def _change(self, change: Callable[[Iterable[Recent]], list[Recent]]) -> tuple[Recent, ...]:
        try:
            with locked(self.file.with_suffix(".lock")):
                items = change(self.read())
                check_may_replace(self.file)
                write_json(self.file, {KEY: 1, "recents": [asdict(item) for item in items]})
        except OSError as error:
            raise of_system(
                error, "The list of recent documents cannot be written", CHOOSE_HOME
            ) from error
        return tuple(items)


def _parsed(value: Any) -> Iterable[Recent]:
    for item in value["recents"]:
        recent = Recent(**item)
        texts, counts = (recent.path, recent.title, recent.opened), (recent.words, recent.pages)
        if not all(type(text) is str for text in texts):
            raise TypeError(item)
        if not all(type(count) is int and count >= 0 for count in counts):
            raise TypeError(item)
        yield recent
