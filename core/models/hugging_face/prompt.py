"""The prompt in which a model of the Hugging Face library reads a document."""

TEXT_PLACE = "{text}"
"""Stands for the document in a prompt."""

DEFAULT_PROMPT = (
    "Summarise the following text in a few plain sentences. Use only what the text says."
    f"\n\n{TEXT_PLACE}"
)
"""What a chat model is asked."""


def check_prompt(prompt: str) -> None:
    """Refuses, as a `ValueError`, a prompt that does not say where the document stands."""
    if prompt.count(TEXT_PLACE) != 1:
        raise ValueError("“prompt” must hold {text} once, where the document stands.")
