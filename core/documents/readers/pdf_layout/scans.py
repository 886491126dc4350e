"""Pages without words, and recognition layers full of misread letters."""

import re
from collections import defaultdict

from core.documents.document import LeftOut, count_words
from core.documents.readers.pdf_layout.sheet import Sheet

_PICTURE_SHARE = 0.5  # of the page: a picture so large is the page
_PLAUSIBLE = re.compile(
    r"[\"'“‘(\[]*(?:[A-Z]?[a-z]+|[A-Z]+)(?:[-'’/][A-Za-z]+)*(?:['’]s)?[\"'”’)\].,;:!?—-]*"
)
_NUMBER = re.compile(r"[(\[$£€№#]*\d[\d.,:/-]*(?:st|nd|rd|th|%)?[)\].,;:]*")
_VOWEL = re.compile(r"[aeiouyäöüéèêáàâíîóôúûåæø]", re.IGNORECASE)
_RUBBLE_SHARE = 0.25  # of implausible words
_POOR_SHARE = 0.07
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]")


def pages_without_text(sheets: list[Sheet]) -> list[LeftOut]:
    """Pages that give no text to read, by the reason."""
    pages: dict[tuple[str, str, bool], list[int]] = defaultdict(list)
    for sheet in sheets:
        if reason := _reason(sheet):
            pages[reason].append(sheet.page)
    return [
        LeftOut(what, why, 0, tuple(numbers), missed)
        for (what, why, missed), numbers in pages.items()
    ]


def is_picture(sheet: Sheet) -> bool:
    """Whether a page is a picture without text: a scan, or a photograph."""
    return sheet.picture_share >= _PICTURE_SHARE and not len(sheet.words)


def _reason(sheet: Sheet) -> tuple[str, str, bool] | None:
    if sheet.damaged:
        return "damaged pages", "they could not be opened", True
    if len(sheet.words):
        return None
    if is_picture(sheet):
        return "scanned pages", "they are pictures without text", True
    if sheet.shapes:
        return "pages without words", "they hold only drawings or pictures", True
    return "empty pages", "they are blank", False


def recognised_share(sheet: Sheet) -> float:
    """Share of the words of a page that belong to a hidden recognition layer."""
    return float(sheet.words.hidden.mean()) if len(sheet.words) else 0.0


def misread_share(sheet: Sheet) -> float:
    """Share of the words of a recognition layer that are spelt as no word is; else 0."""
    if recognised_share(sheet) < 0.5:
        return 0.0
    texts = sheet.words.texts.tolist()
    if not any(map(_LATIN.search, texts)):
        return 0.0
    return sum(not is_plausible(text) for text in texts) / len(texts)


def is_rubble(sheet: Sheet) -> bool:
    """Whether so much of a recognition layer is misread that it says nothing."""
    return misread_share(sheet) > _RUBBLE_SHARE


def recognition_notes(sheets: list[Sheet]) -> list[str]:
    """Which pages were recognised from pictures, and on which many words are misread."""
    recognised = [sheet for sheet in sheets if recognised_share(sheet) >= 0.5]
    kept = [sheet for sheet in recognised if not is_rubble(sheet)]
    notes = []
    if kept:
        notes.append(
            f"The text of {_named(kept)} was recognised from a picture;"
            " some of its letters may be misread."
        )
    poor = [sheet for sheet in kept if misread_share(sheet) > _POOR_SHARE]
    if poor:
        notes.append(f"Many words of {_named(poor)} are misread.")
    return notes


def _named(sheets: list[Sheet]) -> str:
    return named_pages([sheet.page for sheet in sheets])


def named_pages(pages: list[int]) -> str:
    """Page numbers in words ("pages 2, 3 and 5")."""
    numbers = [str(page) for page in pages]
    if len(numbers) == 1:
        return f"page {numbers[0]}"
    return f"pages {', '.join(numbers[:-1])} and {numbers[-1]}"


def is_plausible(word: str) -> bool:
    """Whether a word of a Latin script is spelt as words are: letters, a vowel, usual capitals."""
    word = word.replace("\x02", "")
    if _NUMBER.fullmatch(word):
        return True
    if not _PLAUSIBLE.fullmatch(word):
        return False
    letters = re.sub(r"[^A-Za-z]", "", word)
    if len(letters) == 1:
        return letters in "aAIO" or word.endswith((".", ","))
    return bool(_VOWEL.search(word)) or len(letters) <= 3


def count_sideways(sheets: list[Sheet]) -> LeftOut | None:
    """Words that run up or down the side of upright pages."""
    pages = [sheet for sheet in sheets if sheet.sideways]
    words = sum(count_words(" ".join(sheet.sideways)) for sheet in pages)
    if not words:
        return None
    return LeftOut(
        "sideways words",
        "they label figures or margins",
        words,
        tuple(sheet.page for sheet in pages),
        missed=False,
    )
