"""E-books (.epub): the chapters in reading order, each read as any markup is."""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote, urlsplit

from core.documents.document import Block, Document, Kind, LeftOut, Source, count_words
from core.documents.kinds import refine_kinds
from core.documents.readers import failures, office
from core.documents.readers.archives import Archive
from core.documents.readers.cleaning import one_line
from core.documents.readers.encodings import decode
from core.documents.readers.formats import MAX_MARKUP_BYTES, MAX_TEXT_BYTES
from core.documents.readers.html import declared_encoding
from core.documents.readers.markup import FLATTENED, blocks_of, parse_html
from core.errors import EpitomeError
from core.events import Progress, Steps
from core.stop import StopToken

_CONTAINER = "META-INF/container.xml"
_PAGE_NAME = re.compile(r".*\.x?html?", re.IGNORECASE)
_PAGE_TYPES = (
    "application/xhtml+xml",
    "text/html",
    "application/x-dtbook+xml",
    "text/x-oeb1-document",
)
_FONT_OBFUSCATION = (
    "http://www.idpf.org/2008/embedding",
    "http://ns.adobe.com/pdf/enc#RC",
)
_BOILERPLATE = frozenset(
    (
        *("titlepage", "title-page", "halftitlepage", "cover", "copyright-page", "imprint"),
        *("imprimatur", "colophon", "other-credits", "seriespage", "toc", "loi", "lot", "loa"),
        *("landmarks", "page-list", "pagelist"),
    )
)
_NOTES = frozenset(
    ("footnote", "footnotes", "endnote", "endnotes", "rearnote", "rearnotes", "notes")
)
_DROPPED = frozenset(("noteref", "backlink", "pagebreak"))
_NOTE_CLASS = re.compile(r"(?:^|\s)(?:foot|end|rear)notes?(?:$|\s)", re.IGNORECASE)
_LICENCE_CLASS = re.compile(r"(?:^|\s)pg-boilerplate(?:$|\s)")
_NOTE_MARK = re.compile(r"[\[(]?(?:\d{1,4}|[*†‡§]{1,3})[\])]?[↩︎]?|↩︎?")
_NOTES_TITLE = re.compile(r"(?:foot|end)?notes?", re.IGNORECASE)
_BOILERPLATE_TITLE = re.compile(
    r"copyright(?: page| notice| information)?|imprint|colophon|uncopyright|(?:half )?title ?page"
    r"|cover(?: page)?|also by .*|about the publisher|legal notice",
    re.IGNORECASE,
)
_KEY = re.compile(r"\W+")
_TITLE_AMONG = 4  # blocks at the beginning of a chapter among which its title is looked for
_MOST_JOINED = 3  # blocks that may make up one title: "Chapter 7", "The storm"
_LONGEST_BOILERPLATE_WORDS = 1_500


def read_epub(data: bytes, source: Source, stop: StopToken) -> Steps[Document]:
    """Reads an e-book.

    Args:
        data: All its bytes.
        source: Where they came from; its name stands for a title the book does not have.
        stop: The wish to end early.

    Yields:
        How many chapters are done.

    Returns:
        The document: chapters in the order of the book's spine, notes as footnotes where they
        stand, title and copyright pages as boilerplate.

    Raises:
        EpitomeError: If the file is damaged, protected against copying, or unpacks to too much.
    """
    yield Progress(0, 0, "chapters", "Reading")
    book = _Book(Archive(data, source.name), source.name)
    reader = _Reader(book, len(data))
    for done, part in enumerate(book.spine):
        stop.raise_if_set()
        yield Progress(done, len(book.spine), "chapters", "Reading")
        reader.read(part)
    if not reader.blocks and (reader.missing or not book.spine):
        raise failures.broken(source.name)
    return Document.from_blocks(
        refine_kinds(reader.blocks),
        title=book.title or office.first_heading(reader.blocks) or source.name,
        source=source,
        left_out=list(reader.left_out()),
        notes=[*book.notes, *sorted(reader.notes)],
    )


@dataclass(frozen=True)
class _Label:
    """An entry of the table of contents: its words, and how deep it lies, from 1."""

    text: str
    depth: int


