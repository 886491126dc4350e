"""What is wrong with a sentence that stands alone in a summary, where a reader sees it at once.

The words are English: `core.summarisers.checks` has those of other languages.
"""

import re
from collections.abc import Sequence
from typing import Literal
from unicodedata import category

from core.documents.document import Kind

Fault = Literal["fragment", "question", "goes on", "points away", "rubble", "boilerplate"]


def _patterns(*texts: str) -> tuple[re.Pattern[str], ...]:
    """One by one: a search for many at once cannot skip to where one of them may begin."""
    return tuple(map(re.compile, texts))


FEWEST_WORDS = 3
STOPS = ".!?。！？؟…।"
CLOSING = "\"'”’»)]）」』"
_WORD = re.compile(r"\w+")
# Small letters at the start are no fault in mRNA, iPhone, read_all() and 3-fold.
_SMALL_START = re.compile(r"[a-z][a-z'’-]*(?![\w(:/.-]*[A-Z_\d(/])")
_NO_SENTENCE = re.compile(
    r"\(.*\)\Z|\[.*\]\Z"  # an aside
    r"|(?:is|are|was|were|has|have|does|do|can)\b.*[^?]\Z"  # without its subject
    r"|(?:called|used|emitted|invoked|triggered|thrown|raised|returned)"
    r" (?:by|from|when|if|to|in|with|for)\b[^,]*\Z"
    r"|(?:when|if|because|although|while|since|unless|whereas|which|where)\b(?:\s+[^,\s]+){1,12}\Z",
    re.IGNORECASE | re.DOTALL,
)
NUMBERED = re.compile(r"[Ss]tep \d+[.:]\s|[(\[]?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)\]]\s|[-–•*·]\s")
_GOES_ON = re.compile(
    r"(?:[:,;：，；]|[\s,;](?:and|or|and/or|but)"
    r"|as follows[.:]?|the following(?! (?:days?|weeks?|months?|years?|decades?|century|morning))"
    r"(?: \w+){0,3}[.:]?)\Z"
)
_LONGEST_END = 80
_QUESTION = re.compile(r"[?？؟][^\w]*\Z")
_TASK = re.compile(
    r"(?:explain|discuss|justify|defend|describe) (?:your|why|how|what|whether|in your own)\b",
    re.IGNORECASE,
)
_THING = (
    r"(?:figs?\b|figures?\b|tables?\b|equations?\b|eqs?\b|appendi\w+|listing|algorithm \d|box \d)"
)
_POINTS_AWAY = re.compile(
    rf"(?:the |in |by |from |as )?(?:upper |lower |left |right )*{_THING}\.? ?\S*\d"
    rf"|(?:(?:as|is|are) )?(?:shown|depicted|illustrated|seen|given|listed|presented|described)"
    rf" (?:\w+ )?(?:in|by|at|with) (?:the )?(?:{_THING}|drawings?|section \d|following|above|below)"
    r"|(?:referring|turning|with reference|refer|see|reference is made)\b[^.]{0,20} to\b"
    rf"|(?:refer to|see|returning to|consider|looking at) (?:also )?(?:the )?"
    rf"(?:{_THING}|section|chapter|drawings?|above|below)"
    r"|in (?:this|the (?:next|following|previous|last|remaining)) (?:sub)?(?:section|chapter)"
    r"|in the (?:illustrated|depicted|shown) \w+|in the \w+ (?:illustrated|depicted|shown)\b"
    r"|in the following (?:\w+ )?(?:example|figure|table|code|list|diagram|paragraph|discussion)s?"
    r"|(?:as |shown |given |described )?below(?:,| (?:is|are) )"
    r"|(?:the )?(?:remainder|rest) of (?:the|this) (?:paper|article|chapter|section|report)\b"
    r"|(?:the|this) (?:paper|article|chapter|section|report) (?:begins|starts|ends|concludes"
    r"|proceeds|is (?:organi[sz]ed|structured|laid out|divided))\b"
    r"|(?:the|this) (?:table|figure) (?:is|shows|lists|summari[sz]es|presents|illustrates|provides"
    r"|gives|displays|contains|compares|describes)\b"
    r"|(?:this|the (?:next|following|present)) (?:sub)?(?:section|chapter|module|unit|lesson)"
    r" (?:will|is|are|discuss|describ|cover|present|explor|introduc|examin|focus|review|explain"
    r"|look|provid|outlin)\w*"
    r"|as (?:we|you)(?:’ve|'ve| have)?(?: already)? (?:saw|seen|discussed|noted|learned|mentioned"
    r"|described|shown|noticed)\b"
    r"|(?:additional|more|further|full|detailed|other) [^,]{0,60}"
    r" (?:can be found|may be found|(?:is|are) (?:available|given|provided|found)) (?:in|at|on)\b"
    r"|for (?:more|further|additional) (?:information|details?|background|discussion)\b"
    r"|for [^,.;]{3,80} see\b|as (?:shown|illustrated|depicted) (?:in|at|by)\b"
    r"|recall (?:from|that)\b|in (?:sub)?sections? \d"
    r"|(?:sub)?sections? \d\S* (?!\w+ that\b)|as (?:can|may) be seen\b"
    r"|as (?:we )?(?:will|shall) (?:be )?see",
    re.IGNORECASE,
)
_POINTS_AWAY_LATER = re.compile(
    r"(?:shown|depicted|illustrated|given|listed|presented|described|found|provided|seen|discussed)"
    rf" (?:in|by|at) (?:the )?(?:{_THING}|section|drawings?|equation|following|above|below)[^,;]*\Z"
    r"|\b(?:described|discussed|explained|shown|given|listed|considered|provided|presented|reproduced)"
    r"[^,;]* (?:below|later(?: in this \w+)?)\W*\Z",
    re.IGNORECASE,
)
# In small letters.
_POINTS_INSIDE = _patterns(
    r"\b(?:previous|preceding|next|following|last|above) (?:sub)?(?:section|chapter|paragraph)s?\b",
    r"\b(?:describ|discuss|present|propos|show|report|introduc|review|detail|explain|outlin|evaluat"
    r"|compar|address|conclud)\w*\b[^.;]{0,80}\bin sections? \d",
    r"\((?:see )?(?:the )?(?:figure|table|box)\)",
    r"\b(?:sentence|example|rule)s? \(\d+[a-z]?\)",
    r"as the (?:figure|table) (?:above |below )?shows\b",
    r"let(?:'|’)s (?:now )?(?:look|take a look|see|turn|return|begin|start|examine|explore|review"
    r"|calculate|follow)\b",
    r"\b(?:shown|described|presented|discussed|mentioned|noted|given|listed|defined|outlined"
    r"|appears?|follows?) (?:above|below)\b",
    r"can be found (?:in|at) (?:the |our )?(?:[\w-]+ ){0,8}"
    r"(?:specs?|documentation|repository|appendix|supplement|code|report|guide|manual|readme)\b",
    r"\b(?:in|see|from) the (?:figure|table)\b(?! of\b)",
    r"\b(?:this|that|these) (?:figure|table)s?\b",
    r"\b(?:example|figure|table|code|diagram|list)s? (?:above|below)\b",
)
LONGEST_POINTER = 16  # words
_RUBBLE = _patterns(
    r"(?<!\w)\(\s*[,;.]?\s*\)",
    r"(?<!\w)\[\s*[,;.]?\s*\]",
    r"[,;]\s*[,;]",
    r"[^.]\s\.\s*\.\s",
    "\ufffd",
    r"reference to (?:shown|illustrated|is|are|there)\b",
    r"referring to (?:shown|illustrated|is|are|there)\b",
    r"\b[AaIi][tn] (?:block|step|operation|box) (?:in|the|an?|is)\b",
    r"FIGS?\.? (?:is|are|shows)\b",
    r"\(\s*(?:see|e\.g\.)\s*\)",
    r"\\[a-z]+\{",
    r"\|\s*\|",
    r"==",
    r"\b(?:shown|illustrated|depicted|described) (?:in|by)\.\Z",
    r"\b(?:shown|illustrated|depicted) (?:in|at|by)"
    r" (?:on|is|are|and|or|when|while|with|to|which)\b",
    r"\b(?:the|an?|of|and|or|(?:reference|returns?|proceeds?|according) to)\.\Z",
    r"\b(?!approx|resp|incl|spec|orig)[a-z]{4,}\. [a-z]{3,} ",
    r"___",
    r"\.\.\.\.",
    r"<\w+>.*</",
    r"[a-z]\. https?://",
    r"\w ?\{[^}]*(?://|;)",
)
_FEWEST_LETTERS = 0.6
# In small letters.
_BOILERPLATE = _patterns(
    r"all rights reserved",
    r"©",
    r"copyright (?:\(c\)|\d{4})",
    r"creative commons",
    r"licen[sc]ed under",
    r"click here",
    r"subscribe to our\b",
    r"cookies?\b.{0,40}\b(?:site|browser)",
    r"correspondence (?:to|should)\b",
    r"corresponding author",
    r"authors? (?:declare|contributed)",
    r"competing interests",
    r"https?://\S+\W*\Z",
    r"doi: ?10\.",
)
_ITSELF = (
    r"(?:paper|article|study|work|document|chapter|section|book|report|proposal|specification"
    r"|standard|invention|disclosure|application|module|thesis|review|survey|guide|text|unit"
    r"|enhancement|[A-Z]{3,4}\b)"
)
_BEFORE = (
    r"(?:(?:in|on|for|with|by|to|at|from|under|of|because of|due to|despite|during|through|via"
    r"|using|after|before|since|until|upon|given|over|within|among|between|based on|according to"
    r"|unlike|like|as|if|even if|other than|(?!collectively)[a-z]+ly,) )?"
)
_LEANS = re.compile(
    rf"(?:{_BEFORE}(?:(?:this|these|such)\b(?! (?:present )?(?-i:{_ITSELF}))|(?:that|those)\b)"
    r"|(?:in|on|for|with|by|to|at|from|under|of|because of|due to|despite|during|through|via|upon"
    r"|over|within|among|between|unlike) (?:it|them|him|her)\b"
    r"|(?:in|at|on|by|during|from) [^,.;]{2,50}, (?:they|he|she)\b"
    r"|(?:if|when|while|because|since|although|though|as|once|until|whereas|unless|to the extent"
    r"(?: that)?) (?:it|they|he|she)\b"
    r"(?! (?:is|was|were|may be|would be) (?:\w+ ){1,3}(?:that|to)\b)"
    r"|in a (?:similar|like|different) (?:way|manner|fashion|vein)\b|let(?:'|’)s do the same\b"
    r"|(?:it|they|he|she|his|her|their|its)\b"
    r"(?!(?:'s|’s| is| was| has been| may be| can be| will be| would be| should be) "
    r"(?:\w+ ){1,3}(?:that|to|how|why)\b| (?:turns|seems|appears|follows)\b)"
    r"|(?:thus|hence|then|also|instead|otherwise|indeed|rather|finally|lastly|second|third|again"
    r"|still|besides|specifically|afterwards?|subsequently),"
    r"|however\b(?! (?:small|large|big|long|short|much|many|little|few|hard|often|brief))"
    r"|(?:therefore|thus|hence|then|moreover|furthermore|additionally|consequently|accordingly"
    r"|similarly|likewise|conversely|nevertheless|nonetheless|meanwhile|otherwise|instead|also"
    r"|alternatively|secondly|thirdly|nor|and|but|or|so|yet|neither|both)\b"
    r"|in (?:addition|contrast|particular|other words|turn|comparison|fact|short|summary|sum"
    r"|conclusion|either case|both cases|each case|the latter|the former)\b"
    r"|for (?:example|instance)\b|on the (?:other hand|contrary)\b|at the same time\b"
    r"|as (?:a result|such|a consequence|before|noted|mentioned|discussed|described|stated)\b"
    r"|(?:the )?(?:former|latter|above|following|others)\b|the (?:same|other)\b|another\b"
    r"|(?:some|many|most|all|both|each|one|two|three|several|none|any|few|either|neither)"
    r" of (?:these|those(?! who)|them|which|this)\b"
    r"|(?:we|they|people) (?:refer to|call|denote|define|name|term) (?:this|these|it|them)\b"
    r"|(?:rely|depend|build|based|focus) (?:up)?on (?:this|these|it|them)\b"
    r"|now,? (?:there|we|that)\b"
    r"|(?:one|an) (?:reason|example|advantage|problem|exception) (?:is|was|would be)\b"
    r"|(?:still |even )?more (?:specifically|precisely|particularly)\b"
    r"|other (?:criticisms|examples|reasons|ways|options|possibilities|advantages|problems) \w+\b"
    r"|to \w+ the above\b"
    r"|[^,.;:]{3,60}, (?:however|therefore|thus|for example|for instance|moreover|furthermore"
    r"|in turn|on the other hand),"
    r"|one such\b|we (?:then|also|next|further|therefore|thus)\b"
    r"|in response to (?:this|these|that)\b"
    r"|in (?:(?:an)?other|(?:an )?alternative|(?:a )?further|such)"
    r" (?:embodiment|example|case|version|variant|variation|aspect)s?\b"
    r"|the (?:second|third|fourth|next) (?:step|stage|phase|reason|type|kind|approach|method|way"
    r"|one|problem|point|part|option|possibility|alternative|solution|aspect|category)\b"
    r"|here\b|there(?! (?:is|are|was|were|has|have|had|exists?|may|can|will|must)\b)"
    r"|to (?:do|achieve|address|solve|avoid|test|answer) (?:this|these|that|so|it)\b)",
    re.IGNORECASE,
)
# "A prominent example of this is …": in so few words nothing was named that it could mean.
_LEANS_INSIDE = re.compile(
    r"(?!(?:(?:taken|all) )?together\b|overall\b|collectively\b)"
    r"(?:(?:[a-z]+ly|indeed|now), (?:however, )?)?(?:[\w'’/().-]+ ){0,11}"
    r"(?:this|these|(?<!as )such(?! (?:as|that|an? (?:way|manner))\b)|the (?:latter|former)"
    r"|the same (?:technique|approach|method|procedure|model|argument)(?! (?:as|that)\b))\b"
    rf"(?! (?:present |shared )?(?-i:{_ITSELF})| (?:days?|years?|century|world)\b)",
    re.IGNORECASE,
)


