"""Notices when a run does not get the processor: each step then takes much longer than it need."""

from dataclasses import dataclass

from core.numbers import format_share

LEAST_SHARE = 0.6
"""Below it a run says so; alone on a machine the thread that leads computes nearly all the time."""

_OBSERVED_S = 5.0
_OBSERVED_STEPS = 3  # the first one also loads code, so that a single one says little


@dataclass
class ProcessorShare:
    """The share of the time of steps in which the thread that makes them computed.

    The others' waiting is its own, too: it waits for each of them several times a layer, asleep.
    So one thread that another program keeps from its core is enough to lower the share.

    Attributes:
        is_noted: True once a low share was reported; it is reported once.
    """

    is_noted: bool = False
    _seconds: float = 0.0
    _processor_s: float = 0.0
    _steps: int = 0

    def add_step(self, seconds: float, processor_s: float) -> str:
        """Adds a step.

        Args:
            seconds: Its duration, without waiting for data.
            processor_s: Seconds that the thread computed meanwhile.

        Returns:
            A note for the user, once the share has been too low for some seconds and steps; else
            an empty text.
        """
        self._seconds += seconds
        self._processor_s += processor_s
        self._steps += 1
        if self.is_noted or self._seconds < _OBSERVED_S or self._steps < _OBSERVED_STEPS:
            return ""
        self.is_noted = self._processor_s < LEAST_SHARE * self._seconds
        share = format_share(self._processor_s, self._seconds)
        note = (
            f"Training gets {share} of the processor time it could use: other programs are busy, "
            "or memory is short. Close them, or train with fewer threads."
        )
        self._seconds, self._processor_s, self._steps = 0.0, 0.0, 0
        return note if self.is_noted else ""
