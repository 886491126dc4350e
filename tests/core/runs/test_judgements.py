"""Blind judgements: the order is shuffled by a seed, and no answer is lost."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import EpitomeError
from core.runs.judgements import (
    ANSWERS,
    Answer,
    Judged,
    Judgements,
    Session,
    begin_judging,
    keep_answer,
    keep_undo,
    new_session,
    read_judgements,
)

DOCUMENTS = [(number, f"d-{number}") for number in range(30)]


def session(seed: int = 3, most: int = 5, questions: tuple[str, ...] = ("faithful",)) -> Session:
    return new_session("Ada", ("first", "second"), questions, DOCUMENTS, most, seed)


def test_the_same_seed_gives_the_same_order_and_sides() -> None:
    assert session() == session()
    assert session().documents != session(seed=4).documents
    assert len(set(session(most=30).documents)) == 30
    assert {True, False} == set(session(most=30).swapped)
    assert len(session(most=99).documents) == 30


def test_names_come_back_with_the_sides() -> None:
    shown = Session("Ada", 0, ("first", "second"), ("q",), (7, 8), ("x", "y"), (False, True))
    judged = Judgements(shown, ("A", "A")).named()
    assert judged == [Judged("x", "q", 0), Judged("y", "q", 1)]
    judged = Judgements(shown, ("equal", "neither")).named()
    assert judged == [Judged("x", "q", None), Judged("y", "q", None, usable=False)]


STEPS = st.lists(st.sampled_from([*ANSWERS, "undo"]), max_size=30)


@given(STEPS)
def test_a_session_is_read_as_it_was_answered(tmp_path_factory: pytest.TempPathFactory,
                                              steps: list[str]) -> None:  # fmt: skip
    path = tmp_path_factory.mktemp("judged") / "deep" / "ada.jsonl"
    begin_judging(path, session(questions=("a", "b")))
    answers: list[Answer] = []
    for step in steps:
        if step == "undo" and answers:
            answers.pop()
            keep_undo(path)
        elif step != "undo" and len(answers) < session(questions=("a", "b")).total:
            answers.append(step)  # type: ignore[arg-type]
            keep_answer(path, step)  # type: ignore[arg-type]
        found = read_judgements(path)
        assert list(found.answers) == answers
        assert found.documents_done == len(answers) // 2
        assert found.is_over == (len(answers) == 10)


def test_a_torn_last_line_costs_that_line_alone(tmp_path: Path) -> None:
    path = tmp_path / "ada.jsonl"
    begin_judging(path, session())
    keep_answer(path, "A")
    with path.open("ab") as file:
        file.write(b'{"answer": "eq')
    assert read_judgements(path).answers == ("A",)
    keep_answer(path, "B")
    assert read_judgements(path).answers == ("A", "B")


def test_a_session_that_is_there_is_not_replaced(tmp_path: Path) -> None:
    begin_judging(tmp_path / "ada.jsonl", session())
    with pytest.raises(EpitomeError, match="exists already"):
        begin_judging(tmp_path / "ada.jsonl", session())


@pytest.mark.parametrize("text", ["", "{}\n", '{"schema": "other"}\n', "[1]\n"])
def test_other_files_are_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "notes.jsonl").write_text(text, "utf-8")
    with pytest.raises(EpitomeError, match=r"“notes\.jsonl” is no file of judgements") as caught:
        read_judgements(tmp_path / "notes.jsonl")
    assert caught.value.remedy == "Choose another file."
