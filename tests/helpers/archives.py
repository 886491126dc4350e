"""Zip archives made in memory."""

import zipfile
from io import BytesIO


def packed(parts: dict[str, str | bytes]) -> bytes:
    """The bytes of a zip archive.

    Args:
        parts: The content of each part by its name, in order.
    """
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return file.getvalue()
