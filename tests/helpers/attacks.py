"""Files built to exhaust a reader: each repeats, nests or inflates one element of its format.

Unlike the cases of `hostile_files`, which are damaged at random, these are well-formed up to the
one thing that is done too often. Each takes how often; the same number gives the same bytes.
"""

import bz2
import lzma
import re
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from tests.helpers import odt_files, pptx_files
from tests.helpers.epub_files import epub_file
from tests.helpers.word_files import in_list, list_level, paragraph, word_file

_WORDS = "The pump draws water from the lower basin and lifts it into the upper one. "
_MANY, _MILLION = 30_000, 1_000_000


@dataclass(frozen=True)
class Attack:
    """A family of files.

    Args:
        suffix: How their names end.
        make: The bytes of one, by how often its element stands there.
        most: How often, where the element is to do as much harm as it can.
        few: How often in a quick test, which tries twice as many too; 0 where that says nothing,
            and `most` is quick.
    """

    suffix: str
    make: Callable[[int], bytes]
    most: int = _MILLION
    few: int = 30


ATTACKS: dict[str, Attack] = {}
"""All families by name."""


def _attack(suffix: str, most: int = _MILLION, few: int = 30) -> Callable[[Any], Any]:
    def add(make: Callable[[int], bytes]) -> Callable[[int], bytes]:
        ATTACKS[make.__name__] = Attack(suffix, make, most, few)
        return make

    return add


# Archives


_CHUNK = b" " * 1_000_000


def with_false_size(name: str, num_bytes: int, packing: int, stated: int) -> bytes:
    """An archive with a part that unpacks to more than its entry states.

    Args:
        name: The part.
        num_bytes: How many it has.
        packing: One of zipfile's methods.
        stated: How many its entry states.

    Returns:
        The archive's bytes.
    """
    file = BytesIO()
    info = zipfile.ZipInfo(name)
    info.compress_type = packing
    with zipfile.ZipFile(file, "w") as archive, archive.open(info, "w") as part:
        for start in range(0, num_bytes, len(_CHUNK)):
            part.write(_CHUNK[: num_bytes - start])
    data = bytearray(file.getvalue())
    for mark, at in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        place = data.rfind(mark) + at
        data[place : place + 4] = stated.to_bytes(4, "little")
    return bytes(data)


@_attack(".docx", 400_000_000)
def docx_deflate_with_false_size(size: int) -> bytes:
    """A part that states 1,000 bytes and unpacks to `size`."""
    return with_false_size("word/document.xml", size, zipfile.ZIP_DEFLATED, 1_000)


@_attack(".docx", 400_000_000)
def docx_bzip2_with_false_size(size: int) -> bytes:
    """The same, packed so that a megabyte takes a byte."""
    return with_false_size("word/document.xml", size, zipfile.ZIP_BZIP2, 1_000)


@_attack(".docx", 400_000_000)
def docx_lzma_with_false_size(size: int) -> bytes:
    """The same, packed with LZMA."""
    return with_false_size("word/document.xml", size, zipfile.ZIP_LZMA, 1_000)


# Word


def _note(number: int, inner: str) -> str:
    return f'<w:footnote w:id="{number}">{inner}</w:footnote>'


def _cite(number: int) -> str:
    return f'<w:p><w:r><w:t>See. </w:t><w:footnoteReference w:id="{number}"/></w:r></w:p>'


@_attack(".docx", 40, 0)
def docx_footnotes_double(size: int) -> bytes:
    """Each footnote cites the next one twice."""
    notes = [_note(n, paragraph(_WORDS) + 2 * _cite(n + 1)) for n in range(1, size)]
    return word_file(_cite(1), footnotes="".join([*notes, _note(size, paragraph(_WORDS))]))


@_attack(".docx", 2, 0)
def docx_footnote_cycle(size: int) -> bytes:
    """Footnotes cite each other in a circle."""
    notes = [_note(n, paragraph(_WORDS) + _cite(n % size + 1)) for n in range(1, size + 1)]
    return word_file(paragraph(_WORDS * 3) + _cite(1), footnotes="".join(notes))


