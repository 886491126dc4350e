"""Gap sentences of one document as they are shown, without Qt: which are chosen, what comes of it.

Letters: S sentences, M of them in order, G chosen ones.
"""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.documents.document import Document, Kind, Reading, Source
from core.gsg.settings import GapPairSettings
from core.jobs.corpora.browse_corpus import RowShown
from core.jobs.corpora.count_gap_tokens import CountGapTokensJob, GapTokens
from core.jobs.corpora.shade_gaps import GapOrder, gaps_left_in, num_gaps
from core.numbers import format_count, format_quantity
from core.settings import option_words
from core.system.shell import shell_line

MASK = "<MASK>"
SHOWN_CHARACTERS = 8_000
"""So much of the input is shown; exports and corpora have all of it."""
SHOWN_SENTENCES = 60
"""So many sentences of the pseudo-summary are shown."""
NUM_SHADES = 6
_MANY = 30  # scores, of which the highest few do not set the scale
_TOP_PERCENT = 95
_PARAGRAPH_BREAK = re.compile(r"\n[^\S\n]*\n\s*")
_AFTER_ORDER = ("ratio", "ratio_to", "count", "masking", "left_in")
"""Settings that choose from an order and do not change it."""


@dataclass(frozen=True)
class Shown:
    """A text that is shown in part.

    Args:
        document: Its beginning.
        marks: Where masks stand in it, or sentences that stay.
        numbers: For each paragraph, the number of its gap sentence; empty for a running text.
        words: How many words all of it has.
        is_whole: Whether nothing is left out.
    """

    document: Document
    marks: tuple[tuple[int, int], ...]
    numbers: tuple[int, ...]
    words: int
    is_whole: bool


