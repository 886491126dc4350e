"""``epitome models``: takes in models of others, makes them longer, and shows what is known."""

import argparse
import os
from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from core.cli.command import Report, run_one
from core.cli.console import Console
from core.cli.help import Example
from core.cli.options import WrongUsageError, add_options, as_wrong_usage, checked
from core.errors import EpitomeError
from core.export.json_file import envelope
from core.jobs.job import Job
from core.jobs.models.convert_model import ConvertModelJob, ConvertSettings
from core.jobs.models.describe_models import DescribedModel, described
from core.jobs.models.import_folder import ImportFolderJob, ImportSettings
from core.jobs.models.import_gguf import SUFFIX as GGUF_SUFFIX
from core.jobs.models.import_gguf import ImportGGUFJob
from core.jobs.models.import_model import ImportModelJob
from core.library.folders import Folders
from core.library.named_folders import named_folder, new_folder, typed_path
from core.models.families import get_family
from core.models.hugging_face.conversion_report import conversion_lines, read_conversion
from core.models.model_file import SUFFIX
from core.numbers import format_count, format_size
from core.settings import Settings
from core.system.shell import shell_line

ACTIONS = ("import", "convert", "show")
_SETTINGS: dict[str, type[Settings]] = {"import": ImportSettings, "convert": ConvertSettings}

EXAMPLES = (
    Example("Import a model that was downloaded", "epitome models import bart-large-cnn"),
    Example(
        "Import a GGUF file, for which the part gguf is needed", "epitome models import m.gguf"
    ),
    Example(
        "Make one that reads 4,096 tokens at once",
        "epitome models convert bart-large-cnn --length 4096 --out bart-4k",
    ),
    Example("What is known of a model", "epitome models show bart-4k"),
)


def add_command(parser: argparse.ArgumentParser) -> None:
    """Adds what can be typed after ``epitome models``."""
    parser.add_argument(
        "action", choices=ACTIONS, metavar="ACTION", help=f"What to do: {', '.join(ACTIONS)}"
    )
    parser.add_argument(
        "model", metavar="MODEL",
        help="Folder of a Hugging Face model, GGUF file, exported file, or a model of yours",
    )  # fmt: skip
    parser.add_argument(
        "--out", metavar="NAME", default=argparse.SUPPRESS, help="Name of the new model"
    )
    add_options(parser.add_argument_group("import"), ImportSettings, {"out"})
    add_options(parser.add_argument_group("convert"), ConvertSettings, {"out"})
    parser.set_defaults(run=run_command)


def run_command(options: argparse.Namespace, console: Console) -> int:
    """Does what was typed; gives the exit code."""
    settings = _settings(options)
    folders = Folders.of_this_user()
    runs = folders.runs
    with as_wrong_usage():
        folder = named_folder(options.model, runs)
    if options.action == "show":
        return _show(folder, console, as_json=options.json)
    _refuse_taken(vars(options).get("out", ""), runs)
    job: Job
    if isinstance(settings, ConvertSettings):
        job = ConvertModelJob(folder, runs, settings)
    elif options.model.lower().endswith(SUFFIX):
        name = _own_name(options)
        job = ImportModelJob(typed_path(options.model).absolute(), runs, name, folders.trash)
    elif options.model.lower().endswith(GGUF_SUFFIX):
        assert isinstance(settings, ImportSettings)
        job = ImportGGUFJob(typed_path(options.model).absolute(), runs, settings)
    else:
        # A name here is that of a folder, not of a model that is there already.
        source = typed_path(options.model).absolute()
        assert isinstance(settings, ImportSettings)
        job = ImportFolderJob(source, runs, settings)
    values = settings.model_dump(mode="json") if settings else {}
    report = partial(_report, options.action, values)
    return run_one(job, "models", console, report, as_json=options.json)


def _settings(options: argparse.Namespace) -> Settings | None:
    """The settings of the action; refuses options of another one."""
    kind = _SETTINGS.get(options.action)
    known = set(kind.model_fields) if kind else set()
    for other in _SETTINGS.values():
        for name in other.model_fields:
            if name in options and name not in known:
                raise WrongUsageError(
                    f"--{name.replace('_', '-')} means nothing for epitome models "
                    f"{options.action}.",
                    "Leave it out.",
                )
    return checked(kind, vars(options)) if kind else None


def _refuse_taken(name: str, runs: Path) -> None:
    """Refuses a name that was typed and is somebody's: a script would go on with that model."""
    if not name:
        return
    with as_wrong_usage():
        place = new_folder(name, runs, "a model")
    if os.path.lexists(place):
        raise EpitomeError(
            f"There is a model or another folder {place} already.",
            "Choose another name, or delete it.",
        )


def _own_name(options: argparse.Namespace) -> str:
    """The name that was typed for an exported model; refuses to take it in in another way."""
    for name in ImportSettings.model_fields:
        if name != "out" and name in options:
            raise WrongUsageError(
                f"--{name.replace('_', '-')} means nothing for an exported model, which is taken "
                "in as it was exported.",
                "Leave it out.",
            )
    return str(vars(options).get("out", ""))


def _report(action: str, settings: dict[str, Any], folder: Path) -> Report:
    lines = list(_lines(folder))
    result = _result(folder)
    is_found = folder.parent == Folders.of_this_user().runs
    used_as = folder.name if is_found else str(folder)
    return Report(
        lambda: envelope("models", None, {"action": action, **settings}, result, {}),
        lambda: lines,
        [f"The model is “{folder.name}”; use it with {shell_line(['--model', used_as])}."],
    )


def _show(folder: Path, console: Console, *, as_json: bool) -> int:
    if described(folder) is None:
        raise EpitomeError(
            f"There is no model in {folder}.", "See epitome list models for those there are."
        )
    lines, result = list(_lines(folder)), _result(folder)
    made = partial(envelope, "models", None, {"action": "show"}, result, {})
    Report(made, lambda: lines).deliver(console, as_json=as_json)
    return 0


def _result(folder: Path) -> dict[str, Any]:
    model, conversion = described(folder), read_conversion(folder)
    assert model is not None
    settings = model.settings.model_dump(mode="json") if model.settings else {}
    return {
        "name": model.name,
        "folder": str(folder),
        "parameters": model.parameters,
        "size_bytes": model.size_bytes,
        "room": model.room,
        "licence": model.card.licence,
        "languages": list(model.card.languages),
        "settings": settings,
        "conversion": asdict(conversion) if conversion else None,
    }


def _lines(folder: Path) -> Iterator[str]:
    model = described(folder)
    assert model is not None
    rows = list(_rows(model))
    if conversion := read_conversion(folder):
        rows += [("", ""), *conversion_lines(conversion)]
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        yield f"{name.ljust(width)}  {value}".rstrip()


def _rows(model: DescribedModel) -> Iterator[tuple[str, str]]:
    yield "Model", model.name
    if model.settings is not None:
        yield from get_family(model.settings).describe_import(model.settings, model.card.prompt)
    yield "Parameters", format_count(model.parameters)
    yield "Reads at once", f"{format_count(model.room)} tokens"
    yield "Languages", ", ".join(model.card.languages) or "not recorded"
    yield "Licence", model.card.licence or "unknown"
    yield "On disk", format_size(model.size_bytes)
    if model.fault:
        yield "Fault", model.fault
