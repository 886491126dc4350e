"""Pages without text are recognised where the part for it is installed; else it is said how."""

import io
import random
import shutil
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from reportlab.pdfgen.canvas import Canvas

from core.documents.document import Document, Source
from core.documents.readers import failures
from core.documents.readers.door import check_enough
from core.documents.readers.formats import PDF
from core.documents.readers.pdf import read_pdf
from core.documents.readers.pdf_layout import scans
from core.documents.readers.pdf_layout.numbers import line_numbers
from core.documents.readers.pdf_layout.opening import opened
from core.documents.readers.pdf_layout.sheet import Shape, Sheet, Words, no_words
from core.documents.readers.recognition import part, workers
from core.documents.readers.recognition.engine import Engine, Recognised
from core.documents.readers.recognition.language_data import find_language_data
from core.documents.readers.recognition.pictures import (
    MOST_PIXELS,
    Picture,
    render_page,
    scale_for,
    smoothed,
)
from core.documents.readers.recognition.sheets import as_sheet
from core.errors import EpitomeError
from core.events import Progress, result_of
from core.stop import Stopping, StopToken
from tests.helpers import pdf_maker
from tests.helpers.epub_files import epub_file
from tests.helpers.pptx_files import Slide, picture, pptx_file
from tests.helpers.raw_pdf import raw_pdf, stream
from tests.helpers.reader_checks import read as read_as
from tests.helpers.scans import Flaws, scanned
from tests.helpers.word_files import word_file

needs_part = pytest.mark.skipif(
    not part.is_installed(), reason="the part that reads scans is not installed"
)
GERMAN = (
    "Die Prüfung der Maschine dauerte länger als geplant, weil größere Teile fehlten. "
    "Während der Messung stieg der Druck über den zulässigen Wert, und die Anlage wurde "
    "für mehrere Stunden geschlossen. Später führten die Ingenieure weitere Versuche durch. "
) * 3


def read(data: bytes, language: str = "auto") -> Document:
    return result_of(
        read_pdf(data, Source("a scan.pdf", format=PDF), StopToken(), language=language)
    )


def page_of(text: str) -> bytes:
    printer = pdf_maker.Printer(pdf_maker.Style(indent=0.0))
    printer.set(text, pdf_maker.columns(1))
    return printer.finish()


def made_up(seed: int = 3, num_words: int = 60) -> str:
    return pdf_maker.paragraph(random.Random(seed), num_words)


@needs_part
@pytest.mark.parametrize(
    "flaws",
    [Flaws(), Flaws(tilt=1.0), Flaws(noise=25.0), Flaws(quarters=1), Flaws(quarters=2)],
    ids=["clean", "tilted", "noisy", "on its side", "upside down"],
)
def test_scan_has_the_text_of_its_page(flaws: Flaws) -> None:
    text = made_up()
    document = read(scanned(page_of(text), (0,), flaws))
    assert document.text.split() == text.split()
    assert document.reading.complete
    assert document.reading.notes[0] == (
        "The text of page 1 was recognised (OCR) in English (guessed): none of 60 words is in"
        " doubt."
    )
    assert ("Turned upright: page 1." in document.reading.notes) == bool(flaws.quarters)


@needs_part
def test_columns_of_a_scan_are_read_one_after_the_other() -> None:
    printer = pdf_maker.Printer(pdf_maker.Style(indent=0.0))
    texts = [made_up(seed) for seed in (1, 2)]
    for text, frame in zip(texts, pdf_maker.columns(2), strict=True):
        printer.set(text, [frame])
    document = read(scanned(printer.finish()))
    assert document.text.split() == " ".join(texts).split()


@needs_part
def test_language_is_that_of_the_surest_words() -> None:
    document = read(scanned(page_of(GERMAN)))
    assert "in German (guessed)" in document.reading.notes[0]
    assert document.text.split() == GERMAN.split()
    assert document.reading.language == "de"


@needs_part
def test_persons_choice_of_the_language_stands() -> None:
    document = read(scanned(page_of(GERMAN)), "en")
    assert "in English:" in document.reading.notes[0]


@needs_part
def test_language_without_data_is_told_with_the_way_to_get_it() -> None:
    notes = read(scanned(page_of(made_up())), "fr").reading.notes
    assert notes[1].startswith("The data to recognise French is missing: put fra.traineddata into")
    assert "TESSDATA_PREFIX" in notes[1]


@needs_part
def test_other_languages_come_from_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(find_language_data()["deu"], tmp_path / "fra.traineddata")
    (tmp_path / "osd.traineddata").touch()
    monkeypatch.setenv("TESSDATA_PREFIX", str(tmp_path))
    assert list(find_language_data()) == ["eng", "deu", "fra"]
    document = read(scanned(page_of(made_up())), "fr")
    assert "in French:" in document.reading.notes[0]


