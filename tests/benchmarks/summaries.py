"""How much of what people wrote is in the built-in summaries? ROUGE over all test documents.

    python tests/benchmarks/summaries.py                # about half an hour, most of it TextRank
    python tests/benchmarks/summaries.py --ours         # the built-in summariser alone: minutes
    python tests/benchmarks/summaries.py --left-out     # rankers that have not seen a set: as long
    python tests/benchmarks/summaries.py --table        # print the kept rows, run nothing

Each system ranks the sentences of a test document of `../shared/data/pairs`; whole sentences are
taken, best first, as long as they fit into the words of the set, and stand in the order of the
document. ROUGE-1, 2 and Lsum, F1, stemmed, sentences on lines, against the summary that a person
wrote. `--left-out` trains a ranker for each set without it, and measures these alone. What a reader
thinks of the sentences is measured by `judged.py`.

TextRank and LexRank are those of `sumy`, with the same sentences and words as ours; the oracle
takes at each step the sentence that adds most to ROUGE-1 and 2 when the summary is known.

A row a document goes to `results/summaries.csv`; what is there of other systems stays.
"""

import argparse
import csv
import statistics
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "packaging")]

from train_ranker import WORDS as LEARNT_FROM  # noqa: E402
from train_ranker import examples_of, picked_with, trained  # noqa: E402

from core.documents.document import RUNNING_TEXT, Document, count_words  # noqa: E402
from core.documents.readers.door import read_pasted  # noqa: E402
from core.documents.sentences import split_document, split_paragraph  # noqa: E402
from core.documents.words import rouge_words  # noqa: E402
from core.events import result_of  # noqa: E402
from core.gsg.chance import shuffled  # noqa: E402
from core.gsg.selection import order as gap_order  # noqa: E402
from core.gsg.settings import GapSentenceSettings  # noqa: E402
from core.gsg.tokens import tokenise  # noqa: E402
from core.metrics.rouge import Rouge  # noqa: E402
from core.stop import StopToken  # noqa: E402
from core.summaries.summary import Length  # noqa: E402
from core.summarisers.built_in import rank_document  # noqa: E402
from core.summarisers.choice import choose  # noqa: E402
from core.summarisers.scoring.ranker import Ranker  # noqa: E402
from core.summarisers.scoring.scores import shipped_ranker  # noqa: E402
from core.summarisers.selection.budget import ranks_needed  # noqa: E402

DATA = ROOT / "../shared/data"
RESULTS = Path(__file__).parent / "results"
WORDS = {**LEARNT_FROM, "scisummnet": 135}
SCORES = ("1", "2", "Lsum")
Row = dict[str, Any]


# --- systems: the sentences of a document's running text, best first ---


def lead(texts: Sequence[str]) -> list[int]:
    return list(range(len(texts)))


def by_chance(texts: Sequence[str]) -> list[int]:
    return shuffled(list(range(len(texts))), 1, len(texts), "summary")


def gap_sentences(texts: Sequence[str], strategy: str) -> list[int]:
    settings = GapSentenceSettings(strategy=strategy)  # type: ignore[arg-type]
    tokens = result_of(tokenise(texts, StopToken()))
    return list(result_of(gap_order(tokens, settings, StopToken())).picked)


class _Words:
    """What `sumy` asks for the words of a sentence."""

    def to_words(self, text: str) -> list[str]:
        return rouge_words(text)


def text_rank(texts: Sequence[str]) -> list[int]:
    from sumy.nlp.stemmers import Stemmer
    from sumy.summarizers.text_rank import TextRankSummarizer

    ranks = TextRankSummarizer(Stemmer("english"))
    document = _Document(texts)
    scores = ranks.power_method(ranks._create_matrix(document), ranks.epsilon)
    return np.argsort(-np.asarray(scores), kind="stable").tolist()


def lex_rank(texts: Sequence[str]) -> list[int]:
    from sumy.nlp.stemmers import Stemmer
    from sumy.summarizers.lex_rank import LexRankSummarizer

    ranks = LexRankSummarizer(Stemmer("english"))
    words = [ranks._to_words_set(sentence) for sentence in _Document(texts).sentences]
    frequencies, rarity = ranks._compute_tf(words), ranks._compute_idf(words)
    matrix = ranks._create_matrix(words, ranks.threshold, frequencies, rarity)
    scores = ranks.power_method(matrix, ranks.epsilon)
    return np.argsort(-np.asarray(scores), kind="stable").tolist()


class _Document:
    def __init__(self, texts: Sequence[str]) -> None:
        from sumy.models.dom import Sentence

        self.sentences = [Sentence(text, _Words()) for text in texts]


SYSTEMS: dict[str, Callable[[Sequence[str]], list[int]]] = {
    "lead": lead,
    "random": by_chance,
    "gap sentences, independent": partial(gap_sentences, strategy="independent-document"),
    "gap sentences, sequential": partial(gap_sentences, strategy="sequential-document"),
    "TextRank": text_rank,
    "LexRank": lex_rank,
}
Systems = Callable[[Row, int, Document], Iterable[tuple[str, list[str]]]]
"""From a row, its words and its document to the summaries of some systems."""
OURS, LEFT_OUT, ORACLE = "built-in", "built-in, set left out", "oracle"


# --- one document ---


def running_text(document: Document) -> list[str]:
    sentences = result_of(split_document(document, StopToken()))
    kinds = document.kinds[sentences.paragraphs]
    texts = sentences.texts(document.text)
    return [text for text, kind in zip(texts, kinds, strict=True) if kind in RUNNING_TEXT]


