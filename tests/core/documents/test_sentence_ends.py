"""Ends of sentences, language by language: abbreviations, citations, times, lists, quotations."""

from collections import defaultdict
from pathlib import Path

import pytest

from core.documents.document import Block, Document, Source
from core.documents.sentences import split_document, split_paragraph
from core.events import result_of
from core.stop import StopToken
from tests.helpers.labelled_sentences import FOLDER

GOLDEN = FOLDER / "golden"


def _read(path: Path) -> list[tuple[str, str, str]]:
    """Language, deviation and marked text of each line."""
    lines = path.read_text("utf-8").splitlines()
    fields = (line.split("|", 2) for line in lines if not line.startswith("#"))
    return [
        (code, why, marked.replace("\\n", "\n").replace("\\\\", "\\"))
        for code, why, marked in fields
    ]


ENDS = _read(GOLDEN / "ends.txt")
PYSBD: dict[str, list[tuple[str, str]]] = defaultdict(list)
for _code, _why, _marked in _read(GOLDEN / "pysbd.txt"):
    PYSBD[_code].append((_why, _marked))


def _sentences(marked: str, code: str) -> list[str]:
    text = marked.replace("║", "")
    return [" ".join(text[a:b].split()) for a, b in split_paragraph(text, code)]


def _expected(marked: str) -> list[str]:
    return [" ".join(part.split()) for part in marked.split("║")]


@pytest.mark.parametrize(("code", "_", "marked"), ENDS, ids=lambda value: value[:40])
def test_a_sentence_ends_where_its_language_has_it_end(code: str, _: str, marked: str) -> None:
    assert _sentences(marked, code) == _expected(marked)


@pytest.mark.parametrize("code", PYSBD)
def test_golden_rules_hold_but_for_named_deviations(code: str) -> None:
    for why, marked in PYSBD[code]:
        holds = _sentences(marked, code) == _expected(marked)
        assert holds is not bool(why), (why, _sentences(marked, code))


def test_each_deviation_from_the_golden_rules_has_its_reason() -> None:
    head = (GOLDEN / "pysbd.txt").read_text("utf-8").partition("\nam|")[0]
    used = {why for cases in PYSBD.values() for why, _ in cases if why}
    assert all(f"{why}: " in head for why in used)
    assert sum(bool(why) for cases in PYSBD.values() for why, _ in cases) <= 26


def test_a_citation_of_law_is_no_sentence_of_a_document() -> None:
    text = (
        "The tenant asks the court to dismiss the claim for rent. A claim is dismissed under Fed."
        " R. Civ. P. 12(b)(6) where the facts do not show a right to relief. The rule was stated in"
        " Brown v. Green, 129 S. Ct. 1937 (2009), and in Black v. White, 12 F. Supp. 2d 345"
        " (S.D.N.Y. 1998). The author of 78 Harv. L. Rev. 1 (1964) says the same of Pub. L. No."
        " 104-191, 110 Stat. 1936."
    )
    document = Document.from_blocks([Block(text)], title="", source=Source("test"))
    found = result_of(split_document(document, StopToken())).texts(document.text)
    assert [sentence.split()[0] for sentence in found] == ["The", "A", "The", "The"]
