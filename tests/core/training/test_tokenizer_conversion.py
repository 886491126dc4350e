"""Tokenizers in older files are converted, in a process that may not harm this one."""

from pathlib import Path

import pytest
import tokenizers

from core.errors import EpitomeError
from core.training import tokenizer_conversion
from core.training.library_folder import open_tokenizer
from tests.helpers.library_folders import library_folder
from tests.helpers.sentencepiece_files import write_sentencepiece

TEXT = "The valve opens at 12 bar, and closes again: the pump was found by divers."


def with_sentencepiece_only(folder: Path, name: str = "spiece.model") -> None:
    """Puts a sentencepiece model in the place of `tokenizer.json`."""
    whole = folder / "tokenizer.json"
    write_sentencepiece(tokenizers.Tokenizer.from_file(str(whole)), folder / name)
    whole.unlink()


def test_a_sentencepiece_model_alone_gives_the_same_tokens(tmp_path: Path) -> None:
    folder = library_folder("t5", tmp_path / "t5")
    expected = open_tokenizer(folder)
    with_sentencepiece_only(folder)
    found = open_tokenizer(folder)
    assert found.encode(TEXT) == expected.encode(TEXT)
    assert found.decode(found.encode(TEXT)) == expected.decode(expected.encode(TEXT))
    assert (found.special.pad, found.special.end) == (expected.special.pad, expected.special.end)
    assert found.frame == expected.frame


def test_a_damaged_sentencepiece_model_is_refused_in_words(tmp_path: Path) -> None:
    folder = library_folder("t5", tmp_path / "t5")
    with_sentencepiece_only(folder)
    whole = (folder / "spiece.model").read_bytes()
    (folder / "spiece.model").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(EpitomeError) as raised:
        open_tokenizer(folder)
    assert raised.value.kind == "no-tokenizer"
    assert raised.value.message.startswith(f"The tokenizer in {folder} is not in tokenizer.json")
    assert "Traceback" not in raised.value.message


def test_one_that_takes_too_long_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokenizer_conversion, "_WAIT_S", 0.05)
    folder = library_folder("t5", tmp_path / "t5")
    with_sentencepiece_only(folder)
    with pytest.raises(EpitomeError, match=r"it took more than 0\.05 seconds"):
        open_tokenizer(folder)
