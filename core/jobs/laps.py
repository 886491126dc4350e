"""How long the parts of a job take."""

import time


class Laps:
    """Times the parts of a piece of work, one after the other; the first begins now."""

    def __init__(self) -> None:
        self.timings_s: dict[str, float] = {}
        self._last_s = time.perf_counter()

    @property
    def total_s(self) -> float:
        """How long all ended parts took together, in seconds."""
        return sum(self.timings_s.values())

    def end(self, name: str) -> None:
        """Ends a part, and begins the next."""
        now_s = time.perf_counter()
        self.timings_s[name], self._last_s = now_s - self._last_s, now_s
