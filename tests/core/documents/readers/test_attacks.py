"""Files that repeat, nest or inflate one element end as a document or in words, in linear work.

What is counted is bytecodes, not seconds: twice as much of an element may take twice as many.
Files with as much of it as does harm are tried by `tests/benchmarks/fuzz.py`.
"""

import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from core.data import tables
from core.data.tables import open_table
from core.documents import budget
from core.documents.budget import OVER
from core.documents.readers import main_text, markup
from core.documents.readers.main_text import _is_extractable
from core.documents.readers.markup import _has_crowded_tag
from core.errors import EpitomeError
from tests.helpers.attacks import ATTACKS, packed_table, with_false_size
from tests.helpers.odt_files import odt_file
from tests.helpers.reader_checks import check_spans, read, texts
from tests.helpers.word_files import paragraph, word_file

_MOST_GROWTH = 3


def _made(name: str, size: int) -> bytes:
    return ATTACKS[name].make(size)


def _end(name: str, data: bytes) -> str:
    """How reading ends: "read", or the error's kind."""
    try:
        check_spans(read(data, f"a{ATTACKS[name].suffix}"))
    except EpitomeError as error:
        assert error.message and error.remedy
        return error.kind or "refused"
    return "read"


@pytest.mark.parametrize("name", [name for name, attack in ATTACKS.items() if not attack.few])
def test_each_ends_as_a_document_or_in_words(name: str) -> None:
    """Those with few of an element end so in `test_work_grows_with_the_file_and_no_faster`."""
    _end(name, _made(name, ATTACKS[name].most))


def _steps(work: Callable[[], Any]) -> int:
    """How many bytecodes are executed."""
    count = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        count += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("name", [name for name, attack in ATTACKS.items() if attack.few])
def test_work_grows_with_the_file_and_no_faster(name: str) -> None:
    files = [_made(name, times * ATTACKS[name].few) for times in (1, 2, 4)]
    _end(name, files[0])  # what is imported and compiled once does not count
    once, twice, four_times = (_steps(lambda data=data: _end(name, data)) for data in files)
    assert four_times - twice < _MOST_GROWTH * max(1_000, twice - once)  # 2 is linear, 4 a square


def test_a_part_is_unpacked_no_further_than_its_entry_states() -> None:
    data = with_false_size("word/document.xml", 30_000_000, zipfile.ZIP_DEFLATED, 1_000)
    with pytest.raises(EpitomeError, match="is damaged and cannot be unpacked"):
        read(data, "a.docx")
    for packing in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        data = with_false_size("word/document.xml", 1_000_000, packing, 1_000)
        with pytest.raises(EpitomeError, match="packed by a method that documents do not use"):
            read(data, "a.docx")


def test_a_footnote_is_read_once_however_often_it_is_cited() -> None:
    cite = '<w:p><w:r><w:t>See</w:t><w:footnoteReference w:id="{}"/></w:r></w:p>'
    note = '<w:footnote w:id="{}">{}</w:footnote>'
    notes = note.format(1, paragraph("One") + cite.format(2)) + note.format(2, paragraph("Two"))
    document = read(word_file(cite.format(1) * 3 + cite.format(2), footnotes=notes), "a.docx")
    assert texts(document) == ["See", "One See", "Two", "See", "See", "See"]


def test_an_object_is_read_once_wherever_it_stands() -> None:
    part = ATTACKS["odt_object_in_itself"].make(3)
    document = read(part, "a.odt")
    assert len(texts(document)) == 4


@pytest.mark.parametrize(
    ("limit", "most", "what"),
    [
        ("MOST_CHARACTERS", 2_000, "has more than 2\u202f000 characters of text"),
        ("MOST_PARAGRAPHS", 30, "has more than 30 paragraphs"),
        ("MOST_TAGS", 200, "has more than 200 tags"),
        ("MOST_UNPACKED_BYTES", 3_000, "unpacks to more than 3.0\u202fkB"),
    ],
)
def test_a_document_over_a_budget_is_told_which(
    monkeypatch: pytest.MonkeyPatch, limit: str, most: int, what: str
) -> None:
    words = paragraph("The pump draws water from the basin.")
    whole = word_file(words * 100)
    assert len(texts(read(whole, "a.docx"))) == 100
    monkeypatch.setattr(budget, limit, most)
    with pytest.raises(EpitomeError) as caught:
        read(whole, "a.docx")
    assert caught.value.message == (f"“a.docx” {what}, which is the most that a document can have.")
    assert caught.value.remedy == "Split it into smaller files, and open them one by one."
    assert caught.value.kind == OVER


