"""Says what can be known of a file that could not be read."""

from pathlib import Path

from core.storage.regular_files import read_regular

MAX_PDF_BYTES = 200_000_000
"""A larger PDF is described without being opened."""


def describe_file(path: Path) -> list[tuple[str, str]]:
    """Describes a file, and a PDF as far as a locked one can be read.

    Args:
        path: The file.

    Returns:
        Names and values.
    """
    from core.documents.facts import file_facts

    facts = file_facts(path)
    named = [
        ("File", facts.name),
        ("Folder", facts.folder),
        ("Size", facts.size),
        ("Format", facts.format),
        *_describe_pdf(path),
    ]
    return [(name, value) for name, value in named if value]


def _describe_pdf(path: Path) -> list[tuple[str, str]]:
    from core.documents.readers.pdf import pdf_facts

    try:
        if path.suffix.lower() != ".pdf" or path.stat().st_size > MAX_PDF_BYTES:
            return []
        facts = pdf_facts(read_regular(path, MAX_PDF_BYTES))
    except OSError:
        return []
    made = ", ".join(part for part in (facts.producer, facts.date) if part)
    return [
        ("Pages", str(facts.pages or "")),
        ("Protection", facts.protection),
        ("Made with", made),
    ]
