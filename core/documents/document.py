"""A document as the program sees it: one text, and arrays that say what lies where in it.

All offsets are code points of `Document.text`; a span is half-open. A document of five million
characters is one string and a few integer arrays, so that it crosses from one process to another,
and into a file, as bytes and not as tens of thousands of small objects.

Letters: P paragraphs, N pages.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import IntEnum
from functools import cached_property, lru_cache
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from core.documents.budget import Budget
from core.documents.guessing import guess_language
from core.documents.languages import AUTO
from core.errors import EpitomeError
from core.storage.parsing import parse_json

PARAGRAPH_BREAK = "\n\n"
_FORMAT = "epitome.document/1"
_PRINTED_NUMBER = re.compile(r"\[(\d{4,5})\]\s+(?=\S)")
_NO_WORD = re.compile(r"\s[^\w\s]++(?!\S)")
# No space parts the words of these scripts. Of Chinese and Japanese each character is counted as
# one; of Thai, Lao, Burmese and Khmer each five characters, about the length of their words.
_CHINESE_JAPANESE = (
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
_SOUTH_EAST = "\u0e01-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1050-\u108f\u1780-\u17d3"
_SPACE = re.compile(r"\s")
_PIECE = 1_000_000  # characters that are split at a time; a list of all words would take gigabytes
_SHORT = 1000  # characters of a text whose count is remembered
# A run of "[a][a]*" is found six times as fast as one of "[a]+".
_CHINESE_JAPANESE_RUN, _SOUTH_EAST_RUN, _ANY_RUN = (
    re.compile(f"[{script}][{script}]*")
    for script in (_CHINESE_JAPANESE, _SOUTH_EAST, _CHINESE_JAPANESE + _SOUTH_EAST)
)


class Kind(IntEnum):
    """What a paragraph is. Only `PARAGRAPH`, `LIST_ITEM` and `QUOTE` hold running text."""

    PARAGRAPH = 0
    HEADING = 1
    LIST_ITEM = 2
    QUOTE = 3
    CAPTION = 4
    CODE = 5
    TABLE = 6
    FOOTNOTE = 7
    REFERENCE = 8  # an entry of a list of references
    BOILERPLATE = 9  # licences, addresses, navigation that stayed
    SPEAKER = 10  # a line of a transcript that only names who speaks next
    INTERJECTION = 11  # a turn of one or two words ("Yes."), or a stage direction ("(Laughter.)")


RUNNING_TEXT = (Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.QUOTE)
UNCOUNTED = (Kind.HEADING, Kind.SPEAKER)
"""What is no paragraph where paragraphs are counted."""


@dataclass(frozen=True)
class LeftOut:
    """Something of the source that is not in the text.

    Args:
        what: What it is, in the plural ("running heads", "pages without text").
        why: Why it is not there, a short clause ("they repeat on every page").
        words: How many words it held, as far as that can be known.
        pages: Page numbers from 1; empty when the source has no pages.
        missed: True if a reader of the summary may miss something (a scanned page, a table);
            False for furniture (running heads, page numbers, navigation).
    """

    what: str
    why: str
    words: int = 0
    pages: tuple[int, ...] = ()
    missed: bool = True


@dataclass(frozen=True)
class Reading:
    """What was read of a source, and what was not.

    Args:
        words: Words in the extracted text.
        of_words: Words found in the source, those left out included.
        pages: Pages whose text was read; 0 when the source has no pages.
        of_pages: Pages of the source; 0 when it has none.
        left_out: What is not in the text, and why.
        notes: What else was noticed ("The encoding was guessed: windows-1252."), one sentence each.
        language: The code of the text's language ("de"); empty where it is not known.
        language_guessed: Whether the text itself told it, and no person.
    """

    words: int
    of_words: int
    pages: int = 0
    of_pages: int = 0
    left_out: tuple[LeftOut, ...] = ()
    notes: tuple[str, ...] = ()
    language: str = ""
    language_guessed: bool = True

    @property
    def complete(self) -> bool:
        """Whether nothing is missing that a reader of the summary may miss."""
        return not any(item.missed for item in self.left_out)


@dataclass(frozen=True)
class Source:
    """Where a document came from.

    Args:
        name: What to call it: the file's name, or "Pasted text".
        path: Its path, or empty when there is no file.
        sha256: Hash of the bytes that were read, in hex.
        size_bytes: How many bytes were read.
        format: The reader that read it: a key of `readers.formats.FORMATS`.
    """

    name: str
    path: str = ""
    sha256: str = ""
    size_bytes: int = 0
    format: str = "text"


@dataclass(frozen=True)
class Block:
    """One paragraph on its way into a `Document`; what every reader gives.

    Args:
        text: The paragraph without line breaks (code and tables may keep theirs).
        kind: What it is.
        level: 1 to 6 for headings; depth from 1 for list items; else 0.
        page: Number of the page or slide it begins on, from 1; 0 when there are no pages.
        page_breaks: For a paragraph that goes on over further pages: the offsets in `text` at
            which each next page begins.
        speaker: Who says it; empty where nobody does.
        label: How many code points at its beginning name the speaker ("MR. SMITH: ").
    """

    text: str
    kind: Kind = Kind.PARAGRAPH
    level: int = 0
    page: int = 0
    page_breaks: tuple[int, ...] = ()
    speaker: str = ""
    label: int = 0


@dataclass(frozen=True, eq=False)
class Document:
    """A text with its title, paragraphs, headings and pages.

    Args:
        text: The whole extracted text; paragraphs are separated by a blank line.
        title: The document's own title, or its file's name.
        source: Where it came from.
        reading: What was read and what was left out.
        starts: [P] int64, where each paragraph begins.
        ends: [P] int64, where each paragraph ends.
        kinds: [P] uint8, a `Kind` for each paragraph.
        levels: [P] uint8, the level of a heading or list item, else 0.
        numbers: [P] int32, the paragraph number printed in the source ("[0031]" gives 31; it is
            taken out of the text), or -1.
        page_starts: [N] int64, where the text of each page begins; empty without pages. Page
            *i*, counted from 1, begins at ``page_starts[i - 1]``; a page without text begins
            where the next one does.
        speakers: [P] int32, who says each paragraph: an index in `speaker_names`, or -1.
        label_lengths: [P] int32, how many code points at the beginning of each paragraph name
            its speaker; they are part of no sentence.
        speaker_names: Who speaks; empty in a document that is no transcript.
    """

    text: str
    title: str
    source: Source
    reading: Reading
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    kinds: NDArray[np.uint8]
    levels: NDArray[np.uint8]
    numbers: NDArray[np.int32]
    page_starts: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    speakers: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    label_lengths: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    speaker_names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        # A copy that an older program kept knows no speakers.
        if len(self.speakers) != len(self.starts):
            object.__setattr__(self, "speakers", np.full(len(self.starts), -1, np.int32))
        if len(self.label_lengths) != len(self.starts):
            object.__setattr__(self, "label_lengths", np.zeros(len(self.starts), np.int32))

    @classmethod
    def from_blocks(
        cls,
        blocks: Iterable[Block],
        *,
        title: str,
        source: Source,
        num_pages: int = 0,
        left_out: Sequence[LeftOut] = (),
        notes: Sequence[str] = (),
    ) -> Self:
        """Joins a reader's blocks into a document; empty blocks are dropped.

        Args:
            blocks: The paragraphs in reading order, pages ascending.
            title: The document's title.
            source: Where it came from.
            num_pages: Pages of the source; 0 when it has none.
            left_out: What the reader did not put into the blocks.
            notes: What else the reader noticed.

        Raises:
            EpitomeError: If it has more text or paragraphs than a document can have.

        Returns:
            The document. Its `reading` counts a page as read when text begins on it or runs
            over it.
        """
        builder, budget = _Builder(num_pages), Budget(source.name)
        for block in blocks:
            budget.add_text(block.text)
            builder.add(block)
        text = PARAGRAPH_BREAK.join(builder.parts)
        words = count_words(text)
        reading = Reading(
            words=words,
            of_words=words + sum(item.words for item in left_out),
            pages=len(builder.pages_seen),
            of_pages=num_pages,
            left_out=tuple(left_out),
            notes=tuple(notes),
            language=guess_language(text),
        )
        return cls(
            text=text,
            title=title,
            source=source,
            reading=reading,
            starts=np.array(builder.starts, np.int64),
            ends=np.array(builder.ends, np.int64),
            kinds=np.array(builder.kinds, np.uint8),
            levels=np.array(builder.levels, np.uint8),
            numbers=np.array(builder.numbers, np.int32),
            page_starts=builder.filled_page_starts(len(text)),
            speakers=np.array(builder.speakers, np.int32),
            label_lengths=np.array(builder.label_lengths, np.int32),
            speaker_names=tuple(builder.speaker_indices),
        )

    def in_language(self, code: str) -> "Document":
        """The same document in another language.

        Args:
            code: The code of the language that a person says it is in; `AUTO` to guess it.

        Returns:
            The document; its sentences may end elsewhere.
        """
        guessed = code == AUTO
        if guessed and self.reading.language_guessed:
            return self
        language = guess_language(self.text) if guessed else code
        reading = replace(self.reading, language=language, language_guessed=guessed)
        return replace(self, reading=reading)

    @property
    def num_paragraphs(self) -> int:
        """How many paragraphs there are, headings included."""
        return len(self.starts)

    def paragraph(self, index: int) -> str:
        """The text of one paragraph."""
        return self.text[self.starts[index] : self.ends[index]]

    def passage(self, start: int, end: int) -> str:
        """The text between two offsets, as it stands there."""
        return self.text[start:end]

    def paragraph_at(self, offset: int) -> int:
        """Index of the paragraph that holds a code point (or the last one before it)."""
        return max(0, int(self.starts.searchsorted(offset, side="right")) - 1)

    def page_at(self, offset: int) -> int:
        """Number from 1 of the page that holds a code point; 0 when there are no pages."""
        return int(self.page_starts.searchsorted(offset, side="right"))

    def label(self, index: int) -> str:
        """What to call a paragraph: its printed number ("[0031]"), else its count from 1."""
        number = int(self.numbers[index])
        return f"[{number:04d}]" if number >= 0 else str(self.ordinals[index])

    def speaker(self, index: int) -> str:
        """Who says a paragraph; empty where nobody does, or it is not known."""
        speaker = int(self.speakers[index])
        return self.speaker_names[speaker] if speaker >= 0 else ""

    @cached_property
    def ordinals(self) -> NDArray[np.int64]:
        """[P] how many paragraphs there are up to and with each one; headings do not count."""
        return np.cumsum(~np.isin(self.kinds, UNCOUNTED))

    def to_bytes(self) -> bytes:
        """The document as bytes: a line of JSON, the arrays, the text in UTF-8."""
        arrays = {name: getattr(self, name) for name in _ARRAYS}
        head: dict[str, Any] = {
            "format": _FORMAT,
            "title": self.title,
            "source": asdict(self.source),
            "reading": asdict(self.reading),
            "speaker_names": self.speaker_names,
            "arrays": {name: [array.dtype.str, len(array)] for name, array in arrays.items()},
        }
        body = b"".join(array.tobytes() for array in arrays.values())
        text = self.text.encode("utf-8", "surrogatepass")
        return json.dumps(head).encode() + b"\n" + body + text

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The document that `to_bytes` wrote.

        Args:
            data: All its bytes.

        Returns:
            An equal document.

        Raises:
            EpitomeError: If the bytes are damaged or of another format.
        """
        try:
            return cls._parsed(data)
        except (ValueError, KeyError, TypeError) as error:
            raise EpitomeError(
                "The saved copy of the document is damaged.", "Open the document's file again."
            ) from error

    @classmethod
    def _parsed(cls, data: bytes) -> Self:
        end = data.index(b"\n")
        head = parse_json(data[:end])
        if head["format"] != _FORMAT:
            raise ValueError(head["format"])
        offset = end + 1
        arrays = {}
        for name, (dtype, length) in head["arrays"].items():
            # Copied: what is not aligned numpy would copy anew at every single search.
            arrays[name] = np.frombuffer(data, np.dtype(dtype), length, offset).copy()
            offset += arrays[name].nbytes
        reading = head["reading"]
        reading["left_out"] = tuple(
            LeftOut(**{**item, "pages": tuple(item["pages"])}) for item in reading["left_out"]
        )
        reading["notes"] = tuple(reading["notes"])
        return cls(
            text=data[offset:].decode("utf-8", "surrogatepass"),
            title=head["title"],
            source=Source(**head["source"]),
            reading=Reading(**reading),
            speaker_names=tuple(head.get("speaker_names", ())),
            **arrays,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return (Document.from_bytes, (self.to_bytes(),))


_ARRAYS = (
    *("starts", "ends", "kinds", "levels", "numbers", "page_starts"),
    *("speakers", "label_lengths"),
)


class _Builder:
    """Collects blocks and where they begin."""

    def __init__(self, num_pages: int) -> None:
        self.parts: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.kinds: list[int] = []
        self.levels: list[int] = []
        self.numbers: list[int] = []
        self.speakers: list[int] = []
        self.label_lengths: list[int] = []
        self.speaker_indices: dict[str, int] = {}
        self.pages_seen: set[int] = set()
        self._page_starts: list[int] = [-1] * num_pages
        self._offset = 0

    def add(self, block: Block) -> None:
        text = block.text.rstrip()
        match = _PRINTED_NUMBER.match(text)
        shift = match.end() if match else len(text) - len(text.lstrip("\n"))
        text = text[shift:]
        if not text:
            return
        if self.parts:
            self._offset += len(PARAGRAPH_BREAK)
        start, end = self._offset, self._offset + len(text)
        if block.page:
            self._begin_page(block.page, start)
            for page, at in enumerate(block.page_breaks, block.page + 1):
                self._begin_page(page, start + min(max(at - shift, 0), len(text)))
        self.parts.append(text)
        self.starts.append(start)
        self.ends.append(end)
        self.kinds.append(block.kind)
        self.levels.append(block.level)
        self.numbers.append(int(match[1]) if match else -1)
        self.speakers.append(self._speaker_index(block.speaker))
        self.label_lengths.append(min(max(block.label - shift, 0), len(text)))
        self._offset = end

    def _speaker_index(self, name: str) -> int:
        """The index of a speaker; -1 for none."""
        return self.speaker_indices.setdefault(name, len(self.speaker_indices)) if name else -1

    def _begin_page(self, page: int, offset: int) -> None:
        self.pages_seen.add(page)
        if self._page_starts[page - 1] < 0:
            self._page_starts[page - 1] = offset

    def filled_page_starts(self, length: int) -> NDArray[np.int64]:
        """Pages without text begin where the next page with text does."""
        filled = np.array(self._page_starts, np.int64)
        following = length
        for index in range(len(filled) - 1, -1, -1):
            if filled[index] < 0:
                filled[index] = following
            following = filled[index]
        return filled


def count_words(text: str) -> int:
    """How many words a text has: runs without white space that hold a letter or a digit.

    Of Chinese and Japanese, which part no words, each character is counted, as word processors do;
    of Thai, Lao, Burmese and Khmer each five.
    """
    return _count_known(text) if len(text) <= _SHORT else _count(text)


def _count(text: str) -> int:
    count = 0
    if not text.isascii() and _ANY_RUN.search(text):
        count = sum(map(len, _CHINESE_JAPANESE_RUN.findall(text)))
        count += sum(-(-len(run) // 5) for run in _SOUTH_EAST_RUN.findall(text))
        text = _ANY_RUN.sub(" ", text)
    # Not by a pattern for words: that is quadratic on a line of a hundred thousand dashes.
    for piece in _pieces(text):
        count += len(piece.split()) - len(_NO_WORD.findall(f" {piece}"))
    return count


_count_known = lru_cache(maxsize=4096)(_count)  # readers count the words of a paragraph repeatedly


def _pieces(text: str) -> Iterator[str]:
    """A text in pieces that end at white space."""
    start = 0
    while len(text) - start > _PIECE and (space := _SPACE.search(text, start + _PIECE)):
        yield text[start : space.start()]
        start = space.start()
    yield text[start:] if start else text
