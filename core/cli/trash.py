"""``epitome trash``: restores what was deleted, or deletes it for good."""

import argparse
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from core.cli.command import Report, run_one
from core.cli.console import Console
from core.cli.help import Example
from core.cli.options import WrongUsageError
from core.errors import EpitomeError
from core.export.json_file import envelope
from core.jobs.queue.trash_contents import (
    DeleteTrashedJob,
    RestoreTrashedJob,
    TrashedItem,
    trash_contents,
)
from core.library.folders import Folders
from core.library.named_folders import typed_path
from core.numbers import format_quantity, format_size
from core.stop import StopToken
from core.storage.portable_names import compose_name

ACTIONS = ("restore", "delete", "empty")

EXAMPLES = (
    Example("Restore a model, run, corpus or batch", "epitome trash restore first"),
    Example("Delete it for good", "epitome trash delete first"),
    Example("Delete all that is in the trash", "epitome trash empty"),
)


def add_command(parser: argparse.ArgumentParser) -> None:
    """Adds what can be typed after ``epitome trash``."""
    parser.add_argument(
        "action", choices=ACTIONS, metavar="ACTION", help=f"What to do: {', '.join(ACTIONS)}"
    )
    parser.add_argument(
        "name", metavar="NAME", nargs="?", default="",
        help="Name or folder of one item, as epitome list trash has them",
    )  # fmt: skip
    parser.set_defaults(run=run_command)


def run_command(options: argparse.Namespace, console: Console) -> int:
    """Does what was typed; gives the exit code."""
    action, name = options.action, options.name
    if bool(name) == (action == "empty"):
        needs = "takes no name" if name else "needs the name of an item"
        raise WrongUsageError(f"epitome trash {action} {needs}.", "See epitome trash --help.")
    folders = Folders.of_this_user()
    items = trash_contents(folders, StopToken())
    if name:
        items = (_find(name, items),)
    if action == "restore":
        job, report = (
            RestoreTrashedJob(items[0], folders),
            partial(_report_restored, name, items[0]),
        )
        return run_one(job, "", console, report, as_json=options.json)
    report = partial(_report_deleted, action, name, items)
    return run_one(DeleteTrashedJob(items, folders), "", console, report, as_json=options.json)


def _find(name: str, items: Sequence[TrashedItem]) -> TrashedItem:
    """Returns the item that is meant by its folder or its name."""
    place = typed_path(name).absolute()
    composed = compose_name(name)
    matches = [
        item for item in items if composed == compose_name(item.place.name) or place == item.place
    ]
    matches = matches or [item for item in items if composed == compose_name(item.name)]
    if not matches:
        raise EpitomeError(f"There is no “{name}” in the trash.", "See epitome list trash.")
    if len(matches) > 1:
        names = ", ".join(item.place.name for item in matches)
        raise EpitomeError(
            f"“{name}” is the name of {len(matches)} items in the trash.",
            f"Write the folder of one of them: {names}.",
        )
    return matches[0]


def _report_restored(name: str, item: TrashedItem, folder: Path) -> Report:
    is_renamed = not item.job and folder.name != item.name
    words = f"“{item.name}” is restored as “{folder.name}”, since there is another one of its name."
    return Report(
        lambda: _envelope("restore", name, {"folder": str(folder)}),
        lambda: [str(folder)],
        [words] if is_renamed else [],
    )


def _report_deleted(
    action: str, name: str, items: Sequence[TrashedItem], freed_bytes: int
) -> Report:
    result = {"deleted": [item.name for item in items], "freed_bytes": freed_bytes}
    what = f"“{items[0].name}”" if name else format_quantity(len(items), "item")
    words = f"Deleted {what} for good, {format_size(freed_bytes)}."
    return Report(
        lambda: _envelope(action, name, result),
        list,
        [words if items else "The trash is empty."],
    )


def _envelope(action: str, name: str, result: dict[str, Any]) -> dict[str, Any]:
    return envelope("trash", None, {"action": action, "name": name}, result, {})
