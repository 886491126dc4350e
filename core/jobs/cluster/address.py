"""The address of a cluster's scheduler, as a person writes it."""

import re
from typing import Annotated, Final

from pydantic import AfterValidator

EXAMPLE: Final = "tcp://host:8786"
_PLACE = re.compile(r"(?:[^\s/:@\[\]]+|\[[0-9A-Fa-f:.]+\]):(?P<port>\d{1,5})")


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
    protocol, _, place = address.partition("://")
    if address and (protocol not in ("tcp", "tls") or not is_place(place)):
        raise ValueError(
            f"“{address}” is no address of a Dask scheduler: it should look like {EXAMPLE} or, "
            "encrypted, tls://host:8786."
        )
    return address


def is_place(text: str) -> bool:
    """Whether a text is a host and a port: "host:8786" or "[::1]:8786"."""
    found = _PLACE.fullmatch(text)
    return found is not None and 0 < int(found["port"]) < 65536


def is_encrypted(address: str) -> bool:
    """Whether what travels to and from a cluster is encrypted."""
    return address.startswith("tls://")


ClusterAddress = Annotated[str, AfterValidator(checked_address)]
"""The address of a scheduler as settings hold it; empty for this machine."""
