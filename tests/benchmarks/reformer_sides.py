"""The language models that `reformer.py` measures, all of one width: ours, two peers, and full
attention in one fused kernel. Each is the best that its package can do here (see `reformer.py`)."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

WIDTH, HEADS, INNER, VOCABULARY = 256, 4, 1024, 8192
ROUNDS, BUCKET = 2, 64


def load(side: str) -> None:
    """Imports what a side needs, which is no part of what is measured."""
    modules = {
        "epitome": "core.models.reformer.language_model", "reformer-pytorch": "reformer_pytorch",
        "transformers": "transformers.models.reformer.modeling_reformer", "fused": "torch",
    }  # fmt: skip
    import_module(modules[side])


def build(side: str, length: int, depth: int, **options: Any) -> "Side":
    """A model of a side, with fresh weights, for texts of one length."""
    makers = {
        "epitome": Epitome, "reformer-pytorch": ReformerPytorch, "transformers": Transformers,
        "fused": Fused,
    }  # fmt: skip
    torch.manual_seed(0)
    side_: Side = makers[side](length, depth, **options)
    return side_


class Side(nn.Module):
    """One model."""

    def mean_loss(self, tokens: Tensor, labels: Tensor, last: int | None) -> Tensor:
        """Mean cross-entropy; `last` is how many positions carry loss at the end, None for all.

        The logits of all positions are made, as the packages do, unless the side is `sliced`.
        """
        return mean_cross_entropy(self.logits(tokens), labels)

    def logits(self, tokens: Tensor) -> Tensor:
        """[1, T, V]."""
        raise NotImplementedError

    def greedy(self, prompt: Tensor, count: int) -> Iterator[int]:
        """Tokens one by one; what comes before the first is the reading of the prompt."""
        raise NotImplementedError


def mean_cross_entropy(logits: Tensor, labels: Tensor) -> Tensor:
    return F.cross_entropy(logits.flatten(0, 1), labels.flatten())


# --- ours ---


class Epitome(Side):
    """Our own model as it is set by default, but for the widths that all sides share."""

    def __init__(self, length: int, depth: int, room: int = 0, **options: Any) -> None:
        super().__init__()
        from core.models.reformer.language_model import ReformerLM
        from core.models.reformer.settings import ReformerSettings

        shape = {
            "vocabulary_size": VOCABULARY, "length": length + room, "width": WIDTH, "depth": depth,
            "heads": HEADS, "feed_forward_width": INNER, "rounds": ROUNDS, "bucket_size": BUCKET,
        }  # fmt: skip
        self.model = ReformerLM(ReformerSettings.checked({**shape, **options}))

    def greedy(self, prompt: Tensor, count: int) -> Iterator[int]:
        from core.models.reformer.decoding import ReformerDecoder

        decoder = ReformerDecoder(self.model, start_ids=(0,), end_id=0)
        state = decoder.begin([prompt[0, :-1].tolist()])
        token = prompt[:, -1]
        for _ in range(count):
            log_probs, state = decoder.advance(state, token)
            token = log_probs.argmax(-1)
            yield int(token)


# --- reformer-pytorch ---


class ReformerPytorch(Side):
    """Half the heads of each layer are local, as half our layers are: its fastest mixture here."""

    def __init__(
        self, length: int, depth: int, sliced: bool = False, room: int = 0, **options: Any
    ) -> None:
        super().__init__()
        from reformer_pytorch import ReformerLM

        length += -(length + room) % (2 * BUCKET) + room
        mixture = {"n_local_attn_heads": HEADS // 2, "ff_chunks": max(1, length // 512)}
        settings = {**mixture, "axial_position_emb": True, **options}
        self.sliced = sliced
        self.model = ReformerLM(
            VOCABULARY, WIDTH, depth, length, heads=HEADS, dim_head=WIDTH // HEADS,
            bucket_size=BUCKET, n_hashes=ROUNDS, causal=True, ff_mult=INNER // WIDTH,
            axial_position_shape=(length // BUCKET, BUCKET), return_embeddings=sliced, **settings,
        )  # fmt: skip
        self.head = nn.Linear(WIDTH, VOCABULARY) if sliced else None

    def mean_loss(self, tokens: Tensor, labels: Tensor, last: int | None) -> Tensor:
        if self.head is None or last is None:
            return super().mean_loss(tokens, labels, last)
        return mean_cross_entropy(self.head(self.model(tokens)[:, -last:]), labels[:, -last:])

    def logits(self, tokens: Tensor) -> Tensor:
        return self.model(tokens)  # type: ignore[no-any-return]

    def greedy(self, prompt: Tensor, count: int) -> Iterator[int]:
        from reformer_pytorch.generative_tools import TrainingWrapper

        wrapper, text = TrainingWrapper(self.model), prompt
        for _ in range(count):
            token = wrapper.generate(text, 1, filter_thres=1 - 1.01 / VOCABULARY)
            text = torch.cat((text, token), 1)
            yield int(token)


# --- transformers ---


class Transformers(Side):
    """`lsh` and `local` in turn, as ours; axial positions; no dropout; nothing in pieces."""

    def __init__(
        self, length: int, depth: int, sliced: bool = False, room: int = 0, **options: Any
    ) -> None:
        super().__init__()
        from transformers import ReformerConfig, ReformerModelWithLMHead
        from transformers.utils import logging

        logging.set_verbosity_error()  # type: ignore[no-untyped-call]
        rows, kinds = -(-(length + room) // BUCKET), (["lsh", "local"] * depth)[:depth]
        settings = {"attn_layers": kinds, "use_cache": False, **options}
        self.sliced = sliced
        self.model = ReformerModelWithLMHead(
            ReformerConfig(
                is_decoder=True, vocab_size=VOCABULARY, hidden_size=WIDTH,
                num_attention_heads=HEADS, attention_head_size=WIDTH // HEADS,
                feed_forward_size=INNER, num_hashes=ROUNDS, lsh_attn_chunk_length=BUCKET,
                local_attn_chunk_length=BUCKET, max_position_embeddings=rows * BUCKET,
                axial_pos_shape=(rows, BUCKET), axial_pos_embds_dim=(WIDTH // 2, WIDTH // 2),
                hidden_dropout_prob=0.0, local_attention_probs_dropout_prob=0.0,
                lsh_attention_probs_dropout_prob=0.0, **settings,
            )
        )  # fmt: skip

    def mean_loss(self, tokens: Tensor, labels: Tensor, last: int | None) -> Tensor:
        if not self.sliced or last is None:
            return super().mean_loss(tokens, labels, last)
        logits = self.model(tokens, logits_to_keep=last).logits
        return mean_cross_entropy(logits, labels[:, -last:])

    def logits(self, tokens: Tensor) -> Tensor:
        return self.model(tokens).logits  # type: ignore[no-any-return]

    def greedy(self, prompt: Tensor, count: int) -> Iterator[int]:
        out = self.model(prompt, use_cache=True, logits_to_keep=1)
        for _ in range(count):
            token = out.logits[:, -1].argmax(-1, keepdim=True)
            yield int(token)
            past = out.past_buckets_states
            out = self.model(token, past_buckets_states=past, use_cache=True)


# --- full attention ---


class FusedBlock(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attention_norm, self.inner_norm = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH, bias=False)
        self.out = nn.Linear(WIDTH, WIDTH)
        self.inner = nn.Sequential(nn.Linear(WIDTH, INNER), nn.GELU(), nn.Linear(INNER, WIDTH))

    def heads(self, x: Tensor) -> list[Tensor]:
        """Queries, keys and values, each [1, H, T, K]."""
        split = self.qkv(self.attention_norm(x)).unflatten(-1, (3, HEADS, -1))
        return [part.transpose(1, 2) for part in split.unbind(2)]

    def join(self, x: Tensor, attended: Tensor) -> Tensor:
        x = x + self.out(attended.transpose(1, 2).flatten(2))
        return x + self.inner(self.inner_norm(x))  # type: ignore[no-any-return]

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = self.heads(x)
        return self.join(x, F.scaled_dot_product_attention(q, k, v, is_causal=True))

    def advance(self, x: Tensor, keys: Tensor, values: Tensor, at: int) -> Tensor:
        """One position more; caches are [1, H, room, K]."""
        q, keys[:, :, at : at + 1], values[:, :, at : at + 1] = self.heads(x)
        seen = keys[:, :, : at + 1], values[:, :, : at + 1]
        return self.join(x, F.scaled_dot_product_attention(q, *seen))


class Fused(Side):
    """A plain pre-norm decoder with learned positions and a tied table; activations are kept."""

    def __init__(self, length: int, depth: int, sliced: bool = False, room: int = 0) -> None:
        super().__init__()
        self.sliced, self.room = sliced, length + room
        self.tokens = nn.Embedding(VOCABULARY, WIDTH)
        self.places = nn.Embedding(length + room, WIDTH)
        self.blocks: Any = nn.ModuleList(FusedBlock() for _ in range(depth))
        self.norm = nn.LayerNorm(WIDTH)
        nn.init.normal_(self.tokens.weight, std=0.02)

    def mean_loss(self, tokens: Tensor, labels: Tensor, last: int | None) -> Tensor:
        hidden = self.hidden(tokens)
        if self.sliced and last is not None:
            hidden, labels = hidden[:, -last:], labels[:, -last:]
        return mean_cross_entropy(F.linear(hidden, self.tokens.weight), labels)

    def hidden(self, tokens: Tensor) -> Tensor:
        x = self.tokens(tokens) + self.places.weight[: tokens.shape[1]]
        for block in self.blocks:
            x = block(x)
        return self.norm(x)  # type: ignore[no-any-return]

    def greedy(self, prompt: Tensor, count: int) -> Iterator[int]:
        shape = (1, HEADS, self.room, WIDTH // HEADS)
        caches = [(torch.empty(shape), torch.empty(shape)) for _ in self.blocks]
        x, seen = self.tokens(prompt) + self.places.weight[: prompt.shape[1]], prompt.shape[1]
        for block, (keys, values) in zip(self.blocks, caches, strict=True):
            q, keys[:, :, :seen], values[:, :, :seen] = block.heads(x)
            cached = keys[:, :, :seen], values[:, :, :seen]
            x = block.join(x, F.scaled_dot_product_attention(q, *cached, is_causal=True))
        for at in range(seen, seen + count):
            token = F.linear(self.norm(x[:, -1]), self.tokens.weight).argmax(-1)
            yield int(token)
            x = (self.tokens(token) + self.places.weight[at])[:, None]
            for block, (keys, values) in zip(self.blocks, caches, strict=True):
                x = block.advance(x, keys, values, at)
