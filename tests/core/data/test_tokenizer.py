"""Any text becomes ids and the ids the same text again; special ids are out of a text's reach."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data.tokenizer import Tokenizer
from core.errors import EpitomeError
from core.models.special_tokens import SPECIAL
from tests.helpers.corpora import TEXTS

TOKENIZER = Tokenizer.train(TEXTS, 400)


@given(st.text() | st.sampled_from(SPECIAL).map(lambda name: f"a {name}{name} b"))
def test_every_text_comes_back(text: str) -> None:
    ids = TOKENIZER.encode(text)
    assert TOKENIZER.decode(ids) == text
    assert min(ids, default=4) >= 4


@given(st.lists(st.text()))
def test_many_are_encoded_as_each_alone(texts: list[str]) -> None:
    assert TOKENIZER.encode_many(texts) == [TOKENIZER.encode(text) for text in texts]


def test_special_tokens_have_the_first_ids_and_no_text() -> None:
    special = TOKENIZER.special
    assert (special.pad, special.end, special.summary, special.mask) == (0, 1, 2, 3)
    assert not special.before and not special.after
    one, two = TOKENIZER.encode("one"), TOKENIZER.encode(" two")
    ids = [special.pad, *one, special.summary, *two, special.end]
    assert TOKENIZER.decode(ids) == "one two"


def test_texts_that_repeat_a_special_token_do_not_teach_it() -> None:
    taught = Tokenizer.train(["<EOS> <EOS><MASK> and <EOS>" * 50], 400)
    assert min(taught.encode("<EOS><EOS> <MASK>")) >= 4


def test_half_a_surrogate_pair_is_a_question_mark() -> None:
    assert TOKENIZER.decode(TOKENIZER.encode("a\ud800b")) == "a?b"
    assert Tokenizer.train([*TEXTS, "a\ud800b"], 400).vocabulary_size == 400


def test_frequent_pieces_become_tokens() -> None:
    assert TOKENIZER.vocabulary_size == 400
    smallest = Tokenizer.train(TEXTS, 320)
    assert len(TOKENIZER.encode(TEXTS[0])) < len(smallest.encode(TEXTS[0])) < len(TEXTS[0])


def test_a_text_without_repeats_gives_bytes_only() -> None:
    assert Tokenizer.train(["abc"], 400).vocabulary_size == 260


def test_it_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    TOKENIZER.save(tmp_path / "new")
    again = Tokenizer.load(tmp_path / "new")
    assert again.settings == TOKENIZER.settings
    assert again.fingerprint == TOKENIZER.fingerprint
    assert again.encode("<EOS> text") == TOKENIZER.encode("<EOS> text")
    assert again.fingerprint != Tokenizer.train(TEXTS, 401).fingerprint


def test_what_cannot_be_trained_is_told() -> None:
    with pytest.raises(EpitomeError, match=r"“size” was 319: .* 320\. Correct the value"):
        Tokenizer.train(TEXTS, 319)
    with pytest.raises(EpitomeError, match=r"There is no text .* Choose other documents\."):
        Tokenizer.train(["", ""], 320)


def test_a_missing_damaged_or_foreign_one_is_told(tmp_path: Path) -> None:
    with pytest.raises(EpitomeError, match=r"There is no tokenizer in .* Train it again with"):
        Tokenizer.load(tmp_path)
    TOKENIZER.save(tmp_path)
    file = tmp_path / "tokenizer.json"
    whole = file.read_text("utf-8")
    file.write_text(whole.replace("<SUMM>", "<OTHER>"), "utf-8")
    with pytest.raises(EpitomeError, match=r"lacks the special tokens <PAD>, <EOS>"):
        Tokenizer.load(tmp_path)
    file.write_text(whole[:500], "utf-8")
    with pytest.raises(EpitomeError, match=r"is damaged .* Train it again with"):
        Tokenizer.load(tmp_path)
