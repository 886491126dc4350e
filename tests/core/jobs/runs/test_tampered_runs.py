"""A run's folder that came from somebody else, or was changed by hand, does no harm unsaid."""

import json
import shutil
from pathlib import Path

import pytest

from core.data.tokenizer import Tokenizer
from core.events import Event, Failed, Finished, Message, Stopped
from core.jobs.run import run_inline
from core.jobs.sources.sources import SourceRef
from core.jobs.summaries.summarise import Summarised, SummariseJob, SummariseSettings
from core.runs.checkpoints import Checkpoints
from core.stop import StopToken
from tests.helpers.corpora import SUMMARIES, TEXTS
from tests.helpers.hostile_tokenizers import HOSTILE as HOSTILE_PARTS
from tests.helpers.hostile_tokenizers import hostile_tokenizer
from tests.helpers.runs import run_events, stopped_run, tiny_corpus, tiny_plan
from tests.helpers.systems import make_pipe


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of two checkpoints, of which the first is called the best."""
    folder = tmp_path_factory.mktemp("runs") / "tiny"
    corpus = tiny_corpus(tmp_path_factory.mktemp("corpora") / "tiny")
    plan = tiny_plan(corpus, steps=9, validate_every=3, checkpoint_every=3, rouge_rows=0, keep=3)
    assert isinstance(stopped_run(folder, plan, "stop", after=6)[-1], Stopped)
    Checkpoints(folder).name("best", 3)
    return folder


@pytest.fixture
def run(made: Path, tmp_path: Path) -> Path:
    return shutil.copytree(made, tmp_path / "tiny")


def last_of(run: Path) -> Event:
    settings = SummariseSettings(length="2s", model=str(run))
    *_, last = run_inline(SummariseJob(SourceRef(text=TEXTS[0]), settings), StopToken())
    return last


def notes(run: Path) -> str:
    last = last_of(run)
    assert isinstance(last, Finished), last
    result: Summarised = last.result
    return "\n".join(result.summary.notes)


def refusal(run: Path) -> str:
    last = last_of(run)
    assert isinstance(last, Failed), last
    assert not last.details
    return last.message


def change_state(run: Path, step: int, **changes: object) -> None:
    state = Checkpoints(run).at(step) / "state.json"
    state.write_text(json.dumps(json.loads(state.read_text("utf-8")) | changes), "utf-8")


def test_a_sound_run_brings_no_note_on_its_checkpoints(run: Path) -> None:
    assert "damaged" not in notes(run)


def test_a_damaged_best_checkpoint_is_told(run: Path) -> None:
    weights = Checkpoints(run).at(3) / "model.safetensors"
    data = bytearray(weights.read_bytes())
    data[-1] ^= 1
    weights.write_bytes(data)
    assert "The best checkpoint (step 3) is damaged or missing, so step 6 is used." in notes(run)


def test_a_run_that_begins_with_another_says_what_it_begins_with(run: Path, tmp_path: Path) -> None:
    (Checkpoints(run).at(3) / "model.safetensors").write_bytes(b"cut")
    plan = tiny_plan(tiny_corpus(tmp_path / "corpus"), steps=1)
    begun = plan.run.model_copy(update={"start_from": str(run), "tokenizer": ""})
    events = run_events(tmp_path / "next", type(plan)(begun, plan.model, plan.train, plan.decoding))
    told = [event.text for event in events if isinstance(event, Message)]
    assert any("the best checkpoint (step 3) is damaged" in text for text in told), events


def test_another_tokenizer_of_the_same_size_is_refused(run: Path) -> None:
    other = Tokenizer.train([text[::-1] for text in (*TEXTS, *SUMMARIES)], 400)
    assert other.vocabulary_size == Tokenizer.load(run / "tokenizer").vocabulary_size
    other.save(run / "tokenizer")
    assert "is not the one that this model was trained with" in refusal(run)
    (failed,) = [event for event in run_events(run) if isinstance(event, Failed)]
    assert "is not the one that this model was trained with" in failed.message


def test_an_older_run_that_does_not_name_its_tokenizer_still_writes(run: Path) -> None:
    state = json.loads((Checkpoints(run).at(3) / "state.json").read_text("utf-8"))["state"]
    del state["tokenizer"]
    change_state(run, 3, state=state)
    assert "damaged" not in notes(run)


@pytest.mark.parametrize("name", ["/dev/zero", "../../../model", "..", "pipe"])
def test_a_checkpoint_names_no_file_outside_of_it(run: Path, name: str) -> None:
    if name == "pipe":
        make_pipe(Checkpoints(run).at(3) / "pipe")
    stamp = {"bytes": 0, "blake2b": "cae66941d9efbd404e4d88758ea67670"}
    change_state(run, 3, files={"model.safetensors": stamp, name: stamp})
    assert "The best checkpoint (step 3) is damaged or missing" in notes(run)
    assert Checkpoints(run).named("best") is None


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("width = 1000000", "does not fit the model: it holds "),
        ("vocabulary_size = 4000000000", "does not fit the model: it holds "),
        ("depth = 9999", "does not fit the model: it holds "),
        ("depth = 1000000000", "less than or equal to 10000"),
        ("length = 1000000000000000", "does not fit the model"),
    ],
)
def test_sizes_far_beyond_the_weights_are_refused_before_any_memory_is_taken(
    run: Path, setting: str, told: str
) -> None:
    job = run / "job.toml"
    name = setting.partition(" ")[0]
    model, rest = job.read_text("utf-8").split("\n[train]\n")
    lines = [setting if line.startswith(f"{name} =") else line for line in model.split("\n")]
    job.write_text("\n".join(lines) + f"\n[train]\n{rest}", "utf-8")
    assert told in refusal(run)


def test_a_tokenizer_that_ends_the_process_is_told(run: Path) -> None:
    hostile_tokenizer(run / "tokenizer", HOSTILE_PARTS["ends the process"])
    assert "tokenizer.json cannot be used: " in refusal(run)
