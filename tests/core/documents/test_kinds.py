"""Kinds that the words of a paragraph make plain."""

import pytest

from core.documents.document import Block, Kind
from core.documents.kinds import refine_kinds


def _kinds(*blocks: Block) -> list[Kind]:
    return [block.kind for block in refine_kinds(blocks)]


@pytest.mark.parametrize(
    "text",
    [
        "Figure 3: Yield by year.",
        "Fig. 2a. The pump at night.",
        "Table IV: Sizes of basins",
        "TABLE 1 — Sizes",
        "Listing 15-1: A box",
    ],
)
def test_captions(text: str) -> None:
    assert _kinds(Block(text)) == [Kind.CAPTION]


@pytest.mark.parametrize(
    "text",
    [
        "Figure 3 shows the yield by year.",
        "FIG. 1 is a diagram of the pump.",
        "Table 2 lists all of them.",
        "Fig. 2 and Fig. 3 differ.",
        "Tables are made of wood: 3 of them.",
        "Copyright is a right that authors have had since 1710 and still have.",
        "References are given below.",
        "Permission is granted to build forty houses on the site, to the north of the mill.",
        "Permission to copy the file is taken from whoever does not own it.",
        "This program is distributed with every new machine.",
    ],
)
def test_sentences_that_only_begin_like_one_stay(text: str) -> None:
    assert _kinds(Block(text)) == [Kind.PARAGRAPH]


@pytest.mark.parametrize(
    "text",
    [
        "© 2021 The Mill",
        "Copyright (c) 1999, 2004 by the Mill Gazette. All rights reserved.",
        "All rights reserved.",
        "This page intentionally left blank.",
        "Introduction ........ 3",
        "This work is licensed under a Creative Commons licence.",
        "Permission is granted to copy, distribute and/or modify this document under the terms of"
        " the GNU Free Documentation License, Version 1.3 or any later version.",
        "Permission is hereby granted, free of charge, to any person obtaining a copy of this"
        " software, to deal in it without restriction.",
        "Permission to use, copy, modify, and distribute this manual is granted to everybody.",
        "Redistribution and use in source and binary forms are permitted.",
        "This program is free software; you can redistribute it and/or modify it.",
        "This manual is distributed in the hope that it will be useful.",
    ],
)
def test_boilerplate(text: str) -> None:
    assert _kinds(Block(text)) == [Kind.BOILERPLATE]


def test_entries_under_references_end_with_the_next_heading_of_that_level() -> None:
    head = Kind.HEADING
    blocks = (
        Block("It works [1].", Kind.PARAGRAPH),
        Block("7. References", head, 2),
        Block("[1] A. Mill. Of pumps. 1881.", Kind.PARAGRAPH),
        Block("Books", head, 3),
        Block("Mill, A. (1883). More of pumps.", Kind.LIST_ITEM, 1),
        Block("Appendix", head, 2),
        Block("In 1881 it was built.", Kind.PARAGRAPH),
    )
    assert _kinds(*blocks) == [
        Kind.PARAGRAPH, head, Kind.REFERENCE, head, Kind.REFERENCE, head, Kind.PARAGRAPH,
    ]  # fmt: skip
    assert [block.level for block in refine_kinds(blocks)] == [0, 2, 0, 3, 0, 2, 0]


def test_a_chapter_below_the_level_of_its_contents_keeps_its_short_paragraphs_and_items() -> None:
    contents = [Block("The New Cranes", Kind.LIST_ITEM), Block("Staff", Kind.LIST_ITEM)]
    part = [Block("Part One", Kind.HEADING, 2), Block("The Year", Kind.LIST_ITEM)]
    chapter = [
        Block("The New Cranes", Kind.HEADING, 2),
        Block("They cost three million euros each."),
        Block("the first crane", Kind.LIST_ITEM),
    ]
    blocks = [Block("Contents", Kind.HEADING, 1), *contents, *part, *chapter]
    assert _kinds(*blocks)[3:] == [
        Kind.HEADING, Kind.BOILERPLATE, Kind.HEADING, Kind.PARAGRAPH, Kind.LIST_ITEM,
    ]  # fmt: skip
    assert _kinds(*blocks)[:3] == [Kind.HEADING, Kind.BOILERPLATE, Kind.BOILERPLATE]


def test_a_list_of_contents_is_boilerplate_under_a_heading_or_a_line() -> None:
    items = (Block("Parts", Kind.LIST_ITEM, 1), Block("Use", Kind.LIST_ITEM, 2))
    rest = Block("The pump is described here, in all of its parts and with its use.")
    boilerplate = Kind.BOILERPLATE
    assert _kinds(Block("Contents", Kind.HEADING, 1), *items) == [
        Kind.HEADING, boilerplate, boilerplate,
    ]  # fmt: skip
    assert _kinds(Block("Table of Contents"), *items, rest, items[0]) == [
        boilerplate, boilerplate, boilerplate, Kind.PARAGRAPH, Kind.LIST_ITEM,
    ]  # fmt: skip


def test_other_kinds_and_texts_are_left_as_they_are() -> None:
    blocks = [Block("© 2021", Kind.CODE), Block("Figure 1: A", Kind.QUOTE), Block("a", page=3)]
    assert refine_kinds(blocks) == blocks


def test_entries_with_authors_need_no_heading() -> None:
    texts = {
        "[12] Smith, J., Bridges and their keepers, Crossings 12 (2001).": Kind.REFERENCE,
        "[3] A. Doe, B. Roe: Counting cars by hand, 1999.": Kind.REFERENCE,
        "[3] For sorting inputs, the hash of 2009 is enough.": Kind.PARAGRAPH,
        "[0012] A. Doe, in 1999, built a cell.": Kind.PARAGRAPH,
        "Page 3 of 12": Kind.BOILERPLATE,
        "Page 3 of 12 shows the bridge.": Kind.PARAGRAPH,
    }
    assert [block.kind for block in refine_kinds(map(Block, texts))] == list(texts.values())


@pytest.mark.parametrize(
    ("heading", "caption"),
    [
        ("Literaturverzeichnis", "Abb. 3: Die Brücke von Süden"),
        ("Bibliographie", "Tableau 2 : Les coûts"),
        ("Referencias", "Figura 1. El puente en 1910"),
        ("Bibliografia", "Tabella 2: I costi del ponte"),
        ("Referências bibliográficas", "Tabela 2 — Os custos"),
        ("Literatuur", "Afbeelding 4: De brug"),
        ("Список литературы", "Рис. 2. Мост через реку"),
    ],
)
def test_lists_and_captions_are_known_in_other_languages(heading: str, caption: str) -> None:
    entry = Block("Keller, M. (2021). Die Brücke. Bonn.", Kind.LIST_ITEM, 1)
    kinds = _kinds(Block(caption), Block(heading, Kind.HEADING, 1), entry)
    assert kinds == [Kind.CAPTION, Kind.HEADING, Kind.REFERENCE]
