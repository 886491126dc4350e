"""Facts about the built-in summariser: its languages, its training data and its scores."""

from dataclasses import dataclass
from functools import cache
from typing import Any

from core.distribution.resources import resource
from core.documents.languages import languages
from core.storage.parsing import parse_json


@dataclass(frozen=True)
class MeasuredTable:
    """Scores that were measured together, as docs/evaluation.md has them.

    Args:
        told: The documents and the measure, in one sentence.
        rows: Names and values.
        recipe: The method, with the command that repeats it.
    """

    told: str
    rows: tuple[tuple[str, str], ...]
    recipe: str


@dataclass(frozen=True)
class BuiltInFacts:
    """Facts about the built-in summariser.

    Args:
        languages: English names of the languages it knows; it reads others too.
        trained_on: Its training data, in a few words.
        tables: Its scores in this version.
    """

    languages: tuple[str, ...] = ()
    trained_on: str = ""
    tables: tuple[MeasuredTable, ...] = ()


@cache
def built_in_facts() -> BuiltInFacts:
    """Returns the facts that are stored beside its models in the resources."""
    told: dict[str, Any] = parse_json(resource("ranker/scores.json").read_text("utf-8"))
    tables = (
        MeasuredTable(each["told"], tuple(map(tuple, each["rows"])), each["recipe"])
        for each in told["tables"]
    )
    known = tuple(language.name for language in languages().values())
    return BuiltInFacts(known, told["trained_on"], tuple(tables))
