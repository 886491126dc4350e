"""What a summary says besides its sentences: doubts about the text, abbreviations, questions."""

import math
import re
from dataclasses import replace

import numpy as np

from core.documents.document import Document, Kind
from core.documents.genre import Genre, GenreName, genre_of
from core.documents.sentences import Sentences
from core.documents.turns import question_before
from core.summarisers.presentation.abbreviations import short_forms_of
from core.summarisers.presentation.citations import citing_of
from core.summarisers.ranking import Ranking

_NAMES: dict[GenreName, str] = {
    "transcript": "a transcript",
    "minutes": "the minutes of a meeting",
    "form": "a form",
    "list": "a list",
    "table": "a table",
    "slides": "a presentation",
    "e-mail thread": "an e-mail thread",
    "template": "a template",
    "fiction": "fiction",
    "code": "code",
}
_DOUBTED, _DOUBTED_OF_OTHERS = 0.9, 1.3
"""Sentences are hardly worth picking if the best of them have less quality than this: of running
text and stories, and of all that is made of something else than sentences."""
_NEAR = 4
"""Sentences further behind a question may no longer answer it."""
_CLOSING = re.compile(
    r"(?:In (?:summary|conclusion|closing)|To (?:sum up|conclude)|Zusammenfassend|Abschließend"
    r"|En (?:résumé|conclusion|resumen|conclusión)|Pour conclure|Para concluir)\b"
)
_OTHER = "Hardly a sentence of this text says enough by itself."
_WARNING = "Picked sentences may mislead here{outline}."
_OUTLINE = "; the outline shows more"


def in_context(ranking: Ranking, document: Document, sentences: Sentences) -> Ranking:
    """A ranking with what its document tells beside the sentences.

    Args:
        ranking: The ranking.
        document: Its document.
        sentences: The sentences of the document.

    Returns:
        The same ranking with the doubt, the abbreviations that are explained, how the document
        cites, and the questions that ranked sentences answer.
    """
    return replace(
        ranking,
        doubt=doubt_about(
            genre_of(document),
            ranking.best,
            has_outline=bool(np.count_nonzero(document.kinds == Kind.HEADING) > 1),
        ),
        short_forms=short_forms_of(document.text),
        citing=citing_of(document),
        questions=_questions(ranking, document, sentences),
    )


def doubt_about(genre: Genre, best: float, *, has_outline: bool) -> str:
    """Why a summary of picked sentences may mislead.

    Args:
        genre: What kind of text it is.
        best: The quality of its best sentences; infinite where there are too few to tell.
        has_outline: Whether there are headings beside the title.

    Returns:
        Two sentences; empty where picked sentences will do.
    """
    is_text = genre.name in ("running text", "fiction")
    is_good = best >= _DOUBTED if is_text else _DOUBTED_OF_OTHERS <= best < math.inf
    if is_good:
        return ""
    warning = _WARNING.format(outline=_OUTLINE if has_outline else "")
    if genre.name not in _NAMES:
        return f"{_OTHER} {warning}"
    reason = genre.reason[:1].lower() + genre.reason[1:]
    return f"This looks like {_NAMES[genre.name]}: {reason} {warning}"


def _questions(ranking: Ranking, document: Document, sentences: Sentences) -> dict[int, int]:
    if not document.speaker_names:
        return {}
    ranked = {*ranking.by_words.indices.tolist(), *ranking.by_number.indices.tolist()}
    asked = {index: question_before(document, sentences, index) for index in sorted(ranked)}
    near = ((index, question) for index, question in asked.items() if question >= 0)
    return {
        index: question
        for index, question in near
        if index - question <= _NEAR and not _is_closed(document, sentences, question, index)
    }


def _is_closed(document: Document, sentences: Sentences, question: int, index: int) -> bool:
    """Whether a speaker sums up between a question and a sentence, or in it: no answer any more."""
    begun = (document.text[sentences.starts[i] : sentences.ends[i]] for i in range(question, index))
    here = document.text[sentences.starts[index] : sentences.ends[index]]
    return any(map(_CLOSING.match, (*begun, here)))
