"""The data sets that can be chosen by name are those that the documentation lists."""

import re
from pathlib import Path

from core.data.hub import newsroom_folder
from core.data.named_data_sets import named_data_sets

PAGE = Path(__file__).parents[3] / "docs" / "corpora.md"


def test_they_are_those_of_the_documentation() -> None:
    lines = PAGE.read_text("utf-8").splitlines()
    rows = [line for line in lines if line.startswith("| `hf:") and "NAME" not in line]
    told = {
        (
            re.split("[`:]", row)[2],
            "streamed" in row,
            row.rstrip(" |").endswith("yes"),
        )
        for row in rows
    }
    ours = {
        (each.name.removeprefix("hf:"), each.is_streamed, each.has_summaries)
        for each in named_data_sets()
    }
    assert len(ours) == 7 and ours == told


def test_only_one_needs_a_folder() -> None:
    (one,) = [each for each in named_data_sets() if each.needs_folder]
    assert newsroom_folder(f"{one.name}:/archive") == Path("/archive")
    assert not one.repository
