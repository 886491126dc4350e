"""The text of a labelled page as Epitome and other programs give it, paragraph by paragraph."""

import re
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

from core.documents.document import Document, Source
from core.documents.readers.pdf import read_pdf
from core.events import result_of
from core.stop import StopToken
from core.version import VERSION
from tests.helpers.reading_order import FILES, Page, Pieces

_BLANK_LINE = re.compile(r"\n\s*\n")
_VERSION = re.compile(r"version (\S+)")


@cache
def _document(file: str) -> Document:
    data = (FILES / file).read_bytes()
    return result_of(read_pdf(data, Source(file), StopToken()))


def epitome(page: Page) -> Pieces:
    """All paragraphs of which some part stands on the page."""
    document = _document(page.file)
    pages = [document.page_at(int(start)) for start in document.starts]
    last_pages = [document.page_at(int(end) - 1) for end in document.ends]
    return [
        document.paragraph(index)
        for index, (first, last) in enumerate(zip(pages, last_pages, strict=True))
        if first <= page.page <= last
    ]


def pdftotext(page: Page) -> Pieces:
    """Poppler's reading order; a blank line parts its paragraphs."""
    command = ["pdftotext", "-enc", "UTF-8", "-f", str(page.page), "-l", str(page.page)]
    done = subprocess.run(
        [*command, str(FILES / page.file), "-"], check=True, capture_output=True, timeout=60
    )
    return _BLANK_LINE.split(done.stdout.decode("utf-8", "replace").replace("\f", ""))


def pdfminer(page: Page) -> Pieces:
    """The text boxes of pdfminer.six in its reading order."""
    from pdfminer.high_level import extract_pages
    from pdfminer.layout import LTTextContainer

    (layout,) = extract_pages(FILES / page.file, page_numbers=[page.page - 1])
    return [box.get_text() for box in layout if isinstance(box, LTTextContainer)]


def drawing_order(page: Page) -> Pieces:
    """The text as pdfium gives it: in the order in which the page draws it, unparted."""
    from pypdfium2 import PdfDocument

    with PdfDocument(FILES / page.file) as document:
        return [document[page.page - 1].get_textpage().get_text_range()]


SIDES: dict[str, Callable[[Page], Pieces]] = {
    "epitome": epitome,
    "pdftotext": pdftotext,
    "pdfminer.six": pdfminer,
    "pdfium": drawing_order,
}


def version_of(side: str) -> str:
    """The version of a side; empty where it is not installed."""
    if side == "epitome":
        return VERSION
    if side == "pdftotext":
        return _poppler_version()
    package, module = {"pdfium": ("pypdfium2", "pypdfium2")}.get(side, (side, "pdfminer"))
    try:
        return version(package) if find_spec(module) else ""
    except PackageNotFoundError:
        return ""


@cache
def _poppler_version() -> str:
    if not shutil.which("pdftotext"):
        return ""
    done = subprocess.run(["pdftotext", "-v"], capture_output=True, text=True, timeout=60)
    match = _VERSION.search(done.stderr + done.stdout)
    return match[1] if match else "unknown"
