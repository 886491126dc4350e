"""The styles of each element of a page, by the rules of its sheets and by its own."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

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
_Values = dict[str, tuple[str, bool]]  # by property, with True for those that are important
_MOST_RULES = 20_000
_MOST_TESTS = 3_000_000  # of an element against a rule


@dataclass(frozen=True)
class _Rule:
    """The properties that a selector gives to elements.

    Args:
        compounds: From the element outwards, each with the sign between it and the one before it
            in the selector: " ", ">", "+" or "~".
        rank: Its weight among rules.
        values: Its properties.
        is_sure: False if it may also not hold for the elements that it fits.
    """

    compounds: tuple[tuple[Compound, str], ...]
    rank: tuple[int, int, int, int]
    values: _Values
    is_sure: bool = True


@dataclass
class StyleSheet:
    """The rules of a page, by what the elements that they fit have.

    Args:
        present: The names on the page, by `find_names`: rules for others are passed over.
    """

    present: Set[str] = frozenset()
    by_mark: dict[str, list[_Rule]] = field(default_factory=lambda: defaultdict(list))
    variables: dict[str, str] = field(default_factory=dict)
    num_rules: int = 0
    num_tests: int = 0
    is_whole: bool = True  # False if it names others, or the page may be dark
    has_scripts: bool = False
    properties: Set[str] = HEEDED  # others are dropped
    styles: dict[str, _Values] = field(default_factory=dict)  # of elements
    around: dict[tuple[int, Any], bool] = field(default_factory=dict)
    painted: set[Any] = field(default_factory=set)  # elements with a placed one that has a colour

    def add(self, text: str, *, is_sure: bool = True) -> None:
        """Adds the rules of a style sheet; unsure ones only make what they set unknown."""
        sheet = _parse_sheet(text, tuple(self.variables.items()))
        self.is_whole = self.is_whole and sheet.is_whole
        for selector, values, holds in sheet.rules:
            if self.num_rules >= _MOST_RULES:
                return
            self.num_rules += 1
            if self.present >= selector.names:
                self._add_rule(selector, values, is_sure=is_sure and holds)

    @property
    def is_full(self) -> bool:
        """True if there are too many rules, so that nothing is known of any element."""
        return self.num_rules >= _MOST_RULES

    def find_declared(self, styles: Iterable[str]) -> dict[str, set[str]]:
        """The values of each property in all rules, and in the style attributes of elements."""
        declared = defaultdict[str, set[str]](set)
        rules = [rule.values for each in self.by_mark.values() for rule in each]
        for values in (*rules, *map(self._parse_style, styles)):
            for name, (value, _) in values.items():
                declared[name].add(value)
        return declared

    def keep(self, properties: Set[str]) -> None:
        """Drops all properties but some, and the rules that set no others."""
        self.properties = properties
        self.styles.clear()
        for mark, rules in tuple(self.by_mark.items()):
            kept = [(rule, _only(rule.values, properties)) for rule in rules]
            self.by_mark[mark] = [replace(rule, values=values) for rule, values in kept if values]
            if not self.by_mark[mark]:
                del self.by_mark[mark]

    def _add_rule(self, selector: Selector, values: _Values, *, is_sure: bool) -> None:
        if selector.pseudo in BOXES:
            if not any(name.startswith(("background", "box-shadow")) for name in values):
                return
            values = {"background-image": ("url(", False)}
        elif selector.pseudo and selector.pseudo not in LETTERS:
            return
        last = selector.compounds[0][0]
        rank = (*selector.rank, self.num_rules)
        mark = f"#{last.key}" if last.key else f".{min(last.classes)}" if last.classes else last.tag
        self.by_mark[mark].append(
            _Rule(selector.compounds, rank, values, is_sure and selector.is_sure)
        )

    def may_style(self, element: Any) -> bool:
        """False for an element that no rule is for."""
        if not self.by_mark:
            return False
        if "" in self.by_mark or element.tag in self.by_mark:
            return True
        return element.get("class") is not None or element.get("id") is not None

    def values_of(self, element: Any) -> dict[str, str]:
        """The properties of an element, by rules and by its own attributes."""
        if self.num_tests >= _MOST_TESTS:
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

    def _parse_style(self, style: str) -> _Values:
        if style not in self.styles:
            values = parse_declarations(simplify_style(style), self.variables)
            self.styles[style] = _only(values, self.properties)
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


class _ParsedSheet(NamedTuple):
    """A style sheet.

    Args:
        rules: For each selector its properties, and True if it surely holds.
        is_whole: False if the sheet names others, or has colours for a dark page.
    """

    rules: list[tuple[Selector, _Values, bool]]
    is_whole: bool


@lru_cache(maxsize=8)  # the pages of a book share their style sheets
def _parse_sheet(text: str, variables: tuple[tuple[str, str], ...]) -> _ParsedSheet:
    rules = islice(_parse_rules(text, dict(variables)), 2 * _MOST_RULES)
    return _ParsedSheet(list(rules), _ELSEWHERE.search(text) is None)


def _parse_rules(text: str, variables: dict[str, str]) -> Iterator[tuple[Selector, _Values, bool]]:
    for selectors, body, holds in split_rules(simplify_style(text)):
        values = parse_declarations(body, variables) if MAY_MATTER.search(body) else {}
        for selector in selectors if values else ():
            yield parse_selector(selector), values, holds


def _only(values: _Values, properties: Set[str]) -> _Values:
    return {name: value for name, value in values.items() if name in properties}


def _take(
    best: dict[str, tuple[tuple[Any, ...], str]],
    values: _Values,
    rank: tuple[int, ...],
) -> None:
    for name, (value, is_important) in values.items():
        own = (is_important, *rank)
        if name not in best or own >= best[name][0]:
            best[name] = own, value
