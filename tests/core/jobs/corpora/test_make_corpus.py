"""A corpus is whole or not there: stopped, killed, changed, and called again."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pyarrow as pa
import pytest

import core.data.staging
from core.data import source_rows
from core.data.corpus import open_corpus
from core.data.settings import CorpusSettings, TokenizerSettings
from core.errors import EpitomeError
from core.events import Event, Failed, Finished, Message, Progress, Stopped
from core.jobs.corpora.make_corpus import CorpusMade, MakeCorpusJob
from core.jobs.corpora.train_tokenizer import TrainTokenizerJob
from core.jobs.run import run_inline
from core.stop import StopToken
from tests.helpers.command import epitome, start, wait_until
from tests.helpers.corpora import SUMMARIES, TEXTS, write_pairs
from tests.helpers.leftovers import living_children
from tests.helpers.patience import PATIENCE_S
from tests.helpers.windows import locked

GOES_ON = Message("info", "Resuming an earlier preparation.")


@pytest.fixture(autouse=True)
def blocks_are_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_rows, "_BLOCK_ROWS", 7)


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    return write_pairs(tmp_path / "pairs.parquet", TEXTS, SUMMARIES)


def job(source: Path, out: Path | None, **settings: Any) -> MakeCorpusJob:
    return MakeCorpusJob((str(source),), CorpusSettings.checked({"processes": 1} | settings), out)


def run(job: MakeCorpusJob, when: Callable[[Event], bool] = lambda event: False) -> list[Event]:
    """Runs a job, and asks it to stop at an event."""
    stop = StopToken()
    events = []
    for event in run_inline(job, stop):
        events.append(event)
        if when(event):
            stop.request("stop")
    return events


def made(events: list[Event]) -> CorpusMade:
    assert isinstance(events[-1], Finished), events[-1]
    result: CorpusMade = events[-1].result
    return result


def after(count: int) -> Callable[[Event], bool]:
    return lambda event: isinstance(event, Progress) and event.done >= count


def test_blocks_are_counted_as_they_are_made(pairs: Path, tmp_path: Path) -> None:
    events = run(job(pairs, tmp_path / "c"))
    done = [event.done for event in events if isinstance(event, Progress) and event.unit == "rows"]
    assert done == [7, 14, 21, 28, 35, 42, 49, 56, 60]
    assert {event.total for event in events if isinstance(event, Progress) and event.total} == {60}
    assert made(events).prepared.statistics["documents"] == 60


@pytest.mark.parametrize("processes", [1, 2])
def test_files_are_counted_one_by_one(
    tmp_path: Path, processes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_rows, "_BLOCK_ROWS", 100)  # a small folder is one block
    folder = tmp_path / "texts"
    folder.mkdir()
    for number, text in enumerate(TEXTS[:5]):
        (folder / f"{number}.txt").write_text(text, "utf-8")
    events = run(job(folder, tmp_path / "c", make="text", processes=processes))
    done = [event.done for event in events if isinstance(event, Progress) and event.unit == "rows"]
    assert done == [1, 2, 3, 4, 5]
    assert made(events).prepared.statistics["documents"] == 5


def test_a_locked_file_is_skipped_with_a_remedy_that_can_be_followed(tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "open.txt").write_text(TEXTS[0], "utf-8")
    locked(folder)
    made(run(job(folder, tmp_path / "c", make="text")))
    (skipped,) = map(json.loads, (tmp_path / "c/skipped.jsonl").read_text("utf-8").splitlines())
    assert skipped["details"] == (
        "This PDF opens only with its password. "
        "Save a copy of it without the password, and prepare the corpus with that."
    )


@pytest.mark.parametrize("processes", [1, 2])
def test_a_stopped_one_goes_on_and_ends_the_same(
    pairs: Path, tmp_path: Path, processes: int
) -> None:
    whole = made(run(job(pairs, tmp_path / "whole"))).prepared
    out = tmp_path / "c"
    events = run(job(pairs, out, processes=processes), after(14))
    assert isinstance(events[-1], Stopped)
    with pytest.raises(EpitomeError, match="There is no corpus in"):
        open_corpus(out)
    kept = {path.name: path.stat().st_mtime_ns for path in parts(out)}
    assert len(kept) >= 2
    seen: dict[str, int] = {}

    def look(event: Event) -> bool:
        seen.update({path.name: path.stat().st_mtime_ns for path in parts(out)})
        return False

    again = run(job(pairs, out, processes=processes), look)
    assert GOES_ON in again
    assert kept.items() <= seen.items() and len(seen) == 9
    assert made(again).prepared.fingerprint == whole.fingerprint
    assert list(open_corpus(out).rows("train")) == list(
        open_corpus(tmp_path / "whole").rows("train")
    )
    assert {path.name for path in out.iterdir()} == {
        "corpus.toml", "documents", "statistics.json", "skipped.jsonl", "lengths.npy",
    }  # fmt: skip
    assert not out.with_name("c.preparing").exists()


def parts(out: Path) -> list[Path]:
    return sorted(out.with_name(f"{out.name}.preparing").glob("parts/*.arrow"))


@pytest.mark.parametrize("left", ["nothing", "half", "no rows", "zeros"])
def test_a_part_that_a_power_cut_has_damaged_is_made_again(
    pairs: Path, tmp_path: Path, left: str
) -> None:
    whole = made(run(job(pairs, tmp_path / "whole"))).prepared
    out = tmp_path / "c"
    assert isinstance(run(job(pairs, out), after(14))[-1], Stopped)
    newest = parts(out)[-1]
    data = newest.read_bytes()
    with pa.ipc.open_stream(data) as reader:
        head = len(reader.schema.serialize())
    newest.write_bytes(
        {
            "nothing": b"",
            "half": data[: len(data) // 2],
            "no rows": data[:head],
            "zeros": bytes(len(data)),
        }[left]
    )
    again = run(job(pairs, out))
    assert GOES_ON in again
    assert made(again).prepared.fingerprint == whole.fingerprint


def test_what_is_renamed_or_outlives_the_parts_is_on_the_disk_before(
    pairs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushed: set[Path] = set()
    kept = core.data.staging.flush
    remove = shutil.rmtree

    def flush(path: Path) -> None:
        kept(path)
        flushed.add(path)

    def rmtree(path: Path, **options: Any) -> None:
        corpus = path.parent
        if path.name == "parts" and (corpus / "corpus.toml").exists():
            written = {each for each in corpus.rglob("*") if path not in each.parents}
            assert written <= flushed and corpus in flushed
        remove(path, **options)

    monkeypatch.setattr(core.data.staging, "flush", flush)
    monkeypatch.setattr(shutil, "rmtree", rmtree)
    made(run(job(pairs, tmp_path / "c")))
    assert len([path for path in flushed if path.name.startswith("part-")]) == 9


def test_stopped_while_documents_are_written_it_is_no_corpus(pairs: Path, tmp_path: Path) -> None:
    out = tmp_path / "c"
    events = run(job(pairs, out), lambda event: getattr(event, "what", "") == "Writing")
    assert isinstance(events[-1], Stopped) and not out.exists()
    assert made(run(job(pairs, out))).prepared.statistics["documents"] == 60


def looks_for_duplicates(event: Event) -> bool:
    return getattr(event, "what", "") == "Looking for duplicates"


def test_what_is_kept_of_documents_on_the_way_is_no_part_of_a_corpus(
    pairs: Path, tmp_path: Path
) -> None:
    out = tmp_path / "c"
    assert isinstance(run(job(pairs, out), looks_for_duplicates)[-1], Stopped)
    books = tmp_path / "c.preparing" / "parts" / "bookkeeping"
    assert not books.exists()
    books.mkdir()
    (books / "signatures").write_bytes(b"of a process that was killed")
    assert made(run(job(pairs, out))).prepared.statistics["documents"] == 60
    assert {path.name for path in out.iterdir()} == {
        "corpus.toml", "documents", "statistics.json", "skipped.jsonl", "lengths.npy",
    }  # fmt: skip


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="There is no full device")
def test_a_disk_that_is_full_while_duplicates_are_looked_for_is_told(
    pairs: Path, tmp_path: Path
) -> None:
    out = tmp_path / "c"
    parts = tmp_path / "c.preparing" / "parts"

    def fill(event: Event) -> bool:
        if looks_for_duplicates(event) and not (parts / "bookkeeping" / "signatures").exists():
            (parts / "bookkeeping" / "signatures").symlink_to("/dev/full")
        return False

    last = run(job(pairs, out), fill)[-1]
    assert isinstance(last, Failed) and last.kind == "full"
    assert "cannot be written (No space left on device)" in last.message
    assert last.remedy.endswith("run the command again: finished work is kept.")
    assert not out.exists() and not (parts / "bookkeeping").exists()
    assert GOES_ON in run(job(pairs, out))


@pytest.mark.slow
def test_killed_at_any_moment_it_leaves_no_process_and_goes_on(tmp_path: Path) -> None:
    texts = [text.replace("boiler", f"boiler {n} ") for n in range(120) for text in TEXTS]
    source = write_pairs(tmp_path / "p.parquet", texts, [SUMMARIES[0]] * len(texts))
    out = tmp_path / "c"
    words = ("corpus", str(source), "--make", "text", "--processes", "2", "--out", str(out))
    with start(*words) as process:
        wait_until(process, lambda: parts(out))
        children = living_children(process.pid)
        process.kill()
        process.communicate()
    assert len(children) == 2
    assert not psutil.wait_procs(children, timeout=PATIENCE_S)[1]
    assert not out.exists()
    kept = {path.name for path in parts(out)}
    with start(*words) as process:
        _, err = process.communicate()
    assert process.returncode == 0, err
    assert kept and GOES_ON.text in err.decode()
    assert sum(open_corpus(out).counts.values()) == len(texts)


def test_other_sources_or_settings_begin_anew(pairs: Path, tmp_path: Path) -> None:
    out = tmp_path / "c"
    run(job(pairs, out), after(14))
    events = run(job(pairs, out, make="text"))
    assert GOES_ON not in events
    assert open_corpus(out).make == "text"
    other = tmp_path / "d"
    run(job(pairs, other), after(14))
    write_pairs(pairs, TEXTS[:9], SUMMARIES[:9])
    assert made(run(job(pairs, other))).prepared.statistics["documents"] == 9


def test_another_split_uses_what_is_prepared(pairs: Path, tmp_path: Path) -> None:
    out = tmp_path / "c"
    run(job(pairs, out), after(14))
    events = run(job(pairs, out, split="50/25/25"))
    assert GOES_ON in events
    assert open_corpus(out).counts == {"train": 30, "validation": 15, "test": 15}


def test_work_beside_a_damaged_plan_stays_and_one_without_a_plan_begins_anew(
    pairs: Path, tmp_path: Path
) -> None:
    out = tmp_path / "c"
    run(job(pairs, out), after(14))
    plan = tmp_path / "c.preparing" / "plan.json"
    whole = plan.read_bytes()
    plan.write_bytes(whole[:20])
    last = run(job(pairs, out))[-1]
    assert isinstance(last, Failed) and "is in the way: it is not a corpus" in last.message
    plan.write_bytes(whole)
    assert GOES_ON in run(job(pairs, out))
    (tmp_path / "d.preparing" / "parts").mkdir(parents=True)  # killed before it had a plan
    assert made(run(job(pairs, tmp_path / "d"))).prepared.statistics["documents"] == 60


def test_a_folder_of_somebody_else_is_left_alone(pairs: Path, tmp_path: Path) -> None:
    strange = tmp_path / "c.preparing"
    strange.mkdir()
    (strange / "letter.txt").write_text("Dear", "utf-8")
    last = run(job(pairs, tmp_path / "c"))[-1]
    assert isinstance(last, Failed) and "is in the way: it is not a corpus" in last.message
    assert (strange / "letter.txt").read_text("utf-8") == "Dear"


@pytest.mark.parametrize("step", ["rmtree", "replace", "unlink"])
def test_a_corpus_whose_end_was_interrupted_is_whole_or_finished_by_the_next_call(
    pairs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    out = tmp_path / "c"
    owner: Any = shutil if step == "rmtree" else Path
    original = getattr(owner, step)

    def killed(path: Path, *arguments: Any, **options: Any) -> Any:
        if path.name in ("parts", "c.preparing", "plan.json"):
            raise KeyboardInterrupt
        return original(path, *arguments, **options)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        for event in run_inline(job(pairs, out), StopToken()):
            if isinstance(event, Progress) and event.what == "Writing":
                patch.setattr(owner, step, killed)
    if not out.exists():
        made(run(job(pairs, out)))
    assert open_corpus(out).counts
    assert not out.with_name("c.preparing").exists()


def test_two_at_once_in_one_place_are_refused(pairs: Path, tmp_path: Path) -> None:
    out = tmp_path / "c"
    first = run_inline(job(pairs, out), StopToken())
    while not parts(out):
        next(first)
    last = run(job(pairs, out))[-1]
    assert isinstance(last, Failed)
    assert last.message == f"Another process is using {out}.preparing."
    *_, ending = first
    assert isinstance(ending, Finished)
    assert "lock" not in {path.name for path in out.iterdir()}


@pytest.mark.parametrize("processes", ["1", "2"])
def test_a_place_without_room_is_told_and_goes_on_later(
    pairs: Path, tmp_path: Path, processes: str
) -> None:
    out = tmp_path / "c"
    words = ("corpus", str(pairs), "--processes", processes, "--out", str(out))
    no_room = ("bash", "-c", 'ulimit -f 20; exec "$@"', "-")
    code, _, err = epitome(*words, before=no_room)
    assert code == 1
    assert "cannot be written (File too large). Choose another place." in err
    assert not out.exists()
    code, _, err = epitome(*words)
    assert code == 0 and GOES_ON.text in err


def test_without_the_training_part_it_is_told(pairs: Path) -> None:
    hidden = "import sys; sys.modules.update(pyarrow=None, datasets=None, tokenizers=None)"
    for words in (["corpus", str(pairs)], ["tokenizer", "c", "--out", "t"]):
        code = f"{hidden}\nfrom core.cli.main import main\nraise SystemExit(main({words!r}))"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert done.returncode == 1
        assert "with the training part, which is not installed" in done.stderr
        assert "Run python3 packaging/bootstrap.py run --with-training." in done.stderr


def test_a_process_that_dies_is_told(pairs: Path, tmp_path: Path) -> None:
    stop = StopToken()
    events = run_inline(job(pairs, tmp_path / "c", processes=2), stop)
    last: Event | None = None
    for last in events:
        for child in living_children():
            if isinstance(last, Progress):
                child.kill()
    assert isinstance(last, Failed)
    assert "A process ended early: it was ended by signal 9" in last.message
    assert last.remedy.startswith("Run the command again: finished work is kept.")


def test_documents_of_another_script_name_the_tokenizer_that_sees_them(tmp_path: Path) -> None:
    text = "Кошка спит на ковре. Собака лает во дворе. Дом стоит у реки."
    source = write_pairs(tmp_path / "p.parquet", [text] * 2, ["А.", "Б."])
    last = run(job(source, tmp_path / "c", make="gsg"))[-1]
    assert isinstance(last, Failed)
    assert "written in another script" in last.message and "--tokenizer unicode" in last.remedy
    assert made(run(job(source, tmp_path / "c", make="gsg", tokenizer="unicode")))


def test_sources_without_any_usable_row_are_told(tmp_path: Path) -> None:
    source = write_pairs(tmp_path / "p.parquet", ["", " \n"], ["A.", "B."])
    last = run(job(source, tmp_path / "c"))[-1]
    assert isinstance(last, Failed)
    assert last.message == ("The sources contain no usable row: all were rows without a document.")


def test_it_is_the_same_wherever_it_is_made(pairs: Path, tmp_path: Path) -> None:
    first = made(run(job(pairs, tmp_path / "a"))).prepared
    moved = tmp_path / "elsewhere" / "x.parquet"
    moved.parent.mkdir()
    moved.write_bytes(pairs.read_bytes())
    second = made(run(job(moved, tmp_path / "b"))).prepared
    assert first.fingerprint == second.fingerprint
    assert first.fingerprint != made(run(job(pairs, None, make="text"))).prepared.fingerprint
    for path in (tmp_path / "a" / "documents").rglob("*.*"):
        assert path.read_bytes() == (tmp_path / "b" / path.relative_to(tmp_path / "a")).read_bytes()
    numbers = json.loads((tmp_path / "a" / "statistics.json").read_text("utf-8"))
    assert numbers == first.statistics


def test_training_a_tokenizer_stops_between_texts(pairs: Path, tmp_path: Path) -> None:
    run(job(pairs, tmp_path / "c"))
    stop = StopToken()
    trainer = TrainTokenizerJob(str(tmp_path / "c"), TokenizerSettings(), tmp_path / "t")
    for event in run_inline(trainer, stop):
        if isinstance(event, Progress):
            stop.request("stop")
    assert isinstance(event, Stopped)
    assert not (tmp_path / "t").exists()
