"""Files that are cut, spliced and rewritten end as a document or in words, and do nothing else.

The large set is `tests/benchmarks/fuzz.py`; its rows are in `tests/benchmarks/results/fuzz.csv`.
"""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents.readers.formats import FORMATS
from core.errors import EpitomeError
from tests.helpers import fuzz_seeds
from tests.helpers.faulty_reader import FAULTS
from tests.helpers.fuzz_seeds import seeds
from tests.helpers.fuzzing import run_cases
from tests.helpers.hostile_files import TOKENS, make_case
from tests.helpers.reader_checks import check_spans, read
from tests.helpers.systems import is_wine

_SUFFIXES = {"rtf": ".rtf", "mail": ".eml", "table": ".csv", "text": ".md", "pdf": ".pdf"}


def test_every_format_has_a_whole_seed_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fuzz_seeds, "FILES", tmp_path / "not here")
    made = seeds.__wrapped__()
    assert set(made) == set(FORMATS) and made == seeds.__wrapped__()
    for files in made.values():
        for name, data in files:
            if not name.endswith((".png", ".jpg", ".tif")):
                assert "ump" in read(data, name).text, name


def test_a_case_is_the_same_in_every_process() -> None:
    assert make_case(17, 3) == make_case(17, 3)
    assert make_case(17, 3) != make_case(17, 4)


def test_hostile_files_of_every_format() -> None:
    outcomes = list(run_cases(range(100), 7, processes=2, goes_on=True))
    assert len(outcomes) == 100
    assert [one for one in outcomes if one.outcome == "finding"] == []
    assert {one.format for one in outcomes} == set(seeds())
    assert sum(one.outcome == "document" for one in outcomes) > 33


@pytest.mark.skipif(is_wine(), reason="a process takes longer to start than a fault may")
def test_the_guard_sees_every_fault() -> None:
    assert len(FAULTS) <= len(FORMATS), "each has a format"
    reader = "tests.helpers.faulty_reader:in_turn"
    outcomes = list(run_cases(range(len(FAULTS)), 1, limit_s=0.3, reader=reader, goes_on=True))
    for outcome, (fault, found) in zip(outcomes, FAULTS.items(), strict=True):
        assert (outcome.outcome == "finding") == bool(found), fault
        assert found in outcome.what, fault


@pytest.mark.parametrize("family", _SUFFIXES)
def test_any_row_of_tokens(family: str) -> None:
    tokens = st.sampled_from([token.encode("utf-8", "surrogatepass") for token in TOKENS[family]])
    parts = st.lists(tokens | st.binary(max_size=8) | st.just(b"some words "), max_size=40)
    head = {"rtf": b"{\\rtf1 ", "pdf": b"%PDF-1.4\n"}.get(family, b"")

    @given(parts)
    @settings(max_examples=40, deadline=None)
    def check(parts: list[bytes]) -> None:
        try:
            check_spans(read(head + b"".join(parts), f"a{_SUFFIXES[family]}"))
        except EpitomeError as error:
            assert error.message and error.remedy

    check()


def test_half_a_file_of_every_format() -> None:
    rng = random.Random(1)
    for files in seeds().values():
        name, data = min(files, key=lambda file: len(file[1]))
        for end in sorted(rng.sample(range(len(data)), min(5, len(data)))):
            try:
                check_spans(read(data[:end] or b" ", name))
            except EpitomeError as error:
                assert error.message and error.remedy
