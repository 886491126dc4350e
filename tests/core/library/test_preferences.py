"""Settings of the window: checked, kept, never lost."""

from pathlib import Path

import pytest

from core.errors import EpitomeError
from core.library.preferences import (
    Preferences,
    WindowState,
    change_preferences,
    load_preferences,
    load_window_state,
    save_preferences,
    save_window_state,
    settings_of_keeping,
)


def test_settings_come_back_as_they_were(tmp_path: Path) -> None:
    file = tmp_path / "config" / "settings.toml"
    wished = Preferences(text_face="inter", reading_size=20, theme="dark", length="10%")
    save_preferences(wished, file)
    assert load_preferences(file) == (wished, "")


def test_of_two_windows_each_writes_only_what_was_changed_in_it(tmp_path: Path) -> None:
    file = tmp_path / "config" / "settings.toml"
    usual = Preferences(theme="dark")
    change_preferences(usual.model_copy(update={"private": True}), ["private"], file)
    assert load_preferences(file)[0] == Preferences(theme="dark", private=True)
    change_preferences(usual.model_copy(update={"reading_size": 20}), ["reading_size"], file)
    assert load_preferences(file)[0] == Preferences(theme="dark", private=True, reading_size=20)
    assert settings_of_keeping(file)["private"] is True


@pytest.mark.parametrize("data", [b"private = ", b"private = 3", b"\xff"])
def test_a_damaged_file_is_set_aside_and_all_that_holds_here_is_written(
    tmp_path: Path, data: bytes
) -> None:
    file = tmp_path / "settings.toml"
    file.write_bytes(data)
    assert settings_of_keeping(file) == {}
    assert file.read_bytes() == data, "to look changes nothing"
    change_preferences(Preferences(theme="dark", reading_size=20), ["reading_size"], file)
    assert load_preferences(file)[0] == Preferences(theme="dark", reading_size=20)
    assert [path.read_bytes() for path in tmp_path.glob("*damaged*")] == [data]


def test_what_a_newer_program_sets_of_privacy_is_found(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("schema_version = 99\nprivate = true\nhistory_megabytes = 'all'\n", "utf-8")
    assert settings_of_keeping(file) == {"private": True, "history": True}
    with pytest.raises(EpitomeError, match="newer"):
        change_preferences(Preferences(), ["private"], file)


def test_where_settings_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "config").write_bytes(b"")
    with pytest.raises(EpitomeError) as caught:
        change_preferences(Preferences(), ["theme"], tmp_path / "config" / "settings.toml")
    assert "cannot be written" in caught.value.message


def test_without_a_file_the_defaults_hold_and_nothing_is_said(tmp_path: Path) -> None:
    assert load_preferences(tmp_path / "settings.toml") == (Preferences(), "")


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"reading_size": 13}, "“reading_size” was 13"),
        ({"line_width": 76}, "“line_width” was 76"),
        ({"theme": "pink"}, "“theme” was 'pink'"),
        ({"length": "0s"}, "The length “0s” is not one"),
        ({"colour": 1}, "“colour” is not a setting."),
    ],
)
def test_values_out_of_bounds_are_refused(values: dict[str, object], told: str) -> None:
    with pytest.raises(EpitomeError) as error:
        Preferences.checked(values)
    assert told in error.value.message


def test_a_refused_value_is_told_in_whole_sentences() -> None:
    with pytest.raises(EpitomeError) as error:
        Preferences.checked({"length": "0s", "reading_size": "x"})
    assert error.value.message == (
        "“reading_size” was 'x': it should be a valid integer. The length “0s” is not one: "
        "whole sentences (5s), whole words (120w) or a share up to 100 % (10%) are."
    )


@pytest.mark.parametrize("damage", [b"theme = ", b"theme = 'pink'\n", b"\xff\xfe\x00"])
def test_a_damaged_file_is_set_aside_and_said(tmp_path: Path, damage: bytes) -> None:
    file = tmp_path / "settings.toml"
    file.write_bytes(damage)
    preferences, note = load_preferences(file)
    assert preferences == Preferences()
    assert note.endswith("It is kept as settings.damaged.toml; the defaults are used.")
    assert note.count("The settings file") == 1, note
    assert (tmp_path / "settings.damaged.toml").read_bytes() == damage
    assert load_preferences(file) == (Preferences(), "")


def test_the_window_is_found_as_it_was_left(tmp_path: Path) -> None:
    file = tmp_path / "window.json"
    state = WindowState("AdnQ", "summarise", {"summarise": {"source_share": 700}})
    save_window_state(state, file)
    assert load_window_state(file) == (state, "")


def test_a_window_file_of_an_older_program_is_read(tmp_path: Path) -> None:
    file = tmp_path / "window.json"
    file.write_text(
        '{"geometry": "AdnQ", "panel": "settings", "splitters": {"summarise": [400]}}', "utf-8"
    )
    state, note = load_window_state(file)
    assert state == WindowState("AdnQ", "settings", {"summarise": {"source_share": 400}})
    assert note == ""


def test_a_damaged_file_that_cannot_be_renamed_is_passed_over(tmp_path: Path) -> None:
    file = tmp_path / ("s" * 248 + ".toml")  # with "damaged" in it, longer than a name may be
    file.write_bytes(b"theme = ")
    preferences, note = load_preferences(file)
    assert preferences == Preferences() and note.endswith(" The defaults are used.")
    assert load_window_state(file)[0] == WindowState()


@pytest.mark.parametrize("damage", [b"{", b"[1]", b'{"geometry": 1}', b'{"splitters": {"a": "x"}}'])
def test_a_damaged_window_file_gives_the_default(tmp_path: Path, damage: bytes) -> None:
    file = tmp_path / "window.json"
    file.write_bytes(damage)
    state, note = load_window_state(file)
    assert state == WindowState() and "window.json is damaged. It is kept as" in note
    assert (tmp_path / "window.damaged.json").read_bytes() == damage
