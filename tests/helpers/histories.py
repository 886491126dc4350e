"""Entries of a history, made of what the samples say."""

import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import PurePath

from core.distribution.resources import resource
from core.documents.document import Reading, Source
from core.library.history_entry import NewEntry
from core.summaries.length import Length
from core.summaries.summary import Evidence, Summary, SummarySentence

DAY_S = 86_400.0
STILL_S = 1_700_000_000.0


@cache
def _sentences() -> tuple[str, ...]:
    text = resource("samples", "article.md").read_text("utf-8")
    return tuple(" ".join(each.split()) for each in re.split(r"(?<=[.?!])\s+", text))


def an_entry(
    title: str = "The tide clock",
    *texts: str,
    path: str = "/papers/clock.md",
    made_s: float = STILL_S,
    sha256: str = "",
    kept: str = "{}",
    length: str = "9s",
    id: str = "",
) -> NewEntry:
    """A summary as the history takes it; without texts of its own, those of the sample."""
    said = texts or _sentences()[3:6]
    sentences = tuple(
        SummarySentence(text, (Evidence(9 * n, 9 * n + 5, n, 1, str(n + 1)),))
        for n, text in enumerate(said)
    )
    name = PurePath(path).name or "Pasted text"
    source = Source(name, path, sha256 or title.encode("utf-8", "replace").hex(), 1000, "markdown")
    summary = Summary(title, source, sentences, Length.parse(length), Reading(400, 400))
    more = {"id": id} if id else {}
    return NewEntry(summary, kept, made_s=made_s, **more)


def entries_of_samples(count: int, chance: random.Random) -> Iterator[NewEntry]:
    """Many entries, each of nine sentences of a sample in some order."""
    for number in range(count):
        texts = chance.sample(_sentences(), 9)
        title = " ".join(texts[0].split()[:6])
        yield an_entry(
            f"{title} {number}", *texts, path=f"/papers/{number}.md", made_s=STILL_S + number * 60,
            kept="x" * 6000,
        )  # fmt: skip
