"""Finds citations and references in brackets, and removes them.

A reference is removed only if the sentence is complete without it, unlike "as shown by [12]". A
number or a name with a year in brackets may as well be an interval, an index or a date: unless its
form leaves no doubt ("Smith et al., 2010"), the document has to be one that cites in this way.
"""

import re
from collections.abc import Iterator

import numpy as np

from core.documents.document import Document, Kind
from core.documents.languages import language_of
from core.summarisers.ranking import CitationStyle

_FIGURE = r"(?:[Ff]igs?\.?|[Ff]igures?|[Tt]ables?|[Ee]qs?\.?|[Ee]quations?)"
_PART = r"(?:[Ss]ections?|[Ss]ecs?\.?|[Cc]hapters?|[Bb]ox|[Aa]ppendix)"
_LABEL = r"(?:\s|(?<=\.))(?:[A-Z]{0,3}\.?\d[\w.–—-]{0,20}|[IVXLC]{1,6}\b|[A-Z]\b)"
_SIGNED = r"\d[\w.]{0,10}"
_REST = r"[^:=<>±%]{0,60}"  # with one of these it is a result, and no reference
_PLACE = re.compile(
    rf"{_FIGURE}{_LABEL}{_REST}"
    rf"|{_PART}{_LABEL}(?:(?:,|,?\s(?:and|or|to)|\s?[–-])(?:\s{_PART})?{_LABEL}){{0,6}}"
    r"(?:\sstep\s\d+)?"
    rf"|§{{1,2}}\s?{_SIGNED}(?:(?:,|,?\s(?:and|or|to)|\s?[–-])\s?§?\s?{_SIGNED}){{0,6}}"
)
_POINTED_AT = re.compile(
    rf"the\s(?:{_FIGURE}|{_PART})\b{_REST}|[Aa]ppendix\b.{{0,60}}|{_PART}{_LABEL}{_REST}"
)
_HERE = re.compile(r"(?:above|below)")
_LEAD = re.compile(
    r"(?P<see>(?:for\s[^,;]{1,60},?\s|but\s)?[Ss]ee(?:,?\s(?:also|e\.g\.,?|for\sexample,?))?|cf\.?)\s"
    r"|(?:e\.g\.,?|(?:as\s)?reviewed\s(?:in|by))\s"
)

_YEAR = r"(?:19|20)\d\d[a-z]?"
_YEARS = re.compile(rf",?\s({_YEAR}(?:,\s{_YEAR}){{0,5}})(?:,\s|\Z)")
_NOT_A_NAME = re.compile(r"\d|[$€£%=<>]")
_SMALL_IN_NAMES = frozenset(
    "and et al al. & und y e of for the on in de del della der den des di da das do dos du la le "
    "van von zu zum zur ten ter bin ibn el i".split()
)
_OF_DATES = frozenset(
    "jan feb mar apr may jun jul aug sep sept oct nov dec spring summer fall autumn winter "
    "january february march april june july august september october november december "
    "januar jänner februar märz mai juni juli oktober dezember frühjahr sommer herbst "
    "janvier février mars avril juin juillet août septembre octobre novembre décembre "
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre "
    "gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre "
    "janeiro fevereiro março maio junho julho setembro outubro novembro dezembro "
    "januari februari maart mei augustus".split()
)
_MAX_CITATION = 200  # characters
_MIN_CITATIONS = 3
"""Number of different citations that shows that a document cites in an ambiguous way."""

_BRACKETS = re.compile(r"\s?(?:\(([^()]{3,240})\)|\[([^()\[\]]{3,100})\])")
_NUMBER = r"[1-9]\d{0,2}"
_GROUP = rf"\[{_NUMBER}(?:\s?[,;–-]\s?{_NUMBER}){{0,12}}\]"
_GROUPS = rf"{_GROUP}(?:(?:\s?[,;–-]|,?\sand)\s?{_GROUP}){{0,20}}"
_NUMBERS = re.compile(rf"\s?(?:\({_GROUPS}\)|{_GROUPS})")
_NOTE = re.compile(r"\s?\[\^\d{1,3}\]")
_SINGLE = re.compile(rf"(?<=[^\W_][ ,.;\u00a0]|[\]),.;:”%][ ,–-])\[({_NUMBER})\]")
_GLUED = re.compile(rf"(?<=[^\W\d_][,.;])\[({_NUMBER})\]")
_ENTRY = re.compile(r"\[\d")
_PROSE = re.compile(r"[(“\"‘']?[^\W\d_]{3,}(?:[-’'][^\W\d_]+)*[.,;)”\"’'%]{0,3}")
_CALCULATING = "=:∈<>+*/([{"
_CAPITAL_INSIDE = re.compile(r"[a-zß-ÿ][A-ZÀ-Þ]")
_TAKES_NUMBERS = frozenset(
    "interval intervals range ranges index indices indexes array arrays list lists vector vectors "
    "element elements byte bytes paragraph paragraphs para paras page pages section sections step "
    "steps line lines equation equations item items note notes reference references ref "
    "refs".split()
)
_TAKES_ALL = frozenset("following see unlike like".split())
"""Words that need what follows, besides prepositions and other function words."""


