"""How many steps a backtracking search takes: counted by walking the parsed pattern, not timed.

A step is one look at a character or one branch that is taken, as Python's own engine takes them;
what that engine leaves out by looking ahead only makes it quicker. Texts that show a pattern at its
worst are drawn from the pattern itself: what a repeat matches, many times over, and then something
that does not fit.
"""

import random
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

Node = tuple[Any, Any]
Then = Callable[[int], bool]

_REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)
_SINGLE = (op.LITERAL, op.NOT_LITERAL, op.ANY, op.IN)
_CATEGORY = {
    op.CATEGORY_DIGIT: r"\d",
    op.CATEGORY_NOT_DIGIT: r"\D",
    op.CATEGORY_SPACE: r"\s",
    op.CATEGORY_NOT_SPACE: r"\S",
    op.CATEGORY_WORD: r"\w",
    op.CATEGORY_NOT_WORD: r"\W",
}
_SAMPLE = "a1 \n\r\t.,:;-_(<>\"'/é—\0[]=*|#"
_KILLERS = ("\0", "\n\0", " ", "a")
_DEEPEST = 100_000
# Plain numbers, as the flags of a search are: combining those of `re` takes longer than a step.
_ASCII, _MULTILINE = int(re.ASCII), int(re.MULTILINE)
_WORD, _ASCII_WORD = re.compile(r"\w"), re.compile(r"\w", re.ASCII)


class _Nodes(list[Node]):
    """The nodes of a pattern, as a plain list: those of `re` are looked up in Python.

    Args:
        nodes: As `re` has them.
    """

    def __init__(self, nodes: Any) -> None:
        super().__init__(
            (kind, _alike(tuple(value)) if kind is op.IN else _plain(value))
            for kind, value in nodes
        )
        self.width: tuple[int, int] = nodes.getwidth()


def _plain(value: Any) -> Any:
    """A part of a parsed pattern, with plain lists of nodes."""
    if isinstance(value, parser.SubPattern):
        return _Nodes(value)
    if isinstance(value, list | tuple):
        return type(value)(_plain(each) for each in value)
    return value


@cache
def _alike(characters: tuple[Node, ...]) -> tuple[Node, ...]:
    """One object for all classes of the same characters, which are looked up by it."""
    return characters


_FITTING: dict[tuple[Any, int, int, str], bool] = {}
"""By kind and value of a node, flags and character."""


class TooManyStepsError(Exception):
    """The budget is spent."""


@contextmanager
def _deep_recursion() -> Iterator[None]:
    """Allows calls as deep as a long match is, and only meanwhile.

    A limit that stays would let other code, such as the JSON decoder, run out of the C stack.
    """
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(_DEEPEST)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


