"""The command line: parse, run the job, print."""

import argparse
import codecs
import errno
import os
import sys
from collections.abc import Collection, Sequence
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from core.cli.console import Console
from core.cli.help import Example, HelpFormatter
from core.cli.help import told as told_examples
from core.cli.interruptions import raise_lost
from core.cli.options import Parser, WrongUsageError
from core.cli.runner import INTERRUPTED
from core.errors import of_system
from core.installation import installation
from core.jobs.run import failed
from core.library.folders import Folders
from core.library.owner import owner_note
from core.numbers import THIN_SPACE
from core.system import crash_reports
from core.version import VERSION


class CommandEntry(NamedTuple):
    """A command of the program; its module is imported when the command is typed.

    Args:
        name: The module's name in `core.cli`.
        told: Description for the help.
    """

    name: str
    told: str

    @property
    def module(self) -> Any:
        """The command's module, with `add_command` and `EXAMPLES`."""
        return import_module(f"core.cli.{self.name}")

    @property
    def examples(self) -> tuple[Example, ...]:
        """Command lines for the help."""
        examples: tuple[Example, ...] = self.module.EXAMPLES
        return examples


COMMANDS = {
    "summarise": CommandEntry("summarise", "Summarise documents and show the evidence"),
    "read": CommandEntry("read", "Print the text of a document as it was read"),
    "gsg": CommandEntry("gsg", "Select and score gap sentences"),
    "corpus": CommandEntry("corpus", "Prepare documents for training, or print their statistics"),
    "measure": CommandEntry(
        "measure", "Measure a corpus: lengths, novelty, suspicious rows, duplicates"
    ),
    "tokenizer": CommandEntry("tokenizer", "Train a tokenizer on a corpus"),
    "train": CommandEntry("train", "Train a model, or resume a run"),
    "profile": CommandEntry("profile", "Measure memory and time of training steps"),
    "gauge": CommandEntry("gauge", "Gauge what hashing does to a trained run"),
    "evaluate": CommandEntry("evaluate", "Score summaries against references written by people"),
    "compare": CommandEntry("compare", "Compare several systems on the same documents"),
    "judgements": CommandEntry("judgements", "Show wins and ties of blind judging, and agreement"),
    "list": CommandEntry("listing", "List runs, corpora, tokenizers, models or the trash"),
    "trash": CommandEntry("trash", "Restore what was deleted, or delete it for good"),
    "models": CommandEntry(
        "models_command", "Import a model of others, convert it to longer texts, or show one"
    ),
    "bundle": CommandEntry(
        "bundle", "Write all that makes a run again, without its data, into one file"
    ),
    "install": CommandEntry(
        "install", "Install an optional part: training, text recognition or another engine"
    ),
    "doctor": CommandEntry(
        "doctor", "Show what is installed, what is missing and how to install it"
    ),
}


def _version() -> str:
    copy = installation()
    return f"epitome {VERSION}" + ("" if copy.kind == "source" else f" ({copy.title})")


_USAGE = """epitome                    open the window
       epitome FILE...            open files in the window
       epitome COMMAND ...        run a command without the window"""
_EXAMPLES = (
    Example("Read a report in the window", "epitome report.pdf"),
    Example("Summarise it in five sentences", "epitome summarise report.pdf --length 5s"),
    Example("See all options of a command", "epitome summarise --help"),
)
_WITHOUT_JOB_FILE = ("bundle", "doctor", "install", "judgements", "list", "models", "trash")


def main(argv: Sequence[str] | None = None, *, is_process: bool = False) -> int:
    """Runs a command.

    Args:
        argv: What was typed after ``epitome``; None for the process's own arguments.
        is_process: True if the process runs only this command, and leaves a report if it crashes.

    Returns:
        The exit code: 0 done, 1 failed, 2 wrong usage, 130 interrupted.

    Raises:
        OSError: If the result cannot be written.
    """
    _write_utf8()
    try:
        return _run(argv, is_process)
    except KeyboardInterrupt:
        Console().say(INTERRUPTED)
        return 130
    except OSError as error:
        if not _says_closed_pipe(error):
            raise
        # The reader of the result has enough; nothing must be flushed into the pipe at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _run(argv: Sequence[str] | None, is_process: bool) -> int:
    debug = "--debug" in (sys.argv[1:] if argv is None else argv)
    try:
        options = _parsed(sys.argv[1:] if argv is None else argv)
        console = Console(quiet=options.quiet, debug=debug)
        folders = Folders.of_this_user()
        if is_process:
            _begin_reports(folders, console)
        if note := owner_note(folders):
            console.say(note)
        code: int = options.run(options, console)
    except SystemExit as leave:  # --help and --version
        return int(leave.code or 0)
    except Exception as error:
        if _says_closed_pipe(error):
            raise
        if isinstance(error, OSError) and error.filename is None:  # no file of this name: a stream
            what = "The result cannot be written to standard output"
            error = of_system(error, what, "Send it to another place.")
        Console(debug=debug).fail(failed(error))
        return 2 if isinstance(error, WrongUsageError) else 1
    return code


