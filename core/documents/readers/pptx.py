"""PowerPoint presentations (.pptx): slide by slide, with charts, diagrams and speaker notes."""

import posixpath
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from core.documents.document import Block, Document, Kind, LeftOut, Source, count_words
from core.documents.kinds import refine_kinds
from core.documents.readers import office
from core.documents.readers.archives import Archive
from core.documents.readers.formulas import OMITTED, without_omitted
from core.documents.readers.hidden import Colour
from core.documents.readers.office_objects import DRAWN, drawn_blocks, is_equation, table_rows
from core.documents.readers.pptx_hidden import Surface, read_scheme, surface
from core.documents.readers.pptx_shapes import (
    FURNITURE,
    TITLES,
    Model,
    P,
    Shape,
    in_reading_order,
    shapes_of,
)
from core.documents.readers.pptx_slides import (
    NOTES,
    is_notes_mark,
    itemised,
    with_titles,
    without_empty_notes,
)
from core.documents.readers.pptx_text import A, blocks_of_body, paragraphs_of, take_out_struck
from core.events import Progress, Steps
from core.stop import StopToken

_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_DC_TITLE = "{http://purl.org/dc/elements/1.1/}title"
_PRESENTATION = re.compile(r"ppt/presentation\d*\.xml")
_SLIDE = re.compile(r"ppt/slides/slide(\d{1,8})\.xml")
_COMMENTS = re.compile(r"ppt/comments/.*\.xml")
_LONGEST_LABEL = 3  # words
_FEWEST_REPEATS = 5  # slides
_LONGEST_REPEATED = 20  # words
_USUAL_SIZE, _MOST_DIGITS = (12_192_000, 6_858_000), 12


def read_pptx(archive: Archive, source: Source, stop: StopToken) -> Steps[Document]:
    """Reads a PowerPoint presentation.

    Args:
        archive: Its parts.
        source: Where they came from; its name stands for a title the presentation does not have.
        stop: The wish to end early.

    Yields:
        How many slides are done.

    Returns:
        The document: a page for each slide, its title a heading, speaker notes after it.

    Raises:
        EpitomeError: If the file is damaged, locked, or unpacks to too much.
    """
    yield Progress(0, 0, "slides", "Reading")
    package = _Package(archive)
    slides, notes = package.slides(), []
    reader = yield from _read_through(package, slides, stop)
    if office.is_mostly_struck(reader.struck_words, reader.blocks):  # which means something else
        notes = [office.struck_but_kept(reader.struck_words)]
        reader = yield from _read_through(package, slides, stop, reads_struck=True)
    reader.take_out_repeated()
    blocks, omitted = without_omitted(reader.blocks, reader.num_equations)
    return Document.from_blocks(
        refine_kinds(blocks),
        title=reader.title or package.title or source.name,
        source=source,
        num_pages=len(slides),
        left_out=[*omitted, *reader.left_out()],
        notes=[*package.notes, *notes, *reader.notes()],
    )


def _read_through(
    package: "_Package", slides: list[str], stop: StopToken, *, reads_struck: bool = False
) -> Steps["_Reader"]:
    reader = _Reader(package, reads_struck=reads_struck)
    for number, part in enumerate(slides, 1):
        stop.raise_if_set()
        yield Progress(number - 1, len(slides), "slides", "Reading")
        reader.read(part, number)
    return reader


