"""What is open survives a kill at any moment; nothing unseen is deleted.

The crashes here are real: a child process is killed, and its folder is looked at.
"""

import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from core.documents.document import Document
from core.errors import EpitomeError
from core.jobs.documents.open_document import OpenJob
from core.jobs.sources.sources import SourceRef
from core.library.kept_copy import has_checksum, read_copy, write_copy
from core.library.session import (
    Session,
    delete_all,
    delete_aside,
    discard,
    left_behind,
    set_session_aside,
)
from core.library.session_state import SessionState
from core.stop import StopToken
from tests.helpers.damage import DAMAGES, fill
from tests.helpers.summaries import a_document
from tests.helpers.systems import make_link

OPEN = """
import sys
from pathlib import Path
from core.documents.document import Document
from core.library.session import *
from core.library.session_state import SessionState
session = Session.begin(Path(sys.argv[1]))
document = Document.from_bytes(Path(sys.argv[2]).read_bytes())
choices = ("12s", (3,), (5,), 99, "mine")
state = SessionState("/cell.pdf", document.title, document.source.sha256, *choices)
session.keep_document(document)
session.keep_state(state)
print(session.folder, flush=True)
"""
WAIT = "sys.stdin.read()\n"
ENDLESS = """
for number in range(10**9):
    session.keep_document(document)
    session.keep_state(SessionState(**{**vars(state), "scroll_offset": number}))
    print(flush=True)
"""


KILLED_WHILE_WRITING = """
import os, signal
os.fsync = lambda number: os.kill(os.getpid(), 9)  # after the bytes, before the name
session.keep_state(SessionState("/other.pdf"))
"""


@contextmanager
def child(sessions: Path, script: str) -> Iterator[subprocess.Popen[bytes]]:
    """Another window: a process with a session, killed at the end of the block."""
    kept = sessions.with_name("document.bin")
    kept.write_bytes(a_document().to_bytes())
    command = [sys.executable, "-c", script, str(sessions), str(kept)]
    pipe = subprocess.PIPE
    root = Path(__file__).parents[3]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, cwd=root) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        try:
            yield process
        finally:
            process.kill()


@pytest.fixture
def sessions(tmp_path: Path) -> Path:
    return tmp_path / "session"


def a_state(document: Document, **changes: object) -> SessionState:
    values = {"path": "/cell.pdf", "title": document.title, "sha256": document.source.sha256}
    return SessionState(**{**values, **changes})  # type: ignore[arg-type]


def test_a_killed_window_leaves_its_document_and_its_settings(sessions: Path) -> None:
    with child(sessions, OPEN + WAIT):
        pass
    (left,) = left_behind(sessions)
    state = left.shown.state
    assert (state.path, state.title, state.length) == ("/cell.pdf", "A lithium cell", "12s")
    assert (state.pinned, state.dropped, state.scroll_offset) == ((3,), (5,), 99)
    assert state.model == "mine"
    assert state.saved.endswith("+00:00")
    document = read_copy(left.shown.file)
    assert document.text == a_document().text


def test_a_second_running_copy_is_no_crash(sessions: Path) -> None:
    with child(sessions, OPEN + WAIT) as process:
        assert left_behind(sessions) == []
        assert process.poll() is None
    assert len(left_behind(sessions)) == 1


def test_our_own_session_is_no_crash_and_a_clean_end_leaves_nothing(sessions: Path) -> None:
    session = Session.begin(sessions)
    session.keep_document(a_document())
    session.keep_state(a_state(a_document()))
    assert left_behind(sessions) == []
    session.end()
    assert left_behind(sessions) == []
    assert [path.name for path in sessions.iterdir()] == ["door.lock"]


@pytest.mark.parametrize("writes", [1, 7, 40])
def test_killed_in_the_middle_of_writing_it_has_all_of_one_state(
    sessions: Path, writes: int
) -> None:
    with child(sessions, OPEN + ENDLESS) as process:
        assert process.stdout is not None
        for _ in range(writes):
            process.stdout.readline()
        process.send_signal(signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM)
    (left,) = left_behind(sessions)
    assert left.shown.file
    assert (left.shown.state.length, left.shown.state.pinned) == ("12s", (3,))
    read_copy(left.shown.file)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_killed_before_a_file_has_its_name_it_has_the_file_before(sessions: Path) -> None:
    with child(sessions, OPEN + KILLED_WHILE_WRITING) as process:
        assert process.wait() == -signal.SIGKILL
    (left,) = left_behind(sessions)
    assert (left.shown.state.path, left.shown.state.length) == ("/cell.pdf", "12s")
    assert any(path.suffix == ".tmp" for path in left.folder.iterdir())


