"""What the Summarise panel shows and allows of one document, without Qt.

`gui.panels.summarise.documents.open_documents` holds one state for each open document. A trained
model takes time to write, so what a user asks of it is a request until the summary is there.
"""

from collections.abc import Callable
from dataclasses import replace
from enum import Enum

from core.documents.document import Document
from core.documents.languages import AUTO
from core.events import Event, Failed, Finished, Progress
from core.jobs.documents.open_document import DocumentRanked
from core.jobs.job import Job
from core.jobs.sources.sources import SourceRef
from core.library.decisions import Decisions
from core.summaries.length import Length, LengthUnit
from core.summaries.summary import Summary
from core.summarisers.events import TextWritten
from gui.panels.summarise.documents.opened_document import OpenedDocument
from gui.panels.summarise.summary.choices import BUILT_IN, SLIDER_TOPS, Choices

_FIRST_LENGTHS: dict[LengthUnit, int] = {"sentences": 9, "words": 200, "share": 5}


class Phase(Enum):
    """What stands in the panel."""

    EMPTY = "nothing is open"
    WAITING = "a document is to be read when its turn comes"
    READING = "a document is being read"
    RANKING = "the document is shown, its summary is on its way"
    READY = "document and summary are shown"
    FAILED = "the document could not be read"


