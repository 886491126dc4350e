"""The encoder-decoder Transformer written down in loops, one text at a time.

Imports nothing of `core`. A text is a list of vectors, [D] float64; padding does not exist here.
Every loop over positions, heads and taps of a window stands as it does in the papers; autograd
follows it all.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from tests.helpers.reformer_twin import copied, smeared

Vectors = list[Tensor]


@dataclass(frozen=True)
class TransformerTwin:
    """`weights` are named as in the model's state dict.

    `dropout` has what (side, depth, layer, position) multiplies an output by, [D].
    """

    weights: Mapping[str, Tensor]
    encoder_kinds: Sequence[str]
    decoder_kinds: Sequence[str]
    heads: int
    head_width: int
    norm: str
    positions: str
    chunk_size: int
    kernel_size: int
    compression: int
    strides: Sequence[int]
    dropout: Callable[[str, int, str, int], Tensor] | None = None

    def memory(self, tokens: Sequence[int], places: Sequence[int]) -> Vectors:
        xs, factor = self._embedded("source", tokens), math.prod(self.strides)
        for number, stride in enumerate(self.strides):
            xs = self._strided(number, stride, xs)
        xs = self._with_positions("source", xs, [place // factor for place in places[::factor]])
        for depth, kind in enumerate(self.encoder_kinds):
            name = f"encoder.{depth}"

            def attend(ys: Vectors, kind: str = kind, depth: int = depth) -> Vectors:
                return self._encoder_attention(f"encoder.{depth}.attention", kind, depth, ys)

            xs = self._around(name, "attention", "encoder", depth, xs, attend)
            xs = self._feed_forward_layer(name, "encoder", depth, xs)
        return self._last_norm("encoder_norm", xs)

    def logits(
        self,
        memory: Vectors,
        tokens: Sequence[int],
        places: Sequence[int],
        source: Sequence[int] | None = None,
    ) -> Tensor:
        """[T, V]; a `source` is copied from, which gives log-probabilities."""
        xs = self._with_positions("target", self._embedded("target", tokens), places)
        for depth, kind in enumerate(self.decoder_kinds):
            name = f"decoder.{depth}"

            def attend(ys: Vectors, kind: str = kind, name: str = name) -> Vectors:
                return self._decoder_attention(f"{name}.attention", kind, ys)

            def look_up(ys: Vectors, name: str = name) -> Vectors:
                layer = f"{name}.cross_attention"
                keys, values = self._offered(layer, memory)
                return [self._attend(layer, y, keys, values) for y in ys]

            xs = self._around(name, "attention", "decoder", depth, xs, attend)
            xs = self._around(name, "cross-attention", "decoder", depth, xs, look_up)
            xs = self._feed_forward_layer(name, "decoder", depth, xs)
        hidden = self._last_norm("decoder_norm", xs)
        logits = torch.stack([self._linear("output", x) for x in hidden])
        if source is None:
            return logits
        shown = [list(range(len(source)))] * len(tokens)
        read = torch.stack(memory) if memory else torch.zeros(0, len(hidden[0])).double()
        return copied(self.weights, logits, torch.stack(hidden), read, source, shown)

    # What a position sees

    def _encoder_attention(self, name: str, kind: str, depth: int, xs: Vectors) -> Vectors:
        if kind == "light-convolution":
            middle = math.ceil((self.kernel_size + 1) / 2)
            return self._light_convolution(name, xs, middle)
        keys, values = self._offered(name, xs)
        if kind == "memory-compressed":
            starts = range(0, len(xs), self.compression)
            groups = [range(start, start + self.compression) for start in starts]
            keys, values = self._compressed(name, groups, keys, values)
        found = []
        for i, x in enumerate(xs):
            seen = range(len(keys))
            if kind in ("local", "shifted"):
                shift = self.chunk_size // 2 if kind == "shifted" and depth % 2 else 0
                ahead = self.chunk_size - shift if shift else 0  # as if the text began so far in
                mine = (i + ahead) // self.chunk_size
                seen = [j for j in seen if (j + ahead) // self.chunk_size == mine]  # type: ignore[assignment]
            found.append(self._attend(name, x, [keys[j] for j in seen], [values[j] for j in seen]))
        return found

    def _decoder_attention(self, name: str, kind: str, xs: Vectors) -> Vectors:
        if kind == "light-convolution":
            return self._light_convolution(name, xs, self.kernel_size)
        keys, values = self._offered(name, xs)
        ends = list(range(len(xs)))
        if kind == "memory-compressed":
            ends = ends[:: self.compression]
            groups = [range(end - self.compression + 1, end + 1) for end in ends]
            keys, values = self._compressed(name, groups, keys, values)
        found = []
        for i, x in enumerate(xs):
            seen = [g for g, end in enumerate(ends) if end <= i]
            found.append(self._attend(name, x, [keys[g] for g in seen], [values[g] for g in seen]))
        return found

    def _light_convolution(self, name: str, xs: Vectors, middle: int) -> Vectors:
        """O[i] = Σ_j softmax(W)[j] · X[i + j - middle], j from 1."""
        gated = []
        for x in xs:
            values, gates = self._linear(f"{name}.gated", x).chunk(2)
            gated.append(values / (1 + torch.exp(-gates)))
        found, width = [], self.head_width
        for i in range(len(xs)):
            channels = []
            for head in range(self.heads):
                taps = torch.exp(self.weights[f"{name}.window"][head])
                taps = taps / taps.sum()
                total = torch.zeros(width, dtype=torch.float64)
                for j in range(1, self.kernel_size + 1):
                    if 0 <= i + j - middle < len(xs):
                        part = gated[i + j - middle][head * width : (head + 1) * width]
                        total = total + taps[j - 1] * part
                channels.append(total)
            found.append(self._linear(f"{name}.out", torch.cat(channels)))
        return found

    def _compressed(
        self, name: str, groups: Sequence[range], keys: Vectors, values: Vectors
    ) -> tuple[Vectors, Vectors]:
        def merged(weight: str, vectors: Vectors) -> Vectors:
            return [self._linear(f"{name}.{weight}", _joined(vectors, group)) for group in groups]

        return merged("compress_keys", keys), merged("compress_values", values)

    def _attend(self, name: str, x: Tensor, keys: Vectors, values: Vectors) -> Tensor:
        """What one position finds; zeros where there is nothing to see."""
        query, found = self._linear(f"{name}.queries", x), []
        for head in range(self.heads):
            part = slice(head * self.head_width, (head + 1) * self.head_width)
            if not keys:
                found.append(torch.zeros(self.head_width, dtype=torch.float64))
                continue
            scores = torch.stack(keys)[:, part] @ query[part] / math.sqrt(self.head_width)
            weights = torch.exp(scores - scores.detach().max())
            found.append(weights / weights.sum() @ torch.stack(values)[:, part])
        return self._linear(f"{name}.out", torch.cat(found))

    def _offered(self, name: str, xs: Vectors) -> tuple[Vectors, Vectors]:
        keys = [self._linear(f"{name}.keys", x) for x in xs]
        return keys, [self._linear(f"{name}.values", x) for x in xs]

    # What stands around it

    def _around(
        self, name: str, layer: str, side: str, depth: int, xs: Vectors,
        function: Callable[[Vectors], Vectors],
    ) -> Vectors:  # fmt: skip
        norm = f"{name}.around_{layer.replace('-', '_')}.norm"
        if self.norm == "pre":
            found = function([self._norm(norm, x) for x in xs])
            return [x + y for x, y in zip(xs, self._kept(side, depth, layer, found), strict=True)]
        found = self._kept(side, depth, layer, function(xs))
        return [self._norm(norm, x + y) for x, y in zip(xs, found, strict=True)]

    def _feed_forward_layer(self, name: str, side: str, depth: int, xs: Vectors) -> Vectors:
        def forward(ys: Vectors) -> Vectors:
            layer, found = f"{name}.feed_forward", []
            for y in ys:
                wide = self._linear(f"{layer}.widen", y)
                found.append(self._linear(f"{layer}.narrow", wide * (wide > 0)))
            return found

        return self._around(name, "feed-forward", side, depth, xs, forward)

    def _last_norm(self, name: str, xs: Vectors) -> Vectors:
        return [self._norm(name, x) for x in xs] if self.norm == "pre" else xs

    def _embedded(self, side: str, tokens: Sequence[int]) -> Vectors:
        table = self.weights[f"{side}_embedding.weight"]
        vectors = [table[token] * math.sqrt(table.shape[1]) for token in tokens]
        return smeared(vectors, [True] * len(tokens), self.weights.get(f"{side}_smear.gate"))

    def _with_positions(self, side: str, xs: Vectors, places: Sequence[int]) -> Vectors:
        found = []
        for x, place in zip(xs, places, strict=True):
            if self.positions == "sinusoidal":
                x = x + wave(place, len(x))
            elif self.positions == "learned":
                x = x + self.weights[f"{side}_positions.table"][place]
            found.append(x)
        return self._kept(side_of(side), 0, "embedding", found)

    def _strided(self, number: int, stride: int, xs: Vectors) -> Vectors:
        xs = [x * (x > 0) for x in xs] if number else xs
        groups = [range(start, start + stride) for start in range(0, len(xs), stride)]
        name = f"shortening.convolutions.{number}"
        return [self._linear(name, _joined(xs, group)) for group in groups]

    def _kept(self, side: str, depth: int, layer: str, xs: Vectors) -> Vectors:
        if self.dropout is None:
            return xs
        return [x * self.dropout(side, depth, layer, at) for at, x in enumerate(xs)]

    def _norm(self, name: str, x: Tensor) -> Tensor:
        apart = x - x.mean()
        scaled = apart / torch.sqrt((apart * apart).mean() + 1e-5)
        return scaled * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]

    def _linear(self, name: str, x: Tensor) -> Tensor:
        made = self.weights[f"{name}.weight"] @ x
        return made + self.weights[f"{name}.bias"] if f"{name}.bias" in self.weights else made


def side_of(text: str) -> str:
    return {"source": "encoder", "target": "decoder"}[text]


def wave(place: int, width: int) -> Tensor:
    """[width], rounded to the float32 that a table holds."""
    numbers = []
    for i in range(width):
        angle = place / 10_000 ** (i // 2 * 2 / width)
        numbers.append(math.cos(angle) if i % 2 else math.sin(angle))
    return torch.tensor(numbers, dtype=torch.float32).double()


def _joined(vectors: Vectors, group: Sequence[int]) -> Tensor:
    """The vectors of a group one behind the other; zeros outside of the text."""
    nothing = torch.zeros_like(vectors[0])
    return torch.cat([vectors[at] if 0 <= at < len(vectors) else nothing for at in group])
