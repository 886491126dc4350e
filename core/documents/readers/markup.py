"""Blocks from a tree of HTML elements: the one way from markup to paragraphs.

It serves whole pages, clipboard fragments, what the main-text extractor leaves of a page (which
names some elements in its own way), and Markdown once that is HTML.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from lxml import etree

from core.documents.budget import Budget
from core.documents.document import RUNNING_TEXT, Block, Kind, count_words
from core.documents.readers import boxes, office
from core.documents.readers.bold_lines import BOLD, BOLD_END, split_bold_lines, without_bold
from core.documents.readers.cleaning import (
    clean,
    find_items,
    one_line,
    paragraph_lines,
    trimmed_lines,
    without_bullet,
)
from core.documents.readers.formulas import (
    joined,
    set_apart,
    text_of_mathml,
    text_of_tex,
    with_formulas,
)
from core.documents.readers.numerals import FORMS_BY_SIGN, numeral
from core.documents.readers.page_styles import STRUCK_THROUGH
from core.documents.readers.prose_tables import MOST_WORDS_CELL
from core.documents.readers.quotations import write_quotation_marks
from core.documents.readers.scripts import lowered, raised, with_scripts
from core.documents.readers.word_lists import make_lists

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_EXTRACTOR_NAMES = {
    "list": "ul",
    "item": "li",
    "quote": "blockquote",
    "lb": "br",
    "row": "tr",
    "cell": "td",
}
_SKIPPED = frozenset(
    (
        *("script", "style", "noscript", "template", "head", "title", "meta", "link", "svg"),
        *("canvas", "iframe", "object", "embed", "button", "select", "option", "input"),
        *("textarea", "audio", "video", "map", "area", "datalist", "progress", "meter"),
    )
)
_BLOCKS = frozenset(
    (
        *("address", "article", "aside", "blockquote", "body", "caption", "center", "dd"),
        *("details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure"),
        *("footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr"),
        *("html", "legend", "li", "main", "menu", "nav", "ol", "p", "pre", "section"),
        *("summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul"),
    )
)
_TITLED = (*_HEADINGS, "summary", "dt")
_LISTS = ("ul", "ol", "dl", "menu", "dir")
_DISPLAY = re.compile(r"(?<![\w-])display\s*:\s*([\w-]+)", re.IGNORECASE)
_BOLD_STYLE = re.compile(r"font-weight\s*:\s*(?:bold|[6-9]00)", re.IGNORECASE)
_DISPLAY_STYLE = re.compile(r"\{\\displaystyle\s*(.*)\}$", re.DOTALL)
# What programs draw for a formula whose source stands beside it.
_DRAWN_FORMULA = re.compile(r"(?:^|\s)(?:katex-html|MathJax(?:_\w+)?)(?:\s|$)")
_CAPTION_CLASS = re.compile(r"(?:^|[\s_-])(?:thumb|wp-)?caption(?:$|[\s_-])", re.IGNORECASE)
_TAG = re.compile(r"<!--|-->|<(?P<name>/?[a-zA-Z][a-zA-Z0-9]*)[^<>]*>?")
_XML_DECLARATIONS = re.compile(r"\A(?:\s*<\?xml\b[^>]*>?)+", re.IGNORECASE)
_UNSEEN = re.compile(  # places where a word may be parted
    r"&(?:shy|ZeroWidthSpace|NoBreak|#0*(?:173|8203|8288)|#[xX]0*(?:[aA][dD]|200[bB]|2060));"
)
_UNREAD = ("script", "style", "head", "template", "noscript", "title")

_RAW_TEXT = re.compile(r"<(?:!--|(?P<name>script|style|noscript)\b[^<>]*>)", re.IGNORECASE)
_RAW_TEXT_END = {
    name: re.compile("-->" if name == "--" else rf"</{name}\s*>", re.IGNORECASE)
    for name in ("--", "script", "style", "noscript")
}
_XHTML_PREFIX = re.compile(
    r"<[^<>]{0,500}\sxmlns:(\w{1,20})=[\"']http://www\.w3\.org/1999/xhtml[\"']"
)
_XHTML_WITHIN = 4_096  # characters
_TAGS = re.compile(  # of comments and scripts only where they end
    r"<!--[^-]*+(?:-(?!->)[^-]*+)*+|<(?i:script|style)\b[^<]*+(?:<(?!/)[^<]*+)*+"
    r"|<[a-zA-Z](?:[^\"'>]++|\"[^\"]*+\"?|'[^']*+'?)*+"
)
_QUOTED = re.compile(r"\"[^\"]*\"?|'[^']*'?")
_MOST_ATTRIBUTES = 5_000  # of a tag; the time that libxml2 takes grows with their square
_LONG_TAG = 2 * _MOST_ATTRIBUTES  # characters

MOST_TAGS = 500_000
"""Of a page; a tree of more takes minutes and gigabytes."""

FLATTENED = (
    "The markup is nested too deeply, or has too many parts; its text was read without its "
    "headings, lists and tables."
)
"""The note for a page of which `parse_html` made no whole tree."""
_DELETED = ("del", "s", "strike")
_HAS_DELETIONS = f"boolean(.//del | .//s | .//strike | descendant-or-self::*[@{STRUCK_THROUGH}])"
_MOST_DELETED = 0.5  # share of a page; beyond it the mark means something else


@dataclass
class _Context:
    """The kind of block that the text of an element becomes."""

    kind: Kind = Kind.PARAGRAPH
    level: int = 0
    marker: str = ""  # the printed number of a list item, until its text comes
    count: int = 0  # of items, for an ordered list
    is_list: bool = False
    ordered: bool = False
    form: str = ""  # of an ordered list's numbers
    running_as: Kind | None = None  # what running text inside is, whatever its elements say
    element: Any = None


class Placed(NamedTuple):
    """A block on its page.

    Args:
        block: The block.
        place: The block element or the table that its text is in.
        is_bold: True for a paragraph, or a line of one, that is all bold.
    """

    block: Block
    place: Any
    is_bold: bool = False


@dataclass
class _Walk:
    kind_of: Callable[[Any], Kind | None]
    budget: Budget
    stack: list[_Context]
    blocks: list[Placed] = field(default_factory=list)
    pending: list[str] = field(default_factory=list)
    num_bold: int = 0  # elements of bold text that are open

    def flush(self) -> None:
        """Ends the paragraph that is being collected."""
        text, kind = "".join(self.pending), self.stack[-1].kind
        self.pending = [BOLD] if self.num_bold else []
        if not text or text.isspace():
            return
        if kind == Kind.CODE:
            if code := trimmed_lines(joined(with_scripts(without_bold(text)))):
                self.put(Block(code, Kind.CODE))
        elif kind != Kind.PARAGRAPH:
            self._put_lines(without_bold(text))
        else:
            for part, is_bold in split_bold_lines(text):
                self._put_lines(part, is_bold=is_bold)

    def add_bold(self, change: int) -> None:
        """Begins or ends an element of bold text."""
        self.num_bold += change
        if self.num_bold == max(change, 0):  # not within another
            self.pending.append(BOLD if self.num_bold else BOLD_END)

    def _put_lines(self, text: str, *, is_bold: bool = False) -> None:
        """Adds the paragraphs of text with line breaks, and the items of lists in it."""
        text = with_formulas(joined(with_scripts(text)))
        kind, level = self.stack[-1].kind, self.stack[-1].level
        lines = [one_line(text)] if kind == Kind.HEADING else paragraph_lines(text)
        may_list = len(lines) > 1 and kind in (Kind.PARAGRAPH, Kind.LIST_ITEM)
        items = find_items(lines) if may_list else ()
        for index, line in enumerate(lines):
            if index in items:
                self.put(Block(without_bullet(line), Kind.LIST_ITEM, level + 1))
            else:
                self._put_line(line, is_bold=is_bold)

    def _put_line(self, line: str, *, is_bold: bool = False) -> None:
        context = self.stack[-1]
        if line:
            self.put(Block(context.marker + line, context.kind, context.level), is_bold=is_bold)
            context.marker = ""

    def put(self, block: Block, place: Any = None, *, is_bold: bool = False) -> None:
        """Adds a paragraph, and counts it."""
        self.budget.add_text(block.text)
        place = self.stack[-1].element if place is None else place
        self.blocks.append(Placed(block, place, is_bold))


def blocks_of(
    root: Any,
    kind_of: Callable[[Any], Kind | None] = lambda _: None,
    budget: Budget | None = None,
) -> list[Block]:
    """The paragraphs, headings, list items, quotations, code and tables below an element.

    Args:
        root: An lxml element: a page's body, a fragment, or the extractor's main text.
        kind_of: What all running text inside an element is (footnotes, boilerplate), where its
            purpose says so; None where it does not.
        budget: Counts the paragraphs while they are made; None where they cannot be too many.

    Returns:
        Blocks in document order; pictures, scripts, forms and hidden parts are left out.
        Ordered list items keep their number; tables keep a line a row, cells set apart by tabs.

    Raises:
        EpitomeError: If there are more than the budget allows.
    """
    return with_bold_headings(placed_blocks(root, kind_of, budget))


def placed_blocks(
    root: Any,
    kind_of: Callable[[Any], Kind | None] = lambda _: None,
    budget: Budget | None = None,
) -> list[Placed]:
    """The blocks of `blocks_of` in their places, before bold lines among them become headings."""
    walk = _Walk(kind_of, budget or Budget(""), [_Context(element=root)])
    walker = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
    unopened = None
    for event, element in walker:
        if event in ("comment", "pi"):
            _add(walk, element.tail)
        elif event == "start":
            if not _start(walk, element):
                walker.skip_subtree()
                unopened = element
        else:
            if element is not unopened:
                _end(walk, element)
            if element is not root:
                _add(walk, element.tail)
    walk.flush()
    return walk.blocks


def with_bold_headings(placed: Sequence[Placed]) -> list[Block]:
    """The blocks; where no elements make headings, short bold lines above running text are some.

    Args:
        placed: All blocks of a page, or of its main text.

    Returns:
        As many blocks with the same texts.
    """
    times = Counter(each.block.text for each in placed if each.is_bold)
    bold = [
        index
        for index, (each, below) in enumerate(pairwise(placed))
        if each.is_bold
        and times[each.block.text] == 1  # no speaker
        and not below.is_bold
        and below.block.kind in (*RUNNING_TEXT, Kind.TABLE)
    ]
    return office.with_bold_headings([each.block for each in placed], bold)


def drop_deletions(body: Any) -> int:
    """Takes out what a page marks as deleted or strikes through, unless that is most of it.

    Args:
        body: The page's body, after `page_styles.apply_styles`.

    Returns:
        How many words were taken out.
    """
    marked = list(_find_deletions(body))
    texts = ["".join(element.itertext()) for element in marked]
    if not marked or sum(map(len, texts)) >= _MOST_DELETED * len("".join(body.itertext())):
        return 0
    for element in marked:  # emptied, so that cells and items keep their places
        element[:] = []
        element.text = None
    return sum(map(count_words, texts))


def _find_deletions(body: Any) -> Iterator[Any]:
    """The outermost elements that are marked as deleted or struck through."""
    if not body.xpath(_HAS_DELETIONS):
        return
    walker = etree.iterwalk(body, events=("start",))
    for _, element in walker:
        if element.tag in _DELETED or STRUCK_THROUGH in element.attrib:
            walker.skip_subtree()
            yield element


def _name(element: Any) -> str:
    tag = element.tag
    name = _usual_name(tag) if isinstance(tag, str) else ""
    if name == "head" and element.get("rend"):
        return str(element.get("rend"))
    if name == "code" and (element.get("rend") == "block" or element.find("lb") is not None):
        return "pre"
    return name


@lru_cache(1_000)
def _usual_name(tag: str) -> str:
    """The name of an element in HTML, without its namespace."""
    name = tag.rsplit("}", 1)[-1].lower()
    return _EXTRACTOR_NAMES.get(name, name)


def _add(walk: _Walk, text: str | None) -> None:
    if text:
        in_code = walk.stack[-1].kind == Kind.CODE
        walk.pending.append(text if in_code else text.replace("\n", " ").replace("\r", " "))


def _start(walk: _Walk, element: Any) -> bool:
    """Begins an element; False if what is inside is not to be read."""
    name = _name(element)
    if name == "br":
        walk.pending.append("\n")
    elif _is_bold(name, element):
        walk.add_bold(1)
    elif name == "script" and _is_tex(element):
        walk.pending.append(text_of_tex("".join(element.itertext())))
    elif name == "input" and _is_task_box(element):
        ticked = element.get("checked") is not None
        walk.pending.append(f"{boxes.TICKED if ticked else boxes.OPEN} ")
    elif name in _WRITTEN and not _is_hidden(element):
        walk.pending.append(_WRITTEN[name](element))
    is_skipped = name in _SKIPPED and not (name == "button" and _is_title(element))
    if is_skipped or name in _WRITTEN or _is_hidden(element):
        return False
    table = _Table.of(element) if name == "table" else None
    if table is not None and not table.is_layout:
        walk.flush()
        for block in table.blocks():
            walk.put(block, element)
        return False
    if name in _BLOCKS:
        walk.flush()
        outer = walk.stack[-1]
        context = _context(name, element, walk.stack)
        context.element = element
        context.running_as = walk.kind_of(element) or outer.running_as
        if context.running_as is not None and context.kind in RUNNING_TEXT:
            context.kind, context.level = context.running_as, 0
        walk.stack.append(context)
    _add(walk, element.text)
    return True


def _end(walk: _Walk, element: Any) -> None:
    """Ends an element that `_start` began."""
    name = _name(element)
    if name in _BLOCKS:
        walk.flush()
        walk.stack.pop()
    elif _is_bold(name, element):
        walk.add_bold(-1)


def _is_bold(name: str, element: Any) -> bool:
    """True for an element of bold text, as pages or the extractor write it."""
    if name in ("b", "strong"):
        return True
    if name == "hi":
        return "#b" in (element.get("rend") or "")
    return name in ("span", "font") and bool(_BOLD_STYLE.search(element.get("style") or ""))


def _context(name: str, element: Any, stack: list[_Context]) -> _Context:
    outer = stack[-1]
    if name in _HEADINGS:
        return _Context(Kind.HEADING, _HEADINGS[name])
    if name == "pre":
        return _Context(Kind.CODE)
    if name in ("caption", "figcaption") or _CAPTION_CLASS.search(element.get("class") or ""):
        return _Context(Kind.CAPTION)
    if name in _LISTS:
        first = str(element.get("start") or "1")
        start = int(first) if first.isascii() and first.isdecimal() and len(first) < 8 else 1
        ordered = name == "ol" or element.get("rend") == "ol"
        form = FORMS_BY_SIGN.get(element.get("type") or "", "")
        return _Context(outer.kind, outer.level, "", start - 1, True, ordered, form)
    if name == "li":
        return _item(element, outer, stack)
    if name == "blockquote":
        return _Context(Kind.QUOTE)
    if name in ("td", "th", "tr", "tbody", "thead", "tfoot", "table"):
        return _Context()
    marker, outer.marker = outer.marker, ""
    return _Context(outer.kind, outer.level, marker)


def _item(element: Any, outer: _Context, stack: list[_Context]) -> _Context:
    depth = max(1, sum(context.is_list for context in stack))
    marker = ""
    if outer.is_list and outer.ordered:
        own = element.get("value") or ""
        is_number = own.isascii() and own.isdecimal() and len(own) < 8
        outer.count = int(own) if is_number else outer.count + 1
        marker = f"{numeral(outer.count, outer.form)}. "
    return _Context(Kind.LIST_ITEM, min(depth, 6), marker)


def _is_hidden(element: Any) -> bool:
    style, classes = element.get("style"), element.get("class")
    if classes and _DRAWN_FORMULA.search(classes) and _has_source(element):
        return True
    displays = _DISPLAY.findall(style) if style else []
    return element.get("hidden") is not None or (displays[-1:] or [""])[0].lower() == "none"


def _formula(element: Any) -> str:
    """A formula as text, from its markup or from TeX that a picture carries as its text."""
    alt = str(element.get("alt") or element.get("alttext") or "").strip()
    if _name(element) == "math" and len(element):
        return set_apart(text_of_mathml(element))
    if _name(element) == "img" and not _is_formula_picture(element):
        return " "
    match = _DISPLAY_STYLE.fullmatch(alt)
    return set_apart(text_of_tex(match[1] if match else alt))


def _is_task_box(element: Any) -> bool:
    """True for the box of an item in a list of tasks; other boxes are to be ticked by readers."""
    if (element.get("type") or "").lower() != "checkbox" or element.getparent() is None:
        return False
    names = f"{element.get('class') or ''} {element.getparent().get('class') or ''}"
    return "task" in names or element.get("disabled") is not None


def _is_title(button: Any) -> bool:
    """True if a button is all that a heading says: it opens what is below."""
    title = next((e for e in button.iterancestors() if _name(e) in _TITLED), None)
    if title is None or next(title.iter("{*}button")) is not button:
        return False
    return "".join(title.itertext()).split() == "".join(button.itertext()).split()


def _has_source(drawn: Any) -> bool:
    """True if what draws a formula holds no markup of it, or has the TeX beside it."""
    beside = drawn.getnext()
    if beside is not None and _is_tex(beside):
        return True
    return next(drawn.iter("{*}math"), None) is None


def _is_tex(element: Any) -> bool:
    """True if a script holds a formula for MathJax."""
    return _name(element) == "script" and "math/tex" in str(element.get("type") or "")


def _raised(element: Any) -> str:
    """A superscript, marked as such; empty for the mark of a note, which is a link to it."""
    anchors = (*element.iter("a"), *element.iterancestors("a"))
    links = [str(anchor.get("href") or "") for anchor in anchors]
    return "" if any("#" in link for link in links) else raised("".join(element.itertext()))


def _lowered(element: Any) -> str:
    return lowered("".join(element.itertext()))


# Elements whose text is written in another way than it stands in the markup.
_WRITTEN: dict[str, Callable[[Any], str]] = {
    "img": _formula,
    "math": _formula,
    "sup": _raised,
    "sub": _lowered,
}


def _is_formula_picture(element: Any) -> bool:
    return "math" in str(element.get("class") or "") or "\\" in str(element.get("alt") or "")


@dataclass
class _Table:
    """A table, looked through once.

    Args:
        rows: The cells of each row.
        caption: The element of its caption; None where it has none.
        is_layout: Whether it only places text on the page: one column, or cells with paragraphs.
    """

    rows: list[list[Any]] = field(default_factory=list)
    caption: Any = None
    is_layout: bool = False

    @classmethod
    def of(cls, element: Any) -> "_Table":
        """The table of an element; its rows and caption are known where it is no layout."""
        # Asked first, as it ends at once where tables lie in tables a thousand deep.
        inner = next(element.iterdescendants("{*}table"), None)
        if inner is not None or element.get("role") == "presentation":
            return cls(is_layout=True)
        table = cls()
        for part in element.iter():
            name = _name(part)
            if name == "tr":
                table.rows.append([cell for cell in part if _name(cell) in ("td", "th")])
            elif name == "caption" and table.caption is None:
                table.caption = part
        is_column = max(map(len, table.rows), default=0) <= 1
        table.is_layout = is_column or any(_holds_text(cell) for row in table.rows for cell in row)
        return table

    def blocks(self) -> Iterator[Block]:
        """The caption, and a block with a line a row and tabs between cells."""
        if self.caption is not None and (text := one_line("".join(self.caption.itertext()))):
            yield Block(text, Kind.CAPTION)
        rows = ["\t".join(map(_cell_text, row)).rstrip() for row in self.rows]
        text = "\n".join(row for row in rows if row.strip()).strip()
        if text:
            yield Block(text, Kind.TABLE)


def _holds_text(cell: Any) -> bool:
    """True if a cell holds more than an entry of a table."""
    if len(cell) and any(_name(inner) in ("table", "form", *_HEADINGS) for inner in cell.iter()):
        return True
    text = "".join(cell.itertext()) if len(cell) else cell.text or ""
    return len(text) > MOST_WORDS_CELL and len(text.split()) > MOST_WORDS_CELL


def _cell_text(cell: Any) -> str:
    if len(cell):
        return one_line(" ".join(block.text for block in blocks_of(cell)))
    text = (cell.text or "").replace("\n", " ").replace("\r", " ")
    return "" if _is_hidden(cell) else one_line(with_formulas(text))


def parse_html(html: str) -> tuple[Any, bool]:
    """The root element of a page or fragment.

    Args:
        html: Decoded HTML; what it says about its encoding is ignored.

    Returns:
        An lxml element, its text free of control characters, or None if there is nothing in it;
        and whether it is whole. It is not where the markup is too much or too deep for a tree:
        then there are paragraphs alone.
    """
    text = _UNSEEN.sub("", _XML_DECLARATIONS.sub("", clean(html)))
    text = _without_prefix(_without_noscript(text))
    if not text.strip():
        return None, True
    if text.count("<") <= MOST_TAGS and not _has_crowded_tag(text):
        root, whole = _parsed(text)
        if root is not None:
            write_quotation_marks(root)
            make_lists(root)
        if whole:
            return root, True
    return _parsed(_flattened(text))[0], False


def _without_noscript(text: str) -> str:
    """Markup without what browsers with scripts pass over, whatever is left open in it.

    What is not closed itself loses its tag alone, so that no text goes with it.
    """
    parts: list[str] = []
    start = at = 0
    open_names: set[str] = set()  # that end nowhere in the rest
    while opening := _RAW_TEXT.search(text, at):
        at = opening.end()
        name = (opening["name"] or "--").lower()
        closing = None if name in open_names else _RAW_TEXT_END[name].search(text, at)
        if closing is None:
            open_names.add(name)
        else:
            at = closing.end()
        if name == "noscript":
            parts.append(text[start : opening.start()])
            start = at
    return "".join([*parts, text[start:]])


def _without_prefix(text: str) -> str:
    """XHTML whose names have a prefix ("h:p"), with the names of HTML."""
    declared = _XHTML_PREFIX.search(text, 0, _XHTML_WITHIN)
    if declared is None:
        return text
    return re.sub(rf"(</?){re.escape(declared[1])}:(?=[a-zA-Z])", r"\1", text)


def _has_crowded_tag(text: str) -> bool:
    """True if a tag has more attributes than any program writes."""
    if len(text) < _LONG_TAG:
        return False
    long = (tag[0] for tag in _TAGS.finditer(text) if tag.end() - tag.start() > _LONG_TAG)
    return any(
        len(_QUOTED.sub("", tag).split()) > _MOST_ATTRIBUTES
        for tag in long
        if not tag.lower().startswith(("<!--", "<script", "<style"))
    )


def _parsed(text: str) -> tuple[Any, bool]:
    """The root element, and whether nothing was lost for want of depth."""
    from lxml.html import HtmlComment, HtmlElement, HTMLParser, document_fromstring

    parser = HTMLParser(huge_tree=True, remove_pis=True)
    # The usual lookup chooses a class by the tag in Python, each time that an element is visited.
    parser.set_element_class_lookup(
        etree.ElementDefaultClassLookup(element=HtmlElement, comment=HtmlComment)
    )
    try:
        root = document_fromstring(text, parser=parser)
    except etree.ParserError:
        root = None
    return root, all(error.type_name != "ERR_RESOURCE_LIMIT" for error in parser.error_log)


def _flattened(text: str) -> str:
    """Markup without all tags but those of paragraphs, in time that grows with its length."""
    parts: list[str] = []
    start, until = 0, ""
    for tag in _TAG.finditer(text):
        name = (tag["name"] or "").lower()
        if until:
            until = "" if tag[0].lower().startswith(until) else until
        else:
            if start < tag.start():
                parts.append(text[start : tag.start()])
            if tag[0] == "<!--":
                until = "-->"
            elif name in _UNREAD:
                until = f"</{name}"
            elif (name.lstrip("/") in _BLOCKS or name == "br") and parts[-1:] != ["<p>"]:
                parts.append("<p>")
        start = tag.end()
    return "".join(parts if until else [*parts, text[start:]])
