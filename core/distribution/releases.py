"""The page where newer versions of this copy are published. Nothing here connects to it."""

import re
from pathlib import Path
from typing import Final

from core.installation import installation

_REPOSITORY: Final = Path(__file__).resolve().parents[2]
_URL: Final = re.compile(r"(?m)^\s*url\s*=\s*(\S+)")
_ADDRESS: Final = re.compile(
    r"(?:\w+://(?:[^@/\s]*@)?|[^@/\s]+@)(?P<host>[\w-]+(?:\.[\w-]+)+)(?::\d+/|[:/])/*"
    r"(?P<path>[\w.~-]+(?:/[\w.~-]+)*)"
)


def releases_page() -> str:
    """Where this copy's newer versions are published.

    Returns:
        The address that its installer has noted, else that of the releases of the repository it
        was cloned from; empty where neither is known.
    """
    copy = installation()
    return copy.releases if copy.kind != "source" else page_of(_origin(_REPOSITORY))


def page_of(origin: str) -> str:
    """The page of releases of a repository.

    Args:
        origin: Its address, as git knows it.

    Returns:
        The page, without any name or password of the address; empty for a repository that is
        not on the web.
    """
    found = _ADDRESS.fullmatch(origin.rstrip("/").removesuffix(".git"))
    if found is None:
        return ""
    releases = "-/releases" if "gitlab" in found["host"] else "releases"
    return f"https://{found['host']}/{found['path']}/{releases}"


def _origin(repository: Path) -> str:
    """The address of the remote `origin`; empty where there is none."""
    try:
        text = (repository / ".git" / "config").read_text("utf-8", "replace")
    except OSError:
        return ""
    section = text.partition('[remote "origin"]')[2].partition("\n[")[0]
    found = _URL.search(section)
    return found[1] if found else ""