@dataclass
class GapsState:
    """The document that is looked at, its order, and the settings that choose from it.

    Attributes:
        settings: As the controls stand.
        row: The document; None for none.
        order: In what order its sentences become gaps; None until it is known.
        ordered_by: The settings the order was made with.
        top: The score from which the darkest shade begins to fill; 0 without scores.
        shades: [S] how high each score is, 0 to 5; 0 for sentences without one.
        counted: What was counted in tokens, and what came of it; None before.
    """

    settings: GapPairSettings = field(default_factory=GapPairSettings)
    row: RowShown | None = None
    order: GapOrder | None = None
    ordered_by: GapPairSettings | None = None
    top: float = 0.0
    shades: NDArray[np.int8] = field(default_factory=lambda: np.empty(0, np.int8))
    counted: tuple[CountGapTokensJob, GapTokens] | None = None

    def show(self, row: RowShown | None) -> None:
        """Looks at another document."""
        self.row, self.order, self.ordered_by, self.counted = row, None, None, None
        self._scale()

    def take(self, order: GapOrder, settings: GapPairSettings) -> None:
        """Takes the order that was made with some settings."""
        self.order, self.ordered_by = order, settings
        self._scale()

    def _scale(self) -> None:
        """What depends on the scores alone: a slider that is dragged does not change it."""
        self.top = _top(self.order)
        self.shades = _shades(self.order, self.top, self.num_sentences)

    @property
    def needs_order(self) -> bool:
        """Whether the order in hand does not answer what the controls ask."""
        if self.row is None:
            return False
        if self.order is None or self.ordered_by is None:
            return True
        same = self.settings.model_dump(exclude=set(_AFTER_ORDER))
        if same != self.ordered_by.model_dump(exclude=set(_AFTER_ORDER)):
            return True
        return self.wanted > len(self.order.order)

    @property
    def wanted(self) -> int:
        """How many sentences the settings ask for."""
        if self.order is None or self.row is None:
            return 0
        return num_gaps(self.order.num_scorable, self.settings, self.row.number)

    @property
    def num_sentences(self) -> int:
        """S."""
        return 0 if self.row is None else len(self.row.starts)

    @property
    def picked(self) -> NDArray[np.int32]:
        """[G] the chosen sentences in the order of choosing."""
        if self.order is None:
            return np.empty(0, np.int32)
        return self.order.order[: self.wanted]

    @property
    def chosen(self) -> tuple[int, ...]:
        """[G] the chosen sentences, ascending."""
        return tuple(np.sort(self.picked).tolist())

    @property
    def ranks(self) -> NDArray[np.int32]:
        """[S] the number of each chosen sentence, from 1; 0 for the others."""
        ranks = np.zeros(self.num_sentences, np.int32)
        ranks[self.picked] = np.arange(1, len(self.picked) + 1)
        return ranks

    def told(self, sentence: int) -> str:
        """What is known of a sentence: "0.071, 3rd; chosen 2nd, at 0.41"."""
        if self.order is None:
            return ""
        score = float(self.order.scores[sentence])
        parts = []
        if score == score:
            above = int(np.count_nonzero(self.order.scores > score)) + 1
            parts.append(f"{_told_score(score)}, {ordinal(above)}")
        rank = int(self.ranks[sentence])
        if rank:
            when = float(self.order.when_chosen[rank - 1])
            with_score = "" if when != when else f", at {_told_score(when)}"
            parts.append(f"chosen {ordinal(rank)}{with_score}")
        return "; ".join(parts)

    @property
    def counts_line(self) -> tuple[str, str]:
        """How many sentences there are, and how many are chosen."""
        sentences = format_quantity(self.num_sentences, "sentence")
        return sentences, f"{format_count(len(self.picked))} chosen"

    # What the model gets

    def input(self) -> Shown:
        """The input, as a model reads it: its beginning, with what stands for gap sentences."""
        row, chosen = self.row, self.chosen
        assert row is not None
        stays = gaps_left_in(chosen, self.settings, row.number)
        text, marks, is_whole = _with_gaps(row, chosen, stays, self.settings.masking)
        words = self._words(None) - self._words([each for each in chosen if each not in stays])
        return Shown(_document(text), tuple(marks), (), words, is_whole)

    def target(self) -> Shown:
        """The pseudo-summary: the chosen sentences in the order of the text, the first of them."""
        row, chosen = self.row, self.chosen
        assert row is not None
        some = chosen[:SHOWN_SENTENCES]
        text, ranks = row.document.text, self.ranks
        parts = [_one_line(text[row.starts[each] : row.ends[each]]) for each in some]
        numbers = tuple(int(ranks[each]) for each in some)
        words = self._words(list(chosen))
        return Shown(_document("\n\n".join(parts)), (), numbers, words, len(some) == len(chosen))

    def _words(self, sentences: list[int] | None) -> int:
        if self.order is None:
            return 0
        words = self.order.words
        return int(words.sum() if sentences is None else words[sentences].sum())

    def counting(self, folder: Path, tokenizer: Path) -> CountGapTokensJob | None:
        """What counts the tokens of what is shown; None where nothing is chosen."""
        if self.row is None or self.order is None or not len(self.picked):
            return None
        return CountGapTokensJob(folder, self.row.number, self.chosen, self.settings, tokenizer)

    @property
    def tokens(self) -> GapTokens | None:
        """How many tokens input and pseudo-summary have; None while that is not known."""
        if self.counted is None:
            return None
        job, found = self.counted
        return found if self.counting(job.folder, job.tokenizer) == job else None

    def export(self) -> dict[str, Any]:
        """All that is shown, as plain values; the sentences as `epitome gsg --json` has them."""
        row, order = self.row, self.order
        assert row is not None and order is not None
        chosen, ranks = self.chosen, self.ranks
        stays = gaps_left_in(chosen, self.settings, row.number)
        text = row.document.text
        whole, _, _ = _with_gaps(row, chosen, stays, self.settings.masking, limit=len(text) * 2)
        picked = list[dict[str, Any]]()
        for index in chosen:
            rank = int(ranks[index])
            score = float(order.when_chosen[rank - 1])
            sentence = _one_line(text[row.starts[index] : row.ends[index]])
            told = None if score != score else score
            picked.append({"index": index, "rank": rank, "score": told, "text": sentence})
        return {
            "schema": "epitome.gap-pair/1",
            "document": row.id,
            "settings": self.settings.model_dump(mode="json"),
            "sentences": self.num_sentences,
            "picked": picked,
            "input": whole,
            "target": " ".join(each["text"] for each in picked),
        }

    def export_text(self) -> bytes:
        """The same as a file."""
        return json.dumps(self.export(), ensure_ascii=False, indent=1).encode("utf-8", "replace")


