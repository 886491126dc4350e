"""OpenDocument texts made in memory, so that a test shows what is in them."""

from tests.helpers.archives import packed

_ODF = "urn:oasis:names:tc:opendocument:xmlns"
_NAMES = " ".join(
    (
        *(
            f'xmlns:{short}="{_ODF}:{long}:1.0"'
            for short, long in (
                *(("office", "office"), ("text", "text"), ("table", "table"), ("style", "style")),
                *(("draw", "drawing"), ("fo", "xsl-fo-compatible"), ("svg", "svg-compatible")),
                *(("meta", "meta"), ("chart", "chart")),
            )
        ),
        'xmlns:field="urn:openoffice:names:experimental:ooo-ms-interop:xmlns:field:1.0"',
        'xmlns:xlink="http://www.w3.org/1999/xlink"',
        'xmlns:dc="http://purl.org/dc/elements/1.1/"',
        'xmlns:math="http://www.w3.org/1998/Math/MathML"',
        'xmlns:loext="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0"',
    )
)
TEXT_TYPE = "application/vnd.oasis.opendocument.text"


def odt_file(body: str, *, styles: str = "", lists: str = "", **parts: str) -> bytes:
    """The bytes of an .odt.

    Args:
        body: The XML inside `office:text`.
        styles: Automatic styles.
        lists: What stands among the common styles of `styles.xml`: list styles, the outline.
        **parts: Further parts by name, a dot written as two underscores ("meta__xml").
    """
    written = {
        "mimetype": TEXT_TYPE,
        "content.xml": odf_root("document-content", odf_body(body, styles)),
        "styles.xml": odf_root("document-styles", f"<office:styles>{lists}</office:styles>"),
    }
    return packed(written | {name.replace("__", "."): text for name, text in parts.items()})


def flat_file(body: str) -> bytes:
    """The bytes of an .fodt."""
    head = f'<?xml version="1.0" encoding="UTF-8"?>\n<office:document {_NAMES} '
    return f'{head}office:mimetype="{TEXT_TYPE}">{odf_body(body)}</office:document>'.encode()


def odf_root(name: str, inner: str) -> str:
    """A part whose root is one of the office elements."""
    return f"<office:{name} {_NAMES}>{inner}</office:{name}>"


def odf_body(body: str, styles: str = "") -> str:
    """Automatic styles and a text's body."""
    return (
        f"<office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:text>{body}</office:text></office:body>"
    )


def paragraph(inner: str, style: str = "Standard") -> str:
    """A paragraph."""
    return f'<text:p text:style-name="{style}">{inner}</text:p>'


def heading(inner: str, level: int = 1) -> str:
    """A heading."""
    return f'<text:h text:outline-level="{level}">{inner}</text:h>'


def note(inner: str, kind: str = "footnote") -> str:
    """A footnote or endnote."""
    return (
        f'<text:note text:note-class="{kind}"><text:note-citation>1</text:note-citation>'
        f"<text:note-body>{paragraph(inner)}</text:note-body></text:note>"
    )


def style(name: str, inner: str = "", **attributes: str) -> str:
    """A paragraph style; attributes of `style:` such as ``parent_style_name``."""
    written = {"family": "paragraph", **attributes}
    said = " ".join(f'style:{key.replace("_", "-")}="{value}"' for key, value in written.items())
    return f'<style:style style:name="{name}" {said}>{inner}</style:style>'


def list_style(name: str, *levels: str) -> str:
    """A list style of these levels, such as `list_level` gives."""
    return f'<text:list-style style:name="{name}">{"".join(levels)}</text:list-style>'


def list_level(level: int, form: str, suffix: str = ".", shown: int = 1, prefix: str = "") -> str:
    """One level of a list style; without a form it has bullets."""
    if not form:
        return f'<text:list-level-style-bullet text:level="{level}" text:bullet-char="•"/>'
    return (
        f'<text:list-level-style-number text:level="{level}" style:num-format="{form}" '
        f'style:num-prefix="{prefix}" style:num-suffix="{suffix}" text:display-levels="{shown}"/>'
    )


def items(*contents: str, style: str = "", more: str = "") -> str:
    """A list of these items' contents."""
    named = f' text:style-name="{style}"' if style else ""
    inner = "".join(f"<text:list-item>{content}</text:list-item>" for content in contents)
    return f"<text:list{named} {more}>{inner}</text:list>"


def table(*rows: str) -> str:
    """A table of rows such as `row` gives."""
    return f"<table:table>{''.join(rows)}</table:table>"


def row(*cells: str, more: str = "") -> str:
    """A table row; each cell is its text."""
    inner = "".join(f"<table:table-cell>{paragraph(cell)}</table:table-cell>" for cell in cells)
    return f"<table:table-row {more}>{inner}</table:table-row>"
