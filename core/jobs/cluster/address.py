"""The address of a cluster's scheduler, as a user types it."""

import re
from typing import Annotated, Final

from pydantic import AfterValidator

EXAMPLE: Final = "tcp://host:8786"
_PLACE = re.compile(r"(?:[^\s/:@\[\]]+|\[[0-9A-Fa-f:.]+\]):(?P<port>\d{1,5})")


def checked_address(address: str) -> str:
    """Returns an address, or an empty text for no cluster.

    Args:
        address: The text that was typed.

    Returns:
        The same without spaces around it.

    Raises:
        ValueError: If it is neither.
    """
    address = address.strip()
    protocol, _, place = address.partition("://")
    if address and (protocol not in ("tcp", "tls") or not _is_place(place)):
        raise ValueError(
            f"“{address}” is no address of a Dask scheduler: it should look like {EXAMPLE} or, "
            "encrypted, tls://host:8786."
        )
    return address


def _is_place(text: str) -> bool:
    """True if a text is a host and a port: "host:8786" or "[::1]:8786"."""
    match = _PLACE.fullmatch(text)
    return match is not None and 0 < int(match["port"]) < 65536


def is_encrypted(address: str) -> bool:
    """True if all that is sent to and from a cluster is encrypted."""
    return address.startswith("tls://")


def describe_sending(address: str) -> str:
    """Says that the documents leave this machine."""
    how = "encrypted" if is_encrypted(address) else "unencrypted"
    return f"The documents are sent over the network, {how}, to the cluster at {address}."


ClusterAddress = Annotated[str, AfterValidator(checked_address)]
"""The address of a scheduler as settings hold it; empty for this machine."""
