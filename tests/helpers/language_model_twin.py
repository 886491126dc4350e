"""The decoder-only Transformer of paper 5 written down in loops, one text at a time.

Imports nothing of `core`. A text is a list of vectors, [D] float64; padding does not exist here.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from tests.helpers.reformer_twin import copied, smeared

Vectors = list[Tensor]


@dataclass(frozen=True)
class Text:
    """Tokens, the place of each, and whether it is in the article (0) or the summary (1)."""

    tokens: list[int]
    places: list[int]
    segments: list[int]


def text_of(article: Sequence[int], divider: int, summary: Sequence[int]) -> Text:
    """`article, <D>, summary`: the first tokens of article and summary have the same place."""
    places, segments = [], []
    for place in range(len(article) + 1):
        places.append(place)
        segments.append(0)
    for place in range(len(summary)):
        places.append(place)
        segments.append(1)
    return Text([*article, divider, *summary], places, segments)


@dataclass(frozen=True)
class LanguageModelTwin:
    """`weights` are named as in the model's state dict.

    `dropout` has what (depth, layer, position) multiplies an output by, [D].
    """

    weights: Mapping[str, Tensor]
    depth: int
    heads: int
    norm: str
    dropout: Callable[[int, str, int], Tensor] | None = None

    def logits(self, text: Text) -> Tensor:
        """[T, V], the logits after each token; log-probabilities where the weights copy."""
        hidden = self.hidden(text)
        logits = torch.stack([self._linear("output", x) for x in hidden])
        if "pointer.gate.weight" not in self.weights:
            return logits
        shown = [list(range(i + 1)) for i in range(len(hidden))]
        read = torch.stack(hidden)
        return copied(self.weights, logits, read, read, text.tokens, shown)

    def hidden(self, text: Text) -> Vectors:
        xs = self._embedded(text)
        for depth in range(self.depth):
            xs = self._layer(depth, xs)
        return [self._normed("norm", x) for x in xs] if self.norm == "pre" else xs

    def _embedded(self, text: Text) -> Vectors:
        words = [self.weights["embedding.weight"][token] for token in text.tokens]
        words = smeared(words, [True] * len(words), self.weights.get("smear.gate"))
        found = []
        for at, word in enumerate(words):
            x = word + self.weights["positions.table"][text.places[at]]
            if "source_embedding.weight" in self.weights:
                x = x + self.weights["source_embedding.weight"][text.segments[at]]
            found.append(self._kept(0, "embedding", at, x))
        return found

    def _layer(self, depth: int, xs: Vectors) -> Vectors:
        name = f"layers.{depth}"
        around = f"{name}.around_attention.norm"
        read = [self._normed(around, x) for x in xs] if self.norm == "pre" else xs
        keys, values = (
            torch.stack([self._linear(f"{name}.attention.{each}", x) for x in read])
            for each in ("keys", "values")
        )
        found = []
        for i, x in enumerate(xs):
            seen = self._attend(f"{name}.attention", read[i], keys[: i + 1], values[: i + 1])
            total = x + self._kept(depth, "attention", i, seen)
            found.append(total if self.norm == "pre" else self._normed(around, total))
        around, done = f"{name}.around_feed_forward.norm", []
        for i, x in enumerate(found):
            read_one = self._normed(around, x) if self.norm == "pre" else x
            fed = self._feed_forward(f"{name}.feed_forward", read_one)
            total = x + self._kept(depth, "feed-forward", i, fed)
            done.append(total if self.norm == "pre" else self._normed(around, total))
        return done

    def _attend(self, name: str, x: Tensor, keys: Tensor, values: Tensor) -> Tensor:
        query = self._linear(f"{name}.queries", x)
        size, found = len(query) // self.heads, []
        for head in range(self.heads):
            part = slice(head * size, (head + 1) * size)
            scores = keys[:, part] @ query[part] / math.sqrt(size)
            weights = torch.exp(scores - scores.detach().max())
            found.append(weights / weights.sum() @ values[:, part])
        return self._linear(f"{name}.out", torch.cat(found))

    def _feed_forward(self, name: str, x: Tensor) -> Tensor:
        wide = self._linear(f"{name}.widen", x)
        inner = math.sqrt(2 / math.pi) * (wide + 0.044715 * wide**3)
        return self._linear(f"{name}.narrow", 0.5 * wide * (1 + torch.tanh(inner)))

    def _kept(self, depth: int, layer: str, at: int, x: Tensor) -> Tensor:
        return x if self.dropout is None else x * self.dropout(depth, layer, at)

    def _normed(self, name: str, x: Tensor) -> Tensor:
        apart = x - x.mean()
        scaled = apart / torch.sqrt((apart * apart).mean() + 1e-5)
        return scaled * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]

    def _linear(self, name: str, x: Tensor) -> Tensor:
        made = self.weights[f"{name}.weight"] @ x
        return made + self.weights[f"{name}.bias"] if f"{name}.bias" in self.weights else made
