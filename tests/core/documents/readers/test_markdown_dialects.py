"""Signs of Obsidian, Pandoc and GitHub within lines of Markdown."""

import pytest

from core.documents.document import Kind
from tests.helpers.reader_checks import read, texts

RULES = "These rules apply to all beds in the park."


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("See [[Boats|the boats]] there.", "See the boats there."),
        ("See [[Boats]] there.", "See Boats there."),
        ("See [[Boats#Old ones]] there.", "See Boats > Old ones there."),
        ("See [[#Old ones]] there.", "See Old ones there."),
        ("See [[Boats#^a1b2|them]] there.", "See them there."),
        ("See [[Boats.md]], [[Nets]].", "See Boats, Nets."),
        ("See **[[Boats|the boats]]** there.", "See the boats there."),
        ("See [[物語|the boats]] there.", "See the boats there."),
        ("See it. ![[pic.png]]", "See it."),
        ("See it. ![[pic.png|300]]", "See it."),
        ("See it. ![[Other note#Part]]", "See it."),
        ("It is ==marked== here.", "It is marked here."),
        ("It is ==marked by us== here.", "It is marked by us here."),
        ("H~2~O and x^2^ and SO~4~.", "H₂O and x² and SO₄."),
        ("It ends here. ^a1b2c3", "It ends here."),
        ("It is %%not%% here.", "It is here."),
        ("It is here. %% a remark of mine %%", "It is here."),
        ("%% a remark %% It is here.", "It is here."),
        ("It is ![a picture](a.png) here.", "It is here."),
    ],
)
def test_signs_of_dialects_are_no_text(line: str, text: str) -> None:
    assert texts(read(f"# Memo\n\n{line}\n\n{RULES}\n", "a.md"))[1:] == [text, RULES]


@pytest.mark.parametrize(
    "line",
    [
        "Type `[[Boats]]`, `==x==`, `x^2^`, `%%time` and `%%bash` there.",
        "It is 100%% sure, and 50%% more.",
        "for %%i in (a b) do echo %%i",
        "If a == b and b == c, then a == c.",
        "It costs ~5 to ~10 euros, and 2^8 or 2^16 bytes.",
        "The matrix [[1, 2], [3, 4]] has two rows, and a[[1]] is its first.",
        "The mark %% is a sign.",
        "Use $x^2$ or ^ and ~ there.",
    ],
)
def test_the_same_signs_elsewhere_stay(line: str) -> None:
    plain = read(f"# Memo\n\n{line}\n\n{RULES}\n", "a.md")
    assert texts(plain)[1] == line.replace("`", "").replace("$x^2$", "x²")


def test_comments_over_several_lines_are_left_out_and_counted() -> None:
    text = f"# Memo\n\n%%\nnever read this\n\n- nor this\n%%\n\n{RULES}\n\n```\n%% a %%\n```\n"
    document = read(text, "a.md")
    assert texts(document) == ["Memo", RULES, "%% a %%"]
    (left_out,) = document.reading.left_out
    assert (left_out.what, left_out.words, left_out.missed) == ("comments", 5, False)


def test_a_link_with_brackets_keeps_its_words() -> None:
    document = read(f"# Memo\n\nAs he said [[1]](https://example.org). {RULES}\n", "a.md")
    assert texts(document)[1] == f"As he said [1]. {RULES}"


def test_open_and_done_tasks_differ() -> None:
    tasks = "- [ ] open\n- [x] done\n- [X] done too\n- [-] dropped\n- [a] no task\n1. [x] first\n"
    marked = read(f"# Memo\n\n{tasks}\n{RULES}\n", "a.md")
    assert texts(marked, Kind.LIST_ITEM) == [
        "☐ open", "☑ done", "☑ done too", "☒ dropped", "[a] no task", "1. ☑ first",
    ]  # fmt: skip


def test_open_and_done_tasks_of_web_pages_differ() -> None:
    html = (
        "<html><body><h1>Memo</h1><ul class='contains-task-list'>"
        "<li class='task-list-item'><input type='checkbox' disabled> open</li>"
        "<li class='task-list-item'><input type='checkbox' checked disabled> done</li>"
        f"<li><label><input type='checkbox' checked> Send me mail</label></li></ul><p>{RULES}</p>"
    )
    items = texts(read(html, "a.html"), Kind.LIST_ITEM)
    assert items == ["☐ open", "☑ done", "Send me mail"]


def test_embedded_files_are_counted() -> None:
    document = read(f"# Memo\n\n![[Other note]] {RULES} ![[a.png]]\n", "a.md")
    (left_out,) = document.reading.left_out
    assert (texts(document)[1], left_out.what, left_out.missed) == (RULES, "2 embedded files", True)