@needs_part
def test_damaged_data_of_a_language_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "fra.traineddata").write_bytes(b"no data")
    monkeypatch.setenv("TESSDATA_PREFIX", str(tmp_path))
    with pytest.raises(EpitomeError, match=r"cannot use .*fra\.traineddata.* Get a new copy"):
        read(scanned(page_of(made_up())), "fr")


@needs_part
def test_scanned_page_among_others_stands_in_its_place() -> None:
    texts = [made_up(seed) for seed in (4, 5, 6)]
    pages = [page_of(text) for text in texts]
    document = read(pdf_maker.joined([pages[0], scanned(pages[1]), pages[2]]))
    assert document.text.split() == " ".join(texts).split()
    assert document.page_at(document.text.index(texts[1][:40])) == 2
    assert "The text of page 2 was" in document.reading.notes[0]


@needs_part
def test_progress_is_told_by_page() -> None:
    data = scanned(page_of(made_up()), (0, 0, 0))
    steps = read_pdf(data, Source("a.pdf"), StopToken())
    told = [step for step in steps if step.what == "Recognising"]
    assert told[-1] == Progress(3, 3, "pages", "Recognising")
    assert {step.done for step in told} == {0, 1, 2, 3}


@needs_part
def test_stop_ends_it_within_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """The wish comes while a page is being recognised; nobody waits for the page's end."""
    stop, ended = StopToken(), Event()
    recognise = Engine.recognise

    def asked(engine: Engine, picture: Picture) -> Recognised:
        stop.request("cancel")
        assert ended.wait(30)
        return recognise(engine, picture)

    monkeypatch.setattr(Engine, "recognise", asked)
    with pytest.raises(Stopping):
        result_of(read_pdf(scanned(page_of(made_up())), Source("a.pdf"), stop))
    ended.set()


@needs_part
def test_pictures_without_words_are_left_out_and_said() -> None:
    text = made_up(7)
    document = read(pdf_maker.joined([page_of(text), pdf_maker.scan(1)]))
    item = next(item for item in document.reading.left_out if item.what == "scanned pages")
    assert (item.why, item.pages) == ("no text was recognised on them", (2,))
    assert document.text.split() == text.split()
    with pytest.raises(EpitomeError, match="found no words; scan them again") as caught:
        read(pdf_maker.scan(2))
    assert caught.value.kind == "scan"


@pytest.fixture
def without_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(part, "find_spec", lambda name: None)


@pytest.mark.usefixtures("without_part")
def test_without_the_part_the_command_that_installs_it_is_told() -> None:
    with pytest.raises(EpitomeError) as caught:
        read(pdf_maker.scan(2))
    assert caught.value.remedy == (
        f"Run {part.COMMAND} to install text recognition (OCR), and open the file again."
    )
    document = read(pdf_maker.joined([page_of(made_up()), pdf_maker.scan(1)]))
    assert document.reading.notes == (part.advice(),)
    few = read(pdf_maker.joined([page_of("Only four words here."), pdf_maker.scan(1)]))
    with pytest.raises(EpitomeError, match="--with-scans"):
        check_enough(few)


def _pictured(*boxes: tuple[float, float, float, float], text: str = "") -> bytes:
    """A page with a picture in each box: left, bottom, width, height."""
    from PIL import Image
    from reportlab.lib.utils import ImageReader

    picture = ImageReader(Image.new("L", (8, 8), 200))

    def paint(canvas: Canvas) -> None:
        for left, bottom, width, height in boxes:
            canvas.drawImage(picture, left, bottom, width, height)
        canvas.drawString(72, 30, text)

    return pdf_maker.drawn(paint)


def _in_form() -> bytes:
    return raw_pdf(
        b"/Page Do",
        resources=b"/XObject << /Page 6 0 R >>",
        objects=[
            stream(
                b"/Type /XObject /Subtype /Form /BBox [0 0 612 792]"
                b" /Resources << /XObject << /Picture 7 0 R >> >>",
                b"q 612 0 0 792 0 0 cm /Picture Do Q",
            ),
            stream(
                b"/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8"
                b" /ColorSpace /DeviceGray",
                b"\x99",
            ),
        ],
    )


PICTURED = {
    "receipt": _pictured((50, 400, 220, 400)),
    "visiting card": _pictured((50, 600, 241, 156)),
    "strips": _pictured(*((0, 84 * row, 595, 84) for row in range(10))),
    "in a form": _in_form(),
    "drawn letters": raw_pdf(b"72 700 m 80 720 l 88 700 l S 90 700 20 20 re f"),
    "stamp": _pictured((0, 0, 595, 842), text="Scanned by the town library"),
}


