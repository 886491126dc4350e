"""A summary as a Word document with real footnotes.

python-docx knows no footnotes, so their part is written here: a file of its own in the package,
which the document's text refers to by number.
"""

import io
import unicodedata
from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING, Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from core.export.parts import (
    MADE_HEADING,
    NO_SUPPORT,
    READ_HEADING,
    clean,
    doubt_lines,
    made_lines,
    passages,
    pieces,
    reading_lines,
    title_of,
)
from core.summaries.summary import Quotable, Summary, SummarySentence

if TYPE_CHECKING:
    from docx.document import Document as WordDocument
    from docx.opc.packuri import PackURI
    from docx.text.paragraph import Paragraph

_TO_THE_LEFT = ("R", "AL")  # directions of letters, in Unicode's words
_NAMESPACE = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_MARK = '<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:{tag}/></w:r>'
# Word asks for these two before any footnote of the author's own.
_SEPARATORS = "".join(
    f'<w:footnote w:type="{kind}" w:id="{number}"><w:p><w:r><w:{kind}/></w:r></w:p></w:footnote>'
    for kind, number in (("separator", -1), ("continuationSeparator", 0))
)


def render_docx(summary: Summary, document: Quotable, quotations: bool = True) -> bytes:
    """The summary as a Word document, the evidence in footnotes; no dates in it."""
    # Loaded here, so that the window starts without it.
    import docx

    word = docx.Document()
    _name(word, title_of(summary))
    _set_language(word, summary.read.language)
    _add_note_styles(word)
    word.add_heading(title_of(summary), 0)
    notes: list[str] = []
    _add_summary(word, summary, document, notes if quotations else None)
    if quotations:
        _add_footnotes(word, notes)
    return packed(word)


def render_docx_collection(
    title: str, items: Iterable[tuple[Summary, Quotable]], quotations: bool = True
) -> bytes:
    """Many summaries as one Word document; its contents lead to each, on a page of its own."""
    import docx

    word = docx.Document()
    _name(word, title)
    _set_language(word, "")
    _add_note_styles(word)
    word.add_heading(title, 0)
    word.add_heading("Contents", 1)
    end = word.add_paragraph()
    notes: list[str] = []
    for number, (summary, document) in enumerate(items, 1):
        _link_to(end.insert_paragraph_before(), f"summary-{number}", title_of(summary))
        heading = word.add_heading(title_of(summary), 1)
        heading.paragraph_format.page_break_before = True
        _mark(heading, number)
        _add_summary(word, summary, document, notes if quotations else None)
    if notes:
        _add_footnotes(word, notes)
    return packed(word)


def _add_summary(
    word: "WordDocument", summary: Summary, document: Quotable, notes: list[str] | None
) -> None:
    """Adds all of a summary but its title; its footnotes go to the list, if there is one."""
    for sentence in summary.sentences:
        paragraph = _written(word, sentence)
        if notes is not None:
            notes.append(_note(document, sentence))
            _refer(paragraph, len(notes))
    _add_section(word, READ_HEADING, reading_lines(summary))
    _add_section(word, MADE_HEADING, made_lines(summary, document))


def _link_to(paragraph: "Paragraph", bookmark: str, words: str) -> None:
    from docx.oxml.parser import parse_xml

    text = escape(words, quote=False)
    paragraph._p.append(
        parse_xml(
            f'<w:hyperlink xmlns:w="{_NAMESPACE}" w:anchor="{bookmark}" w:history="1">'
            f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:hyperlink>'
        )
    )


def _mark(heading: "Paragraph", number: int) -> None:
    from docx.oxml.parser import parse_xml

    where = f'xmlns:w="{_NAMESPACE}" w:id="{number}"'
    heading._p.insert(0, parse_xml(f'<w:bookmarkStart {where} w:name="summary-{number}"/>'))
    heading._p.append(parse_xml(f"<w:bookmarkEnd {where}/>"))


def _name(word: "WordDocument", title: str) -> None:
    """Title and author; the dates of python-docx's template are taken out."""
    properties = word.core_properties
    properties.title, properties.author, properties.comments = title[:255], "Epitome", ""
    element = word.part.package.core_properties._element
    for child in [*element]:
        if child.tag.endswith(("}created", "}modified")):
            element.remove(child)


def _set_language(word: "WordDocument", language: str) -> None:
    """Says what language the text is in; python-docx's template says American English."""
    (element,) = word.styles.element.xpath("w:docDefaults/w:rPrDefault/w:rPr/w:lang")
    if language:
        element.set(f"{{{_NAMESPACE}}}val", language)
    else:
        element.getparent().remove(element)


