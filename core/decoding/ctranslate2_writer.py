"""Texts written by ctranslate2: greedy or by beams, as `core.decoding.door` writes them.

In a beam search ctranslate2 takes the log-probabilities after it has forbidden tokens (repeats, an
end that comes too early), as `renormalize_logits=True` does in `generate` of transformers; this
program takes them before. So texts of both agree token by token where nothing is forbidden, and
with one beam always.
"""

import queue
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from core.decoding.settings import DecodingSettings
from core.decoding.streaming import Decided, Decoded, Ending, refuse_nan
from core.errors import EpitomeError
from core.stop import StopToken

_WAIT_S = 0.05


def load(folder: Path, bits: int, threads: int, *, is_chat: bool) -> Any:
    """Loads a converted model.

    Args:
        folder: What `core.models.hugging_face.ctranslate2_form` wrote.
        bits: 32 or 8, as it was converted.
        threads: How many compute.
        is_chat: Whether it is a language model.

    Returns:
        The library's engine.

    Raises:
        EpitomeError: If it refuses the files.
    """
    import ctranslate2

    kind = ctranslate2.Generator if is_chat else ctranslate2.Translator
    compute = "int8" if bits == 8 else "float32"
    try:
        return kind(
            str(folder), device="cpu", compute_type=compute, inter_threads=1, intra_threads=threads
        )
    except (RuntimeError, ValueError) as error:
        told = str(error).strip().partition("\n")[0].rstrip(".")
        raise EpitomeError(
            f"ctranslate2 cannot load {folder} ({told}).", "Choose the engine torch."
        ) from error


@dataclass(frozen=True)
class Frame:
    """What stands round sources and texts of a model.

    Args:
        start_ids: What its texts begin with; of a language model, the end of what it reads.
        ends: The tokens that end a text.
        before: What stands before each source.
        after: What stands behind it.
    """

    start_ids: tuple[int, ...]
    ends: tuple[int, ...]
    before: tuple[int, ...] = ()
    after: tuple[int, ...] = ()


@dataclass(frozen=True)
class CTranslate2Writer:
    """A converted model that writes.

    Args:
        engine: What `load` gave.
        frame: What stands round sources and texts.
        reads: How many tokens it reads at most.
        positions: How many positions its decoder has.
        is_chat: Whether it is a language model, whose texts go on from the source.
    """

    engine: Any
    frame: Frame
    reads: int
    positions: int
    is_chat: bool

    def write(
        self,
        sources: Sequence[Sequence[int]],
        settings: DecodingSettings,
        stop: StopToken,
    ) -> Iterator[Decided]:
        """Writes the text of each source, as `core.decoding.door.decode` does.

        With beams nothing is told of a text before its end, and a wish to stop is heard then.

        Args:
            sources: [N] token ids of each source.
            settings: How.
            stop: What is written when it comes is kept.

        Yields:
            Tokens of a text as they are decided, and the whole text with the last of them.

        Raises:
            EpitomeError: If the model cannot read a source.
        """
        rows = [self._row(number, source, settings) for number, source in enumerate(sources)]
        for row in rows:
            if row.limit <= 0:
                yield Decided(row.number, (), Decoded((), 0.0, 0.0, "room"))
        able = [row for row in rows if row.limit > 0]
        for group in _groups(able, one_by_one=settings.beams > 1):
            if stop:
                yield from (row.unwritten() for row in group)
            elif settings.beams == 1:
                yield from self._greedy(group, settings, stop)
            else:
                yield from (row.told(self._result(job), settings, stop)
                            for row, job in self._begun(group, settings))  # fmt: skip

    def _row(self, number: int, source: Sequence[int], settings: DecodingSettings) -> "_Row":
        framed = (*self.frame.before, *source, *self.frame.after)
        if not framed:
            raise EpitomeError(
                f"Text {number + 1} has no tokens; one or more are needed.", "Leave it out."
            )
        if len(framed) > self.reads:
            raise EpitomeError(
                f"Text {number + 1} has {len(framed)} tokens; this model reads up to {self.reads}.",
                "Split it, or choose a model that reads more.",
            )
        room = self.positions - (len(framed) if self.is_chat else 0)
        fits = room - len(self.frame.start_ids) + 1
        longest = settings.max_length
        ended: Ending = "length" if longest <= fits else "room"
        return _Row(number, framed, min(longest, fits), ended, self.frame)

    def _begun(self, rows: Sequence["_Row"], settings: DecodingSettings, **more: Any) -> Any:
        """Rows with what will have their results."""
        limit, frame = rows[0].limit, self.frame
        options: dict[str, Any] = {
            "beam_size": settings.beams,
            "length_penalty": settings.length_penalty,
            "no_repeat_ngram_size": settings.block_repeats,
            "return_scores": True,
            "return_end_token": True,
            "end_token": [str(end) for end in frame.ends],
            "asynchronous": True,
            **more,
        }
        least = min(settings.min_length, limit)
        if self.is_chat:
            prompts = [[*map(str, (*row.framed, *frame.start_ids))] for row in rows]
            jobs = self.engine.generate_batch(
                prompts, max_length=limit, min_length=least, include_prompt_in_result=False,
                **options,
            )  # fmt: skip
        else:
            forced = [str(each) for each in frame.start_ids[1:]]
            jobs = self.engine.translate_batch(
                [[*map(str, row.framed)] for row in rows],
                target_prefix=[forced for _ in rows] if forced else None,
                max_input_length=0,  # nothing is cut unsaid
                max_decoding_length=limit + len(forced),
                min_decoding_length=least + len(forced),
                **options,
            )
        return zip(rows, jobs, strict=True)

    def _greedy(
        self, rows: Sequence["_Row"], settings: DecodingSettings, stop: StopToken
    ) -> Iterator[Decided]:
        """Writes texts side by side, token by token."""
        heard: queue.SimpleQueue[tuple[int, int]] = queue.SimpleQueue()
        is_over = False

        def hear(step: Any) -> bool:
            heard.put((step.batch_id, step.token_id))
            return is_over or bool(stop)

        begun = list(self._begun(rows, settings, callback=hear))
        try:
            while not all(job.done() for _, job in begun):
                yield from _news(rows, heard, wait=True)
            yield from _news(rows, heard, wait=False)
            for row, job in begun:
                yield row.told(self._result(job), settings, stop)
        finally:
            is_over = True  # a reader who leaves early ends the work, too

    def _result(self, job: Any) -> Any:
        """[tokens], and the score by which texts compare."""
        try:
            result = job.result()
        except (RuntimeError, ValueError) as error:
            told = str(error).strip().partition("\n")[0].rstrip(".")
            raise EpitomeError(
                f"ctranslate2 cannot compute this model ({told}).", "Choose the engine torch."
            ) from error
        tokens = result.sequences_ids[0] if self.is_chat else map(int, result.hypotheses[0])
        return [*tokens], result.scores[0]


