"""PDFs made with known text: what comes out is that text, in order, and nothing is silent."""

import threading

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.documents.document import Document, Kind, LeftOut, Source
from core.documents.readers.pdf import pdf_facts, read_pdf
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
    error = refusal(pdf_maker.scan(17))
    assert error.message == "This PDF contains no text: all of its 17 pages are pictures."
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
        "Reading ended at page 1\u202f001 of 900\u202f000: "
        "the last 1\u202f000 pages could not be opened.",
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
