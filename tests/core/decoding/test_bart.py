"""A tiny random BART is decoded as its own library decodes it, id for id."""

from functools import cache
from typing import Any

import pytest

from core.decoding.door import decode_at_once
from core.decoding.settings import DecodingSettings
from tests.helpers.tiny_bart import decoder_of, generated, sources_of, tiny_bart

SEEDS = range(4)
writer = cache(lambda seed, forced=0: decoder_of(tiny_bart(seed, forced)))
"""The same model for all tests of this file, which only read it."""
END_OF_SEARCH = {"likely": False, "full": True, "certain": "never"}
"""Our names for what the library calls `early_stopping`."""
GREEDY: list[dict[str, Any]] = [
    {"max_length": 24, "block_repeats": 0},
    {"max_length": 24, "block_repeats": 3},
    {"max_length": 12, "min_length": 6, "block_repeats": 2},
    {"max_length": 1},
]
BEAM: list[dict[str, Any]] = [
    {},
    {"end_of_search": "full", "length_penalty": 2.0, "min_length": 4},
    {"end_of_search": "certain", "length_penalty": 0.6},
    {"length_penalty": 0.0},
    {"length_penalty": -1.0, "end_of_search": "certain"},
    {"beams": 5, "block_repeats": 0, "min_length": 9},
    {"beams": 2, "block_repeats": 2, "length_penalty": 0.6},
    {"max_length": 1, "end_of_search": "full"},
]


def options_of(wanted: DecodingSettings, num_forced: int) -> dict[str, Any]:
    """The same wishes in the library's words, where a forced first token counts as written."""
    options: dict[str, Any] = {
        "num_beams": wanted.beams,
        "max_new_tokens": wanted.max_length + num_forced,
        "min_new_tokens": wanted.min_length and wanted.min_length + num_forced,
        "no_repeat_ngram_size": wanted.block_repeats,
    }
    if wanted.beams > 1:
        options["length_penalty"] = wanted.length_penalty
        options["early_stopping"] = END_OF_SEARCH[wanted.end_of_search]
    return options


@pytest.mark.parametrize("forced", [None, 0])
@pytest.mark.parametrize(
    "wanted",
    [
        *(DecodingSettings(**values) for values in GREEDY),
        *(DecodingSettings(**{"beams": 3, "max_length": 20, **values}) for values in BEAM),
    ],
    ids=lambda wanted: " ".join(f"{name}={value}" for name, value in wanted if name != "seed"),
)
def test_texts_equal_the_librarys(wanted: DecodingSettings, forced: int | None) -> None:
    for seed in SEEDS:
        model = writer(seed, forced)
        sources, num_start = sources_of(seed), len(model.start_ids)
        options = options_of(wanted, num_start - 1)
        expected, scores = generated(model.model, sources, num_start, **options)
        texts = decode_at_once(model, sources, wanted)
        assert [text.ids for text in texts] == expected
        if wanted.beams > 1:
            assert [text.normalised for text in texts] == pytest.approx(scores, rel=1e-5)


def test_the_texts_compared_are_of_many_kinds() -> None:
    """So that the test above compares more than empty and endless texts."""
    wanted = DecodingSettings(beams=3, max_length=20)
    texts = [
        text for seed in SEEDS for text in decode_at_once(writer(seed), sources_of(seed), wanted)
    ]
    assert {text.ended for text in texts} == {"end", "length"}
    assert len({len(text.ids) for text in texts}) >= 5
    assert len({text.ids for text in texts}) > len(texts) / 2
    assert sum(len(set(text.ids)) > 2 for text in texts) > len(texts) / 3


def test_a_batch_is_written_as_each_alone() -> None:
    for seed in SEEDS:
        model, sources = writer(seed), sources_of(seed)
        for beams in (1, 3):
            wanted = DecodingSettings(beams=beams, max_length=20)
            alone = [decode_at_once(model, [source], wanted)[0] for source in sources]
            together = decode_at_once(model, sources, wanted)
            assert [text.ids for text in together] == [text.ids for text in alone]


def test_the_decoders_last_position_is_used_and_not_passed() -> None:
    model = decoder_of(tiny_bart(0, end_bias=-50.0))
    for beams in (1, 3):
        wanted = DecodingSettings(beams=beams, max_length=500, block_repeats=0)
        text = decode_at_once(model, [[5, 6]], wanted)[0]
        assert text.ended == "room"
        assert len(model.start_ids) + len(text.ids) == 48 + 1  # the last token is not fed
