"""Texts of a table of chances: as the plain twin writes them, whatever the batch and settings."""

import math
from collections.abc import Sequence

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from core.decoding.door import decode, decode_at_once
from core.decoding.settings import DecodingSettings
from core.decoding.streaming import Decided, Decoded
from core.errors import EpitomeError
from core.stop import StopToken
from tests.helpers import decoding_twin
from tests.helpers.decoding_twin import Task
from tests.helpers.table_model import TableModel, TableState

models = st.builds(
    TableModel,
    seed=st.integers(0, 10**6),
    vocabulary_size=st.integers(3, 7),
    start_ids=st.sampled_from([(0,), (0, 2), (0, 2, 0)]),
    length=st.sampled_from([10, 14, 1000]),
    sharpness=st.sampled_from([0.3, 2.0, 6.0]),
    impossible=st.sampled_from([0.0, 0.5]),
)
batches = st.lists(
    st.lists(st.integers(0, 9), min_size=1, max_size=10), min_size=1, max_size=5
)  # at length 10 some leave no room


@st.composite
def ways(draw: st.DrawFn, most_beams: int = 4) -> DecodingSettings:
    longest = draw(st.integers(1, 12))
    return DecodingSettings(
        beams=draw(st.integers(1, most_beams)),
        max_length=longest,
        min_length=draw(st.integers(0, longest)),
        block_repeats=draw(st.sampled_from([0, 2, 3])),
        length_penalty=draw(st.sampled_from([-1.0, 0.0, 0.5, 1.0, 2.0])),
        end_of_search=draw(st.sampled_from(["likely", "full", "certain"])),
    )


def task_of(model: TableModel, source: Sequence[int], wanted: DecodingSettings) -> Task:
    return Task(
        lambda ids: model.next_log_probs(source, ids),
        model.start_ids,
        model.end_id,
        wanted.max_length,
        model.length - len(source),
        wanted.min_length,
        wanted.block_repeats,
        wanted.length_penalty,
    )


def assert_is(text: Decoded, expected: tuple[tuple[int, ...], float, str], task: Task) -> None:
    assert (text.ids, text.ended) == (expected[0], expected[2])
    assert text.score == pytest.approx(expected[1], abs=1e-9)
    assert text.normalised == pytest.approx(decoding_twin.normalised(task, expected), abs=1e-9)


@given(models, batches, ways(most_beams=1))
def test_greedy_texts_equal_the_twins(
    model: TableModel, sources: list[list[int]], wanted: DecodingSettings
) -> None:
    for source, text in zip(sources, decode_at_once(model, sources, wanted), strict=True):
        task = task_of(model, source, wanted)
        assert_is(text, decoding_twin.greedy(task), task)


@given(
    seed=st.integers(0, 10**6),
    vocabulary_size=st.integers(3, 4),
    longest=st.integers(1, 5),
    block=st.sampled_from([0, 2, 3]),
    penalty=st.sampled_from([-1.0, 0.0, 0.7, 2.0]),
    shortest=st.integers(0, 2),
    start_ids=st.sampled_from([(0,), (0, 2)]),
    impossible=st.sampled_from([0.0, 0.4]),
    sharpness=st.sampled_from([1.0, 6.0]),  # the sharper, the more a long text may gain
)
def test_beams_enough_for_every_text_find_the_best_of_all(
    seed: int,
    vocabulary_size: int,
    longest: int,
    block: int,
    penalty: float,
    shortest: int,
    start_ids: tuple[int, ...],
    impossible: float,
    sharpness: float,
) -> None:
    model = TableModel(seed, vocabulary_size, start_ids, impossible=impossible, sharpness=sharpness)
    wanted = DecodingSettings(
        beams=400,
        max_length=longest,
        min_length=min(shortest, longest),
        block_repeats=block,
        length_penalty=penalty,
        end_of_search="certain",
    )
    sources = [[0], [1, 5], [2]]
    for source, text in zip(sources, decode_at_once(model, sources, wanted), strict=True):
        task = task_of(model, source, wanted)
        texts = {each[0]: each for each in decoding_twin.all_texts(task)}
        if not texts:
            assert text.ended == "blocked"
            continue
        assert_is(text, texts[text.ids], task)
        best = max(decoding_twin.normalised(task, each) for each in texts.values())
        assert text.normalised == pytest.approx(best, abs=1e-9)  # texts may tie


@given(models, batches, ways())
def test_a_batch_is_written_as_each_alone(
    model: TableModel, sources: list[list[int]], wanted: DecodingSettings
) -> None:
    together = decode_at_once(model, sources, wanted)
    assert together == [decode_at_once(model, [source], wanted)[0] for source in sources]


@given(models, batches, ways())
def test_news_adds_up_to_the_texts(
    model: TableModel, sources: list[list[int]], wanted: DecodingSettings
) -> None:
    told = [tuple[int, ...]()] * len(sources)
    done: dict[int, Decoded] = {}
    for news in decode(model, sources, wanted):
        assert news.row not in done
        assert news.ids or news.done
        told[news.row] += news.ids
        if news.done:
            done[news.row] = news.done
    assert [text.ids for _, text in sorted(done.items())] == told
    assert [done[row] for row in range(len(sources))] == decode_at_once(model, sources, wanted)


