"""The key of seals lies in the person's own data, and is the same in every process."""

import stat
import sys
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import BinaryIO

import pytest

from core.library import seal
from core.library.seal import seal_of


def in_another_process(text: str) -> str:
    """The seal as a process makes it that has not read the key yet."""
    seal._key.cache_clear()
    return seal_of(text)


@pytest.fixture
def key(home: Path) -> Path:
    seal._key.cache_clear()
    return home / "data" / "seal.key"


def test_a_seal_is_the_same_in_every_process(key: Path) -> None:
    first = seal_of("a text")
    assert in_another_process("a text") == first != seal_of("another text")
    assert len(key.read_bytes()) == 32


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
def test_nobody_else_can_read_the_key(key: Path) -> None:
    seal_of("a text")
    assert stat.S_IMODE(key.stat().st_mode) == 0o600


@pytest.mark.parametrize("left", [b"", b"half of it"])
def test_a_key_that_was_cut_short_is_made_again_once(key: Path, left: bytes) -> None:
    key.parent.mkdir(parents=True)
    key.write_bytes(left)
    first = seal_of("a text")
    assert in_another_process("a text") == first


def test_processes_that_begin_together_use_one_key(
    key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, others = seal.open_temporary, list[Future[bytes]]()

    def with_another(path: Path, permissions: int) -> BinaryIO:
        """Lets another one begin while the first one's file is open and still empty."""
        if not others:
            others.append(pool.submit(seal._key.__wrapped__, key))
            wait(others, timeout=0.5)
        return real(path, permissions)

    with ThreadPoolExecutor(1) as pool:
        monkeypatch.setattr(seal, "open_temporary", with_another)
        first = seal._key(key)
    assert others[0].result() == first == key.read_bytes()


def test_a_key_is_read_where_nothing_can_be_written(
    key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = seal_of("a text")

    def refused(path: Path) -> None:
        raise PermissionError(path)

    monkeypatch.setattr(seal, "locked", refused)
    assert in_another_process("a text") == first


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
def test_without_a_place_for_the_key_there_are_seals_all_the_same(key: Path) -> None:
    key.parent.parent.mkdir(parents=True, exist_ok=True)
    key.parent.write_text("a file, where the folder would be", "utf-8")
    assert seal_of("a text") == seal_of("a text")
