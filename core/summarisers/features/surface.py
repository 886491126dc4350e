"""Surface form of candidates: length, punctuation, and cue words that show a sentence's role.

The cue words are English; in other languages there are none, and the other features decide.

Letters: E candidates, K their words, V different words.
"""

import re
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from core.gsg.tokens import Tokens

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

_SIGNS = {
    "commas": r"[,;，；、]",
    "brackets": r"[(\[（]",
    "citations": r"\[\d+(?:[,–-]\s*\d+)*\]|\([^()]*(?:19|20)\d\d[a-z]?\)",
    "quotation marks": r"[\"“”„«»]",
    "numbers": r"(?<!\w)\d+(?:[.,]\d+)*(?!\w)",
    "capitals": r" [A-Z][a-z]+",
    "abbreviations": r"\b[A-Z]{2,}s?\b",
    "symbols": r"[=<>±×∑∫√≤≥≈→∈^_{}\\|~$#@*/%]",
    "code": r"`|_\w|::|-->|://|\w\(",
}
_MARKS = {"exclamation mark": "!", "colon": ":"}
# Whole words, which show what a sentence does.
_CUES = {
    "we": r"we|our|us",
    "I": r"i|my",
    "you": r"your?",
    "demonstrative": r"this|these|that|those|such",
    "proposing": r"propos\w+|introduc\w+|presents?|presented|describ\w+|defin\w+|specif\w+"
    r"|provid\w+|allow\w*|enabl\w+|adds?|added|supports?|replac\w+|extend\w*",
    "finding": r"shows?|showed|shown|found|finds?|findings?|demonstrat\w+|reveal\w*|suggest\w*"
    r"|indicat\w+|discover\w*|observ\w+|confirm\w*|results?|evidence",
    "closing": r"conclu\w+|summar\w+|overall|thus|therefore|hence|consequently|finally",
    "contrast": r"however|but|although|though|while|whereas|despite|unlike|instead|yet",
    "cause": r"because|since|due|causes?|caused|leads?|so|thereby",
    "possibility": r"may|might|can|could|would|possibl[ey]|perhaps|likely",
    "obligation": r"must|should|shall|needs?|needed|requir\w+",
    "important": r"importan\w+|main(?:ly)?|major|key|primar\w+|essential\w*|critical\w*"
    r"|significan\w+|fundamental\w*|most|crucial\w*|novel|new|first",
    "general": r"all|every|always|generally|usually|often|many|common(?:ly)?|typical\w*",
    "claim": r"compris\w+|embodiments?|apparatus|systems?|methods?|wherein|thereof|configured"
    r"|inventions?",
    "negation": r"not?|never|none|cannot|without|nor",
    "past": r"was|were|had|did|\w{3,}ed",
    "aim": r"aims?|goals?|purpose|objectives?|motivation|problems?|challenges?|questions?|why|how",
    "figure": r"fig|figs|figures?|tables?|equations?|eq|sections?|chapters?|appendix",
    "example": r"examples?|instance|suppose|consider|imagine|eg",
    "named with et al": r"al",
}
# A word and the one after it.
_PAIRS = {
    "this paper": (r"this|present|our|these", r"paper|article|study|work|proposal|document|section"
                   r"|chapter|specification|standard|invention|disclosure|report|module|[a-z]{3}"),
    "defining": (r"is|are|refers?|means", r"an?|the|called|known|defined|used|one|to|when|that"),
    "giving an example": (r"for|such", r"example|instance|as"),
    "according to": (r"according|due|related", r"to"),
}  # fmt: skip
# The first word.
_STARTS = {
    "the": r"the",
    "a": r"an?",
    "pronoun": r"it|they|he|she|this|these|that|those|such|its|their|his|her|both|here|there",
    "connective": r"however|therefore|thus|hence|moreover|furthermore|also|additionally|finally"
    r"|then|similarly|likewise|but|and|or|so|yet|nevertheless|instead|consequently|conversely"
    r"|meanwhile|otherwise|indeed|still|next|second|third",
    "preposition": r"in|on|at|to|for|by|with|from|when|if|as|because|since|after|before|while"
    r"|although",
    "number": r"\d+",
    "question": r"what|why|how|who|where|when|which|do|does|can|is|are",
    "command": r"see|note|use|consider|let|recall|suppose|assume|given|click|refer",
}
_STOPS = (".", "!", "?", "。", "！", "？", "؟", ".”", ".)", '."')
_SIGNS_RE = {name: re.compile(pattern) for name, pattern in _SIGNS.items()}
# Few words are cues: the others are tried against this one pattern only.
_ANY_CUE = re.compile("|".join((*_CUES.values(), *_STARTS.values(), *sum(_PAIRS.values(), ()))))


def surface_features(
    texts: Sequence[str], words: Floats, tokens: Tokens
) -> Iterator[tuple[str, Floats]]:
    """Describes the surface of candidates.

    Args:
        texts: [E] the candidates.
        words: [E] number of words of each.
        tokens: [E] their words in small letters; without spellings where cues do not apply.

    Yields:
        A name and [E] numbers.
    """
    characters = np.array([len(text) for text in texts], np.float64)
    yield "words", words
    yield "words to the mean", words * len(words) / max(1.0, float(words.sum()))
    yield "characters a word", characters / np.maximum(1, words)
    for name, pattern in _SIGNS_RE.items():
        counts = [len(pattern.findall(text)) for text in texts]
        yield name, np.array(counts, np.float64)
    for name, mark in _MARKS.items():
        yield name, np.array([mark in text for text in texts], np.float64)
    yield "full stop", np.array([text.endswith(_STOPS) for text in texts], np.float64)
    small = [text[:1].islower() for text in texts]
    yield "begins with a small letter", np.array(small, np.float64)
    yield from _cues(tokens)


def _cues(tokens: Tokens) -> Iterator[tuple[str, Floats]]:
    cues = {n: word for n, word in enumerate(tokens.spellings) if _ANY_CUE.fullmatch(word)}

    def flag(pattern: str) -> Flags:
        """[V] True for words that a pattern matches as a whole."""
        match = re.compile(pattern).fullmatch
        flags = np.zeros(tokens.num_words, bool)
        flags[[number for number, word in cues.items() if match(word)]] = True
        return flags

    owners = tokens.owners
    for name, pattern in _CUES.items():
        hits = flag(pattern)[tokens.words]
        yield f"cue: {name}", np.bincount(owners[hits], minlength=len(tokens)).astype(np.float64)
    together = owners[1:] == owners[:-1]
    for name, (first, second) in _PAIRS.items():
        hits = flag(first)[tokens.words[:-1]] & together
        hits &= flag(second)[tokens.words[1:]]
        counts = np.bincount(owners[1:][hits], minlength=len(tokens))
        yield f"cue: {name}", counts.astype(np.float64)
    has_words = tokens.lengths > 0
    first_words = tokens.words[tokens.starts[:-1][has_words]]
    for name, pattern in _STARTS.items():
        begins = np.zeros(len(tokens))
        begins[has_words] = flag(pattern)[first_words]
        yield f"begins with {name}", begins
