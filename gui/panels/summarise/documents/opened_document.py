"""An open document: its rankings, its summary as it stands, and what was decided about it."""

import math
from dataclasses import dataclass, field, replace

import numpy as np

from core.documents.document import Document, Reading
from core.errors import EpitomeError
from core.jobs.call import CallJob
from core.jobs.documents.open_document import DocumentRanked
from core.jobs.sources.sources import SourceRef
from core.library.decisions import Decisions
from core.numbers import format_count
from core.summaries.length import Length, LengthUnit
from core.summaries.summary import Edits, Evidence, Summary
from core.summarisers.choice import choose
from gui.panels.summarise.summary.choices import BUILT_IN, MOST_SENTENCES, SLIDER_TOPS, Choices

_FEWEST_STEPS = 3
"""A slider has so many steps at least."""


@dataclass(eq=False)
class OpenedDocument:
    """A document that was read, and its summary as it stands.

    Attributes:
        source: Where it came from.
        document: In the language that is chosen.
        guessed: What was read of it, with the detected language.
        choices: What the summary was made with.
        ranked: Its sentences, ranked in the chosen language; None until they are.
        summary: What is shown; None until it is there.
        rankings: The rankings by language.
        written: Summaries that trained models wrote, by model, length and language.
        undone: Choices that redo brings back, the next one last.
        done: Choices that undo brings back, the next one last.
        first_length: The length of a summary about which nothing was decided.
        restored: Decisions of an earlier time that were taken up; None when there were none.
        is_recent: Whether it was listed among the recent documents.
        recorded: The names of its entries in the history, and the summaries that are there, by
            model and language.
        reference: The summary that the person gave to compare with; empty for none.
    """

    source: SourceRef
    document: Document
    guessed: Reading
    choices: Choices
    ranked: DocumentRanked | None = None
    summary: Summary | None = None
    rankings: dict[str, DocumentRanked] = field(default_factory=dict)
    written: dict[tuple[str, Length, str], Summary] = field(default_factory=dict)
    undone: list[Choices] = field(default_factory=list)
    done: list[Choices] = field(default_factory=list)
    first_length: Length = field(default_factory=Length)
    restored: Decisions | None = None
    is_recent: bool = False
    recorded: dict[tuple[str, str], tuple[str, Summary]] = field(default_factory=dict)
    reference: str = ""

    def with_choices(self, choices: Choices) -> "OpenedDocument":
        """The same document with other decisions; rankings and written summaries are shared."""
        return OpenedDocument(
            self.source,
            self.document,
            self.guessed,
            choices,
            rankings=self.rankings,
            written=self.written,
            first_length=self.first_length,
        )

    # Rankings and summaries

    def take_ranking(self, language: str, event: DocumentRanked) -> None:
        """Keeps a ranking, cut to what the window shows at most."""
        ranking = event.ranking
        by_words, by_number = ranking.by_words, ranking.by_number
        best = replace(
            ranking,
            by_words=by_words.best(MOST_SENTENCES),
            by_number=by_number.best(MOST_SENTENCES),
        )
        self.rankings[language] = replace(event, ranking=best)

    def choose_job(self) -> CallJob | None:
        """What makes the built-in summary; None when a trained model wrote it, and it is shown."""
        choices = self.choices
        self.document = self.document.in_language(choices.language)
        self.ranked = self.rankings[choices.language]
        if choices.model != BUILT_IN:
            self.summary = self.written[choices.model, choices.length, choices.language]
            return None
        return CallJob(
            choose,
            self.document,
            self.ranked.ranking,
            choices.length,
            choices.pinned,
            choices.banned,
            self.ranked.seconds,
        )

    def take_summary(self, summary: Summary) -> None:
        """Shows a built-in summary, with what was edited, and a note when the limit cut it."""
        summary = replace(summary, edits=self._edits())
        if len(summary.sentences) >= MOST_SENTENCES:
            note = (
                f"The window shows at most {format_count(MOST_SENTENCES)} sentences; "
                "the command line writes longer summaries."
            )
            summary = replace(summary, notes=(*summary.notes, note))
        self.summary = summary

    def _edits(self) -> Edits:
        choices = self.choices
        return Edits(
            dropped=tuple(map(self._evidence, sorted(choices.banned - choices.replaced))),
            replaced=tuple(map(self._evidence, sorted(choices.replaced))),
        )

    def _evidence(self, index: int) -> Evidence:
        assert self.ranked is not None
        ranking = self.ranked.ranking
        start, end = int(ranking.starts[index]), int(ranking.ends[index])
        return Evidence.at(self.document, index, start, end)

    # Decisions of an earlier time

    def restore(self, kept: Decisions) -> None:
        """Takes up what was decided before; undo and `start_fresh` lead back from it."""
        assert self.ranked is not None
        starts = self.ranked.ranking.starts
        indices = {start: index for index, start in enumerate(starts.tolist())}

        def found(offsets: tuple[int, ...]) -> frozenset[int]:
            return frozenset(indices[offset] for offset in offsets if offset in indices)

        replaced = found(kept.replaced)
        choices = replace(
            self.choices,
            pinned=found(kept.pinned),
            banned=found(kept.dropped) | replaced,
            replaced=replaced,
        )
        if kept.length:
            choices = replace(choices, length=Length.parse(kept.length))
        if choices != self.choices:
            self.done.append(self.choices)
            self.choices, self.restored = choices, kept

    def decisions(self) -> Decisions:
        """What is to be kept of the choices until the document is opened again."""
        choices, sha256 = self.choices, self.document.source.sha256
        length = str(choices.length) if choices.length != self.first_length else ""
        return Decisions(
            sha256,
            length,
            self._starts(choices.pinned),
            self._starts(choices.banned - choices.replaced),
            self._starts(choices.replaced),
            choices.language,
            reference=self.reference,
        )

    def _starts(self, indices: frozenset[int]) -> tuple[int, ...]:
        assert self.ranked is not None
        return tuple(self.ranked.ranking.starts[sorted(indices)].tolist())

    # Lengths

    def most(self, unit: LengthUnit) -> int:
        """The longest summary that the document gives, in a unit."""
        if self.ranked is None:
            return SLIDER_TOPS[unit]
        ranking = self.ranked.ranking
        if unit == "sentences":
            return max(1, len(ranking.by_number.indices))
        words = int(ranking.words[ranking.by_words.indices].sum())
        if unit == "words":
            return max(1, words)
        return max(1, min(100, -(-100 * words // max(1, self.document.reading.words))))

    def most_good(self, unit: LengthUnit) -> int:
        """The longest summary of good sentences alone, in a unit: there the slider ends.

        If that is half of the text, it is the longest summary of all.
        """
        most = self.most(unit)
        if self.ranked is None:
            return most
        ranking = self.ranked.ranking
        order = ranking.order_for(unit)
        good = order.indices[: order.num_offered]
        words, all_words = int(ranking.words[good].sum()), max(1, self.document.reading.words)
        sizes: dict[LengthUnit, int] = {
            "sentences": len(good),
            "words": words,
            "share": -(-100 * words // all_words),
        }
        is_half = len(good) >= ranking.half if unit == "sentences" else 2 * words >= all_words
        return most if is_half else min(most, max(_FEWEST_STEPS, sizes[unit]))

    def length_in(self, unit: LengthUnit) -> Length | None:
        """The length of the summary in another unit; None while there is no summary."""
        summary = self.summary
        if summary is None:
            return None
        share = round(100 * summary.words / max(1, summary.read.words))
        values: dict[LengthUnit, int] = {
            "sentences": self._num_sentences_for(summary),
            "words": summary.words,
            "share": share,
        }
        return Length(max(1, values[unit]), unit)

    def _num_sentences_for(self, summary: Summary) -> int:
        """How many sentences have about as many words, where sentences are counted."""
        if summary.model != BUILT_IN or self.ranked is None:
            return len(summary.sentences)
        ranking = self.ranked.ranking
        words = np.cumsum(ranking.words[ranking.by_number.indices])
        return int(np.abs(words - summary.words).argmin()) + 1 if len(words) else 1

    # Decisions: each gives the choices that follow from it

    def pin_toggled(self, row: int) -> Choices:
        """The choices with a sentence of the summary pinned or released."""
        return replace(self.choices, pinned=self.choices.pinned ^ {self.index_of(row)})

    def replaced(self, row: int) -> Choices:
        """The choices without a sentence, whose place the next best ones take.

        Args:
            row: Its place in the summary, from 0.

        Returns:
            The choices.

        Raises:
            EpitomeError: If no sentence is left to take its place.
        """
        assert self.ranked is not None and self.summary is not None
        taken = {sentence.evidence[0].sentence for sentence in self.summary.sentences}
        order = self.ranked.ranking.order_for(self.choices.length.unit)
        if not set(order.indices.tolist()) - taken - self.choices.banned:
            raise EpitomeError(
                "Every sentence of the source is in the summary or was dropped from it.",
                "Undo a drop, or drop this sentence.",
            )
        index = self.index_of(row)
        choices = self.choices.without(index)
        return replace(choices, replaced=choices.replaced | {index})

    def dropped(self, row: int) -> Choices:
        """The choices without a sentence, and shorter by it."""
        assert self.summary is not None and self.ranked is not None
        length, words = self.choices.length, self.summary.words
        dropped_words = int(self.ranked.ranking.words[self.index_of(row)])
        value = {
            "sentences": len(self.summary.sentences) - 1.0,
            "words": words - dropped_words,
            "share": length.value * (1 - dropped_words / max(1, words)),
        }[length.unit]
        shorter = Length(max(1, min(length.value, round(value, 1))), length.unit)
        return replace(self.choices.without(self.index_of(row)), length=shorter)

    def added(self, offset: int) -> Choices:
        """The choices with the sentence at a code point pinned, and longer by it.

        Args:
            offset: A code point of the document.

        Returns:
            The choices.

        Raises:
            EpitomeError: If there is no sentence.
        """
        assert self.ranked is not None and self.summary is not None
        ranking = self.ranked.ranking
        index = int(ranking.starts.searchsorted(offset, side="right")) - 1
        if offset < 0 or index < 0 or not ranking.words[index]:
            raise EpitomeError(
                "No sentence of the source is selected.", "Click a sentence of the source first."
            )
        choices, length = self.choices, self.choices.length
        if not any(item.evidence[0].sentence == index for item in self.summary.sentences):
            length = self._longer_by(int(ranking.words[index]))
        return replace(
            choices,
            length=length,
            pinned=choices.pinned | {index},
            banned=choices.banned - {index},
            replaced=choices.replaced - {index},
        )

    def _longer_by(self, num_words: int) -> Length:
        """The length with room for one more sentence."""
        assert self.summary is not None
        length, words = self.choices.length, self.summary.words + num_words
        share = math.ceil(1000 * words / max(1, self.document.reading.words)) / 10
        needed = {
            "sentences": len(self.summary.sentences) + 1.0,
            "words": float(words),
            "share": min(100.0, share),
        }[length.unit]
        return Length(max(length.value, needed), length.unit)

    def in_language(self, choices: Choices) -> Choices:
        """Choices in another language, where sentences may end elsewhere and be numbered anew."""
        old = self.rankings[self.choices.language].ranking
        new = self.rankings[choices.language].ranking

        def places(indices: frozenset[int]) -> frozenset[int]:
            starts = old.starts[sorted(indices)]
            return frozenset((new.starts.searchsorted(starts, side="right") - 1).tolist())

        return choices.moved(places)

    def index_of(self, row: int) -> int:
        """The index over all sentences of the source of a sentence of the summary."""
        assert self.summary is not None
        return self.summary.sentences[row].evidence[0].sentence
