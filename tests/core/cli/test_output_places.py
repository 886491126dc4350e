"""No command loses what is in the place of its output: files, links, folders, pipes."""

import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.cli.main import build_parser, main
from tests.core.cli.conftest import SENTENCES
from tests.helpers.measurements import measuring_here
from tests.helpers.systems import make_pipe

Captured = pytest.CaptureFixture[str]
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")

PROFILE = (
    "profile --length 32 --width 32 --depth 1 --heads 2 --vocabulary-size 64 --bucket-size 16 "
    "--buckets 2 --threads 1 --device cpu --steps 1 --warm-up 1"
)
PAIRS = "--model lead --pairs in/pairs.jsonl"
TWO = f"--model random {PAIRS}"
SCORES = ("table.csv", "documents.csv", "comparison.json", "texts.jsonl", "predictions.jsonl")

FILES = {
    "out.md": "summarise in/report.md --out out.md",
    "out.docx": "summarise in/report.md --out out.docx",
    "both.html": "summarise in/report.md in/other.md --together --out both.html",
    "steps.csv": f"{PROFILE} --csv steps.csv",
    "steps.png": f"{PROFILE} --vary length=32,64 --png steps.png",
    "run.zip": "bundle in/run --out run.zip",
    "report.html": f"evaluate {PAIRS} --out scores --report report.html",
    "compared.html": f"compare {TWO} --out scores --report compared.html",
    **{f"scores/{name}": f"evaluate {PAIRS} --out scores" for name in SCORES},
    "compared/texts.jsonl": f"compare {TWO} --out compared",
    "compared/lead/predictions.jsonl": f"compare {TWO} --out compared",
}
"""By the place of an output that is a file, the command that writes it."""

FOLDERS = {
    "corpus": "corpus in/report.md --out ./corpus",
    "corpus.preparing": "corpus in/report.md --out ./corpus",
    "vocabulary": "tokenizer in/corpus --out ./vocabulary",
    "run": "train --corpus in/corpus --tokenizer in/vocabulary --out ./run",
    "imported": "models import in/run --out ./imported",
    "converted": "models convert in/run --out ./converted",
}
"""The same of outputs that are folders, which are never replaced."""


def put_file(place: Path) -> None:
    place.write_text("precious, and without a line end", "utf-8")


def put_closed(place: Path) -> None:
    put_file(place)
    place.chmod(0o444)


def put_link(place: Path) -> None:
    victim = place.with_name("victim.txt")
    put_file(victim)
    place.symlink_to(victim)


def put_dangling_link(place: Path) -> None:
    place.symlink_to(place.with_name("to-be.txt"))


def put_folder(place: Path) -> None:
    place.mkdir()
    put_file(place / "inside.txt")


OBSTACLES: dict[str, Callable[[Path], None]] = {
    "file": put_file,
    "read-only file": put_closed,
    "link": put_link,
    "dangling link": put_dangling_link,
    "folder": put_folder,
    "pipe": make_pipe,
}


def snapshot(folder: Path) -> dict[str, object]:
    """All that was planted in a folder: what it is, and what is in it."""
    found: dict[str, object] = {}
    for path in sorted(folder.rglob("*")):
        about = path.lstat()
        inside: object = str(path.readlink()) if stat.S_ISLNK(about.st_mode) else None
        if stat.S_ISREG(about.st_mode):
            inside = path.read_bytes()
        found[str(path.relative_to(folder))] = (about.st_ino, about.st_mode, inside)
    return found


