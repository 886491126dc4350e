"""The labelled sentence boundaries of `tests/reference/sentences`, and counts against them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "reference" / "sentences"

Splitter = Callable[[str], list[tuple[int, int]]]


@dataclass
class Counts:
    """What a splitter got right; `wrong` shows each fault in a few words."""

    right: int = 0
    missed: int = 0
    added: int = 0
    wrong: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        return self.right / max(1, self.right + self.added)

    @property
    def recall(self) -> float:
        return self.right / max(1, self.right + self.missed)

    def __str__(self) -> str:
        return (
            f"{self.right} right, {self.missed} missed, {self.added} added: "
            f"precision {self.precision:.2%}, recall {self.recall:.2%}"
        )

    def report(self) -> str:
        """The counts and every fault, a line each."""
        return "\n".join((str(self), *self.wrong))


def read_paragraphs(path: Path) -> Iterator[tuple[str, set[int]]]:
    """Gives each paragraph's text and where its sentences but the last one end."""
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        lines = [line for line in block.splitlines() if line and not line.startswith("#")]
        text, ends = "", set()
        for line in lines:
            if text:
                ends.add(len(text))
            joined = line.startswith("~") or not text
            text += line.removeprefix("~") if joined else " " + line
        if text:
            yield text, ends


def count(paths: list[Path], split: Splitter) -> Counts:
    """Counts boundaries inside paragraphs."""
    counts = Counts()
    for path in paths:
        for text, ends in read_paragraphs(path):
            found = {end for _, end in split(text)[:-1]}
            counts.right += len(found & ends)
            counts.missed += len(ends - found)
            counts.added += len(found - ends)
            for word, faults in (("missed", ends - found), ("added", found - ends)):
                counts.wrong += [
                    f"{path.stem}: {word}: {text[max(0, at - 40) : at]!r} | {text[at : at + 30]!r}"
                    for at in sorted(faults)
                ]
    return counts
