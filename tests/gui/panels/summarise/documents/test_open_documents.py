"""Which documents are open and shown, whatever comes, goes, fails or is turned to."""

from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from core.events import Failed
from core.jobs.sources.sources import SourceRef
from core.summaries.length import Length
from gui.panels.summarise.documents.open_documents import (
    MOST_DOCUMENTS,
    OpenDocument,
    OpenDocuments,
)
from gui.panels.summarise.state import Phase, SummariseState
from gui.panels.summarise.summary.choices import Choices
from gui.workers.inline import run_now
from tests.gui.panels.summarise.test_state import DOCUMENT, RANKED

FAILURE = Failed("“a.pdf” is damaged.", "Get a new copy.")


def file(name: str) -> SourceRef:
    return SourceRef(path=Path(f"/docs/{name}.md"))


def make_state(length: Length) -> SummariseState:
    return SummariseState(run_now, length)


def opened(*names: str) -> OpenDocuments:
    documents = OpenDocuments(make_state, Length(4))
    documents.add([file(name) for name in names])
    return documents


def names(documents: OpenDocuments) -> list[str]:
    return [each.path.stem for each in documents.all if each.path is not None]


def read(document: OpenDocument) -> None:
    document.state.start_reading()
    document.state.take_document(DOCUMENT)
    document.state.take_ranking(RANKED)


def test_the_first_of_several_is_shown_in_the_place_of_nothing() -> None:
    documents = opened("a", "b", "c")
    assert names(documents) == ["a", "b", "c"]
    assert documents.place == 0
    assert documents.are_several


def test_what_is_open_stays_and_what_comes_is_shown() -> None:
    documents = opened("a")
    read(documents.shown)
    documents.add([file("b"), file("c")])
    assert names(documents) == ["a", "b", "c"]
    assert documents.place == 1
    assert documents.all[0].state.phase is Phase.READY


def test_a_file_that_is_open_is_shown_and_not_listed_again() -> None:
    documents = opened("a", "b")
    documents.add([file("b"), file("c"), file("b")])
    assert names(documents) == ["a", "b", "c"]
    assert documents.place == 1
    text = SourceRef(text="The mill stands on the river.")
    documents.add([text, text])
    assert len(documents) == 5, "texts have no name to be known by"


def test_a_file_that_failed_is_read_once_more_when_it_is_opened_again() -> None:
    documents = opened("a", "b")
    documents.shown.state.start_reading()
    documents.shown.state.fail(FAILURE)
    documents.add([file("a")])
    assert documents.shown.state.phase is Phase.WAITING


def test_the_one_after_a_closed_one_is_shown_and_at_the_end_the_one_before() -> None:
    documents = opened("a", "b", "c")
    documents.show(documents.all[1])
    documents.close(documents.shown)
    assert documents.shown.path == Path("/docs/c.md")
    documents.close(documents.shown)
    assert documents.shown.path == Path("/docs/a.md")


def test_the_shown_one_is_read_first_and_then_those_beside_it() -> None:
    documents = opened("a", "b", "c", "d", "e")
    documents.show(documents.all[2])
    order = []
    while (document := documents.next_to_read()) is not None:
        read(document)
        assert document.path is not None
        order.append(document.path.stem)
    assert order == ["c", "d", "b"]


def test_nothing_is_read_ahead_while_a_summary_is_waited_for() -> None:
    documents = opened("a", "b")
    read(documents.shown)
    documents.shown.state.choose_model("mine")
    assert documents.shown.state.wish is not None
    assert documents.next_to_read() is None


def test_there_is_room_for_a_handful() -> None:
    documents = opened(*(f"{n}" for n in range(MOST_DOCUMENTS - 1)))
    assert documents.room == 1
    assert len(documents.add([file("x"), file("y")])) == 1
    assert names(documents)[-1] == "x"
    assert documents.add([file("3")]), "it is open already"
    assert documents.add([file("y")]) == []


def test_what_holds_for_all_holds_for_those_that_come() -> None:
    documents = opened("a", "b")
    documents.set_default_length(Length(80, "words"))
    documents.set_models({"mine": "My model"})
    documents.shown.state.model = "mine"
    documents.add([file("c")])
    for document in documents.all:
        assert document.state.default_length == Length(80, "words")
        assert document.state.models == {"mine": "My model"}
    assert documents.shown.state.model == "mine"


