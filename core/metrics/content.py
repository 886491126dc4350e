"""How much of a summary is in its document, and how much of the document is in the summary.

Source: Hoang et al. (2019), Efficient adaptation of pretrained transformers for abstractive
summarization, table 4: ROUGE-L of summary and document after stop words were removed.
"""

from collections.abc import Iterator

from core.documents.guessing import guess_language
from core.documents.languages import Language, language_of
from core.documents.words import Tokenizer
from core.metrics.rouge import RougeScore, shares
from core.metrics.subsequences import common_length
from core.metrics.words import Words, find_words
from core.version import VERSION


class ContentWords:
    """Compares summaries with their documents by content words.

    Args:
        tokenizer: What a word is, as for `core.metrics.rouge.Rouge`.
        stem: Whether English words of more than three letters are compared by their Porter stem.
    """

    def __init__(self, tokenizer: Tokenizer = "rouge", *, stem: bool = False) -> None:
        self._words = Words(tokenizer, stem=stem)

    def score(self, summary: str, document: str) -> RougeScore:
        """ROUGE-L of a summary against its document, both without function words.

        Args:
            summary: The summary.
            document: The document; its language says which words are function words.

        Returns:
            As precision, the share of the summary's content words that stand in the document, in
            order; as recall, the share of the document's.
        """
        language = language_of(guess_language(document) or "en")
        found, wanted = (self._of(text, language) for text in (summary, document))
        return shares(common_length(wanted, found), len(found), len(wanted))

    def _of(self, text: str, language: Language) -> list[int]:
        """The ids of a text's content words."""
        return self._words.of(" ".join(_content(text, language, self._words.tokenizer)))


def _content(text: str, language: Language, tokenizer: Tokenizer) -> Iterator[str]:
    """The words of a text, as ROUGE finds them, that are no function words."""
    left_out = _parts(language, tokenizer)
    return (word for word in find_words(text, tokenizer) if word not in left_out)


def recipe(*, stem: bool = False) -> str:
    """How the numbers are computed, to be reported with them."""
    stems = "Porter stemming of words over three letters" if stem else "no stemming"
    return (
        f"Epitome {VERSION}, after Hoang et al. (2019): ROUGE-L of summary and document without "
        f"the function words of the document's language, {stems}"
    )


def _parts(language: Language, tokenizer: Tokenizer) -> frozenset[str]:
    """Its function words as ROUGE's tokenizer cuts them: "don't" is two."""
    words = language.function_words
    return frozenset(part for word in words for part in find_words(word, tokenizer))
