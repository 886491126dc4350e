"""A Hugging Face model writes as its authors meant it."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.decoding.settings import DecodingSettings
from core.models.hugging_face.folder import read_settings
from core.models.hugging_face.settings import HuggingFaceSettings
from core.training.library_folder import decoding_of, unused_note
from tests.helpers.library_folders import chat_folder, library_folder


@pytest.fixture(scope="module")
def pegasus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return library_folder("pegasus", tmp_path_factory.mktemp("models") / "pegasus")


def saying(settings: HuggingFaceSettings, **said: Any) -> HuggingFaceSettings:
    """The settings of a model whose generation_config.json says this too."""
    told = json.loads(settings.generation) | said
    return settings.model_copy(update={"generation": json.dumps(told)})


@pytest.fixture
def settings(pegasus: Path) -> HuggingFaceSettings:
    return read_settings(pegasus, full=True)


def test_what_its_authors_say_is_done_also_where_it_is_zero(settings: HuggingFaceSettings) -> None:
    said = saying(settings, num_beams=4, length_penalty=0.0, no_repeat_ngram_size=0)
    found = decoding_of(said)
    assert (found.beams, found.length_penalty, found.block_repeats) == (4, 0.0, 0)
    found = decoding_of(saying(settings, num_beams=2, length_penalty=2.0, no_repeat_ngram_size=3))
    assert (found.beams, found.length_penalty, found.block_repeats) == (2, 2.0, 3)


def test_nothing_is_blocked_where_nothing_is_said(settings: HuggingFaceSettings) -> None:
    found = decoding_of(settings)
    assert (found.beams, found.length_penalty, found.block_repeats) == (1, 1.0, 0)
    assert decoding_of(saying(settings, no_repeat_ngram_size=None)).block_repeats == 0


def test_a_chat_model_that_says_nothing_blocks_as_this_program_does(tmp_path: Path) -> None:
    chat = read_settings(chat_folder(tmp_path / "chat"), full=True)
    assert decoding_of(chat).block_repeats == DecodingSettings().block_repeats
    assert decoding_of(saying(chat, no_repeat_ngram_size=0)).block_repeats == 0
    assert decoding_of(saying(chat, max_new_tokens=9)).max_length == 9


@pytest.mark.parametrize(
    ("said", "lengths"),
    [
        ({"max_length": 21, "min_length": 6}, (20, 5)),
        ({"max_new_tokens": 20, "min_new_tokens": 5}, (20, 5)),
        ({"max_length": 90, "max_new_tokens": 20}, (20, 0)),
        ({"max_new_tokens": 20, "min_length": 4, "min_new_tokens": 6}, (20, 6)),
        ({"max_new_tokens": 20, "forced_bos_token_id": 3}, (19, 0)),
        ({"max_new_tokens": 4, "min_new_tokens": 9}, (4, 4)),
        ({"max_new_tokens": 0}, (95, 0)),
        ({"max_new_tokens": "many", "min_length": [3]}, (95, 0)),
    ],
    ids=str,
)
def test_lengths_are_those_that_its_authors_name(
    settings: HuggingFaceSettings, said: dict[str, Any], lengths: tuple[int, int]
) -> None:
    found = decoding_of(saying(settings, **said))
    assert (found.max_length, found.min_length) == lengths


def test_a_value_that_means_nothing_here_takes_no_other_with_it(
    settings: HuggingFaceSettings,
) -> None:
    said = saying(
        settings, num_beams=4, no_repeat_ngram_size=1, length_penalty=99.0, early_stopping=[1]
    )
    found = decoding_of(said)
    assert (found.beams, found.length_penalty, found.block_repeats) == (4, 1.0, 0)
    told = "early_stopping, length_penalty and no_repeat_ngram_size"
    assert told in unused_note(said)


def test_what_is_not_used_is_named(settings: HuggingFaceSettings) -> None:
    assert unused_note(settings) == ""
    neutral = {
        "repetition_penalty": 1.0, "do_sample": False, "bad_words_ids": None,
        "diversity_penalty": 0.0, "num_beam_groups": 1, "forced_eos_token_id": 1,
    }  # fmt: skip
    assert unused_note(saying(settings, **neutral)) == ""
    said = saying(settings, repetition_penalty=1.5, do_sample=True, length_penalty=0.0)
    assert unused_note(said) == (
        "The model's authors also set do_sample and repetition_penalty, which Epitome does not "
        "use: its texts differ from theirs."
    )
    alone = unused_note(saying(settings, repetition_penalty=1.5))
    assert "also set repetition_penalty, which" in alone