@_attack(".docx", 5_000)
def docx_one_footnote_cited(size: int) -> bytes:
    """One long footnote, cited again and again."""
    return word_file(_cite(1) * size, footnotes=_note(1, paragraph(_WORDS * 500)))


@_attack(".docx", _MANY)
def docx_footnotes_of_one_paragraph(size: int) -> bytes:
    """One paragraph that cites very many notes."""
    marks = "".join(f'<w:footnoteReference w:id="{n}"/>' for n in range(size))
    notes = "".join(_note(n, "") for n in range(size))
    return word_file(f"<w:p><w:r><w:t>{_WORDS}</w:t>{marks}</w:r></w:p>", footnotes=notes)


@_attack(".docx", _MANY)
def docx_long_list_text(size: int) -> bytes:
    """List items before each of which a page of text is to be printed."""
    level = list_level(0, "decimal", "%1" * 5_000)
    lists = f'<w:abstractNum w:abstractNumId="1">{level}</w:abstractNum>'
    lists += '<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>'
    return word_file(paragraph("Word", properties=in_list(1, 0)) * size, numbering=lists)


@_attack(".docx", 60_000)
def docx_styles_on_styles(size: int) -> bytes:
    """Very many styles, each based on the one before; one of them is used."""
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="s{n}"><w:name w:val="style {n}"/>'
        f'<w:basedOn w:val="s{n - 1}"/></w:style>'
        for n in range(size)
    )
    return word_file(paragraph(_WORDS * 3, style=f"s{size - 1}"), styles=styles)


def _odd_lists(level: str, start: str) -> bytes:
    own = f'<w:lvl w:ilvl="{level}"><w:start w:val="{start}"/><w:lvlText w:val="%1."/></w:lvl>'
    lists = f'<w:abstractNum w:abstractNumId="1">{own}</w:abstractNum>'
    over = f'<w:lvlOverride w:ilvl="{level}"><w:startOverride w:val="{start}"/></w:lvlOverride>'
    lists += f'<w:num w:numId="1"><w:abstractNumId w:val="1"/>{over}</w:num>'
    properties = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="1"/></w:numPr>'
    styles = (
        f'<w:style w:type="paragraph" w:styleId="a"><w:name w:val="a"/><w:pPr>{properties}</w:pPr>'
        "</w:style>"
    )
    body = paragraph(_WORDS * 3, properties=properties) + paragraph(_WORDS, style="a")
    return word_file(body, numbering=lists, styles=styles)


@_attack(".docx", 5_000, 0)
def docx_list_level_of_many_digits(size: int) -> bytes:
    """A level and a start of a list with thousands of digits."""
    return _odd_lists("9" * size, "9" * size)


@_attack(".docx", 1, 0)
def docx_list_level_of_letters(size: int) -> bytes:
    """Levels of a list that are no numbers."""
    return _odd_lists("deep" * size, "٣")


@_attack(".docx")
def docx_paragraphs(size: int) -> bytes:
    """Paragraphs of a letter."""
    return word_file("<w:p><w:r><w:t>a</w:t></w:r></w:p>" * size)


# OpenDocument


@_attack(".fodt", 9_999_999, 0)
def fodt_display_levels(size: int) -> bytes:
    """A list that shows the numbers of millions of levels."""
    level = (
        f'<text:list-level-style-number text:level="{size}" style:num-format="1" '
        f'text:display-levels="{size}"/>'
    )
    style = f'<text:list-style style:name="L">{level}</text:list-style>'
    body = odt_files.items(odt_files.paragraph(_WORDS), style="L") + odt_files.paragraph(_WORDS * 3)
    return _flat(body, style)


@_attack(".fodt", _MANY)
def fodt_long_prefix(size: int) -> bytes:
    """List items with a page of text as the prefix of their number."""
    style = odt_files.list_style("L", odt_files.list_level(1, "1", prefix="x" * 10_000))
    item = odt_files.paragraph("Word")
    return _flat(odt_files.items(*[item] * size, style="L"), style)


