"""From bytes to text: which encoding a file was written in."""

import codecs
import re
from dataclasses import dataclass

from core.documents.readers.mojibake import REPAIRED, repair

_BOMS = (  # UTF-32 first: its little-endian mark begins with that of UTF-16
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE_BYTES = 20_000
_NEIGHBOURHOOD_BYTES = 60  # on both sides of a character outside ASCII
_CONTROL_SAMPLE_BYTES = 64_000
_MANY_CONTROLS = 0.02  # share of control characters above which bytes are no text
_FEW_CONTROLS = 2
_CONTROLS = bytes(byte for byte in range(32) if byte not in b"\t\n\v\f\r\x1a\x1b\x1c\x1d\x1e\x1f")
_NOT_ASCII = re.compile(rb"[\x80-\xff]+")
# Python can decode by these, the first two in time that grows with the square; no file is in them.
NO_ENCODINGS = ("punycode", "idna", "unicode_escape", "raw_unicode_escape")
_CHARSET = re.compile(rb"(?:charset|encoding)\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_HEAD_BYTES = 4_096
_DAMAGED = "\ufffd"
# Japanese of seven bits: escape sequences that change the set of characters, and back to ASCII.
_ISO_2022 = re.compile(rb"\x1b\$[@B](?:[\x21-\x7e]{2})+\x1b\([BJ]")
# What is declared by these names is mostly in the larger set of characters, as on web pages.
_SUPERSETS = {
    "iso8859-1": "cp1252", "iso8859-9": "cp1254", "shift_jis": "cp932", "euc_kr": "cp949",
    "gb2312": "gb18030", "gbk": "gb18030", "tis-620": "cp874",
}  # fmt: skip


@dataclass(frozen=True)
class Decoded:
    """Text with the encoding it came from.

    Args:
        text: The text, without byte-order mark.
        encoding: Python's name of the encoding.
        note: One sentence for the person where the encoding was guessed or bytes were damaged.
    """

    text: str
    encoding: str
    note: str = ""


def decode(data: bytes, declared: str = "") -> Decoded | None:
    """Turns bytes into text, by byte-order mark, validity, declaration, then by guess.

    Args:
        data: All bytes of a text file.
        declared: The encoding that the file names itself, as HTML does; may be wrong or unknown.

    Returns:
        The text, or None if the bytes are not text in any known encoding.
    """
    decoded = _decoded(data, declared)
    return None if decoded is None else _repaired(decoded)


def declared_encoding(data: bytes) -> str:
    """The encoding that a page of HTML or XML names in its head, or empty."""
    match = _CHARSET.search(data[:_HEAD_BYTES])
    name = match[1].decode("ascii", "ignore").lower() if match else ""
    return {"iso-8859-1": "cp1252", "latin1": "cp1252", "ascii": "cp1252"}.get(name, name)


def _repaired(decoded: Decoded) -> Decoded:
    """Text without the damage of a second encoding, which its note tells."""
    text = repair(decoded.text)
    if text == decoded.text:
        return decoded
    return Decoded(text, decoded.encoding, f"{decoded.note} {REPAIRED}".lstrip())


def _decoded(data: bytes, declared: str) -> Decoded | None:
    for mark, name in _BOMS:
        if data.startswith(mark):
            return _with_replacements(data, name)
    wide = _wide_encoding(data)
    if wide:
        return Decoded(data.decode(wide, "replace"), wide)
    if is_binary(data):
        return None
    if _ISO_2022.search(data):
        return _with_replacements(data, "iso2022_jp_ext")
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        return _declared(data, declared) or _mostly_utf8(data) or _guessed(data)


def is_binary(data: bytes) -> bool:
    """Whether bytes (not UTF-16 or UTF-32) hold too many control characters to be text."""
    sample = data[:_CONTROL_SAMPLE_BYTES] + data[-_CONTROL_SAMPLE_BYTES:]
    controls = len(sample) - len(sample.translate(None, _CONTROLS))
    return controls > max(_FEW_CONTROLS, _MANY_CONTROLS * len(sample))


def _wide_encoding(data: bytes) -> str:
    """UTF-16 or UTF-32 without a mark: known by where the zero bytes of Latin letters lie."""
    sample = data[: 4 * (min(len(data), 4_000) // 4)]
    if len(sample) < 8 or b"\0" not in sample:
        return ""
    zeros = [sample[at::4].count(0) / (len(sample) // 4) for at in range(4)]
    if min(zeros[1:]) > 0.9 and zeros[0] < 0.1:
        return "utf-32-le"
    if min(zeros[:3]) > 0.9 and zeros[3] < 0.1:
        return "utf-32-be"
    low, high = (zeros[0] + zeros[2]) / 2, (zeros[1] + zeros[3]) / 2
    if high > 0.3 and low < 0.05:
        return "utf-16-le"
    if low > 0.3 and high < 0.05:
        return "utf-16-be"
    return ""


def _declared(data: bytes, name: str) -> Decoded | None:
    try:
        encoding = codecs.lookup(name).name if name else ""
        encoding = _SUPERSETS.get(encoding, encoding)
        text = data.decode(encoding) if encoding not in ("", *NO_ENCODINGS) else ""
    except (LookupError, ValueError):
        return None
    return Decoded(text, encoding) if text else None


def _mostly_utf8(data: bytes) -> Decoded | None:
    """UTF-8 with a few damaged bytes; other encodings rarely look like UTF-8 even once."""
    text = data.decode("utf-8", "replace")
    damaged = text.count(_DAMAGED)
    whole = sum(1 for char in text[:2_000_000] if char > "\x7f") - damaged
    return _with_replacements(data, "utf-8") if whole > 10 * damaged else None


def _with_replacements(data: bytes, encoding: str) -> Decoded:
    text = data.decode(encoding, "replace")
    damaged = text.count(_DAMAGED)
    places = "1 place" if damaged == 1 else f"{damaged} places"
    note = f"The text is damaged in {places}, shown as “{_DAMAGED}”." if damaged else ""
    return Decoded(text, encoding, note)


def _guessed(data: bytes) -> Decoded | None:
    from core.documents.readers.encoding_guess import guess_encoding

    sample = _telling_sample(data)
    if encoding := guess_encoding(sample):
        return _decoded_by(data, encoding)
    from charset_normalizer import from_bytes

    best = from_bytes(sample).best()
    return _decoded_by(data, best.encoding) if best else None


def _decoded_by(data: bytes, encoding: str) -> Decoded:
    decoded = _with_replacements(data, encoding)
    note = f"The encoding was guessed: {_readable(encoding)}."
    return Decoded(decoded.text, encoding, f"{note} {decoded.note}".rstrip())


def _readable(encoding: str) -> str:
    name = codecs.lookup(encoding).name
    if re.fullmatch(r"cp125\d", name):
        return f"windows-{name[2:]}"
    return {"cp932": "Shift_JIS", "cp949": "EUC-KR"}.get(name, name)


def _telling_sample(data: bytes) -> bytes:
    """The neighbourhoods of the first characters outside ASCII."""
    parts, size, end = list[bytes](), 0, 0
    for match in _NOT_ASCII.finditer(data):
        start = max(end, match.start() - _NEIGHBOURHOOD_BYTES)
        parts += [b" "] if start > end else []
        end = match.end() + _NEIGHBOURHOOD_BYTES
        parts.append(data[start:end])
        size += len(parts[-1])
        if size > _SAMPLE_BYTES:
            break
    return b"".join(parts)[: 2 * _SAMPLE_BYTES]
