"""The rules for the end of one sentence of a paragraph and the beginning of the next.

Every stop is looked at once, with a bounded piece of the text before and after it, so that the
work grows with the text and no text can make it grow faster.
"""

import re
from collections.abc import Iterator
from functools import cache

from core.documents.abbreviations import COUNTERS, EXCLAIMED, FIRMS, LABELS, SPEAKING
from core.documents.full_stops import FullStop, ends_sentence
from core.documents.stop_rules import StopRules

_REACH = 48  # how far before a stop its word is looked for
_FAR = 1000  # how far before a closing bracket its opening one is looked for

_CLOSERS = "\"'”’“»«›)\\]}*_」』）】》〉〕"
_QUOTES = frozenset("\"'”’“»«›」』")
_FIRM_CLOSERS = _CLOSERS.replace("“", "").replace("«", "")  # there these open
_OPENERS = "\"'`“‘„«»‹(\\[{¿¡「『（【《〈"
_FIRM = "。！？｡।॥።፧။។៕༎۔؟։"  # these end a sentence wherever they stand
_GREEK = "[\u0370-\u03ff\u1f00-\u1fff]"
_ARMENIAN = "[\u0531-\u0587]"
# The colon of a keyboard, in place of the Armenian full stop.
_ARMENIAN_STOP = "|".join(
    f"(?<={_ARMENIAN}{between}:)" for between in ("", "[…»]", " …", r"\.\.\.")
)
_PICTURES = "\U0001f300-\U0001faff\u2614\u2615\u2639\u263a\u2705\u2728\u270a-\u270d\u2764\u2b50"
_PICTURE = f"[{_PICTURES}][\ufe0f\u200d\U0001f3fb-\U0001f3ff]*"
_ARMENIAN_LETTER = re.compile(_ARMENIAN)
_LEADING_PICTURE = re.compile(_PICTURE)
_LONGEST_LEAD = 8
_HEARTS = "❤♥"  # also a verb
# One class of characters at the head lets the search pass over all others quickly.
_STOP = re.compile(
    rf"[.!?…:;\u037e{_FIRM}{_PICTURES}](?:"
    rf"(?:(?P<firm>(?<=[{_FIRM}])[{_FIRM}]*|(?:{_ARMENIAN_STOP})(?=\s|\Z))[{_FIRM_CLOSERS}]*"
    # Two letters before the Greek question mark: "x = α; Β = 1" is code.
    rf"|(?:(?<=[.!?…])[.!?…]*|(?<={_GREEK}{_GREEK}[;\u037e])(?=\s))"
    rf"[{_CLOSERS}]*(?:[ \u00a0\u202f]»(?=\s|$))?)(?P<reaction>[ \u00a0]?(?:{_PICTURE}){{1,8}})?"
    rf"|(?P<picture>(?<=[{_PICTURES}])[\ufe0f\u200d\U0001f3fb-\U0001f3ff]*(?:{_PICTURE}){{0,7}}))"
)
_NEXT = re.compile(
    rf"\s*(?P<open>(?:[–—•-]\s|[–—](?=[^\W\d_]))?[{_OPENERS}]*)(?P<word>\w{{0,30}}(?:['’]\w{{1,3}})?)(?P<after>.?.?)",
    re.S,
)
_TAIL = re.compile(r"(?:\[[^\[\]\s]{1,12}\]){1,8}|\d{1,3}(?:[,–-]\d{1,3}){0,8}|[*†‡¹²³⁴-⁹⁰]{1,6}")
_UNSPACED = re.compile(r"(?P<word>[A-Z][a-z]{0,12})[\s,]")
_BULLETS = " \t\n•⁃◦▪‣"
_ITEM = re.compile(
    r"\s{0,4}(?P<lead>[•⁃◦▪‣]?\s?\(?)(?P<number>\d{1,2}|[a-y])(?P<close>\.\)|[.)])\s"
)
_ITEM_OF_LINE = re.compile(r"(?:\((?:[a-z]|[ivx]{2,4})\)|[a-z][.)])\s+[A-ZÀ-ÖØ-Þ]")
_BEGINS_WITH_DOTS = re.compile(r"(?:\.\.\.|…)[^\W\d_]")
_LONGEST_ITEM = 500
_JOINING = frozenset("and or und oder et ou y o e and/or to in of".split())
_LIST_MARK = re.compile(r"[(\[]?(?:\d{1,3}(?:\.\d{1,3}){0,4}|[ivxIVX]{1,5}|[A-Za-z])")
_LABEL = re.compile(rf"{LABELS}\.?\s(?:\d[\w.\-–]{{0,6}}|[IVX]{{1,6}}|[A-Z])", re.I)
_SPEAKER = re.compile(
    rf"\s(?!(?:And|But|Then|So|Presently|Again|At|After|When|As)\b)(?:\w[\w.’'-]{{0,20}}\s){{1,3}}{SPEAKING}\b(?!:)"
)
_KOREAN_SPEAKER = re.compile(  # '"올 거야?" 그녀가 물었다.'
    r"\s(?:[가-힣]{1,12},?\s){0,5}[가-힣]{0,6}?(?:물었|묻는|물어보았|물어봤|말했|말하였|외쳤|소리쳤"
    r"|소리 질렀|대답했|대꾸했|속삭였|중얼거렸|덧붙였|되물었|반문했|따졌|다그쳤)(?:습니)?다[.,!]"
)
_TITLE_ENDS = {"》": "《", "〉": "〈", "』": "『", "）": "（"}
_NEVER_FIRST = tuple("とのをがはにもや的地得、，；")  # no sentence begins so
# Not before a colon and a quotation: that clause begins a sentence of its own.
_SAID_IN_CHINESE = re.compile(
    r"(?![^\s。，！？]{0,12}[：:][“「『\"])[^\s。，！？]{0,8}[说道问喊叫答說問]"
)
_HAN_OR_KANA = "[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\u3005]"
_NARROW_END = re.compile(
    rf"{_HAN_OR_KANA}[?!]{{1,8}}[{_FIRM_CLOSERS}]*(?=[\u3040-\u9fff「『《“])"
    "(?![のっ的]|と(?:[聞訊尋言思問叫答書考]|い[うっわ])|って)"  # "行くの?と聞いた"
)
_NAME_IN_KATAKANA = re.compile(r"[ァ-ヺー]![ァ-ヺー]")  # names of works and brands
_SIGNS = tuple("§$€£#@~<>±−+\\")  # they stand before numbers
_CLITIC = re.compile(r"\s*['’‘][nst]\s[A-Z]")  # "'s Avonds" in Dutch
# "At 5 a.m. Mr. Brown", "In 31 B.C. Octavian", "В 1812 г. Наполеон": no sentence ends there.
_TIME_FIRST = re.compile(
    r"(?:(?:At|In|By|On|From|Since|Until|Before|After|Around|About|Im|Um|Ab|Bis|Seit|Vor|Nach|Nel|Dal"
    r"|En|Vers|Em|Op|Rond|Sinds|År|I|Vuonna|W|Do|Od|Po|V|Ve)(?:\s[^\W\d_A-Z]{2,12}){0,2}"
    r"|[А-ЯІЄ][а-яёії]{0,8}(?:\s[а-яёії]{3,12})?)"
    r"\s(?:\d[\d.:,]{0,7}(?:[-–]\d{1,4})?(?:-[а-яіїє]{1,2})?|[XVI]{1,5})\s?"
    r"(?:[ap]\.\s?m|B\.\s?C(?:\.\s?E)?|A\.\s?D|C\.\s?E|[vn]\.\s?Chr|[ad]\.\s?C|a[vp]\.\s?J\.-C|[fe]\.\s?Kr"
    r"|[ej]Kr|н\.\s?э|p\.\s?n\.\s?e|př\.\s?n\.\s?l|stol|stor|гг?|вв?|рр?|ст|ww?|rr?)"
)
_PLAIN = re.compile(r"[a-z]{2,}\)?|\d{1,4}")
_ELISION = re.compile(
    r"\A(?:\w{1,2}|(?:qu|[dncs])?[aeou](?:ll|gl)|quest|sant)['’](?=\w)", re.IGNORECASE
)
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
    start, item = 0, _next_item(text, 0)
    for match in _STOP.finditer(text):
        while item and item <= match.start():
            yield item
            start, item = item, _next_item(text, item)
        end = _end_at(text, start, match, rules)
        if end:
            yield end
            start, item = end, _next_item(text, end)
    while item:
        yield item
        item = _next_item(text, item)


