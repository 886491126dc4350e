"""From a settings class to command-line options, and to the table of a job file.

Every option is a field: same name, same help, same default. What was typed is checked by the
settings class itself, so the command line refuses what the window and the job file refuse.
"""

import argparse
import types
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any, Literal, NoReturn, TypeVar, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from core.errors import EpitomeError
from core.settings import NONE, Settings, is_optional

S = TypeVar("S", bound=Settings)


PROCESSES_WITHOUT_EFFECT = "The cluster's workers do the work, so --processes changes nothing."


class WrongUsageError(EpitomeError):
    """What was typed cannot be meant: exit code 2."""


@contextmanager
def as_wrong_usage() -> Iterator[None]:
    """Makes an error about a value that was typed one of wrong usage.

    Yields:
        None: errors inside the block are caught.

    Raises:
        WrongUsageError: For each `EpitomeError`, in the same words.
    """
    try:
        yield
    except EpitomeError as error:
        raise WrongUsageError(error.message, error.remedy) from error


class Parser(argparse.ArgumentParser):
    """A parser that tells what is wrong in the words of the program."""

    def error(self, message: str) -> NoReturn:
        """Raises `WrongUsageError` for what `argparse` found."""
        told = message[:1].upper() + message[1:]
        raise WrongUsageError(f"{told}.", f"See {self.prog} --help.")


def add_options(
    parser: argparse.ArgumentParser | argparse._ArgumentGroup,
    settings: type[Settings],
    left_out: Collection[str] = (),
    others: Mapping[str, type[Settings]] = MappingProxyType({}),
) -> None:
    """Adds an option for each field of a settings class, to a parser or to a part of its help.

    Args:
        parser: What they are added to.
        settings: The class.
        left_out: Names of fields that have their option already.
        others: By name, classes whose fields of the same names have the same option; the help
            says where what they do, or their defaults, are different.
    """
    for name, info in settings.model_fields.items():
        if name in left_out:
            continue
        flag = f"--{name.replace('_', '-')}"
        # Absent unless typed, so that what was typed wins over a job file, and it over defaults.
        shared: dict[str, Any] = {
            "dest": name,
            "default": argparse.SUPPRESS,
            "help": _help(info, {each: kind.model_fields[name] for each, kind in others.items()}),
        }
        metavar = _metavar(info, *(kind.model_fields[name] for kind in others.values()))
        if info.annotation is bool:
            parser.add_argument(flag, action=argparse.BooleanOptionalAction, **shared)
        elif get_origin(info.annotation) is tuple:
            parser.add_argument(flag, action="append", metavar=metavar, **shared)
        else:
            parser.add_argument(flag, metavar=metavar, **shared)


def add_force(parser: argparse.ArgumentParser) -> None:
    """Adds the option by which files are replaced; it is typed each time, and in no job file."""
    parser.add_argument("--force", action="store_true", help="Replace output files that exist")


def checked(settings: type[S], *values: dict[str, Any]) -> S:
    """Settings from several sets of values, the later ones winning.

    Args:
        settings: The class.
        *values: Field names and values; names of other classes are passed over.

    Returns:
        The settings.

    Raises:
        WrongUsageError: If a value is not allowed.
    """
    known = {
        name: value
        for some in values
        for name, value in some.items()
        if name in settings.model_fields
    }
    with as_wrong_usage():
        return settings.checked(known)


def _help(info: FieldInfo, others: Mapping[str, FieldInfo] = MappingProxyType({})) -> str:
    """The line of help, and where other classes differ by name: in what they do, in the default."""
    text, default = _described(info), _shown_default(info)
    texts = {name: _described(other) for name, other in others.items()}
    text += "".join(f"; {name}: {other}" for name, other in texts.items() if other != text)
    if not default:
        return text
    defaults = {name: _shown_default(other) for name, other in others.items()}
    differing = (f"; {name}: {other}" for name, other in defaults.items() if other != default)
    return f"{text} (default: {default}{''.join(differing)})"


def _described(info: FieldInfo) -> str:
    return (info.description or "").rstrip(".").replace("%", "%%")


def _shown_default(info: FieldInfo) -> str:
    """A default as the help says it; empty where there is nothing to say."""
    default = info.default
    if isinstance(default, bool):
        return "on" if default else "off"
    if isinstance(default, tuple):
        return " ".join(map(str, default)).replace("%", "%%")
    return (NONE if default is None else str(default)).replace("%", "%%")


def _metavar(*infos: FieldInfo) -> str:
    """What stands for the value: all that any of the fields takes."""
    shown = [_shown_type(info.annotation, info.title or "text") for info in infos]
    values = dict.fromkeys(value for each in shown for value in each.split("|"))
    return "|".join([*values, *([NONE] if is_optional(infos[0]) and NONE not in values else [])])


def _shown_type(kind: Any, title: str) -> str:
    if get_origin(kind) is tuple:
        kind = get_args(kind)[0]
    if get_origin(kind) in (Union, types.UnionType):
        kind = next(part for part in get_args(kind) if part is not types.NoneType)
    if get_origin(kind) is Literal:
        return "|".join(str(value) for value in get_args(kind))
    if kind in (int, float):
        return "N"
    return title.upper().replace(" ", "_")
