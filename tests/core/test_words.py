"""The help texts of settings and commands keep one plain form."""

import argparse
import importlib
import pkgutil
from collections.abc import Iterator

import pytest

import core
from core.cli.main import COMMANDS, build_parser
from core.settings import Settings

LONGEST = 120
UNCLEAR = ("if not given", "is told", "so many")


def settings_classes() -> list[type[Settings]]:
    """All settings classes of `core`, also those of modules that no command imports."""
    for module in pkgutil.walk_packages(core.__path__, "core."):
        if module.name.endswith(("settings", "preferences")):
            importlib.import_module(module.name)
    found = [Settings]
    for each in found:
        found += [child for child in each.__subclasses__() if child not in found]
    return [each for each in found if each.__module__.startswith("core.")]


def commands() -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Each command with its parser."""
    (choices,) = (a.choices for a in build_parser()._actions if isinstance(a.choices, dict))
    yield from choices.items()


def test_all_settings_are_looked_at() -> None:
    names = {each.__name__ for each in settings_classes()}
    assert {"TrainSettings", "CorpusSettings", "DecodingSettings", "Preferences"} <= names


@pytest.mark.parametrize("settings", settings_classes(), ids=lambda each: str(each.__qualname__))
def test_each_help_is_one_short_sentence(settings: type[Settings]) -> None:
    for name, info in settings.model_fields.items():
        text = info.description or ""
        assert info.title, f"{name} has no title"
        assert text[:1].isupper() and text.endswith("."), f"{name}: {text!r}"
        assert ". " not in text and len(text) <= LONGEST, f"{name}: {text!r}"
        assert not any(words in text for words in UNCLEAR), f"{name}: {text!r}"


@pytest.mark.parametrize("command", COMMANDS)
def test_each_option_of_a_command_has_help(command: str) -> None:
    parser = dict(commands())[command]
    assert parser.description
    for action in parser._actions:
        text = action.help or ""
        assert text[:1].isupper() or isinstance(action, argparse._HelpAction), action
        assert not any(words in text for words in UNCLEAR), action
