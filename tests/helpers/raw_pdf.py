"""PDF files of one page, written operator by operator."""

from collections.abc import Sequence

OBJECTS = 6
"""The number of the first object that a caller adds."""


def stream(entries: bytes, data: bytes) -> bytes:
    """An object with data."""
    return b"<< %s /Length %d >>\nstream\n%s\nendstream" % (entries, len(data), data)


def raw_pdf(
    content: bytes,
    *,
    resources: bytes = b"",
    objects: Sequence[bytes] = (),
    catalog: bytes = b"",
    page: bytes = b"/MediaBox [0 0 612 792]",
) -> bytes:
    """A file with one page, in whose resources /F is Helvetica.

    Args:
        content: Its operators.
        resources: Further entries of its resources.
        objects: Further objects, numbered from `OBJECTS`.
        catalog: Further entries of the document's catalog.
        page: Further entries of the page.

    Returns:
        The file.
    """
    used = b"/Font << /F 5 0 R >> " + resources
    all_objects = [
        b"<< /Type /Catalog /Pages 2 0 R %s >>" % catalog,
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R %s /Contents 4 0 R /Resources << %s >> >>" % (page, used),
        stream(b"", content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        *objects,
    ]
    numbered = [b"%d 0 obj\n%s\nendobj\n" % pair for pair in enumerate(all_objects, 1)]
    return b"%PDF-1.7\n" + b"".join(numbered) + b"trailer << /Root 1 0 R >>\n%%EOF\n"


def line(text: str, y: int, size: float = 12, before: str = "") -> bytes:
    """A line of text, after other operators of the text object."""
    return f"BT /F {size} Tf {before} 72 {y} Td ({text}) Tj ET\n".encode()
