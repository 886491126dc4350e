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
_SAMPLE_BYTES = 64_000
_MANY_CONTROLS = 0.02  # share of control characters above which bytes are no text
_FEW_CONTROLS = 2
_WESTERN = "cp1252"
_CONTROLS = bytes(byte for byte in range(32) if byte not in b"\t\n\v\f\r\x1a\x1b\x1c\x1d\x1e\x1f")
_NOT_ASCII = re.compile(rb"[\x80-\xff]+")
# Python can decode by these, the first two in time that grows with the square; no file is in them.
NO_ENCODINGS = ("punycode", "idna", "unicode_escape", "raw_unicode_escape")
_CHARSET = re.compile(rb"(?:charset|encoding)\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_HEAD_BYTES = 4_096
_DAMAGED = "\ufffd"
# What stands for real text of Western Europe where bytes of Windows-1252 are not ASCII: quotation
# marks and dashes, or accented letters beside letters.
_WESTERN_MARKS = re.compile(r"[‘’“”„–—…•§©®°£€«»¿¡ ­½¼¾²³·]|[À-ÖØ-öø-ÿŠšŽžŸŒœ]")


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
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        return _declared(data, declared) or _mostly_utf8(data) or _guessed(data)


def is_binary(data: bytes) -> bool:
    """Whether bytes (not UTF-16 or UTF-32) hold too many control characters to be text."""
    sample = data[:_SAMPLE_BYTES] + data[-_SAMPLE_BYTES:]
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
    from charset_normalizer import from_bytes

    sample = _telling_sample(data)
    if _is_western(sample):
        return _decoded_by(data, _WESTERN)
    if _is_japanese_euc(sample):
        return _decoded_by(data, "euc_jp")
    best = from_bytes(sample).best()
    return _decoded_by(data, best.encoding) if best else None


def _decoded_by(data: bytes, encoding: str) -> Decoded:
    decoded = _with_replacements(data, encoding)
    note = f"The encoding was guessed: {_readable(encoding)}."
    return Decoded(decoded.text, encoding, f"{note} {decoded.note}".rstrip())


def _readable(encoding: str) -> str:
    name = codecs.lookup(encoding).name
    return f"windows-{name[2:]}" if re.fullmatch(r"cp125\d", name) else name


def _telling_sample(data: bytes) -> bytes:
    """The start of the data, and the neighbourhood of characters outside ASCII further on."""
    head = data[:_SAMPLE_BYTES]
    if len(_NOT_ASCII.findall(head)) > 200 or len(data) <= _SAMPLE_BYTES:
        return head
    parts, size = [head], 0
    for match in _NOT_ASCII.finditer(data, _SAMPLE_BYTES):
        parts.append(data[max(0, match.start() - 40) : match.end() + 40])
        size += len(parts[-1])
        if size > _SAMPLE_BYTES:
            break
    return b" ".join(parts)


def _is_western(sample: bytes) -> bool:
    """Whether a sample reads as Windows-1252 (which holds ISO 8859-1): mostly ASCII letters,
    and the rest what Western languages write."""
    others = b"".join(_NOT_ASCII.findall(sample))
    if len(others) > 0.15 * len(sample):
        return False
    text = others.decode(_WESTERN, "replace")
    telling = len(_WESTERN_MARKS.findall(text))
    return telling >= 0.95 * len(text) and _stand_right(sample.decode(_WESTERN, "replace"))


def _is_japanese_euc(sample: bytes) -> bool:
    """EUC-JP, which passes for Korean: a third of its pairs begin with the byte of hiragana."""
    others = b"".join(_NOT_ASCII.findall(sample))
    return len(others) % 2 == 0 and others[::2].count(0xA4) > 0.15 * len(others)


# Marks that stand inside words, and capitals inside small letters, speak for another encoding.
_MISPLACED = re.compile(r"[a-z][À-ÖØ-ÞŠŽŒ]|[a-zà-ÿ][¡¿¼½¾²³·£©®§°«][a-zà-ÿ]")


def _stand_right(text: str) -> bool:
    others = sum(1 for char in text if char > "\x7f")
    return len(_MISPLACED.findall(text)) <= 0.05 * others
