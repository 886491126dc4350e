"""The language model is its twin written in loops: logits, loss and every weight's gradient."""

import pytest
import torch
from safetensors.torch import load, save

from core.errors import EpitomeError
from core.models.batch import Batch
from core.models.language_model.model import LanguageModel
from core.models.language_model.settings import LanguageModelSettings
from core.models.parts.randomness import Randomness
from core.models.weights import named_weights
from core.training.settings import StepSettings
from core.training.step import TrainingStep
from tests.helpers.language_models import (
    divided,
    language_model,
    moved,
    pairs_of,
    plain_results,
    results,
)
from tests.helpers.reformers import CLOSE, assert_equal, batch_of, tokens_of

THREE = ((9, 4), (1, 7), (6, 0))


def assert_twin(model, pairs, randomness=None, smoothing=0.0):
    found = results(model, divided(pairs), randomness, smoothing)
    assert_equal(found, plain_results(model, pairs, randomness, smoothing))


@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"source_embeddings": "none"},
        {"tied_embeddings": True},
        {"heads": 1, "depth": 3},
        {"feed_forward_width": None},
        {"checkpointing": True, "loss_chunks": 3},
        {"smear": True},
        {"pointer": True, "depth": 1},
    ],
    ids=str,
)
def test_every_setting_is_its_twin(changes, norm):
    assert_twin(language_model(norm=norm, **changes), pairs_of((5, 3)))


@pytest.mark.parametrize("checkpointing", [True, False])
def test_training_is_its_twin(checkpointing):
    """Dropout of the embeddings and of every layer, label smoothing, rows of other lengths."""
    model = language_model(dropout=0.3, checkpointing=checkpointing)
    assert_twin(model, pairs_of(*THREE), Randomness(1, 2, (4, 0, 7)), smoothing=0.1)


def test_copying_rows_are_their_twins():
    assert_twin(language_model(smear=True, pointer=True), pairs_of(*THREE))


@pytest.mark.parametrize("changes", [{}, {"smear": True, "pointer": True}], ids=str)
def test_padding_may_stand_anywhere(changes):
    model, batch = language_model(**changes), divided(pairs_of(*THREE))
    assert_equal(results(model, moved(batch, 5)), results(model, batch))


def test_positions_restart_at_the_summary_and_parts_have_embeddings_of_their_own():
    """With article and summary swapped, a token keeps its place and takes the other embedding."""
    model = language_model()
    (article, summary), *_ = pairs_of((5, 3))
    batch = divided([(article, summary)])
    assert batch.positions.tolist() == [[0, 1, 2, 3, 4, 5, 0, 1, 2]]
    assert batch.segments.tolist() == [[0, 0, 0, 0, 0, 0, 1, 1, 1]]
    with torch.no_grad():
        model.source_embedding.weight[1] = model.source_embedding.weight[0]
    same = Batch(batch.tokens, positions=batch.positions)
    assert model(batch).equal(model(same))
    assert not model(batch).equal(model(Batch(batch.tokens)))


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_later_tokens_change_no_earlier_logit(dtype):
    model = language_model(dtype=dtype)
    batch = batch_of(2, 17)
    before = model(batch)
    for start in range(1, 17):
        changed = batch.tokens.clone()
        changed[:, start:] = tokens_of(2, 17 - start, seed=start)
        after = model(Batch(changed))
        assert after[:, :start].equal(before[:, :start])
        assert not after[:, start:].equal(before[:, start:])


def test_no_logit_has_a_gradient_to_a_later_token():
    model = language_model()
    logits = model(Batch(torch.arange(17)[None]))
    for i in range(17):
        table = model.embedding.weight
        (gradient,) = torch.autograd.grad(logits[0, i].sum(), table, retain_graph=True)
        assert gradient[i].any()
        assert not gradient[i + 1 :].any()


def test_every_weight_learns():
    for changes in ({}, {"norm": "post"}, {"smear": True, "pointer": True}):
        model = language_model(**changes)
        model.loss(divided(pairs_of(*THREE))).backward()
        for name, parameter in model.named_parameters():
            assert parameter.grad is not None and parameter.grad.any(), name


def test_source_embeddings_begin_as_the_paper_tried():
    def begun(kind):
        model = LanguageModel(LanguageModelSettings(width=64, source_embeddings=kind))
        return model, model.source_embedding and model.source_embedding.weight

    model, scaled = begun("scaled")
    half = model.embedding.weight.norm(dim=1).mean() / 2
    torch.testing.assert_close(scaled.norm(dim=1), half.expand(2))
    assert not scaled[0].equal(scaled[1])
    assert not begun("zero")[1].any()
    assert 0.8 < begun("normal")[1].std() < 1.2
    assert begun("none")[1] is None


def test_first_weights_come_from_the_models_seed():
    def weights(seed, global_seed):
        torch.manual_seed(global_seed)
        settings = LanguageModelSettings(width=8, vocabulary_size=9, seed=seed)
        return torch.cat([each.flatten() for each in LanguageModel(settings).parameters()])

    assert weights(0, 0).equal(weights(0, 1))
    assert not weights(0, 0).equal(weights(1, 0))


def test_weights_can_be_kept_and_read_again():
    model, other = language_model(), language_model(weights=1)
    batch = batch_of(2, 17)
    assert not other(batch).equal(model(batch))
    other.load_state_dict(load(save(named_weights(model))))
    assert other(batch).equal(model(batch))


def test_past_the_models_length_it_says_so():
    model = language_model()
    model(batch_of(1, 29))
    with pytest.raises(EpitomeError) as error:
        model.loss(batch_of(1, 30))
    assert error.value.message == "The text has 30 tokens; this model reads at most 29 at once."
    assert error.value.remedy == "Split the text, or use a model of a greater length."


def test_two_rows_are_two_single_rows():
    model, pairs = language_model(dropout=0.2), pairs_of((9, 4), (1, 7))
    whole = results(model, divided(pairs), Randomness(1, 2, (6, 3)))
    alone = [
        results(model, divided([pair]), Randomness(1, 2, (row,)))
        for pair, row in zip(pairs, (6, 3), strict=True)
    ]
    for name in whole.keys() - {"logits"}:
        torch.testing.assert_close(whole[name], sum(each[name] for each in alone), **CLOSE)


def test_it_learns_to_copy_an_article():
    """Token n of a summary has the place of token n of its article, by which it is found."""
    settings = LanguageModelSettings(vocabulary_size=30, length=29, width=32, heads=2, depth=2)
    how = StepSettings(learning_rate=2e-3)
    step = TrainingStep(LanguageModel(settings), how, torch.device("cpu"))
    source = torch.Generator().manual_seed(0)
    for _ in range(100):
        articles = torch.randint(3, 30, (16, 6), generator=source).tolist()
        batch = divided([(article, article) for article in articles])
        batch.labels[:, :6] = -100
        loss = float(step(batch).loss)
    assert loss < 1.5  # guessing: 3.3
