"""What may be the title of a document, and the one that its first headings give."""

import re

import numpy as np

from core.documents.document import Document, Kind
from core.documents.readers import headings

_POSTAL = (
    r"\b[A-Z]{2},? \d{5}(?:-\d{4})?\b|\(?\b\d{3}\)?[-. ]\d{3}[-. ]\d{4}\b"
    r"|\bP\. ?O\. Box\b|^\d{1,5}[a-z]? [^\d,]{2,40}"
    r"\b(?:street|st\.|avenue|ave\.?|road|rd\.?|boulevard|blvd\.?|drive|lane|way|suite)\b"
    r"|(?:stra(?:ß|ss)e|str\.|weg|platz|allee) \d{1,4}[a-z]?(?:,|$)|\b(?:D|CH|A|F)-\d{4,5} [A-Z]"
    r"|^\d{1,4},? (?:bis )?(?:rue|avenue|boulevard|place)\b|^(?:calle|avenida|plaza)\b.{1,40}\d"
)
ADDRESS = re.compile(rf"\S@\S|https?://|\bwww\.|{_POSTAL}", re.IGNORECASE)
"""What tells a postal address, a telephone number, or an address of the network."""

_IS_ADDRESS = re.compile(rf"\S+@\S+|(?:https?://|www\.)\S+|(?=.*(?:{_POSTAL})).*", re.IGNORECASE)
INSTITUTION = re.compile(
    r"(?:in the )?united states patent(?: and trademark)? office"
    r"|(?:in the )?united states (?:district |bankruptcy )?court\b.*"
    r"|in the .{0,40}\bcourt of .*|(?:european|german|world) patent (?:office|organi[sz]ation)",
    re.IGNORECASE,
)
"""Whose paper it is: it stands over each of an office's documents."""

_CODE = re.compile(r"(?=(?:\D*\d){3})[\w#./-]+")  # one word with three digits; not COVID-19
_LABEL = re.compile(r"[^:]{1,40}:(?:\s.*)?")  # "Agency: Veterans Health Administration"
_NUMBER = re.compile(r"(?:(?:chapter|section|part)\s+)?\d{1,3}(?:\.\d{1,3})*[.)]?\s+(?=\w)", re.I)
_MONTH = (
    r"(?:jan(?:uary|uar|vier)?|feb(?:ruary|ruar)?|f[ée]vrier|mar(?:ch|s)?|märz|apr(?:il)?|avril|ma[iy]"
    r"|june?|juni|juin|july?|juli|juillet|aug(?:ust)?|ao[uû]t|sep(?:t(?:ember|embre)?)?"
    r"|o[ck]t(?:ober|obre)?|nov(?:ember|embre)?|de[cz](?:ember|embre)?|d[ée]cembre)\.?"
)
_DATE = re.compile(
    rf"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,? )?"
    rf"(?:\d{{1,2}}(?:st|nd|rd|th|\.)? )?(?:de )?{_MONTH}(?: \d{{1,2}}(?:st|nd|rd|th)?,?)?,?"
    rf"(?: (?:de )?\d{{4}})?|\d{{1,4}}([./-]\d{{1,4}}){{1,2}}|\d{{1,2}}:\d\d|\d{{4}}",
    re.IGNORECASE,
)
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_FIRST_BLOCKS = 8
_LONGEST = 200  # characters
_LONGEST_ADDRESS = 8  # words
_OPENING = (Kind.HEADING, Kind.BOILERPLATE)


def is_no_title(text: str) -> bool:
    """Whether a text says nothing of what a document is about: an address, a date, a code.

    A year alone may be a title.
    """
    plain = " ".join(text.split()).strip(" .")
    if plain.isdigit() and len(plain) == 4:
        return False
    return (
        not _LETTERS.search(plain)
        or bool(_CODE.fullmatch(plain) or _DATE.fullmatch(plain))
        or (len(plain.split()) <= _LONGEST_ADDRESS and bool(_IS_ADDRESS.fullmatch(plain)))
    )


def opening_title(document: Document) -> str:
    """The title that the headings at the beginning of a document give; empty for none.

    Only headings stand before it. Labels ("Agency: …"), dates, addresses and codes are passed over,
    and so are headings that stand in any document; a chapter's number is left out.
    """
    for index in range(min(_FIRST_BLOCKS, len(document.starts))):
        kind = Kind(int(np.asarray(document.kinds)[index]))
        if kind not in _OPENING:
            return ""
        title = _NUMBER.sub("", " ".join(document.paragraph(index).split()), count=1)
        if kind == Kind.HEADING and _may_be_title(title):
            return title
    return ""


def _may_be_title(title: str) -> bool:
    return (
        len(title) <= _LONGEST
        and not is_no_title(title)
        and not _LABEL.fullmatch(title)
        and not INSTITUTION.fullmatch(title.rstrip("."))
        and not headings.is_common(title)
        and not title.isdigit()
    )
