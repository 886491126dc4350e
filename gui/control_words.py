"""Errors and notes of the core in the words of the window: they name its controls, not options.

The core writes remedies for the command line, since each of its settings has an option. In the
window a setting has a field of the same name, and a command has a panel.
"""

import re
from dataclasses import replace
from typing import Final, TypeVar

from core.errors import EpitomeError
from core.events import Event, Failed, Message

E = TypeVar("E", bound=Event)

_FIELDS: Final = {
    "from": "Start from",
    "out": "Name",
}
"""Controls that are not called as their options are."""

_PANELS: Final = {
    "train": "Train",
    "tokenizer": "Train",
    "corpus": "Corpus",
    "gsg": "Corpus",
    "profile": "Memory",
    "measure": "Memory",
    "compare": "Compare",
    "evaluate": "Models",
    "models": "Models",
    "summarise": "Summarise",
}

_PHRASES: Final[tuple[tuple[str, str], ...]] = (
    # An optional part that is missing; the first form is that of a repository.
    (
        r"\b[Rr]un (?:python3|py -3) packaging/bootstrap\.py run --with-\w+",
        "Install it in Settings",
    ),
    (r"\b[Rr]un epitome install \w+", "Install it in Settings"),
    (r"\bneeds epitome install \w+", "needs a part that Settings installs"),
    (r"\bRun epitome models import (.+?)(?=\.?$)", r"Import \1 in the panel Models"),
    (r"\bSee epitome list models", "The panel Models shows them"),
    (r"\bSee the runs with epitome list runs", "The panel Train shows the runs"),
    (r"; epitome list runs shows them", "; the panel Train shows them"),
    (r"\bthat epitome compare --out made", "that the panel Compare made"),
    (
        r"with the changed file: epitome train .+",
        "with its settings: “New job with these settings…” in the menu of the run.",
    ),
    (r"\bSee --print-config for", "“Save as a job file…” shows"),
    (r"\bRun the command again: finished work is kept", "Try again: finished work is kept"),
    (r"(, such as) --vary (\S+?)=(\S+[^\s.,])", r"\1 \2 with the values \3"),
    (r"\bName a --model, or a file of --predictions", "Choose a model, or a file of summaries"),
    (r"\banother --out\b", "another name"),
    (r"\badd --no-([a-z-]+)", r"turn --\1 off"),
    (r"\b[Ll]eave out --no-([a-z-]+)", r"Turn --\1 on"),
    (r"\b(with|of) epitome ([a-z]+)(?: … --out NAME)?", r"in the panel epitome \2"),
)
_VALUES = r"cpu|cuda|mps|auto|local|remove|mask|found|fp32|bf16|gsg|pairs|text|\d+"
_OPTION = (
    r"(?<!start )(?<!install )"  # of other programs
    rf"(?<![\w“\"'/.-])--(?:no-)?([a-z][a-z-]*[a-z])(?: ({_VALUES})\b)?(?![\w=-])"
)
_COMMAND = rf"(?<![\w“/.-])(?<!type: )(?:the panel )?epitome ({'|'.join(_PANELS)})\b(?![/-]|\.\w)"


def in_window(text: str) -> str:
    """Returns a text of the core in which options are fields, and commands are panels."""
    if "--" not in text and "epitome " not in text:
        return text
    for pattern, words in _PHRASES:  # compiled when they are first needed, not at the start
        text = re.sub(pattern, words, text)
    text = re.sub(_COMMAND, lambda found: f"the panel {_PANELS[found[1]]}", text)
    return re.sub(_OPTION, _name_field, text)


def _name_field(found: re.Match[str]) -> str:
    name = found[1]
    title = _FIELDS.get(name, name.replace("-", " ").capitalize())
    return f"“{title}: {found[2]}”" if found[2] else f"“{title}”"


def explain(error: EpitomeError | Failed) -> str:
    """Returns what was wrong and what to do, in the words of the window."""
    return in_window(f"{error.message} {error.remedy}")


def event_in_window(event: E) -> E:
    """Returns an event whose sentences are in the words of the window."""
    if isinstance(event, Failed):
        return replace(event, message=in_window(event.message), remedy=in_window(event.remedy))
    if isinstance(event, Message):
        return replace(event, text=in_window(event.text))
    return event
