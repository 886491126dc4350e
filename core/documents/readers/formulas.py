"""Formulas of web pages as one line of text: TeX and MathML become "x² + y", "(a + b)/c".

What does not fit into a line (matrices, cases, aligned equations) or is not understood becomes
`OMITTED`, never a guess.
"""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from core.documents.document import Block, LeftOut
from core.documents.readers.scripts import LOWERED, RAISED

OMITTED = "[formula]"
"""What stands where a formula was left out."""

MOST_CHARACTERS = 600
"""Of a formula's source; a longer one is left out."""

_DELIMITED = re.compile(
    r"\\\((?P<round>[^\n]{1,600}?)\\\)|\\\[(?P<square>[^\0]{1,600}?)\\\]"
    r"|\$\$(?P<double>[^$]{1,600})\$\$|(?<![\w\\$])\$(?P<single>[^\s$][^$\n]{0,200})\$(?![\w$])"
)
_LIKE_TEX = re.compile(r"[\\^_{}=<>]|\A[A-Za-z]['′]?\Z")
_ALONE = re.compile(r"(?:\s*\[formula\][\s.,;:]*)+")
_DEEPEST = 40  # braces within braces
_TOKEN = re.compile(r"\\(?:[A-Za-z]+\*?|.)|[{}^_]|\s+|[^\\{}^_\s]", re.DOTALL)
_SIMPLE = re.compile(r"[\w.′∞\u0300-\u036f]+|\([^()]*\)")
_POWER = "²³¹\u2070-\u207f"
_NUMBER = r"\d+(?:[.,]\d+)*"
_MARKS = "[\u0300-\u036f′″']*"
# What has a power or an index without brackets: a number, a name (which may have an index itself,
# or arguments), operators of several words.
_BASE = re.compile(
    rf"[^\W\d_]{{2,}}(?: [^\W\d_]{{2,}})+|{_NUMBER}[°%]?|[∂∇]?[^\W{_POWER}]+{_MARKS}"
)
_RADICAND = re.compile(rf"{_NUMBER}|[^\W\d_{_POWER}]{_MARKS}|∞")  # below a root without brackets
_SEAM = "\0"  # between two parts: a space where letters or digits would touch
_ROOT_END = "\x05"  # behind a root without brackets
_OPEN_ROOT = re.compile(rf"([{_POWER}]*√[^√{_ROOT_END}]*){_ROOT_END}(?=\0*(?:[^\W{_POWER}]|[√(]))")
_FACTOR = re.compile(
    rf"(?:{_NUMBER}|d?[^\W\d_]|∞)[\u0300-\u036f′{_POWER}\u2080-\u209c]*(?:_[^\W_]+)?"
)
_BELOW_END = "\x06"  # behind several factors below a fraction bar, without brackets
_OPEN_BELOW = re.compile(
    rf"/([^/{_BELOW_END}]*){_BELOW_END}(?=[\0 ]*(?:[^\W_]|[√(\[·×÷∗/∑∏∫∮∬∂∇⟨]))"
)
_NEEDED_SEAM = re.compile(r"(?<=[\w)′†])\0+(?=[^\W_¹²³⁰-ⁿ]|[√∑∫⟨])")
_AFTER_WORD = re.compile(r"(?<=[^\W\d_]{2}):(?=[^\s=:])")  # a colon of a sentence
_BETWEEN = re.compile(r"(?<=\d)\0+(?=\d)|(?<=[^\s\0])\0{2}(?=[^\s\0])")  # digits, or formulas
_SPACED = frozenset("=<>≤≥≠≪≫≈∼≃≅≡∝∈∉⊂⊆⊃⊇→←↔⇒⇐⇔↦+−±∪∩∧∨×÷≜⊨⊢")
_OPENERS = ("", "(", "[", "{", ",")
_GREEK = (
    "alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι "
    "kappa κ lambda λ mu μ nu ν xi ξ pi π varpi ϖ rho ρ varrho ϱ sigma σ varsigma ς tau τ "
    "upsilon υ phi ϕ varphi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π "
    "Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω"
)
_SIGNS = (
    "cdot · times × div ÷ pm ± mp ∓ ast ∗ star ⋆ circ ∘ bullet • oplus ⊕ otimes ⊗ dagger † "
    "cap ∩ cup ∪ vee ∨ wedge ∧ lor ∨ land ∧ setminus ∖ neg ¬ lnot ¬ leq ≤ le ≤ geq ≥ ge ≥ neq ≠ "
    "ne ≠ ll ≪ gg ≫ approx ≈ sim ∼ simeq ≃ cong ≅ equiv ≡ propto ∝ in ∈ notin ∉ ni ∋ subset ⊂ "
    "subseteq ⊆ supset ⊃ supseteq ⊇ mid | parallel ∥ perp ⊥ to → rightarrow → leftarrow ← "
    "leftrightarrow ↔ Rightarrow ⇒ Leftarrow ⇐ Leftrightarrow ⇔ iff ⇔ implies ⇒ mapsto ↦ "
    "longrightarrow → longmapsto ↦ gets ← uparrow ↑ downarrow ↓ infty ∞ partial ∂ nabla ∇ "
    "forall ∀ exists ∃ emptyset ∅ varnothing ∅ sum ∑ prod ∏ int ∫ oint ∮ iint ∬ langle ⟨ rangle ⟩ "
    "lfloor ⌊ rfloor ⌋ lceil ⌈ rceil ⌉ vert | Vert ‖ lvert | rvert | lVert ‖ rVert ‖ ldots … "
    "dots … cdots ⋯ dotsc … dotsb ⋯ prime ′ ell ℓ hbar ℏ Re ℜ Im ℑ aleph ℵ angle ∠ triangle △ "
    "colon : coloneqq := triangleq ≜ models ⊨ vdash ⊢ top ⊤ bot ⊥ degree ° lbrace { rbrace } "
    "lbrack [ rbrack ] backslash ∖ asymp ≍ therefore ∴ because ∵"
)
_NAMES = (
    "sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh log ln lg exp lim limsup liminf "
    "max min sup inf det dim ker deg gcd Pr arg hom"
)
_SYMBOLS = {
    **dict(zip(_GREEK.split()[::2], _GREEK.split()[1::2], strict=True)),
    **dict(zip(_SIGNS.split()[::2], _SIGNS.split()[1::2], strict=True)),
    **{name: f"{_SEAM}{name}{_SEAM}" for name in _NAMES.split()},
    **dict.fromkeys(("left", "right", "big", "Big", "bigg", "Bigg", "bigl", "bigr"), ""),
    **dict.fromkeys(("Bigl", "Bigr", "displaystyle", "textstyle", "limits", "nolimits"), ""),
    **dict.fromkeys(("scriptstyle", "nonumber", "rm", "bf", "it", "cal", "mathstrut"), ""),
    **dict.fromkeys((",", ";", ":", " ", ">", "quad", "qquad", "thinspace", "\n"), " "),
    **{name: name for name in "{}%$&#_"},
    "!": "",
    "|": "‖",
    "bmod": " mod ",
}
# Commands with an argument whose text stays as it is, with a mark before or behind it, or in
# letters of their own.
_PLAIN = frozenset(
    (
        *("text", "mbox", "textrm", "textit", "textbf", "mathrm", "mathbf", "mathit", "mathsf"),
        *("mathtt", "mathcal", "mathfrak", "mathscr", "boldsymbol", "bm", "hbox", "mathop"),
        *("mathbin", "mathrel", "mathord", "textsf", "texttt", "mathnormal"),
    )
)
_WORDS = frozenset(("text", "mbox", "textrm", "textit", "textbf", "hbox", "textsf", "texttt"))
_MARKED = {
    **dict.fromkeys(("overline", "bar"), "\u0305"),
    **dict.fromkeys(("hat", "widehat"), "\u0302"),
    **dict.fromkeys(("tilde", "widetilde"), "\u0303"),
    **dict.fromkeys(("vec", "overrightarrow"), "\u20d7"),
    "dot": "\u0307",
    "ddot": "\u0308",
    "underline": "\u0332",
}
_MARK_NAMES = {
    "\u0305": "overline",
    "\u0302": "hat",
    "\u0303": "tilde",
    "\u20d7": "vec",
    "\u0307": "dot",
    "\u0308": "ddot",
    "\u0332": "underline",
}
_DOUBLE = str.maketrans("CHNPQRZ", "ℂℍℕℙℚℝℤ")


