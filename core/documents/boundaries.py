"""Where one sentence of a paragraph ends and the next begins: the rules.

Every stop is looked at once, with a bounded piece of the text before and after it, so that the
work grows with the text and no text can make it grow faster.
"""

import re
from collections.abc import Iterator

from core.documents.abbreviations import LABELS, SPEAKING
from core.documents.full_stops import FullStop, ends_sentence
from core.documents.stop_rules import StopRules

_REACH = 48  # how far before a stop its word is looked for
_FAR = 1000  # how far before a closing bracket its opening one is looked for

_CLOSERS = "\"'”’“»«›)\\]}*_」』）】》〉〕"
_QUOTES = frozenset("\"'”’“»«›」』")
_FIRM_CLOSERS = _CLOSERS.replace("“", "").replace("«", "")  # there these open
_OPENERS = "\"'`“‘„«»‹(\\[{¿¡「『（【《〈"
_FIRM = "。！？｡।॥።፧။។៕༎۔؟։"  # these end a sentence wherever they stand
_STOP = re.compile(
    rf"(?P<firm>[{_FIRM}]+)[{_FIRM_CLOSERS}]*"
    rf"|(?:[.!?…]+|(?<=[\u0370-\u03ff\u1f00-\u1fff])[;\u037e](?=\s))"
    rf"[{_CLOSERS}]*(?:[ \u00a0\u202f]»(?=\s|$))?"
)
_NEXT = re.compile(
    rf"\s*(?P<open>(?:[–—•-]\s|[–—](?=[^\W\d_]))?[{_OPENERS}]*)(?P<word>\w{{0,30}}(?:['’]\w{{1,3}})?)(?P<after>.?.?)",
    re.S,
)
_TAIL = re.compile(r"(?:\[[^\[\]\s]{1,12}\]){1,8}|\d{1,3}(?:[,–-]\d{1,3}){0,8}|[*†‡¹²³⁴-⁹⁰]{1,6}")
_UNSPACED = re.compile(r"(?P<word>[A-Z][a-z]{0,12})[\s,]")
_LIST_MARK = re.compile(r"[(\[]?(?:\d{1,3}(?:\.\d{1,3}){0,4}|[ivxIVX]{1,5}|[A-Za-z])")
_LABEL = re.compile(rf"{LABELS}\.?\s(?:\d[\w.\-–]{{0,6}}|[IVX]{{1,6}}|[A-Z])", re.I)
_SPEAKER = re.compile(
    rf"\s(?!(?:And|But|Then|So|Presently|Again|At|After|When|As)\b)(?:\w[\w.’'-]{{0,20}}\s){{1,3}}{SPEAKING}\b(?!:)"
)
_SAID_IN_CHINESE = re.compile(r"[^\s。，！？]{0,8}[说道问喊叫答說問]")
_SIGNS = tuple("§$€£#@~<>±−+\\")  # they stand before numbers
_CLITIC = re.compile(r"\s*['’‘][nst]\s[A-Z]")  # "'s Avonds" in Dutch
_YEAR_FIRST = re.compile(r"[А-Я][а-я]{0,8}(?: [а-я]{3,12})? (?:\d{3,4}|[XVI]{1,5}) (?:г|гг|в|вв)")
_PLAIN = re.compile(r"[a-z]{2,}\)?|\d{1,4}")
_ELISION = re.compile(r"\w{1,2}['’](?=\w)")
_ADDRESS = re.compile(r"://|\bwww\.")
# What a line break parted from the address before it: "index. html", "page.php? id=3".
_REST_OF_ADDRESS = re.compile(
    r"(?:html?|php|aspx?|jsp|cfm|pdf|xml|txt)(?=[)\].,;:>]|\Z)|[\w.%-]{1,40}=[^\s=]", re.IGNORECASE
)
_LONGEST_ADDRESS = 300
_ODD_WORD = re.compile(r"[a-z]{1,8}[A-Z0-9]|[^\W\d_a-zA-Z]-|[a-z]-[A-Za-z]")


def find_ends(text: str, rules: StopRules) -> Iterator[int]:
    """Gives where each sentence of a paragraph but the last one ends.

    Args:
        text: One paragraph; line breaks in it are white space.
        rules: What full stops mean in its language.

    Yields:
        Code points, ascending: one past the last mark of a sentence.
    """
    start = 0
    for match in _STOP.finditer(text):
        end = _end_at(text, start, match, rules)
        if end:
            yield end
            start = end


def _end_at(text: str, start: int, match: re.Match[str], rules: StopRules) -> int:
    """Where the sentence ends that this stop may end; 0 if it goes on."""
    end = match.end()
    if match["firm"]:
        return 0 if _speech_goes_on(text, end) else end
    if end == len(text):
        return 0
    if not text[end].isspace():
        return _end_without_space(text, start, match, rules)
    return end if _ends(text, start, match, end, rules) else 0


def _speech_goes_on(text: str, end: int) -> bool:
    if text[end - 1] not in _QUOTES:
        return False
    return text.startswith("と", end) or _SAID_IN_CHINESE.match(text, end) is not None


