"""Extract, then rewrite: does a small model that reads an extract beat lead, or the built-in?

    python tests/benchmarks/rewrite.py             # the whole recipe: some hours on two cores
    python tests/benchmarks/rewrite.py --small     # the same, shorter: half an hour on an idle core
    python tests/benchmarks/rewrite.py --tiny      # tries every step in minutes; of no use
    python tests/benchmarks/rewrite.py --table     # print the kept rows, run nothing

A summary of W words is made in two steps. *Extract*: the built-in summariser picks 1.6 W words; for
the pairs that are learnt from, with rankers that have not seen the document (cross-fitted).
*Rewrite*: an encoder-decoder Transformer (3 + 3 layers, width 256, full attention, smear, pointer
head) writes at most W words from them, with beam 4 and no trigram twice. It is trained in two
stages. *First*: pieces of the corpora; the ranker's W words are to be found again among others of
the same piece. *Second*: extracts of the pairs, with the summaries that people wrote; the best
checkpoint by ROUGE on validation extracts.

`--seeds`, `--steps` and `--scored` change a size.

Scored on 200 test documents beside lead and the built-in summariser: ROUGE-1, 2 and Lsum, F1,
stemmed, one sentence a line. Needs the extra `ranker`. All training and writing by the commands
that a person types; interrupted, it goes on where it was when called again: all that it makes lies
in `--work`. Rows: `rewrite-scores.csv` (a row a document and system), `rewrite-curves.csv` (a row a
validation), `rewrite-times.csv` (a row a command), and `rewrite-samples.md`: ten
documents drawn at random. With `--tiny` they lie in `--work`.
"""

import argparse
import json
import random
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "packaging")]

from families import Work, read_rows, write_rows  # noqa: E402
from train_ranker import Example, example_of, trained  # noqa: E402

from core.documents.document import Document, count_words  # noqa: E402
from core.documents.readers.door import read_pasted  # noqa: E402
from core.events import result_of  # noqa: E402
from core.stop import StopToken  # noqa: E402
from core.summaries.length import Length  # noqa: E402
from core.summarisers.built_in import rank_document  # noqa: E402
from core.summarisers.choice import choose  # noqa: E402
from core.summarisers.scoring.ranker import Ranker  # noqa: E402
from core.summarisers.scoring.scores import shipped_ranker  # noqa: E402
from core.summarisers.selection.budget import ranks_needed  # noqa: E402
from tests.helpers.scored_documents import (  # noqa: E402
    PAIRS,
    WORDS,
    Scored,
    by_seeds_and_documents,
    rouge,
    scored_documents,
)

CORPUS = PAIRS.parent / "corpus"
CORPORA = ("articles", "books", "manuals", "speeches", "standards", "textbooks")
RESULTS = Path(__file__).parent / "results"
SAMPLES = "rewrite-samples.md"
WIDER = 1.6
"""An extract has so many times the words of a summary."""
PIECE_WORDS = (300, 900)
"""How long pieces of the corpora are."""
LEAD, BUILT_IN = "lead", "built-in"
FIGURES = ("1", "2", "Lsum", "mean")
NUM_SAMPLES = 10
Row = dict[str, Any]


