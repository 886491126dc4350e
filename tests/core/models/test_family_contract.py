"""Every registered model family, and one that only the tests know, keeps the same contract."""

import json
import math
import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
import torch

from core.cli.main import main
from core.data.batches import collate
from core.decoding.settings import DecodingSettings
from core.events import Finished
from core.jobs.run import run_inline
from core.jobs.training.train import TrainJob
from core.models.batch import NO_LOSS, Batch, PairBatch
from core.models.builders import build, decoder_of, weights_on_meta
from core.models.families import BUILT_FAMILIES, FAMILIES, PRESETS, REGISTRY, get_family, register
from core.models.language_model.settings import LanguageModelSettings
from core.models.protocol import Model
from core.models.reformer.encoder_decoder_settings import ReformerEncoderDecoderSettings
from core.models.reformer.settings import ReformerSettings
from core.models.settings import ModelSettings, PairSettings, SequenceSettings
from core.models.special_tokens import SpecialTokens
from core.models.transformer.settings import TransformerSettings
from core.models.weights import named_weights
from core.profiling.advice import advice
from core.profiling.forecast import forecast
from core.profiling.memory_fields import flat_of_model, model_and_step
from core.profiling.memory_options import options_of
from core.profiling.memory_sweeps import model_words, parts_of, varied_fields
from core.profiling.point import random_batch
from core.profiling.settings import ProfileSettings
from core.profiling.sweep import points_of
from core.stop import StopToken
from core.training.events import StepDone
from core.training.plan import RunPlan
from core.training.settings import RunSettings, TrainSettings
from core.training.train_command import train_words
from core.training.training_fields import flat_of, plan_of_flat
from core.writing.opened_model import open_model
from tests.helpers.foreign_tokenizers import saved
from tests.helpers.runs import curve, kept_corpus, run_events, tiny_plan
from tests.helpers.shelf import kept
from tests.helpers.tiny_bart import save_bart, settings_of, tiny_bart
from tests.helpers.toy_family.family import TOY, ToySettings

SPECIAL = SpecialTokens.trained()
SEQUENCE = {"vocabulary_size": 400, "length": 192, "width": 16, "depth": 2, "heads": 2}
PAIR = {
    "vocabulary_size": 400, "source_length": 192, "target_length": 64, "width": 16,
    "encoder_depth": 2, "decoder_depth": 2, "heads": 2, "dropout": 0.1,
}  # fmt: skip
BUILT: dict[str, ModelSettings] = {
    "reformer": ReformerSettings(
        **SEQUENCE, bucket_size=16, buckets=4, smear=True, pointer=True, dropout=0.1
    ),
    "reformer-encoder-decoder": ReformerEncoderDecoderSettings(
        **PAIR, encoder_attention=("full", "local"), window=16
    ),
    "transformer": TransformerSettings(
        **PAIR | {"heads": 3, "head_width": 8}, chunk_size=16,
        encoder_attention=("shifted", "light-convolution"),
        decoder_attention=("full", "memory-compressed"),
    ),
    "language-model": LanguageModelSettings(**SEQUENCE, dropout=0.1),
    "toy": ToySettings(**SEQUENCE),
}  # fmt: skip
NAMES = [*BUILT, "hugging-face"]
EACH = pytest.mark.parametrize("name", NAMES)
EACH_BUILT = pytest.mark.parametrize("name", BUILT)


@pytest.fixture(autouse=True)
def toy() -> Iterator[None]:
    """The toy family is registered, which is all that is done for it."""
    tables = (REGISTRY, PRESETS, FAMILIES.classes, BUILT_FAMILIES.classes)
    with ExitStack() as patched:
        for table in tables:
            patched.enter_context(patch.dict(table))
        register(TOY)
        yield


@cache
def library_model() -> Any:
    return tiny_bart(0, end_bias=0.0, vocabulary_size=400, positions=192)


def settings_for(name: str) -> ModelSettings:
    if name != "hugging-face":
        return BUILT[name]
    lengths = {"source_length": 192, "target_length": 64}
    return settings_of(library_model()).model_copy(update=lengths)


