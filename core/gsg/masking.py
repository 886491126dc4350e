"""What a model gets and must write: the document with gaps, and the sentences that filled them."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.gsg.chance import shuffled
from core.gsg.selection import Selection, rounded_share
from core.gsg.settings import GapPairSettings

MASK = "<MASK>"


@dataclass(frozen=True)
class GapPair:
    """A training pair made from one document.

    Args:
        input: [S or fewer] the document's sentences with the picked ones masked or removed.
        target: The picked sentences, in the order of the document.
    """

    input: tuple[str, ...]
    target: tuple[str, ...]


def gap_pair(
    sentences: Sequence[str],
    selection: Selection,
    settings: GapPairSettings,
    document: int = 0,
) -> GapPair:
    """Makes the input and the pseudo-summary.

    Args:
        sentences: [S] all sentences of the document.
        selection: Which of them are picked.
        settings: What becomes of them: each picked sentence gives way to one mask, or to
            nothing, or stays; `left_in` says which share of them stays in any case.
        document: Number of the document; each draws its own random numbers.

    Returns:
        The pair.
    """
    picked = selection.in_document_order
    gaps = set(picked) - left_in(picked, settings, document)
    if settings.masking == "keep":
        gaps = set()
    stand_in = (MASK,) if settings.masking == "mask" else ()
    parts = [stand_in if index in gaps else (text,) for index, text in enumerate(sentences)]
    return GapPair(
        input=tuple(text for part in parts for text in part),
        target=tuple(sentences[index] for index in picked),
    )


def left_in(picked: Sequence[int], settings: GapPairSettings, document: int) -> set[int]:
    """Which picked sentences stay in the input all the same.

    Args:
        picked: The picked sentences, ascending.
        settings: Which share stays.
        document: Number of the document; each draws its own random numbers.

    Returns:
        Those that stay.
    """
    count = rounded_share(settings.left_in, len(picked))
    return set(shuffled(picked, settings.seed, document, "left in")[:count])
