"""Pages without words, pages that were recognised, and layers full of misread letters."""

import re
import unicodedata
from collections import defaultdict

from core.documents.document import LeftOut, count_words
from core.documents.readers.pdf_layout.sheet import Recognised, Sheet
from core.numbers import format_count, format_pages, format_quantity

_PICTURE_SHARE = 0.5  # of the page: a picture so large is the page
_SMALLEST_SHARE = 0.05  # of the page: pictures so small, without words, may be a visiting card
SCANNED = "scanned pages"
"""The name, in reports, of pages whose text could be recognised."""

_PLAUSIBLE = re.compile(
    r"[\"'“‘(\[]*(?:[A-Z]?[a-z]+|[A-Z]+)(?:[-'’/][A-Za-z]+)*(?:['’]s)?[\"'”’)\].,;:!?—-]*"
)
_NUMBER = re.compile(r"[(\[$£€№#]*\d[\d.,:/-]*(?:st|nd|rd|th|%)?[)\].,;:]*")
_VOWEL = re.compile(r"[aeiouyäöüéèêáàâíîóôúûåæø]", re.IGNORECASE)
_RUBBLE_SHARE = 0.25  # of implausible words
_POOR_SHARE = 0.07
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]")
_PLAIN = str.maketrans("øØłŁđĐœŒ", "oOlLdDoO")  # letters that do not come apart
_STAMP = 20  # words: a picture with fewer on it is a scan with a stamp or a page number


def pages_without_text(sheets: list[Sheet]) -> list[LeftOut]:
    """Pages that give no text to read, by the reason."""
    pages: dict[tuple[str, str, bool], list[int]] = defaultdict(list)
    has_text = sum(len(sheet.words) for sheet in sheets) >= _STAMP
    for sheet in sheets:
        if not has_text and is_stamped(sheet):
            pages[SCANNED, "they are pictures with hardly a word", True].append(sheet.page)
        elif reason := _reason(sheet):
            pages[reason].append(sheet.page)
    return [
        LeftOut(what, why, 0, tuple(numbers), missed)
        for (what, why, missed), numbers in pages.items()
    ]


def is_picture(sheet: Sheet) -> bool:
    """True if a page has pictures and no text: a scan, in one piece or several, or a photograph."""
    if len(sheet.words):
        return False
    areas = (shape.area for shape in sheet.shapes if shape.kind in ("picture", "form"))
    return sum(areas) >= _SMALLEST_SHARE * sheet.width * sheet.height


def is_stamped(sheet: Sheet) -> bool:
    """True if a page is a picture with hardly a word on it that was not recognised in it."""
    is_large = sheet.picture_share >= _PICTURE_SHARE and 0 < len(sheet.words) < _STAMP
    return is_large and recognised_share(sheet) < 0.5 and not sheet.recognised


def _reason(sheet: Sheet) -> tuple[str, str, bool] | None:
    if sheet.damaged:
        return "damaged pages", "they could not be opened", True
    if sheet.too_large:
        return "pages that are too large", "their contents unpack to too much", True
    if sheet.undrawn:
        return "pages that cannot be drawn", "drawing them takes too long", True
    if len(sheet.words):
        return None
    if is_picture(sheet) and sheet.tried:
        return SCANNED, "no text was recognised on them", True
    if is_picture(sheet):
        return SCANNED, "they are pictures without text", True
    if sheet.shapes:
        return "pages without words", "they hold only drawings or pictures", True
    return "empty pages", "they are blank", False


def wants_recognition(sheet: Sheet) -> bool:
    """Whether a page has no text to read, or hardly any, and a picture that may hold it."""
    if sheet.damaged:
        return False
    if not len(sheet.words):
        return any(shape.kind != "rule" for shape in sheet.shapes)
    return is_rubble(sheet) or is_stamped(sheet)


def recognised_share(sheet: Sheet) -> float:
    """Share of the words of a page that belong to a hidden recognition layer."""
    return float(sheet.words.hidden.mean()) if len(sheet.words) else 0.0


def misread_share(sheet: Sheet) -> float:
    """Share of recognised words that are in doubt, or spelt as no word is; 0 for other pages."""
    if sheet.recognised:
        lost = sheet.recognised.num_unreadable
        return (sheet.recognised.num_doubtful + lost) / (len(sheet.words) + lost)
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
    """Which pages have a recognition layer, and on which many of its words are misread."""
    layers = [sheet for sheet in sheets if not sheet.recognised]
    recognised = [sheet for sheet in layers if recognised_share(sheet) >= 0.5]
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


def notes_of_recognised(sheets: list[Sheet], language: str) -> list[str]:
    """What was recognised here, and how far it can be trusted.

    Args:
        sheets: All pages.
        language: The name of the language in which it was done.

    Returns:
        One sentence each; none if no page was recognised.
    """
    done = [(sheet, sheet.recognised) for sheet in sheets if sheet.recognised]
    if not done:
        return []
    words = sum(len(sheet.words) for sheet, _ in done)
    doubtful = sum(how.num_doubtful for _, how in done)
    notes = [
        f"The text of {_pages(done)} was recognised (OCR) in {language}: "
        f"{format_count(doubtful) if doubtful else 'none'} of {format_quantity(words, 'word')} "
        f"{'are' if doubtful > 1 else 'is'} in doubt."
    ]
    poor = [(sheet, how) for sheet, how in done if misread_share(sheet) > _POOR_SHARE]
    if poor and len(poor) < len(done):
        notes.append(f"Most of them are on {_pages(poor)}." if _most(poor, doubtful) else "")
    turned = [(sheet, how) for sheet, how in done if how.turn]
    if turned:
        notes.append(f"Turned upright: {_pages(turned)}.")
    cut = [(sheet, how) for sheet, how in done if not how.complete]
    if cut:
        notes.append(f"Recognition took too long and was cut short on {_pages(cut)}.")
    return [note for note in notes if note]


def unreadable_words(sheets: list[Sheet]) -> list[LeftOut]:
    """Words of recognised pages of which hardly a letter is known."""
    done = [(sheet, how) for sheet in sheets if (how := sheet.recognised) and how.num_unreadable]
    if not done:
        return []
    words = sum(how.num_unreadable for _, how in done)
    pages = tuple(sheet.page for sheet, _ in done)
    return [LeftOut("unreadable words", "their letters could not be recognised", words, pages)]


def _pages(done: list[tuple[Sheet, Recognised]]) -> str:
    return format_pages(tuple(sheet.page for sheet, _ in done))


def _most(poor: list[tuple[Sheet, Recognised]], doubtful: int) -> bool:
    return sum(how.num_doubtful for _, how in poor) > 0.5 * doubtful


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
    word = _without_accents(word.replace("\x02", ""))
    if _NUMBER.fullmatch(word):
        return True
    if not _PLAUSIBLE.fullmatch(word):
        return False
    letters = re.sub(r"[^A-Za-z]", "", word)
    if len(letters) == 1:
        return letters in "aAIO" or word.endswith((".", ","))
    return bool(_VOWEL.search(word)) or len(letters) <= 3


def _without_accents(word: str) -> str:
    """A word with plain letters for those with marks: "uber" for "über"."""
    if word.isascii():
        return word
    plain = unicodedata.normalize("NFD", word.replace("ß", "ss").replace("æ", "ae"))
    return "".join(char for char in plain if not unicodedata.combining(char)).translate(_PLAIN)


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