def training_command(corpus: str, settings: GapPairSettings, out: str) -> str:
    """The command that makes a corpus with the gap sentences of all documents of another.

    Args:
        corpus: The name of that one.
        settings: How they are chosen.
        out: The name of the new one.

    Returns:
        A line for the shell.
    """
    words = ["epitome", "corpus", corpus, "--make", "gsg", *option_words(settings)]
    return shell_line([*words, "--out", out])


def ordinal(number: int) -> str:
    """A place in an order: "1st", "2nd", "11th"."""
    ends = {1: "st", 2: "nd", 3: "rd"}
    end = "th" if number % 100 in (11, 12, 13) else ends.get(number % 10, "th")
    return f"{format_count(number)}{end}"


def _top(order: GapOrder | None) -> float:
    scores = np.empty(0) if order is None else order.scores[np.isfinite(order.scores)]
    if not len(scores):
        return 0.0
    many = len(scores) >= _MANY
    return float(np.percentile(scores, _TOP_PERCENT) if many else scores.max())


def _shades(order: GapOrder | None, top: float, number: int) -> NDArray[np.int8]:
    if order is None or not top:
        return np.zeros(number, np.int8)
    scores = np.nan_to_num(order.scores, nan=0.0) / top
    shades: NDArray[np.int8] = np.clip(scores * NUM_SHADES, 0, NUM_SHADES - 1).astype(np.int8)
    return shades


def _told_score(score: float) -> str:
    return f"{score:.2f}" if score >= 0.1 else f"{score:.2g}"


def _with_gaps(
    row: RowShown,
    chosen: tuple[int, ...],
    stays: set[int],
    masking: str,
    limit: int = SHOWN_CHARACTERS,
) -> tuple[str, list[tuple[int, int]], bool]:
    """The text with its gaps, where marks stand in it, and whether that is all of it."""
    text, parts, marks = row.document.text, list[str](), list[tuple[int, int]]()
    done = size = 0

    def add(part: str) -> None:
        nonlocal size
        parts.append(part)
        size += len(part)

    for index in chosen:
        start, end = int(row.starts[index]), int(row.ends[index])
        if size + start - done > limit:
            break
        before = text[done:start]
        if index not in stays and masking == "remove":
            before = before.rstrip(" ")
        add(before)
        if index in stays or masking != "remove":
            add(text[start:end] if index in stays else MASK)
            marks.append((size - len(parts[-1]), size))
        done = end
    rest = text[done : done + max(limit - size, 0)]
    add(rest)
    return "".join(parts), marks, done + len(rest) >= len(text)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _document(text: str) -> Document:
    """A text in small type for a narrow column."""
    spans, start = [], 0
    for match in _PARAGRAPH_BREAK.finditer(text):
        spans.append((start, match.start()))
        start = match.end()
    spans.append((start, len(text)))
    spans = [(a, b) for a, b in spans if text[a:b].strip()]
    number = len(spans)
    return Document(
        text,
        "",
        Source(""),
        Reading(0, 0),
        np.array([a for a, _ in spans], np.int64),
        np.array([b for _, b in spans], np.int64),
        np.full(number, Kind.REFERENCE, np.uint8),
        np.zeros(number, np.uint8),
        np.full(number, -1, np.int32),
    )
