"""A home that the program has filled: of each kind of file it keeps, there is one."""

import os
from pathlib import Path
from unittest.mock import patch

from core.data.settings import CorpusSettings
from core.jobs.batches.job_file import save_job_file
from core.jobs.batches.rows import Made
from core.jobs.batches.store import BatchStore, FoundSource
from core.jobs.corpora.queued_corpus import specify_corpus
from core.jobs.profiling.queued_profile import Sweep, specify_sweeps
from core.jobs.queue.job_queue import JobQueue
from core.jobs.training.drafts import write_draft
from core.jobs.training.job_presets import save_preset
from core.jobs.training.queued_training import specify_training
from core.library.decisions import Decisions, DecisionsFile
from core.library.folders import HOME_VARIABLE, Folders
from core.library.history import History
from core.library.preferences import (
    Preferences,
    WindowState,
    save_preferences,
    save_window_state,
)
from core.library.recent import Recent, Recents
from core.library.session import Session
from core.library.session_state import SessionState
from core.profiling.kept_points import PointKept
from core.profiling.settings import ProfileSettings
from core.runs.about import RunAbout, write_about
from core.runs.evaluations import Evaluation, keep_evaluation
from core.runs.events_file import EventsFile
from core.runs.folder import RunFolder
from core.runs.judgements import begin_judging, new_session
from core.runs.model_card import ModelCard, write_model_card
from tests.helpers.comparisons import large_comparison
from tests.helpers.histories import an_entry
from tests.helpers.models import a_model
from tests.helpers.reading import make_document
from tests.helpers.runs import tiny_corpus, tiny_plan
from tests.helpers.windows import ARTICLE

RUN, CORPUS, BATCH = "modelled", "tiny", "reports"
_EVALUATION = Evaluation("pairs.jsonl", "a", 20, 100, "120w", "2026-11-22T12:00:00+00:00", ())


def full_home(home: Path) -> list[Path]:
    """Fills a home; gives its files, relative to it and in their order."""
    folders = Folders.under(home)
    for folder in (folders.data, folders.config, folders.log):
        folder.mkdir(parents=True)
    _small_files(folders)
    _history(folders)
    _batch(folders.batches / BATCH)
    tiny_corpus(folders.corpora / CORPUS)
    tokenizer = folders.corpora / CORPUS / "tokenizer"
    folders.tokenizers.mkdir()
    tokenizer.rename(folders.tokenizers / "tiny")
    run = RunFolder(a_model(folders.runs, RUN))
    write_about(run, RunAbout("A run", "Some notes"))
    write_model_card(run, ModelCard("MIT", ("German",), "2026-11-20", ("parent",)))
    for scored in (run, RunFolder(folders.built_in)):
        keep_evaluation(scored, _EVALUATION)
    _comparison(folders.comparisons / "harbours")
    _session(folders)
    _queue(folders)
    (folders.log / "engine.log").write_text("nothing\n", "utf-8")
    return sorted(path.relative_to(home) for path in home.rglob("*") if path.is_file())


def _small_files(folders: Folders) -> None:
    save_preferences(Preferences(theme="light", motion="off"), folders.settings_file)
    state = WindowState("AdnQ", "summarise", {"summarise": {"source_share": 515}})
    save_window_state(state, folders.window_file)
    Recents(folders.recents_file).add(Recent(str(ARTICLE), "The clock", 1753, 0))
    DecisionsFile(folders.decisions_file).keep(Decisions("ab" * 32, length="5s", pinned=(3,)))
    save_preset(folders.config / "presets", "Mine", tiny_plan(folders.corpora / CORPUS))
    point = PointKept({"model": {"family": "reformer"}}, "here", None, "It failed.", "", 1, 1.0)
    EventsFile(folders.measurements_file).append(point)
    write_draft(folders.data / "train-draft.json", {"name": "Mine", "corpus": CORPUS})
    (folders.data / "seal.key").write_bytes(bytes(range(32)))


def _history(folders: Folders) -> None:
    for number in range(3):
        History(folders.history_file).keep(an_entry(f"Entry {number}", path=f"/papers/{number}.md"))


def _batch(folder: Path) -> None:
    made = Made("Title", 3, 400, "en", 2, 0.5, "It begins.", "", "{}", "")
    with BatchStore(folder, make=True) as store:
        store.add([FoundSource(str(ARTICLE), "article.md")], [str(ARTICLE.parent)])
        store.finish(1, made)
        save_job_file(folder, store)


def _comparison(folder: Path) -> None:
    large_comparison(folder, 3)
    judged = new_session("me", ("first", "second"), ("Which is better?",), [(0, "d-0")], 1, 7)
    begin_judging(folder / "judgements" / "me.jsonl", judged)


def _session(folders: Folders) -> None:
    """What a window had open that crashed."""
    session = Session.begin(folders.sessions)
    session.keep_document(make_document(30))
    session.keep_state(SessionState(title="Mine"))
    session._lock.release()  # as the system does


def _queue(folders: Folders) -> None:
    """A job of each kind, all of them stopped, so that no window begins them, and one cancelled."""
    queue = JobQueue(folders.job_queue, folders.trash)
    plan = tiny_plan(folders.corpora / CORPUS)
    sources, out = (str(ARTICLE.parent),), folders.corpora / "queued"
    with patch.dict(os.environ, {HOME_VARIABLE: str(folders.data.parent)}):
        for order in (
            specify_training(plan, folders.runs / "queued"),
            specify_corpus(sources, CorpusSettings(), out),
            specify_sweeps((Sweep(plan.model, ProfileSettings()),)),
        ):
            queue.ask(queue.add(order).id, "stop")
        cancelled = queue.add(specify_training(plan, folders.runs / "cancelled"))
        queue.ask(cancelled.id, "cancel")