class Steps:
    """A pattern whose searches are counted.

    Each node becomes a function that matches it and all that follows it, made once.

    Args:
        pattern: As `re` takes it; of bytes, each is taken for a character.
        flags: As `re` takes them.
    """

    def __init__(self, pattern: str | bytes, flags: int = 0) -> None:
        text = pattern if isinstance(pattern, str) else pattern.decode("latin-1")
        if isinstance(pattern, bytes):
            flags |= re.ASCII
        tree = parser.parse(text, flags & ~(re.UNICODE | re.DEBUG))
        self.tree = _plain(tree)
        self.flags = int(tree.state.flags)
        self._tests: dict[tuple[Any, int, int], Callable[[str], bool]] = {}
        self._budget = self._spent = 0
        self._text = ""
        self.found = False
        self._groups: dict[int, tuple[int, int]] = {}
        self._matches = self._sequence(self.tree, self.flags, lambda at: True)

    def count(self, text: str, budget: int, *, anchored: bool) -> int:
        """Steps of a search.

        Args:
            text: What is searched.
            budget: How many are allowed.
            anchored: Whether it may begin at the start only.

        Returns:
            How many it took; `found` says whether the search came to something.

        Raises:
            TooManyStepsError: If it takes more.
        """
        self._text, self._budget, self._spent, self.found = text, budget, 0, False
        with _deep_recursion():
            for start in range(1 if anchored else len(text) + 1):
                self._groups = {}
                self._step()
                if self._matches(start):
                    self.found = True  # the next search goes on behind it
                    break
        return self._spent

    def fails(self, text: str) -> bool:
        """True if nothing is found at the start of a text."""
        self._text, self._budget, self._spent, self._groups = text, 10**6, 0, {}
        with _deep_recursion():
            return not self._matches(0)

    def _step(self, number: int = 1) -> None:
        self._spent += number
        if self._spent > self._budget:
            raise TooManyStepsError

    def _sequence(self, nodes: Sequence[Node], flags: int, then: Then) -> Then:
        for kind, value in reversed(nodes):
            then = self._node(kind, value, flags, then)
        return then

    def _node(self, kind: Any, value: Any, flags: int, then: Then) -> Then:
        if kind in _SINGLE:
            return self._single((kind, value), flags, then)
        if kind in _REPEATS:
            body = value[2]
            is_single = len(body) == 1 and body[0][0] in _SINGLE
            repeat = self._repeat_of_single if is_single else self._repeat
            return repeat(kind, value, flags, then)
        makers: dict[Any, Callable[[Any, int, Then], Then]] = {
            op.AT: self._place,
            op.BRANCH: self._branch,
            op.SUBPATTERN: self._group,
            op.ATOMIC_GROUP: self._atomic,
            op.ASSERT: self._assertion,
            op.ASSERT_NOT: self._denial,
            op.GROUPREF: self._reference,
        }
        return makers[kind](value, flags, then)

    def _fitting(self, node: Node, flags: int) -> Callable[[str], bool]:
        """A test of one character, which is none at the end of the text; alike nodes share it."""
        kind, value = node
        key = (kind, value if isinstance(value, int) else id(value), flags)
        if key not in self._tests:
            self._tests[key] = cache(lambda each: bool(each) and self.fits(node, each, flags))
        return self._tests[key]

    def _single(self, node: Node, flags: int, then: Then) -> Then:
        fits = self._fitting(node, flags)

        def match(at: int) -> bool:
            self._step()
            return fits(self._text[at : at + 1]) and then(at + 1)

        return match

    def _place(self, where: Any, flags: int, then: Then) -> Then:
        def match(at: int) -> bool:
            self._step()
            return self._stands(where, at, flags) and then(at)

        return match

    def _branch(self, value: Any, flags: int, then: Then) -> Then:
        """Lists of words have hundreds of branches, and most end at their first character.

        That one is looked at once, and counted each time.
        """
        branches = [
            (
                self._fitting(nodes[0], flags) if nodes and nodes[0][0] in _SINGLE else None,
                self._sequence(nodes, flags, then),
            )
            for nodes in value[1]
        ]

        @cache
        def that_may_fit(character: str) -> tuple[list[tuple[int, Then]], int]:
            """Each branch with the steps up to it, and the steps behind the last."""
            found, steps = [], 0
            for fits, matches in branches:
                steps += 1
                if fits and not fits(character):
                    steps += 1
                else:
                    found.append((steps, matches))
                    steps = 0
            return found, steps

        def match(at: int) -> bool:
            found, last = that_may_fit(self._text[at : at + 1])
            for steps, matches in found:
                self._step(steps)
                if matches(at):
                    return True
            self._step(last)
            return False

        return match

    def _group(self, value: Any, flags: int, then: Then) -> Then:
        number, add, remove, nodes = value
        flags, start = (flags | add) & ~remove, 0
        if number is None:
            return self._sequence(nodes, flags, then)

        def end(at: int) -> bool:
            before = dict(self._groups)
            self._groups[number] = (start, at)
            if then(at):
                return True
            self._groups = before
            return False

        inner = self._sequence(nodes, flags, end)

        def match(at: int) -> bool:
            nonlocal start
            outer, start = start, at
            found = inner(at)
            start = outer
            return found

        return match

    def _repeat_of_single(self, kind: Any, value: Any, flags: int, then: Then) -> Then:
        least, most, body = value
        fits = self._fitting(body[0], flags)
        most = sys.maxsize if most is op.MAXREPEAT else int(most)

        def match(at: int) -> bool:
            text, last = self._text, at
            end = min(len(text), at + most)
            while last < end and fits(text[last]):
                last += 1
            self._step(last - at + 1)
            if kind is op.POSSESSIVE_REPEAT:
                return at + least <= last and then(last)
            ends = range(at + least, last + 1)
            for each in ends if kind is op.MIN_REPEAT else reversed(ends):
                self._step()
                if then(each):
                    return True
            return False

        return match

    def _repeat(self, kind: Any, value: Any, flags: int, then: Then) -> Then:
        if kind is op.POSSESSIVE_REPEAT:
            return self._atomic([(op.MAX_REPEAT, value)], flags, then)
        least, most, body = value
        most = sys.maxsize if most is op.MAXREPEAT else int(most)
        turns, last = 0, -1  # of the repeat that is under way

        def more(here: int) -> bool:
            nonlocal turns, last
            self._step()
            if turns >= least and here == last:
                return then(here)  # an empty turn is the last
            before, may_leave = (turns, last), turns >= least
            if kind is op.MIN_REPEAT and may_leave and then(here):
                return True
            if turns < most:
                turns, last = turns + 1, here
                found = inner(here)
                turns, last = before
                if found:
                    return True
            return kind is op.MAX_REPEAT and may_leave and then(here)

        inner = self._sequence(body, flags, more)

        def match(at: int) -> bool:
            nonlocal turns, last
            outer, (turns, last) = (turns, last), (0, -1)
            found = more(at)
            turns, last = outer
            return found

        return match

    def _end(self, nodes: Any, flags: int) -> Callable[[int], int | None]:
        """Where the first way to match ends."""
        found = 0

        def keep(at: int) -> bool:
            nonlocal found
            found = at
            return True

        inner = self._sequence(nodes, flags, keep)
        return lambda at: found if inner(at) else None

    def _atomic(self, nodes: Any, flags: int, then: Then) -> Then:
        ending = self._end(nodes, flags)

        def match(at: int) -> bool:
            end = ending(at)
            return end is not None and then(end)

        return match

    def _assertion(self, value: Any, flags: int, then: Then) -> Then:
        holds = self._asserted(*value, flags)
        return lambda at: holds(at) and then(at)

    def _denial(self, value: Any, flags: int, then: Then) -> Then:
        holds = self._asserted(*value, flags)
        return lambda at: not holds(at) and then(at)

    def _asserted(self, direction: int, nodes: Any, flags: int) -> Then:
        if direction > 0:
            ending = self._end(nodes, flags)
            return lambda at: ending(at) is not None
        low, high = nodes.width
        wanted = 0
        inner = self._sequence(nodes, flags, lambda end: end == wanted)

        def stands_before(at: int) -> bool:
            nonlocal wanted
            wanted = at
            return any(inner(start) for start in range(max(0, at - min(high, at)), at - low + 1))

        return stands_before

    def _reference(self, number: Any, flags: int, then: Then) -> Then:
        def match(at: int) -> bool:
            start, end = self._groups.get(number, (0, 0))
            same = self._text.startswith(self._text[start:end], at)
            self._step()
            return same and then(at + end - start)

        return match

    def _stands(self, where: Any, at: int, flags: int) -> bool:
        text = self._text
        if where in (op.AT_BEGINNING, op.AT_BEGINNING_STRING):
            lines = where is op.AT_BEGINNING and flags & _MULTILINE
            return at == 0 or bool(lines and text[at - 1] == "\n")
        if where in (op.AT_END, op.AT_END_STRING):
            if where is op.AT_END_STRING or at == len(text):
                return at == len(text)
            return text[at] == "\n" and bool(at == len(text) - 1 or flags & _MULTILINE)
        word = _ASCII_WORD if flags & _ASCII else _WORD
        after_word = at > 0 and word.match(text, at - 1) is not None
        before_word = word.match(text, at) is not None
        return (after_word != before_word) is (where is op.AT_BOUNDARY)

    def fits(self, node: Node, character: str, flags: int) -> bool:
        """Whether a node of one character matches a character."""
        kind, value = node
        key = (kind, value if isinstance(value, int) else id(value), flags, character)
        found = _FITTING.get(key)
        if found is None:
            cases = {character}
            if flags & re.IGNORECASE:
                cases |= {character.lower(), character.upper(), character.casefold()}
            found = any(_fits(node, each, flags) for each in cases if len(each) == 1)
            _FITTING[key] = found
        return found


