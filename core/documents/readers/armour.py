"""Blocks in texts that only programs read: signatures, keys, certificates and encoded files."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from core.documents.document import LeftOut
from core.numbers import format_size

_MARKS = re.compile(r"(?:>[ \t]?)*")
_BEGIN = re.compile(r"-----BEGIN ([A-Z0-9][A-Z0-9 ,/]*)-----\s*")
_END = re.compile(r"-----END ([A-Z0-9][A-Z0-9 ,/]*)-----\s*")
_SIGNED, _SIGNATURE = "PGP SIGNED MESSAGE", "PGP SIGNATURE"
_SEALED = ("PGP MESSAGE", "ENCRYPTED MESSAGE", "PKCS7", "CMS")
_SIGNED_HEADER = re.compile(r"(?:Hash|Charset|NotDashEscaped|Comment|Version):.*", re.IGNORECASE)
_ARMOURED = re.compile(r"[A-Za-z0-9+/=]*|[A-Z][A-Za-z-]*:.*")
_MOST_FOREIGN = 2  # lines of a block that are neither armoured nor headers
_FILE = re.compile(r"begin(?P<base64>-base64)? [0-7]{3,4} (?P<name>\S.*)")
_ANY_FILE = re.compile(r"^begin(?:-base64)? [0-7]{3,4} ", re.MULTILINE)
_BASE64_LINE = re.compile(r"[A-Za-z0-9+/]{2,}={0,2}")
_MOST_STRIPPED = 8  # spaces that programs take off the end of a line


@dataclass
class Armour:
    """Blocks that were taken out of a text.

    Attributes:
        signatures: The number of signatures, keys and certificates.
        sealed: The number of encrypted passages.
        files: Names and sizes in bytes of encoded files.
    """

    signatures: int = 0
    sealed: int = 0
    files: list[tuple[str, int]] = field(default_factory=list)

    def add(self, other: "Armour") -> None:
        """Adds what was taken out of another text."""
        self.signatures += other.signatures
        self.sealed += other.sealed
        self.files += other.files

    def left_out(self) -> Iterator[LeftOut]:
        """The blocks that are no longer in the text, except files."""
        if self.signatures:
            yield LeftOut("PGP signatures, keys or certificates", "only programs read them",
                          missed=False)  # fmt: skip
        if self.sealed:
            yield LeftOut("encrypted passages", "only their recipient's key opens them")

    def files_left_out(self) -> Iterator[LeftOut]:
        """The files that are no longer in the text."""
        for name, size in self.files:
            yield LeftOut(f"the file “{name}” ({format_size(size)})", "it is not text")


def remove_armour(text: str) -> tuple[str, Armour]:
    """Takes blocks that are no text out of a text.

    Args:
        text: The text of a mail or file; its lines may be quoted.

    Returns:
        The text without signatures, keys, certificates, encrypted passages and uuencoded files, and
        without the lines round a signed text; and what was taken out. A block without an end stays.
    """
    armour = Armour()
    if "-----BEGIN " not in text and not _ANY_FILE.search(text):
        return text, armour
    lines = [line.rstrip("\r") for line in text.split("\n")]
    ends = _ends(lines)
    body: list[str] = []
    at = escaped_until = 0
    while at < len(lines):
        if (after := _after_block(lines, at, ends, armour)) > at:
            if _SIGNED in lines[at]:
                escaped_until = _next(ends.get(_SIGNATURE, ()), at) or at
            at = after
            continue
        line = lines[at]
        body.append(line[2:] if at < escaped_until and line.startswith("- ") else line)
        at += 1
    return ("\n".join(body) if len(body) < len(lines) else text), armour


def _ends(lines: list[str]) -> dict[str, list[int]]:
    """By name of a block, the indices of the lines that end one."""
    found: dict[str, list[int]] = {}
    for index, line in enumerate(lines):
        if "-----END " in line and (match := _END.fullmatch(_MARKS.sub("", line, 1))):
            found.setdefault(match[1], []).append(index)
    return found


def _next(indices: Sequence[int], at: int) -> int | None:
    place = bisect_right(indices, at)
    return indices[place] if place < len(indices) else None


def _after_block(lines: list[str], at: int, ends: dict[str, list[int]], armour: Armour) -> int:
    """The index of the line after the block that begins at a line; the same index if none does."""
    if lines[at].startswith("begin"):
        return _after_file(lines, at, armour)
    match = _BEGIN.fullmatch(_MARKS.sub("", lines[at], 1)) if "-----BEGIN " in lines[at] else None
    if match is None:
        return at
    if match[1] == _SIGNED:
        return _after_signed_header(lines, at + 1)
    end = _next(ends.get(match[1], ()), at)
    if end is None or not _is_armoured(lines, at + 1, end):
        return at
    if match[1] in _SEALED:
        armour.sealed += 1
    else:
        armour.signatures += 1
    return end + 1


def _after_signed_header(lines: list[str], at: int) -> int:
    while at < len(lines) and _SIGNED_HEADER.fullmatch(_MARKS.sub("", lines[at], 1)):
        at += 1
    return at + 1 if at < len(lines) and not lines[at].strip() else at


def _is_armoured(lines: list[str], start: int, end: int) -> bool:
    foreign = 0
    for index in range(start, end):
        foreign += not _ARMOURED.fullmatch(_MARKS.sub("", lines[index], 1).strip())
        if foreign > _MOST_FOREIGN:
            return False
    return True


def _after_file(lines: list[str], at: int, armour: Armour) -> int:
    match = _FILE.fullmatch(lines[at])
    if match is None:
        return at
    size, index = 0, at + 1
    while index < len(lines) and (taken := _num_bytes(lines[index], match["base64"])) is not None:
        size += taken
        index += 1
    if index == at + 1 or index == len(lines) or lines[index].strip() not in ("end", "===="):
        return at
    armour.files.append((match["name"].strip()[:100], size))
    return index + 1


def _num_bytes(line: str, base64: str | None) -> int | None:
    """The bytes that a line of an encoded file holds; None if it is no such line."""
    if base64:
        return 3 * len(line) // 4 if _BASE64_LINE.fullmatch(line) else None
    if not line or not all(" " <= char <= "`" for char in line):
        return None
    size = (ord(line[0]) - 32) & 63
    missing = 4 * -(-size // 3) - (len(line) - 1)
    return size if -2 <= missing <= _MOST_STRIPPED else None
