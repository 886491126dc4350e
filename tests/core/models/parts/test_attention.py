"""Each attention kind is its plain twin, in values and gradients, whatever the length."""

from collections.abc import Callable

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from core.models.parts import block_attention
from core.models.parts.attention import (
    full_attention,
    local_attention,
    local_chunk_attention,
    lsh_attention,
    lsh_chunk_attention,
)
from tests.helpers import reformer_twin as twin

W = 4
LENGTHS = [1, 2, W - 1, W, W + 1, 2 * W - 1, 2 * W, 2 * W + 1, 13, 23]
CLOSE = {"rtol": 0, "atol": 1e-10}
Attention = Callable[[Tensor, Tensor, Tensor], Tensor]


def qkv(rows, heads, length, width=6, seed=0):
    source = torch.Generator().manual_seed(seed + 1000 * length)
    shape = (3, rows, heads, length, width)
    return torch.randn(shape, generator=source, dtype=torch.float64).unbind()


def value_and_gradients(attention: Attention, tensors, counts=None):
    """The result, and the gradients of a random sum of it; only where `counts` ([B, T])."""
    leaves = [each.clone().requires_grad_() for each in tensors]
    result = attention(*leaves)
    weights = qkv(*result.shape, seed=1)[0]
    if counts is not None:
        weights = weights * counts[:, None, :, None]
        result = result * counts[:, None, :, None]
    gradients = torch.autograd.grad((result * weights).sum(), leaves)
    return [result.detach(), *gradients]


def assert_same(ours: Attention, plain: Attention, tensors, counts=None):
    names = ["values", "gradient of q", "gradient of k", "gradient of v"]
    found = value_and_gradients(ours, tensors, counts)
    wanted = value_and_gradients(plain, tensors, counts)
    for name, ours_now, plain_now in zip(names, found, wanted, strict=True):
        assert ours_now.isfinite().all(), name
        torch.testing.assert_close(
            ours_now, plain_now, **CLOSE, msg=lambda told, name=name: f"{name}: {told}"
        )


def presents(length):
    """Padding left, right, both, none, and a row that is one token or entirely padding."""
    places = torch.arange(length)
    third = length // 3
    return torch.stack(
        [
            places >= third,
            places < length - third,
            (places >= third) & (places < length - third),
            places >= 0,
            places == length - 1,
            places == 0,
            places < 0,
        ]
    )


def plain_of(keys_of, **options) -> Attention:
    return lambda q, k, v: twin.attention(q, k, v, keys_of, **options)


def kinds_of(buckets, present):
    """Every kind as a function of q, k, v."""
    padded = torch.where(present[:, None, None], buckets, torch.tensor(32_766).short())
    return {
        "full": lambda q, k, v: full_attention(q, k, v, present),
        "local": lambda q, k, v: local_attention(q, k, v, W, present),
        "lsh": lambda q, k, v: lsh_attention(q, k, v, padded, W),
        "local-chunk": lambda q, k, v: local_chunk_attention(q, k, v, W, present),
        "lsh-chunk": lambda q, k, v: lsh_chunk_attention(q, k, v, padded, W, present),
    }


KINDS = ["full", "local", "lsh", "local-chunk", "lsh-chunk"]


# --- full and local ---


@pytest.mark.parametrize("self_last", [True, False])
@pytest.mark.parametrize("causal", [True, False])
def test_full_is_its_twin(causal, self_last):
    for length in LENGTHS:
        assert_full(length, causal, self_last)


def assert_full(length, causal, self_last):
    present = presents(length)
    options = {"causal": causal, "self_last": self_last}
    tensors = qkv(len(present), 2, length)
    assert_same(
        lambda q, k, v: full_attention(q, k, v, present, **options),
        plain_of(
            lambda b, h: twin.full_keys(length, present[b].tolist(), causal), self_last=self_last
        ),
        tensors,
        present,
    )
    assert_same(
        lambda q, k, v: full_attention(q, k, v, **options),
        plain_of(lambda b, h: twin.full_keys(length, None, causal), self_last=self_last),
        [each[:2] for each in tensors],
    )


@pytest.mark.parametrize("self_last", [True, False])
@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("window", [1, 2, W, 40])
def test_local_is_its_twin(window, causal, self_last):
    for length in LENGTHS:
        assert_local(length, window, causal, self_last)