def _end_at(text: str, start: int, match: re.Match[str], rules: StopRules) -> int:
    """The end of the sentence that this stop may end; 0 if it goes on."""
    end = match.end()
    if match["firm"] is not None:
        return 0 if _goes_on_unspaced(text, start, match.start(), end) else end
    if end == len(text):
        return 0
    if match["reaction"] or match["picture"] is not None:
        return _end_at_picture(text, start, match, rules)
    if not text[end].isspace():
        return _end_without_space(text, start, match, rules)
    return end if _ends(text, start, match, end, rules) else 0


def _end_at_picture(text: str, start: int, match: re.Match[str], rules: StopRules) -> int:
    """Handles "Nice work! 👍 The next" and "Nice work 👍 The next"."""
    end, is_reaction = match.end(), match["reaction"] is not None
    at = match.start("reaction") if is_reaction else match.start()
    lead = text[start : min(at, start + _LONGEST_LEAD)].lstrip()
    if not lead or not text[end].isspace():
        return 0
    if _LEADING_PICTURE.match(lead):  # as bullets: it belongs to what follows
        return at if is_reaction or lead[0] == text[at] else 0
    following = _NEXT.match(text, end)
    assert following is not None
    if is_reaction:
        kind = _kind(following["word"], following["open"], following["after"])
        return end if kind in ("upper", "digit") else 0
    return end if text[at] not in _HEARTS and following["word"] in rules.starters else 0


