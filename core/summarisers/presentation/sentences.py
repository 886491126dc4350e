"""The selected sentences as they appear in a summary, with their evidence."""

from collections.abc import Iterator

from core.documents.document import Document, count_words
from core.summaries.summary import Evidence, SummarySentence
from core.summarisers.presentation.abbreviations import spell_out
from core.summarisers.presentation.trimming import trim_sentence
from core.summarisers.ranking import Order, Ranking
from core.summarisers.rules.discourse import find_enumerations


def present_sentences(
    document: Document,
    ranking: Ranking,
    order: Order,
    indices: list[int],
    *,
    pinned: frozenset[int],
    trims: bool,
    room: float,
) -> Iterator[SummarySentence]:
    """Trims sentences, spells out their abbreviations, and finds the questions they answer.

    Args:
        document: The document.
        ranking: Its sentences, ranked.
        order: The order from which they were selected.
        indices: The sentences, ascending.
        pinned: Those that the user pinned.
        trims: False leaves the sentences as they are in the document.
        room: Number of words for all of them.

    Yields:
        The sentences of the summary.
    """
    wholes = [_get_line(document, ranking, index) for index in indices]
    code = document.reading.language
    by_index = dict(zip(indices, wholes, strict=True))
    enumerated = find_enumerations(by_index, ranking.antecedents, code)
    texts = [
        trim_sentence(whole, code, ranking.citing, keeps_ordinal=index in enumerated)
        if trims
        else whole
        for index, whole in by_index.items()
    ]
    room -= sum(map(count_words, texts))
    spelt = spell_out(texts, ranking.short_forms, room) if trims else texts
    scores = dict(zip(order.indices.tolist(), order.scores.tolist(), strict=True))
    there, last_question = {-1, *indices}, -1
    for index, whole, text, shown in zip(indices, wholes, texts, spelt, strict=True):
        start, end = int(ranking.starts[index]), int(ranking.ends[index])
        question = ranking.questions.get(index, -1)
        is_known = question == last_question or question in there
        last_question = question
        yield SummarySentence(
            text=shown,
            evidence=(Evidence.at(document, index, start, end),),
            score=scores.get(index),
            pinned=index in pinned,
            trimmed=text != whole,
            spelt_out=shown != text,
            question="" if is_known else _get_line(document, ranking, question),
            leans=int(ranking.antecedents[index]) >= 0,
        )


def _get_line(document: Document, ranking: Ranking, index: int) -> str:
    """Returns a sentence on one line."""
    start, end = int(ranking.starts[index]), int(ranking.ends[index])
    return " ".join(document.text[start:end].split())
