"""The page of releases is the one of the place that a copy came from."""

import json
import sys
from pathlib import Path

import pytest

from core.distribution import releases
from core.distribution.releases import page_of, releases_page
from core.installation import MARK, installation

PAGE = "https://code.example.org/team/epitome/releases"


@pytest.mark.parametrize(
    "origin",
    [
        "https://code.example.org/team/epitome.git",
        "https://code.example.org/team/epitome/",
        "https://somebody:secret@code.example.org/team/epitome",
        "git@code.example.org:team/epitome.git",
        "ssh://git@code.example.org:22/team/epitome.git",
    ],
)
def test_an_origin_on_the_web_has_a_page_without_its_password(origin: str) -> None:
    assert page_of(origin) == PAGE


def test_gitlab_has_its_releases_elsewhere() -> None:
    origin = "https://gitlab.example.org/a/b/epitome.git"
    assert page_of(origin) == "https://gitlab.example.org/a/b/epitome/-/releases"


@pytest.mark.parametrize(
    "origin", ["", "/srv/git/epitome.git", "../epitome", "C:\\epitome", "file:///srv/epitome"]
)
def test_an_origin_that_is_not_on_the_web_has_none(origin: str) -> None:
    assert page_of(origin) == ""


def test_the_origin_is_that_of_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(releases, "_REPOSITORY", tmp_path)
    assert releases_page() == ""
    config = tmp_path / ".git" / "config"
    config.parent.mkdir()
    config.write_text(
        '[core]\n\tbare = false\n[remote "fork"]\n\turl = https://other.example.org/x/y.git\n'
        '[remote "origin"]\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n'
        "\turl = git@code.example.org:team/epitome.git\n"
        '[branch "main"]\n\tremote = origin\n',
        "utf-8",
    )
    assert releases_page() == PAGE


def test_an_installed_copy_has_the_page_that_its_installer_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = tmp_path / MARK
    mark.write_text(json.dumps({"kind": "deb", "releases": PAGE}), "utf-8")
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    installation.cache_clear()
    try:
        assert releases_page() == PAGE
        mark.write_text(json.dumps({"kind": "deb"}), "utf-8")
        installation.cache_clear()
        assert releases_page() == ""
    finally:
        installation.cache_clear()
