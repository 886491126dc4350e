"""Marks inside the lines of reStructuredText: links, roles, emphasis, references to notes."""

import re

from core.documents.budget import Budget
from core.documents.readers.cleaning import one_line
from core.documents.readers.formulas import text_of_tex

_INLINE = re.compile(
    r"\\(?P<escaped>.)"
    r"|``(?P<literal>[^\n]{1,1000}?)``"
    r"|:(?P<role>[A-Za-z][\w:+.-]{0,60}):`(?P<content>[^`]{1,1000})`"
    r"|_?`(?P<quoted>[^`]{1,1000})`(?:__?|:(?P<role_after>[A-Za-z][\w:+.-]{0,60}):)?"
    r"|[ ]?\[(?:\d+|\#[\w-]*|\*)\]_(?!\w)"
    r"|\[(?P<citation>[\w.-]+)\]_(?!\w)"
    r"|\|(?P<substitution>[^|\s][^|\n]{0,100})\|_{0,2}"
    r"|\*\*(?P<strong>[^\s*](?:[^*]{0,1000}[^\s*])?)\*\*"
    r"|(?<![\w*])\*(?P<emphasis>[^\s*](?:[^*]{0,1000}[^\s*])?)\*(?![\w*])"
    r"|(?<![\w_.])(?P<reference>[^\W_](?:[\w+-]{0,80}[^\W_])?)__?(?![\w_])",
    re.DOTALL,
)
_TARGET = re.compile(r"(.*?)\s*<[^<>]*>$", re.DOTALL)
_RAISED = str.maketrans("0123456789+-()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿ")
_LOWERED = str.maketrans("0123456789+-()", "₀₁₂₃₄₅₆₇₈₉₊₋₍₎")


class Substitutions:
    """What stands for a name between bars; counted, as a long text may stand there often.

    Args:
        budget: What the document may take.
    """

    def __init__(self, budget: Budget) -> None:
        self._texts: dict[str, str] = {}
        self._budget = budget

    def set(self, name: str, text: str) -> None:
        """Says what stands for a name."""
        self._texts[name.lower()] = text

    def text_of(self, name: str, unknown: str) -> str:
        """What stands for a name; else what is given for an unknown one."""
        return next(self._budget.counted([self._texts.get(one_line(name).lower(), unknown)]))


def plain(text: str, substitutions: Substitutions) -> str:
    """A text on one line, without marks.

    Args:
        text: The lines of a paragraph.
        substitutions: What stands for names between bars.

    Returns:
        Its words.
    """

    def written(match: re.Match[str]) -> str:
        if match["escaped"]:
            return "" if match["escaped"].isspace() else match["escaped"]
        if role := match["role"] or match["role_after"]:
            return _of_role(role, match["content"] or match["quoted"])
        if match["quoted"]:
            return _without_target(match["quoted"])
        if match["citation"]:
            return f"[{match['citation']}]"
        if name := match["substitution"]:
            return substitutions.text_of(name, match[0])
        kept = ("literal", "strong", "emphasis", "reference")
        return next((match[group] for group in kept if match[group]), "")

    return one_line(_INLINE.sub(written, text))


def _without_target(text: str) -> str:
    """The words of a link, without its address; the address if there are no words."""
    match = _TARGET.match(text)
    return (match[1] if match and match[1] else text).strip("<>")


def _of_role(role: str, content: str) -> str:
    name = role.rsplit(":", 1)[-1]
    if name == "math":
        return text_of_tex(content)
    if name in ("sup", "superscript"):
        return content.translate(_RAISED)
    if name in ("sub", "subscript"):
        return content.translate(_LOWERED)
    if name.startswith("raw"):
        return ""
    words = _without_target(content)
    return words.rsplit(".", 1)[-1] if words.startswith("~") else words.lstrip("!")
