"""The head of a GGUF file is read within limits, whatever its bytes say."""

import struct
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from core.errors import EpitomeError
from core.models.gguf import header
from core.models.gguf.folder import look_through_gguf
from core.models.gguf.header import read_header
from tests.helpers.gguf_files import Typed, gguf_bytes, text, tiny_gguf, tiny_values

SHARED = [HealthCheck.function_scoped_fixture]
LITTLE = {"general.architecture": "llama", "llama.context_length": 128}


def test_what_a_head_says_is_read(tmp_path: Path) -> None:
    path = tiny_gguf(tmp_path / "tiny.gguf")
    found = read_header(path)
    assert (found.architecture, found.context_length) == ("llama", 256)
    assert found.vocabulary_size == len(tiny_values()["tokenizer.ggml.tokens"].value)
    assert (found.licence, found.languages, found.quantisation) == (
        "apache-2.0",
        ("en", "xx"),
        "F32",
    )
    assert found.chat_template.startswith("{% for m in messages %}")
    assert found.size_bytes == path.stat().st_size
    assert found.parameters == 2 * found.vocabulary_size * 32 + 4 * 32 * 32 + 3 * 32 * 64 + 3 * 32


def test_a_model_s_facts_are_its_head_s(tmp_path: Path) -> None:
    facts = look_through_gguf(tiny_gguf(tmp_path / "tiny.gguf"))
    made = facts.settings("<|user|>\n", "</s>\n<|assistant|>\n")
    assert (made.is_gguf, made.is_chat, made.stored_as) == (True, True, "F32")
    assert (made.source_length, made.target_length) == (192, 64)
    assert facts.languages == ("English", "xx")
    assert made.kind_words == "llama, GGUF with F32 weights"
    assert made.num_parameters == facts.header.parameters


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "is no GGUF file: it does not begin with GGUF."),
        (b"PK\x03\x04", "is no GGUF file: it does not begin with GGUF."),
        (b"GGUF", "cannot be used as a model: it ends within its head."),
        (gguf_bytes(LITTLE, version=1), "its version is 1, and 2 or 3 is read."),
        (b"GGUF" + struct.pack("<IQQ", 3, 2**40, 0), "099\u202f511\u202f627\u202f776 tensors"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 2**63), "values; 65\u202f536 are the most."),
        (b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 2**62), "in a text; 1\u202f048\u202f576 are"),
        (
            b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + text("a") + struct.pack("<IIQ", 9, 8, 2**50),
            "items in a list; 2\u202f097\u202f152 are the most.",
        ),
        (
            b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + text("a") + struct.pack("<IIQ", 9, 9, 1),
            "it holds a list of lists.",
        ),
        (
            b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + text("a") + struct.pack("<I", 99),
            "it holds a value of the unknown type 99.",
        ),
        (
            b"GGUF" + struct.pack("<IQQ", 3, 1, 0) + text("t") + struct.pack("<I", 9),
            "it says to hold 9 dimensions of a tensor; 4 are the most.",
        ),
        (
            b"GGUF" + struct.pack("<IQQ", 3, 1, 0) + text("t")
            + struct.pack("<IQQIQ", 2, 2**60, 2**60, 0, 0),
            "a tensor is larger than the file.",
        ),
        (gguf_bytes({**LITTLE, "split.count": 4}), "it is one of several parts of a model"),
        (
            gguf_bytes({**LITTLE, "tokenizer.ggml.tokens": Typed(8, ["a", "x" * 5000])}),
            "it says to hold 5\u202f000 bytes in a text; 4\u202f096 are the most.",
        ),
        (
            gguf_bytes({**LITTLE, "tokenizer.ggml.precompiled_charsmap": Typed(
                0, [4, 0, 0, 0, *b"trie", *b"ae\0", *b"x" * 5000, 0])}),
            "it replaces a character by 5\u202f000 bytes; 256 are the most.",
        ),
    ],
)  # fmt: skip
def test_what_is_no_whole_model_is_refused(data: bytes, told: str, tmp_path: Path) -> None:
    path = tmp_path / "a.gguf"
    path.write_bytes(data)
    with pytest.raises(EpitomeError) as refused:
        read_header(path)
    assert told in refused.value.message
    assert refused.value.remedy


def test_a_file_that_was_cut_is_refused(tmp_path: Path) -> None:
    path = tiny_gguf(tmp_path / "tiny.gguf")
    path.write_bytes(path.read_bytes()[:-64])
    with pytest.raises(EpitomeError, match="it ends before its weights do"):
        read_header(path)


def test_a_head_beyond_the_limit_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(header, "MOST_HEADER_BYTES", 1 << 20)
    path = tmp_path / "a.gguf"
    long = {f"a{number}": "x" * 500_000 for number in range(3)}
    path.write_bytes(gguf_bytes({**LITTLE, **long}))
    with pytest.raises(EpitomeError, match="its head is larger than 1 MiB"):
        read_header(path)


@pytest.mark.parametrize(
    ("left_out", "told"),
    [
        ("tokenizer.chat_template", "has no chat template, so it cannot be asked for a summary."),
        ("llama.context_length", "does not say how many tokens its model reads."),
    ],
)
def test_a_model_that_cannot_summarise_is_refused(left_out: str, told: str, tmp_path: Path) -> None:
    values = tiny_values()
    del values[left_out]
    path = tmp_path / "a.gguf"
    path.write_bytes(gguf_bytes(values))
    with pytest.raises(EpitomeError) as refused:
        look_through_gguf(path)
    assert told in refused.value.message


VALUES: Any = st.one_of(
    st.text(max_size=80),
    st.integers(0, 2**32 - 1),
    st.builds(Typed, st.just(10), st.integers(0, 2**64 - 1)),
    st.builds(Typed, st.just(7), st.booleans()),
    st.builds(Typed, st.just(5), st.lists(st.integers(-(2**31), 2**31 - 1), max_size=90)),
    st.builds(Typed, st.just(8), st.lists(st.text(max_size=9), max_size=90)),
)


@given(values=st.dictionaries(st.text(max_size=20), VALUES, max_size=8))
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_values_come_back(values: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "a.gguf"
    values = {name: value for name, value in values.items() if name != "split.count"}
    values.pop("general.alignment", None)
    path.write_bytes(gguf_bytes(values))
    for name, value in read_header(path).values.items():
        wanted = values[name].value if isinstance(values[name], Typed) else values[name]
        assert value == (len(wanted) if isinstance(wanted, list) and len(wanted) > 64 else wanted)


@given(at=st.integers(4, 400), byte=st.integers(0, 255), kept=st.integers(0, 20_000))
@example(at=8, byte=255, kept=20_000)
@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_damage_ends_in_words(at: int, byte: int, kept: int, tmp_path: Path) -> None:
    whole = tmp_path / "tiny.gguf"
    if not whole.exists():
        tiny_gguf(whole)
    data = bytearray(whole.read_bytes())
    data[at] = byte
    path = tmp_path / "damaged.gguf"
    path.write_bytes(bytes(data[:kept]))
    try:
        read_header(path)
    except EpitomeError as refused:
        assert refused.message and refused.remedy
