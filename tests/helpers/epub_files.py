"""E-books made in memory, so that a test shows what is in them."""

from tests.helpers.archives import packed

_CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/>'
    "</rootfiles></container>"
)


def page(body: str, more: str = "") -> str:
    """An XHTML page."""
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">'
        f"<head><title/></head><body {more}>{body}</body></html>"
    )


def epub_file(
    pages: dict[str, str],
    *,
    spine: list[str] | None = None,
    title: str = "Of Pumps",
    nav: str = "",
    ncx: str = "",
    guide: str = "",
    **parts: str | bytes,
) -> bytes:
    """The bytes of an .epub.

    Args:
        pages: The body of each page by its name in the folder `text`; a whole page where it
            begins with a declaration.
        spine: Names of pages in reading order; their own order where it is left out.
        title: The book's title.
        nav: The body of its navigation page; none where it is empty.
        ncx: The points of its old table of contents; none where it is empty.
        guide: What stands inside the package's guide.
        **parts: Further parts by name, or other contents for those above.
    """
    names = list(pages) if spine is None else spine
    items = "".join(
        f'<item id="{name}" href="text/{name}.xhtml" media-type="application/xhtml+xml"/>'
        for name in pages
    )
    if nav:
        items += '<item id="nav" href="nav.xhtml" properties="nav"/>'
    if ncx:
        items += '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0">'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<dc:title>{title}</dc:title></metadata><manifest>{items}</manifest><spine>"
        + "".join(f'<itemref idref="{name}"/>' for name in names)
        + f"</spine><guide>{guide}</guide></package>"
    )
    written: dict[str, str | bytes] = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": _CONTAINER,
        "OEBPS/book.opf": package,
    }
    for name, body in pages.items():
        written[f"OEBPS/text/{name}.xhtml"] = body if body.startswith("<?xml") else page(body)
    if nav:
        written["OEBPS/nav.xhtml"] = page(nav)
    if ncx:
        written["OEBPS/toc.ncx"] = (
            '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap>' + ncx + "</navMap></ncx>"
        )
    return packed(written | parts)


def nav_point(label: str, link: str, inner: str = "") -> str:
    """An entry of an old table of contents."""
    return (
        f'<navPoint><navLabel><text>{label}</text></navLabel><content src="{link}"/>{inner}'
        "</navPoint>"
    )


def nav_list(*entries: tuple[str, str]) -> str:
    """A navigation page of these labels and links."""
    items = "".join(f'<li><a href="{link}">{label}</a></li>' for label, link in entries)
    return f'<nav epub:type="toc"><h2>Contents</h2><ol>{items}</ol></nav>'


def encrypted(part: str, algorithm: str) -> str:
    """The list of encrypted parts, with one of them."""
    return (
        '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" '
        'xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData>'
        f'<enc:EncryptionMethod Algorithm="{algorithm}"/><enc:CipherData>'
        f'<enc:CipherReference URI="{part}"/></enc:CipherData></enc:EncryptedData></encryption>'
    )
