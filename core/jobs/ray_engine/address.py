"""The address of a Ray cluster, as a person writes it."""

from typing import Annotated, Final

from pydantic import AfterValidator

from core.jobs.cluster.address import is_place

EXAMPLE: Final = "host:6379"


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
    if address and not is_place(address):
        raise ValueError(
            f"“{address}” is no address of a Ray cluster: it should look like {EXAMPLE}."
        )
    return address


RayAddress = Annotated[str, AfterValidator(checked_address)]
"""The address of a cluster as settings hold it; empty for this machine."""