def _fits(node: Node, character: str, flags: int) -> bool:
    kind, value = node
    if kind is op.LITERAL:
        return ord(character) == value
    if kind is op.NOT_LITERAL:
        return ord(character) != value
    if kind is op.ANY:
        return character != "\n" or bool(flags & re.DOTALL)
    items = [item for item in value if item[0] is not op.NEGATE]
    return any(_in(item, character, flags) for item in items) is (len(items) == len(value))


def _in(item: Node, character: str, flags: int) -> bool:
    kind, value = item
    if kind is op.LITERAL:
        return ord(character) == value
    if kind is op.RANGE:
        return bool(value[0] <= ord(character) <= value[1])
    return re.match(_CATEGORY[value], character, flags & re.ASCII) is not None


def baits(steps: Steps, *sizes: int) -> Iterator[tuple[str, ...]]:
    """Texts that make a pattern work: what leads to a repeat, its body over and over, a misfit.

    Args:
        steps: The pattern.
        *sizes: How often the body of a repeat is in a text.

    Yields:
        A text of each size, which are otherwise the same; every call gives the same ones.
    """
    draw = random.Random(0)
    for path in _paths_to_repeats(steps.tree):
        for _ in range(4):
            before, body = _before(steps, path, draw), path[-1]
            pumps = [_drawn(steps, body, draw) for _ in range(2)]
            for pump in dict.fromkeys((pumps[0], pumps[0] + pumps[1], _shortest(steps, body))):
                if pump:
                    for killer in _KILLERS:
                        yield tuple(before + pump * size + killer for size in sizes)


