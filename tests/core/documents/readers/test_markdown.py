"""Markdown."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents.document import Kind, Source
from core.documents.genre import genre_of
from core.documents.readers.markdown import looks_like_markdown, read_markdown
from core.documents.readers.markdown_slides import SLIDES
from core.events import result_of
from core.stop import StopToken
from tests.helpers.reader_checks import check_spans, outline, read, texts

_PIECES = st.lists(
    st.one_of(
        st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=60),
        st.sampled_from(
            ["", "# A", "---", "title: |", "  x: >-", "{% raw %}", "{{ a", "b }}", "!!! note",
             "> [!NOTE]", ":::", "    a", "{{% /b %}}", "- a", "  - b",
             "1. x", "> q", "```", "| a | b |", "|---|---|",
             "<div>", "</div>", "<table><tr><td>x", "[a]: b", "[a][a]", "![i](j)", "<!--", "-->"]
        ),
    ),
    max_size=25,
)  # fmt: skip


def test_words_that_are_struck_through_are_left_out_and_counted() -> None:
    document = read(
        "# Fees\n\nThe fee is ~~five~~ six euros, `~~so~~`.\n\n- ~~Old item~~\n", "a.md"
    )
    assert texts(document) == ["Fees", "The fee is six euros, ~~so~~."]
    (deleted,) = document.reading.left_out
    assert (deleted.what, deleted.words, deleted.missed) == ("deleted passages", 3, False)


def test_every_kind_of_block_is_kept() -> None:
    text = (
        '# The *pump* {#pump}\n\nIt has `two` [floats](f.md "F") and a [valve][v].\n'
        "Made of cork<br>and brass.\n\n[v]: v.md\n\n"
        "## Parts ##\n\n- Basin\n  - upper\n- [x] Float\n\n"
        "3. Fill\n4. Start\n\n> Water runs down.\n\n```c\nint x;\n  run();\n```\n\n"
        "| Name | Width |\n| --- | --- |\n| Basin | 12 |\n\n![a picture](p.png)\n"
    )
    assert outline(read(text, "pump.md")) == [
        (Kind.HEADING, "The pump"),
        (Kind.PARAGRAPH, "It has two floats and a valve. Made of cork and brass."),
        (Kind.HEADING, "Parts"),
        (Kind.LIST_ITEM, "Basin"),
        (Kind.LIST_ITEM, "upper"),
        (Kind.LIST_ITEM, "☑ Float"),
        (Kind.LIST_ITEM, "3. Fill"),
        (Kind.LIST_ITEM, "4. Start"),
        (Kind.QUOTE, "Water runs down."),
        (Kind.CODE, "int x;\n  run();"),
        (Kind.TABLE, "Name\tWidth\nBasin\t12"),
    ]
    assert list(read(text, "pump.md").levels) == [1, 0, 2, 1, 2, 1, 1, 1, 0, 0, 0]


@pytest.mark.parametrize("mark", ["---", "+++"])
def test_front_matter_gives_the_title_and_is_not_read(mark: str) -> None:
    sign = ":" if mark == "---" else " ="
    front = f'{mark}\ntitle{sign} "Of pumps"\ntags{sign} [a]\n{mark}\n'
    document = read(front + "# Other\n\nIt works.\n", "a.md")
    assert document.title == "Of pumps"
    assert texts(document) == ["Other", "It works."]


def test_a_rule_at_the_start_is_no_front_matter() -> None:
    document = read("---\n\nIt works well, as said.\n\n---\n\nThe end.\n", "a.md")
    assert texts(document) == ["It works well, as said.", "The end."]


@pytest.mark.parametrize(
    ("value", "title"),
    [
        ("|-\n  Of pumps: an essay\n", "Of pumps: an essay"),
        (">\n  Of pumps:\n  an essay\n\n", "Of pumps: an essay"),
        ("|2+ # kept\n  Of pumps\n", "Of pumps"),
        ("Of pumps\n  and floats\n", "Of pumps and floats"),
        ("'The miller''s pump' # draft\n", "The miller's pump"),
        ('"The \\"best\\" pump"\n', 'The "best" pump'),
        ('"The pump\\u2019s \\\n  m\\xeal\\xe9e\\_1"\n', "The pump’s mêlée 1"),
        ("C# and pumps # draft\n", "C# and pumps"),
        ("[a, b]\n", "Other"),
    ],
)
def test_titles_of_front_matter_are_read_in_every_form_of_yaml(value: str, title: str) -> None:
    front = f"---\nlinks:\n  - title: No\nimage:\n  title: No\ntitle: {value}date: 2020\n---\n"
    document = read(front + "# Other\n\nIt works.\n", "a.md")
    assert (document.title, texts(document)) == (title, ["Other", "It works."])


def test_fields_in_a_text_of_front_matter_are_none() -> None:
    front = "---\ndescription: |\n  Note well.\n  title: Wrong\ntitle: Right\n---\nIt works.\n"
    assert read(front, "a.md").title == "Right"


@pytest.mark.parametrize(
    "front",
    [
        "Title: Of pumps\n",
        "title: Of pumps \ndate: '2024-06-24' \nlayout: post \n",
        "\nTitle: Of pumps\nlicense: https://www.apache.org/licenses/LICENSE-2.0\n",
    ],
)
def test_fields_without_marks_around_them_are_front_matter(front: str) -> None:
    document = read(front + "\nIt works.\n", "a.md")
    assert (document.title, texts(document)) == ("Of pumps", ["It works."])


@pytest.mark.parametrize(
    "text", ["Title: Of pumps\nIt works.\n", "Note: it works.\n\nIt does.\n", "Dear all:\n\nHi.\n"]
)
def test_other_lines_with_colons_are_text(text: str) -> None:
    assert read(text, "a.md").title == "a"
    assert texts(read(text, "a.md"))[0] == " ".join(text.split("\n\n")[0].split())


def test_a_text_that_stands_in_a_field_is_read_from_there() -> None:
    words = "The pump draws water from the lower basin into the upper one by day and by night."
    front = (
        f"---\nname: Pumps\ndetails: >-\n\n  ## Parts\n\n  {words}\n  {words}\n\n  - A float\n---\n"
    )
    document = read(front, "a.md")
    assert outline(document) == [
        (Kind.HEADING, "Parts"),
        (Kind.PARAGRAPH, f"{words} {words}"),
        (Kind.LIST_ITEM, "A float"),
    ]
    assert document.reading.notes == (
        "The text was read from the field “details” of the front matter.",
    )
    assert texts(read(front + "It works.\n", "a.md")) == ["It works."]


@pytest.mark.parametrize(
    ("marked", "text"),
    [
        ("The price is *high in **all towns.", "The price is high in all towns."),
        ("It matters** to all of them.", "It matters to all of them."),
        ("**Costs: the plan is *dear*.", "Costs: the plan is dear."),
        ("All of them agreed.**", "All of them agreed."),
        ("*Terms apply to the plan.", "*Terms apply to the plan."),
        ("The price* of it is 3 * 4 ** 5.", "The price* of it is 3 * 4 ** 5."),
        ("Use `**kwargs` or \\*\\*args here.", "Use **kwargs or **args here."),
    ],
)
def test_stars_without_a_partner_are_taken_out(marked: str, text: str) -> None:
    assert texts(read(marked, "a.md")) == [text]


def test_title_is_the_first_main_heading_else_the_files_name() -> None:
    assert read("Some words.\n\n# Pumps\n", "a.md").title == "Pumps"
    assert read("## Pumps\n\nSome words.\n", "a.md").title == "Pumps"
    assert read("Some words.\n\n## Pumps\n\nMore words.\n", "a.md").title == "a"


def test_without_marked_headings_short_lines_in_bold_are_headings() -> None:
    text = "**How the *mill* works**\n\nIt has two pumps.\n\n__Pumps__\n\nThey are **old**.\n"
    document = read(text, "a.md")
    assert document.title == "How the mill works"
    assert outline(document) == [
        (Kind.HEADING, "How the mill works"),
        (Kind.PARAGRAPH, "It has two pumps."),
        (Kind.HEADING, "Pumps"),
        (Kind.PARAGRAPH, "They are old."),
    ]
    below = read("# The mill\n\n**Pumps**\n\nThey are old.\n", "a.md")
    assert texts(below, Kind.HEADING) == ["The mill", "Pumps"]
    assert below.title == "The mill"


@pytest.mark.parametrize(
    "text",
    [
        "**They are old.**",
        "**Pumps** and valves",
        "**Pumps**\nand valves",
        "**Pumps** **and** valves",
        f"**{'word ' * 13}end**",
        "- **Pumps**",
        "> **Pumps**",
        "# The mill\n\n## Of pumps\n\n**Pumps**",
    ],
)
def test_other_words_in_bold_are_no_headings(text: str) -> None:
    marked = texts(read(f"{text}\n\nIt has two pumps.\n", "a.md"), Kind.HEADING)
    assert marked in ([], ["The mill", "Of pumps"])


def test_footnotes_are_footnotes_and_their_marks_go() -> None:
    document = read("It works.[^1] Well.\n\n[^1]: Since 1881.\n", "a.md")
    assert outline(document) == [
        (Kind.PARAGRAPH, "It works. Well."),
        (Kind.FOOTNOTE, "Since 1881."),
    ]


def test_html_inside_is_read_as_html() -> None:
    block = "<div>\n<p>Inside <b>a</b> block.</p>\n</div>"
    text = f'<a name="x"></a>\n\n{block}\n\n<!-- note -->\nAfter.\n'
    assert texts(read(text, "a.md")) == ["Inside a block.", "After."]


def test_only_marked_up_text_looks_like_markdown() -> None:
    assert looks_like_markdown("# A\n\n[b](c)\n\n## D\n")
    assert looks_like_markdown("# A\n\nThe **costs** are high.\n")
    assert looks_like_markdown("**A:** b\n\n**C:** d\n\n**E:** f\n")
    assert not looks_like_markdown("# A\n\nb\n\n## D\n")
    assert not looks_like_markdown("# a\nf(**a, **b)\n2**3 and 4**5\n**\n**/*.py **/*.pyi\n")
    assert not looks_like_markdown("Plain words [1](see there), no headings.")


_TAGS = """{% include banner.html title="x" %}
# {{ page.org_name }} policy

