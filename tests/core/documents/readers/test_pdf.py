"""PDFs made with known text: what comes out is that text, in order, and nothing is silent."""

import threading
import zlib

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.documents.document import Document, Kind, LeftOut, Source
from core.documents.readers.pdf import pdf_facts, read_pdf
from core.documents.readers.pdf_layout import reach
from core.documents.readers.pdf_layout.lines import lines_of
from core.documents.readers.pdf_layout.sheet import Words
from core.errors import EpitomeError
from core.events import Progress, result_of
from core.stop import Stopping, StopToken
from tests.helpers import pdf_maker


def read(data: bytes, password: str = "") -> Document:
    return result_of(read_pdf(data, Source("a report.pdf"), StopToken(), password=password))


def paragraphs(document: Document, *kinds: Kind) -> list[str]:
    return [
        document.paragraph(index)
        for index in range(document.num_paragraphs)
        if not kinds or document.kinds[index] in kinds
    ]


def left_out(document: Document, what: str) -> LeftOut:
    return next(item for item in document.reading.left_out if item.what == what)


def refusal(data: bytes, password: str = "") -> EpitomeError:
    with pytest.raises(EpitomeError) as caught:
        read(data, password)
    return caught.value


@pytest.mark.parametrize("num_columns", [1, 2, 3])
@pytest.mark.parametrize(
    "style",
    [
        {},
        {"justify": False},
        {"indent": 0.0, "space_after": 6.0},
        {"hyphenate": True},
        {"font": "Helvetica", "size": 9.0, "leading": 10.5},
    ],
    ids=["justified", "ragged", "spaced", "hyphenated", "tight"],
)
def test_paragraphs_of_columns_come_out_whole_and_in_order(
    num_columns: int, style: dict[str, object]
) -> None:
    data, texts = pdf_maker.plain(num_columns, 24, seed=num_columns, **style)
    assert paragraphs(read(data)) == texts


@pytest.mark.parametrize("seed", range(6))
def test_narrow_justified_columns_have_wide_gaps_but_no_tables(seed: int) -> None:
    data, texts = pdf_maker.plain(3, 20, seed=seed, size=11.0, leading=13.0)
    document = read(data)
    assert document.text.split() == " ".join(texts).split()
    assert paragraphs(document, Kind.TABLE) == []


def test_columns_drawn_row_by_row_are_read_column_by_column() -> None:
    data, texts = pdf_maker.interleaved()
    assert paragraphs(read(data)) == texts


def test_report_keeps_its_text_and_loses_heads_and_page_numbers() -> None:
    data, texts = pdf_maker.report(9, 3000)
    document = read(data)
    assert paragraphs(document) == texts
    heads = left_out(document, "running heads and feet")
    assert heads.pages == tuple(range(1, 10))
    assert heads.words == 5 * 5 + 4 * 3
    assert not heads.missed
    assert left_out(document, "page numbers").words == 9
    assert document.reading.complete
    assert document.reading.of_words == document.reading.words + heads.words + 9


def test_long_report_has_the_pages_and_words_that_were_asked_for() -> None:
    reading = read(pdf_maker.long_report(pages=12, words=4000)).reading
    assert (reading.words, reading.pages, reading.of_pages) == (4000, 12, 12)


def test_headings_have_their_level() -> None:
    document = read(pdf_maker.long_report(6, 1500))
    headings = [i for i in range(document.num_paragraphs) if document.kinds[i] == Kind.HEADING]
    assert len(headings) == 2
    assert {int(document.levels[i]) for i in headings} == {1}


def test_paper_is_read_round_its_picture_and_notes() -> None:
    data, (title, authors, abstract, *texts) = pdf_maker.paper()
    document = read(data)
    assert document.title == title
    assert paragraphs(document, Kind.HEADING) == [title]
    assert paragraphs(document, Kind.BOILERPLATE) == [authors]
    assert paragraphs(document, Kind.PARAGRAPH) == [abstract, *texts]
    assert paragraphs(document, Kind.CAPTION) == ["Figure 1. The pressure over a day."]
    assert paragraphs(document, Kind.FOOTNOTE) == ["1 The first note.", "2 The second note."]


