"""Measures how well the text of scans is recognised, and how long a page takes.

    python tests/benchmarks/scans.py

Scans made of pages whose text is known, with the flaws of scanners, go to `results/scans.csv`, a
row a page and flaw; three scanned patents, whose true text is not known, to
`results/scans-patents.csv`. The files are read from `../shared/data/files`.
"""

import argparse
import csv
import os
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.documents.document import Document, Source
from core.documents.readers.pdf import read_pdf
from core.documents.readers.recognition import part
from core.events import result_of
from core.stop import StopToken
from tests.helpers import pdf_maker
from tests.helpers.reading_order import FILES
from tests.helpers.scans import Flaws, extracted, scanned

RESULTS = Path(__file__).parent / "results"
FLAWS = {
    "clean": Flaws(),
    "tilted by 1°": Flaws(tilt=1.0),
    "noisy": Flaws(noise=40.0),
    "turned by 90°": Flaws(quarters=1),
}
PAGES = (  # what a page shows, its file, its place
    ("prose", "paper-science-salaries.pdf", 0),
    ("prose with lists", "google-doc.pdf", 0),
    ("two columns", "two-column.pdf", 0),
    ("formulas", "paper-discouragement-attacks.pdf", 3),
    ("transcript with line numbers", "court-transcript-2000.pdf", 2),
)
PATENTS = ("scan-patent-1836.pdf", "scan-patent-1881.pdf", "scan-patent-1950-two-column.pdf")
COMMON = 2.0  # Zipf frequency, one in ten million words: a misread word is seldom so common
_WORD = re.compile(r"[^\W_]+")
_LETTERS = re.compile(r"[^\W\d_]{3,}")
_DOUBTFUL = re.compile(r": (none|[\d\u202f]+) of")
GERMAN = """
Der Leuchtturm steht seit dem Jahr 1867 auf einem Felsen vor der Küste. Früher lebten dort zwei
Wärter mit ihren Familien, die das Feuer jede Nacht überwachten und das Öl für die Lampe über eine
enge Treppe nach oben trugen. Im Winter konnte wochenlang kein Boot anlegen, deshalb lagerten im
Keller Vorräte für drei Monate: Mehl, getrocknete Früchte, Fisch und Kohle.

Erst 1954 wurde die Anlage an das Stromnetz angeschlossen. Zwölf Jahre später ersetzte ein
selbsttätiger Schalter den letzten Wärter. Die Schifffahrtsverwaltung prüfte damals, ob der Turm
überhaupt noch gebraucht würde, denn größere Schiffe bestimmen ihren Ort längst mit Funk. Die
Fischer der Umgebung widersprachen heftig: Bei Nebel und Störungen der Geräte sei das Licht die
einzige verlässliche Hilfe.

Heute kümmert sich ein Verein um das Gebäude. Er hat das Dach erneuert, die Fenster abgedichtet und
die alte Linse gereinigt, die aus mehr als sechshundert Glasstücken besteht. Besucher können den
Turm von Mai bis Oktober besteigen, sofern das Wetter die Überfahrt erlaubt. Der Erlös fließt in
die Erhaltung der Mauern, denen Salz und Frost schwer zusetzen.
"""


def known_pages() -> Iterator[tuple[str, bytes]]:
    """What each page with known text shows, and a PDF of it alone."""
    for shows, file, place in PAGES:
        yield shows, extracted((FILES / file).read_bytes(), [place])
    printer = pdf_maker.Printer()
    frames = pdf_maker.columns(1)
    for text in GERMAN.strip().split("\n\n"):
        frames = printer.set(" ".join(text.split()), frames)
    yield "German", printer.finish()


def measure_known() -> Iterator[dict[str, object]]:
    """A row for each page and flaw."""
    for shows, page in known_pages():
        truth = words(read(page))
        for name, flaws in FLAWS.items():
            scan = scanned(page, (0,), flaws)
            times = time.perf_counter(), time.process_time()
            document = read(scan)
            wall_s, processor_s = time.perf_counter() - times[0], time.process_time() - times[1]
            found = words(document)
            yield {
                "page": shows,
                "flaw": name,
                "words": len(truth),
                "errors": distance(truth, found),
                "lost": sum((Counter(truth) - Counter(found)).values()),
                "doubtful": doubtful(document),
                "language": document.reading.language,
                "processor_s": round(processor_s, 2),
                "wall_s": round(wall_s, 2),
                "load": round(os.getloadavg()[0], 1),
            }


