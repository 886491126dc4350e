"""Slides written in Markdown, for programs such as Remark, reveal.js and Marp."""

import re

SLIDES = "The text is a set of slides in Markdown and was read as such."
_RULE = re.compile(r"-{3,}[ \t]*")
_STEP = re.compile(r"--[ \t]*")
_PROPERTY = re.compile(
    r"(?:class|name|layout|template|count|background-(?:image|color|size|position)|exclude)\s*:.*"
)
_NOTES = re.compile(r"\?\?\?[ \t]*|Notes?:[ \t]*")
_BOXED = re.compile(r"\.[a-z][\w-]*(?:\.[a-z][\w-]*)*\[")
_SIGNS = re.compile(r"<!--\s*\.(?:slide|element)\b|^marp:\s*true\b|^\?\?\?[ \t]*$", re.MULTILINE)
_FEWEST_RULES = 5
_HEADED = 0.7  # of the rules stand before a heading


def is_slides(text: str) -> bool:
    """Whether Markdown is a set of slides: it is parted by rules, most of them before a heading."""
    lines = text.split("\n")
    rules = [index for index, line in enumerate(lines) if _RULE.fullmatch(line)]
    if len(rules) < _FEWEST_RULES:
        return False
    if _SIGNS.search(text):
        return True
    after = [next((line for line in lines[i + 1 : i + 4] if line.strip()), "") for i in rules]
    headed = sum(line.startswith("#") or bool(_PROPERTY.fullmatch(line)) for line in after)
    return headed >= _HEADED * len(rules)


def plain_markdown(text: str) -> str:
    """Slides as ordinary Markdown: without properties, steps and boxes; notes are paragraphs.

    Args:
        text: Slides, without front matter.

    Returns:
        Markdown in which a rule never makes a heading of the line above it.
    """
    kept: list[str] = []
    begins = True  # whether properties of a slide may stand here
    fenced = False
    for line in text.split("\n"):
        fenced ^= line.startswith("```")
        if fenced:
            kept.append(line)
            continue
        if _RULE.fullmatch(line):
            kept += ["", "---", ""]
            begins = True
            continue
        if begins and _PROPERTY.fullmatch(line):
            continue
        begins = begins and not line.strip()
        is_mark = _STEP.fullmatch(line) or _NOTES.fullmatch(line)
        kept.append("" if is_mark else _unboxed(line))
    return "\n".join(kept)


def _unboxed(line: str) -> str:
    """A line without boxes of Remark: ".center[Text]" gives "Text"."""
    if line.strip() == "]":
        return ""
    bare, boxes = _BOXED.subn("", line)
    for _ in range(min(boxes, bare.count("]"))):
        bare = "".join(bare.rsplit("]", 1))
    return bare if boxes else line
