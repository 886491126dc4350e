"""Word documents (.docx): their text as it reads with all tracked changes accepted."""

import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any

from core.documents.document import Block, Document, Kind, LeftOut, Source, count_words
from core.documents.kinds import refine_kinds
from core.documents.readers import failures, office
from core.documents.readers.archives import Archive
from core.documents.readers.cleaning import clean, one_line
from core.documents.readers.docx_fields import Fields
from core.documents.readers.docx_hidden import Visibility, why_hidden_row
from core.documents.readers.docx_looks import (
    PARAGRAPH_STYLE,
    RunLook,
    W,
    children_by_name,
    get_value,
    is_on,
)
from core.documents.readers.docx_styles import Numbering, Style, Styles, value_of
from core.documents.readers.field_codes import field_text
from core.documents.readers.formulas import OMITTED, joined, set_apart, without_omitted
from core.documents.readers.hidden import hidden_text
from core.documents.readers.line_breaks import (
    Part,
    mark_bold,
    remove_marks,
    split_at_heads,
    with_meeting_speakers,
)
from core.documents.readers.numerals import whole_number
from core.documents.readers.office_formulas import MATHS, find_formulas, text_of_omml
from core.documents.readers.office_objects import DRAWN, drawn_blocks, is_equation
from core.documents.readers.pptx_text import take_out_struck
from core.documents.readers.scripts import lowered, raised, shifted, with_scripts
from core.documents.readers.symbol_fonts import with_signs
from core.events import Progress, Steps
from core.stop import StopToken

_CHOICE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_TITLE = "{http://purl.org/dc/elements/1.1/}title"
_PARAGRAPHS_A_STEP = 500
_MOST_PIECES = 10  # of one power, index or prompt
_PARAGRAPH, _RUN, _TEXT, _TABLE, _CONTROL = (f"{W}{tag}" for tag in ("p", "r", "t", "tbl", "sdt"))
_PARAGRAPH_LOOK, _RUN_LOOK, _BOLD = f"{W}pPr", f"{W}rPr", f"{W}b"
_DELETED = (f"{W}del", f"{W}moveFrom")
_INSERTED = (f"{W}ins", f"{W}moveTo")
_WRITTEN = {
    f"{W}tab": "\t",
    f"{W}ptab": "\t",
    f"{W}br": "\n",
    f"{W}cr": "\n",
    f"{W}noBreakHyphen": "-",
    f"{W}softHyphen": "",
}
_SCRIPTS = {"superscript": raised, "subscript": lowered}
_DRAWINGS = tuple(f"{W}{name}" for name in ("drawing", "pict", "object"))
_HEX = re.compile(r"[0-9a-fA-F]{1,6}")
_PICTURES = ("{*}blip", "{*}imagedata")
_LONGEST_PROMPT = 400  # characters
_PART_TYPE = re.compile(
    rb'PartName="/(word/[^"]+)"\s+ContentType="[^"]*\.(document|styles|numbering|footnotes'
    rb'|endnotes|comments)(?:\.main)?\+xml"'
)
_FURNITURE_PART = re.compile(r"word/(?:header|footer)\d*\.xml")


def read_docx(archive: Archive, source: Source, stop: StopToken) -> Steps[Document]:
    """Reads a Word document.

    Args:
        archive: Its parts.
        source: Where they came from; its name stands for a title the document does not have.
        stop: The wish to end early.

    Yields:
        How many paragraphs and tables are done.

    Returns:
        The document: automatic numbers are written out, footnotes follow their paragraph,
        tracked insertions are in and deletions out.

    Raises:
        EpitomeError: If the file is damaged, locked, unpacks to too much, or is no Word document.
    """
    yield Progress(0, 0, "paragraphs", "Reading")
    parts = _Parts(archive, source.name)
    body = parts.document.find(f"{W}body")
    if body is None:
        raise failures.broken(source.name)
    walk = yield from _walk_through(parts, list(body), stop)
    notes = []
    if walk.is_mostly_struck:  # which means something else
        notes = [office.struck_but_kept(walk.struck_words)]
        walk = yield from _walk_through(parts, list(body), stop, reads_struck=True)
    bold = [place for place, block in enumerate(walk.blocks) if id(block) in walk.bold]
    blocks = office.with_bold_headings(walk.blocks, bold)
    blocks, omitted = without_omitted(office.with_joined_code(blocks), walk.num_equations)
    blocks = refine_kinds(with_meeting_speakers(blocks))
    return Document.from_blocks(
        blocks,
        title=walk.title or parts.title or office.first_heading(blocks) or source.name,
        source=source,
        left_out=[*omitted, *walk.left_out(), *parts.left_out()],
        notes=[*notes, *walk.notes()],
    )


