"""What may be copied of a text that is written: source and summary are one sequence."""

from dataclasses import dataclass

import torch
from torch import Tensor

from core.models.parts.caches import grown
from core.models.parts.pointer import Source


@dataclass
class Copied:
    """What each of N rows may copy: its own text.

    Args:
        keys: [N, room, D], what the pointer head offers of each place.
        tokens: [N, room] int64, what stands there.
    """

    keys: Tensor
    tokens: Tensor

    def write(self, positions: Tensor, keys: Tensor, tokens: Tensor) -> None:
        """Adds a place to each row: [N] int64, [N, D] and [N] int64."""
        if int(positions.max()) >= self.tokens.shape[1]:
            self.keys, self.tokens = grown(self.keys, 1), grown(self.tokens, 1)
        rows = torch.arange(len(positions), device=positions.device)
        self.keys[rows, positions], self.tokens[rows, positions] = keys, tokens

    def source(self, positions: Tensor) -> Source:
        """What is written up to these places, [N] int64."""
        filled = int(positions.max()) + 1
        present = torch.arange(filled, device=positions.device) <= positions[:, None]
        return Source(self.keys[:, :filled], self.tokens[:, :filled], present)
