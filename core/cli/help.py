"""How the help of a command looks: wrapped text, then examples that can be typed as they stand."""

import argparse
import textwrap
from collections.abc import Iterable
from typing import NamedTuple


class Example(NamedTuple):
    """A command to type.

    Args:
        meaning: What it does, in a few words.
        command: What is typed.
    """

    meaning: str
    command: str


class HelpFormatter(argparse.HelpFormatter):
    """Wraps paragraphs, and leaves indented lines as they are."""

    def add_argument(self, action: argparse.Action) -> None:
        """Makes room for the names of commands, which stand further right than options."""
        super().add_argument(action)
        if isinstance(action, argparse._SubParsersAction):
            self._action_max_length += self._indent_increment

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        paragraphs = text.split("\n\n")
        return "\n\n".join(
            part if "\n  " in part else textwrap.fill(part, width, initial_indent=indent)
            for part in paragraphs
        )


def told(examples: Iterable[Example]) -> str:
    """The paragraph of a help page that shows examples."""
    lines = ["examples:"]
    for example in examples:
        lines += [f"  # {example.meaning}", f"  {example.command}"]
    return "\n".join(lines)
