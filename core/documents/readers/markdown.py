"""Markdown: rendered to HTML, then read as any markup is."""

import re
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

from core.documents.document import Block, Document, Kind, LeftOut, Source, count_words
from core.documents.kinds import refine_kinds
from core.documents.readers import boxes
from core.documents.readers.cleaning import clean
from core.documents.readers.encodings import decode
from core.documents.readers.failures import not_text
from core.documents.readers.formulas import without_omitted
from core.documents.readers.front_matter import split_front_matter
from core.documents.readers.hidden import hidden_text
from core.documents.readers.markdown_links import without_inline_marks
from core.documents.readers.markdown_marks import without_marks
from core.documents.readers.markdown_slides import SLIDES, is_slides, plain_markdown
from core.documents.readers.office import deleted_passages, is_bold_heading
from core.documents.readers.page_styles import apply_styles
from core.events import Progress, Steps
from core.numbers import format_quantity
from core.stop import StopToken

_COMMENT = re.compile(r"<!--[^-]*+(?:-(?!->)[^-]*+)*+(?:-->)?")  # to the end where it is open
_FROM_FIELD = "The text was read from the field “{}” of the front matter."
_LONGEST_MARKED = 5_000_000  # characters; longer text is hardly written in Markdown
_HEADING_MARK = re.compile(r"\s*\{[#.:][^{}]*\}\s*$")
_TASK_BOX = re.compile(r"^((?:\d+\. )?)\[([ xX/<>?!*-])\]\s+")
_NOTE_START = re.compile(r"^\[\^[^\]\s]{1,200}\]:", re.MULTILINE)
_NOTE = re.compile(r"^\[\^[^\]\s]{1,200}\]:\s*|\[\^[^\]\s]{1,200}\]")
_BOLD = re.compile(r"(?<![\w*])\*\*(?=[^\s*])[^*\n]{1,300}(?<=[^\s*])\*\*(?![\w*])")
_FEWEST_BOLD = 3  # phrases in bold; beside headings one is enough
_LOST_STARS = re.compile(
    r"(?<=\s)\*(?=[^\W_])|(?<![^\s(“\"'])\*{2,3}(?=[^\W_])"
    r"|(?<=[^\s*])\*{2,3}(?![^\s.,;:!?)”\"'])"
)
_HEAD = re.compile(r"^#{1,6} \S", re.MULTILINE)
_LINKS = {  # or code, by a piece of text that is found fast
    "](": re.compile(r"\]\([^)\s]{1,2000}\)"),
    "```": re.compile(r"^```", re.MULTILINE),
    "]: ": re.compile(r"^\[.+\]: \S", re.MULTILINE),
}


def read_markdown(data: bytes, source: Source, stop: StopToken) -> Steps[Document]:
    """Reads a Markdown file (CommonMark with tables, footnotes and front matter).

    Args:
        data: All its bytes.
        source: Where they came from; its name stands for a title the text does not have.
        stop: The wish to end early.

    Yields:
        That it is reading.

    Returns:
        The document; its title is that of the front matter, or the first heading of level 1.

    Raises:
        EpitomeError: If the bytes are no text in any known encoding.
    """
    yield Progress(0, 0, "lines", "Reading")
    decoded = decode(data)
    if decoded is None:
        raise not_text(source.name)
    text = clean(decoded.text)
    notes = [decoded.note] if decoded.note else []
    return (yield from read_marked_text(text, source, stop, notes))


def read_marked_text(
    text: str, source: Source, stop: StopToken, notes: list[str]
) -> Steps[Document]:
    """Reads Markdown that is text already.

    Args:
        text: The clean text.
        source: Where it came from.
        stop: The wish to end early.
        notes: What is worth saying about it, one sentence each.

    Yields:
        That it is reading.

    Returns:
        The document.
    """
    from core.documents.readers.markup import FLATTENED, blocks_of, drop_deletions, parse_html

    has_slides = is_slides(text)
    front, text = split_front_matter(text)
    if not count_words(_COMMENT.sub("", text)):
        name, text = front.longest_field()
        notes = [*notes, _FROM_FIELD.format(name)] if name else notes
    if has_slides:
        text, notes = plain_markdown(text), [*notes, SLIDES]
    text, left_out = without_marks(text)
    stop.raise_if_set()
    yield Progress(0, 0, "lines", "Reading")
    embedded: list[int] = []
    root, whole = parse_html(_as_html(text, embedded))
    if count := sum(embedded):
        what = format_quantity(count, "embedded file")
        left_out.append(LeftOut(what, "only the text of this file is read"))
    if not whole:
        notes = [*notes, FLATTENED]
    stop.raise_if_set()
    yield Progress(0, 0, "lines", "Reading")
    if root is not None:
        left_out += hidden_text(apply_styles(root))
    if root is not None and (deleted := drop_deletions(root)):
        left_out.append(deleted_passages(deleted, "the text marks them as deleted"))
    blocks = [] if root is None else [_mended(block) for block in blocks_of(root)]
    blocks, omitted = without_omitted(blocks)
    return Document.from_blocks(
        refine_kinds(blocks),
        title=front.title or _first_title(blocks) or source.name,
        source=source,
        left_out=[*left_out, *omitted],
        notes=notes,
    )


