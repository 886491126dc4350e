"""A comparison of four systems on the program's own pages, for pictures of the Compare panel."""

import json
from pathlib import Path

from core.evaluation.settings import ScoreSettings
from core.events import Finished
from core.jobs.evaluation.score import score_models
from core.jobs.run import run_inline
from core.runs.comparisons import open_comparison
from core.runs.judgements import FOLDER, Answer, begin_judging, keep_answer, new_session
from core.stop import StopToken
from docs.scenes.corpora import documents

_NUM_DOCUMENTS = 40
_REFERENCE_WORDS = 60
_PLACE = 12
_PATENT = (
    "EP 3 902 115 A1",
    "Hearing aids with a narrow beam follow the head. When the wearer looks from one speaker to "
    "another the beam arrives late, and when the wearer nods it leaves the speaker altogether.",
    "According to the invention the aid estimates the direction of the speaker from the phase "
    "between two microphones on each side of the head, thirty times a second.",
    "The beam is narrowed only after the head has been still for half a second, which an "
    "accelerometer in the housing reports. While the head moves, the aid listens in all "
    "directions.",
    "In a trial with 24 wearers the share of words understood in noise rose from 58 % to 71 %, "
    "and eighteen of them asked to keep the aid.",
    "The accelerometer adds 40 µW to the consumption of the aid, or about two per cent of what "
    "the amplifier uses on an ordinary day.",
    "In one embodiment the two aids exchange their estimates by radio and the wider of the two "
    "beams is used on both sides, so that the image of the room stays where it is.",
)
_REFERENCE = (
    "A hearing aid estimates the direction of the speaker from two microphones on each side and "
    "narrows its beam only when the wearer’s head has been still for half a second. In a trial "
    "with 24 wearers the share of words understood rose from 58 to 71 %."
)
_WRITTEN = {
    "patents-16k": (
        "A hearing aid that estimates the direction of the speaker with two microphones on each "
        "side of the head. The beam is narrowed after the head has been still for half a second. "
        "In noise the share of words understood rises by 13 points."
    ),
    "patents-4k": (
        "The aid estimates the direction of the speaker thirty times a second and follows it with "
        "a narrow beam. An accelerometer detects when the wearer is asleep. The share of words "
        "understood in noise rose."
    ),
}


def write_comparison(folder: Path) -> Path:
    """Compares four systems.

    Args:
        folder: Where; its parent holds the files that are read.

    Returns:
        The folder.
    """
    sources = folder.parents[1] / "sources"
    sources.mkdir(parents=True, exist_ok=True)
    rows = [{"document": "\n\n".join(_PATENT), "summary": _REFERENCE}]
    written = {name: [text] for name, text in _WRITTEN.items()}
    for title, text in documents():
        first, _, rest = text.partition("\n\n")
        if len(rest.split()) < _REFERENCE_WORDS or len(rows) == _NUM_DOCUMENTS:
            continue
        reference = " ".join(first.split()[:_REFERENCE_WORDS])
        rows.append({"document": f"{title}\n\n{rest}", "summary": reference})
        sentences = " ".join(rest.split()).split(". ")
        written["patents-16k"].append(". ".join([reference[: len(reference) // 2], sentences[0]]))
        written["patents-4k"].append(". ".join(sentences[1:3]))
    pairs = sources / "patents-eu.jsonl"
    pairs.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    files = []
    for name, texts in written.items():
        files.append(sources / f"{name}.txt")
        files[-1].write_text("".join(f"{text}\n" for text in texts), "utf-8")
    settings = ScoreSettings(
        metrics=("rouge-1", "rouge-2", "rouge-l", "novelty", "support", "words"),
        length="60w", by=("kind", "length"),
    )  # fmt: skip
    job = score_models(["built-in", "lead"], pairs, settings, files, folder)
    *_, last = run_inline(job, StopToken())
    assert isinstance(last, Finished), last
    return folder


def _drawn(documents: list[tuple[int, str]], total: int, seed: int) -> tuple[int, ...]:
    return new_session("", ("", ""), (), documents, total, seed).documents


def write_judgements(folder: Path, num_answers: int, total: int = 40) -> Path:
    """Judges some pairs of two systems blindly; gives the session's file."""
    documents = list(enumerate(open_comparison(folder).names.ids))
    systems = ("patents-16k", "patents-4k")
    # The patent is the pair that comes next in the picture.
    seeds = (seed for seed in range(10_000) if _drawn(documents, total, seed)[_PLACE] == 0)
    session = new_session("judge-1", systems, ("faithful",), documents, total, next(seeds))
    path = folder / FOLDER / "judge-1.jsonl"
    begin_judging(path, session)
    for at in range(num_answers):
        won: Answer = "B" if session.swapped[at] else "A"
        lost: Answer = "A" if session.swapped[at] else "B"
        keep_answer(path, "equal" if at % 5 == 0 else lost if at % 3 == 0 else won)
    return path
