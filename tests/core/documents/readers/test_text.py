"""Plain text: paragraphs, headings, lists, code and licences from lines alone."""

import textwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents.document import Kind, Source
from core.documents.readers.cleaning import clean, without_ligatures
from core.documents.readers.mojibake import repair
from core.documents.readers.text import read_text
from core.errors import EpitomeError
from core.events import Progress, result_of
from core.stop import Stopping, StopToken
from tests.helpers.reader_checks import check_spans, outline, read, texts

_PROSE = (
    "The pump draws water from the lower basin and lifts it into the upper one, where a float "
    "opens the valve as soon as the level has risen by the width of a hand. A second float, "
    "fixed below the first, closes it again before the basin can run dry. "
)
_LINES = st.lists(
    st.one_of(
        st.text(max_size=90),
        st.sampled_from(
            ["", "CHAPTER I", "# A", "====", "- item", "1. One", "   2) Two", "```", "| a | b |"]
        ),
        st.text("ab .-—\t\xad\u2028", max_size=80),
    ),
    max_size=30,
)


@pytest.mark.parametrize("width", [40, 60, 72, 78, 100])
@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"])
def test_wrapped_lines_become_paragraphs(width: int, line_break: str) -> None:
    paragraphs = [(_PROSE * 2).strip(), ("Now the other way round. " + _PROSE).strip()]
    wrapped = "\n\n".join(textwrap.fill(text, width) for text in paragraphs)
    document = read(wrapped.replace("\n", line_break), "pump.txt")
    assert texts(document) == paragraphs


def test_indented_first_lines_begin_paragraphs_without_blank_lines() -> None:
    paragraphs = [(_PROSE * 2).strip(), ("Now the other way round. " + _PROSE).strip()] * 2
    wrapped = "\n".join(textwrap.fill(text, 68, initial_indent="    ") for text in paragraphs)
    assert texts(read(wrapped, "pump.txt")) == paragraphs


def test_a_line_for_each_paragraph_stays_a_paragraph() -> None:
    paragraphs = [_PROSE.strip(), "A short one.", (_PROSE * 3).strip(), "Another short one."] * 3
    assert texts(read("\n".join(paragraphs), "pump.txt")) == paragraphs


@pytest.mark.parametrize(
    ("below", "items"),
    [
        ("- a second crane\n- new tracks\n- a dredger\n- lights\n- a canteen", 5),
        ("Ann Reed\nMill Street 4\n24103 Kiel\nann@port.example", 4),
    ],
)
def test_short_lines_right_below_a_wrapped_paragraph_do_not_tear_it(below: str, items: int) -> None:
    above = f"{textwrap.fill(_PROSE[:150].strip(), 64)} of these:"
    rest = textwrap.fill(_PROSE.strip(), 64)
    told = texts(read(f"{rest}\n\n{above}\n{below}\n\n{rest}", "pump.txt"))
    assert told[:2] == [_PROSE.strip(), " ".join(above.split())]
    assert told[2:-1] == [line.removeprefix("- ") for line in below.split("\n")]
    assert len(told[2:-1]) == items


def test_items_that_go_on_without_an_indent_stay_whole_below_a_short_line() -> None:
    item = "draws the water from the lower basin and lifts it into the upper one"
    text = f"The pump:\n- {item}\nwhenever it is wanted.\n- rests.\n- hums."
    rest = textwrap.fill(_PROSE.strip(), 64)
    told = texts(read(f"{rest}\n\n{text}\n\n{rest}", "pump.txt"))
    assert told[1:-1] == ["The pump:", f"{item} whenever it is wanted.", "rests.", "hums."]


def _set_in_proportional_type(text: str, width: float) -> str:
    """Breaks a text as programs do that reckon with the widths of letters."""
    lines, used = [""], 0.0
    for word in text.split():
        length = sum(0.5 if char in "fijlrt,.'" else 1.5 if char in "mw" else 1 for char in word)
        if used + length > width:
            lines.append("")
            used = 0.0
        lines[-1] = f"{lines[-1]} {word}".strip()
        used += length + 1
    return "\n".join(lines)


