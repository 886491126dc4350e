"""OpenDocument texts whose signs, strokes, forms and formulas change what a text says."""

import pytest

from core.documents.document import Document, Kind
from core.documents.readers.office import struck_but_kept
from tests.helpers.odt_files import flat_file, items, list_style, odt_file, paragraph, style
from tests.helpers.reader_checks import check_spans, outline, read, texts

FACES = "".join(
    f'<style:font-face style:name="{name}" svg:font-family="{family}"/>'
    for name, family in (("S1", "Symbol"), ("W", "&apos;Wingdings 2&apos;"), ("O", "OpenSymbol"))
)


def said(name: str, family: str = "text", **attributes: str) -> str:
    """A style whose letters have these attributes, such as ``style__font_name``."""
    inner = " ".join(
        f'{key.replace("__", ":").replace("_", "-")}="{value}"' for key, value in attributes.items()
    )
    return style(name, f"<style:text-properties {inner}/>", family=family)


STYLES = (
    FACES
    + said("Sym", style__font_name="S1")
    + said("Wing", style__font_name="W")
    + said("Wingdings", fo__font_family="Wingdings")
    + said("Open", style__font_name="O")
    + said("Times", style__font_name="Times")
    + said("SymP", "paragraph", style__font_name="Symbol")
    + said("Gone", style__text_line_through_style="solid")
    + said("Twice", style__text_line_through_type="double")
    + said("GoneP", "paragraph", style__text_line_through_style="solid")
    + said("Not", style__text_line_through_style="none", style__text_line_through_type="none")
    + said("Bold", fo__font_weight="bold")
)


def span(text: str, name: str) -> str:
    return f'<text:span text:style-name="{name}">{text}</text:span>'


def odt(body: str) -> Document:
    document = read(odt_file(body, styles=STYLES), "a.odt")
    check_spans(document)
    return document


def left_out(document: Document) -> dict[str, int]:
    return {item.what: item.words for item in document.reading.left_out}


@pytest.mark.parametrize(
    ("inner", "text"),
    [
        (f"10 {span('m', 'Sym')}g, {span(chr(0xF06D), 'Sym')}g", "10 μg, μg"),
        (f"20 {span(chr(0xB1), 'Sym')} 2, x {span(chr(0xF0B3), 'Sym')} 5", "20 ± 2, x ≥ 5"),
        (f"{span('R', 'Wing')} yes {span(chr(0xA3), 'Wing')} no", "☑ yes □ no"),
        (f"{span(chr(0xFE), 'Wingdings')} yes {span(chr(0xF0A8), 'Wingdings')} no",
         "☒ yes ☐ no"),
        (span("abc ±", "Open"), "abc ±"),
        (span(f"a{span('b', 'Times')}", "Sym"), "αb"),
    ],
)  # fmt: skip
def test_signs_of_symbol_fonts_are_those_that_are_seen(inner: str, text: str) -> None:
    assert texts(odt(paragraph(inner))) == [text]


def test_the_font_of_a_paragraph_draws_its_signs() -> None:
    assert texts(odt(paragraph(f"ab{span('c', 'Times')}", "SymP"))) == ["αβc"]


def test_struck_words_are_left_out_and_counted() -> None:
    document = odt(
        paragraph(f"The fee is {span('50', 'Gone')} 60 euros, {span('old', 'Twice')} new rule.")
        + paragraph(f"It is gone, {span('and this stays.', 'Not')}", "GoneP")
    )
    assert texts(document) == ["The fee is 60 euros, new rule.", "and this stays."]
    assert left_out(document) == {"deleted passages": 5}


def test_a_space_that_is_struck_parts_words() -> None:
    document = odt(paragraph(f"The{span(' old ', 'Gone')}fee{span(' ', 'Gone')}applies to us."))
    assert texts(document) == ["The fee applies to us."]


def test_a_text_that_is_mostly_struck_is_read() -> None:
    document = odt(paragraph("Buy the bread and milk.", "GoneP") + paragraph("Then eggs."))
    assert texts(document) == ["Buy the bread and milk.", "Then eggs."]
    assert not left_out(document)
    assert document.reading.notes == (struck_but_kept(5),)


TURNS = [
    ("Jörg Müller", "Guten Morgen, wollen wir anfangen?"),
    ("Élodie Petit", "Ja, ich habe die Zahlen des Jahres hier."),
    ("Jörg Müller", "Gut, dann bitte die Zahlen zeigen."),
    ("Élodie Petit", "Hier sind sie, alle zwölf Monate."),
]


