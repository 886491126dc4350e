"""Names that travel between systems."""

import itertools
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.errors import EpitomeError
from core.storage import atomic_files
from core.storage.atomic_files import check_place, numbered_places, write_whole
from core.storage.portable_names import (
    check_file_name,
    find_name_problem,
    fold_name,
    make_portable,
    path_key,
)
from tests.helpers.odd_names import STAYING, TRAVELLING


@pytest.mark.parametrize("name", TRAVELLING)
def test_a_name_that_every_system_takes_stays(name: str) -> None:
    assert find_name_problem(name) == ""
    assert make_portable(name, "other") == name


@pytest.mark.parametrize(
    ("why", "name"), [(why, name) for why, names in STAYING.items() for name in names]
)
def test_a_name_that_some_system_takes_otherwise_is_replaced(why: str, name: str) -> None:
    assert why in find_name_problem(name)
    assert find_name_problem(make_portable(name, "other")) == ""
    (first, second) = itertools.islice(numbered_places(Path("out"), name, ".md"), 2)
    for place in (first, second):
        assert find_name_problem(place.name) == "" and place.suffix == ".md"
    assert first != second


@given(st.text(max_size=300))
@example("con\0.")
@example(". nul. ")
@example("\ud800")
@example("nul." + "ü" * 200)
def test_every_name_can_be_made_one_that_travels(text: str) -> None:
    made = make_portable(text, "other")
    assert find_name_problem(made) == ""
    assert make_portable(made, "other") == made
    assert not made.startswith(".")
    if not find_name_problem(text) and not text.startswith("."):
        assert made == text


def test_a_very_long_name_is_cut_at_once() -> None:
    assert make_portable("ü" * 500_000, "other") == "ü" * 127


@pytest.mark.parametrize("stem", ["Smith: notes", "report.", "nul", "con.backup", "x" * 300])
def test_results_are_named_as_every_system_takes_it(tmp_path: Path, stem: str) -> None:
    for place in itertools.islice(numbered_places(tmp_path, stem, ".md", "-7"), 3):
        write_whole(place, b"new")
    assert len(list(tmp_path.iterdir())) == 3
    assert all(find_name_problem(path.name) == "" for path in tmp_path.iterdir())


ELSEWHERE = [name for why in ("none of", "dot or space", "device") for name in STAYING[why]]


@pytest.mark.parametrize("name", [*ELSEWHERE, "nul.md", "out.md.", "out.md:notes"])
def test_windows_writes_no_file_that_it_would_put_elsewhere(name: str) -> None:
    check_file_name(PurePosixPath("out", name), "linux")
    with pytest.raises(OSError, match="name"):
        check_file_name(PurePosixPath("out", name), "win32")


@pytest.mark.parametrize("name", [*TRAVELLING, "论" * 200, ".hidden"])
def test_windows_writes_all_others(name: str) -> None:
    check_file_name(PurePosixPath("out", name), "win32")


def test_the_name_that_is_typed_is_refused_with_its_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        atomic_files, "check_file_name", lambda path: check_file_name(path, "win32")
    )
    message = r"nul\.md cannot be written \(Windows has a device of this name\)\."
    with pytest.raises(EpitomeError, match=message) as refused:
        write_whole(tmp_path / "nul.md", b"new")
    assert refused.value.remedy == "Choose another place."
    with pytest.raises(EpitomeError, match=message):
        check_place(tmp_path / "nul.md", replace=True)
    assert not list(tmp_path.iterdir())


COMPOSED, DECOMPOSED = "/Users/a/Caf\u00e9.txt", "/Users/a/Cafe\u0301.txt"


def test_paths_that_a_system_takes_for_one_have_the_same_key() -> None:
    assert path_key(COMPOSED, "darwin") == path_key(DECOMPOSED, "darwin")
    assert path_key(COMPOSED, "linux") != path_key(DECOMPOSED, "linux")
    assert path_key("C:\\Users\\A.txt", "win32") == path_key("c:\\users\\a.TXT", "win32")
    assert path_key("/A.txt", "linux") != path_key("/a.txt", "linux")


@pytest.mark.parametrize(("name", "typed"), [(DECOMPOSED, "CAF\u00c9"), (COMPOSED, "cafe\u0301")])
def test_a_name_is_found_however_its_accents_are_composed(name: str, typed: str) -> None:
    assert fold_name(typed) in fold_name(name)