_COMPOSED: dict[str, tuple[int, Callable[..., str]]] = {
    **dict.fromkeys(
        ("frac", "dfrac", "tfrac", "cfrac"),
        (2, lambda above, below: _fraction(above, below)),
    ),
    **dict.fromkeys(("binom", "tbinom", "dbinom"), (2, lambda n, k: f"C({n}, {k})")),
    "mathbb": (1, lambda letter: letter.translate(_DOUBLE)),
    "operatorname": (1, lambda name: f"{_SEAM}{name}{_SEAM}"),
    "pmod": (1, lambda modulus: f" (mod {modulus})"),
    "not": (1, lambda sign: f"{sign}\u0338"),
}


class _NotInALineError(Exception):
    """A formula that cannot be written in one line of text."""


def text_of_tex(source: str) -> str:
    """A formula as a line of text.

    Args:
        source: What stands between the marks of a formula in TeX.

    Returns:
        Its text; `OMITTED` where it does not fit into a line or is not understood.
    """
    return _write(source) if len(source) <= MOST_CHARACTERS else OMITTED


@lru_cache(maxsize=512)  # the blocks of a page are made with its menus, and again without them
def _write(source: str) -> str:
    try:
        text = _Tex(_TOKEN.findall(source)).group(0, "")
    except _NotInALineError:
        return OMITTED
    return _tidy(text)


