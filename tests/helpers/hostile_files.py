"""Files as a hostile or a careless hand leaves them: real ones cut, spliced and rewritten.

A case is a number: the same number and seed make the same bytes, in whatever process.
"""

import random
import re
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass

from core.documents.readers.formats import format_by_suffix
from tests.helpers.attacks import ATTACKS
from tests.helpers.fuzz_seeds import repacked, seeds, unpacked

HERE = "http://127.0.0.1:{port}/x"
"""Where remote pictures and entities point; whoever asks there has reached for the network."""

SECRET = "the secret of another file"
"""What stands in the file that external entities name; it must never come out of a reader."""

_LARGE_BYTES = 60_000
_MOST_BYTES = 400_000
_MOST_REPEATED_BYTES = 200_000
_MANY = (3, 300, 20_000)
_SHARE_OF_ATTACKS, _SIZES = 0.1, (10, 300, 1_000)
FIRST_ATTACK = 1_000_000_000
"""From this number on, cases are the families of attacks in turn, as large as does most harm."""
_XML = (
    '<!DOCTYPE x [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">'
    '<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;">]>',
    f'<!DOCTYPE x SYSTEM "{HERE}.dtd">',
    '<!DOCTYPE x [<!ENTITY a SYSTEM "file://{secret}">]>',
    f'<!DOCTYPE x [<!ENTITY a SYSTEM "{HERE}"><!ENTITY % p SYSTEM "{HERE}.dtd">%p;]>',
    f'<?xml-stylesheet href="{HERE}.xsl" type="text/xsl"?>',
    f'<img src="{HERE}.png"/><link rel="stylesheet" href="{HERE}.css"/><script src="{HERE}"/>',
    f'<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="{HERE}"/>',
    '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" parse="text" href="file://{secret}"/>',
    *("&a;", "&d;", "&#0;", "&#xD800;", "&#x110000;", "<![CDATA[", "]]>", "<!--", "-->", "<?", "<"),
    '<meta charset="utf-16">', '<?xml version="1.0" encoding="utf-32"?>', "</p></div></body>",
)  # fmt: skip
_XML_REPEATED = ("<b>", "<div>", "<table><tr><td>", "<ul><li>", "<x a='1' ", "&a;", "<p>", "<!--")
TOKENS: dict[str, tuple[str, ...]] = {
    "rtf": (
        *("{", "}", "\\bin99999999 ", "\\bin-3 ", "\\u-9999999999 ", "\\u55357?", "\\uc999 "),
        *("\\'", "\\'8", "\\cell", "\\row", "\\pard\\intbl ", "{\\footnote ", "{\\pict "),
        *("{\\fonttbl", "{\\stylesheet", "\\ansicpg65000 ", "\\ansicpg0 ", "\\ilvl99\\ls9 "),
        *("{\\*\\shpinst{\\shptxt ", "\\s99 ", "\\plain", "{\\info{\\title ", "{\\listtext "),
        *("\\deleted ", "{\\object{\\result ", "{\\*", "\\", "\\f1 "),
    ),
    "mail": (
        *("\n--x\n", "\n--x--\n", "\n\n", "Content-Type: message/rfc822\n\n", "=?utf-8?b?", "?="),
        *('Content-Type: multipart/mixed; boundary="x"\n\n--x\n', "\n>", "=\n", "=3D", "> "),
        *("Content-Type: text/html\n\n", "Content-Type: text/plain; charset=idna\n\n"),
        *("charset=punycode", "charset=utf-7", "charset=rot13", "charset=hex", "format=flowed;"),
        *("Content-Transfer-Encoding: base64\n\n", "filename*=utf-8''%ff%zz", ": \n", "a: "),
        *("Content-Transfer-Encoding: uuencode\n\nbegin 644 a\n", "\n-- \n"),
        *("Date: Mon, 99 Foo 99999 99:99:99 +9999\n", "From x@y Mon Jan 1 2024\nSubject: x\n"),
    ),
    "table": (
        *('"', '""', ";", ",", "\t", "\0", "\r", "\n", "[", "]", "{", "}", '{"a":', "[{"),
        *("\\ud800", "null", "1e99999", "NaN", "9" * 5_000, '"text": ', '\\"', "\ufeff", "<p>"),
    ),
    "text": (
        *("[", "](", "*", "_", "`", "```\n", "> ", "- ", "1. ", "|", "|-|-|\n", "#", "\n\n", "\t"),
        *(
            "<b>",
            "---\n",
            "\x0c",
            "\u202e",
            "\u200b",
            "a\u0301",
            "\x1b[",
            "=",
            "[^1]: ",
            "![",
            "\r",
        ),
        *("  \n", "***", "http://"),
    ),
    "pdf": (
        *("<<", ">>", "obj\n", "endobj\n", "stream\n", "endstream", "[", "]", "(", ")", "/Kids"),
        *("/Length 9", "/Type/Page", "xref\n", "trailer", "%%EOF", " 0 R", "/FlateDecode", "-1"),
        *("99999999999", "BT ", "Tj "),
    ),
}

