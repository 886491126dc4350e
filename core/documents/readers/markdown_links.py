"""Inline marks of Markdown dialects: links of a wiki, marked words.

Links of a wiki (`[[Page|words]]`), marked words (`==so==`), raised and lowered letters (`x^2^`,
`H~2~O`) and the names of paragraphs (`^a1b2`) are of Obsidian, Pandoc and others; other Markdown
hardly has these signs so. Code is never looked at.
"""

import re

from core.documents.readers.scripts import lowered, raised, with_scripts

_WIKI_LINK = re.compile(
    r"(?P<embeds>!)?(?<![\w\]])\[\[(?P<page>[^\s\[\]|#^][^\[\]|#^\n]{0,200}|(?=[#^]))"
    r"(?:#\^?(?P<place>[^\[\]|\n]{1,200}))?(?:\\?\|(?P<words>[^\[\]\n]{1,300}))?\]\](?!\()"
)
_MARKED = re.compile(r"(?<![=\w])==(?=[^\s=])([^=\n]{1,300})(?<=\S)==(?![=\w])")
_RAISED = re.compile(r"(?<=[\w)])\^([^\s^~]{1,12})\^")
_LOWERED = re.compile(r"(?<=[^\W_])~([\d+-]{1,6}|[a-z]{1,2})~(?!~)")
_PARAGRAPH_NAME = re.compile(r"\s\^[A-Za-z0-9-]{1,40}$")


def without_inline_marks(text: str) -> tuple[str, int]:
    """A piece of text of a line, without these signs.

    Args:
        text: The text.

    Returns:
        The text, in which links leave their words, and how many embedded files went out of it.
    """
    embedded = 0

    def written(match: re.Match[str]) -> str:
        nonlocal embedded
        embedded += bool(match["embeds"])
        page = match["page"].strip().removesuffix(".md")
        words = match["words"] or " > ".join(filter(None, (page, match["place"])))
        return "" if match["embeds"] else words

    if "[[" in text:
        text = _WIKI_LINK.sub(written, text)
    if "==" in text:
        text = _MARKED.sub(r"\1", text)
    if "^" in text or "~" in text:
        text = _PARAGRAPH_NAME.sub("", text)
        text = _RAISED.sub(lambda match: raised(match[1]), text)
        text = with_scripts(_LOWERED.sub(lambda match: lowered(match[1]), text))
    return text, embedded