def _says_closed_pipe(error: Exception, system: str = sys.platform) -> bool:
    """True if writing failed because the pipe's reader has ended, such as `head` or `more`."""
    if isinstance(error, BrokenPipeError):
        return True
    # Windows says no more than that; an error that names a file is none of a stream.
    return (
        system == "win32"
        and isinstance(error, OSError)
        and error.errno == errno.EINVAL
        and error.filename is None
    )


def _begin_reports(folders: Folders, console: Console) -> None:
    """Lets this process leave a report if it crashes, and says where that of an earlier one is."""
    crash_reports.begin("command", folders.crashes)
    if report := crash_reports.take_file(folders.crashes, "command"):
        console.say(f"An earlier command crashed; its report is {report}.")


def _parsed(typed: Sequence[str]) -> argparse.Namespace:
    first = typed[0] if typed else "-"
    if first not in COMMANDS and not first.startswith("-"):
        near = get_close_matches(first, COMMANDS, 1)
        known = ", ".join(COMMANDS)
        raise WrongUsageError(
            f"“{first}” is not a command; the commands are {known}.",
            f"Write epitome {near[0]}." if near else "See epitome --help.",
        )
    parser = build_parser(typed)
    raise_lost()  # the modules of the command are there
    options, unknown = parser.parse_known_args(typed)
    if unknown:
        raise _no_option(options.command, unknown[0])
    return options


def _no_option(command: str, typed: str) -> WrongUsageError:
    if typed.startswith("-") and len(typed) < 256 and Path(typed).exists():
        return WrongUsageError(
            f"“{typed}” was read as an option, and is none.",
            f"Write ./{typed} for the file of that name.",
        )
    if not typed.startswith("-"):
        return WrongUsageError(
            f"“{typed}” is one name more than epitome {command} takes.",
            f"See epitome {command} --help.",
        )
    return WrongUsageError(
        f"“{typed}” is not an option of epitome {command}.", f"See epitome {command} --help."
    )


def build_parser(typed: Collection[str] = COMMANDS) -> Parser:
    """Builds the parser of a command line.

    Args:
        typed: The command line: only commands among it get their options.

    Returns:
        The parser.
    """
    parser = Parser(
        prog="epitome",
        usage=_USAGE,
        description="Summarise long documents, with the evidence for every sentence.",
        epilog=told_examples(_EXAMPLES),
        formatter_class=HelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=_version())
    commands = parser.add_subparsers(
        title="commands", metavar="COMMAND", prog="epitome", required=True
    )
    for name, entry in COMMANDS.items():
        command = commands.add_parser(
            name,
            help=entry.told,
            description=f"{entry.told}.",
            formatter_class=HelpFormatter,
            allow_abbrev=False,
        )
        if name not in typed:
            continue
        _add_common(command, has_config=name not in _WITHOUT_JOB_FILE)
        entry.module.add_command(command)
        command.epilog = "\n\n".join(filter(None, (command.epilog, told_examples(entry.examples))))
        command.set_defaults(command=name)
    return parser


def _add_common(parser: argparse.ArgumentParser, *, has_config: bool) -> None:
    parser.add_argument("--json", action="store_true", help="Print the result as JSON")
    parser.add_argument("--quiet", action="store_true", help="Report failures only")
    parser.add_argument("--debug", action="store_true", help="Show technical details of failures")
    if has_config:
        parser.add_argument(
            "--config",
            type=Path,
            metavar="JOB.toml",
            help="Read the job from a file; options override it",
        )
        parser.add_argument(
            "--print-config", action="store_true", help="Print the whole job as TOML and exit"
        )


_SHOWABLE = "epitome.showable"


def _showable(error: UnicodeError) -> tuple[str | bytes, int]:
    """What a terminal gets for characters it cannot show: a space for a thin one, else "?"."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lost = error.object[error.start : error.end]
    return "".join(" " if each == THIN_SPACE else "?" for each in lost), error.end


codecs.register_error(_SHOWABLE, _showable)


def _write_utf8() -> None:
    """The result is UTF-8 in files and pipes; a terminal gets what it can show."""
    # Nothing can be written to what is only read: a result without a place is told, not lost.
    for name, mode in (("stdin", "r"), ("stdout", "r"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by whoever started the program
            nowhere = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 - stays open
            setattr(sys, name, nowhere)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is None:
            continue  # replaced by something that is no stream of bytes
        if stream.isatty():
            reconfigure(errors=_SHOWABLE)
        else:
            reconfigure(encoding="utf-8", errors="replace")