def crashed(sessions: Path) -> Path:
    """The folder of a session that crashed with a document open."""
    session = Session.begin(sessions)
    session.keep_document(a_document())
    session.keep_state(a_state(a_document(), pinned=(3,)))
    session._lock.release()  # what the system does for a process that dies
    return session.folder


def test_half_a_file_beside_the_whole_one_does_no_harm(sessions: Path) -> None:
    folder = crashed(sessions)
    for name in ("document.bin.77.tmp", "state.json.77.tmp"):
        (folder / name).write_bytes(b'{"pinned": [1,')
    (left,) = left_behind(sessions)
    assert left.shown.file and left.shown.state.pinned == (3,)


def test_killed_between_document_and_state_it_has_the_document(sessions: Path) -> None:
    folder = crashed(sessions)
    other = a_document(title="Another")
    source = type(other.source)("other.pdf", "/other.pdf", "cd" * 32)
    other = Document(**{**vars(other), "source": source})
    (folder / "document.bin").write_bytes(other.to_bytes())
    (left,) = left_behind(sessions)
    state = left.shown.state
    assert (state.path, state.title, state.pinned) == ("/other.pdf", "Another", ())
    assert left.saved


@pytest.mark.parametrize("name", ["state.json", "document.bin"])
@pytest.mark.parametrize("damage", [b"", b"{}", b"\x00" * 99], ids=["empty", "bare", "zeros"])
def test_what_is_damaged_is_still_listed_and_still_there(
    sessions: Path, name: str, damage: bytes
) -> None:
    folder = crashed(sessions)
    (folder / name).write_bytes(damage)
    (left,) = left_behind(sessions)
    assert bool(left.shown.file) == (name == "state.json")
    assert left.shown.state.title == "A lithium cell"
    (folder / "state.json").write_bytes(damage)
    assert len(left_behind(sessions)) == 1
    assert {path.name for path in folder.iterdir()} == {"lock", "state.json", "document.bin"}


@pytest.mark.parametrize("share", [0.3, 0.9, 0.99])
def test_a_copy_that_was_cut_is_not_shown_as_whole(sessions: Path, share: float) -> None:
    folder = crashed(sessions)
    file = folder / "document.bin"
    written = file.read_bytes()
    file.write_bytes(written[: round(len(written) * share)])
    (left,) = left_behind(sessions)
    assert not left.shown.file
    assert left.damaged == ("document.bin",)


