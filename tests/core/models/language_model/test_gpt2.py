"""A model of the form of GPT-2 gives the logits that the library gives."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from core.errors import EpitomeError
from core.models.batch import Batch
from core.models.language_model.gpt2 import read_gpt2
from core.models.language_model.gpt2_settings import is_gpt2_folder, settings_of_folder
from core.models.language_model.model import LanguageModel
from tests.helpers.reformers import tokens_of
from tests.helpers.tiny_gpt2 import save_gpt2


def opened(folder: Path, **changes: Any) -> LanguageModel:
    changes = {"source_embeddings": "none"} | changes
    model = LanguageModel(settings_of_folder(folder).model_copy(update=changes))
    read_gpt2(model, folder)
    return model


@pytest.mark.parametrize(
    "changes", [{}, {"n_inner": 24, "n_head": 4}, {"tie_word_embeddings": False}], ids=str
)
def test_logits_are_those_of_the_library(tmp_path: Path, changes: dict[str, Any]) -> None:
    theirs, tokens = save_gpt2(tmp_path, **changes), tokens_of(2, 192, 400)
    with torch.no_grad():
        wanted, found = theirs(tokens).logits, opened(tmp_path)(Batch(tokens))
    torch.testing.assert_close(found, wanted, rtol=1e-4, atol=1e-4)
    assert wanted.std() > 0.1


def test_names_without_the_heads_prefix_and_old_masks_are_read(tmp_path: Path) -> None:
    """As GPT2Model saves them, and as the first checkpoints have them."""
    save_gpt2(tmp_path)
    before = opened(tmp_path)(Batch(tokens_of(1, 9, 400)))
    file = tmp_path / "model.safetensors"
    bare = {name.removeprefix("transformer."): each for name, each in load_file(file).items()}
    save_file({**bare, "h.0.attn.bias": torch.ones(1, 1, 192, 192)}, file)
    assert opened(tmp_path)(Batch(tokens_of(1, 9, 400))).equal(before)


def test_added_tokens_and_source_embeddings_follow_from_the_tables(tmp_path: Path) -> None:
    theirs = save_gpt2(tmp_path)
    model = opened(tmp_path, vocabulary_size=403, source_embeddings="scaled")
    table, words = model.embedding.weight.detach(), theirs.transformer.wte.weight.detach()
    assert table[:400].equal(words)
    assert 0.5 < float(table[400:].std() / words.std()) < 2
    assert model.source_embedding is not None
    norms = model.source_embedding.weight.detach().norm(dim=1)
    torch.testing.assert_close(norms, (table.norm(dim=1).mean() / 2).expand(2))


def test_a_shorter_model_has_the_first_places(tmp_path: Path) -> None:
    theirs = save_gpt2(tmp_path)
    model = opened(tmp_path, length=50)
    assert model.positions.table.equal(theirs.transformer.wpe.weight[:50])
    with pytest.raises(EpitomeError, match=r"“positions\.table” is \[192, 16\] there and \[200"):
        opened(tmp_path, length=200)


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("activation_function", "relu", "has “activation_function” relu; gelu_new is supported."),
        ("scale_attn_by_inverse_layer_idx", True, "has “scale_attn_by_inverse_layer_idx” True;"),
        ("n_embd", None, "lacks the width."),
    ],
)
def test_what_is_not_computed_is_refused(
    tmp_path: Path, name: str, value: object, told: str
) -> None:
    save_gpt2(tmp_path)
    file = tmp_path / "config.json"
    config = json.loads(file.read_text("utf-8"))
    file.write_text(json.dumps(config | {name: value}), "utf-8")
    with pytest.raises(EpitomeError) as error:
        settings_of_folder(tmp_path)
    assert told in error.value.message


def test_weights_of_another_model_are_refused(tmp_path: Path) -> None:
    save_gpt2(tmp_path)
    file = tmp_path / "model.safetensors"
    tensors = load_file(file)
    save_file({n: t for n, t in tensors.items() if "h.1.mlp.c_fc.bias" not in n}, file)
    with pytest.raises(EpitomeError, match=r"“layers\.1\.feed_forward\.widen\.bias” is missing"):
        opened(tmp_path)
    save_file({**tensors, "transformer.extra.weight": torch.ones(2)}, file)
    with pytest.raises(EpitomeError, match="is not the model's"):
        opened(tmp_path)
    file.unlink()
    with pytest.raises(EpitomeError) as error:
        opened(tmp_path)
    assert error.value.message == f"There is no model.safetensors in {tmp_path}."


def test_only_folders_of_its_form_are_taken_for_it(tmp_path: Path) -> None:
    assert not is_gpt2_folder(tmp_path)
    (tmp_path / "config.json").write_text('{"model_type": "bart"}', "utf-8")
    assert not is_gpt2_folder(tmp_path)
    (tmp_path / "config.json").write_text('{"model_type": "gpt2"}', "utf-8")
    assert is_gpt2_folder(tmp_path)
    (tmp_path / "job.toml").touch()
    assert not is_gpt2_folder(tmp_path)


def test_a_tied_output_that_differs_and_whole_numbers_are_refused(tmp_path: Path) -> None:
    save_gpt2(tmp_path)
    file = tmp_path / "model.safetensors"
    whole = load_file(file)
    table = whole["transformer.wte.weight"]
    save_file({**whole, "lm_head.weight": table.clone()}, file)
    opened(tmp_path)
    save_file({**whole, "lm_head.weight": table + 1}, file)
    with pytest.raises(EpitomeError, match="ties together, and they differ"):
        opened(tmp_path)
    save_file({name: each.to(torch.int32) for name, each in whole.items()}, file)
    with pytest.raises(EpitomeError, match=r"is torch\.int32, and no floating-point numbers"):
        opened(tmp_path)
