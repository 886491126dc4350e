"""Word files made in memory, part by part, so that a test shows what is in them."""

import zipfile
from io import BytesIO

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_MORE = (
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    f'xmlns:r="{_RELATIONS}" xmlns:v="urn:schemas-microsoft-com:vml" '
    'xmlns:o="urn:schemas-microsoft-com:office:office" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"'
)


def word_file(body: str, drawn: dict[str, tuple[str, str]] | None = None, **parts: str) -> bytes:
    """The bytes of a .docx.

    Args:
        body: The XML inside the body.
        drawn: By their ids the kinds ("chart", "diagramData") and whole XML of drawn parts.
        **parts: The XML inside the root of further parts, such as ``styles`` or ``footnotes``.
    """
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(
            "word/document.xml",
            f"<w:document {_W} {_MORE}><w:body>{body}</w:body></w:document>",
        )
        for key, (_, xml) in (drawn or {}).items():
            file.writestr(f"word/drawn/{key}.xml", xml)
        links = "".join(
            f'<Relationship Id="{key}" Type="{_RELATIONS}/{kind}" Target="drawn/{key}.xml"/>'
            for key, (kind, _) in (drawn or {}).items()
        )
        file.writestr("word/_rels/document.xml.rels", f"<Relationships>{links}</Relationships>")
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


def lines(*runs: str) -> str:
    """A paragraph of runs."""
    return f"<w:p>{''.join(runs)}</w:p>"


def run(text: str, properties: str = "") -> str:
    """A run of text; a line feed stands for a line break."""
    inner = "<w:br/>".join(f'<w:t xml:space="preserve">{line}</w:t>' for line in text.split("\n"))
    return f"<w:r><w:rPr>{properties}</w:rPr>{inner}</w:r>"


def in_font(text: str, font: str) -> str:
    """A run in a font."""
    return run(text, f'<w:rFonts w:ascii="{font}" w:hAnsi="{font}"/>')


def sign(font: str, code: str) -> str:
    """A sign by its code in hexadecimal."""
    return f'<w:r><w:sym w:font="{font}" w:char="{code}"/></w:r>'


def field(code: str, result: str = "", form: str = "") -> str:
    """A field with the runs of its code and result; without a result no separator is there.

    Args:
        code: Its code, or runs in which it is.
        result: The runs of its result.
        form: What it says of a form's entry.
    """

    def mark(kind: str, inner: str = "") -> str:
        return f'<w:r><w:fldChar w:fldCharType="{kind}">{inner}</w:fldChar></w:r>'

    data = f"<w:ffData>{form}</w:ffData>" if form else ""
    code = code if code.startswith("<") else f"<w:r><w:instrText>{code}</w:instrText></w:r>"
    shown = mark("separate") + result if result else ""
    return mark("begin", data) + code + shown + mark("end")
