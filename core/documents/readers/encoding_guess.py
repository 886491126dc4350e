"""Guesses the encoding of bytes from the letters and words that each candidate makes of them.

Each candidate decodes a sample. Letters of a language, in words of one script and case, and signs
in their places count for the candidate, everything else against it; the commonest words of the
language decide where letters do not. Points are summed, so that a long text outweighs how usual an
encoding is.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from math import log1p
from typing import NamedTuple

from core.documents.languages import languages

MIN_PLAUSIBLE = 0.35
"""Of characters outside ASCII, those that are in their places less the others; the least share."""

# What an encoding has to make up for because it is rarer.
_SINGLE_BYTE = {
    "cp1252": 0.0, "cp1250": 0.1, "cp1251": 0.1, "iso8859-15": 0.3, "iso8859-2": 0.3, "cp1254": 0.3,
    "cp1257": 0.4, "koi8_r": 0.2, "koi8_u": 0.3, "cp1253": 0.2, "cp1255": 0.2, "cp1256": 0.2,
    "cp874": 0.3, "iso8859-5": 0.5, "iso8859-7": 0.3, "iso8859-8": 0.3, "iso8859-6": 0.4,
    "iso8859-4": 0.8, "mac_roman": 0.7, "mac_latin2": 0.8, "mac_cyrillic": 0.8,
    "mac_turkish": 1.0, "cp850": 0.8, "cp437": 0.9, "cp852": 0.8, "cp866": 0.6, "cp1125": 0.7,
    "cp855": 1.2, "cp857": 1.2, "cp775": 1.2, "cp737": 1.2, "cp862": 1.2,
}  # fmt: skip
# Letters outside ASCII, the commonest first; which belong to a language is in Unicode's CLDR.
_ALPHABETS = {
    "en": "éèöüáàçñóíïêäôâåøæúëîûßãìòùõœ", "de": "üäöß", "fr": "éèàêçôâîûùïëœüÿæ", "es": "óíáéñúü",
    "it": "èàùòìéîíóú", "pt": "ãçáéíóõêúâàôü", "nl": "ëéïöüèóáê", "ca": "óèéàíçòúïü",
    "sv": "äåöé", "da": "åøæé", "nb": "åøæéòôê", "fi": "äöåšž", "is": "íáðéöúóþæý", "et": "äüõöšž",
    "cs": "íáěéřýžčšůúťóďň", "sk": "áíéčýžšúľťôóďňäŕĺ", "pl": "łżęąóśćńź", "hu": "áéőöíóüúű",
    "sl": "čšžćđ", "hr": "šćčžđ", "ro": "ăîşţâșț", "tr": "ıüşğçöâîû", "lt": "ėšįųžūąčęõ",
    "lv": "āīšūēņļžķčģ", "sq": "ëç",
    "ru": "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё", "uk": "оаниівтреслкумдпязьбгчйхцїжюєшщфґ",
    "bg": "аоиентсрвлдкпмзгъбучяшйжцхщфюь", "sr": "аоиеунрстјкдвмплгзбшчцњхжћђљфџ",
    "be": "аоніетрсялўкувдпмыьзбчгйцхшжюёэф", "mk": "аоиентрсвлкдпмујзгбчцшжфхќѓњџљѕ",
    "el": "αοιετσνηυρπκμλςάόίέωδγθήχύώφβξζψϊϋΐΰ",
    "he": "יוהלארםבמשתנעדחקפכגסזטצןךףץ", "ar": "اليمنرتبعدهسفكقحةجشىصخطأذئءظضزغثؤآإ",
    "th": "ากรนอเงมวยทลสตปบดคไหแขพจชโใผถะซธศฟณษฎฝภญฐฉฆฮฤำ",
}  # fmt: skip
# The commonest words of languages of which the program knows no others.
_WORDS = {
    "sk": "a v na sa je sú že s z so do aj o pre ako po za ktorý ktoré bol bola ale od pri jeho by",
    "sl": "in je na za se da ki so v z pri tudi kot še bo bil bila ni po od iz ali ko pa",
    "hr": "i je u na da se za su od s koji koja kao iz a bio bila ali ne do što po sve",
    "lt": "ir yra į iš kad su tai kaip bet ar buvo už apie prie per tik jau kuris kuri šio",
    "lv": "un ir no ar uz kas par kā bet lai arī pie tika gan jau šo viņa pēc vai tas",
    "et": "ja on ei see et oma kui ka mis aga oli ning või kes selle pärast juba enne veel",
    "is": "og að er í á sem var til með um fyrir en ekki því við það hann af frá hún",
    "sq": "dhe në të e i një për me që nga u është si ka kjo por se",
    "sr": "и је у на да се за су од који која као из а био била али не до што по све",
    "be": "і ў на не з што да як па за ад але быў была гэта яго для пра",
    "mk": "и на во се да од за со е не го што како до но беше ги тоа ќе",
}
_FINAL = ("it",)  # letters with accents are the last ones of their words there
_FOREIGN = -0.2  # of a Latin letter in English, where names of all languages occur
_LETTER, _FUNCTION_WORD = 2.0, 0.6  # weights
_CLUSTER, _CLUSTER_POINTS = re.compile(r"[cC]{4,}"), 0.7
_LONE_POINTS = 0.4
_BESIDE = 12  # characters before a sign that are looked at
_USUAL = "cp1252"
_SURE_WORDS, _SURE_SHARE, _SURE_PLAUSIBLE, _SURE_FOREIGN = 5, 0.15, 0.85, 0.005
_MOST_BAD = 0.3  # share of characters that no text has, above which a candidate is not tried

_TAG = re.compile(rb"<[A-Za-z/!?][^<>]{0,2000}>")
_ASCII_WORD = re.compile(rb"(?<![\w\x80-\xff])[A-Za-z]+(?![\w\x80-\xff])")
_TOKEN = re.compile(r"(?P<word>(?:(?![ªºµ²³¹¼½¾])[^\W\d_])+)|[^\x00-\x7f]")
_SCRIPT = re.compile(
    r"(?P<latin>[a-zA-Z\u00c0-\u024f\u1e00-\u1eff])|(?P<cyrillic>[\u0400-\u04ff])"
    r"|(?P<greek>[\u0370-\u03ff])|(?P<hebrew>[\u0590-\u05ff])|(?P<arabic>[\u0600-\u06ff])"
    r"|(?P<thai>[\u0e00-\u0e7f])|(?P<other>.)"
)
_CONTRACTION = re.compile(r"’(?:s|t|re|ve|ll|d|m|n)(?![^\W\d_])", re.IGNORECASE)
_ELISION = re.compile(
    r"(?<![^\W\d_])(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|aujourd|un|dell|all|nell|sull|dall|quest|o)$",
    re.IGNORECASE,
)
_LAST_WORD, _FIRST_WORD = re.compile(r"[^\W_]*\Z"), re.compile(r"[^\W_]*")


def guess_encoding(sample: bytes) -> str:
    """Guesses the encoding of a text.

    Args:
        sample: Bytes of a text that is not UTF-8.

    Returns:
        Python's name of the encoding; empty where none is plausible.
    """
    sample = _TAG.sub(b" ", sample)
    chunks = Counter(chunk for chunk in sample.split() if not chunk.isascii())
    ascii_words = Counter(word.lower().decode() for word in _ASCII_WORD.findall(sample))
    hits = {code: _count(ascii_words, words) for code, words in _function_words().items()}
    total = sum(byte > 0x7F for byte in sample)
    usual = _rate(_count_sample(_decode(chunks, _USUAL)), hits, total)
    if _is_sure(usual, hits, ascii_words.total()):
        return _USUAL
    best, best_points = "", float("-inf")
    for encoding, rating in _ratings(sample, chunks, hits):
        if rating.plausible >= MIN_PLAUSIBLE and rating.points > best_points:
            best, best_points = encoding, rating.points
    return best


def _is_sure(rating: "_Rating", hits: Mapping[str, int], num_words: int) -> bool:
    """True if all characters are those of the language that the other words are in."""
    most = max(hits.values())
    is_language = hits.get(rating.language) == most >= max(_SURE_WORDS, _SURE_SHARE * num_words)
    has_letters = rating.num_foreign <= _SURE_FOREIGN * num_words
    return is_language and has_letters and rating.plausible >= _SURE_PLAUSIBLE


def _decode(chunks: Mapping[bytes, int], encoding: str) -> dict[str, int]:
    return {chunk.decode(encoding, "replace"): times for chunk, times in chunks.items()}


def _ratings(
    sample: bytes, chunks: Mapping[bytes, int], hits: Mapping[str, int]
) -> "Iterator[tuple[str, _Rating]]":
    """Each candidate with its rating."""
    for encoding, common in _WIDE.items():
        yield encoding, _rate_wide(sample.decode(encoding, "replace"), common)
    histogram = Counter(byte for byte in sample if byte > 0x7F)
    tried = set()
    for encoding, handicap in _SINGLE_BYTE.items():
        shown = bytes(histogram).decode(encoding, "replace")
        bad = sum(n for n, char in zip(histogram.values(), shown, strict=True) if _is_bad(char))
        if shown in tried or bad > _MOST_BAD * histogram.total():
            continue
        tried.add(shown)
        rating = _rate(_count_sample(_decode(chunks, encoding)), hits, histogram.total())
        yield encoding, rating._replace(points=rating.points - handicap)


class _Rating(NamedTuple):
    """The rating of a candidate encoding.

    Args:
        points: More are better.
        plausible: The share of characters that are in their places, less that of the others.
        language: The language that it fits best.
        num_foreign: The number of letters that this language does not have.
    """

    points: float
    plausible: float
    language: str = ""
    num_foreign: int = 0


@dataclass(frozen=True)
class _SampleCounts:
    """Counts of the characters in a sample as a candidate encoding decodes it.

    Args:
        letters: Counts of the letters outside ASCII, in lower case, in words of one script
            and case.
        inside: The same, of letters that are not the last of their words.
        words: The words that have such letters, in small.
        others: The points of all other characters outside ASCII.
    """

    letters: Counter[str]
    inside: Counter[str]
    words: Counter[str]
    others: float


def _count_sample(chunks: Mapping[str, int]) -> _SampleCounts:
    letters, inside, words = Counter[str](), Counter[str](), Counter[str]()
    others = 0.0
    for text, times in chunks.items():
        for match in _TOKEN.finditer(text):
            token = match[0]
            if not match["word"]:
                others += times * _score_sign(text, match.start())
            elif not token.isascii():
                if not _is_sound(token):
                    others -= times * sum(letter > "\x7f" for letter in token)
                    continue
                if len(token) > 1:
                    words[token.lower()] += times
                elif _script(token) != "latin":  # a sign as well may be taken for one letter
                    beside = (
                        text[match.start() - 1 : match.start()]
                        + text[match.end() : match.end() + 1]
                    )
                    others -= times * (1.5 if any(map(str.isdigit, beside)) else _LONE_POINTS)
                others -= times * _CLUSTER_POINTS * _has_cluster(token)
                for place, letter in enumerate(token):
                    if letter > "\x7f":
                        small = "ı" if letter == "İ" else letter.lower()
                        letters[small] += times
                        inside[small] += times * (place < len(token) - 1)
    return _SampleCounts(letters, inside, words, others)


def _rate(sample: _SampleCounts, hits: Mapping[str, int], total: int) -> _Rating:
    """The rating in the language that fits best."""
    best = _Rating(float("-inf"), 0.0)
    for code, values in _values().items():
        foreign = _FOREIGN if code == "en" else -1.0
        unknown = sum(n for letter, n in sample.letters.items() if letter not in values)
        by_letters = sum(n * values.get(letter, foreign) for letter, n in sample.letters.items())
        if code in _FINAL:
            by_letters -= sample.inside.total()
        known = hits[code] + _count(sample.words, _function_words()[code])
        points = _LETTER * (by_letters + sample.others) + _FUNCTION_WORD * known
        sound = sample.letters.total() - 2 * unknown + sample.others
        best = max(best, _Rating(points, sound / total if total else 0.0, code, unknown))
    return best


def _count(words: Counter[str], known: frozenset[str]) -> int:
    return sum(words[word] for word in words.keys() & known)


def _is_sound(word: str) -> bool:
    """True if a word is of one script, and small, capital or begins with a capital."""
    if len({match.lastgroup for match in _SCRIPT.finditer(word)}) > 1:
        return False
    is_cased = word.lower() != word.upper()
    return not is_cased or word.isupper() or word[1:].islower() or len(word) == 1


def _has_cluster(word: str) -> bool:
    """True if a Latin word has more consonants in a row than languages have, or nothing else, and
    a letter outside ASCII is among them."""
    if _script(word[0]) != "latin" or word.isupper():
        return False
    shape = "".join(_shape(letter) for letter in word)
    if "C" not in shape:
        return False
    clusters = _CLUSTER.findall(shape)
    has_vowel = "v" in shape or len(shape) < 3
    return not has_vowel or any("C" in cluster for cluster in clusters)


@cache
def _shape(letter: str) -> str:
    """ "v" for a vowel, "c" for a consonant, "C" for one outside ASCII."""
    is_vowel = unicodedata.normalize("NFD", letter.lower())[:1] in "aeiouyæøœı"
    return "v" if is_vowel else "C" if letter > "\x7f" else "c"


def _is_bad(char: str) -> bool:
    """True for what no text has: control characters, bytes without a meaning, parts of frames."""
    return char < "\xa0" or char == "\ufffd" or "\u2500" <= char <= "\u259f"


def _score_sign(text: str, at: int) -> float:
    """The points of a character that is no letter, by what is beside it."""
    sign, left, right = text[at], text[at - 1 : at], text[at + 1 : at + 2]
    before, after = left.isalpha(), right.isalpha()
    if _is_bad(sign) or sign == left:
        return -1.5
    if _is_of_script(sign):
        beside = {_script(letter) for letter in (left, right) if letter.isalpha()}
        is_mark = unicodedata.category(sign) == "Mn" and not _is_of_script(left)
        return 0.9 if beside <= {_script(sign)} and not is_mark else -1.5
    if before and after:
        return _score_inside(text, at)
    if before and sign in "¿¡„‚§£€¥©•†‡¶±×÷¼½¾¹·№":
        return -1.0
    if after and sign in "±×÷¼½¾²³¹®™•¶†‡€¥ªº·":
        return -1.0
    if sign in "ªº" and before and len(_word_before(text, at)) > 2:
        return -1.0
    if before and sign in "–—":
        return 0.2
    return _SIGNS.get(sign, -1.0)


def _word_before(text: str, at: int) -> str:
    """The end of the word before a place."""
    match = _LAST_WORD.search(text[max(0, at - _BESIDE) : at])
    return match[0] if match else ""


def _may_be_joined(word: str) -> bool:
    """True if a dash may join a word to another: pieces of a broken word are short."""
    return len(word) > 2 or word.lower() in _function_words()["en"]


def _is_of_script(sign: str) -> bool:
    """True for vowels, tones and signs that only Thai, Hebrew or Arabic text has."""
    return _script(sign) in ("hebrew", "arabic", "thai")


def _script(char: str) -> str:
    match = _SCRIPT.match(char)
    return match.lastgroup or "" if match else ""


def _score_inside(text: str, at: int) -> float:
    """The points of a sign between two letters."""
    sign = text[at]
    if sign in "’‘":
        is_usual = _CONTRACTION.match(text, at) or _ELISION.search(text[max(0, at - _BESIDE) : at])
        return 1.0 if is_usual else 0.0
    if sign in "–—":
        right = _FIRST_WORD.match(text, at + 1, at + 1 + _BESIDE)
        joins = _may_be_joined(_word_before(text, at)) and _may_be_joined(right[0] if right else "")
        return 0.9 if joins else -0.5
    return {"\xad": 0.7, "·": 0.5, "\xa0": 0.0, "…": 0.3}.get(sign, -1.5)


_SIGNS = {
    **dict.fromkeys("‘’“”–—…¿¡§©®°£€¥½¼¾±×÷²³¹µªº", 0.9),
    **dict.fromkeys("«»„•№·™†‡‰", 0.6),
    **dict.fromkeys("‚‹›\xa0", 0.3),
    **dict.fromkeys("¤¦¬¨´¸¯¢¶\xad", -0.5),
}


@cache
def _values() -> dict[str, dict[str, float]]:
    """By language, the points of each letter: 1 for the commonest, less for rare ones."""
    return {
        code: {
            letter: 1.0 - _slope(alphabet) * log1p(place) for place, letter in enumerate(alphabet)
        }
        for code, alphabet in _ALPHABETS.items()
    }


def _slope(alphabet: str) -> float:
    """The decline of points by rank; steeper for Latin, which has few letters outside ASCII."""
    return 0.3 if _script(alphabet[0]) == "latin" else 0.1


@cache
def _function_words() -> dict[str, frozenset[str]]:
    known = languages()
    return {
        code: frozenset(_WORDS[code].split()) if code in _WORDS else known[code].function_words
        for code in _ALPHABETS
    }


@dataclass(frozen=True)
class _Common:
    """The characters that a language of East Asia mostly uses.

    Args:
        best: The commonest.
        encoding: An encoding that has the common ones first.
        first: The first byte of the first of these.
        last: That of the last.
        letters: The range of letters that it has beside Chinese characters.
    """

    best: frozenset[str]
    encoding: str
    first: int
    last: int
    letters: tuple[str, str] = ("", "")


_SHARED = (
    "一是不了在人有我他上大地到出可也你生能而子那得下自之年用道行所然家事成方多去法如都同面起看天"
    "分小部其主心本前但因只想实，。"
)
_SIMPLIFIED = "的这个们中来为和国以说时要就会对于着过发后作里种经么学现当没动定还进好些样理她开从"
_TRADITIONAL = "的這個們中來為和國以說時要就會對於著過發後作裡種經麼學現當沒動定還進好些樣理她開從"
_SYLLABLES = (
    "이다는의에을가고은하지한를로도기사어있서리인아나그자시수대정해일라게만들여부과전스원으구었했보제"
    "니장면"
)
_KANA, _HANGUL = ("\u3041", "\u30fa"), ("\uac00", "\ud7a3")
_JAPANESE = _Common(frozenset("、。「」ー・"), "euc_jp", 0xB0, 0xCF, _KANA)
_WIDE = {
    "cp932": _JAPANESE,
    "euc_jp": _JAPANESE,
    "gb18030": _Common(frozenset(_SHARED + _SIMPLIFIED), "gb2312", 0xB0, 0xD7),
    "big5": _Common(frozenset(_SHARED + _TRADITIONAL), "big5", 0xA4, 0xC6),
    "cp949": _Common(frozenset(_SYLLABLES), "euc_kr", 0xB0, 0xC8, _HANGUL),
}
# One such character between others: Chinese has them between digits only.
_LONE = re.compile(r"(?<![^\x00-\x2f\x3a-\x7f])[^\x00-\x7f](?![^\x00-\x2f\x3a-\x7f])")


def _rate_wide(text: str, common: _Common) -> _Rating:
    """As `_rate`, for an encoding in which most characters take two bytes."""
    counts = Counter(char for char in text if char > "\x7f")
    by_characters = sum(n * _score_wide(char, common) for char, n in counts.items())
    by_characters -= 2 * len(_LONE.findall(text))
    mean = by_characters / counts.total() if counts else 0.0
    return _Rating(2 * _LETTER * by_characters, mean)


def _score_wide(char: str, common: _Common) -> float:
    low, high = common.letters
    if char in common.best:
        return 1.2
    if low and low <= char <= high:
        is_common = common.encoding != "euc_kr" or _is_first_level(char, common)
        return 0.9 if is_common else -0.5
    if "\u4e00" <= char <= "\u9fff" and common.encoding != "euc_kr":
        return 0.5 if _is_first_level(char, common) else -0.3
    if char in "“”‘’—…·" or "\u3000" <= char <= "\u3011" or "\uff01" <= char <= "\uff5e":
        return 0.7
    return -3.0 if char == "\ufffd" else -0.6


@cache
def _is_first_level(char: str, common: _Common) -> bool:
    """True if a character is among the common ones, which the encoding has first."""
    try:
        return common.first <= char.encode(common.encoding)[0] <= common.last
    except UnicodeEncodeError:
        return False
