"""E-mail: messages one by one or many in a mailbox, with the messages they forward and quote."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from email import message_from_bytes
from email.message import Message
from email.policy import Compat32
from email.utils import mktime_tz, parsedate_tz
from typing import Any

from lxml import etree

from core.documents.document import Block, Document, Kind, LeftOut, Source, count_words
from core.documents.kinds import refine_kinds
from core.documents.readers import failures
from core.documents.readers.armour import Armour, remove_armour
from core.documents.readers.hidden import hidden_text
from core.documents.readers.html import document_of_html
from core.documents.readers.mail_parts import (
    LONGEST_HEADER,
    Parts,
    head_line,
    header,
    is_deeper,
    messages_in,
    parts_of,
    sender,
    text_of,
)
from core.documents.readers.mail_text import Aside, blocks_of_body, marked, without_repeats
from core.documents.readers.mail_threads import NEWEST_FIRST
from core.documents.readers.office import deleted_passages, pictures
from core.documents.readers.page_styles import apply_styles
from core.events import Progress, Steps
from core.numbers import format_size
from core.stop import StopToken

MAX_BOUNDARIES = 1_000
"""Of a message; each of its lines is held against all boundaries that are open."""

MAX_PARTS = 10_000
"""Of a message, those inside others included."""

MAX_DEPTH = 100
"""Of parts inside parts; mail programs make a handful."""

_BOUNDARY = re.compile(rb"boundary\s*=", re.IGNORECASE)
_MAILBOX_LINE = re.compile(
    rb"^From \S[^\n]{0,200}\b\d\d\d\d\b[^\n]{0,40}\n(?=[A-Za-z][\w-]*:)", re.MULTILINE
)
# Lines of a text that begin with "From" are marked in mailboxes, lest they begin a message.
_FROM = re.compile(rb"^>(>*From )", re.MULTILINE)
_OF_OTHERS = re.compile(r"(?:^|\s)(?:gmail_attr|moz-cite-prefix|yahoo_quoted_header)(?:\s|$)")
_SIGNATURE = re.compile(
    r"(?:^|\s)(?:gmail_signature|moz-signature|signature|elementToProof_signature)(?:\s|$)", re.I
)
_MOST_NAMED = 5
_DEEPEST_APART = 4


def read_mail(data: bytes, source: Source, stop: StopToken) -> Steps[Document]:
    """Reads a message, or all messages of a mailbox.

    Args:
        data: All its bytes.
        source: Where they came from; its name stands for a subject the message does not have.
        stop: The wish to end early.

    Yields:
        How many messages are done.

    Returns:
        The document: for each message its subject as a heading, a line that says who wrote it,
        its text; the newest message first. Quotations of other messages, signatures,
        disclaimers and attachments are left out.

    Raises:
        EpitomeError: If a message is encrypted or its parts are without end.
    """
    raw = _messages(data)
    reader = _Reader(source, stop)
    for done, one in enumerate(raw):
        stop.raise_if_set()
        yield Progress(done, len(raw), "messages", "Reading")
        message = _parsed(one, source.name)
        reader.title = reader.title or header(message, "Subject")
        reader.begin(message)
        yield from reader.read(message, 1)
    blocks = reader.thread()
    if (reader.sealed or reader.armour.sealed) and not any(
        block.kind == Kind.PARAGRAPH for block in blocks
    ):
        raise failures.sealed(source.name)
    return Document.from_blocks(
        refine_kinds(blocks),
        title=reader.title or source.name,
        source=source,
        left_out=list(reader.left_out()),
        notes=reader.notes,
    )


def read_web_archive(data: bytes, source: Source, stop: StopToken) -> Steps[Document]:
    """Reads a page that a browser saved with all its pictures in one file (.mhtml).

    Args:
        data: All its bytes.
        source: Where they came from.
        stop: The wish to end early.

    Yields:
        That it is reading.

    Returns:
        The document of the page's main text.

    Raises:
        EpitomeError: If there is no page in it.
    """
    yield Progress(0, 0, "words", "Reading")
    message = _parsed(data, source.name)
    page = next((part for part in message.walk() if part.get_content_type() == "text/html"), None)
    decoded = None if page is None else text_of(page)
    if decoded is None:
        raise failures.no_page(source.name)
    yield Progress(0, 0, "words", "Reading")
    notes = [decoded.note] if decoded.note else []
    styles = (part for part in message.walk() if part.get_content_type() == "text/css")
    sheets = [style.text for style in map(text_of, styles) if style]
    return document_of_html(decoded.text, source, stop, notes, sheets=sheets)


def _messages(data: bytes) -> list[bytes]:
    """The messages of a mailbox; one where it is none."""
    if not data.startswith(b"From "):
        return [data]
    starts = [match.start() for match in _MAILBOX_LINE.finditer(data)] or [0]
    ends = [*starts[1:], len(data)]
    messages = [data[start:end] for start, end in zip(starts, ends, strict=True)]
    return [_FROM.sub(rb"\1", one) for one in messages] if b">From " in data else messages


def _parsed(data: bytes, name: str) -> Message:
    if len(_BOUNDARY.findall(data)) > MAX_BOUNDARIES:
        raise failures.too_deep(name)
    try:
        # The older policy: the newer one fails on headers that no standard allows.
        message = message_from_bytes(data.lstrip(b"\r\n"), policy=_POLICY)
    except RecursionError as error:
        raise failures.too_deep(name) from error
    except ValueError as error:  # a parameter in an encoding that is no name
        raise failures.damaged_message(name) from error
    if is_deeper(message, MAX_DEPTH):
        raise failures.too_deep(name)
    if sum(1 for _ in message.walk()) > MAX_PARTS:
        raise failures.message_of_many_parts(name, MAX_PARTS)
    return message


class _ShortHeaders(Compat32):
    """Cuts headers that are far too long: the time to take them apart grows with their square."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        """A header's name, and what it says."""
        name, value = super().header_source_parse(sourcelines)
        return name, value[:LONGEST_HEADER]


