"""Tells what this program made for this person from what came with a folder of somebody else.

A folder can say anything of itself. The seal of a text is made with a key that lies in the
person's own data, so nobody else can make it.
"""

import hmac
import os
import secrets
from contextlib import suppress
from functools import cache
from pathlib import Path

from core.library.folders import Folders
from core.regular_files import read_regular

_KEY_BYTES = 32


def seal_of(text: str) -> str:
    """The seal of a text.

    Args:
        text: What is sealed.

    Returns:
        64 hexadecimal digits. Where the key can neither be read nor written, they are worth
        nothing in another process.
    """
    key = _key(Folders.of_this_user().data / "seal.key")
    return hmac.new(key, text.encode(), "sha256").hexdigest()


@cache
def _key(file: Path) -> bytes:
    made = secrets.token_bytes(_KEY_BYTES)
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as new:
            new.write(made)
        return made
    with suppress(OSError):
        if len(found := read_regular(file, 10 * _KEY_BYTES)) == _KEY_BYTES:
            return found
    return made
