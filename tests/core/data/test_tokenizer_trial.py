"""A tokenizer of others is tried in a process of its own; whatever it does, this one goes on."""

from pathlib import Path

import pytest

from core import bounded_child
from core.data import tokenizer_trial
from core.data.tokenizer import Tokenizer
from core.errors import EpitomeError
from tests.helpers.foreign_tokenizers import saved
from tests.helpers.hostile_tokenizers import HOSTILE, hostile_tokenizer


@pytest.mark.parametrize("how", HOSTILE)
def test_a_tokenizer_made_to_do_harm_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setattr(tokenizer_trial, "_WAIT_S", 4.0)  # too short for a busy machine is right
    hostile_tokenizer(tmp_path, how)
    with pytest.raises(
        EpitomeError, match=r"The tokenizer .*tokenizer\.json cannot be used: "
    ) as e:
        Tokenizer.load(tmp_path)
    assert "where it was first published" in e.value.remedy


def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The children that are asked from now on."""
    asked: list[str] = []

    def ask(code: str, given: bytes, *, wait_s: float, memory_mib: int) -> bounded_child.Answer:
        asked.append(code)
        return bounded_child.ask(code, given, wait_s=wait_s, memory_mib=memory_mib)

    monkeypatch.setattr(tokenizer_trial, "ask", ask)
    return asked


def test_a_tokenizer_of_others_is_tried_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, asked = saved("wordpiece", tmp_path / "theirs"), counted(monkeypatch)
    tokenizer_trial._TRIED.clear()
    first = Tokenizer.load(folder)
    assert Tokenizer.load(folder).fingerprint == first.fingerprint
    assert len(asked) == 1


def test_a_tokenizer_of_this_program_is_not_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = counted(monkeypatch)
    Tokenizer.train(["some text " * 50], 320).save(tmp_path)
    Tokenizer.load(tmp_path)
    assert not asked
    text = (tmp_path / "tokenizer.json").read_text()
    (tmp_path / "tokenizer.json").write_text(text.replace('"dropout": null', '"dropout": 0.1'))
    Tokenizer.load(tmp_path)
    assert len(asked) == 1, "a file with a change is somebody else's"
