"""The characters of a page as arrays, with the type they are set in.

Letters: C characters, R runs of characters drawn by one text object.
"""

import ctypes
import re
from dataclasses import dataclass, fields, replace
from math import atan2, degrees, hypot
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium
from numpy.typing import NDArray

from core.documents.readers.pdf_layout import native

_BOLD = re.compile(
    rb"bold|black|heavy|semibd|demi|CMBX|CMB10|CMSSBX|SFBX|-Bd\b|-Blk\b", re.IGNORECASE
)
_MONO = re.compile(
    rb"courier|mono|NimbusMonL|consol|CMTT|SFTT|txtt|typewriter|menlo|monaco|Cousine"
    rb"|(?:Source|Fira|Cascadia)Code",
    re.IGNORECASE,
)
# TeX's faces for formulas. Signs that pdfium does not know by name come out as their codes:
# "6=" for "≠", "kxk" for "‖x‖". Braces and strokes it knows; they stand for themselves.
_MATHS = (
    re.compile(rb"CMMI|LMMathItalic", re.IGNORECASE),
    re.compile(rb"CMSY|CMBSY|LMMathSymbols", re.IGNORECASE),
    re.compile(rb"CMEX|LMMathExtension", re.IGNORECASE),
)
_SIGNS = (
    {
        **dict(enumerate("ΓΔΘΛΞΠΣΥΦΨΩαβγδϵζηθικλμνξπρστυφχ")),
        **dict(zip(map(ord, "%?`"), "ϱ⋆ℓ", strict=True)),
    },
    # U+0338 strikes out the sign that follows.
    dict(
        zip(
            map(ord, "0123456789:;<=>?`abcdefghijklmnopqrstuvwxyz"),
            "′∞∈∋△▽\u0338↦∀∃¬∅ℜℑ⊤⊥⊢⊣⌊⌋⌈⌉{}⟨⟩|‖↕⇕\\≀√⨿∇∫⊔⊓⊑⊒§†‡",
            strict=True,
        )
    ),
    {
        **dict(enumerate("()[]⌊⌋⌈⌉{}⟨⟩|‖/\\()()[]⌊⌋⌈⌉{}⟨⟩/\\()[]⌊⌋⌈⌉{}⟨⟩/\\/\\")),
        **dict(enumerate("⟨⟩⨆⨆∮∮⨀⨀⨁⨁⨂⨂∑∏∫⋃⋂⨄⋀⋁∑∏∫⋃⋂⨄⋀⋁∐∐", 0x44)),
        **dict(enumerate("[]⌊⌋⌈⌉{}√√√√", 0x68)),
        # Pieces of still larger brackets, and what is drawn over letters.
        **dict.fromkeys((*range(0x30, 0x44), *range(0x62, 0x68), *range(0x74, 0x80)), "\ufffd"),
    },
)
_EXTENSION = 2  # place of the face whose every sign pdfium gives as its code
# How far below its origin the line lies on which a sign of that face stands, in type sizes: all are
# set around the middle of small letters, and larger ones reach further down from their origin.
_DROPS = np.zeros(128)
_DROPS[[*range(0x50, 0x58), 0x46, 0x4A, 0x4C, 0x4E, 0x60]] = 0.75
_DROPS[[*range(0x10), 0x48, 0x52, 0x70]] = 0.81
_DROPS[[*range(0x58, 0x60), 0x47, 0x4B, 0x4D, 0x4F, 0x61]] = 0.95
_DROPS[[0x10, 0x11, 0x2E, 0x2F, 0x44, 0x45, *range(0x68, 0x70), 0x71]] = 1.11
_DROPS[[0x49, 0x5A]] = 1.36
_DROPS[[*range(0x12, 0x20), 0x72]] = 1.41
_DROPS[[*range(0x20, 0x2E), 0x73]] = 1.71
_ASCENT, _DESCENT = 0.75, 0.25  # of letters beside them
_TABLES = np.array(
    [[ord(signs.get(code, chr(code))) for code in range(128)] for signs in _SIGNS], np.uint32
)
_BREAKS = np.array([2, 9, 10, 13], np.uint32)  # 2 stands for a hyphen
_UNKNOWN = 0xFFFD
_FIXED_PITCH = 1  # bit of the font descriptor's flags
_NAME_BYTES = 128
INVISIBLE = 3
"""The text rendering mode of recognition layers."""