def assert_local(length, window, causal, self_last):
    present = presents(length)
    options = {"causal": causal, "self_last": self_last}
    tensors = qkv(len(present), 1, length)
    assert_same(
        lambda q, k, v: local_attention(q, k, v, window, present, **options),
        plain_of(
            lambda b, h: twin.local_keys(length, window, present[b].tolist(), causal),
            self_last=self_last,
        ),
        tensors,
        present,
    )
    assert_same(
        lambda q, k, v: local_attention(q, k, v, window, **options),
        plain_of(lambda b, h: twin.local_keys(length, window, None, causal), self_last=self_last),
        [each[:1] for each in tensors],
    )


@pytest.mark.parametrize("self_last", [True, False])
@pytest.mark.parametrize("chunk", [1, 2, W, 40])
def test_local_chunk_is_its_twin(chunk, self_last):
    for length in LENGTHS:
        assert_local_chunk(length, chunk, self_last)


def assert_local_chunk(length, chunk, self_last):
    present = presents(length)
    tensors = qkv(len(present), 1, length)
    assert_same(
        lambda q, k, v: local_chunk_attention(q, k, v, chunk, present, self_last=self_last),
        plain_of(
            lambda b, h: twin.local_chunk_keys(length, chunk, present[b].tolist()),
            self_last=self_last,
        ),
        tensors,
        present,
    )
    assert_same(
        lambda q, k, v: local_chunk_attention(q, k, v, chunk, self_last=self_last),
        plain_of(lambda b, h: twin.local_chunk_keys(length, chunk), self_last=self_last),
        [each[:1] for each in tensors],
    )


# --- lsh ---

BUCKETS = ["random", "few", "all alike", "all different", "alike in every round", "nearly alike"]


def buckets_of(style, rows, rounds, heads, length, seed=0):
    """[B, R, H, T] int16."""
    source = torch.Generator().manual_seed(seed)
    shape = (rows, rounds, heads, length)
    drawn = torch.randint(0, {"few": 2}.get(style, 5), shape, generator=source)
    if style == "all alike":
        drawn = torch.zeros(shape, dtype=torch.int64)
    elif style == "all different":
        drawn = torch.rand(shape, generator=source).argsort(-1)
    elif style == "alike in every round":
        drawn = drawn[:, :1].expand(shape)
    elif style == "nearly alike":
        other = torch.rand(shape, generator=source) < 0.15
        drawn = torch.where(other, drawn, drawn[:, :1])
    return drawn.to(torch.int16).contiguous()


def assert_lsh(buckets, window, tensors):
    assert_same(
        lambda q, k, v: lsh_attention(q, k, v, buckets, window),
        plain_of(lambda b, h: twin.lsh_keys(buckets[b, :, h].tolist(), window)),
        tensors,
    )


def assert_lsh_chunk(buckets, chunk, tensors, present=None):
    def keys_of(b, h):
        row = None if present is None else present[b].tolist()
        return twin.lsh_chunk_keys(buckets[b, :, h].tolist(), chunk, row)

    assert_same(
        lambda q, k, v: lsh_chunk_attention(q, k, v, buckets, chunk, present),
        plain_of(keys_of),
        tensors,
        present,
    )


@pytest.mark.parametrize("check", [assert_lsh, assert_lsh_chunk])
@pytest.mark.parametrize("style", BUCKETS)
@pytest.mark.parametrize("rounds", range(1, 9))
def test_hashed_kinds_are_their_twins_in_any_round(rounds, style, check):
    check(buckets_of(style, 2, rounds, 1, 6, seed=1), W, qkv(2, 1, 6))
    check(buckets_of(style, 1, rounds, 2, 17), W, qkv(1, 2, 17))


@pytest.mark.parametrize("check", [assert_lsh, assert_lsh_chunk])
@pytest.mark.parametrize("window", [1, 2, W, 40])
@pytest.mark.parametrize("style", BUCKETS)
def test_hashed_kinds_are_their_twins_at_any_length(style, window, check):
    for length in LENGTHS:
        check(buckets_of(style, 1, 2, 1, length), window, qkv(1, 1, length))


@pytest.mark.parametrize("check", [assert_lsh, assert_lsh_chunk])
@settings(max_examples=30, deadline=None)
@given(st.data())
def test_hashed_kinds_are_their_twins_on_any_buckets(check, data):
    length = data.draw(st.integers(1, 12))
    rounds = data.draw(st.integers(1, 4))
    row = st.lists(st.integers(0, 3), min_size=length, max_size=length)
    drawn = data.draw(st.lists(row, min_size=rounds, max_size=rounds))
    buckets = torch.tensor(drawn, dtype=torch.int16)[None, :, None]
    check(buckets, data.draw(st.integers(1, 6)), qkv(1, 1, length))


