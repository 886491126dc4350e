"""How many steps a backtracking search takes: counted by walking the parsed pattern, not timed.

A step is one look at a character or one branch that is taken, as Python's own engine takes them;
what that engine leaves out by looking ahead only makes it quicker. Texts that show a pattern at its
worst are drawn from the pattern itself: what a repeat matches, many times over, and then something
that does not fit.
"""

import random
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
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
        super().__init__((kind, _plain(value)) for kind, value in nodes)
        self.width: tuple[int, int] = nodes.getwidth()


def _plain(value: Any) -> Any:
    """A part of a parsed pattern, with plain lists of nodes."""
    if isinstance(value, parser.SubPattern):
        return _Nodes(value)
    if isinstance(value, list | tuple):
        return type(value)(_plain(each) for each in value)
    return value


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
        self._known: dict[tuple[int, int, str], bool] = {}
        self._fitting: dict[tuple[int, int, str], list[tuple[Any | None, int]]] = {}
        self._budget = self._spent = 0
        self._text = ""
        self.found = False
        self._groups: dict[int, tuple[int, int]] = {}

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
                if self._match(self.tree, 0, start, self.flags, lambda at: True):
                    self.found = True  # the next search goes on behind it
                    break
        return self._spent

    def fails(self, text: str) -> bool:
        """Whether nothing is found at the start of a text."""
        self._text, self._budget, self._spent, self._groups = text, 10**6, 0, {}
        with _deep_recursion():
            return not self._match(self.tree, 0, 0, self.flags, lambda at: True)

    def _step(self, number: int = 1) -> None:
        self._spent += number
        if self._spent > self._budget:
            raise TooManyStepsError

    def _match(self, nodes: Any, index: int, at: int, flags: int, then: Then) -> bool:
        """Whether the nodes from `index` on match at a place, and what follows does too."""
        if index == len(nodes):
            return then(at)
        kind, value = nodes[index]
        if kind in _SINGLE:
            self._step()
            fits = at < len(self._text) and self.fits(nodes[index], self._text[at], flags)
            return fits and self._match(nodes, index + 1, at + 1, flags, then)
        if kind is op.AT:
            self._step()
            return self._stands(value, at, flags) and self._match(nodes, index + 1, at, flags, then)
        rest = partial(self._rest, nodes, index + 1, flags, then)
        if kind is op.BRANCH:
            return self._branched(value[1], at, flags, rest)
        if kind is op.SUBPATTERN:
            group, add, remove, inner = value
            keep = partial(self._kept, group, at, rest)
            return self._match(inner, 0, at, (flags | add) & ~remove, keep)
        if kind in _REPEATS:
            return self._repeat(kind, value, at, flags, rest)
        if kind is op.ATOMIC_GROUP:
            end = self._end(value, at, flags)
            return end is not None and rest(end)
        if kind in (op.ASSERT, op.ASSERT_NOT):
            return self._asserted(value, at, flags) is (kind is op.ASSERT) and rest(at)
        if kind is op.GROUPREF:
            start, end = self._groups.get(value, (0, 0))
            same = self._text.startswith(self._text[start:end], at)
            self._step()
            return same and rest(at + end - start)
        raise NotImplementedError(kind)

    def _rest(self, nodes: Any, index: int, flags: int, then: Then, at: int) -> bool:
        return self._match(nodes, index, at, flags, then)

    def _branched(self, branches: Any, at: int, flags: int, then: Then) -> bool:
        character = self._text[at : at + 1]
        key = (id(branches), flags, character)
        if key not in self._fitting:
            self._fitting[key] = self._that_may_fit(branches, character, flags)
        for nodes, steps in self._fitting[key]:
            self._step(steps)
            if nodes is not None and self._match(nodes, 0, at, flags, then):
                return True
        return False

    def _that_may_fit(
        self, branches: Any, character: str, flags: int
    ) -> list[tuple[Any | None, int]]:
        """Each branch whose first character fits, with the steps up to it; last, those behind all.

        Lists of words have hundreds of branches, and most end at their first character: that one is
        looked at once, and counted each time.
        """
        found: list[tuple[Any | None, int]] = []
        steps = 0
        for nodes in branches:
            steps += 1
            starts_single = len(nodes) > 0 and nodes[0][0] in _SINGLE
            if starts_single and not (character and self.fits(nodes[0], character, flags)):
                steps += 1
            else:
                found.append((nodes, steps))
                steps = 0
        return [*found, (None, steps)]

    def _kept(self, group: int | None, start: int, then: Then, at: int) -> bool:
        if group is None:
            return then(at)
        before = dict(self._groups)
        self._groups[group] = (start, at)
        if then(at):
            return True
        self._groups = before
        return False

    def _repeat(self, kind: Any, value: Any, at: int, flags: int, then: Then) -> bool:
        least, most, body = value
        most = len(self._text) + 1 if most is op.MAXREPEAT else int(most)
        if len(body) == 1 and body[0][0] in _SINGLE:
            ends = self._ends_of_single(body[0], least, most, at, flags)
            if kind is op.POSSESSIVE_REPEAT:
                return bool(ends) and then(ends[-1])
            return any(
                self._counted(then, end) for end in (ends if kind is op.MIN_REPEAT else ends[::-1])
            )
        if kind is op.POSSESSIVE_REPEAT:
            end = self._end([(op.MAX_REPEAT, value)], at, flags)
            return end is not None and then(end)

        def more(count: int, last: int, here: int) -> bool:
            self._step()
            if count >= least and here == last:
                return then(here)  # an empty turn is the last
            again = count < most and (
                lambda: self._match(body, 0, here, flags, partial(more, count + 1, here))
            )
            leave = count >= least and (lambda: then(here))
            turns = (again, leave) if kind is op.MAX_REPEAT else (leave, again)
            return any(turn() for turn in turns if turn)

        return more(0, -1, at)

    def _counted(self, then: Then, at: int) -> bool:
        self._step()
        return then(at)

    def _ends_of_single(self, node: Node, least: int, most: int, at: int, flags: int) -> list[int]:
        """Where a repeat of one character may end."""
        end = at
        while end < len(self._text) and end - at < most and self.fits(node, self._text[end], flags):
            end += 1
        self._step(end - at + 1)
        return list(range(at + least, end + 1))

    def _end(self, nodes: Any, at: int, flags: int) -> int | None:
        """Where the first way to match ends."""
        found: list[int] = []
        return (
            found[0]
            if self._match(nodes, 0, at, flags, lambda end: not found.append(end))
            else None
        )

    def _asserted(self, value: Any, at: int, flags: int) -> bool:
        direction, nodes = value
        if direction > 0:
            return self._end(nodes, at, flags) is not None
        low, high = nodes.width
        starts = range(max(0, at - min(high, at)), at - low + 1)
        return any(self._match(nodes, 0, start, flags, lambda end: end == at) for start in starts)

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
        key = (id(node), flags, character)
        found = self._known.get(key)
        if found is None:
            cases = {character}
            if flags & re.IGNORECASE:
                cases |= {character.lower(), character.upper(), character.casefold()}
            found = any(_fits(node, each, flags) for each in cases if len(each) == 1)
            self._known[key] = found
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


def baits(steps: Steps, size: int) -> Iterator[str]:
    """Texts that make a pattern work: what leads to a repeat, its body over and over, a misfit.

    Args:
        steps: The pattern.
        size: How often the body of a repeat stands there; the same call gives the same texts
            otherwise.

    Yields:
        Each text.
    """
    draw = random.Random(0)
    for path in _paths_to_repeats(steps.tree):
        for _ in range(4):
            before, body = _before(steps, path, draw), path[-1]
            pumps = [_drawn(steps, body, draw) for _ in range(2)]
            for pump in dict.fromkeys((pumps[0], pumps[0] + pumps[1], _shortest(steps, body))):
                if pump:
                    yield from (before + pump * size + killer for killer in _KILLERS)


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
