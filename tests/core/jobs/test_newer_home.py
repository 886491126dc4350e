"""Two versions side by side: what a newer one wrote is left alone, and one sentence says so."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.data.corpus_facts import facts_of
from core.decoding.settings import DecodingSettings
from core.errors import EpitomeError, NewerFileError
from core.events import Finished, Message
from core.jobs.batches.rows import NO_RECORD
from core.jobs.batches.store import BatchStore, FoundSource
from core.jobs.models.describe_models import described
from core.jobs.models.inventory import ListJob
from core.jobs.queue.job_queue import JobQueue
from core.jobs.run import run_inline
from core.jobs.training.drafts import ReadDraftJob, write_draft
from core.jobs.training.job_presets import save_preset
from core.library.decisions import Decisions, DecisionsFile
from core.library.folders import Folders
from core.library.history import History
from core.library.preferences import (
    Preferences,
    WindowState,
    load_preferences,
    load_window_state,
    save_preferences,
    save_window_state,
)
from core.library.recent import Recent, Recents
from core.library.session import LeftBehind, Session, left_behind
from core.library.session_state import SessionState
from core.models.reformer.settings import ReformerSettings
from core.runs.about import RunAbout, write_about
from core.runs.comparisons import open_comparison
from core.runs.evaluations import Evaluation, keep_evaluation
from core.runs.folder import RunFolder
from core.runs.judgements import begin_judging, new_session, read_judgements
from core.runs.model_card import ModelCard, write_model_card
from core.stop import StopToken
from core.storage.schema import SCHEMA_VERSION
from core.training.plan import RunPlan
from core.training.settings import RunSettings, TrainSettings
from tests.helpers.comparisons import large_comparison
from tests.helpers.histories import an_entry
from tests.helpers.prepared import result
from tests.helpers.queued_jobs import specify_count
from tests.helpers.reading import make_document

SAID = "made by a newer Epitome"
NEWER = 9
PLAN = RunPlan(RunSettings(), ReformerSettings(), TrainSettings(), DecodingSettings())
EVALUATION = Evaluation("pairs.jsonl", "a", 20, 100, "120w", "2026-11-22T12:00:00+00:00", ())
CARD = 'schema_version = 1\n[made]\nmake = "gsg"\nmasking = "mask"\nfingerprint = "f"\n[rows]\n'


def fill(home: Path) -> Folders:
    """A home with every kind of file that this program writes."""
    folders = Folders.under(home)
    save_preferences(Preferences(theme="light"), folders.settings_file)
    save_window_state(WindowState("AdnQ", "summarise"), folders.window_file)
    Recents(folders.recents_file).add(Recent("/papers/clock.md", "The clock", 1753))
    DecisionsFile(folders.decisions_file).keep(Decisions("a" * 64, "5s"))
    History(folders.history_file).keep(an_entry())
    write_draft(folders.data / "train-draft.json", {"name": "Mine"})
    opened = Session.begin(folders.sessions)
    opened.keep_document(make_document(30))
    opened.keep_state(SessionState(title="Mine"))
    opened._lock.release()  # as the system does with what a crashed process held
    JobQueue(folders.job_queue, folders.trash).add(specify_count(folders.data / "job"))
    with BatchStore(folders.batches / "papers", make=True) as store:
        store.add([FoundSource("/papers/clock.md", "clock.md", NO_RECORD)])
    run = RunFolder(folders.runs / "mine")
    PLAN.save(run)
    write_about(run, RunAbout("Mine", "a note"))
    write_model_card(run, ModelCard("MIT"))
    keep_evaluation(run, EVALUATION)
    state = run.checkpoints / "step-00000001" / "state.json"
    state.parent.mkdir(parents=True)
    state.write_text("{}", "utf-8")
    save_preset(folders.config / "presets", "My own", PLAN)
    (folders.corpora / "letters").mkdir(parents=True)
    (folders.corpora / "letters" / "corpus.toml").write_text(CARD, "utf-8")
    large_comparison(folders.comparisons / "harbours", 3)
    session = new_session("me", ("first", "second"), ("Which is better?",), [(0, "d-0")], 1, 7)
    begin_judging(judged_in(folders), session)
    return folders


def judged_in(folders: Folders) -> Path:
    return folders.comparisons / "harbours" / "judgements" / "me.jsonl"


@dataclass(frozen=True)
class Kind:
    """A file of the home, and what the program does with it.

    Args:
        path: Where it lies.
        old: How it names its version; empty for a database.
        new: How a newer one does.
        uses: Each reads or writes it; what is said is given, or raised.
    """

    path: str
    old: str
    new: str
    uses: tuple[Callable[[Folders], object], ...]


def toml(path: str, *uses: Callable[[Folders], object], version: int = SCHEMA_VERSION) -> Kind:
    return Kind(path, f"schema_version = {version}", f"schema_version = {NEWER}", uses)


def values(path: str, *uses: Callable[[Folders], object], key: str = "schema_version") -> Kind:
    return Kind(path, f'"{key}": 1', f'"{key}": {NEWER}', uses)


def named(path: str, name: str, *uses: Callable[[Folders], object]) -> Kind:
    return Kind(path, f"{name}/1", f"{name}/{NEWER}", uses)


def recents_note(folders: Folders) -> str:
    recents = Recents(folders.recents_file)
    assert recents.read() == ()
    return recents.note


def decisions_note(folders: Folders) -> str:
    decisions = DecisionsFile(folders.decisions_file)
    assert decisions.find("a" * 64) is None
    return decisions.note


def run_of(folders: Folders) -> RunFolder:
    return RunFolder(folders.runs / "mine")


def draft_note(folders: Folders) -> str:
    told, last = run_inline(ReadDraftJob(folders.data / "train-draft.json"), StopToken())
    assert last == Finished({}) and isinstance(told, Message)
    return told.text


KINDS = {
    "settings": toml(
        "config/settings.toml",
        lambda f: load_preferences(f.settings_file)[1],
        lambda f: save_preferences(Preferences(), f.settings_file),
    ),
    "window": values(
        "data/window.json",
        lambda f: load_window_state(f.window_file)[1],
        lambda f: save_window_state(WindowState(), f.window_file),
    ),
    "recents": values(
        "data/recents.json",
        recents_note,
        lambda f: Recents(f.recents_file).add(Recent("/b", "b")),
        lambda f: Recents(f.recents_file).clear(),
    ),
    "decisions": values(
        "data/decisions.json",
        decisions_note,
        lambda f: DecisionsFile(f.decisions_file).keep(Decisions("b" * 64, "5s")),
    ),
    "draft": values(
        "data/train-draft.json",
        draft_note,
        lambda f: write_draft(f.data / "train-draft.json", {"name": "Another"}),
    ),
    "history": Kind(
        "data/history.sqlite",
        "",
        f"PRAGMA user_version = {NEWER}",
        (
            lambda f: History(f.history_file).search(),
            lambda f: History(f.history_file).keep(an_entry("Another")),
        ),
    ),
    "queue": values(
        "data/jobs/queue.json",
        lambda f: JobQueue(f.job_queue, f.trash).jobs(),
        lambda f: JobQueue(f.job_queue, f.trash).add(specify_count(f.data / "another")),
        key="version",
    ),
    "batch": Kind(
        "data/batches/papers/batch.sqlite",
        "",
        f"UPDATE facts SET value = '{NEWER}' WHERE name = 'schema'",
        (lambda f: BatchStore(f.batches / "papers"),),
    ),
    "run": toml(
        "data/runs/mine/job.toml",
        lambda f: RunPlan.load(run_of(f)),
        lambda f: described(f.runs / "mine").fault,  # type: ignore[union-attr]
        lambda f: result(ListJob("runs", f))[0].fault,
    ),
    "run's name": values(
        "data/runs/mine/about.json", lambda f: write_about(run_of(f), RunAbout("Other"))
    ),
    "model's card": values(
        "data/runs/mine/model.json", lambda f: write_model_card(run_of(f), ModelCard())
    ),
    "evaluations": values(
        "data/runs/mine/evaluations.json",
        lambda f: keep_evaluation(run_of(f), EVALUATION),
        key="version",
    ),
    "preset": toml(
        "config/presets/My-own.toml",
        lambda f: save_preset(f.config / "presets", "My own", PLAN),
    ),
    "corpus": toml(
        "data/corpora/letters/corpus.toml",
        lambda f: facts_of(f.corpora / "letters").fault,  # type: ignore[union-attr]
        version=1,
    ),
    "comparison": named(
        "data/comparisons/harbours/comparison.json",
        "epitome.comparison",
        lambda f: open_comparison(f.comparisons / "harbours"),
    ),
    "judgements": named(
        "data/comparisons/harbours/judgements/me.jsonl",
        "epitome.judgements",
        lambda f: read_judgements(judged_in(f)),
    ),
}


def raise_schema(file: Path, kind: Kind) -> None:
    """Makes a file one that a newer program wrote."""
    if not kind.old:
        with closing(sqlite3.connect(file, isolation_level=None)) as database:
            database.execute(kind.new)
        return
    text = file.read_text("utf-8")
    assert kind.old in text, text[:200]
    file.write_text(text.replace(kind.old, kind.new, 1), "utf-8")


@pytest.mark.parametrize("name", KINDS)
def test_a_file_of_a_newer_program_is_left_alone_and_said(home: Path, name: str) -> None:
    kind, folders = KINDS[name], fill(home)
    file = home / kind.path
    raise_schema(file, kind)
    before = file.read_bytes()
    for number, use in enumerate(kind.uses):
        assert SAID in said_by(use, folders), number
        assert file.read_bytes() == before, number
    assert not list(home.rglob("*.damaged*"))


def said_by(use: Callable[[Folders], object], folders: Folders) -> str:
    try:
        return str(use(folders))
    except NewerFileError as error:
        return error.message


@pytest.mark.parametrize("name", ["state.json", "document.bin"])
def test_a_session_of_a_newer_program_waits_for_it(home: Path, name: str) -> None:
    folders = fill(home)
    (file,) = folders.sessions.glob(f"*/{name}")
    data = file.read_bytes()
    newer = data.replace(b'"schema_version": 1', b'"schema_version": 9')
    newer = newer.replace(b"epitome-copy/1 ", b"epitome-copy/9 ")
    assert newer != data
    file.write_bytes(newer)
    (left,) = left_behind(folders.sessions)
    assert left == LeftBehind(file.parent, (), is_newer=True)
    assert not left.can_be_opened
    assert file.read_bytes() == newer


def test_a_file_that_became_newer_after_it_was_read_is_not_replaced(home: Path) -> None:
    folders = fill(home)
    assert load_window_state(folders.window_file)[1] == ""
    raise_schema(folders.window_file, KINDS["window"])
    with pytest.raises(EpitomeError, match=SAID):
        save_window_state(WindowState(), folders.window_file)


@pytest.mark.parametrize(
    ("text", "keeps"),
    [("", True), ("private = true\n", False), ("history = false\n", False), ("private =", False)],
)
def test_beside_newer_settings_no_more_is_kept_than_they_allow(
    home: Path, text: str, keeps: bool
) -> None:
    file = Folders.under(home).settings_file
    file.parent.mkdir(parents=True)
    file.write_text(f"schema_version = {NEWER}\nspeech = 3\n{text}", "utf-8")
    assert load_preferences(file)[0].keeps_history is keeps


def test_files_without_a_version_are_those_of_the_first_programs(home: Path) -> None:
    folders = fill(home)
    for name in ("window.json", "recents.json", "decisions.json"):
        file = folders.data / name
        file.write_text(file.read_text("utf-8").replace('"schema_version": 1,', "", 1), "utf-8")
    assert load_window_state(folders.window_file) == (WindowState("AdnQ", "summarise"), "")
    assert [each.title for each in Recents(folders.recents_file).read()] == ["The clock"]
    assert DecisionsFile(folders.decisions_file).find("a" * 64) is not None
