"""Says what can be known of a file that could not be read."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.events import Event, Finished
from core.regular_files import read_regular
from core.stop import StopToken

MAX_PDF_BYTES = 200_000_000
"""A larger PDF is described without being opened."""


@dataclass(frozen=True)
class DescribeJob:
    """Looks at a file from outside, and into a PDF as far as a locked one lets itself be seen.

    Args:
        path: The file.
    """

    path: Path

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with names and values, a list of pairs."""
        from core.documents.facts import file_facts

        facts = file_facts(self.path)
        named = [
            ("File", facts.name),
            ("Folder", facts.folder),
            ("Size", facts.size),
            ("Format", facts.format),
            *self._of_pdf(),
        ]
        yield Finished([(name, value) for name, value in named if value])

    def _of_pdf(self) -> list[tuple[str, str]]:
        from core.documents.readers.pdf import pdf_facts

        try:
            if self.path.suffix.lower() != ".pdf" or self.path.stat().st_size > MAX_PDF_BYTES:
                return []
            facts = pdf_facts(read_regular(self.path, MAX_PDF_BYTES))
        except OSError:
            return []
        made = ", ".join(part for part in (facts.producer, facts.date) if part)
        return [
            ("Pages", str(facts.pages or "")),
            ("Protection", facts.protection),
            ("Made with", made),
        ]
