"""What the forms of a word have in common, in the document's language."""

from collections.abc import Callable

from core.documents.languages import Language
from core.documents.words import light_stem


def stemmer_of(language: Language) -> Callable[[str], str]:
    """How words of a language are reduced to their stems.

    Args:
        language: The language.

    Returns:
        Its Snowball stemmer (Martin Porter, 2001, "Snowball: a language for stemming algorithms");
        `light_stem` for English, where the language is not known, and where it has none.
    """
    if not (language.is_foreign and language.stemmer):
        return light_stem
    from Stemmer import Stemmer

    stem = Stemmer(language.stemmer).stemWord
    return lambda word: stem(word) or word  # of "όταν" nothing is left
