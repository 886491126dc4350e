"""A pipe or device in the place of a file of the program is refused: no process waits for it."""

import ast
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from core.cli.main import main
from core.data.corpus import open_corpus
from core.data.prepared import corpus_made_by
from core.data.special_tokens import find_special_tokens
from core.data.staging import staging_folder
from core.data.tokenizer import Tokenizer, TokenizerSettings
from core.errors import EpitomeError
from core.events import Finished
from core.jobs.batches.parquet import first_parquet_rows
from core.jobs.batches.store import BatchStore
from core.jobs.corpora.queued_corpus import load_corpus_job
from core.jobs.lanes.kinds import specify_again
from core.jobs.queue.queued import QueuedJob
from core.jobs.training.queued_training import load_training_job
from core.library.history import History
from core.models.hugging_face.settings import HuggingFaceSettings
from core.models.special_tokens import SpecialTokens
from core.models.weights import read_tensors
from core.runs.checkpoints import Checkpoints
from core.runs.events_file import EventsFile
from core.runs.folder import RunFolder
from core.storage.files import append_whole
from core.training.plan import RunPlan
from tests.helpers.histories import an_entry
from tests.helpers.systems import make_pipe

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes")
ROOT = Path(__file__).parents[2]
WHY = r"\(it is a (named pipe, not a file|device or socket, not a file|link, .*)\)\."


def begin_preparation(folder: Path) -> None:
    with staging_folder(folder / "corpus", {}):
        pass


def find_tokens(folder: Path) -> None:
    tokenizer = Tokenizer.train(["some text " * 50], 320)
    find_special_tokens(tokenizer._engine, folder)


def queue_again(folder: Path) -> None:
    specify_again(QueuedJob("1", "train", "run", "cpu", folder)).save()


READERS: list[tuple[str, Callable[[Path], object]]] = [
    ("job.toml", lambda folder: RunPlan.load(RunFolder(folder))),
    ("queued.toml", load_training_job),
    ("queued.toml", load_corpus_job),
    ("queued.toml", queue_again),
    ("corpus.toml", open_corpus),
    ("corpus.preparing/plan.json", begin_preparation),
    ("tokenizer.json", Tokenizer.load),
    ("tokenizer_config.json", find_tokens),
    ("special_tokens.json", lambda folder: SpecialTokens.load(folder / "special_tokens.json")),
    ("tokenizer.toml", lambda folder: TokenizerSettings.load(folder / "tokenizer.toml")),
    ("config.json", HuggingFaceSettings.from_folder),
    ("checkpoints/step-00000010/state.json", lambda folder: Checkpoints(folder).newest()),
    ("model.safetensors", lambda folder: read_tensors(folder / "model.safetensors")),
    ("events.jsonl", lambda folder: EventsFile(folder / "events.jsonl").append(Finished())),
    ("history.sqlite", lambda folder: History(folder / "history.sqlite").keep(an_entry("One"))),
    ("history.sqlite", lambda folder: History(folder / "history.sqlite").search()),
    ("batch.sqlite", BatchStore),
    ("train.parquet", lambda folder: first_parquet_rows(folder / "train.parquet")),
    ("samples.jsonl", lambda folder: append_whole(folder / "samples.jsonl", b"{}\n")),
]


PUTS: dict[str, Callable[[Path], None]] = {
    "pipe": make_pipe,
    "link to a device": lambda path: path.symlink_to("/dev/zero"),
}

