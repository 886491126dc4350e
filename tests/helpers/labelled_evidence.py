"""The labelled evidence of `tests/reference/evidence`, and counts against it."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from core.documents.document import Document
from core.documents.readers.door import read_pasted
from core.documents.sentences import Sentences, split_document
from core.documents.words import unicode_words
from core.events import result_of
from core.stop import StopToken

ROOT = Path(__file__).parents[2]
PAIRS = ROOT / "../shared/data/pairs"
LABELS = ROOT / "tests/reference/evidence/labels.jsonl"


@dataclass(frozen=True)
class Labelled:
    """A summary sentence, its document, and which sentences a reader accepts for its claims.

    `lacking` are numbers and names of the sentence that the document does not have.
    """

    set: str
    id: str
    part: str
    text: str
    document: Document
    sentences: Sentences
    claims: tuple[frozenset[int], ...]
    lacking: tuple[str, ...]

    @property
    def accepted(self) -> frozenset[int]:
        return frozenset().union(*self.claims)


@dataclass(frozen=True)
class Counts:
    """What was shown for one sentence, against its labels."""

    shown: int
    right: int
    claims: int
    covered: int


def key_of(sentence: str) -> str:
    """What names a source sentence in the labels: a hash of its words."""
    return hashlib.sha256(" ".join(unicode_words(sentence)).encode()).hexdigest()[:12]


def read_rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in LABELS.read_text("utf-8").splitlines()]


def read_labels(part: str = "") -> Iterator[Labelled]:
    """All labelled sentences, or those of one part; needs the data."""
    for row in read_rows():
        if part and row["part"] != part:
            continue
        pair = _pairs(row["set"], row["split"])[row["id"]]
        document = result_of(read_pasted(pair["document"], "", StopToken()))
        sentences = result_of(split_document(document, StopToken()))
        places: dict[str, set[int]] = {}
        for index, text in enumerate(sentences.texts(document.text)):
            places.setdefault(key_of(text), set()).add(index)
        claims = tuple(frozenset().union(*(places[key] for key in c)) for c in row["claims"])
        text = pair["summary"][row["start"] : row["end"]]
        yield Labelled(
            row["set"],
            row["id"],
            row["part"],
            text,
            document,
            sentences,
            claims,
            tuple(row["lacking"]),
        )


def counts(labelled: Labelled, shown: Sequence[int]) -> Counts:
    """How many shown sentences are accepted, and how many supported claims they cover."""
    claims = [claim for claim in labelled.claims if claim]
    return Counts(
        len(shown),
        len(labelled.accepted.intersection(shown)),
        len(claims),
        sum(bool(claim.intersection(shown)) for claim in claims),
    )


@cache
def _pairs(name: str, split: str) -> dict[str, dict[str, str]]:
    from pyarrow.parquet import read_table

    columns = ["id", "document", "summary"]
    rows = read_table(PAIRS / name / f"{split}.parquet", columns=columns).to_pylist()
    return {row["id"]: row for row in rows}
