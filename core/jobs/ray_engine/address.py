"""The address of a Ray cluster, as a person writes it."""

import re
from typing import Annotated, Final

from pydantic import AfterValidator

EXAMPLE: Final = "host:6379"
_FORM = re.compile(r"(?:[^\s/:@\[\]]+|\[[0-9A-Fa-f:.]+\]):(?P<port>\d{1,5})")


def checked_address(address: str) -> str:
    """An address, or an empty text for no cluster.

    Args:
        address: What a person wrote.

    Returns:
        The same without spaces around it.

    Raises:
        ValueError: If it is neither.
    """
    address = address.strip()
    found = _FORM.fullmatch(address)
    if address and (found is None or not 0 < int(found["port"]) < 65536):
        raise ValueError(
            f"“{address}” is no address of a Ray cluster: it should look like {EXAMPLE}."
        )
    return address


RayAddress = Annotated[str, AfterValidator(checked_address)]
"""The address of a cluster as settings hold it; empty for this machine."""
