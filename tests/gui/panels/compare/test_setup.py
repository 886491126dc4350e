"""A comparison is set up, without Qt: what is missing is said, and the command is the same."""

from pathlib import Path

from core.data.corpus_facts import CorpusFacts
from core.evaluation.settings import ScoreSettings
from core.evaluation.systems import System
from gui.panels.compare.setup import Setup, example_job, usual_settings

ROWS_OF = {"train": 80, "validation": 10}
CORPORA = (
    CorpusFacts(Path("/corpora/notes"), "notes", "text", ROWS_OF),
    CorpusFacts(Path("/corpora/letters"), "letters", "pairs", ROWS_OF),
    CorpusFacts(Path("/corpora/torn"), "torn", "pairs", ROWS_OF, fault="It is damaged."),
)


def prepared() -> Setup:
    setup = Setup(settings=ScoreSettings(split="validation"))
    setup.take_corpora(CORPORA)
    return setup


def test_the_first_corpus_of_pairs_is_chosen() -> None:
    setup = prepared()
    assert [each.name for each in setup.corpora] == ["notes", "letters"]
    assert setup.pairs == Path("/corpora/letters")
    assert setup.usual_split == "validation" and not setup.problem


def test_what_is_missing_is_said() -> None:
    setup = prepared()
    setup.settings = ScoreSettings()
    assert setup.problem == "“letters” has no test split; choose train or validation."
    setup.settings = None
    assert setup.problem == "Correct the marked settings first."
    setup.models = []
    assert setup.problem == "Choose at least one model, or add a file of summaries."
    setup.pairs = None
    assert setup.problem == "Choose a corpus, a table of pairs, or documents."


def test_the_command_does_what_the_job_does() -> None:
    setup = prepared()
    setup.turn_model("lead", False)
    setup.turn_model("/runs/mine", True)
    setup.add_files([Path("/their/out.txt"), Path("/their/out.txt")])
    job = setup.job(Path("/kept"))
    assert job.systems == (
        System("built-in"), System("/runs/mine"), System("/their/out.txt", is_file=True)
    )  # fmt: skip
    assert job.pairs == Path("/corpora/letters") and job.out == Path("/kept") / setup.name
    assert setup.command(Path("/kept")) == (
        "epitome compare --model built-in --model mine --predictions /their/out.txt "
        f"--corpus letters --split validation --out /kept/{setup.name}"
    )
    setup.models, setup.files = ["built-in"], []
    assert setup.command(Path("/kept")).startswith("epitome evaluate --model built-in --corpus")


def test_a_model_that_is_chosen_again_keeps_its_place() -> None:
    setup = prepared()
    setup.turn_model("built-in", True)
    assert setup.models == ["built-in", "lead"]
    setup.turn_model("random", False)
    setup.turn_model("built-in", False)
    assert setup.models == ["lead"]


def test_without_references_only_the_length_of_summaries_makes_groups() -> None:
    setup = prepared()
    groups = ("kind", "novelty", "length")
    setup.settings = ScoreSettings(split="validation", references=False, by=groups)
    assert setup.job(Path("/kept")).settings.by == ("length",)
    assert "--by kind" not in setup.command(Path("/kept"))
    setup.settings = ScoreSettings(split="validation", by=groups)
    assert setup.job(Path("/kept")).settings.by == groups


def test_the_same_choices_have_the_same_name() -> None:
    first, again, other = prepared(), prepared(), prepared()
    other.turn_model("random", True)
    assert first.name == again.name != other.name
    assert first.name.startswith("letters-")


def test_the_example_needs_nothing() -> None:
    job = example_job(Path("/kept"))
    assert not job.settings.references and job.out == Path("/kept/example")
    assert [system.name for system in job.systems] == ["built-in", "gap-sentences", "lead"]
    assert {"novelty", "support", "words"} <= set(usual_settings().metrics)