_POLICY = _ShortHeaders()


class _Reader:
    """Collects the blocks of messages, and what is left out of them."""

    def __init__(self, source: Source, stop: StopToken) -> None:
        self.notes: list[str] = []
        self.title = ""
        self.sealed = False
        self._source, self._stop = source, stop
        self._attachments: list[tuple[str, int]] = []
        self._messages: list[tuple[float, list[Block]]] = []
        self._pictures = 0
        self._repeated = 0
        self._hidden_words = Counter[str]()
        self._deleted_words = 0
        self._asides = 0
        self.armour = Armour()

    @property
    def blocks(self) -> list[Block]:
        """The blocks of the message that is being read."""
        return self._messages[-1][1]

    def begin(self, message: Message) -> None:
        """Makes ready for a message; one without a date is taken to follow the one before it."""
        date = parsedate_tz(header(message, "Date"))
        before = self._messages[-1][0] if self._messages else 0.0
        try:
            moment = float(mktime_tz(date)) if date else before
        except (ValueError, OverflowError):
            moment = before
        self._messages.append((moment, []))

    def thread(self) -> list[Block]:
        """The blocks of all messages, the newest first, without what stands in them twice; the
        senders are their speakers where there are several."""
        ordered = sorted(self._messages, key=lambda one: one[0], reverse=True)
        if ordered != self._messages:
            self.notes.append(NEWEST_FIRST)
        blocks, repeated = without_repeats(block for _, found in ordered for block in found)
        self._repeated += _words(repeated)
        if len({block.speaker for block in blocks if block.speaker}) > 1:
            return blocks
        return _set_speaker("", blocks)  # the line below the subject names the one sender

    def read(self, message: Message, level: int) -> Steps[None]:
        """Reads one message, and the messages it forwards."""
        if subject := header(message, "Subject"):
            self.blocks.append(Block(subject, Kind.HEADING, min(level, 6)))
        name = sender(message)
        if line := head_line(message, name):
            self.blocks.append(Block(line, Kind.BOILERPLATE))
        parts = parts_of(message)
        for body in parts.bodies:
            if body.get_content_type() == "message/rfc822":
                for inner in messages_in(body):
                    yield from self.read(inner, level + 1)
            else:
                before = len(self.blocks)
                yield from self._body(body)
                self.blocks[before:] = _set_speaker(name, self.blocks[before:])
        self._count(parts)

    def left_out(self) -> Iterator[LeftOut]:
        """What is not in the text."""
        if files := [*self._attachments, *self.armour.files]:
            named = [f"“{name}” ({format_size(size)})" for name, size in files[:_MOST_NAMED]]
            more = len(files) - _MOST_NAMED
            told = ", ".join(named) + (f" and {more} more" if more > 0 else "")
            noun = "the attachment" if len(files) == 1 else "the attachments"
            why = "it is a separate file" if len(files) == 1 else "they are separate files"
            yield LeftOut(f"{noun} {told}", why)
        if self._pictures:
            yield pictures(self._pictures)
        if self.sealed:
            yield LeftOut("encrypted parts", "only the mail program can open them")
        yield from self.armour.left_out()
        yield from hidden_text(self._hidden_words)
        if words := self._deleted_words:
            yield deleted_passages(words, "the message marks them as deleted")
        if words := self._repeated:
            why = "they repeat another message"
            yield LeftOut("quoted passages", why, words, missed=False)
        if words := self._asides:
            why = "they stand below messages"
            yield LeftOut("signatures and disclaimers", why, words, missed=False)

    def _body(self, body: Message) -> Steps[None]:
        decoded = text_of(body)
        if decoded is None:
            self.notes.append("A part of the message is damaged and was not read.")
            return
        if decoded.note and decoded.note not in self.notes:
            self.notes.append(decoded.note)
        if body.get_content_type() == "text/html":
            blocks = self._page_blocks(decoded.text)
        else:
            text, armour = remove_armour(decoded.text)
            self.armour.add(armour)
            blocks = yield from blocks_of_body(text, self._stop, flowed=_flowed(body))
        found = marked(blocks)
        own = [block for block in found if not isinstance(block, Aside)]
        if own:
            self._asides += _words(found) - _words(own)
        self.blocks.extend(own or found)  # asides where they are all that the message says

    def _page_blocks(self, html: str) -> list[Block]:
        from core.documents.readers.markup import (
            FLATTENED,
            blocks_of,
            drop_deletions,
            parse_html,
        )

        root, whole = parse_html(html)
        if not whole:
            self.notes.append(FLATTENED)
        if root is None:
            return []
        self._hidden_words += apply_styles(root)
        self._deleted_words += drop_deletions(root)
        apart: dict[str, type[Block]] = {}
        for element, kind in _standing_apart(root):
            apart |= {block.text: kind for block in blocks_of(element)}
        return [
            apart[block.text](block.text, Kind.BOILERPLATE) if block.text in apart else block
            for block in blocks_of(root)
        ]

    def _count(self, parts: Parts) -> None:
        self._attachments += parts.attachments
        self._pictures += parts.pictures
        self.sealed = self.sealed or parts.sealed


