"""What only the training part brings."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from core.errors import EpitomeError


@contextmanager
def needs_training(what: str) -> Iterator[None]:
    """Imports inside the block may be missing.

    Args:
        what: What is done with them, the beginning of a sentence ("A corpus is read").

    Yields:
        None: imports are tried inside the block.

    Raises:
        EpitomeError: If one is not installed.
    """
    try:
        yield
    except ImportError as error:
        raise EpitomeError(
            f"{what} with the training part, which is not installed ({error.name} is missing).",
            "Call python3 packaging/bootstrap.py run --with-training.",
        ) from error


def datasets_library(what: str) -> Any:
    """The `datasets` library, without its progress bars and their thread.

    Args:
        what: What is done with it, the beginning of a sentence ("A corpus is read").

    Returns:
        The module.
    """
    with needs_training(what):
        import datasets
        from tqdm import tqdm  # type: ignore[import-untyped]
    tqdm.monitor_interval = 0
    datasets.disable_progress_bars()
    return datasets