@pytest.mark.parametrize("name", ["state.json", "document.bin"])
@given(data=st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
def test_a_changed_byte_is_found(tmp_path: Path, name: str, data: st.DataObject) -> None:
    folder = crashed(tmp_path / uuid4().hex)
    file = folder / name
    written = bytearray(file.read_bytes())
    at = data.draw(st.integers(0, len(written) - 1))
    written[at] ^= 1 << data.draw(st.integers(0, 7))
    file.write_bytes(written)
    (left,) = left_behind(folder.parent)
    if name == "document.bin":
        assert not left.shown.file
        assert left.damaged == (name,)
    else:
        assert left.damaged == (name,) or left.shown.state.pinned == (3,)


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", ["state.json", "document.bin", "lock"])
def test_taking_a_session_over_keeps_what_is_damaged(
    sessions: Path, name: str, damage: str
) -> None:
    folder = crashed(sessions)
    DAMAGES[damage](folder / name)
    (left,) = left_behind(sessions)
    session = Session.adopt(left)
    assert session is not None
    session.end()
    assert not folder.exists()
    assert left_behind(sessions) == [], "it is told once"
    if left.damaged:
        assert [path.name for path in left.aside_folder.iterdir()] == [name]
    else:
        assert name == "lock"


def test_a_session_of_which_nothing_is_left_is_renamed_and_kept(sessions: Path) -> None:
    folder = crashed(sessions)
    for name in ("state.json", "document.bin"):
        fill(folder / name)
    (left,) = left_behind(sessions)
    assert not left.can_be_opened
    aside = set_session_aside(left)
    assert aside == left.aside_folder
    assert left_behind(sessions) == []
    assert (aside / "document.bin").exists()
    delete_aside(aside)
    assert not aside.exists()


def test_only_what_was_set_aside_is_deleted(sessions: Path) -> None:
    folder = crashed(sessions)
    delete_aside(folder)
    assert folder.exists()


def make_older(file: Path, *left_out: str) -> None:
    """Makes a state what programs wrote that had one document open and no checksums."""
    (values,) = json.loads(file.read_bytes())["documents"]
    file.write_text(json.dumps({k: v for k, v in values.items() if k not in left_out}), "utf-8")


def without_checksums(folder: Path) -> None:
    """Makes a session what programs wrote before there were checksums."""
    long_enough = a_document("The separator is cast. " * 6, "A layer of nitride stops it. " * 3)
    (folder / "document.bin").write_bytes(long_enough.to_bytes())
    make_older(folder / "state.json", "copy")


def test_a_session_without_checksums_still_opens_and_has_one_from_then_on(sessions: Path) -> None:
    folder = crashed(sessions)
    without_checksums(folder)
    (left,) = left_behind(sessions)
    assert left.shown.file and left.shown.state.pinned == (3,) and not left.damaged
    for _ in OpenJob(SourceRef(kept=left.shown.file)).run(StopToken()):
        pass
    assert has_checksum(left.shown.file)
    assert left_behind(sessions)[0].shown.file


def test_a_copy_without_checksum_that_was_cut_is_damaged(sessions: Path) -> None:
    folder = crashed(sessions)
    without_checksums(folder)
    file = folder / "document.bin"
    file.write_bytes(file.read_bytes()[:-1])
    assert left_behind(sessions)[0].damaged == ("document.bin",)


def test_a_session_in_which_nothing_was_open_goes_away(sessions: Path) -> None:
    session = Session.begin(sessions)
    session.keep_state(SessionState(length="3s"))
    session._lock.release()
    assert left_behind(sessions) == []
    assert not session.folder.exists()


def test_looking_at_what_is_left_deletes_nothing(sessions: Path) -> None:
    crashed(sessions)
    assert left_behind(sessions) == left_behind(sessions) != []


def test_one_window_takes_a_session_over_and_the_other_is_told(sessions: Path) -> None:
    crashed(sessions)
    (left,) = left_behind(sessions)
    session = Session.adopt(left)
    assert session is not None
    assert left_behind(sessions) == []
    assert Session.adopt(left) is None
    discard(left)
    assert session.copy_file().exists()
    session.end()
    assert Session.adopt(left) is None
    discard(left)


def test_a_discarded_session_is_gone(sessions: Path) -> None:
    folder = crashed(sessions)
    other = crashed(sessions)
    discard(next(left for left in left_behind(sessions) if left.folder == folder))
    assert not folder.exists() and other.exists()


def test_a_folder_half_taken_away_is_no_crash(sessions: Path) -> None:
    folder = crashed(sessions)
    folder.rename(folder.with_name(folder.name + ".ended"))
    assert left_behind(sessions) == []
    assert [path.name for path in sessions.iterdir()] == ["door.lock"]


@pytest.mark.parametrize(
    "name", ["photos", "photos.ended", "0123456789ab", "0123456789ab.ended", "0123456789ab.damaged"]
)
@pytest.mark.parametrize("is_link", [False, True])
def test_folders_of_others_stay_as_they_are(
    sessions: Path, tmp_path: Path, name: str, is_link: bool
) -> None:
    folder = sessions / name
    place = tmp_path / "victim" if is_link else folder
    place.mkdir(parents=True)
    (place / "a.jpg").touch()
    if is_link:
        sessions.mkdir(exist_ok=True)
        make_link(folder, place)
    assert left_behind(sessions) == [] and delete_all(sessions) == 0
    assert [path.name for path in place.iterdir()] == ["a.jpg"] and folder.is_dir()


def test_what_else_is_in_a_session_stays_when_it_is_discarded(sessions: Path) -> None:
    folder = crashed(sessions)
    (folder / "a.jpg").touch()
    (left,) = left_behind(sessions)
    discard(left)
    assert [path.name for path in folder.iterdir()] == ["a.jpg"]
    assert left_behind(sessions) == []


def test_the_newest_crash_comes_first(sessions: Path) -> None:
    older, newer = crashed(sessions), crashed(sessions)
    text = (older / "state.json").read_text("utf-8")
    year = left_behind(sessions)[0].shown.state.saved[:4]
    values = json.loads(text.replace(f'"{year}-', '"2001-'))
    del values["checksum"]
    (older / "state.json").write_text(json.dumps(values), "utf-8")
    assert [left.folder for left in left_behind(sessions)] == [newer, older]


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "session").write_text("a file where the folder should be", "utf-8")
    with pytest.raises(EpitomeError, match=r"cannot be written .* Set EPITOME_HOME"):
        Session.begin(tmp_path / "session")


