"""Trains the ranker of the built-in summariser, and writes `resources/ranker/ranker.npz`.

    pip install -e .[ranker]
    python packaging/train_ranker.py ../shared/data        # about twenty minutes

Learns from `train` of the sets of pairs whose licence lets the result be shipped, and from research
articles without their abstracts, which are the summaries there. Some documents are learnt from once
more with their summary as the first section: a reader's own document may have one, and most of
these have lost theirs. It does so in three steps: which words of a document are in its summary;
which pairs of neighbouring words are, when it is known how probable the words are; and what each
sentence is worth, when both are known. Half a sentence's worth is how much ROUGE-1 and 2 it alone
has with the summary that a person wrote, to the best sentence of its document; half whether it is
in the set that is picked greedily for ROUGE-1 and 2 when that summary is known. The same data gives
the same file.
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from core.documents.document import Document  # noqa: E402
from core.documents.readers.door import read_pasted  # noqa: E402
from core.documents.sentences import split_document  # noqa: E402
from core.documents.words import light_stem, rouge_words, unicode_words  # noqa: E402
from core.events import result_of  # noqa: E402
from core.stop import StopToken  # noqa: E402
from core.summarisers.candidates import Candidates, cut_candidates  # noqa: E402
from core.summarisers.features.extraction import Features, extract_features  # noqa: E402
from core.summarisers.features.table import FeatureTable  # noqa: E402
from core.summarisers.features.terms import Terms, term_keys  # noqa: E402
from core.summarisers.scoring.ranker import (  # noqa: E402
    Background,
    Ranker,
    likely_pairs,
    pair_table,
    sentence_table,
    sigmoid,
    word_table,
)
from core.summarisers.scoring.trees import Trees  # noqa: E402

OUT = ROOT / "resources" / "ranker" / "ranker.npz"
WORDS = {"patents": 105, "openstax": 100, "proposals": 60, "lay": 330}
"""The sets that are learnt from, and how long summaries of each are."""
ABSTRACT_WORDS = 150
_ABSTRACT = re.compile(r"^## Abstract\n\n(.*?)(?=^#)", re.MULTILINE | re.DOTALL)
_FEWEST_ABSTRACT_WORDS = 60
_LONGEST_ARTICLE = 60_000  # characters; there are few longer ones, and they take long
OPENED, OPENED_STEP = {"patents", "openstax", "proposals"}, 6
"""Of these sets every so manyth document is learnt from with its summary before it, too."""
_OPENINGS = ("Abstract", "Summary")
FEWEST_DOCUMENTS = 5
"""Words of fewer documents are not in the background."""
PRIOR, PRIOR_DOCUMENTS = 0.1, 10
"""The share of documents whose summaries have a word, and for how many documents it stands."""
LEARNING: dict[str, Any] = {
    "feature_fraction": 0.4, "bagging_freq": 1, "lambda_l2": 5.0, "max_bin": 63, "num_threads": 1,
    "seed": 1, "deterministic": True, "force_row_wise": True, "verbose": -1,
}  # fmt: skip
OF_WORDS = {
    "objective": "binary", "max_depth": 6, "num_leaves": 40, "learning_rate": 0.06,
    "min_data_in_leaf": 300, "bagging_fraction": 0.5, "num_iterations": 200,
}  # fmt: skip
OF_PAIRS = OF_WORDS | {"learning_rate": 0.1, "num_iterations": 150}
OF_SENTENCES = {
    "objective": "regression", "max_depth": 7, "num_leaves": 64, "learning_rate": 0.03,
    "min_data_in_leaf": 300, "bagging_fraction": 0.7, "num_iterations": 500,
}  # fmt: skip
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Example:
    """A document with its summary.

    Letters: W its different words, P pairs of the summary, E its candidates.

    Args:
        features: [E] features of its candidates.
        words: The words of these.
        in_summary: [W] True for words that the summary contains, too.
        summary_pairs: [P] keys of the pairs of neighbouring words in the summary.
        utility: [E] the target for each candidate.
    """

    features: Features
    words: Terms
    in_summary: Flags
    summary_pairs: NDArray[np.int64]
    utility: Floats

    @property
    def spellings(self) -> list[str]:
        """[W] the words."""
        return [self.features.stems.spellings[key] for key in self.words.keys.tolist()]


def trained(examples: Sequence[Example]) -> Ranker:
    """The ranker that learns from documents with summaries."""
    background = background_of(examples)
    tables = [word_table(example.words, example.features, background) for example in examples]
    of_words = learn(tables, [example.in_summary for example in examples], OF_WORDS)
    word_probs = [sigmoid(of_words.predict(table.to_matrix())) for table in tables]
    pairs = [
        likely_pairs(example.features, example.words, probs)
        for example, probs in zip(examples, word_probs, strict=True)
    ]
    tables = [
        pair_table(own, example.features, example.words, probs)
        for example, own, probs in zip(examples, pairs, word_probs, strict=True)
    ]
    in_summary = [
        np.isin(own.keys, example.summary_pairs)
        for example, own in zip(examples, pairs, strict=True)
    ]
    of_pairs = learn(tables, in_summary, OF_PAIRS)
    pair_probs = [sigmoid(of_pairs.predict(table.to_matrix())) for table in tables]
    tables = [
        sentence_table(example.features, example.words, one, own, other, background)
        for example, one, own, other in zip(examples, word_probs, pairs, pair_probs, strict=True)
    ]
    of_sentences = learn(tables, [example.utility for example in examples], OF_SENTENCES)
    return Ranker(background, of_words, of_pairs, of_sentences)


def background_of(examples: Sequence[Example]) -> Background:
    """How the words of documents are used, in these and in their summaries."""
    there = Counter(spelling for example in examples for spelling in example.spellings)
    in_summaries = Counter(
        spelling
        for example in examples
        for spelling, has in zip(example.spellings, example.in_summary.tolist(), strict=True)
        if has
    )
    spellings = sorted(word for word, count in there.items() if count >= FEWEST_DOCUMENTS)
    counts = np.array([*(there[word] for word in spellings), 0])
    hits = np.array([*(in_summaries[word] for word in spellings), 0])
    idf = np.log((1 + len(examples)) / (1 + counts))
    rates = np.log((hits + PRIOR * PRIOR_DOCUMENTS) / (counts + PRIOR_DOCUMENTS))
    return Background(tuple(spellings), idf.astype(np.float32), rates.astype(np.float32))


def learn(
    tables: Sequence[FeatureTable], targets: Sequence[NDArray[Any]], settings: dict[str, Any]
) -> Trees:
    """Trains trees; a document has the weight of the square root of its number of rows."""
    import lightgbm

    settings = LEARNING | settings
    rows = np.concatenate([table.to_matrix() for table in tables])
    weights = np.concatenate([np.full(len(one), max(1, len(one)) ** -0.5) for one in targets])
    data = lightgbm.Dataset(rows, np.concatenate(targets).astype(np.float32), weight=weights)
    found = lightgbm.train(settings, data).dump_model()["tree_info"]
    print(f"  {len(found)} trees of {rows.shape[0]:,} rows, {rows.shape[1]} columns", flush=True)
    inner = 2 ** settings["max_depth"] - 1
    trees = Trees(
        np.zeros((len(found), inner), np.int16),
        np.full((len(found), inner), np.inf, np.float32),
        np.zeros((len(found), inner + 1), np.int32),
        tables[0].names,
    )
    for number, tree in enumerate(found):
        _fill(trees, number, 0, tree["tree_structure"])
    return trees


def _fill(trees: Trees, number: int, node: int, found: dict[str, Any]) -> None:
    """Copies what is under a node; where a leaf comes early, all goes to the first side."""
    inner = trees.features.shape[1]
    if "leaf_value" in found:
        while node < inner:
            node = 2 * node + 1
        trees.leaves[number, node - inner] = round(found["leaf_value"] * 1e6)
        return
    trees.features[number, node] = found["split_feature"]
    trees.thresholds[number, node] = found["threshold"]
    for side, name in enumerate(("left_child", "right_child")):
        _fill(trees, number, 2 * node + 1 + side, found[name])


def target_utility(candidates: Candidates, summary: str, limit: int) -> Floats:
    """[E] the utility of each candidate that the ranker should predict, from 0 to 1.

    Args:
        candidates: Those of a document.
        summary: What a person wrote.
        limit: How many words the picked set may have.
    """
    counted = _counted(candidates.texts, summary)
    alone = sum(each.f1(each.held, each.sizes) for each in counted)
    picked = np.zeros(len(candidates.texts), bool)
    picked[_picked(counted, candidates.words, limit)] = True
    return 0.5 * alone / max(1e-9, float(alone.max())) + 0.5 * picked


def picked_with(
    texts: Sequence[str], summary: str, words: NDArray[np.int32], limit: int
) -> list[int]:
    """The sentences that are picked, one after the other, when the summary is known.

    Args:
        texts: [E] sentences.
        summary: What a person wrote.
        words: [E] how many words each has.
        limit: How many words the picked ones may have.

    Returns:
        Those that each add most to ROUGE-1 and 2 together, until nothing is added.
    """
    return _picked(_counted(texts, summary), words, limit)


def _counted(texts: Sequence[str], summary: str) -> list["_Counted"]:
    stem = _stemmer()
    words = [[stem(word) for word in rouge_words(text)] for text in texts]
    reference = [stem(word) for word in rouge_words(summary)]
    return [_Counted(words, reference), _Counted(_pairs(words), _pairs([reference])[0])]


def _picked(counted: "Sequence[_Counted]", words: NDArray[np.int32], limit: int) -> list[int]:
    taken: list[int] = []
    best, left = 0.0, limit
    while True:
        gains = sum(each.with_one_more(taken) for each in counted)
        gains[words > left] = -1
        gains[taken] = -1
        index = int(gains.argmax())
        if gains[index] <= best:
            return taken
        best, left = float(gains[index]), left - int(words[index])
        taken.append(index)


class _Counted:
    """How often the words of a reference stand in each of some texts."""

    def __init__(self, texts: Sequence[Sequence[Any]], reference: Sequence[Any]) -> None:
        numbers = {word: number for number, word in enumerate(dict.fromkeys(reference))}
        self.reference = np.array([Counter(reference)[word] for word in numbers], np.int64)
        self.sizes = np.array([len(text) for text in texts], np.int64)
        self.counts = np.zeros((len(texts), len(numbers)), np.int64)
        for row, text in enumerate(texts):
            for word in text:
                if word in numbers:
                    self.counts[row, numbers[word]] += 1
        self.held = np.minimum(self.counts, self.reference).sum(1)

    def with_one_more(self, taken: list[int]) -> Floats:
        counts = self.counts[taken].sum(0) + self.counts
        return self.f1(
            np.minimum(counts, self.reference).sum(1), self.sizes[taken].sum() + self.sizes
        )

    def f1(self, held: NDArray[np.int64], sizes: NDArray[np.int64]) -> Floats:
        return 2 * held / np.maximum(1, sizes + self.reference.sum())


def _pairs(texts: Sequence[Sequence[str]]) -> list[list[tuple[str, str]]]:
    return [list(pairwise(text)) for text in texts]


def _stemmer() -> Any:
    from functools import cache

    from nltk.stem.porter import PorterStemmer

    stem = PorterStemmer().stem
    return cache(lambda word: stem(word) if len(word) > 3 else word)


def examples_of(data: Path, sets: Sequence[str]) -> Iterator[Example]:
    """The documents of some sets, with what is to be learnt of each.

    Args:
        data: The folder of all data.
        sets: Sets of pairs; `lay` brings the articles with abstracts along, which are of its kind.
    """
    for name in sets:
        rows = _rows(data / "pairs" / name / "train.parquet")
        triples = [(row["title"], row["document"], row["summary"]) for row in rows]
        yield from _examples(name, triples, WORDS[name])
        if name in OPENED:
            yield from _examples("opened by them", _opened(triples[::OPENED_STEP]), WORDS[name])
        if name == "lay":
            texts = [(row["title"], row["document"]) for row in rows]
            articles = _rows(data / "corpus" / "articles.parquet")
            texts += [(row["title"], row["text"]) for row in articles]
            yield from _examples("abstracts", _with_abstracts(texts), ABSTRACT_WORDS)


def _rows(path: Path) -> list[dict[str, str]]:
    from pyarrow.parquet import read_table

    rows: list[dict[str, str]] = read_table(path).to_pylist()
    return rows


def _with_abstracts(texts: Sequence[tuple[str, str]]) -> list[tuple[str, str, str]]:
    """Titles, articles without their abstracts, abstracts; not of the longest ones."""
    found = []
    for title, text in texts:
        match = _ABSTRACT.search(text)
        if not match or len(match[1].split()) < _FEWEST_ABSTRACT_WORDS:
            continue
        rest = text[: match.start()] + text[match.end() :]
        if len(rest) <= _LONGEST_ARTICLE:
            found.append((title, rest, match[1].strip()))
    return found


def _opened(rows: Sequence[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """The same with each summary as the first section of its document."""
    found = []
    for heading, (title, text, summary) in zip(cycle(_OPENINGS), rows, strict=False):
        rest = text if text.startswith("#") else f"## Introduction\n\n{text}"
        paragraphs = summary.replace("\n", "\n\n")
        found.append((title, f"## {heading}\n\n{paragraphs}\n\n{rest}", summary))
    return found


def _examples(name: str, rows: Sequence[tuple[str, str, str]], limit: int) -> Iterator[Example]:
    for title, text, summary in rows:
        stop = StopToken()
        yield example_of(result_of(read_pasted(text, title, stop)), summary, limit)
    print(f"{name}: {len(rows)} documents", flush=True)


def example_of(document: Document, summary: str, limit: int) -> Example:
    """Makes an example of a document with its summary.

    Args:
        document: The document.
        summary: What a person wrote.
        limit: Number of words that the best set of sentences may have.

    Returns:
        The example.
    """
    stop = StopToken()
    candidates = cut_candidates(document, result_of(split_document(document, stop)))
    features = result_of(extract_features(document, candidates, stop))
    words = Terms.from_tokens(features.stems, 1)
    numbers = {spelling: number for number, spelling in enumerate(features.stems.spellings)}
    stems = map(light_stem, unicode_words(summary))
    known = np.array([numbers.get(word, -1) for word in stems], np.int64)
    pairs = term_keys(known, words.num_words, 2)[(known[:-1] >= 0) & (known[1:] >= 0)]
    utility = target_utility(candidates, summary, limit)
    return Example(features, words, np.isin(words.keys, known), pairs, utility)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="the folder of all data")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--without", choices=WORDS, help="a set that is not learnt from")
    arguments = parser.parse_args()
    sets = [name for name in WORDS if name != arguments.without]
    trained(list(examples_of(arguments.data, sets))).save(arguments.out)
    print(f"{arguments.out}: {arguments.out.stat().st_size / 1024:.0f} KiB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
