"""Formulas of web pages as a line of text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from core.documents.document import Kind
from core.documents.readers.formulas import OMITTED, text_of_mathml, text_of_tex, with_formulas
from tests.helpers.epub_files import epub_file
from tests.helpers.reader_checks import read, read_path, real_file, texts


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("x^2 + y", "x² + y"),
        (r"\frac{a+b}{c}", "(a + b)/c"),
        (r"\frac12x", "1/2 x"),
        (r"\frac{1}{4\pi\epsilon_0}\frac{q}{r^2}", "1/(4πϵ₀) q/r²"),
        (r"\frac{a+b}{2c}\cdot d", "(a + b)/(2c)·d"),
        (r"\frac{x}{2y}(z+1) \times \frac{1}{mc^2}\,E", "x/(2y)(z + 1) × 1/(mc²) E"),
        (r"\frac{1}{2\pi i}\oint f", "1/(2πi)∮f"),
        (r"\frac{x}{2y}\times z + \frac{1}{2c}\sqrt{d}", "x/(2y) × z + 1/(2c) √d"),
        (
            r"\frac{1}{2c} + d = \frac{1}{2c}, \left(\frac{x}{2c}\right)d",
            "1/2c + d = 1/2c, (x/2c)d",
        ),
        (r"\sqrt{\frac{1}{2c}}d", "√(1/2c)d"),
        (r"x^{\frac{1}{2c}}y", "x^(1/2c) y"),
        (r"\frac{d}{dx}f + \frac{d^2y}{dx^2}z", "d/dx f + d²y/dx² z"),
        (r"\frac{n}{x_1}y + \frac{1}{10}z + \frac{n}{x_{ab}}y", "n/x₁ y + 1/10 z + n/x_ab y"),
        (r"2\frac12", "2 1/2"),
        (r"a_{ij}={\overline {a_{ji}}}", "a_ij = overline(a_ji)"),
        (r"H={\overline {H}}", "H = H̅"),
        (r"\sum _{j}\lambda _{j}u_{j}", "∑_j λ_j u_j"),
        (r"E_{jk}{\text{ for }}1\leq j<k\leq n", "E_jk for 1 ≤ j < k ≤ n"),
        (r"\lim_{n \to \infty} a_n = 0", "lim_(n → ∞) aₙ = 0".replace("ₙ", "_n")),
        (r"O(n \log n)", "O(n log n)"),
        (r"\operatorname{rank} A \in \mathbb {R}", "rank A ∈ ℝ"),
        (r"e^{-x^2/2}, 10^{-6}, 90^\circ, \sqrt[3]{x+1}", "e^(−x²/2), 10⁻⁶, 90°, ³√(x + 1)"),
        (r"f'(-x) = \left(a=-1\right)", "f'(−x) = (a = −1)"),
        (r"\{1,\dots,n\}", "{1, …, n}"),
        (r"{\displaystyle x}", "x"),
        (r"{\frac{x-c}{v}}^2", "((x − c)/v)²"),
        (r"\frac{a}{b}^2 + {x^2}^3", "(a/b)² + (x²)³"),
        (r"{a+b}^2 {-1}^n (a+b)^2 |x|^2", "(a + b)²(−1)ⁿ(a + b)²|x|²"),
        (r"\sqrt{x}^3, \sqrt{a}b, \sqrt{ab}, \sqrt{2}(x + 1)", "(√x)³, (√a)b, √(ab), (√2)(x + 1)"),
        (r"\sqrt{x^2}, \sqrt[3]{8}x, \sqrt{(a+b)}", "√(x²), (³√8)x, √(a + b)"),
        (r"x_i^2, x_{i+1}^2, f(x)^2, {(a)+(b)}^2", "x_i², x_(i + 1)², f(x)², ((a) + (b))²"),
        (
            r"{3(a+b)}^2, {2|x|}^2, \overline{(A+B)}_{ji}, \text{lim sup}_n",
            "(3(a + b))², (2|x|)², overline((A + B))_ji, lim sup_n",
        ),
        (r"\operatorname{max}_x, \mathrm{Var}^2, \bar{x}^2, 10^6", "max_x, Var², x̅², 10⁶"),
    ],
)
def test_tex_is_written_on_a_line(source: str, text: str) -> None:
    assert text_of_tex(source) == text


@pytest.mark.parametrize(
    "source",
    [
        r"\begin{pmatrix}a&b\\c&d\end{pmatrix}",
        r"a\\b",
        "a&b",
        r"\unheardof{x}",
        "{" * 500,
        "{" * 100 + "x" + "}" * 100,
        "x}",
        "^",
        "x" * 1000,
    ],
)
def test_what_does_not_fit_in_a_line_is_omitted(source: str) -> None:
    assert text_of_tex(source) == OMITTED


@pytest.mark.parametrize(
    ("inner", "text"),
    [
        (
            "<msup><mi>x</mi><mn>2</mn></msup><mo>+</mo><mi>y</mi><mo>=</mo>"
            "<mfrac><mrow><mi>a</mi><mo>-</mo><mi>b</mi></mrow><msqrt><mi>c</mi></msqrt></mfrac>",
            "x² + y = (a − b)/(√c)",
        ),
        (
            "<semantics><mrow><msub><mi>a</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub></mrow>"
            "<annotation encoding='application/x-tex'>a_{ij}</annotation></semantics>",
            "a_ij",
        ),
        (
            "<mi>sin</mi><mo>\u2061</mo><mi>x</mi><mtext>for all</mtext><mi>x</mi>",
            "sin x for all x",
        ),
        ("<mover><mi>b</mi><mo>¯</mo></mover>", "b̅"),
        ("<munderover><mo>∑</mo><mi>i</mi><mi>k</mi></munderover><mi>i</mi>", "∑_i^k i"),
        ("<mtable><mtr><mtd><mi>a</mi></mtd></mtr></mtable>", OMITTED),
        ("<msup><mfrac><mi>x</mi><mi>y</mi></mfrac><mn>2</mn></msup>", "(x/y)²"),
        ("<msup><msqrt><mi>x</mi></msqrt><mn>3</mn></msup>", "(√x)³"),
        ("<msub><mfrac><mi>a</mi><mi>b</mi></mfrac><mn>0</mn></msub>", "(a/b)₀"),
        ("<msqrt><mi>a</mi></msqrt><mi>b</mi>", "(√a)b"),
        ("<msqrt><mi>a</mi><mi>b</mi></msqrt>", "√(ab)"),
        ("<mroot><mn>8</mn><mn>3</mn></mroot><mo>+</mo><mn>1</mn>", "³√8 + 1"),
        ("<msup><msup><mi>x</mi><mn>2</mn></msup><mn>3</mn></msup>", "(x²)³"),
        ("<msup><mrow><mo>(</mo><mi>a</mi><mo>)</mo></mrow><mn>2</mn></msup>", "(a)²"),
        ("<msup><mi>cm</mi><mn>3</mn></msup>", "cm³"),
        ("<mi>Example</mi><mi>:</mi><mi>a</mi><mo>=</mo><mn>1</mn>", "Example: a = 1"),
        ("<mi>f</mi><mo>:</mo><mi>X</mi>", "f:X"),
        (
            "<mfrac><msup><mo>∂</mo><mn>2</mn></msup><msup><mrow><mo>∂</mo><mi>x</mi></mrow>"
            "<mn>2</mn></msup></mfrac>",
            "(∂²)/(∂x²)",
        ),
        ("<munder><mi>lim</mi><mrow><mi>n</mi><mo>→</mo><mi>∞</mi></mrow></munder>", "lim_(n → ∞)"),
    ],
)
def test_mathml_is_written_on_a_line(inner: str, text: str) -> None:
    assert text_of_mathml(etree.fromstring(f"<math>{inner}</math>")) == text


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (r"Let \(x^2\) be so, \[y_1\] too, $$z$$ and $n$.", "Let x² be so, y₁ too, z and n."),
        ("It cost $5 and then $10, or $5-$10.", "It cost $5 and then $10, or $5-$10."),
        ("US$3 a day, US$4 a night", "US$3 a day, US$4 a night"),
        ("from $ 5 to 6 $ a day", "from $ 5 to 6 $ a day"),
        (r"see \begin{x} and $a\\b$", rf"see \begin{{x}} and {OMITTED}"),
    ],
)
def test_formulas_between_marks_of_tex(raw: str, text: str) -> None:
    assert with_formulas(raw) == text


_BODY = "<p>The pump draws water from the lower basin and lifts it into the upper one.</p>" * 5


def _page(formula: str) -> str:
    return (
        f"<html><body><article><p>It is so that {formula} holds.</p>{_BODY}</article></body></html>"
    )


@pytest.mark.parametrize(
    "formula",
    [
        "<math alttext='x^{2}'><msup><mi>x</mi><mn>2</mn></msup></math>",
        "<img class='tex' alt='x^{2}\\,'>",
        "<span class='mwe-math-element'><span style='display: none'><math><mi>x</mi></math></span>"
        "<img class='mwe-math-fallback-image-inline' alt='{\\displaystyle x^{2}}'></span>",
        r"\(x^{2}\)",
        "$x^{2}$",
        "<span class='MathJax_Preview'>x2</span><span class='MathJax'>x2</span>"
        "<script type='math/tex'>x^{2}</script>",
        "<span class='katex'><span class='katex-mathml'><math><semantics><msup><mi>x</mi><mn>2</mn>"
        "</msup><annotation>x^{2}</annotation></semantics></math></span>"
        "<span class='katex-html' aria-hidden='true'>x2</span></span>",
    ],
)
def test_formulas_of_pages_are_readable_once(formula: str) -> None:
    assert texts(read(_page(formula), "a.html"))[0] == "It is so that x² holds."


def test_formulas_that_were_omitted_are_told() -> None:
    matrix = r"\[\begin{matrix}a\end{matrix}\]"
    page = _page(matrix).replace("</article>", f"<p>{matrix}.</p></article>")
    document = read(page, "a.html")
    assert texts(document)[0] == "It is so that [formula] holds."
    assert not any(text.startswith("[formula]") for text in texts(document))
    (left_out,) = document.reading.left_out
    assert (left_out.what, left_out.missed) == ("2 formulas", True)
    book = read(epub_file({"one.xhtml": f"<h1>One</h1><p>It is {matrix} so.</p>"}), "a.epub")
    assert [item.what for item in book.reading.left_out] == ["1 formula"]


def test_a_real_page_has_no_raw_tex() -> None:
    document = read_path(real_file("page-wikipedia-3.html"))
    assert "A Hermitian ⇔ a_ij = overline(a_ji)" in document.text
    assert not any("\\" in text for text in texts(document, Kind.PARAGRAPH, Kind.LIST_ITEM))


@given(st.text(st.sampled_from("\\{}^_$&ab1 ()[]frac+=-"), max_size=60))
def test_any_tex_ends(source: str) -> None:
    assert "\0" not in text_of_tex(source)
    with_formulas(source)