MOST_CHARACTERS = 200_000
"""Of a page that are read; a full page of a newspaper has 60,000."""


@dataclass(frozen=True)
class Glyphs:
    """All characters of a page in drawing order, in the page's own coordinates (y upwards).

    Args:
        codes: [C] code points.
        boxes: [C, 4] left, top, right, bottom.
        origins: [C, 2] where each begins on its baseline.
        size: [C] type size in points.
        seen_size: [C] the same, or the width of an em where that is less: letters may be squeezed.
        angle: [C] direction in which it is written, in degrees anticlockwise, 0 to 359.
        bold: [C] whether set in bold.
        mono: [C] whether set in a fixed-pitch face.
        mode: [C] text rendering mode.
        objects: [C] the address of the text object that draws each; 0 for none.
        num_unread: How many characters more the page has than are read of one.
    """

    codes: NDArray[np.uint32]
    boxes: NDArray[np.float32]
    origins: NDArray[np.float64]
    size: NDArray[np.float64]
    seen_size: NDArray[np.float64]
    angle: NDArray[np.int64]
    bold: NDArray[np.bool_]
    mono: NDArray[np.bool_]
    mode: NDArray[np.int64]
    objects: NDArray[np.uint64]
    num_unread: int = 0

    def take(self, which: NDArray[np.bool_]) -> "Glyphs":
        """Only some of the characters."""
        arrays = {each.name: getattr(self, each.name)[which] for each in fields(self)[:-1]}
        return replace(self, **arrays)


_FLAGS = np.zeros(0, bool)
_NONE = Glyphs(
    np.zeros(0, np.uint32), np.zeros((0, 4), np.float32), np.zeros((0, 2)), np.zeros(0),
    np.zeros(0), np.zeros(0, np.int64), _FLAGS, _FLAGS, np.zeros(0, np.int64),
    np.zeros(0, np.uint64),
)  # fmt: skip


@dataclass(frozen=True)
class _Run:
    size: float = 0.0
    seen_size: float = 0.0
    angle: int = 0
    bold: bool = False
    mono: bool = False
    mode: int = 0
    maths: int = -1


_NO_RUN = _Run()
_MATRIX = (
    ctypes.c_float * 6
)()  # of one character after the other; pdfium has one thread at a time


class FontFaces:
    """Remembers for each font of one open document whether it is bold or fixed-pitch, and which
    of TeX's faces for formulas it is."""

    def __init__(self) -> None:
        self._known: dict[int | None, tuple[bool, bool, int]] = {}

    def look_up(self, font: int | None) -> tuple[bool, bool, int]:
        """Whether a font is bold, whether fixed-pitch, and its place in `_MATHS` or -1.

        Args:
            font: Its address.

        Returns:
            The three.
        """
        known = self._known.get(font)
        if known is None:
            known = self._known[font] = _face(ctypes.cast(font or 0, pdfium.FPDF_FONT))
        return known


