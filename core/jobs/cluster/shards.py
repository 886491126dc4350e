"""Shards of a corpus that are made by a worker of a cluster."""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from core.data.settings import CorpusSettings
from core.data.shards import ShardMaker, count_rows
from core.data.source_rows import Block, SourceRow
from core.data.staging import put_in_place, writing
from core.events import Event, Failed, Finished
from core.jobs.cluster.messages import read_reply, write_order, write_reply
from core.stop import StopToken
from core.storage.parsing import json_text, parse_json
from core.storage.temporary_names import open_temporary

KIND = "shard"


@dataclass(frozen=True)
class SentShardJob:
    """Makes the shard of an order; runs in the process beside a worker.

    Args:
        maker: Makes the shard; its folder is not used.
        block: The rows.
    """

    maker: ShardMaker
    block: Block

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields what `ShardMaker.steps` does, then `Finished` with the reply."""
        with tempfile.TemporaryDirectory(prefix="shard-") as folder:
            maker = replace(self.maker, folder=Path(folder))
            rows = yield from maker.steps(self.block)
            content = maker.path(self.block.number).read_bytes()
        yield Finished(write_reply(KIND, rows, content))


def write_block(maker: ShardMaker, block: Block) -> bytes:
    """Writes the order for a block: the settings and the rows themselves.

    Args:
        maker: Makes the shard.
        block: The rows.

    Returns:
        The order.
    """
    head = {
        "settings": maker.settings.model_dump(mode="json"),
        "make": maker.make,
        "with_texts": maker.with_texts,
        "number": block.number,
        "first": block.first,
    }
    return write_order(KIND, head, json_text([vars(row) for row in block.rows]).encode())


def read_job(head: dict[str, Any], data: bytes) -> SentShardJob:
    """Reads the job of an order.

    Args:
        head: The head of the order.
        data: The rows.

    Returns:
        The job.
    """
    settings = CorpusSettings.checked(head["settings"])
    maker = ShardMaker(Path(), settings, head["make"], head["with_texts"])
    rows = tuple(SourceRow(**row) for row in parse_json(data))
    return SentShardJob(maker, Block(head["number"], head["first"], rows))


def save_shard(reply: object, maker: ShardMaker, block: Block) -> int | Failed:
    """Puts the shard of a reply into the folder of the corpus.

    Args:
        reply: Whatever a worker returned.
        maker: Knows the folder.
        block: The rows that were sent.

    Returns:
        The number of rows, skipped ones included, or the reason why there is no shard.

    Raises:
        OtherEnvironmentError: If the worker has another environment.
        EpitomeError: If the shard cannot be written.
    """

    def save(rows: Any, content: bytes) -> int:
        with writing(maker.folder):
            with open_temporary(maker.path(block.number)) as file:
                file.write(content)
            temporary = Path(file.name)
            if not rows == count_rows(temporary) == len(block.rows):
                temporary.unlink()
                raise ValueError("it does not have the rows of its block")
            put_in_place(temporary, maker.path(block.number))
        return len(block.rows)

    return read_reply(reply, KIND, save)
