"""All regular expressions of the program: those that are compiled on import, and those in its code.

Run as a program it prints them, since what is compiled on import is seen in a fresh process only.
"""

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[2]
_IMPORTS = re.compile(r"^from [\w.]+ import (?:\([^)]*\)|.*)$", re.MULTILINE)
_FUNCTIONS = ("match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer")


@dataclass(frozen=True)
class Found:
    """A pattern of the program.

    Args:
        place: Its file and line.
        text: The pattern; bytes as Latin-1.
        flags: Its flags.
        is_bytes: Whether it is one of bytes.
        anchored: Whether it is only ever tried at the start of a text.
    """

    place: str
    text: str
    flags: int
    is_bytes: bool
    anchored: bool

    @property
    def pattern(self) -> str | bytes:
        """The pattern itself."""
        return self.text.encode("latin-1") if self.is_bytes else self.text


@cache
def all_patterns() -> tuple[list[Found], list[str]]:
    """All patterns, and the places of those that are made of what only a call knows."""
    command = [sys.executable, "-m", "tests.helpers.patterns"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found, unknown = json.loads(done.stdout)
    return [Found(**each) for each in found], unknown


@cache
def _text(file: Path) -> str:
    return file.read_text("utf-8")


@cache
def _text_without_imports(file: Path) -> str:
    return _IMPORTS.sub("", _text(file))


@cache
def _nodes(file: Path) -> list[ast.AST]:
    return list(ast.walk(ast.parse(_text(file))))


@cache
def _modules() -> list[tuple[str, Path]]:
    files = [file for part in ("core", "gui") for file in sorted((ROOT / part).rglob("*.py"))]
    with_patterns = [file for file in files if re.search(r"^import re$", _text(file), re.M)]
    return [
        (".".join(file.relative_to(ROOT).with_suffix("").parts), file) for file in with_patterns
    ]


def _collect() -> tuple[list[Found], list[str]]:
    compiled: dict[tuple[str, int, str | bytes, int], None] = {}
    compiler = re._compiler  # type: ignore[attr-defined]
    original = compiler.compile

    def noted(pattern: str | bytes, flags: int = 0) -> object:
        frame = sys._getframe(1)
        while frame.f_back and frame.f_code.co_filename.endswith(("re/__init__.py", "<string>")):
            frame = frame.f_back
        compiled[frame.f_code.co_filename, frame.f_lineno, pattern, int(flags)] = None
        return original(pattern, flags)

    compiler.compile = noted
    modules = [(import_module(name), file) for name, file in _modules()]
    _build()
    compiler.compile = original
    found, unknown = [], []
    for file, line, pattern, flags in compiled:
        path = Path(file)
        if path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in ("core", "gui"):
            found.append(_found(path, line, pattern, flags, _is_anchored(path, line)))
    for module, path in modules:
        for place in _inline(module, path):
            if isinstance(place, Found):
                found.append(place)
            else:
                unknown.append(place)
    return list(dict.fromkeys(found)), sorted(set(unknown))


def _build() -> None:
    """Makes the patterns that are made when they are first wanted."""
    from core.documents import words
    from core.documents.languages import languages
    from core.evidence import quantities
    from core.summarisers.features import surface
    from core.summarisers.presentation import trimming
    from core.summarisers.rules import defects, discourse

    for wide in (False, True):
        words._patterns(wide)
    quantities._number_pattern(), quantities._date_pattern()
    for language in languages().values():
        defects.DefectRules(language)
        discourse.DiscourseMarkers(language)
        trimming._connectives(language.code)
    for pattern in (
        *surface._CUES.values(),
        *surface._STARTS.values(),
        *sum(surface._PAIRS.values(), ()),
    ):
        re.compile(pattern)


def _found(path: Path, line: int, pattern: str | bytes, flags: int, anchored: bool) -> Found:
    is_bytes = isinstance(pattern, bytes)
    text = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
    return Found(f"{path.relative_to(ROOT)}:{line}", text, flags, is_bytes, anchored)


def _is_anchored(path: Path, line: int) -> bool:
    """Whether the name that a pattern is given at a line is used for matching at the start only."""
    names = [
        target.id
        for node in _nodes(path)
        if isinstance(node, ast.Assign) and node.lineno <= line <= (node.end_lineno or 0)
        for target in node.targets
        if isinstance(target, ast.Name) and isinstance(node.value, ast.Call)
    ]
    if not names:
        return False
    places = [path] if names[0].startswith("_") else [file for _, file in _modules()]
    use = re.compile(rf"\b{names[0]}\b(?! =)(?:\.(\w+))?")
    texts = [text for file in places if names[0] in (text := _text_without_imports(file))]
    uses = {found for text in texts for found in use.findall(text)}
    return bool(uses) and uses <= {"match", "fullmatch"}


def _inline(module: ModuleType, path: Path) -> Iterator[Found | str]:
    """The patterns of calls such as ``re.sub(r"a+", …)``."""
    for node in _nodes(path):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        if not (isinstance(node.func.value, ast.Name) and node.func.value.id == "re"):
            continue
        if node.func.attr not in (*_FUNCTIONS, "compile"):
            continue
        try:
            pattern = _value(node.args[0], module)
            flags = sum(_value(each, module) for each in _flags(node))
        except NameError:
            if node.func.attr in _FUNCTIONS or _in_function(node, path):
                yield f"{path.relative_to(ROOT).as_posix()}: {ast.unparse(node)}"
            continue
        if node.func.attr in _FUNCTIONS:
            anchored = node.func.attr in ("match", "fullmatch")
            yield _found(path, node.lineno, pattern, int(flags), anchored)


def _in_function(node: ast.Call, path: Path) -> bool:
    return node.col_offset > 0 and any(
        isinstance(each, ast.FunctionDef) and each.lineno <= node.lineno <= (each.end_lineno or 0)
        for each in _nodes(path)
    )


def _flags(node: ast.Call) -> list[ast.expr]:
    at = {"sub": 4, "subn": 4, "split": 3, "compile": 1}.get(
        node.func.attr if isinstance(node.func, ast.Attribute) else "", 2
    )
    named = [word.value for word in node.keywords if word.arg == "flags"]
    return named or node.args[at : at + 1]


def _value(node: ast.expr, module: ModuleType) -> object:
    return eval(compile(ast.Expression(node), "<pattern>", "eval"), vars(module))


if __name__ == "__main__":
    everything, not_known = _collect()
    print(json.dumps([[asdict(each) for each in everything], not_known]))
