"""What the Summarise panel shows and allows, whatever a person does in whatever order."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from core.documents.document import Document
from core.errors import EpitomeError
from core.events import Failed, Finished
from core.jobs.documents.open_document import DocumentRanked, DocumentRead, OpenJob, RankJob
from core.jobs.run import run_inline
from core.jobs.sources.sources import SourceRef
from core.library.decisions import Decisions
from core.stop import StopToken
from core.summaries.summary import Length, Summary, SummarySentence
from core.summarisers.ranking import Order
from gui.panels.summarise.state import Phase, SummariseState
from gui.panels.summarise.summary.choices import BUILT_IN, Choices
from gui.workers.inline import run_now

TEXT = "\n\n".join(
    f"Valve {n} opens when pump {n} stops. Pressure in line {n % 3} then falls by {n} bar. "
    f"The {'operator' if n % 2 else 'controller'} notes it."
    for n in range(6)
)


def read() -> tuple[Document, DocumentRanked]:
    events = list(run_inline(OpenJob(SourceRef(text=TEXT)), StopToken()))
    assert isinstance(events[-1], Finished)
    document = next(event.document for event in events if isinstance(event, DocumentRead))
    return document, all_good(next(each for each in events if isinstance(each, DocumentRanked)))


def all_good(ranked: DocumentRanked) -> DocumentRanked:
    """As if every sentence were good and stood alone: what is tested here are decisions."""
    count = len(ranked.ranking.starts)
    order = Order(np.arange(count), np.linspace(1, 0, count), count, count)
    none = np.full(count, -1)
    ranking = replace(ranked.ranking, by_words=order, by_number=order, antecedents=none)
    return replace(ranked, ranking=ranking)


DOCUMENT, RANKED = read()


def ranked_in(language: str, document: Document = DOCUMENT) -> DocumentRanked:
    *_, last = run_inline(RankJob(document.in_language(language)), StopToken())
    assert isinstance(last, Finished)
    return all_good(last.result)


RANKED_IN = {language: ranked_in(language) for language in ("de", "it")}


def ready(state: SummariseState | None = None) -> SummariseState:
    state = state or SummariseState(run_now, Length(4))
    state.begin(SourceRef(text=TEXT, password="secret"))
    state.take_document(DOCUMENT)
    state.take_ranking(RANKED)
    return state


def rows(state: SummariseState) -> list[int]:
    assert state.summary is not None
    return [sentence.evidence[0].sentence for sentence in state.summary.sentences]


def test_nothing_is_decided_before_there_is_a_summary() -> None:
    state = SummariseState(run_now, Length(4))
    state.begin(SourceRef(text=TEXT))
    assert not state.can_edit
    state.take_document(DOCUMENT)
    assert state.opened is not None and not state.can_edit
    state.take_ranking(RANKED)
    assert state.can_edit


def test_a_document_goes_from_reading_to_ready() -> None:
    state = SummariseState(run_now)
    assert state.phase is Phase.EMPTY
    state.begin(SourceRef(text=TEXT))
    assert state.phase is Phase.READING
    state.take_document(DOCUMENT)
    assert state.phase is Phase.RANKING
    state.take_ranking(RANKED)
    assert state.phase is Phase.READY
    assert state.summary is not None


def test_the_password_is_not_kept_once_the_document_is_read() -> None:
    state = ready()
    assert state.opened is not None
    assert state.opened.source.password == ""


def test_after_a_failure_the_last_summary_is_a_step_away() -> None:
    state = ready()
    before = rows(state)
    state.begin(SourceRef(path=Path("locked.pdf")))
    state.fail(Failed("It is locked.", "Unlock it.", kind="password"))
    assert state.phase is Phase.FAILED
    state.go_back()
    assert state.phase is Phase.READY
    assert rows(state) == before


def test_going_back_with_nothing_before_shows_the_empty_panel() -> None:
    state = SummariseState(run_now)
    state.begin(SourceRef(path=Path("x.pdf")))
    state.go_back()
    assert state.phase is Phase.EMPTY


def test_dragging_the_slider_is_undone_in_one_step() -> None:
    state = ready()
    first = rows(state)
    for value in (5, 6, 7):
        state.set_length(Length(value), merge=True)
    assert len(rows(state)) == 7
    state.undo()
    assert rows(state) == first
    assert not state.can_undo
    state.redo()
    assert len(rows(state)) == 7


def test_replacing_keeps_the_length_and_dropping_shortens_it() -> None:
    state = ready()
    gone = rows(state)[1]
    state.replace(1)
    assert len(rows(state)) == 4
    assert gone not in rows(state)
    state.drop(0)
    assert len(rows(state)) == 3
    assert state.length == Length(3)


def test_a_pinned_sentence_stays_when_the_summary_gets_shorter() -> None:
    state = ready()
    last = rows(state)[-1]
    state.toggle_pin(3)
    state.set_length(Length(1))
    assert rows(state) == [last]


def test_nothing_is_left_to_replace_with_when_all_is_in_the_summary() -> None:
    state = ready()
    state.set_length(Length(100))
    with pytest.raises(EpitomeError, match="Every sentence of the source is in the summary"):
        state.replace(0)


def test_another_unit_begins_at_the_length_there_is() -> None:
    state = ready()
    assert state.summary is not None
    words = state.summary.words
    state.set_unit("words")
    assert state.length == Length(words, "words")
    assert state.summary.words <= words


def test_decisions_are_taken_up_again_after_a_crash() -> None:
    state = SummariseState(run_now)
    state.begin(SourceRef(text=TEXT), Choices(Length(2), frozenset({5, 999}), frozenset({0})))
    state.take_document(DOCUMENT)
    state.take_ranking(RANKED)
    assert 5 in rows(state)
    assert len(rows(state)) == 2
    assert state.length == Length(2)
    assert state.opened is not None
    assert 999 not in state.opened.choices.pinned


# A trained model writes


def test_what_a_model_wrote_once_is_asked_of_it_again_when_it_is_opened() -> None:
    state = SummariseState(run_now)
    state.begin(SourceRef(text=TEXT), Choices(Length(2), model="mine", language="de"))
    assert (state.model, state.length, state.language) == ("mine", Length(2), "de")
    state.take_document(DOCUMENT)
    state.take_ranking(RANKED_IN["de"])
    assert state.summary is not None
    assert state.summary.model == BUILT_IN
    assert state.wish == Choices(Length(2), model="mine", language="de")


def written(state: SummariseState) -> Summary:
    """What the wished-for model may have written; it has no evidence."""
    assert state.wish is not None
    return Summary(
        title=DOCUMENT.title,
        source=DOCUMENT.source,
        sentences=(SummarySentence(f"As {state.wish.model} sees it.", ()),),
        length=state.wish.length,
        read=DOCUMENT.reading,
        model=state.wish.model,
    )


def writing(model: str = "mine", state: SummariseState | None = None) -> SummariseState:
    state = state or ready()
    state.choose_model(model)
    state.take_written(written(state))
    return state


def test_the_built_in_summary_stays_until_the_model_has_written() -> None:
    state = ready()
    before = state.summary
    state.choose_model("mine")
    assert state.summary is before
    assert state.wish == Choices(Length(4), model="mine")
    made = written(state)
    state.take_written(made)
    assert state.summary is made
    assert state.wish is None


def test_undo_returns_to_the_built_in_summary_and_redo_to_what_was_written() -> None:
    state = ready()
    before = state.summary
    made = writing(state=state).summary
    state.undo()
    assert (state.summary, state.model) == (before, BUILT_IN)
    state.redo()
    assert (state.summary, state.model, state.wish) == (made, "mine", None)


def test_undo_takes_a_wish_back_first() -> None:
    state = ready()
    state.toggle_pin(1)
    state.choose_model("mine")
    state.undo()
    assert (state.wish, state.model) == (None, BUILT_IN)
    assert state.can_undo


def test_what_comes_to_nothing_leaves_summary_length_and_model_as_they_were() -> None:
    state = writing()
    made = state.summary
    state.set_length(Length(7))
    state.give_up()
    assert (state.summary, state.model, state.length) == (made, "mine", Length(4))


def test_a_model_is_asked_for_another_length_when_the_slider_rests() -> None:
    state = writing()
    for value in (5, 6, 7):
        state.set_length(Length(value), merge=True)
        assert (state.wish, state.length) == (None, Length(value))
    state.settle()
    assert state.wish == Choices(Length(7), model="mine")


def test_a_wish_that_is_made_again_is_the_same_wish() -> None:
    state = ready()
    state.choose_model("mine")
    wish = state.wish
    state.choose_model("mine")
    state.settle()
    assert state.wish is wish


def test_the_next_document_is_shown_with_its_built_in_summary_and_then_written() -> None:
    state = ready(writing())
    assert state.summary is not None
    assert state.summary.model == BUILT_IN
    assert state.wish == Choices(Length(4), model="mine")


def test_a_document_that_comes_takes_the_wish_away() -> None:
    state = ready()
    state.choose_model("mine")
    state.begin(SourceRef(path=Path("next.pdf")))
    assert state.wish is None
    state.go_back()
    assert (state.model, state.wish) == (BUILT_IN, None)


def test_sentences_are_worked_on_only_while_they_are_the_built_in_ones() -> None:
    state = ready()
    assert state.can_edit
    state.choose_model("mine")
    assert not state.can_edit
    state.take_written(written(state))
    assert not state.can_edit
    state.choose_model(BUILT_IN)
    assert state.can_edit


def test_pins_are_there_again_after_a_model_had_its_turn() -> None:
    state = ready()
    state.toggle_pin(1)
    before = state.summary
    writing(state=state).choose_model(BUILT_IN)
    assert state.summary == before


# The person says what language it is


GERMAN = (
    "Die Leute im Dorf wussten es. Der Wolf lebt in vielen Wäldern des Landes. Der Hirsch steht am "
    "Morgen auf der Wiese. Der Fuchs frisst alles und lebt überall. Der Luchs ist selten und lebt "
    "in den Bergen. Die Eule jagt in der Nacht, während der Falke am Tag über den Feldern jagt."
)


def in_german(length: int = 2) -> tuple[SummariseState, Document]:
    """A German text that a person takes for English."""
    events = list(run_inline(OpenJob(SourceRef(text=GERMAN), language="en"), StopToken()))
    document = next(event.document for event in events if isinstance(event, DocumentRead))
    state = SummariseState(run_now, Length(length))
    state.begin(SourceRef(text=GERMAN), Choices(Length(length), language="en"))
    state.take_document(document)
    state.take_ranking(next(event for event in events if isinstance(event, DocumentRanked)))
    return state, document


def told(state: SummariseState) -> list[str]:
    assert state.summary is not None
    return [sentence.text for sentence in state.summary.sentences]


def test_the_summary_stays_until_the_sentences_are_ranked_in_the_other_language() -> None:
    state, document = in_german()
    before = state.summary
    state.choose_language("de")
    assert state.summary is before
    assert state.wish == Choices(Length(2), language="de")
    assert state.wished_document().reading.language == "de"
    state.take_wished_ranking(ranked_in("de", document))
    assert state.wish is None
    assert state.summary is not None
    assert (state.summary.read.language, state.summary.read.language_guessed) == ("de", False)
    state.undo()
    assert state.summary == before
    assert state.language == "en"
    state.redo()
    assert (state.language, state.wish) == ("de", None)
    state.choose_language("en")
    assert state.summary == before


def test_what_the_text_tells_itself_is_known_when_it_is_overruled() -> None:
    state, _ = in_german()
    assert state.opened is not None
    assert (state.opened.guessed.language, state.opened.guessed.language_guessed) == ("de", True)


def test_a_pin_stays_with_its_words_when_sentences_end_elsewhere() -> None:
    state, document = in_german(length=6)
    row = next(row for row, text in enumerate(told(state)) if text.startswith("Die Eule"))
    state.toggle_pin(row)
    state.set_length(Length(1))
    assert state.opened is not None
    before = state.opened.choices.pinned
    state.choose_language("de")  # in German "es" is a word, and no abbreviation
    state.take_wished_ranking(ranked_in("de", document))
    assert state.opened.choices.pinned == frozenset(index + 1 for index in before)
    (text,) = told(state)
    assert text.startswith("Die Eule")


def test_a_new_length_is_shown_at_once_and_the_language_still_wished_for() -> None:
    state, _ = in_german()
    state.choose_language("de")
    state.set_length(Length(3))
    state.settle()
    assert len(told(state)) == 3
    assert state.wish == Choices(Length(3), language="de")
    state.give_up()
    assert (state.language, state.length) == ("en", Length(3))


def test_a_model_writes_again_in_another_language() -> None:
    state = writing()
    state.choose_language("de")
    assert state.wish == Choices(Length(4), model="mine", language="de")
    state.take_wished_ranking(RANKED_IN["de"])
    assert state.wish is not None
    state.take_written(written(state))
    assert (state.wish, state.language) == (None, "de")


def test_back_from_a_model_the_language_that_was_ranked_meanwhile_is_shown() -> None:
    state = writing()
    state.choose_language("de")
    state.take_wished_ranking(RANKED_IN["de"])
    state.choose_model(BUILT_IN)
    assert state.wish is None and state.opened is not None
    assert (state.language, state.opened.choices.language) == ("de", "de")


class Impatient(RuleBasedStateMachine):
    """Models, languages, lengths, undo, arrivals in any order: what is shown was decided."""

    @initialize()
    def open(self) -> None:
        self.state = ready()

    @rule(model=st.sampled_from([BUILT_IN, "mine", "other"]))
    def choose(self, model: str) -> None:
        self.state.choose_model(model)

    @rule(language=st.sampled_from(["auto", *RANKED_IN]))
    def say_the_language(self, language: str) -> None:
        self.state.choose_language(language)

    @rule(value=st.integers(1, 9), dragging=st.booleans())
    def wish_length(self, value: int, dragging: bool) -> None:
        self.state.set_length(Length(value), merge=dragging)
        self.state.settle()

    @precondition(lambda self: self.state.wish)
    @rule()
    def arrive(self) -> None:
        assert self.state.wish is not None and self.state.opened is not None
        language = self.state.wish.language
        if language not in self.state.opened.rankings:
            self.state.take_wished_ranking(RANKED_IN[language])
        else:
            self.state.take_written(written(self.state))

    @precondition(lambda self: self.state.wish)
    @rule()
    def fail(self) -> None:
        self.state.give_up()

    @rule()
    def undo(self) -> None:
        self.state.undo()

    @rule()
    def redo(self) -> None:
        self.state.redo()

    @rule()
    def open_another(self) -> None:
        ready(self.state)

    @invariant()
    def what_is_shown_is_what_was_decided(self) -> None:
        opened, summary = self.state.opened, self.state.summary
        assert opened is not None and summary is not None
        assert (summary.model, summary.length) == (opened.choices.model, opened.choices.length)

    @invariant()
    def the_controls_show_the_wish_or_else_the_decision(self) -> None:
        assert self.state.opened is not None
        meant = self.state.wish or self.state.opened.choices
        wanted = (self.state.model, self.state.length, self.state.language)
        assert wanted == (meant.model, meant.length, meant.language)
        assert meant.model != BUILT_IN or (self.state.wish is None) == (
            meant.language in self.state.opened.rankings
        )
        assert self.state.wish != self.state.opened.choices


TestImpatient = Impatient.TestCase


class Person(RuleBasedStateMachine):
    """Whatever is decided, the summary keeps to it, and undo leads back step by step."""

    @initialize()
    def open(self) -> None:
        self.state = ready()
        self.before: list[list[int]] = []

    def deciding(self) -> None:
        self.before.append(rows(self.state))

    @rule(value=st.integers(1, 40), unit=st.sampled_from(["sentences", "words", "share"]))
    def wish(self, value: int, unit: str) -> None:
        old = self.state.opened and self.state.opened.choices.length
        self.deciding()
        self.state.set_length(Length(value, unit))  # type: ignore[arg-type]
        if self.state.opened and self.state.opened.choices.length == old:
            self.before.pop()

    @precondition(lambda self: rows(self.state))
    @rule(data=st.data(), deed=st.sampled_from(["toggle_pin", "drop", "replace"]))
    def work_on(self, data: st.DataObject, deed: str) -> None:
        row = data.draw(st.integers(0, len(rows(self.state)) - 1))
        self.deciding()
        try:
            getattr(self.state, deed)(row)
        except EpitomeError:
            self.before.pop()

    @precondition(lambda self: self.before)
    @rule()
    def undo(self) -> None:
        now = rows(self.state)
        self.state.undo()
        assert rows(self.state) == self.before[-1]
        self.state.redo()
        assert rows(self.state) == now
        self.state.undo()
        self.before.pop()

    @invariant()
    def the_summary_keeps_to_the_decisions(self) -> None:
        opened = self.state.opened
        assert opened is not None
        picked = set(rows(self.state))
        assert opened.choices.pinned <= picked
        assert not opened.choices.banned & picked
        assert self.state.can_undo == bool(self.before)


TestPerson = Person.TestCase


def decided() -> SummariseState:
    """Five sentences, one pinned, one dropped, one replaced."""
    state = ready()
    state.set_length(Length(5))
    state.toggle_pin(1)
    state.drop(3)
    state.replace(0)
    return state


def opened_again(kept: Decisions, state: SummariseState | None = None) -> SummariseState:
    state = state or SummariseState(run_now, Length(4))
    state.begin(SourceRef(text=TEXT))
    state.take_document(DOCUMENT, kept)
    state.take_ranking(RANKED)
    return state


def test_decisions_about_a_document_come_back_when_it_is_opened_again() -> None:
    before = decided()
    assert before.opened is not None
    again = opened_again(before.opened.decisions())
    assert again.summary == before.summary
    assert again.opened is not None
    assert again.opened.choices == before.opened.choices
    assert again.length == before.length
    assert again.opened.restored is not None


def test_starting_fresh_lets_go_of_them_and_undo_brings_them_back() -> None:
    before, fresh = decided(), ready()
    assert before.opened is not None
    again = opened_again(before.opened.decisions())
    again.start_fresh()
    assert again.summary == fresh.summary
    assert again.opened is not None
    assert again.opened.restored is None
    assert again.opened.decisions().is_empty
    again.undo()
    assert again.summary == before.summary
    assert again.length == before.length


def test_undo_leads_behind_decisions_that_came_back() -> None:
    before = decided()
    assert before.opened is not None
    again = opened_again(before.opened.decisions())
    again.undo()
    assert again.summary == ready().summary
    assert not again.can_undo


def test_sentences_that_are_no_longer_there_are_not_taken_up() -> None:
    again = opened_again(Decisions("", "2s", pinned=(1, 10**9), dropped=(3,)))
    assert again.opened is not None
    assert again.opened.choices == Choices(Length(2))


def test_the_language_comes_back_as_a_wish() -> None:
    again = opened_again(Decisions("", language="de"))
    assert (again.wish, again.language) == (Choices(Length(4), language="de"), "de")


def test_what_a_crash_left_is_newer_than_what_was_kept() -> None:
    state = SummariseState(run_now)
    state.begin(SourceRef(text=TEXT), Choices(Length(3)))
    state.take_document(DOCUMENT, Decisions("", "6s"))
    state.take_ranking(RANKED)
    assert len(rows(state)) == 3


def test_a_length_belongs_to_its_document() -> None:
    state = ready()
    state.set_length(Length(7))
    state.begin(SourceRef(path=Path("next.pdf")))
    assert state.length == Length(4)
    state.go_back()
    assert state.length == Length(7)


def test_the_summary_says_what_was_taken_out_by_hand() -> None:
    state = decided()
    assert state.summary is not None and state.opened is not None
    edits, choices = state.summary.edits, state.opened.choices
    assert {item.sentence for item in edits.replaced} == choices.replaced
    assert {item.sentence for item in edits.dropped} == choices.banned - choices.replaced
    assert len(edits.dropped) == len(edits.replaced) == 1


@pytest.mark.parametrize("length", [Length(3), Length(40, "words"), Length(40, "share")])
def test_a_sentence_that_is_added_stays_and_nothing_leaves_for_it(length: Length) -> None:
    state = ready()
    state.set_length(length)
    before = rows(state)
    new = next(index for index in range(len(RANKED.ranking.starts)) if index not in before)
    state.add(int(RANKED.ranking.starts[new]) + 3)
    assert set(rows(state)) >= {*before, new}
    assert state.opened is not None
    assert new in state.opened.choices.pinned
    assert state.length == state.opened.choices.length
    state.undo()
    assert rows(state) == before


def test_a_dropped_sentence_can_be_added_again() -> None:
    state = ready()
    gone = rows(state)[0]
    state.drop(0)
    state.add(int(RANKED.ranking.starts[gone]))
    assert gone in rows(state)
    assert state.opened is not None
    assert not state.opened.choices.banned


def test_adding_what_is_there_pins_it() -> None:
    state = ready()
    before = rows(state)
    state.add(int(RANKED.ranking.starts[before[1]]))
    assert rows(state) == before
    assert state.length == Length(4)


def test_nothing_is_added_where_nothing_was_clicked() -> None:
    with pytest.raises(EpitomeError, match="No sentence of the source is selected"):
        ready().add(-1)
