"""The user at the terminal, whom a job may ask."""

from collections.abc import Iterator

from core.cli.passwords import asked_passwords
from core.cli.runner import ended_by_ctrl_c
from core.cli.sources import read_standard_input
from core.stop import StopToken


class Terminal:
    """The user at the terminal, who is asked while the batch waits.

    Args:
        stop: The wish to end, by which waiting ends too.
    """

    def __init__(self, stop: StopToken) -> None:
        self._stop = stop

    def standard_input(self) -> bytes:
        """As `User` has it."""
        with ended_by_ctrl_c(self._stop):
            return read_standard_input()

    def passwords(self, name: str) -> Iterator[str]:
        """As `User` has it."""
        asked = asked_passwords(name)
        while True:
            with ended_by_ctrl_c(self._stop):
                password = next(asked, None)
            if password is None:
                return
            yield password
