"""Documents of all formats that a trial reads: the samples, and others with the same text."""

import json
import shutil
import sys
from html import escape
from pathlib import Path

from installers.trying import ROOT

sys.path.insert(0, str(ROOT))

from tests.helpers import odt_files, pptx_files, word_files
from tests.helpers.epub_files import epub_file

SAMPLES = ROOT / "resources" / "samples"


def make_documents(folder: Path) -> list[Path]:
    """Writes documents of every format but pictures into a folder; gives them by name.

    Their names and texts have letters that no code page has together.
    """
    text = (SAMPLES / "article.md").read_text("utf-8")
    blocks = [" ".join(block.split()) for block in text.split("\n\n")]
    prose = [block for block in blocks if block[:1].isalpha()]
    prose.insert(1, "Ångström’s “pump” costs 5 € – Αθήνα, Москва and 東京 agreed to pay in 2024.")
    paragraphs = [escape(each, quote=False) for each in prose]
    page = "".join(f"<p>{each}</p>" for each in paragraphs)
    plain = "\n\n".join(prose)
    made = {
        "ändern.txt": plain.encode(),
        "utf-16.txt": plain.encode("utf-16"),
        "page.html": f"<html><body><main><h1>Pumps</h1>{page}</main></body></html>".encode(),
        "book.epub": epub_file({"one": f"<h1>Pumps</h1>{page}"}),
        "letter.docx": word_files.word_file("".join(map(word_files.paragraph, paragraphs))),
        "report.odt": odt_files.odt_file("".join(map(odt_files.paragraph, paragraphs))),
        "slides.pptx": pptx_files.pptx_file(
            *(pptx_files.Slide(pptx_files.shape(each)) for each in paragraphs)
        ),
        "note.rtf": rb"{\rtf1\ansi\uc0 " + b"".join(map(_rich, prose)) + b"}",
        "mail.eml": f"From: a@example.org\nSubject: Pumps\nContent-Type: text/plain; "
        f"charset=utf-8\n\n{plain}\n".encode(),
        "table.csv": ("id,text\n" + "".join(f'{n},"{t}"\n' for n, t in enumerate(prose))).encode(),
        "table.json": json.dumps([{"id": n, "text": t} for n, t in enumerate(prose)]).encode(),
        "page.mhtml": b"MIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\n"
        b"Snapshot-Content-Location: https://example.org\n\n"
        + f"<html><body><main><h1>Pumps</h1>{page}</main></body></html>".encode(),
        "notes.rst": f"Pumps\n=====\n\n{plain}\n".encode(),
    }
    for name, data in made.items():
        (folder / name).write_bytes(data)
    for sample in SAMPLES.iterdir():
        shutil.copy(sample, folder)
    return sorted(folder.iterdir())


def _rich(text: str) -> bytes:
    """A paragraph of an RTF file."""
    return (
        b"".join(
            letter.encode() if letter.isascii() else b"\\u%d " % ord(letter) for letter in text
        )
        + b"\\par\n"
    )
