"""A document's title: from its metadata if that is plausible, else from its first page."""

import re
from pathlib import PurePath

from core.documents.document import Kind
from core.documents.readers.pdf_layout.kinds import is_section_name
from core.documents.readers.pdf_layout.paragraphs import Paragraph
from core.documents.readers.titles import ADDRESS, INSTITUTION, is_no_title

_FILE_NAME = re.compile(
    r"\.(?:pdf|docx?|tex|dvi|ps|indd|qxd|rtf|odt|pptx?|xlsx?|html?)$|^Microsoft\b|^untitled\b|[\\/]",
    re.IGNORECASE,
)
_EMPTY = re.compile(  # what programs write where no title was given
    r"R Graphics Output|(?:power ?point[- ])?pr[eäé]senta[ct]i[oó]n\w*(?: ?\d+)?"
    r"|(?:slide|folie|layout|do[ck]ument|diapositiv[ea]|scan|print|title|titel|none|null)\W?\d*",
    re.IGNORECASE,
)
_EQUAL = 0.97  # share of the largest heading's type size: smaller differences are rounding
_BULLET = re.compile(r"[•▪◦‣·●○■□➢✓∙☐☑☒✔✗✘]")
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_LONGEST = 250
_FEWEST_LETTERS = 0.5  # share of a heading's characters


def choose_title(from_metadata: str, paragraphs: list[Paragraph], file_name: str) -> str:
    """The title of a document.

    Args:
        from_metadata: What the file says its title is.
        paragraphs: All paragraphs in order.
        file_name: The last resort.

    Returns:
        The title on one line.
    """
    plain = " ".join(from_metadata.split())
    if _is_plausible(plain):
        return plain
    return _largest(paragraphs) or PurePath(file_name).stem or file_name


def _is_plausible(title: str) -> bool:
    words = _LETTERS.findall(title)
    return (
        4 <= len(title) <= _LONGEST
        and bool(words)
        and not _FILE_NAME.search(title)
        and not _EMPTY.fullmatch(title)
        and not ADDRESS.search(title)
        and (" " in title or not any(map(str.isdigit, title)))
        and not is_no_title(title)
    )


def _largest(paragraphs: list[Paragraph]) -> str:
    """The heading in the largest type on the first page that has one; the first of equal ones.

    Headings that stand in any document, addresses, dates, and what was misread are no titles; the
    name of a court or an office is one only where nothing else is.
    """
    page = paragraphs[0].first.page if paragraphs else 0
    headings = [
        each
        for each in paragraphs
        if each.kind == Kind.HEADING and each.first.page == page and _may_be_title(each.raw)
    ]
    named = [each for each in headings if not INSTITUTION.fullmatch(each.raw.strip(" ."))]
    headings = named or headings
    largest = max((each.first.size for each in headings), default=0.0)
    return next((each.raw for each in headings if each.first.size >= _EQUAL * largest), "")


def _may_be_title(text: str) -> bool:
    letters = sum(map(str.isalpha, text))
    if (
        _BULLET.match(text)
        or "\ufffd" in text
        or not _LETTERS.search(text)
        or letters < _FEWEST_LETTERS * len(text)
    ):
        return False
    return not (is_section_name(text) or is_no_title(text))
