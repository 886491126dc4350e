"""The boxes of tasks: ticked, crossed out, or empty."""

from typing import Final

OPEN: Final = "☐"
TICKED: Final = "☑"
CROSSED_OUT: Final = "☒"
