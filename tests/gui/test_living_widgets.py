"""No code of the window is handed a widget that is half gone, and none goes while it is shown.

PySide makes a wrapper of what is left of such a widget, and takes whatever is made at that address
next for it: the process ends. It happens only under a real pointer or to what has the focus, so
the code itself is searched for the ways that lead there.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

GUI = Path(__file__).parents[2] / "gui"
LEAVING = "widgets/support/leaving.py"
SIGNALS = ("destroyed", "focusChanged", "focusObjectChanged")
"""They may carry what is half gone, but PySide wraps only the arguments that a slot takes."""
STAYS = {
    "panels/help/panel.py:takeAt": "cards go into other columns",
    "panels/train/new_job.py:takeWidget": "the estimate goes into another layout",
    "panels/train/new_job.py:setWidget": "the estimate goes into an empty area",
    "forms/field_row.py:takeAt": "an empty space",
}
"""Where nothing is deleted, and why."""


def functions(source: str) -> Iterator[ast.FunctionDef]:
    """The functions and methods of a module, without those that are defined in others."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef):
            yield node


def faults(source: str) -> Iterator[str]:
    """What a module must not do, as the name of what it uses."""
    for function in functions(source):
        if function.name == "eventFilter":
            yield function.name
        for node in ast.walk(function):
            match node:
                case ast.Attribute(attr="installEventFilter" | "deleteLater" | "takeAt" as name):
                    yield name
                case ast.Attribute(attr="takeWidget" as name):
                    yield name
                case ast.Attribute(attr="setWidget" as name) if not _builds(function.name):
                    yield name
                case ast.Call(func=ast.Attribute(value=ast.Attribute(attr=signal), attr="connect")):
                    if signal in SIGNALS and _takes_arguments(node.args[0], source):
                        yield signal


def _builds(function: str) -> bool:
    """True for what is called once: constructors and their parts."""
    return function == "__init__" or function.startswith(("_lay_out", "_make", "_add", "_options"))


def _takes_arguments(slot: ast.expr, source: str) -> bool:
    if isinstance(slot, ast.Lambda):
        return bool(slot.args.args or slot.args.vararg)
    assert isinstance(slot, ast.Attribute), "a method or a lambda, whose arguments can be seen here"
    (method,) = [each for each in functions(source) if each.name == slot.attr]
    return len(method.args.args) > 1 or method.args.vararg is not None


def test_no_python_code_is_handed_a_widget_that_is_half_gone() -> None:
    found = set()
    for path in GUI.rglob("*.py"):
        place = path.relative_to(GUI).as_posix()
        if place != LEAVING:
            found |= {f"{place}:{name}" for name in faults(path.read_text("utf-8"))}
    assert found == STAYS.keys()


@pytest.mark.parametrize(
    "body",
    [
        "widget.installEventFilter(self)",
        "def eventFilter(self, watched, event): pass",
        "row.deleteLater()",
        "dialog.finished.connect(dialog.deleteLater)",
        "self.area.setWidget(page)",
        "self.area.takeWidget()",
        "while self.layout().takeAt(0): pass",
        "app.focusChanged.connect(lambda old, new: None)",
        "app.focusChanged.connect(self.show)",
        "widget.destroyed.connect(lambda *gone: None)",
    ],
)
def test_the_check_finds_what_it_looks_for(body: str) -> None:
    assert list(faults(f"class Page:\n    def show(self, old):\n        {body}\n"))


@pytest.mark.parametrize(
    "body", ["widget.destroyed.connect(lambda: None)", "app.focusChanged.connect(self.show)"]
)
def test_what_takes_no_widget_is_allowed(body: str) -> None:
    assert not list(faults(f"class Page:\n    def show(self):\n        {body}\n"))