def _end_without_space(text: str, start: int, match: re.Match[str], rules: StopRules) -> int:
    """Handles "corpus.3 We", "disputed.[12] A" and "twice.The"."""
    end = match.end()
    head = text[max(start, match.start() - _REACH) : match.start()].split()
    word = head[-1] if head else ""
    tail = _TAIL.match(text, end)
    if tail:
        spaced = tail.end() < len(text) and text[tail.end()].isspace()
        cited = not text[end].isdigit() or word[-3:].isalpha() or end - match.start() > 1
        is_end = spaced and cited and _ends(text, start, match, tail.end(), rules)
        return tail.end() if is_end else 0
    following = _UNSPACED.match(text, end)
    lost = following and following["word"] in rules.starters and _PLAIN.fullmatch(word)
    return end if lost and word not in rules.never else 0


def _ends(text: str, start: int, match: re.Match[str], end: int, rules: StopRules) -> bool:
    """Whether a sentence ends at a stop that white space follows."""
    following = _NEXT.match(text, end)
    assert following is not None
    opening, first = following["open"], following["word"]
    marks = match[0]
    if marks[0] in ";\u037e":
        return first[:1].isupper()
    if not opening and _address_goes_on(text, start, match.start(), following.start("word")):
        return False
    kind = _kind(first, opening, following["after"])
    if kind in ("lower", "none") and _CLITIC.match(text, end):
        kind = "upper"
    if kind == "lower":
        return _ends_before_lower(text, start, match, following, rules)
    if kind == "none":
        return False
    if ")" in marks or "]" in marks:
        return _bracket_ends(text, start, match.start(), first, rules)
    if "!" in marks or "?" in marks:
        quoted = marks[-1] in _QUOTES
        return not (quoted and _SPEAKER.match(text, end))
    if marks.startswith(("..", "…")):
        return kind == "upper"
    return _stop_ends(text, start, match, following, kind, rules)


def _address_goes_on(text: str, start: int, at: int, following: int) -> bool:
    """Whether a stop and a space stand within the address of a page."""
    if not _REST_OF_ADDRESS.match(text, following):
        return False
    head = text[max(start, at - _LONGEST_ADDRESS) : at].split()
    return bool(head) and _ADDRESS.search(head[-1]) is not None


def _kind(first: str, opening: str, after: str) -> str:
    """What follows the stop: "upper" (or a script without case), "digit", "lower" or "none"."""
    if not first:
        sign = "digit" if after.startswith(_SIGNS) else "none"
        return "upper" if opening else sign
    if first[0].isdigit():
        return "digit"
    return "lower" if first[0].islower() else "upper"


def _bracket_ends(text: str, start: int, at: int, first: str, rules: StopRules) -> bool:
    """Whether brackets that close after a stop held all of the sentence, or of several."""
    head = text[start : start + 8].lstrip()
    mark = _LIST_MARK.match(head)
    if mark and head.startswith((".)", ".]"), mark.end()):
        return False
    near = text[max(start, at - _FAR) : at]
    inside = max(near.rfind("("), near.rfind("[")) > max(near.rfind(")"), near.rfind("]"))
    return head[:1] in ("(", "[") or not inside or first in rules.starters


def _ends_before_lower(
    text: str, start: int, match: re.Match[str], following: re.Match[str], rules: StopRules
) -> bool:
    """A small letter after the stop: only such as "mRNA", "p53" or "α-Tubulin" begin sentences."""
    if match[0] != "." or not _ODD_WORD.match(text, following.start("word")):
        return False
    return _stop_ends(text, start, match, following, "digit", rules)


def _stop_ends(
    text: str,
    start: int,
    match: re.Match[str],
    following: re.Match[str],
    kind: str,
    rules: StopRules,
) -> bool:
    """Whether one full stop, perhaps with closing marks, ends the sentence."""
    at = match.start()
    low = max(start, at - _REACH)
    head = text[low:at]
    parts = head.split()
    if not parts:
        return False
    if head[-1].isspace():  # a stop that stands alone
        return kind == "upper"
    word = _ELISION.sub("", parts[-1].lstrip(_OPENERS))
    before = parts[-2] if len(parts) > 1 else ""
    if low == start and _introduces(head.strip(), parts):
        return False
    if match[0][-1] in _QUOTES and word.lower() not in rules.never and len(word) > 1:
        return kind == "upper"
    opened = following.start("open")
    return ends_sentence(
        FullStop(
            word=word,
            before=before,
            rest=text[opened : opened + 8],
            first=following["word"],
            capital=kind == "upper",
            dotted=following["after"].startswith("."),
        ),
        rules,
    )


def _introduces(head: str, parts: list[str]) -> bool:
    """Whether all of the sentence so far is a list mark, a label with its number or a year."""
    if len(parts) == 1:
        return _LIST_MARK.fullmatch(head) is not None
    if parts[-1] in ("г", "гг", "в", "вв"):
        return _YEAR_FIRST.fullmatch(head) is not None
    return len(parts) == 2 and _LABEL.fullmatch(head) is not None