def read_glyphs(text_page: Any, faces: FontFaces) -> Glyphs:
    """All characters of a loaded text page.

    Args:
        text_page: pdfium's handle.
        faces: Fonts met on earlier pages.

    Returns:
        The characters, those that pdfium adds between words and lines included.
    """
    drawn = max(0, pdfium.FPDFText_CountChars(text_page))
    if not drawn:
        return _NONE
    count = min(drawn, MOST_CHARACTERS)
    address = native.address_of(text_page)
    objects = native.objects_of(address, count)
    firsts = np.flatnonzero(np.diff(objects, prepend=np.uint64(1)))
    known = {0: _NO_RUN}
    runs = []
    for index, drawn_by in zip(firsts.tolist(), objects[firsts].tolist(), strict=True):
        if drawn_by not in known:  # the spaces that pdfium adds part an object into many runs
            known[drawn_by] = _read_run(address, index, drawn_by, faces)
        runs.append(known[drawn_by])
    lengths = np.diff(firsts, append=count)

    def spread(values: list[Any], dtype: Any) -> NDArray[Any]:
        return np.repeat(np.array(values, dtype), lengths)

    size = spread([run.size for run in runs], np.float64)
    seen_size = spread([run.seen_size for run in runs], np.float64)
    angle = spread([run.angle for run in runs], np.int64)
    maths = spread([run.maths for run in runs], int)
    codes = native.codes_of(address, count)
    boxes, origins = native.boxes_of(address, count), native.origins_of(address, count)
    hanging = (objects > 0) & (maths == _EXTENSION) & (angle == 0) & (codes < len(_DROPS))
    if hanging.any():
        _set_on_line(boxes, origins, codes, size, hanging)
    return Glyphs(
        codes=_known_codes(codes, objects > 0, maths),
        boxes=boxes,
        origins=origins,
        size=size,
        seen_size=seen_size,
        angle=angle,
        bold=spread([run.bold for run in runs], bool),
        mono=spread([run.mono for run in runs], bool),
        mode=spread([run.mode for run in runs], np.int64),
        objects=objects,
        num_unread=drawn - count,
    )


def _set_on_line(
    boxes: NDArray[np.float32],
    origins: NDArray[np.float64],
    codes: NDArray[np.uint32],
    size: NDArray[np.float64],
    hanging: NDArray[np.bool_],
) -> None:
    """Moves signs that hang from an origin far above their line to where letters would stand."""
    sizes = size[hanging]
    base = origins[hanging, 1] - _DROPS[codes[hanging]] * sizes
    origins[hanging, 1] = base
    boxes[hanging, 1], boxes[hanging, 3] = base + _ASCENT * sizes, base - _DESCENT * sizes


def _read_run(text_page: int, index: int, address: int, faces: FontFaces) -> _Run:
    """The type of the text object that drew the character at an index."""
    native.text_matrix(text_page, index, ctypes.addressof(_MATRIX))
    a, b, c, d, *_ = _MATRIX
    width, height = hypot(a, b), hypot(c, d)
    bold, mono, maths = faces.look_up(native.font_of(address))
    mode, stretch = native.render_mode(address), height or 1.0
    if mode == INVISIBLE:  # recognition layers stretch a type to the height of a word's ink
        stretch = min(stretch, width or 1.0)  # its width is true
    size = abs(native.font_size(text_page, index))
    if a < 0 < d and abs(b) < d:  # Hebrew in a recognition layer: mirrored, not turned
        a, b = -a, -b
    angle = round(degrees(atan2(b, a))) % 360
    return _Run(size * stretch, size * min(height, width), angle, bold, mono, mode, maths)


def _known_codes(
    codes: NDArray[np.uint32], drawn: NDArray[np.bool_], maths: NDArray[np.int64]
) -> NDArray[np.uint32]:
    """[C] code points: TeX's signs are what they show, other control characters are U+FFFD."""
    extension = maths == _EXTENSION
    coded = drawn & ((codes > 0) | extension) & (codes < len(_TABLES[0]))
    control = coded & (codes < 32) & ~extension
    signs = coded & (maths >= 0)
    if not (control | signs).any():
        return codes
    unknown = control & (maths != 0) & ~np.isin(codes, _BREAKS)
    known = np.where(unknown, np.uint32(_UNKNOWN), codes)
    known[signs & ~unknown] = _TABLES[maths[signs & ~unknown], codes[signs & ~unknown]]
    return known


def _face(font: Any) -> tuple[bool, bool, int]:
    name = ctypes.create_string_buffer(_NAME_BYTES)
    pdfium.FPDFFont_GetBaseFontName(font, name, _NAME_BYTES)
    fixed = bool(pdfium.FPDFFont_GetFlags(font) & _FIXED_PITCH)
    bold = bool(_BOLD.search(name.value)) or pdfium.FPDFFont_GetWeight(font) >= 700
    mono = fixed or bool(_MONO.search(name.value))
    found = (place for place, face in enumerate(_MATHS) if face.search(name.value))
    return bold, mono, next(found, -1)
