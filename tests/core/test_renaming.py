"""Nothing is renamed in a way that fails on Windows while another program has it open."""

import ast
from pathlib import Path

import pytest

from core.storage import regular_files


def _renames(text: str) -> bool:
    """True if code renames a file otherwise than patiently."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        owner, name = node.func.value, node.func.attr
        module = owner.id if isinstance(owner, ast.Name) else ""
        if (module, name) in {("os", "rename"), ("os", "replace"), ("shutil", "move")}:
            return True
        # `str.replace` takes two arguments, those of values are named.
        if name in ("rename", "replace") and len(node.args) == 1:
            return module not in ("dataclasses", "re")
    return False


def test_every_renaming_waits_for_what_another_program_has_open() -> None:
    core = Path(regular_files.__file__).parents[1]
    found = [
        path.relative_to(core).as_posix()
        for path in sorted(core.rglob("*.py"))
        if _renames(path.read_text("utf-8"))
    ]
    assert found == ["storage/regular_files.py"]


@pytest.mark.parametrize(
    "line", ["draft.rename(place)", "Path(a).replace(b)", "os.rename(a, b)", "shutil.move(a, b)"]
)
def test_a_plain_renaming_is_seen(line: str) -> None:
    assert _renames(line)


@pytest.mark.parametrize(
    "line", ["text.replace('a', 'b')", "replace(card, name='x')", "when.replace(hour=1)"]
)
def test_what_renames_no_file_is_passed_over(line: str) -> None:
    assert not _renames(line)
