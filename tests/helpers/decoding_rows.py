"""Models that write with caches, beside models that read everything anew for each token."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from core.models.batch import Batch
from core.models.language_model.decoding import LanguageModelDecoder
from core.models.protocol import Model
from core.models.reformer.decoding import ReformerDecoder
from core.models.reformer.encoder_decoder_decoding import DecodableEncoderDecoder
from core.models.settings import PairSettings
from core.models.transformer.decoding import TransformerDecoder
from tests.helpers.encoder_decoders import encoder_decoder
from tests.helpers.language_models import DIVIDER, continued, language_model, pairs_of
from tests.helpers.reformers import padded, reformer, tokens_of
from tests.helpers.transformers import transformer

END = 1
Text = tuple[list[int], list[int]]
"""What a row has read, and what it was fed."""


@dataclass(frozen=True)
class Writer:
    """How the models of a family are made to write.

    Args:
        make: From changes of the small model's settings to a model.
        decoder: Its decoder's class.
        log_probs: [N, V] after what each row was fed, of a pass over all of it.
        sources: Sources of some lengths, drawn from a seed.
        start_ids: What its texts begin with.
        lengths: Of usual sources.
    """

    make: Callable[..., Any]
    decoder: Callable[..., Any]
    log_probs: Callable[[Any, Sequence[Text]], Tensor]
    sources: Callable[[Sequence[int], int], list[list[int]]]
    start_ids: tuple[int, ...] = (2, 7)
    lengths: tuple[int, ...] = (9, 23, 1, 14)

    def open(self, **changes: Any) -> tuple[Any, Any]:
        """A model that ends some of its texts, and its decoder."""
        model = self.make(**changes)
        if model.output.bias is not None:
            with torch.no_grad():
                model.output.bias[END] += 1
        return model, self.decoder(model, self.start_ids, END)


def num_left(model: Model, text: Text) -> int:
    """How many tokens a row can still be fed."""
    settings, (source, fed) = model.settings, text
    if isinstance(settings, PairSettings):
        return settings.target_length - len(fed)
    return settings.row_length - len(source) - len(fed)


class Rows:
    """Rows that are fed and reordered, with what each has read and was fed."""

    def __init__(self, writer: Writer, lengths: Sequence[int], **changes: Any) -> None:
        self.writer = writer
        self.model, self.decoder = writer.open(**changes)
        self.texts: list[Text] = [(source, []) for source in writer.sources(lengths, 0)]
        self.state = self.decoder.begin([source for source, _ in self.texts])

    def reorder(self, rows: Sequence[int]) -> None:
        """Takes rows out, repeats them and changes their order."""
        self.state = self.decoder.reorder(self.state, torch.tensor(rows))
        self.texts = [(self.texts[row][0], [*self.texts[row][1]]) for row in rows]

    def advance(self, tokens: Sequence[int]) -> None:
        """Feeds a token to each row, and compares what is said then with a pass over all of it."""
        log_probs, self.state = self.decoder.advance(self.state, torch.tensor(tokens))
        for (_, fed), token in zip(self.texts, tokens, strict=True):
            fed.append(token)
        expected = self.writer.log_probs(self.model, self.texts)
        assert log_probs.shape == (len(tokens), 31)
        assert log_probs.dtype == expected.dtype == torch.float64
        assert (log_probs - expected).abs().max() < 1e-10
        log_probs.zero_()  # the caller's to write into
        left = [num_left(self.model, text) for text in self.texts]
        assert self.decoder.room(self.state).tolist() == left


@dataclass(frozen=True)
class Recomputing:
    """Keeps the protocol, and remembers nothing but what each row read and was fed."""

    writer: Writer
    model: Model
    vocabulary_size: int = 31
    end_id: int = END

    @property
    def start_ids(self) -> tuple[int, ...]:
        """As `Decodable`."""
        return self.writer.start_ids

    def begin(self, sources: Sequence[Sequence[int]]) -> list[Text]:
        """As `Decodable`."""
        return [([*source], []) for source in sources]

    def advance(self, state: list[Text], tokens: Tensor) -> tuple[Tensor, list[Text]]:
        """As `Decodable`."""
        pairs = zip(state, tokens.tolist(), strict=True)
        texts = [(source, [*fed, token]) for (source, fed), token in pairs]
        return self.writer.log_probs(self.model, texts), texts

    def reorder(self, state: list[Text], rows: Tensor) -> list[Text]:
        """As `Decodable`."""
        return [state[row] for row in rows.tolist()]

    def room(self, state: list[Text]) -> Tensor:
        """As `Decodable`."""
        return torch.tensor([num_left(self.model, text) for text in state])


def _random_sources(lengths: Sequence[int], seed: int) -> list[list[int]]:
    return [tokens_of(1, length, seed=seed + at)[0].tolist() for at, length in enumerate(lengths)]


def _articles(lengths: Sequence[int], seed: int) -> list[list[int]]:
    return [article for article, _ in pairs_of(*((each, 0) for each in lengths), seed=seed)]


def _of_pairs(model: Any, texts: Sequence[Text]) -> Tensor:
    sources = [torch.tensor(source) for source, _ in texts]
    source = padded(sources, [0] * len(texts), max(map(len, sources)))
    logits = model(source, Batch(torch.tensor([fed for _, fed in texts])))
    log_probs: Tensor = logits[:, -1].log_softmax(-1)
    return log_probs


def _of_sequences(model: Any, texts: Sequence[Text]) -> Tensor:
    rows = [torch.tensor([*source, *fed]) for source, fed in texts]
    logits = model(padded(rows, [0] * len(rows), max(map(len, rows))))
    last = torch.tensor([len(row) for row in rows]) - 1
    log_probs: Tensor = logits[torch.arange(len(rows)), last].log_softmax(-1)
    return log_probs


def _of_divided_sequences(model: Any, texts: Sequence[Text]) -> Tensor:
    found = []
    for source, fed in texts:
        text = continued(source, fed)
        tokens, places, segments = (
            torch.tensor([part]) for part in (text.tokens, text.places, text.segments)
        )
        found.append(model(Batch(tokens, positions=places, segments=segments))[0, -1])
    log_probs: Tensor = torch.stack(found).log_softmax(-1)
    return log_probs


WRITERS = {
    "reformer": Writer(
        reformer, ReformerDecoder, _of_sequences, _random_sources, lengths=(9, 20, 1, 14, 0)
    ),
    "reformer-encoder-decoder": Writer(
        encoder_decoder, DecodableEncoderDecoder, _of_pairs, _random_sources
    ),
    "transformer": Writer(transformer, TransformerDecoder, _of_pairs, _random_sources),
    "language-model": Writer(
        language_model, LanguageModelDecoder, _of_divided_sequences, _articles, (DIVIDER,)
    ),
}
