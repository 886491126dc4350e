"""Lines keep their height, and words are found where they stand."""

import pytest
from PySide6.QtCore import QPointF

from gui.theme.theme import Theme
from gui.widgets.reading.text_block import TextBlock

LONG = "The set 𝒜 of 👩‍🔬 cells is denser than 𝔅. " * 12


def block_of(theme: Theme, text: str, width: float = 300) -> TextBlock:
    return TextBlock(text, theme.font("read"), theme.line_height("read"), width)


@pytest.mark.parametrize("text", [LONG, "漢字" * 200, "x" * 400, "שלום עולם " * 40])
def test_every_line_has_the_same_height(theme: Theme, text: str) -> None:
    block = block_of(theme, text)
    assert block.num_lines > 3
    assert block.height == block.num_lines * 27
    starts = [block.line_start(line) for line in range(block.num_lines)]
    assert starts == sorted(set(starts))
    assert [block.line_of(start) for start in starts] == list(range(block.num_lines))


def test_words_are_hit_where_their_rectangle_is(theme: Theme) -> None:
    block = block_of(theme, LONG)
    for offset in range(0, len(LONG), 7):
        if LONG[offset].isalpha():
            (rect,) = block.rects(offset, offset + 1)
            assert block.hit(rect.center()) == offset


def test_rectangles_cover_each_line_once_and_stay_in_the_column(theme: Theme) -> None:
    block = block_of(theme, LONG)
    rects = block.rects(0, len(LONG))
    assert [rect.top() for rect in rects] == [27 * line for line in range(block.num_lines)]
    assert all(rect.left() >= 0 and rect.right() <= 300.5 for rect in rects)


def test_text_from_right_to_left_stands_at_the_right(theme: Theme) -> None:
    (rect,) = block_of(theme, "שלום עולם").rects(0, 9)
    assert rect.right() == pytest.approx(300, abs=1)
    assert rect.left() > 100


def test_nothing_is_hit_beside_the_words(theme: Theme) -> None:
    block = block_of(theme, "short")
    assert block.hit(QPointF(250, 10)) is None
    assert block.hit(QPointF(5, 40)) is None
    assert block.offset_at(QPointF(250, 10)) == 5


def test_an_empty_text_is_one_line(theme: Theme) -> None:
    block = block_of(theme, "")
    assert (block.height, block.rects(0, 0), block.line_of(0)) == (27, [], 0)


def test_marks_end_with_the_last_letter_of_a_line(theme: Theme) -> None:
    block = block_of(theme, LONG.replace(" ", "    "))
    for line, rect in enumerate(block.rects(0, len(block.text))[:-1]):
        letters = block.text[block.line_start(line) : block.line_start(line + 1)].rstrip()
        last = block.line_start(line) + len(letters) - 1
        (letter,) = block.rects(last, last + 1)
        assert rect.right() == pytest.approx(letter.right(), abs=0.1)


def test_letters_of_another_font_do_not_move_the_baseline(theme: Theme) -> None:
    block = block_of(theme, "one 漢字漢字 line " * 20 + "and plain words only " * 8)
    lines = [block._layout.lineAt(line) for line in range(block.num_lines)]
    baselines = [line.y() + line.ascent() - 27 * number for number, line in enumerate(lines)]
    assert max(baselines) - min(baselines) < 0.1
