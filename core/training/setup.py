"""From a plan to all parts of a run, new or resumed."""

import json
from collections.abc import Generator, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import torch

from core.data.corpus import open_corpus
from core.data.corpus_tokenizer import corpus_tokenizer, tokenizer_folder
from core.data.tokenizer import Tokenizer
from core.errors import EpitomeError
from core.events import Event, Finished, Message
from core.library.folders import Folders
from core.library.named_folders import named_folder
from core.models.families import get_family
from core.models.parts.products import products_in_use, use_products
from core.numbers import format_count, format_quantity
from core.runs.checkpoints import Checkpoint, Checkpoints
from core.runs.events import Resumed
from core.runs.events_file import read_events
from core.runs.folder import Heartbeat, RunFolder
from core.stop import StopToken
from core.training.assembly import assemble
from core.training.checkpoint import check_tokenizer, load_checkpoint
from core.training.device import check_precision, open_device
from core.training.environment import (
    changes_since,
    environment,
    products_before,
    write_environment,
)
from core.training.library_folder import with_prompt
from core.training.loop import Trained, Trainer
from core.training.meeting import Meeting
from core.training.origins import AnyOrigin, named_origin, named_run
from core.training.plan import RunPlan
from core.training.sharing import check_same_plan, share_beginning, shared_plan, shared_tokenizer
from core.training.team import Team


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
    meeting = Meeting()
    if meeting.remark:
        yield Message("warning", meeting.remark)
    team = _team(plan, meeting)
    use_products(None)
    _share_products(team)
    given = shared_plan(team, plan)
    with team.together():
        check_same_plan(team, given, plan)
        # Before the corpus is read, which takes long.
        check_precision(plan.train.precision, team.device)
        origin, tokenizer = None, None
        if team.leads:
            origin = named_origin(plan.run.start_from)
            plan, tokenizer = yield from _chosen(plan, origin, stop)
    tokenizer, model = shared_tokenizer(team, tokenizer), shared_plan(team, plan).model
    with team.together():
        plan = replace(_resolved(plan, team), model=model)
    trainer = yield from assemble(plan, folder, tokenizer, team, heartbeat, stop)
    with team.together():
        if origin:
            yield _taken_over(origin, trainer, plan.run.start_from)
    share_beginning(trainer, trainer.state)
    with team.together():
        if team.leads:  # last: a folder without a plan is not taken for a run
            tokenizer.save(folder.tokenizer)
            write_environment(folder, environment(team))
            plan.save(folder)
    return trainer


def _chosen(
    plan: RunPlan, origin: AnyOrigin | None, stop: StopToken
) -> Generator[Event, None, tuple[RunPlan, Tokenizer]]:
    """The tokenizer of a new run, and its plan with the model that it will have."""
    if origin is None and not plan.run.tokenizer:
        yield from _train_tokenizer(plan, stop)
    tokenizer = _tokenizer(plan, origin)
    model = origin.model(plan.model) if origin else plan.model
    if get_family(model).own_vocabulary:
        tokenizer = with_prompt(tokenizer, model)
        yield from (Message("info", remark) for remark in model.remarks())
    elif model.vocabulary_size != tokenizer.vocabulary_size:
        size = tokenizer.vocabulary_size
        yield Message(
            "note", f"The model uses the tokenizer's vocabulary: {format_count(size)} tokens."
        )
        model = model.model_copy(update={"vocabulary_size": size})
    return replace(plan, model=model), tokenizer


def _taken_over(origin: AnyOrigin, trainer: Trainer, run: str) -> Message:
    """Gives the model the weights of another run; says which."""
    which = origin.read_weights(trainer.model)
    return Message("info", f"Starting with the weights of {run}{which}.")


def resume(
    folder: RunFolder, heartbeat: Heartbeat | None, stop: StopToken
) -> Generator[Event, None, Trainer | Trained]:
    """Makes all parts of a run that was ended, as they were at its newest whole checkpoint.

    Args:
        folder: Where it lies.
        heartbeat: Its sign of life; None in a process that only helps.
        stop: Read while the corpus is tokenised.

    Yields:
        What a person should know: damaged checkpoints, and what is different from before.

    Returns:
        The run, where it stood; of a run that is finished, how it ended.

    Raises:
        EpitomeError: If something is missing, or is not what the run began with.
    """
    meeting = Meeting()
    if meeting.remark:
        yield Message("warning", meeting.remark)
    plan = RunPlan.of_json(meeting.told(lambda: RunPlan.load(folder).to_json()))
    team = _team(plan, meeting)
    use_products(products_before(folder) if team.leads else None)
    _share_products(team)
    found, tokenizer, trained = None, None, None
    with team.together():
        if team.leads:
            found, tokenizer, trained = yield from _found(plan, folder, team)
    if told := json.loads(team.told(json.dumps(asdict(trained) if trained else None))):
        return Trained(**told)
    with team.together():
        check_precision(plan.train.precision, team.device)
    tokenizer = shared_tokenizer(team, tokenizer)
    trainer = yield from assemble(plan, folder, tokenizer, team, heartbeat, stop)
    state = trainer.state
    with team.together():
        if found and found.checkpoint:
            state = load_checkpoint(found.checkpoint, trainer.model, trainer.step)
        elif team.leads and (origin := named_origin(plan.run.start_from)):
            yield _taken_over(origin, trainer, plan.run.start_from)
    state = share_beginning(trainer, state)
    with team.together():
        if state.data != trainer.state.data:
            raise EpitomeError(
                f"The corpus {plan.run.corpus} is not the one the run started with.",
                "Restore the corpus, or start a new run with --from.",
            )
    with team.together():  # nobody renames or writes before all have read
        if found:
            yield from _set_aside(found.damaged, trainer.checkpoints)
            write_environment(folder, found.environment)
            trainer.record.resume(Resumed(state.last_event, state.step))
    yield Message("info", f"Resuming after step {format_count(state.step)}.")
    return replace(trainer, state=state)


