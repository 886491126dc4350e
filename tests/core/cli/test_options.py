"""Options come from settings: one name, one help, one default, one check."""

import argparse
from pathlib import Path
from typing import Literal

import pytest

import core.cli.main  # noqa: F401 - registers how lost characters are shown
from core.cli.job_file import given_job
from core.cli.options import Parser, WrongUsageError, add_options, checked
from core.runs.job_file import write_job
from core.settings import Settings, option


class Kitchen(Settings):
    """A settings class with every kind of field."""

    oven_heat: float = option(180, "Heat", "How hot, 100 % is too hot.", ge=50, le=250)
    count: int | None = option(None, "Count", "How many.")
    kind: Literal["bread", "cake"] = option("bread", "Kind", "What is baked.")
    gas: bool = option(False, "Gas", "Whether the oven burns gas.")
    include: tuple[str, ...] = option((), "Pattern", "What goes in.")
    layers: tuple[Literal["cream", "jam"], ...] = option(("jam", "cream"), "Layers", "In turn.")
    name: str = option("", "Name", "What it is called.")


TABLES: dict[str, type[Settings]] = {"settings": Kitchen}


def typed(*words: str) -> Kitchen:
    parser = Parser(prog="bake")
    add_options(parser, Kitchen)
    return checked(Kitchen, vars(parser.parse_args(words)))


def test_nothing_typed_gives_the_defaults() -> None:
    assert typed() == Kitchen()


def test_every_kind_of_field_can_be_typed() -> None:
    words = "--oven-heat 200 --count 3 --kind cake --gas --include a --include b --name x"
    assert typed(*words.split()) == Kitchen(
        oven_heat=200, count=3, kind="cake", gas=True, include=("a", "b"), name="x"
    )
    assert not typed("--gas", "--no-gas").gas


def test_an_optional_setting_of_a_file_can_be_unset() -> None:
    file = {"count": 3, "name": "none"}
    assert checked(Kitchen, file, {"count": "none"}) == Kitchen(count=None, name="none")
    assert typed("--count", "none").count is None


def test_help_and_defaults_are_those_of_the_fields() -> None:
    parser = Parser(prog="bake")
    add_options(parser, Kitchen)
    told = " ".join(parser.format_help().split())
    assert "--oven-heat N How hot, 100 % is too hot (default: 180)" in told
    assert "--kind bread|cake What is baked (default: bread)" in told
    assert "--count N|none How many (default: none) --kind" in told
    assert "(default: off)" in told
    assert "--include PATTERN What goes in --layers" in told
    assert "--layers cream|jam In turn (default: jam cream)" in told


class Grill(Kitchen):
    """Another place."""

    oven_heat: float = option(250, "Oven heat", "How hot, 100 % is too hot.")


def test_the_help_of_an_option_of_several_classes_tells_each_default() -> None:
    parser = Parser(prog="bake")
    add_options(parser, Kitchen, others={"grill": Grill})
    told = " ".join(parser.format_help().split())
    assert "How hot, 100 % is too hot (default: 180; grill: 250)" in told
    assert "--kind bread|cake What is baked (default: bread)" in told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--oven-heat 300", "“oven_heat” was '300'"),
        ("--oven-heat warm", "“oven_heat” was 'warm'"),
        ("--kind pie", "“kind” was 'pie': it should be 'bread' or 'cake'"),
        ("--count 1.5", "“count” was '1.5'"),
        ("--count many", "“count” was 'many': it should be a valid integer, or none."),
        ("--oven-heat none", "“oven_heat” was 'none': it should be a valid number."),
        ("--layers jam --layers ham", "“layers.1” was 'ham': it should be 'cream' or 'jam'"),
    ],
)
def test_the_settings_refuse_what_was_typed(words: str, told: str) -> None:
    with pytest.raises(WrongUsageError) as error:
        typed(*words.split())
    assert told in error.value.message


def test_a_typed_option_wins_over_the_file_and_the_file_over_the_default(tmp_path: Path) -> None:
    file = tmp_path / "job.toml"
    file.write_text('sources = ["x"]\n[settings]\ncount = 4\nname = "file"\n', "utf-8")
    words = argparse.Namespace(config=file, name="typed", other=1)
    job = given_job("bake", TABLES, words)
    settings = job[Kitchen]
    assert (settings.count, settings.name, settings.kind) == (4, "typed", "bread")
    assert job.sources == ("x",)
    preset = {"settings": {"count": 5, "name": "preset"}}
    job = given_job("bake", TABLES, words, ["y"], preset)
    assert (job[Kitchen].count, job[Kitchen].name, job.sources) == (5, "typed", ("y",))


def test_a_printed_job_reads_back_the_same(tmp_path: Path) -> None:
    file = tmp_path / "job.toml"
    wished = Kitchen(oven_heat=99.5, gas=True, include=("*.pdf", 'a"b'), name="é\n[x]")
    file.write_text(write_job("bake", ("a b.pdf", "-"), {"settings": wished}), "utf-8")
    job = given_job("bake", TABLES, argparse.Namespace(config=file))
    assert job.sources == ("a b.pdf", "-")
    assert job[Kitchen] == wished
    assert "# How hot, 100 % is too hot.\n" in file.read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x =", "cannot be read"),
        ('command = "fry"', "is for the command “fry”, not for “bake”"),
        ("schema_version = 7", "was made by a newer Epitome"),
        ("schema_version = 0", "has schema version 0"),
        ("sources = 3", "“sources” that are no list"),
        ("[other]", "holds “other”"),
        ("settings = 1", "holds “settings”"),
        ("[settings]\nheat = 1", "holds “heat” in [settings]"),
    ],
)
def test_a_job_file_that_cannot_be_meant_is_refused(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "job.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(WrongUsageError) as error:
        given_job("bake", TABLES, argparse.Namespace(config=file))
    assert told in error.value.message


def test_a_missing_job_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(WrongUsageError, match="cannot be read"):
        given_job("bake", TABLES, argparse.Namespace(config=tmp_path / "none.toml"))


def test_argparse_speaks_in_our_words() -> None:
    parser: argparse.ArgumentParser = Parser(prog="bake")
    with pytest.raises(WrongUsageError) as error:
        parser.parse_args(["--nonsense"])
    assert str(error.value) == "Unrecognized arguments: --nonsense. See bake --help."


def test_a_terminal_that_cannot_show_a_thin_space_gets_a_plain_one() -> None:
    assert "14\u202f962 “words”".encode("ascii", "epitome.showable") == b"14 962 ?words?"
    assert "14\u202f962".encode("utf-8", "epitome.showable").decode() == "14\u202f962"