def test_speakers_of_a_transcript_may_stand_behind_times() -> None:
    said = [(f"00:00:0{at} {name}", words) for at, (name, words) in enumerate(TURNS)]
    document = odt("".join(paragraph(label) + paragraph(words) for label, words in said))
    assert document.speaker_names == ("Jörg Müller", "Élodie Petit")
    assert texts(document, Kind.SPEAKER) == [label for label, _ in said]


def test_a_drop_cap_is_part_of_its_paragraph() -> None:
    drop = (
        "<style:paragraph-properties><style:drop-cap style:lines='3'/></style:paragraph-properties>"
    )
    body = paragraph("The committee met.", "Drop")
    document = read(odt_file(body, styles=style("Drop", drop)), "a.odt")
    assert texts(document) == ["The committee met."]


def test_forms_and_prompts() -> None:
    def mark(kind: str, **values: str) -> str:
        inner = "".join(
            f'<field:param field:name="{name}" field:value="{value}"/>'
            for name, value in values.items()
        )
        kind = f"vnd.oasis.opendocument.field.{kind}"
        return f'<field:fieldmark field:type="{kind}">{inner}</field:fieldmark>'

    ticked, empty = mark("FORMCHECKBOX", Checkbox_Checked="true"), mark("FORMCHECKBOX")
    choice = mark("FORMDROPDOWN", Dropdown_Selected="0", Dropdown_ListEntry="Spain")
    prompt = "<text:placeholder>Enter a name</text:placeholder>"
    control = (
        '<loext:content-control loext:showing-place-holder="true">Click</loext:content-control>'
    )
    document = odt(paragraph(f"{ticked} yes {empty} no {choice}. Name: {prompt}{control}"))
    assert texts(document) == ["☒ yes ☐ no Spain. Name:"]
    assert left_out(document) == {"prompts of a form": 4}


def test_bases_of_powers_have_brackets_and_drawn_formulas_a_place() -> None:
    maths = (
        "<math:math><math:semantics><math:msup><math:mfrac><math:mi>x</math:mi>"
        "<math:mi>y</math:mi></math:mfrac><math:mn>2</math:mn></math:msup>"
        "<math:annotation>{x over y}^2</math:annotation></math:semantics></math:math>"
    )
    ole = '<draw:object-ole draw:class-id="0002CE02-0000-0000-C000-000000000046"/>'
    frames = [
        f"<draw:frame>{inner}</draw:frame>"
        for inner in (f"<draw:object>{maths}</draw:object>", ole)
    ]
    document = read(flat_file(paragraph(f"So {frames[0]} and {frames[1]} hold.")), "a.fodt")
    assert texts(document) == ["So (x/y)² and [formula] hold."]
    assert left_out(document) == {"1 formula": 0}


def test_bold_lines_above_text_are_headings() -> None:
    end = "<text:line-break/>"
    head = paragraph(f"{span('Scope', 'Bold')}{end}It covers the boats.{end}All of them.")
    assert outline(odt(head)) == [
        (Kind.HEADING, "Scope"),
        (Kind.PARAGRAPH, "It covers the boats. All of them."),
    ]
    within = paragraph(f"We saw the{end}{span('Great Museum', 'Bold')}{end}of the town.")
    assert texts(odt(within)) == ["We saw the Great Museum of the town."]


def test_turns_of_a_meeting_have_speakers() -> None:
    end = "<text:line-break/>"
    turns = [("Ann Lee", "Good morning to all."), ("Bo Ray", "We have no money.")] * 2
    body = "".join(
        paragraph(f"{span(name, 'Bold')}<text:s text:c='3'/>0:{10 + index}{end}{words}")
        for index, (name, words) in enumerate(turns)
    )
    document = odt(body)
    assert document.speaker_names == ("Ann Lee", "Bo Ray")
    assert texts(document, Kind.PARAGRAPH) == [words for _, words in turns]


def _bullet(name: str, sign: str) -> str:
    font = '<style:text-properties fo:font-family="Wingdings"/>'
    level = f'<text:list-level-style-bullet text:level="1" text:bullet-char="{sign}">{font}'
    return list_style(name, f"{level}</text:list-level-style-bullet>")


def test_boxes_as_bullets_differ_where_some_are_ticked() -> None:
    body = items(paragraph("Bread"), style="L1") + items(paragraph("Milk"), style="L2")
    both = _bullet("L1", "\uf0fe") + _bullet("L2", "\uf0a8")
    assert texts(read(odt_file(body, lists=both), "a.odt")) == ["☒ Bread", "☐ Milk"]
    one = _bullet("L1", "\uf0a8") + _bullet("L2", "\uf0a8")
    assert texts(read(odt_file(body, lists=one), "a.odt")) == ["Bread", "Milk"]
