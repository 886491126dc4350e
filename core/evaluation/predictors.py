"""Systems that write summaries: the built-in ones, and the door for all others."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from core.documents.document import RUNNING_TEXT, Document, count_words
from core.documents.readers.door import read_pasted
from core.documents.sentences import Sentences, split_document
from core.errors import EpitomeError, needs_training
from core.evaluation.pairs import file_hash, text_hash
from core.evaluation.settings import ScoreSettings
from core.events import Steps, result_of
from core.gsg.chance import shuffled
from core.gsg.selection import order
from core.gsg.settings import GapSentenceSettings
from core.gsg.tokens import tokenise
from core.library.folders import Folders
from core.library.named_folders import named_folder
from core.stop import StopToken
from core.summaries.summary import Length
from core.summarisers.built_in import rank_document
from core.summarisers.choice import choose
from core.summarisers.ranking import Order, Ranking
from core.summarisers.scoring.scores import hash_models
from core.summarisers.selection.budget import ranks_needed
from core.version import VERSION

BuiltIn = Literal["built-in", "lead", "random", "gap-sentences"]
BUILT_IN: tuple[BuiltIn, ...] = get_args(BuiltIn)


class Predictor(Protocol):
    """Writes summaries of documents."""

    @property
    def description(self) -> str:
        """What it is, with all that changes what it writes; equal for equal summaries."""
        ...

    @property
    def step(self) -> int:
        """The step of the checkpoint that writes; 0 for what is not trained."""
        ...

    def summaries(self, documents: Iterable[str]) -> Iterator[str]:
        """Writes one summary for each document, in their order, each sentence on its own line.

        Args:
            documents: The texts; drawn as they are needed.

        Yields:
            A summary; empty for a document that holds no words, or cannot be read.
        """
        ...


def predictor_for(
    model: str,
    settings: ScoreSettings,
    stop: StopToken,
    read: Mapping[str, Document] | None = None,
) -> Predictor:
    """The system that is meant by a name.

    Args:
        model: One of `BUILT_IN`, or the name or folder of a run.
        settings: How long its summaries are, and its seed.
        stop: The wish to end.
        read: Documents that have been read already, by their texts; others are read as pasted.

    Returns:
        The predictor.

    Raises:
        EpitomeError: If there is no such system.
    """
    for name in BUILT_IN:
        if model == name:
            return Extracts(name, Length.parse(settings.length), settings.seed, stop, read or {})
    folder = named_folder(model, Folders.of_this_user().runs)
    if folder.is_dir():
        return predictor_of_run(folder, Length.parse(settings.length), stop)
    raise EpitomeError(
        f"“{model}” is no model; {', '.join(BUILT_IN)} are, and the names and folders of runs.",
        "Choose one of these.",
    )


def predictor_of_run(folder: Path, length: Length, stop: StopToken) -> Predictor:
    """The trained model of a run.

    Args:
        folder: The run's.
        length: How long its summaries may be; the model may end before.
        stop: The wish to end.

    Returns:
        The predictor.

    Raises:
        EpitomeError: If there is no such run, or nothing to run it with.
    """
    with needs_training("Trained models write"):
        from core.evaluation.model_predictor import ModelPredictor
        from core.summarisers.trained import TrainedSummariser
    summariser = TrainedSummariser.of_run(folder)
    # Another run may come to have the same name and step, but not the same weights.
    return ModelPredictor(summariser, file_hash(summariser.model.weights), length, stop)


@dataclass(frozen=True)
class Extracts:
    """Picks sentences of the document until the requested length is reached.

    Args:
        name: "built-in" as `epitome summarise` does; "lead" the first ones; "random" any;
            "gap-sentences" as `epitome gsg` ranks them by default, among the running text.
        length: How long; the lead ends before the sentence that does not fit.
        seed: Of "random", which picks the same in the same document.
        stop: The wish to end.
        read: Documents that have been read already, by their texts: their headings are known.
    """

    name: BuiltIn
    length: Length
    seed: int
    stop: StopToken
    read: Mapping[str, Document] = field(default_factory=dict)

    @property
    def description(self) -> str:
        """As `Predictor` has it."""
        own = {"random": f", seed {self.seed}", "built-in": f", ranker {hash_models()[:12]}"}
        return f"{self.name}, {self.length}{own.get(self.name, '')}, Epitome {VERSION}"

    @property
    def step(self) -> int:
        """As `Predictor` has it."""
        return 0

    def summaries(self, documents: Iterable[str]) -> Iterator[str]:
        """As `Predictor` has it."""
        for text in documents:
            self.stop.raise_if_set()
            yield result_of(self._summary(text))

    def _summary(self, text: str) -> Steps[str]:
        document = self.read.get(text)
        if document is None:
            try:
                document = yield from read_pasted(text, "", self.stop)
            except EpitomeError:
                return ""
        if self.name == "built-in":
            needed = ranks_needed(document, self.length)
            ranking = yield from rank_document(document, self.stop, at_least=needed)
        else:
            ranking = yield from self._ranked(document, text)
        summary = choose(document, ranking, self.length, trims=self.name == "built-in")
        return "\n".join(sentence.text for sentence in summary.sentences)

    def _ranked(self, document: Document, text: str) -> Steps[Ranking]:
        sentences = yield from split_document(document, self.stop)
        texts = sentences.texts(document.text)
        words = np.array([count_words(each) for each in texts], np.int32)
        pool = _running(document, sentences)
        if self.name == "lead":
            ranked = pool[: _that_fit(words[pool], self.length, document.reading.words)]
        elif self.name == "random":
            # By the document itself, so that it is the same wherever the writing begins.
            number = int(text_hash(text)[:16], 16)
            ranked = np.array(shuffled(pool.tolist(), self.seed, number, "summary"), np.int64)
        else:
            ranked = pool[(yield from self._by_gaps([texts[index] for index in pool]))]
        order, alone = (
            Order(ranked, np.zeros(len(ranked)), len(ranked), len(pool)),
            np.full(len(words), -1),
        )
        return Ranking(sentences.starts, sentences.ends, words, order, order, alone)

    def _by_gaps(self, texts: list[str]) -> Steps[list[int]]:
        tokens = yield from tokenise(texts, self.stop)
        selection = yield from order(tokens, GapSentenceSettings(), self.stop)
        return list(selection.picked)


def _running(document: Document, sentences: Sentences) -> NDArray[np.int64]:
    """Indices of the sentences in running text; of all where there is none."""
    kinds = document.kinds[sentences.paragraphs]
    running = np.flatnonzero(np.isin(kinds, RUNNING_TEXT))
    return running if len(running) else np.arange(len(sentences))


def _that_fit(words: NDArray[np.int32], length: Length, of_words: int) -> int:
    """How many of the first sentences are no longer than the length together; one at least."""
    if length.unit == "sentences":
        return int(length.value)
    room = length.value if length.unit == "words" else of_words * length.value / 100
    return max(1, int(np.searchsorted(np.cumsum(words), room, side="right")))