class _Book:
    """The book's package: its title, the order of its parts, its table of contents."""

    def __init__(self, archive: Archive, name: str) -> None:
        self.archive, self.name = archive, name
        self.title = ""
        self.spine: list[str] = []
        self.contents: str = ""  # the part that holds the table of contents
        self.purposes: dict[str, str] = {}  # of parts, where the package tells
        self.labels: dict[str, list[_Label]] = {}
        self.notes: list[str] = []
        place = self._place_of_package()
        package = self.parsed(place)
        if package is not None:
            self._read_package(package, posixpath.dirname(place))
        if not self.spine:
            self.spine = sorted(filter(_PAGE_NAME.fullmatch, archive.names), key=_natural)
            self.notes.append(
                "The order of the e-book’s chapters is damaged; they were read by their names."
            )
        self._refuse_protected()

    def parsed(self, part: str) -> Any:
        """The root of an XML part; None if it is missing or damaged past reading."""
        try:
            data = self.archive.read(part) if part else None
        except EpitomeError:
            return None
        return None if data is None else office.parse_xml(data, self.name)[0]

    def _place_of_package(self) -> str:
        container = self.parsed(_CONTAINER)
        files = [] if container is None else container.iter("{*}rootfile")
        places = [str(file.get("full-path") or "") for file in files]
        places += [name for name in self.archive.names if name.lower().endswith(".opf")]
        return next((place for place in places if place in set(self.archive.names)), "")

    def _read_package(self, package: Any, folder: str) -> None:
        titles = (one_line(title.text or "") for title in package.iter("{*}title"))
        self.title = next(filter(None, map(office.own_title, titles)), "")
        items = {str(item.get("id")): item for item in package.iter("{*}item")}
        parts = {key: _part(folder, str(item.get("href"))) for key, item in items.items()}
        references = [str(ref.get("idref")) for ref in package.iter("{*}itemref")]
        self.spine = list(dict.fromkeys(parts[key] for key in references if key in parts))
        for item in package.iter("{*}reference"):
            self.purposes[_part(folder, str(item.get("href")))] = str(item.get("type")).lower()
        for key, item in items.items():
            if "nav" in (item.get("properties") or "").split():
                self.contents = parts[key]
                self._read_nav(parts[key])
        for key, item in items.items():
            if item.get("media-type") == "application/x-dtbncx+xml" and not self.labels:
                self._read_ncx(parts[key])

    def _read_nav(self, part: str) -> None:
        root, _ = parse_html(_text_of(self.archive, part) or "")
        for nav in () if root is None else root.iter("nav"):
            if "toc" not in _types(nav):
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
        target = _part(posixpath.dirname(beside), link or "")
        if label := one_line(text):
            self.labels.setdefault(target, []).append(_Label(label, min(max(depth, 1), 6)))

    def _refuse_protected(self) -> None:
        root = self.parsed("META-INF/encryption.xml")
        for data in () if root is None else root.iter("{*}EncryptedData"):
            method, reference = data.find("{*}EncryptionMethod"), data.find(".//{*}CipherReference")
            algorithm = "" if method is None else method.get("Algorithm")
            part = "" if reference is None else _part("", str(reference.get("URI")))
            if part in self.spine and algorithm not in _FONT_OBFUSCATION:
                raise failures.protected_book(self.name)


@dataclass
class _Reader:
    """Reads one part of the spine after the other and collects blocks."""

    book: _Book
    packed_bytes: int
    blocks: list[Block] = field(default_factory=list)
    notes: set[str] = field(default_factory=set)
    missing: list[str] = field(default_factory=list)
    oversized: list[str] = field(default_factory=list)
    contents_words: int = 0
    pictures: int = 0
    only_pictures: int = 0  # chapters
    _read_bytes: int = 0

    def read(self, part: str) -> None:
        """Reads a part; one that is missing or damaged is noted."""
        try:
            data = self.book.archive.read(part)
        except EpitomeError:
            data = None
        if data is None:
            self.missing.append(part)
            return
        self._read_bytes += len(data)
        if self._read_bytes > 2 * MAX_TEXT_BYTES:
            raise failures.unpacks_to_too_much(self.book.name, self.packed_bytes, self._read_bytes)
        if len(data) > MAX_MARKUP_BYTES:
            self.oversized.append(part)
            return
        self._read_page(data, part)

    def left_out(self) -> Iterator[LeftOut]:
        """What was passed over."""
        if self.missing:
            what = _counted(len(self.missing), "chapter")
            yield LeftOut(what, "their files are missing from the e-book or damaged")
        if self.oversized:
            yield LeftOut(
                _counted(len(self.oversized), "chapter"),
                f"they have more than {failures.size(MAX_MARKUP_BYTES)} each",
            )
        if self.only_pictures:
            what = f"{_counted(self.only_pictures, 'page')} without text"
            yield LeftOut(what, "they are pictures, and text in pictures is not read")
        if self.contents_words:
            why = "it repeats the headings"
            yield LeftOut("the table of contents", why, self.contents_words, missed=False)
        if self.pictures:
            yield office.pictures(self.pictures)

    def _read_page(self, data: bytes, part: str) -> None:
        decoded = decode(data, declared_encoding(data) or "utf-8")
        root, whole = parse_html(decoded.text if decoded else "")
        body = None if root is None else root.find("body")
        if body is None:
            self.missing += [] if decoded and not decoded.text.strip() else [part]
            return
        if not whole:
            self.notes.add(FLATTENED)
        _prepare(body)
        blocks = blocks_of(body, _kind_of)
        if part == self.book.contents:
            self.contents_words += sum(count_words(block.text) for block in blocks)
            return
        blocks = _with_title(blocks, self.book.labels.get(part, []))
        self._count_pictures(body, blocks, part)
        self.blocks += _as_meant(blocks, self._purpose(part, blocks))

    def _count_pictures(self, body: Any, blocks: list[Block], part: str) -> None:
        pictures = sum(1 for _ in body.iter("img", "svg"))
        is_cover = self.book.purposes.get(part) == "cover" or part == self.book.spine[0]
        if blocks or is_cover:
            self.pictures += pictures
        elif pictures:
            self.only_pictures += 1

    def _purpose(self, part: str, blocks: list[Block]) -> Kind | None:
        """What a whole part is by the package or by its title; None for a chapter."""
        purpose = self.book.purposes.get(part, "")
        first = blocks[0].text if blocks and blocks[0].kind == Kind.HEADING else ""
        titles = [first, *(label.text for label in self.book.labels.get(part, [])[:1])]
        if purpose in _NOTES or any(map(_NOTES_TITLE.fullmatch, titles)):
            return Kind.FOOTNOTE
        named = purpose in _BOILERPLATE or any(map(_BOILERPLATE_TITLE.fullmatch, titles))
        short = sum(count_words(block.text) for block in blocks) < _LONGEST_BOILERPLATE_WORDS
        return Kind.BOILERPLATE if named and short else None


