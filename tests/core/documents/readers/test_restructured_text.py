"""reStructuredText."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents.document import Kind, Source
from core.documents.readers.restructured_text import looks_like_restructured, read_restructured
from core.events import result_of
from core.stop import StopToken
from tests.helpers.reader_checks import check_spans, outline, read, texts

_PIECES = st.lists(
    st.one_of(
        st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=40),
        st.sampled_from(
            ["", "====", "----", "Title", ".. note::", "   :name: x", "   text", ".. [1] x", "- a",
             "1. b", "  c", "+--+--+", "| a|b |", "== ==", "a  b", "::", ">>> x", ":f: g", "..",
             "`a <b>`_", ":r:`x`", ".. csv-table:: T", '   "a, b', ".. list-table::", "   * - a"]
        ),
    ),
    max_size=25,
)  # fmt: skip


def test_headings_are_known_by_their_lines_and_levels_by_their_order() -> None:
    text = (
        "##########\nOf *pumps*\n##########\n\nIt works.\n\nParts\n-----\n\nFloats\n^^^^^^\n"
        "They float.\n\n1. Valves\n---------\n\nThey close.\n\n----\n\nThe end.\n"
    )
    document = read(text, "a.rst")
    assert document.title == "Of pumps"
    assert outline(document) == [
        (Kind.HEADING, "Of pumps"),
        (Kind.PARAGRAPH, "It works."),
        (Kind.HEADING, "Parts"),
        (Kind.HEADING, "Floats"),
        (Kind.PARAGRAPH, "They float."),
        (Kind.HEADING, "1. Valves"),
        (Kind.PARAGRAPH, "They close."),
        (Kind.PARAGRAPH, "The end."),
    ]
    assert list(document.levels) == [1, 0, 2, 3, 0, 2, 0, 0]


@pytest.mark.parametrize(
    ("marked", "plain"),
    [
        ("the `APE 2: Cycle\n<https://doi.org/1>`_ says", "the APE 2: Cycle says"),
        ("`<http://a.b/1>`__ and `Parts`_ and Parts_.", "http://a.b/1 and Parts and Parts."),
        ("see :ref:`parts <p>`, :meth:`~a.b.draw` or :doc:`/a`", "see parts, draw or /a"),
        ("*one* **two** ``three_`` `four` f*ve", "one two three_ four f*ve"),
        ("noted [1]_ well [#a]_, by [Lee99]_.", "noted well, by [Lee99]."),
        ("cd/m :superscript:`2`, H\\ :sub:`2`\\ O", "cd/m ², H₂O"),
        (r":math:`x^2 + y` and \*not\*", "x² + y and *not*"),
        ("|name| runs |x| + y| in snake_case_ _own", "Epitome runs |x| + y| in snake_case _own"),
    ],
)  # fmt: skip
def test_marks_inside_lines_are_taken_out(marked: str, plain: str) -> None:
    text = f".. |name| replace:: *Epitome*\n\n{marked}\n"
    assert texts(read(text, "a.rst")) == [plain]


def test_directives_give_their_text() -> None:
    text = (
        ".. contents:: Table of Contents\n   :depth: 3\n\n.. This is\n   a comment.\n\n"
        ".. _parts:\n\n"
        ".. note:: It leaks\n   badly.\n\n   And always.\n\n"
        ".. figure:: a.png\n   :alt: A pump\n   :width: 3\n\n   The pump in *March*.\n\n"
        ".. code-block:: c\n   :linenos:\n\n   int x;\n     run();\n\n"
        ".. versionchanged:: 3.2\n   It stops.\n\n.. math::\n\n   x^2\n\n"
        ".. py:function:: stop(now)\n\n   Stops it.\n\n.. include:: end.rst\n"
        ".. raw:: html\n\n   <b>Not this</b>\n\n.. admonition:: Old pumps\n\n"
        "   They leak.\n\nThe end.\n"
    )
    document = read(text, "a.rst")
    assert outline(document) == [
        (Kind.PARAGRAPH, "It leaks badly."),
        (Kind.PARAGRAPH, "And always."),
        (Kind.CAPTION, "The pump in March."),
        (Kind.CODE, "int x;\n  run();"),
        (Kind.PARAGRAPH, "Changed in version 3.2: It stops."),
        (Kind.PARAGRAPH, "x²"),
        (Kind.CODE, "stop(now)"),
        (Kind.PARAGRAPH, "Stops it."),
        (Kind.CAPTION, "Old pumps"),
        (Kind.PARAGRAPH, "They leak."),
        (Kind.PARAGRAPH, "The end."),
    ]
    assert [(item.what, item.words, item.missed) for item in document.reading.left_out] == [
        ("2 inserted parts", 2, True),
        ("comments", 4, False),
        ("directives", 3, False),
        ("1 picture", 0, False),
    ]


def test_lists_notes_fields_and_quotations_keep_their_kinds() -> None:
    text = (
        "DEP 7\n=====\n\n:Author: A. Miller\n:Status: Draft\n\nIt has\n\n- a *basin*,\n"
        "  of iron,\n\n"
        "  and of wood\n\n  * with a rim\n- a float\n\n#. Fill\n#. Start\n\n(a) Stop\n\n"
        "It needs:\n  - oil\n\n"
        "A. Miller\nsaid so.\n\n    So it is.\n\nFloat\n    A piece of cork.\n\n"
        ":param x: Its width.\n\n"
        "| At noon\n| it stops\n\nRun this::\n\n    run()\n\n>>> 1 + 1\n2\n\n"
        ".. [#f1] Since 1881.\n.. [Lee99] Lee, A. 1999. Pumps.\n"
    )
    document = read(text, "a.rst")
    assert outline(document) == [
        (Kind.HEADING, "DEP 7"),
        (Kind.BOILERPLATE, "Author: A. Miller"),
        (Kind.BOILERPLATE, "Status: Draft"),
        (Kind.PARAGRAPH, "It has"),
        (Kind.LIST_ITEM, "a basin, of iron,"),
        (Kind.LIST_ITEM, "and of wood"),
        (Kind.LIST_ITEM, "with a rim"),
        (Kind.LIST_ITEM, "a float"),
        (Kind.LIST_ITEM, "Fill"),
        (Kind.LIST_ITEM, "Start"),
        (Kind.LIST_ITEM, "(a) Stop"),
        (Kind.PARAGRAPH, "It needs:"),
        (Kind.LIST_ITEM, "oil"),
        (Kind.PARAGRAPH, "A. Miller said so."),
        (Kind.QUOTE, "So it is."),
        (Kind.LIST_ITEM, "Float: A piece of cork."),
        (Kind.LIST_ITEM, "param x: Its width."),
        (Kind.PARAGRAPH, "At noon"),
        (Kind.PARAGRAPH, "it stops"),
        (Kind.PARAGRAPH, "Run this:"),
        (Kind.CODE, "run()"),
        (Kind.CODE, ">>> 1 + 1\n2"),
        (Kind.FOOTNOTE, "Since 1881."),
        (Kind.REFERENCE, "Lee, A. 1999. Pumps."),
    ]


def test_fields_below_the_title_are_no_running_text() -> None:
    fields = "author: A. Miller\n\ndate-created: 2023 May 15\n\nstatus: Accepted\n\n"
    document = read(f"A pump\n------\n\n{fields}Abstract: It works.\n\nSo it does.\n", "a.rst")
    assert len(texts(document, Kind.BOILERPLATE)) == 4
    assert texts(document, Kind.PARAGRAPH) == ["So it does."]


@pytest.mark.parametrize(
    "table",
    [
        "+-------+-------+\n| Name  | Width |\n+=======+=======+\n| The   | 12    |\n"
        "| basin |       |\n"
        "+-------+-------+\n",
        "========= =====\nName      Width\n========= =====\nThe basin 12\n========= =====\n",
        "========= =====\nName      Width\n========= =====\nThe basin\n          12\n"
        "========= =====\n",
        ".. list-table::\n   :header-rows: 1\n\n   * - Name\n     - Width\n   * - The\n"
        "       basin\n"
        "     - 12\n",
        '.. csv-table::\n   :header: "Name", "Width"\n\n   "The basin", 12\n',
    ],
)  # fmt: skip
def test_tables_keep_a_line_a_row(table: str) -> None:
    document = read(f"It has a table.\n\n{table}\nThe end.\n", "a.rst")
    assert texts(document, Kind.TABLE) == ["Name\tWidth\nThe basin\t12"]
    assert texts(document, Kind.PARAGRAPH) == ["It has a table.", "The end."]


def test_plain_text_with_directives_and_roles_is_read_as_such() -> None:
    text = "Title\n=====\n\n.. note:: It :ref:`leaks <l>`.\n\nSee `this <a>`_.\n"
    assert looks_like_restructured(text)
    document = read(text, "a.txt")
    assert texts(document) == ["Title", "It leaks.", "See this."]
    assert document.reading.notes == ("The text is reStructuredText and was read as such.",)
    assert not looks_like_restructured("Title\n=====\n\nIt leaks :) `so` they say.\n")


@given(_PIECES)
@settings(max_examples=100, deadline=None)
def test_any_restructured_text_gives_sound_spans(pieces: list[str]) -> None:
    data = "\n".join(pieces).encode("utf-8", "replace")
    check_spans(result_of(read_restructured(data, Source("a"), StopToken())))
