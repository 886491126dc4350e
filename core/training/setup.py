"""From a plan to all parts of a run, new or resumed."""

import shutil
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import torch

from core.data.corpus import named_folder, open_corpus
from core.data.examples import open_examples, tokenise
from core.data.sampler import EpochPlan
from core.data.tokenizer import Tokenizer
from core.errors import EpitomeError
from core.events import Event, Message
from core.library.folders import Folders
from core.models.builders import build
from core.models.hugging_face.settings import HuggingFaceSettings
from core.models.protocol import Model
from core.numbers import format_count, format_share
from core.runs.checkpoints import Checkpoint, Checkpoints
from core.runs.events import Resumed
from core.runs.folder import Heartbeat, RunFolder
from core.stop import StopToken
from core.training.checkpoint import load_checkpoint
from core.training.device import open_device
from core.training.environment import changes_since, environment, write_environment
from core.training.loop import Trainer
from core.training.optimizers import optimizer_of
from core.training.plan import RunPlan
from core.training.record import Record
from core.training.rows import Rows, rows_of
from core.training.state import RunState
from core.training.step import StepGradients, TrainingStep
from core.training.team import Team
from core.training.trained_model import HuggingFaceOrigin, Origin, named_origin, named_run
from core.training.validation import Validator

_FLOATS_A_WEIGHT = 3  # the weight and Adam's two means


def begin(
    plan: RunPlan, folder: RunFolder, heartbeat: Heartbeat | None, stop: StopToken
) -> Generator[Event, None, Trainer]:
    """Makes all parts of a new run.

    Args:
        plan: What it is made of.
        folder: Where it lies; no run is there yet.
        heartbeat: Its sign of life; None in a process that only helps.
        stop: Read while the corpus is tokenised.

    Yields:
        What a person should know of the run.

    Returns:
        The run, at its beginning.

    Raises:
        EpitomeError: If something is missing, or does not go together.
    """
    team = _team(plan)
    with team.together():
        origin = named_origin(plan.run.start_from)
        tokenizer = _tokenizer(plan, origin)
        model = origin.model(plan.model) if origin else plan.model
        own_vocabulary = isinstance(model, HuggingFaceSettings)
        if not own_vocabulary and model.vocabulary_size != tokenizer.vocabulary_size:
            size = tokenizer.vocabulary_size
            yield Message(
                "note", f"The model uses the tokenizer's vocabulary: {format_count(size)} tokens."
            )
            model = model.model_copy(update={"vocabulary_size": size})
        plan = replace(_resolved(plan, team), model=model)
    trainer = yield from _assembled(plan, folder, tokenizer, team, heartbeat, stop)
    with team.together():
        if origin:
            yield _taken_over(origin, trainer, plan.run.start_from)
        if team.leads:  # last: a folder without a plan is not taken for a run
            tokenizer.save(folder.tokenizer)
            write_environment(folder, environment(team))
            plan.save(folder)
    return trainer


def _taken_over(origin: Origin | HuggingFaceOrigin, trainer: Trainer, run: str) -> Message:
    """Gives the model the weights of another run; says which."""
    which = origin.read_weights(trainer.model)
    return Message("info", f"Starting with the weights of {run}{which}.")


def resume(
    folder: RunFolder, heartbeat: Heartbeat | None, stop: StopToken
) -> Generator[Event, None, Trainer]:
    """Makes all parts of a run that was ended, as they were at its newest whole checkpoint.

    Args:
        folder: Where it lies.
        heartbeat: Its sign of life; None in a process that only helps.
        stop: Read while the corpus is tokenised.

    Yields:
        What a person should know: damaged checkpoints, and what is different from before.

    Returns:
        The run, where it stood.

    Raises:
        EpitomeError: If something is missing, or is not what the run began with.
    """
    plan = RunPlan.load(folder)
    team = _team(plan)
    with team.together():
        checkpoint, damaged = Checkpoints(folder.path).search()
        _check_unchanged(plan, checkpoint, folder)
        now = environment(team)
        if changes := changes_since(folder, now):
            told = "The run is resumed, but not bit-exactly: " + ", ".join(changes) + "."
            yield Message("warning", told)
        tokenizer = Tokenizer.load(folder.tokenizer)
    trainer = yield from _assembled(plan, folder, tokenizer, team, heartbeat, stop)
    with team.together():
        state = trainer.state
        if checkpoint:
            state = load_checkpoint(checkpoint, trainer.model, trainer.step)
        elif origin := named_origin(plan.run.start_from):
            yield _taken_over(origin, trainer, plan.run.start_from)
        if state.data != trainer.state.data:
            raise EpitomeError(
                f"The corpus {plan.run.corpus} is not the one the run started with.",
                "Restore the corpus, or start a new run with --from.",
            )
    with team.together():  # nobody renames or writes before all have read
        if team.leads:
            yield from _set_aside(damaged, trainer.checkpoints)
            write_environment(folder, now)
            trainer.record.resume(Resumed(state.last_event, state.step))
    yield Message("info", f"Resuming after step {format_count(state.step)}.")
    return replace(trainer, state=state)


