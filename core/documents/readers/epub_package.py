"""The package of an e-book: its title, the order of its parts, its table of contents."""

import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

from core.documents.readers import failures, office
from core.documents.readers.archives import Archive
from core.documents.readers.cleaning import one_line
from core.documents.readers.encodings import declared_encoding, decode
from core.documents.readers.markup import parse_html

_CONTAINER = "META-INF/container.xml"
_NCX = "application/x-dtbncx+xml"
_PAGE_NAME = re.compile(r".*\.x?html?", re.IGNORECASE)


@dataclass(frozen=True)
class Label:
    """An entry of the table of contents: its words, and how deep it lies, from 1."""

    text: str
    depth: int


class Book:
    """The book's package: its title, the order of its parts, its table of contents."""

    def __init__(self, archive: Archive, name: str) -> None:
        self.archive, self.name = archive, name
        self.title = ""
        self.spine: list[str] = []
        self.contents: str = ""  # the part that holds the table of contents
        self.purposes: dict[str, str] = {}  # of parts, where the package tells
        self.labels: dict[str, list[Label]] = {}
        self.notes: list[str] = []
        place = self._place_of_package()
        package = self.parsed(place)
        if package is not None:
            self._read_package(package, posixpath.dirname(place))
        if not self.spine:
            self.spine = sorted(filter(_PAGE_NAME.fullmatch, archive.names), key=_natural)
            self.notes.append(
                "The order of the e-book’s chapters is damaged; they were read by name."
            )
        self._refuse_protected()

    def parsed(self, part: str) -> Any:
        """The root of an XML part; None if it is missing or damaged past reading."""
        data = self.archive.find(part) if part else None
        return None if data is None else office.parse_xml(data, self.archive.budget)[0]

    def _place_of_package(self) -> str:
        container = self.parsed(_CONTAINER)
        files = [] if container is None else container.iter("{*}rootfile")
        places = [str(file.get("full-path") or "") for file in files]
        names = self.archive.names
        places += [name for name in names if name.lower().endswith(".opf")]
        known = set(names)
        return next((place for place in places if place in known), "")

    def _read_package(self, package: Any, folder: str) -> None:
        titles = (one_line(title.text or "") for title in package.iter("{*}title"))
        self.title = next(filter(None, map(office.own_title, titles)), "")
        items = {str(item.get("id")): item for item in package.iter("{*}item")}
        parts = {key: part_beside(folder, str(item.get("href"))) for key, item in items.items()}
        references = [str(ref.get("idref")) for ref in package.iter("{*}itemref")]
        self.spine = list(dict.fromkeys(parts[key] for key in references if key in parts))
        for item in package.iter("{*}reference"):
            self.purposes[part_beside(folder, str(item.get("href")))] = str(
                item.get("type")
            ).lower()
        navs = [k for k, item in items.items() if "nav" in (item.get("properties") or "").split()]
        for part in _each_once(parts, navs):
            self.contents = part
            self._read_nav(part)
        ncxs = [k for k, item in items.items() if item.get("media-type") == _NCX]
        for part in _each_once(parts, ncxs):
            if not self.labels:
                self._read_ncx(part)

    def _read_nav(self, part: str) -> None:
        root, _ = parse_html(_text_of(self.archive, part) or "")
        for nav in () if root is None else root.iter("nav"):
            if "toc" not in types_of(nav):
                continue
            for link in nav.iter("a"):
                depth = sum(1 for _ in link.iterancestors("ol"))
                self._add_label(part, link.get("href"), "".join(link.itertext()), depth)

    def _read_ncx(self, part: str) -> None:
        root = self.parsed(part)
        for point in () if root is None else root.iter("{*}navPoint"):
            content, label = point.find("{*}content"), point.find("{*}navLabel")
            if content is not None and label is not None:
                depth = 1 + sum(1 for _ in point.iterancestors("{*}navPoint"))
                self._add_label(part, content.get("src"), "".join(label.itertext()), depth)

    def _add_label(self, beside: str, link: str | None, text: str, depth: int) -> None:
        target = part_beside(posixpath.dirname(beside), link or "")
        if label := one_line(text):
            self.labels.setdefault(target, []).append(Label(label, min(max(depth, 1), 6)))

    def _refuse_protected(self) -> None:
        """Refuses a book whose chapters are encrypted; fonts are hidden in free ones, too."""
        root = self.parsed("META-INF/encryption.xml")
        spine = set(self.spine)
        for reference in () if root is None else root.iter("{*}CipherReference"):
            if part_beside("", str(reference.get("URI"))) in spine:
                raise failures.protected_book(self.name)


def part_beside(folder: str, link: str) -> str:
    """The name of the part that a link leads to; of one out of the archive no part's name."""
    try:
        path = unquote(urlsplit(link).path)
    except ValueError:
        return ""
    return posixpath.normpath(posixpath.join(folder, path)).lstrip("/") if path else ""


def _natural(name: str) -> list[tuple[int, str]]:
    """A key by which "chapter-10" follows "chapter-9"."""
    return [(int(d) if d else -1, t) for d, t in re.findall(r"(\d{1,9})|(\D+)", name)]


def _each_once(parts: dict[str, str], keys: list[str]) -> Iterable[str]:
    """The parts of some items; several items may name the same."""
    return dict.fromkeys(parts[key] for key in keys)


def _text_of(archive: Archive, part: str) -> str | None:
    data = archive.find(part)
    archive.budget.add_tags((data or b"").count(b"<"))
    decoded = decode(data, declared_encoding(data) or "utf-8") if data else None
    return decoded.text if decoded else None


def types_of(element: Any) -> set[str]:
    """What an element is for, by EPUB's own attribute and by ARIA's roles."""
    role = element.get("role") or ""
    types = (element.get("epub:type") or "").split()
    return {*types, role.removeprefix("doc-")} if types or role else set()
