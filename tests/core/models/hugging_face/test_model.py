"""A Hugging Face model learns as its library says, and draws from the run's seeds alone."""

from pathlib import Path

import pytest
import torch

from core.errors import EpitomeError
from core.models.batch import NO_LOSS, Batch, PairBatch
from core.models.hugging_face.model import HuggingFaceModel
from core.models.parts.randomness import Randomness
from core.models.weights import named_weights, read_weights, write_tensors
from tests.helpers.tiny_bart import PAD, save_bart, settings_of, tiny_bart

STEP = Randomness(run=1, step=2, rows=(0, 1))


def model_of(seed: int = 0) -> HuggingFaceModel:
    bart = tiny_bart(seed)
    model = HuggingFaceModel(settings_of(bart))
    model.inner.load_state_dict(bart.state_dict())
    return model


def batch() -> PairBatch:
    sources = torch.tensor([[0, 7, 8, 9, 2], [0, 11, 2, PAD, PAD]])
    targets = torch.tensor([[2, 0, 12, 13], [2, 0, 14, PAD]])
    labels = torch.tensor([[NO_LOSS, 12, 13, 2], [NO_LOSS, 14, 2, NO_LOSS]])
    return PairBatch(
        Batch(sources, present=sources != PAD), Batch(targets, labels, present=targets != PAD)
    )


def gradients(model: HuggingFaceModel, randomness: Randomness | None) -> list[torch.Tensor]:
    loss = model.loss(batch(), randomness)
    return [loss.detach(), *torch.autograd.grad(loss, list(model.parameters()))]


def test_the_loss_is_the_library_s() -> None:
    model, pair = model_of(), batch()
    output = model.inner(
        input_ids=pair.source.tokens, attention_mask=pair.source.present.long(),
        decoder_input_ids=pair.target.tokens, labels=pair.target.labels,
    )  # fmt: skip
    assert model.loss(pair).item() == pytest.approx(output.loss.item() * 5, rel=1e-6)
    assert (pair.num_loss_tokens, pair.num_tokens) == (5, 5 + 3 + 4 + 3)
    assert model.loss(pair, smoothing=0.2).item() != pytest.approx(model.loss(pair).item())


def test_dropout_follows_from_run_step_and_rows_and_disturbs_no_other_draw() -> None:
    model = model_of()
    state = torch.get_rng_state()
    first = gradients(model, STEP)
    assert torch.get_rng_state().equal(state)
    torch.rand(7)  # somebody else draws
    assert all(a.equal(b) for a, b in zip(first, gradients(model, STEP), strict=True))
    others = [None, Randomness(1, 3, (0, 1)), Randomness(2, 2, (0, 1)), Randomness(1, 2, (0, 2))]
    losses = [first[0].item(), *(gradients(model, other)[0].item() for other in others)]
    assert len(set(losses)) == len(losses)


def test_dropout_is_on_in_every_step_also_after_a_validation() -> None:
    model = model_of()
    with torch.no_grad():
        model.loss(batch())
    assert model.loss(batch(), STEP).item() != model.loss(batch()).item()


def test_what_is_saved_holds_lasting_buffers_and_shared_weights_once(tmp_path: Path) -> None:
    model = model_of()
    weights = named_weights(model)
    assert "inner.final_logits_bias" in weights
    assert not any(name.endswith("embed_tokens.weight") for name in weights)
    write_tensors(tmp_path / "weights", weights)
    other = HuggingFaceModel(model.settings)
    read_weights(tmp_path / "weights", other)
    with torch.no_grad():
        assert other(batch()).equal(model(batch()))
    assert other.inner.final_logits_bias[0, 2] == 4


def test_a_folder_gives_its_weights(tmp_path: Path) -> None:
    bart = tiny_bart(3)
    save_bart(bart, tmp_path / "bart")
    model = HuggingFaceModel(settings_of(bart))
    model.read_folder(tmp_path / "bart")
    assert model.inner.final_logits_bias.equal(bart.final_logits_bias)
    assert all(
        a.equal(b)
        for a, b in zip(model.inner.state_dict().values(), bart.state_dict().values(), strict=True)
    )


def test_weights_that_would_be_unpickled_are_refused(tmp_path: Path) -> None:
    bart = tiny_bart(3)
    save_bart(bart, tmp_path)
    (tmp_path / "model.safetensors").unlink()
    torch.save(bart.state_dict(), tmp_path / "pytorch_model.bin")
    with pytest.raises(EpitomeError) as caught:
        HuggingFaceModel(settings_of(bart)).read_folder(tmp_path)
    assert caught.value.message.startswith(f"The weights in {tmp_path} are pickled (pytorch_model.")
