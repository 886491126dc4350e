"""Reads PDF files: text in reading order, without what only furnishes the page.

pdfium tells where each character stands; all else is worked out from positions and type:
words, columns, running heads, paragraphs, kinds (see `pdf_layout`).
"""

import re
from dataclasses import replace
from typing import Any

import pypdfium2.raw as pdfium

from core.documents.chapters import with_chapters
from core.documents.document import Document, LeftOut, Source, count_words
from core.documents.languages import AUTO
from core.documents.readers.office import struck_but_kept
from core.documents.readers.pdf_layout import scans
from core.documents.readers.pdf_layout.contents import MOST_BYTES, is_too_large
from core.documents.readers.pdf_layout.glyphs import MOST_CHARACTERS, FontFaces
from core.documents.readers.pdf_layout.layers import Layers
from core.documents.readers.pdf_layout.layout import lay_out
from core.documents.readers.pdf_layout.opening import (
    PDFIUM,
    PdfFacts,
    damaged,
    metadata,
    opened,
    pdf_facts,
    was_changed_as_text,
)
from core.documents.readers.pdf_layout.pages import read_sheet
from core.documents.readers.pdf_layout.reach import Reach
from core.documents.readers.pdf_layout.sheet import Sheet
from core.documents.readers.pdf_layout.titles import choose_title
from core.documents.readers.pdf_layout.visibility import REASONS, Hidden
from core.documents.readers.recognition import part
from core.documents.turns import mark_turns
from core.errors import EpitomeError
from core.events import Progress, Steps
from core.numbers import format_count, format_size
from core.stop import StopToken

__all__ = ["PdfFacts", "pdf_facts", "read_pdf"]

_XFA = (pdfium.FORMTYPE_XFA_FULL, pdfium.FORMTYPE_XFA_FOREGROUND)
_PLACEHOLDER = re.compile(r"please wait|adobe reader|acrobat", re.IGNORECASE)
_LONGEST_PLACEHOLDER = 200  # words
_CHARACTERS_A_WORD = 6  # with its space
_MOST_BLANK = 20  # pages that are looked at again
_TRIED = "Text recognition (OCR) found no words; scan them again at 300 dpi, or open another file."


def read_pdf(
    data: bytes, source: Source, stop: StopToken, *, password: str = "", language: str = AUTO
) -> Steps[Document]:
    """Reads a PDF file; scans too, where the part that recognises text is installed.

    Args:
        data: The file.
        source: Where it came from.
        stop: Ends the work.
        password: What opens it, if it is locked; it is not kept.
        language: The code of the language in which scans are recognised; `AUTO` finds it out.

    Returns:
        The document, with its pages.

    Raises:
        EpitomeError: If the file is locked (kind "password"), damaged, or without any text.
    """
    with opened(data, password) as handle:
        reach = Reach(pdfium.FPDF_GetPageCount(handle))
        sheets = yield from _read_sheets(handle, Layers(data), reach, stop)
        title = metadata(handle, "Title")
        is_xfa = pdfium.FPDF_GetFormType(handle) in _XFA
    sheets, said = yield from _recognised(data, password, sheets, language, stop)
    if is_xfa and _is_placeholder(sheets):
        raise EpitomeError(
            "Only Adobe's programs can read the text of this form (XFA).",
            "Open it there, print it to a new PDF, and open that.",
        )
    if not any(len(sheet.words) for sheet in sheets):
        raise _without_text(sheets, data, reach)
    layout = yield from lay_out(sheets, stop)
    return Document.from_blocks(
        mark_turns(with_chapters(layout.blocks)),
        title=choose_title(title, layout.paragraphs, source.name),
        source=source,
        num_pages=len(sheets),
        left_out=[
            *scans.pages_without_text(sheets),
            *scans.unreadable_words(sheets),
            *layout.left_out,
            *_hidden(sheets),
            *_typed(sheets),
            *_written(sheets),
            *_unread(sheets),
        ],
        notes=[
            *said,
            *scans.recognition_notes(sheets),
            *_struck_but_kept(sheets),
            *layout.notes,
            *_damage(data),
            *reach.notes(),
        ],
    )


def _read_sheets(handle: Any, layers: Layers, reach: Reach, stop: StopToken) -> Steps[list[Sheet]]:
    faces = FontFaces()
    sheets: list[Sheet] = []
    num_blank = 0
    while reach.pages < reach.num_pages and not reach.ended_by:
        stop.raise_if_set()
        with PDFIUM:
            sheet = read_sheet(handle, reach.pages, faces, layers)
            if sheet.is_blank and num_blank < _MOST_BLANK:
                num_blank += 1
                sheet = replace(sheet, too_large=is_too_large(handle, reach.pages))
        sheets.append(sheet)
        reach.add(sheet)
        yield Progress(reach.pages, reach.num_pages, "pages", "Reading")
    return sheets


