"""Summaries that a trained model writes, part by part where a document is longer than it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.data.tokenizer import Tokenizer
from core.decoding.door import decode
from core.decoding.settings import DecodingSettings
from core.decoding.streaming import Ending
from core.documents.document import Document, LeftOut, Reading
from core.documents.sentences import split_document, split_paragraph
from core.events import Progress, Steps
from core.models.protocol import Decodable
from core.stop import StopToken
from core.summarisers.parts import Part, document_parts, limit_of, portions, trimmed
from core.summarisers.support import Support
from core.summary import Length, Summary, SummarySentence, format_quantity

_AT_ONCE = 8  # parts that are read and written side by side


@dataclass(frozen=True)
class Written:
    """What a model wrote of one document.

    Args:
        sentences: Its sentences, part after part.
        num_parts: How many parts the document was read in.
        unread: Words of the parts that got no share of so short a summary, and were not read.
        cut: How many texts ended because they had become too long.
    """

    sentences: tuple[str, ...]
    num_parts: int
    unread: int
    cut: int


@dataclass(frozen=True)
class TrainedSummariser:
    """A model, its tokenizer, and how it writes.

    Args:
        name: What to call it.
        decoder: The model.
        tokenizer: What makes its tokens.
        length: How many tokens it reads and writes at most, together.
        decoding: How it writes; its longest text keeps that many tokens free.
    """

    name: str
    decoder: Decodable[object]
    tokenizer: Tokenizer
    length: int
    decoding: DecodingSettings

    def write(
        self, documents: Sequence[Document], length: Length, stop: StopToken
    ) -> Steps[list[Written]]:
        """Writes the summaries of documents, side by side.

        Args:
            documents: [N].
            length: How long each may be; the model may end before.
            stop: The wish to end.

        Yields:
            How far it is.

        Returns:
            [N] what was written.

        Raises:
            Stopping: If an end was asked for.
        """
        parts: list[list[Part]] = []
        for document in documents:
            parts.append((yield from self._parts(document, stop)))
        limits = [limit_of(document, length) for document in documents]
        shared = [
            portions(limit, [part.share for part in some])
            for (limit, _), some in zip(limits, parts, strict=True)
        ]
        todo = [
            (number, place)
            for number, some in enumerate(parts)
            for place in range(len(some))
            if shared[number][place]
        ]
        texts = yield from self._texts([parts[number][place].ids for number, place in todo], stop)
        found: list[list[str]] = [[] for _ in documents]
        cut = [0] * len(documents)
        for (number, place), (text, ended) in zip(todo, texts, strict=True):
            sentences = [text[start:end] for start, end in split_paragraph(text)]
            found[number] += trimmed(sentences, shared[number][place], limits[number][1])
            cut[number] += ended != "end"
        return [
            Written(tuple(found[number]), len(some), _unread(some, shared[number]), cut[number])
            for number, some in enumerate(parts)
        ]

    def summarise(self, document: Document, length: Length, stop: StopToken) -> Steps[Summary]:
        """Writes the summary of one document, with the evidence for each sentence.

        Args:
            document: The document.
            length: How long it may be.
            stop: The wish to end.

        Yields:
            How far it is.

        Returns:
            The summary; its notes say in how many parts the document was read.

        Raises:
            Stopping: If an end was asked for.
        """
        written = (yield from self.write([document], length, stop))[0]
        sentences = yield from split_document(document, stop)
        support = Support(document, sentences)
        return Summary(
            title=document.title,
            source=document.source,
            sentences=tuple(
                SummarySentence(" ".join(text.split()), support.of(text))
                for text in written.sentences
            ),
            length=length,
            read=_reading(document, written.unread),
            notes=tuple(self._notes(written)),
            model=self.name,
        )

    def _notes(self, written: Written) -> Iterator[str]:
        yield (
            f"Written by the model {self.name}, which can be wrong: check each sentence by its "
            "evidence."
        )
        if written.num_parts > 1:
            told = f"The document was read in {written.num_parts} parts of up to {self.room:,} "
            yield told + "tokens, as much as this model reads at once."
        if written.cut:
            of_texts = format_quantity(written.cut, "text")
            yield f"The model did not come to an end of its own in {of_texts}."

    @property
    def room(self) -> int:
        """How many tokens of a document it reads at once."""
        return max(1, self.length - min(self.decoding.max_length, self.length // 2) - 1)

    def _parts(self, document: Document, stop: StopToken) -> Steps[list[Part]]:
        sentences = yield from split_document(document, stop)
        return (
            yield from document_parts(
                document, sentences, self.tokenizer.encode_many, self.room, stop
            )
        )

    def _texts(
        self, sources: Sequence[tuple[int, ...]], stop: StopToken
    ) -> Steps[list[tuple[str, Ending]]]:
        """The text of each source, and why it ended; those of like lengths are written together."""
        order = sorted(range(len(sources)), key=lambda number: len(sources[number]))
        texts: dict[int, tuple[str, Ending]] = {}
        for first in range(0, len(order), _AT_ONCE):
            yield Progress(first, len(order), "parts", "Writing")
            some = order[first : first + _AT_ONCE]
            for news in decode(self.decoder, [sources[each] for each in some], self.decoding, stop):
                if news.done:
                    text = self.tokenizer.decode(news.done.ids)
                    texts[some[news.row]] = (text, news.done.ended)
            stop.raise_if_set()
        return [texts[number] for number in range(len(sources))]


def _unread(parts: Sequence[Part], portions: Sequence[int]) -> int:
    """How many words stand in parts that got nothing of the summary."""
    return sum(part.words for part, portion in zip(parts, portions, strict=True) if not portion)


def _reading(document: Document, unread: int) -> Reading:
    """What the model read: less than the document where parts were left out."""
    if not unread:
        return document.reading
    left_out = LeftOut(
        "parts of the text", "the model did not read them for so short a summary", unread
    )
    read = document.reading
    return replace(read, words=read.words - unread, left_out=(*read.left_out, left_out))
