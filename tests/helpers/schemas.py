"""Checks the output of commands against the published schemas."""

import json
from typing import Any

import jsonschema

from core.distribution.resources import resource


def validate(value: Any, command: str) -> None:
    """Raises AssertionError if a value is not what the command's schema says."""
    schema = json.loads(resource("schemas", f"{command}.json").read_bytes())
    checker = jsonschema.Draft202012Validator
    checker.check_schema(schema)
    problem = jsonschema.exceptions.best_match(checker(schema).iter_errors(value))
    assert problem is None, f"{problem.json_path}: {problem.message}"
