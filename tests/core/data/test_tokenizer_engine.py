"""A third-party tokenizer works in a process with a budget; whatever it does, this one goes on."""

from pathlib import Path

import pytest

from core.data import tokenizer_engine
from core.data.tokenizer import Tokenizer
from core.data.tokenizer_engine import BoundedEngine, LocalEngine
from core.errors import EpitomeError
from tests.helpers.foreign_tokenizers import MADE, saved
from tests.helpers.hostile_tokenizers import HOSTILE, SLEEPING, SPEAKING, hostile_tokenizer
from tests.helpers.leftovers import living_children

REFUSED = r"The tokenizer .*tokenizer\.json cannot be used: [^\n]+"
TEXT = "Überall 人工智能, and <mask> marks</s> of [MASK] others."


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Less patience, which a busy machine does not mind where the answer is a refusal."""
    monkeypatch.setattr(tokenizer_engine, "WAIT_S", 4.0)
    monkeypatch.setattr(tokenizer_engine, "MEMORY_MIB", 128)


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("how", HOSTILE)
def test_a_tokenizer_made_to_do_harm_is_refused(tmp_path: Path, how: str) -> None:
    hostile_tokenizer(tmp_path, HOSTILE[how])
    with pytest.raises(EpitomeError, match=REFUSED) as e:
        Tokenizer.load(tmp_path)
    assert "where it was first published" in e.value.remedy


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("how", SLEEPING)
def test_a_text_that_sets_a_tokenizer_off_is_refused_and_the_next_is_read(
    tmp_path: Path, how: str
) -> None:
    tokenizer = Tokenizer.load(hostile_tokenizer(tmp_path, SLEEPING[how]))
    special = tokenizer.special
    with pytest.raises(EpitomeError, match=REFUSED) as e:
        tokenizer.encode_many(["ab", "q" * 3000 + "!"])
    assert "where it was first published" in e.value.remedy
    assert tokenizer.encode("abba") == [2, 1, 0]
    assert tokenizer.decode([special.summary, 2]) == "ab", "what was added to it is there again"


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("how", SPEAKING)
def test_tokens_that_set_a_decoder_off_are_refused_and_the_next_are_written(
    tmp_path: Path, how: str
) -> None:
    tokenizer = Tokenizer.load(hostile_tokenizer(tmp_path, SPEAKING[how]))
    with pytest.raises(EpitomeError, match=REFUSED):
        tokenizer.decode([3] * 20)
    assert tokenizer.decode([2, 1, 0]).replace(" ", "") == "abba"


@pytest.mark.parametrize("name", MADE)
def test_in_a_process_of_its_own_it_does_what_it_does_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(tokenizer_engine, "_MOST_CHARACTERS", 1 << 16)  # so that there are batches
    folder = saved(name, tmp_path / "theirs")
    text = (folder / "tokenizer.json").read_text("utf-8")
    there, here = BoundedEngine(folder, text), LocalEngine.from_json(text)
    for engine in (there, here):
        engine.add_token("<SUMM>")
    texts = [TEXT, "", "a" * 200_000, TEXT]
    ids = here.encode(texts)
    assert there.encode(texts) == ids
    assert there.encode_marked(TEXT) == here.encode_marked(TEXT)
    assert there.encode_framed(TEXT) == here.encode_framed(TEXT)
    assert there.decode(ids[0]) == here.decode(ids[0])
    assert there.token_ids(["a", "nothing"]) == here.token_ids(["a", "nothing"])
    assert there.tokens([1, 10**6]) == here.tokens([1, 10**6])
    assert there.added_ids() == here.added_ids()
    assert there.vocabulary_size() == here.vocabulary_size()
    assert there.digest([1], is_own=False) == here.digest([1], is_own=False)
    assert there.to_json() == here.to_json()


def test_a_tokenizer_of_others_leaves_nothing_running(tmp_path: Path) -> None:
    tokenizer = Tokenizer.load(saved("wordpiece", tmp_path / "theirs"))
    assert len(living_children()) == 1
    del tokenizer
    assert not living_children()


def test_a_tokenizer_of_this_program_needs_no_other_process(tmp_path: Path) -> None:
    Tokenizer.train(["some text " * 50], 320).save(tmp_path)
    own = Tokenizer.load(tmp_path)
    assert not living_children()
    text = (tmp_path / "tokenizer.json").read_text("utf-8")
    (tmp_path / "tokenizer.json").write_text(
        text.replace('"dropout": null', '"dropout": 0.1'), "utf-8"
    )
    changed = Tokenizer.load(tmp_path)
    assert len(living_children()) == 1, "a file with a change is another's"
    assert changed.fingerprint == own.fingerprint