{{organization}} welcomes [reports]({{ site.baseurl }}/r) and [help]({% link _en/help.md %}), by
{{ "noon" | upcase }}.
{% if site.open %}
We answer.
{% endif %}

{{< figure src="a.png"
  alt="A pump" >}}
{{% alert title="Note" %}}
It leaks.
{{% /alert %}}

{% comment %}
Not this.
{% endcomment %}
[!INCLUDE [footer](footer.md)]

[more][m]

[m]: {{ site.url }}
"""


def test_template_tags_are_left_out_and_told_once() -> None:
    document = read(_TAGS, "a.md")
    assert texts(document) == [
        "[org_name] policy",
        "[organization] welcomes reports and help, by noon.",
        "We answer.",
        "It leaks.",
        "more",
    ]
    told = [(item.what, item.missed) for item in document.reading.left_out]
    assert told == [("5 template tags", True), ("4 marks of notes and layout", False)]


def test_template_tags_in_code_stay() -> None:
    text = (
        "Write `{{ title }}` or {% raw %}{{ name }}{% endraw %}.\n\n```liquid\n{% if a %}\n```\n\n"
        "{% highlight html %}\n<b>{{ x }}</b>\n{% endhighlight %}\n\n"
        "{% raw %}\n{{ raw }} stays.\n{% endraw %}\nThe end.\n"
    )
    assert outline(read(text, "a.md")) == [
        (Kind.PARAGRAPH, "Write {{ title }} or {{ name }}."),
        (Kind.CODE, "{% if a %}"),
        (Kind.CODE, "<b>{{ x }}</b>"),
        (Kind.PARAGRAPH, "{{ raw }} stays."),
        (Kind.PARAGRAPH, "The end."),
    ]


def test_marks_of_notes_are_taken_out_and_notes_are_text() -> None:
    text = (
        "> [!NOTE]\n> It leaks.\n> Badly.\n>\n> ```c\n> run();\n> ```\n\n> Said he.\n\n"
        "1. One\n\n    > [!TIP]\n    > Twice.\n\n    And so on.\n\n"
        "!!! warning\n    Stop it.\n\n    ```c\n    stop();\n    ```\n\n"
        '??? tip "Old & new floats"\n'
        "    Take cork.\n\n    !!! note\n        Or not.\n\nNow.\n\n"
        '=== "By hand"\n\n    Turn it.\n\n'
        ":::note\nMind the valve.\n:::\n\n::: {.callout}\nAnd the float.\n:::\n\n"
        "* Contents\n{:toc}\n\nThe *end*{:.big} of [it](x){.underline}.\n{: #end .last}\n\n"
        "!!! what a pump\n"
    )
    document = read(text, "a.md")
    assert outline(document) == [
        (Kind.PARAGRAPH, "It leaks. Badly."),
        (Kind.CODE, "run();"),
        (Kind.QUOTE, "Said he."),
        (Kind.LIST_ITEM, "1. One"),
        (Kind.LIST_ITEM, "Twice."),
        (Kind.LIST_ITEM, "And so on."),
        (Kind.PARAGRAPH, "Stop it."),
        (Kind.CODE, "stop();"),
        (Kind.CAPTION, "Old & new floats"),
        (Kind.PARAGRAPH, "Take cork."),
        (Kind.PARAGRAPH, "Or not."),
        (Kind.PARAGRAPH, "Now."),
        (Kind.CAPTION, "By hand"),
        (Kind.PARAGRAPH, "Turn it."),
        (Kind.PARAGRAPH, "Mind the valve."),
        (Kind.PARAGRAPH, "And the float."),
        (Kind.PARAGRAPH, "The end of it."),
        (Kind.PARAGRAPH, "!!! what a pump"),
    ]
    assert [item.what for item in document.reading.left_out] == ["14 marks of notes and layout"]


def test_braces_and_colons_of_other_use_stay() -> None:
    text = "The set {a: 1} and C:::D hold.\n\nWhat!!! A pump.\n\nTitle\n===\n\n[!x](y) {1}\n"
    document = read(text, "a.md")
    assert texts(document) == [
        "The set {a: 1} and C:::D hold.", "What!!! A pump.", "Title", "!x {1}"
    ]  # fmt: skip
    assert document.reading.left_out == ()


@given(_PIECES)
@settings(max_examples=100, deadline=None)
def test_any_markdown_gives_sound_spans(pieces: list[str]) -> None:
    data = "\n".join(pieces).encode("utf-8", "replace")
    check_spans(result_of(read_markdown(data, Source("a"), StopToken())))


_SLIDES = """---
title: The mill
---
class: center, middle