def _paths_to_repeats(nodes: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Each endless repeat: what stands before it, on every level, and its body."""
    for index, (kind, value) in enumerate(nodes):
        here = (*path, list(nodes)[:index])
        if kind in _REPEATS:
            if value[1] is op.MAXREPEAT or value[1] > 20:
                yield (*here, value[2])
            yield from _paths_to_repeats(value[2], here)
        elif kind is op.BRANCH:
            for branch in value[1]:
                yield from _paths_to_repeats(branch, here)
        elif kind is op.SUBPATTERN:
            yield from _paths_to_repeats(value[3], here)
        elif kind is op.ATOMIC_GROUP:
            yield from _paths_to_repeats(value, here)
        elif kind in (op.ASSERT, op.ASSERT_NOT):
            yield from _paths_to_repeats(value[1], here)


def _before(steps: Steps, path: tuple[Any, ...], draw: random.Random) -> str:
    return "".join(_drawn(steps, nodes, draw) for nodes in path[:-1])


def _shortest(steps: Steps, nodes: Any) -> str:
    return _drawn(steps, nodes, None)


def _drawn(steps: Steps, nodes: Any, draw: random.Random | None) -> str:
    """A text that the nodes match, but for what they ask of their neighbours."""
    return "".join(_drawn_of(steps, node, draw) for node in nodes)


def _drawn_of(steps: Steps, node: Node, draw: random.Random | None) -> str:
    kind, value = node
    if kind in _SINGLE:
        return _character(steps, node, draw)
    if kind is op.BRANCH:
        return _drawn(steps, draw.choice(value[1]) if draw else value[1][0], draw)
    if kind is op.SUBPATTERN:
        return _drawn(steps, value[3], draw)
    if kind in _REPEATS:
        least, most, body = value
        times = least if draw is None else draw.randint(least, min(int(most), least + 2))
        return "".join(_drawn(steps, body, draw) for _ in range(times))
    if kind is op.ATOMIC_GROUP:
        return _drawn(steps, value, draw)
    return ""


def _character(steps: Steps, node: Node, draw: random.Random | None) -> str:
    kind, value = node
    if kind is op.LITERAL:
        return chr(value)
    fitting = [each for each in _SAMPLE if steps.fits(node, each, steps.flags)]
    if kind is op.IN:
        for what, own in value:
            if what in (op.LITERAL, op.RANGE):
                each = chr(own if what is op.LITERAL else own[0])
                fitting += [each] if steps.fits(node, each, steps.flags) else []
    if not fitting:
        return ""
    return draw.choice(fitting) if draw else fitting[0]
