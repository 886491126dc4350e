"""Selectors of style sheets: the elements that a rule is for."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any

from lxml import etree

from core.documents.readers.css_rules import LONGEST_SELECTOR, unescape

_NAME = r"(?:[\w-]|[^\x00-\x7f]|\\[0-9a-fA-F]{1,6}\s?)++"
_SIMPLE = re.compile(
    rf"([.#]?)({_NAME}|\*)"
    rf"|\[\s*+([\w-]++)\s*+(?:([~^$*|]?)=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|({_NAME}))\s*+)?\]"
)
_COMBINATOR = re.compile(r"\s*+[>+~]\s*+|\s++")
_PLACE = re.compile(
    r":(first-child|last-child|only-child|nth-child\((\d{1,2}|odd|even)\)|not\(([^()]{1,99})\))"
)
_OTHER = re.compile(
    r"::?([\w-]++)(?:\((?:[^()]++|\((?:[^()]++|\((?:[^()]++|\([^()]*+\))*+\))*+\))*+\))?"
    r"|\[[^\]]*+\]|[&|]"
)
BOXES = ("before", "after")  # drawn beside the text of an element, or behind it
LETTERS = ("first-line", "first-letter")
_MOST_BESIDE = 100  # elements beside one that are looked at
_CLASSES = etree.XPath("//@class", smart_strings=False)
_KEYS = etree.XPath("//@id", smart_strings=False)


@dataclass(frozen=True)
class Compound:
    """The parts of a selector that one element must have."""

    tag: str = ""
    key: str = ""
    classes: frozenset[str] = frozenset()
    attributes: tuple[tuple[str, str, str | None], ...] = ()
    place: str = ""  # among the elements beside it: "1", "odd", "last-child"
    others: tuple["Compound", ...] = ()  # which it must not be

    @property
    def names(self) -> Iterator[str]:
        """The tag, the classes and the key of the element, each with its sign."""
        yield from (f".{name}" for name in self.classes)
        if self.tag:
            yield self.tag
        if self.key:
            yield f"#{self.key}"

    def fits(self, element: Any) -> bool:
        """True for an element that has all of them."""
        if self.tag and element.tag != self.tag:
            return False
        if self.key and element.get("id") != self.key:
            return False
        if self.classes and not self.classes.issubset((element.get("class") or "").split()):
            return False
        if not all(_has(element.get(name), how, value) for name, how, value in self.attributes):
            return False
        if any(other.fits(element) for other in self.others):
            return False
        return not self.place or _is_at(element, self.place)


@dataclass(frozen=True)
class Selector:
    """A selector; its parts go from the element outwards."""

    compounds: tuple[tuple[Compound, str], ...] = ((Compound(), ""),)
    rank: tuple[int, int, int] = (0, 0, 0)
    is_sure: bool = False
    pseudo: str = ""  # the part of an element that it is for

    @cached_property
    def names(self) -> frozenset[str]:
        """The tags, classes and keys without which a page has no element that it fits."""
        return frozenset(name for compound, _ in self.compounds for name in compound.names)


def find_names(root: Any) -> set[str]:
    """The tags of the elements of a page, their classes (".note") and their keys ("#part")."""
    names = {element.tag for element in root.iter(etree.Element)}
    names.update(f".{name}" for name in " ".join(_CLASSES(root)).split())
    names.update(f"#{key}" for key in _KEYS(root))
    return names


def find_related(element: Any, sign: str) -> Iterator[Any]:
    """The elements that the part of a selector before a sign may be."""
    if sign in ("+", "~"):
        beside = element.itersiblings(tag=etree.Element, preceding=True)
        return islice(beside, 1 if sign == "+" else _MOST_BESIDE)
    return islice(element.iterancestors(), 1 if sign == ">" else None)


def _is_at(element: Any, place: str) -> bool:
    """True for an element at a place among those beside it."""
    before = sum(
        1 for _ in islice(element.itersiblings(etree.Element, preceding=True), _MOST_BESIDE)
    )
    is_last = next(element.itersiblings(etree.Element), None) is None
    if place.isdecimal():
        return before + 1 == int(place)
    return {
        "odd": before % 2 == 0,
        "even": before % 2 == 1,
        "last-child": is_last,
        "only-child": is_last and not before,
    }[place]


def parse_selector(text: str) -> Selector:
    """A selector; parts that are not understood are left out, and it is not sure then."""
    if not text or len(text) > LONGEST_SELECTOR:
        return Selector()
    found: list[tuple[Compound, str]] = []
    at, sign, pseudo = 0, "", ""
    is_sure = True
    rank = [0, 0, 0]
    compound = Compound()
    while at < len(text):
        if match := _SIMPLE.match(text, at):
            name = match[2] or ""
            rank[0 if match[1] == "#" else 1 if match[1] or match[3] else 2] += name != "*"
            is_sure = is_sure and not (match[1] == "#" and compound.key)
            compound = _with(compound, match)
        elif match := _PLACE.match(text, at):
            other = parse_selector(match[3].strip()) if match[3] else None
            if other is None:
                is_sure = is_sure and not compound.place
                place = match[2] or {"first-child": "1"}.get(match[1], match[1])
                compound = replace(compound, place=place)
                rank[1] += 1
            elif other.is_sure and len(other.compounds) == 1 and "," not in match[3]:
                compound = replace(compound, others=(*compound.others, other.compounds[0][0]))
                rank = [own + more for own, more in zip(rank, other.rank, strict=True)]
            else:
                is_sure = False
        elif match := _OTHER.match(text, at):
            if match[0] == ":root":
                compound = replace(compound, tag="html")
                rank[1] += 1
            else:
                is_sure = False
                if match[0].startswith("::") or match[1] in (*BOXES, *LETTERS):
                    pseudo = match[1]
        elif match := _COMBINATOR.match(text, at):
            found.append((compound, sign))
            compound, sign = Compound(), match[0].strip() or " "
        else:
            return Selector()
        at = match.end()
    found.append((compound, sign))
    return Selector(tuple(reversed(found)), (rank[0], rank[1], rank[2]), is_sure, pseudo)


def _with(compound: Compound, match: re.Match[str]) -> Compound:
    sign, name, attribute, how, *values = match.groups()
    if attribute:
        value = next((unescape(each) for each in values if each is not None), None)
        return replace(
            compound, attributes=(*compound.attributes, (attribute.lower(), how or "", value))
        )
    name = unescape(name)
    if sign == ".":
        return replace(compound, classes=compound.classes | {name})
    if sign == "#":
        return replace(compound, key=name)
    return replace(compound, tag="" if name == "*" else name.lower())


def _has(own: str | None, how: str, value: str | None) -> bool:
    """True if an attribute is as a selector says."""
    if own is None or value is None:
        return own is not None
    return {
        "": own == value,
        "~": value in own.split(),
        "^": own.startswith(value),
        "$": own.endswith(value),
        "*": value in own,
        "|": own == value or own.startswith(f"{value}-"),
    }[how]
