"""Real sources to summarise, read by one process beside the tests."""

from pathlib import Path

import pytest

from core.jobs.pool import choice

SENTENCES = (
    "The separator of the cell is cast directly onto the cathode.",
    "Lithium metal reduces sulphide electrolytes when the two are in contact.",
    "A layer of lithium nitride between the two stops this reaction.",
    "The layer is grown by exposing the lithium foil to dry nitrogen.",
    "Below thirty nanometres the layer is not continuous, and dendrites were seen.",
    "Above eighty nanometres its resistance is more than the cell can bear.",
    "Cells that were built with the layer kept most of their capacity after a year.",
    "Cells without the layer lost a third of their capacity in the same time.",
)


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """A Markdown file of eight sentences under two headings."""
    path = tmp_path / "report.md"
    first, second = " ".join(SENTENCES[:4]), " ".join(SENTENCES[4:])
    path.write_text(f"# A lithium cell\n\n{first}\n\n## Results\n\n{second}\n", "utf-8")
    return path


@pytest.fixture
def folder(tmp_path: Path, report: Path) -> Path:
    """A folder with three sources, one of them damaged, and a picture."""
    folder = tmp_path / "papers"
    (folder / "deep").mkdir(parents=True)
    (folder / "a.md").write_bytes(report.read_bytes())
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 nothing more")
    (folder / "deep" / "b.txt").write_text(" ".join(SENTENCES), "utf-8")
    (folder / "picture.png").write_bytes(b"\x89PNG")
    return folder


@pytest.fixture(autouse=True)
def one_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has one process read the sources of a batch where no other number is typed."""
    monkeypatch.setattr(choice, "usable_cores", lambda: 1)
