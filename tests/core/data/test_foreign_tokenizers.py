"""Tokenizers that others trained are read as they are, and know their special tokens."""

import json
from pathlib import Path

import pytest
import tokenizers
from tokenizers import models, normalizers, trainers

from core.data.tokenizer import Tokenizer
from core.errors import EpitomeError
from tests.helpers.corpora import TEXTS
from tests.helpers.foreign_tokenizers import MADE, saved

FIRST = "The ferry to the island is late."


# pad, end, mask, before, after
EXPECTED = {
    "wordpiece": (0, 3, 4, (2,), (3,)),
    "sentencepiece": (0, 1, 3, (), (1,)),
    "bart": (1, 2, 4, (0,), (2,)),
}


@pytest.mark.parametrize("name", MADE)
def test_texts_come_back_and_special_tokens_are_known(name: str, tmp_path: Path) -> None:
    tokenizer = Tokenizer.load(saved(name, tmp_path))
    special = tokenizer.special
    found = special.pad, special.end, special.mask, special.before, special.after
    assert found == EXPECTED[name]
    decoded = tokenizer.decode([*tokenizer.encode(FIRST), special.end, special.summary])
    same = FIRST.lower() if name == "wordpiece" else FIRST
    assert decoded.replace(" .", ".").strip() == same
    # <SUMM> is none of theirs, so it stands behind their vocabulary.
    assert special.summary == tokenizer.vocabulary_size - 1


@pytest.mark.parametrize("name", MADE)
def test_a_whole_text_is_encoded_whatever_the_file_says_of_lengths(
    name: str, tmp_path: Path
) -> None:
    tokenizer = Tokenizer.load(saved(name, tmp_path))
    ids = tokenizer.encode(" ".join([FIRST] * 20))
    assert len(ids) > 100
    assert tokenizer.encode_many(["a", "a b c d"])[0] == tokenizer.encode("a")
    marks = {tokenizer.special.pad, tokenizer.special.end, tokenizer.special.mask}
    assert not marks & set(ids)


@pytest.mark.parametrize("name", MADE)
def test_text_that_spells_a_special_token_is_text(name: str, tmp_path: Path) -> None:
    tokenizer = Tokenizer.load(saved(name, tmp_path))
    special = tokenizer.special
    ids = tokenizer.encode("a </s> <pad> [SEP] [MASK] <mask> <SUMM> <extra_id_0> b")
    assert not {special.pad, special.end, special.mask, special.summary} & set(ids)


@pytest.mark.parametrize("special", [True, False])
@pytest.mark.parametrize("mark", ["<|system|>", "[INST]", "<start_of_turn>", "### User:"])
@pytest.mark.parametrize("name", MADE)
def test_text_that_spells_the_mark_of_a_chat_is_text(
    name: str, mark: str, special: bool, tmp_path: Path
) -> None:
    engine = MADE[name]()
    engine.add_tokens([tokenizers.AddedToken(mark, special=special, normalized=False)])
    (tmp_path / "tokenizer.json").write_text(engine.to_str(), "utf-8")
    tokenizer = Tokenizer.load(tmp_path)
    number = engine.token_to_id(mark)
    assert number in tokenizer.encode_marked(f"a {mark} b")
    assert number not in tokenizer.encode(f"a {mark} b {mark}{mark}")


def test_a_word_that_was_added_to_a_vocabulary_stays_one_token(tmp_path: Path) -> None:
    engine = MADE["bart"]()
    engine.add_tokens(["Fährhafen"])
    (tmp_path / "tokenizer.json").write_text(engine.to_str(), "utf-8")
    assert engine.token_to_id("Fährhafen") in Tokenizer.load(tmp_path).encode("Im Fährhafen.")


@pytest.mark.parametrize("name", MADE)
def test_what_is_saved_is_the_same_tokenizer(name: str, tmp_path: Path) -> None:
    tokenizer = Tokenizer.load(saved(name, tmp_path / "theirs"))
    tokenizer.save(tmp_path / "ours")
    again = Tokenizer.load(tmp_path / "ours")
    assert again.special == tokenizer.special
    assert again.fingerprint == tokenizer.fingerprint
    assert again.encode(FIRST) == tokenizer.encode(FIRST)
    assert again.vocabulary_size == tokenizer.vocabulary_size


def test_fingerprints_tell_tokenizers_apart(tmp_path: Path) -> None:
    found = {Tokenizer.load(saved(name, tmp_path / name)).fingerprint for name in MADE}
    changed = MADE["wordpiece"]()
    changed.normalizer = normalizers.BertNormalizer(lowercase=False)
    (tmp_path / "cased").mkdir()
    (tmp_path / "cased" / "tokenizer.json").write_text(changed.to_str(), "utf-8")
    found.add(Tokenizer.load(tmp_path / "cased").fingerprint)
    assert len(found) == 4


@pytest.mark.parametrize("value", ["<unk>", {"content": "<unk>", "lstrip": False}])
def test_a_configuration_file_names_special_tokens(value: object, tmp_path: Path) -> None:
    folder = saved("bart", tmp_path)
    (folder / "tokenizer_config.json").write_text(json.dumps({"eos_token": value}), "utf-8")
    assert Tokenizer.load(folder).special.end == 3


def test_a_tokenizer_without_an_end_is_refused(tmp_path: Path) -> None:
    engine = tokenizers.Tokenizer(models.BPE())
    engine.train_from_iterator(TEXTS, trainers.BpeTrainer(vocab_size=100))
    (tmp_path / "tokenizer.json").write_text(engine.to_str(), "utf-8")
    with pytest.raises(EpitomeError) as caught:
        Tokenizer.load(tmp_path)
    assert caught.value.message == f"The tokenizer in {tmp_path} has no token that ends a text."


@pytest.mark.parametrize("text", ["[", "[]", '{"pad": 1}', '{"pad": 1, "end": "x"}'])
def test_damaged_special_tokens_are_refused(text: str, tmp_path: Path) -> None:
    folder = saved("bart", tmp_path)
    (folder / "special_tokens.json").write_text(text, "utf-8")
    with pytest.raises(EpitomeError, match=r"The special tokens in .* cannot be read"):
        Tokenizer.load(folder)
