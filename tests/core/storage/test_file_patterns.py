"""Patterns of file names mean the same on every system."""

from pathlib import Path

import pytest

from core.storage.file_patterns import is_like


@pytest.mark.parametrize(
    ("file", "pattern", "like"),
    [
        ("SCAN.PDF", "*.pdf", True),
        ("scan.pdf", "*.PDF", True),
        ("deep/Straße.md", "STRASSE.*", True),
        ("deep/a.md", "deep/*", True),
        ("deep/a.md", "a.m?", True),
        ("scan.pdf", "*.md", False),
        ("scan.pdf.md", "*.pdf", False),
    ],
)
def test_capital_letters_do_not_matter(file: str, pattern: str, like: bool) -> None:
    assert is_like(Path(file), (pattern,)) is like
    assert not is_like(Path(file), ())
