"""A corpus becomes tokens once for each tokenizer; what was cut short goes on."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.data.corpus import open_corpus
from core.data.examples import Examples, open_examples, tokenise
from core.data.gaps import summary_parts
from core.data.preparing import prepare
from core.data.settings import CorpusSettings, Make
from core.data.tokenizer import Tokenizer
from core.data.tokens import tokens_folder
from core.errors import EpitomeError
from core.events import Progress, result_of
from core.stop import Stopping, StopToken
from tests.helpers.corpora import SUMMARIES, TEXTS, write_pairs

TOKENIZER = Tokenizer.train([*TEXTS, *SUMMARIES], 400)
Maker = Callable[..., Path]


@pytest.fixture
def made(tmp_path: Path) -> Maker:
    """Makes a corpus of 60 pairs, two of which spell special tokens."""

    def make(what: Make, **settings: Any) -> Path:
        source = write_pairs(tmp_path / "pairs.parquet", TEXTS, SUMMARIES)
        chosen = CorpusSettings.checked({"make": what, "split": "90/10/0"} | settings)
        folder = tmp_path / what
        steps = prepare((str(source),), chosen, folder, StopToken())
        for _ in steps:
            pass
        result_of(tokenise(folder, TOKENIZER, StopToken()))
        return folder

    return make


def both(folder: Path) -> tuple[list[dict[str, Any]], Examples]:
    rows = open_corpus(folder).rows("train")
    examples = open_examples(folder, TOKENIZER, "train")
    assert len(rows) == len(examples) == 54
    return list(rows), examples


def test_pairs_come_back_as_they_were(made: Maker) -> None:
    rows, examples = both(made("pairs"))
    assert examples.make == "pairs"
    for number, row in enumerate(rows):
        found = examples[number]
        assert found.summary is not None
        assert TOKENIZER.decode(found.source.tolist()) == row["document"]
        assert TOKENIZER.decode(found.summary.tolist()) == row["summary"]
        assert examples.lengths[number].tolist() == [len(found.source), len(found.summary)]
        assert found.source.dtype == np.int32 and not found.source.flags.writeable


def test_plain_text_has_no_summary(made: Maker) -> None:
    rows, examples = both(made("text"))
    assert [TOKENIZER.decode(examples[n].source.tolist()) for n in range(len(rows))] == [
        row["document"] for row in rows
    ]
    assert examples[0].summary is None
    assert not examples.lengths[:, 1].any()


@pytest.mark.parametrize("masking", ["mask", "remove", "keep"])
def test_gap_sentences_stand_where_the_mask_is(made: Maker, masking: str) -> None:
    rows, examples = both(made("gsg", masking=masking))
    for number, row in enumerate(rows):
        found = examples[number]
        assert found.summary is not None
        assert TOKENIZER.decode(found.summary.tolist()) == "".join(summary_parts(row["gaps"]))
        masks = np.flatnonzero(found.source == TOKENIZER.special.mask).tolist()
        assert masks == (found.gaps[:, 0].tolist() if masking == "mask" else [])
        starts = [0, *found.gaps[:-1, 1].tolist()]
        sentences = [
            TOKENIZER.decode(found.summary[start:end].tolist()).strip()
            for start, end in zip(starts, found.gaps[:, 1].tolist(), strict=True)
        ]
        assert sentences == [gap.strip() for gap in row["gaps"]]
        if masking == "keep":
            whole = "".join(
                part
                for pair in zip(row["pieces"], [*row["gaps"], ""], strict=True)
                for part in pair
            )
            assert TOKENIZER.decode(found.source.tolist()) == whole


def test_text_that_spells_the_mask_is_no_mask(tmp_path: Path) -> None:
    texts = [f"{text} It wrote <MASK> and <EOS>. That was number {n}." for n, text in
             enumerate(TEXTS)]  # fmt: skip
    source = write_pairs(tmp_path / "pairs.parquet", texts, SUMMARIES)
    settings = CorpusSettings(make="gsg", split="90/10/0")
    for _ in prepare((str(source),), settings, tmp_path / "c", StopToken()):
        pass
    result_of(tokenise(tmp_path / "c", TOKENIZER, StopToken()))
    rows, examples = both(tmp_path / "c")
    for number, row in enumerate(rows):
        masks = int((examples[number].source == TOKENIZER.special.mask).sum())
        assert masks == len(row["gaps"]) - sum(row["stays"])


def test_it_is_done_once(made: Maker) -> None:
    folder = made("pairs")
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    result_of(tokenise(folder, TOKENIZER, StopToken()))
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before


def test_what_was_cut_short_is_not_there_and_goes_on(made: Maker) -> None:
    folder = made("pairs")
    other = Tokenizer.train(TEXTS, 420)
    stop = StopToken()
    with pytest.raises(Stopping):
        for progress in tokenise(folder, other, stop):
            if progress.done >= 54:  # the part of the first split is whole
                stop.request("stop")
    with pytest.raises(EpitomeError, match=r"is not tokenised with this tokenizer .* Tokenise it"):
        open_examples(folder, other, "train")
    (growing,) = folder.glob("tokens-*.preparing")
    part = growing / "train-00000.arrow"
    before = part.stat().st_mtime_ns
    (growing / "validation-00000.arrow.1.tmp").write_bytes(b"half")
    tokens = result_of(tokenise(folder, other, StopToken()))
    assert (tokens / part.name).stat().st_mtime_ns == before
    assert not growing.exists()
    assert sorted(path.name for path in tokens.iterdir()) == [
        "train-00000.arrow",
        "validation-00000.arrow",
    ]
    assert len(open_examples(folder, other, "validation")) == 6


@pytest.mark.parametrize("share", [0.0, 0.5])
def test_a_part_that_a_power_cut_has_damaged_is_written_again(made: Maker, share: float) -> None:
    folder = made("pairs")
    tokens = tokens_folder(open_corpus(folder), TOKENIZER)
    before = {path.name: path.read_bytes() for path in tokens.iterdir()}
    growing = tokens.rename(f"{tokens}.preparing")
    part = growing / "train-00000.arrow"
    os.truncate(part, int(share * part.stat().st_size))
    result_of(tokenise(folder, TOKENIZER, StopToken()))
    assert {path.name: path.read_bytes() for path in tokens.iterdir()} == before


@pytest.fixture
def without_tokens(made: Maker) -> Path:
    folder = made("pairs")
    shutil.rmtree(tokens_folder(open_corpus(folder), TOKENIZER))
    return folder


def test_who_needs_tokens_that_another_process_makes_waits_for_them(without_tokens: Path) -> None:
    first, second = (tokenise(without_tokens, TOKENIZER, StopToken()) for _ in range(2))
    next(first)
    assert next(second) == Progress(0, 0, "documents", "Waiting for another process that tokenises")
    found = result_of(first)
    assert result_of(second) == found and found.is_dir()


def test_the_wait_for_tokens_of_another_process_can_be_stopped(without_tokens: Path) -> None:
    stop = StopToken()
    first = tokenise(without_tokens, TOKENIZER, StopToken())
    second = tokenise(without_tokens, TOKENIZER, stop)
    next(first)
    next(second)
    stop.request("pause")
    with pytest.raises(Stopping):
        next(second)
    assert result_of(first).is_dir()


def test_fingerprints_tell_tokenizers_and_splits_apart(made: Maker) -> None:
    folder = made("pairs")
    other = Tokenizer.train(TEXTS, 420)
    result_of(tokenise(folder, other, StopToken()))
    found = {
        open_examples(folder, tokenizer, split).fingerprint
        for tokenizer in (TOKENIZER, other)
        for split in ("train", "validation")
    }
    assert len(found) == 4


def test_what_cannot_be_opened_is_told(made: Maker, tmp_path: Path) -> None:
    folder = made("pairs")
    with pytest.raises(EpitomeError, match=r"no split “test”; it has train and validation\."):
        open_examples(folder, TOKENIZER, "test")
    with pytest.raises(EpitomeError, match=r"There is no corpus in .* Prepare one with"):
        open_examples(tmp_path / "none", TOKENIZER, "train")
    (tokens,) = folder.glob("tokens-*")
    part = tokens / "train-00000.arrow"
    part.write_bytes(part.read_bytes()[:-100])
    with pytest.raises(EpitomeError, match=r"are damaged .* Delete that folder"):
        open_examples(folder, TOKENIZER, "train")
    part.unlink()
    with pytest.raises(EpitomeError, match=r"are damaged \(0 of 54 rows were found\)"):
        open_examples(folder, TOKENIZER, "train")
