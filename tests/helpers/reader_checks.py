"""Helpers for tests of readers."""

import html
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.documents.document import Document, Kind
from core.documents.readers.door import read_bytes, read_file
from core.events import result_of
from core.stop import StopToken

FILES = Path(__file__).parents[2] / "../shared/data/files"


def real_file(name: str) -> Path:
    """A file of the shared data; skips the test where there is none."""
    path = FILES / name
    if not path.exists():
        pytest.skip(f"the shared file {name} is not here")
    return path


def read(data: bytes | str, name: str) -> Document:
    """The document of bytes, or of text in UTF-8, under a name."""
    data = data.encode() if isinstance(data, str) else data
    return result_of(read_bytes(data, name, StopToken()))


def read_path(path: Path) -> Document:
    """The document of a file."""
    return result_of(read_file(path, StopToken()))


def outline(document: Document) -> list[tuple[Kind, str]]:
    """Kind and text of each paragraph."""
    kinds = [Kind(int(kind)) for kind in document.kinds]
    return [(kind, document.paragraph(index)) for index, kind in enumerate(kinds)]


def texts(document: Document, *kinds: Kind) -> list[str]:
    """The paragraphs of some kinds, or of all."""
    return [text for kind, text in outline(document) if not kinds or kind in kinds]


def plain_texts(path: Path, pattern: str) -> Iterator[str]:
    """The texts of paragraphs in the parts of an archive, found without any reader.

    Args:
        path: The archive.
        pattern: Names of the parts.
    """
    ends = re.compile(r"</(?:\w+:)?(?:p|h\d?|li|blockquote|cite|v|text|td|index-title)>|<br/>")
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if re.fullmatch(pattern, name):
                xml = archive.read(name).decode()
                xml = re.sub(r"<head>.*?</head>|<(text:\w+-source) .*?</\1>", "", xml, flags=re.S)
                for part in ends.split(xml):
                    yield re.sub(
                        r"[\u200b\u2060\ufeff]", "", html.unescape(re.sub(r"<[^>]*>", "", part))
                    )


def check_spans(document: Document) -> None:
    """Asserts what holds for every document: spans lie in order, close to the text."""
    before = -2
    for start, end in zip(document.starts, document.ends, strict=True):
        text = document.text[start:end]
        assert start == before + 2
        assert text
        assert text == text.strip()
        before = end
    assert before in (len(document.text), -2)
    assert len(document.kinds) == len(document.levels) == len(document.starts)
    for kind, text in outline(document):
        assert "\n" not in text or kind in (Kind.CODE, Kind.TABLE)