class _Package:
    """The parts of the file, and how they refer to each other."""

    def __init__(self, archive: Archive) -> None:
        self.archive, self.budget = archive, archive.budget
        self.notes: list[str] = []
        self._main = next(filter(_PRESENTATION.fullmatch, archive.names), "")
        self._root, _ = self.part(self._main)
        self._models: dict[str, Model] = {}
        self._schemes: dict[str, dict[str, Colour]] = {}
        self._related: dict[str, dict[str, tuple[str, str]]] = {}

    @property
    def title(self) -> str:
        """The title among the file's properties, unless a program put it there."""
        core, _ = self.part("docProps/core.xml")
        return office.own_title(core.findtext(_DC_TITLE) or "") if core is not None else ""

    @property
    def slide_size(self) -> tuple[int, int]:
        """Width and height of the slides in PowerPoint's units."""
        size = None if self._root is None else self._root.find(f"{P}sldSz")
        sides = [str(size.get(name)) for name in ("cx", "cy")] if size is not None else []
        if not all(
            side.isascii() and side.isdecimal() and len(side) <= _MOST_DIGITS for side in sides
        ):
            return _USUAL_SIZE
        return (int(sides[0]), int(sides[1])) if sides else _USUAL_SIZE

    def scheme(self, master: Model, part: str) -> dict[str, Colour]:
        """The colours that a master's theme gives slides, by their names.

        Args:
            master: The master.
            part: The name of its part.

        Returns:
            The colours; empty where one is not known.
        """
        if part not in self._schemes:
            related = self.related(part).values()
            theme = next((name for kind, name in related if kind == "theme"), "")
            self._schemes[part] = read_scheme(self.root(theme), master.root)
        return self._schemes[part]

    def slides(self) -> list[str]:
        """The names of the slides' parts in the order they are shown."""
        targets = self.related(self._main)
        ids = () if self._root is None else self._root.iter(f"{P}sldId")
        parts = [targets[key][1] for e in ids if (key := e.get(f"{_R}id")) in targets]
        if not parts:
            found = [match for name in self.archive.names if (match := _SLIDE.fullmatch(name))]
            parts = [match[0] for match in sorted(found, key=lambda match: int(match[1]))]
            said = "The order of the slides is damaged; they were read by number."
            self.notes += [said] if parts else []
        return list(dict.fromkeys(parts))

    def part(self, name: str) -> tuple[Any, bool]:
        """The root of a part, None if it is missing or damaged; and whether it is whole."""
        data = self.archive.find(name) if name else None
        return office.parse_xml(office.plain_names(data), self.budget) if data else (None, False)

    def root(self, name: str) -> Any:
        """The root of a part; None if it is missing or damaged."""
        return self.part(name)[0]

    def related(self, part: str) -> dict[str, tuple[str, str]]:
        """What a part refers to inside the file: by its id the kind and the part's name."""
        if part not in self._related:
            self._related[part] = self._read_related(part)
        return self._related[part]

    def _read_related(self, part: str) -> dict[str, tuple[str, str]]:
        folder, name = posixpath.split(part)
        root, _ = self.part(f"{folder}/_rels/{name}.rels")
        return office.related_parts(root, folder)

    def model(self, part: str, kind: str) -> tuple[Model, str]:
        """The layout or master that a part follows, and its part's name."""
        name = next((name for k, name in self.related(part).values() if k == kind), "")
        if name not in self._models:
            self._models[name] = Model(self.part(name)[0])
        return self._models[name], name

    def standing_texts(self) -> set[str]:
        """What layouts and masters print on each slide: names of firms, notices."""
        shapes = (
            shape
            for model in self._models.values()
            if model.root is not None
            for shape in model.root.iter(f"{P}sp")
        )
        return {paragraphs_of(s) for s in shapes if next(s.iter(f"{P}ph"), None) is None}


