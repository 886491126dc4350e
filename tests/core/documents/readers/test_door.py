"""The door: what a file is, and a clear sentence for each that cannot be read."""

import errno
import os
import socket
import subprocess
import sys
import zipfile
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest

from core.documents.document import Block, Document, LeftOut, Source, count_words
from core.documents.facts import file_facts
from core.documents.readers import door, failures
from core.documents.readers.door import check_enough, formats, read_bytes, read_file
from core.documents.readers.formats import FORMATS, TEXT, Format, list_formats
from core.errors import EpitomeError
from core.events import Progress, Steps, result_of
from core.stop import Stopping, StopToken
from tests.helpers.pptx_files import Slide, picture, pptx_file, shape
from tests.helpers.reader_checks import read, read_path, real_file, texts
from tests.helpers.word_files import paragraph, word_file

_WORDS = "The pump draws water from the lower basin and lifts it into the upper one. " * 3
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 504


def _refusal(path: Path) -> EpitomeError:
    with pytest.raises(EpitomeError) as caught:
        read_path(path)
    error = caught.value
    for sentence in (error.message, error.remedy):
        assert sentence.endswith(".") and sentence[0] in "“" + sentence[0].upper()
    return error


def _saved(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def _zip(**parts: bytes) -> bytes:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in parts.items():
            file.writestr(name, data)
    return packed.getvalue()


def test_missing_file(tmp_path: Path) -> None:
    error = _refusal(tmp_path / "gone.txt")
    assert error.message == f"There is no file “gone.txt” in {tmp_path}."
    assert "moved or renamed" in error.remedy
    assert "no file" in _refusal(tmp_path / "a\0b.txt").message


def test_a_file_as_a_folder_is_missing(tmp_path: Path) -> None:
    _saved(tmp_path, "a.txt", b"x")
    assert "There is no file “b.txt”" in _refusal(tmp_path / "a.txt" / "b.txt").message


def test_file_that_vanishes_before_it_is_read(tmp_path: Path) -> None:
    path = _saved(tmp_path, "a.txt", _WORDS.encode())
    steps = read_file(path, StopToken())
    next(steps)
    path.unlink()
    with pytest.raises(EpitomeError, match="disappeared while it was being read") as caught:
        list(steps)
    assert "disk is still connected" in caught.value.remedy


def test_file_that_is_cut_while_it_is_read(tmp_path: Path) -> None:
    path = _saved(tmp_path, "a.txt", b"words " * 2_000_000)
    steps = read_file(path, StopToken())
    next(steps), next(steps)
    os.truncate(path, 5_000_000)
    with pytest.raises(EpitomeError, match="changed while it was being read"):
        list(steps)


@pytest.mark.skipif(sys.platform != "linux", reason="the file of a system that refuses root too")
def test_a_file_that_the_system_refuses() -> None:
    error = _refusal(Path("/proc/self/mem"))
    assert "cannot be read (" in error.message
    assert "Copy it" in error.remedy


def test_no_permission(tmp_path: Path) -> None:
    path = _saved(tmp_path, "locked.txt", _WORDS.encode())
    path.chmod(0)
    if not os.access(path, os.R_OK):
        assert "You do not have permission to read" in _refusal(path).message
        return
    # Root may read everything; a child that gives its rights up reads the file instead.
    if not hasattr(os, "setuid"):
        pytest.skip("this system lets the owner read the file")
    for folder in (tmp_path, *tmp_path.parents[:3]):
        folder.chmod(0o755)
    code = (
        "import sys\nfrom pathlib import Path\nfrom core.documents.readers.door import read_file\n"
        "from core.errors import EpitomeError\nfrom core.stop import StopToken\nimport os\n"
        "from core.events import result_of\nos.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
        "try:\n    result_of(read_file(Path(sys.argv[1]), StopToken()))\n"
        "except EpitomeError as error:\n    print(error.message, '|', error.remedy)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        cwd=Path(__file__).parents[4], capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert ended.stdout.strip() == (
        "You do not have permission to read “locked.txt”. | "
        "Ask its owner for permission, or copy it to a folder of your own."
    )


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.EPERM, "not have permission"),
        (errno.ESTALE, "disappeared"),
        (errno.ENAMETOOLONG, "too long"),
        (errno.EIO, "cannot be read ("),
    ],
)
def test_reasons_of_the_system_in_words(number: int, words: str) -> None:
    assert words in failures.not_opened("a.txt", OSError(number, os.strerror(number))).message


