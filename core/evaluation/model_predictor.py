"""Trained models among the systems that are scored."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from core.documents.document import Document
from core.documents.readers.door import read_pasted
from core.errors import EpitomeError
from core.events import result_of
from core.runs.checkpoints import step_of
from core.stop import StopToken
from core.summaries.summary import Length
from core.summarisers.trained import TrainedSummariser, unusable
from core.version import VERSION

_AT_ONCE = 16  # documents whose parts are sorted by length and written side by side


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
        decoding = self.summariser.model.decoding.model_dump_json()
        weights = f"weights {self.weights[:12]}"
        model = self.summariser.model
        remarks = "".join(f", {remark}" for remark in model.remarks)  # a prompt makes other texts
        return f"{model.name}, {self.length}, {decoding}, {weights}{remarks}, Epitome {VERSION}"

    @property
    def step(self) -> int:
        """As `Predictor` has it."""
        return max(0, step_of(self.summariser.model.weights.parent))

    def summaries(self, documents: Iterable[str]) -> Iterator[str]:
        """As `Predictor` has it."""
        waiting, is_usable = iter(documents), False
        while some := list(islice(waiting, _AT_ONCE)):
            read = [self._read(text) for text in some]
            there = [document for document in read if document]
            texts = result_of(self.summariser.write(there, self.length, self.stop))
            is_usable = is_usable or not all(text.is_unusable for text in texts)
            if len(texts) == _AT_ONCE and not is_usable:  # enough to know, before hours of it
                raise unusable(self.summariser.model.name, texts[0].faults[0])
            written = iter(texts)
            for document in read:
                yield "\n".join(next(written).sentences) if document else ""

    def _read(self, text: str) -> Document | None:
        try:
            return result_of(read_pasted(text, "", self.stop))
        except EpitomeError:
            return None
