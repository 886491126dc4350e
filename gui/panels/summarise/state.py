"""What the Summarise panel shows and allows, without Qt.

One `Opened` document at a time; what the person does to its summary is a `Choices` value, so that
undo is a list of them. A trained model takes its time to write, so that what the person wants of it
is a wish until the summary is there.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import Enum

import numpy as np

from core.documents.document import Document, Reading
from core.documents.languages import AUTO
from core.errors import EpitomeError
from core.events import Event, Failed, Finished, Progress
from core.jobs.choose import ChooseJob
from core.jobs.job import Job
from core.jobs.open_document import DocumentRanked
from core.jobs.sources import SourceRef
from core.length import Length, LengthUnit
from core.numbers import format_count
from core.summary import Summary

BUILT_IN = "built-in"
"""The model that is always there, as `core.summary.Summary` names it."""
SLIDER_TOPS: dict[LengthUnit, int] = {"sentences": 30, "words": 600, "share": 30}
"""Where the length slider ends, if the document has as much; the field goes on."""
MOST_SENTENCES = 1_000
"""Where the field ends: a new length has to be shown while the slider is dragged."""


class Phase(Enum):
    """What stands in the panel."""

    EMPTY = "nothing is open"
    READING = "a document is being read"
    RANKING = "the document is shown, its summary is on its way"
    READY = "document and summary are shown"
    FAILED = "the document could not be read"


@dataclass(frozen=True)
class Choices:
    """What the person decided about a summary.

    Args:
        length: How long it may be.
        pinned: Indices of sentences that stay.
        banned: Indices of sentences that were dropped or replaced.
        model: What makes it: `BUILT_IN`, or the name of a run.
        language: What the source is said to be in, its code; `AUTO` leaves that to the program.
    """

    length: Length = field(default_factory=Length)
    pinned: frozenset[int] = frozenset()
    banned: frozenset[int] = frozenset()
    model: str = BUILT_IN
    language: str = AUTO


@dataclass
class Opened:
    """A document that was read, and its summary as it stands.

    `guessed` holds the language that the text itself tells; `rankings` how the sentences were
    ranked in each language that was chosen, and `ranked` the one that counts now.
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


