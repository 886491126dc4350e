"""What ``epitome evaluate`` and ``epitome compare`` share: where things lie, how results end."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from core.cli.command import Report, run_one
from core.cli.console import Console
from core.cli.options import WrongUsageError, as_wrong_usage
from core.cli.runner import INTERRUPTED
from core.jobs.evaluation.score import ScoreJob, ScoringDone
from core.library.folders import Folders
from core.library.named_folders import named_folder
from core.settings import Settings, option


class PlaceOptions(Settings):
    """What summaries are compared with, and where results go."""

    pairs: str = option(
        "", "FILE", "Parquet, JSON Lines or CSV file with documents and references.", basic=True
    )
    corpus: str = option(
        "", "NAME|FOLDER", "Corpus of pairs to use instead of a file; see --split."
    )
    out: str = option(
        "",
        "FOLDER",
        "Save predictions and tables in this folder; the same command continues from them.",
    )
    report: str = option(
        "", "FILE", "Write scores and the first documents as one HTML page; needs --out."
    )

    @property
    def pairs_path(self) -> Path:
        """The file of pairs, or the corpus.

        Raises:
            WrongUsageError: If none was named, or both.
        """
        if bool(self.pairs) == bool(self.corpus):
            both = "A file and a corpus were" if self.pairs else "No file of pairs, or corpus, was"
            raise WrongUsageError(f"{both} named.", "Name one with --pairs or --corpus.")
        if self.pairs:
            return Path(self.pairs)
        with as_wrong_usage():
            return named_folder(self.corpus, Folders.of_this_user().corpora)

    @property
    def folder(self) -> Path | None:
        """Where results are kept; None for nowhere."""
        return Path(self.out) if self.out else None

    @property
    def report_path(self) -> Path | None:
        """The file of the report; None for none.

        Raises:
            WrongUsageError: If nothing is kept that it could be made of.
        """
        if self.report and not self.out:
            raise WrongUsageError("A report is made of what is kept.", "Name a folder with --out.")
        return Path(self.report) if self.report else None


def run_scoring(
    job: ScoreJob,
    name: str,
    place: PlaceOptions,
    console: Console,
    report: Callable[[ScoringDone], Report],
    as_json: bool,
) -> int:
    """Runs a job that scores, and says what is kept where it is interrupted.

    Args:
        job: What to do.
        name: The command.
        place: Where its results go.
        console: Where messages go.
        report: What is told of the result.
        as_json: Whether the result is printed as JSON.

    Returns:
        The exit code: 0 done, 1 failed, 130 interrupted.
    """
    kept = f"Interrupted. Run the same command to continue from the predictions in {place.out}."
    told = kept if place.out else INTERRUPTED
    return run_one(job, name, console, report, as_json=as_json, kept=told)


def recipe_lines(recipes: Mapping[str, str]) -> list[str]:
    """How scores were made, a line for each kind."""
    return [f"{name}: {told}." for name, told in recipes.items()]


def plain_inputs(found: ScoringDone) -> list[dict[str, Any]]:
    """The files that were read, as they stand in the envelope: the pairs, then predictions."""
    return [
        {
            "path": str(read.path),
            "sha256": read.sha256,
            "title": read.path.name,
            "words": read.words,
            "pages": 0,
        }
        for read in found.inputs
    ]
