"""The data sets of the Hugging Face hub that have a name of their own, as a person chooses them."""

from dataclasses import dataclass

from core.data.hub import KNOWN, NEWSROOM, PREFIX


@dataclass(frozen=True)
class NamedDataSet:
    """A data set.

    Args:
        name: What names it as a source: "hf:xsum".
        repository: Where it lies; empty for one that is no download.
        has_summaries: Whether its rows have summaries.
        is_streamed: Whether it is too large to be downloaded, and read over the network.
        needs_folder: Whether the name is followed by a folder, which the person has.
    """

    name: str
    repository: str
    has_summaries: bool
    is_streamed: bool = False
    needs_folder: bool = False


def named_data_sets() -> tuple[NamedDataSet, ...]:
    """Those there are, as docs/corpora.md lists them."""
    of_hub = (
        NamedDataSet(PREFIX + each.name, each.repository, each.has_summaries, each.stream)
        for each in KNOWN.values()
    )
    return (*of_hub, NamedDataSet(PREFIX + NEWSROOM, "", has_summaries=True, needs_folder=True))
