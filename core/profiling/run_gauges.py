"""Gauges of a trained run, on documents it was not trained on: causality, twin, rotations."""

import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path

from core.data.corpus import open_corpus
from core.data.examples import open_examples, tokenise
from core.data.tokenizer import Tokenizer
from core.errors import EpitomeError
from core.events import Event
from core.models.batch import Batch
from core.models.builders import build
from core.models.families import REGISTRY, get_family
from core.models.protocol import Model
from core.profiling.causality import gauge
from core.profiling.events import GaugedLoss, RotationsGauged, TailEffect
from core.profiling.memory import watched_peak
from core.profiling.settings import GaugeSettings
from core.profiling.twin import full_twin
from core.stop import StopToken
from core.training.device import autocast, open_device
from core.training.origins import origin_of
from core.training.plan import RunPlan
from core.training.rows import Rows, rows_of
from core.training.settings import StepSettings, TrainSettings
from core.training.team import Team
from core.training.validation import ValidationResult, Validator

AS_TRAINED = "as trained"
_MOST_TOKENS = 4096  # all logits of two texts are held at once
_TAIL = 5  # the last fifth of the text changes


@dataclass(frozen=True)
class OpenedRun:
    """A run with its best weights, and documents that it was not trained on.

    Args:
        plan: Its plan.
        model: Its model, in evaluation.
        rows: Those of the validation split; of the training split where there is none.
        tokenizer: Its own.
        step: After which step the weights were kept.
        team: This process alone.
    """

    plan: RunPlan
    model: Model
    rows: Rows
    tokenizer: Tokenizer
    step: int
    team: Team

    def like(self, **changes: object) -> Model:
        """A model with the same weights and other settings that change no shape."""
        made = build(self.model.settings.model_copy(update=changes))
        made.to(self.team.device).load_state_dict(self.model.state_dict())
        return made.eval()

    def validated(
        self, model: Model, settings: GaugeSettings, stop: StopToken
    ) -> Generator[Event, None, ValidationResult]:
        """The loss of a model and ROUGE of its summaries, always on the same documents."""
        train = self.plan.train.model_copy(
            update={
                "validate_rows": settings.documents,
                "rouge_rows": min(settings.summaries, settings.documents),
                "samples": 0,
            }
        )
        validator = Validator(self.rows, self.tokenizer, train, self.plan.decoding, self.team)
        return (yield from validator(model, self.step, stop))


def open_run(
    run: Path, settings: GaugeSettings, stop: StopToken
) -> Generator[Event, None, OpenedRun]:
    """Opens a run to be gauged.

    Args:
        run: Its folder.
        settings: Device and threads.
        stop: Read while the corpus is tokenised.

    Yields:
        How far tokenising is.

    Returns:
        The run.

    Raises:
        EpitomeError: If there is no run, no checkpoint, no corpus, or it is of another family.
    """
    origin = origin_of(run)
    plan = origin.plan
    if not get_family(plan.model).attention_names:
        able = " or ".join(each.name for each in REGISTRY.values() if each.attention_names)
        raise EpitomeError(
            f"The gauges are for language models of the family {able}; “{run.name}” is of the "
            f"family {plan.model.family}.",
            "Choose another run.",
        )
    device = open_device(StepSettings(device=settings.device, threads=settings.threads))
    model = build(plan.model)
    origin.read_weights(model)
    tokenizer, corpus = origin.open_tokenizer(), Path(plan.run.corpus)
    yield from tokenise(corpus, tokenizer, stop)
    split = "validation" if "validation" in open_corpus(corpus).splits else "train"
    rows = rows_of(open_examples(corpus, tokenizer, split), plan.model, plan.train,
                   tokenizer.special)  # fmt: skip
    team, step = Team(device), origin.checkpoint.step
    return OpenedRun(plan, model.to(device).eval(), rows, tokenizer, step, team)


def gauge_causality(opened: OpenedRun) -> Iterator[TailEffect]:
    """Changes the last fifth of a document, and compares what is said of the places before.

    Args:
        opened: The run.

    Yields:
        The effect with its layers as they are trained, then with every layer of each kind.
    """
    rows, settings = opened.rows, _fixed(opened.plan.train)
    longest = max(range(len(rows)), key=lambda row: int(rows.lengths[row].sum()))
    batch = rows.batch([longest], settings)
    assert isinstance(batch, Batch)  # the model is a language model
    tokens = batch.tokens[:, :_MOST_TOKENS]
    changed = max(1, tokens.shape[1] // _TAIL)
    models = [(AS_TRAINED, opened.model)]
    models += [
        (kind, opened.like(attention=(kind,)))
        for kind in get_family(opened.model.settings).attention_names
    ]
    for name, model in models:
        with autocast(opened.plan.train.precision, opened.team.device):
            yield gauge(model, tokens.to(opened.team.device), changed, name)


def gauge_twin(
    opened: OpenedRun, settings: GaugeSettings, stop: StopToken, *, is_full: bool
) -> Generator[Event, None, GaugedLoss]:
    """The loss of a run, or of the same weights with full attention in every layer.

    Args:
        opened: The run.
        settings: How many documents, and how many summaries.
        stop: Read after every batch.
        is_full: Whether hashing is off.

    Yields:
        How far it is.

    Returns:
        Loss, ROUGE, time and memory.
    """
    model = full_twin(opened.model) if is_full else opened.model
    began_s = time.perf_counter()
    with watched_peak() as peak:
        found = yield from opened.validated(model, settings, stop)
    return GaugedLoss(
        "full attention" if is_full else AS_TRAINED,
        found.loss,
        dict(found.rouge),
        time.perf_counter() - began_s,
        peak.peak_bytes,
    )


def gauge_rotations(
    opened: OpenedRun, settings: GaugeSettings, stop: StopToken
) -> Generator[Event, None, RotationsGauged]:
    """The loss of the same documents with other random rotations for hashing.

    Args:
        opened: The run.
        settings: How many documents, summaries and rotations.
        stop: Read after every batch.

    Yields:
        How far it is.

    Returns:
        The losses; the first is that of the model's own rotations.
    """
    seed, losses, rouge = opened.model.settings.seed, [], []
    for number in range(settings.rotations):
        model = opened.model if number == 0 else opened.like(seed=seed + number)
        found = yield from opened.validated(model, settings, stop)
        losses.append(found.loss)
        if found.rouge:
            rouge.append(found.rouge["1"])
    return RotationsGauged(tuple(losses), tuple(rouge))


def _fixed(train: TrainSettings) -> TrainSettings:
    """Settings under which nothing is padded at random."""
    return train.model_copy(update={"padding": "lengths"})
