"""A file is written whole or not at all, and what is in its place is lost on request only."""

import errno
import os
import stat
import sys
from pathlib import Path

import pytest

from core.errors import EpitomeError, ExistsError
from core.library.preferences import Preferences, load_preferences, save_preferences
from core.storage.atomic_files import open_whole, write_beside, write_whole
from core.storage.files import append_whole, write_json
from core.storage.regular_files import open_regular
from core.storage.temporary_names import is_temporary_name, open_temporary

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_replaced_on_request_only(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    write_whole(file, b"old")
    with pytest.raises(ExistsError, match=r"a\.md exists already\. .* --force"):
        write_whole(file, b"new")
    assert file.read_bytes() == b"old"
    write_whole(file, b"new", replace=True)
    assert file.read_bytes() == b"new" and names(tmp_path) == ["a.md"]


@pytest.mark.parametrize("has_links", [True, False])
def test_a_file_that_comes_while_another_is_written_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, has_links: bool
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    if not has_links:
        monkeypatch.setattr(os, "link", refuse)
    file = tmp_path / "a.md"
    with pytest.raises(ExistsError), open_whole(file) as new:
        new.write(b"new")
        file.write_bytes(b"of another")
    assert file.read_bytes() == b"of another" and names(tmp_path) == ["a.md"]
    write_whole(tmp_path / "b.md", b"new")
    assert (tmp_path / "b.md").read_bytes() == b"new" and names(tmp_path) == ["a.md", "b.md"]


def test_nothing_is_left_where_the_writing_fails(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), open_whole(tmp_path / "a.md") as new:
        new.write(b"half")
        raise ZeroDivisionError
    assert names(tmp_path) == []


@POSIX
@pytest.mark.parametrize("replace", [False, True])
@pytest.mark.parametrize("is_there", [False, True])
def test_nothing_is_written_through_a_link(
    tmp_path: Path, *, replace: bool, is_there: bool
) -> None:
    victim, link = tmp_path / "victim.txt", tmp_path / "a.md"
    if is_there:
        victim.write_bytes(b"precious")
    link.symlink_to(victim)
    for write in (
        lambda: write_whole(link, b"new", replace=replace),
        lambda: append_whole(link, b"more"),
    ):
        with pytest.raises(EpitomeError, match="it is a link"):
            write()
    with pytest.raises(OSError, match="it is a link"):
        open_regular(link, "wb")
    assert link.is_symlink() and victim.exists() == is_there
    assert not is_there or victim.read_bytes() == b"precious"


@POSIX
def test_a_file_of_the_home_takes_the_place_of_a_link(tmp_path: Path) -> None:
    victim, link = tmp_path / "victim.txt", tmp_path / "recents.json"
    victim.write_bytes(b"precious")
    link.symlink_to(victim)
    write_json(link, [1])
    assert victim.read_bytes() == b"precious"
    assert not link.is_symlink() and link.read_bytes() == b"[\n 1\n]"


@POSIX
def test_settings_that_are_kept_elsewhere_stay_there(tmp_path: Path) -> None:
    kept, link = tmp_path / "dotfiles" / "epitome.toml", tmp_path / "settings.toml"
    kept.parent.mkdir()
    save_preferences(Preferences(), kept)
    link.symlink_to(kept)
    wished = Preferences(keep_awake=not Preferences().keep_awake)
    save_preferences(wished, link)
    assert link.is_symlink() and load_preferences(kept)[0] == wished
    assert names(tmp_path) == ["dotfiles", "settings.toml"]


def test_no_file_or_link_can_be_put_in_the_place_of_a_temporary_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("secrets.token_hex", lambda size: "00" * size)
    planted = tmp_path / f"a.md.epitome-{os.getpid()}-00000000.tmp"
    planted.write_bytes(b"precious")
    with pytest.raises(FileExistsError):
        open_temporary(tmp_path / "a.md")
    monkeypatch.undo()
    write_whole(tmp_path / "a.md", b"new")
    assert planted.read_bytes() == b"precious"


def test_temporary_names_are_known(tmp_path: Path) -> None:
    with open_temporary(tmp_path / "a.md") as file:
        assert is_temporary_name(Path(file.name).name)
    assert is_temporary_name("recents.json.4711.tmp")
    for other in ("a.md", "a.tmp", "a.md.tmp", "a.4711.tmp.md", "4711.tmp"):
        assert not is_temporary_name(other)


@POSIX
def test_until_a_file_is_whole_it_is_for_its_owner_only(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    write_whole(file, b"old")
    file.chmod(0o640)
    with open_whole(file, replace=True) as new:
        assert stat.S_IMODE(Path(new.name).stat().st_mode) == 0o600
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


def test_a_batch_takes_the_first_place_that_is_free(tmp_path: Path) -> None:
    places = [tmp_path / f"{number}.md" for number in range(4)]
    places[0].write_bytes(b"old")
    places[1].mkdir()

    def write(path: Path) -> None:
        if path == places[2]:
            path.write_bytes(b"came a moment ago")
        write_whole(path, b"new")

    assert write_beside(places, write, replace=False) == (places[3], places[0])
    assert places[0].read_bytes() == b"old" and places[2].read_bytes() == b"came a moment ago"
    assert places[3].read_bytes() == b"new"
