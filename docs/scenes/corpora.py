"""A corpus made of the program's own pages and samples, for pictures of the Corpus panel."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from core.data.settings import CorpusSettings
from core.events import Finished
from core.jobs.corpora.make_corpus import MakeCorpusJob
from core.jobs.run import run_inline
from core.stop import StopToken

NAME = "reports-upper-rhine"
PAIRS = "pages-with-leads"
OPENED = "Ground water in the Upper Rhine, 2019 to 2024"
_DOCS = Path(__file__).parents[1]
_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
_MARKS = re.compile(r"^#+ |\*\*|`|^\|.*$", re.MULTILINE)
_SHORTEST = 300  # characters


def write_sources(folder: Path) -> list[Path]:
    """Writes a table of documents, and one of which a column must be chosen.

    Args:
        folder: Where.

    Returns:
        Both.
    """
    folder.mkdir(parents=True)
    reports, letters = folder / "reports.jsonl", folder / "letters.csv"
    rows = [{"id": f"r-{n:03}", "title": t, "text": x} for n, (t, x) in enumerate(documents(), 1)]
    rows += [{"id": f"r-{n}", "title": "Scan without text", "text": ""} for n in range(900, 909)]
    reports.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    lines = (f'{n},"{r["title"]}","{r["text"][:120]}"' for n, r in enumerate(rows[:20]))
    quoted = (line.replace("\n", " ") for line in lines)
    letters.write_text("\n".join(["no,betreff,inhalt", *quoted]) + "\n", "utf-8")
    return [reports, letters]


def write_corpora(corpora: Path, sources: Path) -> Path:
    """Prepares two corpora.

    Args:
        corpora: The folder of all corpora.
        sources: Where the sources are to be.

    Returns:
        The one that is open in the pictures.
    """
    reports, _ = write_sources(sources)
    corpora.mkdir(parents=True, exist_ok=True)
    _prepare((str(reports),), corpora / NAME)
    _prepare((str(corpora / NAME),), corpora / f"{NAME}-gsg", make="gsg", ratio=0.2)
    return corpora / NAME


def write_pairs(corpora: Path, sources: Path) -> Path:
    """Prepares a corpus of pairs in three splits; some documents stand in two of them.

    Args:
        corpora: The folder of all corpora.
        sources: Where the sources are to be.

    Returns:
        The corpus: the first paragraph of each document summarises the rest.
    """
    folder = sources / PAIRS
    folder.mkdir(parents=True)
    split = (text.partition("\n\n")[::2] for _, text in documents())
    rows = [{"document": rest, "summary": first} for first, rest in split if len(rest) > _SHORTEST]
    parts = {"train": rows[:-24], "validation": rows[-24:-12], "test": rows[-12:] + rows[3:5]}
    for name, some in parts.items():
        lines = (json.dumps(row) + "\n" for row in some)
        (folder / f"{name}.jsonl").write_text("".join(lines), "utf-8")
    corpora.mkdir(parents=True, exist_ok=True)
    _prepare((str(folder),), corpora / PAIRS, split=None)
    return corpora / PAIRS


def _prepare(sources: tuple[str, ...], out: Path, **values: object) -> None:
    settings = CorpusSettings.checked({"processes": 1, "split": "80/10/10", **values})
    *_, last = run_inline(MakeCorpusJob(sources, settings, out), StopToken())
    assert isinstance(last, Finished), last


def documents() -> Iterator[tuple[str, str]]:
    """Titles and texts: the sample report whole, all pages by their sections."""
    yield OPENED, _plain((_DOCS / "samples" / "report.md").read_text("utf-8"))
    for page in sorted([*_DOCS.glob("*.md"), *(_DOCS / "samples").glob("*.md")]):
        parts = _SECTION.split(page.read_text("utf-8"))
        for title, text in zip(parts[1::2], parts[2::2], strict=True):
            if len(_plain(text)) > _SHORTEST:
                yield title.strip().replace("`", ""), _plain(text)


def _plain(text: str) -> str:
    lines = _MARKS.sub("", text)
    paragraphs = (" ".join(part.split()) for part in re.split(r"\n\s*\n", lines))
    return "\n\n".join(part for part in paragraphs if part)