def test_table_stands_at_its_place_row_by_row() -> None:
    data, (before, caption, after), num_words = pdf_maker.with_table()
    document = read(data)
    assert document.kinds.tolist() == [Kind.PARAGRAPH, Kind.CAPTION, Kind.TABLE, Kind.PARAGRAPH]
    table = document.paragraph(2)
    assert paragraphs(document) == [before, caption, table, after]
    assert table.splitlines()[:2] == ["Year\tArea\tYield\tShare", "1990\t0.0\t120\t2%"]
    assert len(table.split()) == num_words
    assert document.reading.complete


def test_table_turned_on_its_page_is_read() -> None:
    data, texts = pdf_maker.turned_table()
    document = read(data)
    assert paragraphs(document, Kind.PARAGRAPH) == texts
    (table,) = paragraphs(document, Kind.TABLE)
    assert table.splitlines()[1] == "13\t114\t215\t316\t417\t518"
    assert document.reading.pages == 3


def test_line_numbers_of_a_transcript_are_left_out() -> None:
    data, texts = pdf_maker.numbered_lines()
    document = read(data)
    assert document.text.split() == " ".join(texts).split()
    assert left_out(document, "line numbers").words == 75


@pytest.mark.parametrize("rows", [1, 2, 4])
def test_line_numbers_of_a_short_last_page_are_left_out(rows: int) -> None:
    data, texts = pdf_maker.numbered_lines(last_rows=rows)
    document = read(data)
    assert document.text.split() == " ".join(texts).split()
    assert left_out(document, "line numbers").words == 50 + rows


def test_line_numbers_between_columns_are_left_out() -> None:
    data, texts = pdf_maker.patent()
    document = read(data)
    assert paragraphs(document) == texts
    assert left_out(document, "line numbers").words == 11


def test_hyphens_at_line_ends_are_decided_by_the_words_of_the_document() -> None:
    text = (
        "Each extraction of state-of-the-art materials needs well-tempered pressure measurements. "
        "This long-term arrangement of measurements gives state-of-the-art extraction, and "
        "self-made instruments keep the long-term arrangement well-tempered and state-of-the-art."
    )
    for width in range(90, 260, 7):
        assert read(pdf_maker.hyphenated(text, float(width))).text == text


def test_ligatures_are_parted_and_other_signs_kept() -> None:
    text = "The eﬃcient ﬁlter ﬂows oﬀ at 20 °C, x² ≤ 5 µm — “½”."
    data = pdf_maker.lines_at([(72, 100, text)], font=pdf_maker.sans())
    assert read(data).text == "The efficient filter flows off at 20 °C, x² ≤ 5 µm — “½”."


def test_ligatures_and_loose_accents_that_a_file_spells_out_are_put_right() -> None:
    words = Words(
        np.array(["eﬃcient", "B¨unz", "ﬁlter"], object),
        np.array([0.0, 50.0, 90.0]),
        np.array([45.0, 85.0, 120.0]),
        *(np.full(3, value) for value in (100.0, 10.0)),
        *(np.zeros(3, bool) for _ in range(4)),
        np.arange(3),
    )
    assert [line.text for line in lines_of(words, 1)] == ["efficient Bünz filter"]


def test_small_raised_and_lowered_digits_become_superscripts_and_subscripts() -> None:
    data = pdf_maker.raised([("The notes", 0), ("3", 4), (" on H", 0), ("2", -3), ("O end.", 0)])
    assert read(data).text == "The notes³ on H₂O end."


def test_paragraph_over_two_pages_knows_where_the_page_begins() -> None:
    data, texts = pdf_maker.plain(1, 14, seed=11)
    document = read(data)
    assert paragraphs(document) == texts
    start = int(document.page_starts[1])
    inside = document.paragraph_at(start)
    assert document.starts[inside] < start < document.ends[inside]
    assert document.text[start - 1] == " "
    assert document.page_at(start) == 2


