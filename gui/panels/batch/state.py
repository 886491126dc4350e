"""What the Batch panel shows and allows, without Qt."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from core.events import Progress
from core.jobs.batches.job_file import command_settings
from core.jobs.batches.news import BatchNews
from core.jobs.batches.queued import title_of_batch
from core.jobs.batches.rows import BatchRow, BatchSettings, RowFilter, Wish, settings_key
from core.jobs.batches.tables import BatchTable
from core.jobs.cluster.address import is_encrypted
from core.jobs.cluster.connection import ClusterFacts
from core.jobs.queue.listing import JobNow
from core.jobs.summaries.summarise import SummariseSettings
from core.numbers import format_count, format_quantity
from core.settings import option_words
from core.storage.portable_names import fold_name
from core.system.shell import shell_line
from gui.job_list import time_left

Phase = Literal["empty", "ready", "running", "paused", "failed", "done"]

_RATE_OVER_S = 30.0
_LEAST_RATE_S = 2.0
NOTHING: Final = {"all": 0, "done": 0, "failed": 0, "note": 0, "waiting": 0, "skipped": 0}


@dataclass
class BatchState:
    """The batch that is open, as far as it is known.

    Attributes:
        folder: Its folder; None while nothing is open.
        rows: Its documents by number.
        counts: As `BatchStore.counts`.
        settings: How its documents are summarised.
        sources: The files and folders that were added.
        resumed: The sentence on what was done before.
        now: How far the documents are that are being read.
        job: Its job in the queue, if it has one.
        filter: Which documents are shown.
        needle: What their names must contain.
        revision: What of the batch is known.
        history_problem: Why summaries are missing in the history; empty when none is.
        passed_over: What was not taken when documents were added last; empty for nothing.
        tables: The tables of texts, and which of their columns are read.
        cluster: The address of the cluster that does the work; empty for this machine.
        cluster_has: What a cluster had when it was looked at, by its address.
    """

    folder: Path | None = None
    rows: dict[int, BatchRow] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=lambda: dict(NOTHING))
    settings: BatchSettings = field(default_factory=BatchSettings)
    sources: tuple[str, ...] = ()
    resumed: str = ""
    now: dict[int, Progress] = field(default_factory=dict)
    job: JobNow | None = None
    filter: RowFilter = "all"
    needle: str = ""
    revision: int = 0
    history_problem: str = ""
    passed_over: str = ""
    tables: tuple[BatchTable, ...] = ()
    cluster: str = ""
    cluster_has: dict[str, ClusterFacts] = field(default_factory=dict)
    _ended: deque[tuple[float, int]] = field(default_factory=deque)
    _stale: tuple[object, list[int]] = (None, [])

    def begin(self, folder: Path | None) -> None:
        """Forgets all of the batch that was open; another one is, or none."""
        kept = BatchState(folder, filter=self.filter, cluster_has=self.cluster_has)
        vars(self).update(vars(kept))

    # What there is

    @property
    def phase(self) -> Phase:
        """How the batch stands."""
        if self.folder is None or not (self.counts["all"] or self.tables):
            return "empty"
        state = self.job.state if self.job is not None else ""
        if state in ("waiting", "starting", "running"):
            return "running"
        if state in ("paused", "stopped"):
            return "paused"
        if state == "failed":
            return "failed"
        return "ready" if self.counts["waiting"] else "done"

    @property
    def is_waiting_for_others(self) -> bool:
        """Whether its job waits for another batch."""
        return self.job is not None and self.job.state == "waiting"

    @property
    def title(self) -> str:
        """What the batch is called; empty while nothing is open."""
        return title_of_batch(self.sources) if self.sources else ""

    def take(self, news: BatchNews, now_s: float) -> list[int]:
        """Takes what has changed.

        Args:
            news: What the batch told.
            now_s: The time, in seconds.

        Returns:
            The numbers of the documents that are to be drawn anew.
        """
        changed = {row.number for row in news.rows} | self.now.keys() | news.now.keys()
        self.rows.update((row.number, row) for row in news.rows)
        self.counts, self.settings, self.sources = news.counts, news.settings, news.sources
        self.resumed, self.history_problem = news.resumed, news.history_problem
        self.tables, self.cluster = news.tables, news.cluster
        self.now = self._being_read(news) if self.phase == "running" else {}
        if not news.has_more:
            self.revision = news.revision
        self._measure(now_s)
        return sorted(changed & self.rows.keys())

    def _being_read(self, news: BatchNews) -> dict[int, Progress]:
        """What is being read; the note on it may be older than the documents that have ended."""
        known = ((self.rows.get(number), number, far) for number, far in news.now.items())
        return {number: far for row, number, far in known if row and row.state == "waiting"}

    # Which documents are shown

    def shown(self) -> list[int]:
        """The numbers of the documents that the filter and the search leave."""
        found, wanted = list(self.rows), self.filter
        if wanted == "note":
            found = [number for number, row in self.rows.items() if row.has_note]
        elif wanted != "all":
            found = [number for number, row in self.rows.items() if row.state == wanted]
        needle = fold_name(self.needle.strip())
        return [n for n in found if needle in _searched(self.rows[n])] if needle else found

    def stale(self) -> list[int]:
        """The documents whose summary was made with other settings than they have now."""
        if not self.counts["done"]:
            return []
        known = (self.revision, self.settings, len(self.rows))
        if self._stale[0] != known:
            keys: dict[Wish, str] = {}
            for row in self.rows.values():
                if row.wish not in keys:
                    keys[row.wish] = settings_key(row.wish.over(self.settings))
            found = [
                number
                for number, row in self.rows.items()
                if row.state == "done" and row.made_with and row.made_with != keys[row.wish]
            ]
            self._stale = (known, found)
        return self._stale[1]

    def settings_of(self, numbers: Sequence[int]) -> SummariseSettings:
        """The settings of documents: those of the first, or of the batch where none is named."""
        row = self.rows.get(numbers[0]) if numbers else None
        return row.wish.over(self.settings) if row is not None else self.settings

    # What is said

    @property
    def head(self) -> str:
        """How many documents are through: "143 of 386"."""
        through = self.counts["all"] - self.counts["waiting"]
        return f"{format_count(through)} of {format_count(self.counts['all'])}"

    @property
    def told(self) -> str:
        """What came of them: "142 done, 6 of them with a note; 1 not read"."""
        counts = self.counts
        done = f"{format_count(counts['done'])} done"
        if counts["note"]:
            done += f", {format_count(counts['note'])} of them with a note"
        rest = [
            f"{format_count(counts[name])} {words}"
            for name, words in (("failed", "not read"), ("skipped", "skipped"))
            if counts[name]
        ]
        return "; ".join([done, *rest])

    @property
    def share(self) -> float:
        """How many of the documents are through, 0 to 1."""
        total = self.counts["all"]
        return (total - self.counts["waiting"]) / total if total else 0.0

    @property
    def pace(self) -> str:
        """The time left and the speed: "about 3 min left, 1.4 files a second"."""
        match self.phase:
            case "running" if self.is_waiting_for_others:
                return "waiting for another batch"
            case "running":
                rate = self.rate
                if not rate:
                    return ""
                speed = f"{rate:.1f} files a second"
                if rate < 1.0:
                    speed = f"{60 * rate:.0f} files a minute"
                return f"{time_left(self.counts['waiting'] / rate)}, {speed}"
            case "paused":
                return "paused"
        return ""

    @property
    def rate(self) -> float:
        """Documents a second; 0 where that is not known."""
        if len(self._ended) < 2:
            return 0.0
        (first_s, first), (last_s, last) = self._ended[0], self._ended[-1]
        return (last - first) / (last_s - first_s) if last_s - first_s >= _LEAST_RATE_S else 0.0

    def _measure(self, now_s: float) -> None:
        if self.phase != "running":
            self._ended.clear()
            return
        self._ended.append((now_s, self.counts["all"] - self.counts["waiting"]))
        while self._ended[-1][0] - self._ended[0][0] > _RATE_OVER_S:
            self._ended.popleft()

    @property
    def command(self) -> str:
        """The command that summarises the same documents into files."""
        words = ["epitome", "summarise", *(self.sources or ("FILES",))]
        for settings in command_settings(self.settings, self.tables).values():
            words += option_words(settings)
        words += ["--cluster", self.cluster] if self.cluster else []
        words += ["--out", "summaries"]
        return shell_line(words)

    @property
    def cluster_told(self) -> str:
        """What a person should know of the cluster: "2 workers; documents are sent to it"."""
        if not self.cluster:
            return ""
        found = self.cluster_has.get(self.cluster)
        how = "encrypted" if is_encrypted(self.cluster) else "unencrypted"
        sent = f"documents are sent there {how}"
        return f"{found}; {sent}" if found else sent

    @property
    def start_words(self) -> str:
        """What the button says that begins the work."""
        number = self.counts["waiting"]
        return f"Summarise {format_quantity(number, 'document')}"

    def export_words(self, num_selected: int = 0) -> str:
        """What the button says that exports the selected summaries; 0 where all are meant."""
        number = num_selected or self.counts["done"]
        return f"Export {format_quantity(number, 'summary', 'summaries')}"

    def meant(self, selected: Sequence[int]) -> tuple[int, ...]:
        """The selected documents that have a summary, if there are several; else none: all are."""
        done = tuple(number for number in selected if self.rows[number].state == "done")
        return done if len(done) > 1 else ()


def _searched(row: BatchRow) -> str:
    return fold_name(f"{row.name}\n{row.title}")
