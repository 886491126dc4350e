"""Rich text files (.rtf): their text as Word shows it, without what lies around it."""

import html
import re
from dataclasses import dataclass, field

from core.documents.budget import Budget
from core.documents.document import Block, Document, Kind, Source, count_words
from core.documents.kinds import refine_kinds
from core.documents.readers import office
from core.documents.readers.cleaning import clean, one_line
from core.documents.readers.docx_styles import kind_by_name
from core.documents.readers.formulas import OMITTED, set_apart, without_omitted
from core.documents.readers.line_breaks import with_meeting_speakers
from core.documents.readers.office_objects import is_equation
from core.documents.readers.rtf_fields import FORM_WORDS, FormField, shown_text
from core.documents.readers.rtf_flow import Flow, Format, Style
from core.documents.readers.rtf_fonts import SYMBOL, Fonts, is_legible
from core.documents.readers.rtf_formulas import FormulaGroup
from core.documents.readers.rtf_hidden import LOOKS, NOT_SHOWN, USUAL, Look, Visibility
from core.documents.readers.rtf_passed import STRUCK, PassedOver
from core.documents.readers.rtf_tokens import Token, tokens_of
from core.documents.readers.rtf_words import (
    CHARACTERS,
    ENDS,
    FLOWS,
    FORMATS,
    MEANT,
    MOST_FALLBACKS,
    PASSED,
    SHIFTS,
    SIGNS,
    SILENT,
    STARRED,
    SWITCHES,
)
from core.documents.readers.symbol_fonts import with_signs
from core.events import Progress, Steps
from core.stop import StopToken

MAX_DEPTH = 1_000
"""Of groups; Word writes a dozen. What lies deeper is read as if its braces were not there."""