def _add_note_styles(word: "WordDocument") -> None:
    from docx.enum.style import WD_STYLE_TYPE
    from docx.shared import Pt

    text = word.styles.add_style("footnote text", WD_STYLE_TYPE.PARAGRAPH, builtin=True)
    text.element.set(f"{{{_NAMESPACE}}}styleId", "FootnoteText")
    text.font.size = Pt(9)
    mark = word.styles.add_style("footnote reference", WD_STYLE_TYPE.CHARACTER, builtin=True)
    mark.element.set(f"{{{_NAMESPACE}}}styleId", "FootnoteReference")
    mark.font.superscript = True


def _written(word: "WordDocument", sentence: SummarySentence) -> "Paragraph":
    """The sentence, and before it who says it; what is doubtful in it has dots under it."""
    from docx.enum.text import WD_UNDERLINE

    paragraph = word.add_paragraph()
    if sentence.voice:
        paragraph.add_run(f"{clean(sentence.voice)}: ").bold = True
    for words, doubt in pieces(sentence):
        run = paragraph.add_run(words)
        if doubt:
            run.underline = WD_UNDERLINE.DOTTED
    return paragraph


def _set_direction(paragraph: "Paragraph") -> None:
    """Sets a paragraph of Arabic or Hebrew from right to left: Word does not look by itself."""
    from docx.oxml import OxmlElement

    directions = map(unicodedata.bidirectional, paragraph.text)
    if next((each for each in directions if each in ("L", *_TO_THE_LEFT)), "L") == "L":
        return
    paragraph._p.get_or_add_pPr().append(OxmlElement("w:bidi"))
    for run in paragraph.runs:
        run.font.rtl = True


def _refer(paragraph: "Paragraph", number: int) -> None:
    from docx.oxml.parser import parse_xml

    run = _MARK.format(tag=f'footnoteReference w:id="{number}"')
    paragraph._p.append(parse_xml(run.replace("<w:r>", f'<w:r xmlns:w="{_NAMESPACE}">', 1)))


def _add_section(word: "WordDocument", heading: str, lines: list[str]) -> None:
    word.add_heading(heading, 2)
    for line in lines:
        word.add_paragraph(line)


def _note(document: Quotable, sentence: SummarySentence) -> str:
    found = passages(document, sentence)
    quotes = "; ".join(f"{item.place}: “{item.quotation}”" for item in found)
    return " ".join((quotes or NO_SUPPORT, *doubt_lines(sentence)))


def _add_footnotes(word: "WordDocument", notes: list[str]) -> None:
    from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
    from docx.opc.packuri import PackURI
    from docx.opc.part import Part

    xml = (
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
        f'<w:footnotes xmlns:w="{_NAMESPACE}">{_SEPARATORS}'
        + "".join(_footnote(number, note) for number, note in enumerate(notes, 1))
        + "</w:footnotes>"
    )
    part: Any = Part(
        PackURI("/word/footnotes.xml"),
        CONTENT_TYPE.WML_FOOTNOTES,
        xml.encode(),
        word.part.package,
    )
    word.part.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)


def _footnote(number: int, note: str) -> str:
    text = escape(note, quote=False)
    return (
        f'<w:footnote w:id="{number}"><w:p><w:pPr><w:pStyle w:val="FootnoteText"/></w:pPr>'
        + _MARK.format(tag="footnoteRef")
        + f'<w:r><w:t xml:space="preserve"> {text}</w:t></w:r></w:p></w:footnote>'
    )


class _MemberWriter:
    """Writer of the members of a package, each with the same date.

    python-docx's own takes the date from the clock, and a clock before 1980 or after 2107 is none
    that a ZIP file can hold.
    """

    def __init__(self, archive: ZipFile) -> None:
        self._archive = archive

    def write(self, pack_uri: "PackURI", blob: bytes) -> None:
        self._archive.writestr(ZipInfo(pack_uri.membername), blob, ZIP_DEFLATED)


def packed(word: "WordDocument") -> bytes:
    """Returns the file; the same document gives the same bytes at any time."""
    from docx.opc.pkgwriter import PackageWriter

    for paragraph in word.paragraphs:
        _set_direction(paragraph)
    package, file = word.part.package, io.BytesIO()
    for part in package.parts:
        part.before_marshal()
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        pack: Any = PackageWriter  # without types
        members = _MemberWriter(archive)
        pack._write_content_types_stream(members, package.parts)
        pack._write_pkg_rels(members, package.rels)
        pack._write_parts(members, package.parts)
    return file.getvalue()
