"""The shipped ranker: it reads what the program sees, and judges words, pairs and sentences."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.distribution.resources import resource
from core.documents.document import Block, Document, Kind, Source
from core.stop import Stopping, StopToken
from core.summarisers.features.extraction import Features
from core.summarisers.scoring.quality import TARGETS
from core.summarisers.scoring.ranker import (
    MIN_WORD_PROB,
    Ranker,
    RankerOutput,
    pair_table,
    word_table,
)
from core.summarisers.scoring.scores import shipped_quality_model, shipped_ranker
from tests.helpers.corpora import TEXTS
from tests.helpers.ranking import extract, score

SHIPPED = resource("ranker", "ranker.npz")


def document_of(*texts: str) -> Document:
    blocks = [Block(text) for text in texts]
    return Document.from_blocks(blocks, title="Pumps", source=Source("a.txt"))


def predict(*texts: str) -> tuple[Features, RankerOutput]:
    features = extract(document_of(*texts))
    return features, shipped_ranker().predict(features, StopToken())


def test_the_shipped_models_read_all_features_in_their_order() -> None:
    ranker, model = shipped_ranker(), shipped_quality_model()
    features, output = predict(*TEXTS[:3])
    words = word_table(output.words, features, ranker.background)
    pairs = pair_table(output.pairs, features, output.words, output.word_probs)
    assert (words.names, pairs.names) == (ranker.words.names, ranker.pairs.names)
    assert output.table.names == ranker.sentences.names
    table = score(document_of(*TEXTS[:3])).table
    for trees in model.trees.values():
        assert (*table.names, *(f"phrases: {name}" for name in TARGETS)) == trees.names


def test_pairs_are_of_words_that_are_not_improbable() -> None:
    _, output = predict(*TEXTS)
    words, pairs = output.words, output.pairs
    chances = dict(zip(words.keys.tolist(), output.word_probs.tolist(), strict=True))
    held = [divmod(key, pairs.num_words) for key in pairs.keys.tolist()]
    assert held
    assert all(chances[word] >= MIN_WORD_PROB for pair in held for word in pair)
    assert min(chances.values()) < MIN_WORD_PROB


def test_in_another_language_its_function_words_are_as_common_as_those_of_english() -> None:
    english = shipped_ranker().background
    german = english.translate(["der", "die", "und"])
    rows = german.row_indices(["und", "der", "bruck"])
    assert rows.tolist() == [2, 0, 3]
    known = np.sort(english.idf[:-1])
    assert german.idf[:3].tolist() == known[:3].tolist()
    assert (german.idf[3], german.rates[3]) == (english.idf[-1], english.rates[-1])
    assert len(english.translate([]).idf) == 1


def test_the_file_is_small_plain_and_the_same_again(tmp_path: Path) -> None:
    Ranker.load(SHIPPED).save(tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == SHIPPED.read_bytes()
    assert SHIPPED.stat().st_size < 2 * 2**20


@given(st.lists(st.text(max_size=60), max_size=6))
def test_any_text_is_judged(texts: list[str]) -> None:
    kinds = [Kind.PARAGRAPH, Kind.HEADING, Kind.LIST_ITEM]
    blocks = [Block(text, kinds[n % 3], n % 3 == 1) for n, text in enumerate(texts)]
    document = Document.from_blocks(blocks, title="", source=Source("a.txt"))
    features = extract(document)
    output = shipped_ranker().predict(features, StopToken())
    assert np.isfinite(output.utility).all()
    assert len(output.utility) == len(features.stems)
    for probs in (output.word_probs, output.pair_probs):
        assert ((probs > 0) & (probs < 1)).all()


def test_the_words_that_a_text_is_about_are_expected() -> None:
    text = (
        "Heat pumps move heat from cold places to warm ones. A heat pump needs less power than a "
        "heater. Yesterday my uncle came by bus. Heat pumps are cheap to run where power is cheap."
    )
    features, output = predict(text, text.replace("uncle", "aunt"))
    values = {
        features.stems.spellings[key]: value
        for key, value in zip(output.words.keys.tolist(), output.word_probs.tolist(), strict=True)
    }
    assert min(values["heat"], values["pump"]) > max(values["uncle"], values["bus"])


def test_a_request_to_stop_is_obeyed() -> None:
    features, stop = extract(document_of("A pump moves heat.")), StopToken()
    stop.request("cancel")
    with pytest.raises(Stopping):
        shipped_ranker().predict(features, stop)
