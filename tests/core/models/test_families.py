"""The registry of model families is the only thing that the rest of the program knows of them."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.models.families import REGISTRY

ROOT = Path(__file__).parents[3]
NAMES = {"GPT2Settings"}
for family in REGISTRY.values():
    NAMES |= {family.settings.__name__, family.model.partition(":")[2]}


def asked_types(code: str) -> Iterator[str]:
    """The classes of which code asks whether something is of them."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in ("isinstance", "issubclass"):
                yield from (
                    each.id for each in ast.walk(node.args[1]) if isinstance(each, ast.Name)
                )
        elif isinstance(node, ast.MatchClass) and isinstance(node.cls, ast.Name):
            yield node.cls.id


@pytest.mark.parametrize(
    "code",
    [
        "isinstance(model, ReformerSettings)",
        "issubclass(kind, TransformerSettings | HuggingFaceSettings)",
        "match model:\n    case LanguageModelSettings(width=8):\n        pass",
        "assert not isinstance(model, (str, ReformerLM))",
    ],
)
def test_questions_for_a_family_are_noticed(code: str) -> None:
    assert NAMES & {*asked_types(code)}


def test_no_code_outside_asks_for_a_family() -> None:
    asked = []
    for package in ("core", "gui"):
        for path in sorted((ROOT / package).rglob("*.py")):
            if (ROOT / "core" / "models") in path.parents:
                continue
            code = path.read_text("utf-8")
            if any(name in code for name in NAMES) and NAMES & {*asked_types(code)}:
                asked.append(str(path.relative_to(ROOT)))
    assert asked == []


def test_families_load_without_an_engine() -> None:
    code = "import core.models.families, sys; assert not {'torch', 'transformers'} & {*sys.modules}"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_names_of_families_and_presets_are_each_of_one_family() -> None:
    assert all(name == family.name for name, family in REGISTRY.items())
    labels = [family.label for family in REGISTRY.values()]
    presets = [name for family in REGISTRY.values() for name in family.presets]
    assert len({*labels}) == len(labels) and len({*presets}) == len(presets)
    for family in REGISTRY.values():
        assert all(preset.family == family.name for preset in family.presets.values())
