"""Whole files of every format, from which hostile ones are made."""

import warnings
import zipfile
from functools import cache
from io import BytesIO

from PIL import Image, ImageDraw

from core.documents.readers.formats import FORMATS, format_by_suffix
from tests.helpers import odt_files, pptx_files, word_files
from tests.helpers.attacks import pdf_of_lines
from tests.helpers.epub_files import epub_file
from tests.helpers.reader_checks import FILES

_WORDS = "The pump draws water from the lower basin and lifts it into the upper one. "
_QUOTED = f"{_WORDS}\n> {_WORDS}\n-- \nAnn\n"
_PAGE = f"<html><body><h1>Pumps</h1><p>{_WORDS * 3}</p><ul><li>one<li>two</ul></body></html>"
_MADE: dict[str, tuple[bytes, ...]] = {
    ".pdf": (pdf_of_lines("Pumps", _WORDS, _WORDS),),
    ".html": (_PAGE.encode(),),
    ".rst": (
        f"Pumps\n=====\n\n.. note:: {_WORDS}\n\n- one\n\n  * two\n\n== ==\na  b\n== ==\n".encode(),
    ),
    ".md": (f"# Pumps\n\n{_WORDS}\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n".encode(),),
    ".txt": (f"PUMPS\n\n{_WORDS}\n\n1. one\n2. two\n".encode(),),
    ".rtf": (
        rb"{\rtf1\ansi\ansicpg1252\uc1{\fonttbl{\f0\fcharset0 Times;}{\f1\fcharset128 Gothic;}}"
        rb"{\stylesheet{\s1\outlinelevel0 heading 1;}}\pard\s1 Pumps\par\pard "
        + _WORDS.encode()
        + rb"\u8364?{\footnote A note.}\par{\f1 \'83\'5d}{\listtext 1.\tab}\ls1 one\par"
        rb"\trowd\pard\intbl a\cell b\cell\row\pard end\par}",
    ),
    ".eml": (
        "From: a@example.org\nTo: b@example.org\nSubject: =?utf-8?q?Caf=C3=A9?=\n"
        'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="x"\n\n--x\n'
        f'Content-Type: multipart/alternative; boundary="y"\n\n--y\n\n{_QUOTED}--y\n'
        f"Content-Type: text/html\n\n{_PAGE}\n--y--\n--x\n"
        f"Content-Type: message/rfc822\n\nSubject: In\n\n{_WORDS}\n--x\n"
        "Content-Type: image/png\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=\n"
        "--x--\n".encode(),
    ),
    ".mhtml": (
        "From: <Saved by Blink>\nSnapshot-Content-Location: https://example.org\n"
        'MIME-Version: 1.0\nContent-Type: multipart/related; boundary="x"\n\n--x\n'
        f"Content-Type: text/html\n\n{_PAGE}\n--x--\n".encode(),
    ),
    ".csv": (f'id;title;body\n1;Pumps;"{_WORDS}\n\nMore ""words""."\n2;;{_WORDS}\n'.encode(),),
    ".json": (
        f'{{"title": "Pumps", "body": "{_WORDS}"}}\n{{"m": {{"text": "{_WORDS}"}}}}\n'.encode(),
        f'[{{"title": "Pumps", "body": "{_WORDS}\\u00e9\\ud83d"}}, {{"body": null}}]'.encode(),
    ),
}


@cache
def seeds() -> dict[str, tuple[tuple[str, bytes], ...]]:
    """Name and bytes of whole files by format: small made ones, and the shared ones if any."""
    found: dict[str, list[tuple[str, bytes]]] = {key: [] for key in FORMATS}
    for suffix, several in _MADE.items():
        found[format_by_suffix(suffix)] += [(f"made{suffix}", data) for data in several]
    archives = {".epub": _book(), ".docx": _letter(), ".odt": _report(), ".pptx": _slides()}
    for suffix, data in archives.items():
        found[format_by_suffix(suffix)].append((f"made{suffix}", repacked(unpacked(data))))
    for suffix in (".png", ".jpg", ".tif"):
        found[format_by_suffix(suffix)].append((f"made{suffix}", _picture(suffix)))
    for path in sorted(FILES.iterdir()) if FILES.is_dir() else ():
        if key := format_by_suffix(path.suffix.lower()):
            found[key].append((path.name, path.read_bytes()))
    return {key: tuple(files) for key, files in found.items()}


def _book() -> bytes:
    return epub_file({"one": f"<h1>Pumps</h1><p>{_WORDS}</p>", "two": f"<p>{_WORDS}</p>"})


def _letter() -> bytes:
    cell = f"<w:tc>{word_files.paragraph('1')}</w:tc>"
    table = f"<w:tbl>{f'<w:tr>{cell * 3}</w:tr>' * 2}</w:tbl>"
    noted = f'<w:p><w:r><w:t>{_WORDS}</w:t><w:footnoteReference w:id="1"/></w:r></w:p>'
    item = word_files.paragraph("one", properties=word_files.in_list(1, 0))
    level = word_files.list_level(0, "decimal", "%1.")
    return word_files.word_file(
        word_files.paragraph("Pumps", style="a") + noted + item * 2 + table,
        styles=word_files.style("a", "heading 1"),
        footnotes=f'<w:footnote w:id="1">{word_files.paragraph("A note.")}</w:footnote>',
        numbering=f'<w:abstractNum w:abstractNumId="1">{level}</w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>',
    )


def _report() -> bytes:
    text = odt_files.paragraph(f"{_WORDS}{odt_files.note('A note.')}")
    listed = odt_files.items(odt_files.paragraph("one"), odt_files.paragraph("two"), style="L")
    table = odt_files.table(odt_files.row("a", "b"), odt_files.row("1", "2"))
    style = odt_files.list_style("L", odt_files.list_level(1, "1"))
    return odt_files.odt_file(odt_files.heading("Pumps") + text + listed + table, styles=style)


def _slides() -> bytes:
    title, body = pptx_files.shape("Pumps", place="title"), pptx_files.shape(_WORDS, "one", "two")
    chart = pptx_files.chart("Flow", ["a", "b"], one=["1", "2"])
    table = pptx_files.table(("a", "b"), ("1", "2"))
    first = pptx_files.Slide(title + body, notes=pptx_files.shape(_WORDS))
    second = pptx_files.Slide(body + table, parts={"charts/chart.xml": ("chart", chart)})
    return pptx_files.pptx_file(first, second, layout=title)


def _picture(suffix: str) -> bytes:
    """A small picture with a few words."""
    page, buffer = Image.new("L", (420, 90), "white"), BytesIO()
    ImageDraw.Draw(page).text((10, 30), _WORDS[:60], "black")
    page.save(buffer, Image.registered_extensions()[suffix], dpi=(100, 100))
    return buffer.getvalue()


def repacked(parts: list[tuple[str, bytes]]) -> bytes:
    """An archive of parts, without the time of day, which zipfile would put in."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a name is there twice
        for name, content in parts:
            archive.writestr(zipfile.ZipInfo(name or "x"), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def unpacked(data: bytes) -> list[tuple[str, bytes]]:
    with zipfile.ZipFile(BytesIO(data)) as archive:
        return [(name, archive.read(name)) for name in archive.namelist()]
