"""Tests of this repository with the Python for Windows."""

import argparse
from typing import Final

from installers.trying import step
from installers.wine import Wine

from wine_trials.source import PYTHON

TESTS: Final = ("tests/core", "tests/packaging")
_OPTIONS: Final = ("-q", "-p", "no:cacheprovider", "-p", "tests.helpers.without_parts", "-n", "2")


def try_tests(bare: Wine, options: argparse.Namespace) -> None:
    """Runs tests; those of an optional part that is not installed are skipped."""
    command = [PYTHON, "-m", "pytest", *_OPTIONS, *options.tests]

    def test() -> str:
        inside = 'cd /src && exec wine "$@"'
        process = bare.start("sh", "-c", inside, "-", *command, QT_QPA_PLATFORM="offscreen")
        output, errors = process.communicate()
        print("\n".join(output.splitlines()[-60:]))
        assert process.returncode == 0, errors
        return output

    step("tests", test)