_OTHER_PROSE = (
    "Millwrights will swim with a current which whirls wildly where simmering waters meet. "
    "It is still a little trifle if it fills till it is tilted; its filter is fitted flat. "
)


@pytest.mark.parametrize("width", [50, 70, 110, 150])
def test_lines_of_irregular_width_are_joined(width: int) -> None:
    paragraphs = [(_PROSE + _OTHER_PROSE + _PROSE).strip(), (_OTHER_PROSE * 3).strip()] * 3
    wrapped = [_set_in_proportional_type(text, width) for text in paragraphs]
    widths = [len(line) for text in wrapped for line in text.split("\n")[:-1]]
    assert max(widths) > 1.12 * min(widths)
    assert texts(read("\n\n".join(wrapped), "pump.txt")) == paragraphs


def test_long_lines_elsewhere_do_not_keep_wrapped_lines_apart() -> None:
    long = [f"{'0123456789abcdef' * 8}  pump-{number}.tar.gz" for number in range(30)]
    short = "The basin, which is filled by a spring above the mill,\nhas a float."
    prose = textwrap.fill(_PROSE, 72)
    text = "\n\n".join([prose, "\n".join(long), short, prose, (_PROSE * 2).strip(), prose])
    found = texts(read(text, "pump.txt"))
    assert found[0] == found[-1] == _PROSE.strip()
    assert short.replace("\n", " ") in found
    assert (_PROSE * 2).strip() in found
    assert [line.split("-")[-1] for line in found if "tar.gz" in line] == [
        f"{number}.tar.gz" for number in range(30)
    ]


def test_a_paragraph_of_several_long_lines_among_wrapped_ones_stays_apart() -> None:
    own = [(_PROSE + f"That was case {number}.") for number in range(3)]
    text = "\n\n".join([textwrap.fill(_PROSE, 70)] * 9 + ["\n".join(own)])
    assert texts(read(text, "pump.txt"))[-3:] == own


@pytest.mark.parametrize(
    "lines",
    [
        ["apples from the upper garden", "pears", "a sack of flour, ground twice", "two candles"],
        ["so much depends upon the slow", "turning", "of the old wheel", "beside the white mill"],
        ["ann: are we on for today", "bo: yes, at ten", "ann: i will bring the plans of it"],
        ["00:13:46 Ann: the float sticks again, and the lower basin ran over last night",
         "00:14:22 Bo: so it did, and the valve closed far too late for it to matter",
         "00:14:50 Ann: then we must take it apart before the spring comes"],
        ["valve: the part that closes the pipe", "float: the part that swims", "basin: it holds"],
        ["$ pump --level 3 --open", "$ pump --close --wait", "$ pump --status --all --long"],
    ],
)  # fmt: skip
def test_lists_chats_and_verse_in_small_letters_are_not_joined(lines: list[str]) -> None:
    document = read("\n\n".join([_PROSE, "\n".join(lines), _PROSE]), "a.txt")
    assert "\n".join(texts(document)[1:-1]) == "\n".join(lines)


def test_verse_is_not_joined() -> None:
    verse = ["The wheel turns slow at break of day,", "And slower still at noon,",
             "The miller has no word to say,", "But hums an old low tune."]  # fmt: skip
    text = textwrap.fill(_PROSE * 2, 72) + "\n\n" + "\n".join(verse)
    assert texts(read(text, "mill.txt"))[1:] == verse


def test_verse_of_even_lines_is_not_joined() -> None:
    verse = [f"The wheel turns slow at break of day {number}," for number in range(10, 22)]
    assert texts(read("\n".join(verse[:6]) + "\n\n" + "\n".join(verse[6:]), "mill.txt")) == verse


def test_headings_are_recognised() -> None:
    body = textwrap.fill(_PROSE, 72)
    heads = ["CHAPTER I", "1. Introduction", "1.2 Earlier pumps", "THE LOWER BASIN",
             "The Mode of Operation", "# Marked"]  # fmt: skip
    text = "\n\n".join(f"{head}\n\n{body}" for head in heads)
    text += f"\n\nUnderlined\n==========\n{body}\n\nLess so\n-------\n\n{body}"
    document = read(text, "pump.txt")
    assert texts(document, Kind.HEADING) == [*heads[:5], "Marked", "Underlined", "Less so"]
    assert list(document.levels[document.kinds == Kind.HEADING]) == [2, 2, 3, 2, 3, 1, 1, 2]


