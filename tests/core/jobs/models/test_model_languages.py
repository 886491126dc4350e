"""A model that was trained here records the languages of its corpus."""

from pathlib import Path

from core.jobs.models.model_languages import RecordLanguagesJob
from core.runs.folder import RunFolder
from core.runs.model_card import ModelCard, read_model_card, write_model_card
from tests.helpers.models import a_model
from tests.helpers.prepared import pairs_corpus, result
from tests.helpers.runs import finished_run, tiny_corpus, tiny_plan


def languages(run: Path) -> tuple[str, ...]:
    return read_model_card(RunFolder(run)).languages


def test_a_run_records_them_as_it_begins(tmp_path: Path) -> None:
    plan = tiny_plan(tiny_corpus(tmp_path / "corpus"), steps=1)
    assert languages(finished_run(tmp_path / "run", plan)) == ("English",)


def test_those_of_an_older_run_are_found_with_those_it_began_with(
    tmp_path: Path, home: Path
) -> None:
    base = a_model(tmp_path, "base", corpus="gone")
    write_model_card(RunFolder(base), ModelCard("MIT", ("German",), "2026-01-02"))
    folder = pairs_corpus(home / "data" / "corpora" / "letters")
    tuned = a_model(tmp_path, "tuned", start_from=base, corpus="letters")
    job = RunFolder(tuned).job_file
    job.write_text(job.read_text("utf-8").replace("/corpora/letters", str(folder)), "utf-8")
    alone = a_model(tmp_path, "alone", corpus="gone")
    assert result(RecordLanguagesJob((base, tuned, alone))) == (tuned,)
    assert languages(tuned) == ("German", "English")
    assert languages(base) == ("German",) and languages(alone) == ()
    assert read_model_card(RunFolder(base)).licence == "MIT"
