"""Rich text files (.rtf): their text as Word shows it, without what lies around it."""

from dataclasses import dataclass, field, replace

from core.documents.budget import Budget
from core.documents.document import Block, Document, Kind, Source, count_words
from core.documents.kinds import refine_kinds
from core.documents.readers import office
from core.documents.readers.cleaning import clean, one_line
from core.documents.readers.docx_styles import kind_by_name
from core.documents.readers.rtf_flow import Flow, Format, Style
from core.documents.readers.rtf_fonts import Fonts
from core.documents.readers.rtf_hidden import LOOKS, NOT_SHOWN, USUAL, Look, Visibility
from core.documents.readers.rtf_passed import PassedOver
from core.documents.readers.rtf_tokens import Token, tokens_of
from core.documents.readers.rtf_words import (
    CHARACTERS,
    ENDS,
    FLOWS,
    FORMATS,
    MOST_FALLBACKS,
    PASSED,
    SHIFTS,
    SIGNS,
    SILENT,
    STARRED,
    SWITCHES,
)
from core.events import Progress, Steps
from core.stop import StopToken

MAX_DEPTH = 1_000
"""Of groups; Word writes a dozen. What lies deeper is read as if its braces were not there."""

_TOKENS_A_STEP = 50_000


@dataclass(slots=True)
class _State:
    """What holds until its group ends; a group begins with a copy of the one around it."""

    flow: Flow | None
    passed: bool = False  # nothing in it is read, nor in the groups inside
    format: Format = field(default_factory=Format)
    font: int = -1
    associated_font: int = -1
    right_to_left: bool = False
    fallbacks: int = 1  # characters that stand behind a Unicode number for older programs
    hidden: bool = False
    deleted: bool = False
    bold: bool = False
    shift: int = 0  # of text: 1 where it is raised, -1 where it is lowered
    look: Look = USUAL

    def inner(self) -> "_State":
        """The state of a group inside; by hand, as `copy` takes ten times as long."""
        return _State(
            *(self.flow, self.passed, self.format, self.font, self.associated_font),
            *(self.right_to_left, self.fallbacks, self.hidden, self.deleted, self.bold),
            *(self.shift, self.look),
        )


def read_rtf(data: bytes, source: Source, stop: StopToken) -> Steps[Document]:
    """Reads a rich text file.

    Args:
        data: All its bytes.
        source: Where they came from; its name stands for a title the file does not have.
        stop: The wish to end early.

    Yields:
        How many bytes are done.

    Returns:
        The document: printed numbers of lists are in, footnotes follow their paragraph, tracked
        insertions are in and deletions out.

    Raises:
        EpitomeError: If it has more paragraphs than a document can have.
    """
    text = data.decode("latin-1")
    reader = _Reader(Budget(source.name), Visibility(text))
    for count, token in enumerate(tokens_of(text)):
        if count % _TOKENS_A_STEP == 0:
            stop.raise_if_set()
            yield Progress(token.end, len(data), "bytes", "Reading")
        reader.read(token)
    blocks = reader.finish()
    return Document.from_blocks(
        blocks,
        title=reader.title(blocks) or source.name,
        source=source,
        left_out=list(reader.passed.left_out()),
        notes=reader.passed.notes(),
    )