def test_pages_without_text_are_named_with_their_reason() -> None:
    document = read(pdf_maker.mixed_pages())
    assert left_out(document, "empty pages").pages == (2,)
    assert not left_out(document, "empty pages").missed
    assert left_out(document, "scanned pages").pages == (3,)
    assert left_out(document, "scanned pages").missed
    assert (document.reading.pages, document.reading.of_pages) == (2, 4)


def test_scan_is_refused_with_its_pages_and_the_remedy() -> None:
    pytest.importorskip("tesserocr")
    error = refusal(pdf_maker.scan(2))
    assert error.message == "This PDF contains no text: all of its 2 pages are pictures."
    assert "OCR" in error.remedy
    assert error.kind == "scan"
    one = refusal(pdf_maker.scan(1))
    assert one.message == "This PDF contains no text: its only page is a picture."


def test_recognition_layer_is_read_and_said() -> None:
    document = read(pdf_maker.recognised("The apparatus is simple, cheap and valuable. " * 9))
    assert document.text.startswith("The apparatus is simple")
    assert "page 1 was recognised" in document.reading.notes[0]


def test_misread_recognition_layer_is_left_out_and_said() -> None:
    rubble = "Th3 @pp#r4tus !s s1mpl3, ch;~p xqzw Rr|t /M/£ vOil. ?ield F000 " * 6
    first = pdf_maker.recognised("A plain page that is well recognised says this. " * 6)
    assert read(first).reading.complete
    document = read(pdf_maker.joined([first, pdf_maker.recognised(rubble)]))
    item = left_out(document, "pages with misread text")
    assert (item.pages, item.missed) == ((2,), True)
    assert item.words > 40
    assert "Th3" not in document.text


def test_locked_file_asks_for_its_password() -> None:
    error = refusal(pdf_maker.encrypted("sesame"))
    assert error.message == "This PDF opens only with its password."
    assert error.remedy == "Type it, or open another file."
    assert error.kind == "password"


def test_wrong_password_is_told_as_such_and_never_repeated() -> None:
    error = refusal(pdf_maker.encrypted("sesame"), "swordfish")
    assert error.message == "This password does not open the PDF."
    assert error.kind == "password"
    assert "swordfish" not in repr(error)
    assert error.__cause__ is None


@pytest.mark.parametrize("password", ["sesame", "öffne dich", "a" * 60])
def test_right_password_opens(password: str) -> None:
    data = pdf_maker.encrypted("sesame")
    if password == "sesame":
        assert read(data, password).text == "Locked words stand here."
    else:
        assert refusal(data, password).kind == "password"


def test_facts_of_a_locked_file() -> None:
    facts = pdf_facts(pdf_maker.encrypted("sesame"))
    assert (facts.pages, facts.protection) == (1, "RC4, 128 bits")
    assert facts.producer == ""


def test_facts_of_an_open_file() -> None:
    facts = pdf_facts(pdf_maker.long_report(2, 300))
    assert (facts.pages, facts.protection) == (2, "")
    assert facts.producer.startswith("ReportLab")
    assert facts.date == "1 January 2000"


@pytest.mark.parametrize(
    "data", [b"", b"%PDF-1.7\n", b"no pdf at all", b"%PDF-1.4\n" + b"x" * 9000]
)
def test_what_is_no_pdf_is_told_as_damaged(data: bytes) -> None:
    assert "damaged" in refusal(data).message
    assert pdf_facts(data).pages == 0


def test_file_changed_as_text_is_told_as_such() -> None:
    data = pdf_maker.long_report(1, 300)
    start = data.index(b"stream") + 10
    spoilt = data[:start] + b"\xef\xbf\xbd" * 300 + data[start + 900 :]
    assert "damaged: it was converted as if it were text" in refusal(spoilt).message
    whole = read(data + b"\xef\xbf\xbd" * 300)
    assert "Provides" in whole.text
    assert "parts of it may be missing" in whole.reading.notes[0]


