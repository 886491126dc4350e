"""What stands in an e-book before and after its chapters: title pages, imprints, adverts."""

import re
from itertools import accumulate

from core.documents.document import RUNNING_TEXT, Block, Kind, count_words

PURPOSES = frozenset(
    (
        *("titlepage", "title-page", "halftitlepage", "cover", "copyright-page", "imprint"),
        *("imprimatur", "colophon", "other-credits", "seriespage", "toc", "loi", "lot", "loa"),
        *("landmarks", "page-list", "pagelist", "dedication"),
    )
)
"""What the package, or EPUB's own marks, call such parts."""

_TITLE = re.compile(
    r"copyright(?: page| notice| information)?|imprint|colophon|uncopyright|legal notice"
    r"|(?:half |full )?title ?page|cover(?: page)?|about the (?:publisher|author)s?"
    r"|newsletter.{0,60}|(?:stay|get|connect) (?:in touch|connected|with) .{0,80}"
    r"|transcriber['’]?s['’]? notes?|(?:the full )?project gutenberg(?:™|-tm)? licen[cs]e"
    r"|impressum|titel(?:seite|ei)|über (?:den autor|die autorin|den verlag)"
    r"|page de titre|mentions légales|à propos de l.auteure?"
    r"|créditos|portada|página de (?:título|créditos|derechos)|sobre (?:el autor|la autora)"
    r"|(?:also|books|(?:other |more )(?:books|works|titles|novels)(?: available)?) (?:by|from)\b"
    r".{1,120}"
    r"|by the same author.{0,40}|discover (?:more|your next).{0,60}|coming soon.{0,60}"
    r"|an? (?:excerpt|preview) (?:from|of) .{1,80}"
    r"|weitere (?:bücher|titel|werke)\b.{0,80}|d(?:u|e la) même auteure?"
    r"|del? (?:la )?mism[oa] autora?|otros títulos\b.{0,80}",
    re.IGNORECASE,
)
# These may be chapters too: there must be no more in front of the first one, or prices among them.
_OPENING = re.compile(
    r"(?:advance )?praise for .{1,120}|dedication|dedicatoria|dédicace|widmung", re.I
)
_ADVERTS = re.compile(
    r"(?:publishers?['’]?s?['’]? )?(?:advertisements?|announcements?|catalogue)"
    r"|(?:new |popular |standard |latest |recent )?(?:books|novels|works|publications|volumes)"
    r" (?:by|from|of|in)\b.{1,120}"
    r"|(?:a )?(?:select(?:ed)? |complete |descriptive )?(?:list|catalogue) of .{1,120}"
    r"|(?:new|recent|latest|standard|popular) (?:books|publications|novels)\b.{0,80}"
    r"|(?:verlags)?anzeigen",
    re.IGNORECASE,
)
_PRICED = re.compile(
    r"[$£€]\s?\d|\b\d{1,3}s\.(?: ?\d{1,2}d\.)?|\b\d{1,3}d\.|\b\d{1,2}mo\b|\b[48]vo\b|\bcloth\b"
    r"|\bgilt\b|\bnet\.|\bpostpaid\b|\bpost[ -]free\b|\beach volume\b|\bisbn\b",
    re.IGNORECASE,
)
_PRICE_WORDS = ("cloth", "gilt", "net.", "post", "volume", "isbn")
_DIGIT = re.compile(r"\d")
_PUBLISHED = re.compile(
    r"\b(?:published|printed|first edition|press|publishers?|verlag|éditions|editorial|isbn"
    r"|copyright|all rights reserved|company|& co|sons|illustrated by|translated by)\b",
    re.IGNORECASE,
)
_KEY = re.compile(r"\W+")
_LONGEST_NAMED = 1_500  # words
_LONGEST_OPENING = 300
_LONGEST_TITLE_PAGE = 90
_LONGEST_LINE = 25  # words, of a title page
_FEWEST_PRICES = 6
_WORDS_A_PRICE = 45  # at most, in adverts


def is_matter(
    blocks: list[Block], titles: list[str], purpose: str, book: str, *, is_first: bool
) -> bool:
    """Whether a part of a book is none of its text.

    Args:
        blocks: Its paragraphs.
        titles: Its first heading and its name in the table of contents, as far as there are any.
        purpose: What the package says it is for.
        book: The book's title.
        is_first: Whether no chapter stands before it.

    Returns:
        True for title pages, imprints, adverts and their like.
    """
    text = [block for block in blocks if block.kind in RUNNING_TEXT]
    words = sum(count_words(block.text) for block in text)
    if blocks and not text:
        return any(block.kind == Kind.BOILERPLATE for block in blocks)
    if words < _LONGEST_NAMED and (purpose in PURPOSES or any(map(_TITLE.fullmatch, titles))):
        return True
    if is_first and words < _LONGEST_OPENING and any(map(_OPENING.fullmatch, titles)):
        return True
    if is_first and _is_title_page(blocks, words, book):
        return True
    return words > 0 and _are_adverts(text, words)


def without_adverts(blocks: list[Block]) -> tuple[list[Block], list[Block]]:
    """Parts a chapter from the adverts that stand behind it under a heading of theirs."""
    starts = [
        index
        for index, block in enumerate(blocks)
        if index and block.kind == Kind.HEADING and _ADVERTS.fullmatch(block.text)
    ]
    if not starts:
        return blocks, []
    rest = [[] if block.kind == Kind.HEADING else [block] for block in blocks]
    prices = _sums_from([_num_prices(each) for each in rest])
    words = _sums_from([sum(count_words(one.text) for one in each) for each in rest])
    for index in starts:
        if _are_many(prices[index], words[index]):
            return blocks[:index], blocks[index:]
    return blocks, []


def _sums_from(counts: list[int]) -> list[int]:
    """Of each place, the sum from there to the end."""
    return list(accumulate(reversed(counts)))[::-1]


def _are_adverts(blocks: list[Block], words: int) -> bool:
    return _are_many(_num_prices(blocks), words)


def _num_prices(blocks: list[Block]) -> int:
    return sum(len(_PRICED.findall(block.text)) for block in blocks if _may_be_priced(block.text))


def _may_be_priced(text: str) -> bool:
    """False for most text, in a tenth of the time that the pattern of prices takes."""
    return bool(_DIGIT.search(text)) or any(map(text.lower().__contains__, _PRICE_WORDS))


def _are_many(prices: int, words: int) -> bool:
    return prices >= _FEWEST_PRICES and words <= _WORDS_A_PRICE * prices


def _is_title_page(blocks: list[Block], words: int, book: str) -> bool:
    """Whether a part holds the book's title and short lines, such as the names of its makers."""
    whole = [block.text for block in blocks]
    words += sum(count_words(block.text) for block in blocks if block.kind == Kind.HEADING)
    if not whole or words > _LONGEST_TITLE_PAGE:
        return False
    if any(count_words(line) > _LONGEST_LINE for line in whole):
        return False
    key, all_of_it = _key(book), _key(" ".join(whole))
    titled = bool(key) and key in all_of_it
    published = any(map(_PUBLISHED.search, whole))
    byline = any(line.casefold().startswith(("by ", "von ", "par ", "por ")) for line in whole)
    return titled and (published or byline or len(all_of_it) <= len(key) + 60)


def _key(text: str) -> str:
    return _KEY.sub("", text).casefold()