def test_folder(tmp_path: Path) -> None:
    assert "is a folder, not a file" in _refusal(tmp_path).message


def test_devices_pipes_and_sockets(tmp_path: Path) -> None:
    assert "not a regular file" in _refusal(Path(os.devnull)).message
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.txt")
        assert "not a regular file" in _refusal(tmp_path / "pipe.txt").message
    if hasattr(socket, "AF_UNIX"):
        with socket.socket(socket.AF_UNIX) as plug:
            plug.bind(os.path.relpath(tmp_path / "s"))
            assert "not a regular file" in _refusal(tmp_path / "s").message


def test_endless_link(tmp_path: Path) -> None:
    (tmp_path / "a.txt").symlink_to(tmp_path / "a.txt")
    assert "“a.txt”" in _refusal(tmp_path / "a.txt").message


def test_empty_and_blank_files(tmp_path: Path) -> None:
    assert "is empty (0 bytes)" in _refusal(_saved(tmp_path, "a.txt", b"")).message
    for name in ("a.txt", "a.md", "a.html"):
        assert "contains no words" in _refusal(_saved(tmp_path, name, b" \n\t ...\n")).message
    assert "contains no words" in _refusal(_saved(tmp_path, "a.docx", word_file(""))).message


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"RIFF\0\0\0\0WEBP" + bytes(40), "a picture (WebP)"),
        (b"GIF89a" + bytes(40), "a picture (GIF)"),
        (b"\x7fELF\x02" + bytes(60), "a program"),
        (b"MZ" + bytes(200), "a program"),
        (b"\0\0\0\x20ftypisom" + bytes(40), "a video"),
        (b"\x1aE\xdf\xa3" + bytes(40), "a video"),
        (b"ID3\x04" + bytes(40), "a sound recording"),
        (b"\x1f\x8b\x08" + bytes(40), "a packed archive (gzip)"),
        (b"Rar!\x1a\x07\x01" + bytes(40), "a packed archive (RAR)"),
        (b"SQLite format 3\0" + bytes(40), "a database (SQLite)"),
        (b"%!PS-Adobe-3.0\n", "a PostScript file"),
        (_zip(**{"a.txt": b"words"}), "a packed archive (zip)"),
        (_zip(**{"xl/workbook.xml": b"<a/>"}), "an Excel workbook (.xlsx)"),
        (
            _zip(**{"mimetype": b"application/x-idml", "META-INF/container.xml": b"<a/>"}),
            "a packed archive (zip)",
        ),
        (_OLE + "WordDocument".encode("utf-16-le"), "an old Word file (.doc)"),
        (_OLE + "Workbook".encode("utf-16-le"), "an old Excel workbook (.xls)"),
        (
            _OLE + "PowerPoint Document".encode("utf-16-le"),
            "an old PowerPoint presentation (.ppt)",
        ),
        (b'<?xml version="1.0"?>\n<data><a>words</a></data>', "an XML file"),
    ],
)
def test_other_formats_are_named_whatever_the_file_is_called(
    tmp_path: Path, data: bytes, words: str
) -> None:
    error = _refusal(_saved(tmp_path, "report.txt", data))
    assert f"“report.txt” is {words}" in error.message
    assert f"only {list_formats()} can be read" in error.message


def test_an_archive_whose_directory_lies_about_places(tmp_path: Path) -> None:
    data = bytearray(word_file(paragraph(_WORDS)))
    data[-6:-2] = (int.from_bytes(data[-6:-2], "little") + 900).to_bytes(4, "little")
    assert "is damaged" in _refusal(_saved(tmp_path, "a.docx", bytes(data))).message


