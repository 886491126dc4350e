"""What the settings make: kinds by layer, presets of known size, and what is refused."""

import pytest
import torch

from core.errors import EpitomeError
from core.models.reformer.language_model import ReformerLM
from core.models.reformer.settings import PRESETS, ReformerSettings


def num_parameters(settings):
    with torch.device("meta"):
        model = ReformerLM(settings)
    return sum(parameter.numel() for parameter in model.parameters())


def counted_by_hand(width, layers, feed_forward, vocabulary, positions, tied):
    block = 3 * width * width + width  # shared queries and keys, values, output with its bias
    block += width * feed_forward + feed_forward + feed_forward * width + width
    block += 2 * 2 * width  # two norms
    logits = 0 if tied else vocabulary * width + vocabulary
    return layers * block + positions + 2 * width + vocabulary * width + logits


def test_the_papers_model_has_the_papers_size():
    assert num_parameters(PRESETS["paper"]) == 3_307_840


def test_presets_are_as_large_as_counted_by_hand():
    paper_positions = (96 + 256) * 256
    assert num_parameters(PRESETS["paper"]) == counted_by_hand(
        512, 1, 2048, 320, paper_positions, tied=False
    )
    assert num_parameters(PRESETS["paper-deep"]) == counted_by_hand(
        512, 6, 2048, 8192, paper_positions, tied=False
    )
    small = counted_by_hand(256, 4, 1024, 4096, (64 + 64) * 128, tied=True)
    assert num_parameters(PRESETS["small"]) == small
    large = counted_by_hand(512, 8, 2048, 8192, (256 + 256) * 256, tied=True)
    assert num_parameters(PRESETS["large"]) == large


def test_positions_sharing_and_tying_count():
    base = {"vocabulary_size": 11, "length": 30, "width": 8, "depth": 3, "heads": 2}
    learned = ReformerSettings(**base, positions="learned", shared_layers=True)
    assert num_parameters(learned) == counted_by_hand(8, 1, 32, 11, 30 * 8, tied=True)
    axial = ReformerSettings(**base, axial_rows=5, tied_embeddings=False, feed_forward_width=7)
    assert num_parameters(axial) == counted_by_hand(8, 3, 7, 11, (5 + 6) * 4, tied=False)


def test_kinds_begin_again_when_there_are_more_layers():
    settings = ReformerSettings(attention=("lsh", "local", "full"), depth=5)
    assert settings.kinds == ("lsh", "local", "full", "lsh", "local")


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"width": 30, "heads": 4}, "The heads must divide the width, but 4 do not divide 30."),
        ({"buckets": 7}, "The buckets must be 1 or an even number; they were 7."),
        ({"checkpointing": True}, "“checkpointing” is allowed only if “reversible” is off."),
        ({"attention": ["lhs"]}, "lhs"),
        ({"attention": []}, "attention"),
        ({"dropout": 1.0}, "less than 1"),
        ({"depth": 0}, "greater than or equal to 1"),
    ],
)
def test_what_does_not_go_together_is_refused(values, told):
    with pytest.raises(EpitomeError) as error:
        ReformerSettings.checked(values)
    assert told in error.value.message