# The mill

---
name: wheel
## The wheel
.left[It turns by day.]
--

It stands still in winter.
???
We say how old it is.
---
## The river
- It is *deep*
- It is cold
---
background-image: url(village.png)

## The village

The village mends the wheel.
---
## The end
Thank you for all of it.
"""


def test_slides_in_markdown_keep_their_text_as_text() -> None:
    document = read(_SLIDES.encode(), "a.md")
    assert SLIDES in document.reading.notes
    assert genre_of(document).name == "slides"
    assert outline(document) == [
        (Kind.HEADING, "The mill"),
        (Kind.HEADING, "The wheel"),
        (Kind.PARAGRAPH, "It turns by day."),
        (Kind.PARAGRAPH, "It stands still in winter."),
        (Kind.PARAGRAPH, "We say how old it is."),
        (Kind.HEADING, "The river"),
        (Kind.LIST_ITEM, "It is deep"),
        (Kind.LIST_ITEM, "It is cold"),
        (Kind.HEADING, "The village"),
        (Kind.PARAGRAPH, "The village mends the wheel."),
        (Kind.HEADING, "The end"),
        (Kind.PARAGRAPH, "Thank you for all of it."),
    ]


def test_rules_between_sections_make_no_slides() -> None:
    text = "# The mill\n\nIt turns.\n\n---\n\nIt stands still.\n\n---\n\n## The end\n\nIt ends.\n"
    assert SLIDES not in read(text.encode(), "a.md").reading.notes
