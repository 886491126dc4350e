"""Fixtures: with which products of matrices tests train."""

import sys
from collections.abc import Callable, Iterator

import pytest

Choose = Callable[[], str]


@pytest.fixture(scope="module", autouse=True)
def products_of_tiny_steps() -> Iterator[Choose | None]:
    """Trains as on a processor without AVX-512; gives what chooses the products elsewhere.

    Products of oneDNN plan each new shape, which takes half the time of a run of a few tiny steps.
    """
    if "torch" not in sys.modules:  # what trains nothing need not load it
        yield None
        return
    from core.models.parts import products

    best = products.best_products
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(products, "best_products", lambda: "blas")
        yield best


@pytest.fixture
def products_of_processes(
    products_of_tiny_steps: Choose | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Trains with the products of other processes, for runs that are compared with theirs."""
    monkeypatch.setattr("core.models.parts.products.best_products", products_of_tiny_steps)
