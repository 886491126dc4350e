"""Runs of tokens are told as repeating exactly when the next token would make them so."""

import math
from itertools import pairwise

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.decoding.blocking import Rules, repeating
from core.decoding.settings import DecodingSettings
from tests.helpers.decoding_twin import repeats


@given(st.lists(st.integers(0, 3), max_size=30), st.integers(2, 5))
def test_a_token_repeats_when_its_run_stands_there(ids: list[int], size: int) -> None:
    runs = {tuple(ids[at : at + size]) for at in range(len(ids) - size + 1)}
    tail = tuple(ids[len(ids) - size + 1 :]) if len(ids) >= size else ()
    expected = {token for token in range(4) if (*tail, token) in runs}
    assert set(repeating(ids, size)) == expected
    assert set(repeating(tuple(ids), size)) == expected


def test_start_ids_count_and_the_source_does_not() -> None:
    rules = Rules(DecodingSettings(block_repeats=3), start_ids=(7, 8), end_id=1)
    log_probs = torch.zeros(2, 10)
    rules.forbid(log_probs, [(7, 8, 5, 7, 8), (7, 8, 5, 8, 7)])
    assert log_probs[0].tolist() == [0, 0, 0, 0, 0, -math.inf, 0, 0, 0, 0]
    assert log_probs[1].tolist() == [0] * 10


@pytest.mark.parametrize(("written", "forbidden"), [(0, True), (2, True), (3, False)])
def test_the_end_waits_for_the_shortest_length(written: int, forbidden: bool) -> None:
    rules = Rules(DecodingSettings(min_length=3, block_repeats=0), start_ids=(7, 8), end_id=1)
    log_probs = torch.zeros(1, 10)
    rules.forbid(log_probs, [(7, 8, 5, 5, 5)[: 2 + written]])
    assert (log_probs[0, 1].item() == -math.inf) == forbidden
    assert torch.isfinite(log_probs).sum() == 10 - forbidden


def test_length_counts_the_end_and_forced_tokens_but_not_the_first() -> None:
    rules = Rules(DecodingSettings(length_penalty=2.0), start_ids=(7, 8), end_id=1)
    assert rules.normalised(-12.0, 4) == pytest.approx(-12 / 9)
    assert rules.normalised(-1.0, 1) == -1.0


@given(st.lists(st.integers(0, 2), max_size=12))
def test_the_twins_own_test_of_repeats(ids: list[int]) -> None:
    pairs = list(pairwise(ids))
    assert repeats(ids, 2) == any(pairs.count(pair) > 1 for pair in pairs)