def test_notes_that_multiply_end_at_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "MOST_CHARACTERS", 100_000)
    assert _end("docx_long_list_text", _made("docx_long_list_text", 2_000)) == OVER
    assert _end("fodt_long_prefix", _made("fodt_long_prefix", 2_000)) == OVER
    assert _end("rst_substitutions", _made("rst_substitutions", 2_000)) == OVER


@pytest.mark.parametrize(
    ("name", "size"), [("rtf_cells", 200), ("rtf_paragraphs", 200), ("html_table_cells", 2)]
)
def test_paragraphs_are_counted_while_they_are_made(
    monkeypatch: pytest.MonkeyPatch, name: str, size: int
) -> None:
    monkeypatch.setattr(markup, "MOST_TAGS", 10)  # so that cells of a page are its paragraphs
    data = _made(name, size)
    _end(name, data)  # what is imported and compiled once does not count
    whole = _steps(lambda: _end(name, data))
    monkeypatch.setattr(budget, "MOST_PARAGRAPHS", 50)
    assert _end(name, data) == OVER
    assert _steps(lambda: _end(name, data)) < whole / 2


def test_a_page_is_walked_once_and_so_is_each_of_its_tables(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(main_text, "_MOST_ELEMENTS", 0)  # the extractor looks for itself
    looked: list[int] = []
    seen = markup._name
    monkeypatch.setattr(markup, "_name", lambda element: looked.append(0) or seen(element))
    rows, columns = 20, 50
    row = f"<tr>{'<td>1' * columns}</tr>"
    read(f"<p>{'Some words of a page. ' * 9}</p><table>{row * rows}</table>", "a.html")
    assert len(looked) < 2.5 * rows * columns  # each cell as part of the table, and of its row


def test_a_budget_is_never_taken_for_a_missing_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "MOST_UNPACKED_BYTES", 2_000)
    for name in ("pptx_shared_notes", "epub_navigation_repeated"):
        assert _end(name, _made(name, 2)) == OVER
    assert _end("odt_paragraphs", odt_file("<text:p>a</text:p>" * 200)) == OVER


def test_many_attributes_are_seen_and_long_ones_are_not_mistaken() -> None:
    crowded = ATTACKS["html_attributes"].make(6_000).decode()
    assert _has_crowded_tag(crowded)
    picture = f"<img src=\"data:{'x y ' * 9_000}\" alt='a > b'>"
    script = f"<script>if (a<b) {{ c = ' }}{'d e ' * 9_000}</script>"
    assert not _has_crowded_tag(f"<!-- <a {'b ' * 9_000} -->{script}{picture}<p>Words.</p>")


def test_the_extractor_is_given_no_long_runs_of_short_blocks_and_no_huge_tables() -> None:
    from core.documents.document import Block

    short, long = Block("word"), Block("word " * 40)
    assert _is_extractable([short] * 5_000 + [long] + [short] * 4_000, 100_000)
    assert not _is_extractable([short] * 5_001, 5_001)
    assert not _is_extractable([long] * 10_001, 10_001)
    assert not _is_extractable([long], 100_001)


@pytest.mark.parametrize("suffix", [".jsonl.gz", ".csv.bz2", ".csv.xz"])
def test_a_packed_table_unpacks_no_line_without_end(
    suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "MOST_LINE_BYTES", 10_000)
    path = tmp_path / f"a{suffix}"
    path.write_bytes(packed_table(3_000_000, suffix))
    with pytest.raises(EpitomeError, match="a line is longer than 10\u202fkB"):
        list(open_table(path)[1])
