"""Measures a prepared corpus: pairs against each other, documents in tokens."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import EpitomeError, needs_training
from core.events import Event, Finished, Started
from core.stop import StopToken


@dataclass(frozen=True, eq=False)
class PairMeasures:
    """What was measured of each pair of a corpus.

    Args:
        coverage: [N] share of the summary's words that stand in fragments of the document.
        density: [N] mean length of the fragment a word of the summary belongs to.
        compression: [N] words of the document for each word of the summary.
        novel_1: [N] share of the summary's words that are not in the document.
        novel_2: [N] the same of its pairs of words.
        empty: [N] whether the summary has no words.
        copied: [N] whether the summary is copied from the document.
        other_language: [N] whether both are in known, different languages.
        longer: [N] whether the summary is longer than the document.
        recipe: How the numbers are computed.
    """

    coverage: NDArray[np.float32]
    density: NDArray[np.float32]
    compression: NDArray[np.float32]
    novel_1: NDArray[np.float32]
    novel_2: NDArray[np.float32]
    empty: NDArray[np.bool_]
    copied: NDArray[np.bool_]
    other_language: NDArray[np.bool_]
    longer: NDArray[np.bool_]
    recipe: str

    @property
    def suspicious(self) -> NDArray[np.bool_]:
        """[N] whether anything about a pair looks wrong."""
        return self.empty | self.copied | self.other_language | self.longer

    def reasons(self, row: int) -> tuple[str, ...]:
        """What looks wrong about the summary of a pair, by its row."""
        flags = {
            "empty summary": self.empty,
            "copied from the document": self.copied,
            "in another language": self.other_language,
            "longer than the document": self.longer,
        }
        return tuple(words for words, each in flags.items() if each[row])


@dataclass(frozen=True)
class MeasurePairsJob:
    """Measures the pairs of a corpus; once measured they are only read.

    Args:
        folder: The corpus.
    """

    folder: Path

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields how far it is, then `Finished` with `PairMeasures`."""
        with needs_training("Corpora are measured"):
            from core.data.measures import COPIED, EMPTY, LONGER, OTHER_LANGUAGE, measure_pairs
            from core.data.stored_rows import StoredRows
        from core.data.corpus import open_corpus
        from core.metrics.novelty import recipe

        yield Started("Measuring pairs")
        corpus = open_corpus(self.folder)
        if corpus.make != "pairs":
            raise EpitomeError(
                f"The corpus {corpus.folder.name} has no summaries written by people.",
                "Measure a corpus of pairs.",
            )
        found = yield from measure_pairs(StoredRows(corpus), stop)
        flags: NDArray[np.uint8] = found["flags"]
        yield Finished(
            PairMeasures(
                coverage=found["coverage"],
                density=found["density"],
                compression=found["compression"],
                novel_1=found["novel_1"],
                novel_2=found["novel_2"],
                empty=(flags & EMPTY) > 0,
                copied=(flags & COPIED) > 0,
                other_language=(flags & OTHER_LANGUAGE) > 0,
                longer=(flags & LONGER) > 0,
                recipe=recipe(),
            )
        )


@dataclass(frozen=True, eq=False)
class TokenLengths:
    """How many tokens each document has.

    Args:
        tokenizer: What cut them, in a few words.
        lengths: [N, 2] int32: tokens of each source and each summary, as a model reads them.
        words_per_token: Over all documents.
        folder: Where that tokenizer lies.
    """

    tokenizer: str
    lengths: NDArray[np.int32]
    words_per_token: float
    folder: Path


@dataclass(frozen=True)
class MeasureTokensJob:
    """Counts the tokens of a corpus; they are kept, and training uses the same.

    Args:
        folder: The corpus.
        tokenizer: The folder of a tokenizer; None for one that is trained on the corpus.
        size: Size of the vocabulary of the latter.
    """

    folder: Path
    tokenizer: Path | None = None
    size: int = 4096

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields how far it is, then `Finished` with `TokenLengths`."""
        with needs_training("Tokens are counted"):
            from core.data.corpus_tokenizer import corpus_tokenizer, tokenizer_folder
            from core.data.examples import open_examples, tokenise
            from core.data.stored_rows import StoredRows
            from core.data.tokenizer import Tokenizer
        from core.data.corpus import open_corpus

        yield Started("Counting tokens")
        if self.tokenizer is None:
            tokenizer = yield from corpus_tokenizer(self.folder, self.size, stop)
            name, folder = (
                "this corpus's own",
                tokenizer_folder(open_corpus(self.folder), self.size),
            )
        else:
            tokenizer = Tokenizer.load(self.tokenizer)
            name, folder = self.tokenizer.name, self.tokenizer
        yield from tokenise(self.folder, tokenizer, stop)
        corpus = open_corpus(self.folder)
        found = [open_examples(self.folder, tokenizer, split).lengths for split in corpus.splits]
        lengths = np.concatenate(found).astype(np.int32)
        words = yield from StoredRows(corpus).lengths(stop)
        share = float(words[:, 0].sum()) / max(int(lengths[:, 0].sum()), 1)
        yield Finished(TokenLengths(name, lengths, share, folder))


def list_tokenizers(tokenizers: Path) -> tuple[Path, ...]:
    """Lists the tokenizers.

    Args:
        tokenizers: The folder of all tokenizers.

    Returns:
        Their folders.
    """
    try:
        found = [each for each in tokenizers.iterdir() if _is_tokenizer(each)]
    except FileNotFoundError:
        found = []
    return tuple(sorted(found))


def _is_tokenizer(folder: Path) -> bool:
    return (folder / "tokenizer.json").is_file()
