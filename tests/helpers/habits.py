"""Counts habits of language that the project gives up, per package.

`python -m tests.helpers.habits` writes the counts to `tests/reference/habits.toml` after they fell.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import tomlkit

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "tests" / "reference" / "habits.toml"
PACKAGES = ("core", "gui", "packaging")

OPENING = re.compile(r"(What|Whether|Where|How|Which|That|Who|When|Why)\b")
LINES = {
    "tell": r"(?<![a-zA-Z])(tells?|telling|told|teller)(?![a-zA-Z])",
    "stand or lie": r"\b(stands?|standing|stood|lies|lying)\b",
    "wish": r"(?<![a-zA-Z])(wish|wishes|wished|wanted|asked for)(?![a-zA-Z])",
    "person": r"\b(persons?|somebody|nobody|anybody|whoever)\b",
    "private names": r"(?<![a-z])(deeds?|desk|stage|door|shelf|turner|outlet|intake|kin|fate|taste)"
    r"(?![a-z])",
    "calques": r"\b(of its own|of their own|so many|of others|there is none|alone)\b",
}
PARTICIPLES = re.compile(
    r"_?([a-z]+ed|told|kept|made|found|seen|shown|drawn|written|given|taken|left|held|built)"
)
DESCRIBED = "docstrings that open with a question word"
NAMED = "functions named by a participle"
OF = "functions named x_of"
_DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def count_habits() -> dict[str, Counter[str]]:
    """Counts habits in the program: by package, how often each occurs."""
    counts: dict[str, Counter[str]] = {}
    patterns = {name: re.compile(pattern) for name, pattern in LINES.items()}
    for path in sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        count = counts.setdefault(_get_package(path.relative_to(ROOT)), Counter())
        source = path.read_text("utf-8")
        count.update(_parse(source))
        for line in source.splitlines():
            count.update(name for name, pattern in patterns.items() if pattern.search(line))
    return counts


def read_table() -> dict[str, dict[str, int]]:
    """Reads how often each habit may occur, by package."""
    table: dict[str, dict[str, int]] = tomlkit.parse(TABLE.read_text("utf-8")).unwrap()
    return table


def _parse(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, _DOCUMENTED) and OPENING.match(ast.get_docstring(node) or ""):
            yield DESCRIBED
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if PARTICIPLES.fullmatch(node.name):
                yield NAMED
            if node.name.endswith("_of"):
                yield OF


def _get_package(path: Path) -> str:
    return "/".join(path.parts[:2]) if len(path.parts) > 2 else path.parts[0]


def main() -> None:
    """Writes the counts."""
    document = tomlkit.document()
    document.add(tomlkit.comment("Written by `python -m tests.helpers.habits`; may only fall."))
    for package, count in sorted(count_habits().items()):
        document.add(package, tomlkit.item(dict(sorted(count.items()))))
    TABLE.write_text(tomlkit.dumps(document), "utf-8")


if __name__ == "__main__":
    main()
