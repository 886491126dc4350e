"""The styles of each element of a page, by the rules of its sheets and by its own."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import Any

from core.documents.readers.css_rules import (
    HEEDED,
    MAY_MATTER,
    UNKNOWN,
    parse_declarations,
    simplify_style,
    split_rules,
)
from core.documents.readers.css_selectors import (
    BOXES,
    LETTERS,
    Compound,
    Selector,
    find_related,
    parse_selector,
)

_ELSEWHERE = re.compile(r"@import\b|color-scheme\s*+:[^;}]{0,50}dark", re.IGNORECASE)
_MOST_RULES = 20_000
_MOST_TESTS = 3_000_000  # of an element against a rule


@dataclass(frozen=True)
class _Rule:
    """The properties that a selector gives to elements.

    Args:
        compounds: From the element outwards, each with the sign between it and the one before it
            in the selector: " ", ">", "+" or "~".
        rank: Its weight among rules.
        values: Its properties, with True for those that are important.
        is_sure: False if it may also not hold for the elements that it fits.
    """

    compounds: tuple[tuple[Compound, str], ...]
    rank: tuple[int, int, int, int]
    values: dict[str, tuple[str, bool]]
    is_sure: bool = True


@dataclass
class StyleSheet:
    """The rules of a page, by what the elements that they fit have."""

    by_mark: dict[str, list[_Rule]] = field(default_factory=lambda: defaultdict(list))
    variables: dict[str, str] = field(default_factory=dict)
    num_rules: int = 0
    num_tests: int = 0
    is_whole: bool = True  # False if it names others, or the page may be dark
    has_scripts: bool = False
    styles: dict[str, dict[str, tuple[str, bool]]] = field(default_factory=dict)  # of elements
    around: dict[tuple[int, Any], bool] = field(default_factory=dict)
    painted: set[Any] = field(default_factory=set)  # elements with a placed one that has a colour

    def add(self, text: str, *, is_sure: bool = True) -> None:
        """Adds the rules of a style sheet; unsure ones only make what they set unknown."""
        if _ELSEWHERE.search(text):
            self.is_whole = False
        rules = _parse_sheet(text) if not self.variables else _parse_rules(text, self.variables)
        for selector, values, holds in rules:
            if self.num_rules >= _MOST_RULES:
                return
            self._add_rule(selector, values, is_sure=is_sure and holds)

    def _add_rule(
        self, selector: Selector, values: dict[str, tuple[str, bool]], *, is_sure: bool
    ) -> None:
        if selector.pseudo in BOXES:
            if not any(name.startswith(("background", "box-shadow")) for name in values):
                return
            values = {"background-image": ("url(", False)}
        elif selector.pseudo and selector.pseudo not in LETTERS:
            return
        last = selector.compounds[0][0]
        rank = (*selector.rank, self.num_rules)
        self.num_rules += 1
        mark = f"#{last.key}" if last.key else f".{min(last.classes)}" if last.classes else last.tag
        self.by_mark[mark].append(
            _Rule(selector.compounds, rank, values, is_sure and selector.is_sure)
        )

    def names(self, tag: str) -> bool:
        """True if an element may have properties by its tag alone."""
        return tag == "mark" or "" in self.by_mark or tag in self.by_mark

    def values_of(self, element: Any) -> dict[str, str]:
        """The properties of an element, by rules and by its own attributes."""
        if self.num_tests >= _MOST_TESTS or self.num_rules >= _MOST_RULES:
            return dict.fromkeys(HEEDED, UNKNOWN)
        best: dict[str, tuple[tuple[Any, ...], str]] = {}
        unsure: list[_Rule] = []
        marks = ["", str(element.tag)]
        if classes := element.get("class"):
            marks += [f".{name}" for name in set(classes.split())]
        if key := element.get("id"):
            marks.append(f"#{key}")
        for mark in marks:
            for rule in self.by_mark.get(mark, ()):
                self.num_tests += 1
                if not self._fits(rule, element):
                    continue
                if rule.is_sure:
                    _take(best, rule.values, (0, *rule.rank))
                else:
                    unsure.append(rule)
        if style := element.get("style"):
            _take(best, self._parse_style(style), (1, 0, 0, 0, 0))
        values = {name: value for name, (_, value) in best.items()}
        for rule in unsure:
            for name, (value, is_important) in rule.values.items():
                rank = best[name][0][:2] if name in best else ()
                if rank <= (is_important, 0) and values.get(name) != value:
                    values[name] = UNKNOWN
        return values

    def _parse_style(self, style: str) -> dict[str, tuple[str, bool]]:
        if style not in self.styles:
            self.styles[style] = parse_declarations(simplify_style(style), self.variables)
        return self.styles[style]

    def _fits(self, rule: _Rule, element: Any) -> bool:
        (first, sign), *outer = rule.compounds
        if not first.fits(element):
            return False
        if not outer or sign in ("+", "~"):
            return self._fits_around(outer, sign, element)
        place = id(rule), element.getparent()  # the same for all elements below a parent
        if place not in self.around:
            self.around[place] = self._fits_around(outer, sign, element)
        return self.around[place]

    def _fits_around(self, outer: list[tuple[Compound, str]], sign: str, element: Any) -> bool:
        """True if the elements around one are those that the rest of a selector names."""
        found = {element: None}
        for compound, next_sign in outer:
            near: dict[Any, None] = {}
            for inner in found:
                for each in find_related(inner, sign):
                    self.num_tests += 1
                    if each not in near and compound.fits(each):
                        near[each] = None
            if not near:
                return False
            found, sign = near, next_sign
        return True


@lru_cache(maxsize=8)
def _parse_sheet(text: str) -> list[tuple[Selector, dict[str, tuple[str, bool]], bool]]:
    """The rules of a style sheet without variables: the pages of a book share it."""
    return list(islice(_parse_rules(text, {}), 2 * _MOST_RULES))


def _parse_rules(
    text: str, variables: dict[str, str]
) -> Iterator[tuple[Selector, dict[str, tuple[str, bool]], bool]]:
    for selectors, body, holds in split_rules(simplify_style(text)):
        values = parse_declarations(body, variables) if MAY_MATTER.search(body) else {}
        for selector in selectors if values else ():
            yield parse_selector(selector), values, holds


def _take(
    best: dict[str, tuple[tuple[Any, ...], str]],
    values: dict[str, tuple[str, bool]],
    rank: tuple[int, ...],
) -> None:
    for name, (value, is_important) in values.items():
        own = (is_important, *rank)
        if name not in best or own >= best[name][0]:
            best[name] = own, value
