"""Documents whose sentences were judged by reading, as the program reads them today.

What is there: `../shared/data/judged` (170 documents of thirteen kinds) and
`tests/reference/judged` (further kinds, sources and languages), both under the guide in
`../shared/data/judged/GUIDE.md`.
"""

import json
import lzma
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.documents.document import RUNNING_TEXT, Document, Kind, count_words
from core.documents.readers.door import read_file, read_pasted
from core.documents.sentences import Sentences, split_document
from core.errors import EpitomeError
from core.events import result_of
from core.stop import StopToken

ROOT = Path(__file__).parents[1]
SHARED = ROOT / "../shared/data"
OWN = ROOT / "tests/reference/judged"
FAULTS = "-dcfxmq"
"""No fault; leans back, points away, fragment, broken by extraction, misleading alone, question."""


_PLAIN = ("guides", "hearings", "policies", "posts")  # of the shared sets: text without its marks
_LONGEST_HEADING = 15  # words


@dataclass(frozen=True, eq=False)
class Judged:
    """A document and what readers think of its sentences.

    Letters: S sentences of the document.

    Args:
        id: Its name.
        kind: What it is: "papers", "posts" and so on.
        use: "shared", "tuning" or "held-out".
        document: As the program reads it.
        sentences: [S] its sentences.
        importance: [S] int, 0 to 3; -1 where nobody judged (headings, tables, other splits).
        fault: [S] int, an index into `FAULTS`; -1 where nobody judged.
        star: The one sentence that says most; -1 if the program splits it differently.
        same_as: From a sentence to the earlier one that says the same.
    """

    id: str
    kind: str
    use: str
    document: Document
    sentences: Sentences
    importance: NDArray[np.int64]
    fault: NDArray[np.int64]
    star: int
    same_as: dict[int, int]

    @property
    def texts(self) -> list[str]:
        """[S] the sentences."""
        return self.sentences.texts(self.document.text)


def shared_documents() -> Iterator[Judged]:
    """The 170 documents beside the project; none where they are missing."""
    for path in sorted((SHARED / "judged").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield _judged(json.loads(line), "shared")


def own_documents(use: str) -> Iterator[Judged]:
    """Those in this repository.

    Args:
        use: "tuning", or "held-out" and "held-out-later": never looked at but by their figures.
    """
    with lzma.open(OWN / f"{use}.jsonl.xz", "rt", encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            labels = zip(row["spans"], row["labels"].split(), strict=True)
            row["sentences"] = [_label(span, label) for span, label in labels]
            yield _judged(row, use)


def picked_documents() -> Iterator[Judged]:
    """Documents beside the project of which only some sentences were judged.

    Those are sentences that an earlier model held for good, and good ones that it did not. Their
    texts are in `../shared/data`; none where it is missing.
    """
    with lzma.open(OWN / "picks.jsonl.xz", "rt", encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            title, text = _sources(row["set"]).get(row["id"], ("", ""))
            if not text:
                continue
            document = _titled(text, title)
            sentences = result_of(split_document(document, StopToken()))
            places = {start: index for index, start in enumerate(sentences.starts.tolist())}
            importance, fault = np.full(len(sentences), -1), np.full(len(sentences), -1)
            star = -1
            for (start, end), mark in zip(row["spans"], row["labels"].split(), strict=True):
                index = places.get(start, -1)
                if index >= 0 and sentences.ends[index] == end:
                    importance[index], fault[index] = int(mark[0]), FAULTS.index(mark[1])
                    star = index if mark.endswith("*") else star
            name = f"{row['set']}/{row['id']}"
            yield Judged(
                name, row["set"], "picks", document, sentences, importance, fault, star, {}
            )


def _label(span: Sequence[int], label: str) -> dict[str, Any]:
    """From "2d*=7" what the shared documents have in full."""
    start, end = span
    marks, _, same = label.partition("=")
    found: dict[str, Any] = {"start": start, "end": end, "importance": int(marks[0])}
    found |= {"fault": marks[1]} | ({"star": True} if marks.endswith("*") else {})
    return found | ({"same_as": int(same)} if same else {})


def _judged(row: dict[str, Any], use: str) -> Judged:
    document = _document(row)
    sentences = result_of(split_document(document, StopToken()))
    place = _places(row, document, sentences)
    if use != "shared" or row["set"] in _PLAIN:
        document = _with_headings(document, sentences, set(place.values()))
    number = len(sentences)
    importance, fault = np.full(number, -1), np.full(number, -1)
    star = -1
    for at, label in enumerate(row["sentences"]):
        index = place.get(at, -1)
        if index >= 0:
            importance[index], fault[index] = label["importance"], FAULTS.index(label["fault"])
            star = index if label.get("star") else star
    same = {
        place[at]: place[label["same_as"]]
        for at, label in enumerate(row["sentences"])
        if "same_as" in label and at in place and label["same_as"] in place
    }
    return Judged(row["id"], row["set"], use, document, sentences, importance, fault, star, same)


def _places(row: dict[str, Any], document: Document, sentences: Sentences) -> dict[int, int]:
    """From the number of a label to the sentence that says the same, in the order of both."""
    running = np.isin(document.kinds[sentences.paragraphs], RUNNING_TEXT)
    waiting: dict[str, list[int]] = {}
    for index, text in enumerate(sentences.texts(document.text)):
        if running[index]:
            waiting.setdefault(_plain(text), []).append(index)
    place: dict[int, int] = {}
    for at, label in enumerate(row["sentences"]):
        text = label.get("text") or row["text"][label["start"] : label["end"]]
        found = waiting.get(_plain(text)) or waiting.get(_plain(text.partition(": ")[2]))
        if found:
            place[at] = found.pop(0) if len(found) > 1 else found[0]
    return place


def _with_headings(document: Document, sentences: Sentences, judged: set[int]) -> Document:
    """The document with the headings and the code that its plain text no longer shows.

    What was running text when it was judged has a label: a paragraph without one was none.
    """
    kinds, levels = document.kinds.copy(), document.levels.copy()
    labelled = {int(sentences.paragraphs[index]) for index in judged}
    for index in range(document.num_paragraphs):
        if index in labelled or kinds[index] not in RUNNING_TEXT:
            continue
        short = count_words(document.paragraph(index)) <= _LONGEST_HEADING
        kinds[index], levels[index] = (Kind.HEADING, 2) if short else (Kind.CODE, 0)
    return replace(document, kinds=kinds, levels=levels)


def _document(row: dict[str, Any]) -> Document:
    """As a person would open it: the file, or the row with its headings, or the plain text."""
    title, text = row["title"], row["text"]
    if row["set"] == "files" and "row" in row:
        try:
            return result_of(read_file(SHARED / "files" / row["row"], StopToken()))
        except EpitomeError:
            pass
    else:
        title, text = _sources(row["set"]).get(row.get("row", ""), (title, text))
    return result_of(read_pasted(text, "", StopToken())) if not title else _titled(text, title)


def _titled(text: str, title: str) -> Document:
    return replace(result_of(read_pasted(text, "", StopToken())), title=title)


@cache
def _sources(kind: str) -> dict[str, tuple[str, str]]:
    """From a row's name to its title and text with headings marked."""
    from pyarrow.parquet import read_table

    for path, column in (
        (SHARED / "pairs" / kind / "train.parquet", "document"),
        (SHARED / "corpus" / f"{kind}.parquet", "text"),
    ):
        if path.exists():
            rows = read_table(path, columns=["id", "title", column]).to_pylist()
            return {row["id"]: (row["title"], row[column]) for row in rows}
    return {}


def _plain(text: str) -> str:
    return " ".join(text.split())