@cache
def opened(name: str) -> Model:
    """A model with weights that matter everywhere, so that each one shows in what it says."""
    model = build(settings_for(name))
    source = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for weight in model.parameters():
            weight.add_(0.2 * torch.randn(weight.shape, generator=source))
    return model.eval()


def test_each_family_has_its_case() -> None:
    assert {*NAMES} == REGISTRY.keys() == FAMILIES.classes.keys()
    assert BUILT.keys() == BUILT_FAMILIES.classes.keys()


def tokens(length: int, seed: int = 0) -> list[int]:
    found = torch.randint(4, 400, (length,), generator=torch.Generator().manual_seed(seed))
    return found.tolist()


Row = tuple[list[int], list[int], list[int]]
"""What is read, what is written behind it, and the label of each token that is written."""


def batch_of(model: ModelSettings, rows: Sequence[Row]) -> Batch | PairBatch:
    """Rows as training puts them beside each other, padding behind."""
    how: dict[str, Any] = {"pad": SPECIAL.pad, "length": None, "places": "left"}
    if isinstance(model, PairSettings):
        sources = [(np.array(read), np.full(len(read), NO_LOSS)) for read, _, _ in rows]
        targets = [(np.array(fed), np.array(labels)) for _, fed, labels in rows]
        source = collate(sources, model_length=model.source_length, **how)
        target = collate(targets, model_length=model.target_length, **how)
        return PairBatch(replace(source, labels=None), target)
    assert isinstance(model, SequenceSettings)
    found = [
        (np.array([*read, *fed]), np.array([NO_LOSS] * len(read) + labels))
        for read, fed, labels in rows
    ]
    divider = SPECIAL.summary if model.is_divided else None
    return collate(found, model_length=model.length, divider=divider, **how)


def row_of(model: ModelSettings, source: int, written: int, seed: int = 0) -> Row:
    """A row whose written tokens are all learnt."""
    start = [*model.start_ids(SPECIAL)]
    fed = [*start, *tokens(written, seed + 1)]
    return tokens(source, seed), fed, [*fed[1:], SPECIAL.end]


def loss_of(model: Model, rows: Sequence[Row]) -> float:
    with torch.no_grad():
        return float(model.loss(batch_of(model.settings, rows)))


@EACH
def test_weights_follow_from_the_settings_and_are_counted(name: str) -> None:
    settings = settings_for(name)
    first, second = (named_weights(build(settings)) for _ in range(2))
    assert all(torch.equal(weight, second[key]) for key, weight in first.items())
    shapes = {key: weight.shape for key, weight in first.items()}
    assert shapes == {key: weight.shape for key, weight in weights_on_meta(settings).items()}
    counted = sum(weight.numel() for weight in build(settings).parameters())
    expected = counted if name in BUILT else pytest.approx(counted, rel=0.1)
    assert get_family(settings).num_parameters(settings) == expected


@EACH
def test_a_loss_is_the_sum_over_its_labels(name: str) -> None:
    model = opened(name)
    read, fed, labels = row_of(model.settings, 20, 6)
    single = [
        loss_of(model, [(read, fed, [label if at == one else NO_LOSS for at, label in
                                     enumerate(labels)])])
        for one in range(len(labels))
    ]  # fmt: skip
    assert all(math.isfinite(each) and each > 0 for each in single)
    assert loss_of(model, [(read, fed, labels)]) == pytest.approx(sum(single), rel=1e-5)


@EACH
def test_no_place_sees_what_comes_after_it(name: str) -> None:
    model = opened(name)
    read, fed, labels = row_of(model.settings, 20, 8)
    early = labels[:4] + [NO_LOSS] * (len(labels) - 4)
    other = fed[:4] + tokens(len(fed) - 4, seed=9)
    assert loss_of(model, [(read, fed, early)]) == pytest.approx(
        loss_of(model, [(read, other, early)]), rel=1e-6
    )
    assert loss_of(model, [(read, fed, labels)]) != pytest.approx(
        loss_of(model, [(tokens(20, seed=5), fed, labels)]), rel=1e-6
    )


