"""Each import contract keeps the tree as it is, and catches an import planted against it."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LINT = "from importlinter.cli import lint_imports_command; lint_imports_command()"
PLANTED = [
    ("core-layers", "core/errors.py", "import core.summaries.summary"),
    ("core-layers", "core/export/text.py", "import core.metrics.rouge"),
    (
        "summariser-layers",
        "core/summarisers/features/table.py",
        "import core.summarisers.scoring.ranker",
    ),
    ("gui-layers", "gui/theme/tokens.py", "import gui.widgets"),
    ("panels-apart", "gui/panels/settings/__init__.py", "import gui.panels.summarise"),
    ("core-without-qt", "core/summaries/summary.py", "import PySide6.QtCore"),
    ("core-without-qt", "core/summaries/summary.py", "import gui.theme"),
    ("window-through-doors", "gui/widgets/__init__.py", "import core.documents.sentences"),
    ("window-through-doors", "gui/widgets/__init__.py", "def f():\n    import core.metrics"),
    ("text-without-torch", "core/documents/sentences.py", "import torch"),
    ("text-without-torch", "core/summarisers/built_in.py", "import torch"),
    ("text-without-torch", "core/runs/folder.py", "import safetensors"),
    ("text-without-torch", "core/training/settings.py", "import torch"),
    ("text-without-torch", "core/settings.py", "import accelerate"),
    ("text-without-torch", "core/library/folders.py", "import tokenizers"),
    ("text-without-torch", "core/metrics/rouge.py", "import sacrebleu"),
    ("readers-start-nothing", "core/documents/readers/door.py", "import core.system.processes"),
    ("readers-start-nothing", "core/documents/readers/door.py", "import subprocess"),
    (
        "panels-start-nothing",
        "gui/panels/settings/__init__.py",
        "import core.jobs.lanes.child_process",
    ),
    ("panels-start-nothing", "gui/panels/settings/__init__.py", "import core.jobs.lanes.lane"),
    ("panels-start-nothing", "gui/panels/settings/__init__.py", "import subprocess"),
    (
        "parts-without-families",
        "core/models/parts/layers.py",
        "import core.models.reformer.settings",
    ),
    ("families-are-asked", "core/profiling/work.py", "import core.models.reformer.settings"),
    ("families-are-asked", "gui/widgets/__init__.py", "import core.models.transformer.settings"),
    ("window-without-torch", "gui/widgets/__init__.py", "import transformers"),
]
OTHERWISE = [
    ("core-layers", "core/stray.py", "", "not listed as layers"),
    ("summariser-layers", "core/summarisers/stray.py", "", "not listed as layers"),
    ("gui-layers", "gui/stray.py", "", "not listed as layers"),
    (
        "widgets-without-circles",
        "gui/widgets/charts/chart_layer.py",
        "import gui.widgets.charts.chart_plot",
        "- .chart_layer -> .chart_plot",
    ),
]
"""What is reported in other words than as a chain of imports."""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    copy = tmp_path / "tree"
    copy.mkdir()
    shutil.copy(ROOT / "pyproject.toml", copy)
    for package in ("core", "gui"):
        shutil.copytree(ROOT / package, copy / package, ignore=shutil.ignore_patterns("*.pyc"))
    return copy


def lint(tree: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", LINT, "--no-cache", *options]
    return subprocess.run(command, cwd=tree, capture_output=True, text=True)


def plant(tree: Path, file: str, line: str) -> None:
    with (tree / file).open("a", encoding="utf-8") as module:
        module.write(f"\n{line}\n")


def test_tree_keeps_every_contract(tree: Path) -> None:
    done = lint(tree)
    assert done.returncode == 0, done.stdout


def test_planted_imports_break_their_contracts(tree: Path) -> None:
    for _, file, line in PLANTED:
        plant(tree, file, line)
    done = lint(tree)
    assert done.returncode == 1, done.stdout
    broken = report_by_contract(tree, done.stdout)
    for contract, file, line in PLANTED:
        importer = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        imported = line.split()[-1].removesuffix(".QtCore")  # of other projects, the package alone
        chain = f"{importer} -> {imported} (l."
        assert chain in broken[contract], (contract, chain)


@pytest.mark.parametrize(("contract", "file", "line", "told"), OTHERWISE)
def test_planted_line_breaks_its_contract(
    tree: Path, contract: str, file: str, line: str, told: str
) -> None:
    plant(tree, file, line)
    done = lint(tree, "--contract", contract)
    assert done.returncode == 1, done.stdout
    assert told in done.stdout


def report_by_contract(tree: Path, told: str) -> dict[str, str]:
    """The part of the report that is about each broken contract."""
    contracts = tomllib.loads((tree / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    names = {each["name"]: each["id"] for each in contracts["contracts"]}
    heads = "|".join(map(re.escape, names))
    _, *parts = re.split(rf"^({heads})\n-+$", told, flags=re.MULTILINE)
    return {names[name]: part for name, part in zip(parts[::2], parts[1::2], strict=True)}
