"""What the settings of the encoder-decoder make, and what they refuse."""

import pytest
import torch

from core.errors import EpitomeError
from core.models.reformer.encoder_decoder import ReformerEncoderDecoder
from core.models.reformer.encoder_decoder_settings import ReformerEncoderDecoderSettings

BASE = {
    "vocabulary_size": 11, "source_length": 30, "target_length": 12, "width": 8, "heads": 2,
    "encoder_depth": 3, "decoder_depth": 2,
}  # fmt: skip


def num_parameters(**changes):
    with torch.device("meta"):
        model = ReformerEncoderDecoder(ReformerEncoderDecoderSettings(**(BASE | changes)))
    return sum(parameter.numel() for parameter in model.parameters())


def counted_by_hand(positions, tables, encoder=3, decoder=2, inner=32, bias=11):
    attention = 2 * 8 + 3 * 8 * 8 + 8 * 8 + 8  # norm, projections, output with its bias
    feed_forward = 2 * 8 + 8 * inner + inner + inner * 8 + 8
    blocks = encoder * (attention + feed_forward) + decoder * (2 * attention + feed_forward)
    return blocks + positions * 8 + tables * 11 * 8 + bias + 2 * 2 * 8


def test_a_model_is_as_large_as_counted_by_hand():
    axial = (5 + 6 + 3 + 4) / 2  # each table has half the width
    assert num_parameters() == counted_by_hand(axial, 1, bias=0)
    assert num_parameters(tied_embeddings=False) == counted_by_hand(axial, 2)
    assert num_parameters(shared_embeddings=False) == counted_by_hand(axial, 2, bias=0)
    none = {"tied_embeddings": False, "shared_embeddings": False}
    assert num_parameters(**none) == counted_by_hand(axial, 3)
    learned = {"positions": "learned", "shared_layers": True, "feed_forward_width": 7}
    assert num_parameters(**learned) == counted_by_hand(42, 1, 1, 1, inner=7, bias=0)


def test_kinds_begin_again_when_there_are_more_layers():
    settings = ReformerEncoderDecoderSettings(encoder_attention=("local", "full"), encoder_depth=3)
    assert settings.encoder_kinds == ("local", "full", "local")


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"width": 30, "heads": 4}, "The heads must divide the width, but 4 do not divide 30."),
        ({"encoder_attention": ["lsh"]}, "lsh"),
        ({"encoder_attention": []}, "encoder_attention"),
        ({"dropout": 1.0}, "less than 1"),
        ({"decoder_depth": 0}, "greater than or equal to 1"),
    ],
)
def test_what_does_not_go_together_is_refused(values, told):
    with pytest.raises(EpitomeError) as error:
        ReformerEncoderDecoderSettings.checked(values)
    assert told in error.value.message


def test_every_field_has_a_title_and_a_line_of_help():
    for name, info in ReformerEncoderDecoderSettings.model_fields.items():
        assert info.title and info.description, name
