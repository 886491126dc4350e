"""What computes a model while it writes: PyTorch, or ctranslate2 where that part is installed."""

from typing import Literal

from core.decoding.settings import DecodingSettings

Engine = Literal["torch", "ctranslate2", "ctranslate2-int8"]
"""ctranslate2 computes with the model's own weights, in 32 bits, or with weights of 8 bits."""

EngineChoice = Literal["auto", "torch", "ctranslate2", "ctranslate2-int8"]


def searches_alike(settings: DecodingSettings) -> bool:
    """Whether ctranslate2 ends the search for a text as the settings ask.

    It ends a beam search when as many texts have ended as there are beams, or, where length does
    not count, when the best one has ended.

    Args:
        settings: How a text is searched for.

    Returns:
        True for greedy decoding, and for beam search that ends so.
    """
    if settings.beams == 1:
        return True
    return settings.end_of_search == "full" and settings.length_penalty != 0
