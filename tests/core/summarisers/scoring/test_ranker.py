"""The shipped ranker: it reads what the program sees, and judges words, pairs and sentences."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.distribution.resources import resource
from core.documents.document import Block, Document, Kind, Source
from core.events import result_of
from core.stop import Stopping, StopToken
from core.summarisers.built_in import candidates_of, shipped_ranker
from core.summarisers.features.extraction import Signals
from core.summarisers.scoring.ranker import (
    LIKELY,
    Judgement,
    Ranker,
    pair_table,
    sentence_table,
    word_table,
)
from tests.helpers.corpora import TEXTS

SHIPPED = resource("ranker", "ranker.npz")


def seen(*texts: str) -> Signals:
    blocks = [Block(text) for text in texts]
    document = Document.from_blocks(blocks, title="Pumps", source=Source("a.txt"))
    return result_of(candidates_of(document, StopToken())).signals


def judged(*texts: str) -> tuple[Signals, Judgement]:
    found = seen(*texts)
    return found, shipped_ranker().judge(found, StopToken())


def test_the_shipped_ranker_reads_these_signals() -> None:
    ranker = shipped_ranker()
    found, judgement = judged(*TEXTS[:3])
    words, pairs = judgement.words, judgement.pairs
    expected, together = judgement.word_values, judgement.pair_values
    background = ranker.background
    assert word_table(words, found, background).names == ranker.words.names
    assert pair_table(pairs, found, words, expected).names == ranker.pairs.names
    table = sentence_table(found, words, expected, pairs, together, background)
    assert table.names == ranker.sentences.names
    for trees in (ranker.words, ranker.pairs, ranker.sentences):
        assert len(set(trees.names)) == len(trees.names)


def test_pairs_are_of_words_that_are_not_improbable() -> None:
    _, judgement = judged(*TEXTS)
    words, pairs = judgement.words, judgement.pairs
    chances = dict(zip(words.keys.tolist(), judgement.word_values.tolist(), strict=True))
    held = [divmod(key, pairs.num_words) for key in pairs.keys.tolist()]
    assert held
    assert all(chances[word] >= LIKELY for pair in held for word in pair)
    assert min(chances.values()) < LIKELY


def test_in_another_language_its_function_words_are_as_common_as_those_of_english() -> None:
    english = shipped_ranker().background
    german = english.of_language(["der", "die", "und"])
    spots = german.spots(["und", "der", "bruck"])
    assert spots.tolist() == [2, 0, 3]
    known = np.sort(english.rarity[:-1])
    assert german.rarity[:3].tolist() == known[:3].tolist()
    assert (german.rarity[3], german.rates[3]) == (english.rarity[-1], english.rates[-1])
    assert len(english.of_language([]).rarity) == 1


def test_the_file_is_small_plain_and_the_same_again(tmp_path: Path) -> None:
    Ranker.load(SHIPPED).save(tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == SHIPPED.read_bytes()
    assert SHIPPED.stat().st_size < 2 * 2**20


@given(st.lists(st.text(max_size=60), max_size=6))
def test_any_text_is_judged(texts: list[str]) -> None:
    kinds = [Kind.PARAGRAPH, Kind.HEADING, Kind.LIST_ITEM]
    blocks = [Block(text, kinds[n % 3], n % 3 == 1) for n, text in enumerate(texts)]
    document = Document.from_blocks(blocks, title="", source=Source("a.txt"))
    found = result_of(candidates_of(document, StopToken())).signals
    judgement = shipped_ranker().judge(found, StopToken())
    assert np.isfinite(judgement.worth).all()
    assert len(judgement.worth) == len(found.values)
    for values in (judgement.word_values, judgement.pair_values):
        assert ((values > 0) & (values < 1)).all()


def test_the_words_that_a_text_is_about_are_expected() -> None:
    text = (
        "Heat pumps move heat from cold places to warm ones. A heat pump needs less power than a "
        "heater. Yesterday my uncle came by bus. Heat pumps are cheap to run where power is cheap."
    )
    found, judgement = judged(text, text.replace("uncle", "aunt"))
    values = {
        found.tokens.spellings[key]: value
        for key, value in zip(
            judgement.words.keys.tolist(), judgement.word_values.tolist(), strict=True
        )
    }
    assert min(values["heat"], values["pump"]) > max(values["uncle"], values["bus"])


def test_a_wish_to_stop_is_heard() -> None:
    stop = StopToken()
    stop.request("cancel")
    with pytest.raises(Stopping):
        shipped_ranker().judge(seen("A pump moves heat."), stop)
