"""What each prediction scores, measure by measure.

Letters: N documents, M measures, R draws.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.documents.document import count_words
from core.documents.sentences import split_paragraph
from core.documents.words import Tokenizer
from core.errors import EpitomeError
from core.evaluation import support
from core.evaluation.pairs import Pairs
from core.evaluation.settings import Metric, ScoreSettings
from core.events import Progress, Steps
from core.metrics import bleu, content, intervals, novelty, rouge_package
from core.metrics.content import ContentWords
from core.metrics.rouge import Rouge
from core.metrics.rouge import recipe as rouge_recipe
from core.metrics.rouge_package import PackageRouge
from core.metrics.words import choose_tokenizer, find_words
from core.numbers import format_count, format_quantity
from core.stop import StopToken

PERCENT, WORDS, NUMBER = "%", "words", ""
REFERENCE_WORDS = "reference words"
UNSUPPORTED = "unsupported sentences"

_TYPES = {"rouge-l": "L", "rouge-lsum": "Lsum", "rouge-w": "W"}
_PARTS = ("f1", "precision", "recall")
_AGAINST_DOCUMENTS = {"novelty", "content", "support"}
_BLEU = tuple(f"bleu-{order}" for order in bleu.ORDERS)


@dataclass(frozen=True)
class Measure:
    """One column of numbers.

    Args:
        name: Such as "rouge-1 f1".
        unit: "%" (from 0 to 100), "words", or empty.
    """

    name: str
    unit: str


@dataclass(frozen=True, eq=False)
class Scores:
    """What one system scores on each document.

    Args:
        system: Its name.
        description: What it is, with all that changes what it writes.
        predictions: [N] what it wrote.
        measures: [M] what was measured of each document.
        values: [N, M] float64.
        bleu_counts: [N, 10] int64, what BLEU counts in each; None when BLEU is not asked for.
        step: The step of the checkpoint that wrote; 0 for what is not trained, and for files.
    """

    system: str
    description: str
    predictions: tuple[str, ...]
    measures: tuple[Measure, ...]
    values: NDArray[np.float64]
    bleu_counts: NDArray[np.int64] | None
    step: int = 0

    @property
    def all_measures(self) -> tuple[Measure, ...]:
        """The measures of documents, then those of the whole set alone (BLEU)."""
        whole = _BLEU if self.bleu_counts is not None else ()
        return (*self.measures, *(Measure(name, PERCENT) for name in whole))

    @cached_property
    def of_all(self) -> NDArray[np.float64]:
        """The scores of all documents, one number for each of `all_measures`."""
        return self.over(np.ones(len(self.values), np.int64))

    def over(self, weights: NDArray[np.int64]) -> NDArray[np.float64]:
        """The scores of a set of documents.

        Args:
            weights: [N] how often each document is in the set.

        Returns:
            One number for each of `all_measures`.
        """
        means: NDArray[np.float64] = weights @ self.values / weights.sum()
        if self.bleu_counts is None:
            return means
        return np.append(means, bleu.bleu_of(weights @ self.bleu_counts))

    def drawn(self, seed: int) -> NDArray[np.float64]:
        """[R, all measures] the scores of documents drawn anew; see `core.metrics.intervals`."""
        return np.array([self.over(weights) for weights in intervals.draws(len(self.values), seed)])


def score(
    system: str,
    description: str,
    predictions: tuple[str, ...],
    pairs: Pairs,
    settings: ScoreSettings,
    stop: StopToken,
) -> Steps[Scores]:
    """Scores predictions.

    Args:
        system: The name of what wrote them.
        description: What that is.
        predictions: [N] what it wrote.
        pairs: [N] what that is held against.
        settings: What is measured.
        stop: Read for every document.

    Yields:
        How many documents are scored.

    Returns:
        The scores. Without documents nothing is said of novelty, content words and support, without
        references nothing of ROUGE and BLEU.

    Raises:
        EpitomeError: If only what needs documents, or references, is asked for, and there are none.
    """
    if set(settings.metrics) <= _AGAINST_DOCUMENTS and pairs.documents is None:
        raise EpitomeError(
            f"“{pairs.path.name}” has no column of documents that could be guessed, and "
            f"{settings.metrics[0]} is measured against these.",
            "Name the column with --document-column.",
        )
    if not pairs.has_references and _needs_references(settings):
        raise EpitomeError(
            "ROUGE and BLEU need references, and nothing else is to be measured.",
            "Name pairs with references, or add another --metrics, such as novelty.",
        )
    measuring = _Measuring(settings, pairs)
    counts_bleu = "bleu" in settings.metrics and pairs.has_references
    rows, counts = [], []
    documents = pairs.documents or [""] * len(pairs)
    texts = zip(predictions, pairs.references, documents, strict=True)
    for number, (prediction, reference, document) in enumerate(texts):
        stop.raise_if_set()
        yield Progress(number, len(pairs), "documents", f"Scoring {Path(system).name}")
        rows.append(list(measuring.values(prediction, reference, document)))
        if counts_bleu:
            counts.append(bleu.bleu_counts(prediction, reference))
    return Scores(
        system=system,
        description=description,
        predictions=predictions,
        measures=tuple(measuring.measures()),
        values=np.array(rows, np.float64).reshape(len(pairs), -1),
        bleu_counts=np.array(counts) if counts else None,
    )


def check_packages(settings: ScoreSettings, pairs: Pairs) -> None:
    """Refuses scores whose package is missing, before any summary is written.

    Args:
        settings: What is measured.
        pairs: What predictions are compared with.

    Raises:
        EpitomeError: If a package is not installed.
    """
    if pairs.has_references and settings.scorer == "rouge-score":
        PackageRouge(())
    if pairs.has_references and "bleu" in settings.metrics:
        bleu.check_package()


def tokenizer_of(settings: ScoreSettings, pairs: Pairs) -> Tokenizer:
    """The tokenizer of ROUGE and content words; the same for all rows of a set."""
    if settings.tokenizer != "auto":
        return settings.tokenizer
    return choose_tokenizer(pairs.references if pairs.has_references else pairs.documents or ())


def recipes(settings: ScoreSettings, pairs: Pairs) -> dict[str, str]:
    """How each kind of score of these pairs is computed, to be reported with the scores."""
    found: dict[str, str] = {}
    if _rouge_metrics(settings.metrics) and pairs.has_references:
        if settings.scorer == "rouge-score":
            recipe = rouge_package.recipe(stem=settings.stem)
        else:
            recipe = rouge_recipe(tokenizer=tokenizer_of(settings, pairs), stem=settings.stem)
        if settings.sentence_breaks == "found":
            recipe += "; for Lsum, lines are split into detected sentences"
        found["rouge"] = recipe
    if "bleu" in settings.metrics and pairs.has_references:
        found["bleu"] = bleu.recipe()
    if "novelty" in settings.metrics and pairs.documents is not None:
        found["novelty"] = novelty.recipe()
    if "content" in settings.metrics and pairs.documents is not None:
        found["content"] = content.recipe(stem=settings.stem)
    if "support" in settings.metrics and pairs.documents is not None:
        found["support"] = support.recipe()
    if "words" in settings.metrics:
        found["words"] = "sequences without white space that contain a letter or digit"
    return found


def cautions(scores: Scores, pairs: Pairs, settings: ScoreSettings) -> Iterator[str]:
    """What a reader of the scores should know, one sentence each."""
    empty = sum(not text.strip() for text in scores.predictions)
    if empty:
        yield f"Empty: {format_quantity(empty, 'prediction')} of {scores.system}."
    if "rouge-lsum" in settings.metrics and settings.sentence_breaks == "lines":
        unbroken = sum(map(_is_unbroken, scores.predictions))
        if unbroken:
            yield _unbroken_note(unbroken, len(pairs), f"predictions of {scores.system}")


def cautions_of_pairs(pairs: Pairs, settings: ScoreSettings) -> Iterator[str]:
    """What a reader should know of the documents and references, one sentence each."""
    empty = sum(not text.strip() for text in pairs.references)
    if not pairs.has_references:
        yield f"“{pairs.path.name}” has no references, so ROUGE and BLEU are not computed."
    elif empty:
        yield f"Empty: {format_quantity(empty, 'reference')}, which nothing can match."
    if pairs.has_references and _rouge_metrics(settings.metrics):
        by_package = settings.scorer == "rouge-score"
        tokenizer = "rouge" if by_package else tokenizer_of(settings, pairs)
        yield from _rows_without_words(pairs, tokenizer)
    missing = [name for name in settings.metrics if name in _AGAINST_DOCUMENTS]
    if missing and pairs.documents is None:
        are = "is" if len(missing) == 1 else "are"
        told = f"“{pairs.path.name}” has no documents, so {' and '.join(missing)}"
        yield f"{told} {are} not measured."
    if "rouge-lsum" in settings.metrics and settings.sentence_breaks == "lines":
        unbroken = sum(map(_is_unbroken, pairs.references))
        if unbroken:
            yield _unbroken_note(unbroken, len(pairs), "references")


def _rows_without_words(pairs: Pairs, tokenizer: Tokenizer) -> Iterator[str]:
    texts = [text for text in pairs.references if text.strip()]
    others = sum(not find_words(text, tokenizer) for text in texts)
    if others:
        told = f"{format_count(others)} of {format_count(len(texts))} references have no words that"
        words = "a–z and 0–9" if tokenizer == "rouge" else "letters"
        more = "; --tokenizer unicode finds those of any script" if tokenizer == "rouge" else ""
        yield f"{told} ROUGE counts ({words}), and score 0{more}."


def _is_unbroken(text: str) -> bool:
    return any(len(split_paragraph(line)) > 1 for line in text.split("\n"))


def _unbroken_note(count: int, of: int, what: str) -> str:
    return (
        f"rouge-lsum takes each line as a sentence, but {format_count(count)} of "
        f"{format_count(of)} {what} have lines with several; --sentence-breaks found splits them."
    )


def _needs_references(settings: ScoreSettings) -> bool:
    """Whether nothing is measured that goes without references."""
    return not {*_AGAINST_DOCUMENTS, "words"} & set(settings.metrics)


def _rouge_metrics(metrics: Iterable[Metric]) -> list[str]:
    return [name for name in metrics if name.startswith("rouge-")]


class _Measuring:
    """Measures one document after the other, always the same measures in the same order."""

    def __init__(self, settings: ScoreSettings, pairs: Pairs) -> None:
        has_documents = pairs.documents is not None
        self._has_references = pairs.has_references
        self._rouges = _rouge_metrics(settings.metrics) if pairs.has_references else []
        types = [_TYPES.get(name, name[-1]) for name in self._rouges]
        tokenizer = tokenizer_of(settings, pairs)
        self._rouge: Rouge | PackageRouge = (
            PackageRouge(types, stem=settings.stem)
            if settings.scorer == "rouge-score"
            else Rouge(types, tokenizer, stem=settings.stem)
        )
        self._finds_breaks = settings.sentence_breaks == "found" and "rouge-lsum" in self._rouges
        self._novelty = "novelty" in settings.metrics and has_documents
        has_content = "content" in settings.metrics and has_documents
        self._content = ContentWords(tokenizer, stem=settings.stem) if has_content else None
        self._support = None
        if "support" in settings.metrics and has_documents:
            self._support = support.Support()
        self._words = "words" in settings.metrics

    def measures(self) -> Iterator[Measure]:
        """The measures, in the order of `values`."""
        for name in self._rouges:
            yield from (Measure(f"{name} {part}", PERCENT) for part in _PARTS)
        if self._novelty:
            yield from (Measure(f"novel {size}-grams", PERCENT) for size in novelty.SIZES)
            yield from (Measure(name, NUMBER) for name in ("coverage", "density", "compression"))
        if self._content:
            yield from (Measure(f"content {part}", PERCENT) for part in ("precision", "recall"))
        if self._support:
            yield Measure(UNSUPPORTED, PERCENT)
        if self._words:
            names = ("words", REFERENCE_WORDS) if self._has_references else ("words",)
            yield from (Measure(name, WORDS) for name in names)

    def values(self, prediction: str, reference: str, document: str) -> Iterator[float]:
        """The numbers of one document."""
        texts = [prediction, reference]
        for score in self._rouge.score(*map(self._broken, texts)).values():
            yield from (100 * getattr(score, part) for part in _PARTS)
        if self._novelty:
            found = novelty.novelty(prediction, document)
            yield from (100 * share for share in found.novel)
            yield from (found.coverage, found.density, found.compression)
        if self._content:
            shared = self._content.score(prediction, document)
            yield from (100 * shared.precision, 100 * shared.recall)
        if self._support:
            yield 100 * self._support.unsupported_share(prediction, document)
        if self._words:
            yield from map(count_words, texts if self._has_references else texts[:1])

    def _broken(self, text: str) -> str:
        if not self._finds_breaks:
            return text
        return "\n".join(_sentences(text.split("\n")))


def _sentences(lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        yield from (line[start:end] for start, end in split_paragraph(line))