def with_formulas(text: str) -> str:
    r"""Running text in which TeX between \\( and \\), \\[ and \\] or dollars became readable.

    Amounts of money stay: between single dollars there must be signs of TeX, or one letter.
    """
    if "$" not in text and "\\(" not in text and "\\[" not in text:
        return text
    return _DELIMITED.sub(_written, text)


def _written(match: re.Match[str]) -> str:
    source = next(part for part in match.groups() if part is not None)
    single = match["single"]
    if single is not None and (single[-1].isspace() or not _LIKE_TEX.search(single)):
        return match[0]
    return text_of_tex(source)


def without_omitted(
    blocks: Iterable[Block], num_drawn: int = 0
) -> tuple[list[Block], list[LeftOut]]:
    """Parts blocks from those of which nothing is left but omitted formulas.

    Args:
        blocks: The paragraphs of a page.
        num_drawn: The number of formulas among them that other programs draw.

    Returns:
        The other blocks, and the report on all omitted formulas.
    """
    found = list(blocks)
    count = sum(block.text.count(OMITTED) for block in found)
    if not count:
        return found, []
    num_drawn = min(num_drawn, count)
    reasons = (
        (count - num_drawn, "it does not fit in a line", "they do not fit in a line"),
        (num_drawn, "it is an object of another program", "they are objects of other programs"),
    )
    left_out = [
        LeftOut("1 formula", one) if number == 1 else LeftOut(f"{number} formulas", several)
        for number, one, several in reasons
        if number
    ]
    return [block for block in found if not _ALONE.fullmatch(block.text)], left_out


def text_of_mathml(element: Any) -> str:
    """A formula as a line of text.

    Args:
        element: A `math` element of lxml.

    Returns:
        As `text_of_tex`.
    """
    try:
        text = _tidy(_mathml(element, 0))
    except _NotInALineError:
        return OMITTED
    return text if len(text) <= MOST_CHARACTERS else OMITTED


def set_apart(formula: str) -> str:
    """A formula on its way into a sentence; `joined` then parts it from digits and formulas."""
    return f"{_SEAM}{formula}{_SEAM}" if formula else ""


def joined(text: str) -> str:
    """A paragraph in which formulas that were `set_apart` have taken their place: "2 1/2"."""
    return _BETWEEN.sub(" ", text).replace(_SEAM, "") if _SEAM in text else text


def _tidy(text: str) -> str:
    text = _OPEN_ROOT.sub(r"(\1)", text).replace(_ROOT_END, "")
    text = _OPEN_BELOW.sub(r"/(\1)", text).replace(_BELOW_END, "")
    text = _NEEDED_SEAM.sub(" ", text).replace(_SEAM, "")
    return (
        _AFTER_WORD.sub(": ", " ".join(text.split()))
        .replace("( ", "(")
        .replace(" )", ")")
        .replace(" ,", ",")
        .replace(": =", ":=")
    )