def _walk_through(
    parts: "_Parts", elements: list[Any], stop: StopToken, *, reads_struck: bool = False
) -> Steps["_Walk"]:
    walk = _Walk(parts, reads_struck=reads_struck)
    for done, element in enumerate(elements):
        if done % _PARAGRAPHS_A_STEP == 0:
            stop.raise_if_set()
            yield Progress(done, len(elements), "paragraphs", "Reading")
        walk.read(element)
    walk.finish()
    return walk


class _Parts:
    """The parts of the package that matter, parsed."""

    def __init__(self, archive: Archive, name: str) -> None:
        self._archive, self._name = archive, name
        self.budget = archive.budget
        types = archive.read("[Content_Types].xml") or b""
        self._places = {
            kind.decode(): place.decode("utf-8", "replace")
            for place, kind in _PART_TYPE.findall(types)
        }
        document = self._part("document")
        if document is None:
            raise failures.broken(name)
        self.document = document
        self.styles = Styles(self._part("styles"))
        self.numbering = self._part("numbering")
        self.notes = {
            kind: _notes(self._part(f"{kind}s"), kind) for kind in ("footnote", "endnote")
        }

    @property
    def title(self) -> str:
        """The title among the file's properties, unless a program put it there."""
        core = self._xml("docProps/core.xml")
        return office.own_title(core.findtext(_TITLE) or "") if core is not None else ""

    @cached_property
    def related(self) -> dict[str, tuple[str, str]]:
        """Parts that the document refers to: by the id the kind and the name."""
        folder, name = posixpath.split(self._places.get("document", "word/document.xml"))
        return office.related_parts(self._xml(f"{folder}/_rels/{name}.rels"), folder)

    def drawn(self, name: str) -> Any:
        """The root of a chart's or diagram's part; None where there is none, or it is damaged."""
        data = self._archive.find(name) if name else None
        return office.parse_xml(office.plain_names(data), self.budget)[0] if data else None

    def left_out(self) -> Iterator[LeftOut]:
        """Running heads and comments."""
        names = [name for name in self._archive.names if _FURNITURE_PART.fullmatch(name)]
        texts = {self._all_text(self._xml(name)) for name in names}
        if words := sum(map(count_words, texts)):
            yield office.running_heads(words)
        if words := count_words(self._all_text(self._part("comments"))):
            yield office.comments(words)

    def _part(self, kind: str) -> Any:
        """A part by what it is; programs are free to call it something else."""
        return self._xml(self._places.get(kind, f"word/{kind}.xml"))

    def _xml(self, part: str) -> Any:
        data = self._archive.read(part)
        if data is None:
            return None
        root, whole = office.parse_xml(office.plain_names(data), self.budget)
        if not whole:
            raise failures.broken(self._name)
        return root

    def _all_text(self, root: Any) -> str:
        if root is None:
            return ""
        paragraphs = ("".join(t.text or "" for t in p.iter(_TEXT)) for p in root.iter(_PARAGRAPH))
        return " ".join(self.budget.counted(paragraphs))


def _notes(root: Any, kind: str) -> dict[str, Any]:
    """Footnotes or endnotes by their ids; the lines that only separate them are left away."""
    if root is None:
        return {}
    elements = root.iter(f"{W}{kind}")
    return {str(e.get(f"{W}id")): e for e in elements if e.get(f"{W}type") in (None, "normal")}


@dataclass
class _Counts:
    """What tracked changes and hidden text held."""

    insertions: int = 0
    deletions: int = 0
    deleted_words: int = 0
    struck_words: int = 0
    prompt_words: int = 0
    hidden_words: Counter[str] = field(default_factory=Counter)  # by the reason
    embedded: int = 0
    objects: int = 0
    equations: int = 0  # that other programs draw
    pictures: int = 0
    unknown_signs: int = 0