_TOKENS_A_STEP = 50_000
_SHOWN = ("body", "note", "endnote", "box", "fallback")  # flows that are part of the text
_ON_ONE_LINE = ("fonts", "styles", "mark", "title", "field", "entry", "class", "fallback")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|\w{2,31});")


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
    struck: bool = False
    in_markup: bool = False  # of a web page, which text from HTML has for older programs
    is_replaced: bool = False  # the result of a field or object is not read
    shift: int = 0  # of text: 1 where it is raised, -1 where it is lowered
    look: Look = USUAL

    def inner(self) -> "_State":
        """The state of a group inside; by hand, as `copy` takes ten times as long."""
        return _State(
            *(self.flow, self.passed, self.format, self.font, self.associated_font),
            *(self.right_to_left, self.fallbacks, self.hidden, self.deleted, self.bold),
            *(self.struck, self.in_markup, self.is_replaced, self.shift, self.look),
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
    reader = yield from _read_through(data, source, stop)
    blocks = reader.finish()
    notes, struck = [], reader.passed.struck_words
    if office.is_mostly_struck(struck, blocks):  # that means something else
        notes = [office.struck_but_kept(struck)]
        reader = yield from _read_through(data, source, stop, reads_struck=True)
        blocks = reader.finish()
    blocks, omitted = without_omitted(blocks, reader.passed.equations)
    return Document.from_blocks(
        blocks,
        title=reader.title(blocks) or source.name,
        source=source,
        left_out=[*omitted, *reader.passed.left_out()],
        notes=[*notes, *reader.passed.notes()],
    )


def _read_through(
    data: bytes, source: Source, stop: StopToken, *, reads_struck: bool = False
) -> Steps["_Reader"]:
    text = data.decode("latin-1")
    reader = _Reader(Budget(source.name), Visibility(text), reads_struck=reads_struck)
    for count, token in enumerate(tokens_of(text)):
        if count % _TOKENS_A_STEP == 0:
            stop.raise_if_set()
            yield Progress(token.end, len(data), "bytes", "Reading")
        reader.read(token)
    return reader


class _Reader:
    """Goes through the tokens once."""

    def __init__(self, budget: Budget, visibility: Visibility, *, reads_struck: bool) -> None:
        self._budget, self._visibility = budget, visibility
        self._reads_struck = reads_struck
        self._is_from_html = False
        self._formula: FormulaGroup | None = None  # that is being read
        self._form: FormField | None = None  # of the field that is being read
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
        if self._formula is not None:
            self._take_formula_token(token)
        elif token.brace:
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

    def _take_formula_token(self, token: Token) -> None:
        if self._formula is None or self._formula.take(token):
            return
        text, self._formula = self._formula.text, None
        self._close()
        self._add_plain(text)

    def finish(self) -> list[Block]:
        """Ends the text; gives its blocks."""
        if self._formula is not None:
            self._add_plain(self._formula.text)
        while self._stack:
            self._close()
        blocks = self._body.finish(self._state.format, self._style())
        blocks = office.with_bold_headings(blocks, self._body.bold)
        blocks = office.with_joined_code([*blocks, *self._endnotes])
        return refine_kinds(with_meeting_speakers(blocks))

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
        elif inner.flow is not None and inner.flow.kind == "fonts":
            self._name_font(inner)

    def _end_flow(self, flow: Flow, inner: _State, outer: Flow | None) -> None:
        """Puts what a group held where it belongs."""
        if flow.kind in _ON_ONE_LINE:
            self._end_line(flow, inner, outer)
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

    def _end_line(self, flow: Flow, inner: _State, outer: Flow | None) -> None:
        """Puts a piece of text that is no paragraph where it belongs."""
        if flow.kind == "fonts":
            self._name_font(inner)
            return
        text = flow.take_text()
        if flow.kind == "mark" and outer is not None:
            outer.mark(text)
        elif flow.kind == "title":
            self._info_title = office.own_title(clean(text))
        elif flow.kind == "fallback":
            self._add_plain(text)
        elif flow.kind == "field":
            self._end_code(text)
        elif flow.kind == "entry" and self._form is not None:
            self._form.entries.append(clean(text))
        elif flow.kind == "class":
            self._end_class(text)

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
        font = self._symbol_font() if self._fonts.have_signs else ""
        if font:
            state.flow.add(with_signs(text, font), bold=state.bold, shift=state.shift)
            return
        if self._is_from_html and not state.in_markup and _ENTITY.search(text):
            text = _ENTITY.sub(lambda match: html.unescape(match[0]), text)
            state.flow.add(text, bold=state.bold, shift=state.shift)
            return
        encoding = self._encoding()
        if encoding == SYMBOL:
            self.passed.unknown_signs += sum(not is_legible(char) for char in text)
        state.flow.add_bytes(text, encoding, bold=state.bold, shift=state.shift)

    def _symbol_font(self) -> str:
        """The name of the font of what is read now, if its letters are signs."""
        state = self._state
        is_shown = state.flow is not None and state.flow.kind in _SHOWN
        return self._fonts.symbol_font(state.font) if is_shown else ""

    def _name_font(self, state: _State) -> None:
        """Takes down the name of a font at the end of its description."""
        name = state.flow.take_text() if state.flow else ""
        self._fonts.name(state.font, name.strip(" ;"))

    def _end_code(self, code: str) -> None:
        """Reads what a field shows by its code, or by a form, and then not its result."""
        text, self._form = shown_text(code, self._form), None
        if text is not None:
            self._state.is_replaced = True
            self._add_plain(text)

    def _end_class(self, program: str) -> None:
        """Marks the place of a formula that another program draws."""
        if is_equation(program):
            self.passed.objects -= 1
            self.passed.equations += 1
            self._state.is_replaced = True
            self._add_plain(set_apart(OMITTED))

    def _add_plain(self, text: str) -> None:
        """Adds text to the flow around the group that has just ended, if that is read."""
        state, flow = self._state, self._outer_flow()
        if flow is None or state.passed or state.deleted or not text or self._is_hidden(text):
            return
        flow.add(text, bold=state.bold, shift=state.shift)

    def _is_hidden(self, text: str) -> bool:
        """True for text that is not seen, which is kept to be counted."""
        state = self._state
        if state.flow is None or state.flow.kind not in _SHOWN:
            return state.hidden
        if state.struck and not self._reads_struck:
            why = STRUCK
            state.flow.add(office.edge_space(text))
        elif state.hidden:
            why = NOT_SHOWN
        else:
            why = self._visibility.why_hidden(state.look, state.format)
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
        if self._state.passed or not (starred or word in MEANT or word in LOOKS):
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
            self._state.format = self._state.format._replace(**changed)
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
        if state.flow is None or state.flow.kind in _ON_ONE_LINE:
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
            state.right_to_left = state.hidden = state.deleted = False
            state.bold = state.struck = False
            state.shift, state.look = 0, USUAL._replace(shading=state.look.shading)
        elif word == "pard":
            state.format, state.look = Format(), state.look._replace(shading=-1)
        elif word in LOOKS:
            state.look = state.look._replace(**{LOOKS[word]: number})
        elif word == "f":
            if state.flow is not None and state.flow.kind == "fonts":
                self._name_font(state)  # of a table whose fonts are in no groups
            state.font = number
        elif word in FORM_WORDS and self._form is not None:
            self._form.values[word] = number
        elif word == "fromhtml":
            self._is_from_html = number > 0
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
        if word in ("field", "object"):
            state.is_replaced = False
        if word == "pict":
            self.passed.pictures += 1
            state.passed = True
        elif word == "mmath":
            self._formula = FormulaGroup()
        elif word in PASSED or (starred and word not in STARRED):
            state.passed = True
        elif word in SILENT:
            self.passed.objects += word == "object"
            state.flow = None
        elif word in FLOWS:
            state.flow, state.shift = Flow(FLOWS[word]), 0
            state.format = Format() if word != "stylesheet" else state.format
        elif word in ("result", "fldrslt") and state.is_replaced:
            state.passed = True
        elif word == "result":
            state.flow = self._outer_flow()
        elif word == "ud":  # the same in Unicode
            self._take_fallback()
        elif word == "formfield":
            self._form, state.flow = FormField(), None
        else:
            return False
        return True

    def _take_fallback(self) -> None:
        """Drops what older programs read, in favour of the group that has just begun."""
        fallback = self._state.flow
        if fallback is not None and fallback.kind == "fallback":
            fallback.take_text()
            states = reversed(self._stack)
            self._state.flow = next(
                (each.flow for each in states if each.flow is not fallback), None
            )

    def _outer_flow(self) -> Flow | None:
        """The flow that an embedded object stands in, for the text shown in its place."""
        states = (self._state, *reversed(self._stack))
        return next((state.flow for state in states if state.flow is not None), None)

    def _unicode(self, number: int) -> None:
        number += 65_536 if number < 0 else 0
        self._skipped = self._state.fallbacks
        if 0 <= number < 0x110000:
            font = self._symbol_font()
            self._character(with_signs(chr(number), font) if font else chr(number))

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
