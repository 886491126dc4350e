"""What is told of the models on this machine, without loading any of them."""

import json
import os
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from core.errors import EpitomeError
from core.events import Finished
from core.jobs.models.describe_models import DescribedModel, DescribeModelsJob, ModelsFound
from core.jobs.run import run_inline
from core.models import weights_header
from core.models.reformer.settings import ReformerSettings
from core.models.weights_header import count_parameters
from core.runs.about import RunAbout, write_about
from core.runs.folder import RunFolder, at_work
from core.runs.model_card import ModelCard, read_model_card, write_model_card
from core.stop import StopToken
from tests.helpers.models import STILL_S, WEIGHTS, a_model, write_weights

DESCRIBING = """
import sys
from pathlib import Path
from core.jobs.models.describe_models import DescribeModelsJob
from core.stop import StopToken
(done,) = DescribeModelsJob(Path(sys.argv[1])).run(StopToken())
engines = {"torch", "transformers", "datasets", "safetensors", "tokenizers"}
print(len(done.result.models), engines & set(sys.modules))
"""


def found(runs: Path) -> ModelsFound:
    (event,) = run_inline(DescribeModelsJob(runs), StopToken())
    assert isinstance(event, Finished), event
    result: ModelsFound = event.result
    return result


def the_one(runs: Path) -> DescribedModel:
    (model,) = found(runs).models
    return model


def test_a_model_is_described_by_what_lies_in_its_folder(tmp_path: Path) -> None:
    settings = ReformerSettings(length=1024)
    base = a_model(tmp_path, "base", parameters=500, when_s=STILL_S)
    a_model(
        tmp_path, "tuned", parameters=1234, step=40, start_from=base, corpus="speeches",
        model=settings, rouge={"1": 0.4, "2": 0.2, "L": 0.3}, loss=2.25, when_s=STILL_S + 9,
        objective="gsg", steps=80, validate_rows=50,
    )  # fmt: skip
    tuned, first = found(tmp_path).models
    assert first.name == "base"
    assert (tuned.title, tuned.parameters, tuned.step, tuned.steps) == ("tuned", 1234, 40, 80)
    assert (tuned.corpus, tuned.objective, tuned.start_from) == ("speeches", "gsg", str(base))
    assert (tuned.settings, tuned.checkpoints, tuned.fault) == (settings, 1, "")
    assert tuned.room == 1024 - 256 - 1  # half of it, or what is written at most, is kept free
    assert tuned.size_bytes > 4 * 1234
    assert tuned.validation is not None and tuned.validation.loss == 2.25
    assert (tuned.validation_rows, tuned.rouge_rows) == (50, 20)


def test_what_a_person_has_said_of_it_is_told(tmp_path: Path) -> None:
    run = RunFolder(a_model(tmp_path, "run"))
    assert the_one(tmp_path).card == ModelCard()
    write_about(run, RunAbout("My model", "Good on short ones."))
    card = ModelCard("CC BY 4.0", ("English", "German"), "2026-11-22", ("mother",))
    write_model_card(run, card)
    model = the_one(tmp_path)
    assert (model.name, model.title, model.notes) == ("run", "My model", "Good on short ones.")
    assert model.card == card


@pytest.mark.parametrize("text", ["", "[]", "{", '{"languages": 3}', "[" * 100_000])
def test_a_damaged_card_says_no_more_than_that(tmp_path: Path, text: str) -> None:
    run = RunFolder(a_model(tmp_path, "run"))
    run.card_file.write_text(text, "utf-8")
    assert read_model_card(run) == ModelCard(is_damaged=True)


def test_a_run_that_goes_on_is_a_model_too(tmp_path: Path) -> None:
    run = RunFolder(a_model(tmp_path, "run"))
    assert not the_one(tmp_path).is_training
    with at_work(run):
        assert the_one(tmp_path).is_training