"""What each family of formats is made of, as it is and as it should not be."""

_NOT_UNPACKED = (
    *(zipfile.BadZipFile, zlib.error, ValueError, OSError, EOFError),
    *(NotImplementedError, RuntimeError),
)

Change = Callable[[random.Random, bytes, bytes], bytes]


@dataclass(frozen=True)
class Case:
    """A file to read.

    Args:
        number: Its number.
        format: The key of the format that its suffix promises.
        name: What it is called.
        data: Its bytes.
    """

    number: int
    format: str
    name: str
    data: bytes


def make_case(number: int, seed: int, port: int = 1, secret: str = "/none") -> Case:
    """Makes one case.

    Args:
        number: Which; the formats take turns.
        seed: Of all chance.
        port: Where remote pictures and entities point on this machine.
        secret: The path of a file that entities name.

    Returns:
        The case.
    """
    rng = random.Random(f"{seed}:{number}")
    formats = sorted(seeds())
    key = format_of_case(number)
    if number >= FIRST_ATTACK:
        return _attacked(number, key, sorted(ATTACKS)[number - FIRST_ATTACK], 0)
    if rng.random() < _SHARE_OF_ATTACKS and (families := _attacks_of(key)):
        return _attacked(number, key, rng.choice(families), rng.choice(_SIZES))
    name, data = _chosen(rng, seeds()[key])
    _, other = _chosen(rng, seeds()[rng.choice(formats)])
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        data = _changed(rng, data, other)[: 3 * _MOST_BYTES]
    data = data.replace(b"{port}", str(port).encode()).replace(b"{secret}", secret.encode())
    return Case(number, key, name, data)


def format_of_case(number: int) -> str:
    """What format the suffix of a case promises."""
    if number >= FIRST_ATTACK:
        return format_by_suffix(ATTACKS[sorted(ATTACKS)[number - FIRST_ATTACK]].suffix)
    formats = sorted(seeds())
    return formats[number % len(formats)]


def _attacks_of(key: str) -> list[str]:
    return sorted(name for name, one in ATTACKS.items() if format_by_suffix(one.suffix) == key)


def _attacked(number: int, key: str, name: str, size: int) -> Case:
    """A file of a family of attacks; as large as does most harm where no size is given."""
    attack = ATTACKS[name]
    data = attack.make(min(size or attack.most, attack.most))
    return Case(number, key, f"{name}{attack.suffix}", data)


def _chosen(rng: random.Random, files: tuple[tuple[str, bytes], ...]) -> tuple[str, bytes]:
    """A file, large ones seldom."""
    small = [file for file in files if len(file[1]) < _LARGE_BYTES]
    return rng.choice(small if small and rng.random() < 0.85 else files)


def _changed(rng: random.Random, data: bytes, other: bytes) -> bytes:
    changes: list[Change] = [_flipped, _cut, _doubled, _spliced, _renumbered, _shuffled]
    if data.startswith(b"PK") and rng.random() < 0.7:
        return _rezipped(rng, data, other)
    family = _family(data)
    if family == "xml":
        changes = [*changes, _marked_up, _marked_up, _marked_up]
    elif rng.random() < 0.6:
        return _with_tokens(rng, data, TOKENS[family])
    return rng.choice(changes)(rng, data, other)


