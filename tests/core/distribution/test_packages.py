"""Packages that are asked for are found with what they ask for, and their licences are named."""

from importlib.metadata import Distribution
from pathlib import Path
from typing import Any

import pytest

from core.distribution.packages import found_package, licence_files, licence_of, needed_packages


class _Told(Distribution):
    """A package of which nothing but its metadata is there."""

    def __init__(self, text: str) -> None:
        self._text = text

    def read_text(self, filename: str) -> str | None:
        return self._text if filename == "METADATA" else None

    def locate_file(self, path: object) -> Path:
        return Path(str(path))


class _Strict(_Told):
    """Its fields are told as the backport of `importlib.metadata` does, which others install."""

    @property
    def metadata(self) -> Any:
        return _StrictFields(super().metadata)


class _StrictFields:
    def __init__(self, fields: Any) -> None:
        self.get, self.get_all, self._fields = fields.get, fields.get_all, fields

    def __getitem__(self, name: str) -> str:
        if name not in self._fields:
            raise KeyError(name)
        return str(self._fields[name])


def names(*packages: str) -> list[str]:
    return [package.metadata["Name"].lower() for package in needed_packages(*packages)]


def test_what_a_package_asks_for_is_followed_to_its_end() -> None:
    found = names("epitome")
    assert found[0] == "epitome"
    assert {"pyside6_essentials", "shiboken6", "lxml", "certifi", "pydantic_core"} <= {
        name.replace("-", "_") for name in found
    }
    assert len(found) == len(set(found))


def test_optional_parts_and_what_is_not_there_are_not_followed() -> None:
    assert not {"torch", "pytest", "nothing"} & set(names("epitome", "nothing"))


def test_an_extra_that_is_asked_for_is_followed() -> None:
    assert "pytest-qt" in names("pytest-qt")
    assert "defusedxml" not in names("fonttools")
    assert found_package("nothing-of-this-name") is None


@pytest.mark.parametrize(
    ("told", "licence"),
    [
        ("License-Expression: MIT\nLicense: The MIT License\n", "MIT"),
        ("License: see file\nClassifier: License :: OSI Approved :: BSD License\n", "BSD License"),
        ("License: Apache 2.0\nClassifier: License :: OSI Approved\n", "Apache 2.0"),
        ("License: Copyright 2020\n        all rights\n", "Copyright 2020"),
        ("", ""),
    ],
)
def test_a_licence_is_named_as_its_makers_do(told: str, licence: str) -> None:
    assert licence_of(_Told(f"Metadata-Version: 2.1\nName: a\nVersion: 1\n{told}\n")) == licence


def test_a_field_that_is_not_there_may_raise() -> None:
    assert (
        licence_of(_Strict("Metadata-Version: 2.1\nName: a\nVersion: 1\nLicense: MIT\n")) == "MIT"
    )


def test_every_package_of_the_program_names_its_licence_and_most_bring_its_text() -> None:
    found = list(needed_packages("epitome"))
    assert all(map(licence_of, found)), [each.metadata["Name"] for each in found]
    assert sum(bool(licence_files(each)) for each in found) > 0.8 * len(found)
