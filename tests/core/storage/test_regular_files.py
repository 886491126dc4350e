"""Whatever a person names as a file, its reading ends: by its end, a size, or a time."""

import os
import sys
import threading
from pathlib import Path

import pytest

from core.storage.regular_files import open_regular, read_given, read_regular

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")


def test_a_pipe_is_read_to_its_end(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"secret\n" * 20_000,))
    writer.start()
    assert read_given(pipe) == b"secret\n" * 20_000
    writer.join()


def test_a_pipe_that_nobody_writes_into_is_given_up(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(TimeoutError, match=r"it did not end within 0\.05 seconds"):
        read_given(tmp_path / "pipe", patience_s=0.05)


def test_a_pipe_whose_writer_never_ends_is_given_up(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    both = os.open(pipe, os.O_RDWR)
    os.write(both, b"first")
    try:
        with pytest.raises(TimeoutError):
            read_given(pipe, patience_s=0.05)
    finally:
        os.close(both)


def test_a_device_without_end_is_read_to_the_limit() -> None:
    with pytest.raises(OSError, match="it is larger than 1 MB"):
        read_given(Path("/dev/zero"), 1_000_000)
    assert read_given(Path("/dev/null")) == b""


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "hole.json"
    file.touch()
    os.truncate(file, 50_000_000_000)
    with pytest.raises(OSError, match="it is larger than 64 MB"):
        read_regular(file)
    with pytest.raises(OSError, match="it is larger than 64 MB"):
        read_given(file)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        read_given(tmp_path)


def test_a_pipe_in_place_of_a_file_is_not_even_opened(tmp_path: Path) -> None:
    pipe = tmp_path / "state.json"
    os.mkfifo(pipe)
    opened = threading.Event()

    def write() -> None:  # opening a pipe waits until somebody opens its other end
        os.close(os.open(pipe, os.O_WRONLY))
        opened.set()

    writer = threading.Thread(target=write)
    writer.start()
    with pytest.raises(OSError, match="not a file"):
        open_regular(pipe, "rb")
    was_opened = opened.wait(0.2)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    writer.join()
    os.close(reader)
    assert not was_opened


def test_a_pipe_that_took_a_file_s_place_meanwhile_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe = tmp_path / "state.json"
    os.mkfifo(pipe)
    monkeypatch.setattr(Path, "exists", lambda path: False)  # as it was a moment before
    with pytest.raises(OSError, match="not a file"):
        open_regular(pipe, "rb")