def _family(data: bytes) -> str:
    head = data[:200].lstrip().lower()
    if head.startswith(b"{\\rtf"):
        return "rtf"
    if head.startswith(b"%pdf"):
        return "pdf"
    if head.startswith(b"<"):
        return "xml"
    if head.startswith((b"{", b"[")) or b";" in head.split(b"\n")[0]:
        return "table"
    return "mail" if re.match(rb"[\w-]+:|from ", head) else "text"


def _place(rng: random.Random, data: bytes) -> int:
    return rng.randrange(len(data) + 1)


def _flipped(rng: random.Random, data: bytes, other: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice((1, 4, 30, 300)) if changed else 0):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def _cut(rng: random.Random, data: bytes, other: bytes) -> bytes:
    start, end = sorted((_place(rng, data), _place(rng, data)))
    return data[:start] if rng.random() < 0.5 else data[:start] + data[end:]


def _doubled(rng: random.Random, data: bytes, other: bytes) -> bytes:
    start, end = sorted((_place(rng, data), _place(rng, data)))
    times = min(rng.choice((2, 20, 2_000)), max(1, _MOST_BYTES // max(1, end - start)))
    return data[:start] + data[start:end] * times + data[end:]


def _spliced(rng: random.Random, data: bytes, other: bytes) -> bytes:
    return data[: _place(rng, data)] + other[_place(rng, other) :]


def _renumbered(rng: random.Random, data: bytes, other: bytes) -> bytes:
    numbers = list(re.finditer(rb"\d+", data))
    if not numbers:
        return data
    match = rng.choice(numbers)
    number = rng.choice((b"0", b"-1", b"65536", b"2147483648", b"99999999999999999999", b"1e999"))
    return data[: match.start()] + number + data[match.end() :]


def _shuffled(rng: random.Random, data: bytes, other: bytes) -> bytes:
    lines = data.split(b"\n")
    rng.shuffle(lines)
    return b"\n".join(lines)


def _with_tokens(rng: random.Random, data: bytes, tokens: tuple[str, ...]) -> bytes:
    for _ in range(rng.choice((1, 3, 20))):
        token = rng.choice(tokens).encode("utf-8", "surrogatepass")
        if rng.random() < 0.2:
            token *= min(rng.choice(_MANY), max(1, _MOST_REPEATED_BYTES // len(token)))
        at = _place(rng, data)
        data = data[:at] + token + data[at:]
    return data


def _marked_up(rng: random.Random, data: bytes, other: bytes) -> bytes:
    if rng.random() < 0.25:
        token = rng.choice(_XML_REPEATED).encode() * rng.choice(_MANY)
    else:
        token = rng.choice(_XML).encode()
    places = [match.start() for match in re.finditer(rb"[<>]", data)][:5_000] or [0]
    at = rng.choice((data.find(b"?>") + 2 if b"?>" in data[:200] else 0, rng.choice(places)))
    return data[:at] + token + data[at:]


def _rezipped(rng: random.Random, data: bytes, other: bytes) -> bytes:
    """An archive with one of its parts changed, gone, twice there, huge, or called a path out."""
    try:
        parts = unpacked(data)
    except (
        zipfile.BadZipFile,
        zlib.error,
        ValueError,
        OSError,
        NotImplementedError,
        RuntimeError,
        EOFError,
    ):
        return _flipped(rng, data, other)
    if not parts:
        return data
    texts = [
        i
        for i, (name, _) in enumerate(parts)
        if re.search(r"\.x?html?$|xml$|rels$|ncx$|opf$", name)
    ]
    at = rng.choice(texts or range(len(parts)))
    name, inner = parts[at]
    how = rng.random()
    if how < 0.75:
        parts[at] = (name, _changed(rng, inner, other) if inner else other)
    elif how < 0.8:
        del parts[at]
    elif how < 0.85:
        parts.append((name, other))
    elif how < 0.9:
        parts.append(
            (rng.choice(("../../out.xml", "/tmp/out.xml", "C:\\out.xml", "a/../../b")), inner)
        )
    elif how < 0.95:
        parts[at] = (name, inner[:100] + b" " * rng.choice((1_000_000, 30_000_000)) + inner[100:])
    else:
        parts[at] = (rng.choice(("../../out.xml", f"/{name}", f"../{name}", name.upper())), inner)
    return repacked(parts)
