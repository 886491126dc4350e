"""The parts of a message: which of them hold its text, and which are files of their own."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.utils import collapse_rfc2231_value, getaddresses, parsedate_to_datetime
from typing import Any

from core.documents.readers.cleaning import clean, one_line
from core.documents.readers.encodings import NO_ENCODINGS, Decoded, declared_encoding, decode

_STRUCTURE = re.compile(rb"<(?:h[1-6]|li|table|blockquote)\b", re.IGNORECASE)
_TAG = re.compile(rb"(<[^<>]*+>)")
_UNSHOWN = re.compile(rb"<(style|script|head|title|template)\b", re.IGNORECASE)
_ADDRESS = re.compile(rb"https?://\S+")
_STUB = 0.5  # a plain text of less than so much of its page is a stub, or ends early
_SEVEN_BIT = re.compile(r"iso-2022|utf-?7|hz", re.IGNORECASE)  # ASCII to look at, and not meant so
_SIGNING = ("application/pgp-signature", "application/pkcs7-signature")
_SEALED = ("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)
_MOST_NAMED = 3
LONGEST_HEADER = 2_000


@dataclass
class Parts:
    """What a message is made of.

    Args:
        bodies: The parts that hold its text, and messages inside it, in order.
        attachments: Names and sizes in bytes of the files in it.
        pictures: How many pictures its page shows.
        sealed: Whether a part is encrypted.
        telling: Of the first body, whether it has structure, and the bytes of its words; None
            until they are counted.
    """

    bodies: list[Message] = field(default_factory=list)
    attachments: list[tuple[str, int]] = field(default_factory=list)
    pictures: int = 0
    sealed: bool = False
    telling: tuple[bool, int] | None = None


def is_deeper(message: Message, depth: int) -> bool:
    """Whether a message has parts inside parts to more than a depth."""
    layer = [message]
    for _ in range(depth):
        layer = [inner for part in layer for inner in messages_in(part)]
    return bool(layer)


def parts_of(message: Message) -> Parts:
    """Sorts the parts of a message."""
    parts = Parts()
    _sort(message, parts)
    return parts


def text_of(part: Message) -> Decoded | None:
    """The text of a part that is text; None if its bytes are none."""
    data = _bytes_of(part)
    charset = _charset_of(part)
    if _SEVEN_BIT.match(charset):
        try:
            return Decoded(data.decode(charset, "replace"), charset)
        except (LookupError, ValueError):
            pass
    is_page = part.get_content_type() == "text/html"
    return decode(data, charset or (declared_encoding(data) if is_page else ""))


def _charset_of(part: Message) -> str:
    """The encoding that a part names; empty where there is none, or it is no name."""
    try:
        return str(part.get_content_charset("") or "")
    except ValueError:  # a zero byte in it
        return ""


def header(message: Message, name: str) -> str:
    """A header on one line, its encoded words decoded; empty where there is none."""
    # As it stands in the file: `get` replaces bytes outside ASCII.
    raw = next((raw for key, raw in message.raw_items() if key.lower() == name.lower()), "")
    # Unfolded first: `decode_header` strips each line, and the space of the fold is a space.
    raw = re.sub(r"[\r\n]+", "", str(raw)[:LONGEST_HEADER])
    return one_line(clean(_plain(raw) or raw))


def sender(message: Message) -> str:
    """The name of the sender, or the address."""
    return _names(header(message, "From"))


def head_line(message: Message, name: str) -> str:
    """The line for a message of a sender ("From Ann Lee to Bo Ray, 4 October 2012, 13:02.")."""
    to = _names(header(message, "To"))
    parts = [f"From {name}" if name else "", f"to {to}" if to else ""]
    told = " ".join(part for part in parts if part)
    line = ", ".join(part for part in (told, _date(message)) if part)
    return f"{line[0].upper()}{line[1:]}." if line else ""


def _sort(part: Message, parts: Parts) -> None:
    kind = part.get_content_type()
    if kind in _SEALED:
        parts.sealed = True
    elif kind == "message/rfc822":
        parts.bodies.append(part)
    elif kind == "multipart/alternative":
        _sort_alternatives(list(messages_in(part)), parts)
    elif kind.startswith("multipart/"):
        for inner in messages_in(part):
            _sort(inner, parts)
    elif kind in ("text/plain", "text/html") and part.get_content_disposition() != "attachment":
        parts.bodies.append(part)
    elif kind.startswith("image/") and part.get("Content-ID"):
        parts.pictures += 1
    elif kind not in _SIGNING and not kind.startswith("message/"):
        parts.attachments.append((_file_name(part), len(_bytes_of(part))))


def _sort_alternatives(inner: list[Message], parts: Parts) -> None:
    """Takes the page where it holds structure that the plain text has not, else the plain text."""
    found = [parts_of(one) for one in inner]
    with_text = [one for one in found if one.bodies]
    plain = next((one for one in with_text if _kind(one) == "text/plain"), None)
    page = next((one for one in with_text if _kind(one) == "text/html"), None)
    chosen = plain or page or next(iter(with_text), None)
    if plain and page and _is_better(page, plain):
        chosen = page
    if chosen:
        parts.telling = parts.telling if parts.bodies else chosen.telling
        parts.bodies += chosen.bodies
    for one in found:
        parts.attachments += one.attachments
        parts.pictures += one.pictures
        parts.sealed = parts.sealed or one.sealed


def _kind(parts: Parts) -> str:
    return parts.bodies[0].get_content_type()


def _is_better(page: Parts, plain: Parts) -> bool:
    """True if a page says more than the plain text beside it, which may be a stub ("see the page")
    or end early."""
    has_structure, size = _telling(page)
    return has_structure or _telling(plain)[1] < _STUB * size


def _telling(parts: Parts) -> tuple[bool, int]:
    """True if the first body has structure, and the bytes of its words; counted once in nested
    alternatives."""
    if parts.telling is None:
        data = _bytes_of(parts.bodies[0])
        is_page = _kind(parts) == "text/html"
        visible = b" ".join(_visible(data)) if is_page else _ADDRESS.sub(b"", data)
        size = sum(map(len, visible.split()))
        parts.telling = bool(_STRUCTURE.search(data)), size
    return parts.telling


def _visible(page: bytes) -> Iterator[bytes]:
    """The text of a page, roughly: what is neither in a tag nor in a part that is not shown."""
    closing = b""
    for piece in _TAG.split(page):
        if not piece.startswith(b"<"):
            if not closing:
                yield piece
        elif closing:
            closing = b"" if piece.lower().startswith(closing) else closing
        elif match := _UNSHOWN.match(piece):
            closing = b"</" + match[1].lower()


def messages_in(part: Message) -> Iterator[Message]:
    """The parts inside a part; of a forwarded message, that message."""
    # Asked first: of a text, `get_payload` would try to decode it by whatever name stands there.
    payload: Any = part.get_payload() if part.is_multipart() else []
    yield from payload


def _bytes_of(part: Message) -> bytes:
    payload: Any = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _file_name(part: Message) -> str:
    """What an attachment is called, its folders taken off."""
    raw: Any = part.get_param("filename", None, "content-disposition") or part.get_param("name")
    name = one_line(clean(_plain(_collapsed(raw) if raw else "")))
    return re.split(r"[/\\]", name)[-1][:100] or part.get_content_type()


def _collapsed(raw: Any) -> str:
    """The value of a parameter that names its encoding, or not."""
    if isinstance(raw, tuple) and str(raw[0] or "").lower() in NO_ENCODINGS:
        return str(raw[2])
    try:
        return collapse_rfc2231_value(raw)
    except ValueError:  # the name of its encoding has a zero byte, or its bytes are not so encoded
        return str(raw[2])


def _plain(raw: str) -> str:
    """A header's text: encoded words decoded, bytes outside ASCII guessed."""
    try:
        pieces = decode_header(raw)
    except (HeaderParseError, ValueError):
        return raw
    return "".join(_piece(piece, charset) for piece, charset in pieces)


def _piece(piece: bytes | str, charset: str | None) -> str:
    data = piece.encode("utf-8", "surrogateescape") if isinstance(piece, str) else piece
    try:
        if charset and charset != "unknown-8bit" and charset.lower() not in NO_ENCODINGS:
            return data.decode(charset, "replace")
    except (LookupError, ValueError):
        pass
    decoded = decode(data) if data else None
    return decoded.text if decoded else data.decode("ascii", "replace")


def _names(addresses: str) -> str:
    try:
        pairs = getaddresses([addresses])
    except RecursionError:  # of brackets in brackets
        pairs = [("", addresses)]
    found = [name or address for name, address in pairs if name or address]
    comma = "; " if any("," in name for name in found) else ", "  # "Lee, Ann; Ray, Bo"
    named = comma.join(found[:_MOST_NAMED])
    more = len(found) - _MOST_NAMED
    return f"{named} and {more} more" if more > 0 else named


def _date(message: Message) -> str:
    try:
        date = parsedate_to_datetime(header(message, "Date"))
    except (ValueError, TypeError, IndexError, OverflowError):
        return ""
    return f"{date.day} {_MONTHS[date.month - 1]} {date.year}, {date.hour:02}:{date.minute:02}"
