"""What a person decided about summaries, and their references, by the content of the documents.

    decisions.json   {"schema_version": 1, "documents": [{"sha256": …, "pinned": […], …}, …]}

The newest document comes first. Sentences are named by their first code point, so that they are
found again when another version of the program ends sentences elsewhere.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.documents.languages import AUTO, languages
from core.errors import EpitomeError, of_system
from core.library.home_file import check_may_replace, read_home_file
from core.storage.files import CHOOSE_HOME, locked, write_json
from core.storage.parsing import parse_json
from core.storage.schema import KEY
from core.summaries.length import Length

MOST_DOCUMENTS = 200
LONGEST_REFERENCE = 20_000
"""A reference has at most so many characters: the file is written again after each decision."""
_MOST_SENTENCES = 2_000


@dataclass(frozen=True)
class Decisions:
    """What a person decided about the summary of one document.

    Args:
        sha256: `Source.sha256` of the document.
        length: The requested length, as ``str(Length)``; empty for the default.
        pinned: First code points of the sentences that stay.
        dropped: Those of the sentences that were dropped.
        replaced: Those of the sentences that were replaced.
        language: The chosen language of the source; `AUTO` to detect it.
        saved: When this was decided, in UTC, as ISO 8601; set by `DecisionsFile.keep`.
        reference: The reference summary that the person gave; empty for none.
    """

    sha256: str
    length: str = ""
    pinned: tuple[int, ...] = ()
    dropped: tuple[int, ...] = ()
    replaced: tuple[int, ...] = ()
    language: str = AUTO
    saved: str = ""
    reference: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was decided."""
        return replace(self, saved="") == Decisions(self.sha256)


class DecisionsFile:
    """The decisions about the documents that were worked on last; several windows may share it.

    Args:
        file: Where they are kept (`Folders.decisions_file`).
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self.note = ""
        """What a person should be told about the last reading; empty when all is well."""

    def find(self, sha256: str) -> Decisions | None:
        """What was decided about a document, by `Source.sha256`; None when nothing was."""
        return next((item for item in self._read() if sha256 and item.sha256 == sha256), None)

    def keep(self, decisions: Decisions) -> None:
        """Keeps what was decided about a document; forgets the document when that is nothing.

        Args:
            decisions: All of it; its time is set here.

        Raises:
            EpitomeError: If the file cannot be read now, or cannot be written.
        """
        saved = datetime.now(UTC).isoformat(timespec="seconds")
        new = [] if decisions.is_empty else [replace(decisions, saved=saved)]
        self._write(decisions.sha256, new)

    def clear(self) -> None:
        """Forgets all decisions.

        Raises:
            EpitomeError: If the file cannot be written.
        """
        self._write(None, [])

    def _read(self) -> tuple[Decisions, ...]:
        nothing: tuple[Decisions, ...] = ()
        found, self.note = read_home_file(
            self.file,
            lambda data: tuple(_parsed(parse_json(data))),
            nothing,
            "The file of pins and drops",
            "summaries start fresh",
        )
        return found

    def _write(self, sha256: str | None, first: list[Decisions]) -> None:
        """Puts decisions first; those on the same document go, or all when it is None."""
        try:
            with locked(self.file.with_suffix(".lock")):
                others = [] if sha256 is None else self._read()
                check_may_replace(self.file)
                items = [*first, *(item for item in others if item.sha256 != sha256)]
                values = [asdict(item) for item in items[:MOST_DOCUMENTS]]
                write_json(self.file, {KEY: 1, "documents": values})
        except OSError as error:
            what = "What was pinned and dropped cannot be saved"
            raise of_system(error, what, CHOOSE_HOME) from error


def _parsed(value: Any) -> Iterator[Decisions]:
    for item in value["documents"]:
        lists = {name: _offsets(item[name]) for name in ("pinned", "dropped", "replaced")}
        decisions = Decisions(**(item | lists))
        texts = (decisions.sha256, decisions.length, decisions.language, decisions.saved)
        if not all(type(text) is str for text in (*texts, decisions.reference)):
            raise TypeError(item)
        if decisions.saved:
            datetime.fromisoformat(decisions.saved)
        if decisions.length:
            Length.parse(decisions.length)
        if decisions.language != AUTO and decisions.language not in languages():
            raise EpitomeError(f"“{decisions.language}” is no language.", "")
        yield decisions


def _offsets(value: Any) -> tuple[int, ...]:
    if not all(type(offset) is int and offset >= 0 for offset in value):
        raise TypeError(value)
    return tuple(value[:_MOST_SENTENCES])
