"""Prepares a corpus: sources, shards of rows, splits, documents, statistics.

Everything is written into a staging folder, which is renamed at the end: a folder with the corpus's
name is always complete. An interrupted preparation is resumed with the shards that exist, if its
sources and settings are unchanged.
"""

import json
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import tomlkit

from core.data.corpus import CARD, CARD_VERSION, SKIPPED, STATISTICS, Corpus
from core.data.corpus_languages import sampled_languages
from core.data.merging import MergedShards
from core.data.prepared import PreparedCorpus
from core.data.settings import CorpusSettings, Make
from core.data.shards import IN_OTHER_SCRIPTS, ShardMaker
from core.data.source_rows import Block, blocks_of
from core.data.sources import RowSource, find_row_sources
from core.data.staging import check_new, staging_folder
from core.data.statistics import statistics
from core.errors import EpitomeError
from core.events import Event, Message, Progress
from core.stop import StopToken
from core.storage.atomic_files import write_whole
from core.storage.parsing import parse_json
from core.version import VERSION


@dataclass(frozen=True)
class MissingBlocks:
    """The blocks of some sources that have no shard yet; can be sent to other processes.

    They are the same however often they are read, while others become shards.

    Args:
        sources: What is read.
        made: The numbers of blocks that are passed over.
    """

    sources: tuple[RowSource, ...]
    made: frozenset[int] = frozenset()

    def __iter__(self) -> Iterator[Block]:
        rows = chain.from_iterable(source.rows() for source in self.sources)
        return (block for block in blocks_of(rows) if block.number not in self.made)


BlockRunner = Callable[[ShardMaker, MissingBlocks, StopToken], Iterator[int]]
"""Prepares blocks in any order and any process; yields how many more rows are done."""


def run_blocks_here(maker: ShardMaker, blocks: Iterable[Block], stop: StopToken) -> Iterator[int]:
    """Prepares blocks one after the other in this process."""
    for block in blocks:
        stop.raise_if_set()
        yield maker(block)


def prepare(
    names: tuple[str, ...],
    settings: CorpusSettings,
    out: Path | None,
    stop: StopToken,
    run_blocks: BlockRunner = run_blocks_here,
    job: str = "",
) -> Generator[Event, None, PreparedCorpus]:
    """Prepares a corpus, or only its statistics.

    Args:
        names: Files, folders, data sets of the hub.
        settings: How to prepare them.
        out: The folder of the corpus, which must not exist; None for statistics only.
        stop: Checked often; finished work is kept and used by the next call.
        run_blocks: Prepares the blocks.
        job: A name by which `corpus_made_by` finds the corpus again; empty for none.

    Yields:
        Progress, and messages on what is read.

    Returns:
        The prepared corpus.

    Raises:
        EpitomeError: If a source cannot be read, no row can be used, or `out` exists.
    """
    if out is not None:
        check_new(out)
    sources = find_row_sources(names, settings)
    make = _chosen_make(sources, settings)
    descriptions = tuple(source.describe(make) for source in sources)
    for line in descriptions:
        yield Message("info", line)
    with staging_folder(out, _plan(sources, settings, make)) as staging:
        if staging.resumes:
            yield Message("info", "Resuming an earlier preparation.")
        maker = ShardMaker(staging.shards, settings, make, with_texts=out is not None)
        shards = yield from _make_shards(sources, maker, stop, run_blocks)
        with MergedShards(shards, settings, staging.shards) as merged:
            yield from merged.find(stop)
            stop.raise_if_set()
            if not len(merged):
                raise _nothing(merged)
            found = statistics(merged.counts, merged.reasons, merged.duplicates())
            prepared = PreparedCorpus(out, make, descriptions, found, merged.fingerprint)
            if out is not None:
                yield Progress(0, 0, "documents", "Writing")
                stop.raise_if_set()
                merged.write_documents(staging.path, make)
                merged.write_lengths(staging.path)
                _write_numbers(staging.path, prepared, merged, settings, job)
        if out is not None:
            staging.move_to(out)
    return prepared


def _chosen_make(sources: list[RowSource], settings: CorpusSettings) -> Make:
    without = [source.name for source in sources if not source.has_summaries]
    if settings.make == "pairs" and without:
        raise EpitomeError(
            f"{without[0]} has no summaries, which pairs need.",
            "Give their column with --summary-column, or use --make gsg or --make text.",
        )
    return settings.make or ("text" if without else "pairs")


def _plan(sources: list[RowSource], settings: CorpusSettings, make: Make) -> dict[str, Any]:
    """Everything the shards depend on, as JSON values."""
    chosen = settings.model_dump(mode="json", exclude={"processes", "split"})
    plan = {
        "version": VERSION,
        "make": make,
        "settings": chosen,
        "sources": [source.cache_key() for source in sources],
    }
    found: dict[str, Any] = parse_json(json.dumps(plan))
    return found


def _make_shards(
    sources: list[RowSource], maker: ShardMaker, stop: StopToken, run_blocks: BlockRunner
) -> Generator[Event, None, list[Path]]:
    """Makes the missing shards; returns the files of all shards, in order."""
    counts = [source.count for source in sources]
    total = 0 if None in counts else sum(filter(None, counts))
    made = maker.counted()
    done = sum(made.values())
    for rows in run_blocks(maker, MissingBlocks(tuple(sources), frozenset(made)), stop):
        done += rows
        yield Progress(done, total, "rows", "Preparing")
    return [maker.path(block) for block in sorted(maker.made())]


def _nothing(merged: MergedShards) -> EpitomeError:
    why = f": all were {', '.join(merged.reasons)}" if merged.reasons else ""
    remedy = "Choose other sources."
    if IN_OTHER_SCRIPTS in merged.reasons:
        remedy = "Take words of any script: --tokenizer unicode."
    return EpitomeError(f"The sources contain no usable row{why}.", remedy)


def _write_numbers(
    folder: Path,
    prepared: PreparedCorpus,
    merged: MergedShards,
    settings: CorpusSettings,
    job: str,
) -> None:
    """Writes statistics, skipped rows and `corpus.toml`, which marks a folder as a corpus, last."""
    numbers = json.dumps(prepared.statistics, ensure_ascii=False, indent=1)
    write_whole(folder / STATISTICS, numbers.encode("utf-8", "replace"), replace=True)
    merged.write_skipped(folder / SKIPPED)
    card = tomlkit.document()
    card.add("schema_version", tomlkit.item(CARD_VERSION))
    rows, fingerprint = merged.rows_by_split, prepared.fingerprint
    written = Corpus(folder, prepared.make, settings.masking, rows, fingerprint)
    made = {
        "make": prepared.make,
        "masking": settings.masking,
        "languages": list(sampled_languages(written)),
        "sources": list(prepared.sources),
        "fingerprint": fingerprint,
        "skipped": merged.reasons.total(),
        "version": VERSION,
    } | ({"job": job} if job else {})
    card.add("made", tomlkit.item(made))
    card.add("rows", tomlkit.item(rows))
    body = settings.to_toml().partition("\n")[2].rstrip()  # without its own schema version
    told = f"{tomlkit.dumps(card)}\n[settings]\n{body}\n"
    data = told.encode("utf-8", "replace")  # names of sources may be no UTF-8
    write_whole(folder / CARD, data, replace=True)
