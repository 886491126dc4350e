"""Trained models among the systems that are scored."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from core.documents.document import Document
from core.documents.readers.door import read_pasted
from core.errors import EpitomeError
from core.events import result_of
from core.stop import StopToken
from core.summarisers.trained import TrainedSummariser
from core.summary import Length
from core.training.opened import open_model
from core.version import VERSION

_AT_ONCE = 16  # documents whose parts are sorted by length and written side by side


def open_summariser(run: Path) -> TrainedSummariser:
    """A trained run as a summariser.

    Args:
        run: The run's folder.

    Returns:
        Its best checkpoint, which writes as it did when it was validated.

    Raises:
        EpitomeError: If there is no such run, or it cannot write.
    """
    opened = open_model(run)
    return TrainedSummariser(
        opened.name, opened.decoder, opened.tokenizer, opened.room, opened.decoding
    )


@dataclass(frozen=True)
class ModelPredictor:
    """Lets a model write; see `core.evaluation.predictors.Predictor`.

    Args:
        summariser: The model.
        weights: The hash of its weights.
        length: How long its summaries may be.
        stop: The wish to end.
    """

    summariser: TrainedSummariser
    weights: str
    length: Length
    stop: StopToken

    @property
    def description(self) -> str:
        """As `Predictor` has it."""
        decoding = self.summariser.decoding.model_dump_json()
        weights = f"weights {self.weights[:12]}"
        return f"{self.summariser.name}, {self.length}, {decoding}, {weights}, Epitome {VERSION}"

    def summaries(self, documents: Iterable[str]) -> Iterator[str]:
        """As `Predictor` has it."""
        waiting = iter(documents)
        while some := list(islice(waiting, _AT_ONCE)):
            read = [self._read(text) for text in some]
            there = [document for document in read if document]
            written = iter(result_of(self.summariser.write(there, self.length, self.stop)))
            for document in read:
                yield "\n".join(next(written).sentences) if document else ""

    def _read(self, text: str) -> Document | None:
        try:
            return result_of(read_pasted(text, "", self.stop))
        except EpitomeError:
            return None
