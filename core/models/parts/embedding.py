"""Tokens as vectors."""

import math

from torch import Tensor, nn


class TokenEmbedding(nn.Embedding):
    """A table of token vectors, read multiplied by the root of their width.

    So the same small numbers can predict tokens, where tables are tied, and stand in the streams
    as large ones: a step of the optimiser then moves the streams a little, and not as far as they
    are long, which is what makes learning at usual rates break off. Source: Vaswani et al. (2017),
    section 3.4.
    """

    def forward(self, tokens: Tensor) -> Tensor:
        """[…] int64 tokens to […, D] vectors."""
        return super().forward(tokens) * math.sqrt(self.embedding_dim)