@dataclass(frozen=True)
class _Found:
    """What the first process finds in the folder of a run.

    Args:
        checkpoint: The newest whole one; None where there is none.
        damaged: Newer ones.
        environment: That of this start.
    """

    checkpoint: Checkpoint | None
    damaged: list[Path]
    environment: dict[str, Any]


def _found(
    plan: RunPlan, folder: RunFolder, team: Team
) -> Generator[Event, None, tuple[_Found, Tokenizer | None, Trained | None]]:
    """Where a run stood, and its tokenizer; of one that is finished, how it ended."""
    checkpoint, damaged = Checkpoints(folder.path).search()
    found = _Found(checkpoint, damaged, environment(team))
    _check_unchanged(plan, checkpoint, folder)
    if trained := _trained_before(checkpoint, folder):
        yield _nothing_left(trained, folder)
        return found, None, trained
    if changes := changes_since(folder, found.environment):
        told = "The run is resumed, but not bit-exactly: " + ", ".join(changes) + "."
        yield Message("warning", told)
    tokenizer = Tokenizer.load(folder.tokenizer)
    if checkpoint:
        check_tokenizer(checkpoint, tokenizer.fingerprint, folder.tokenizer)
    return found, tokenizer, None


def _trained_before(checkpoint: Checkpoint | None, folder: RunFolder) -> Trained | None:
    """How a run ended that is finished, and whose last checkpoint is still whole."""
    *_, last = [None, *read_events(folder.events_file)]
    if checkpoint is None or last is None or last.kind != Finished.__name__:
        return None
    with suppress(KeyError, TypeError):  # of another version
        trained = Trained(**last.values["result"])
        return trained if trained.step == checkpoint.step else None
    return None


def _nothing_left(trained: Trained, folder: RunFolder) -> Message:
    made = format_quantity(trained.step, "step")
    told = f"This run is finished ({made}). To train further, start a new run with --from"
    return Message("info", f"{told} {folder.path}.")


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
    """Sets damaged checkpoints aside; of several the newest is kept, which is the last."""
    aside = [checkpoints.set_aside(path, "damaged") for path in reversed(damaged)]
    for path, place in zip(damaged, reversed(aside), strict=True):
        kept = f" It is kept as {place.name}." if place and place.exists() else ""
        told = f"The checkpoint {path.name} is damaged and was skipped.{kept}"
        yield Message("warning", told)


def _resolved(plan: RunPlan, team: Team) -> RunPlan:
    """A plan in which nothing is left to where, and on what, it is read."""
    places = {"corpus": str(open_corpus(_corpus(plan)).folder)}
    if plan.run.start_from:
        places["start_from"] = str(named_run(plan.run.start_from).resolve())
    run = plan.run.model_copy(update=places)
    # Of several processes each takes a device of its own.
    device = str(team.device) if team.count == 1 else team.device.type
    used = {"device": device, "threads": torch.get_num_threads()}
    return replace(plan, run=run, train=plan.train.model_copy(update=used))


def _team(plan: RunPlan, meeting: Meeting) -> Team:
    team = Team(open_device(plan.train), meeting)
    if team.device.type == "cuda":
        torch.use_deterministic_algorithms(plan.train.deterministic)
    return team


def _share_products(team: Team) -> None:
    """Lets all processes use the first one's matrix products, where their machines have them."""
    use_products("onednn" if team.told(products_in_use()) == "onednn" else "blas")


def _train_tokenizer(plan: RunPlan, stop: StopToken) -> Generator[Event, None, None]:
    """Makes the tokenizer of the run's corpus where there is none yet."""
    corpus, size = open_corpus(_corpus(plan)), plan.model.vocabulary_size
    yield Message(
        "info",
        f"The run uses the tokenizer of the corpus {corpus.folder.name} with up to "
        f"{format_count(size)} tokens, because none was given.",
    )
    yield from corpus_tokenizer(corpus.folder, size, stop)


def _tokenizer(plan: RunPlan, origin: AnyOrigin | None) -> Tokenizer:
    given = plan.run.tokenizer
    chosen = (
        Tokenizer.load(named_folder(given, Folders.of_this_user().tokenizers)) if given else None
    )
    if origin is None:
        if chosen is None:
            corpus = open_corpus(_corpus(plan))
            return Tokenizer.load(tokenizer_folder(corpus, plan.model.vocabulary_size))
        return chosen
    theirs = origin.open_tokenizer()
    if chosen and chosen.fingerprint != theirs.fingerprint:
        raise EpitomeError(
            f"The tokenizer {given} is not the one that {plan.run.start_from} was trained with.",
            "Leave out --tokenizer.",
        )
    return theirs


def _corpus(plan: RunPlan) -> str:
    """The corpus that is named; raises `EpitomeError` where none is."""
    if not plan.run.corpus:
        raise EpitomeError(
            "A run needs a corpus.", "Prepare one with epitome corpus, and name it with --corpus."
        )
    return plan.run.corpus
