"""A job that is one call of a function."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ParamSpec

from core.events import Event, Finished
from core.stop import StopToken

P = ParamSpec("P")


@dataclass(frozen=True, init=False)
class CallJob:
    """Calls a function that ends soon; what the function returns is the result of the job.

    Args:
        function: The function; one of a module where another process runs the job.
        *args: What it is called with.
        **kwargs: The same, by name.
    """

    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    def __init__(self, function: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
        for name, value in (("function", function), ("args", args), ("kwargs", kwargs)):
            object.__setattr__(self, name, value)

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Yields `Finished` with what the function returns."""
        yield Finished(self.function(*self.args, **self.kwargs))