@pytest.mark.parametrize("name", PICTURED)
@pytest.mark.usefixtures("without_part")
def test_a_page_whose_text_may_be_in_pictures_offers_recognition(name: str) -> None:
    with pytest.raises(EpitomeError) as caught:
        check_enough(read(PICTURED[name]))
    assert caught.value.remedy == part.advice()
    if name == "stamp":
        (item,) = read(PICTURED[name]).reading.left_out
        assert (item.what, item.pages) == (scans.SCANNED, (1,))
    else:
        assert caught.value.kind == "missing-scans"


@pytest.mark.usefixtures("without_part")
def test_a_page_without_pictures_or_with_enough_text_offers_none() -> None:
    with pytest.raises(EpitomeError, match="there are no words on its page") as caught:
        read(pdf_maker.drawn(lambda canvas: canvas.line(72, 400, 500, 400)))
    assert caught.value.kind == ""
    document = read(pdf_maker.joined([page_of(made_up()), PICTURED["stamp"]]))
    assert not document.reading.notes
    assert document.reading.complete


def test_a_document_of_pictures_says_how_they_are_recognised() -> None:
    drawing = "<w:p><w:r><w:pict><v:shape><v:imagedata/></v:shape></w:pict></w:r></w:p>"
    files = {
        "a.docx": word_file(drawing),
        "a.epub": epub_file({"one": '<img src="b.png"/>'}),
        "a.pptx": pptx_file(Slide(picture())),
    }
    for name, data in files.items():
        with pytest.raises(EpitomeError, match="contains no words, only 1 picture") as caught:
            read_as(data, name)
        assert caught.value.remedy == failures.SAVED_AS_PDF


@pytest.mark.usefixtures("without_part")
def test_system_without_a_wheel_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(part, "platform_tags", lambda: iter(["linux_riscv64"]))
    assert part.advice() == (
        "There is no text recognition (OCR) for this system: tesserocr has no wheel; recognise "
        "the text with another program, and open the result."
    )


def test_hostile_sizes_are_drawn_small() -> None:
    assert scale_for(595, 842) == pytest.approx(200 / 72)
    for width, height in ((14_400, 14_400), (1e6, 1e6), (1e9, 0.1), (0.001, 5e7)):
        scale = scale_for(width, height)
        assert width * height * scale**2 <= MOST_PIXELS * 1.001
        assert max(width, height) * scale <= 30_001


@pytest.mark.parametrize("size", [(14_400, 14_400), (14_400, 3), (3, 14_400)])
def test_page_of_hostile_size_is_drawn(size: tuple[float, float]) -> None:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=size)
    canvas.rect(0, 0, size[0], size[1] / 2, stroke=0, fill=1)
    canvas.save()
    with opened(buffer.getvalue(), "") as handle:
        picture = render_page(handle, 0)
    assert picture is not None
    assert 0 < picture.pixels.size <= MOST_PIXELS
    assert {int(picture.pixels.min()), int(picture.pixels.max())} == {0, 255}


@needs_part
def test_page_of_noise_has_no_words() -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (1100, 850)).astype(np.uint8)
    found = Engine(find_language_data()["eng"]).recognise(Picture(pixels, 100 / 72))
    assert not found.is_sound


@needs_part
def test_page_that_takes_too_long_is_cut_short_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.documents.readers.recognition.engine.PAGE_LIMIT_S", 0.001)
    pages = pdf_maker.joined([page_of(made_up()), scanned(page_of(made_up(8)))])
    document = read(pages)
    notes = " ".join(document.reading.notes)
    left = {item.why for item in document.reading.left_out}
    assert "cut short" in notes or "no text was recognised on them" in left


def found_words(texts: list[str], confidence: list[float], lines: list[int]) -> Recognised:
    count = len(texts)
    words = np.empty(count, object)
    words[:] = texts
    x0 = np.arange(count) * 60.0
    level = np.full(count, 100.0) + 30.0 * np.array(lines)
    sure, line = np.array(confidence), np.array(lines, float)
    return Recognised(
        True, words, x0, x0 + 50, level, np.zeros(count), np.full(count, 28.0), sure, line
    )


def scanned_sheet() -> Sheet:
    return Sheet(3, 595, 842, no_words(), (Shape("picture", 0, 0, 595, 842),))


PICTURE = Picture(np.full((2339, 1653), 255, np.uint8), 200 / 72)