def _flat(body: str, styles: str) -> bytes:
    mark = b"<office:automatic-styles>"
    return odt_files.flat_file(body).replace(mark, mark + styles.encode(), 1)


def _object(name: str) -> str:
    return odt_files.paragraph(
        f'{_WORDS}<draw:frame><draw:object xlink:href="./{name}"/></draw:frame>'
    )


@_attack(".odt", 1, 0)
def odt_object_in_itself(size: int) -> bytes:
    """An object whose table holds the same object."""
    inner = odt_files.table(
        f"<table:table-row><table:table-cell>{_object('O')}</table:table-cell></table:table-row>"
    )
    part = odt_files.odf_root("document-content", f"<office:body>{inner}</office:body>")
    return odt_files.odt_file(_object("O") * size, **{"O/content__xml": part})


@_attack(".odt", 40, 0)
def odt_objects_double(size: int) -> bytes:
    """Each object holds the next one twice."""
    parts = {}
    for number in range(size):
        cell = f"<table:table-cell>{_object(f'O{number + 1}') * 2}</table:table-cell>"
        inner = odt_files.table(f"<table:table-row>{cell}</table:table-row>")
        root = odt_files.odf_root("document-content", f"<office:body>{inner}</office:body>")
        parts[f"O{number}/content__xml"] = root
    return odt_files.odt_file(_object("O0"), **parts)


@_attack(".odt")
def odt_paragraphs(size: int) -> bytes:
    """Paragraphs of a letter."""
    return odt_files.odt_file("<text:p>a</text:p>" * size)


# PowerPoint


def _related(**targets: str) -> str:
    return pptx_files._relations(
        {key: tuple(value.split(" ")) for key, value in targets.items()}  # type: ignore[misc]
    )


@_attack(".pptx", 3_000, 5)
def pptx_shared_notes(size: int) -> bytes:
    """Slides that all have the same long page of notes."""
    slides = [pptx_files.Slide(pptx_files.shape("One")) for _ in range(size)]
    notes = pptx_files._part("notes", pptx_files.shape(*[_WORDS] * 300))
    related = _related(n="notesSlide ../notesSlides/n.xml")
    parts: dict[str, Any] = {
        f"ppt/slides/_rels/slide{number}.xml.rels": related for number in range(1, size + 1)
    }
    return pptx_files.pptx_file(*slides, **parts, **{"ppt/notesSlides/n.xml": notes})


@_attack(".pptx", 3_000, 6)
def pptx_shared_layout(size: int) -> bytes:
    """Slides of placeholders that are looked for in one layout of very many."""
    places = [pptx_files.shape("Word", place=f"body:{number}") for number in range(60)]
    slides = [pptx_files.Slide("".join(places)) for _ in range(size)]
    layout = "".join(pptx_files.shape("x", place=f"pic:{number}") for number in range(1_000))
    return pptx_files.pptx_file(*slides, layout=layout, master=layout)


@_attack(".pptx", 5_000, 0)
def pptx_slide_size(size: int) -> bytes:
    """A slide width of thousands of digits."""
    shapes = pptx_files.shape(_WORDS, at=(1, 1, 5, 5)) + pptx_files.shape(_WORDS, at=(9, 9, 5, 5))
    whole = pptx_files.pptx_file(pptx_files.Slide(shapes + pptx_files.shape(_WORDS)))
    return _with_part(whole, "ppt/presentation.xml", b'cx="1000"', b'cx="%s"' % (b"9" * size))


def _with_part(data: bytes, name: str, old: bytes, new: bytes) -> bytes:
    """An archive in one part of which something stands for something else."""
    file = BytesIO()
    with (
        zipfile.ZipFile(BytesIO(data)) as before,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as after,
    ):
        for part in before.namelist():
            content = before.read(part)
            after.writestr(part, content.replace(old, new) if part == name else content)
    return file.getvalue()


# E-books


