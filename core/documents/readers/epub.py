"""E-books (.epub): the chapters in reading order, each read as any markup is."""

import posixpath
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from core.documents.document import (
    RUNNING_TEXT,
    Block,
    Document,
    Kind,
    LeftOut,
    Source,
    count_words,
)
from core.documents.kinds import refine_kinds
from core.documents.readers import failures, office
from core.documents.readers.archives import Archive
from core.documents.readers.encodings import declared_encoding, decode
from core.documents.readers.epub_marks import NOTES, kind_of, prepare
from core.documents.readers.epub_matter import is_matter, without_adverts
from core.documents.readers.epub_package import Book, Label, part_beside
from core.documents.readers.formats import MAX_MARKUP_BYTES, MAX_TEXT_BYTES
from core.documents.readers.formulas import without_omitted
from core.documents.readers.hidden import hidden_text
from core.documents.readers.markup import (
    FLATTENED,
    blocks_of,
    drop_deletions,
    parse_html,
)
from core.documents.readers.page_styles import apply_styles
from core.events import Progress, Steps
from core.numbers import format_quantity, format_size
from core.stop import StopToken

_NOTES_TITLE = re.compile(r"(?:foot|end)?notes?", re.IGNORECASE)
_KEY = re.compile(r"\W+")
_TITLE_AMONG = 8  # blocks at the beginning of a chapter among which a heading is its title
_LONGEST_TITLE = 200  # characters
_MOST_JOINED = 3  # blocks that may make up one title: "Chapter 7", "The storm"


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
        stand. Title pages, imprints, adverts and licences are left out.

    Raises:
        EpitomeError: If the file is damaged, protected against copying, or unpacks to too much.
    """
    yield Progress(0, 0, "chapters", "Reading")
    book = Book(Archive(data, source.name), source.name)
    reader = _Reader(book, len(data))
    for done, part in enumerate(book.spine):
        stop.raise_if_set()
        yield Progress(done, len(book.spine), "chapters", "Reading")
        reader.read(part)
    reader.end()
    blocks, omitted = without_omitted(reader.blocks)
    if not reader.blocks and (reader.missing or not book.spine):
        raise failures.broken(source.name)
    return Document.from_blocks(
        refine_kinds(blocks),
        title=book.title or office.first_heading([*reader.matter, *reader.blocks]) or source.name,
        source=source,
        left_out=[*omitted, *reader.left_out()],
        notes=[*book.notes, *sorted(reader.notes)],
    )


@dataclass
class _Reader:
    """Reads one part of the spine after the other and collects blocks."""

    book: Book
    packed_bytes: int
    blocks: list[Block] = field(default_factory=list)
    notes: set[str] = field(default_factory=set)
    missing: list[str] = field(default_factory=list)
    oversized: list[str] = field(default_factory=list)
    matter: list[Block] = field(default_factory=list)
    contents_words: int = 0
    page_numbers: int = 0
    hidden_words: Counter[str] = field(default_factory=Counter)  # by the reason
    deleted_words: int = 0
    pictures: int = 0
    only_pictures: int = 0  # chapters
    _read_bytes: int = 0
    _sheets: dict[str, str] = field(default_factory=dict)
    _has_text: bool = False  # running text among the blocks

    def read(self, part: str) -> None:
        """Reads a part; one that is missing or damaged is noted."""
        data = self.book.archive.find(part)
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

    def end(self) -> None:
        """Keeps what was taken for no text where nothing else is there."""
        if not self._has_text:
            self.blocks, self.matter = [*self.blocks, *self.matter], []

    def left_out(self) -> Iterator[LeftOut]:
        """What was passed over."""
        if self.missing:
            what = format_quantity(len(self.missing), "chapter")
            yield LeftOut(what, "their files are missing or damaged")
        if self.oversized:
            yield LeftOut(
                format_quantity(len(self.oversized), "chapter"),
                f"files larger than {format_size(MAX_MARKUP_BYTES)} are not read",
            )
        if self.only_pictures:
            what = f"{format_quantity(self.only_pictures, 'page')} without text"
            yield LeftOut(what, "text in pictures is not read")
        if self.contents_words:
            why = "it repeats the headings"
            yield LeftOut("the table of contents", why, self.contents_words, missed=False)
        if words := sum(count_words(block.text) for block in self.matter):
            why = "they are not part of the book’s text"
            yield LeftOut("title pages, imprints and adverts", why, words, missed=False)
        if self.page_numbers:
            why = "they are those of the printed book"
            yield LeftOut("page numbers", why, self.page_numbers, missed=False)
        yield from hidden_text(self.hidden_words)
        if self.deleted_words:
            yield office.deleted_passages(self.deleted_words, "the book marks them as deleted")
        if self.pictures:
            yield office.pictures(self.pictures)

    def _read_page(self, data: bytes, part: str) -> None:
        self.book.archive.budget.add_tags(data.count(b"<"))
        decoded = decode(data, declared_encoding(data) or "utf-8")
        root, whole = parse_html(decoded.text if decoded else "")
        body = None if root is None else root.find("body")
        if body is None:
            self.missing += [] if decoded and not decoded.text.strip() else [part]
            return
        if not whole:
            self.notes.add(FLATTENED)
        if decoded and decoded.note:
            self.notes.add(decoded.note)
        self.hidden_words += apply_styles(root, self._sheets_of(root, part))
        self.deleted_words += drop_deletions(body)
        self.page_numbers += prepare(body)
        blocks = blocks_of(body, kind_of)
        if part == self.book.contents:
            self.contents_words += sum(count_words(block.text) for block in blocks)
            return
        blocks = _with_titles(blocks, self.book.labels.get(part, []))
        self._count_pictures(body, blocks, part)
        self._add(blocks, part)

    def _sheets_of(self, root: Any, part: str) -> list[str]:
        """The style sheets that a page names, each unpacked once."""
        links = (link.get("href") or "" for link in root.iter("link"))
        names = [
            part_beside(posixpath.dirname(part), link)
            for link in links
            if link.lower().endswith(".css")
        ]
        for name in names:
            if name not in self._sheets:
                data = self.book.archive.find(name) or b""
                self._sheets[name] = data.decode("utf-8", "replace")
        return [self._sheets[name] for name in names]

    def _add(self, blocks: list[Block], part: str) -> None:
        """Adds a part to the text, or to what is left out."""
        blocks, adverts = without_adverts(blocks)
        self.matter += adverts
        first = blocks[0].text if blocks and blocks[0].kind == Kind.HEADING else ""
        labels = [label.text for label in self.book.labels.get(part, [])[:1]]
        titles, purpose = [first, *labels], self.book.purposes.get(part, "")
        if purpose in NOTES or any(map(_NOTES_TITLE.fullmatch, titles)):
            self.blocks += _as_notes(blocks)
            return
        is_first = not self._has_text
        if is_matter(blocks, titles, purpose, self.book.title, is_first=is_first):
            self.matter += blocks
            return
        for block in blocks:
            self._has_text = self._has_text or block.kind in RUNNING_TEXT
            (self.matter if block.kind == Kind.BOILERPLATE else self.blocks).append(block)

    def _count_pictures(self, body: Any, blocks: list[Block], part: str) -> None:
        pictures = sum(1 for _ in body.iter("img", "svg"))
        is_cover = self.book.purposes.get(part) == "cover" or part == self.book.spine[0]
        if blocks or is_cover:
            self.pictures += pictures
        elif pictures:
            self.only_pictures += 1


def _with_titles(blocks: list[Block], labels: list[Label]) -> list[Block]:
    """The blocks; paragraphs that say what the table of contents says become headings.

    Where a page lists its chapters before it comes to them, the last such paragraph is the title.
    """
    wanted = {key: label for label in reversed(labels) if (key := _key(label.text))}
    if not wanted or any(block.kind == Kind.HEADING for block in blocks[:_TITLE_AMONG]):
        return blocks
    found: dict[str, tuple[int, int]] = {}
    for start in range(len(blocks)):
        for end in range(start + 1, min(start + _MOST_JOINED, len(blocks)) + 1):
            key = _key("".join(block.text for block in blocks[start:end]))
            if key in wanted:
                found[key] = start, end
    titled: list[Block] = []
    at = 0
    for key, (start, end) in sorted(found.items(), key=lambda item: item[1]):
        if start >= at:
            label = wanted[key]
            titled += [*blocks[at:start], Block(label.text, Kind.HEADING, label.depth)]
            at = end
    return titled + blocks[at:]


def _key(text: str) -> str:
    return _KEY.sub("", text).casefold() if len(text) <= _LONGEST_TITLE else ""


def _as_notes(blocks: list[Block]) -> list[Block]:
    return [
        Block(block.text, Kind.FOOTNOTE) if block.kind in RUNNING_TEXT else block
        for block in blocks
    ]
