"""The tokens of gap sentences that are looked at are those of the corpus that is made of them."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from core.data.corpus import open_corpus
from core.data.examples import open_examples, tokenise
from core.data.tokenizer import Tokenizer
from core.events import result_of
from core.gsg.settings import GapPairSettings
from core.jobs.corpora.browse_corpus import OpenCorpusJob
from core.jobs.corpora.count_gap_tokens import CountGapTokensJob
from core.jobs.corpora.measure_corpus import MeasureTokensJob
from core.jobs.corpora.shade_gaps import OrderGapsJob, num_gaps
from core.stop import StopToken
from tests.helpers.prepared import pairs_corpus, prepare, result

WAYS = [
    {},
    {"masking": "remove", "ratio": 0.6},
    {"masking": "keep"},
    {"masking": "mask", "left_in": 0.5, "ratio": 0.6},
]


@pytest.mark.parametrize("values", WAYS, ids=str)
def test_they_are_those_that_training_reads(tmp_path: Path, values: dict[str, object]) -> None:
    first = pairs_corpus(tmp_path / "first", split="60/20/20")
    result(MeasureTokensJob(first, size=320))
    folder = first / "tokenizer-320"
    tokenizer = Tokenizer.load(folder)
    made = prepare(tmp_path / "made", [first], make="gsg", **values)
    result_of(tokenise(made, tokenizer, StopToken()))
    splits = open_corpus(made).splits
    trained = np.concatenate([open_examples(made, tokenizer, each).lengths for each in splits])
    settings = GapPairSettings.checked(values)
    for number in (0, 31, 59):
        order = result(OrderGapsJob(first, number, settings))
        picked = order.order[: num_gaps(order.num_scorable, settings, number)]
        chosen = tuple(sorted(int(each) for each in picked))
        found = result(CountGapTokensJob(first, number, chosen, settings, folder))
        assert [found.input, found.target] == trained[number].tolist()


def test_a_corpus_knows_the_tokenizer_that_was_made_for_it(tmp_path: Path) -> None:
    corpus = pairs_corpus(tmp_path / "corpus")
    assert result(OpenCorpusJob(corpus)).tokenizer is None
    counted = result(MeasureTokensJob(corpus, size=320))
    assert counted.folder == corpus / "tokenizer-320"
    assert result(OpenCorpusJob(corpus)).tokenizer == corpus / "tokenizer-320"
    elsewhere = shutil.copytree(counted.folder, tmp_path / "mine")
    assert result(MeasureTokensJob(corpus, elsewhere)).folder == elsewhere