def test_file_without_a_word_is_refused() -> None:
    assert "there are no words" in refusal(pdf_maker.lines_at([(72, 72, " ")])).message


@pytest.mark.parametrize(
    ("metadata", "title"),
    [
        ("Steady Measures", "Steady Measures"),
        ("Microsoft Word - draft3.doc", "On Pressure"),
        ("untitled", "On Pressure"),
        ("1498410718339449492-00000138", "On Pressure"),
        ("", "On Pressure"),
    ],
)
def test_title_comes_from_plausible_metadata_or_the_largest_line(metadata: str, title: str) -> None:
    assert read(pdf_maker.with_metadata_title(metadata, "On Pressure")).title == title


def test_title_falls_back_on_the_file_name() -> None:
    assert read(pdf_maker.plain(1, 2)[0]).title == "a report"


def test_wide_page_is_read() -> None:
    assert read(pdf_maker.landscape_page("Words on a wide page.")).text == "Words on a wide page."


def test_progress_counts_the_pages() -> None:
    steps = list(read_pdf(pdf_maker.long_report(3, 300), Source("x"), StopToken()))
    reading = [step for step in steps if step.what == "Reading"]
    assert reading == [Progress(done, 3, "pages", "Reading") for done in (1, 2, 3)]
    assert {step.unit for step in steps} == {"pages"}


def test_stop_ends_between_pages() -> None:
    stop = StopToken()
    steps = read_pdf(pdf_maker.long_report(5, 500), Source("x"), stop)
    next(steps)
    stop.request("cancel")
    with pytest.raises(Stopping):
        next(steps)


def test_stop_ends_while_pages_are_put_in_order() -> None:
    stop = StopToken()
    steps = read_pdf(pdf_maker.long_report(4, 400), Source("x"), stop)
    assert any(step.what == "Ordering" for step in steps)
    steps = read_pdf(pdf_maker.long_report(4, 400), Source("x"), stop)
    next(step for step in steps if step.what == "Ordering")
    stop.request("cancel")
    with pytest.raises(Stopping):
        next(steps)


def test_form_that_only_asks_for_another_program_is_refused() -> None:
    words = [(72.0, 100.0, "Please wait... Open this form with a newer reader of Adobe.")]
    plain = pdf_maker.lines_at(words)
    assert read(plain).reading.complete
    form = b"/Type /Catalog /AcroForm << /Fields [] /XFA (template) >>"
    error = refusal(plain.replace(b"/Type /Catalog", form))
    assert "XFA" in error.message
    assert "print it to a new PDF" in error.remedy


def test_file_that_claims_too_many_pages_is_given_up_and_said() -> None:
    data = pdf_maker.landscape_page("The only page.").replace(b"/Count 1", b"/Count 900000")
    reading = read(data).reading
    assert reading.notes == (
        "Pages 1 to 1\u202f001 of 900\u202f000 were read: the last 1\u202f000 could not be "
        "opened. Split the file to read the other pages.",
    )


@pytest.mark.parametrize(
    ("limit", "most", "read_pages", "why"),
    [
        ("MOST_PAGES", 4, 4, "no more than 4 are read of a file"),
        ("MOST_WORDS", 250, 3, "they have more than 250 words"),
    ],
)
def test_of_a_file_that_is_too_long_the_first_pages_are_read_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch, limit: str, most: int, read_pages: int, why: str
) -> None:
    monkeypatch.setattr(reach, limit, most)
    document = read(pdf_maker.long_report(pages=12, words=1200))
    assert document.reading.of_pages == read_pages
    assert document.reading.notes == (
        f"Pages 1 to {read_pages} of 12 were read: {why}. Split the file to read the other pages.",
    )
    assert document.num_paragraphs > 1
    whole = read(pdf_maker.long_report(pages=read_pages, words=100 * read_pages))
    assert not whole.reading.notes, "a file of just so many pages is whole"


