"""What every reader does to raw text: one kind of line break, nothing invisible."""

import re

_LINE_BREAKS = re.compile("\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x1f\x7f\x80-\x84\x86-\x9f\ufeff\u200b\u2060\ufffe\uffff\ud800-\udfff]"
)
# Word's bullets are characters of symbol fonts, kept in a private area of Unicode.
_PRIVATE_BULLET = re.compile("[\uf076\uf0a7\uf0a8\uf0b7\uf0d8\uf0e0\uf0fc]")
LIGATURES = {
    ord("ﬀ") + number: letters
    for number, letters in enumerate(("ff", "fi", "fl", "ffi", "ffl", "st", "st"))
}
_LIGATURE = re.compile("[ﬀ-ﬆ]")
_LINE_OF_ITS_OWN = re.compile(r"[^\w\"“‘'(]*[\"“‘'(\[]*(?:[A-Z0-9]|[^\x00-\x7f])")
_MANY_LINES = 3
_SOFT_HYPHEN = re.compile("\xad\n?[ \t]*(?=\\w)|\xad")


def clean(text: str) -> str:
    """Text whose lines end in a line feed, without control characters and soft hyphens."""
    if text.isascii() and text.isprintable():
        return text
    text = _LINE_BREAKS.sub("\n", text)
    text = _PRIVATE_BULLET.sub("•", _INVISIBLE.sub("", text))
    return _SOFT_HYPHEN.sub("", text)


def without_ligatures(text: str) -> str:
    """Text whose ligatures, as recognised and copied text has them, are written as letters."""
    return text.translate(LIGATURES) if _LIGATURE.search(text) else text


def one_line(text: str) -> str:
    """Text on one line, each run of white space as one space, none at its ends."""
    return " ".join(text.split())


def paragraph_lines(text: str) -> list[str]:
    """Paragraphs of text in which a line feed stands for a forced line break.

    Args:
        text: One paragraph to the program that wrote it.

    Returns:
        Its parts between two line breaks; of many lines that begin as lines do, each. None is
        empty.
    """
    if "\n" not in text:
        line = one_line(text)
        return [line] if line else []
    paragraphs: list[str] = []
    for part in re.split(r"\n\s*\n", text):
        lines = [one_line(line) for line in part.split("\n") if line.strip()]
        apart = len(lines) >= _MANY_LINES and all(map(_LINE_OF_ITS_OWN.match, lines))
        paragraphs += lines if apart else [" ".join(lines)] if lines else []
    return paragraphs


def trimmed_lines(text: str) -> str:
    """Lines without empty ones round them, without common indentation and trailing space."""
    lines = [line.expandtabs(4).rstrip() for line in text.split("\n")]
    indents = [len(line) - len(line.lstrip()) for line in lines if line]
    shift = min(indents, default=0)
    return "\n".join(line[shift:] for line in lines).strip()
