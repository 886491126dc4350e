"""`epitome profile`: what is typed, measured, printed, written and drawn."""

import csv
import json
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from core.cli.main import main
from core.cli.profile import TABLES
from core.models.reformer.settings import PRESETS
from core.runs.job_file import read_job
from tests.helpers.command import start
from tests.helpers.measurements import measuring_here
from tests.helpers.schemas import validate

Captured = pytest.CaptureFixture[str]
TINY = (
    "profile --length 64 --width 32 --depth 1 --heads 2 --vocabulary-size 64 --bucket-size 16 "
    "--buckets 4 --threads 1 --device cpu --steps 1 --warm-up 1"
).split()


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with measuring_here(monkeypatch):
        yield


def profiled(capsys: Captured, *words: str) -> dict[str, Any]:
    assert main([*TINY, *words, "--json"]) == 0
    value: dict[str, Any] = json.loads(capsys.readouterr().out)
    validate(value, "profile")
    return value


@pytest.mark.usefixtures("here")
def test_a_sweep_is_printed_written_and_drawn(tmp_path: Path, capsys: Captured) -> None:
    table, figure = tmp_path / "sweep.csv", tmp_path / "figures" / "sweep.png"
    words = ["--vary", "length=32,64", "--vary", "attention=lsh+local,full"]
    assert main([*TINY, *words, "--csv", str(table), "--png", str(figure)]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.split()[:4] == ["length", "attention", "step", "s"]
    assert [row.split()[:2] for row in rows] == [
        ["32", "lsh+local"], ["32", "full"], ["64", "lsh+local"], ["64", "full"],
    ]  # fmt: skip
    with table.open(newline="", encoding="utf-8") as file:
        written = list(csv.DictReader(file))
    assert [row["length"] for row in written] == ["32", "32", "64", "64"]
    assert all(float(row["step_s"]) > 0 and not row["failure"] for row in written)
    with Image.open(figure) as image:
        assert image.format == "PNG"


@pytest.mark.slow
def test_json_holds_what_failed_beside_what_did_not(capsys: Captured) -> None:
    value = profiled(capsys, "--vary", "length=64,262144", "--memory-limit", "150")
    first, last = value["result"]["points"]
    assert first["varied"] == {"length": 64} and first["measured"]["num_tokens"] == 64
    assert last["measured"] is None and "150 MiB" in last["failure"]
    assert value["settings"]["model"]["width"] == 32
    assert value["settings"]["profile"]["memory_limit"] == 150
    assert value["warnings"][0].startswith("The model's length is raised to 262\u202f144 tokens")


@pytest.mark.usefixtures("here")
def test_against_full_ends_with_losses_and_the_crossing(capsys: Captured) -> None:
    words = ["--vary", "length=32,64", "--against-full"]
    assert main([*TINY, *words]) == 0
    *_, first, second, crossing = capsys.readouterr().out.splitlines()
    assert first.startswith("Loss of the same weights at length 32: ")
    assert second.startswith("Loss of the same weights at length 64: ")
    assert crossing.startswith("Hashing ")
    value = profiled(capsys, "--vary", "length=32", "--against-full")
    assert [point["varied"]["attention"] for point in value["result"]["points"]] == [
        ["local", "lsh"], ["full"],
    ]  # fmt: skip
    assert value["result"]["losses"][0]["varied"] == {"length": 32}
    assert value["result"]["crossings"][0]["longest"] == 32


@pytest.mark.usefixtures("here")
def test_causality_is_a_line_for_each_kind(capsys: Captured) -> None:
    assert main([*TINY, "--causality"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [
        "lsh", "local", "full", "lsh-chunk", "local-chunk",
    ]  # fmt: skip
    value = profiled(capsys, "--causality")
    moved = {effect["kind"]: effect["moved"] for effect in value["result"]["causality"]}
    assert moved["lsh-chunk"] > 0 == moved["lsh"] == moved["full"]


@pytest.mark.usefixtures("here")
def test_a_step_that_cannot_be_measured_is_code_1_with_its_reason(capsys: Captured) -> None:
    assert main([*TINY, "--precision", "fp16"]) == 1
    out, err = capsys.readouterr()
    assert "The precision fp16 works on the device cuda only; the device was cpu." in out
    assert "Nothing could be measured. The precision fp16" in err
    assert err.endswith(" Choose --precision fp32.\n")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            "--vary dept=2",
            "“dept” cannot be varied; a field of the model or of the step can. Write",
        ),
        ("--vary depth", "“depth” does not say what is varied, and how."),
        ("--vary heads=3", "The heads must divide the width, but 3 do not divide 32."),
        ("--preset huge", "Argument --preset: invalid choice: 'huge'"),
        ("--causality --vary depth=1,2", "“causality” measures no step"),
        ("--causality --png x.png", "“png” shows steps, and “causality” measures none."),
        ("--png x.png", "A figure needs a varied setting, and none is varied."),
        ("--attention lhs", "“attention.0” was 'lhs'"),
        ("--device gpu", "“device” was 'gpu'"),
        ("x", "“x” is one name more than epitome profile takes."),
    ],
)
def test_wrong_usage_is_code_2_before_anything_is_measured(
    words: str, told: str, capsys: Captured
) -> None:
    assert main([*TINY, *words.split()]) == 2
    out, err = capsys.readouterr()
    assert told in err and not out


