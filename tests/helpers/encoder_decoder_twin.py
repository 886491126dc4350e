"""The Reformer encoder-decoder written down plainly, one row at a time; imports nothing of `core`.

Streams are [T, D] float64, attention is one table of scores for all pairs; autograd follows it all.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from tests.helpers.reformer_twin import axial_position, copied, gelu, smeared


@dataclass(frozen=True)
class EncoderDecoder:
    """`weights` are named as in the model's state dict.

    `kinds` are those of the encoder's layers; `dropout` has what (side, depth, layer) multiplies
    its output by, [T, D].
    """

    weights: Mapping[str, Tensor]
    kinds: Sequence[str]
    decoder_depth: int
    heads: int
    window: int
    dropout: Callable[[str, int, str], Tensor] | None = None

    def memory(
        self, tokens: Sequence[int], present: Sequence[bool], places: Sequence[int]
    ) -> Tensor:
        """[S, D]."""
        there = torch.tensor(present)
        x1 = x2 = self._vectors("source", tokens, places, present)
        for depth, kind in enumerate(self.kinds):
            block = self._block("encoder", depth)
            seen = there.expand(len(tokens), -1)
            if kind == "local":
                seen = seen & near(len(tokens), self.window)
            x1 = x1 + self._dropped(
                self._to_itself(f"{block}.attention", x2, seen), "encoder", depth, "attention"
            )
            x2 = x2 + self._dropped(
                self._feed_forward(f"{block}.feed_forward", x1), "encoder", depth, "feed-forward"
            )
        return self._norm("encoder_norm", (x1 + x2) / 2)

    def logits(
        self,
        memories: Sequence[Tensor],
        memory_present: Sequence[bool],
        tokens: Sequence[int],
        present: Sequence[bool],
        places: Sequence[int],
        source: Sequence[int] | None = None,
    ) -> Tensor:
        """[T, V]; `memories` has what each layer looks at, [S, D]; a `source` is copied from."""
        x1 = x2 = self._vectors("target", tokens, places, present)
        earlier = torch.ones(len(tokens), len(tokens), dtype=torch.bool).tril()
        seen = earlier & torch.tensor(present)
        offered = torch.tensor(memory_present).expand(len(tokens), -1)
        for depth in range(self.decoder_depth):
            block = self._block("decoder", depth)
            found = self._to_itself(f"{block}.attention", x2, seen)
            y1 = x1 + self._dropped(found, "decoder", depth, "attention")
            found = self._to_memory(f"{block}.cross_attention", y1, memories[depth], offered)
            y2 = x2 + self._dropped(found, "decoder", depth, "cross-attention")
            found = self._feed_forward(f"{block}.feed_forward", y2)
            z1 = y1 + self._dropped(found, "decoder", depth, "feed-forward")
            x1, x2 = y2, z1
        hidden = self._norm("decoder_norm", (x1 + x2) / 2)
        logits = self._linear("output", hidden)
        if source is None:
            return logits
        shown = [[j for j, there in enumerate(memory_present) if there]] * len(tokens)
        return copied(self.weights, logits, hidden, memories[-1], source, shown)

    def _vectors(
        self, side: str, tokens: Sequence[int], places: Sequence[int], present: Sequence[bool]
    ) -> Tensor:
        positions = [self._position(f"{side}_positions", place) for place in places]
        table = self.weights[f"{side}_embedding.weight"]
        vectors = list(table[list(tokens)] * table.shape[1] ** 0.5)
        gate = self.weights.get(f"{side}_smear.gate")
        return torch.stack(smeared(vectors, present, gate)) + torch.stack(positions)

    def _position(self, name: str, place: int) -> Tensor:
        if f"{name}.table" in self.weights:
            return self.weights[f"{name}.table"][place]
        return axial_position(place, self.weights[f"{name}.first"], self.weights[f"{name}.second"])

    def _block(self, side: str, depth: int) -> str:
        """The block of this depth, or the one that all depths share."""
        own = f"{side}.{depth}"
        return own if f"{own}.attention.norm.weight" in self.weights else f"{side}.0"

    def _norm(self, name: str, x: Tensor) -> Tensor:
        apart = x - x.mean(1, keepdim=True)
        scaled = apart / torch.sqrt((apart * apart).mean(1, keepdim=True) + 1e-5)
        return scaled * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]

    def _linear(self, name: str, x: Tensor) -> Tensor:
        made = x @ self.weights[f"{name}.weight"].T
        return made + self.weights[f"{name}.bias"] if f"{name}.bias" in self.weights else made

    def _dropped(self, found: Tensor, side: str, depth: int, layer: str) -> Tensor:
        return found if self.dropout is None else found * self.dropout(side, depth, layer)

    def _to_itself(self, name: str, x: Tensor, seen: Tensor) -> Tensor:
        normed = self._norm(f"{name}.norm", x)
        return self._attention(name, normed, normed, seen)

    def _to_memory(self, name: str, x: Tensor, memory: Tensor, seen: Tensor) -> Tensor:
        return self._attention(name, self._norm(f"{name}.norm", x), memory, seen)

    def _attention(self, name: str, asking: Tensor, asked: Tensor, seen: Tensor) -> Tensor:
        """[T, D] looks at [S, D]; who sees whom is [T, S]. Who sees nothing finds zeros."""
        queries = self._linear(f"{name}.queries", asking)
        keys, values = (self._linear(f"{name}.{each}", asked) for each in ("keys", "values"))
        width, found = queries.shape[1] // self.heads, []
        for head in range(self.heads):
            part = slice(head * width, (head + 1) * width)
            scores = queries[:, part] @ keys[:, part].T / width**0.5
            weights = torch.exp(scores - scores.detach().amax(1, keepdim=True)) * seen
            total = weights.sum(1, keepdim=True)
            found.append((weights / (total + (total == 0))) @ values[:, part])
        return self._linear(f"{name}.out", torch.cat(found, 1))

    def _feed_forward(self, name: str, x: Tensor) -> Tensor:
        inner = gelu(self._linear(f"{name}.widen", self._norm(f"{name}.norm", x)))
        return self._linear(f"{name}.narrow", inner)


def near(length: int, window: int) -> Tensor:
    """[length, length] bool: positions i−w+1 … i+w−1."""
    places = torch.arange(length)
    return (places[:, None] - places).abs() < window