def test_what_has_changed_is_told_anew(tmp_path: Path) -> None:
    folder = a_model(tmp_path, "run", step=10)
    assert the_one(tmp_path).step == 10
    (folder / "checkpoints" / "step-00000010").rename(folder / "checkpoints" / "step-00000020")
    os.utime(folder / "checkpoints" / "step-00000020" / "state.json")
    model = the_one(tmp_path)
    assert (model.step, model.validation) == (20, None)


@pytest.mark.parametrize(
    ("break_it", "fault"),
    [
        (
            lambda run: (run / "job.toml").write_text("[run\n", "utf-8"),
            "Its file job.toml cannot be read",
        ),
        (
            lambda run: (run / "job.toml").write_text("schema_version = 99\n", "utf-8"),
            "made by a newer Epitome",
        ),
        (lambda run: (run / "job.toml").write_text("schema_version = 2\n", "utf-8"), "job.toml"),
        (lambda run: _weights(run).write_bytes(b"cut"), "It has no checkpoint that is whole."),
        (lambda run: _weights(run).unlink(), "It has no checkpoint that is whole."),
        (lambda run: _fill(_weights(run), b"x"), "holds no tensors"),
        (lambda run: _fill(_weights(run), b"\xff"), "holds no tensors"),
        (
            lambda run: (run / "tokenizer" / "special_tokens.json").write_text("{}", "utf-8"),
            "special",
        ),
    ],
)
def test_a_damaged_model_is_listed_with_what_is_wrong(tmp_path, break_it, fault) -> None:  # type: ignore[no-untyped-def]
    break_it(a_model(tmp_path, "run"))
    assert fault in the_one(tmp_path).fault


def _weights(run: Path) -> Path:
    return run / "checkpoints" / "step-00000100" / WEIGHTS


def _fill(path: Path, byte: bytes) -> None:
    path.write_bytes(byte * path.stat().st_size)


def test_before_the_first_run_there_are_none(tmp_path: Path) -> None:
    assert found(tmp_path / "runs").models == ()
    assert found(tmp_path / "runs").built_in_bytes > 100_000


def test_describing_loads_no_engine(tmp_path: Path) -> None:
    a_model(tmp_path, "run")
    command = [sys.executable, "-c", DESCRIBING, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "1 set()"


def test_parameters_are_counted_in_a_real_file(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    from safetensors.torch import save_file

    save_file({"a": torch.zeros(3, 4), "b": torch.zeros(5, dtype=torch.bfloat16)}, tmp_path / "w")
    assert count_parameters(tmp_path / "w") == 17


def test_a_head_that_only_means_to_do_harm_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "w"

    def refusal(shape: list[int], more: bytes = b"") -> str:
        head = json.dumps({"w": {"dtype": "F32", "shape": shape, "data_offsets": [0, 0]}}).encode()
        file.write_bytes(struct.pack("<Q", len(head + more)) + head + more)
        with pytest.raises(EpitomeError) as error:
            count_parameters(file)
        return error.value.message

    for shape in ([2**62] * 100_000, [-1], [2**48], [1] * 17):
        assert "a tensor has an impossible shape" in refusal(shape)
    monkeypatch.setattr(weights_header, "_LONGEST_HEAD", 1_000)
    told = refusal([0], b" " * 1_000)
    assert "its head has 1" in told and "at most 1000 are read" in told


def test_tensors_that_do_not_fill_their_file_are_refused(tmp_path: Path) -> None:
    write_weights(tmp_path / "w", {"w": [10]})
    head = json.loads((tmp_path / "w").read_bytes()[8:].split(b"\0")[0])
    assert count_parameters(tmp_path / "w") == 10 and head["w"]["shape"] == [10]
    os.truncate(tmp_path / "w", (tmp_path / "w").stat().st_size + 1)
    with pytest.raises(EpitomeError, match="its tensors do not fill it"):
        count_parameters(tmp_path / "w")