def test_doubtful_words_stay_and_are_counted() -> None:
    found = found_words(["Known", "wurds", "stay"], [95, 45, 95], [1, 1, 1])
    sheet = as_sheet(scanned_sheet(), PICTURE, 0, found, "eng")
    assert sheet.words.texts.tolist() == ["Known", "wurds", "stay"]
    assert scans.notes_of_recognised([sheet], "English") == [
        "The text of page 3 was recognised (OCR) in English: 1 of 3 words is in doubt."
    ]


def test_lines_that_are_no_text_are_left_out_and_counted() -> None:
    found = found_words(["Text", "ie", "bh", "|", "—"], [95, 20, 30, 90, 20], [1, 2, 2, 3, 4])
    sheet = as_sheet(scanned_sheet(), PICTURE, 0, found, "eng")
    assert sheet.words.texts.tolist() == ["Text"]
    assert [(item.words, item.pages) for item in scans.unreadable_words([sheet])] == [(2, (3,))]


def test_tilted_lines_are_laid_straight() -> None:
    found = found_words(["one", "two", "three"], [95, 95, 95], [1, 1, 1])
    tilted = Recognised(
        True,
        found.texts,
        found.x0,
        found.x1,
        found.base + 0.02 * 0.5 * (found.x0 + found.x1),
        found.slope + 0.02,
        found.size,
        found.confidence,
        found.line,
    )
    sheet = as_sheet(scanned_sheet(), PICTURE, 0, tilted, "eng")
    assert np.ptp(sheet.words.base) < 0.05
    assert np.diff(sheet.words.x0) == pytest.approx(60 / PICTURE.scale, rel=0.001)


def numbered(values: list[int], lines: list[int]) -> Sheet:
    """A page of 20 lines with numbers beside some of them."""
    texts = [str(value) for value in values] + ["The words of this line"] * 20
    level = [100 + 14 * line for line in lines] + [114.0 + 14 * line for line in range(20)]
    count = len(texts)
    words = np.empty(count, object)
    words[:] = texts
    left = np.where(np.arange(count) < len(values), 50.0, 90.0)
    no, size = np.zeros(count, bool), np.full(count, 10.0)
    order = np.arange(count)
    return Sheet(
        1,
        595,
        842,
        Words(words, left, left + 12, np.array(level), size, no, no, no, no, order),
    )


def test_line_numbers_are_known_though_recognition_missed_some() -> None:
    values = [1, 2, 5, 6, 10, 12, 13, 14, 18, 20]
    assert line_numbers(numbered(values, values)).sum() == len(values)
    late = [10, 11, 12, 13, 15, 19, 20]
    assert line_numbers(numbered(late, late)).sum() == len(late)
    of_a_table = [80, 81, 82, 83, 84]
    assert not line_numbers(numbered(of_a_table, [10, 11, 12, 13, 14])).any()
    assert not line_numbers(numbered(values, [*range(10)])).any()
    assert not line_numbers(numbered(values, [1, 2, 5, 6, 8, 12, 13, 15, 18, 20])).any()


@needs_part
def test_smoothing_brings_back_text_that_noise_hides() -> None:
    text = made_up(11)
    data = scanned(page_of(text), (0,), Flaws(noise=45.0))
    assert len(read(data).text.split()) == len(text.split())


def test_turns_are_not_tried_where_one_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = found_words([], [], [])
    tried: list[int] = []
    monkeypatch.setattr(workers, "_TURN_LIMIT_S", -1.0)
    assert workers.best_turn(lambda turn: tried.append(turn) or nothing, 1)[0] == 1
    assert tried == [1]
    monkeypatch.setattr(workers, "_TURN_LIMIT_S", 1e9)
    workers.best_turn(lambda turn: tried.append(turn) or nothing, 1)
    assert tried == [1, 1, 0, 3, 2]


def test_smoothing_takes_the_mean_of_nine() -> None:
    pixels = np.zeros((4, 5), np.uint8)
    pixels[1, 1] = 90
    expected = np.zeros((4, 5), np.uint8)
    expected[:3, :3] = 10
    assert (smoothed(pixels) == expected).all()
    assert (smoothed(np.full((3, 3), 255, np.uint8)) == 255).all()


def test_only_pages_whose_text_may_be_in_a_picture_are_recognised() -> None:
    assert scans.wants_recognition(scanned_sheet())
    assert not scans.wants_recognition(Sheet(1, 595, 842, no_words()))
    assert not scans.wants_recognition(Sheet(1, 595, 842, no_words(), damaged=True))
    rule = (Shape("rule", 0, 9, 595, 10),)
    assert not scans.wants_recognition(Sheet(1, 595, 842, no_words(), rule))


def test_accents_are_part_of_words() -> None:
    for word in ("größere", "führten", "Prüfung", "Émile", "naïve", "Øre"):
        assert scans.is_plausible(word), word
    assert not scans.is_plausible("gr|ßer")