def _goes_on_unspaced(text: str, start: int, at: int, end: int) -> bool:
    """True if a mark that ends a sentence wherever it stands is within a title or speech."""
    last = text[end - 1]
    if last in _QUOTES and text.startswith(_NEVER_FIRST, end):
        return True
    if last in _QUOTES and last not in _TITLE_ENDS:
        return _SAID_IN_CHINESE.match(text, end) is not None
    near = text[max(start, at - _REACH) : at].lstrip()
    if last in _TITLE_ENDS:
        opened = near.rfind(_TITLE_ENDS[last])
        is_inside = opened > 0 or (opened == 0 and last != "）")  # "（…。）" may be a sentence
        return is_inside and text[end : end + 1].strip() != ""
    return any(
        near.rfind(opening) > near.rfind(closing) and closing in text[end : end + _REACH]
        for closing, opening in _TITLE_ENDS.items()
    )


def _end_without_space(text: str, start: int, match: re.Match[str], rules: StopRules) -> int:
    """Handles "corpus.3 We", "disputed.[12] A", "twice.The" and "你来吗?好。"."""
    end = match.end()
    if text[end] >= "\u3000":
        return _narrow_end(text, start, match.start())
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


def _narrow_end(text: str, start: int, at: int) -> int:
    """The end of a Chinese or Japanese sentence at a narrow question or exclamation mark."""
    narrow = _NARROW_END.match(text, at - 1) if at > start else None
    if narrow is None or _NAME_IN_KATAKANA.match(text, at - 1):
        return 0
    end = narrow.end()
    is_within = _address_goes_on(text, start, at, end) or _goes_on_unspaced(text, start, at, end)
    return 0 if is_within else end


def _ends(text: str, start: int, match: re.Match[str], end: int, rules: StopRules) -> bool:
    """True if a sentence ends at a stop that white space follows."""
    following = _NEXT.match(text, end)
    assert following is not None
    opening, first = following["open"], following["word"]
    marks = match[0]
    if marks[0] in ";\u037e":
        return first[:1].isupper() and re.match(_GREEK, first) is not None
    if _binds_next(text, start, match.start(), following):
        return False
    kind = _kind(first, opening, following["after"])
    if kind in ("lower", "none") and _CLITIC.match(text, end):
        kind = "upper"
    if kind == "lower" and _ITEM_OF_LINE.match(text, following.start("open")):
        kind = "digit"
    if kind == "lower":
        return _ends_before_lower(text, start, match, following, rules)
    if kind == "none" and _BEGINS_WITH_DOTS.match(text, following.start("word")):
        kind = "upper"
    if kind == "none":
        return False
    if ")" in marks or "]" in marks:
        return _bracket_ends(text, start, match.start(), first, rules)
    if "!" in marks or "?" in marks:
        quoted = marks[-1] in _QUOTES
        if marks == "!" and _is_exclaimed_name(text, start, match.start(), first, rules):
            return False
        return not (quoted and (_SPEAKER.match(text, end) or _KOREAN_SPEAKER.match(text, end)))
    if marks.startswith(("..", "…")):
        return kind == "upper"
    return _stop_ends(text, start, match, following, kind, rules)