class _Reader:
    """Reads one slide after the other and collects blocks."""

    def __init__(self, package: _Package, *, reads_struck: bool) -> None:
        self._reads_struck = reads_struck
        self.blocks: list[Block] = []
        self.title = ""
        self.num_equations = 0  # that other programs draw
        self._package = package
        self._words: Counter[str] = Counter()  # of what was passed over
        self._pages: dict[str, list[int]] = {}  # where it was passed over
        self._pictures = self._slides_read = 0
        self._surface: Surface | None = None  # of the slide; notes have none
        self._hidden: Counter[str] = Counter()  # words by the reason
        self._hidden_pages: dict[str, list[int]] = {}
        self._seen: set[str] = set()  # parts that a slide may name often: charts, diagrams, notes

    def read(self, part: str, number: int) -> None:
        """Reads a slide."""
        root, whole = self._package.part(part)
        tree = None if root is None else root.find(f"{P}cSld/{P}spTree")
        if tree is None:
            self._note("missing", number)
            return
        if not whole:
            self._note("damaged", number)
        targets = self._package.related(part)
        if root.get("show") in ("0", "false"):
            self._note("hidden slides", number, paragraphs_of(tree))
            return
        self._slides_read += 1
        self._take_out_struck(tree, number)
        layout, layout_part = self._package.model(part, "slideLayout")
        master, master_part = self._package.model(layout_part, "slideMaster")
        scheme, size = self._package.scheme(master, master_part), self._package.slide_size
        self._surface = surface(root, layout, master, scheme, size)
        pictures = self._pictures
        blocks = self._blocks(tree, layout, master, targets, number)
        blocks = self._without_number(blocks, number)
        self._surface = None
        notes = self._speaker_notes(targets, number)
        if not blocks and self._pictures > pictures:
            self._note("pictures only", number)
        elif not blocks and number not in self._pages.get("objects", ()):
            self._note("empty", number)
        for block in (*blocks, *notes):
            self._package.budget.add_text(block.text)
            self.blocks.append(replace(block, page=number))

    def take_out_repeated(self) -> None:
        """Takes out short texts that stand on most slides: firms write them there themselves.

        What is the title of a slide is told afterwards.
        """
        plain = [b for b in self.blocks if b.kind != Kind.HEADING and not is_notes_mark(b)]
        pages = {(block.text, block.page) for block in plain}
        slides = Counter(text for text, _ in pages)
        least = max(_FEWEST_REPEATS, self._slides_read / 2)
        repeated = {
            text
            for text, count in slides.items()
            if count >= least and count_words(text) <= _LONGEST_REPEATED
        }
        out = [block for block in plain if block.text in repeated]
        self._words["furniture"] += sum(count_words(block.text) for block in out)
        kept = [b for b in self.blocks if b.kind == Kind.HEADING or b.text not in repeated]
        self.blocks = with_titles(without_empty_notes(kept))
        if self.blocks and (self.blocks[0].kind, self.blocks[0].page) == (Kind.HEADING, 1):
            self.title = self.blocks[0].text

    def left_out(self) -> Iterator[LeftOut]:
        """What was passed over."""
        for key, (what, why, missed) in _REASONS.items():
            if key in self._pages:
                pages = tuple(dict.fromkeys(self._pages[key]))
                yield LeftOut(what, why, self._words[key], pages, missed)
        if words := self.struck_words:
            yield office.struck_passages(words, tuple(dict.fromkeys(self._pages["struck"])))
        for why, words in self._hidden.items():
            pages = tuple(dict.fromkeys(self._hidden_pages[why]))
            yield LeftOut("hidden text", why, words, pages, missed=False)
        texts = self._package.standing_texts()
        words = self._words["furniture"] + sum(map(count_words, texts))
        if words:
            yield office.running_heads(words)
        if words := self._comment_words():
            yield office.comments(words)
        if self._pictures:
            yield office.pictures(self._pictures, tuple(dict.fromkeys(self._pages["pictures"])))

    @property
    def struck_words(self) -> int:
        """How many words were left out as struck through."""
        return self._words["struck"]

    def notes(self) -> list[str]:
        """What is worth saying about speaker notes."""
        slides = sum(map(is_notes_mark, self.blocks))
        one = "1 slide has" if slides == 1 else f"{slides} slides have"
        return [f"{one} speaker notes; they were read after the slide."] if slides else []

    def _note(self, key: str, number: int, text: str = "") -> None:
        self._pages.setdefault(key, []).append(number)
        self._words[key] += count_words(text)

    def _comment_words(self) -> int:
        parts = filter(_COMMENTS.fullmatch, self._package.archive.names)
        roots = (self._package.part(name)[0] for name in parts)
        texts = (e.text or "" for r in roots if r is not None for e in r.iter("{*}text", f"{A}t"))
        return sum(map(count_words, texts))

    def _speaker_notes(self, targets: dict[str, tuple[str, str]], number: int) -> list[Block]:
        part = next((name for kind, name in targets.values() if kind == "notesSlide"), "")
        root, _ = self._package.part(part) if part not in self._seen else (None, False)
        self._seen.add(part)
        tree = None if root is None else root.find(f"{P}cSld/{P}spTree")
        if tree is None:
            return []
        self._take_out_struck(tree, number)
        blocks = self._blocks(tree, Model(), Model(), self._package.related(part), number)
        return [Block(NOTES, Kind.CAPTION), *blocks] if blocks else []

    def _take_out_struck(self, tree: Any, number: int) -> None:
        if not self._reads_struck and (words := take_out_struck(tree)):
            self._words["struck"] += words
            self._pages.setdefault("struck", []).append(number)

    def _without_number(self, blocks: list[Block], number: int) -> list[Block]:
        """The blocks of a slide without its number, where that was typed into a box."""
        kept = [block for block in blocks if block.text != str(number)]
        self._words["furniture"] += len(blocks) - len(kept)
        return kept

    def _blocks(
        self,
        tree: Any,
        layout: Model,
        master: Model,
        targets: dict[str, tuple[str, str]],
        number: int,
    ) -> list[Block]:
        """The blocks of a slide, a group or a page of notes."""
        placed = list(shapes_of(tree, layout, master))
        blocks: list[Block] = []
        for shape in in_reading_order(placed, self._package.slide_size[0]):
            is_hidden = _is_hidden(shape.element)
            if self._surface is not None and not is_hidden:
                self._take_out_unseen(shape, placed, number)
            if shape.place in FURNITURE:
                self._words["furniture"] += count_words(paragraphs_of(shape.element))
            elif is_hidden:
                self._note("hidden text", number, paragraphs_of(shape.element))
            elif shape.element.tag == f"{P}grpSp":
                blocks += self._blocks(shape.element, layout, master, targets, number)
            elif shape.element.tag == f"{P}graphicFrame":
                blocks += self._framed(shape.element, targets, number)
            else:
                blocks += self._shape(shape, number)
        return blocks

    def _take_out_unseen(self, shape: Shape, placed: list[Shape], number: int) -> None:
        """Takes out and counts the text of a shape that is not seen on the slide."""
        is_on_slide = shape.element.getparent().tag != f"{P}grpSp"
        if self._surface is None or not is_on_slide:
            return
        for why, words in self._surface.remove_unseen(shape, placed).items():
            if words:
                self._hidden[why] += words
                self._hidden_pages.setdefault(why, []).append(number)

    def _shape(self, shape: Shape, number: int) -> list[Block]:
        body = shape.element.find(f"{P}txBody")
        if shape.place in TITLES:
            text = "" if body is None else paragraphs_of(body).strip()
            return (
                [Block(text, Kind.HEADING, 1 if shape.place == "ctrTitle" else 2)] if text else []
            )
        if body is None or next(shape.element.iter(f"{A}blip"), None) is not None:
            self._picture(shape.element, number)
        blocks = [] if body is None else list(blocks_of_body(body, shape.styles))
        if not shape.place and all(map(_is_label, blocks)):
            return [replace(block, kind=Kind.CAPTION) for block in blocks]
        return itemised(blocks)

    def _picture(self, element: Any, number: int) -> None:
        if element.tag != f"{P}sp" or next(element.iter(f"{A}blip"), None) is not None:
            self._pictures += 1
            self._note("pictures", number)

    def _framed(self, frame: Any, targets: dict[str, tuple[str, str]], number: int) -> list[Block]:
        """A table, chart or diagram; objects of other programs are passed over."""
        tables = list(frame.iter(f"{A}tbl"))
        if tables:
            return [block for table in tables for block in office.table_blocks(table_rows(table))]
        program = next(frame.iter(f"{P}oleObj"), None)
        if program is not None and is_equation(str(program.get("progId"))):
            self.num_equations += 1
            return [Block(OMITTED)]

        def read_part(name: str) -> Any:
            root = self._package.root(name)
            if root is not None:
                self._take_out_struck(root, number)
            return root

        blocks = drawn_blocks(frame.iter(*DRAWN), targets, read_part, self._seen)
        if not blocks:
            self._note("objects", number)
        return blocks


# By what the reader calls it: what to call it, why it is left out, whether it may be missed.
_REASONS = {
    "missing": ("slides", "their parts are missing or damaged", True),
    "damaged": ("text after a damaged place", "the markup is broken there", True),
    "pictures only": (
        "slides without text",
        "they are pictures, and text in pictures is not read",
        True,
    ),
    "objects": ("embedded objects", "they are files of other programs", True),
    "hidden slides": ("hidden slides", "the presentation does not show them", False),
    "hidden text": ("hidden text", "the presentation does not show it", False),
    "empty": ("empty slides", "they are blank", False),
}


def _is_label(block: Block) -> bool:
    """Whether a block has so few words that in a box of its own it labels a drawing."""
    short = count_words(block.text) <= _LONGEST_LABEL and block.text[-1] not in ".!?"
    return short and block.kind == Kind.PARAGRAPH


def _is_hidden(element: Any) -> bool:
    properties = next(element.iter(f"{P}cNvPr"), None)
    return properties is not None and properties.get("hidden") in ("1", "true")
