"""Deletes clauses from English sentences, by their commas and first words alone.

No parser: each rule takes a part that a comma, a bracket or the end of the sentence closes, and is
tried only where the first word says what the part is. What is left is a sentence if the rule read
the commas rightly; how often it does was judged by reading (`docs/tried.md`). It is no
part of the program, since it does not pay.

*careful* rules take what hardly ever changes what is claimed; *bold* ones also take reasons,
contrasts and what most openings say.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from core.documents.document import count_words

Setting = Literal["careful", "bold"]
FEWEST_WORDS = 6
"""So many words a sentence keeps at least."""

_VERBS = (
    "is|are|was|were|has|have|had|can|could|may|might|will|would|shall|should|must|does|do|did"
    "|provides?|includes?|comprises?|contains?|makes?|allows?|shows?|uses?|becomes?|remains?"
)
_LIMITS = r"\b(?:not|no|only|unless|except|if|but|without)\b"
"""A bracket with one of these may change what is claimed."""
_BRACKET = re.compile(
    rf"\s\((?!\w{{1,4}}\)|(?:or|and)\b|[^()]*{_LIMITS})[^()\[\]]{{3,200}}\)(?=[\s.,;:])"
)
_RELATIVE = r"(?:which|who|whose|whom)\b"
_RELATIVE_INSIDE = re.compile(rf",\s{_RELATIVE}[^,;:()]{{3,160}},(?=\s(?:{_VERBS})\b)")
_RELATIVE_AT_END = re.compile(rf",\s{_RELATIVE}[^,;:()]{{3,200}}(?=[.;]\Z)")
_NO_VERB = rf"(?:(?!\b(?:{_VERBS}|that|which|who)\b)[^;:()])"
"""Where a verb follows, the part may be the subject: "Metals such as iron are …"."""
_EXAMPLES_AT_END = re.compile(
    r"(?<!\bby)(?<!\bof)(?<!\bfor)(?<!\bin)(?<!\bto)(?<!\bwithout)"
    r",?\s(?:such as|for example|for instance|e\.g\.|including|like those)\b,?\s"
    rf"{_NO_VERB}{{3,250}}(?=\.\Z)"
)
_PARTICIPLE_AT_END = re.compile(r",\s(?:thereby|thus|hence)\s\w+ing\b[^;:()]{3,200}(?=\.\Z)")
_OPENING = re.compile(
    r"\A(?:In|At|During|Throughout|Over|Since|After|Before|Within|Across|Among|By|To|With|Using"
    r"|For)\s(?!(?:contrast|general|that\scase|which)\b)[^,;:()]{3,80},\s"
    r"(?=(?:the|a|an|this|these|we|it|they|there)\s)"
)
_CAREFUL_OPENING = re.compile(
    r"\A(?:In\s(?:this|these)\s(?:chapter|section|module|paper|article|study|document|proposal)"
    r"|As\s(?:\w+\s)?(?:described|discussed|mentioned|noted|explained)\b[^,;:()]{0,60}"
    r"|In\s(?:addition|particular|fact|short)),\s(?=[a-z])"
)
_REASON_AT_END = re.compile(
    r",\s(?:because|since|as\swell\sas|although|though|even\sthough|while|whereas|so\sthat|rather"
    r"\sthan)\b[^;:()]{3,200}(?=\.\Z)"
)
_ANY_PARTICIPLE_AT_END = re.compile(
    r",\s(?!during\b|nothing\b|something\b)\w{2,}ing\b[^;:()]{3,200}(?=\.\Z)"
)
_ANY_RELATIVE_INSIDE = re.compile(rf",\s{_RELATIVE}[^,;:()]{{3,160}},(?=\s)")

CAREFUL: dict[str, re.Pattern[str]] = {
    "bracket": _BRACKET,
    "relative clause": _RELATIVE_INSIDE,
    "relative clause at the end": _RELATIVE_AT_END,
    "examples at the end": _EXAMPLES_AT_END,
    "participle at the end": _PARTICIPLE_AT_END,
    "opening": _CAREFUL_OPENING,
}
BOLD: dict[str, re.Pattern[str]] = {
    "any relative clause": _ANY_RELATIVE_INSIDE,
    "any participle at the end": _ANY_PARTICIPLE_AT_END,
    "reason or contrast at the end": _REASON_AT_END,
    "any opening": _OPENING,
}
_DEFINES = re.compile(r"\(\W*(?:[A-Z][\w-]*[A-Z][\w-]*|[A-Z]{2,}s?)\W*\)")
_QUOTES = re.compile(r"[“”\"]")


@dataclass(frozen=True)
class Cut:
    """A part that can be left out.

    Args:
        kind: Which rule found it.
        before: The sentence with it.
        after: The sentence without it.
    """

    kind: str
    before: str
    after: str


def cuts(sentence: str, setting: Setting = "careful") -> Iterator[Cut]:
    """Cuts a sentence, one part after the other, until nothing is left to cut.

    Args:
        sentence: An English sentence on one line.
        setting: Which rules.

    Yields:
        Each cut, from the sentence that the last one left. None that leaves fewer than
        `FEWEST_WORDS` words, halves a quotation or takes away what an abbreviation stands for.
    """
    for kind, pattern in (CAREFUL | (BOLD if setting == "bold" else {})).items():
        start = 0
        while match := pattern.search(sentence, start):
            start = match.end()
            after = _mended(sentence[: match.start()], sentence[match.end() :])
            if _keeps_sense(match[0], after):
                yield Cut(kind, sentence, after)
                sentence, start = after, match.start()


def shortened(sentence: str, setting: Setting = "careful") -> str:
    """A sentence without what can be left out; the same where nothing can.

    Args:
        sentence: An English sentence on one line.
        setting: Which rules.

    Returns:
        The shorter sentence, beginning with a capital.
    """
    for cut in cuts(sentence, setting):
        sentence = cut.after
    return sentence


def _mended(before: str, after: str) -> str:
    whole = re.sub(r"\s+(?=[.,;:])", "", f"{before}{after}").strip()
    return whole if before else whole[:1].upper() + whole[1:]


def _keeps_sense(part: str, after: str) -> bool:
    if count_words(after) < FEWEST_WORDS or _DEFINES.search(part):
        return False
    return len(_QUOTES.findall(part)) % 2 == 0
