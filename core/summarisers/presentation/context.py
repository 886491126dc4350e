"""The context of a summary: doubts about the text, its abbreviations, citations and questions."""

import math
import re
from dataclasses import replace

import numpy as np

from core.documents.document import Document, Kind
from core.documents.genre import Genre, GenreName, genre_of
from core.documents.sentences import Sentences
from core.documents.turns import question_before
from core.summarisers.presentation.abbreviations import find_abbreviations
from core.summarisers.presentation.citations import detect_citation_style
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
# Chosen in November 2026 on judged documents, minutes, transcripts and slides among them
# (`docs/evaluation.md`).
_MIN_BEST, _MIN_BEST_OF_OTHERS = 0.9, 1.3
"""An extractive summary may mislead if the best sentences have less quality than this: of running
text and fiction, and of all texts that do not consist of sentences."""
_MAX_DISTANCE = 4
"""Sentences further after a question may no longer answer it."""
_CLOSING = re.compile(
    r"(?:In (?:summary|conclusion|closing)|To (?:sum up|conclude)|Zusammenfassend|Abschließend"
    r"|En (?:résumé|conclusion|resumen|conclusión)|Pour conclure|Para concluir)\b"
)
_OTHER = "Hardly a sentence of this text says enough by itself."
_WARNING = "Picked sentences may mislead here{outline}."
_OUTLINE = "; the outline shows more"


def add_context(ranking: Ranking, document: Document, sentences: Sentences) -> Ranking:
    """Adds to a ranking what its summaries need to know of the whole document.

    Args:
        ranking: The ranking.
        document: Its document.
        sentences: The sentences of the document.

    Returns:
        The same ranking with the doubt, the abbreviations that are explained, the way in which the
        document cites, and the questions that ranked sentences answer.
    """
    return replace(
        ranking,
        doubt=explain_doubt(
            genre_of(document),
            ranking.best,
            has_outline=bool(np.count_nonzero(document.kinds == Kind.HEADING) > 1),
        ),
        short_forms=find_abbreviations(document.text),
        citing=detect_citation_style(document),
        questions=_find_questions(ranking, document, sentences),
    )


def explain_doubt(genre: Genre, best: float, *, has_outline: bool) -> str:
    """Explains why an extractive summary may mislead.

    Args:
        genre: The kind of text.
        best: Mean quality of its best sentences; infinite if there are too few to say.
        has_outline: True if there are headings beside the title.

    Returns:
        Two sentences; empty if there is no doubt.
    """
    is_text = genre.name in ("running text", "fiction")
    is_good = best >= _MIN_BEST if is_text else _MIN_BEST_OF_OTHERS <= best < math.inf
    if is_good:
        return ""
    warning = _WARNING.format(outline=_OUTLINE if has_outline else "")
    if genre.name not in _NAMES:
        return f"{_OTHER} {warning}"
    reason = genre.reason[:1].lower() + genre.reason[1:]
    return f"This looks like {_NAMES[genre.name]}: {reason} {warning}"


def _find_questions(ranking: Ranking, document: Document, sentences: Sentences) -> dict[int, int]:
    """Finds the question that each ranked sentence of an interview answers."""
    if not document.speaker_names:
        return {}
    ranked = {*ranking.by_words.indices.tolist(), *ranking.by_number.indices.tolist()}
    asked = {index: question_before(document, sentences, index) for index in sorted(ranked)}
    near = ((index, question) for index, question in asked.items() if question >= 0)
    return {
        index: question
        for index, question in near
        if index - question <= _MAX_DISTANCE
        and not _is_closed(document, sentences, question, index)
    }


def _is_closed(document: Document, sentences: Sentences, question: int, index: int) -> bool:
    """True if a speaker sums up between a question and a sentence, or in it, without an answer."""
    begun = (document.text[sentences.starts[i] : sentences.ends[i]] for i in range(question, index))
    here = document.text[sentences.starts[index] : sentences.ends[index]]
    return any(map(_CLOSING.match, (*begun, here)))
