"""The same document twice is found, to the letter or nearly; other documents are not."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from numpy.typing import NDArray

from core.data.bookkeeping import Bookkeeping, unpacked
from core.data.duplicates import HASHES, NEARLY_SAME, content_hash, signature, word_hashes
from core.data.splitting import UNSPLIT
from core.events import result_of
from core.stop import StopToken

RANDOM = np.random.Generator(np.random.PCG64(1))
WORDS = np.array([f"word{number}" for number in range(5000)])


def text(length: int = 300) -> list[str]:
    found: list[str] = RANDOM.choice(WORDS, length).tolist()
    return found


def duplicates(contents: NDArray[np.uint64], signatures: NDArray[np.uint32]) -> list[list[int]]:
    with TemporaryDirectory() as folder, Bookkeeping(Path(folder) / "books") as books:
        books.add(np.full(len(contents), UNSPLIT, np.int8), contents, signatures)
        result_of(books.find((1.0, 0.0, 0.0), 0, StopToken()))
        return np.stack(unpacked(books.pairs), 1).tolist()


def found(*texts: list[str]) -> list[list[int]]:
    hashes = [word_hashes(" ".join(words)) for words in texts]
    contents = np.array([content_hash(words) for words in hashes], np.uint64)
    return duplicates(contents, np.stack([signature(words) for words in hashes]))


def grams(words: list[str]) -> set[tuple[str, ...]]:
    return {tuple(words[place : place + 5]) for place in range(len(words) - 4)}


def test_the_same_words_are_found_whatever_parts_them() -> None:
    first, other = text(), text()
    assert found(first, other, [word.upper() for word in first]) == [[0, 2]]
    assert content_hash(word_hashes("A b\n\nc")) == content_hash(word_hashes("a  B c"))
    assert content_hash(word_hashes("a b c")) != content_hash(word_hashes("a c b"))


@pytest.mark.parametrize(("changed", "is_found"), [(3, True), (6, True), (100, False)])
def test_nearly_the_same_is_found(changed: int, is_found: bool) -> None:
    first = text()
    other = list(first)
    for place in RANDOM.choice(300, changed, replace=False):
        other[place] = "other"
    share = len(grams(first) & grams(other)) / len(grams(first) | grams(other))
    assert (share > 0.75) == is_found and (share < 0.4) != is_found
    assert found(first, text(), other, text()) == ([[0, 2]] if is_found else [])


def test_signatures_agree_as_far_as_documents_do() -> None:
    first = text(2000)
    other = [*first[:1500], *text(500)]
    share = len(grams(first) & grams(other)) / len(grams(first) | grams(other))
    pair = [signature(word_hashes(" ".join(words))) for words in (first, other)]
    assert abs(float((pair[0] == pair[1]).mean()) - share) < 3 * (share / HASHES) ** 0.5
    assert share < NEARLY_SAME + 0.05


def test_agreeing_in_one_band_is_not_enough() -> None:
    signatures = np.arange(2 * HASHES, dtype=np.uint32).reshape(2, HASHES)
    signatures[1, :4] = signatures[0, :4]
    contents = np.array([1, 2], np.uint64)
    assert duplicates(contents, signatures) == []
    signatures[1, :40] = signatures[0, :40]
    assert duplicates(contents, signatures) == [[0, 1]]


def test_of_many_alike_each_is_paired_with_the_first() -> None:
    first = text()
    pairs = found(first, text(), first, first, first)
    assert pairs == [[0, 2], [0, 3], [0, 4]]


def test_short_documents_are_compared_whole() -> None:
    assert found(["a"], ["b"], ["a"], ["a", "b"]) == [[0, 2]]


def test_a_document_longer_than_a_chunk_is_no_other() -> None:
    long = text(20_000)
    assert found(long, long[:4000], [*long[:-1], "end"]) == [[0, 2]]