@EACH
def test_padding_and_neighbours_change_nothing(name: str) -> None:
    model = opened(name)
    rows = [row_of(model.settings, *sizes, seed) for seed, sizes in enumerate([(20, 6), (7, 3)])]
    apart = sum(loss_of(model, [row]) for row in rows)
    assert loss_of(model, rows) == pytest.approx(apart, rel=1e-5)


@EACH
def test_cached_steps_equal_a_whole_pass(name: str) -> None:
    model = opened(name)
    sources = [tokens(20), tokens(7, 1), tokens(11, 2)]
    with torch.no_grad():
        decoder: Any = decoder_of(model, SPECIAL)
        state = decoder.begin(sources)
        texts: list[tuple[list[int], list[int]]] = [(source, []) for source in sources]
        fed = [[start] * 3 for start in decoder.start_ids] + [tokens(3, 7), tokens(4, 8)]
        for step, each in enumerate(fed):
            if step == len(fed) - 1:  # rows leave, repeat and change places
                order = [2, 0, 0, 2]
                state = decoder.reorder(state, torch.tensor(order))
                texts = [(texts[row][0], [*texts[row][1]]) for row in order]
            room = decoder.room(state).tolist()
            log_probs, state = decoder.advance(state, torch.tensor(each))
            assert decoder.room(state).tolist() == [left - 1 for left in room]
            for (_, written), token in zip(texts, each, strict=True):
                written.append(token)
            assert log_probs.shape == (len(each), decoder.vocabulary_size)
            torch.testing.assert_close(log_probs.exp().sum(1), torch.ones(len(each)))
            for (read, written), found in zip(texts, log_probs, strict=True):
                label = int(found.argmax())
                labels = [NO_LOSS] * (len(written) - 1) + [label]
                full = loss_of(model, [(read, written, labels)])
                assert -float(found[label]) == pytest.approx(full, rel=1e-4, abs=1e-5)


def plan_for(name: str) -> RunPlan:
    corpus = kept_corpus()
    plan = tiny_plan(corpus, steps=6, batch=4, validate_every=2, learning_rate=0.01)
    if name != "hugging-face":
        return replace(plan, model=BUILT[name])
    folder = kept("a tiny library model", save_library_model)
    run = plan.run.model_copy(update={"start_from": str(folder), "tokenizer": ""})
    return replace(plan, run=run, model=settings_for(name))


def save_library_model(folder: Path) -> None:
    saved("bart", folder)
    save_bart(library_model(), folder)


def last_bits(run: Path) -> list[bytes]:
    last = json.loads((run / "last.json").read_text("utf-8"))["checkpoint"]
    files = ("model.safetensors", "optimizer.safetensors")
    return [(run / "checkpoints" / last / file).read_bytes() for file in files]


def train(plan: RunPlan, folder: Path) -> None:
    """Trains a run, and keeps beside it the files that a kill would have left at step 3."""
    for event in run_inline(TrainJob(folder / "whole", plan), StopToken()):
        if isinstance(event, StepDone) and event.step == 3:
            shutil.copytree(folder / "whole", folder / "killed")
    assert isinstance(event, Finished), event


def runs_of(name: str) -> Path:
    """A whole run and a killed one, made once."""
    plan = plan_for(name)
    return kept(f"runs of the family {name}", lambda folder: train(plan, folder))


@EACH
def test_a_killed_run_goes_on_to_the_bit(name: str, tmp_path: Path) -> None:
    runs = runs_of(name)
    whole, killed = runs / "whole", tmp_path / "killed"
    shutil.copytree(runs / "killed", killed)
    assert isinstance(run_events(killed)[-1], Finished)
    assert last_bits(killed) == last_bits(whole)
    assert curve(killed)[-1] == curve(whole)[-1]
    losses = [json.loads(values)["loss"] for kind, values in curve(whole) if kind == "StepDone"]
    assert losses[-1] < losses[0]