def looks_like_markdown(text: str) -> bool:
    """Whether plain text is marked up: it has headings with number signs, and links or code, or
    words in bold."""
    sample = text[:200_000]
    heads = len(_HEAD.findall(sample)) if "# " in sample else 0
    bold = len(_BOLD.findall(sample)) if "**" in sample else 0
    is_marked = bold >= (1 if heads else _FEWEST_BOLD)
    if not is_marked and heads >= 2:
        is_marked = any(mark in sample and link.search(sample) for mark, link in _LINKS.items())
    return is_marked and len(text) < _LONGEST_MARKED


def _as_html(text: str, embedded: list[int]) -> str:
    from markdown_it import MarkdownIt

    text = _NOTE_START.sub(r"\\\g<0>", text)  # CommonMark would take it for a link's address
    marked = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    marked.core.ruler.before("text_join", "lost_stars", _without_lost_stars)
    marked.core.ruler.push("inline_marks", partial(_without_inline_marks, embedded))
    marked.core.ruler.push("bold_headings", _with_bold_headings)
    return str(marked.render(text))


def _without_lost_stars(state: Any) -> None:
    """Takes out the stars of stressed words whose partner is missing; code keeps its stars."""
    for token in state.tokens:
        for child in token.children or ():
            if child.type == "text" and "*" in child.content:
                child.content = _LOST_STARS.sub("", child.content)


def _without_inline_marks(embedded: list[int], state: Any) -> None:
    """Takes out the signs of dialects for links, marked words, raised and lowered letters."""
    for token in state.tokens:
        for child in token.children or ():
            if child.type == "text":
                child.content, count = without_inline_marks(child.content)
                embedded.append(count)


def _with_bold_headings(state: Any) -> None:
    """Where no marks make headings, or only the title, a short line that is all bold is one."""
    tokens = state.tokens
    marked = sum(token.type == "heading_open" for token in tokens)
    if marked > 1:
        return
    for at, (opening, inline) in enumerate(pairwise(tokens)):
        is_paragraph = opening.type == "paragraph_open" and not opening.level
        if is_paragraph and _is_bold_heading(inline.children or []):
            opening.tag = tokens[at + 2].tag = "h3" if at or marked else "h1"


def _is_bold_heading(children: list[Any]) -> bool:
    parts = [part for part in children if part.type != "text" or part.content]
    if len(parts) < 3 or (parts[0].type, parts[-1].type) != ("strong_open", "strong_close"):
        return False
    inside = parts[1:-1]
    words = "".join(part.content for part in inside).strip()
    is_line = all(part.type not in ("strong_close", "softbreak", "hardbreak") for part in inside)
    return bool(words) and is_line and is_bold_heading(words)


def _mended(block: Block) -> Block:
    """A block without what Markdown's dialects leave in it: anchors, task boxes, note marks."""
    text, kind = block.text, block.kind
    if kind == Kind.HEADING:
        text = _HEADING_MARK.sub("", text)
    elif kind == Kind.LIST_ITEM:
        text = _TASK_BOX.sub(_box, text)
    if "[^" in text and kind not in (Kind.CODE, Kind.TABLE):
        kind = Kind.FOOTNOTE if _NOTE_START.match(text) else kind
        text = _NOTE.sub("", text).strip()
    is_same = text == block.text and kind == block.kind
    return block if is_same else replace(block, text=text, kind=kind)


def _box(task: re.Match[str]) -> str:
    """The box of a task: ticked, crossed out, or empty."""
    marks = {"x": boxes.TICKED, "-": boxes.CROSSED_OUT}
    return f"{task[1]}{marks.get(task[2].lower(), boxes.OPEN)} "


def _first_title(blocks: list[Block]) -> str:
    headings = [block for block in blocks if block.kind == Kind.HEADING and block.level == 1]
    return headings[0].text if headings else ""
