"""Word files made in memory, part by part, so that a test shows what is in them."""

import zipfile
from io import BytesIO

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_MORE = (
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
)


def word_file(body: str, **parts: str) -> bytes:
    """The bytes of a .docx.

    Args:
        body: The XML inside the body.
        **parts: The XML inside the root of further parts, such as ``styles`` or ``footnotes``.
    """
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(
            "word/document.xml",
            f"<w:document {_W} {_MORE}><w:body>{body}</w:body></w:document>",
        )
        for name, inner in parts.items():
            file.writestr(f"word/{name}.xml", f"<w:{name} {_W}>{inner}</w:{name}>")
    return packed.getvalue()


def paragraph(text: str, style: str = "", properties: str = "", run: str = "") -> str:
    """A paragraph of one run."""
    style = f'<w:pStyle w:val="{style}"/>' if style else ""
    run = f"<w:rPr>{run}</w:rPr>" if run else ""
    return (
        f"<w:p><w:pPr>{style}{properties}</w:pPr>"
        f'<w:r>{run}<w:t xml:space="preserve">{text}</w:t></w:r></w:p>'
    )


def style(key: str, name: str, inner: str = "") -> str:
    """A paragraph style."""
    return (
        f'<w:style w:type="paragraph" w:styleId="{key}"><w:name w:val="{name}"/>{inner}</w:style>'
    )


def in_list(number: int, level: int) -> str:
    """The properties of a paragraph in a list."""
    return f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>'


def list_level(level: int, number_format: str, text: str) -> str:
    """One level of a list's definition."""
    return (
        f'<w:lvl w:ilvl="{level}"><w:start w:val="1"/><w:numFmt w:val="{number_format}"/>'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
    )