def detect_citation_style(document: Document) -> CitationStyle:
    """Detects the ways in which a document cites.

    Args:
        document: The document.

    Returns:
        The ways of which there are several different examples: numbers in its running text, unless
        something is counted from [0], or before the entries of its references; names and years of
        which some are citations without doubt.
    """
    text = document.text
    entries = np.flatnonzero(document.kinds == Kind.REFERENCE)[:_MIN_CITATIONS].tolist()
    listed = [index for index in entries if _ENTRY.match(document.paragraph(index))]
    numbers, glued = (
        {match[1] for match in pattern.finditer(text)} for pattern in (_SINGLE, _GLUED)
    )
    cited = set(_find_citations(text))
    return CitationStyle(
        len(listed) >= _MIN_CITATIONS or (len(numbers) >= _MIN_CITATIONS and "[0]" not in text),
        len(cited) >= _MIN_CITATIONS and any(map(_is_beyond_doubt, cited)),
        len(glued) >= _MIN_CITATIONS and "[0]" not in text,
    )


def remove_references(text: str, language: str, citing: CitationStyle) -> str:
    """Removes citations, and references to figures, tables and parts, in brackets.

    Args:
        text: A sentence, on one line.
        language: The code of its language; empty if it is not known.
        citing: The way in which its document cites.

    Returns:
        The sentence; the rest of the same brackets stays.
    """
    text = _BRACKETS.sub(lambda match: _keep_rest(match, language, citing), text)
    text = _NOTE.sub("", text)
    if not citing.numbers:
        return text
    return _NUMBERS.sub(
        lambda match: match[0] if _is_needed_number(match, language, citing) else "", text
    )


def _find_citations(text: str) -> Iterator[str]:
    """Finds names with years in round brackets."""
    for match in _BRACKETS.finditer(text):
        for part in (match[1] or "").split(";"):
            if _is_citation(own := _strip_lead(part.strip())):
                yield own


def _keep_rest(match: re.Match[str], language: str, citing: CitationStyle) -> str:
    """Returns brackets without references; unchanged if the sentence needs them."""
    square = match[1] is None
    parts = [part.strip() for part in (match[2] if square else match[1]).split(";")]
    kept = [part for part in parts if not _is_reference(part, citing, square=square)]
    if len(kept) == len(parts) or (square and kept):
        return match[0]
    if not kept:
        is_aside = _LEAD.match(parts[0]) or not _is_needed(_text_before(match), language)
        return "" if is_aside else match[0]
    lead = match[0][: match[0].index("(") + 1]
    return f"{lead}{'; '.join(kept)})"


def _is_reference(part: str, citing: CitationStyle, *, square: bool) -> bool:
    own, lead = _strip_lead(part), _LEAD.match(part)
    if _PLACE.fullmatch(own) or (lead and lead["see"] and _POINTED_AT.fullmatch(own)):
        return True
    if square:
        return False
    sure = citing.names or own != part
    return bool(_HERE.fullmatch(own)) or (_is_citation(own) and (sure or _is_beyond_doubt(own)))


def _strip_lead(part: str) -> str:
    lead = _LEAD.match(part)
    return part[lead.end() :] if lead else part


def _is_citation(text: str) -> bool:
    """True if a text is names and years, and nothing else: "Cho and Lee, 2010, 2012a"."""
    at = 0
    while at < len(text):
        years = _YEARS.search(text, at)
        if not years or not _are_names(text[at : years.start()]):
            return False
        at = years.end()
    return 0 < at <= _MAX_CITATION


def _are_names(text: str) -> bool:
    """True if a text is names: each word has a capital, but for those that join them."""
    words = text.replace(",", " ").replace("[", " ").replace("]", " ").split()
    if not words or _NOT_A_NAME.search(text) or text[0] == ",":
        return False
    if any(word.strip(".").lower() in _OF_DATES for word in words):
        return False
    capitals = [word[:1].isupper() or word[1:2].isupper() for word in words]
    joining = [word.lower() in _SMALL_IN_NAMES for word in words]
    return any(capitals) and all(map(bool.__or__, capitals, joining))


def _is_beyond_doubt(citation: str) -> bool:
    return any(mark in citation for mark in (" et al", " & ")) or citation[-1].isalpha()


def _text_before(match: re.Match[str]) -> str:
    return match.string[: match.start()].rstrip()


def _last_word(before: str) -> str:
    words = before.rsplit(None, 1)
    return words[-1].strip("“\"‘'(").lower() if words else ""


def _is_needed(before: str, language: str) -> bool:
    """True if a sentence needs what follows, as after a preposition or at its beginning."""
    last = _last_word(before)
    words = language_of(language or "en").function_words
    return not before or last in _TAKES_ALL or last in words


def _is_needed_number(match: re.Match[str], language: str, citing: CitationStyle) -> bool:
    """True if numbers in square brackets are an interval, an index or needed by the sentence."""
    before = _text_before(match)
    if _is_needed(before, language) or _last_word(before) in _TAKES_NUMBERS:
        return True
    if before[-1] in _CALCULATING:
        return True
    if match[0][0].isspace() or before[-1] in ",.;:”%":
        return False
    last = before.split()[-1]
    return not citing.glued or not _PROSE.fullmatch(last) or bool(_CAPITAL_INSIDE.search(last))
