"""``epitome list``: the runs, corpora, tokenizers and models there are, and the trash."""

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from datetime import datetime
from functools import partial
from typing import Any

from core.cli.command import Report, run_one
from core.cli.console import Console
from core.cli.help import Example
from core.export.json_file import envelope
from core.jobs.models.inventory import (
    KINDS,
    Kind,
    Listed,
    ListedCorpus,
    ListedModel,
    ListedRun,
    ListedTokenizer,
    ListedTrash,
    ListJob,
)
from core.library.folders import Folders
from core.numbers import format_count, format_size

EXAMPLES = (
    Example("All training runs, the newest first", "epitome list runs"),
    Example("What --model accepts in epitome summarise", "epitome list models"),
    Example("The corpora, for a script", "epitome list corpora --json"),
    Example("What was deleted, and how long it stays", "epitome list trash"),
)

_GAP = "  "
_HEADS: dict[Kind, tuple[str, ...]] = {
    "runs": ("run", "state", "step", "loss", "objective", "corpus", "changed", "size"),
    "corpora": ("corpus", "rows are", "train", "validation", "test", "changed", "size"),
    "tokenizers": ("tokenizer", "tokens", "changed", "size"),
    "models": ("model", "family", "step", "changed", "size"),
    "trash": ("name", "holds", "days left", "size", "folder"),
}
_NUMBERS = {"step", "loss", "train", "validation", "test", "tokens", "size", "days left"}
_NOTHING: dict[Kind, str] = {
    "runs": "There is no run yet; epitome train makes one.",
    "corpora": "There is no corpus yet; epitome corpus SOURCE… --out NAME makes one.",
    "tokenizers": "There is no tokenizer yet; epitome tokenizer CORPUS --out NAME makes one.",
    "models": "There is no model.",
    "trash": "The trash is empty.",
}


def add_command(parser: argparse.ArgumentParser) -> None:
    """Adds what can be typed after ``epitome list``."""
    parser.add_argument(
        "kind", choices=KINDS, metavar="KIND", help=f"What to list: {', '.join(KINDS)}"
    )
    parser.set_defaults(run=run_command)


def run_command(options: argparse.Namespace, console: Console) -> int:
    """Prints the list; gives the exit code."""
    job = ListJob(options.kind, Folders.of_this_user())
    return run_one(job, "", console, partial(_report, options.kind), as_json=options.json)


def _report(kind: Kind, found: tuple[Listed, ...]) -> Report:
    faults = [f"{each.name}: {each.fault}" for each in found if each.fault]
    nothing = [] if found else [_NOTHING[kind]]
    return Report(
        lambda: _envelope(kind, found, faults), lambda: _table(kind, found), [*nothing, *faults]
    )


def _envelope(kind: Kind, found: tuple[Listed, ...], faults: list[str]) -> dict[str, Any]:
    result = {"kind": kind, "items": [asdict(each) for each in found]}
    return envelope("list", None, {"kind": kind}, result, {}, faults)


def _table(kind: Kind, found: Sequence[Listed]) -> Iterator[str]:
    if not found:
        return
    heads = _HEADS[kind]
    rows = [heads, *(_CELLS[kind](each) for each in found)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            cell.rjust(width) if head in _NUMBERS else cell.ljust(width)
            for cell, width, head in zip(row, widths, heads, strict=True)
        )
        yield _GAP.join(cells).rstrip()


def _of_run(run: Any) -> tuple[str, ...]:
    assert isinstance(run, ListedRun)
    loss = "" if run.best_loss is None else f"{run.best_loss:.3f}"
    step = f"{format_count(run.step)} of {format_count(run.steps)}" if run.steps else ""
    return run.name, run.state, step, loss, run.objective, run.corpus, *_end(run)


def _of_corpus(corpus: Any) -> tuple[str, ...]:
    assert isinstance(corpus, ListedCorpus)
    counts = (corpus.rows.get(split) for split in ("train", "validation", "test"))
    told = (format_count(count) if count else "" for count in counts)
    return corpus.name, corpus.make, *told, *_end(corpus)


def _of_tokenizer(tokenizer: Any) -> tuple[str, ...]:
    assert isinstance(tokenizer, ListedTokenizer)
    size = tokenizer.vocabulary_size
    return tokenizer.name, "" if size is None else format_count(size), *_end(tokenizer)


def _of_model(model: Any) -> tuple[str, ...]:
    assert isinstance(model, ListedModel)
    step = format_count(model.step) if model.step else ""
    return model.name, model.family, step, *_end(model)


def _of_trash(item: Any) -> tuple[str, ...]:
    assert isinstance(item, ListedTrash)
    size = format_size(item.size_bytes)
    return item.name, item.holds, format_count(item.days_left), size, item.folder


_CELLS: dict[Kind, Callable[[Any], tuple[str, ...]]] = {
    "runs": _of_run,
    "corpora": _of_corpus,
    "tokenizers": _of_tokenizer,
    "models": _of_model,
    "trash": _of_trash,
}


def _end(each: Listed) -> tuple[str, str]:
    """When it was changed, in local time, and its size."""
    when = datetime.fromisoformat(each.changed).astimezone() if each.changed else None
    size = format_size(each.size_bytes) if each.folder else ""
    return f"{when:%Y-%m-%d %H:%M}" if when else "", size
