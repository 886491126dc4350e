"""The order of text on labelled real pages, measured, and beside that of poppler.

The labels are in `tests/helpers/reading_order.json`; what each share means is told in
`docs/formats.md`.
"""

import pytest

from tests.helpers.reading_order import FILES, Page, Score, labelled_pages, score, total
from tests.helpers.reading_order_sides import SIDES, version_of

needs_files = pytest.mark.skipif(
    not FILES.is_dir(), reason=f"the folder of real files is not there: {FILES}"
)
SHARES = [
    ("found", "labels", 1.0),
    ("in_one_piece", "labels", 0.99),
    ("whole", "labels", 0.96),
    ("in_turn", "neighbours", 0.995),
    ("in_order", "pairs", 0.995),
]


def share(found: Score, part: str, whole: str) -> float:
    counts = vars(found)
    return float(counts[part] / counts[whole])


def test_labels_are_of_many_kinds_of_pages() -> None:
    pages = labelled_pages()
    assert len(pages) >= 16
    assert sum(len(page.running) + len(page.aside) for page in pages) > 250
    assert len({page.file for page in pages}) >= 10


def test_score_counts_what_is_missing_parted_and_out_of_turn() -> None:
    quotes = (("One begins", "one ends"), ("Two begins", "two ends"), ("Three", "Three"))
    page = Page("a.pdf", 1, "", quotes)
    right = ["One begins and one ends.", "Two begins and two ends.", "Three"]
    assert score(page, right) == Score(3, 3, 3, 3, 2, 2, 3, 3)
    turned = ["Two begins and two ends.", "One begins and one ends."]
    assert score(page, turned) == Score(3, 2, 2, 2, 2, 0, 3, 0)
    mixed = ["One begins and Two begins", "and one ends. and two ends.", "Three"]
    assert score(page, mixed) == Score(3, 3, 1, 1, 2, 2, 3, 3)
    joined = ["One begins and one ends. Two begins and two ends. Three"]
    assert score(page, joined) == Score(3, 3, 3, 0, 2, 2, 3, 3)


@needs_files
def test_labelled_pages_come_out_in_order() -> None:
    found = total(labelled_pages(), SIDES["epitome"])
    for part, whole, least in SHARES:
        assert share(found, part, whole) >= least, part


@needs_files
@pytest.mark.skipif(not version_of("pdftotext"), reason="poppler's pdftotext is not on the path")
def test_order_is_not_worse_than_poppler() -> None:
    ours, theirs = (total(labelled_pages(), SIDES[side]) for side in ("epitome", "pdftotext"))
    for part, whole, _ in SHARES:
        assert share(ours, part, whole) >= share(theirs, part, whole), part
