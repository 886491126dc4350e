"""A name means a folder among the person's own, or the one of that name here."""

import sys
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.errors import EpitomeError
from core.library.named_folders import (
    find_name_problem,
    make_portable,
    named_folder,
    new_folder,
    own_folder,
    typed_path,
)


def test_a_new_folder_is_where_its_name_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    under = tmp_path / "corpora"
    (tmp_path / "papers").mkdir()
    assert new_folder("papers", under) == under / "papers"
    assert new_folder("./papers", under) == tmp_path / "papers"
    assert new_folder("deep/papers", under) == tmp_path / "deep" / "papers"
    assert new_folder(tmp_path / "x", under) == tmp_path / "x"


def test_a_name_is_looked_for_among_named_folders_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    under = tmp_path / "corpora"
    assert named_folder("papers", under) == under / "papers"
    (tmp_path / "papers").mkdir()
    assert named_folder("papers", under) == tmp_path / "papers"
    (under / "papers").mkdir(parents=True)
    assert named_folder("papers", under) == under / "papers"


def test_a_tilde_before_no_name_of_a_person_is_part_of_the_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    assert typed_path("~/papers") == tmp_path / "home" / "papers"
    for name in ("~notes of nobody.txt", "~$report.docx", "~nobody here/x"):
        assert typed_path(name) == Path(name)
    assert named_folder("~run of nobody", tmp_path / "runs").name == "~run of nobody"
    assert new_folder("~nobody here/x", tmp_path / "runs") == tmp_path / "~nobody here" / "x"


@pytest.mark.parametrize("name", ["", " ", "a\0b", "x" * 300])
def test_what_can_be_no_name_is_told(name: str, tmp_path: Path) -> None:
    with pytest.raises(EpitomeError, match=r"(Give it a|Choose a shorter) name\."):
        new_folder(name, tmp_path)


def test_what_is_to_be_found_by_its_name_has_one(tmp_path: Path) -> None:
    assert own_folder("rate 1e-3", tmp_path, "a run") == tmp_path / "rate 1e-3"
    for name in ("rate 1e-3/warm-up 1", "../elsewhere", "a\\b", ".hidden", str(tmp_path / "x")):
        with pytest.raises(EpitomeError, match="cannot be the name of a run: it has no slashes"):
            own_folder(name, tmp_path, "a run")
    with pytest.raises(EpitomeError, match="at most 255 bytes"):
        own_folder("ü" * 128, tmp_path / "not made yet", "a run")


TRAVELLING = [
    "run", "run 2", "rate 1e-3", "papers-2026", "Größe", "论文", "a.b.c", "console", "com10",
    "nullify", "aux-1", "lpt", "~notes", "x" * 255, "ü" * 127, "_nul",
    "a,b;c=d&e'f`g$h%i#j@k!l+m(n)[o]{p}",
]  # fmt: skip
STAYING = {
    "none of": ["a:b", "C:run", "a?b", "a*", "<x>", 'say "x"', "a|b", "run:stream"],
    "control characters": ["a\tb", "a\nb", "\x1b[31m", "a\udcffb"],
    "dot or space": ["run.", "run ", "run. .", "a.b."],
    "device": [
        "nul", "NUL", "con", "Aux", "prn.txt", "com1", "LPT9.tar.gz", "COM¹", "nul .x",
        "conin$",
    ],
    "bytes": ["x" * 256, "ü" * 128],
}  # fmt: skip


@pytest.mark.parametrize("name", TRAVELLING)
def test_a_name_that_every_system_takes_is_taken(name: str, tmp_path: Path) -> None:
    assert find_name_problem(name) == ""
    assert make_portable(name, "other") == name
    assert own_folder(name, tmp_path, "a run") == tmp_path / name


@pytest.mark.parametrize(
    ("why", "name"), [(why, name) for why, names in STAYING.items() for name in names]
)
def test_a_name_that_some_system_takes_otherwise_is_refused(
    why: str, name: str, tmp_path: Path
) -> None:
    under = tmp_path / "not made yet"
    assert why in find_name_problem(name)
    for refuse in (own_folder, new_folder):
        with pytest.raises(EpitomeError, match=f"cannot be the name of a run: .*{why}"):
            refuse(name, under, "a run")
    assert find_name_problem(make_portable(name, "other")) == ""


def test_the_last_name_of_a_path_is_checked_too(tmp_path: Path) -> None:
    assert new_folder(tmp_path / "a:b" / "run", tmp_path) == tmp_path / "a:b" / "run"
    with pytest.raises(EpitomeError, match="has none of"):
        new_folder(tmp_path / "run" / "a:b", tmp_path)
    assert new_folder("..", tmp_path).name == ".."
    assert new_folder("/", tmp_path).name == ""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows makes no such folders")
def test_what_has_another_name_already_stays_usable(tmp_path: Path) -> None:
    for name in ("a:b", "nul", "run.", "Ru?n"):
        (tmp_path / name).mkdir()
        assert named_folder(name, tmp_path) == tmp_path / name
        assert new_folder(name, tmp_path) == tmp_path / name
        assert own_folder(name, tmp_path, "a run") == tmp_path / name


@pytest.mark.parametrize(
    ("there", "name"),
    [("Run", "run"), ("run", "RUN"), ("Größe", "gro\u0308ße"), ("caf\u0065\u0301", "café")],
)
def test_a_name_that_is_there_in_other_letters_is_refused(
    there: str, name: str, tmp_path: Path
) -> None:
    (tmp_path / there).mkdir()
    with pytest.raises(EpitomeError, match=f"“{there}” is there already"):
        own_folder(name, tmp_path, "a run")
    assert own_folder(f"{name}-2", tmp_path, "a run") == tmp_path / f"{name}-2"


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
