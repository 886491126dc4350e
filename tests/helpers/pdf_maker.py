"""PDF files with known text, made with reportlab.

Each maker gives the file's bytes and, where it makes up the text, the paragraphs in the order in
which a person reads them.
"""

import io
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import matplotlib
from pypdfium2 import PdfDocument
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

WIDTH, HEIGHT = A4
MARGIN = 72.0
GUTTER = 16.0
_WORDS = (
    "the of a in to and with for on by from that which each when while between after before "
    "under process method device signal value pressure chamber surface result model system "
    "measure sample material energy current section layer support element housing channel "
    "sensor control output input reference number example figure design structure component "
    "arrangement direction position operates provides contains receives produces compares "
    "records reduces increases follows remains shows defines describes includes holds moves "
    "turns carries keeps gives takes makes forms meets steady narrow upper lower outer inner "
    "several common useful simple direct general possible further"
).split()


@cache
def sans() -> str:
    """Name of a registered font that has ligatures and many scripts."""
    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    pdfmetrics.registerFont(TTFont("DejaVuSans", str(folder / "DejaVuSans.ttf")))
    return "DejaVuSans"


def sentence(generator: random.Random, num_words: int) -> str:
    """A made-up sentence."""
    words = [generator.choice(_WORDS) for _ in range(num_words)]
    if num_words > 12:
        words[num_words // 2] += ","
    return " ".join(words).capitalize() + "."


def paragraph(generator: random.Random, num_words: int) -> str:
    """A made-up paragraph of about a number of words."""
    sentences = []
    left = num_words
    while left > 0:
        count = min(left, generator.randint(7, 24))
        sentences.append(sentence(generator, max(3, count)))
        left -= count
    return " ".join(sentences)


@dataclass
class Style:
    """How text is set."""

    font: str = "Times-Roman"
    size: float = 10.0
    leading: float = 12.0
    indent: float = 12.0
    justify: bool = True
    hyphenate: bool = False
    space_after: float = 0.0


@dataclass
class Frame:
    """A rectangle that lines are set into, top to bottom."""

    x: float
    top: float
    width: float
    bottom: float


@dataclass
class Printer:
    """Sets paragraphs into frames, page after page."""

    style: Style = field(default_factory=Style)

    def __post_init__(self) -> None:
        self.buffer = io.BytesIO()
        self.canvas = Canvas(self.buffer, pagesize=A4, invariant=True)

    def lines(self, text: str, width: float, style: Style) -> list[tuple[str, bool]]:
        """Lines that fit a width, and whether each is the last of its paragraph."""
        result, current = [], ""
        room = width - style.indent
        for word in text.split():
            trial = f"{current} {word}" if current else word
            if stringWidth(trial, style.font, style.size) <= room:
                current = trial
                continue
            head, tail = self._split(current, word, room, style)
            result.append((f"{current} {head}".strip(), False))
            current, room = tail, width
        return [*result, (current, True)]

    def _split(self, current: str, word: str, room: float, style: Style) -> tuple[str, str]:
        """A word's part that still fits, with its hyphen, and the rest."""
        if style.hyphenate and "-" in word.strip("-"):
            cut = word.rindex("-") + 1
            if stringWidth(f"{current} {word[:cut]}", style.font, style.size) <= room:
                return word[:cut], word[cut:]
        if style.hyphenate and len(word) > 6 and word.isalpha():
            for cut in range(len(word) - 3, 2, -1):
                trial = f"{current} {word[:cut]}-"
                if stringWidth(trial, style.font, style.size) <= room:
                    return word[:cut] + "-", word[cut:]
        return "", word

    def set(self, text: str, frames: list[Frame], style: Style | None = None) -> list[Frame]:
        """Prints a paragraph; gives the frames that are left."""
        style = style or self.style
        for index, (line, last) in enumerate(self.lines(text, frames[0].width, style)):
            while frames[0].top - style.leading < frames[0].bottom:
                frames = frames[1:]
                if frames[0].x < 0:  # a page's end
                    self.canvas.showPage()
                    frames = frames[1:]
            frame = frames[0]
            frame.top -= style.leading
            self.line(line, frame, style, indent=style.indent if index == 0 else 0.0, last=last)
        frames[0].top -= style.space_after
        return frames

    def line(self, text: str, frame: Frame, style: Style, *, indent: float, last: bool) -> None:
        """Prints one line at a frame's top, justified unless it is the last."""
        self.canvas.setFont(style.font, style.size)
        width = stringWidth(text, style.font, style.size)
        words = text.split(" ")
        room = frame.width - indent - width
        gap = room / (len(words) - 1) if style.justify and not last and len(words) > 1 else 0.0
        drawn = self.canvas.beginText(frame.x + indent, frame.top)
        drawn.setFont(style.font, style.size)
        drawn.setWordSpace(gap)
        drawn.textOut(text)
        self.canvas.drawText(drawn)

    def heading(self, text: str, frame: Frame, size: float = 14.0) -> None:
        """Prints a bold line with space round it."""
        frame.top -= 1.6 * size
        self.canvas.setFont("Times-Bold", size)
        self.canvas.drawString(frame.x, frame.top, text)
        frame.top -= 0.4 * size

    def finish(self) -> bytes:
        """The file."""
        self.canvas.save()
        return self.buffer.getvalue()


END_OF_PAGE = Frame(-1.0, 0.0, 0.0, 0.0)


def columns(count: int, top: float = HEIGHT - MARGIN, bottom: float = MARGIN) -> list[Frame]:
    """Frames of equal columns of a page."""
    width = (WIDTH - 2 * MARGIN - (count - 1) * GUTTER) / count
    return [Frame(MARGIN + i * (width + GUTTER), top, width, bottom) for i in range(count)]


def pages_of(count: int, num_columns: int = 1) -> list[Frame]:
    """Frames of several pages."""
    frames: list[Frame] = []
    for _ in range(count):
        frames += [*columns(num_columns), Frame(-1.0, 0.0, 0.0, 1e9)]
    return frames


def plain(
    num_columns: int, num_paragraphs: int, seed: int = 0, **style: object
) -> tuple[bytes, list[str]]:
    """A document in one, two or three columns over as many pages as it takes."""
    generator = random.Random(seed)
    printer = Printer(Style(**style))  # type: ignore[arg-type]
    texts = [paragraph(generator, generator.randint(30, 120)) for _ in range(num_paragraphs)]
    frames = pages_of(60, num_columns)
    for text in texts:
        frames = printer.set(text, frames)
    return printer.finish(), texts


def long_report(pages: int = 30, words: int = 15000, seed: int = 1) -> bytes:
    """A report of a number of pages and words: headings, running heads, page numbers."""
    return report(pages, words, seed)[0]


def report(pages: int, words: int, seed: int = 1) -> tuple[bytes, list[str]]:
    """A report, and its headings and paragraphs in order; heads and page numbers are not text.

    Odd and even pages have different heads.
    """
    generator = random.Random(seed)
    style = Style(size=11.0, leading=14.0, indent=0.0, space_after=7.0, justify=False)
    printer = Printer(style)
    texts: list[str] = []
    per_page = words // pages
    for page in range(1, pages + 1):
        _furnish(printer.canvas, page)
        frame = Frame(MARGIN, HEIGHT - 90, WIDTH - 2 * MARGIN, MARGIN)
        left = per_page + (words - per_page * pages if page == 1 else 0)
        if page % 3 == 1:
            title = f"{page // 3 + 1} {_title(generator)}"
            printer.heading(title, frame)
            texts.append(title)
            left -= len(title.split())
        while left > 0:
            count = min(left, generator.randint(60, 110))
            count = left if left - count < 30 else count
            text = _exactly(generator, count)
            texts.append(text)
            printer.set(text, [frame, END_OF_PAGE, Frame(0, 0, 0, 0)])
            left -= count
        printer.canvas.showPage()
    return printer.finish(), texts


def _exactly(generator: random.Random, num_words: int) -> str:
    words = paragraph(generator, num_words + 30).split()[:num_words]
    return " ".join(words).rstrip(",.") + "."


def _title(generator: random.Random) -> str:
    return " ".join(word.capitalize() for word in generator.sample(_WORDS[25:], 3))


def _furnish(canvas: Canvas, page: int) -> None:
    canvas.setFont("Helvetica", 9)
    if page % 2:
        canvas.drawRightString(WIDTH - MARGIN, HEIGHT - 50, "Yearly report of the works")
    else:
        canvas.drawString(MARGIN, HEIGHT - 50, "Department of Measures")
    canvas.drawCentredString(WIDTH / 2, 40, str(page))


def interleaved(num_rows: int = 40, seed: int = 2) -> tuple[bytes, list[str]]:
    """Two columns whose content stream runs row by row across both."""
    generator = random.Random(seed)
    printer = Printer()
    texts = [paragraph(generator, 330), paragraph(generator, 330)]
    left, right = columns(2)
    rows = [printer.lines(text, left.width, printer.style)[:num_rows] for text in texts]
    for index in range(num_rows):
        for frame, lines in ((left, rows[0]), (right, rows[1])):
            frame.top -= 12.0
            indent = 12.0 if index == 0 else 0.0
            printer.line(lines[index][0], frame, printer.style, indent=indent, last=False)
    return printer.finish(), [" ".join(line for line, _ in lines) for lines in rows]


def paper(seed: int = 3) -> tuple[bytes, list[str]]:
    """Title and abstract over two columns, a note under each, a picture across the middle."""
    generator = random.Random(seed)
    printer = Printer(Style(hyphenate=False))
    title, authors = "A Study of Steady Pressure", "Ada Example and Ben Sample"
    canvas = printer.canvas
    canvas.setFont("Times-Bold", 18)
    canvas.drawCentredString(WIDTH / 2, HEIGHT - 90, title)
    canvas.setFont("Times-Roman", 12)
    canvas.drawCentredString(WIDTH / 2, HEIGHT - 110, authors)
    abstract = "Abstract. " + paragraph(generator, 90)
    wide = Frame(MARGIN + 30, HEIGHT - 130, WIDTH - 2 * MARGIN - 60, MARGIN)
    printer.set(abstract, [wide], Style(size=9.0, leading=11.0, indent=0.0))
    upper, middle, lower = wide.top - 24, 400.0, 300.0
    texts = [paragraph(generator, 200), paragraph(generator, 180)]
    frames = [*columns(2, upper, middle), *columns(2, lower, 150.0)]
    for frame, note in zip(frames[2:], ("1 The first note.", "2 The second note."), strict=True):
        canvas.line(frame.x, 140, frame.x + 60, 140)
        canvas.setFont("Times-Roman", 8)
        canvas.drawString(frame.x, 125, note)
    canvas.drawImage(_picture(), MARGIN, 325, WIDTH - 2 * MARGIN, 70)
    canvas.setFont("Times-Roman", 9)
    canvas.drawString(MARGIN, 310, "Figure 1. The pressure over a day.")
    for text in texts:
        frames = printer.set(text, frames)
    return printer.finish(), [title, authors, abstract, *texts]


@cache
def _picture() -> ImageReader:
    import numpy as np
    from PIL import Image

    shades = np.linspace(0, 255, 400).astype("uint8")
    return ImageReader(Image.fromarray(np.tile(shades, (300, 1))))


def hyphenated(text: str, width: float = 150.0) -> bytes:
    """One narrow column whose lines break words."""
    printer = Printer(Style(hyphenate=True, indent=0.0))
    printer.set(text, [Frame(MARGIN, HEIGHT - MARGIN, width, MARGIN)])
    return printer.finish()


def lines_at(
    lines: Sequence[tuple[float, float, str]], size: float = 10.0, font: str = ""
) -> bytes:
    """Lines at given places: x, y from the top, text."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=True)
    for x, y, text in lines:
        canvas.setFont(font or "Times-Roman", size)
        canvas.drawString(x, HEIGHT - y, text)
    canvas.save()
    return buffer.getvalue()


def with_table(seed: int = 4) -> tuple[bytes, list[str], int]:
    """Text, a table of figures with its caption, text; and the words of the table."""
    generator = random.Random(seed)
    printer = Printer(Style(indent=0.0, space_after=6.0))
    frame = columns(1)[0]
    before, after = paragraph(generator, 100), paragraph(generator, 100)
    printer.set(before, [frame])
    caption = "Table 1: Yield by year."
    frame.top -= 24
    printer.canvas.drawString(frame.x, frame.top, caption)
    frame.top -= 6
    rows = [("Year", "Area", "Yield", "Share")]
    rows += [(str(1990 + i), f"{i * 7.5:.1f}", str(120 + 3 * i), f"{i + 2}%") for i in range(8)]
    for row in rows:
        frame.top -= 14
        for column, cell in enumerate(row):
            printer.canvas.drawString(frame.x + 100 * column, frame.top, cell)
    frame.top -= 24
    printer.set(after, [frame])
    return printer.finish(), [before, caption, after], sum(len(row) for row in rows)


def turned_table(seed: int = 5) -> tuple[bytes, list[str]]:
    """A page of text, a page with a table turned by a quarter, a page of text."""
    generator = random.Random(seed)
    printer = Printer(Style(indent=0.0))
    texts = [paragraph(generator, 150), paragraph(generator, 150)]
    printer.set(texts[0], columns(1))
    canvas = printer.canvas
    canvas.showPage()
    canvas.rotate(90)
    canvas.setFont("Times-Roman", 10)
    for row in range(10):
        for column in range(6):
            canvas.drawString(100 + 90 * column, -120 - 16 * row, str(row * 13 + column * 101))
    canvas.showPage()
    printer.set(texts[1], columns(1))
    return printer.finish(), texts


def scan(num_pages: int = 2) -> bytes:
    """Pages that are pictures only."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=True)
    for _ in range(num_pages):
        canvas.drawImage(_picture(), 0, 0, WIDTH, HEIGHT)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def recognised(text: str) -> bytes:
    """A page that is a picture with its text as an invisible layer."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=True)
    canvas.drawImage(_picture(), 0, 0, WIDTH, HEIGHT)
    drawn = canvas.beginText(MARGIN, HEIGHT - MARGIN)
    drawn.setFont("Times-Roman", 10)
    drawn.setTextRenderMode(3)
    for line, _ in Printer().lines(text, WIDTH - 2 * MARGIN, Style(indent=0.0)):
        drawn.textLine(line)
    canvas.drawText(drawn)
    canvas.save()
    return buffer.getvalue()


def mixed_pages(first: str = "", last: str = "") -> bytes:
    """Text, an empty page, a picture of a page, text; made-up words where no text is given."""
    generator = random.Random(6)
    printer = Printer(Style(indent=0.0))
    printer.set(first or paragraph(generator, 120), columns(1))
    printer.canvas.showPage()
    printer.canvas.showPage()
    printer.canvas.drawImage(_picture(), 0, 0, WIDTH, HEIGHT)
    printer.canvas.showPage()
    printer.set(last or paragraph(generator, 120), columns(1))
    return printer.finish()


def encrypted(password: str, text: str = "Locked words stand here.", bits: int = 128) -> bytes:
    """A file that opens only with a password."""
    buffer = io.BytesIO()
    lock = StandardEncryption(password, ownerPassword="owner", strength=bits)
    canvas = Canvas(buffer, pagesize=A4, encrypt=lock)
    canvas.drawString(MARGIN, HEIGHT - MARGIN, text)
    canvas.save()
    return buffer.getvalue()


def with_metadata_title(title: str, heading: str) -> bytes:
    """A page with a large first line, and a title in the metadata."""
    printer = Printer(Style(indent=0.0))
    printer.canvas.setTitle(title)
    frame = columns(1)[0]
    printer.heading(heading, frame, 18.0)
    printer.set(paragraph(random.Random(7), 80), [frame])
    return printer.finish()


def numbered_lines(
    num_pages: int = 3, seed: int = 8, last_rows: int = 25
) -> tuple[bytes, list[str]]:
    """A transcript: every line of a page numbered at its left; so many rows on the last page."""
    generator = random.Random(seed)
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=True)
    texts = []
    for page in range(num_pages):
        text = paragraph(generator, 190)
        texts.append(text)
        style = Style(font="Courier", size=12.0, indent=36.0)
        rows = last_rows if page == num_pages - 1 else 25
        lines = Printer().lines(text, 400.0, style)[:rows]
        texts[-1] = " ".join(line for line, _ in lines)
        canvas.setFont("Courier", 12)
        for row, (line, _) in enumerate(lines):
            canvas.drawRightString(90, HEIGHT - 90 - 24 * row, str(row + 1))
            canvas.drawString(146 if row == 0 else 110, HEIGHT - 90 - 24 * row, line)
        canvas.drawCentredString(WIDTH / 2, 40, str(page + 1))
        canvas.showPage()
    canvas.save()
    return buffer.getvalue(), texts


def patent(seed: int = 9) -> tuple[bytes, list[str]]:
    """Two columns with the number of every fifth line between them."""
    generator = random.Random(seed)
    printer = Printer(Style(size=9.0, leading=11.0))
    frames = columns(2)
    for frame in frames:
        frame.top -= 20
    texts = [paragraph(generator, 380), paragraph(generator, 380)]
    middle = WIDTH / 2
    printer.canvas.setFont("Times-Roman", 7)
    for line in range(5, 60, 5):
        printer.canvas.drawCentredString(middle, frames[0].top - 11 * line, str(line))
    rest = list(frames)
    for text in texts:
        rest = printer.set(text, rest)
    return printer.finish(), texts


def landscape_page(text: str) -> bytes:
    """A page wider than high."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=landscape(A4), invariant=True)
    canvas.drawString(MARGIN, 400, text)
    canvas.save()
    return buffer.getvalue()


def raised(pieces: list[tuple[str, float]]) -> bytes:
    """One line whose pieces are raised or lowered by some points; those are set small."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=True)
    x = MARGIN
    for text, rise in pieces:
        size = 6.5 if rise else 10.0
        canvas.setFont("Times-Roman", size)
        canvas.drawString(x, HEIGHT - MARGIN + rise, text)
        x += stringWidth(text, "Times-Roman", size)
    canvas.save()
    return buffer.getvalue()


def joined(files: list[bytes]) -> bytes:
    """One file with the pages of several."""
    whole = PdfDocument.new()
    for file in files:
        whole.import_pages(PdfDocument(file))
    buffer = io.BytesIO()
    whole.save(buffer)
    whole.close()
    return buffer.getvalue()


def drawn(paint: Callable[[Canvas], None]) -> bytes:
    """One page with whatever a function paints; its y runs from the foot upwards."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=True)
    canvas.setFont("Times-Roman", 10)
    paint(canvas)
    canvas.save()
    return buffer.getvalue()


def bullet() -> ImageReader:
    """A black square as a picture."""
    from PIL import Image

    return ImageReader(Image.new("L", (8, 8)))
