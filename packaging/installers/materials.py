"""The bill of materials of an installer, as CycloneDX 1.5 JSON."""

import json
import uuid
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

from core.distribution.packages import licence_of
from core.installation import libraries_in
from core.version import VERSION


def write(tree: Path, file: Path, python: str) -> Path:
    """Lists every package of a tree with version and licence.

    Args:
        tree: The tree.
        file: The bill.
        python: The version of the tree's Python.

    Returns:
        The file.
    """
    places = ("python/lib/python3.*/site-packages", "python/Lib/site-packages")
    folders = [str(path) for place in places for path in tree.glob(place)]
    found = sorted(distributions(path=folders), key=lambda each: each.metadata["Name"].lower())
    components = [_component(each) for each in found if each.metadata["Name"] != "epitome"]
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid4()}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "name": "epitome",
                "version": VERSION,
                "licenses": [{"license": {"id": "Apache-2.0"}}],
            }
        },
        "components": [_python(python), *components, *_libraries(tree)],
    }
    file.write_text(json.dumps(bill, indent=1) + "\n", "utf-8")
    return file


def _python(version: str) -> dict[str, Any]:
    licence = {"license": {"id": "PSF-2.0"}}
    return {"type": "platform", "name": "python", "version": version, "licenses": [licence]}


def _component(package: Distribution) -> dict[str, Any]:
    name, version = package.metadata["Name"], package.version
    licence = licence_of(package) or "unknown"
    return {
        "type": "library",
        "name": name,
        "version": version,
        "purl": f"pkg:pypi/{name.lower().replace('_', '-')}@{version}",
        "licenses": [{"license": {"name": licence}}],
    }


def _libraries(tree: Path) -> list[dict[str, Any]]:
    """The packages of the system of which libraries were copied, and libraries of no package."""
    known = libraries_in(tree / "python")
    told = [
        {
            "type": "library",
            "name": each.name,
            "version": each.version,
            "description": ", ".join(each.files),
            "licenses": [{"license": {"name": each.licence or "unknown"}}],
        }
        for each in known
    ]
    files = {name for each in known for name in each.files}
    names = sorted(path.name for path in tree.glob("python/lib/*.so*"))
    others = [name for name in names if "python" not in name and name not in files]
    return [*told, *({"type": "library", "name": name} for name in others)]