@_attack(".epub", 15_000)
def epub_root_files(size: int) -> bytes:
    """A container that names very many packages, in an archive of very many parts."""
    files = "".join(f'<rootfile full-path="{number}.opf"/>' for number in range(size))
    names = "urn:oasis:names:tc:opendocument:xmlns:container"
    container = f'<container xmlns="{names}"><rootfiles>{files}</rootfiles></container>'
    parts: dict[str, Any] = {f"x/{number}": "" for number in range(size)}
    pages = {"one": f"<p>{_WORDS * 3}</p>"}
    return epub_file(pages, **{"META-INF/container.xml": container, **parts})


@_attack(".epub", 5_000, 10)
def epub_navigation_repeated(size: int) -> bytes:
    """A package that names its navigation page again and again."""
    nav = "<nav epub:type='toc'><ol>" + "<li><a href='x'>Word</a></li>" * 500 + "</ol></nav>"
    whole = epub_file({"one": f"<p>{_WORDS * 3}</p>"}, nav=nav)
    item = re.compile(rb"<item [^>]*properties=\"nav\"[^>]*/>")
    return _with_matches(whole, "OEBPS/book.opf", item, size)


def _with_matches(data: bytes, name: str, pattern: re.Pattern[bytes], times: int) -> bytes:
    with zipfile.ZipFile(BytesIO(data)) as archive:
        found = pattern.search(archive.read(name))
    assert found
    copies = [re.sub(rb'id="[^"]*"', b'id="n%d"' % i, found[0]) for i in range(times)]
    return _with_part(data, name, found[0], b"".join(copies))


# Web pages


@_attack(".html", _MANY)
def html_ordered_items(size: int) -> bytes:
    """An ordered list, none of whose items is closed."""
    return f"<ol>{'<li>Word' * size}</ol><p>{_WORDS * 9}</p>".encode()


@_attack(".html", 500_000)
def html_attributes(size: int) -> bytes:
    """One element with very many attributes."""
    attributes = " ".join(f"a{number}=1" for number in range(size))
    return f"<p {attributes}>{_WORDS * 9}</p>".encode()


@_attack(".html", 50_000)
def html_picture_text(size: int) -> bytes:
    """The alternative text of a picture of a formula, long and hardly one."""
    return f'<p>{_WORDS * 9}<img class="math" alt="{{\\displaystyle {" " * size}"></p>'.encode()


@_attack(".html", 10_000, 4)
def html_table_cells(size: int) -> bytes:
    """A table of `size` rows and a hundred columns."""
    row = f"<tr>{'<td>1' * 100}</tr>"
    return f"<p>{_WORDS * 9}</p><table>{row * size}</table>".encode()


@_attack(".html", 4_000)
def html_quotes_in_quotes(size: int) -> bytes:
    """Quotations inside quotations."""
    return f"{'<blockquote>a ' * size}<p>{_WORDS * 9}</p>".encode()


@_attack(".html", 1_500)
def html_wrappers(size: int) -> bytes:
    """Elements with names of menus around one another, and beside one another."""
    return f"{'<header class=share>' * size}<p>{_WORDS * 9}</p>{'<nav>a </nav>' * size}".encode()


@_attack(".html", 50_000)
def html_places(size: int) -> bytes:
    """Running text in very many kinds of places."""
    return "".join(f"<div class=c{number}>{_WORDS}</div>" for number in range(size)).encode()


@_attack(".html", 200_000, 0)
def html_open_noscript(size: int) -> bytes:
    """Scripts, comments and what is for browsers without scripts, begun and never ended."""
    opened = "".join(tag * size for tag in ("<noscript><div>", "<!--", "<style a ", "<script>"))
    return f"<p>{_WORDS * 9}</p>{opened}".encode()


@_attack(".html", 200_000, 0)
def html_open_functions(size: int) -> bytes:
    """Functions of styles and selectors that begin and never end."""
    opened = "".join(
        f'<p style="{name}:{start * size}">{_WORDS}</p>'
        for name, start in (("transform", "translate("), ("clip-path", "polygon(0"))
    )
    return f"<html><style>{':is(' * size}{{color:red}}</style>{opened}</html>".encode()


