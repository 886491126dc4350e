"""ROUGE and samples are of what the model would be given to read, which no reference chose."""

import pytest
import torch

from core.data.examples import Examples
from core.data.tokenizer import Tokenizer
from core.decoding.door import decode_at_once
from core.decoding.settings import DecodingSettings
from core.events import result_of
from core.models.builders import build, decoder_of
from core.models.settings import ModelSettings
from core.models.transformer.settings import TransformerSettings
from core.stop import StopToken
from core.training.rows import rows_of
from core.training.settings import TrainSettings
from core.training.team import Team
from core.training.validation import Validator
from tests.helpers.examples import examples_of
from tests.helpers.runs import MODEL, kept_corpus

CPU = torch.device("cpu")
SMALL = {
    "width": 16, "encoder_depth": 1, "decoder_depth": 1, "heads": 2, "vocabulary_size": 400,
    "source_length": 40, "target_length": 24,
}  # fmt: skip
PAIRS = TransformerSettings.checked(SMALL)
DECODING = DecodingSettings(max_length=12)
LATE = list(range(300, 316))
LONG = [*range(100, 300), *LATE]
"""A document whose end alone is what its summary speaks of."""


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Tokenizer.load(kept_corpus() / "tokenizer")


def pairs() -> Examples:
    return examples_of([(LONG, LATE, []), (LONG[:20], LATE, [])], "pairs")


@pytest.mark.parametrize("model", [PAIRS, MODEL.model_copy(update={"length": 60})],
                         ids=["encoder-decoder", "language model"])  # fmt: skip
@pytest.mark.parametrize("too_long", ["window", "split", "start"])
def test_summaries_are_written_from_the_start_and_the_loss_is_of_the_window(
    model: ModelSettings, too_long: str, tokenizer: Tokenizer
) -> None:
    train = TrainSettings.checked({"too_long": too_long, "validate_rows": 2, "rouge_rows": 2})
    rows = rows_of(pairs(), model, train, tokenizer.special)
    window = rows.fitted[0].source.tolist()
    assert (window[-16:] == LATE) is (too_long != "start")
    assert rows.opening(0) == LONG[: len(window)]
    assert rows.opening(1) == LONG[:20]
    built = build(model).eval()
    validator = Validator(rows, tokenizer, train, DECODING, Team(CPU))
    found = result_of(validator(built, 1, StopToken()))
    openings = [rows.opening(sample.row) for sample in found.samples]
    written = decode_at_once(decoder_of(built, tokenizer.special), openings, DECODING)
    assert [sample.text for sample in found.samples] == [
        tokenizer.decode(text.ids) for text in written
    ]
    batch = rows.batch([0, 1], train)
    with torch.no_grad():
        assert found.loss == pytest.approx(float(built.loss(batch)) / batch.num_loss_tokens)


def test_gap_sentences_are_written_from_the_piece_that_they_stood_in(tokenizer: Tokenizer) -> None:
    gaps = [150, 8, 180, 16]
    examples = examples_of([(LONG, LATE, gaps)], "gsg")
    train = TrainSettings(objective="gsg", too_long="split")
    rows = rows_of(examples, PAIRS, train, tokenizer.special)
    assert [rows.opening(number) for number in range(len(rows))] == [
        rows.fitted[number].source.tolist() for number in range(len(rows))
    ]