def _recognised(
    data: bytes, password: str, sheets: list[Sheet], language: str, stop: StopToken
) -> Steps[tuple[list[Sheet], list[str]]]:
    """The pages with the text of scans, and what is to be said of it."""
    if not any(map(scans.wants_recognition, sheets)):
        return sheets, []
    if not part.is_installed():
        return sheets, [part.advice()] if any(map(scans.is_picture, sheets)) else []
    from core.documents.readers.recognition.reading import recognise_sheets

    done = yield from recognise_sheets(data, password, sheets, language, stop)
    return done.sheets, done.notes


def _is_placeholder(sheets: list[Sheet]) -> bool:
    """Whether the pages only ask for another program."""
    text = " ".join(word for sheet in sheets for word in sheet.words.texts)
    return len(text.split()) < _LONGEST_PLACEHOLDER and bool(_PLACEHOLDER.search(text))


def _without_text(sheets: list[Sheet], data: bytes, reach: Reach) -> EpitomeError:
    """Why a PDF has no word on any page."""
    pictures = sum(map(scans.is_picture, sheets))
    if not sheets or was_changed_as_text(data) or all(sheet.damaged for sheet in sheets):
        return damaged(data)
    if any(sheet.too_large for sheet in sheets):
        return EpitomeError(
            "This PDF cannot be read: the contents of a page unpack to more than "
            f"{format_size(MOST_BYTES)}.",
            "Print it to a new PDF, and open that.",
        )
    if any(sheet.undrawn for sheet in sheets):
        pages = "its page" if len(sheets) == 1 else "its pages"
        return EpitomeError(
            f"This PDF contains no text, and drawing {pages} takes too long.",
            "Print it to a new PDF, and open that.",
        )
    if any(map(scans.wants_recognition, sheets)):
        tried = any(sheet.tried for sheet in sheets)
        return EpitomeError(
            f"This PDF contains no text: {_describe_pages(pictures, len(sheets))}.",
            _TRIED if tried else part.advice(),
            part.missing_kind(),
        )
    return EpitomeError(
        f"This PDF contains no text: there are no words on {reach.pages_read}.",
        "Open another file, or paste the text.",
    )


def _describe_pages(pictures: int, total: int) -> str:
    """A clause on how many of the pages are pictures; else they hold drawings."""
    if not pictures:
        return "its pages hold only drawings" if total > 1 else "its only page is a drawing"
    if total == 1:
        return "its only page is a picture"
    return f"{'all' if pictures == total else pictures} of its {total} pages are pictures"


def _damage(data: bytes) -> list[str]:
    if not was_changed_as_text(data):
        return []
    return ["This file was converted as if it were text; parts of it may be missing."]


def _unread(sheets: list[Sheet]) -> list[LeftOut]:
    crowded = [sheet for sheet in sheets if sheet.num_unread]
    if not crowded:
        return []
    why = f"a page has more than {format_count(MOST_CHARACTERS)} of them"
    words = sum(sheet.num_unread for sheet in crowded) // _CHARACTERS_A_WORD
    pages = tuple(sheet.page for sheet in crowded)
    return [LeftOut("characters of crowded pages", why, words, pages)]


def _hidden(sheets: list[Sheet]) -> list[LeftOut]:
    """Text that no reader of the pages sees, or reads as theirs, by the reason."""
    found = []
    for reason, (what, why) in REASONS.items():
        pages = [sheet for sheet in sheets if sheet.hidden.get(reason)]
        if words := sum(sheet.hidden[reason] for sheet in pages):
            numbers = tuple(sheet.page for sheet in pages)
            found.append(LeftOut(what, why, words, numbers, missed=False))
    return found


def _struck_but_kept(sheets: list[Sheet]) -> list[str]:
    words = sum(sheet.hidden.get(Hidden.STRUCK_BUT_KEPT, 0) for sheet in sheets)
    return [struck_but_kept(words, "a page")] if words else []


def _written(sheets: list[Sheet]) -> list[LeftOut]:
    noted = [sheet for sheet in sheets if sheet.written]
    words = sum(count_words(sheet.written) for sheet in noted)
    if not words:
        return []
    pages = tuple(sheet.page for sheet in noted)
    return [LeftOut("notes on the pages", "only the printed text is read", words, pages)]


def _typed(sheets: list[Sheet]) -> list[LeftOut]:
    filled = [sheet for sheet in sheets if sheet.typed]
    if not filled:
        return []
    words = sum(count_words(sheet.typed) for sheet in filled)
    why = "only the printed text of a form is read"
    pages = tuple(sheet.page for sheet in filled)
    return [LeftOut("what was typed into the form", why, words, pages)]
