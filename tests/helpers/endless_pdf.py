"""A PDF of one page that nobody can read to its end: 10^14 drawings in drawings."""

_DEEP, _TIMES = 10, 20
_FONT = b"/Font << /F 5 0 R >>"


def endless_pdf() -> bytes:
    """The file, of four kilobytes."""
    text = b"BT /F 12 Tf 72 700 Td (Water runs down the hill.) Tj ET\n"
    draw = b"/X Do\n" * _TIMES
    page = b"/Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< %s /Resources << %s /XObject << /X 6 0 R >> >> >>" % (page, _FONT),
        _stream(b"", text + draw),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number in range(6, 6 + _DEEP):
        inner = b"/XObject << /X %d 0 R >>" % (number + 1)
        form = b"/Type /XObject /Subtype /Form /BBox [0 0 612 792]"
        objects.append(_stream(form + b" /Resources << %s %s >>" % (_FONT, inner), draw))
    objects.append(_stream(b"/Type /XObject /Subtype /Form /BBox [0 0 612 792]", text))
    numbered = [b"%d 0 obj\n%s\nendobj\n" % pair for pair in enumerate(objects, 1)]
    return b"%PDF-1.4\n" + b"".join(numbered) + b"trailer << /Root 1 0 R >>\n%%EOF\n"


def _stream(entries: bytes, data: bytes) -> bytes:
    return b"<< %s /Length %d >>\nstream\n%s\nendstream" % (entries, len(data), data)
