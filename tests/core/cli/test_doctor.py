"""`epitome doctor`."""

import json

import pytest

from core.cli.main import main
from core.version import VERSION
from tests.helpers.schemas import validate


def test_it_prints_a_report(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    assert capsys.readouterr().out.startswith(f"Epitome {VERSION} (source)\n")


def test_json_is_the_envelope_of_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    validate(value, "doctor")
    assert value["result"]["version"] == VERSION