def fitting(texts: Sequence[str], order: Sequence[int], limit: int) -> list[str]:
    """The best sentences that fit, in the order of the document."""
    taken = []
    for index in order:
        words = count_words(texts[index])
        if 0 < words <= limit:
            taken.append(index)
            limit -= words
    return [texts[index] for index in sorted(taken)]


def built_in(document: Document, ranker: Ranker, limit: int) -> list[str]:
    length = Length(limit, "words")
    needed = ranks_needed(document, length)
    ranking = result_of(rank_document(document, StopToken(), ranker=ranker, at_least=needed))
    return [sentence.text for sentence in choose(document, ranking, length).sentences]


def ours(row: Row, limit: int, document: Document) -> Iterator[tuple[str, list[str]]]:
    yield OURS, built_in(document, shipped_ranker(), limit)


def systems_of(row: Row, limit: int, document: Document) -> Iterator[tuple[str, list[str]]]:
    texts = running_text(document)
    for name, order in SYSTEMS.items():
        yield name, fitting(texts, order(texts), limit)
    yield from ours(row, limit, document)
    lengths = np.array([max(1, count_words(text)) for text in texts], np.int32)
    picked = picked_with(texts, row["summary"], lengths, limit)
    yield ORACLE, [texts[index] for index in sorted(picked)]


# --- all documents ---


def measure(systems_for: Callable[[str], Systems]) -> None:
    """Measures systems.

    Args:
        systems_for: From a set to what gives the summaries of one of its documents.
    """
    from pyarrow.parquet import read_table

    rouge = Rouge(SCORES, stem=True)
    rows: list[Row] = []
    for name, limit in WORDS.items():
        systems = systems_for(name)
        for number, row in enumerate(
            read_table(DATA / "pairs" / name / "test.parquet").to_pylist()
        ):
            document = result_of(read_pasted(row["document"], row["title"], StopToken()))
            lines = row["summary"].split("\n")
            reference = [line[a:b] for line in lines for a, b in split_paragraph(line)]
            found: Row = {"set": name, "document": number}
            for system, summary in systems(row, limit, document):
                scores = rouge.score("\n".join(summary), "\n".join(reference))
                for score, value in scores.items():
                    found[f"{system}: {score}"] = round(100 * value.f1, 2)
            rows.append(found)
        print(f"{name}: measured", flush=True)
    _keep(RESULTS / "summaries.csv", ("set", "document"), rows)


def left_out() -> Callable[[str], Systems]:
    """Rankers that have learnt from all sets but one; the shipped one has not seen the last set."""
    examples = {name: list(examples_of(DATA, [name])) for name in LEARNT_FROM}

    def systems_for(name: str) -> Systems:
        others = [one for other in examples if other != name for one in examples[other]]
        ranker = trained(others) if name in examples else shipped_ranker()
        return lambda row, limit, document: [(LEFT_OUT, built_in(document, ranker, limit))]

    return systems_for


def _keep(path: Path, keys: tuple[str, ...], rows: list[Row]) -> None:
    """Puts rows into a table, what it has in other columns, or of other keys, beside them."""
    with path.open(encoding="utf-8") as file:
        kept = {tuple(row[key] for key in keys): row for row in csv.DictReader(file)}
    for row in rows:
        kept.setdefault(tuple(str(row[key]) for key in keys), {}).update(row)
    columns = dict.fromkeys(column for row in kept.values() for column in row)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(columns), lineterminator="\n", restval="0")
        writer.writeheader()
        writer.writerows(kept.values())


# --- tables ---


def report() -> None:
    rows = list(csv.DictReader((RESULTS / "summaries.csv").open(encoding="utf-8")))
    keys = [key.rsplit(": ", 1) for key in rows[0] if ": " in key]
    systems, scores = ([*dict.fromkeys(column)] for column in zip(*keys, strict=True))
    print("| R1 / R2 / Lsum |", " | ".join(f"{n} W {w}" for n, w in WORDS.items()), "| mean |")
    print("| --- " * (len(WORDS) + 2) + "|")
    for system in systems:
        means, cells = [], []
        for name in WORDS:
            own = [row for row in rows if row["set"] == name]
            values = [[float(row[f"{system}: {score}"]) for row in own] for score in scores]
            means.append(np.mean(values, axis=0))
            cells.append("/".join(f"{statistics.mean(value):.1f}" for value in values))
        low, high = _interval(means)
        mean = statistics.mean(float(one.mean()) for one in means)
        print(f"| {system} |", " | ".join(cells), f"| {mean:.2f} ({low:.2f} to {high:.2f}) |")


def _interval(by_set: list[Any], draws: int = 1000) -> tuple[float, float]:
    """95 % of the means of all sets when the documents of each are drawn anew."""
    chance = np.random.default_rng(0)
    drawn = [
        np.mean([chance.choice(values, len(values)).mean() for values in by_set])
        for _ in range(draws)
    ]
    low, high = np.percentile(drawn, [2.5, 97.5])
    return float(low), float(high)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--left-out", action="store_true", help="rankers without a set, alone")
    parser.add_argument("--table", action="store_true", help="print the kept rows, run nothing")
    parser.add_argument("--ours", action="store_true", help="the built-in summariser alone")
    arguments = parser.parse_args()
    if not arguments.table:
        systems = ours if arguments.ours else systems_of
        measure(left_out() if arguments.left_out else lambda name: systems)
    report()
    return 0


if __name__ == "__main__":
    sys.exit(main())