def _is_operator(text: str, before: list[str]) -> bool:
    """Whether a sign stands between two parts, not before the first one."""
    last = "".join(before[-2:]).rstrip()[-1:]
    return text in _SPACED and last not in _OPENERS and last not in _SPACED


class _Tex:
    """Reads tokens of TeX from left to right."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens, self._at = tokens, 0

    def group(self, depth: int, end: str, *, words: bool = False) -> str:
        """The text up to a closing token, which is passed; up to the end where that is empty."""
        if depth > _DEEPEST:
            raise _NotInALineError
        parts: list[str] = []
        is_base = False  # of a power or index that follows
        while self._at < len(self._tokens):
            token = self._next()
            if token == end:
                return "".join(parts)
            if token in ("^", "_"):
                parts[-1:] = [_as_base(part) if is_base else part for part in parts[-1:]]
                parts.append(_script(self._argument(depth), raised=token == "^"))
            elif token in ("}", "&"):
                raise _NotInALineError
            elif words or not token.isspace():
                text = self._item(token, depth)
                parts.append(f" {text} " if _is_operator(text, parts) else text)
            if token == ",":
                parts.append(" ")
            is_base = token not in ("^", "_", ",") and (is_base or not token.isspace())
        if end:
            raise _NotInALineError
        return "".join(parts)

    def _next(self) -> str:
        self._at += 1
        return self._tokens[self._at - 1]

    def _argument(self, depth: int) -> str:
        while self._at < len(self._tokens) and self._tokens[self._at].isspace():
            self._at += 1
        if self._at == len(self._tokens):
            raise _NotInALineError
        return self._item(self._next(), depth)

    def _item(self, token: str, depth: int) -> str:
        if token == "{":
            return self.group(depth + 1, "}")
        if token[0] != "\\":
            return "−" if token == "-" else token
        name = token[1:]
        if name in _SYMBOLS:
            return _SYMBOLS[name]
        if name in _MARKED:
            return _marked(self._argument(depth + 1), _MARKED[name])
        if name in _PLAIN:
            return self._words() if name in _WORDS else self._argument(depth + 1)
        return self._composed(name.removesuffix("*"), depth)

    def _composed(self, name: str, depth: int) -> str:
        if name == "sqrt":
            return self._root(depth)
        if name not in _COMPOSED:  # environments, line breaks, and what is not known
            raise _NotInALineError
        num_arguments, form = _COMPOSED[name]
        parts = [self._argument(depth + 1) for _ in range(num_arguments)]
        return form(*parts)

    def _root(self, depth: int) -> str:
        index = ""
        if self._at < len(self._tokens) and self._tokens[self._at] == "[":
            self._next()
            index = self.group(depth + 1, "]").translate(RAISED)
        return _write_root(self._argument(depth + 1), index)

    def _words(self) -> str:
        """An argument of plain words, whose spaces count."""
        if self._at == len(self._tokens) or self._tokens[self._at] != "{":
            return self._argument(0)
        self._next()
        return self.group(1, "}", words=True)


def _script(text: str, *, raised: bool) -> str:
    """A power or an index: in small digits, or behind a mark."""
    text = _tidy(text)
    if text == "∘" and raised:
        return "°"
    if text and set(text) <= {"′", "†", "∗", "*"} and raised:
        return text
    letters = RAISED if raised else LOWERED
    if text and all(ord(char) in letters for char in text):
        return text.translate(letters)
    return f"{'^' if raised else '_'}{_bracketed(text)}{_SEAM}"


def _bracketed(text: str) -> str:
    text = _tidy(text)
    return text if _SIMPLE.fullmatch(text) or len(text) == 1 else f"({text})"


def _as_base(text: str) -> str:
    """The base of a power or an index, in brackets where it has more than one part."""
    tidy = _tidy(text)
    name = _BASE.match(tidy)
    rest = tidy[name.end() :] if name else tidy
    are_arguments = not name or (name[0][0].isalpha() and rest[:1] in ("(", "["))
    is_one = len(tidy) < 2 or not rest or (are_arguments and _is_enclosed(rest))
    return text if is_one else f"({tidy})"


def _is_enclosed(text: str) -> bool:
    """True for text within one pair of brackets or bars."""
    if text[0] in "|‖":
        return text[-1] == text[0] and text.count(text[0]) == 2
    depth = 0
    for char in text[:-1]:
        depth += (char in "([{⟨⌊⌈") - (char in ")]}⟩⌋⌉")
        if depth < 1:
            return False
    return text[-1] in ")]}⟩⌋⌉"


def _write_root(text: str, index: str = "") -> str:
    text = _tidy(text)
    if _RADICAND.fullmatch(text):
        return f"{index}√{text}{_ROOT_END}"
    is_enclosed = text[:1] == "(" and _is_enclosed(text)
    return f"{index}√{text if is_enclosed else f'({text})'}"


def _fraction(above: str, below: str) -> str:
    """A fraction; a number before it stays apart from it: "2 1/2"."""
    above, below = _bracketed(above), _bracketed(below)
    is_open = below[0] != "(" and not _FACTOR.fullmatch(below)
    return f"{_SEAM}{above}/{below}{_BELOW_END if is_open else ''}{_SEAM}"


def _marked(text: str, mark: str) -> str:
    """A letter under its mark; a mark over several letters has a name."""
    text = _tidy(text)
    return f"{text}{mark}" if len(text) == 1 else f"{_MARK_NAMES[mark]}({text})"


_CHILDREN_ALONE = ("mrow", "mstyle", "mpadded", "math", "semantics", "menclose", "merror", "msline")


def _mathml(element: Any, depth: int) -> str:
    if depth > 4 * _DEEPEST:
        raise _NotInALineError
    name = element.tag.rsplit("}", 1)[-1].lower() if isinstance(element.tag, str) else ""
    if name in ("", "annotation", "annotation-xml", "mphantom", "none", "mprescripts"):
        return ""
    if name in ("mi", "mn", "mo", "mtext", "ms"):
        return _leaf(element, name)
    if name == "mspace":
        return " "
    parts: list[str] = []
    for child in element:
        text = _mathml(child, depth + 1)
        if isinstance(child.tag, str):
            parts.append(f" {text} " if _is_operator(text, parts) else text)
    return _composed(name, parts)


def _leaf(element: Any, name: str) -> str:
    text = "".join(element.itertext()).strip()
    text = text.translate({0x2061: " ", 0x2062: None, 0x2063: None, 0x2064: None})
    if name == "mtext":
        return f" {text} "
    if name == "mi" and len(text) > 1:
        return f"{_SEAM}{text}{_SEAM}"
    return "−" if text == "-" and name == "mo" else text


def _composed(name: str, parts: list[str]) -> str:
    count = len(parts)
    if name in _CHILDREN_ALONE:
        return "".join(parts[:1] if name == "semantics" else parts)
    if name == "mfenced":
        return f"({', '.join(parts)})"
    if name == "msqrt":
        return _write_root("".join(parts))
    if name == "mroot" and count == 2:
        return _write_root(parts[0], parts[1].strip().translate(RAISED))
    if name == "mfrac" and count == 2:
        return _fraction(parts[0], parts[1])
    if name in ("msup", "mover") and count == 2:
        if name == "mover" and (mark := _MARK_OF.get(parts[1].strip())):
            return _marked(parts[0], mark)
        return _as_base(parts[0]) + _script(parts[1], raised=True)
    if name in ("msub", "munder") and count == 2:
        return _as_base(parts[0]) + _script(parts[1], raised=False)
    if name in ("msubsup", "munderover") and count == 3:
        low, high = _script(parts[1], raised=False), _script(parts[2], raised=True)
        return _as_base(parts[0]) + low + high
    raise _NotInALineError  # tables, and what is not known


_MARK_OF = {
    **dict.fromkeys(("¯", "‾", "―", "_"), "\u0305"),
    **dict.fromkeys(("^", "ˆ"), "\u0302"),
    **dict.fromkeys(("~", "˜"), "\u0303"),
    "→": "\u20d7",
    "˙": "\u0307",
}
