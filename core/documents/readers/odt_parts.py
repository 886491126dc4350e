"""The parts of an OpenDocument file: its text, its styles, and what hangs on them."""

import posixpath
import re
from collections.abc import Iterator
from typing import Any

from core.documents.budget import Budget
from core.documents.document import LeftOut, count_words
from core.documents.readers import failures, office
from core.documents.readers.archives import Archive
from core.documents.readers.odt_styles import OFFICE, STYLE, TEXT, Styles

_DC_TITLE = "{http://purl.org/dc/elements/1.1/}title"
_PICTURE_DATA = re.compile(rb"<office:binary-data>[^<]*</office:binary-data>")
_HEADS = tuple(
    f"{STYLE}{name}{end}" for name in ("header", "footer") for end in ("", "-left", "-first")
)


class Parts:
    """The parts of the file that matter, parsed."""

    def __init__(self, data: bytes | Archive, name: str) -> None:
        self._archive = None if isinstance(data, bytes) else data
        self.budget = self._archive.budget if self._archive else Budget(name)
        self._embedded: dict[str, Any] = {}  # roots of objects; one may stand there often
        if self._archive is not None and b"encryption-data" in (
            self._archive.read("META-INF/manifest.xml") or b""
        ):
            raise failures.locked(name)
        text = data if isinstance(data, bytes) else data.read("content.xml")
        content, self._is_whole = office.parse_xml(_PICTURE_DATA.sub(b"", text or b""), self.budget)
        body = None if content is None else content.find(f"{OFFICE}body/{OFFICE}text")
        if body is None:
            raise failures.broken(name)
        self.body: Any = body
        self._styles_root, self._has_styles = self._part("styles.xml")
        meta, _ = self._part("meta.xml")
        self._roots = [r for r in (content, self._styles_root, meta) if r is not None]
        self.styles = Styles(self._roots)

    @property
    def title(self) -> str:
        """The title among the file's properties, unless a program put it there."""
        found = (root.findtext(f"{OFFICE}meta/{_DC_TITLE}") for root in self._roots)
        return next((own for title in found if (own := office.own_title(title or ""))), "")

    def embedded(self, link: str) -> Any:
        """The root of an object that is kept in the file; None where there is none."""
        part = posixpath.normpath(f"{link}/content.xml")
        if part not in self._embedded:
            data = self._archive.read(part) if self._archive is not None else None
            root = None if data is None else office.parse_xml(data, self.budget)[0]
            self._embedded[part] = root
        return self._embedded[part]

    def left_out(self) -> Iterator[LeftOut]:
        """Running heads, comments, and what a damaged place hides."""
        heads = {
            " ".join(self.budget.counted(" ".join(p.itertext()) for p in _paragraphs_in(head)))
            for root in self._roots
            for head in root.iter(*_HEADS)
        }
        if words := sum(map(count_words, heads)):
            yield office.running_heads(words)
        notes = self.body.iter(f"{OFFICE}annotation")
        remarks = (" ".join(p.itertext()) for note in notes for p in note.iter(f"{TEXT}p"))
        if words := sum(map(count_words, self.budget.counted(remarks))):
            yield office.comments(words)
        if not self._is_whole:
            yield LeftOut("text after a damaged place", "the markup is broken there")

    def notes(self) -> list[str]:
        """What is worth saying about the parts."""
        said = "The file’s styles are damaged; headings and lists may not be recognised."
        return [] if self._has_styles else [said]

    def _part(self, part: str) -> tuple[Any, bool]:
        data = self._archive.read(part) if self._archive is not None else None
        return (None, True) if data is None else office.parse_xml(data, self.budget)


def _paragraphs_in(element: Any) -> Iterator[Any]:
    return element.iter(f"{TEXT}p", f"{TEXT}h")  # type: ignore[no-any-return]
