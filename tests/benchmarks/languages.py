"""Measures what the built-in summariser loses in a language that its ranker did not learn.

    python tests/benchmarks/languages.py

There are no summaries in other languages to measure on, so one is made up: English with other
letters (vowels for vowels, consonants for consonants), of which the program knows function words,
as of Polish, and neither abbreviations nor headings nor cues. The summary of the
enciphered document is read from the plain one, and scored there. A row a document goes to
`results/languages.csv`; the documents are read from `../shared/data`.
"""

import csv
import sys
from dataclasses import replace
from pathlib import Path
from statistics import fmean

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "packaging")]

from core.documents.document import Document  # noqa: E402
from core.documents.languages import Language, language_of, languages  # noqa: E402
from core.documents.readers.door import read_pasted  # noqa: E402
from core.documents.sentences import split_paragraph  # noqa: E402
from core.events import result_of  # noqa: E402
from core.metrics.rouge import Rouge  # noqa: E402
from core.stop import StopToken  # noqa: E402
from core.summaries.summary import Length  # noqa: E402
from core.summarisers.built_in import rank_document  # noqa: E402
from core.summarisers.choice import choose  # noqa: E402

PAIRS = ROOT / "../shared/data/pairs"
RESULTS = Path(__file__).parent / "results" / "languages.csv"
WORDS = {"openstax": 103, "patents": 106, "proposals": 59, "scisummnet": 135, "lay": 335}
DOCUMENTS = 40  # of each set
SCORES = ("1", "2", "Lsum")
VOWELS, CONSONANTS = "aeiou", "bcdfghjklmnpqrstvwxyz"
MADE_UP = "made up"
ARMS = {"English": "en", "made up": MADE_UP, "made up, not known": ""}


def cipher() -> dict[int, int]:
    plain = VOWELS + CONSONANTS
    other = VOWELS[1:] + VOWELS[:1] + CONSONANTS[1:] + CONSONANTS[:1]
    return str.maketrans(plain + plain.upper(), other + other.upper())


CIPHER = cipher()


def make_up() -> Language:
    """English function words in the cipher, and nothing else."""
    english = language_of("en")
    words = tuple(word.translate(CIPHER) for word in english.words)
    return Language(MADE_UP, "made up", words=words)


def in_arm(document: Document, code: str) -> Document:
    reading = replace(document.reading, language=code)
    if code == "en":
        return replace(document, reading=reading)
    text, title = document.text.translate(CIPHER), document.title.translate(CIPHER)
    return replace(document, text=text, title=title, reading=reading)


def summary_of(document: Document, code: str, limit: int) -> list[str]:
    """The plain sentences that are picked from a document in one of the languages."""
    shown = in_arm(document, code)
    ranking = result_of(rank_document(shown, StopToken()))
    picked = choose(shown, ranking, Length(limit, "words")).sentences
    return [document.text[each.evidence[0].start : each.evidence[0].end] for each in picked]


def measure() -> list[dict[str, object]]:
    from pyarrow.parquet import read_table

    languages()[MADE_UP] = make_up()
    rouge, rows = Rouge(SCORES, stem=True), []
    for name, limit in WORDS.items():
        table = read_table(PAIRS / name / "test.parquet").slice(0, DOCUMENTS)
        for number, row in enumerate(table.to_pylist()):
            document = result_of(read_pasted(row["document"], row["title"], StopToken()))
            lines = row["summary"].split("\n")
            reference = "\n".join(line[a:b] for line in lines for a, b in split_paragraph(line))
            found: dict[str, object] = {"set": name, "document": number}
            for arm, code in ARMS.items():
                scores = rouge.score("\n".join(summary_of(document, code, limit)), reference)
                found |= {f"{arm}: {kind}": round(100 * s.f1, 2) for kind, s in scores.items()}
            rows.append(found)
        print(f"{name}: {len(rows)} documents", flush=True)
    return rows


def report(rows: list[dict[str, object]]) -> None:
    for arm in ARMS:
        means = {
            score: fmean(float(str(row[f"{arm}: {score}"])) for row in rows)
            for score in (key.split(": ")[1] for key in rows[0] if key.startswith(f"{arm}: "))
        }
        print(f"{arm:20}", "  ".join(f"{score} {value:.2f}" for score, value in means.items()))


def main() -> None:
    if not PAIRS.exists():
        sys.exit(f"The documents are not there: {PAIRS}")
    rows = measure()
    with RESULTS.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    report(rows)


if __name__ == "__main__":
    main()
