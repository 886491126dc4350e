"""Signs in PDF files: of formulas, which may be known only by their place in TeX's typefaces, and
within names and pairs of words that the end of a line parts."""

import numpy as np
import pytest

from core.documents.document import Document, Source
from core.documents.readers.pdf import read_pdf
from core.documents.readers.pdf_layout.glyphs import _EXTENSION, _MONO, _known_codes
from core.documents.readers.pdf_layout.hyphens import Hyphenation
from core.events import result_of
from core.stop import StopToken
from tests.helpers import pdf_maker

_SIZE, _HUNG = 11, 6.0  # points


def in_faces(pieces: list[tuple[str, str, float]]) -> bytes:
    """A page with one line: each piece's text, its typeface, and by how much it is raised.

    What is raised far is large, and hangs from there.
    """
    faces = sorted({face for _, face, _ in pieces})
    numbers = {face: number for number, face in enumerate(faces, 5)}
    fonts = b" ".join(b"/F%d %d 0 R" % (number, number) for number in numbers.values())
    shown = "".join(
        f"/F{numbers[face]} {7 if 0 < rise < _HUNG else _SIZE} Tf {rise} Ts ({text}) Tj "
        for text, face, rise in pieces
    )
    contents = b"BT 72 700 Td %s ET" % shown.encode()
    # What TeX strikes a sign out with has no width.
    widths = b" ".join(b"0" if code == ord("6") else b"500" for code in range(127))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
        b" /Resources << /Font << %s >> >> >>" % fonts,
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(contents), contents),
        *(
            b"<< /Type /Font /Subtype /Type1 /BaseFont /%s /FirstChar 0 /LastChar 126"
            b" /Widths [%s] >>" % (face.encode(), widths)
            for face in faces
        ),
    ]
    numbered = [b"%d 0 obj\n%s\nendobj\n" % pair for pair in enumerate(objects, 1)]
    return b"%PDF-1.4\n" + b"".join(numbered) + b"trailer << /Root 1 0 R >>\n%%EOF\n"


def read(data: bytes) -> Document:
    return result_of(read_pdf(data, Source("file.pdf"), StopToken()))


@pytest.mark.parametrize("face", ["ABCDEF+CMSY10", "CMSY7", "ABCDEF+LMMathSymbols10-Regular"])
def test_signs_of_formulas_are_what_is_seen_not_letters_and_digits(face: str) -> None:
    data = in_faces(
        [
            ("For all d ", "Times-Roman", 0),
            ("6", face, 0),
            ("= 0 the norm ", "Times-Roman", 0),
            ("k", face, 0),
            ("x", "Times-Roman", 0),
            ("k", face, 0),
            (" takes ", "Times-Roman", 0),
            ("b", face, 0),
            ("log n", "Times-Roman", 0),
            ("c", face, 0),
            (" steps.", "Times-Roman", 0),
        ]
    )
    assert read(data).text == "For all d ≠ 0 the norm ‖x‖ takes ⌊log n⌋ steps."


def test_a_prime_is_no_power() -> None:
    data = in_faces(
        [
            ("The value of v", "Times-Roman", 0),
            ("0", "ABCDEF+CMSY7", 4),
            (" is less than v", "Times-Roman", 0),
            ("0", "Times-Roman", 4),
            (".", "Times-Roman", 0),
        ]
    )
    assert read(data).text == "The value of v′ is less than v⁰."


def test_sums_and_products_are_no_letters() -> None:
    data = in_faces(
        [
            ("The sums ", "Times-Roman", 0),
            ("P", "ABCDEF+CMEX10", 0.75 * _SIZE),
            ("x and ", "Times-Roman", 0),
            ("X", "ABCDEF+CMEX10", 0.95 * _SIZE),
            ("y and the product ", "Times-Roman", 0),
            ("Q", "ABCDEF+CMEX10", 0.75 * _SIZE),
            ("z are finite; braces are ", "Times-Roman", 0),
            ("{|}", "ABCDEF+CMSY10", 0),
            (".", "Times-Roman", 0),
        ]
    )
    text = "The sums ∑x and ∑y and the product ∏z are finite; braces are {|}."
    assert read(data).text == text


