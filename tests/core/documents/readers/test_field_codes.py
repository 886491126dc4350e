"""Codes of fields that show signs and small formulas."""

import pytest

from core.documents.readers.field_codes import field_text
from core.documents.readers.formulas import OMITTED, joined
from core.documents.readers.symbol_fonts import is_symbol_font, with_signs


@pytest.mark.parametrize(
    ("code", "text"),
    [
        (r" EQ \f(1,2) ", "1/2"),
        (r"eq \f(1;2) \* MERGEFORMAT", "1/2"),
        (r"EQ \r(2) + \r(3,x)", "√2 + ³√x"),
        (r"EQ \f(\r(3),2)", "(√3)/2"),
        (r"EQ x\s\up8(2) + a\s\do4(1)", "x² + a₁"),
        (r"EQ \b\bc\[(\f(a+b,c))\s\up6(2)", "[(a + b)/c]²"),
        (r"EQ \b(x)", "(x)"),
        (r"EQ \i\su(i=1,n,i)", "∑_(i = 1)ⁿ i"),
        (r"EQ \x\to(x)", "x̅"),
        (r"EQ \o(a,\s\up6(→))", "a⃗"),
        (r"EQ \o\ac(○,印)", "印"),
        (r'EQ \* jc2 \* "Font:MS" \* hps10 \o\ad(\s\up 9(とう),東)', "東"),
        (r"EQ \f(f(x),2)", "(f(x))/2"),
        ('SYMBOL 109 \\f "Symbol" \\s 10', "μ"),
        ("SYMBOL 0xF06D \\f Symbol", "μ"),
        ("symbol 945 \\u", "α"),
        ("SYMBOL 169", "©"),
        ("SYMBOL 128", "€"),
    ],
)
def test_what_a_field_shows(code: str, text: str) -> None:
    assert joined(field_text(code) or "") == text


@pytest.mark.parametrize(
    "code",
    [
        r"EQ \f(1",
        r"EQ \f(1,2,3)",
        r"EQ \a\co2(1,2,3,4)",
        r"EQ x\o\al(\s\up3(2),\s\do3(0))",
        r"EQ \o(2,0)",
        r"EQ \q(1)",
        "EQ " + r"\f(" * 100,
        "EQ " + "x" * 1_000,
        "EMBED Equation.DSMT4",
    ],
)
def test_what_is_no_line_of_text_has_a_place(code: str) -> None:
    assert joined(field_text(code) or "") == OMITTED


@pytest.mark.parametrize(
    "code", ["", "REF x \\h", "EMBED Excel.Sheet.8", "EQUAL", "SYMBOL x", "SEQ a"]
)
def test_other_fields_show_their_results(code: str) -> None:
    assert field_text(code) is None


def test_tables_of_fonts_are_those_that_are_published() -> None:
    published = {  # from the sources that the module names
        "Symbol": {0x22: "∀", 0x44: "Δ", 0x6D: "μ", 0xA3: "≤", 0xB3: "≥", 0xD6: "√", 0xFE: "⎭"},
        "Wingdings": {0x4A: "☺", 0xA7: "▪", 0xFC: "✓", 0x28: "🕿", 0x8C: "➊"},
        "Wingdings 2": {0x52: "☑", 0x54: "☒", 0xA3: "□", 0x97: "⦁"},
        "Wingdings 3": {0x70: "▲", 0x7D: "🞂", 0xF0: "🢗"},
        "Webdings": {0x61: "✔", 0xFC: "🌍", 0xFF: "🕊"},
    }
    for font, signs in published.items():
        for code, sign in signs.items():
            assert with_signs(chr(code) + chr(0xF000 + code), font) == 2 * sign
    assert [is_symbol_font(name) for name in ("SYMBOL", "Wingdings-Regular", "Symbola")] == [
        True, True, False,
    ]  # fmt: skip