def test_what_only_looks_like_a_heading_is_none() -> None:
    body = textwrap.fill(_PROSE, 72)
    lines = [
        "He went home.",
        "Yes, indeed,",
        "and so it ended",
        "I was afraid that it would be so.",
    ]
    document = read("\n\n".join(f"{body}\n\n{line}" for line in lines) + f"\n\n{body}", "a.txt")
    assert texts(document, Kind.HEADING) == []


def test_list_items_keep_their_numbers_and_lose_their_bullets() -> None:
    text = (
        "The pump has three parts:\n\n- a basin,\n- a float that opens the valve as soon as the\n"
        "  level has risen,\n  * made of cork\n- a valve.\n\n1. Fill it.\n2. Start it.\n\n"
        "(a) first\n(b) second\n"
    )
    document = read(text, "pump.txt")
    assert texts(document, Kind.LIST_ITEM) == [
        "a basin,",
        "a float that opens the valve as soon as the level has risen,",
        "made of cork",
        "a valve.",
        "1. Fill it.",
        "2. Start it.",
        "(a) first",
        "(b) second",
    ]
    assert list(document.levels)[1:5] == [1, 1, 2, 1]


def test_code_and_tables_keep_their_lines() -> None:
    code = "int main() {\n    run();\n    return 0;\n}"
    table = "Name      Width     Height\nBasin     12        4\nFloat     3         3"
    document = read(f"{_PROSE}\n\n{code}\n\n```\nraw  text\n```\n\n{table}\n", "pump.txt")
    assert outline(document)[1:] == [
        (Kind.CODE, code),
        (Kind.CODE, "raw  text"),
        (Kind.TABLE, table),
    ]


@pytest.mark.parametrize(
    "code",
    [
        "CREATE TABLE report AS\nSELECT name, sum(price) AS total\nFROM sales\nGROUP BY name;",
        "SELECT name,\n       price\n  FROM sales",
        "CREATE TABLE weekly (\n  day integer,\n  price real\n);",
        "INSERT INTO sales\nVALUES (1, 2)",
        "WITH late AS (\n  SELECT * FROM sales\n)\nSELECT * FROM late",
    ],
)
def test_statements_of_sql_are_code(code: str) -> None:
    kinds = outline(read(f"It is kept in a table.\n\n{code}\n\nThen it is read again.\n", "a.txt"))
    assert kinds[1] == (Kind.CODE, code)


@pytest.mark.parametrize(
    "first", ["SELECT COMMITTEE ON TRADE", "WITH CARE AS A RULE", "Select one"]
)
def test_capitals_that_only_look_like_sql_are_no_code(first: str) -> None:
    text = f"It was in the news.\n\n{first}\nThe chair spoke of it.\n\nIt ended.\n"
    assert texts(read(text, "a.txt"), Kind.CODE) == []


def test_hyphens_of_set_type_go_where_the_text_does_not_know_the_parts() -> None:
    text = (
        "The mechanism is simple. A well-known mechanism needs no long description here, for me-\n"
        "chanism is a word that all of the readers know, as they know that the pump is well-\n"
        "known, and that it was self-\nmade--or so they say, by people of the lower vil-\nlage."
    )
    (paragraph,) = texts(read(text, "pump.txt"))
    assert "for mechanism is" in paragraph
    assert "is well-known, and" in paragraph
    assert "self-made--or so" in paragraph
    assert paragraph.endswith("the lower village.")


def test_an_editor_breaks_words_at_their_own_hyphens() -> None:
    lines = textwrap.wrap(_PROSE * 8, 60)
    text = "\n".join(
        [*lines[:9], "Then they opened the command-", "line and the rest of it.", *lines[9:]]
    )
    assert "the command-line and" in texts(read(text, "pump.txt"))[0]