def test_where_no_lock_can_be_held_nothing_was_left_behind(sessions: Path) -> None:
    crashed(sessions)
    (sessions / "door.lock").unlink()
    (sessions / "door.lock").mkdir()
    assert left_behind(sessions) == []


class Windows(RuleBasedStateMachine):
    """Windows come and go in any order; what was open and not ended is always found."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.sessions = Path(self.folder.name) / "session"
        self.running: dict[str, Session] = {}
        self.crashed: set[str] = set()
        self.opened: set[str] = set()

    @rule()
    def begin(self) -> None:
        session = Session.begin(self.sessions)
        self.running[session.folder.name] = session

    @rule(data=st.data())
    def open_a_document(self, data: st.DataObject) -> None:
        if self.running:
            name = data.draw(st.sampled_from(sorted(self.running)))
            self.running[name].keep_state(SessionState(path=f"/{name}"))
            self.opened.add(name)

    @rule(data=st.data(), cleanly=st.booleans())
    def leave(self, data: st.DataObject, cleanly: bool) -> None:
        if self.running:
            name = data.draw(st.sampled_from(sorted(self.running)))
            session = self.running.pop(name)
            if cleanly:
                session.end()
            else:
                session._lock.release()
                self.crashed |= {name} & self.opened

    @rule(data=st.data(), keep=st.booleans())
    def look(self, data: st.DataObject, keep: bool) -> None:
        if self.crashed:
            name = data.draw(st.sampled_from(sorted(self.crashed)))
            left = next(it for it in left_behind(self.sessions) if it.folder.name == name)
            self.crashed.remove(name)
            if keep:
                session = Session.adopt(left)
                assert session is not None
                self.running[name] = session
            else:
                discard(left)

    @invariant()
    def exactly_the_crashed_are_listed(self) -> None:
        listed = {left.folder.name for left in left_behind(self.sessions)}
        assert listed == self.crashed
        assert all(session.folder.is_dir() for session in self.running.values())

    def teardown(self) -> None:
        for session in self.running.values():
            session.end()
        self.folder.cleanup()


TestWindows = Windows.TestCase
TestWindows.settings = settings(max_examples=15, stateful_step_count=15, deadline=None)


def test_a_state_from_before_models_could_be_chosen_is_read(sessions: Path) -> None:
    with child(sessions, OPEN + WAIT):
        pass
    (file,) = sessions.glob("*/state.json")
    make_older(file, "copy", "model")
    (left,) = left_behind(sessions)
    assert (left.shown.state.length, left.shown.state.model) == ("12s", "built-in")


# Several documents


def titled(title: str) -> Document:
    """A document of its own: title, file and hash."""
    document = a_document(title=title)
    source = type(document.source)(f"{title}.pdf", f"/{title}.pdf", title.encode().hex())
    return Document(**{**vars(document), "source": source})


def crashed_with(sessions: Path, *titles: str, shown: int = 0) -> Path:
    """The folder of a session that crashed with several documents open."""
    session = Session.begin(sessions)
    states = []
    for number, title in enumerate(titles, 1):
        document = titled(title)
        session.keep_document(document, number)
        path, sha256 = document.source.path, document.source.sha256
        states.append(SessionState(path, title, sha256, pinned=(number,), copy=number))
    session.keep_state(*states, shown=shown)
    session._lock.release()  # what the system does for a process that dies
    return session.folder


def titles(sessions: Path) -> list[str]:
    (left,) = left_behind(sessions)
    return [document.state.title for document in left.documents]


def test_all_open_documents_come_back_in_their_order(sessions: Path) -> None:
    crashed_with(sessions, "mill", "weir", "lock", shown=1)
    (left,) = left_behind(sessions)
    assert titles(sessions) == ["mill", "weir", "lock"]
    assert left.shown.state.title == "weir"
    assert [document.state.pinned for document in left.documents] == [(1,), (2,), (3,)]
    files = [document.file for document in left.documents]
    assert [read_copy(file).title for file in files if file] == ["mill", "weir", "lock"]


def test_what_was_not_read_yet_comes_back_by_its_file(sessions: Path) -> None:
    session = Session.begin(sessions)
    session.keep_document(titled("mill"))
    sha256 = titled("mill").source.sha256
    waiting = SessionState("/weir.pdf", "weir.pdf", copy=2)
    session.keep_state(SessionState("/mill.pdf", "mill", sha256), waiting, shown=1)
    session._lock.release()
    (left,) = left_behind(sessions)
    assert [document.can_be_opened for document in left.documents] == [True, True]
    assert (left.shown.file, left.shown.state.path) == (None, "/weir.pdf")


def test_a_damaged_copy_is_that_documents_loss_alone(sessions: Path) -> None:
    folder = crashed_with(sessions, "mill", "weir", "lock", shown=2)
    fill(folder / "document-2.bin")
    (left,) = left_behind(sessions)
    assert [bool(document.file) for document in left.documents] == [True, False, True]
    assert left.damaged == ("document-2.bin",)
    assert left.shown.state.title == "lock"


def test_without_a_state_the_copies_are_there(sessions: Path) -> None:
    folder = crashed_with(sessions, *"abcdefghijk")
    fill(folder / "state.json")
    assert titles(sessions) == list("abcdefghijk")
    (left,) = left_behind(sessions)
    assert left.damaged == ("state.json",)


def test_killed_while_one_of_several_was_read_it_is_there_too(sessions: Path) -> None:
    folder = crashed_with(sessions, "mill", "weir")
    write_copy(folder / "document-2.bin", titled("lock"))
    write_copy(folder / "document-3.bin", titled("quay"))
    assert titles(sessions) == ["mill", "lock", "quay"]


def test_other_files_in_the_folder_are_no_documents(sessions: Path) -> None:
    folder = crashed_with(sessions, "mill")
    for name in ("document-1.bin", "document-x.bin", "document-02.bin", "a document.bin"):
        write_copy(folder / name, titled("weir"))
    assert titles(sessions) == ["mill"]


@given(data=st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
def test_a_changed_byte_among_several_documents_is_found(
    tmp_path: Path, data: st.DataObject
) -> None:
    names = ("mill", "weir", "lock")
    folder = crashed_with(tmp_path / uuid4().hex, *names, shown=1)
    file = folder / data.draw(st.sampled_from(["state.json", "document.bin", "document-3.bin"]))
    written = bytearray(file.read_bytes())
    at = data.draw(st.integers(0, len(written) - 1))
    written[at] ^= 1 << data.draw(st.integers(0, 7))
    file.write_bytes(written)
    (left,) = left_behind(folder.parent)
    assert tuple(document.state.title for document in left.documents) == names
    assert all(document.can_be_opened for document in left.documents)
    if file.suffix == ".bin":
        assert left.damaged == (file.name,)


def test_a_copy_that_comes_after_the_session_ended_is_not_kept(tmp_path: Path) -> None:
    session = Session.begin(tmp_path)
    session.end()
    session.keep_document(a_document())
    write_copy(tmp_path / "elsewhere" / "document.bin", a_document())
    assert [path.name for path in tmp_path.iterdir()] == ["door.lock"]


def test_a_copy_that_cannot_be_written_is_told_while_the_session_lasts(tmp_path: Path) -> None:
    session = Session.begin(tmp_path)
    session.copy_file().mkdir()
    with pytest.raises(EpitomeError, match="it is a folder"):
        session.keep_document(a_document())
    session.end()
