"""Locks have one owner, however their files come and go."""

import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from hypothesis.strategies import booleans, integers

from core.data.staging import exclusive
from core.errors import EpitomeError
from core.storage import files
from core.storage.files import FileLock, is_held


def test_who_opened_a_lock_that_was_deleted_does_not_hold_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, third = (FileLock(tmp_path / "lock") for _ in range(3))
    assert first.acquire()
    original = files._lock

    def late(*arguments: Any) -> None:
        monkeypatch.setattr(files, "_lock", original)
        first.release(delete=True)  # after `second` has opened the file
        assert third.acquire()
        original(*arguments)

    monkeypatch.setattr(files, "_lock", late)
    assert not second.acquire()
    third.release(delete=True)
    assert second.acquire()
    second.release()


class Owners(RuleBasedStateMachine):
    """Several owners who take, give back and delete one lock in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.locks = [FileLock(self.folder / "lock") for _ in range(3)]

    @rule(number=integers(0, 2))
    def take(self, number: int) -> None:
        free = not any(lock.held for lock in self.locks)
        if not self.locks[number].held:
            assert self.locks[number].acquire() is free

    @rule(number=integers(0, 2), delete=booleans())
    def give_back(self, number: int, delete: bool) -> None:
        self.locks[number].release(delete=delete)

    @invariant()
    def one_owner_at_most(self) -> None:
        assert sum(lock.held for lock in self.locks) <= 1

    def teardown(self) -> None:
        for lock in self.locks:
            lock.release()
        shutil.rmtree(self.folder)


Owners.TestCase.settings = settings(max_examples=50, deadline=None)
TestOwners = Owners.TestCase


def test_a_folder_stays_locked_while_it_is_renamed(tmp_path: Path) -> None:
    folder = tmp_path / "growing"
    with exclusive(folder):
        folder.mkdir()
        folder.rename(tmp_path / "whole")
        with pytest.raises(EpitomeError, match="Another process is using"), exclusive(folder):
            pass
    assert [path.name for path in tmp_path.iterdir()] == ["whole"]
    with exclusive(folder):
        pass


def test_a_lock_is_seen_to_be_held_and_looking_takes_it_from_nobody(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    assert not is_held(path)
    assert not path.exists()
    lock = FileLock(path)
    assert lock.acquire()
    assert is_held(path) and is_held(path)
    lock.release()
    assert not is_held(path)
    assert lock.acquire()
    lock.release()


def test_a_file_that_another_process_has_open_is_replaced_once_it_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace, refused = Path.replace, []

    def replace_at_the_third(self: Path, target: Path) -> Path:
        if len(refused) < 2:
            error = PermissionError(13, "in use")
            error.winerror = 32  # type: ignore[attr-defined, unused-ignore]
            refused.append(error)
            raise error
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", replace_at_the_third)
    files.write_bytes(tmp_path / "a", b"new")
    assert (tmp_path / "a").read_bytes() == b"new"


def test_a_file_that_may_not_be_replaced_is_not_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[Path] = []

    def refuse(self: Path, target: Path) -> Path:
        tries.append(target)
        raise PermissionError(13, "not yours")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(EpitomeError, match="not yours"):
        files.write_bytes(tmp_path / "a", b"new")
    assert len(tries) == 1
