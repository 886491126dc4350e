"""What is read of a Hugging Face folder."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.errors import EpitomeError
from core.models.hugging_face.files import is_model_folder
from core.models.hugging_face.settings import HuggingFaceSettings
from tests.helpers.tiny_bart import SPECIAL, save_bart, settings_of, tiny_bart


def test_texts_begin_with_the_start_token_and_the_forced_one() -> None:
    assert settings_of(tiny_bart(0, forced=None)).start_ids(SPECIAL) == (2,)
    assert settings_of(tiny_bart(0, forced=0)).start_ids(SPECIAL) == (2, 0)
    without = tiny_bart(0, forced=None)
    without.generation_config.decoder_start_token_id = None
    without.config.decoder_start_token_id = None
    assert settings_of(without).start_ids(SPECIAL) == (0,)


@pytest.mark.parametrize(
    ("changes", "message", "remedy"),
    [
        (
            {"decoder_start_token_id": None, "bos_token_id": None},
            "The model's generation settings name no token that its texts start with.",
            "Set “decoder_start_token_id” in its generation_config.json.",
        ),
        (
            {"eos_token_id": None},
            "The model's generation settings name no token that ends its texts.",
            "Set “eos_token_id” in its generation_config.json.",
        ),
    ],
)
def test_a_model_without_start_or_end_is_refused(
    changes: dict[str, Any], message: str, remedy: str
) -> None:
    model = tiny_bart(0, forced=None)
    for name, value in changes.items():
        setattr(model.generation_config, name, value)
        setattr(model.config, name, value)
    with pytest.raises(EpitomeError) as caught:
        settings = settings_of(model)
        print(settings.start_ids(SPECIAL), settings.end_id(SPECIAL))
    assert (caught.value.message, caught.value.remedy) == (message, remedy)


def test_of_several_end_tokens_that_of_the_tokenizer_is_first() -> None:
    model = tiny_bart(0)
    model.generation_config.eos_token_id = [7, 2, 9]
    assert settings_of(model).end_ids(SPECIAL) == (2, 7, 9)


def test_a_folder_is_read_as_it_was_saved(tmp_path: Path) -> None:
    model = tiny_bart(0)
    assert not is_model_folder(tmp_path)
    save_bart(model, tmp_path)
    assert is_model_folder(tmp_path)
    settings = HuggingFaceSettings.from_folder(tmp_path)
    assert (settings.source_length, settings.target_length) == (48, 48)
    assert settings.vocabulary_size == 40
    assert settings.start_ids(SPECIAL) == (2, 0)
    assert settings.end_id(SPECIAL) == 2


def test_what_is_no_encoder_decoder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "gpt2"}), "utf-8")
    with pytest.raises(
        EpitomeError, match="Only encoder-decoders and chat models are read; this model is a gpt2"
    ):
        HuggingFaceSettings.checked({"architecture": (tmp_path / "config.json").read_text("utf-8")})
    with pytest.raises(
        EpitomeError, match="Only encoder-decoders and chat models are read; this model is a gpt2"
    ):
        HuggingFaceSettings.from_folder(tmp_path)


@pytest.mark.parametrize("text", ["{", "[]"])
def test_a_damaged_folder_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(text, "utf-8")
    with pytest.raises(EpitomeError) as caught:
        HuggingFaceSettings.from_folder(tmp_path)
    assert caught.value.remedy == "Name a folder that save_pretrained wrote."