def _is_exclaimed_name(text: str, start: int, at: int, first: str, rules: StopRules) -> bool:
    """True if the mark belongs to a name, as in "Yahoo! Inc."."""
    word = text[max(start, at - _REACH) : at].rpartition(" ")[2]
    if word in EXCLAIMED:
        return first not in rules.starters
    return word.istitle() and first in FIRMS


def _binds_next(text: str, start: int, at: int, following: re.Match[str]) -> bool:
    """True at a full stop within an address, or before speech in Armenian, as a colon elsewhere."""
    if not following["open"]:
        return _address_goes_on(text, start, at, following.start("word"))
    is_speech = following["open"].startswith("«")
    return is_speech and _ARMENIAN_LETTER.match(text, at - 1) is not None


def _address_goes_on(text: str, start: int, at: int, following: int) -> bool:
    """True if a stop and a space are within the address of a page."""
    if not _REST_OF_ADDRESS.match(text, following):
        return False
    head = text[max(start, at - _LONGEST_ADDRESS) : at].split()
    return bool(head) and _ADDRESS.search(head[-1]) is not None


def _kind(first: str, opening: str, after: str) -> str:
    """The kind of the next character: "upper" (or without case), "digit", "lower" or "none"."""
    if not first:
        sign = "digit" if after.startswith(_SIGNS) else "none"
        return "upper" if opening else sign
    if first[0].isdigit():
        return "digit"
    return "lower" if first[0].islower() else "upper"


def _bracket_ends(text: str, start: int, at: int, first: str, rules: StopRules) -> bool:
    """True if brackets that close after a stop held all of the sentence, or of several."""
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
    """True if one full stop, perhaps with closing marks, ends the sentence."""
    at = match.start()
    low = max(start, at - _REACH)
    head = text[low:at]
    parts = head.split()
    if not parts:
        return False
    if head[-1].isspace():  # a stop that stands alone
        return kind == "upper"
    word = _ELISION.sub("", parts[-1].lstrip(_OPENERS), count=1)
    before = parts[-2] if len(parts) > 1 else ""
    if low == start and _introduces(head.strip(_BULLETS)):
        return False
    if match[0][-1] in _QUOTES and word.lower() not in rules.never and _is_word(word):
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


def _is_word(word: str) -> bool:
    """True if it is no single letter; one sign of Chinese, Japanese or Korean is a word."""
    return len(word) > 1 or "\u3040" <= word <= "\ud7a3"


def _introduces(head: str) -> bool:
    """True if all of the sentence so far is a list mark, a label with its number or a time."""
    parts = head.split()
    if len(parts) == 1:
        return _LIST_MARK.fullmatch(head) is not None
    if _TIME_FIRST.fullmatch(head):
        return True
    return len(parts) == 2 and _LABEL.fullmatch(head) is not None


def _next_item(text: str, start: int) -> int:
    """Returns where the second item begins of a list on one line: "1. The one 2. The other"."""
    mark = _ITEM.match(text, start)
    if not mark:
        return 0
    number = mark["number"]
    following = str(int(number) + 1) if number.isdigit() else chr(ord(number) + 1)
    lead, close = mark["lead"].strip(), mark["close"]
    pattern = _compile_item(lead, following, close)
    for found in pattern.finditer(text, mark.end(), mark.end() + _LONGEST_ITEM):
        before = text[max(start, found.start() - _REACH) : found.start()].lower().split()[-1:]
        word = before[0] if before else ","
        is_free = lead or close != "." or not (word in COUNTERS or len(word) < 3)
        if is_free and word not in _JOINING and not word.endswith(","):
            return found.start()
    return 0


@cache
def _compile_item(lead: str, number: str, close: str) -> re.Pattern[str]:
    lead = rf"{re.escape(lead)}\s?" if lead else ""
    return re.compile(rf"\s{lead}{number}{re.escape(close)}\s(?=[^\W\d_a-zß-öø-ÿ])")
