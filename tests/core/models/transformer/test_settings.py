"""What the settings of the Transformer make, what they refuse, and the sizes of the papers."""

import pytest
import torch

from core.errors import EpitomeError
from core.models.families import num_parameters
from core.models.transformer.model import Transformer
from core.models.transformer.settings import PRESETS, TransformerSettings
from tests.helpers.transformers import DECODER_KINDS, ENCODER_KINDS


def built(settings):
    with torch.device("meta"):
        model = Transformer(settings)
    return sum(parameter.numel() for parameter in model.parameters())


def test_paper_4_is_as_large_as_its_table_says():
    """Width 256, feed-forward 1,024, 6 heads of 64, 2 + 2 layers, norms behind the sub-layers."""
    attention = 3 * 256 * 384 + 384 * 256 + 256
    feed_forward = 256 * 1024 + 1024 + 1024 * 256 + 256
    norm = 2 * 256
    layers = 2 * (attention + feed_forward + 2 * norm) + 2 * (
        2 * attention + feed_forward + 3 * norm
    )
    assert layers == 4_468_224
    assert built(PRESETS["paper-4"]) == layers + 8192 * 256 == 6_565_376


def test_paper_2_is_a_model_of_width_256():
    attention = 4 * 256 * 256 + 256
    feed_forward = 256 * 1024 + 1024 + 1024 * 256 + 256
    layers = 3 * (attention + feed_forward + 4 * 256) + 3 * (2 * attention + feed_forward + 6 * 256)
    assert built(PRESETS["paper-2"]) == layers + 8192 * 256 == 7_619_840


def test_the_systems_of_paper_2_are_as_large_as_their_layers():
    """What replaces attention in the three layers of the encoder, and what comes before it."""
    plain, inner = built(PRESETS["paper-2"]), 256

    def more(**changes):
        return built(PRESETS["paper-2"].model_copy(update=changes)) - plain

    light = 256 * 2 * inner + 2 * inner + 4 * 15 + inner * 256 + 256 - (4 * 256 * 256 + 256)
    assert more(encoder_attention=("local",)) == more(encoder_attention=("shifted",)) == 0
    assert more(encoder_attention=("light-convolution",)) == 3 * light
    both = {
        "encoder_attention": ("light-convolution",),
        "decoder_attention": ("light-convolution",),
    }
    assert more(**both) == 6 * light
    compressing = 2 * (3 * inner * inner + inner)
    assert more(encoder_attention=("memory-compressed",)) == 3 * compressing
    assert more(shortening=4) == 2 * (2 * 256 * 256 + 256)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"norm": "post"},
        {"positions": "learned", "shortening": 6},
        {"positions": "none"},
        {"heads": 3, "head_width": 5},
        {"tied_embeddings": False, "shared_embeddings": False},
        {"encoder_depth": 5, "encoder_attention": ENCODER_KINDS},
        {"decoder_depth": 3, "decoder_attention": DECODER_KINDS},
    ],
    ids=str,
)
def test_parameters_are_counted_without_building(changes):
    sizes = {"vocabulary_size": 50, "source_length": 40, "target_length": 9, "width": 16}
    settings = TransformerSettings(**(sizes | changes))
    assert num_parameters(settings) == built(settings)


def test_kinds_begin_again_when_there_are_more_layers():
    settings = TransformerSettings(encoder_attention=("local", "full"), encoder_depth=3)
    assert settings.encoder_kinds == ("local", "full", "local")
    assert settings.decoder_kinds == ("full", "full", "full")


@pytest.mark.parametrize(
    ("factor", "strides", "length"),
    [(1, [], 1000), (2, [2], 500), (4, [2, 2], 250), (12, [2, 2, 3], 84), (7, [7], 143)],
)
def test_shortening_is_made_of_small_strides(factor, strides, length):
    settings = TransformerSettings(source_length=1000, shortening=factor)
    assert (settings.strides, settings.memory_length) == (strides, length)


@pytest.mark.parametrize(
    ("values", "told"),
    [
        (
            {"width": 30, "heads": 4},
            "4 heads do not divide the width 30: set “head_width”, or other heads.",
        ),
        (
            {"pointer": True, "shortening": 4},
            "A pointer head copies single tokens: “shortening” must be 1 with “pointer”; it was 4.",
        ),
        ({"encoder_attention": ["lsh"]}, "lsh"),
        ({"decoder_attention": ["local"]}, "local"),
        ({"encoder_attention": []}, "encoder_attention"),
        ({"dropout": 1.0}, "less than 1"),
        ({"shortening": 0}, "greater than or equal to 1"),
    ],
)
def test_what_does_not_go_together_is_refused(values, told):
    with pytest.raises(EpitomeError) as error:
        TransformerSettings.checked(values)
    assert told in error.value.message


def test_heads_of_any_size_need_not_divide_the_width():
    assert TransformerSettings(width=256, heads=6, head_width=64).size_of_head == 64
