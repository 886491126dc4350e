"""What the decoders of encoder-decoders share: sources that are read once by many rows.

Letters: N rows that are written, M sources they read, S positions of the longest source, H heads,
K width of a head.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from core.errors import EpitomeError
from core.models.batch import Batch
from core.models.parts.attention import attention_to_present


def check_sources(sources: Sequence[Sequence[int]], longest: int) -> None:
    """Refuses sources that a model cannot read.

    Args:
        sources: Token ids of each source.
        longest: How many tokens the model reads.

    Raises:
        EpitomeError: If a source is empty or too long.
    """
    for number, source in enumerate(sources, start=1):
        if not source:
            raise EpitomeError(
                f"Text {number} has no tokens; one or more are needed.", "Leave it out."
            )
        if len(source) > longest:
            raise EpitomeError(
                f"Text {number} has {len(source)} tokens; this model reads up to {longest}.",
                "Split it, or choose a model that reads more.",
            )


def batch_of_sources(sources: Sequence[Sequence[int]], device: torch.device) -> Batch:
    """The sources as one batch, with padding behind shorter ones."""
    width = max(map(len, sources))
    tokens = torch.tensor([[*source, *[0] * (width - len(source))] for source in sources])
    lengths = torch.tensor([len(source) for source in sources])
    present = torch.arange(width) < lengths[:, None]
    padded = not bool(present.all())
    return Batch(tokens.to(device), present=present.to(device) if padded else None)


def row_numbers(origins: Tensor) -> Tensor:
    """[N] int64, the source of each row, to [N]: how many rows of the same source precede it."""
    same = origins[:, None] == origins
    return same.tril(-1).sum(1)


def attend_to_sources(
    query: Tensor,
    keys: Tensor,
    values: Tensor,
    present: Tensor | None,
    origins: Tensor,
    numbers: Tensor,
) -> Tensor:
    """What each row finds in its source; the rows of one source ask it together.

    Args:
        query: [N, H, K].
        keys: [M, H, S, K].
        values: [M, H, S, K].
        present: [M, S] bool, False at padding; None without padding.
        origins: [N] int64, the source that each row reads.
        numbers: [N] int64, as `row_numbers` gives.

    Returns:
        [N, H, K].
    """
    together = query.new_zeros(len(keys), int(numbers.max()) + 1, *query.shape[1:])
    together[origins, numbers] = query  # [M, C, H, K]
    found = attention_to_present(together.transpose(1, 2), keys, values, present)
    return found.transpose(1, 2)[origins, numbers]
