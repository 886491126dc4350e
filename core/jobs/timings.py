"""Durations of the parts of a job."""

import time


class Timings:
    """Times the parts of a job, one after the other; the first begins now."""

    def __init__(self) -> None:
        self.parts_s: dict[str, float] = {}
        self._last_s = time.perf_counter()

    @property
    def total_s(self) -> float:
        """The duration of all parts that have ended, in seconds."""
        return sum(self.parts_s.values())

    def end(self, name: str) -> None:
        """Ends a part, and begins the next."""
        now_s = time.perf_counter()
        self.parts_s[name], self._last_s = now_s - self._last_s, now_s
