"""Writes into a model's card which languages it was trained on: those of its corpus."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from core.data.corpus import open_corpus
from core.data.corpus_languages import languages_of_corpus
from core.errors import EpitomeError
from core.events import Event, Finished, Started
from core.runs.folder import RunFolder
from core.runs.model_card import read_model_card, write_model_card
from core.stop import StopToken
from core.storage.parsing import parse_toml
from core.storage.regular_files import read_regular
from core.training.plan import RunPlan


@dataclass(frozen=True)
class RecordLanguagesJob:
    """Records the languages of models that were trained before runs did so themselves.

    Args:
        runs: The folders of their runs.
    """

    runs: tuple[Path, ...]

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with the folders of which something was found, a tuple."""
        yield Started("Looking for languages")
        found = []
        for folder in self.runs:
            stop.raise_if_set()
            if record_languages(RunFolder(folder)):
                found.append(folder)
        yield Finished(tuple(found))


def record_languages(run: RunFolder) -> bool:
    """Records the languages of a run's corpus, after those of the model that it began with.

    Args:
        run: The run; a card that names languages stays as it is.

    Returns:
        Whether any was found; none is, where the corpus is not here any more.
    """
    card = read_model_card(run)
    if card.languages:
        return False
    with suppress(EpitomeError, OSError, ValueError, KeyError, TypeError):
        plan = RunPlan.of(parse_toml(read_regular(run.job_file).decode()))
        found = [*_begun_with(plan), *languages_of_corpus(open_corpus(plan.run.corpus))]
        if found:
            write_model_card(run, replace(card, languages=tuple(dict.fromkeys(found))))
        return bool(found)
    return False


def _begun_with(plan: RunPlan) -> tuple[str, ...]:
    begun = plan.run.start_from
    return read_model_card(RunFolder(Path(begun))).languages if begun else ()
