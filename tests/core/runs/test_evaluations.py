"""Evaluations are kept in a run's folder; a damaged file holds none."""

import json
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.runs import evaluations
from core.runs.evaluations import (
    Evaluation,
    KeptGroup,
    KeptScore,
    keep_evaluation,
    read_evaluations,
)
from core.runs.folder import RunFolder

FIRST = Evaluation(
    "pairs.jsonl", "a", 20, 100, "120w", "2026-11-22T12:00:00+00:00",
    (KeptScore("rouge-1 f1", "%", 40.5, 39.0, 42.0), KeptScore("words", "words", 99.5)),
    {"rouge": "How it is computed."},
)  # fmt: skip


def test_what_is_kept_is_read_again_newest_first(tmp_path: Path) -> None:
    run = RunFolder(tmp_path)
    assert read_evaluations(run) == ()
    later = replace(FIRST, step=200)
    for evaluation in (FIRST, later):
        keep_evaluation(run, evaluation)
    assert read_evaluations(run) == (later, FIRST)


def test_groups_are_kept_and_files_without_them_are_read(tmp_path: Path) -> None:
    run = RunFolder(tmp_path)
    group = KeptGroup("kind", "mixed", 7, FIRST.scores)
    grouped = replace(FIRST, groups=(group,))
    keep_evaluation(run, FIRST)
    keep_evaluation(run, grouped)
    assert read_evaluations(run) == (grouped, FIRST), "one does not replace the other"
    told = json.loads(run.evaluations_file.read_text("utf-8"))
    del told["evaluations"][0]["groups"], told["evaluations"][1]["groups"]
    run.evaluations_file.write_text(json.dumps(told), "utf-8")
    assert read_evaluations(run) == (FIRST, FIRST)


def test_the_same_evaluation_is_kept_once(tmp_path: Path) -> None:
    run = RunFolder(tmp_path)
    keep_evaluation(run, FIRST)
    again = replace(FIRST, made="2026-11-23T12:00:00+00:00")
    keep_evaluation(run, again)
    assert read_evaluations(run) == (again,)


def test_two_that_end_at_the_same_time_are_both_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, write = RunFolder(tmp_path), evaluations.write_json
    others: list[Thread] = []

    def write_late(path: Path, value: object) -> None:
        if not others:  # another window keeps one between reading and writing, if it can
            others.append(Thread(target=keep_evaluation, args=(run, FIRST)))
            others[0].start()
            others[0].join(0.2)
        write(path, value)

    monkeypatch.setattr(evaluations, "write_json", write_late)
    keep_evaluation(run, replace(FIRST, pairs="others.jsonl", sha256="ff"))
    others[0].join()
    assert len(read_evaluations(run)) == 2


def test_of_many_the_oldest_are_dropped(tmp_path: Path) -> None:
    run = RunFolder(tmp_path)
    for step in range(30):
        keep_evaluation(run, replace(FIRST, step=step))
    assert [each.step for each in read_evaluations(run)] == list(range(29, 9, -1))


@pytest.mark.parametrize("text", ["", "[]", "{", '{"version": 9}', "[" * 100_000])
def test_a_damaged_file_holds_none(tmp_path: Path, text: str) -> None:
    run = RunFolder(tmp_path)
    run.evaluations_file.write_text(text, "utf-8")
    assert read_evaluations(run) == ()


@given(value=st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["version", "evaluations", "pairs", "scores"]), inner, max_size=3
    ),
))  # fmt: skip
def test_whatever_stands_there_is_read_or_left(
    value: object, tmp_path_factory: pytest.TempPathFactory
) -> None:
    run = RunFolder(tmp_path_factory.mktemp("run"))
    run.evaluations_file.write_text(json.dumps(value), "utf-8")
    assert isinstance(read_evaluations(run), tuple)
