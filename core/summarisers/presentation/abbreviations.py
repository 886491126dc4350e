"""Abbreviations that a document explains, with their long forms.

An explanation is "long form (SF)" or "SF (long form)": the letters of the short form begin the
words of the long one, or else occur in it in their order, as in Schwartz and Hearst (2003), "A
simple algorithm for identifying abbreviation definitions in biomedical text".
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from core.documents.document import count_words

_SHORT = r"[A-Z][A-Za-z0-9&/-]{1,9}"
_AFTER = re.compile(rf"(?<=\w) \(({_SHORT})\)")
_BEFORE = re.compile(rf"(?<![\w(])({_SHORT}) \(([^\W\d_][^()\n]{{4,80}})\)")
_USED = re.compile(rf"(?<![\w(\[-]){_SHORT}(?![\w)\]+-])")
_WORD = re.compile(r"[^\s/-]+")
_PREFIX = re.compile(r"(?<![\w,.'’′-])(?!anti-)\w[\w,.'’′-]*-\Z", re.IGNORECASE)
"""Prefix of the first word of a long form: "non-", "adeno-", "4′,6-"; but an antibody has another
name than its antigen."""
_FUNCTION_WORDS = frozenset("a an and as at by for from in of on or the to with".split())
_BROKEN = re.compile(r"[()=;\[\]]|[.!?] |\b(?:is|are|was|were|be|been|has|have|had)\b")
_MIN_CAPITALS = 2
_WINDOW = 120
"""Code points before a bracket that may contain a long form."""
_MAX_EXTRA_WORDS = 2
"""Words beyond the number of letters in a long form whose words do not begin with these."""
_MAX_TRIES, _MAX_FORMS = 3, 500


def find_abbreviations(text: str) -> dict[str, str]:
    """Finds the abbreviations that a text explains.

    Args:
        text: The text of a document.

    Returns:
        From the short form to its long one: {"RTC": "Resolution Trust Corporation"}; at most 500.
    """
    forms: dict[str, str] = {}
    tries: Counter[str] = Counter()
    for short, before, inside in _find_explanations(text):
        if short in forms or tries[short] >= _MAX_TRIES or len(tries) > _MAX_FORMS:
            continue
        tries[short] += 1
        long = _long_form(short, before)
        if long and (not inside or long == before):
            forms[short] = long
    return forms


def _find_explanations(text: str) -> Iterator[tuple[str, str, bool]]:
    """Yields short forms, text that may end in the long one, and True if that is in brackets."""
    for match in _AFTER.finditer(text):
        before = text[max(0, match.start() - _WINDOW) : match.start()]
        yield match[1], before.rpartition("\n")[2], False
    for match in _BEFORE.finditer(text):
        yield match[1], match[2].rstrip(" –—-,"), True


def _long_form(short: str, before: str) -> str:
    """Returns the long form of a short one at the end of a text; empty without one."""
    if sum(letter.isupper() for letter in short) < _MIN_CAPITALS:
        return ""
    plain = short[:-1] if short.endswith("s") and short[-2].isupper() else short
    letters = [letter.lower() for letter in plain if letter.isalnum()]
    words = list(_WORD.finditer(before))
    at = _by_initials(letters, words, skipping=True)
    if at < 0:
        at = _by_initials(letters, words, skipping=False)
    if at < 0:
        at = _by_letters(letters, before, words)
    if at > 0 and (prefix := _PREFIX.search(before, 0, at)):
        at = prefix.start()
    long = before[max(0, at) :].removesuffix("’s").removesuffix("'s") if at >= 0 else ""
    is_plain = long and not _BROKEN.search(long) and short.lower() not in long.lower().split()
    return long if is_plain else ""


def _by_initials(letters: list[str], words: list[re.Match[str]], *, skipping: bool) -> int:
    """Finds the start of words whose initials are the letters; -1 if there are none.

    Function words are skipped ("Office of Science and Technology Policy", OSTP), or count as others
    ("Software as a Service", SaaS).
    """
    left = len(letters)
    for word in reversed(words):
        if skipping and word[0].lower() in _FUNCTION_WORDS:
            if left == len(letters):
                return -1
            continue
        if word[0][0].lower() != letters[left - 1]:
            return -1
        left -= 1
        if not left:
            return word.start() if word[0].lower() not in _FUNCTION_WORDS else -1
    return -1


def _by_letters(letters: list[str], before: str, words: list[re.Match[str]]) -> int:
    """Finds the start of text that contains the letters in their order; -1 without any.

    The first begins a word, as do half of all; the others may be inside one.
    """
    at = len(before)
    for number in range(len(letters) - 1, -1, -1):
        at -= 1
        while at >= 0 and (
            before[at].lower() != letters[number]
            or (number == 0 and at > 0 and before[at - 1].isalnum())
        ):
            at -= 1
    used = [word[0].lower() for word in words if at >= 0 and word.start() >= at]
    initials = sum(word[0] in letters for word in used)
    fits = 1 < len(used) <= len(letters) + _MAX_EXTRA_WORDS and 2 * initials >= len(letters)
    return at if fits and used[0] not in _FUNCTION_WORDS else -1


def spell_out(texts: Sequence[str], forms: Mapping[str, str], room: float = math.inf) -> list[str]:
    """Spells out each abbreviation in square brackets where it first occurs.

    Args:
        texts: The sentences of a summary, in its order.
        forms: Abbreviations with their long forms.
        room: Number of words that may be added in all.

    Returns:
        The sentences: "The RTC [Resolution Trust Corporation] was closed." If a sentence contains
        the long form itself, nothing is added to it, nor to those after it.
    """
    waiting, spelt = dict(forms), []
    for text in texts:
        begun, at, small = "", 0, text.lower()
        for match in _USED.finditer(text) if waiting else ():
            long = waiting.get(match[0], "")
            words = count_words(long)
            if not long or (words > room and long.lower() not in small):
                continue
            del waiting[match[0]]
            if long.lower() not in small:
                room -= words
                begun, at = f"{begun}{text[at : match.end()]} [{long}]", match.end()
        for short in [short for short, long in waiting.items() if f"({short})" in text]:
            del waiting[short]
        spelt.append(begun + text[at:])
    return spelt
