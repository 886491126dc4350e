"""Plugin of pytest: a test that needs a package of a missing optional part is skipped.

    pytest -p tests.helpers.without_parts

For a system that has Epitome itself and the packages of the tests only. A missing module of this
repository still fails.
"""

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from core.errors import MissingPartError

_OWN = ("core", "gui", "tests")


class _Module(pytest.Module):
    def collect(self) -> Any:
        try:
            return super().collect()
        except Exception as error:
            _skip_if_missing(error.__cause__ or error)  # pytest wraps an ImportError
            raise


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module:
    """Makes the collector of a module, which may be skipped as a whole."""
    return _Module.from_parent(parent, path=module_path)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Generator[None, object, object]:
    """Skips a test whose fixtures need a missing package."""
    return (yield from _run_or_skip())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    """Skips a test that needs a missing package."""
    return (yield from _run_or_skip())


def _run_or_skip() -> Generator[None, object, object]:
    try:
        return (yield)
    except Exception as error:
        _skip_if_missing(error)
        raise


def _skip_if_missing(error: BaseException) -> None:
    """Skips where an error says that a package is missing."""
    if isinstance(error, MissingPartError):
        pytest.skip(str(error), allow_module_level=True)
    if isinstance(error, ModuleNotFoundError) and (error.name or "").split(".")[0] not in _OWN:
        pytest.skip(f"{error.name} is missing", allow_module_level=True)
