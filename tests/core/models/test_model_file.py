"""A model travels in one file; what is imported is checked as if it had been made to do harm."""

import hashlib
import json
import os
import stat
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from safetensors.torch import load, save
from torch import Tensor

from core.cli.main import main
from core.documents.readers.door import read_pasted
from core.events import Event, Failed, Finished, Progress, Stopped, result_of
from core.jobs.call import CallJob
from core.jobs.models.describe_models import described
from core.jobs.models.export_model import ExportModelJob
from core.jobs.models.import_folder import ImportFolderJob
from core.jobs.models.import_model import ImportModelJob
from core.jobs.run import run_inline
from core.jobs.runs.list_runs import list_runs
from core.jobs.summaries.write_summary import WriteSummaryJob
from core.models.hugging_face.settings import HuggingFaceSettings
from core.models.model_file import SUFFIX
from core.runs.about import RunAbout, write_about
from core.runs.folder import RunFolder
from core.runs.model_card import ModelCard, read_model_card
from core.stop import StopToken
from core.storage.files import FileLock
from core.summaries.summary import Length
from core.system.shell import shell_line
from core.training.model_draft import model_draft
from tests.helpers.corpora import TEXTS
from tests.helpers.library_folders import library_folder
from tests.helpers.models import a_model
from tests.helpers.runs import run_events, tiny_corpus, tiny_plan

CARD = ModelCard("CC BY 4.0", ("English",), parents=("random weights", "base"))
REMEDY = "Export the model again, and choose the file that was written."
WEIGHTS = "checkpoints/step-00000100/model.safetensors"


def export(folder: Path, path: Path, card: ModelCard = CARD) -> Path:
    *_, last = run_inline(ExportModelJob(folder, path, card), StopToken())
    assert last == Finished(path), last
    return path


def take_in(path: Path, runs: Path) -> Event:
    *_, last = run_inline(ImportModelJob(path, runs), StopToken())
    return last


@pytest.fixture
def exported(tmp_path: Path) -> Path:
    rouge = {"1": 0.4, "2": 0.2, "L": 0.3}
    folder = a_model(tmp_path / "runs", "mine", is_whole=True, corpus="secret-place", rouge=rouge)
    write_about(RunFolder(folder), RunAbout("My model", "These notes are private."))
    (folder / "samples.jsonl").write_text("the text of a document", "utf-8")
    return export(folder, tmp_path / f"mine{SUFFIX}")