class _Reader:
    """Goes through the tokens once."""

    def __init__(self, budget: Budget, visibility: Visibility) -> None:
        self._budget, self._visibility = budget, visibility
        self._is_after_hidden = False
        self.passed = PassedOver()
        self._body = Flow("body")
        self._state = _State(self._body)
        self._stack: list[_State] = []
        self._too_deep = 0
        self._skipped = 0  # characters still to be passed over after a Unicode number
        self._starred = False
        self._fonts = Fonts()
        self._styles: dict[int, Style] = {}
        self._endnotes: list[Block] = []
        self._info_title = ""

    def read(self, token: Token) -> None:
        """Takes one token."""
        if token.brace:
            self._skipped = 0
            if token.brace == "{":
                self._open()
            else:
                self._close()
        elif token.text or token.byte:
            self._text(token.text or token.byte)
        elif self._skipped and (token.word in CHARACTERS or token.sign in SIGNS):
            self._skipped -= 1
        elif token.word:
            self._word(token.word, token.number)
        else:
            self._sign(token.sign)

    def finish(self) -> list[Block]:
        """Ends the text; gives its blocks."""
        while self._stack:
            self._close()
        blocks = self._body.finish(self._state.format, self._style())
        blocks = office.with_bold_headings(blocks, self._body.bold)
        return refine_kinds(office.with_joined_code([*blocks, *self._endnotes]))

    def title(self, blocks: list[Block]) -> str:
        """The title in the text, among the file's properties, or the first main heading."""
        return self._body.title or self._info_title or office.first_heading(blocks)

    def _open(self) -> None:
        self._starred = False
        if len(self._stack) >= MAX_DEPTH:
            self._too_deep += 1
            return
        self._stack.append(self._state)
        self._state = self._state.inner()

    def _close(self) -> None:
        if self._too_deep:
            self._too_deep -= 1
            return
        if not self._stack:
            return
        inner, self._state = self._state, self._stack.pop()
        # An embedded object's result goes on in the flow around the object, and does not end it.
        if inner.flow is not None and inner.flow is not self._outer_flow():
            self._end_flow(inner.flow, inner, self._state.flow)
        elif inner.flow is not None and inner.flow.kind == "styles":
            self._define_style(inner)

    def _end_flow(self, flow: Flow, inner: _State, outer: Flow | None) -> None:
        """Puts what a group held where it belongs."""
        if flow.kind == "mark" and outer is not None:
            outer.mark(flow.take_text())
        elif flow.kind == "title":
            self._info_title = office.own_title(clean(flow.take_text()))
        elif flow.kind in ("note", "endnote", "box"):
            blocks = flow.finish(inner.format, self._style(inner))
            if flow.kind != "box":
                text = one_line(" ".join(block.text for block in blocks))
                blocks = [Block(text, Kind.FOOTNOTE)]
            if flow.kind == "endnote":
                self._endnotes += blocks
            else:
                (self._outer_flow() or self._body).attach(blocks)
        elif flow.kind in ("running", "comment"):
            blocks = flow.finish(inner.format, self._style(inner))
            text = " ".join(block.text for block in blocks)
            if flow.kind == "comment":
                self.passed.comment_words += count_words(text)
            else:
                self.passed.running.add(text)

    def _text(self, text: str) -> None:
        if self._skipped:
            passed = min(self._skipped, len(text))
            self._skipped -= passed
            text = text[passed:]
        state = self._state
        if not text or state.flow is None or state.passed:
            return
        if state.deleted:
            self.passed.deleted_words += count_words(text)
            return
        if self._is_hidden(text):
            return
        state.flow.add_bytes(text, self._encoding(), bold=state.bold, shift=state.shift)

    def _is_hidden(self, text: str) -> bool:
        """True for text that is not seen, which is kept to be counted."""
        state = self._state
        if state.flow is None or state.flow.kind not in ("body", "note", "endnote", "box"):
            return state.hidden
        why = NOT_SHOWN if state.hidden else self._visibility.why_hidden(state.look, state.format)
        if why:
            pieces = self.passed.hidden[why]
            pieces += [text] if self._is_after_hidden else [" ", text]
        self._is_after_hidden = bool(why)
        return bool(why)

    def _encoding(self) -> str:
        state = self._state
        return self._fonts.encoding_of(state.associated_font if state.right_to_left else state.font)

    def _sign(self, sign: str) -> None:
        if sign == "*":
            self._starred = True
        elif sign in "\r\n":
            self._word("par", None)
        elif sign in SIGNS:
            self._character(SIGNS[sign])

    def _character(self, text: str) -> None:
        state = self._state
        if state.flow is None or state.passed or state.deleted:
            return
        if not self._is_hidden(text):
            state.flow.add(text, bold=state.bold, shift=state.shift)

    def _word(self, word: str, number: int | None) -> None:
        starred, self._starred = self._starred, False
        if self._state.passed:
            return
        if word in CHARACTERS:
            self._character(CHARACTERS[word])
        elif word == "u" and number is not None:
            self._unicode(number)
        elif word in SWITCHES:
            self._switch(word, number != 0)
        elif word in SHIFTS:
            self._state.shift = 0 if number == 0 else SHIFTS[word]
        elif word in FORMATS:
            changed = FORMATS[word](1 if number is None else number)
            self._state.format = replace(self._state.format, **changed)
        elif word in ENDS:
            self._end(word)
        elif not (self._stack and self._begins(word, starred)):
            self._character_property(word, 0 if number is None else number)

    def _switch(self, word: str, on: bool) -> None:
        state = self._state
        self.passed.insertions += word == "revised" and on
        self.passed.deletions += word == "deleted" and on
        name = SWITCHES[word]
        if name:
            setattr(state, name, on)

    def _end(self, word: str) -> None:
        """Ends a paragraph, a cell, a row."""
        state = self._state
        if state.flow is None or state.flow.kind in ("fonts", "styles", "mark", "title"):
            return
        if word != "row":
            self._budget.add_text("")  # cells too, and those without text
        if word == "cell":
            state.flow.end_cell(state.format, self._style())
        elif word == "row":
            state.flow.end_row()
        else:
            state.flow.end_paragraph(state.format, self._style())

    def _character_property(self, word: str, number: int) -> None:
        state = self._state
        if word == "plain":
            state.font = state.associated_font = -1
            state.right_to_left = state.hidden = state.deleted = state.bold = False
            state.shift, state.look = 0, replace(USUAL, shading=state.look.shading)
        elif word == "pard":
            state.format, state.look = Format(), replace(state.look, shading=-1)
        elif word in LOOKS:
            state.look = replace(state.look, **{LOOKS[word]: number})
        elif word == "f":
            state.font = number
        elif word == "af":
            state.associated_font = number
        elif word in ("rtlch", "ltrch"):
            state.right_to_left = word == "rtlch"
        elif word == "uc":
            state.fallbacks = max(0, min(number, MOST_FALLBACKS))
        elif word == "ftnalt" and state.flow is not None and state.flow.kind == "note":
            state.flow.kind = "endnote"
        else:
            self._fonts.take_down(word, number, state.font)

    def _begins(self, word: str, starred: bool) -> bool:
        """Sends the group that begins with a word where its text belongs."""
        state = self._state
        if word in ("pict", "mmath"):
            self.passed.pictures += word == "pict"
            self.passed.formulas += word == "mmath"
            state.passed = True
        elif word in PASSED or (starred and word not in STARRED):
            state.passed = True
        elif word in SILENT:
            self.passed.objects += word == "object"
            state.flow = None
        elif word in FLOWS:
            state.flow, state.shift = Flow(FLOWS[word]), 0
            state.format = Format() if word != "stylesheet" else state.format
        elif word == "result":
            state.flow = self._outer_flow()
        else:
            return False
        return True

    def _outer_flow(self) -> Flow | None:
        """The flow that an embedded object stands in, for the text shown in its place."""
        states = (self._state, *reversed(self._stack))
        return next((state.flow for state in states if state.flow is not None), None)

    def _unicode(self, number: int) -> None:
        number += 65_536 if number < 0 else 0
        self._skipped = self._state.fallbacks
        if 0 <= number < 0x110000:
            self._character(chr(number))

    def _style(self, state: _State | None = None) -> Style:
        return self._styles.get((state or self._state).format.style, Style())

    def _define_style(self, state: _State) -> None:
        """Takes down a style at the end of its group in the style sheet."""
        name = state.flow.take_text().strip(" ;") if state.flow else ""
        number = state.format.style
        if number in self._styles:  # styles of characters and tables come later, without number
            return
        kind, level = kind_by_name(name)
        outline = state.format.outline
        if kind == Kind.PARAGRAPH and 0 <= outline < 9:
            kind, level = Kind.HEADING, min(outline + 1, 6)
        self._styles[number] = Style(kind, level, name.lower() in ("title", "chaptertitle"))
