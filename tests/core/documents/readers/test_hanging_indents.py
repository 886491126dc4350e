"""Entries whose first line stands out, and paragraphs whose first line is indented."""

import textwrap

import pytest

from tests.core.documents.readers.test_hard_wrapped import ENGLISH, GERMAN, RUSSIAN
from tests.helpers.reader_checks import read, texts

ENTRIES = (
    "Kern, A. (2019). The bridges of the river and those who built them in the years of the war. "
    "Oldbridge University Press.",
    "Holt, M., & Weiss, P. (2021). A survey of roofs. Journal of Slates, 12(3), 44-59.",
    "Rossi, L. (2020). On the measuring of pillars under water by means of sound, with two "
    "appendices. Newport.",
    "Berg, J. (1998). Boats and nets. Harbourville: Quay Press.",
)
GLOSSARY = (
    "basin: the part of a harbour that a lock parts from the sea, so that boats float in it at "
    "any hour of the day",
    "quay: a wall at which boats lie, built of stone or of timber, in older towns with iron rings "
    "for the ropes",
    "slate: a stone that splits into thin plates and covers the roofs of the town",
)
NOTES = tuple(f"Anna Kern {number}. {text}" for number, text in enumerate(ENGLISH, 1))


@pytest.mark.parametrize("entries", [ENTRIES, GLOSSARY, NOTES, GERMAN, RUSSIAN])
@pytest.mark.parametrize("width", [60, 72, 82])
@pytest.mark.parametrize("hang", ["  ", "    ", "        "])
def test_entries_with_hanging_indents_stay_whole(
    entries: tuple[str, ...], width: int, hang: str
) -> None:
    text = "\n".join(textwrap.fill(entry, width, subsequent_indent=hang) for entry in entries)
    assert texts(read(text, "entries.txt")) == list(entries)
    tabs = text.replace("        ", "\t")
    assert texts(read(tabs, "entries.txt")) == list(entries)
    prose = textwrap.fill(ENGLISH[0], width)
    found = texts(read(f"{prose}\n\n{text}\n\n{prose}\n", "entries.txt"))
    assert found == [ENGLISH[0], *entries, ENGLISH[0]]


@pytest.mark.parametrize("paragraphs", [ENGLISH, GERMAN, RUSSIAN])
@pytest.mark.parametrize("width", range(48, 80, 5))
def test_paragraphs_with_indented_first_lines_stay_whole(
    paragraphs: tuple[str, ...], width: int
) -> None:
    first, *rest = paragraphs
    lines = [textwrap.fill(first, width)]
    lines += [textwrap.fill(text, width, initial_indent="    ") for text in rest]
    assert texts(read("\n".join(lines), "typed.txt")) == list(paragraphs)
    lines[0] = textwrap.fill(first, width, initial_indent="    ")
    assert texts(read("\n".join(lines), "typed.txt")) == list(paragraphs)


@pytest.mark.parametrize(
    "text",
    [
        "Monday\n  soup of the day\n  bread\nTuesday\n  fish with rice\n  cake\n",
        "Soup of the day with fresh bread\n  A clear soup of carrots and peas\n"
        "Fish with rice and a green salad\n  Fresh from the boats of the quay\n",
    ],
)
def test_short_lines_below_others_stay_apart(text: str) -> None:
    assert texts(read(text, "menu.txt")) == [line.strip() for line in text.splitlines()]