class _Walk:
    """Goes through the body once and collects blocks."""

    def __init__(self, parts: _Parts, *, reads_struck: bool) -> None:
        self.blocks: list[Block] = []
        self.title = ""
        self._parts, self._budget = parts, parts.budget
        self._counts = _Counts()
        self._visibility = Visibility(parts.styles, parts.document)
        self._style_key = ""  # of the paragraph being read
        self._boxes: list[Any] = []  # text boxes and notes of the paragraph being read
        self._footnotes: list[Any] = []
        self._endnotes: list[Any] = []
        self._cited: set[tuple[str, str]] = set()  # kinds and ids of notes that were met
        self._in_note = False
        self._carried = ""  # text whose paragraph mark was deleted, or that is a drop cap
        self._fields = Fields()  # of the paragraph
        self._table_style: str | None = None  # of the table that is read
        self._drawn: list[Block] = []  # charts and diagrams of the paragraph
        self._known_parts: set[str] = set()
        self._reads_struck = reads_struck
        self._numbering = Numbering(parts.numbering)
        self.bold: dict[int, Block] = {}  # paragraphs that are all bold, by their identity

    def read(self, element: Any) -> None:
        """Reads an element that holds paragraphs: one of them, a table, or what wraps them."""
        tag = element.tag
        if tag == _PARAGRAPH:
            self._paragraph(element)
        elif tag == _TABLE:
            self._table(element)
        elif tag == f"{W}altChunk":
            self._counts.embedded += 1
        elif tag not in _DELETED and isinstance(tag, str):
            for inner in self._inside(element):
                self.read(inner)

    def finish(self) -> None:
        """Adds what stands at the end: endnotes."""
        for note in self._endnotes:  # which grows where they cite others
            self._note(note)
            self._add_boxes()

    def left_out(self) -> Iterator[LeftOut]:
        """What the walk passed over."""
        if words := self._counts.deleted_words:
            yield office.deleted_passages(words)
        yield from hidden_text(self._counts.hidden_words)
        if words := self.struck_words:
            yield office.struck_passages(words)
        if words := self._counts.prompt_words:
            yield office.prompts(words)
        if self._counts.embedded:
            yield LeftOut("embedded documents", "they are separate files inside this one")
        if self._counts.objects:
            yield office.objects()
        if self._counts.unknown_signs:
            yield office.unknown_signs(self._counts.unknown_signs)
        if self._counts.pictures:
            yield office.pictures(self._counts.pictures)

    @property
    def is_mostly_struck(self) -> bool:
        """True if struck words were left out, and were most of the document."""
        return office.is_mostly_struck(self.struck_words, self.blocks)

    @property
    def struck_words(self) -> int:
        """How many words were left out as struck through."""
        return self._counts.struck_words

    @property
    def num_equations(self) -> int:
        """Number of formulas that other programs draw."""
        return self._counts.equations

    def notes(self) -> list[str]:
        """What is worth saying about tracked changes."""
        return office.accepted_changes(self._counts.insertions, self._counts.deletions)

    def _paragraph(self, element: Any) -> None:
        properties = children_by_name(_first(element, _PARAGRAPH_LOOK))
        self._visibility.begin_paragraph(element, properties)
        self._style_key = get_value(properties.get(PARAGRAPH_STYLE))
        self._fields = Fields()
        text = self._carried + self._inline(element)
        self._carried = ""
        mark = properties.get(_RUN_LOOK)
        if mark is not None and _first(mark, f"{W}del") is not None:
            self._carried = text
        elif _is_dropped(properties) and _has_paragraph(element):
            self._carried = text.strip("\n")
        elif text.strip():
            before = len(self.blocks)
            self._add(properties, self._style_key, text)
            if _is_bold(element):
                self.bold |= {id(block): block for block in self.blocks[before:]}
        self._add_boxes()

    def _add(self, properties: dict[str, Any], style_id: str, text: str) -> None:
        style = self._parts.styles.of(style_id)
        marker, depth = self._marker(properties, style, style_id)
        kind, level = _kind_and_level(properties, style)
        if kind == Kind.CODE:
            code = clean(joined(with_scripts(remove_marks(text))))
            self._budget.add_text(code)
            self.blocks.append(Block(code, Kind.CODE))
            return
        if kind == Kind.PARAGRAPH and marker is not None:
            kind, level = Kind.LIST_ITEM, min(depth + 1, 6)
        parts = split_at_heads(text) if kind == Kind.PARAGRAPH else [Part(remove_marks(text))]
        for part in parts:
            written = clean(f"{marker or ''} {joined(with_scripts(part.text))}")
            whole = clean(joined(with_scripts(part.whole)))
            for line in office.lines_of(written, kind):
                self._budget.add_text(line)
                if style.is_title and not self.title:
                    self.title = line
                block = Block(line, kind, level, label=part.label, speaker=whole)
                self.blocks.append(office.as_item_if_bulleted(block))
                if part.is_head:
                    self.bold[id(self.blocks[-1])] = self.blocks[-1]

    def _marker(
        self, properties: dict[str, Any], style: Style, style_id: str
    ) -> tuple[str | None, int]:
        """The automatic number of a paragraph (None for none) and its depth in the list."""
        numbers = self._numbering
        numbering = children_by_name(properties.get(f"{W}numPr"))
        own = get_value(numbering.get(f"{W}numId"))
        depth = whole_number(get_value(numbering.get(f"{W}ilvl")))
        key = own or style.numbering
        if depth is not None:
            level = depth
        elif style.list_level is not None and not own:
            level = style.list_level
        else:
            level = numbers.level_of_style(key, style_id)
        return numbers.next_marker(key, level), level

    def _add_boxes(self) -> None:
        boxes, self._boxes = self._boxes, []
        drawn, self._drawn = self._drawn, []
        for block in drawn:
            self._budget.add_text(block.text)
            self.blocks.append(block)
        for box in boxes:
            for element in box:
                self.read(element)
        while self._footnotes and not self._in_note:
            notes, self._footnotes = self._footnotes, []
            for note in notes:
                self._note(note)

    def _note(self, note: Any) -> None:
        self._in_note = True  # notes that it cites follow it
        inner = self._collected(note)
        self._in_note = False
        text = one_line(" ".join(block.text for block in inner))
        self.blocks.append(Block(text, Kind.FOOTNOTE))

    def _collected(self, element: Any) -> list[Block]:
        """The blocks inside an element, without adding them to the document."""
        outer, self.blocks = self.blocks, []
        for inner in element:
            self.read(inner)
        collected, self.blocks = self.blocks, outer
        return collected

    def _table(self, table: Any) -> None:
        outer, self._table_style = self._table_style, value_of(table, f"tblPr/{W}tblStyle")
        rows = [
            [
                [] if self._is_prompting(cell) else self._collected(cell)
                for cell in row.iter(f"{W}tc")
                if _row_of(cell) is row
            ]
            for row in table.iter(f"{W}tr")
            if _table_of(row) is table and not self._is_hidden_row(row)
        ]
        self._table_style = outer
        self.blocks += office.table_blocks(rows)

    def _is_prompting(self, cell: Any) -> bool:
        """True for a cell that only prompts, in a content control of its own."""
        control = cell.getparent().getparent()
        is_controlled = control is not None and control.tag == f"{W}sdt"
        return is_controlled and len(self._content(control)) == 0

    def _is_hidden_row(self, row: Any) -> bool:
        """True for a row that Word does not show; its words are counted."""
        why = why_hidden_row(row)
        if not why:
            return False
        self._counts.hidden_words[why] += count_words(
            " ".join(t.text or "" for t in row.iter(_TEXT))
        )
        return True

    def _inline(self, element: Any) -> str:
        """The text inside a paragraph or one of its parts."""
        texts: list[str] = []
        for inner in element:
            tag = inner.tag
            if tag == _RUN:
                texts.append(self._run(inner))
            elif tag in _DELETED:
                self._counts.deletions += 1
                deleted = inner.iter(f"{W}delText", _TEXT)
                self._counts.deleted_words += count_words("".join(t.text or "" for t in deleted))
            elif tag == f"{MATHS}oMathPara":
                formulas = (set_apart(text_of_omml(each)) for each in find_formulas(inner))
                texts.append("\n\n".join(formulas))
            elif tag == f"{MATHS}oMath":
                texts.append(set_apart(text_of_omml(inner)))
            elif tag == f"{W}fldSimple" and (text := field_text(inner.get(f"{W}instr") or "")):
                texts.append(text)
            elif isinstance(tag, str) and tag != _PARAGRAPH_LOOK:
                self._counts.insertions += tag in _INSERTED
                texts.append(self._inline(self._content(inner)))
        return "".join(texts)

    def _content(self, element: Any) -> Any:
        """The content of a content control, unless it only prompts; other elements as they are."""
        if element.tag != _CONTROL:
            return element
        content = element.find(f"{W}sdtContent")
        if content is None:
            return []
        if is_on(element.find(f"{W}sdtPr/{W}showingPlcHdr")) and _is_prompt(content):
            self._counts.prompt_words += count_words(_plain_text(content))
            return []
        return content

    def _inside(self, element: Any) -> list[Any]:
        """The parts of a wrapper; of alternatives for old and new programs only the first."""
        if element.tag == f"{_CHOICE}AlternateContent":
            chosen = element.find(f"{_CHOICE}Choice")
            chosen = element.find(f"{_CHOICE}Fallback") if chosen is None else chosen
            return [] if chosen is None else list(chosen)
        return list(self._content(element))

    def _run(self, run: Any) -> str:
        elements = list(run)
        look = self._look(elements)
        if why := self._visibility.why_hidden(look):
            self._counts.hidden_words[why] += count_words("".join(t.text or "" for t in elements))
            return ""
        text = "".join([self._run_part(element, look.font) for element in elements])
        if look.is_struck and not self._reads_struck:
            self._counts.struck_words += count_words(text)
            return office.edge_space(text)
        if look.script or look.moved:
            text = self._with_script(run, look, text)
        return mark_bold(text) if look.is_bold else text

    def _look(self, run: Iterable[Any]) -> RunLook:
        properties = _first(run, _RUN_LOOK)
        return self._parts.styles.run_look(properties, self._style_key, self._table_style)

    def _with_script(self, run: Any, look: RunLook, text: str) -> str:
        """The text of a run with marks where it is raised or lowered beside other text."""
        if write := _SCRIPTS.get(look.script):
            return write(text)
        # A whole line may be moved, too, and large first letters are.
        is_beside = look.moved and any(
            before.findtext(_TEXT) and not self._look(before).moved
            for before in islice(run.itersiblings(_RUN, preceding=True), _MOST_PIECES)
        )
        return shifted(text, look.moved) if is_beside else text

    def _run_part(self, element: Any, font: str) -> str:
        tag = element.tag
        if tag == _TEXT:
            text = (element.text or "").replace("\n", " ")
            return self._fields.take(with_signs(text, font) if font else text)
        if tag == _RUN_LOOK:
            return ""
        if tag in _WRITTEN:
            return self._fields.take(_WRITTEN[tag])
        if tag == f"{W}sym":
            return self._fields.take(self._sign(element))
        if tag == f"{W}fldChar":
            return self._field_mark(element)
        if tag == f"{W}instrText":
            self._fields.add_code(element.text or "")
        elif tag == f"{W}footnoteReference":
            self._refer("footnote", element, self._footnotes)
        elif tag == f"{W}endnoteReference":
            self._refer("endnote", element, self._endnotes)
        elif tag == f"{W}ruby":
            return "".join(
                t.text or "" for b in element.iter(f"{W}rubyBase") for t in b.iter(_TEXT)
            )
        elif tag == f"{_CHOICE}AlternateContent":
            return "".join(self._run_part(inner, font) for inner in self._inside(element))
        elif tag in _DRAWINGS:
            return self._drawing(element)
        return ""

    def _field_mark(self, mark: Any) -> str:
        """Handles a field's mark; returns the text that replaces its result, if any."""
        kind = mark.get(f"{W}fldCharType")
        if kind == "begin":
            self._fields.begin(mark)
            return ""
        return self._fields.separate() if kind == "separate" else self._fields.end()

    def _sign(self, element: Any) -> str:
        """A sign by its code and font; one of an unknown font is counted."""
        code = str(element.get(f"{W}char"))
        number = int(code, 16) if _HEX.fullmatch(code) else 0
        if not 0x20 <= number < 0xFFFE or 0xD800 <= number < 0xE000:
            return ""
        font = str(element.get(f"{W}font") or "")
        text = with_signs(chr(number), font)
        if "\ue000" <= text <= "\uf8ff":
            self._counts.unknown_signs += 1
            return ""
        return text

    def _drawing(self, element: Any) -> str:
        """Takes what a drawing holds for after the paragraph; returns a formula's place."""
        self._boxes += _find_own(element, f"{W}txbxContent")
        program = _find_program(element)
        if program is not None:
            if is_equation(program):
                self._counts.equations += 1
                return self._fields.take(set_apart(OMITTED))
            self._counts.objects += 1
            return ""
        if references := _find_own(element, *DRAWN):
            targets = (
                {} if self._in_note else self._parts.related
            )  # notes have relations of their own
            found = drawn_blocks(references, targets, self._drawn_part, self._known_parts)
            self._drawn += found
            self._counts.objects += not found
        letters = (str(each.get("string") or "") for each in _find_own(element, "{*}textpath"))
        self._drawn += [Block(line, Kind.CAPTION) for text in letters if (line := one_line(text))]
        self._counts.pictures += len(_find_own(element, *_PICTURES))
        return ""

    def _drawn_part(self, name: str) -> Any:
        """The root of a chart or diagram, without what is struck through."""
        root = self._parts.drawn(name)
        if root is not None and not self._reads_struck:
            self._counts.struck_words += take_out_struck(root)
        return root

    def _refer(self, kind: str, element: Any, to: list[Any]) -> None:
        key = str(element.get(f"{W}id"))
        note = self._parts.notes[kind].get(key)
        if note is not None and (kind, key) not in self._cited:
            self._cited.add((kind, key))
            to.append(note)