class SummariseState:
    """The state machine of one document.

    A document that comes while a trained model is chosen is shown with its built-in summary at
    once; the model's is then wished for. So is a summary in another language, until the sentences
    are ranked in that.

    Args:
        run: Runs a job at once and gives its last event.
        length: The length of a first summary.
    """

    def __init__(self, run: Callable[[Job], Event], length: Length | None = None) -> None:
        self._run = run
        self.default_length = length or Length()
        """The length of a new summary."""
        self.length = self.default_length
        self.phase = Phase.EMPTY
        self.pending: SourceRef | None = None
        self.progress: Progress | None = None
        self.failure: Failed | None = None
        self.opened: OpenedDocument | None = None
        self._before: OpenedDocument | None = None
        self.taken_up: Choices | None = None
        """Decisions that are restored when the document is read: of a crashed window, or those
        that a kept summary was made with."""
        self._kept: Decisions | None = None
        self._merging = False
        self.models: dict[str, str] = {}
        """The titles of the trained models by name."""
        self.model = BUILT_IN
        self.language = AUTO
        self.wish: Choices | None = None
        self.refused: tuple[str, Failed] | None = None
        """The model that could not make the summary that is shown, though it was chosen."""
        self._text: tuple[Choices, str] | None = None

    # A document comes

    def begin(self, source: SourceRef, choices: Choices | None = None) -> None:
        """A source is being read, as `wait` and `start_reading`."""
        self.wait(source, choices)
        self.start_reading()

    def wait(self, source: SourceRef, choices: Choices | None = None) -> None:
        """A source is to be read; what is open stays in reach.

        Args:
            source: What is read.
            choices: Decisions to restore; without them the chosen model goes on.
        """
        if self.opened is not None and self.opened.summary is not None:
            self._before = self.opened
        self.pending, self.progress, self.failure = source, None, None
        self.taken_up = choices
        self.refused = None
        self._want(choices or Choices(self.default_length, model=self.model))
        self.opened = self.wish = None
        self.phase = Phase.WAITING

    @property
    def choices_again(self) -> Choices | None:
        """What is restored if it is read once more, by the model that is chosen now."""
        return self.taken_up and replace(self.taken_up, model=self.model)

    def start_reading(self) -> None:
        """Its turn has come."""
        assert self.phase is Phase.WAITING
        self.phase = Phase.READING

    def put_off(self) -> None:
        """Another document is read first."""
        assert self.phase is Phase.READING
        self.progress = None
        self.phase = Phase.WAITING

    def take_document(self, document: Document, kept: Decisions | None = None) -> None:
        """The document was read; its sentences are being ranked.

        Args:
            document: What was read.
            kept: What was decided about it when it was open before.
        """
        assert self.pending is not None
        self._kept = kept if self.taken_up is None else None
        # What a trained model is to write of it is wished for once there is a summary to show.
        choices = replace(self.taken_up or Choices(self.length), model=BUILT_IN)
        self._forget_password()
        guessed = document.in_language(AUTO).reading
        self.opened = OpenedDocument(
            self.pending, document, guessed, choices, first_length=self.default_length
        )
        # After a crash, too: of the session only the decisions are taken up instead.
        self.opened.reference = kept.reference if kept is not None else ""
        self.progress = None
        self.phase = Phase.RANKING

    def take_ranking(self, event: DocumentRanked) -> None:
        """The sentences are ranked; any length can be chosen."""
        assert self.opened is not None
        choices = self.opened.choices
        self.opened.take_ranking(choices.language, event)
        known = frozenset(range(len(event.ranking.starts)))
        self.opened.choices = choices.moved(lambda indices: indices & known)
        self.phase = Phase.READY
        self._choose()
        if self._kept is not None:
            self._take_kept(self._kept)
        self.settle()

    def _take_kept(self, kept: Decisions) -> None:
        assert self.opened is not None
        self.opened.restore(kept)
        self.length = self.opened.choices.length
        self.language = kept.language
        self._choose()

    def start_fresh(self) -> None:
        """Lets go of all decisions about the document; undo brings them back."""
        opened = self.opened
        assert opened is not None and opened.ranked is not None
        opened.restored = None
        self.length = opened.first_length
        fresh = Choices(self.length, language=opened.choices.language)
        self.model = fresh.model
        self._decide(fresh)

    def fail(self, failure: Failed) -> None:
        """The document could not be read, or is shown and too short for a summary."""
        self._forget_password()
        self.failure, self.progress = failure, None
        self.phase = Phase.FAILED

    def _forget_password(self) -> None:
        # It has done its work, or does not fit, and is not kept.
        if self.pending is not None:
            self.pending = replace(self.pending, password="")

    @property
    def is_too_short(self) -> bool:
        """Whether the document is shown without a summary, because it is too short for one."""
        too_few = self.failure is not None and self.failure.kind == "too-few-words"
        return self.phase is Phase.FAILED and self.opened is not None and too_few

    @property
    def has_unread_scans(self) -> bool:
        """Whether there are scans in what was opened, and the part that reads them was missing."""
        if self.phase is Phase.FAILED and self.failure and self.failure.kind == "missing-scans":
            return True
        left_out = self.opened.document.reading.left_out if self.opened else ()
        return any(item.what == "scanned pages" for item in left_out)

    @property
    def before(self) -> OpenedDocument | None:
        """The document and summary that were open before this one."""
        return self._before

    def go_back(self) -> None:
        """Shows the document that was open before, or the empty panel; also after a stop."""
        self.opened, self._before = self._before, None
        self.pending = self.progress = self.failure = self.wish = None
        self.phase = Phase.READY if self.opened else Phase.EMPTY
        if self.opened is not None:
            self._want(self.opened.choices)

    def close(self) -> None:
        """Closes the document, or what could not be read; nothing is open then."""
        self.opened = self._before = None
        self.go_back()

    # What is shown and allowed

    @property
    def source(self) -> SourceRef | None:
        """Where the document comes from, read or not; None when nothing is open."""
        return self.opened.source if self.opened else self.pending

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
        """Whether there is something to redo."""
        return bool(self.opened and self.opened.undone)

    @property
    def can_edit(self) -> bool:
        """Whether sentences can be pinned, replaced and dropped: not those that a model wrote."""
        opened = self.opened
        if opened is None or opened.summary is None:
            return False
        return opened.choices.model == BUILT_IN and self.wish is None

    # Length

    def most(self, unit: LengthUnit) -> int:
        """The longest summary that the document gives, in a unit."""
        return SLIDER_TOPS[unit] if self.opened is None else self.opened.most(unit)

    def slider_top(self, unit: LengthUnit) -> int:
        """Where the slider ends, in a unit: for the built-in summaries with the good sentences."""
        if self.opened is None or self.model != BUILT_IN:
            return min(self.most(unit), SLIDER_TOPS[unit])
        return min(self.opened.most_good(unit), SLIDER_TOPS[unit])

    def set_length(self, length: Length, *, merge: bool = False) -> None:
        """Wishes for another length.

        Args:
            length: The wish; a longer one than the document gives is met as far as it goes.
            merge: Whether it goes on from the last change, as while a slider is dragged, so that
                one undo takes both back; a trained model is not asked before it has settled.
        """
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
        length = self.opened.length_in(unit) if self.opened else None
        if length is None:
            self.length = Length(_FIRST_LENGTHS[unit], unit)
        else:
            self.set_length(length)

    # Model and language: wishes, until the summary is there

    def choose_model(self, model: str) -> None:
        """Lets another model make the summary.

        Args:
            model: `BUILT_IN`, whose summary is there at once; or the name of a run, whose summary
                is wished for.
        """
        self.model, self.refused = model, None
        if model != BUILT_IN:
            self.settle()
        elif self.opened is not None:
            self.wish = None
            choices = replace(self.opened.choices, length=self.length, model=model)
            if self.language != choices.language and self.language in self.opened.rankings:
                choices = self.opened.in_language(replace(choices, language=self.language))
            if choices != self.opened.choices:
                self._decide(choices)
            self.settle()

    def title_of(self, model: str) -> str:
        """What a model is called."""
        return self.models.get(model, model)

    def choose_language(self, language: str) -> None:
        """Says what language the source is in.

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
                self._decide(opened.in_language(replace(opened.choices, language=language)))
        else:
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
            self.progress = self.refused = None
            self.wish = wish if wish != opened.choices else None

    def take_progress(self, progress: Progress) -> None:
        """What is wished for is on its way, so far."""
        self.progress = progress
        if isinstance(progress, TextWritten) and self.wish is not None:
            self._text = (self.wish, progress.text)

    @property
    def text(self) -> str:
        """What the model has written so far of what is wished for; empty for nothing."""
        if self.wish is None or self._text is None or self._text[0] is not self.wish:
            return ""
        return self._text[1]

    def wished_document(self) -> Document:
        """The open document in the language that is wished for."""
        assert self.opened is not None and self.wish is not None
        return self.opened.document.in_language(self.wish.language)

    def take_wished_ranking(self, event: DocumentRanked) -> None:
        """The sentences are ranked in the language that is wished for."""
        wish, opened = self.wish, self.opened
        assert wish is not None and opened is not None
        opened.take_ranking(wish.language, event)
        if wish.model == BUILT_IN:
            self._decide(opened.in_language(wish))

    def take_written(self, summary: Summary) -> None:
        """What was wished for is written."""
        wish, opened = self.wish, self.opened
        assert wish is not None and opened is not None
        opened.written[wish.model, wish.length, wish.language] = summary
        self._decide(opened.in_language(wish))

    def give_up(self) -> None:
        """The wish is taken back, or came to nothing: what is shown stays."""
        assert self.opened is not None
        self.wish = self.progress = None
        self._want(self.opened.choices)

    def take_refusal(self, failure: Failed) -> None:
        """What was wished for came to nothing: what is shown stays, and says why."""
        assert self.wish is not None
        model = self.wish.model
        self.give_up()
        self.refused = (model, failure)

    def _want(self, choices: Choices) -> None:
        self.length, self.model, self.language = choices.length, choices.model, choices.language

    # A second summary, beside this one

    def make_second(self, model: str) -> "SummariseState":
        """Another summary of the open document, which is decided about by itself.

        Args:
            model: What writes it. By the model of this one it is twice as long, or half as long
                where the document has no more good sentences.

        Returns:
            Its state; the built-in summary is there at once, another one is wished for.
        """
        opened = self.opened
        assert opened is not None and self.phase is Phase.READY
        length = opened.choices.length
        if model == self.model:
            doubled = 2 * length.value
            fits = doubled <= opened.most_good(length.unit)
            length = replace(length, value=doubled if fits else max(1, round(length.value / 2)))
        second = SummariseState(self._run, self.default_length)
        second.models = self.models
        second.opened = opened.with_choices(Choices(length, language=opened.choices.language))
        second.phase = Phase.READY
        second._want(second.opened.choices)
        second._choose()
        second.choose_model(model)
        return second

    def adopt(self, other: "SummariseState") -> None:
        """Takes over the decisions about another summary of the document; undo brings back."""
        assert other.opened is not None
        self._want(other.opened.choices)
        self._decide(other.opened.choices)

    # Decisions about sentences, by their row in the summary

    def toggle_pin(self, row: int) -> None:
        """Pins a sentence of the summary, or releases it."""
        self._decide(self._editable().pin_toggled(row))

    def replace(self, row: int) -> None:
        """Takes a sentence out and lets the next best ones have its room, as `Opened.replaced`."""
        self._decide(self._editable().replaced(row))

    def drop(self, row: int) -> None:
        """Takes a sentence out of the summary, which gets shorter by it."""
        choices = self._editable().dropped(row)
        self.length = choices.length
        self._decide(choices)

    def add(self, offset: int) -> None:
        """Puts the sentence at a code point into the summary, as `Opened.added`."""
        choices = self._editable().added(offset)
        self.length = choices.length
        self._decide(choices)

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

    def _editable(self) -> OpenedDocument:
        assert self.can_edit and self.opened is not None
        return self.opened

    def _decide(self, choices: Choices, *, merge: bool = False) -> None:
        assert self.opened is not None
        if not merge:
            self.opened.done.append(self.opened.choices)
        self._merging, self.wish, self.refused = False, None, None
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
        if not opened.rankings:
            return
        job = opened.choose_job()
        if job is None:
            return
        last = self._run(job)
        if isinstance(last, Failed):
            self.fail(last)
        elif isinstance(last, Finished):
            opened.take_summary(last.result)
