"""Prepares a corpus: sources, rows in parts, splits, documents, numbers.

Everything is written into a folder beside, whose last step is to get the corpus's name: what looks
whole is whole. A preparation that was cut short goes on with the parts that are there, if its
sources and settings are still the same.
"""

import json
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import tomlkit

from core.data.corpus import CARD, CARD_VERSION, SKIPPED, STATISTICS
from core.data.gathering import Gathered
from core.data.growing import growing_folder
from core.data.parts import PartMaker
from core.data.rows import Block, blocks_of
from core.data.settings import CorpusSettings, Make
from core.data.sources import RowSource, find_row_sources
from core.data.statistics import statistics
from core.errors import EpitomeError
from core.events import Event, Message, Progress
from core.settings import write_whole
from core.stop import StopToken
from core.version import VERSION

Each = Callable[[PartMaker, Iterable[Block], StopToken], Iterator[int]]
"""Makes blocks, wherever and in whatever order; gives the rows of each as it is done."""


@dataclass(frozen=True)
class Prepared:
    """What became of the sources.

    Args:
        folder: The corpus; None if only its numbers were asked for.
        make: What its rows are.
        sources: What was read of each source, one sentence each.
        statistics: The numbers of `core.data.statistics.statistics`.
        fingerprint: The same for the same rows in the same splits.
    """

    folder: Path | None
    make: Make
    sources: tuple[str, ...]
    statistics: dict[str, Any]
    fingerprint: str


def here(maker: PartMaker, blocks: Iterable[Block], stop: StopToken) -> Iterator[int]:
    """Makes blocks one after the other in this process."""
    for block in blocks:
        stop.raise_if_set()
        yield maker(block)


def prepare(
    names: tuple[str, ...],
    settings: CorpusSettings,
    out: Path | None,
    stop: StopToken,
    each: Each = here,
) -> Generator[Event, None, Prepared]:
    """Prepares a corpus, or only counts.

    Args:
        names: Files, folders, data sets of the hub.
        settings: What becomes of them.
        out: The folder of the corpus, which must not be there; None to count only.
        stop: Read often; what is made by then is kept and used by the next call.
        each: Makes the blocks.

    Yields:
        How far it is, and what was found out.

    Returns:
        What became of it.

    Raises:
        EpitomeError: If a source cannot be read, nothing is left of the rows, or `out` is taken.
    """
    if out is not None and out.exists():
        raise EpitomeError(
            f"There is a corpus or another folder {out} already.",
            "Choose another name, or delete it.",
        )
    sources = find_row_sources(names, settings)
    make = _chosen_make(sources, settings)
    told = tuple(source.told(make) for source in sources)
    for line in told:
        yield Message("info", line)
    with growing_folder(out, _plan(sources, settings, make)) as growing:
        if growing.goes_on:
            yield Message("info", "What an earlier call prepared of it is used.")
        maker = PartMaker(growing.parts, settings, make, with_texts=out is not None)
        parts = yield from _make_parts(sources, maker, stop, each)
        yield Progress(0, 0, "documents", "Looking for duplicates")
        gathered = Gathered(parts, settings, growing.path)
        stop.raise_if_set()
        if not len(gathered):
            raise _nothing(gathered)
        found = statistics(gathered.facts, gathered.reasons, gathered.duplicates())
        prepared = Prepared(out, make, told, found, gathered.fingerprint)
        if out is not None:
            yield Progress(0, 0, "documents", "Writing")
            gathered.write_documents(growing.path, make)
            _write_numbers(growing.path, prepared, gathered, settings)
    if out is not None:
        growing.become(out)
    return prepared


def _chosen_make(sources: list[RowSource], settings: CorpusSettings) -> Make:
    without = [source.name for source in sources if not source.has_summaries]
    if settings.make == "pairs" and without:
        raise EpitomeError(
            f"{without[0]} has no summaries, so no pairs can be made of it.",
            "Name their column with --summary-column, or ask for --make gsg or text.",
        )
    return settings.make or ("text" if without else "pairs")


def _plan(sources: list[RowSource], settings: CorpusSettings, make: Make) -> dict[str, Any]:
    """All that the parts depend on, as JSON gives it back."""
    chosen = settings.model_dump(mode="json", exclude={"processes", "split"})
    plan = {
        "version": VERSION,
        "make": make,
        "settings": chosen,
        "sources": [source.stamp() for source in sources],
    }
    found: dict[str, Any] = json.loads(json.dumps(plan))
    return found


def _make_parts(
    sources: list[RowSource], maker: PartMaker, stop: StopToken, each: Each
) -> Generator[Event, None, list[Path]]:
    """Makes the parts that are not there; gives the files of all."""
    parts: list[Path] = []
    counts = [source.count for source in sources]
    done, total = 0, 0 if None in counts else sum(filter(None, counts))

    def missing() -> Iterator[Block]:
        nonlocal done
        for block in blocks_of(chain.from_iterable(source.rows() for source in sources)):
            parts.append(maker.path(block.number))
            if parts[-1].exists():
                done += len(block.rows)
            else:
                yield block

    for rows in each(maker, missing(), stop):
        done += rows
        yield Progress(done, total, "rows", "Preparing")
    return parts


def _nothing(gathered: Gathered) -> EpitomeError:
    why = f": all were {', '.join(gathered.reasons)}" if gathered.reasons else ""
    return EpitomeError(f"The sources hold no row that can be used{why}.", "Name other sources.")


def _write_numbers(
    folder: Path, prepared: Prepared, gathered: Gathered, settings: CorpusSettings
) -> None:
    """Writes what is known of a corpus; `corpus.toml` last, since by it a corpus is known."""
    numbers = json.dumps(prepared.statistics, ensure_ascii=False, indent=1)
    write_whole(folder / STATISTICS, numbers.encode("utf-8", "replace"))
    gathered.write_skipped(folder / SKIPPED)
    card = tomlkit.document()
    card.add("schema_version", tomlkit.item(CARD_VERSION))
    made = {
        "make": prepared.make,
        "masking": settings.masking,
        "sources": list(prepared.sources),
        "fingerprint": prepared.fingerprint,
        "skipped": gathered.reasons.total(),
        "version": VERSION,
    }
    card.add("made", tomlkit.item(made))
    card.add("rows", tomlkit.item(gathered.counts))
    body = settings.to_toml().partition("\n")[2].rstrip()  # without its own schema version
    write_whole(folder / CARD, f"{tomlkit.dumps(card)}\n[settings]\n{body}\n".encode())
