"""What is known of the built-in summariser: its languages, what it learnt from, how it did."""

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
        told: On what was measured, and what, one sentence.
        rows: Names and values.
        recipe: How, with the command that does it again.
    """

    told: str
    rows: tuple[tuple[str, str], ...]
    recipe: str


@dataclass(frozen=True)
class BuiltInFacts:
    """What is known of the built-in summariser.

    Args:
        languages: English names of those it knows; it reads others too.
        trained_on: What it learnt from, in a few words.
        tables: How it did before this version was given away.
    """

    languages: tuple[str, ...] = ()
    trained_on: str = ""
    tables: tuple[MeasuredTable, ...] = ()


@cache
def built_in_facts() -> BuiltInFacts:
    """As they stand beside its models in the resources."""
    told: dict[str, Any] = parse_json(resource("ranker/scores.json").read_text("utf-8"))
    tables = (
        MeasuredTable(each["told"], tuple(map(tuple, each["rows"])), each["recipe"])
        for each in told["tables"]
    )
    known = tuple(language.name for language in languages().values())
    return BuiltInFacts(known, told["trained_on"], tuple(tables))