@dataclass(frozen=True)
class _Row:
    """A source, and how long its text may become.

    Args:
        number: Its number.
        framed: Its tokens, with the frame.
        limit: How many tokens may be written, the end token counted.
        at_limit: Why it ends there.
        frame: What stands round texts.
    """

    number: int
    framed: tuple[int, ...]
    limit: int
    at_limit: Ending
    frame: Frame

    def news(self, token: int) -> Iterator[Decided]:
        """A token of its text."""
        if token not in self.frame.ends:
            yield Decided(self.number, (token,))

    def unwritten(self) -> Decided:
        """It was not begun."""
        return Decided(self.number, (), Decoded((), 0.0, 0.0, "stopped"))

    def told(
        self, result: tuple[list[int], float], settings: DecodingSettings, stop: StopToken
    ) -> Decided:
        """The whole text."""
        ids, normalised = result
        refuse_nan(normalised, self.number)
        length = max(1, len(ids))
        ended: Ending = self.at_limit
        if ids and ids[-1] in self.frame.ends:
            ids, ended = ids[:-1], "end"
        elif stop and len(ids) < self.limit:
            ended = "stopped"
        forced = self.frame.start_ids[1:]
        if tuple(ids[: len(forced)]) == forced:
            ids = ids[len(forced) :]
        score = normalised * length**settings.length_penalty
        news = () if settings.beams == 1 else tuple(ids)
        return Decided(self.number, news, Decoded(tuple(ids), score, normalised, ended))


def _groups(rows: Sequence[_Row], *, one_by_one: bool) -> Iterator[list[_Row]]:
    """Rows that are written side by side: those with one limit."""
    for _, some in groupby(rows, key=lambda row: row.limit):
        group = list(some)
        yield from ([row] for row in group) if one_by_one else [group]


def _news(
    rows: Sequence[_Row], heard: "queue.SimpleQueue[tuple[int, int]]", *, wait: bool
) -> Iterator[Decided]:
    """The tokens that were written meanwhile; waits a little for the first one."""
    try:
        while True:
            number, token = heard.get(timeout=_WAIT_S) if wait else heard.get_nowait()
            yield from rows[number].news(token)
    except queue.Empty:
        return