def test_soft_hyphens_and_control_characters_are_taken_out() -> None:
    assert texts(read("a\ufeff sim\xadple wo\xad\nrd\x00\u200b, no more", "a.txt")) == [
        "a simple word, no more"
    ]


def test_rules_between_paragraphs_are_dropped() -> None:
    assert texts(read("One here.\n\n* * *\n\n-----\n\nTwo here.", "a.txt")) == [
        "One here.",
        "Two here.",
    ]


def test_licence_round_a_book_is_boilerplate_and_names_the_title() -> None:
    text = (
        "The Project Gutenberg EBook of The Mill\n\nThis eBook is for anyone.\n\n"
        "Title: The Mill\n\n"
        "*** START OF THIS PROJECT GUTENBERG EBOOK THE MILL ***\n\nProduced by volunteers\n\n"
        f"{textwrap.fill(_PROSE, 70)}\n\n"
        "*** END OF THIS PROJECT GUTENBERG EBOOK THE MILL ***\n\nUpdated editions replace this."
    )
    document = read(text, "mill.txt")
    assert document.title == "The Mill"
    assert texts(document, Kind.PARAGRAPH) == [_PROSE.strip()]
    assert len(texts(document, Kind.BOILERPLATE)) == 7


def test_printed_paragraph_numbers_are_taken_out_of_the_text() -> None:
    document = read("[0031] The pump works.\n\n[0032] It stops.\n", "patent.txt")
    assert list(document.numbers) == [31, 32]
    assert texts(document) == ["The pump works.", "It stops."]


def test_markdown_in_a_text_file_is_read_as_markdown_and_said() -> None:
    document = read("# Pump\n\nA [float](f.md) opens it.\n\n## Parts\n\nThree.\n", "pump.txt")
    assert texts(document) == ["Pump", "A float opens it.", "Parts", "Three."]
    assert document.source.format == "markdown"
    assert document.reading.notes == ("The text is Markdown and was read as such.",)


def test_title_is_the_first_heading_else_the_files_name() -> None:
    assert read(f"THE LOWER BASIN\n\n{_PROSE}", "pump.txt").title == "THE LOWER BASIN"
    assert read(f"1. Introduction\n\n{_PROSE}", "pump.txt").title == "pump"


def test_reading_can_be_cancelled_between_lines() -> None:
    stop = StopToken()
    steps = read_text(("A line of some words.\n\n" * 40_000).encode(), Source("a"), stop)
    told = [next(steps) for _ in range(4)]
    assert all(isinstance(step, Progress) for step in told)
    assert told[-1].done > 0 and told[-1].total > told[-1].done
    stop.request("cancel")
    with pytest.raises(Stopping):
        list(steps)


@given(_LINES)
@settings(max_examples=100, deadline=None)
def test_any_text_gives_sound_spans(lines: list[str]) -> None:
    data = "\n".join(lines).encode("utf-8", "replace")
    try:
        check_spans(result_of(read_text(data, Source("a"), StopToken())))
    except EpitomeError as error:
        assert "binary data" in error.message


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), max_size=400))
@settings(max_examples=100, deadline=None)
def test_no_word_is_lost(text: str) -> None:
    document = result_of(read_text(text.encode(), Source("a"), StopToken()))
    known = "".join(document.text.split())
    for word in without_ligatures(clean(repair(text))).split():
        letters = "".join(char for char in word if char.isalpha())
        if letters == word and not document.numbers.max(initial=-1) >= 0:
            assert word in known


def test_ligatures_of_recognised_and_copied_text_are_parted() -> None:
    assert texts(read("The eﬃcient ﬁlter ﬂows oﬀ, ﬅ and ﬆ.", "a.txt")) == [
        "The efficient filter flows off, st and st."
    ]


def test_rows_of_values_are_a_table() -> None:
    rows = "\n".join(f"Ann {i},Oslo,{i}.5,2024" for i in range(9))
    assert outline(read(f"name,town,sum,year\n{rows}\n", "a.csv"))[0][0] == Kind.TABLE
    verse = (
        "He came, he saw, he went\nShe came, she saw, she stayed\nThey sat, they ate, they slept"
    )
    assert Kind.TABLE not in [item[0] for item in outline(read(verse, "a.txt"))]
