"""Code, commands and error messages between the paragraphs of plain text."""

import re
from collections.abc import Sequence

_LINE = re.compile(
    r".*[{};]\s*$|\s*(?:#include\b|import \w|from [\w.]+ import\b|def \w+\(|class \w+[(:]|//|\$ )"
    r"|.*\w\([^()]*\)\s*[:{]?$|\s*[\w.\[\]]+ ?[-+*/]?= ?\S|\s*</?\w+[^<>]*>|\s*\.\w+\("
)
_MOSTLY = 0.75  # of the lines
_SQL = (
    r"\s*(?:SELECT|INSERT INTO|DELETE FROM|UPDATE \S+ SET|(?:CREATE|ALTER|DROP) (?:OR REPLACE )?"
    r"(?:TEMP(?:ORARY)? )?(?:TABLE|VIEW|INDEX|FUNCTION|TRIGGER|DATABASE|SCHEMA)|WITH \S+ AS)\b"
)
_CLAUSE = (
    r"\s*(?:SELECT|FROM|WHERE|(?:\w+ )?JOIN|(?:GROUP|ORDER) BY|HAVING|SET|VALUES|UNION)\b"
    r"|.*[;(]\s*$"
)
_QUERY, _QUERY_CLAUSE = re.compile(_SQL), re.compile(_CLAUSE)
_SMALL_QUERY, _SMALL_CLAUSE = (re.compile(part, re.IGNORECASE) for part in (_SQL, _CLAUSE))
_DEFINITION = re.compile(r"(?:async )?def \w+\(|class [^\W\d]\w*(?:\([\w., =]*\))?:\s*$")
_IMPORT = re.compile(r"from [\w.]+ import (?:\*|\(?\w+(?:, ?\w+)*)\s*$")
_TRACE = re.compile(r"\s*Traceback \(most recent call last\):")
_FRAME = re.compile(
    r'\s+(?:File ".*", line \d|at \S.*\.\w{1,5}:(?:line )?\d[\d:]*\)?\s*$'
    r"|at [\w.$<>]+\((?:Native Method|Unknown Source)\))"
)
_KEY = re.compile(r"( *)(?:- +)?[a-z][\w.-]*:(?: .*)?$")
_ENTRY = re.compile(r" *- \S| *#")
_FEWEST_KEYS = 3
_COMMAND = re.compile(
    r"(?:sudo )?(?:\./\S+|(?:apt|apt-get|brew|cargo|cat|cd|chmod|chown|cmake|conda|cp|curl|docker|"
    r"echo|export|git|go|grep|kubectl|ls|make|mkdir|mv|npm|npx|pip3?|python3?|rm|scp|source|ssh|"
    r"systemctl|tar|touch|wget|yarn))(?= |$)"
)
_SIGN = re.compile(r" --?\w|[\w.~]/|/\w|\w=|\w\.\w|\$\w|[|>&] ")
_MOSTLY_SIGNS = 0.5  # of the commands have an option, a path or the like


def is_certainly_code(raw: Sequence[str]) -> bool:
    """True if lines are code by their first ones, even if they are of like width.

    Args:
        raw: Lines without blank ones between them.

    Returns:
        True for definitions, imports, traces of calls, SQL that ends in a semicolon, YAML of
        several levels, and commands.
    """
    if is_definition(raw):
        return True
    if len(raw) == 1:
        return bool(_IMPORT.match(raw[0]))
    if _TRACE.match(raw[0]) or _FRAME.match(raw[1]):
        return True
    if raw[-1].rstrip().endswith(";") and _SMALL_QUERY.match(raw[0]):
        return any(map(_SMALL_CLAUSE.match, raw[1:]))
    return _is_yaml(raw) or _are_commands(raw)


def is_definition(raw: Sequence[str]) -> bool:
    """True if lines begin the definition of a class or a function, and all others are inside it."""
    inside = indent(raw[0])
    if not _DEFINITION.match(raw[0], inside):
        return False
    return all(indent(line) > inside or line.startswith(")", inside) for line in raw[1:])


def indent(line: str) -> int:
    """The number of white characters before the text of a line."""
    return len(line) - len(line.lstrip())


def trace_start(raw: Sequence[str]) -> int:
    """The index of the line at which the trace of an error begins; 0 if there is none."""
    for index, line in enumerate(raw[1:-1], 1):
        if _TRACE.match(line) or (_FRAME.match(raw[index + 1]) and not _FRAME.match(raw[1])):
            return index
    return 0


def is_code(raw: Sequence[str]) -> bool:
    """True if most lines look like code, or are a query."""
    if _QUERY.match(raw[0]) and any(map(_QUERY_CLAUSE.match, raw[1:])):
        return True
    return sum(bool(_LINE.match(line)) for line in raw) >= _MOSTLY * len(raw)


def _is_yaml(raw: Sequence[str]) -> bool:
    """True if all lines are keys in small letters or entries of lists, and keys stand in others."""
    if not _KEY.match(raw[0]) or len(raw) < _FEWEST_KEYS:
        return False
    keys = [match for match in map(_KEY.match, raw) if match]
    if len(keys) < _FEWEST_KEYS or len({match[1] for match in keys}) == 1:
        return False
    return all(_KEY.match(line) or _ENTRY.match(line) for line in raw)


def _are_commands(raw: Sequence[str]) -> bool:
    if not all(map(_COMMAND.match, raw)):
        return False
    return sum(bool(_SIGN.search(line)) for line in raw) >= _MOSTLY_SIGNS * len(raw)