def _standing_apart(root: Any) -> Iterator[tuple[Any, type[Block]]]:
    """The elements that a mail program marked by their classes; few inside each other."""
    depth = 0
    for event, element in etree.iterwalk(root, events=("start", "end")):
        kind = _stands_apart(str(element.get("class") or ""))
        depth += (kind is not None) * (1 if event == "start" else -1)
        if kind is not None and event == "start" and depth <= _DEEPEST_APART:
            yield element, kind


def _stands_apart(classes: str) -> type[Block] | None:
    """What the text of an element becomes that a mail program marked by its classes."""
    if _SIGNATURE.search(classes):
        return Aside
    return Block if _OF_OTHERS.search(classes) else None


def _words(blocks: list[Block]) -> int:
    return sum(count_words(block.text) for block in blocks)


def _set_speaker(name: str, blocks: list[Block]) -> list[Block]:
    """Sets the speaker of a message's own paragraphs; quotations have others."""
    own = (Kind.PARAGRAPH, Kind.LIST_ITEM)
    return [replace(block, speaker=name) if block.kind in own else block for block in blocks]


def _flowed(part: Message) -> str:
    """How lines of a plain text go on in the next: "yes", "delsp", or empty for not at all."""
    if str(part.get_param("format") or "").lower() != "flowed":
        return ""
    return "delsp" if str(part.get_param("delsp") or "").lower() == "yes" else "yes"
