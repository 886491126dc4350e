"""What small models of others write, and what another engine changes in it.

    python tests/benchmarks/small_models.py support GGUF [--documents 30]
    python tests/benchmarks/small_models.py engines MODEL [--documents 20]

`support`: a GGUF file summarises real documents (cut to its length), and each sentence is looked
up in its document: how many have no support there, and how many have doubts (names, quantities)
though they have. `engines`: an imported model (a name, or the folder of its run) writes with
PyTorch, with ctranslate2 in 32 bits, and in 8: seconds, the share of tokens before the first that
differs from PyTorch's, and ROUGE-1 of its text against PyTorch's and against the reference. Rows go
to `results/small-models-*.csv`.
"""

import argparse
import csv
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from core.decoding.engine import EngineChoice  # noqa: E402
from core.documents.document import Document, count_words  # noqa: E402
from core.documents.readers.door import read_pasted  # noqa: E402
from core.events import result_of  # noqa: E402
from core.stop import StopToken  # noqa: E402
from core.summaries.length import Length  # noqa: E402
from tests.helpers.labelled_evidence import PAIRS  # noqa: E402

RESULTS = Path(__file__).parent / "results"
SETS = ("openstax", "patents", "proposals")
MOST_WORDS = 600
MOST_TOKENS = 60  # that an engine writes
ENGINES: tuple[EngineChoice, ...] = ("torch", "ctranslate2", "ctranslate2-int8")


def documents(count: int) -> Iterator[tuple[str, Document, str]]:
    """Real documents, from each set in turn, cut to their first words, and their references."""
    from pyarrow.parquet import read_table

    tables = [
        read_table(PAIRS / name / "test.parquet", columns=["id", "document", "summary"]).to_pylist()
        for name in SETS
    ]
    for number in range(count):
        rows = sorted(tables[number % len(SETS)], key=lambda row: str(row["id"]))
        row = rows[number // len(SETS)]
        text = " ".join(row["document"].split()[:MOST_WORDS])
        document = result_of(read_pasted(text, "", StopToken()))
        yield str(row["id"]), document, str(row["summary"])


def support(file: Path, count: int) -> Iterator[dict[str, Any]]:
    """A row for each document: sentences, and those without support."""
    import json
    import tempfile

    from core.events import Finished
    from core.jobs.models.import_gguf import ImportGGUFJob
    from core.jobs.run import run_inline
    from core.summarisers.trained import TrainedSummariser

    with tempfile.TemporaryDirectory() as folder:
        *_, done = run_inline(ImportGGUFJob(file, Path(folder)), StopToken())
        assert isinstance(done, Finished), done
        summariser = TrainedSummariser.of_run(done.result)
        for name, document, _ in documents(count):
            began = time.perf_counter()
            writing = summariser.summarise(document, Length.parse("5s"), StopToken())
            summary = result_of(writing)
            yield {
                "model": file.stem, "document": name, "words": document.reading.words,
                "sentences": len(summary.sentences),
                "unsupported": sum(not each.evidence for each in summary.sentences),
                "doubted": sum(bool(each.evidence and each.doubts) for each in summary.sentences),
                "summary_words": sum(count_words(each.text) for each in summary.sentences),
                "seconds": round(time.perf_counter() - began, 2),
                "text": json.dumps([each.text for each in summary.sentences], ensure_ascii=False),
            }  # fmt: skip


def engines(run: Path, count: int) -> Iterator[dict[str, Any]]:
    """A row for each document and engine."""
    from core.metrics.rouge import Rouge
    from core.writing.engines import open_with

    models = {engine: open_with(run, engine) for engine in ENGINES}
    for name, document, reference in documents(count):
        exact: tuple[int, ...] = ()
        exact_text = ""
        for engine, model in models.items():
            ids = model.tokenizer.encode_many([document.text])[0][: model.room]
            began = time.perf_counter()
            settings = model.decoding.model_copy(update={"max_length": MOST_TOKENS})
            *_, last = model.write([ids], settings, StopToken())
            seconds = time.perf_counter() - began
            assert last.done is not None
            text = model.tokenizer.decode(last.done.ids)
            exact, exact_text = exact or last.done.ids, exact_text or text
            rouge, of_reference = (
                round(100 * Rouge(("1",)).score(text, other)["1"].f1, 1)
                for other in (exact_text, reference)
            )
            pairs = zip(last.done.ids, exact, strict=False)
            same = next((at for at, (a, b) in enumerate(pairs) if a != b), None)
            yield {
                "model": run.name, "document": name, "engine": engine, "read": len(ids),
                "written": len(last.done.ids), "seconds": round(seconds, 2),
                "same": round((len(exact) if same is None else same) / max(1, len(exact)), 3),
                "rouge_1": rouge, "reference_rouge_1": of_reference,
            }  # fmt: skip


def main() -> None:
    """Measures what was asked for, and prints the sums."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=("support", "engines"))
    parser.add_argument("model")
    parser.add_argument("--documents", type=int)
    options = parser.parse_args()
    path = Path(options.model).expanduser().resolve()
    if options.what == "support":
        rows = support(path, options.documents or 30)
    else:
        from core.training.origins import named_run

        rows = engines(named_run(options.model), options.documents or 20)
    kept = []
    with (RESULTS / f"small-models-{options.what}.csv").open(
        "w", newline="", encoding="utf-8"
    ) as file:
        for row in rows:
            writer = csv.DictWriter(file, list(row), lineterminator="\n")
            if not kept:
                writer.writeheader()
            writer.writerow(row)
            file.flush()
            kept.append(row)
            print({name: value for name, value in row.items() if name != "text"}, flush=True)
    if options.what == "support":
        total = sum(row["sentences"] for row in kept)
        for name in ("unsupported", "doubted"):
            print(f"{name}: {sum(row[name] for row in kept)} of {total} sentences")


if __name__ == "__main__":
    main()
