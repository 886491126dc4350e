"""What the settings of the language model make, what they refuse, and the paper's sizes."""

import pytest
import torch

from core.errors import EpitomeError
from core.models.families import num_parameters
from core.models.language_model.model import LanguageModel
from core.models.language_model.settings import PRESETS, LanguageModelSettings


def built(settings):
    with torch.device("meta"):
        model = LanguageModel(settings)
    return sum(parameter.numel() for parameter in model.parameters())


def test_the_papers_size_is_gpts_with_more_places_and_two_source_embeddings():
    """GPT has 116,534,784 parameters with 512 places; article and summary here have 624."""
    assert built(PRESETS["paper-5-gpt"]) == 116_534_784 + (624 - 512) * 768 + 2 * 768


def test_the_small_size_is_counted_by_hand():
    layer = 4 * (256 * 256 + 256) + 2 * 256 * 1024 + 1024 + 256 + 4 * 256
    tables = (8192 + 624 + 2) * 256
    assert built(PRESETS["paper-5"]) == tables + 4 * layer + 2 * 256 == 5_416_960


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"norm": "post"},
        {"source_embeddings": "none"},
        {"tied_embeddings": False, "feed_forward_width": 33},
        {"smear": True, "pointer": True},
    ],
    ids=str,
)
def test_parameters_are_counted_without_building(changes):
    sizes = {"vocabulary_size": 50, "length": 40, "width": 16, "depth": 3}
    settings = LanguageModelSettings(**(sizes | changes))
    assert num_parameters(settings) == built(settings)


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"width": 30}, "The heads must divide the width, but 4 do not divide 30."),
        ({"source_embeddings": "random"}, "source_embeddings"),
        ({"dropout": 1.0}, "less than 1"),
    ],
)
def test_what_does_not_go_together_is_refused(values, told):
    with pytest.raises(EpitomeError) as error:
        LanguageModelSettings.checked(values)
    assert told in error.value.message