@pytest.mark.parametrize(
    ("name", "data", "words", "remedy"),
    [
        ("a.doc", _OLE + "WordDocument".encode("utf-16-le"), "an old Word file (.doc)", ".docx"),
        ("a.doc", _OLE + bytes(900), "an old Word file (.doc)", ".docx"),
        ("a.doc", b"\xdb\xa5-\0" + bytes(900), "an old Word file (.doc)", ".docx"),
        ("a.xls", _OLE + "Workbook".encode("utf-16-le"), "an old Excel workbook (.xls)", ".csv"),
        ("a.ppt", _OLE + bytes(900), "an old PowerPoint presentation (.ppt)", ".pptx"),
        ("a.pages", _zip(**{"Index/Document.iwa": b"x"}), "a Pages, Numbers or Keynote", ".docx"),
        ("a.pages", _zip(**{"Index.zip": b"x"}), "a Pages, Numbers or Keynote", ".docx"),
        ("a.pages", _zip(**{"index.xml": b"x"}), "a Pages, Numbers or Keynote", ".docx"),
        ("a.xlsx", _zip(**{"xl/workbook.xml": b"<a/>"}), "an Excel workbook (.xlsx)", ".csv"),
    ],
)
def test_files_that_cannot_be_read_come_with_the_format_to_save_them_in(
    tmp_path: Path, name: str, data: bytes, words: str, remedy: str
) -> None:
    error = _refusal(_saved(tmp_path, name, data))
    assert f"“{name}” is {words}" in error.message
    assert error.remedy.startswith("Open it in ") and remedy in error.remedy
    assert error.remedy.count(". ") == 0


@pytest.mark.parametrize("text", ["Yes.", "One sentence only, of eight words in all."])
def test_a_short_text_is_read(text: str) -> None:
    document = read(text, "a.txt")
    assert texts(document) == [text]


def test_unknown_rubble_is_binary(tmp_path: Path) -> None:
    data = bytes(range(256)) * 20
    assert "contains binary data" in _refusal(_saved(tmp_path, "a.txt", data)).message


def test_locked_word_file(tmp_path: Path) -> None:
    data = _OLE + "EncryptedPackage".encode("utf-16-le")
    error = _refusal(_saved(tmp_path, "a.docx", data))
    assert "locked with a password" in error.message
    assert "remove the password" in error.remedy


