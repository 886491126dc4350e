"""The one error that a person is meant to read."""

FULL = "full"
"""The kind of an error that a full disk gives: when there is room again, the work can go on."""


class EpitomeError(Exception):
    """Something a person can understand and mend.

    Args:
        message: One sentence: what was wrong, with its value, and what is allowed.
        remedy: One sentence: the one thing to do.
        kind: A short word by which a caller tells errors apart that it answers differently,
            such as ``"password"``; empty for all others.
    """

    def __init__(self, message: str, remedy: str, kind: str = "") -> None:
        super().__init__(message, remedy, kind)
        self.message = message
        self.remedy = remedy
        self.kind = kind

    def __str__(self) -> str:
        return f"{self.message} {self.remedy}"