def measure_patents() -> Iterator[dict[str, object]]:
    """A row for each patent as it is recognised here, and as its hidden layer has it."""
    from wordfreq import zipf_frequency

    for file in PATENTS:
        data = (FILES / file).read_bytes()
        num_pages = read(data).reading.of_pages
        for side, pdf in (("Epitome", scanned(data, range(num_pages))), ("hidden layer", data)):
            start_s = time.process_time()
            document = read(pdf)
            found = [word.casefold() for word in _LETTERS.findall(document.text)]
            yield {
                "file": file,
                "side": side,
                "pages": num_pages,
                "words": len(found),
                "known": sum(zipf_frequency(word, "en") >= COMMON for word in found),
                "doubtful": doubtful(document),
                "processor_s": round(time.process_time() - start_s, 2),
            }


def read(data: bytes) -> Document:
    """The document that Epitome makes of a PDF."""
    return result_of(read_pdf(data, Source("a page.pdf"), StopToken()))


def words(document: Document) -> list[str]:
    """Its words without punctuation, in small letters."""
    return _WORD.findall(document.text.casefold())


def doubtful(document: Document) -> int:
    """How many words the reading says are in doubt."""
    match = _DOUBTFUL.search(" ".join(document.reading.notes))
    return int(match[1].replace("\u202f", "")) if match and match[1] != "none" else 0


def distance(truth: list[str], found: list[str]) -> int:
    """How many words must be put in, taken out or changed."""
    numbers = {word: number for number, word in enumerate({*truth, *found})}
    columns = np.array([numbers[word] for word in found], np.int64)
    steps = np.arange(len(found) + 1)
    row = steps.copy()
    for word in truth:
        changed = row[:-1] + (columns != numbers[word])
        row = np.concatenate(([row[0] + 1], np.minimum(changed, row[1:] + 1)))
        row = np.minimum.accumulate(row - steps) + steps
    return int(row[-1])


def report(known: list[dict[str, object]], patents: list[dict[str, object]]) -> None:
    """Prints the rates by page and flaw, and the share of known words of the patents."""
    rates: dict[str, list[str]] = defaultdict(list)
    for row in known:
        rates[str(row["page"])].append(f"{100 * number(row['errors']) / number(row['words']):.1f}")
    print(f"{'word error rate, %':32}" + "".join(f"{name:>15}" for name in FLAWS))
    for page, shares in rates.items():
        print(f"{page:32}" + "".join(f"{share:>15}" for share in shares))
    for name in FLAWS:
        rows = [row for row in known if row["flaw"] == name]
        seconds = sorted(number(row["processor_s"]) for row in rows)
        total = sum(number(row["errors"]) for row in rows) / sum(number(r["words"]) for r in rows)
        lost = sum(number(row["lost"]) for row in rows) / sum(number(r["words"]) for r in rows)
        print(
            f"{name}: {100 * total:.1f} % of all words wrong, {100 * lost:.1f} % lost, "
            f"median {seconds[len(seconds) // 2]:.1f} s of processor time"
        )
    for row in patents:
        share = 100 * number(row["known"]) / number(row["words"])
        seconds_a_page = number(row["processor_s"]) / number(row["pages"])
        print(
            f"{row['file']}, {row['side']}: {row['words']} words, {share:.1f} % known, "
            f"{seconds_a_page:.1f} s a page"
        )


def number(value: object) -> float:
    """A number from a row."""
    return float(str(value))


def write(name: str, rows: list[dict[str, object]]) -> None:
    """Saves the rows."""
    with (RESULTS / name).open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main() -> None:
    """Measures, writes and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dry", action="store_true", help="print only")
    arguments = parser.parse_args()
    if not FILES.is_dir():
        sys.exit(f"The files are not there: {FILES}")
    if not part.is_installed():
        sys.exit(part.advice())
    known, patents = list(measure_known()), list(measure_patents())
    if not arguments.dry:
        write("scans.csv", known)
        write("scans-patents.csv", patents)
    report(known, patents)


if __name__ == "__main__":
    main()
