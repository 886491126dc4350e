"""Chinese and Japanese from top to bottom are read column by column, from the right."""

import pytest

from core.documents.document import Document, Source
from core.documents.readers.pdf import read_pdf
from core.events import result_of
from core.stop import StopToken
from tests.helpers.cjk_pdf import downwards, rightwards

COLUMNS = (
    "市長は今年の春に町の博物館を開きました。こ",
    "の博物館は川に住んでいた古い漁師たちの船と",
    "網を展示しています。二番目の家は来年に予定",
    "されていますが、まだ誰も払っていません。",
)
CHINESE = (
    "市长今年春天为城里的博物馆揭幕展出了从前住",
    "在河边的老渔民的船和网。第二座房子计划明年",
    "建成，但是还没有人付钱。",
)


def read(data: bytes) -> Document:
    return result_of(read_pdf(data, Source("a.pdf"), StopToken()))


def columns(texts: tuple[str, ...], top: float = 700) -> list[tuple[float, float, str]]:
    return [(500 - 20 * place, top, text) for place, text in enumerate(texts)]


@pytest.mark.parametrize("one_by_one", [False, True], ids=["whole columns", "letter by letter"])
@pytest.mark.parametrize(("texts", "language"), [(COLUMNS, "ja"), (CHINESE, "zh")])
def test_columns_are_read_from_the_right(
    texts: tuple[str, ...], language: str, one_by_one: bool
) -> None:
    document = read(downwards(columns(texts), one_by_one=one_by_one))
    assert document.text == "".join(texts)
    assert document.reading.language == language


def test_two_tiers_are_read_one_after_the_other() -> None:
    upper = [(560 - 18 * place, 740.0, COLUMNS[place % 3]) for place in range(12)]
    lower = [(560 - 18 * place, 440.0, CHINESE[place % 2]) for place in range(12)]
    text = read(downwards([*upper, *lower])).text
    assert text.replace("\n", "") == "".join(run[2] for run in (*upper, *lower))


def test_two_columns_of_lines_are_read_one_after_the_other() -> None:
    left = [(50.0, 740 - 18.0 * row, CHINESE[row % 2]) for row in range(12)]
    right = [(330.0, 740 - 18.0 * row, COLUMNS[row % 3]) for row in range(12)]
    data = rightwards([run for pair in zip(left, right, strict=True) for run in pair])
    assert read(data).text.replace("\n", "") == "".join(run[2] for run in (*left, *right))


def test_signs_and_numbers_in_a_column_stay_in_their_place() -> None:
    texts = ("市長は﹁春﹂に来ました︒町の人は喜び︑", "船を見ました︒その年は昭和", "年でした︒")
    runs = [(500.0, 700.0, texts[0]), (480.0, 700.0, texts[1]), (480.0, 700 - 14 * 12, texts[2])]
    text = read(downwards(runs, one_by_one=True, across=[(474.0, 700 - 14 * 12 + 1, "12")])).text
    assert text.startswith("市長は「春」に来ました。町の人は喜び、船を見ました。")
    assert "その年は昭和" in text
    assert text.endswith("年でした。")


def test_lines_from_left_to_right_stay_lines() -> None:
    lines = [(72.0, 700 - 20.0 * row, text) for row, text in enumerate(COLUMNS)]
    assert read(rightwards(lines)).text == "".join(COLUMNS)


def test_single_letters_one_below_the_other_are_no_columns() -> None:
    marks = [(72.0, 700 - 16.0 * row, char) for row, char in enumerate("一二三四五")]
    words = [(100.0, 700 - 16.0 * row, text) for row, text in enumerate((*COLUMNS, "終わり。"))]
    text = read(rightwards([run for pair in zip(marks, words, strict=True) for run in pair])).text
    assert all(column in text.replace("\n", "") for column in COLUMNS[1:])


def test_lines_above_and_below_columns_are_read_before_and_after_them() -> None:
    across = [(200.0, 750.0, "猫の物語について")]
    across += [
        (150.0, 100.0, "図一は昔の町の写真である。"),
        (150.0, 80.0, "町は海の近くにあった。"),
    ]
    document = read(downwards(columns(COLUMNS), across=across))
    text = document.text.replace("\n", "")
    assert text == across[0][2] + "".join(COLUMNS) + across[1][2] + across[2][2]
    assert not document.reading.left_out


def test_a_caption_between_two_tiers_is_read_after_them() -> None:
    tiers = [*columns(COLUMNS, 760), *columns(CHINESE, 420)]
    text = read(downwards(tiers, across=[(150.0, 450.0, "図一は昔の町の写真である。")])).text
    assert text.replace("\n", "").endswith("図一は昔の町の写真である。")