@EACH
def test_a_trained_model_writes(name: str) -> None:
    runs = runs_of(name)
    model = open_model(runs / "whole")
    assert 0 < model.room <= settings_for(name).row_length
    decided = model.write([tokens(20), tokens(5)], DecodingSettings(max_length=5), StopToken())
    done = {each.row: each.done for each in decided if each.done}
    assert done.keys() == {0, 1} and all(len(each.ids) <= 5 for each in done.values() if each)


@EACH
def test_a_forecast_grows_with_the_step_and_advice_shrinks_it(name: str) -> None:
    settings, decoding = settings_for(name), DecodingSettings()
    small, large = (forecast(settings, TrainSettings(batch=n), decoding) for n in (2, 16))
    assert small.parameters == get_family(settings).num_parameters(settings)
    assert small.peak_bytes < large.peak_bytes and small.longest_step_s < large.longest_step_s
    long = settings.model_copy(
        update={"source_length": 4096} if isinstance(settings, PairSettings) else {"length": 4096}
    )
    advised = advice(long, TrainSettings(batch=16), decoding)
    assert advised and all(each.saved_bytes > 0 for each in advised)
    changes = {each.title for each in get_family(long).savings(long)}
    assert bool(changes & {each.words for each in advised}) == (name in BUILT)


@EACH
def test_points_of_a_sweep_are_steps_that_can_be_made(name: str) -> None:
    settings = settings_for(name)
    step = ProfileSettings(batch=2, vary=("batch=1,2", "seed=0,1" if name in BUILT else "batch=1"))
    step = step if name in BUILT else step.model_copy(update={"vary": ("batch=1,2",)})
    points = points_of(settings, step)
    assert len(points) == (4 if name in BUILT else 2)
    point = points[-1]
    assert point.length == settings.row_length
    model = build(point.model)
    model.loss(random_batch(point, torch.device("cpu"))).backward()
    assert all(weight.grad is not None for weight in model.parameters())
    for _, changes in options_of(settings, step, settings.row_length):
        known = {**type(settings).model_fields, **ProfileSettings.model_fields}
        assert changes.keys() <= known.keys()


@EACH
def test_the_form_of_training_holds_the_whole_plan(name: str) -> None:
    plan = replace(plan_for(name), run=RunSettings())
    origin = None if name in BUILT else plan.model
    assert plan_of_flat(flat_of(plan), plan.run, plan.train.objective, origin) == plan
    assert RunPlan.of_json(plan.to_json()) == plan
    assert f'family = "{name}"' in plan.to_toml()


@EACH_BUILT
def test_the_form_of_memory_holds_the_model_and_its_step(name: str) -> None:
    settings, step = BUILT[name], ProfileSettings(batch=4)
    assert model_and_step(flat_of_model(settings, step)) == (settings, step)
    assert varied_fields(settings) and model_words(settings)
    switches = parts_of(settings, step)
    titles = [each.title for each in switches]
    assert len({*titles}) == len(titles) > 1


@EACH_BUILT
def test_the_command_of_a_job_means_its_plan(
    name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    plan = replace(plan_for(name), run=RunSettings(corpus="corpus"))
    _, *words = train_words(plan, "")
    assert main([*words, "--print-config"]) == 0, capsys.readouterr().err
    file = tmp_path / "job.toml"
    file.write_text(capsys.readouterr().out, "utf-8")
    assert RunPlan.read(file) == plan


@EACH
def test_what_is_said_of_a_model_is_short_and_complete(name: str) -> None:
    settings = settings_for(name)
    family = get_family(settings)
    facts = family.describe(settings)
    assert facts[0] == ("Vocabulary", "400 tokens")
    assert all(title and value for title, value in facts)
    assert 0 < len(family.kind(settings)) < 40 and family.label
    assert len({*map(type, family.stacks(settings, 2))}) == 1
    lengths = [stack.length for stack in family.stacks(settings, 2)]
    assert sum(lengths) == settings.row_length
    assert all(first >= last for first, last in pairwise(lengths))
