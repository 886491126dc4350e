"""Hashing is the argmax of [xR; -xR], in any pieces, the same for the same seed."""

import pytest
import torch

from core.models.parts import hashing
from core.models.parts.hashing import draw_rotations, hash_vectors
from tests.helpers import reformer_twin as twin
from tests.helpers.tensors import Largest


def vectors(rows=2, length=17, heads=3, width=5, seed=0):
    source = torch.Generator().manual_seed(seed)
    return torch.randn(rows, length, heads, width, generator=source, dtype=torch.float64)


@pytest.mark.parametrize("at_once", [1, 100, 1 << 20])
@pytest.mark.parametrize("heads", [1, 3])
@pytest.mark.parametrize("buckets", [2, 4, 10, 300])
def test_buckets_are_those_of_the_twin(buckets, heads, at_once, monkeypatch):
    monkeypatch.setattr(hashing, "_SCORES_AT_ONCE", at_once)
    x, rotations = vectors(), draw_rotations(heads, 2, 5, buckets, 7)
    found = hash_vectors(x, rotations, buckets)
    assert found.dtype == torch.int16
    assert found.shape == (2, 2, 3, 17)
    for b in range(2):
        for r in range(2):
            for h in range(3):
                wanted = twin.hashed(x[b, :, h], rotations[h % heads, :, r].double())
                assert found[b, r, h].tolist() == wanted


def test_of_equals_the_first_is_taken():
    rotations = torch.ones(1, 5, 1, 4)
    x = torch.stack([torch.ones(5), -torch.ones(5), torch.zeros(5)]).view(1, 3, 1, 5)
    assert hash_vectors(x, rotations, 8)[0, 0, 0].tolist() == [0, 4, 0]


def test_one_bucket_means_no_rotation():
    rotations = draw_rotations(3, 2, 5, 1, 0)
    assert not hash_vectors(vectors(), rotations, 1).any()


def test_a_vectors_length_does_not_move_it():
    x, rotations = vectors(), draw_rotations(3, 2, 5, 8, 0)
    assert hash_vectors(x, rotations, 8).equal(hash_vectors(4 * x, rotations, 8))


def test_buckets_do_not_depend_on_what_else_is_hashed():
    x, rotations = vectors(length=30), draw_rotations(3, 2, 5, 8, 0)
    whole = hash_vectors(x, rotations, 8)
    for end in (1, 7, 29):
        assert hash_vectors(x[:1, :end], rotations, 8).equal(whole[:1, ..., :end])


def test_all_buckets_are_used_and_near_vectors_meet():
    x = vectors(rows=1, length=4000, heads=1, width=16)
    rotations = draw_rotations(1, 1, 16, 16, 0)
    found = hash_vectors(x, rotations, 16)
    assert set(found.flatten().tolist()) == set(range(16))
    near = hash_vectors(x + 0.1 * vectors(1, 4000, 1, 16, seed=1), rotations, 16)
    assert (near == found).double().mean() > 0.8
    assert (hash_vectors(-x, rotations, 16) != found).all()


def test_rotations_are_normal_and_depend_on_their_seed_alone():
    torch.manual_seed(0)
    one = draw_rotations(4, 4, 32, 64, 1, "a")
    torch.manual_seed(1)
    assert draw_rotations(4, 4, 32, 64, 1, "a").equal(one)
    assert not draw_rotations(4, 4, 32, 64, 2, "a").equal(one)
    assert one.shape == (4, 32, 4, 32)
    assert one.mean().abs() < 0.05
    assert (one.std() - 1).abs() < 0.05
    assert not one[0].equal(one[1])


def test_scores_do_not_grow_with_the_length(monkeypatch):
    monkeypatch.setattr(hashing, "_SCORES_AT_ONCE", 10_000)
    rotations = draw_rotations(3, 2, 5, 64, 0)
    for length in (200, 2000):
        x = vectors(length=length)
        with Largest() as largest:
            hash_vectors(x, rotations, 64)
        assert largest.count <= max(10_000, 2 * 2 * 3 * length)  # scores, or the buckets
    assert 2 * 3 * length * 32 > 10 * largest.count


def test_hashing_has_no_gradient_and_takes_half_precision():
    x = vectors().requires_grad_()
    rotations = draw_rotations(3, 2, 5, 8, 0)
    assert not hash_vectors(x, rotations, 8).requires_grad
    rough = x.detach().bfloat16()
    assert hash_vectors(rough, rotations, 8).equal(hash_vectors(rough.float(), rotations, 8))


def test_mixed_precision_leaves_the_buckets_as_they_are():
    x, rotations = vectors(1, 2000, 1, 16).float(), draw_rotations(1, 2, 16, 64, 7)
    wanted = hash_vectors(x, rotations, 64)
    with torch.autocast("cpu", torch.bfloat16):
        assert hash_vectors(x, rotations, 64).equal(wanted)
