"""Features of sentences: against plain sums, and on sentences that show one feature."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.document import Block, Document, Kind, Source
from core.summarisers.features.extraction import Features
from tests.helpers.corpora import TEXTS
from tests.helpers.ranking import cut, extract


def document_of(*blocks: Block | str, title: str = "") -> Document:
    made = [Block(block) if isinstance(block, str) else block for block in blocks]
    return Document.from_blocks(made, title=title, source=Source("a.txt"))


def features_of(*blocks: Block | str, title: str = "") -> Features:
    return extract(document_of(*blocks, title=title))


def column(features: Features, name: str) -> list[float]:
    return features.table[name].tolist()


@given(st.lists(st.text(max_size=60), max_size=8), st.text(max_size=20))
def test_any_text_gives_numbers(texts: list[str], title: str) -> None:
    kinds = [Kind.PARAGRAPH, Kind.HEADING, Kind.LIST_ITEM, Kind.CAPTION]
    blocks = [Block(text, kinds[n % 4], n % 3) for n, text in enumerate(texts)]
    document = document_of(*blocks, title=title)
    features, candidates = extract(document), cut(document)
    for table in (features.table, features.independence):
        matrix = table.to_matrix()
        assert matrix.shape == (len(candidates), len(table.names))
        assert np.isfinite(matrix).all()


def vectors(texts: list[str]) -> list[dict[str, float]]:
    """Each text's words, weighed and made as long as 1."""
    bags = [Counter(text.lower().rstrip(".").split()) for text in texts]
    found = []
    for bag in bags:
        weights = {
            word: (1 + math.log(count))
            * math.log((1 + len(texts)) / (1 + sum(word in other for other in bags)))
            for word, count in bag.items()
        }
        length = math.sqrt(sum(weight**2 for weight in weights.values()))
        found.append({word: weight / length for word, weight in weights.items()})
    return found


def cosine(one: dict[str, float], others: list[dict[str, float]]) -> float:
    total: Counter[str] = Counter()
    for other in others:
        for word, value in other.items():
            total[word] += value  # type: ignore[assignment]
    length = math.sqrt(sum(value**2 for value in total.values()))
    inner = sum(value * total[word] for word, value in one.items())
    return inner / length if length else 0.0


def test_cosines_are_those_of_weighted_words() -> None:
    sections = [
        ["the red pump moves heat", "heat moves the pump", "a pump needs power"],
        ["power comes late", "the late train moves the red power"],
    ]
    blocks: list[Block | str] = []
    for number, texts in enumerate(sections):
        blocks += [Block(f"Part {number}", Kind.HEADING, 1), *(f"{text}." for text in texts)]
    features = features_of(*blocks)
    flat = [text for texts in sections for text in texts]
    each = vectors(flat)
    sides = [0, 0, 0, 1, 1]
    for name, others in {
        "cosine: document": [[j for j in range(5) if j != i] for i in range(5)],
        "cosine: section": [
            [j for j in range(5) if j != i and sides[j] == sides[i]] for i in range(5)
        ],
        "cosine: next": [[i + 1] if i < 4 else [] for i in range(5)],
        "cosine: first 3": [[0, 1, 2]] * 5,
    }.items():
        wanted = [cosine(each[i], [each[j] for j in others[i]]) for i in range(5)]
        assert column(features, name) == pytest.approx(wanted), name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("In this paper we present a new pump.", "cue: this paper"),
        ("In this paper we present a new pump.", "cue: we"),
        ("The results show that pumps save power.", "cue: finding"),
        ("A pump is a machine that moves heat.", "cue: defining"),
        ("Pumps, for example, move heat.", "cue: giving an example"),
        ("However, the valve stays open.", "begins with connective"),
        ("It moves heat to warm places.", "begins with pronoun"),
        ("The valve (open or not) is red.", "brackets"),
        ("Heat was moved in 1999 [3].", "citations"),
        ("The IEEE and NASA agree on this.", "abbreviations"),
        ("Call read_all() to see x = 3.", "code"),
    ],
)
def test_a_sentence_shows_what_it_is(text: str, name: str) -> None:
    plain = "Warm water runs down quickly."
    assert column(features_of(plain, text), name)[0] == 0
    assert column(features_of(plain, text), name)[1] > 0


def test_words_of_another_language_are_stemmed_and_give_no_english_cues() -> None:
    features = features_of(
        "Was die Häuser kosten, war für den Rat der Stadt und das Land nicht so wichtig.",
        "Die Stadt hat das Haus in der Flut und in dem Sturm danach nicht verloren.",
    )
    cues = [name for name in features.table.names if name.startswith(("cue:", "begins with"))]
    assert cues and not any(features.table[name].any() for name in cues)
    stems = [features.stems.spellings[word] for word in features.stems.words]
    assert stems.count("haus") == 2


def test_places_are_counted_in_document_section_and_paragraph() -> None:
    features = features_of(
        "First comes the water. Then comes the fire.",
        Block("4 Conclusions", Kind.HEADING, 2),
        "Third comes the earth. Fourth comes the air. Last comes the end.",
        Block("A list item with five words.", Kind.LIST_ITEM, 1),
    )
    assert column(features, "document: share") == [0, 0.2, 0.4, 0.6, 0.8, 1]
    assert column(features, "paragraph: share") == [0, 1, 0, 0.5, 1, 0]
    assert column(features, "section: before") == pytest.approx(
        [math.log1p(n) for n in (0, 1, 0, 1, 2, 3)]
    )
    assert column(features, "heading: closing") == [0, 0, 1, 1, 1, 1]
    assert column(features, "document: closing") == [pytest.approx(4 / 6)] * 6
    assert column(features, "heading level") == [0, 0, 2, 2, 2, 2]
    assert column(features, "list item") == [0, 0, 0, 0, 0, 1]


def test_ranks_are_shares_of_the_document() -> None:
    document = document_of("\n\n".join(TEXTS[:4]))
    features, words = extract(document), cut(document).words.tolist()
    wanted = [sum(other < one for other in words) / (len(words) - 1) for one in words]
    assert column(features, "rank: words") == pytest.approx(wanted)


def test_a_pair_of_words_stands_in_one_sentence() -> None:
    assert column(features_of("We know what heat is. The pump is red."), "cue: defining") == [0, 0]