@given(models, batches, ways())
def test_no_run_repeats_and_lengths_are_kept(
    model: TableModel, sources: list[list[int]], wanted: DecodingSettings
) -> None:
    for source, text in zip(sources, decode_at_once(model, sources, wanted), strict=True):
        if wanted.block_repeats:
            whole = (*model.start_ids, *text.ids)
            assert not decoding_twin.repeats(whole, wanted.block_repeats)
        assert model.end_id not in text.ids
        assert len(text.ids) + (text.ended == "end") <= wanted.max_length
        room = model.length - len(source)
        assert len(model.start_ids) + len(text.ids) <= max(room, len(model.start_ids) - 1) + 1
        if text.ended == "end":
            assert len(text.ids) >= wanted.min_length
        if text.ended == "length":
            assert len(text.ids) == wanted.max_length
        assert (text.ended == "room") >= (room < len(model.start_ids))


@given(models, batches, ways(), st.integers(0, 20))
def test_a_stop_keeps_what_is_written(
    model: TableModel, sources: list[list[int]], wanted: DecodingSettings, patience: int
) -> None:
    stop, heard = StopToken(), list[Decided]()
    for news in decode(model, sources, wanted, stop):
        heard.append(news)
        if len(heard) == patience:
            stop.request("stop")
            steps = len(model.fed)
    done = {news.row: news.done for news in heard if news.done}
    assert sorted(done) == list(range(len(sources)))
    for row, text in done.items():
        told = [token for news in heard if news.row == row for token in news.ids]
        assert text is not None and list(text.ids) == told
    if stop:
        assert len(model.fed) <= max(steps + 1, len(model.start_ids))  # the round under way
        whole = decode_at_once(model, sources, wanted)
        for row, text in done.items():
            assert text is not None
            assert text == whole[row] or text.ended == "stopped"
            if wanted.beams == 1:
                assert text.ids == whole[row].ids[: len(text.ids)]


def test_a_stop_before_the_first_token_leaves_empty_texts() -> None:
    stop = StopToken()
    stop.request("cancel")
    for beams in (1, 3):
        model = TableModel()
        news = list(decode(model, [[0], [1]], DecodingSettings(beams=beams), stop))
        assert [each.row for each in news] == [0, 1]
        assert {each.done for each in news} == {Decoded((), 0.0, 0.0, "stopped")}
        assert len(model.fed) == len(model.start_ids)


@pytest.mark.parametrize("beams", [1, 4])
def test_ended_rows_leave_the_batch(beams: int) -> None:
    model = TableModel(seed=1, sharpness=2.0)
    wanted = DecodingSettings(beams=beams, max_length=40, block_repeats=3)
    sources = [[kind, number] for kind in range(3) for number in range(2)]
    texts = decode_at_once(model, sources, wanted)
    assert len({len(text.ids) for text in texts}) == 3
    assert model.fed[0] == 6  # the start id, one row each
    after = model.fed[1:]
    assert after == sorted(after, reverse=True)
    assert after[-1] < after[0] <= 6 * beams
    if beams == 1:
        needed = [len(text.ids) - (text.ended == "length") for text in texts]
        assert after == [sum(n > step for n in needed) for step in range(max(needed))]


def test_beams_tell_only_what_all_drafts_agree_on() -> None:
    """Two drafts that part at once stay untold; news comes before the end where they agree."""
    model = TableModel(seed=11, vocabulary_size=7, sharpness=3.0)
    wanted = DecodingSettings(beams=3, max_length=30, min_length=20, block_repeats=0)
    news = list(decode(model, [[0]], wanted))
    assert len(news) > 2
    assert sum(len(each.ids) for each in news[:-1]) > 5


def test_no_sources_give_no_texts() -> None:
    assert decode_at_once(TableModel(), []) == []


@pytest.mark.parametrize("beams", [1, 3])
def test_numbers_that_are_none_are_refused(beams: int) -> None:
    model = TableModel()
    model.table[1] = math.nan
    with pytest.raises(EpitomeError) as caught:
        decode_at_once(model, [[0], [1]], DecodingSettings(beams=beams))
    assert caught.value.message == "The model's probabilities for text 2 are not numbers (NaN)."
    assert caught.value.remedy.startswith("Use the built-in summariser or another model")


class WithoutGradients(TableModel):
    def advance(self, state: TableState, tokens: Tensor) -> tuple[Tensor, TableState]:
        assert not torch.is_grad_enabled()
        return super().advance(state, tokens)


@pytest.mark.parametrize("beams", [1, 2])
def test_no_gradients_are_kept_and_the_callers_stay_on(beams: int) -> None:
    for _ in decode(WithoutGradients(), [[0], [1]], DecodingSettings(beams=beams)):
        assert torch.is_grad_enabled()
    assert torch.is_grad_enabled()