@pytest.fixture
def here(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with all that commands read."""
    read = tmp_path / "here" / "in"
    read.mkdir(parents=True)
    text = " ".join(SENTENCES)
    (read / "report.md").write_text(f"# A cell\n\n{text}\n", "utf-8")
    (read / "other.md").write_text(f"# Another\n\n{text}\n", "utf-8")
    row = '{"document": "A long text. It is here.", "summary": "A text."}\n'
    (read / "pairs.jsonl").write_text(row * 2, "utf-8")
    for name in ("run", "corpus", "vocabulary"):
        (read / name).mkdir()
    (read / "run" / "job.toml").write_text('schema_version = 1\ncommand = "train"\n', "utf-8")
    monkeypatch.chdir(read.parent)
    with measuring_here(monkeypatch):
        yield read.parent


def test_every_option_of_an_output_is_tried() -> None:
    commands = build_parser()._subparsers._group_actions[0].choices  # type: ignore[union-attr]
    outputs = {
        (name, option)
        for name, parser in commands.items()  # type: ignore[union-attr]
        for option in ("--out", "--csv", "--png", "--report")
        if option in parser._option_string_actions
    }
    tried = {
        (words[0], option)
        for words in map(str.split, (*FILES.values(), *FOLDERS.values()))
        for option in words
        if option.startswith("--")
    }
    assert outputs <= tried
    assert {name for name, _ in outputs} - {"corpus", "tokenizer", "train", "models"} == {
        name for name, parser in commands.items()  # type: ignore[union-attr]
        if "--force" in parser._option_string_actions
    }  # fmt: skip


@pytest.mark.parametrize("obstacle", OBSTACLES)
@pytest.mark.parametrize("place", [*FILES, *FOLDERS])
def test_nothing_is_lost_where_an_output_goes(
    here: Path, place: str, obstacle: str, capsys: Captured
) -> None:
    (here / place).parent.mkdir(parents=True, exist_ok=True)
    OBSTACLES[obstacle](here / place)
    before = snapshot(here)
    command = (FILES | FOLDERS)[place]
    code, told = main(command.split()), capsys.readouterr().err
    if place.startswith("out.") and obstacle == "folder":
        assert code == 0 and f"written to {Path(place) / 'report'}" in told
    else:
        assert code in (1, 2)
    assert Path(place).name.removesuffix(".preparing") in told and "went wrong" not in told
    after = snapshot(here)
    assert before.items() <= after.items()
    assert not any(name.endswith(".tmp") for name in after)


@pytest.mark.parametrize("obstacle", sorted(OBSTACLES.keys() - {"file", "folder"}))
@pytest.mark.parametrize("place", FILES)
def test_a_file_only_is_replaced_by_force(here: Path, place: str, obstacle: str) -> None:
    (here / place).parent.mkdir(parents=True, exist_ok=True)
    OBSTACLES[obstacle](here / place)
    before = snapshot(here)
    assert main([*FILES[place].split(), "--force"]) == 1
    assert before.items() <= snapshot(here).items()


@pytest.mark.parametrize(
    "place", [place for place in FILES if "zip" not in place and "predictions" not in place]
)
def test_a_file_is_replaced_by_force(here: Path, place: str) -> None:
    (here / place).parent.mkdir(parents=True, exist_ok=True)
    put_file(here / place)
    assert main([*FILES[place].split(), "--force"]) == 0
    assert b"precious" not in (here / place).read_bytes()
    assert not any(name.endswith(".tmp") for name in snapshot(here))


@pytest.mark.parametrize("obstacle", OBSTACLES)
def test_a_batch_takes_a_free_name_and_says_so(here: Path, obstacle: str, capsys: Captured) -> None:
    out = here / "out"
    out.mkdir()
    OBSTACLES[obstacle](out / "report.md")
    OBSTACLES[obstacle](out / "report-2.md") if obstacle != "link" else None
    before = snapshot(out)
    assert main("summarise in/report.md in/other.md --out out".split()) == 0
    told = capsys.readouterr().err
    assert "report.md was there already and stays." in told
    assert "other.md was" not in told
    assert before.items() <= snapshot(out).items()
    name = "report-2.md" if obstacle == "link" else "report-3.md"
    assert f"written to {Path('out') / name}." in told
    assert (out / name).read_text("utf-8").startswith("# ")


def test_a_batch_replaces_by_force_what_it_wrote_before(here: Path) -> None:
    command = "summarise in/report.md in/other.md --out out".split()
    assert main(command) == main(command) == 0
    assert len(list((here / "out").iterdir())) == 4
    assert main([*command, "--force"]) == 0
    assert len(list((here / "out").iterdir())) == 4


def test_scores_of_the_same_command_are_written_anew(here: Path, capsys: Captured) -> None:
    command = f"evaluate {PAIRS} --out scores".split()
    assert main(command) == main(command) == 0
    assert main([*command, "--limit", "1"]) == 1
    assert "table.csv exists already." in capsys.readouterr().err
    assert main([*command, "--limit", "1", "--force"]) == 0


@pytest.mark.parametrize(
    "name",
    [
        *("about.json", "control.jsonl", "environment.json", "evaluations.json", "events.jsonl"),
        *("lock", "log.txt", "model.json", "process.json", "process.lock", "progress.json"),
        *("samples.jsonl", "tokenizer/mine.txt", "checkpoints/mine.txt", "tensorboard/mine.txt"),
    ],
)
def test_a_new_run_takes_no_files_for_its_own_by_their_names(
    here: Path, name: str, capsys: Captured
) -> None:
    (here / "run" / name).parent.mkdir(parents=True)
    put_file(here / "run" / name)
    before = snapshot(here)
    assert main(FOLDERS["run"].split()) == 1
    assert f"holds other files ({Path(name).parts[0]})" in capsys.readouterr().err
    assert snapshot(here) == before


@pytest.mark.parametrize("plan", ["", "mine", "{}", "[1]", '{"version": 1, "make": "text"}'])
def test_a_corpus_deletes_nothing_beside_a_plan_of_others(
    here: Path, plan: str, capsys: Captured
) -> None:
    for name in ("parts", "documents"):
        (here / "corpus.preparing" / name).mkdir(parents=True)
        put_file(here / "corpus.preparing" / name / "inside.txt")
    (here / "corpus.preparing" / "plan.json").write_text(plan, "utf-8")
    before = snapshot(here)
    assert main(FOLDERS["corpus"].split()) == 1
    assert "is not a corpus in preparation" in capsys.readouterr().err
    assert before.items() <= snapshot(here).items()


def test_a_bundle_replaces_no_file_of_its_run(here: Path, capsys: Captured) -> None:
    (here / "link").symlink_to(here / "in" / "run")
    before = snapshot(here)
    for out in ("in/run/job.toml", "in/run/new.zip", "link/job.toml", "in/run/../run/job.toml"):
        assert main(["bundle", "in/run", "--out", out, "--force"]) == 1
        assert "is in the folder of the run itself." in capsys.readouterr().err
    assert snapshot(here) == before
