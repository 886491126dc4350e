"""Whole jobs that score: written and ready summaries, stopped and gone on with, compared."""

import csv
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.evaluation.predictions import FILE_NAME
from core.evaluation.settings import EvaluateSettings, ScoreSettings
from core.evaluation.systems import System
from core.events import Event, Failed, Finished, Message, Progress, Stopped
from core.jobs.evaluation.score import DOCUMENTS_FILE, TABLE_FILE, ScoreJob, ScoringDone
from core.jobs.run import run_inline
from core.library.folders import Folders
from core.metrics import bleu
from core.runs.checkpoints import Checkpoints
from core.runs.comparisons import open_comparison
from core.runs.evaluations import KeptScore, read_evaluations
from core.runs.folder import RunFolder
from core.stop import StopToken
from tests.helpers.pair_files import ROWS, write_rows
from tests.helpers.runs import run_events, tiny_corpus, tiny_plan

SHARED = Path(__file__).parents[5] / "shared/data/pairs"
SETTINGS = EvaluateSettings.checked(
    {"metrics": ["rouge-1", "rouge-lsum", "novelty"], "intervals": True, "length": "2s"}
)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run of a tiny model."""
    folder = tmp_path_factory.mktemp("runs") / "tiny"
    corpus = tiny_corpus(tmp_path_factory.mktemp("corpora") / "tiny")
    assert isinstance(run_events(folder, tiny_plan(corpus, rouge_rows=0))[-1], Finished)
    return folder


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    return write_rows(tmp_path / "pairs.jsonl", ROWS)


def evaluated(job: ScoreJob) -> ScoringDone:
    *events, last = run_inline(job, StopToken())
    assert isinstance(last, Finished), last
    assert not any(isinstance(event, Message) for event in events)
    found = last.result
    assert isinstance(found, ScoringDone)
    return found


def test_a_model_is_written_scored_and_kept(tmp_path: Path, pairs: Path) -> None:
    out = tmp_path / "out"
    found = evaluated(ScoreJob((System("lead"),), pairs, SETTINGS, out))
    assert {path.name for path in out.iterdir()} >= {FILE_NAME, TABLE_FILE, DOCUMENTS_FILE}
    by_name = {score.measure.name: score for score in found.systems[0].scores}
    assert by_name["coverage"].value == 1 and by_name["novel 1-grams"].value == 0
    rouge = by_name["rouge-1 f1"]
    assert rouge.low is not None and rouge.high is not None
    assert 0 < rouge.low < rouge.value < rouge.high < 100
    assert set(found.recipes) == {"rouge", "novelty", "intervals"}
    assert found.warnings[0].startswith("Guessed from the names of the columns")
    rows = list(csv.DictReader((out / DOCUMENTS_FILE).read_text("utf-8").splitlines()))
    assert [row["document"] for row in rows] == ["cell", "pump", "both"]


def test_ready_predictions_score_as_the_model_that_wrote_them(tmp_path: Path, pairs: Path) -> None:
    wrote = evaluated(ScoreJob((System("random"),), pairs, SETTINGS, tmp_path / "out"))
    ready = System(str(tmp_path / "out" / FILE_NAME), is_file=True)
    again = evaluated(ScoreJob((ready,), pairs, SETTINGS))
    assert again.systems[0].scores == wrote.systems[0].scores
    assert again.systems[0].description == f"predictions in {FILE_NAME}"
    assert again.warnings[1] == f"Guessed: the predictions of “{FILE_NAME}” are in “prediction”."


@pytest.mark.parametrize(
    ("module", "settings"),
    [
        ("rouge_score.rouge_scorer", {"scorer": "rouge-score", "metrics": ["rouge-1"]}),
        ("sacrebleu.metrics.bleu", {"metrics": ["bleu"]}),
    ],
)
def test_a_missing_package_is_named_before_anything_is_written(
    module: str,
    settings: dict[str, Any],
    tmp_path: Path,
    pairs: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    bleu._bleu.cache_clear()
    job = ScoreJob((System("lead"),), pairs, EvaluateSettings.checked(settings), tmp_path / "out")
    *_, last = run_inline(job, StopToken())
    assert isinstance(last, Failed) and "not installed" in last.message
    assert not (tmp_path / "out").exists()


def test_stopped_and_called_again_it_scores_as_if_never_stopped(
    tmp_path: Path, pairs: Path
) -> None:
    whole = evaluated(ScoreJob((System("lead"),), pairs, SETTINGS))
    job, stop, events = ScoreJob((System("lead"),), pairs, SETTINGS, tmp_path), StopToken(), []
    for event in run_inline(job, stop):
        events.append(event)
        if isinstance(event, Progress) and event.done == 1:
            stop.request("stop")
    assert events[-1] == Stopped("stop")
    assert (tmp_path / FILE_NAME).read_bytes().count(b"\n") == 1
    assert evaluated(job).systems == whole.systems


def test_another_length_does_not_go_on_with_the_predictions(tmp_path: Path, pairs: Path) -> None:
    evaluated(ScoreJob((System("lead"),), pairs, SETTINGS, tmp_path))
    longer = SETTINGS.model_copy(update={"length": "3s"})
    *_, last = run_inline(
        ScoreJob((System("lead"),), pairs, longer, tmp_path, replace=True), StopToken()
    )
    assert isinstance(last, Failed)
    assert "written by “lead, 2s, Epitome" in last.message


def test_a_model_needs_documents(tmp_path: Path) -> None:
    alone = write_rows(tmp_path / "alone.jsonl", [{"summary": "Only this."}])
    *_, last = run_inline(ScoreJob((System("lead"),), alone, SETTINGS), StopToken())
    assert isinstance(last, Failed)
    assert "and “lead” cannot write without" in last.message
    assert last.remedy == "Name the column with --document-column."


def compared(job: ScoreJob) -> tuple[list[Event], ScoringDone]:
    *events, last = run_inline(job, StopToken())
    assert isinstance(last, Finished), last
    found = last.result
    assert isinstance(found, ScoringDone)
    return events, found


def test_systems_are_compared_with_the_first(tmp_path: Path, pairs: Path) -> None:
    perfect = write_rows(tmp_path / "copy.jsonl", [{"output": row["summary"]} for row in ROWS])
    systems = (System("lead"), System("built-in"), System(str(perfect), is_file=True))
    out = tmp_path / "out"
    events, found = compared(ScoreJob(systems, pairs, ScoreSettings(), out))
    assert {event.what for event in events if isinstance(event, Progress)} == {
        "Writing summaries", "Scoring lead", "Scoring built-in", f"Scoring {perfect.name}",
    }  # fmt: skip
    assert [system.name for system in found.systems] == ["lead", "built-in", str(perfect)]
    assert (out / "lead" / FILE_NAME).exists() and (out / "built-in" / FILE_NAME).exists()
    by_copy = {one.measure.name: one for one in found.systems[2].differences}
    assert found.systems[2].scores[0].value == pytest.approx(100)
    assert by_copy["rouge-1 f1"].difference.low > 0
    assert by_copy["rouge-1 f1"].difference.share_above == 1
    assert by_copy["rouge-1 f1"].most_won
    rows = list(csv.DictReader((out / DOCUMENTS_FILE).read_text("utf-8").splitlines()))
    assert len(rows) == 9
    again = compared(ScoreJob(systems, pairs, ScoreSettings(), out))[1]
    assert again.systems == found.systems


@pytest.mark.skipif(not SHARED.exists(), reason="the shared pairs are not here")
@pytest.mark.parametrize("name", ["patents", "openstax"])
def test_on_real_pairs_the_built_in_summariser_beats_random_sentences(name: str) -> None:
    pytest.importorskip("pyarrow")
    settings = ScoreSettings.checked({"metrics": ["rouge-1", "rouge-2"], "limit": 25})
    systems = (System("random"), System("built-in"))
    _, found = compared(ScoreJob(systems, SHARED / name / "test.parquet", settings))
    against = found.systems[1].differences
    rouge_1 = next(one for one in against if one.measure.name == "rouge-1 f1")
    assert rouge_1.difference.low > 0


def test_what_a_run_s_model_scores_is_kept_with_it(
    tmp_path: Path, pairs: Path, trained: Path
) -> None:
    system = System(str(trained))
    for limit in (2, 2, 1):
        found = evaluated(ScoreJob((system,), pairs, SETTINGS.model_copy(update={"limit": limit})))
        assert not [note for note in found.warnings if "not kept" in note]
    kept = read_evaluations(RunFolder(trained))
    assert [each.documents for each in kept] == [1, 2], "the same is kept once"
    assert (kept[0].pairs, kept[0].step, kept[0].length) == ("pairs.jsonl", 12, "2s")
    (scored,) = found.systems
    rouge = next(each for each in scored.scores if each.measure.name == "rouge-1 f1")
    assert kept[0].score("rouge-1 f1") == KeptScore(
        "rouge-1 f1", "%", rouge.value, rouge.low, rouge.high
    )
    assert kept[0].recipes == found.recipes
    grouped = SETTINGS.model_copy(update={"limit": 2, "by": ("kind", "length")})
    found = evaluated(ScoreJob((system,), pairs, grouped))
    newest = read_evaluations(RunFolder(trained))[0].groups
    assert [(each.by, each.name, each.documents) for each in newest] == [
        (each.by, each.group, each.documents) for each in found.groups
    ]
    assert sum(each.documents for each in newest) == 4  # each of two documents in two groupings


def test_scores_are_kept_with_the_step_that_wrote_though_training_found_a_better_one(
    tmp_path: Path, pairs: Path, trained: Path
) -> None:
    run = shutil.copytree(trained, tmp_path / "run")
    checkpoints = Checkpoints(run)
    checkpoints.name("best", 6)  # as it was when the evaluation began
    for event in run_inline(ScoreJob((System(str(run)),), pairs, SETTINGS), StopToken()):
        if isinstance(event, Progress) and event.what.startswith("Scoring"):
            checkpoints.name("best", 12)
    assert checkpoints.step_named("best") == 12
    newest = read_evaluations(RunFolder(run))[0]
    assert newest.step == 6


def test_scores_that_cannot_be_kept_are_told_all_the_same(
    tmp_path: Path, pairs: Path, trained: Path
) -> None:
    run = shutil.copytree(trained, tmp_path / "run")
    (run / "evaluations.json").write_text('{"version": 99}', "utf-8")  # of a newer program
    found = evaluated(ScoreJob((System(str(run)),), pairs, SETTINGS))
    assert found.warnings[-1].startswith("The scores are not kept with the model.")
    assert found.systems[0].scores


def test_a_comparison_is_kept_with_the_differences(
    pairs: Path, trained: Path, tmp_path: Path
) -> None:
    run = shutil.copytree(trained, tmp_path / "run")
    settings = SETTINGS.model_copy(update={"limit": 2})
    _, found = compared(ScoreJob((System("built-in"), System(str(run))), pairs, settings))
    (kept,) = [each for each in read_evaluations(RunFolder(run)) if each.against]
    difference = found.systems[1].differences[0].difference
    score = kept.score("rouge-1 f1")
    assert kept.against == "built-in" and score is not None and score.ahead is not None
    assert (score.ahead.value, score.ahead.low) == (difference.value, difference.low)
    (first,) = read_evaluations(RunFolder(Folders.of_this_user().built_in))
    assert (first.against, first.step, first.pairs) == ("", 0, "pairs.jsonl")
    assert first.scores[0].ahead is None


def test_another_split_of_a_corpus_is_scored_and_named(
    tmp_path: Path,
) -> None:
    corpus = tiny_corpus(tmp_path / "tiny")
    lead = System("built-in")
    *_, last = run_inline(ScoreJob((lead,), corpus, SETTINGS), StopToken())
    assert last == Failed(
        "The corpus tiny has no split “test”; it has train, validation.",
        "Name one of these with --split.",
    )
    for split, documents in (("validation", 8), ("train", 9)):
        settings = SETTINGS.model_copy(update={"split": split, "limit": 9})
        found = evaluated(ScoreJob((lead,), corpus, settings))
        assert found.num_documents == documents
        assert any("a training split" in note for note in found.warnings) == (split == "train")
    kept = read_evaluations(RunFolder(Folders.of_this_user().built_in))
    assert [each.split for each in kept] == ["train", "validation"]


def test_a_file_has_no_splits(pairs: Path) -> None:
    settings = SETTINGS.model_copy(update={"split": "validation"})
    *_, last = run_inline(ScoreJob((System("lead"),), pairs, settings), StopToken())
    assert last == Failed("“pairs.jsonl” is a file and has no splits.", "Leave out --split.")


@pytest.mark.parametrize("name", ["texts.jsonl", "documents.csv"])
def test_pairs_in_the_folder_of_results_are_not_replaced(tmp_path: Path, name: str) -> None:
    pairs = write_rows(tmp_path / name, ROWS)
    before = pairs.read_bytes()
    *_, last = run_inline(ScoreJob((System("lead"),), pairs, SETTINGS, tmp_path), StopToken())
    assert isinstance(last, Failed)
    assert pairs.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("out", [".", "scores/first"])
def test_results_do_not_go_among_the_documents(tmp_path: Path, out: str) -> None:
    (tmp_path / "documents.csv").write_text("text\nThe tower stood on the hill.\n", "utf-8")
    (tmp_path / "a.txt").write_text("The tower stood on the hill. It was old.", "utf-8")
    settings = ScoreSettings.checked({"references": False, "metrics": ["words"], "length": "1s"})
    job = ScoreJob((System("lead"),), tmp_path, settings, tmp_path / out)
    *_, last = run_inline(job, StopToken())
    assert isinstance(last, Failed) and "results are not put into it" in last.message
    assert (tmp_path / "documents.csv").read_text("utf-8").startswith("text")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.txt", "documents.csv"]
    evaluated(replace(job, out=tmp_path / ".hidden" / "scores"))  # where no documents are found


def test_files_of_one_name_in_several_folders_are_told_apart(tmp_path: Path) -> None:
    folder, out = tmp_path / "documents", tmp_path / "out"
    for name in ("one", "two"):
        (folder / name).mkdir(parents=True)
        (folder / name / "report.txt").write_text(
            f"The {name} stood on the hill. It was old.", "utf-8"
        )
    settings = ScoreSettings.checked({"references": False, "metrics": ["words"], "length": "1s"})
    evaluated(ScoreJob((System("lead"),), folder, settings, out))
    assert open_comparison(out).names.ids == ("one/report.txt", "two/report.txt")


def test_models_of_one_name_have_a_folder_each(tmp_path: Path, pairs: Path, trained: Path) -> None:
    out, model = tmp_path / "out", tmp_path / "runs" / "lead"
    shutil.copytree(trained, model)
    settings = ScoreSettings.checked({"metrics": ["rouge-1"], "length": "1s"})
    systems = (System("lead"), System(str(model)))
    evaluated(ScoreJob(systems, pairs, settings, out))
    assert (out / "lead" / FILE_NAME).is_file() and (out / "lead (2)" / FILE_NAME).is_file()
    evaluated(ScoreJob(systems, pairs, settings, out))  # goes on with what is there
