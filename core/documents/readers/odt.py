"""OpenDocument texts (.odt, .fodt): as they read with all tracked changes accepted."""

import re
from collections import Counter as Tally
from collections.abc import Iterable, Iterator
from typing import Any

from core.documents.document import Block, Document, Kind, LeftOut, Source, count_words
from core.documents.kinds import refine_kinds
from core.documents.readers import office
from core.documents.readers.archives import Archive
from core.documents.readers.cleaning import clean, one_line
from core.documents.readers.field_codes import EMPTY_BOX, TICKED_BOX
from core.documents.readers.formulas import (
    OMITTED,
    joined,
    set_apart,
    text_of_mathml,
    without_omitted,
)
from core.documents.readers.hidden import NOT_SHOWN, hidden_text
from core.documents.readers.line_breaks import (
    Part,
    mark_bold,
    remove_marks,
    split_at_heads,
    with_meeting_speakers,
)
from core.documents.readers.numerals import whole_number
from core.documents.readers.odt_hidden import why_hidden
from core.documents.readers.odt_lists import Lists
from core.documents.readers.odt_parts import Parts
from core.documents.readers.odt_styles import (
    DRAW,
    LIBRE,
    OFFICE,
    TABLE,
    TEXT,
    Look,
    TextStyle,
    number_of,
)
from core.documents.readers.scripts import shifted, with_scripts
from core.documents.readers.symbol_fonts import with_signs
from core.events import Progress, Steps
from core.stop import StopToken

_LINK = "{http://www.w3.org/1999/xlink}href"
_MATHS = "{http://www.w3.org/1998/Math/MathML}"
_SVG = "{urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0}"
_FORM = "{urn:oasis:names:tc:opendocument:xmlns:form:1.0}"
_CHART = "{urn:oasis:names:tc:opendocument:xmlns:chart:1.0}"
_FIELD = "{urn:openoffice:names:experimental:ooo-ms-interop:xmlns:field:1.0}"
_FIELD_MARKS = (f"{_FIELD}fieldmark", f"{_FIELD}fieldmark-start")
_EQUATION_CLASSES = ("0002ce02-", "0002ce03-")  # Equation Editor, MathType
_SPAN = f"{TEXT}span"
_PARAGRAPHS_A_STEP = 500
_MOST_SPACES = 100
_DEEPEST_BOX = 70
_MOST_REPEATED = 200_000  # characters of repeated table cells and rows, in a whole document
_WHITE = re.compile(r"[ \t\r\n]+")
_INDEXES = tuple(
    f"{TEXT}{name}"
    for name in (
        *("table-of-content", "illustration-index", "table-index", "object-index"),
        *("user-index", "alphabetical-index"),
    )
)
_PASSED_OVER = frozenset(
    (
        *(f"{OFFICE}{name}" for name in ("forms", "annotation", "annotation-end", "scripts")),
        *(f"{TEXT}{name}" for name in ("sequence-decls", "variable-decls", "user-field-decls")),
        *(f"{TEXT}{name}" for name in ("dde-connection-decls", "number", "section-source")),
        *(f"{OFFICE}event-listeners", f"{_SVG}title", f"{_SVG}desc"),
        *(f"{DRAW}glue-point", f"{DRAW}image-map", f"{DRAW}plugin", f"{DRAW}applet"),
    )
)
_ROWS = tuple(f"{TABLE}{name}" for name in ("table-header-rows", "table-row-group", "table-rows"))
_CELLS = (f"{TABLE}table-cell", f"{TABLE}covered-table-cell")


def read_odt(data: bytes | Archive, source: Source, stop: StopToken) -> Steps[Document]:
    """Reads an OpenDocument text, packed or flat.

    Args:
        data: All bytes of a flat one, the parts of a packed one.
        source: Where they came from; its name stands for a title the document does not have.
        stop: The wish to end early.

    Yields:
        How many paragraphs, lists and tables are done.

    Returns:
        The document: automatic numbers are written out, footnotes follow their paragraph,
        tracked insertions are in and deletions out.

    Raises:
        EpitomeError: If the file is damaged, locked, unpacks to too much, or is no text.
    """
    yield Progress(0, 0, "paragraphs", "Reading")
    parts = Parts(data, source.name)
    walk = yield from _walk_through(parts, stop)
    notes = []
    if office.is_mostly_struck(walk.struck_words, walk.blocks):  # which means something else
        notes = [office.struck_but_kept(walk.struck_words)]
        walk = yield from _walk_through(parts, stop, reads_struck=True)
    blocks = office.with_bold_headings(walk.blocks, walk.bold)
    blocks, omitted = without_omitted(office.with_joined_code(blocks), walk.num_equations)
    blocks = refine_kinds(with_meeting_speakers(blocks))
    return Document.from_blocks(
        blocks,
        title=walk.title or parts.title or office.first_heading(blocks) or source.name,
        source=source,
        left_out=[*omitted, *walk.left_out(), *parts.left_out()],
        notes=[*notes, *walk.notes(), *parts.notes()],
    )