@_attack(".html", 200_000, 0)
def html_open_formulas(size: int) -> bytes:
    """Formulas that begin and never end."""
    opened = r"\( " * size
    return f"<p>{_WORDS * 9}</p><p>{opened}</p>".encode()


# Plain text


def _plain(name: str, suffix: str, most: int, piece: str, before: str = "", end: str = "") -> None:
    def make(size: int) -> bytes:
        return f"{before}{piece * size}{end}".encode()

    ATTACKS[name] = Attack(suffix, make, most)


_HEADER = "From: a\nSent: 1 May 2020\nTo: b\nSubject: c\n\nWords.\n\n"
_MATTER = f"c\n---\n\n{_WORDS * 9}"
_TABLE = r"{\rtf1\ansi\trowd\pard\intbl "

_plain("text_open_fences", ".txt", 300_000, "```a\n\nword\n\n")
_plain("text_chinese_without_stops", ".txt", 4_000_000, "水")
_plain("text_thai", ".txt", 4_000_000, "น้ำ")
_plain("text_semicolons", ".txt", 12_000_000, ";")
_plain("text_words_and_semicolons", ".txt", 4_000_000, "word; ")
_plain("text_without_spaces", ".txt", 12_000_000, "a")
_plain("text_bullets", ".txt", 4_000_000, "- a\n")
_plain("text_short_lines", ".txt", 15_000_000, "a\n")
_plain("text_short_paragraphs", ".txt", 5_000_000, "a\n\n")
_plain("text_full_stops", ".txt", 12_000_000, ". ")
_plain("text_sentences", ".txt", 4_000_000, "A b c d. ")
_plain("text_closings", ".txt", 300_000, "Regards\n\n\n", before=2 * _HEADER)
_plain("front_matter_spaces", ".md", 200_000, " ", "---\ntitle: a\nb", _MATTER)
_plain("front_matter_value_spaces", ".md", 200_000, " ", "---\ntitle: a", _MATTER)
_plain("front_matter_lines", ".md", 300_000, "a: b\n", "---\n", f"---\n\n{_WORDS * 9}")
_plain("markdown_brackets", ".md", 200_000, "[", "", f"\n\n{_WORDS * 9}")
_plain("markdown_quotes", ".md", 100_000, "> ", "", f"{_WORDS * 9}")
_plain("markdown_items", ".md", 300_000, "- a\n", "", f"\n\n{_WORDS * 9}")
_plain("rst_substitutions", ".rst", 100_000, "|a| ", f".. |a| replace:: {_WORDS * 50}\n\n")
_plain("csv_rows", ".csv", 1_500_000, "1,a b c d e f\n", "id,text\n")
_plain("csv_columns", ".csv", _MILLION, "a,", "", f"\n{_WORDS}")
_plain("csv_quote", ".csv", 12_000_000, '"', "id,text\n1,")
_plain("json_nested", ".json", _MILLION, "[")
_plain("json_nested_rows", ".jsonl", 100_000, '{"a":')
_plain("rtf_cells", ".rtf", _MILLION, "\\cell 1", _TABLE, r"\row\pard Words.}")
_plain("rtf_groups", ".rtf", _MILLION, "{", r"{\rtf1\ansi ")
_plain("rtf_paragraphs", ".rtf", _MILLION, r"a\par ", r"{\rtf1\ansi ", "}")


# Mail


_MESSAGE = "From: a@example.org\nTo: b@example.org\nSubject: Pumps\nMIME-Version: 1.0\n"


@_attack(".eml", 100_000)
def mail_quoted_parameter(size: int) -> bytes:
    """A Content-Type whose parameter is quoted, and full of semicolons."""
    kind = f'Content-Type: text/plain; a="{";" * size}"; charset=utf-8\n'
    return f"{_MESSAGE}{kind}\n{_WORDS * 9}".encode()


