"""The samples that ship are those that the command makes, and are of the promised size."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import docx
import pypdfium2
import pytest

from core.distribution.resources import resource
from core.documents.document import count_words

COMMAND = Path(__file__).parents[2] / "packaging" / "make_samples.py"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("samples")
    subprocess.run([sys.executable, COMMAND, folder], check=True)
    return folder


def _pdf_text(path: Path) -> list[str]:
    document = pypdfium2.PdfDocument(path)
    try:
        return [page.get_textpage().get_text_range() for page in document]
    finally:
        document.close()


def _docx_text(path: Path) -> list[str]:
    lines = docx.Document(str(path)).paragraphs
    return [f"{line.style.name}: {line.text}" for line in lines if line.style]


@pytest.mark.parametrize(
    ("name", "text_of"), [("patent.pdf", _pdf_text), ("report.docx", _docx_text)]
)
def test_shipped_samples_are_what_the_command_makes(
    made: Path, name: str, text_of: Callable[[Path], list[str]]
) -> None:
    assert text_of(resource("samples", name)) == text_of(made / name)


@pytest.mark.parametrize("name", ["patent.pdf", "report.docx", "article.md"])
def test_samples_have_1500_to_6000_words_and_say_that_they_are_invented(name: str) -> None:
    path = resource("samples", name)
    readers = {".pdf": _pdf_text, ".docx": _docx_text}
    read = readers.get(path.suffix)
    text = "\n".join(read(path)) if read else path.read_text("utf-8")
    assert 1500 <= count_words(text) <= 6000
    assert "the facts are invented" in text
