"""``epitome summarise --together``: one summary of several sources."""

import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from core.cli.console import Console
from core.cli.options import WrongUsageError
from core.cli.runner import stopped_by_ctrl_c
from core.cli.sources import has_many
from core.cli.terminal import Terminal
from core.events import Event, Failed, Finished, Stopped
from core.export.combined import (
    COMBINED_FORMATS,
    combined_envelope,
    render_combined,
    write_combined,
)
from core.export.json_file import to_json
from core.jobs.batches.summarise_batch import SourceBegun, SourceFailed
from core.jobs.history.keep_history import HistoryKeeper
from core.jobs.run import failed, run_inline
from core.jobs.sources.table_sources import TableOptions
from core.jobs.summaries.summarise_together import TogetherJob
from core.stop import StopToken
from core.storage.atomic_files import check_place


def check_together(
    sources: tuple[str, ...], out: str, tables: TableOptions, *, force: bool
) -> None:
    """Refuses what cannot come to anything before any work is done.

    Args:
        sources: What is to be read.
        out: The file that is to be written; empty for none.
        tables: What a table of texts is.
        force: Whether a file that is there is replaced.

    Raises:
        WrongUsageError: If one file is named, or the output is no file of a known format.
        EpitomeError: If something is there that is not to be replaced.
    """
    if not has_many(sources, tables):
        raise WrongUsageError("--together needs several sources.", "Name more files, or a folder.")
    if out and Path(out).suffix.lower() not in COMBINED_FORMATS:
        known = ", ".join(COMBINED_FORMATS)
        raise WrongUsageError(
            f"“{out}” is not a file that --together writes: its name ends in one of {known}.",
            "Name such a file.",
        )
    if out:
        check_place(Path(out), "Choose another name.", replace=force)


def run_together(
    job: TogetherJob,
    out: str,
    as_json: bool,
    console: Console,
    keeper: HistoryKeeper | None,
    *,
    force: bool,
) -> int:
    """Makes one summary of several sources, and prints or writes it.

    Args:
        job: What is read, and how it is summarised.
        out: The file; empty to print it.
        as_json: Whether it is printed as JSON.
        console: Where messages go.
        keeper: Keeps the summary in the history; None for nobody.
        force: Whether a file that is there is replaced.

    Returns:
        The exit code: 1 if a source could not be read.
    """
    stop = StopToken()
    ending: Event = Stopped("stop")
    name, num_failed = "", 0
    with suppress(KeyboardInterrupt), stopped_by_ctrl_c(stop):
        for event in run_inline(replace(job, user=Terminal(stop)), stop):
            name = event.name if isinstance(event, SourceBegun) else name
            if isinstance(event, SourceFailed):
                num_failed += 1
                console.fail(event.failure, event.name)
            else:
                console.show(event, name)
            ending = event
    console.clear()
    if isinstance(ending, Failed):
        console.fail(ending)
        return 1
    if not isinstance(ending, Finished):
        console.say("Interrupted. Nothing was written.")
        return 130
    combined, timings_s = ending.result
    try:
        if out:
            write_combined(combined, Path(out), replace=force)
            console.say(f"Written to {out}.")
    except Exception as error:
        console.fail(failed(error))
        return 1
    if as_json:
        told = combined_envelope(combined, job.settings.model_dump(mode="json"), timings_s)
        sys.stdout.write(to_json(told).decode())
    elif not out:
        print(render_combined(combined, ".txt").decode().rstrip("\n"), flush=True)
    if keeper:
        keeper.keep_combined(combined, job.settings.language, "command")
        for note in filter(None, (*keeper.take_notes(), keeper.removed_line)):
            console.say(note)
    return 1 if num_failed else 0