# Modules that open files otherwise, each with its reason.
OPEN_THEMSELVES = {
    "core/storage/regular_files.py": "opens all others",
    "core/storage/files.py": "opens databases",
    "core/installation.py": "read when Python starts, beside the program itself",
    "core/distribution/parts.py": "the project file of the program itself",
    "core/distribution/releases.py": "the repository of the program itself",
    "core/distribution/locked_hashes.py": "beside the program itself",
    "core/jobs/program/install_part.py": "what pip has just written; and beside the program itself",
    "core/data/disk_columns.py": "in a folder of its own that has just been made",
    "core/jobs/cluster/shards.py": "in a folder of its own that has just been made",
    "core/jobs/training/team.py": "in a folder of its own that has just been made",
    "core/training/sharing.py": "in a folder of its own that has just been made",
    "core/system/limits.py": "what the kernel says",
    "core/system/machine.py": "what the kernel says",
    "core/system/processes.py": "what the kernel says",
    "core/profiling/memory.py": "what the kernel says",
    "core/training/environment.py": "what the kernel says",
    "core/summarisers/scoring/quality.py": "a resource",
    "core/summarisers/scoring/ranker.py": "a resource",
    "core/summarisers/scoring/scores.py": "resources",
}


@pytest.mark.parametrize(("name", "read"), READERS, ids=[name for name, _ in READERS])
@pytest.mark.parametrize("put", PUTS.values(), ids=PUTS)
def test_what_is_no_file_is_refused(
    name: str, read: Callable[[Path], object], put: Callable[[Path], None], tmp_path: Path
) -> None:
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    put(tmp_path / name)
    with pytest.raises(EpitomeError, match=WHY):
        read(tmp_path)


def test_a_pipe_beside_a_checkpoint_or_a_corpus_is_passed_over(tmp_path: Path) -> None:
    checkpoints = Checkpoints(tmp_path)
    checkpoints.write(10, {"weights": lambda path: path.touch()}, {})
    (tmp_path / "last.json").unlink()
    make_pipe(tmp_path / "last.json")
    assert checkpoints.named("last") is None
    make_pipe(tmp_path / "corpus.toml")
    assert corpus_made_by("job", tmp_path) is None


@pytest.mark.parametrize("put", PUTS.values(), ids=PUTS)
@pytest.mark.parametrize("name", ["config/settings.toml", "data/history.sqlite"])
def test_a_summary_is_written_whatever_is_in_the_place_of_a_file_of_the_home(
    name: str,
    put: Callable[[Path], None],
    home: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (home / name).parent.mkdir(parents=True)
    put(home / name)
    document = tmp_path / "report.txt"
    document.write_text("The valve opens when the pressure falls. " * 40, "utf-8")
    assert main(["summarise", str(document), "--length", "1s"]) == 0
    out, err = capsys.readouterr()
    assert "valve" in out and "history" in err


@pytest.mark.parametrize("ending", ["-wal", "-journal", "-shm"])
def test_what_is_no_file_beside_a_database_is_refused(ending: str, tmp_path: Path) -> None:
    history = History(tmp_path / "history.sqlite")
    history.keep(an_entry("One"))
    (tmp_path / f"history.sqlite{ending}").unlink(missing_ok=True)
    make_pipe(tmp_path / f"history.sqlite{ending}")
    with pytest.raises(EpitomeError, match=WHY):
        history.search()


def test_files_are_read_through_what_refuses_pipes() -> None:
    files = (ROOT / "core").rglob("*.py")
    found = {str(file.relative_to(ROOT)) for file in files if opens_itself(file)}
    assert found == set(OPEN_THEMSELVES)


def opens_itself(file: Path) -> bool:
    """True if a module reads or appends to a file without `core.storage.regular_files`."""
    text = file.read_text("utf-8")
    if not _OPENS.search(text):  # which spares most files the parser
        return False
    return any(_opens(node) for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call))


def _opens(call: ast.Call) -> bool:
    called = ast.unparse(call.func)
    if called in ("np.load", "sqlite3.connect") or called.endswith((".read_text", ".read_bytes")):
        return not called.startswith(("resource(", "door."))
    first = call.args[0] if call.args else ast.Constant("r")
    if called == "open":
        first = call.args[1] if len(call.args) > 1 else ast.Constant("r")
    elif not called.endswith(".open") or not isinstance(first, ast.Constant):
        return False  # no file is opened, or none by its name
    return not isinstance(first, ast.Constant) or not {"w", "x"} & {*str(first.value)}


_OPENS = re.compile(r"read_text|read_bytes|open\(|np\.load|sqlite3\.connect")
