import subprocess
import sys
from typing import Any

import pytest

from core.decoding.settings import DecodingSettings
from core.errors import EpitomeError


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"min_length": 9, "max_length": 5}, "“min_length” must not be above “max_length”, but 9"),
        ({"block_repeats": 1}, "“block_repeats” must be 0, or 2 or more"),
        ({"beams": 0}, "“beams” was 0"),
        ({"max_length": 0}, "“max_length” was 0"),
        ({"length_penalty": float("nan")}, "“length_penalty” was nan"),
        ({"end_of_search": "never"}, "“end_of_search” was 'never'"),
    ],
)
def test_what_does_not_go_together_is_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises(EpitomeError, match=message):
        DecodingSettings.checked(values)


def test_every_field_has_a_title_and_a_line_of_help() -> None:
    for name, info in DecodingSettings.model_fields.items():
        assert info.title and info.description, name


def test_settings_load_without_an_engine() -> None:
    code = "import core.decoding.settings, sys; assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