def test_broken_archives(tmp_path: Path) -> None:
    whole = word_file(paragraph(_WORDS))
    cut = _saved(tmp_path, "cut.docx", whole[: len(whole) // 2])
    assert "is damaged and cannot be unpacked" in _refusal(cut).message
    at = whole.index(b"word/document.xml") + 40
    bent = _saved(tmp_path, "bent.docx", whole[:at] + bytes(40) + whole[at + 40 :])
    assert "is damaged" in _refusal(bent).message
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr("word/document.xml", b"<w:document>words</w:document>")
    false = _saved(tmp_path, "false.docx", packed.getvalue().replace(b">words<", b">wrods<"))
    assert "is damaged" in _refusal(false).message
    rubble = _saved(tmp_path, "rubble.docx", _zip(**{"word/document.xml": b"<w:document"}))
    assert "is damaged" in _refusal(rubble).message


def test_zip_bomb_is_refused_before_it_unpacks(tmp_path: Path) -> None:
    path = _saved(tmp_path, "b.docx", _zip(**{"word/document.xml": bytes(60_000_000)}))
    assert path.stat().st_size < 100_000
    error = _refusal(path)
    assert "but would unpack to 60\u202fMB" in error.message
    assert "Open another file" in error.remedy


def test_entities_of_a_word_file_reach_no_other_file(tmp_path: Path) -> None:
    secret = _saved(tmp_path, "secret.txt", b"secret")
    xml = (
        f'<!DOCTYPE d [<!ENTITY e SYSTEM "{secret.as_uri()}"><!ENTITY f "unfolded">]>'
        '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
        "<w:body><w:p><w:r><w:t>Words &e; &f;</w:t></w:r></w:p></w:body></w:document>"
    )
    assert texts(read(_zip(**{"word/document.xml": xml.encode()}), "a.docx")) == ["Words"]


def test_far_too_large_files_are_refused_unread(tmp_path: Path) -> None:
    for name, num_bytes, words in (
        ("a.txt", 300_000_000, "has 300\u202fMB; text files can have up to 50\u202fMB"),
        ("a.pdf", 600_000_000, "has 600\u202fMB; files can have up to 512\u202fMB"),
    ):
        path = _saved(tmp_path, name, b"")
        os.truncate(path, num_bytes)  # a sparse file: it takes no room
        error = _refusal(path)
        assert words in error.message
        assert "Split it" in error.remedy


def test_text_over_the_limit_is_refused_under_any_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FORMATS, "text", replace(FORMATS["text"], limit_bytes=1_000))
    with pytest.raises(EpitomeError, match="text files can have up to 1"):
        read("words " * 1_000, "report.log")


def test_wrong_names_are_read_by_content_and_said(tmp_path: Path) -> None:
    document = read_path(_saved(tmp_path, "a.pdf", word_file(paragraph(_WORDS))))
    assert document.source.format == "docx"
    assert document.reading.notes == (
        "The name ends in .pdf, but the file holds a Word document and was read as such.",
    )
    document = read_path(_saved(tmp_path, "b.docx", _WORDS.encode()))
    assert document.source.format == "text"
    assert "holds plain text" in document.reading.notes[0]


def test_a_pdf_is_a_pdf_whatever_its_name() -> None:
    document = read(real_file("two-column.pdf").read_bytes(), "paper.txt")
    assert document.source.format == "pdf"
    assert "holds a PDF" in document.reading.notes[0]


def test_words_about_a_pdf_are_no_pdf() -> None:
    assert read(f"Each file begins with %PDF-1.7. {_WORDS}", "a.txt").source.format == "text"


def test_locked_pdf_asks_for_its_password() -> None:
    data = real_file("password.pdf").read_bytes()
    with pytest.raises(EpitomeError) as caught:
        read(data, "a.pdf")
    assert caught.value.kind == "password"
    steps = read_bytes(data, "a.pdf", StopToken(), password="openpassword")
    assert result_of(steps).reading.words > 5


def test_source_tells_where_the_document_came_from(tmp_path: Path) -> None:
    path = _saved(tmp_path, "Of pumps.txt", _WORDS.encode())
    document = read_path(path)
    assert document.title == "Of pumps"
    assert document.source.path == str(path)
    assert document.source.size_bytes == len(_WORDS)
    assert len(document.source.sha256) == 64
    assert read(_WORDS, "a.txt").source.path == ""


def test_reading_says_how_far_it_is_and_can_be_cancelled(tmp_path: Path) -> None:
    path = _saved(tmp_path, "a.txt", b"Some words here.\n\n" * 700_000)
    stop = StopToken()
    steps = read_file(path, stop)
    first = next(steps)
    assert first == Progress(0, path.stat().st_size, "bytes", "Opening")
    stop.request("cancel")
    with pytest.raises(Stopping):
        list(steps)


def test_formats_name_what_the_dialog_offers() -> None:
    assert ("PDF", (".pdf",)) in formats()
    assert sum(".docx" in suffixes for _, suffixes in formats()) == 1


def _document(words: int) -> Document:
    return read("word " * words, "a.txt")


def test_enough_words_is_a_floor() -> None:
    check_enough(_document(door.MIN_WORDS))
    with pytest.raises(EpitomeError) as caught:
        check_enough(_document(door.MIN_WORDS - 1))
    assert caught.value.message == (
        "“a.txt” contains 19 words of running text; a summary needs at least 20."
    )


def test_words_of_charts_are_told_where_there_is_no_running_text() -> None:
    document = read("Only three words.", "a.txt")
    charts = LeftOut("charts", "they are pictures", words=994)
    document = replace(document, reading=replace(document.reading, left_out=(charts,)))
    with pytest.raises(EpitomeError) as caught:
        check_enough(document)
    assert caught.value.message == (
        "“a.txt” contains 3 words of running text, and 994 words in charts; "
        "a summary needs at least 20 of running text."
    )


def test_slides_of_pictures_say_how_they_are_recognised() -> None:
    document = read(pptx_file(Slide(shape("It works.")), Slide(picture())), "a.pptx")
    with pytest.raises(EpitomeError, match=r"on its 2 pages \(page 2 without text\)") as caught:
        check_enough(document)
    assert caught.value.remedy == failures.SAVED_AS_PDF


def test_headings_and_code_are_no_running_text() -> None:
    document = read("# One two\n\n```\n" + "code " * 50 + "\n```\n\nThree words here.\n", "a.md")
    with pytest.raises(EpitomeError, match="contains 3 words of running text"):
        check_enough(document)


def test_facts_of_a_file_never_fail(tmp_path: Path) -> None:
    path = _saved(tmp_path, "a.PDF", b"x" * 1_234_000)
    facts = file_facts(path)
    assert (facts.name, facts.folder, facts.size, facts.format) == (
        "a.PDF", str(tmp_path), "1.2\u202fMB", "PDF",
    )  # fmt: skip
    assert file_facts(tmp_path / "gone.xyz").size == ""
    assert file_facts(Path("a\0b")).format == ""


def test_readers_are_imported_only_when_wanted() -> None:
    code = (
        "import sys, core.documents.readers.door\n"
        "late = {'lxml', 'trafilatura', 'markdown_it', 'charset_normalizer', 'pypdfium2', 'docx',\n"
        "        'ftfy'}\n"
        "print(sorted(late & set(sys.modules)))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parents[4], capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert ended.stdout.strip() == "[]"


def test_paragraphs_of_real_text_come_through_the_door() -> None:
    assert texts(read(_WORDS, "a")) == [_WORDS.strip()]


def test_chinese_and_japanese_are_counted_by_character() -> None:
    assert count_words("湿地是城市里最容易被忽视的生态系统。") == 17
    assert count_words("Rust は速い。2015年 ok") == 1 + 3 + 2 + 1


def test_of_thai_five_characters_are_counted_as_a_word() -> None:
    assert count_words("ภาษาไทยไม่มีช่องว่าง") == 4
    assert count_words("รถ 2 คัน ok") == 4
    document = result_of(
        read_bytes("湿地恢复了。鸟类也回来了。".encode() * 3, "a.txt", StopToken())
    )
    check_enough(document)


def test_an_archive_of_very_many_parts_is_told_by_their_number() -> None:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for number in range(20_001):
            archive.writestr(str(number), b"")
    with pytest.raises(EpitomeError) as caught:
        result_of(read_bytes(packed.getvalue(), "a.docx", StopToken()))
    assert "is an archive of 20\u202f001 parts" in caught.value.message


def read_minutes(data: bytes, source: Source, stop: StopToken) -> Steps[Document]:
    """A reader of a format that only this test knows."""
    yield Progress(0, 1, "lines", "Reading")
    blocks = [Block(line) for line in data.decode()[9:].splitlines()]
    return Document.from_blocks(blocks, title="Minutes", source=source)


def test_a_format_is_a_row_and_a_reader(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    row = Format(
        name="minutes",
        one="a file of minutes",
        listed="minutes (.min)",
        suffixes=(".min",),
        reader=f"{__name__}:read_minutes",
        magic=(b"%MINUTES\n",),
    )
    monkeypatch.setitem(sys.modules, __name__, sys.modules[__name__])
    monkeypatch.setitem(FORMATS, "minutes", row)
    document = read_path(_saved(tmp_path, "a.min", b"%MINUTES\n" + _WORDS.encode()))
    assert document.title == "Minutes" and texts(document) == [_WORDS.strip()]
    assert document.source.format == "minutes" and ("minutes", (".min",)) in formats()
    assert "minutes (.min)" in _refusal(_saved(tmp_path, "b.txt", b"\0" * 90)).remedy
    promised = read_path(_saved(tmp_path, "c.min", _WORDS.encode()))
    assert promised.source.format == TEXT
    assert "The name ends in .min" in promised.reading.notes[0]