@dataclass(frozen=True)
class Scale:
    """How much is done.

    Args:
        seeds: Of both stages.
        folds: Of the rankers.
        learnt_from: Pairs of a set that are learnt from at most.
        validated: Pairs of a set that are validated with at most.
        pieces: Rows of the first stage.
        steps: Of each stage.
        validations: In each stage.
        rouge_rows: Validation rows that are summarised.
        scored: Test documents of each set.
        vocabulary: Tokens.
        threads: That a command takes.
        sizes: Other options of the model.
    """

    seeds: tuple[int, ...] = (1, 2, 3)
    folds: int = 4
    learnt_from: int = 1200
    validated: int = 100
    pieces: int = 40_000
    steps: tuple[int, int] = (2500, 1000)
    validations: int = 4
    rouge_rows: int = 200
    scored: int = 50
    vocabulary: int = 8192
    threads: int = 2
    sizes: tuple[str, ...] = ()

    @property
    def model(self) -> tuple[str, ...]:
        """The options of the model."""
        return (
            "--family", "transformer", "--width", "256", "--heads", "4", "--encoder-depth", "3",
            "--decoder-depth", "3", "--smear", "--pointer", "--dropout", "0.1", "--source-length",
            "1024", "--target-length", "640", *self.sizes,
        )  # fmt: skip

    def stage(self, number: int) -> tuple[object, ...]:
        """The options of training, of the first (0) or second (1) stage."""
        steps = self.steps[number]
        return (
            "--objective", "summary", "--too-long", "start", "--batch", 8, "--precision", "bf16",
            "--schedule", "linear", "--warm-up", max(1, steps // 10), "--steps", steps,
            "--validate-every", -(-steps // self.validations),
            "--validate-rows", max(100, self.rouge_rows),
            "--threads", self.threads, "--keep", 1, "--beams", 4, "--block-repeats", 3,
            "--max-length", 600,
            *(
                ("--learning-rate", 5e-4, "--smoothing", 0.1, "--rouge-rows", self.rouge_rows,
                 "--best-by", "rouge")
                if number else ("--learning-rate", 1e-3)
            ),
        )  # fmt: skip


SMALL = Scale(
    seeds=(1,), folds=2, learnt_from=120, validated=5, pieces=1200, steps=(200, 120),
    validations=2, rouge_rows=12, vocabulary=4096, threads=1,
)  # fmt: skip
TINY = replace(
    SMALL, seeds=(1,), learnt_from=6, validated=2, pieces=40, steps=(4, 4), rouge_rows=2, scored=1,
    vocabulary=400, sizes=("--width", "16", "--heads", "2", "--encoder-depth", "1",
    "--decoder-depth", "1"),
)  # fmt: skip


# --- extracts ---


def picked(document: Document, ranker: Ranker, *lengths: int) -> list[list[str]]:
    """The sentences that the built-in summariser picks with a ranker, for each number of words."""
    wanted = [Length(words, "words") for words in lengths]
    needed = max(ranks_needed(document, length) for length in wanted)
    ranking = result_of(rank_document(document, StopToken(), ranker=ranker, at_least=needed))
    return [
        [sentence.text for sentence in choose(document, ranking, length).sentences]
        for length in wanted
    ]


def extract_of(document: Document, ranker: Ranker, name: str) -> str:
    """What is rewritten of a document of a set."""
    (sentences,) = picked(document, ranker, round(WIDER * WORDS[name]))
    return " ".join(sentences)


def pairs_of(name: str, split: str, most: int) -> list[Row]:
    """Rows of a set, with their documents as the program reads them."""
    from pyarrow.parquet import read_table

    rows = read_table(PAIRS / name / f"{split}.parquet").to_pylist()[:most]
    return [row | {"read": read(row["document"], row["title"])} for row in rows]


def read(text: str, title: str = "") -> Document:
    return result_of(read_pasted(text, title, StopToken()))


def make_rankers(work: Work, scale: Scale) -> list[Ranker]:
    """For each fold, a ranker that has learnt from the pairs of the others."""
    files = [work.folder / "rankers" / f"{fold}.npz" for fold in range(scale.folds)]
    if not all(file.exists() for file in files):
        files[0].parent.mkdir(exist_ok=True)
        examples: list[tuple[int, Example]] = []
        for name in WORDS:
            for number, row in enumerate(pairs_of(name, "train", scale.learnt_from)):
                example = example_of(row["read"], row["summary"], WORDS[name])
                examples.append((number % scale.folds, example))
        for fold, file in enumerate(files):
            print(f"ranker {fold}", flush=True)
            trained([one for own, one in examples if own != fold]).save(file)
    return [Ranker.load(file) for file in files]


def second_rows(work: Work, scale: Scale, split: str) -> Iterator[tuple[str, str]]:
    """Extracts of the pairs, with what people wrote; the shipped ranker has seen `train` alone."""
    is_train = split == "train"
    rankers = make_rankers(work, scale) if is_train else [shipped_ranker()]
    for name in WORDS:
        rows = pairs_of(name, split, scale.learnt_from if is_train else scale.validated)
        for number, row in enumerate(rows):
            ranker = rankers[number % len(rankers)]
            yield extract_of(row["read"], ranker, name), row["summary"]


def first_rows(scale: Scale) -> Iterator[tuple[str, str]]:
    """Of pieces of the corpora: the ranker's sentences among others, and these alone."""
    chance = random.Random(0)
    count = 0
    for piece in pieces(chance):
        words = chance.choice(list(WORDS.values())[:3])  # a piece is too short for the longest
        own, all_picked = picked(read(piece), shipped_ranker(), words, 10_000)
        others = [text for text in all_picked if text not in own]
        chance.shuffle(others)
        room = round((WIDER - 1) * words)
        noise = set()
        for text in others:
            if count_words(text) <= room:
                noise.add(text)
                room -= count_words(text)
        if len(own) > 1 and noise:
            yield " ".join(t for t in all_picked if t in noise or t in own), " ".join(own)
            count += 1
        if count == scale.pieces:
            return


def pieces(chance: random.Random) -> Iterator[str]:
    """Neighbouring paragraphs of documents of all corpora, drawn at random."""
    from pyarrow.parquet import read_table

    texts = [
        text
        for name in CORPORA
        for text in read_table(CORPUS / f"{name}.parquet", columns=["text"])["text"].to_pylist()
    ]
    cut: list[tuple[int, int, int]] = []
    for number, text in enumerate(texts):
        start = end = words = 0
        wanted = chance.randint(*PIECE_WORDS)
        for paragraph in text.split("\n\n"):
            end += len(paragraph) + 2
            words += paragraph.count(" ") + 1
            if words >= wanted:
                cut.append((number, start, end))
                start, words, wanted = end, 0, chance.randint(*PIECE_WORDS)
    chance.shuffle(cut)
    return (texts[number][start:end] for number, start, end in cut)


def make_corpora(work: Work, scale: Scale) -> None:
    """The rows of both stages, the tokenizer, and the extracts of the test documents."""
    for split in ("train", "validation"):
        keep_table(
            work.folder / "second" / f"{split}.parquet", partial(second_rows, work, scale, split)
        )
    keep_table(work.folder / "first" / "pieces.parquet", partial(first_rows, scale))
    made = work.folder / "data"
    for name, split in (("first", ("--split", "98/2/0")), ("second", ())):
        if not (made / "corpora" / name).exists():
            how = ("--make", "pairs", *split, "--out", name)
            work.epitome(f"corpus, {name}", "corpus", work.folder / name, *how)
    if not (made / "tokenizers" / "words").exists():
        how = ("--size", scale.vocabulary, "--out", "words")
        work.epitome("tokenizer", "tokenizer", "first", *how)
    for name in WORDS:
        keep_table(work.folder / "test" / f"{name}.parquet", partial(test_rows, scale, name))


def test_rows(scale: Scale, name: str) -> Iterator[tuple[str, str]]:
    for scored in scored_documents(scale.scored):
        if scored.set == name:
            yield extract_of(scored.document, shipped_ranker(), name), scored.reference


def keep_table(file: Path, rows: Callable[[], Iterable[tuple[str, str]]]) -> None:
    """Writes rows of documents and summaries as a table, unless it is there."""
    import pyarrow as pa
    from pyarrow.parquet import write_table

    if file.exists():
        return
    file.parent.mkdir(exist_ok=True)
    documents, summaries = zip(*rows(), strict=True)
    part = file.with_suffix(".part")
    write_table(pa.table({"document": documents, "summary": summaries}), part)
    part.rename(file)
    print(f"{file.parent.name}, {file.stem}: {len(documents)} rows", flush=True)


# --- runs ---


def train(work: Work, scale: Scale) -> None:
    """Both stages, for each seed."""
    for seed in scale.seeds:
        first = ("--corpus", "first", "--tokenizer", "words", *scale.model, "--seed", seed)
        work.train(f"first-{seed}", *first, *scale.stage(0))
        second = ("--corpus", "second", "--from", work.run(f"first-{seed}"), "--seed", seed)
        work.train(f"second-{seed}", *second, *scale.stage(1))


def keep_curves(work: Work, scale: Scale) -> None:
    """A row a validation of every run."""
    from core.runs.events_file import read_events

    rows: list[Row] = []
    for name in (f"{stage}-{seed}" for seed in scale.seeds for stage in ("first", "second")):
        losses: list[float] = []
        for event in read_events(work.run(name) / "events.jsonl"):
            if event.kind == "StepDone":
                losses.append(event.values["loss"])
            if event.kind == "ValidationDone":
                row = {"run": name, "step": event.values["step"]}
                row |= {"train_loss": round(statistics.fmean(losses), 4)}
                row |= {"validation_loss": round(event.values["loss"], 4)}
                found = event.values.get("rouge") or {}
                rows.append(row | {"rouge-1": round(100 * found.get("1", 0), 2)})
                losses.clear()
    write_rows(work.results / "rewrite-curves.csv", rows)


def write_summaries(work: Work, scale: Scale) -> dict[tuple[str, int], dict[str, str]]:
    """What each seed's model writes from the extracts of the test documents."""
    told: dict[tuple[str, int], dict[str, str]] = {}
    for seed in scale.seeds:
        for name, words in WORDS.items():
            out = work.folder / "written" / f"{name}-{seed}"
            if not (out / "table.csv").exists():
                pairs = work.folder / "test" / f"{name}.parquet"
                how = ("--length", f"{words}w", "--metrics", "rouge-1", "--out", out)
                run = ("--model", work.run(f"second-{seed}"), "--pairs", pairs)
                work.epitome(f"writing {name}, {seed}", "evaluate", "--quiet", *run, *how)
            lines = (out / "predictions.jsonl").read_text("utf-8").splitlines()
            for number, line in enumerate(lines):
                text = json.loads(line)["prediction"]
                told.setdefault((name, number), {})[f"rewritten-{seed}"] = text
    return told


def lead(scored: Scored) -> list[str]:
    """The first sentences of the running text, as long as they fit."""
    from summaries import fitting, running_text

    texts = running_text(scored.document)
    return fitting(texts, range(len(texts)), scored.most_words)


def score(work: Work, scale: Scale) -> None:
    """Keeps the scores of all systems on all documents, and writes the samples."""
    written = write_summaries(work, scale)
    rows: list[Row] = []
    texts: list[tuple[Scored, dict[str, list[str]]]] = []
    for scored in scored_documents(scale.scored):
        (own,) = picked(scored.document, shipped_ranker(), scored.most_words)
        systems = {LEAD: lead(scored), BUILT_IN: own}
        for system, text in written[scored.set, scored.number].items():
            systems[system] = text.split("\n")  # a sentence a line
        for system, sentences in systems.items():
            found: Row = {"set": scored.set, "document": scored.number, "system": system}
            scores = rouge(sentences, scored.reference)
            found |= {name: f"{value:.2f}" for name, value in scores.items()}
            rows.append(found | {"words": sum(map(count_words, sentences))})
        texts.append((scored, systems))
    write_rows(work.results / "rewrite-scores.csv", rows)
    drawn = sorted(random.Random(0).sample(range(len(texts)), min(NUM_SAMPLES, len(texts))))
    (work.results / SAMPLES).write_text(
        "\n".join(sample_lines([texts[number] for number in drawn])), "utf-8"
    )


def sample_lines(drawn: list[tuple[Scored, dict[str, list[str]]]]) -> Iterator[str]:
    """A page of documents with what each system says of them."""
    yield "# Samples of extract, then rewrite\n"
    yield "Written by `python tests/benchmarks/rewrite.py`: ten random test documents with the"
    yield "complete, unedited output of the model of the first seed. See"
    yield "[tried.md](../../../docs/tried.md)."
    for scored, systems in drawn:
        yield f"\n## {scored.title}\n\nFrom {scored.set}: {scored.source}, {scored.licence}."
        shown = {"Reference": scored.reference.split()}
        shown |= {"Built-in": " ".join(systems[BUILT_IN]).split()}
        name = next(system for system in systems if system.startswith("rewritten"))
        shown |= {"Rewritten": " ".join(systems[name]).split()}
        yield from (f"\n**{title}**\n\n> {' '.join(words)}" for title, words in shown.items())
    yield ""


# --- what it says ---


def report(results: Path) -> None:
    """Scores, differences and times, from the kept rows alone."""
    rows = read_rows(results / "rewrite-scores.csv")
    systems = list(dict.fromkeys(row["system"] for row in rows))
    values = {s: {n: [float(r[n]) for r in rows if r["system"] == s] for n in (*FIGURES, "words")}
              for s in systems}  # fmt: skip
    print("| system | ROUGE-1 | ROUGE-2 | ROUGE-Lsum | mean | words |\n" + "| --- " * 6 + "|")
    for system, own in values.items():
        cells = [f"{statistics.fmean(own[name]):.2f}" for name in FIGURES]
        print(f"| {system} | {' | '.join(cells)} | {statistics.fmean(own['words']):.0f} |")
    rewritten = [own["mean"] for system, own in values.items() if system.startswith("rewritten")]
    print("\n| mean, rewritten less | (95 % interval over seeds and documents) |\n| --- | --- |")
    for system in (LEAD, BUILT_IN):
        told = by_seeds_and_documents(values[system]["mean"], rewritten)
        print(f"| {system} | {told.value:+.2f} ({told.low:+.2f} to {told.high:+.2f}) |")
    times = [float(row["seconds"]) for row in read_rows(results / "rewrite-times.csv")]
    print(f"\n{sum(times) / 60:.0f} minutes of commands")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--table", action="store_true", help="print the kept rows, run nothing")
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--small", action="store_true", help="half an hour on one core")
    size.add_argument("--tiny", action="store_true", help="try everything in minutes")
    parser.add_argument("--seeds", type=int, nargs="+", help="of both stages")
    parser.add_argument("--steps", type=int, nargs=2, help="of the first and the second stage")
    parser.add_argument("--scored", type=int, help="test documents of each set")
    parser.add_argument("--work", type=Path)
    arguments = parser.parse_args()
    name = "tiny" if arguments.tiny else "small" if arguments.small else "whole"
    scale = {"tiny": TINY, "small": SMALL, "whole": Scale()}[name]
    asked = {name: getattr(arguments, name) for name in ("seeds", "steps", "scored")}
    given = {name: value for name, value in asked.items() if value}
    scale = replace(scale, **{k: tuple(v) if isinstance(v, list) else v for k, v in given.items()})
    folder = arguments.work or Path(tempfile.gettempdir()) / f"epitome-rewrite-{name}"
    results = folder / "results" if arguments.tiny else RESULTS
    results.mkdir(parents=True, exist_ok=True)
    if not arguments.table:
        if not PAIRS.exists():
            sys.exit(f"The data to learn from is not there: {PAIRS}")
        work = Work(folder, results, scale, times="rewrite-times.csv")
        make_corpora(work, scale)
        train(work, scale)
        keep_curves(work, scale)
        score(work, scale)
    report(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
