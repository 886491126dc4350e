"""Which language a text is in: by its script, and by the function words of each language."""

import re
import unicodedata
from collections import Counter
from functools import cache

from core.documents.languages import languages

_PIECES, _PIECE = 24, 1000  # code points, spread over the text
_LEAST = 0.12
"""Of a text in a language so many words at least are its function words."""
_DIFFERENT = 2
"""So many different ones at least."""
_CLEARLY = 1.2
"""So many times as many as those of the next language, or there is no telling; a word of several
languages counts as a part of one."""
_KANA = 0.1
"""Of a Japanese text so many characters at least are kana; Chinese has none."""
_WORD = re.compile(r"[^\W\d_]+")
_ASCII, _ASCII_LETTERS = re.compile("[\x00-\x7f]+"), re.compile("[A-Za-z]+")
_SCRIPTS = {
    name: re.compile(f"[{letters}]")
    for name, letters in {
        "latin": "A-Za-zÀ-ɏ",
        "cyrillic": "Ѐ-ӿ",
        "greek": "Ͱ-Ͽἀ-῿",
        "arabic": "\u0620-\u06ff",
        "hebrew": "א-ת",
        "han": "\u3400-\u4dbf\u4e00-\u9fff",
        "kana": "\u3041-\u30ff",
        "hangul": "\uac00-\ud7a3",
        "thai": "\u0e01-\u0e4e",
    }.items()
}


def guess_language(text: str) -> str:
    """The language of a text.

    Args:
        text: All of it; pieces from beginning to end are looked at, whatever its length.

    Returns:
        The language's code; empty where it cannot be told.
    """
    sample = _sample(text)
    script = _script_of(sample)
    known = [language.code for language in languages().values() if language.script == script]
    return known[0] if len(known) == 1 else _by_words(sample, script, known)


def _sample(text: str) -> str:
    if len(text) <= _PIECES * _PIECE:
        pieces = [text]
    else:
        step = (len(text) - _PIECE) // (_PIECES - 1)
        pieces = [text[at * step : at * step + _PIECE] for at in range(_PIECES)]
    return unicodedata.normalize("NFC", " ".join(pieces))


def _script_of(sample: str) -> str:
    """The script of most letters; empty without any."""
    if sample.isascii():
        return "latin"
    characters = Counter(_ASCII.sub("", sample))  # others would only cost time here
    different = "".join(characters)
    counts = {
        name: sum(map(characters.__getitem__, letters.findall(different)))
        for name, letters in _SCRIPTS.items()
    }
    counts["latin"] += sum(map(len, _ASCII_LETTERS.findall(sample)))
    kana, han = counts.pop("kana"), counts["han"]
    counts["han"] += kana
    script = max(counts, key=counts.__getitem__)
    if script == "han" and kana >= _KANA * (kana + han):
        script = "kana"
    return script


@cache
def _function_words(script: str) -> dict[str, list[str]]:
    """The function words of the languages in a script, each with the codes of its languages."""
    found: dict[str, list[str]] = {}
    for language in languages().values():
        for word in language.function_words if language.script == script else ():
            found.setdefault(word, []).append(language.code)
    return found


def _by_words(sample: str, script: str, known: list[str]) -> str:
    counts = Counter(_WORD.findall(sample.lower()))
    found: dict[str, list[str]] = {code: [] for code in known}
    weighed = dict.fromkeys(known, 0.0)
    function_words = _function_words(script)
    for word in counts.keys() & function_words.keys():
        codes = function_words[word]
        for code in codes:
            found[code].append(word)
            weighed[code] += counts[word] / len(codes)
    code, *others = sorted(weighed, key=weighed.__getitem__, reverse=True)[:2] or [""]
    words = found.get(code, ())
    if len(words) < _DIFFERENT or sum(map(counts.__getitem__, words)) < _LEAST * counts.total():
        return ""
    is_clear = not others or weighed[code] >= _CLEARLY * weighed[others[0]]
    return code if is_clear else ""
