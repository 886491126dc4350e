"""A document never reaches the tokens that mark up a chat in a GGUF file."""

import gc
from pathlib import Path

import pytest

from core.distribution.parts import part_of
from core.errors import EpitomeError
from core.models.gguf.marks import read_marks
from core.models.gguf.server import LlamaProcess, LlamaServer
from core.models.special_tokens import SpecialTokens
from core.writing.gguf_model import GGUFTokenizer
from tests.helpers.gguf_files import MARKS, marked_gguf, tiny_values
from tests.helpers.leftovers import living_children

needs_gguf = pytest.mark.skipif(
    not part_of("gguf").is_installed, reason="the part “gguf” (xllamacpp) is not installed"
)
FIRST = len(tiny_values()["tokenizer.ggml.tokens"].value)


def test_marks_are_known_by_their_form_whatever_their_type(tmp_path: Path) -> None:
    marks = read_marks(marked_gguf(tmp_path / "a.gguf"))
    added = {token for number, token in marks.items() if number >= FIRST}
    assert added == MARKS.keys() - {"quay"}, "a word that was added is a word"
    assert {"<s>", "</s>"} <= set(marks.values())
    assert not {".", "a", "▁the"} & set(marks.values())


@needs_gguf
@pytest.mark.parametrize("mark", sorted(MARKS.keys() - {"quay"}))
@pytest.mark.parametrize("text", ["{}", "The {} was lost.", "{0}{0}\n{0}"])
def test_text_that_spells_a_mark_stays_text(tmp_path: Path, mark: str, text: str) -> None:
    file = marked_gguf(tmp_path / "a.gguf")
    server = LlamaServer(file, 64, 1)
    tokenizer = GGUFTokenizer(server, SpecialTokens.trained(), read_marks(file))
    (ids,) = tokenizer.encode_many([text.format(mark)])
    assert not {number for number in ids if number >= FIRST}
    letters = tokenizer.decode(ids).replace(" ", "")
    assert letters == text.format(mark).replace(" ", ""), "and none of its letters is lost"


@needs_gguf
def test_a_model_whose_process_has_ended_is_loaded_again(tmp_path: Path) -> None:
    server = LlamaProcess(marked_gguf(tmp_path / "a.gguf"), 64, 1)
    (first,), ids = living_children(), server.tokens("the quay")
    first.kill()
    first.wait()
    assert server.tokens("the quay") == ids
    assert living_children() != [first]


@needs_gguf
def test_a_model_that_is_let_go_leaves_no_process_and_no_folder(tmp_path: Path) -> None:
    server = LlamaProcess(marked_gguf(tmp_path / "a.gguf"), 64, 1)
    folder = server.folder
    assert folder.exists() and living_children()
    del server
    gc.collect()
    assert not folder.exists() and not living_children()


@needs_gguf
def test_a_file_that_cannot_be_loaded_is_refused_in_words(tmp_path: Path) -> None:
    file = tmp_path / "a.gguf"
    file.write_bytes(b"GGUF" + bytes(100))
    with pytest.raises(EpitomeError, match=r"llama\.cpp cannot load .*a\.gguf: its architecture"):
        LlamaProcess(file, 64, 1)


@needs_gguf
def test_a_word_that_was_added_stays_one_token(tmp_path: Path) -> None:
    file = marked_gguf(tmp_path / "a.gguf")
    tokenizer = GGUFTokenizer(LlamaServer(file, 64, 1), SpecialTokens.trained(), read_marks(file))
    assert FIRST + list(MARKS).index("quay") in tokenizer.encode_many(["quay"])[0]
