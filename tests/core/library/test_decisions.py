"""Decisions about summaries are found again by the content of the document."""

import json
from pathlib import Path

import pytest

from core.library.decisions import MOST_DOCUMENTS, Decisions, DecisionsFile

SHA = "5e" * 32


@pytest.fixture
def file(tmp_path: Path) -> DecisionsFile:
    return DecisionsFile(tmp_path / "decisions.json")


def test_what_was_kept_is_found_by_the_content_of_the_document(file: DecisionsFile) -> None:
    kept = Decisions(SHA, "5s", pinned=(120, 7), dropped=(3,), replaced=(900,), language="de")
    file.keep(kept)
    found = DecisionsFile(file.file).find(SHA)
    assert found is not None
    assert (found.length, found.pinned, found.dropped) == ("5s", (120, 7), (3,))
    assert (found.replaced, found.language) == ((900,), "de")
    assert found.saved
    assert file.find("00" * 32) is None


def test_a_reference_is_kept_with_its_document(file: DecisionsFile) -> None:
    reference = "The pump stops.\n“Noch ein Satz”, sagt sie."
    file.keep(Decisions(SHA, reference=reference))
    found = DecisionsFile(file.file).find(SHA)
    assert found is not None and found.reference == reference
    file.keep(Decisions(SHA, reference=""))
    assert file.find(SHA) is None


def test_what_older_programs_kept_is_still_found(file: DecisionsFile) -> None:
    file.keep(Decisions(SHA, "5s", pinned=(7,)))
    values = json.loads(file.file.read_text("utf-8"))
    del values["documents"][0]["reference"]
    file.file.write_text(json.dumps(values), "utf-8")
    found = file.find(SHA)
    assert found is not None and found.pinned == (7,) and found.reference == "" and not file.note


def test_a_document_without_a_hash_is_never_found(file: DecisionsFile) -> None:
    file.keep(Decisions("", "5s"))
    assert file.find("") is None


def test_decisions_that_were_all_taken_back_are_forgotten(file: DecisionsFile) -> None:
    file.keep(Decisions(SHA, pinned=(1,)))
    file.keep(Decisions(SHA))
    assert file.find(SHA) is None
    assert json.loads(file.file.read_text("utf-8"))["documents"] == []


def test_only_the_newest_documents_are_kept(file: DecisionsFile) -> None:
    for number in range(MOST_DOCUMENTS + 3):
        file.keep(Decisions(str(number), "5s"))
    assert file.find("2") is None
    assert file.find("3") is not None
    assert file.find(str(MOST_DOCUMENTS + 2)) is not None


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b"[]",
        b'{"documents": [{"sha256": 5, "pinned": [], "dropped": [], "replaced": []}]}',
        b'{"documents": [{"sha256": "a", "pinned": [-1], "dropped": [], "replaced": []}]}',
        b'{"documents": [{"sha256": "a", "length": "very long", "pinned": [], "dropped": [], '
        b'"replaced": []}]}',
        b'{"documents": [{"sha256": "a", "language": "xx", "pinned": [], "dropped": [], '
        b'"replaced": []}]}',
        b'{"documents": [{"sha256": "a", "saved": "once", "pinned": [], "dropped": [], '
        b'"replaced": []}]}',
        b'{"documents": [{"sha256": "a", "reference": ["x"], "pinned": [], "dropped": [], '
        b'"replaced": []}]}',
    ],
)
def test_a_damaged_file_is_set_aside_and_said(file: DecisionsFile, content: bytes) -> None:
    file.file.write_bytes(content)
    assert file.find("a") is None
    assert "The file of pins and drops" in file.note
    assert "summaries start fresh" in file.note
    assert [path.read_bytes() for path in file.file.parent.glob("decisions*")] == [content]
    file.keep(Decisions("a", "5s"))
    assert file.find("a") is not None


def test_clearing_forgets_all_documents(file: DecisionsFile) -> None:
    file.keep(Decisions(SHA, "5s"))
    file.clear()
    assert file.find(SHA) is None
