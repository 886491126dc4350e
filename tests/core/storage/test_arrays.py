"""Arrays in files."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

from core.storage.arrays import read_array, read_span, write_array
from tests.helpers.damage import DAMAGES

MADE = arrays.arrays(
    st.sampled_from([np.int32, np.int64, np.float64]),
    arrays.array_shapes(min_dims=1, max_dims=3, min_side=0),
    elements={"allow_nan": False},
)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("arrays") / "values.npy"


@given(MADE)
def test_what_was_written_is_read_and_numpy_reads_it_too(
    file: Path, made: NDArray[np.generic]
) -> None:
    write_array(file, made)
    assert np.array_equal(read_array(file, made.shape, made.dtype), made)
    assert np.array_equal(np.load(file), made)
    for shape, dtype in (((*made.shape, 1), made.dtype), (made.shape, np.uint8)):
        with pytest.raises(ValueError, match="another array"):
            read_array(file, shape, dtype)


@given(st.integers(0, 20), st.integers(0, 20))
def test_some_numbers_are_those_of_the_whole(file: Path, start: int, count: int) -> None:
    whole = np.arange(17) ** 2
    write_array(file, whole)
    if start + count <= 17:
        found = read_span(file, start, count, np.int64)
        assert found.tolist() == whole[start : start + count].tolist()
    elif count:
        with pytest.raises(ValueError, match="buffer"):
            read_span(file, start, count, np.int64)


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_damaged_is_never_read_as_if_it_were_whole(tmp_path: Path, damage: str) -> None:
    file, made = tmp_path / "values.npy", np.arange(5_000.0)
    write_array(file, made)
    DAMAGES[damage](file)
    with pytest.raises((OSError, ValueError)):
        read_array(file, made.shape, made.dtype)
