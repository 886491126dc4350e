"""Summaries that a trained model writes, part by part where a document is longer than it."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Self

from core.decoding.engine import EngineChoice
from core.decoding.settings import DecodingSettings
from core.decoding.streaming import Ending
from core.documents.document import Document, LeftOut, Reading
from core.documents.sentences import split_document, split_paragraph
from core.errors import UNUSABLE_TEXT, EpitomeError
from core.events import Progress, Steps
from core.evidence.finder import EvidenceFinder
from core.numbers import format_count, format_quantity
from core.stop import StopToken
from core.summaries.summary import Length, Summary
from core.summarisers.degenerate import describe_degenerate
from core.summarisers.events import TextWritten
from core.summarisers.parts import (
    Part,
    document_parts,
    get_limit,
    join_parts,
    measure_size,
    portions,
    without_repeats,
)
from core.writing.engines import open_with
from core.writing.writing_model import WritingModel

_AT_ONCE = 8  # parts that are read and written side by side
_LONG_SENTENCE = 40  # words
_LIMIT_STEP = 64  # tokens; parts of one limit are written side by side
_TOKENS_FOR_ONE = 1.5  # the summary may be in longer words than its part
_NEARLY = 0.75  # of the words; a summary of whole sentences hardly ever has all of them


@dataclass(frozen=True)
class Written:
    """A model's summary of one document.

    Args:
        sentences: Its sentences, part after part.
        num_parts: Number of parts of the document.
        num_read: Number of parts that were read.
        unread: Words of the parts that got no share of so short a summary, and were not read.
        cut: Number of texts that ended because they had become too long.
        stopped: True if the user stopped the writing before its end.
        unreached: Words of the parts that were not read because of that.
        repeats: Number of sentences that were left out because they repeated earlier ones.
        faults: Descriptions of degenerate texts, which are left out.
    """

    sentences: tuple[str, ...]
    num_parts: int
    num_read: int
    unread: int
    cut: int
    stopped: bool = False
    unreached: int = 0
    repeats: int = 0
    faults: tuple[str, ...] = ()

    @property
    def is_unusable(self) -> bool:
        """True if nothing is left of what the model wrote."""
        return bool(self.faults) and not self.sentences


@dataclass(frozen=True)
class TrainedSummariser:
    """Lets a model write summaries.

    Args:
        model: The model, with its tokenizer and how it writes.
    """

    model: WritingModel

    @classmethod
    def of_run(cls, run: Path, engine: EngineChoice = "torch") -> Self:
        """The best checkpoint of a run; fails as `core.writing.engines.open_with` does."""
        return cls(open_with(run, engine))

    def prompted(self, prompt: str) -> Self:
        """The same summariser with another prompt; see `WritingModel.prompted`."""
        return replace(self, model=self.model.prompted(prompt))

    def write(
        self,
        documents: Sequence[Document],
        length: Length,
        stop: StopToken,
        *,
        keeps_begun: bool = False,
    ) -> Steps[list[Written]]:
        """Writes the summaries of documents, side by side.

        Args:
            documents: [N].
            length: The requested length of each; the model may end before.
            stop: Read between the parts.
            keeps_begun: True if a request to stop returns what was written by then, if anything.

        Yields:
            Progress; of a single document `TextWritten`.

        Returns:
            [N] their summaries.

        Raises:
            Stopping: If a stop was requested.
        """
        found = []
        for document in documents:
            parts = yield from self._parts(document, stop)
            limit, unit = get_limit(document, length)
            found.append((parts, portions(limit, [part.share for part in parts]), unit))
        tasks = [
            _Task(number, part, share, unit)
            for number, (parts, shares, unit) in enumerate(found)
            for part, share in zip(parts, shares, strict=True)
            if share
        ]
        texts: list[list[_Text]] = [[] for _ in documents]
        written = yield from self._texts(tasks, stop, keeps_begun=keeps_begun)
        for task, text in zip(tasks, written, strict=True):
            texts[task.document].append(text)
        return [
            Written(
                tuple(join_parts([(text.share, text.sentences) for text in some], unit)),
                len(parts),
                sum(text.is_read for text in some),
                _unread(parts, shares),
                sum(text.cut for text in some),
                any(text.stopped for text in some),
                sum(text.unreached for text in some),
                faults=tuple(text.fault for text in some if text.fault),
            )
            for some, (parts, shares, unit) in zip(texts, found, strict=True)
        ]

    def summarise(
        self, document: Document, length: Length, stop: StopToken, *, keeps_begun: bool = False
    ) -> Steps[Summary]:
        """Writes the summary of one document, with the evidence for each sentence.

        Args:
            document: The document.
            length: The requested length.
            stop: Read between the parts.
            keeps_begun: As in `write`.

        Yields:
            Progress, and `TextWritten`.

        Returns:
            The summary; its notes say in how many parts the document was read.

        Raises:
            Stopping: If a stop was requested.
            EpitomeError: If all that the model wrote is degenerate.
        """
        writing = self.write([document], length, stop, keeps_begun=keeps_begun)
        written = (yield from writing)[0]
        if written.is_unusable:
            raise unusable(self.model.name, written.faults[0])
        kept = without_repeats(written.sentences)
        written = replace(written, sentences=kept, repeats=len(written.sentences) - len(kept))
        # What was stopped gets its evidence all the same.
        sentences = yield from split_document(document, StopToken() if written.stopped else stop)
        finder = EvidenceFinder(document, sentences)
        return Summary(
            title=document.title,
            source=document.source,
            sentences=tuple(map(finder.checked, written.sentences)),
            length=length,
            read=_reading(document, written),
            notes=(*self._notes(written), *_shortfall(written, *get_limit(document, length))),
            model=self.model.name,
        )

    def _notes(self, written: Written) -> Iterator[str]:
        yield (
            f"Written by the model {self.model.name}, which can be wrong: check each sentence by "
            "its evidence."
        )
        yield from self.model.remarks
        if written.num_parts > 1:
            yield self._parts_note(written)
        if written.stopped:
            yield "The writing was stopped; this is what the model had written by then."
        if written.faults:
            parts = format_quantity(len(written.faults), "part")
            yield f"Left out: {parts} of which the model wrote {written.faults[0]}."
        if written.cut:
            of_texts = format_quantity(written.cut, "text")
            yield f"The model reached its maximum length before finishing {of_texts}."
        if written.repeats:
            repeats = format_quantity(written.repeats, "sentence")
            yield f"Left out: {repeats} that repeated an earlier one word for word."

    def _parts_note(self, written: Written) -> str:
        of_up_to = f"parts of up to {format_quantity(self.model.room, 'token')}"
        most = "the most that this model can read at once"
        read, parts = format_count(written.num_read), format_count(written.num_parts)
        if written.num_read == written.num_parts:
            return f"The document was read in {parts} {of_up_to}, {most}."
        return f"Of the document’s {parts} {of_up_to}, {most}, it read {read}."

    def _parts(self, document: Document, stop: StopToken) -> Steps[list[Part]]:
        sentences = yield from split_document(document, stop)
        return (
            yield from document_parts(
                document, sentences, self.model.tokenizer.encode_many, self.model.room, stop
            )
        )

    def _texts(
        self, tasks: Sequence["_Task"], stop: StopToken, *, keeps_begun: bool
    ) -> Steps[list["_Text"]]:
        """Writes the text of each part; parts of similar length are written together."""
        longest = [task.longest(self.model.decoding) for task in tasks]
        order = sorted(
            range(len(tasks)), key=lambda task: (longest[task], len(tasks[task].part.ids))
        )
        texts: dict[int, _Text] = {}
        stream = _Stream(self.model.tokenizer.decode, len(order), tasks)
        done = 0
        for some in _side_by_side(order, longest):
            yield Progress(done, len(order), "parts", "Writing")
            sources = [tasks[task].part.ids for task in some]
            settings = self.model.decoding.model_copy(update={"max_length": longest[some[0]]})
            for news in self.model.write(sources, settings, stop):
                task = some[news.row]
                yield from stream.take(task, news.ids, done)
                if news.done:
                    text = self.model.tokenizer.decode(news.done.ids)
                    texts[task] = tasks[task].text(text, news.done.ended)
            done += len(some)
            if stop and not (keeps_begun and stop.wish == "stop" and stream.text):
                stop.raise_if_set()
            if stop:
                break
        return [texts.get(task) or tasks[task].unreached() for task in range(len(tasks))]


class _Stream:
    """The text that is written so far.

    Args:
        decode: Turns tokens into text.
        total: Number of parts.
        tasks: The parts; the text is only reported if they are of one document.
    """

    def __init__(
        self, decode: Callable[[Sequence[int]], str], total: int, tasks: Sequence["_Task"]
    ) -> None:
        self._decode, self._total = decode, total
        self._is_reported = len({task.document for task in tasks}) == 1
        self._ids: dict[int, list[int]] = {}
        self._texts: dict[int, str] = {}

    def take(self, task: int, ids: Sequence[int], done: int) -> Iterator[TextWritten]:
        """Adds new tokens to the text.

        Args:
            task: The number of the part.
            ids: Its new tokens.
            done: Number of finished parts.

        Yields:
            The whole text, if it has changed and is reported.
        """
        if not ids or not self._is_reported:
            return
        written = self._ids.setdefault(task, [])
        written += ids
        self._texts[task] = self._decode(written).strip()
        yield TextWritten(done, self._total, "parts", "Writing", self.text)

    @property
    def text(self) -> str:
        """The whole text, in the order of the document."""
        return "\n".join(self._texts[task] for task in sorted(self._texts) if self._texts[task])


@dataclass(frozen=True)
class _Text:
    """The text that was written of a part.

    Args:
        share: Number of sentences, or words, that it was given.
        sentences: Whole sentences.
        cut: True if it was cut before it was long enough.
        stopped: True if the user stopped it.
        unreached: Words of the part, if it was not even begun.
        is_read: True if the part was read.
        fault: Description of a degenerate text; see `describe_degenerate`.
    """

    share: int
    sentences: list[str]
    cut: bool
    stopped: bool = False
    unreached: int = 0
    is_read: bool = True
    fault: str = ""


@dataclass(frozen=True)
class _Task:
    """A part of a document, and the number of sentences, or words, that are requested of it."""

    document: int
    part: Part
    share: int
    unit: str

    def longest(self, settings: DecodingSettings) -> int:
        """Returns the limit in tokens: with words, the share and one long sentence more."""
        if self.unit != "words":
            return settings.max_length
        enough = (self.share + _LONG_SENTENCE) * _TOKENS_FOR_ONE * len(self.part.ids)
        limit = _LIMIT_STEP * math.ceil(enough / max(1, self.part.words) / _LIMIT_STEP)
        return max(settings.min_length, min(settings.max_length, limit))

    def text(self, text: str, ended: Ending) -> _Text:
        """Splits what was written into sentences, without the last one if it is unfinished."""
        if ended != "stopped" and (fault := describe_degenerate(text)):
            return _Text(self.share, [], cut=False, fault=fault)
        sentences = [text[start:end] for start, end in split_paragraph(text)]
        enough = sum(measure_size(sentence, self.unit) for sentence in sentences) >= self.share
        whole = ended == "end" or len(sentences) == 1
        kept = sentences if whole else sentences[:-1]
        stopped = ended == "stopped"
        return _Text(self.share, kept, ended != "end" and not enough and not stopped, stopped)

    def unreached(self) -> _Text:
        """Returns the text of a part before which the writing was stopped."""
        return _Text(
            self.share, [], cut=False, stopped=True, unreached=self.part.words, is_read=False
        )


def _side_by_side(order: Sequence[int], longest: Sequence[int]) -> Iterator[list[int]]:
    """Groups tasks that are written together: of one limit, so that none depends on its neighbours.

    Args:
        order: The numbers of the tasks, by their limits.
        longest: The limit of each in tokens.

    Yields:
        Up to `_AT_ONCE` numbers.
    """
    for _, some in groupby(order, key=lambda task: longest[task]):
        group = list(some)
        yield from (group[at : at + _AT_ONCE] for at in range(0, len(group), _AT_ONCE))


def unusable(model: str, fault: str) -> EpitomeError:
    """Returns the error of a model that wrote degenerate text only.

    Args:
        model: Its name.
        fault: Description of the text, as `describe_degenerate` returns it.

    Returns:
        The error.
    """
    return EpitomeError(
        f"The model {model} wrote {fault}.",
        "Use the built-in summariser or another model; the weights of this one may be ruined.",
        kind=UNUSABLE_TEXT,
    )


def _unread(parts: Sequence[Part], portions: Sequence[int]) -> int:
    """Counts the words of parts that got no share of the summary."""
    return sum(part.words for part, portion in zip(parts, portions, strict=True) if not portion)


def _shortfall(written: Written, limit: int, unit: str) -> Iterator[str]:
    """Yields a note if a summary is shorter than requested because the model ended it."""
    size = sum(measure_size(sentence, unit) for sentence in written.sentences)
    enough = limit * (_NEARLY if unit == "words" else 1)
    if size < enough and not written.stopped and not written.cut:
        of_many = format_quantity(limit, unit.removesuffix("s"))
        yield f"The model ended after {size} of the {of_many} that were requested."


def _reading(document: Document, written: Written) -> Reading:
    """Returns the reading of a document without the parts that the model did not read."""
    reasons = {
        "the model did not read them for so short a summary": written.unread,
        "the writing was stopped before": written.unreached,
    }
    left_out = [LeftOut("parts of the text", why, words) for why, words in reasons.items() if words]
    read, unread = document.reading, written.unread + written.unreached
    return replace(read, words=read.words - unread, left_out=(*read.left_out, *left_out))
