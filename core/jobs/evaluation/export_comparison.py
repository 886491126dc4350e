"""Writes a comparison for others: a report as one HTML page, or the scores of documents as CSV."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from core.evaluation.judging import outcomes
from core.events import Event, Finished, Progress, Started
from core.export.csv_file import csv_text
from core.runs.comparisons import ComparedTexts, OpenedComparison, open_comparison, read_texts
from core.runs.judgements import Judgements
from core.stop import StopToken
from core.storage.atomic_files import write_whole

Form = Literal["html", "print", "csv"]
MOST_SHOWN = 20
"""So many documents are in a report unless others are asked for; scores are of all."""

Span = tuple[int, int]


@dataclass(frozen=True)
class ExportComparisonJob:
    """Writes a comparison.

    Args:
        folder: The comparison.
        path: The file; None to give the text back, as for a printer.
        form: What is written: "html" a report, "print" the same without sources, "csv" scores.
        documents: The documents, in their order: of a report, whose texts are shown; of CSV,
            whose scores are written. Empty for the first `MOST_SHOWN`, or for all.
        judgements: A finished session whose wins and ties are in the report; None for none.
        replace: Whether a file that is there is replaced.
    """

    folder: Path
    path: Path | None
    form: Form
    documents: tuple[int, ...] = ()
    judgements: Judgements | None = None
    replace: bool = False

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with the path, or with the bytes where there is none."""
        yield Started("Writing a comparison")
        opened = open_comparison(self.folder)
        if self.form == "csv":
            data = comparison_csv(opened, self.documents or range(len(opened)))
        else:
            from core.evaluation.comparison_html import render_comparison

            numbers = self.documents or range(min(len(opened), MOST_SHOWN))
            shown = []
            for done, number in enumerate(numbers):
                yield Progress(done, len(numbers), "documents", "Writing a comparison")
                stop.raise_if_set()
                texts = read_texts(self.folder, number)
                unsupported = _unsupported(texts)
                if self.form == "print":
                    texts = replace(texts, document="")
                shown.append((opened.names.titles[number], texts, unsupported))
            data = render_comparison(opened.about, shown, _judged(self.judgements))
        if self.path is not None:
            write_whole(self.path, data, replace=self.replace)
        yield Finished(self.path or data)


def comparison_csv(opened: OpenedComparison, numbers: Sequence[int]) -> bytes:
    """The scores of documents: a row for each document and system.

    Args:
        opened: The comparison.
        numbers: The documents, in their order.

    Returns:
        CSV in UTF-8.
    """
    about, names = opened.about, opened.names
    heads = [measure for measure, _ in about.measures]
    rows: list[list[object]] = [["document", "title", "kind", "system", *heads]]
    for number in numbers:
        kind = names.kinds[number] if names.kinds else ""
        for system, values in zip(about.systems, opened.values[:, number].tolist(), strict=True):
            rows.append([names.ids[number], names.titles[number], kind, system.title, *values])
    return csv_text(rows).encode("utf-8", "replace")


def _unsupported(texts: ComparedTexts) -> list[list[Span]]:
    """For each summary, where its unsupported sentences stand."""
    from core.evaluation.support import Support, sentences_of

    if not texts.document:
        return [[] for _ in texts.outputs]
    support = Support()
    finder = support.finder(texts.document)
    return [
        [
            (start, end)
            for start, end in sentences_of(output, support.language)
            if not finder.checked(output[start:end]).evidence
        ]
        for output in texts.outputs
    ]


def _judged(judgements: Judgements | None) -> list[list[str]]:
    if judgements is None or not judgements.is_over:
        return []
    first, second = judgements.session.systems
    rows = [["Question", first, "equal", second, "neither", "wins less losses, % (95 %)"]]
    for found in outcomes(judgements):
        ahead = f"{100 * found.ahead:+.0f} ({found.ends})"
        counts = map(str, (found.first, found.equal, found.second, found.neither))
        rows.append([found.question, *counts, ahead])
    return rows
