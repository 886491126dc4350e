"""Notes on the length of a summary: why it is shorter or longer than requested."""

from collections.abc import Iterator

from core.documents.document import Document
from core.numbers import format_quantity
from core.summaries.summary import Length
from core.summarisers.ranking import Ranking
from core.summarisers.selection.budget import Selection, get_word_budget

SPELT_OUT = "Square brackets spell out abbreviations as the text explains them elsewhere."
_TOO_LONG = "No sentence is as short as the requested length; this is the shortest one."
_NO_ROOM = "No other good sentence fits into the requested length; the shortest has "
_ALL, _GOOD, _NONE, _MORE = "The text has only ", "Only ", "No sentence seems", "Ask for "
_FILLED = 0.8
"""A summary with less than this share of the requested words has a note."""


def is_about_size(note: str) -> bool:
    """True if a note of a summary is about its length or its form, and not about missing content.

    Args:
        note: One of `Summary.notes`.

    Returns:
        False for a note about missing content.
    """
    return note in (SPELT_OUT, _TOO_LONG) or note.startswith((_NO_ROOM, _ALL, _GOOD, _NONE, _MORE))


def explain_length(
    document: Document,
    ranking: Ranking,
    length: Length,
    selection: Selection,
    pinned: frozenset[int],
    banned: frozenset[int],
) -> Iterator[str]:
    """Explains why a selection does not have the requested length.

    Args:
        document: The document.
        ranking: Its sentences, ranked.
        length: The requested length.
        selection: The selected sentences.
        pinned: Sentences that were selected in any case.
        banned: Sentences that could not be selected.

    Yields:
        Notes; none if the length is reached.
    """
    if selection.exceeds_length:
        yield _TOO_LONG
        return
    picked, most = selection.indices, selection.requests_most
    order = ranking.order_for(length.unit)
    blocked = selection.find_blocked(ranking)
    num_selectable = order.num_rankable if most else selection.num_offered
    is_all = len(picked) + len(blocked) >= num_selectable - len(banned - pinned)
    if is_all and not (length.unit == "sentences" and len(picked) >= length.value):
        eligible = {*order.indices[: order.num_eligible].tolist(), *pinned}
        count = sum(most or index in eligible for index in picked)
        yield _note_on_all(count, len(picked) - count, most, bool(banned), bool(blocked))
        if not most and order.num_rankable > selection.num_offered:
            yield _note_on_more(ranking, length)
    elif length.unit != "sentences":
        yield from _notes_on_room(document, ranking, length, selection)


def _note_on_all(count: int, rest: int, most: bool, some_banned: bool, some_blocked: bool) -> str:
    """States that no more sentences are there.

    Args:
        count: Number of eligible sentences in the summary.
        rest: Number of others.
        most: True if most of the text is requested.
        some_banned: True if sentences were dropped.
        some_blocked: True if others need one of these.

    Returns:
        The note.
    """
    if most:
        what = "1 sentence" if count == 1 else f"{count} sentences"
        note = f"{_ALL}{what} to choose from; "
    else:
        some = "1 sentence seems" if count == 1 else f"{count} sentences seem"
        note = f"{_GOOD}{some}" if count else _NONE
        note += " to matter enough and to be clear alone"
        note += "; " if count or rest else "."
    if rest:
        best = "the next best" if count else "the best"
        note += f"{best} one is here" if rest == 1 else f"{best} {rest} are here"
        note += ", too." if count else "."
    elif count or most:
        note += "it is here." if count == 1 else "all of them are here."
    if some_banned:
        needing = ", and what needs them," if some_blocked else ""
        note += f" Dropped sentences{needing} are left out."
    return note


def _notes_on_room(
    document: Document, ranking: Ranking, length: Length, selection: Selection
) -> Iterator[str]:
    """Explains why a summary is far shorter than requested, though good sentences are left."""
    picked = selection.indices
    if int(ranking.words[picked].sum()) >= _FILLED * get_word_budget(document, length):
        return
    there = {-1, *picked}
    left = set(selection.candidates) - there
    reachable = [index for index in left if int(ranking.antecedents[index]) in there]
    if reachable:
        shortest = int(ranking.words[reachable].min())
        yield f"{_NO_ROOM}{format_quantity(shortest, 'word')}."


def _note_on_more(ranking: Ranking, length: Length) -> str:
    by_sentence = length.unit == "sentences"
    request = format_quantity(ranking.half, "sentence") if by_sentence else "half of the text"
    return f"{_MORE}{request} or more to have weaker ones, too."