def _first(elements: Iterable[Any], tag: str) -> Any:
    """The first of some elements with a name; None without one."""
    for element in elements:
        if element.tag == tag:
            return element
    return None


def _kind_and_level(properties: dict[str, Any], style: Style) -> tuple[Kind, int]:
    outline = get_value(properties.get(f"{W}outlineLvl"))
    if style.kind == Kind.PARAGRAPH and outline in tuple("012345678"):
        return Kind.HEADING, min(int(outline) + 1, 6)
    return style.kind, style.level


def _is_bold(paragraph: Any) -> bool:
    """Whether all of a paragraph's own text is bold."""
    has_text = False
    for run in paragraph.iter(_RUN):
        if run.findtext(_TEXT, "").strip():
            has_text = True
            look = _first(run, _RUN_LOOK)
            if look is None or not is_on(_first(look, _BOLD)):
                return False
    return has_text


def _find_own(element: Any, *tags: str) -> list[Any]:
    """Elements in a drawing that are in no text box of it, nor in its half for old programs."""
    return [inner for inner in element.iter(*tags) if not _is_nested(inner, element)]


def _is_nested(box: Any, within: Any) -> bool:
    """Whether a text box lies inside another, or in the half for old programs."""
    for parent in box.iterancestors():
        if parent is within:
            return False
        if parent.tag in (f"{W}txbxContent", f"{_CHOICE}Fallback"):
            return True
    return False