def test_what_one_is_opened_with_is_its_own() -> None:
    documents = opened("a", "b")
    first = documents.shown
    first.state.model = "other"
    documents.add([file("c")], Choices(Length(2), frozenset({1}), model="mine", language="de"))
    new = documents.shown.state
    assert (new.length, new.model, new.language) == (Length(2), "mine", "de")
    assert new.taken_up is not None
    assert new.taken_up.pinned == {1}
    assert (first.state.length, first.state.model, first.state.taken_up) == (
        Length(4),
        "other",
        None,
    )


def test_one_that_is_open_is_read_again_with_what_is_wished_for() -> None:
    documents = opened("a", "b")
    read(documents.shown)
    documents.shown.state.toggle_pin(0)
    documents.add([file("a")], Choices(Length(2)))
    assert len(documents) == 2
    assert documents.next_to_read() is documents.shown
    read(documents.shown)
    assert documents.shown.state.length == Length(2)


def test_one_that_failed_keeps_what_it_was_opened_with() -> None:
    documents = opened("a", "b")
    documents.add([file("c")], Choices(Length(2)))
    documents.shown.state.start_reading()
    documents.shown.state.fail(FAILURE)
    documents.add([file("c")])
    assert documents.shown.state.length == Length(2)


class Lists(RuleBasedStateMachine):
    """A person opens, closes and turns; documents are read, put off and fail meanwhile."""

    def __init__(self) -> None:
        super().__init__()
        self.documents = OpenDocuments(make_state, Length(4))
        self.expected: list[str] = []
        self.shown = ""
        self.pins: dict[str, frozenset[int]] = {}

    @rule(chosen=st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=4, unique=True))
    def open(self, chosen: list[str]) -> None:
        self.documents.add([file(name) for name in chosen])
        self.expected += [name for name in chosen if name not in self.expected]
        self.shown = chosen[0]

    @precondition(lambda self: len(self.expected) > 1)
    @rule(data=st.data())
    def close(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(self.expected))
        self.documents.close(self._of(name))
        at = self.expected.index(name)
        self.expected.remove(name)
        self.pins.pop(name, None)
        if name == self.shown:
            self.shown = self.expected[min(at, len(self.expected) - 1)]

    @precondition(lambda self: self.expected)
    @rule(by=st.sampled_from([1, -1]))
    def turn(self, by: int) -> None:
        at = (self.expected.index(self.shown) + by) % len(self.expected)
        self.documents.show(self.documents.beside(by))
        self.shown = self.expected[at]

    @precondition(lambda self: self.expected)
    @rule(fails=st.booleans(), is_put_off=st.booleans())
    def read(self, fails: bool, is_put_off: bool) -> None:
        document = self.documents.next_to_read()
        if document is None:
            return
        if is_put_off:
            document.state.start_reading()
            document.state.put_off()
        if fails:
            document.state.start_reading()
            document.state.fail(FAILURE)
        else:
            read(document)

    @precondition(lambda self: self.expected)
    @rule(row=st.integers(0, 3))
    def pin(self, row: int) -> None:
        state = self.documents.shown.state
        if state.phase is Phase.READY:
            state.toggle_pin(row)
            self.pins[self.shown] = self._choices(self.documents.shown).pinned

    def _of(self, name: str) -> OpenDocument:
        return next(each for each in self.documents.all if each.path == file(name).path)

    def _choices(self, document: OpenDocument) -> Choices:
        assert document.state.opened is not None
        return document.state.opened.choices

    @invariant()
    def all_that_was_opened_and_not_closed_is_there_in_order(self) -> None:
        assert names(self.documents) == self.expected
        if self.expected:
            assert self.documents.shown is self._of(self.shown)
        else:
            assert self.documents.shown.state.phase is Phase.EMPTY

    @invariant()
    def no_two_documents_are_kept_in_one_file(self) -> None:
        copies = [document.copy for document in self.documents.all]
        assert len(set(copies)) == len(copies)

    @invariant()
    def every_document_has_its_own_pins(self) -> None:
        for name in self.expected:
            document = self._of(name)
            if document.state.phase is Phase.READY:
                assert self._choices(document).pinned == self.pins.get(name, frozenset())


TestLists = Lists.TestCase
TestLists.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)
