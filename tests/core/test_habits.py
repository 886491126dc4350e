"""Habits of language that CONTRIBUTING names become fewer, package by package."""

import pytest

from tests.helpers.habits import count_habits, read_table

COUNTS = count_habits()


@pytest.mark.parametrize("package", sorted(COUNTS))
def test_no_package_falls_back_into_a_habit(package: str) -> None:
    allowed = read_table().get(package, {})
    more = {
        habit: f"{count} instead of {allowed.get(habit, 0)}"
        for habit, count in COUNTS[package].items()
        if count > allowed.get(habit, 0)
    }
    assert not more, "Say it otherwise; CONTRIBUTING has the words."
