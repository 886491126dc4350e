"""The fields before a Markdown text: YAML or TOML between marks, or lines such as "Title: …".

Only what a reader of the text needs is understood: fields of the first level that hold text. The
requirements have no library for YAML.
"""

import re
from dataclasses import dataclass, field

from core.documents.document import count_words
from core.documents.readers.cleaning import one_line, trimmed_lines

_FENCED = re.compile(r"(---|\+\+\+)[ \t]*\n(.*?\n)?(?:\1|\.\.\.)[ \t]*(?:\n|$)", re.DOTALL)
_LINE = re.compile(r"^[ \t]*[\w-]+\s*[:=]|^\s*$|^[ \t]+\S|^- |^#")
_UNFENCED = re.compile(r"\s*((?:[A-Za-z][\w-]{0,30}:(?:[ \t].*)?(?:\n|\Z)){1,20})(?:[ \t]*\n|\Z)")
_FIELD = re.compile(r"([ \t]*)([\w-]+)\s*[:=]\s*(.*)")
_BLOCK_SCALAR = re.compile(r"[|>][-+\d]*\s*(?:#.*)?")
_QUOTED = re.compile(r"\"\"\"(.*?)\"\"\"|'''(.*?)'''|\"((?:[^\"\\]|\\.)*)\"|'((?:[^']|'')*)'", re.S)
_ESCAPE = re.compile(r"\\(?:u([\da-fA-F]{4})|x([\da-fA-F]{2})|(\n\s*)|(.))")
_COMMENT = re.compile(r"\s#.*")
_FEWEST_WORDS = 20  # of a field that is read as the text


@dataclass(frozen=True)
class FrontMatter:
    """What stands before the text of a file.

    Args:
        fields: The texts of its fields, by their names in small letters.
    """

    fields: dict[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The title on one line; empty if there is none."""
        return one_line(self.fields.get("title", ""))

    def longest_field(self) -> tuple[str, str]:
        """Name and text of the field with the most words; both empty if all are short."""
        name, text = max(
            self.fields.items(), key=lambda item: count_words(item[1]), default=("", "")
        )
        return (name, text) if count_words(text) >= _FEWEST_WORDS else ("", "")


def split_front_matter(text: str) -> tuple[FrontMatter, str]:
    """Parts a text from the front matter before it.

    Args:
        text: Clean text.

    Returns:
        The front matter, with no fields if there is none, and the text after it.
    """
    match = _FENCED.match(text)
    if match:
        lines = (match[2] or "").splitlines()
        if not all(_LINE.match(line) for line in lines):
            return FrontMatter(), text
        return FrontMatter(_fields(lines)), text[match.end() :]
    if match := _UNFENCED.match(text):
        fields = _fields(match[1].splitlines())
        if "title" in fields:
            return FrontMatter(fields), text[match.end() :]
    return FrontMatter(), text


def _fields(lines: list[str]) -> dict[str, str]:
    """The texts of the fields of the first level; the first of two with one name."""
    fields = [match for match in map(_FIELD.match, lines) if match]
    depth = min((len(match[1]) for match in fields), default=0)
    found: dict[str, str] = {}
    index = 0
    while index < len(lines):
        match = _FIELD.match(lines[index])
        index += 1
        if not match or len(match[1]) > depth:
            continue
        end = index
        while end < len(lines) and _continues(lines[end], depth):
            end += 1
        found.setdefault(match[2].lower(), _scalar(match[3].strip(), lines[index:end]))
        index = end
    return {name: text for name, text in found.items() if text}


def _continues(line: str, depth: int) -> bool:
    return not line.strip() or len(line) - len(line.lstrip()) > depth


def _scalar(first: str, below: list[str]) -> str:
    """The text of a field from what stands behind its name, and from the lines indented below.

    A folded text (">") keeps its line breaks, as the text of a file does.
    """
    if _BLOCK_SCALAR.fullmatch(first):
        return trimmed_lines("\n".join(below))
    whole = "\n".join([first, *below])
    if quoted := _QUOTED.match(whole):
        number, inner = next(
            (i, text) for i, text in enumerate(quoted.groups()) if text is not None
        )
        return _ESCAPE.sub(_character, inner) if number == 2 else inner.replace("''", "'")
    if first.startswith(("[", "{")) or (not first and below):
        return ""  # a list, or fields of fields
    return one_line(_COMMENT.sub("", whole))


def _character(escape: re.Match[str]) -> str:
    """What an escape between double quotes stands for."""
    if code := escape[1] or escape[2]:
        return chr(int(code, 16))
    return "" if escape[3] else {"_": "\xa0", "n": "\n", "t": "\t"}.get(escape[4], escape[4])