@pytest.mark.parametrize("check", [assert_lsh, assert_lsh_chunk])
@pytest.mark.parametrize("length", [64, 129, 300])
def test_hashed_kinds_are_their_twins_at_their_own_size(length, check):
    for style in ["few", "nearly alike"]:
        check(buckets_of(style, 1, 2, 2, length), 64, qkv(1, 2, length, width=16))


@pytest.mark.parametrize("rounds", [1, 3])
@pytest.mark.parametrize("length", [1, W, 2 * W + 1, 19])
def test_padding_in_a_bucket_of_its_own_is_seen_by_no_one(length, rounds):
    present = presents(length)
    for style in ["random", "nearly alike"]:
        buckets = buckets_of(style, len(present), rounds, 1, length)
        padded = torch.where(present[:, None, None], buckets, torch.tensor(32_766).short())
        tensors = qkv(len(present), 1, length)
        assert_same(
            lambda q, k, v, padded=padded: lsh_attention(q, k, v, padded, W),
            plain_of(
                lambda b, h, padded=padded: twin._that_are_there(
                    twin.lsh_keys(padded[b, :, h].tolist(), W), present[b].tolist()
                )
            ),
            tensors,
            present,
        )
        assert_lsh_chunk(padded, W, tensors, present)


@pytest.mark.parametrize("rounds", [1, 3])
@pytest.mark.parametrize("length", [1, 7, 64, 65])
def test_lsh_with_one_bucket_and_a_wide_window_is_dense_attention(length, rounds):
    buckets = torch.zeros(2, rounds, 3, length, dtype=torch.int16)
    tensors = qkv(2, 3, length)
    dense = plain_of(lambda b, h: twin.full_keys(length))
    for window in (length, 2 * length, 100):
        assert_same(
            lambda q, k, v, window=window: lsh_attention(q, k, v, buckets, window), dense, tensors
        )


@pytest.mark.parametrize("kind", KINDS)
def test_without_keys_the_queries_are_scaled_to_be_keys(kind):
    """As in the model: gradients of q flow through both of its parts."""
    for length in (1, W, 2 * W + 1, 19):
        present = presents(length)[:4]
        attention = kinds_of(buckets_of("nearly alike", 4, 2, 2, length), present)[kind]
        q, _, v = qkv(4, 2, length)

        def shared(q, v, attention=attention):
            return attention(q, None, v)

        def scaled(q, v, attention=attention):
            keys = torch.stack(
                [q[..., i, :] / q[..., i, :].norm(dim=-1, keepdim=True) for i in range(q.shape[2])],
                2,
            )
            return attention(q, keys, v)

        found = value_and_gradients(shared, (q, v), present)
        for ours, plain in zip(found, value_and_gradients(scaled, (q, v), present), strict=True):
            torch.testing.assert_close(ours, plain, **CLOSE)