@pytest.mark.parametrize("words", ["--csv", "--vary depth=1,2 --png"])
def test_a_place_that_takes_no_file_is_named_before_anything_is_measured(
    words: str, capsys: Captured
) -> None:
    assert main([*TINY, *words.split(), "/dev/null/x.png"]) == 1
    out, err = capsys.readouterr()
    assert out == "" and "/dev/null/x.png cannot be written" in err


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_the_model_and_what_is_typed_wins(
    name: str, tmp_path: Path, capsys: Captured
) -> None:
    words = ["profile", "--preset", name, "--depth", "3", "--attention", "full"]
    assert main([*words, "--vary", "batch=1,2", "--print-config"]) == 0
    file = tmp_path / "job.toml"
    file.write_text(capsys.readouterr().out, "utf-8")
    tables = read_job(file, "profile", TABLES).tables
    wanted = PRESETS[name].model_copy(update={"depth": 3, "attention": ("full",)})  # type: ignore[index]
    assert type(wanted).checked(tables["model"]) == wanted
    assert tables["profile"]["vary"] == ["batch=1,2"]


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("family", ["reformer-encoder-decoder", "transformer"])
def test_an_encoder_decoder_is_measured(family: str, capsys: Captured) -> None:
    words = (
        f"profile --family {family} --source-length 64 --target-length 16 "
        "--width 32 --encoder-depth 1 --decoder-depth 1 --heads 2 --vocabulary-size 64 --threads 1 "
        "--device cpu --steps 1 --warm-up 1 --vary batch=2 --json"
    )
    assert main(words.split()) == 0
    told = json.loads(capsys.readouterr().out)
    (point,) = told["result"]["points"]
    assert point["length"] == 80 and point["measured"]["num_tokens"] == 160
    assert told["settings"]["model"]["family"] == family


@pytest.mark.usefixtures("here")
def test_a_job_file_is_done_as_it_was_printed(tmp_path: Path, capsys: Captured) -> None:
    assert main([*TINY, "--vary", "batch=2", "--print-config"]) == 0
    file = tmp_path / "job.toml"
    file.write_text(capsys.readouterr().out, "utf-8")
    assert main(["profile", "--config", str(file), "--json"]) == 0
    (point,) = json.loads(capsys.readouterr().out)["result"]["points"]
    assert point["varied"] == {"batch": 2} and point["measured"]["num_tokens"] == 128


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
def test_ctrl_c_keeps_the_points_that_are_done(tmp_path: Path) -> None:
    table = tmp_path / "sweep.csv"
    with start(*TINY, "--vary", "depth=1..99+1", "--csv", str(table)) as process:
        assert process.stdout and process.stderr
        process.stdout.readline()
        row = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.stdout.read()
        told = process.stderr.read().decode()
    assert process.returncode == 130
    assert row.split()[0] == b"1"
    assert "of 99 points measured." in told
    with table.open(newline="", encoding="utf-8") as file:
        assert [row["depth"] for row in csv.DictReader(file)][:1] == ["1"]
