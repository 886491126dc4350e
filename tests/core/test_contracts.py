"""Each import contract keeps the tree as it is, and catches an import planted against it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LINT = "from importlinter.cli import lint_imports_command; lint_imports_command()"
PLANTED = [
    ("core-layers", "core/errors.py", "import core.summary"),
    ("core-layers", "core/export/text.py", "import core.metrics.rouge"),
    ("core-layers", "core/stray.py", ""),
    ("gui-layers", "gui/theme/tokens.py", "import gui.widgets"),
    ("gui-layers", "gui/stray.py", ""),
    ("widgets-without-circles", "gui/widgets/chart_layer.py", "import gui.widgets.chart_plot"),
    ("panels-apart", "gui/panels/settings/__init__.py", "import gui.panels.summarise"),
    ("core-without-qt", "core/summary.py", "import PySide6.QtCore"),
    ("core-without-qt", "core/summary.py", "import gui.theme"),
    ("window-through-doors", "gui/widgets/__init__.py", "import core.documents.sentences"),
    ("window-through-doors", "gui/widgets/__init__.py", "def f():\n    import core.metrics"),
    ("text-without-torch", "core/documents/sentences.py", "import torch"),
    ("text-without-torch", "core/summarisers/built_in.py", "import torch"),
    ("text-without-torch", "core/runs/folder.py", "import safetensors"),
    ("text-without-torch", "core/training/settings.py", "import torch"),
    ("text-without-torch", "core/settings.py", "import accelerate"),
    ("text-without-torch", "core/library/folders.py", "import tokenizers"),
    ("text-without-torch", "core/metrics/rouge.py", "import sacrebleu"),
    ("readers-start-nothing", "core/documents/readers/door.py", "import core.processes"),
    ("readers-start-nothing", "core/documents/readers/door.py", "import subprocess"),
    ("panels-start-nothing", "gui/panels/settings/__init__.py", "import core.jobs.child_process"),
    ("panels-start-nothing", "gui/panels/settings/__init__.py", "import core.jobs.lane"),
    ("panels-start-nothing", "gui/panels/settings/__init__.py", "import subprocess"),
    (
        "parts-without-families",
        "core/models/parts/layers.py",
        "import core.models.reformer.settings",
    ),
    ("window-without-torch", "gui/widgets/__init__.py", "import transformers"),
]


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


def test_tree_keeps_every_contract(tree: Path) -> None:
    done = lint(tree)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(("contract", "file", "line"), PLANTED)
def test_planted_import_breaks_its_contract(
    tree: Path, contract: str, file: str, line: str
) -> None:
    with (tree / file).open("a", encoding="utf-8") as module:
        module.write(f"\n{line}\n")
    done = lint(tree, "--contract", contract)
    assert done.returncode == 1, done.stdout
    assert "1 broken" in done.stdout or "not listed as layers" in done.stdout, done.stdout