def _check_unchanged(plan: RunPlan, checkpoint: Checkpoint | None, folder: RunFolder) -> None:
    """Refuses a run whose file was edited after its checkpoint was made."""
    if checkpoint is None or "plan" not in checkpoint.state:  # an older program kept no plan
        return
    if changes := plan.changes_since(RunPlan.of(checkpoint.state["plan"])):
        raise EpitomeError(
            f"{folder.job_file} was changed after the run started: {', '.join(changes)}.",
            "Undo the change, or start a new run with the changed file: epitome train --config "
            f"{folder.job_file} --from {folder.path} --out NEW.",
        )


def _set_aside(damaged: list[Path], checkpoints: Checkpoints) -> Iterator[Event]:
    for path in damaged:
        aside = checkpoints.set_aside(path, "damaged")
        kept = f" It is kept as {aside.name}." if aside else ""
        told = f"The checkpoint {path.name} is damaged and was skipped.{kept}"
        yield Message("warning", told)


def _resolved(plan: RunPlan, team: Team) -> RunPlan:
    """A plan in which nothing is left to where, and on what, it is read."""
    if not plan.run.corpus:
        raise EpitomeError(
            "A run needs a corpus.", "Prepare one with epitome corpus, and name it with --corpus."
        )
    places = {"corpus": str(open_corpus(plan.run.corpus).folder)}
    if plan.run.start_from:
        places["start_from"] = str(named_run(plan.run.start_from).resolve())
    run = plan.run.model_copy(update=places)
    # Of several processes each takes a device of its own.
    device = str(team.device) if team.count == 1 else team.device.type
    used = {"device": device, "threads": torch.get_num_threads()}
    return replace(plan, run=run, train=plan.train.model_copy(update=used))


def _team(plan: RunPlan) -> Team:
    team = Team(open_device(plan.train))
    if team.device.type == "cuda":
        torch.use_deterministic_algorithms(plan.train.deterministic)
    return team


def _tokenizer(plan: RunPlan, origin: Origin | HuggingFaceOrigin | None) -> Tokenizer:
    given = plan.run.tokenizer
    chosen = (
        Tokenizer.load(named_folder(given, Folders.of_this_user().tokenizers)) if given else None
    )
    if origin is None:
        if chosen is None:
            raise EpitomeError(
                "A new run needs a tokenizer.",
                "Train one with epitome tokenizer, and name it with --tokenizer.",
            )
        return chosen
    theirs = Tokenizer.load(origin.tokenizer)
    if chosen and chosen.fingerprint != theirs.fingerprint:
        raise EpitomeError(
            f"The tokenizer {given} is not the one that {plan.run.start_from} was trained with.",
            "Leave out --tokenizer.",
        )
    return theirs


def _assembled(
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
    with team.together():
        return (yield from _parts(plan, folder, tokenizer, team, heartbeat))


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
    model = build(plan.model).to(team.device)
    freeze(model, settings.freeze)
    step = TrainingStep(model, settings, team.device, optimizer_of(model.parameters(), settings))
    order = EpochPlan(rows.lengths, settings.batch, settings.seed, settings.padding == "lengths")
    if settings.padding == "lengths":
        yield Message(
            "info", f"{format_share(order.padding_share(), 1)} of the computed tokens are padding."
        )
    yield from _forecast(model, folder, settings.keep)
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


def _forecast(model: Model, folder: RunFolder, keep: int) -> Generator[Event, None, None]:
    """Says what the checkpoints will need, before anything is computed."""
    weights = sum(weight.nbytes for weight in model.parameters())
    one_mib = _FLOATS_A_WEIGHT * weights / 2**20
    # Those that are kept, the best, and the one being written.
    needed_mib, free_mib = (keep + 2) * one_mib, shutil.disk_usage(folder.path).free / 2**20
    if needed_mib > free_mib:
        raise EpitomeError(
            f"The checkpoints of this run need {format_count(round(needed_mib))} MiB, but only "
            f"{format_count(round(free_mib))} MiB are free.",
            "Free some space on the disk, keep fewer checkpoints, or choose another place.",
        )
    parameters = format_count(sum(weight.numel() for weight in model.parameters()))
    told = (
        f"{parameters} weights; checkpoints will take up to {format_count(round(needed_mib))} MiB."
    )
    yield Message("info", told)
