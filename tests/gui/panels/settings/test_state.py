"""What the panel shows, without a window."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import EpitomeError
from core.library.preferences import Preferences
from core.numbers import format_size
from gui.panels.settings.parts import bundled_parts, installed_parts, technical_details
from gui.panels.settings.state import (
    changed,
    matches,
    measure,
    shown_path,
)


def test_a_changed_value_makes_new_settings() -> None:
    before = Preferences()
    after = changed(before, "line_width", 75)
    assert (before.line_width, after.line_width) == (68, 75)
    assert changed(before, "line_width", 68) is before


def test_a_value_out_of_bounds_is_refused() -> None:
    with pytest.raises(EpitomeError, match="line_width"):
        changed(Preferences(), "line_width", 76)


def test_words_are_found_whatever_their_case_and_order() -> None:
    assert matches("SIZE text", "Text size", "Of source and summary")
    assert matches("", "anything")
    assert not matches("size colour", "Text size")


@pytest.mark.parametrize(
    ("num_bytes", "shown"),
    [
        (0, "0\u202fbytes"),
        (999, "999\u202fbytes"),
        (1000, "1.0\u202fkB"),
        (9_949, "9.9\u202fkB"),
        (9_960, "10\u202fkB"),
        (999_600, "1.0\u202fMB"),
        (38_200_000, "38\u202fMB"),
        (2 * 10**15, "2000\u202fTB"),
    ],
)
def test_size_is_shown_in_the_fitting_unit(num_bytes: int, shown: str) -> None:
    assert format_size(num_bytes) == shown


@given(st.integers(0, 999 * 10**12))
def test_size_never_shows_more_than_three_digits(num_bytes: int) -> None:
    number = format_size(num_bytes).split("\u202f")[0]
    assert len(number.replace(".", "")) <= 3


def test_folder_is_measured_with_all_below_and_no_link(tmp_path: Path) -> None:
    inner = tmp_path / "data" / "inner"
    inner.mkdir(parents=True)
    (tmp_path / "data" / "one").write_bytes(b"x" * 100)
    (inner / "two").write_bytes(b"x" * 30)
    outside = tmp_path / "elsewhere" / "outside"
    outside.parent.mkdir()
    outside.write_bytes(b"x" * 1000)
    with suppress(OSError):  # not allowed everywhere; the rest of the test holds
        (inner / "link").symlink_to(outside)
        (inner / "folder").symlink_to(outside.parent)
    assert list(measure(tmp_path / "data"))[-1] == 130
    assert list(measure(tmp_path / "none")) == [0]


def test_path_names_the_home_folder_shortly() -> None:
    shown = shown_path(Path.home() / "a" / "b").replace("\u200b", "")
    assert shown == str(Path("~") / "a" / "b")
    assert shown_path(Path("/else")).replace("\u200b", "") == str(Path("/else"))


def test_every_bundled_part_brings_its_licence() -> None:
    parts = bundled_parts()
    assert len(parts) == 5
    for part in parts:
        assert part.version and part.makers and part.licence
        assert "copyright" in part.read_licence().lower()


def test_the_program_and_what_it_asks_for_are_listed() -> None:
    parts = {part.name.lower().replace("_", "-"): part for part in installed_parts()}
    assert next(iter(parts)) == "epitome"
    assert "Apache License" in parts["epitome"].read_licence()
    assert {"pyside6-essentials", "numpy", "pypdfium2", "python"} <= set(parts)
    assert {"shiboken6", "lxml", "certifi"} <= set(parts), "what they ask for is listed, too"
    assert "torch" not in parts
    assert all(part.licence for part in parts.values())


def test_technical_details_name_versions_and_no_file() -> None:
    details = technical_details()
    assert details.startswith("Epitome ")
    assert "Qt 6" in details
    assert str(Path.home()) not in details