class SummariseState:
    """The panel's state machine.

    A document that comes while a trained model is chosen is shown with its built-in summary at
    once; the model's is then wished for. So is a summary in another language, until the sentences
    are ranked in that.

    Args:
        run: Runs a job at once and gives its last event.
        length: The length a first document gets.
    """

    def __init__(self, run: Callable[[Job], Event], length: Length | None = None) -> None:
        self._run = run
        self.length = length or Length()
        self.phase = Phase.EMPTY
        self.pending: SourceRef | None = None
        self.progress: Progress | None = None
        self.failure: Failed | None = None
        self.opened: Opened | None = None
        self._before: Opened | None = None
        self._restored: Choices | None = None
        self._merging = False
        self.models: tuple[str, ...] = ()
        self.model = BUILT_IN
        self.language = AUTO
        self.wish: Choices | None = None

    # A document comes

    def begin(self, source: SourceRef, choices: Choices | None = None) -> None:
        """A source is about to be read; what is open stays in reach.

        Args:
            source: What is read.
            choices: Decisions to take up again, after a crash.
        """
        if self.opened is not None and self.opened.summary is not None:
            self._before = self.opened
        self.pending, self.progress, self.failure = source, None, None
        self._restored = choices
        if choices is not None:
            self.length = choices.length
        self.language = choices.language if choices is not None else AUTO
        self.opened = self.wish = None
        self.phase = Phase.READING

    def take_document(self, document: Document) -> None:
        """The document was read; its sentences are being ranked."""
        assert self.pending is not None
        choices = self._restored or Choices(self.length)
        self._forget_password()
        guessed = document.in_language(AUTO).reading
        self.opened = Opened(self.pending, document, guessed, choices)
        self.progress = None
        self.phase = Phase.RANKING

    def take_ranking(self, event: DocumentRanked) -> None:
        """The sentences are ranked; any length can be chosen."""
        assert self.opened is not None
        self.opened.ranked = _bounded(event)
        self.opened.rankings[self.opened.choices.language] = self.opened.ranked
        known = frozenset(range(len(event.ranking.starts)))
        choices = self.opened.choices
        self.opened.choices = replace(
            choices, pinned=choices.pinned & known, banned=choices.banned & known
        )
        self.phase = Phase.READY
        self._choose()
        self.settle()

    def fail(self, failure: Failed) -> None:
        """The document could not be read."""
        self._forget_password()
        self.failure, self.progress = failure, None
        self.phase = Phase.FAILED

    def _forget_password(self) -> None:
        # It has done its work, or does not fit, and is not kept.
        if self.pending is not None:
            self.pending = replace(self.pending, password="")

    @property
    def before(self) -> Opened | None:
        """The document and summary that were open before this one."""
        return self._before

    def go_back(self) -> None:
        """Shows the document that was open before, or the empty panel; also after a stop."""
        self.opened, self._before = self._before, None
        self.pending = self.progress = self.failure = self.wish = None
        self.phase = Phase.READY if self.opened else Phase.EMPTY
        if self.opened is not None:
            choices = self.opened.choices
            self.model, self.language = choices.model, choices.language

    # The summary is worked on

    @property
    def summary(self) -> Summary | None:
        """The summary as it stands."""
        return self.opened.summary if self.opened else None

    @property
    def can_undo(self) -> bool:
        """Whether there is something to undo; a wish is the first thing that is taken back."""
        return bool(self.wish or (self.opened and self.opened.done))

    @property
    def can_redo(self) -> bool:
        """Whether there is something to do again."""
        return bool(self.opened and self.opened.undone)

    @property
    def can_edit(self) -> bool:
        """Whether sentences can be pinned, replaced and dropped: not those that a model wrote."""
        opened = self.opened
        return bool(opened and opened.choices.model == BUILT_IN and self.wish is None)

    def most(self, unit: LengthUnit) -> int:
        """The greatest length the field takes, in a unit."""
        if self.opened is None or self.opened.ranked is None:
            return SLIDER_TOPS[unit]
        ranking = self.opened.ranked.ranking
        if unit == "sentences":
            return max(1, len(ranking.by_number.indices))
        words = int(ranking.words[ranking.by_words.indices].sum())
        if unit == "words":
            return max(1, words)
        return max(1, min(100, -(-100 * words // max(1, self.opened.document.reading.words))))

    def slider_top(self, unit: LengthUnit) -> int:
        """Where the slider ends, in a unit."""
        return min(self.most(unit), SLIDER_TOPS[unit])

    def set_length(self, length: Length, *, merge: bool = False) -> None:
        """Wishes for another length.

        Args:
            length: The wish; taken down to what the document has.
            merge: Whether it goes on from the last change, as while a slider is dragged, so that
                one undo takes both back; a trained model is not asked before it has settled.
        """
        length = Length(min(length.value, self.most(length.unit)), length.unit)
        self.length = length
        if self.model != BUILT_IN:
            if not merge:
                self.settle()
            return
        if self.opened is None or length == self.opened.choices.length:
            self._merging = self._merging and merge
            return
        self._decide(replace(self.opened.choices, length=length), merge=merge and self._merging)
        self._merging = merge

    def set_unit(self, unit: LengthUnit) -> None:
        """Wishes for the length in another unit: about as long as the summary is now."""
        summary = self.summary
        if summary is None:
            self.length = Length({"sentences": 9, "words": 200, "share": 5}[unit], unit)
            return
        share = round(100 * summary.words / max(1, summary.read.words))
        values: dict[LengthUnit, int] = {
            "sentences": self._sentences_as_long_as(summary),
            "words": summary.words,
            "share": share,
        }
        self.set_length(Length(max(1, values[unit]), unit))

    def _sentences_as_long_as(self, summary: Summary) -> int:
        """How many sentences have about as many words, where sentences are counted."""
        opened = self.opened
        if self.model != BUILT_IN or opened is None or opened.ranked is None:
            return len(summary.sentences)
        ranking = opened.ranked.ranking
        words = np.cumsum(ranking.words[ranking.by_number.indices])
        return int(np.abs(words - summary.words).argmin()) + 1 if len(words) else 1

    # A model writes

    def choose_model(self, model: str) -> None:
        """Lets another model make the summary.

        Args:
            model: `BUILT_IN`, whose summary is there at once; or the name of a run, whose summary
                is wished for.
        """
        self.model = model
        if model != BUILT_IN:
            self.settle()
        elif self.opened is not None:
            self.wish = None
            choices = replace(self.opened.choices, length=self.length, model=model)
            if self.language != choices.language and self.language in self.opened.rankings:
                choices = self._moved(replace(choices, language=self.language))
            if choices != self.opened.choices:
                self._decide(choices)
            self.settle()

    def settle(self) -> None:
        """The length stays as it is now: what has to be waited for is wished for in it."""
        opened = self.opened
        if opened is None or opened.ranked is None:
            return
        if self.model == BUILT_IN and self.language in opened.rankings:
            return
        wish = replace(opened.choices, length=self.length, model=self.model, language=self.language)
        if wish != self.wish:
            self.progress = None
            self.wish = wish if wish != opened.choices else None

    def take_written(self, summary: Summary) -> None:
        """What was wished for is written."""
        wish, opened = self.wish, self.opened
        assert wish is not None and opened is not None
        opened.written[wish.model, wish.length, wish.language] = summary
        self._decide(self._moved(wish))

    # Another language

    def choose_language(self, language: str) -> None:
        """Says what the source is in.

        Args:
            language: A code, or `AUTO`; what was ranked in it before is there at once, else it is
                wished for.
        """
        self.language = language
        opened = self.opened
        if opened is None:
            return
        if self.model == BUILT_IN and language in opened.rankings:
            self.wish = None
            if language != opened.choices.language:
                self._decide(self._moved(replace(opened.choices, language=language)))
        else:
            self.settle()

    def wished_document(self) -> Document:
        """The open document in the language that is wished for."""
        assert self.opened is not None and self.wish is not None
        return self.opened.document.in_language(self.wish.language)

    def take_wished_ranking(self, event: DocumentRanked) -> None:
        """The sentences are ranked in the language that is wished for."""
        wish, opened = self.wish, self.opened
        assert wish is not None and opened is not None
        opened.rankings[wish.language] = _bounded(event)
        if wish.model == BUILT_IN:
            self._decide(self._moved(wish))

    def _moved(self, choices: Choices) -> Choices:
        """Choices in another language, where sentences may end elsewhere and have other numbers."""
        assert self.opened is not None
        old = self.opened.rankings[self.opened.choices.language].ranking
        new = self.opened.rankings[choices.language].ranking

        def places(indices: frozenset[int]) -> frozenset[int]:
            starts = old.starts[sorted(indices)]
            return frozenset((new.starts.searchsorted(starts, side="right") - 1).tolist())

        return replace(choices, pinned=places(choices.pinned), banned=places(choices.banned))

    def give_up(self) -> None:
        """The wish is taken back, or came to nothing: what is shown stays."""
        assert self.opened is not None
        self.wish = self.progress = None
        self._want(self.opened.choices)

    def _want(self, choices: Choices) -> None:
        self.length, self.model, self.language = choices.length, choices.model, choices.language

    # Sentences are worked on

    def toggle_pin(self, row: int) -> None:
        """Pins a sentence of the summary, or lets go of it."""
        opened, index = self._row(row)
        self._decide(replace(opened.choices, pinned=opened.choices.pinned ^ {index}))

    def replace(self, row: int) -> None:
        """Takes a sentence out of the summary and lets the next best ones have its room.

        Args:
            row: Its place in the summary, from 0.

        Raises:
            EpitomeError: If no sentence is left to take its place.
        """
        opened, index = self._row(row)
        assert opened.ranked is not None and opened.summary is not None
        taken = {sentence.evidence[0].sentence for sentence in opened.summary.sentences}
        order = opened.ranked.ranking.order_for(opened.choices.length.unit)
        left = set(order.indices.tolist()) - taken - opened.choices.banned
        if not left:
            raise EpitomeError(
                "Every sentence of the source is in the summary or was dropped from it.",
                "Undo a drop, or drop this sentence.",
            )
        self._decide(self._without(opened.choices, index))

    def drop(self, row: int) -> None:
        """Takes a sentence out of the summary, which gets shorter by it."""
        opened, index = self._row(row)
        assert opened.summary is not None
        length = opened.choices.length
        words = opened.summary.words
        value = {
            "sentences": len(opened.summary.sentences) - 1.0,
            "words": words - self._words_of(row),
            "share": length.value * (1 - self._words_of(row) / max(1, words)),
        }[length.unit]
        shorter = Length(max(1, min(length.value, round(value, 1))), length.unit)
        self.length = shorter
        self._decide(replace(self._without(opened.choices, index), length=shorter))

    def undo(self) -> None:
        """Takes the last decision back."""
        if self.wish is not None:
            self.give_up()
        elif self.opened and self.opened.done:
            self.opened.undone.append(self.opened.choices)
            self._return_to(self.opened.done.pop())

    def redo(self) -> None:
        """Takes the last undo back."""
        if self.opened and self.opened.undone:
            self.opened.done.append(self.opened.choices)
            self._return_to(self.opened.undone.pop())

    def _row(self, row: int) -> tuple[Opened, int]:
        assert self.can_edit and self.opened is not None and self.opened.summary is not None
        return self.opened, self.opened.summary.sentences[row].evidence[0].sentence

    def _words_of(self, row: int) -> int:
        opened, index = self._row(row)
        assert opened.ranked is not None
        return int(opened.ranked.ranking.words[index])

    def _without(self, choices: Choices, index: int) -> Choices:
        return replace(choices, pinned=choices.pinned - {index}, banned=choices.banned | {index})

    def _decide(self, choices: Choices, *, merge: bool = False) -> None:
        assert self.opened is not None
        if not merge:
            self.opened.done.append(self.opened.choices)
        self._merging, self.wish = False, None
        self.opened.undone.clear()
        self.opened.choices = choices
        self._choose()

    def _return_to(self, choices: Choices) -> None:
        assert self.opened is not None
        self._merging, self.wish = False, None
        self.opened.choices = choices
        self._want(choices)
        self._choose()

    def _choose(self) -> None:
        opened = self.opened
        assert opened is not None
        if opened.ranked is None:
            return
        choices = opened.choices
        opened.document = opened.document.in_language(choices.language)
        opened.ranked = opened.rankings[choices.language]
        if choices.model != BUILT_IN:
            opened.summary = opened.written[choices.model, choices.length, choices.language]
            return
        job = ChooseJob(
            opened.document,
            opened.ranked.ranking,
            choices.length,
            choices.pinned,
            choices.banned,
            opened.ranked.seconds,
        )
        last = self._run(job)
        if isinstance(last, Failed):
            self.fail(last)
        elif isinstance(last, Finished):
            opened.summary = _with_limit_told(last.result)


def _bounded(event: DocumentRanked) -> DocumentRanked:
    ranking = event.ranking
    return replace(
        event,
        ranking=replace(
            ranking,
            by_words=ranking.by_words.best(MOST_SENTENCES),
            by_number=ranking.by_number.best(MOST_SENTENCES),
        ),
    )


def _with_limit_told(summary: Summary) -> Summary:
    if len(summary.sentences) < MOST_SENTENCES:
        return summary
    note = (
        f"The window shows at most {format_count(MOST_SENTENCES)} sentences; "
        "the command line writes longer summaries."
    )
    return replace(summary, notes=(*summary.notes, note))