def fault_of(text: str, kind: Kind) -> Fault | None:
    """What is wrong with a sentence, wherever it stands.

    Args:
        text: The sentence, without white space around it.
        kind: What its paragraph is.

    Returns:
        "fragment" for what is no sentence, or an item of a list that is none; "question" for what
        is asked of the reader; "goes on" for what says it in the next one; "points away" for what
        says it in a figure, a table or elsewhere; "rubble" for what was lost in reading;
        "boilerplate" for rights, addresses and the like;
        None where nothing is wrong.
    """
    words = len(_WORD.findall(text))
    if _GOES_ON.search(text[-_LONGEST_END:]):
        return "goes on"
    if _is_fragment(text, words, kind):
        return "fragment"
    if _QUESTION.search(text[-_LONGEST_END:]) or _TASK.match(text):
        return "question"
    waste = waste_of(text)
    if waste:
        return waste
    if _POINTS_AWAY.match(text) or _has(text.lower(), _POINTS_INSIDE):
        return "points away"
    if words <= LONGEST_POINTER and _POINTS_AWAY_LATER.search(text):
        return "points away"
    return None


def waste_of(text: str) -> Fault | None:
    """As `fault_of`, by the signs alone: "rubble", "boilerplate" or None."""
    if _has(text, _RUBBLE) or text.count("(") > text.count(")") or _has_few_letters(text):
        return "rubble"
    return "boilerplate" if _has(text.lower(), _BOILERPLATE) else None


def leans_back(text: str) -> bool:
    """Whether a sentence takes up the one before it, and cannot be understood without."""
    text = text.lstrip("\"'“‘«(")
    return bool(_LEANS.match(text) or _LEANS_INSIDE.match(text))


def _is_fragment(text: str, words: int, kind: Kind) -> bool:
    if not text.rstrip(CLOSING).endswith(tuple(STOPS)):
        return True
    # Scripts without spaces have no words to count.
    return (words < FEWEST_WORDS and text.isascii()) or bool(
        _SMALL_START.match(text) or NUMBERED.match(text) or _NO_SENTENCE.match(text)
    )


def _has(text: str, patterns: Sequence[re.Pattern[str]]) -> bool:
    return any(pattern.search(text) for pattern in patterns)


def _has_few_letters(text: str) -> bool:
    if _letters(text) >= _FEWEST_LETTERS:
        return False
    # Signs for vowels, as in Hindi, are no letters by themselves.
    return _letters("".join(sign for sign in text if category(sign)[0] != "M")) < _FEWEST_LETTERS


def _letters(text: str) -> float:
    """The share of letters among what is no white space."""
    return sum(map(str.isalpha, text)) / max(1, len("".join(text.split())))
