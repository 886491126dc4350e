"""Zip archives, opened so that a small file cannot unpack to fill the memory.

No part is unpacked beyond the size that its entry states, and what all parts together state is
known before the first one is unpacked.
"""

import lzma
import struct
import zipfile
import zlib
from io import BytesIO

from core.documents.budget import MOST_UNPACKED_BYTES, OVER, Budget
from core.documents.readers import failures
from core.errors import EpitomeError

ARCHIVE_MARKS = (b"PK\x03\x04", b"PK\x05\x06")
"""The first bytes of zip archives."""

MAX_PART_BYTES = 200_000_000
MAX_RATIO = 200  # text packs about 10 to 1, tables of zeros 100 to 1
_SMALL_BYTES = 20_000_000  # below this an odd ratio does no harm
MAX_PARTS = 20_000
_PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # all that documents may use

# What zipfile raises for an archive that is damaged, or damaged with care.
_DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, OSError),
    *(ValueError, OverflowError, NotImplementedError),
)


class Archive:
    """The parts of a zip file.

    Args:
        data: All its bytes.
        name: What to call it in errors.

    Raises:
        EpitomeError: If it is damaged, locked, or would unpack to far more than is sensible.
    """

    def __init__(self, data: bytes, name: str) -> None:
        self._name, self._num_bytes = name, len(data)
        self.budget = Budget(name)
        try:
            self._zip = zipfile.ZipFile(BytesIO(data))
        except _DAMAGED as error:
            raise failures.broken(name) from error
        infos = self._zip.infolist()
        unpacked = sum(info.file_size for info in infos)
        parts = [info.file_size for info in infos if info.filename.endswith((".xml", ".rels"))]
        inflated = unpacked > _SMALL_BYTES and unpacked > MAX_RATIO * len(data)
        too_large = unpacked > MOST_UNPACKED_BYTES or max(parts, default=0) > MAX_PART_BYTES
        if len(infos) > MAX_PARTS:
            raise failures.too_many_parts(name, len(infos), MAX_PARTS)
        if inflated or too_large:
            raise failures.unpacks_to_too_much(name, len(data), unpacked)

    @property
    def names(self) -> list[str]:
        """The names of all parts."""
        return self._zip.namelist()

    def read(self, part: str) -> bytes | None:
        """All bytes of a part; None if there is none of that name.

        Args:
            part: Its name in the archive.

        Returns:
            The unpacked bytes.

        Raises:
            EpitomeError: If the part is damaged, locked or larger than the budget allows.
        """
        try:
            info = self._zip.getinfo(part)
            if info.compress_type not in _PACKINGS:
                raise failures.oddly_packed(self._name)
            if info.file_size > MAX_PART_BYTES:
                raise failures.unpacks_to_too_much(self._name, self._num_bytes, info.file_size)
            self.budget.add_bytes(info.file_size)
            with self._zip.open(info) as file:
                return file.read(info.file_size)  # without the size it unpacks to the true end
        except KeyError:
            return None
        except _DAMAGED as error:
            raise failures.broken(self._name) from error
        except RuntimeError as error:  # zipfile's word for a part locked with a password
            raise failures.locked(self._name) from error

    def find(self, part: str) -> bytes | None:
        """As `read`; None as well for a part that is damaged or locked.

        Args:
            part: Its name in the archive.

        Returns:
            The unpacked bytes.

        Raises:
            EpitomeError: If it is larger than the budget allows.
        """
        try:
            return self.read(part)
        except EpitomeError as error:
            if error.kind == OVER:
                raise
            return None
