"""PDF files with Chinese or Japanese, in a font whose signs are all one square."""

import io
from collections.abc import Sequence

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

from tests.helpers.raw_pdf import raw_pdf, stream

Run = tuple[float, float, str]
"""Left edge, the height of the upper edge or the baseline, and text."""

SIZE = 12


def downwards(
    runs: Sequence[Run], *, one_by_one: bool = False, across: Sequence[Run] = ()
) -> bytes:
    """A page of columns.

    Args:
        runs: The columns, by their left and upper edges.
        one_by_one: True to draw each letter by itself, as browsers do.
        across: Lines that run from left to right.

    Returns:
        The file.
    """
    pieces = [*across]
    if one_by_one:
        pieces += [
            (x, top - SIZE * (row + 1), char)
            for x, top, text in runs
            for row, char in enumerate(text)
        ]
        runs = []
    return _page([(x + SIZE / 2, top, text) for x, top, text in runs], pieces)


def rightwards(runs: Sequence[Run]) -> bytes:
    """A page of lines, by their left edges and baselines."""
    return _page([], runs)


def _page(columns: Sequence[Run], lines: Sequence[Run]) -> bytes:
    chars = sorted({char for _, _, text in (*columns, *lines) for char in text})
    numbers = {char: number for number, char in enumerate(chars, 1)}
    content = "".join(
        f"BT /{font} {SIZE} Tf 1 0 0 1 {x} {y} Tm "
        f"<{''.join(f'{numbers[char]:04X}' for char in text)}> Tj ET\n"
        for font, runs in (("V", columns), ("H", lines))
        for x, y, text in runs
    )
    mapping = "".join(
        f"1 beginbfchar <{numbers[char]:04X}> <{char.encode('utf-16-be').hex()}> endbfchar\n"
        for char in chars
    )
    cmap = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def\n"
        f"1 begincodespacerange <0000> <FFFF> endcodespacerange\n{mapping}endcmap end end"
    )
    font = _font(len(chars))
    both = (
        b"/Type /Font /Subtype /Type0 /BaseFont /Squares /DescendantFonts [8 0 R] /ToUnicode 10 0 R"
    )
    objects = [
        b"<< %s /Encoding /Identity-V >>" % both,  # 6
        b"<< %s /Encoding /Identity-H >>" % both,
        b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Squares /CIDToGIDMap /Identity"  # 8
        b" /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 1000"
        b" /FontDescriptor 9 0 R >>",
        b"<< /Type /FontDescriptor /FontName /Squares /Flags 4 /FontBBox [0 -120 1000 880]"
        b" /ItalicAngle 0 /Ascent 880 /Descent -120 /StemV 80 /CapHeight 700 /FontFile2 11 0 R >>",
        stream(b"", cmap.encode()),  # 10
        stream(b"/Length1 %d" % len(font), font),
    ]
    data = raw_pdf(content.encode(), objects=objects)
    return data.replace(b"/F 5 0 R >>", b"/F 5 0 R /V 6 0 R /H 7 0 R >>")


def _font(count: int) -> bytes:
    """A TrueType font of some squares."""
    pen = TTGlyphPen(None)
    pen.moveTo((50, -100))
    for corner in ((50, 800), (950, 800), (950, -100)):
        pen.lineTo(corner)
    pen.closePath()
    names = [".notdef", *(f"square{number}" for number in range(count))]
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({0xE000 + number: name for number, name in enumerate(names)})
    builder.setupGlyf(dict.fromkeys(names, pen.glyph()))
    builder.setupHorizontalMetrics(dict.fromkeys(names, (1000, 50)))
    builder.setupHorizontalHeader(ascent=880, descent=-120)
    builder.setupNameTable({"familyName": "Squares", "styleName": "Regular"})
    builder.setupOS2(sTypoAscender=880, sTypoDescender=-120)
    builder.setupPost()
    buffer = io.BytesIO()
    builder.save(buffer)
    return buffer.getvalue()