@pytest.mark.parametrize("own_keys", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_gradcheck(kind, own_keys):
    present = presents(7)[2:3]
    attention = kinds_of(buckets_of("few", 1, 2, 1, 7), present)[kind]
    q, k, v = (each.requires_grad_() for each in qkv(1, 1, 7, width=3))
    at = present[:, None, :, None].double()
    if own_keys:
        assert torch.autograd.gradcheck(lambda q, k, v: attention(q, k, v) * at, (q, k, v))
    else:
        assert torch.autograd.gradcheck(lambda q, v: attention(q, None, v) * at, (q, v))


@pytest.mark.parametrize("window", [64, 600])
def test_many_buckets_and_wide_windows_stay_exact_in_single_precision(window):
    """Keys met twice are found by numbers that must not be rounded."""
    length = 2 * window + 77
    buckets = buckets_of("few", 1, 1, 1, length).expand(1, 2, 1, length) + 32_700
    q, k, v = qkv(1, 1, length, width=8)
    exact = lsh_attention(q, k, v, buckets.contiguous(), window)
    rough = lsh_attention(q.float(), k.float(), v.float(), buckets.contiguous(), window)
    torch.testing.assert_close(rough.double(), exact, rtol=0, atol=1e-5)


def test_a_scale_of_ones_own_is_obeyed():
    q, k, v = qkv(2, 2, 11)
    present = presents(11)[:2]
    seen = {
        full_attention: lambda b, h: twin.full_keys(11, present[b].tolist()),
        local_attention: lambda b, h: twin.local_keys(11, W, present[b].tolist()),
    }
    for kind, keys_of in seen.items():
        window = [] if kind is full_attention else [W]
        found = kind(q, k, v, *window, present, scale=0.7)
        wanted = twin.attention(q, k, v, keys_of, scale=0.7)
        at = present[:, None, :, None].double()
        torch.testing.assert_close(found * at, wanted * at, **CLOSE)


# --- awkward numbers ---


def awkward(kind, q, k, v):
    length = q.shape[2]
    present = presents(length)[: q.shape[0]]
    attention = kinds_of(buckets_of("few", q.shape[0], 2, q.shape[1], length), present)[kind]
    leaves = [each.clone().requires_grad_() for each in (q, k, v)]
    result = attention(*leaves)
    return result, torch.autograd.grad(result.float().sum(), leaves)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
@pytest.mark.parametrize("kind", KINDS)
def test_huge_numbers_and_empty_rows_give_no_nan(kind, dtype):
    for size in (0.0, 1.0, 100.0, 1e4):
        q, k, v = (each.to(dtype) for each in qkv(7, 1, 11))
        k = torch.nn.functional.normalize(k, dim=-1)
        result, gradients = awkward(kind, q * size, k, v)
        assert result.dtype == torch.promote_types(result.dtype, dtype)
        assert result.isfinite().all()
        assert all(each.isfinite().all() for each in gradients)


@pytest.mark.parametrize("kind", KINDS)
def test_tokens_all_alike_give_what_they_say(kind):
    q, k, v = (each[:, :, :1].expand(-1, -1, 11, -1) for each in qkv(4, 1, 11))
    result, gradients = awkward(kind, q, k, v)
    at = presents(11)[:4, None, :, None].double()
    torch.testing.assert_close(result * at, v * at, **CLOSE)
    assert all(each.isfinite().all() for each in gradients)


@pytest.mark.parametrize("kind", KINDS)
def test_an_earlier_result_never_looks_at_what_is_later(kind):
    """Given the buckets; what the choice of buckets does is a matter of the model."""
    q, k, v = qkv(1, 2, 23)
    present = torch.ones(1, 23, dtype=torch.bool)
    attention = kinds_of(buckets_of("few", 1, 2, 2, 23), present)[kind]
    leaves = [each.clone().requires_grad_() for each in (q, k, v)]
    result = attention(*leaves)
    for i in range(23):
        for each in torch.autograd.grad(result[:, :, i].sum(), leaves, retain_graph=True):
            assert not each[:, :, i + 1 :].any()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("kind", KINDS)
def test_half_precision_masks_as_well_as_double(kind, dtype):
    """Values of one hot place each: any weight on a masked place would be seen."""
    length = 23
    present = presents(length)[:4]
    q, k, _ = qkv(4, 1, length, width=32)
    v = torch.eye(length, dtype=torch.float64).expand(4, 1, -1, -1)
    v = torch.nn.functional.pad(v, (0, 32 - length))
    attention = kinds_of(buckets_of("few", 4, 2, 1, length), present)[kind]
    exact = attention(q, k, v)
    rough = attention(q.to(dtype), k.to(dtype), v.to(dtype)).double()
    at = present[:, None, :, None]
    assert not rough[at.expand_as(rough) & (exact == 0)].any()
    assert ((rough - exact).abs() * at).max() < {torch.float16: 5e-3, torch.bfloat16: 4e-2}[dtype]


@pytest.mark.parametrize("kind", ["local", "lsh"])
def test_vectors_may_lie_in_memory_in_any_way(kind, monkeypatch):
    """The library's kernel reads wrong numbers where those of a vector are not side by side."""
    monkeypatch.setattr(block_attention, "_PIECE", W)
    tensors = [x[:1, :1] for x in qkv(1, 1, 23)]
    buckets = torch.zeros(1, 1, 1, 23, dtype=torch.int16)

    def attend(q, k, v):
        return {"local": local_attention, "lsh": lsh_attention}[kind](
            q, k, v, *(() if kind == "local" else (buckets,)), W
        )

    apart = [x.transpose(2, 3).contiguous().transpose(2, 3) for x in tensors]
    leaves = [x.requires_grad_() for x in apart]
    found = attend(*leaves)
    torch.testing.assert_close(found, attend(*tensors), **CLOSE)
    pull = qkv(*found.shape, seed=1)[0]
    gradients = torch.autograd.grad(found, leaves, pull.transpose(2, 3).contiguous().mT)
    for ours, wanted in zip(gradients, value_and_gradients(attend, tensors)[1:], strict=True):
        torch.testing.assert_close(ours, wanted, **CLOSE)