def repeated(
    times: int, *, blank: bool = False, packed: bool = False, indirect: bool = False
) -> bytes:
    """A page of text, and a page that draws a stream of a megabyte again and again."""
    text = b"BT /F 12 Tf 72 700 Td (Water runs down the hill.) Tj ET\n"
    stream = (b"" if blank else text) + b" " * 1_000_000
    entries = b"/Filter /FlateDecode " if packed else b""
    stream = zlib.compress(stream) if packed else stream
    contents = b"[%s]" % (b"5 0 R " * times)
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] %s"
    page += b" /Resources << /Font << /F 6 0 R >> >> >>"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>",
        page % b"/Contents 8 0 R",
        page % (b"/Contents 7 0 R" if indirect else b"/Contents " + contents),
        b"<< %s/Length %d >>\nstream\n%s\nendstream" % (entries, len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        contents,
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(text), text),
    ]
    numbered = [b"%d 0 obj\n%s\nendobj\n" % pair for pair in enumerate(objects, 1)]
    return b"%PDF-1.4\n" + b"".join(numbered) + b"trailer << /Root 1 0 R >>\n%%EOF\n"


@pytest.mark.parametrize("how", [{}, {"indirect": True}, {"packed": True}], ids=str)
def test_page_whose_contents_are_too_large_is_not_called_empty(how: dict[str, bool]) -> None:
    document = read(repeated(220, blank=True, **how))
    assert paragraphs(document) == ["Water runs down the hill."]
    found = left_out(document, "pages that are too large")
    assert (found.pages, found.missed) == ((2,), True)
    whole = read(repeated(2, **how))
    assert whole.reading.complete


def test_file_of_such_pages_alone_says_what_is_wrong() -> None:
    error = refusal(repeated(220, blank=True).replace(b"/Contents 8 0 R", b""))
    assert error.message == (
        "This PDF cannot be read: the contents of a page unpack to more than 200\u202fMB."
    )
    assert error.remedy == "Print it to a new PDF, and open that."


def test_of_a_long_file_without_words_it_is_said_how_many_pages_were_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reach, "MOST_PAGES", 3)
    data = pdf_maker.joined([pdf_maker.drawn(lambda canvas: None)] * 7)
    assert refusal(data).message == (
        "This PDF contains no text: there are no words on the first 3 of its 7 pages."
    )


def test_pages_are_read_while_time_and_memory_last(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = iter([0.1, 0.3, 0.5])
    monkeypatch.setattr(reach, "share_taken", lambda: next(taken))
    document = read(pdf_maker.long_report(pages=60, words=600))
    assert document.reading.of_pages == 3
    assert (
        "the rest would take more time or memory than a document may" in (document.reading.notes[0])
    )


def test_page_of_too_many_characters_is_cut_and_said() -> None:
    line = "x" * 999
    data = pdf_maker.lines_at([(10, 3.0 * row, line) for row in range(1, 261)], size=1.0)
    document = read(data)
    cut = left_out(document, "characters of crowded pages")
    assert (cut.pages, cut.missed) == ((1,), True)
    assert 199_000 < document.text.count("x") <= 200_000


def test_two_files_are_read_at_once_in_two_threads() -> None:
    data = pdf_maker.long_report(6, 1500)
    texts: list[str] = []
    threads = [threading.Thread(target=lambda: texts.append(read(data).text)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert texts[0] == texts[1] == read(data).text


_SAMPLE = pdf_maker.long_report(2, 200)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.tuples(st.integers(0, len(_SAMPLE) - 1), st.binary(min_size=1, max_size=9)),
        min_size=1,
        max_size=8,
    ),
    st.integers(len(_SAMPLE) // 3, len(_SAMPLE)),
)
def test_damage_never_ends_in_anything_but_a_document_or_a_sentence(
    wounds: list[tuple[int, bytes]], length: int
) -> None:
    data = bytearray(_SAMPLE)
    for at, piece in wounds:
        data[at : at + len(piece)] = piece
    try:
        assert read(bytes(data[:length])).text
    except EpitomeError as error:
        assert error.message and error.remedy
