"""What stands round a document that a model is given: its prompt, as tokens."""

from dataclasses import replace

from core.data.tokenizer import Tokenizer
from core.models.hugging_face.prompt import TEXT_PLACE

_WORD = "a"


def prompted(tokenizer: Tokenizer, prompt: str, opening: str = "", closing: str = "") -> Tokenizer:
    """A tokenizer that frames each source with a prompt.

    Args:
        tokenizer: The model's own.
        prompt: Holds {text} once, where the document stands.
        opening: What a chat template puts before the prompt.
        closing: What it puts after it; the last token of this is what the model goes on from.

    Returns:
        The tokenizer; its special tokens hold the frame.
    """
    before, _, after = prompt.partition(TEXT_PLACE)
    if closing:
        opened = tokenizer.encode_marked(opening + before)
        *closed, start = tokenizer.encode_marked(after + closing)
        special = replace(
            tokenizer.special, before=tuple(opened), after=tuple(closed), summary=start
        )
        return tokenizer.with_special(special)
    first, last = tokenizer.frame  # not that of an earlier prompt
    special = replace(
        tokenizer.special,
        before=(*first, *_leading(tokenizer, before)),
        after=(*tokenizer.encode(after), *last),
    )
    return tokenizer.with_special(special)


def _leading(tokenizer: Tokenizer, text: str) -> list[int]:
    """The ids of a text before another; the space between them may belong to the other's ids."""
    if not text:
        return []
    whole, word = tokenizer.encode(text + _WORD), tokenizer.encode(_WORD)
    if whole[-len(word) :] == word:
        return whole[: -len(word)]
    return tokenizer.encode(text)