def _has_paragraph(drop_cap: Any) -> bool:
    """True for a drop cap in front of a paragraph that it may be the first letter of."""
    after = next(drop_cap.itersiblings(_PARAGRAPH, _TABLE), None)
    if after is None or after.tag != _PARAGRAPH:
        return False
    return not _is_dropped(children_by_name(_first(after, _PARAGRAPH_LOOK)))


def _is_dropped(properties: dict[str, Any]) -> bool:
    """True for a large first letter in a frame of its own."""
    frame = properties.get(f"{W}framePr")
    return frame is not None and frame.get(f"{W}dropCap") in ("drop", "margin")


def _is_prompt(content: Any) -> bool:
    """True for a single short paragraph, as the prompt of a form's field is."""
    paragraphs = sum(1 for _ in islice(content.iter(_PARAGRAPH, _TABLE), 2))
    texts = list(islice(content.iter(_TEXT), _MOST_PIECES + 1))
    length = sum(len(text.text or "") for text in texts)
    return paragraphs < 2 and len(texts) <= _MOST_PIECES and length <= _LONGEST_PROMPT


def _plain_text(element: Any) -> str:
    return "".join(t.text or "" for t in element.iter(_TEXT))


def _find_program(element: Any) -> str | None:
    """The name of the program whose object an element shows; None for other elements."""
    for inner in _find_own(element, "{*}OLEObject", f"{W}objectEmbed", f"{W}objectLink"):
        return str(inner.get("ProgID") or inner.get(f"{W}progId") or "")
    return "" if _find_own(element, f"{W}control") else None


def _row_of(cell: Any) -> Any:
    return next((parent for parent in cell.iterancestors(f"{W}tr")), None)


def _table_of(row: Any) -> Any:
    return next((parent for parent in row.iterancestors(_TABLE)), None)
