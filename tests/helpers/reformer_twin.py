"""The Reformer written down plainly, one row at a time: every pair is scored, and who sees whom is
one table; nothing is shared with `core`.

The tests hold the program's attention, hashing, positions, blocks, model and loss against these.
Everything is float64, and made of what autograd follows, so the twins give gradients as well.
"""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

Keys = list[set[int]]
"""For each query of a row, the positions it may attend to."""
PADDING = 1_000_000
"""The bucket of padding: after all others."""


# --- which positions a query sees ---


def full_keys(num: int, present: Sequence[bool] | None = None, causal: bool = True) -> Keys:
    return _that_are_there(
        [{j for j in range(num) if j <= i or not causal} for i in range(num)], present
    )


def local_keys(
    num: int, window: int, present: Sequence[bool] | None = None, causal: bool = True
) -> Keys:
    """Positions i−w+1…i; not causal: i−w+1…i+w−1."""
    seen: Keys = []
    for i in range(num):
        last = i if causal else i + window - 1
        seen.append({j for j in range(i - window + 1, last + 1) if 0 <= j < num})
    return _that_are_there(seen, present)


def lsh_keys(rounds: Sequence[Sequence[int]], window: int) -> Keys:
    """In each round the last `window` positions ≤ i of i's bucket; met twice is met once."""
    seen: Keys = [set() for _ in rounds[0]]
    for buckets in rounds:
        for i, bucket in enumerate(buckets):
            own = [j for j in range(i + 1) if buckets[j] == bucket]
            seen[i].update(own[-window:])
    return seen


