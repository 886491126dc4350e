"""Tells what this program made for this person from what came with a folder of somebody else.

A folder can say anything of itself. The seal of a text is made with a key that lies in the
person's own data, so nobody else can make it.
"""

import hmac
import secrets
from contextlib import suppress
from functools import cache
from pathlib import Path

from core.library.folders import Folders
from core.storage.files import locked
from core.storage.regular_files import flush_to_disk, read_regular, rename_patiently
from core.storage.temporary_names import open_temporary

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
    """The key: what the file holds; made where there is none, or none that is whole."""
    made = secrets.token_bytes(_KEY_BYTES)
    with suppress(OSError):
        if found := _read(file):  # also where nothing can be written
            return found
        with locked(file.with_suffix(".lock")):  # of two processes that begin, both use one key
            if found := _read(file):
                return found
            _write(file, made)
    return made


def _read(file: Path) -> bytes:
    """A whole key; empty where there is none, as after a power cut or on a full disk."""
    with suppress(FileNotFoundError):
        found = read_regular(file, 10 * _KEY_BYTES)
        return found if len(found) == _KEY_BYTES else b""
    return b""


def _write(file: Path, key: bytes) -> None:
    """Writes a key that nobody else can read, so that it is there whole or not at all."""
    new = open_temporary(file, 0o600)
    try:
        with new:
            new.write(key)
            new.flush()
            flush_to_disk(new.fileno())
        rename_patiently(Path(new.name), file)
    finally:
        Path(new.name).unlink(missing_ok=True)