def test_large_brackets_of_formulas_stand_where_they_are_seen() -> None:
    """Still larger ones are drawn in pieces, which are no letters."""
    data = in_faces(
        [
            ("It takes O", "Times-Roman", 0),
            ("h", "ABCDEF+CMEX10", 1.11 * _SIZE),
            ("log n", "Times-Roman", 0),
            ("i", "ABCDEF+CMEX10", 1.11 * _SIZE),
            (" steps, or ", "Times-Roman", 0),
            ("0", "ABCDEF+CMEX10", _SIZE),
            ("n", "Times-Roman", 0),
            ("1", "ABCDEF+CMEX10", _SIZE),
            (" and ", "Times-Roman", 0),
            ("$", "ABCDEF+CMEX10", 1.71 * _SIZE),
            ("k", "Times-Roman", 0),
            ("%", "ABCDEF+CMEX10", 1.71 * _SIZE),
            (" with a heap.", "Times-Roman", 0),
        ]
    )
    assert read(data).text == "It takes O[log n] steps, or n and ⌊k⌋ with a heap."


def test_brackets_that_have_the_codes_of_control_characters_are_brackets() -> None:
    codes = np.array([0, 1, 8, 9, 10, 13, 16, 23, 31], np.uint32)
    face = np.full(len(codes), _EXTENSION)
    known = _known_codes(codes, np.full(len(codes), True), face)
    assert "".join(map(chr, known)) == "(){}⟨‖(⌋\\"


def test_letters_of_other_faces_stay() -> None:
    data = in_faces([("Some kinds of k and b and P: v", "Times-Roman", 0), ("0", "Helvetica", 4)])
    assert read(data).text == "Some kinds of k and b and P: v⁰"


@pytest.mark.parametrize(
    ("face", "is_mono"),
    [
        (b"ABCDEF+NimbusMonL-Regu", True), (b"NimbusMonL-Bold", True), (b"txtt", True),
        (b"Courier", True), (b"SourceCodePro-Regular", True), (b"NimbusRomNo9L-Regu", False),
        (b"Montserrat", False), (b"Times-Roman", False),
    ],
)  # fmt: skip
def test_faces_of_equally_wide_letters_are_known_by_their_names(face: bytes, is_mono: bool) -> None:
    assert bool(_MONO.search(face)) is is_mono


@pytest.mark.parametrize(
    ("before", "after", "whole"),
    [
        ("one may not exceed ASN1_MAX_", "NAME_SIZE characters.", "ASN1_MAX_NAME_SIZE"),
        ("before one calls gcm_", "encrypt or the like.", "gcm_encrypt"),
        ("who may read and/", "or change the file", "and/or"),
        ("the price of an input/", "output device", "input/output"),
        ("all files of drd/tests/", "annotate_rwlock.c are read", "drd/tests/annotate_rwlock.c"),
    ],
)
def test_names_and_pairs_that_a_line_parts_are_whole(before: str, after: str, whole: str) -> None:
    data = pdf_maker.lines_at([(72, 100, before), (72, 112, after)])
    assert whole in read(data).text
    head, between = Hyphenation([before, after]).seam(before, after)
    assert (head, between) == (before, "")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("This is what you _must_", "install first."),
        ("Name of the keeper ____", "and of the mill"),
        ("built by the mill w/", "old stones"),
        ("all of it is at https://mill.org/", "The mill is old."),
        ("all of it is at mill.org/", "The mill is old."),
        ("roses are red /", "violets are blue"),
        ("/* handle error */", "while it runs"),
        ("what lies in docs/", "(and below it)"),
    ],
)
def test_other_strokes_at_the_end_of_a_line_keep_their_space(before: str, after: str) -> None:
    assert Hyphenation([before, after]).seam(before, after) == (before, " ")
