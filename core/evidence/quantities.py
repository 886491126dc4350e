"""Finds numbers with their units, and dates, in any notation.

`1,000`, `1 000` and `one thousand` are the same number, `3.5 million` is 3,500,000 and `3,5` is
3.5; `$5m` and `5 million dollars` are the same quantity, and so are `5 %` and `five per cent`;
`10 am`, `10:00 a.m.` and `10.00am` are the same time; `12 May 2010`, `May 12, 2010` and
`2010-05-12` the same date. Words and units are English. Digits that belong to a name (`p53`,
`BIP-32`) do not count.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from itertools import pairwise

_DIGITS = (
    r"\d{1,2}[:.][0-5]\d(?=\s?[ap]\.?m\b)|(?:[01]?\d|2[0-4]):[0-5]\d(?!:?\d)|"
    r"\d{1,3}(?:[,\u00a0\u2009\u202f ]\d{3})+(?!\d|,\d)(?:\.\d+)?"
    r"|\d+,\d{1,2}(?![\d,])|\d+(?:\.\d+)?|\.\d+"
)
_IN_BRACKETS = re.compile(r"(?<!\S)\(?(\d{1,2})\)(?!\S)")
_YEARS = re.compile(r"(?<!\d)((?:1[5-9]|20)\d\d)[-\u2010\u2013/]\Z")
_MORE_DATE = re.compile(r"[-/.]\d")
_CLOCK = re.compile(r"\d{1,2}[:.][0-5]\d")
_OF_MINUTES = Decimal("0.00001")
_DECIMAL_COMMA = re.compile(r",(?=\d{1,2}\Z)")
_ONES = "one two three four five six seven eight nine".split()
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first "
    "twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth twenty-seventh "
    "twenty-eighth twenty-ninth thirtieth thirty-first".split()
)
_VALUES = {
    "zero": 0,
    **{word: number for number, word in enumerate([*_ONES, *_TEENS], 1)},
    **{word: 10 * number for number, word in enumerate(_TENS, 2)},
}
_SCALES = {
    "hundred": 10**2,
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
}
_SHORT_SCALES = {
    "k": 10**3,
    **dict.fromkeys(("m", "mn"), 10**6),
    **dict.fromkeys(("b", "bn"), 10**9),
    **dict.fromkeys(("t", "tn"), 10**12),
}
# Incidental numbers: they match in the source, but are not checked in a summary.
_ASIDE = {
    **{word: Decimal(number) for number, word in enumerate(_ORDINALS, 1)},
    **dict.fromkeys(("one", "once", "single", "only"), Decimal(1)),
    **dict.fromkeys(("both", "pair", "couple", "twice", "double", "doubled"), Decimal(2)),
    "triple": Decimal(3),
    "decade": Decimal(10),
    "dozen": Decimal(12),
    "century": Decimal(100),
}
_UNITS = {
    "%": "%, percent, percentage, per cent",
    "km": "km, kilometer, kilometre",
    "m": "m, meter, metre",
    "cm": "cm, centimeter, centimetre",
    "mm": "mm, millimeter, millimetre",
    "µm": "µm, μm, um, micrometer, micrometre, micron",
    "nm": "nm, nanometer, nanometre",
    "mile": "mi, mile",
    "foot": "ft, foot, feet",
    "inch": "inch, inches",
    "kg": "kg, kilogram",
    "g": "g, gram",
    "mg": "mg, milligram",
    "tonne": "ton, tonne",
    "pound": "£, lb, lbs, pound, GBP",
    "l": "l, L, liter, litre",
    "ml": "ml, mL, milliliter, millilitre",
    "s": "s, sec, second",
    "ms": "ms, millisecond",
    "min": "min, minute",
    "am": "am, a.m., AM, A.M.",
    "pm": "pm, p.m., PM, P.M.",
    "h": "h, hr, hour",
    "day": "day",
    "week": "week",
    "month": "month",
    "year": "year, yr",
    "Hz": "Hz, hertz",
    "kHz": "kHz, kilohertz",
    "MHz": "MHz, megahertz",
    "GHz": "GHz, gigahertz",
    "V": "V, volt",
    "W": "W, watt",
    "kW": "kW, kilowatt",
    "MW": "MW, megawatt",
    "°C": "°C, degrees Celsius",
    "°F": "°F, degrees Fahrenheit",
    "bit": "bit",
    "byte": "byte",
    "kB": "kB, KB, kilobyte",
    "MB": "MB, megabyte",
    "GB": "GB, gigabyte",
    "TB": "TB, terabyte",
    "$": "$, dollar, USD",
    "€": "€, euro, EUR",
    "-fold": "fold, times, x, ×",
}
# Units that people write for one another, by what they measure: how many of the smallest they are.
_MEASURES: tuple[dict[str, int], ...] = (
    {"nm": 1, "µm": 10**3, "mm": 10**6, "cm": 10**7, "m": 10**9, "km": 10**12},
    {"mg": 1, "g": 10**3, "kg": 10**6},
    {"ml": 1, "l": 10**3},
    {"ms": 1, "s": 10**3, "min": 60_000, "h": 3_600_000, "day": 86_400_000, "week": 604_800_000},
    {"month": 1, "year": 12},
    {"Hz": 1, "kHz": 10**3, "MHz": 10**6, "GHz": 10**9},
    {"W": 1, "kW": 10**3, "MW": 10**6},
)
_MONTHS = (
    "january february march april may june july august september october november december".split()
)


@dataclass(frozen=True)
class Quantity:
    """A number, optionally with its unit.

    Args:
        start: Its first code point.
        end: One past its last, the unit included.
        value_end: One past the number itself.
        value: The number.
        unit: The unit in its standard spelling; empty without one.
        claimed: False for words that mention a number incidentally ("one", "first", "both"), and
            for the numbers of a list ("(1) water, (2) air").
    """

    start: int
    end: int
    value_end: int
    value: Decimal
    unit: str = ""
    claimed: bool = True


@dataclass(frozen=True)
class Day:
    """A date, possibly partial.

    Args:
        start: Its first code point.
        end: One past its last.
        year: The year, or 0.
        month: The month, from 1.
        day: The day, or 0.
    """

    start: int
    end: int
    year: int
    month: int
    day: int

    def within(self, other: "Day") -> bool:
        """Whether another date contains this one."""
        pairs = ((self.year, other.year), (self.month, other.month), (self.day, other.day))
        return all(mine in (0, theirs) for mine, theirs in pairs)


def dates(text: str) -> list[Day]:
    """The dates of a text with a month: with a day, a year, or both."""
    found = []
    for match in _date_pattern().finditer(text):
        parts = {name: value for name, value in match.groupdict().items() if value}
        if not parts.keys() & {"d1", "d2", "y2", "y3"}:
            continue  # "May" alone
        named = parts.get("month", "")
        month = _month(named) if named else int(parts["m3"])
        day = _day(parts.get("d1") or parts.get("d2") or parts.get("d3") or "0")
        year = int(parts.get("y2") or parts.get("y3") or 0)
        found.append(Day(match.start(), match.end(), year, month, day))
    return found


def quantities(text: str) -> Iterator[Quantity]:
    """The numbers of a text, in its order, those in dates included."""
    numbering, range_end = _numbering(text), 0
    for match in _number_pattern().finditer(text):
        start, end = match.span()
        if start < range_end:
            continue
        if prices := _range_of_prices(match):
            yield from prices
            range_end = prices[-1].end
            continue
        if match["aside"]:
            value = _ASIDE[match["aside"].lower()]
            yield Quantity(start, end, end, value, claimed=False)
            continue
        value = _of_words(match["words"]) if match["words"] else _of_digits(match)
        unit = _unit(match["unit"] or (match["currency"] or ""))
        claimed = start not in numbering
        yield Quantity(start, end, match.end("number"), value, unit, claimed=claimed)


def in_other_units(quantity: Quantity) -> Iterator[tuple[Decimal, str]]:
    """The same in other units: 0.5 m is 50 cm.

    Args:
        quantity: What is measured.

    Yields:
        A number and its unit.
    """
    for measure in _MEASURES:
        if quantity.unit in measure:
            for unit, size in measure.items():
                if unit != quantity.unit:
                    yield quantity.value * measure[quantity.unit] / size, unit


def may_be_millions(quantity: Quantity) -> bool:
    """Whether the m after a number may mean millions: "5m people", but not "5 metres"."""
    return quantity.unit == "m" and quantity.end - quantity.value_end == 1


def significant_digits(value: Decimal) -> int:
    """The number of significant digits: 1,200 has two."""
    return len(value.normalize().as_tuple().digits)


def rounds_to(exact: Decimal, rounded: Decimal) -> bool:
    """Whether a number equals another one rounded to fewer digits, but at least two.

    A half may go either way: of 12.5, people write 13, and programs 12, too.
    """
    digits = significant_digits(rounded)
    if digits < 2 or significant_digits(exact) <= digits:
        return False
    shift = exact.adjusted() - digits + 1
    shifted = exact.scaleb(-shift)
    return rounded.scaleb(-shift) in (round(shifted), shifted.to_integral_value(ROUND_HALF_UP))


def _numbering(text: str) -> set[int]:
    """Where numbers stand that only count what a text lists: "(1) water, (2) air"."""
    found = [(match.start(1), int(match[1])) for match in _IN_BRACKETS.finditer(text)]
    return {
        place
        for (before, first), (after, second) in pairwise(found)
        if second == first + 1
        for place in (before, after)
    }


def _of_digits(match: re.Match[str]) -> Decimal:
    digits = match["price"] or match["digits"]
    if _CLOCK.fullmatch(digits) and (":" in digits or _is_half_day(match)):
        return _of_clock(digits)
    if not match["price"] and (year := _end_of_years(match)):
        return Decimal(year)
    value = Decimal(re.sub(r"[^\d.]", "", _DECIMAL_COMMA.sub(".", digits)))
    return value * _scale(match["price_scale"] or match["scale"] or "")


def _scale(written: str) -> int:
    scale = 1
    for word in re.findall(r"[a-z]+", written.lower()):
        scale *= _SCALES.get(word) or _SHORT_SCALES[word]
    return scale


def _range_of_prices(match: re.Match[str]) -> list[Quantity]:
    """Both prices of "$5-6m", where the second alone says millions; none of anything else."""
    if not match["price"] or match["price_scale"] or match["unit"]:
        return []
    if not (second := _range_pattern().match(match.string, match.end())):
        return []
    unit, scale = _unit(match["currency"]), _scale(second["scale"])
    start, end = match.span()
    higher = Decimal(second["digits"]) * scale
    return [
        Quantity(start, end, end, _of_digits(match) * scale, unit),
        Quantity(second.start("digits"), second.end(), second.end(), higher, unit),
    ]


def _end_of_years(match: re.Match[str]) -> int:
    """The year at the end of "1990–95" or "1999/00"; 0 where a number is none."""
    first = _YEARS.search(match.string, max(0, match.start() - 6), match.start())
    written = match["digits"]
    if not first or len(written) != 2 or not written.isdecimal() or match["scale"]:
        return 0
    if _MORE_DATE.match(match.string, match.end("digits")):
        return 0
    begun, ended = int(first[1]), int(written)
    year = begun // 100 * 100 + ended
    if written == "00":
        year += 100
    return year if year > begun else 0


def _is_half_day(match: re.Match[str]) -> bool:
    return _unit(match["unit"] or "") in ("am", "pm")


def _of_clock(text: str) -> Decimal:
    """A time of the day as a number: "10:00" is ten, and no number rounds to "10:30"."""
    hours, minutes = map(int, re.split("[:.]", text))
    return hours + (Decimal(minutes) / 100 + _OF_MINUTES if minutes else Decimal(0))


def _of_words(text: str) -> Decimal:
    total = current = 0
    for word in re.split(r"[-\s]+", text.lower()):
        if word in _VALUES:
            current += _VALUES[word]
        elif word == "hundred":
            current *= 100
        elif word in _SCALES:
            total, current = total + current * _SCALES[word], 0
    return Decimal(total + current)


def _unit(written: str) -> str:
    table = _unit_table()
    return table.get(written) or table.get(written.lower()) or ""


def _day(written: str) -> int:
    word = written.lower()
    return _ORDINALS.index(word) + 1 if word in _ORDINALS else int(written)


def _month(name: str) -> int:
    return next(n for n, month in enumerate(_MONTHS, 1) if month.startswith(name[:3].lower()))


@cache
def _unit_table() -> dict[str, str]:
    return {
        spelling: unit for unit, spellings in _UNITS.items() for spelling in spellings.split(", ")
    }


def _counted(name: str, scale_name: str, scale: str) -> str:
    """A pattern of digits and their scale, under two names."""
    return rf"(?P<{name}>{_DIGITS})(?:st|nd|rd|th|s)?(?!\.\d)(?P<{scale_name}>{scale})?"


def _scale_words() -> str:
    return f"(?:[-\\s](?:{'|'.join(_SCALES)})\\b)"


def _price_scales() -> str:
    """What may follow the digits of a price and count with it."""
    return rf"(?:{_scale_words()}|(?:\s?(?:[mbt]n|[mM])|[kKbBT])(?!\w))"


@cache
def _range_pattern() -> re.Pattern[str]:
    """The second part of "$5-6m", from the dash on."""
    return re.compile(
        rf"\s?[-\u2010\u2013]\s?(?P<digits>\d+(?:\.\d+)?)(?P<scale>{_price_scales()})"
    )


@cache
def _number_pattern() -> re.Pattern[str]:
    ones, teens, tens = "|".join(_ONES), "|".join(_TEENS), "|".join(_TENS)
    scale = _scale_words()
    two_digits = f"(?:{tens})(?:[-\\s](?:{ones}))?|{teens}"
    scaled = f"(?:{two_digits}|{ones}){scale}+"
    more = f"(?:\\s(?:and\\s)?(?:{two_digits}|{ones}){scale}*)*"
    alone = f"{two_digits}|zero|{'|'.join(_ONES[1:])}"
    spellings = sorted(map(re.escape, _unit_table()), key=len, reverse=True)
    asides = sorted(_ASIDE, key=len, reverse=True)
    # Letters may be a unit (metres) or a name (7B) where no money is meant.
    money = r"\s?(?:(?:dollar|euro|pound)s?\b|[$€£]|(?:USD|EUR|GBP)\b)"
    price = _counted("price", "price_scale", _price_scales())
    bare = rf"(?:\s?[mbt]n|[kK]|[mMbB](?={money}))(?!\w)"
    number = _counted("digits", "scale", rf"{scale}|{bare}")
    unit = f"(?:[-\\s]?(?P<unit>{'|'.join(spellings)})s?)?"
    return re.compile(
        # No letter, or letter and hyphen, precedes the digits; only a unit's letters follow.
        rf"(?P<number>(?<![\w.])(?<![A-Za-z]-)"
        rf"(?:(?:[A-Z]{{1,3}}(?=\$))?(?P<currency>[$€£]|USD|EUR|GBP)\s?{price}|{number})"
        rf"|\b(?P<words>(?i:{scaled}{more}|{alone}))){unit}"
        rf"(?!\w|-(?:{'|'.join(_ORDINALS)})|\s(?:thirds|fifths|sixths|sevenths|eighths|ninths|tenths)\b)"
        rf"|(?P<aside>\b(?i:{'|'.join(asides)})\b)"
    )


@cache
def _date_pattern() -> re.Pattern[str]:
    # Capitalised, or "2 may" would be a date.
    names = "|".join(f"{month[:3]}(?:{month[3:]})?" for month in map(str.title, _MONTHS))
    month = f"(?P<month>{names}|Sept)"
    return re.compile(
        rf"\b(?:(?P<d1>\d{{1,2}}|(?i:{'|'.join(_ORDINALS)}))(?:st|nd|rd|th)?(?: of)? )?{month}\b\.?"
        rf"(?: (?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?!\d))?(?:,? (?P<y2>\d{{4}}))?"
        r"|\b(?P<y3>\d{4})-(?P<m3>\d{2})-(?P<d3>\d{2})\b"
    )