def test_an_exported_model_is_imported_by_command_under_the_name_that_is_typed(
    exported: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("EPITOME_HOME", str(tmp_path / "home"))
    runs = tmp_path / "home" / "data" / "runs"
    assert main(["models", "import", str(exported), "--out", "theirs", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["result"]["name"] == "theirs" and told["settings"]["out"] == "theirs"
    assert [each.name for each in runs.iterdir()] == ["theirs"]
    in_capitals = exported.rename(exported.with_name("THEIRS.EPITOME-MODEL"))
    assert main(["models", "import", str(in_capitals)]) == 0
    assert sorted(each.name for each in runs.iterdir()) == ["mine", "theirs"]


def test_an_exported_model_is_taken_in_as_it_was_exported(
    exported: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("EPITOME_HOME", str(tmp_path / "home"))
    assert main(["models", "import", str(exported), "--prompt", "In short: {text}"]) == 2
    assert "--prompt means nothing for an exported model" in capsys.readouterr().err
    assert not (tmp_path / "home" / "data" / "runs").exists()


def test_a_model_that_lies_elsewhere_is_used_by_its_path(
    exported: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("EPITOME_HOME", str(tmp_path / "home"))
    place = tmp_path / "disk" / "theirs"
    assert main(["models", "import", str(exported), "--out", str(place)]) == 0
    assert shell_line(["--model", str(place)]) in capsys.readouterr().err
    assert main(["models", "show", str(place)]) == 0


def rewrite(path: Path, change: Callable[[dict[str, bytes]], None]) -> None:
    """Changes the parts of a file; their list of digests is made anew."""
    from core.jobs.models.export_model import _stamp

    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(parts.pop("manifest.json"))
    change(parts)
    manifest["files"] = {name: _stamp(data) for name, data in parts.items()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in {**parts, "manifest.json": json.dumps(manifest).encode()}.items():
            archive.writestr(name, data)


def test_a_model_comes_back_as_it_was(exported: Path, tmp_path: Path) -> None:
    done = take_in(exported, tmp_path / "other")
    assert isinstance(done, Finished), done
    before, after = described(tmp_path / "runs" / "mine"), described(done.result)
    assert before is not None and after is not None
    for field in ("settings", "objective", "step", "parameters", "room", "validation", "title"):
        assert getattr(after, field) == getattr(before, field), field
    assert (after.fault, after.notes) == ("", "")
    card = read_model_card(RunFolder(done.result))
    assert (card.licence, card.languages, card.parents) == (
        "CC BY 4.0", ("English",), ("random weights", "base"),
    )  # fmt: skip
    assert card.imported


def test_the_file_says_nothing_of_the_machine_it_comes_from(exported: Path) -> None:
    with zipfile.ZipFile(exported) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    assert parts.keys() == {
        "manifest.json", "job.toml", "model.json", "about.json", "best.json", "events.jsonl",
        "tokenizer/tokenizer.json", WEIGHTS, WEIGHTS.replace("model.safetensors", "state.json"),
    }  # fmt: skip
    for data in parts.values():
        for word in (b"private", b"/corpora", b"the text of", str(exported.parent).encode()):
            assert word not in data
    assert b"secret-place" in parts["job.toml"], "the name of its corpus is told"


def test_the_same_model_gives_the_same_bytes(exported: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(exported) as first:
        again = export(tmp_path / "runs" / "mine", tmp_path / f"again{SUFFIX}")
        with zipfile.ZipFile(again) as second:
            for name in set(first.namelist()) - {"events.jsonl", "manifest.json"}:
                assert first.read(name) == second.read(name)


def test_what_is_imported_twice_gets_two_names(exported: Path, tmp_path: Path) -> None:
    runs = tmp_path / "other"
    assert take_in(exported, runs) == Finished(runs / "mine")
    assert take_in(exported, runs) == Finished(runs / "mine-2")
    assert sorted(path.name for path in runs.iterdir()) == ["mine", "mine-2"]


def test_an_imported_model_is_no_run_of_this_machine(exported: Path, tmp_path: Path) -> None:
    runs = tmp_path / "other"
    take_in(exported, runs)
    (event,) = run_inline(CallJob(list_runs, runs), StopToken())
    assert event == Finished(())


def add(name: str, data: bytes = b"{}", mode: int = 0) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        with zipfile.ZipFile(path, "a") as archive:
            part = zipfile.ZipInfo(name)
            part.external_attr = mode << 16
            archive.writestr(part, data)

    return change


def without(name: str) -> Callable[[Path], None]:
    return lambda path: rewrite(path, lambda parts: parts.pop(name) and None)


def replaced(name: str, data: bytes) -> Callable[[Path], None]:
    return lambda path: rewrite(path, lambda parts: parts.update({name: data}))


def compressed(path: Path) -> None:
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("tokenizer/special_tokens.json", b" " * 10_000_000)


def flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    at = data.index(WEIGHTS.encode()) + len(WEIGHTS) + 500
    data[at] ^= 1
    path.write_bytes(data)


def with_tokens(path: Path) -> None:
    vocabulary = {"model": {"vocab": {"a": 0, "b": 99_999}}}
    rewrite(path, lambda parts: parts.update(
        {"tokenizer/tokenizer.json": json.dumps(vocabulary).encode()}
    ))  # fmt: skip


def of_another_version(path: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(parts["manifest.json"]) | {"format": "epitome.model/9"}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in (parts | {"manifest.json": json.dumps(manifest).encode()}).items():
            archive.writestr(name, data)


HOSTILE: list[tuple[Callable[[Path], Any], str]] = [
    (add("../outside.json"), "its part “../outside.json” is no part of a model"),
    (add("/etc/passwd"), "its part “/etc/passwd” is no part of a model"),
    (add("tokenizer/../../x.json"), "is no part of a model"),
    (add("tokenizer\\..\\x.json"), "is no part of a model"),
    (add("C:/x.json"), "is no part of a model"),
    (add("modeling.py", b"open('was-run', 'w')"), "its part “modeling.py” is no part of a model"),
    (add("checkpoints/step-00000100/model.pt"), "is no part of a model"),
    (add("lock"), "is no part of a model"),
    (add("tokenizer/special_tokens.json", b"/etc/passwd", stat.S_IFLNK | 0o777), "is a link"),
    (add("checkpoints/step-00000200/model.safetensors"), "it holds 2 files of weights"),
    (without(WEIGHTS), "it holds 0 files of weights"),
    (without("job.toml"), "its part “job.toml” is missing"),
    (compressed, "is compressed, which no exported model is"),
    (flipped, "no whole file of a model"),
    (replaced(WEIGHTS, b"x" * 4000), "its weights are damaged"),
    (replaced("job.toml", b"[run"), "its settings cannot be read"),
    (replaced("job.toml", b"schema_version = 99"), "a newer Epitome made it"),
    (replaced("job.toml", b'[model]\nfamily = "other"\n[run]\n[train]\n[decoding]\n'), "family"),
    (replaced("tokenizer/tokenizer.json", b"[" * 100_000), "its settings cannot be read"),
    (with_tokens, "its tokenizer has more tokens than its model knows"),
    (of_another_version, "another version of the program exported it"),
    (lambda path: path.write_bytes(b""), "it is no whole file of a model"),
    (lambda path: path.write_bytes(path.read_bytes()[:-200]), "it is no whole file of a model"),
    (
        lambda path: path.write_text("Not a model at all.", "utf-8"),
        "it is no whole file of a model",
    ),
]


@pytest.mark.parametrize(("change", "told"), HOSTILE)
def test_a_file_that_is_no_whole_model_is_refused_and_leaves_nothing(
    exported: Path, tmp_path: Path, change: Callable[[Path], None], told: str
) -> None:
    change(exported)
    runs = tmp_path / "other"
    before = sorted(tmp_path.rglob("*"))
    last = take_in(exported, runs)
    assert isinstance(last, Failed), last
    assert last.message.startswith(f"{exported.name} cannot be imported: ") and told in last.message
    assert last.remedy == REMEDY
    assert sorted(path for path in tmp_path.rglob("*") if path != runs) == before
    assert list(runs.iterdir()) == []


def edit_weights(edit: Callable[[dict[str, Tensor]], object]) -> Callable[[dict[str, bytes]], None]:
    def change(parts: dict[str, bytes]) -> None:
        (name,) = [name for name in parts if name.endswith("model.safetensors")]
        tensors = load(parts[name])
        edit(tensors)
        parts[name] = save(tensors)
        state = name.replace("model.safetensors", "state.json")
        files = {"model.safetensors": {
            "bytes": len(parts[name]),
            "blake2b": hashlib.blake2b(parts[name], digest_size=16).hexdigest(),
        }}  # fmt: skip
        parts[state] = json.dumps(json.loads(parts[state]) | {"files": files}).encode()

    return change


def rename(tensors: dict[str, Tensor]) -> None:
    tensors["norm.other"] = tensors.pop("norm.weight")


def use_integers(tensors: dict[str, Tensor]) -> None:
    tensors.update({name: each.to(torch.int32) for name, each in tensors.items()})


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (lambda tensors: tensors.pop("norm.weight"), "“norm.weight” is missing (1 such in all)"),
        (lambda tensors: tensors.clear(), "is missing ("),
        (lambda tensors: tensors.update(w=torch.zeros(3)), "“w” is not the model's"),
        (rename, "“norm.other” is not the model's (2 such in all)"),
        (lambda tensors: tensors.update({"norm.weight": torch.ones(3)}), "is [3] there and ["),
        (use_integers, "torch.int32 there and torch.float32 in the model"),
    ],
)
def test_weights_that_are_not_the_models_are_refused_at_the_import(
    exported: Path, tmp_path: Path, edit: Callable[[dict[str, Tensor]], object], told: str
) -> None:
    rewrite(exported, edit_weights(edit))
    runs = tmp_path / "other"
    last = take_in(exported, runs)
    assert isinstance(last, Failed), last
    assert last.message.startswith(f"{exported.name} cannot be imported: ") and told in last.message
    assert last.remedy == REMEDY and list(runs.iterdir()) == []


@pytest.mark.parametrize("family", ["bart", "t5", "led"])
def test_missing_weights_of_a_library_model_are_refused_at_the_import(
    family: str, tmp_path: Path
) -> None:
    source = library_folder(family, tmp_path / family)
    *_, last = run_inline(ImportFolderJob(source, tmp_path / "runs"), StopToken())
    assert isinstance(last, Finished), last
    path = export(last.result, tmp_path / f"mine{SUFFIX}")
    assert isinstance(take_in(path, tmp_path / "whole"), Finished)
    rewrite(path, edit_weights(lambda tensors: tensors.pop(sorted(tensors)[-1])))
    refused = take_in(path, tmp_path / "other")
    assert isinstance(refused, Failed) and "is missing (1 such in all)" in refused.message


def test_settings_of_a_far_larger_model_are_refused_before_it_is_made(
    exported: Path, tmp_path: Path
) -> None:
    def enlarge(parts: dict[str, bytes]) -> None:
        parts["job.toml"] = parts["job.toml"].replace(b"\nwidth = 8\n", b"\nwidth = 80000\n")

    rewrite(exported, enlarge)
    last = take_in(exported, tmp_path / "other")
    assert isinstance(last, Failed) and "describe a far larger model" in last.message


def test_a_model_whose_settings_name_a_program_is_refused(exported: Path, tmp_path: Path) -> None:
    config = {
        "model_type": "bart", "is_encoder_decoder": True, "vocab_size": 100,
        "auto_map": {"AutoModelForSeq2SeqLM": "modeling.Evil"},
    }  # fmt: skip
    model = HuggingFaceSettings(architecture=json.dumps(config))
    folder = a_model(tmp_path / "runs", "theirs", model=model)
    path = export(folder, tmp_path / f"theirs{SUFFIX}")
    last = take_in(path, tmp_path / "other")
    assert isinstance(last, Failed) and "name a program that is to be run" in last.message


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.text(max_size=40), data=st.binary(max_size=40), at=st.integers(0, 3000))
def test_whatever_is_put_into_a_file_nothing_leaves_the_folder_of_runs(
    exported: Path, tmp_path: Path, name: str, data: bytes, at: int
) -> None:
    path, runs = tmp_path / f"hostile{SUFFIX}", tmp_path / "other"
    raw = exported.read_bytes()
    path.write_bytes(raw[:at] + data + raw[at + len(data) :])
    with suppress(ValueError, zipfile.BadZipFile, OSError, UnicodeError):
        add(name, data)(path)  # unless it is no archive any more, or no name
    before = {each for each in tmp_path.rglob("*") if not each.is_relative_to(runs)}
    last = take_in(path, runs)
    after = {each for each in tmp_path.rglob("*") if not each.is_relative_to(runs)}
    assert after == before
    assert isinstance(last, Finished | Failed)
    assert not list(runs.glob(".importing-*"))


def test_a_strange_name_is_not_used(exported: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(exported) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    for name in ("../../evil", "", ".hidden", "a/b", "x" * 300, "C:\\x", 7, None):
        manifest = json.loads(parts["manifest.json"]) | {"name": name}
        with zipfile.ZipFile(exported, "w") as archive:
            for part, data in (parts | {"manifest.json": json.dumps(manifest).encode()}).items():
                archive.writestr(part, data)
        runs = tmp_path / "other"
        done = take_in(exported, runs)
        assert isinstance(done, Finished) and done.result.parent == runs
        assert done.result.name.startswith(("imported", "7", "None"))


def test_what_a_killed_import_left_is_removed_by_the_next_one(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    killed, living, older, old = (runs / f".importing-0000000{n}" for n in range(4))
    for draft in (killed, living, older, old):
        draft.mkdir(parents=True)
        (draft / "weights").write_text("large", "utf-8")
    os.utime(old, (0, 0))  # without a lock it may be of others
    killed.with_name(".importing-00000000.lock").touch()
    lock = FileLock(living.with_name(".importing-00000001.lock"))
    assert lock.acquire()
    try:
        with model_draft(runs) as draft:
            assert sorted(runs.glob(".importing-0000000?")) == [living, older, old]
            assert draft.is_dir()
    finally:
        lock.release()
    assert sorted(path.name for path in runs.iterdir()) == [
        ".importing-00000001", ".importing-00000001.lock", ".importing-00000002",
        ".importing-00000003",
    ]  # fmt: skip


def stopped(job: ExportModelJob | ImportModelJob) -> Event:
    """The last event of a job that is asked to stop when the first piece was copied."""
    stop = StopToken()
    for event in run_inline(job, stop):
        if isinstance(event, Progress):
            stop.request("cancel")
    return event


def test_a_stop_leaves_nothing(tmp_path: Path) -> None:
    folder = a_model(tmp_path / "runs", "large", parameters=2_000_000)
    path = tmp_path / f"large{SUFFIX}"
    assert stopped(ExportModelJob(folder, path, CARD)) == Stopped("cancel")
    assert [each.name for each in tmp_path.iterdir()] == ["runs"]
    export(folder, path)
    assert stopped(ImportModelJob(path, tmp_path / "other")) == Stopped("cancel")
    assert list((tmp_path / "other").iterdir()) == []


def test_a_damaged_model_is_not_exported(tmp_path: Path) -> None:
    folder = a_model(tmp_path / "runs", "run")
    weights = folder / WEIGHTS
    weights.write_bytes(weights.read_bytes()[:-1] + b"\1")
    *_, last = run_inline(ExportModelJob(folder, tmp_path / "x", CARD), StopToken())
    assert isinstance(last, Failed) and "is damaged" in last.message
    assert not (tmp_path / "x").exists()


def test_a_disk_without_room_is_told_before_anything_is_copied(
    exported: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from collections import namedtuple

    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("shutil.disk_usage", lambda path: usage(10, 10, 0))
    last = take_in(exported, tmp_path / "other")
    assert isinstance(last, Failed) and last.message.startswith("There is no room for the model")


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("runs") / "tiny"
    corpus = tiny_corpus(tmp_path_factory.mktemp("corpora") / "tiny")
    assert isinstance(run_events(folder, tiny_plan(corpus))[-1], Finished)
    yield folder


@pytest.mark.slow
def test_a_model_that_travelled_writes_the_same(trained: Path, tmp_path: Path) -> None:
    path = export(trained, tmp_path / f"tiny{SUFFIX}")
    done = take_in(path, tmp_path / "other")
    assert isinstance(done, Finished), done
    document = result_of(read_pasted("\n\n".join(TEXTS[:4]), "", StopToken()))
    texts = []
    for run in (trained, done.result):
        *_, last = run_inline(WriteSummaryJob(document, run, Length(40, "words")), StopToken())
        assert isinstance(last, Finished), last
        texts.append([sentence.text for sentence in last.result.sentences])
    assert texts[0] == texts[1] and texts[0]