def _walk_through(parts: Parts, stop: StopToken, *, reads_struck: bool = False) -> Steps["_Walk"]:
    walk = _Walk(parts, stop, reads_struck=reads_struck)
    elements = list(parts.body)
    for done, element in enumerate(elements):
        if done % _PARAGRAPHS_A_STEP == 0:
            stop.raise_if_set()
            yield Progress(done, len(elements), "paragraphs", "Reading")
        walk.read(element)
    walk.finish()
    return walk


class _Walk:
    """Goes through the body once and collects blocks."""

    def __init__(self, parts: Parts, stop: StopToken, *, reads_struck: bool) -> None:
        self._reads_struck = reads_struck
        self._is_bold_now = False  # in a bold span
        self.blocks: list[Block] = []
        self.bold: set[int] = set()  # places in `blocks` of paragraphs that are all bold
        self.title = ""
        self._parts, self._styles, self._stop = parts, parts.styles, stop
        self._budget = parts.budget
        self._depth = 0  # of boxes and objects in others
        self._objects: set[Any] = set()  # charts and sheets that were met
        self._said: Tally[str] = Tally()  # words and numbers of what was passed over
        self._hidden_words: Tally[str] = Tally()  # by the reason
        self._look, self._read_now = Look(), None  # of the paragraph that is read, and itself
        self._boxes: list[Any] = []  # text boxes and objects of the paragraph being read
        self._footnotes: list[Any] = []
        self._endnotes: list[Any] = []
        self._lists = Lists(parts.styles)
        self._all_are: Kind | None = None  # what all paragraphs are inside an index
        self._repeats_left = _MOST_REPEATED
        self._insertions = {
            region.get(f"{TEXT}id")
            for region in parts.body.iter(f"{TEXT}changed-region")
            if region.find(f"{TEXT}insertion") is not None
        }

    def read(self, element: Any) -> None:
        """Reads an element that holds paragraphs: one of them, a list, a table, or a wrapper."""
        tag = element.tag
        if tag in (f"{TEXT}p", f"{TEXT}h"):
            self._paragraph(element)
        elif tag == f"{TEXT}list":
            self._read_list(element)
        elif tag == f"{TABLE}table":
            self._table(element)
        elif tag == f"{TEXT}tracked-changes":
            self._changes(element)
        elif tag in _INDEXES:
            self._index(element, Kind.BOILERPLATE)
        elif tag == f"{TEXT}bibliography":
            self._index(element, Kind.REFERENCE)
        elif tag == f"{TEXT}section" and _is_hidden(element):
            self._hidden_words[NOT_SHOWN] += count_words(self._paragraphs_of(element))
        elif isinstance(tag, str) and tag.startswith(DRAW):
            self._drawing(element)
            self._add_boxes()
        elif isinstance(tag, str) and tag not in _PASSED_OVER:
            for inner in element:
                self.read(inner)

    def finish(self) -> None:
        """Adds what stands at the end: endnotes."""
        while self._endnotes:
            notes, self._endnotes = self._endnotes, []
            for note in notes:
                self._note(note)

    def left_out(self) -> Iterator[LeftOut]:
        """What the walk passed over."""
        if words := self._said["deleted"]:
            yield office.deleted_passages(words)
        if words := self.struck_words:
            yield office.struck_passages(words)
        if words := self._said["prompts"]:
            yield office.prompts(words)
        yield from hidden_text(self._hidden_words)
        if count := self._said["pictures"]:
            yield office.pictures(count)
        if self._said["objects"]:
            yield LeftOut("embedded objects", "they are files of other programs")
        if self._repeats_left < 0:
            yield LeftOut("repeated table cells", "they repeat too often to be text")

    @property
    def struck_words(self) -> int:
        """Number of words that were left out as struck through."""
        return self._said["struck"]

    @property
    def num_equations(self) -> int:
        """Number of formulas that other programs draw."""
        return self._said["equations"]

    def notes(self) -> list[str]:
        """What is worth saying about tracked changes."""
        return office.accepted_changes(self._said["insertions"], self._said["deletions"])

    def _read_list(self, element: Any) -> None:
        for item in self._lists.items(element):
            for inner in item:
                self.read(inner)

    def _changes(self, element: Any) -> None:
        for deletion in element.iter(f"{TEXT}deletion"):
            self._said["deletions"] += 1
            self._said["deleted"] += count_words(self._paragraphs_of(deletion))

    def _paragraphs_of(self, element: Any) -> str:
        paragraphs = ("".join(p.itertext()) for p in element.iter(f"{TEXT}p", f"{TEXT}h"))
        return " ".join(self._budget.counted(paragraphs))

    def _index(self, element: Any, kind: Kind) -> None:
        body = element.find(f"{TEXT}index-body")
        for inner in () if body is None else body:
            is_title = inner.tag == f"{TEXT}index-title" and kind == Kind.REFERENCE
            self._all_are = Kind.HEADING if is_title else kind
            self.read(inner)
        self._all_are = None

    def _paragraph(self, element: Any) -> None:
        self._stop.raise_if_set()
        style = self._styles.of("paragraph", element.get(f"{TEXT}style-name", ""))
        in_index = self._all_are is not None
        marker = None if in_index else self._lists.marker(element, style.list_style)
        self._look, self._read_now = style.look, element
        marked = "".join(self._inline(element))
        text = _to_line(remove_marks(marked))
        if style.hidden or _has_hidden_mark(element):
            self._hidden_words[NOT_SHOWN] += count_words(text)
        elif text.strip():
            kind, level = self._kind_and_level(element, marker is not None)
            is_bold = kind == Kind.PARAGRAPH and self._is_bold(element, style.bold)
            is_parted = kind == Kind.PARAGRAPH and "\n" in marked
            for part in split_at_heads(marked) if is_parted else [Part(text)]:
                written = _to_line(part.text) if is_parted else part.text
                text = clean(written if kind == Kind.CODE else f"{marker or ''} {written}")
                whole = clean(_to_line(part.whole))
                for line in [text] if kind == Kind.CODE else office.lines_of(text, kind):
                    block = Block(line, kind, level, label=part.label, speaker=whole)
                    self._add(block, style.is_title)
                    if is_bold or part.is_head:
                        self.bold.add(len(self.blocks) - 1)
        self._add_boxes()

    def _add(self, block: Block, is_title: bool) -> None:
        self._budget.add_text(block.text)
        if is_title and not self.title:
            self.title = block.text
        self.blocks.append(office.as_item_if_bulleted(block))

    def _kind_and_level(self, element: Any, is_item: bool) -> tuple[Kind, int]:
        style = self._styles.of("paragraph", element.get(f"{TEXT}style-name", ""))
        if self._all_are is not None:
            return self._all_are, int(self._all_are == Kind.HEADING)
        if element.tag == f"{TEXT}h":
            level = number_of(element, f"{TEXT}outline-level")
            return Kind.HEADING, min(max(level or style.level, 1), 6)
        place = self._lists.place
        if style.kind in (Kind.PARAGRAPH, Kind.LIST_ITEM) and is_item and place is not None:
            return Kind.LIST_ITEM, min(place.depth, 6)
        return style.kind, style.level

    def _is_bold(self, element: Any, by_style: bool) -> bool:
        """Whether all of a paragraph's text is bold, outside tables."""
        if next(element.iterancestors(f"{TABLE}table"), None) is not None:
            return False
        spans = element.findall(f"{TEXT}span")
        bare = [element.text, *(inner.tail for inner in element)]
        if not by_style and any(text and text.strip() for text in bare):
            return False
        styles = [self._styles.of("text", span.get(f"{TEXT}style-name", "")) for span in spans]
        return by_style or (bool(styles) and all(style.bold for style in styles))

    def _add_boxes(self) -> None:
        boxes, self._boxes = self._boxes, []
        notes, self._footnotes = self._footnotes, []
        place, self._lists.place = self._lists.place, None
        if boxes and self._depth == _DEEPEST_BOX:
            boxes, self._said["objects"] = [], self._said["objects"] + 1
        self._depth += 1
        for box in boxes:
            for element in box:
                self.read(element)
        self._depth -= 1
        self._lists.place = place
        for note in notes:
            self._note(note)

    def _note(self, note: Any) -> None:
        body = note.find(f"{TEXT}note-body")
        inner = [] if body is None else self._collected(body)
        self.blocks.append(Block(one_line(" ".join(b.text for b in inner)), Kind.FOOTNOTE))

    def _collected(self, element: Any) -> list[Block]:
        """The blocks inside an element, without adding them to the document."""
        outer, self.blocks = self.blocks, []
        place, self._lists.place = self._lists.place, None
        bold, self.bold = self.bold, set()
        for inner in element:
            self.read(inner)
        collected, self.blocks = self.blocks, outer
        self._lists.place, self.bold = place, bold
        return collected

    def _table(self, table: Any) -> None:
        rows: list[list[list[Block]]] = []
        for row in _rows_of(table):
            cells = self._cells(row)
            inside = [block for cell in cells for block in cell]
            rows += [cells] * self._times(row, "rows", inside)
        self.blocks += office.table_blocks([row for row in rows if any(row)])

    def _cells(self, row: Any) -> list[list[Block]]:
        """The cells of a row; empty ones at its end, of which there may be thousands, are not."""
        cells: list[list[Block]] = []
        gap = 0
        for cell in row:
            if cell.tag not in _CELLS:
                continue
            blocks = self._collected(cell)
            if not blocks:
                gap += number_of(cell, f"{TABLE}number-columns-repeated") or 1
                continue
            cells += [[] for _ in range(min(gap, _MOST_SPACES))]
            cells += [blocks] * self._times(cell, "columns", blocks)
            gap = 0
        return cells

    def _times(self, element: Any, what: str, blocks: list[Block]) -> int:
        """How often a cell or row stands there: a few bytes may ask for millions."""
        more = (number_of(element, f"{TABLE}number-{what}-repeated") or 1) - 1
        length = sum(len(block.text) for block in blocks)
        if not more or not length:
            return 1
        fits = min(more, max(self._repeats_left, 0) // length)
        self._repeats_left -= more * length
        return 1 + fits

    def _inline(self, element: Any) -> Iterator[str]:
        """The text inside a paragraph or one of its parts."""
        yield self._seen(element.text)
        for inner in element:
            yield from self._part(inner)
            yield self._seen(inner.tail)

    def _seen(self, text: str | None) -> str:
        """A piece of text; empty where it is not seen, and then it is counted."""
        if not text:
            return ""
        text = _WHITE.sub(" ", text)
        if text.strip() and (why := why_hidden(self._look, self._read_now, self._styles)):
            self._hidden_words[why] += count_words(text)
            return ""
        if self._look.is_struck and not self._reads_struck:
            self._said["struck"] += count_words(text)
            return office.edge_space(text)
        return with_signs(text, self._look.font) if self._look.font else text

    def _part(self, element: Any) -> Iterable[str]:
        tag = element.tag
        if tag == _SPAN:
            return self._span(element)
        if not isinstance(tag, str) or tag in _PASSED_OVER or tag.startswith(_FORM):
            return ()
        if tag == f"{TEXT}s":
            return (" " * min(number_of(element, f"{TEXT}c") or 1, _MOST_SPACES),)
        if tag in (f"{TEXT}tab", f"{TEXT}line-break"):
            return ("\t" if tag == f"{TEXT}tab" else "\n",)
        if tag == f"{TEXT}note":
            is_endnote = element.get(f"{TEXT}note-class") == "endnote"
            (self._endnotes if is_endnote else self._footnotes).append(element)
            return ()
        if tag == f"{TEXT}change-start":
            self._said["insertions"] += element.get(f"{TEXT}change-id") in self._insertions
            return ()
        if tag == f"{TEXT}ruby":
            base = element.find(f"{TEXT}ruby-base")
            return () if base is None else self._inline(base)
        if tag.startswith(DRAW) and tag != f"{DRAW}a":
            return (self._drawing(element),)
        if tag in _FIELD_MARKS:
            return (_form_text(element),)
        if tag == f"{TEXT}placeholder" or element.get(f"{LIBRE}showing-place-holder") == "true":
            self._said["prompts"] += count_words("".join(element.itertext()))
            return ()
        return self._span(element)

    def _span(self, element: Any) -> Iterator[str]:
        style, outer = self._span_style(element), (self._look, self._is_bold_now)
        if style.hidden or _is_hidden(element):
            self._hidden_words[NOT_SHOWN] += count_words("".join(element.itertext()))
            return
        self._look = self._look.inner(style.look)
        self._is_bold_now = self._is_bold_now or style.bold
        text = shifted("".join(self._inline(element)), style.shift)
        yield mark_bold(text) if self._is_bold_now and not outer[1] else text
        self._look, self._is_bold_now = outer

    def _span_style(self, element: Any) -> TextStyle:
        name = element.get(f"{TEXT}style-name", "") if element.tag == _SPAN else ""
        return self._styles.of("text", name) if name else TextStyle()

    def _drawing(self, element: Any) -> str:
        """Takes what a frame or shape holds for after the paragraph; gives a formula's text."""
        tag = element.tag
        if tag == f"{DRAW}frame":
            return self._frame(element)
        if tag in (f"{DRAW}g", f"{DRAW}a"):
            return " ".join(filter(None, (self._drawing(inner) for inner in _drawn(element))))
        if tag == f"{DRAW}image":
            self._said["pictures"] += 1
        elif any(inner.tag in (f"{TEXT}p", f"{TEXT}list") for inner in element):
            self._boxes.append(element)
        return ""

    def _frame(self, frame: Any) -> str:
        objects = frame.findall(f"{DRAW}object")
        if objects:
            return self._object(objects[0])
        boxes = frame.findall(f"{DRAW}text-box")
        self._boxes += boxes
        ole = frame.find(f"{DRAW}object-ole")
        if not boxes and ole is not None:
            if ole.get(f"{DRAW}class-id", "").lower().startswith(_EQUATION_CLASSES):
                self._said["equations"] += 1
                return set_apart(OMITTED)
            self._said["objects"] += 1
        elif not boxes and frame.find(f"{DRAW}image") is not None:
            self._said["pictures"] += 1
        return ""

    def _object(self, element: Any) -> str:
        """A formula's text; tables and titles of charts and sheets go after the paragraph."""
        link = element.get(_LINK, "")
        root = element[0] if len(element) else self._parts.embedded(link)
        if root is None:
            self._said["objects"] += 1
            return ""
        if root.tag == f"{_MATHS}math":
            note = root.findtext(f".//{_MATHS}annotation")
            text = text_of_mathml(root)
            text = one_line(note) if note and text in ("", OMITTED) else text
            return set_apart(next(self._budget.counted([text])))
        if root in self._objects:  # which may hold itself
            self._said["objects"] += 1
            return ""
        self._objects.add(root)
        tables = list(root.iter(f"{TABLE}table"))
        titles = root.iter(f"{_CHART}title", f"{_CHART}subtitle")
        self._boxes += [*titles, *([table] for table in tables)]
        self._said["objects"] += not tables
        return ""


def _to_line(text: str) -> str:
    """Text with its raised and lowered pieces, and its formulas, on the line."""
    return joined(with_scripts(text))


def _form_text(mark: Any) -> str:
    """The text of a form's box or list that came from Word; other fields have text inside."""
    kind = mark.get(f"{_FIELD}type", "").rsplit(".", 1)[-1]
    pairs = [(e.get(f"{_FIELD}name", ""), e.get(f"{_FIELD}value", "")) for e in mark]
    values = dict(pairs)
    if kind == "FORMCHECKBOX":
        return TICKED_BOX if values.get("Checkbox_Checked") in ("true", "1") else EMPTY_BOX
    entries = [value for name, value in pairs if name == "Dropdown_ListEntry"]
    chosen = whole_number(values.get("Dropdown_Selected")) or 0
    return entries[chosen] if kind == "FORMDROPDOWN" and chosen < len(entries) else ""


def _drawn(element: Any) -> Iterator[Any]:
    return (e for e in element if isinstance(e.tag, str) and e.tag.startswith(DRAW))


def _rows_of(table: Any) -> Iterator[Any]:
    for element in table:
        if element.tag == f"{TABLE}table-row":
            yield element
        elif element.tag in _ROWS:
            yield from _rows_of(element)


def _is_hidden(element: Any) -> bool:
    hidden = element.get(f"{TEXT}is-hidden") == "true"
    return bool(hidden or element.get(f"{TEXT}display") == "none")


def _has_hidden_mark(paragraph: Any) -> bool:
    marks = paragraph.iter(f"{TEXT}hidden-paragraph")
    return any(mark.get(f"{TEXT}is-hidden") == "true" for mark in marks)
