"""Puts the parts of a run together: rows, model, training step, validation."""

import shutil
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path

import torch

from core.data.corpus import open_corpus
from core.data.examples import open_examples, tokenise
from core.data.sampler import EpochPlan
from core.data.tokenizer import Tokenizer
from core.errors import EpitomeError
from core.events import Event, Message
from core.models.builders import build
from core.models.protocol import Model
from core.numbers import format_count, format_share
from core.runs.checkpoints import Checkpoints
from core.runs.folder import Heartbeat, RunFolder
from core.stop import StopToken
from core.storage.files import folder_size
from core.system.machine import SLOW_BF16
from core.training.checkpoint_size import checkpoints_bytes
from core.training.device import is_slow
from core.training.loop import Trainer
from core.training.optimizers import optimizer_of
from core.training.plan import RunPlan
from core.training.record import Record
from core.training.rows import Rows, SequenceRows, check_some, rows_of
from core.training.settings import TrainSettings
from core.training.sharing import check_same_data
from core.training.state import RunState
from core.training.step import StepGradients, TrainingStep
from core.training.team import Team
from core.training.validation import Validator


def assemble(
    plan: RunPlan,
    folder: RunFolder,
    tokenizer: Tokenizer,
    team: Team,
    heartbeat: Heartbeat | None,
    stop: StopToken,
) -> Generator[Event, None, Trainer]:
    """Puts a run together, as it is before its first step.

    Args:
        plan: What it is made of.
        folder: Where it lies.
        tokenizer: The run's own.
        team: The processes that make it.
        heartbeat: Its sign of life; None in a process that only helps.
        stop: Read while the corpus is tokenised.

    Yields:
        How far tokenising is, and what a person should know of the rows.

    Returns:
        The run.

    Raises:
        EpitomeError: If something is missing, or does not go together.
    """
    with team.together():  # the others wait until the tokens are there
        if team.leads:
            yield from tokenise(Path(plan.run.corpus), tokenizer, stop)
    with team.together():  # each machine needs them; where the folder is the same, they are there
        if team.is_first_here and not team.leads:
            yield from tokenise(Path(plan.run.corpus), tokenizer, stop)
    with team.together():
        trainer = yield from _parts(plan, folder, tokenizer, team, heartbeat)
    check_same_data(team, trainer.state.data, Path(plan.run.corpus).name)
    return trainer


def _parts(
    plan: RunPlan,
    folder: RunFolder,
    tokenizer: Tokenizer,
    team: Team,
    heartbeat: Heartbeat | None,
) -> Generator[Event, None, Trainer]:
    settings, corpus = plan.train, Path(plan.run.corpus)
    splits = {}
    for split in ("train", "validation"):
        splits[split] = yield from _rows(plan, corpus, tokenizer, split)
    rows, held_out = splits["train"], splits["validation"]
    assert rows is not None
    check_some(rows, plan.model, settings)
    if isinstance(rows, SequenceRows) and rows.adaptive_steps:
        told = f"Steps 1 to {format_count(rows.adaptive_steps)} learn document and summary"
        yield Message("info", f"{told} (domain-adaptive), the rest the summary alone (end task).")
    model = build(plan.model)
    if model.starts_at_frequencies and isinstance(rows, SequenceRows) and not plan.run.start_from:
        counts = rows.label_counts(plan.model.vocabulary_size)
        model.init_unigram_bias(torch.from_numpy(counts).float())
    model = model.to(team.device)
    freeze(model, settings.freeze)
    yield from _lora(model)
    if is_slow(settings.precision, team.device):
        yield Message("warning", SLOW_BF16)
    step = TrainingStep(model, settings, team.device, optimizer_of(model.parameters(), settings))
    order = EpochPlan(rows.lengths, settings.batch, settings.seed, settings.padding == "lengths")
    if settings.padding == "lengths":
        yield Message(
            "info", f"{format_share(order.padding_share(), 1)} of the computed tokens are padding."
        )
    if team.leads:  # it alone writes
        yield from _forecast(model, folder, settings)
    validator = None
    if held_out:
        validator = Validator(held_out, tokenizer, settings, plan.decoding, team)
    return Trainer(
        model=model,
        step=step,
        gradients=StepGradients(model, step, rows, order, settings, team),
        validator=validator,
        plan=plan,
        state=RunState(data=rows.fitted.examples.fingerprint),
        checkpoints=Checkpoints(folder.path),
        record=Record(folder, heartbeat, tensorboard=settings.tensorboard),
        team=team,
        tokenizer=tokenizer.fingerprint,
    )


def _rows(
    plan: RunPlan, corpus: Path, tokenizer: Tokenizer, split: str
) -> Generator[Event, None, Rows | None]:
    if split not in open_corpus(corpus).splits and split != "train":
        told = f"The corpus has no split “{split}”, so the run is not validated."
        yield Message("warning", told)
        return None
    examples = open_examples(corpus, tokenizer, split)
    rows = rows_of(examples, plan.model, plan.train, tokenizer.special)
    yield Message("info", f"{split.capitalize()}: {rows.fitted.fate.told()}")
    return rows


def _lora(model: Model) -> Iterator[Message]:
    """Says how little of a model is trained, where that is so by LoRA."""
    settings = model.settings
    if settings.without_lora != settings:
        weights = list(model.parameters())
        trained = format_count(sum(each.numel() for each in weights if each.requires_grad))
        whole = format_count(sum(each.numel() for each in weights))
        yield Message("info", f"LoRA: {trained} of {whole} weights are trained.")


def freeze(model: Model, prefixes: Sequence[str]) -> None:
    """Lets some parameters be as they are.

    Args:
        model: Whose parameters.
        prefixes: What their names start with.

    Raises:
        EpitomeError: If no parameter has such a name, or none is left to be trained.
    """
    names = [name for name, _ in model.named_parameters()]
    for prefix in prefixes:
        if not any(name.startswith(prefix) for name in names):
            parts = sorted({".".join(name.split(".")[:2]) for name in names})
            raise EpitomeError(
                f"No parameter's name starts with “{prefix}”.", f"Choose among {', '.join(parts)}."
            )
    for name, weight in model.named_parameters():
        if name.startswith(tuple(prefixes)):
            weight.requires_grad_(False)
    if not any(weight.requires_grad for weight in model.parameters()):
        raise EpitomeError("All parameters are frozen, so nothing is trained.", "Freeze fewer.")


def _forecast(
    model: Model, folder: RunFolder, settings: TrainSettings
) -> Generator[Event, None, None]:
    """Says what the checkpoints will need, before anything is computed."""
    weights = list(model.parameters())
    trained = sum(weight.numel() for weight in weights if weight.requires_grad)
    most = checkpoints_bytes(settings, sum(weight.nbytes for weight in weights), trained)
    # A run that goes on has some of them on the disk, which the new ones will replace.
    there = sum(folder_size(path) for path in folder.checkpoints.glob("step-*"))
    needed_mib = max(0, most - there) / 2**20
    free_mib = shutil.disk_usage(folder.path).free / 2**20
    if needed_mib > free_mib:
        more = " more" if there else ""
        raise EpitomeError(
            f"The checkpoints of this run need {format_count(round(needed_mib))} MiB{more}, but "
            f"only {format_count(round(free_mib))} MiB are free.",
            "Free some space on the disk, keep fewer checkpoints, or choose another place.",
        )
    parameters = format_count(sum(weight.numel() for weight in weights))
    most_mib = format_count(round(most / 2**20))
    told = f"{parameters} weights; checkpoints will take up to {most_mib} MiB."
    yield Message("info", told)