@_attack(".eml", 100_000)
def mail_parameters(size: int) -> bytes:
    """A Content-Type of very many parameters."""
    kind = "Content-Type: text/plain" + "".join(f"; a{i}*0=b" for i in range(size))
    return f"{_MESSAGE}{kind}\n\n{_WORDS * 9}".encode()


@_attack(".eml", 300_000)
def mail_quotation_marks(size: int) -> bytes:
    """A line that is quoted very often."""
    return f"{_MESSAGE}\n{_WORDS * 9}\n{'> ' * size}{_WORDS}\n".encode()


@_attack(".eml", _MANY)
def mail_depths(size: int) -> bytes:
    """Lines each of which is quoted once more than the one before."""
    most = 300
    lines = "\n".join(f"{'>' * (number % most)} {_WORDS}" for number in range(size))
    return f"{_MESSAGE}\n{_WORDS * 9}\n{lines}\n".encode()


@_attack(".eml", 90, 0)
def mail_alternatives(size: int) -> bytes:
    """Alternatives inside alternatives, each of which could be the text."""
    page = f"<p>{_WORDS * 2_000}</p>"
    body = f"Content-Type: text/html\n\n{page}\n"
    for number in range(size):
        mark = f"b{number}"
        body = (
            f'Content-Type: multipart/alternative; boundary="{mark}"\n\n--{mark}\n'
            f"Content-Type: text/plain\n\n{_WORDS * 2_000}\n--{mark}\n{body}--{mark}--\n"
        )
    return f"{_MESSAGE}{body}".encode()


@_attack(".eml", _MANY)
def mail_brackets_in_sender(size: int) -> bytes:
    """A sender's name of nested brackets."""
    nested = "(" * size
    message = _MESSAGE.replace("From: a", f"From: {nested}a")
    return f"{message}\n{_WORDS * 9}".encode()


@_attack(".eml", 1, 0)
def mail_with_nul(size: int) -> bytes:
    """Zero bytes in headers."""
    nul = "\0" * size
    return (
        f"From: a{nul}@example.org\nTo: b\nSubject: =?utf-8?q?P=00umps{nul}?=\n"
        f"Date: Mon, 1 May 2020 10:00:00 +{nul}0000\n"
        f'Content-Type: text/plain; charset="utf{nul}-8"; format="{nul}"\n'
        f"Content-Disposition: inline; filename*=utf{nul}-8''a%00\n\n{_WORDS * 9}"
    ).encode()


def _mail_in(charset: str, size: int) -> bytes:
    word = f"=?{charset}?q?{'xn--' + 'a' * size}?="
    return (
        f"From: {word} <a@example.org>\nTo: b\nSubject: {word}\nMIME-Version: 1.0\n"
        f'Content-Type: multipart/mixed; boundary="x"\n\n--x\nContent-Type: text/plain; '
        f"charset={charset}\n\n{_WORDS * 9}\n--x\nContent-Type: image/png; name*={charset}''a%ff\n"
        f"Content-Disposition: attachment; filename*={charset}''{'%ff' * 50}\n\na\n--x--\n"
    ).encode()


@_attack(".eml", 1_500, 0)
def mail_in_idna(size: int) -> bytes:
    """Names in an encoding that is meant for hosts."""
    return _mail_in("idna", size)


@_attack(".eml", 1_500, 0)
def mail_in_punycode(size: int) -> bytes:
    """Names in an encoding whose decoding takes the square of the length."""
    return _mail_in("punycode", size)


# PDF


_FONT = b"/Font << /F 5 0 R >>"


def _pdf(objects: list[bytes], after: bytes = b"") -> bytes:
    numbered = [b"%d 0 obj\n%s\nendobj\n" % pair for pair in enumerate(objects, 1)]
    return b"%PDF-1.4\n" + b"".join(numbered) + after + b"trailer << /Root 1 0 R >>\n%%EOF\n"


