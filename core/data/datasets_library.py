"""The `datasets` library, which is installed with the training part."""

from typing import Any

from core.errors import needs_training


def datasets_library(what: str) -> Any:
    """The `datasets` library, without its progress bars and their thread.

    Args:
        what: What it is used for, the beginning of a sentence ("A corpus is read").

    Returns:
        The module.
    """
    with needs_training(what):
        import datasets
        from tqdm import tqdm  # type: ignore[import-untyped]
    tqdm.monitor_interval = 0
    datasets.disable_progress_bars()
    return datasets
