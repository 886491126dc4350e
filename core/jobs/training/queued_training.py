"""Training runs in the queue."""

from dataclasses import replace
from pathlib import Path

from core.jobs.queue.queued import JobSpec
from core.jobs.training.train import TrainJob
from core.library.folders import Folders
from core.library.named_folders import named_folder
from core.runs.folder import RunFolder
from core.system.machine import lane_of
from core.training.plan import QUEUED_FILE, RunPlan


def specify_training(plan: RunPlan, folder: Path, title: str = "") -> JobSpec:
    """A training run that is to be queued.

    Args:
        plan: What the run is made of.
        folder: Its folder; no run is there yet.
        title: What a person reads; the folder's name where nothing is said.

    Returns:
        The job. What it names is looked up now, so that it means the same wherever it runs.
    """
    plan = _looked_up(plan)
    title, lane = title or folder.name, lane_of(plan.train.device)
    return JobSpec("train", title, lane, folder, {QUEUED_FILE: plan.to_toml()}, makes_run=True)


def specify_resumed(folder: Path, title: str = "") -> JobSpec:
    """A run on the disk that is to go on by the queue, wherever it was started.

    Args:
        folder: The run's.
        title: What a person reads; the folder's name where nothing is said.

    Returns:
        The job; its settings are saved already.

    Raises:
        EpitomeError: If there is no run, or its plan cannot be read.
    """
    plan = RunPlan.load(RunFolder(folder))
    lane = lane_of(plan.train.device)
    return JobSpec("train", title or folder.name, lane, folder)


def load_training_job(folder: Path) -> TrainJob:
    """The job of a queued run: a new one, or one that goes on where it was begun.

    Args:
        folder: The run's.

    Returns:
        The job.

    Raises:
        EpitomeError: If its plan cannot be read.
    """
    is_begun = RunFolder(folder).exists
    plan = None if is_begun else RunPlan.read(folder / QUEUED_FILE)
    return TrainJob(folder, plan, stay_awake=True)


def _looked_up(plan: RunPlan) -> RunPlan:
    """A plan whose names are paths: the process that follows it may work elsewhere."""
    folders = Folders.of_this_user()
    places = {
        "corpus": folders.corpora,
        "tokenizer": folders.tokenizers,
        "start_from": folders.runs,
    }
    named = {field: getattr(plan.run, field) for field in places}
    paths = {field: str(named_folder(name, places[field])) for field, name in named.items() if name}
    return replace(plan, run=plan.run.model_copy(update=paths))