def _stream(entries: bytes, data: bytes, *, packed: bool = False) -> bytes:
    if packed:
        data, entries = zlib.compress(data), entries + b" /Filter /FlateDecode"
    return b"<< %s /Length %d >>\nstream\n%s\nendstream" % (entries, len(data), data)


def _drawn(lines: int) -> bytes:
    line = b"BT /F 12 Tf 72 700 Td (Water runs down the hill.) Tj ET\n"
    return line * lines


def _pages(count: int, contents: bytes, stream: bytes) -> bytes:
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] %s /Resources << %s >> >>"
    kids = b" ".join(b"%d 0 R" % (6 + number) for number in range(count))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, count),
        b"<< >>",
        stream,
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        *[page % (contents, _FONT)] * count,
    ]
    return _pdf(objects)


def pdf_of_lines(*lines: str) -> bytes:
    """A page of these lines, in letters of ASCII without brackets."""
    drawn = (
        b"BT /F 12 Tf 72 %d Td (%s) Tj ET\n" % (700 - 16 * number, line.encode())
        for number, line in enumerate(lines)
    )
    return _pages(1, b"/Contents 4 0 R", _stream(b"", b"".join(drawn)))


@_attack(".pdf", 20_000, 2)
def pdf_contents_repeated(size: int) -> bytes:
    """A page that draws the same stream again and again."""
    contents = b"/Contents [%s]" % (b"4 0 R " * size)
    return _pages(1, contents, _stream(b"", _drawn(1_000), packed=True))


@_attack(".pdf", 400, 4)
def pdf_one_stream_on_all_pages(size: int) -> bytes:
    """Pages that all draw one very long stream."""
    return _pages(
        size, b"/Contents 4 0 R", _stream(b"", _drawn(100_000 if size > 99 else 200), packed=True)
    )


@_attack(".pdf", 20_000, 300)
def pdf_struck_words(size: int) -> bytes:
    """Rows of words, each struck through."""
    word = b"BT /F 2 Tf %.1f %.1f Td (ab) Tj ET %.1f %.1f m %.1f %.1f l S\n"
    places = ((n % 250 * 2.4, 780 - n // 250 * 2.5) for n in range(size))
    drawn = b"".join(word % (x, y, x, y + 0.6, x + 2.1, y + 0.6) for x, y in places)
    return _pages(1, b"/Contents 4 0 R", _stream(b"", b"0.2 w\n" + drawn))


@_attack(".pdf", 300_000)
def pdf_empty_pages(size: int) -> bytes:
    """Pages without anything on them."""
    return _pages(size, b"", _stream(b"", b""))


@_attack(".pdf", _MANY)
def pdf_page_trees_after_encryption(size: int) -> bytes:
    """Marks of page trees, in no object, in a file that cannot be opened."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [] /Count 0 >>",
    ]
    tail = b"/Type /Pages " * size
    encrypted = b"trailer << /Root 1 0 R /Encrypt << /Filter /Other /V 9 >> >>\n%%EOF\n"
    return _pdf(objects).replace(b"trailer << /Root 1 0 R >>\n%%EOF\n", tail + encrypted)


@_attack(".pdf", 5_000, 0)
def pdf_page_count_of_many_digits(size: int) -> bytes:
    """A locked file whose page count has thousands of digits."""
    tree = b"1 0 obj\n<< /Type /Pages /Kids [] /Count %s >>\nendobj\n" % (b"9" * size)
    lock = b"trailer << /Root 1 0 R /Encrypt << /Filter /Other /V 9 /Length %s >> >>\n%%%%EOF\n"
    return b"%PDF-1.4\n" + tree + lock % (b"9" * size)


# Tables of corpora


def packed_table(size: int, suffix: str) -> bytes:
    """A compressed table whose one row is `size` bytes."""
    row = b'{"document": "' + b" " * size + b'"}' if "json" in suffix else b"id\n" + b"a" * size
    if suffix.endswith(".bz2"):
        return bz2.compress(row)
    if suffix.endswith(".xz"):
        return lzma.compress(row)
    packer = zlib.compressobj(wbits=31)
    return packer.compress(row) + packer.flush()