def _part(folder: str, link: str) -> str:
    """The name of the part that a link leads to; of one out of the archive no part's name."""
    path = unquote(urlsplit(link).path) if _is_link(link) else ""
    return posixpath.normpath(posixpath.join(folder, path)).lstrip("/") if path else ""


def _is_link(link: str) -> bool:
    try:
        return not urlsplit(link).netloc
    except ValueError:
        return False


def _natural(name: str) -> list[tuple[int, str]]:
    """A key by which "chapter-10" follows "chapter-9"."""
    return [(int(d) if d else -1, t) for d, t in re.findall(r"(\d{1,9})|(\D+)", name)]


def _text_of(archive: Archive, part: str) -> str | None:
    try:
        data = archive.read(part)
    except EpitomeError:
        return None
    decoded = decode(data, declared_encoding(data) or "utf-8") if data else None
    return decoded.text if decoded else None


def _types(element: Any) -> set[str]:
    """What an element is for, by EPUB's own attribute and by ARIA's roles."""
    role = element.get("role") or ""
    types = (element.get("epub:type") or "").split()
    return {*types, role.removeprefix("doc-")} if types or role else set()


def _kind_of(element: Any) -> Kind | None:
    types, classes = _types(element), element.get("class") or ""
    if types & _NOTES or _NOTE_CLASS.search(classes):
        return Kind.FOOTNOTE
    if types & _BOILERPLATE or _LICENCE_CLASS.search(classes):
        return Kind.BOILERPLATE
    return None


def _prepare(body: Any) -> None:
    """Takes out the marks of notes and page breaks, and makes one heading of grouped ones."""
    for element in list(body.iter("a", "span", "div", "hr", "sup", "hgroup")):
        if element.tag == "hgroup":
            _join_group(element)
        elif _types(element) & _DROPPED or _is_note_mark(element):
            element.drop_tree()


def _is_note_mark(element: Any) -> bool:
    """Whether a link is the number of a note: it leads to the note, and can be led back to."""
    if element.tag != "a" or "#" not in (element.get("href") or ""):
        return False
    around = (element, element.getparent(), *element)
    named = any(e is not None and (e.get("id") or e.get("name")) for e in around)
    return named and bool(_NOTE_MARK.fullmatch(one_line("".join(element.itertext()))))


def _join_group(group: Any) -> None:
    headings = [e for e in group if e.tag in ("h1", "h2", "h3", "h4", "h5", "h6")]
    if not headings or group.getparent() is None:
        return
    parts = [one_line("".join(e.itertext())) for e in group if isinstance(e.tag, str)]
    for element in list(group):
        if element is not headings[0]:
            element.drop_tree()
    for inner in list(headings[0]):
        inner.drop_tree()
    headings[0].text = ": ".join(filter(None, parts))
    group.text = headings[0].tail = None


def _with_title(blocks: list[Block], labels: list[_Label]) -> list[Block]:
    """The blocks; a paragraph that says what the table of contents says becomes a heading."""
    if any(block.kind == Kind.HEADING for block in blocks[: 2 * _TITLE_AMONG]):
        return blocks
    wanted = {_key(label.text): label for label in reversed(labels)}
    for start in range(min(_TITLE_AMONG, len(blocks))):
        for end in range(start + 1, min(start + _MOST_JOINED, len(blocks)) + 1):
            label = wanted.get(_key("".join(block.text for block in blocks[start:end])))
            if label is not None and _key(label.text):
                heading = Block(label.text, Kind.HEADING, label.depth)
                return [*blocks[:start], heading, *blocks[end:]]
    return blocks


def _key(text: str) -> str:
    return _KEY.sub("", text[:400]).casefold()


def _as_meant(blocks: list[Block], kind: Kind | None) -> list[Block]:
    if kind is None:
        return blocks
    running = (Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.QUOTE)
    return [Block(block.text, kind) if block.kind in running else block for block in blocks]


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