def local_chunk_keys(num: int, chunk: int, present: Sequence[bool] | None = None) -> Keys:
    """The positions ≤ i in i's chunk and the one before."""
    seen = [{j for j in range(i + 1) if i // chunk - j // chunk in (0, 1)} for i in range(num)]
    return _that_are_there(seen, present)


def lsh_chunk_keys(
    rounds: Sequence[Sequence[int]], chunk: int, present: Sequence[bool] | None = None
) -> Keys:
    """Sorted by (bucket, position) and cut: the positions ≤ i in i's chunk and the one before."""
    seen: Keys = [set() for _ in rounds[0]]
    for buckets in rounds:
        order = sorted(range(len(buckets)), key=lambda j, now=buckets: (now[j], j))
        chunks = [order[at : at + chunk] for at in range(0, len(order), chunk)]
        for at, own in enumerate(chunks):
            before = chunks[at - 1] if at else []
            for i in own:
                seen[i].update(j for j in [*before, *own] if j <= i)
    return _that_are_there(seen, present)


def _that_are_there(seen: Keys, present: Sequence[bool] | None) -> Keys:
    return seen if present is None else [{j for j in keys if present[j]} for keys in seen]


# --- attention ---


def attend(
    q: Tensor, k: Tensor, v: Tensor, seen: Keys, *, self_last: bool = True, scale: float = 0.0
) -> Tensor:
    """One head of one row, [T, K] each: one softmax over the set of keys of each query.

    With `self_last` a query sees itself only if there is nothing else. A query that sees nothing
    gives zeros.
    """
    others = [keys - {i} if self_last and len(keys) > 1 else keys for i, keys in enumerate(seen)]
    return shares(q @ k.T * (scale or q.shape[1] ** -0.5), others) @ v


def shares(scores: Tensor, seen: Sequence[Collection[int]]) -> Tensor:
    """[T, S], the softmax of each row of scores over what it sees; zeros where that is nothing."""
    table = torch.zeros(scores.shape, dtype=torch.bool)
    for row, places in zip(table, seen, strict=True):
        row[list(places)] = True
    highest = scores.detach().masked_fill(~table, -math.inf).amax(1, keepdim=True)
    parts = torch.exp((scores - highest.nan_to_num()).masked_fill(~table, -math.inf))
    total = parts.sum(1, keepdim=True)
    return parts / (total + (total == 0))


def attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    keys_of: Callable[[int, int], Keys],
    *,
    self_last: bool = True,
    scale: float = 0.0,
) -> Tensor:
    """All rows and heads, [B, H, T, K]; `keys_of(row, head)` says who sees whom."""
    return torch.stack(
        [
            torch.stack(
                [
                    attend(
                        q[b, h], k[b, h], v[b, h], keys_of(b, h), self_last=self_last, scale=scale
                    )
                    for h in range(q.shape[1])
                ]
            )
            for b in range(q.shape[0])
        ]
    )


# --- hashing and positions ---


def hashed(x: Tensor, rotation: Tensor) -> list[int]:
    """The bucket of each vector of [T, K]: argmax of [xR ; −xR], the first of equals."""
    buckets = []
    for scores in (x.detach() @ rotation).tolist():
        both = scores + [-score for score in scores]
        buckets.append(both.index(max(both)))
    return buckets


def axial_position(place: int, first: Tensor, second: Tensor) -> Tensor:
    """[T1[p mod n1] ; T2[p div n1]]."""
    return torch.cat([first[place % len(first)], second[place // len(first)]])


# --- the model ---


def layer_norm(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """Of each vector of [T, D]."""
    apart = x - x.sum(1, keepdim=True) / x.shape[1]
    variance = (apart**2).sum(1, keepdim=True) / x.shape[1]
    return apart / torch.sqrt(variance + 1e-5) * weight + bias


def gelu(x: Tensor) -> Tensor:
    return x * 0.5 * (1 + torch.erf(x / math.sqrt(2)))


def reversible_block(
    x1: Tensor,
    x2: Tensor,
    attention: Callable[[Tensor], Tensor],
    feed_forward: Callable[[Tensor], Tensor],
) -> tuple[Tensor, Tensor]:
    """Y1 = X1 + Attention(LN(X2)), Y2 = X2 + FeedForward(LN(Y1)); the norms are in the layers."""
    y1 = x1 + attention(x2)
    return y1, x2 + feed_forward(y1)


@dataclass(frozen=True)
class LanguageModel:
    """The Reformer language model on one row.

    `weights` are named as in the model's state dict. `rotations` has [H, K, R, buckets / 2] for
    each depth, and `dropout` what (depth, layer) multiplies its output by, [T, D].
    """

    weights: Mapping[str, Tensor]
    kinds: Sequence[str]
    heads: int
    size: int
    rotations: Sequence[Tensor | None]
    dropout: Callable[[int, str], Tensor] | None = None

    def logits(
        self,
        tokens: Sequence[int],
        present: Sequence[bool] | None = None,
        places: Sequence[int] | None = None,
    ) -> Tensor:
        """[T, V]."""
        there = present or [True] * len(tokens)
        table = self.weights["embedding.weight"]
        vectors = list(table[list(tokens)] * table.shape[1] ** 0.5)
        vectors = smeared(vectors, there, self.weights.get("smear.gate"))
        positions = [self._position(place) for place in places or range(len(tokens))]
        first = second = torch.stack(vectors) + torch.stack(positions)
        for depth in range(len(self.kinds)):
            first, second = reversible_block(
                first,
                second,
                lambda x, depth=depth: self._attention(x, depth, there),
                lambda x, depth=depth: self._feed_forward(x, depth),
            )
        means = self._norm((first + second) / 2, "norm")
        logits = self._linear(means, "output")
        if "pointer.gate.weight" not in self.weights:
            return logits
        # A position copies what stands at any place up to its own; padding copies itself.
        shown = [[j for j in range(i + 1) if there[j]] or [i] for i in range(len(tokens))]
        return copied(self.weights, logits, means, means, tokens, shown)

    def _position(self, place: int) -> Tensor:
        if "positions.table" in self.weights:
            return self.weights["positions.table"][place]
        return axial_position(
            place, self.weights["positions.first"], self.weights["positions.second"]
        )

    def _norm(self, x: Tensor, name: str) -> Tensor:
        return layer_norm(x, self.weights[f"{name}.weight"], self.weights[f"{name}.bias"])

    def _linear(self, x: Tensor, name: str) -> Tensor:
        made = x @ self.weights[f"{name}.weight"].T
        return made + self.weights[f"{name}.bias"] if f"{name}.bias" in self.weights else made

    def _layer(self, name: str, depth: int) -> str:
        """The layer of this depth, or the one that all depths share."""
        own = f"{name}.{depth}"
        return own if f"{own}.norm.weight" in self.weights else f"{name}.0"

    def _dropped(self, found: Tensor, depth: int, name: str) -> Tensor:
        return found if self.dropout is None else found * self.dropout(depth, name)

    def _attention(self, x: Tensor, depth: int, present: Sequence[bool]) -> Tensor:
        layer = self._layer("attention", depth)
        normed = self._norm(x, f"{layer}.norm")
        shared = self._linear(normed, f"{layer}.shared")
        values = self._linear(normed, f"{layer}.values")
        width = shared.shape[1] // self.heads
        found = []
        for head in range(self.heads):
            part = slice(head * width, (head + 1) * width)
            q = shared[:, part]
            k = q / (q * q).sum(1, keepdim=True).sqrt()
            seen = self._seen(q, depth, head, present)
            found.append(attend(q, k, values[:, part], seen))
        out = self._linear(torch.cat(found, 1), f"{layer}.out")
        return self._dropped(out, depth, "attention")

    def _seen(self, q: Tensor, depth: int, head: int, present: Sequence[bool]) -> Keys:
        kind = self.kinds[depth]
        if kind == "full":
            return full_keys(len(q), present)
        if kind == "local":
            return local_keys(len(q), self.size, present)
        if kind == "local-chunk":
            return local_chunk_keys(len(q), self.size, present)
        rounds = [
            [bucket if there else PADDING for bucket, there in zip(buckets, present, strict=True)]
            for buckets in self._buckets(q, depth, head)
        ]
        if kind == "lsh":
            return lsh_keys(rounds, self.size)
        return lsh_chunk_keys(rounds, self.size, present)

    def _buckets(self, q: Tensor, depth: int, head: int) -> list[list[int]]:
        """For each round; all in one where there is no rotation."""
        rotation = self.rotations[depth]
        if rotation is None:
            return [[0] * len(q)]
        own = rotation[head % len(rotation)]
        return [hashed(q, own[:, number]) for number in range(own.shape[1])]

    def _feed_forward(self, x: Tensor, depth: int) -> Tensor:
        layer = self._layer("feed_forward", depth)
        inner = gelu(self._linear(self._norm(x, f"{layer}.norm"), f"{layer}.widen"))
        return self._dropped(self._linear(inner, f"{layer}.narrow"), depth, "feed-forward")


def smeared(vectors: list[Tensor], present: Sequence[bool], gate: Tensor | None) -> list[Tensor]:
    """Each vector with a share of the one before, if that is there and no padding."""
    if gate is None:
        return vectors
    share = 1 / (1 + torch.exp(-gate))
    return [
        vector + share * vectors[i - 1] if i > 0 and present[i - 1] else vector
        for i, vector in enumerate(vectors)
    ]


def copied(
    weights: Mapping[str, Tensor],
    logits: Tensor,
    hidden: Tensor,
    offered: Tensor,
    tokens: Sequence[int],
    shown: Sequence[Sequence[int]],
) -> Tensor:
    """[T, V], the logarithms of what is written or copied from the places that are shown."""
    queries = hidden @ weights["pointer.queries.weight"].T / hidden.shape[1] ** 0.5
    keys = offered @ weights["pointer.keys.weight"].T
    gate = hidden @ weights["pointer.gate.weight"].T + weights["pointer.gate.bias"]
    share = 1 / (1 + torch.exp(-gate))
    written = torch.exp(logits - logits.amax(1, keepdim=True))
    read = torch.eye(logits.shape[1], dtype=logits.dtype)[list(tokens)]
    found = shares(queries @ keys.T, shown) @ read
    return torch.log((1 - share) * written / written.sum(1, keepdim=True) + share * found)


def cross_entropy(logits: Tensor, labels: Sequence[int], no_loss: int = -100) -> Tensor:
    """Sum over the positions of [T, V] whose label is a token, in nats."""
    places = [at for at, label in enumerate(labels) if label != no_loss]
    rows = logits[places]
    highest = rows.detach().amax(1)
    totals = highest + torch.log(torch.exp(rows - highest[:, None]).sum(1))
    return totals.sum() - logits[places, [labels[at] for at in places]].sum()
