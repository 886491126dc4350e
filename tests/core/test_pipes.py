"""A pipe in the place of a file of the program is refused at once: nobody waits for it."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from core.data.corpus import open_corpus
from core.data.prepared import corpus_made_by
from core.data.special_tokens import find_special_tokens
from core.data.staging import staging_folder
from core.data.tokenizer import Tokenizer, TokenizerSettings
from core.errors import EpitomeError
from core.events import Finished
from core.files import append_whole
from core.jobs.kinds import order_again
from core.jobs.queued import QueuedJob
from core.jobs.queued_corpus import queued_corpus
from core.jobs.queued_training import queued_training
from core.models.hugging_face.settings import HuggingFaceSettings
from core.models.special_tokens import SpecialTokens
from core.models.weights import read_tensors
from core.runs.checkpoints import Checkpoints
from core.runs.events_file import EventsFile
from core.runs.folder import RunFolder
from core.training.plan import RunPlan

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes")
WHY = r"\(it is a named pipe, not a file\)\."


def begin_preparation(folder: Path) -> None:
    with staging_folder(folder / "corpus", {}):
        pass


def find_tokens(folder: Path) -> None:
    tokenizer = Tokenizer.train(["some text " * 50], 320)
    find_special_tokens(tokenizer._engine, folder)


def queue_again(folder: Path) -> None:
    order_again(QueuedJob("1", "train", "run", "cpu", folder)).freeze()


READERS: list[tuple[str, Callable[[Path], object]]] = [
    ("job.toml", lambda folder: RunPlan.load(RunFolder(folder))),
    ("queued.toml", queued_training),
    ("queued.toml", queued_corpus),
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
    ("samples.jsonl", lambda folder: append_whole(folder / "samples.jsonl", b"{}\n")),
]


@pytest.mark.parametrize(("name", "read"), READERS, ids=[name for name, _ in READERS])
def test_a_pipe_is_refused(name: str, read: Callable[[Path], object], tmp_path: Path) -> None:
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(tmp_path / name)
    with pytest.raises(EpitomeError, match=WHY):
        read(tmp_path)


def test_a_pipe_beside_a_checkpoint_or_a_corpus_is_passed_over(tmp_path: Path) -> None:
    checkpoints = Checkpoints(tmp_path)
    checkpoints.write(10, {"weights": lambda path: path.touch()}, {})
    (tmp_path / "last.json").unlink()
    os.mkfifo(tmp_path / "last.json")
    assert checkpoints.named("last") is None
    os.mkfifo(tmp_path / "corpus.toml")
    assert corpus_made_by("job", tmp_path) is None
