"""What judgements say: wins, ties and their interval; the agreement of two judges."""

from pathlib import Path

import pytest

from core.errors import EpitomeError
from core.evaluation.judging import agreement, list_sessions, outcomes
from core.events import Finished
from core.jobs.call import CallJob
from core.jobs.run import run_inline
from core.runs.judgements import (
    FOLDER,
    Answer,
    Judgements,
    Session,
    begin_judging,
    keep_answer,
)
from core.stop import StopToken


def judged(answers: str, judge: str = "Ada", systems: tuple[str, str] = ("first", "second"),
           first: int = 0) -> Judgements:  # fmt: skip
    """A session of one question; "1" is a win of the first, "2" of the second, "=", "0"."""
    given: dict[str, Answer] = {"1": "A", "2": "B", "=": "equal", "0": "neither"}
    numbers = tuple(range(first, first + len(answers)))
    ids, sides = tuple(f"d-{n}" for n in numbers), (False,) * len(answers)
    session = Session(judge, 0, systems, ("overall",), numbers, ids, sides)
    return Judgements(session, tuple(given[answer] for answer in answers))


def test_wins_and_ties_have_an_interval() -> None:
    (found,) = outcomes(judged("111111=220"))
    assert (found.first, found.equal, found.second, found.neither) == (6, 1, 2, 1)
    assert found.ahead == pytest.approx(0.4) and found.low < 0.4 < found.high
    assert found.low >= -1 and found.high <= 1


def test_one_sided_judgements_leave_no_doubt() -> None:
    (found,) = outcomes(judged("1111"))
    assert (found.ahead, found.low, found.high) == (1.0, 1.0, 1.0)
    assert outcomes(judged("")) == ()


def test_kappa_is_as_computed_by_hand() -> None:
    # Of 10 answers 7 are alike; by chance 0.5 * 0.6 + 0.5 * 0.4 = 0.5, so kappa is 0.4.
    found = agreement(judged("1111122222"), judged("1111222112", "Bo"))
    assert found.common == 10 and found.share == pytest.approx(0.7)
    assert found.kappa == pytest.approx(0.4)
    assert found.low <= 0.4 <= found.high


def test_the_sides_of_the_names_do_not_matter() -> None:
    turned = judged("2222211111", "Bo", systems=("second", "first"))
    assert agreement(judged("1111122222"), turned).kappa == 1.0


def test_only_common_answers_count() -> None:
    found = agreement(judged("1212"), judged("1212", "Bo", first=2))
    assert found.common == 2


def test_judges_of_other_systems_or_documents_cannot_agree() -> None:
    with pytest.raises(EpitomeError, match="One judge compared first and second"):
        agreement(judged("1"), judged("1", systems=("first", "third")))
    with pytest.raises(EpitomeError, match="no question in common"):
        agreement(judged("1"), judged("1", first=5))


def test_sessions_are_listed_with_damaged_ones(tmp_path: Path) -> None:
    one = judged("1")
    begin_judging(tmp_path / FOLDER / "ada.jsonl", one.session)
    keep_answer(tmp_path / FOLDER / "ada.jsonl", "A")
    (tmp_path / FOLDER / "torn.jsonl").write_text("{}\n", "utf-8")
    *_, last = run_inline(CallJob(list_sessions, tmp_path), StopToken())
    assert isinstance(last, Finished)
    by_name = {found.path.name: found for found in last.result}
    assert by_name["ada.jsonl"].judgements == one
    assert "is no file of judgements" in by_name["torn.jsonl"].fault
