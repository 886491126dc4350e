"""Models that somebody else made to do harm, or by mistake, are refused in one sentence."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.distribution.parts import part_of
from core.errors import EpitomeError
from core.events import Event, Failed, Finished
from core.jobs.models.convert_model import ConvertModelJob, ConvertSettings
from core.jobs.models.import_folder import ImportFolderJob, ImportSettings
from core.jobs.models.import_gguf import ImportGGUFJob
from core.jobs.run import run_inline
from core.jobs.sources.sources import SourceRef
from core.jobs.summaries.summarise import SummariseJob, SummariseSettings
from core.models.gguf import trial
from core.models.gguf.trial import check_loads
from core.models.hugging_face.folder import check_weights, look_through
from core.stop import StopToken
from tests.helpers.corpora import TEXTS
from tests.helpers.gguf_files import Typed, gguf_bytes, tiny_gguf, tiny_tensors, tiny_values
from tests.helpers.library_folders import VOCABULARY, chat_folder, library_folder

needs_gguf = pytest.mark.skipif(
    not part_of("gguf").is_installed, reason="the part “gguf” (xllamacpp) is not installed"
)
PICKLE = b"\x80\x04cos\nsystem\n(S'false'\ntR."


def imported(folder: Path, home: Path) -> Event:
    job = ImportFolderJob(folder, home / "data" / "runs", ImportSettings(prompt="{text}"))
    *_, last = run_inline(job, StopToken())
    return last


def refusal(last: Event, home: Path) -> Failed:
    assert isinstance(last, Failed), last
    assert not last.details, last.details
    assert last.remedy and "\n" not in last.message
    assert not list((home / "data" / "runs").glob("*")), "nothing is left of it"
    return last


def change_config(folder: Path, **changes: object) -> None:
    file = folder / "config.json"
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | changes), "utf-8")


@pytest.fixture
def bart(tmp_path: Path) -> Path:
    return library_folder("bart", tmp_path / "bart")


@pytest.mark.parametrize("whole", [True, False], ids=["beside a model", "alone"])
@pytest.mark.parametrize("file", ["adapter_model.safetensors", "adapter_model.bin"])
def test_an_adapter_is_never_followed_to_the_model_it_names(
    bart: Path, home: Path, whole: bool, file: str
) -> None:
    if not whole:
        for path in bart.iterdir():
            path.unlink()
    told = {"peft_type": "LORA", "r": 10**9, "base_model_name_or_path": "nobody/\u202ebase\n"}
    (bart / "adapter_config.json").write_text(json.dumps(told), "utf-8")
    (bart / file).write_bytes(PICKLE)
    last = refusal(imported(bart, home), home)
    assert last.message == (
        f"{bart} holds a LoRA adapter of “nobody/�base�” (adapter_config.json); only whole models "
        "are read."
    )
    assert "merge_and_unload" in last.remedy


@pytest.mark.parametrize("text", ["", "[", "[]", '{"base_model_name_or_path": [1]}'])
def test_an_adapter_that_says_nothing_is_one_all_the_same(
    bart: Path, home: Path, text: str
) -> None:
    (bart / "adapter_config.json").write_text(text, "utf-8")
    assert "holds a LoRA adapter" in refusal(imported(bart, home), home).message


def test_a_model_in_the_form_of_ctranslate2_is_called_so(bart: Path, home: Path) -> None:
    (bart / "model.safetensors").unlink()
    (bart / "model.bin").write_bytes(b"\x06\x00\x00\x00\x10\x00TransformerSpec")
    (bart / "shared_vocabulary.json").write_text("[]", "utf-8")
    last = refusal(imported(bart, home), home)
    assert "are in the form of ctranslate2 (model.bin), which is not read" in last.message
    assert "model.safetensors" in last.remedy


NO_NAMES = "The file model.safetensors.index.json in {} names no files of weights."
MISSING = "The weights in {} are not whole: "


@pytest.mark.parametrize(
    ("index", "told"),
    [
        ({"weight_map": ["model.safetensors"]}, NO_NAMES),
        ({"weight_map": None}, NO_NAMES),
        ({}, NO_NAMES),
        ({"weight_map": {"a": 1, "b": 2.5}}, NO_NAMES),
        ({"weight_map": {"a": ["x"], "b": {"c": "d"}}}, NO_NAMES),
        ({"weight_map": {"a": "x" * 300}}, MISSING + "x" * 80 + " is missing."),
        ({"weight_map": {"a": "x\0y"}}, MISSING),
        ({"weight_map": {"a": ""}}, MISSING),
        ({"weight_map": {"a": "../bart/config.json"}}, MISSING),
        ({"weight_map": {"a": "."}}, MISSING),
        ({"weight_map": {}}, "There are no weights in {}"),
        ([], "holds no settings"),
    ],
    ids=lambda each: str(each)[:40],
)
def test_an_index_of_weights_that_names_none_is_refused(
    bart: Path, home: Path, index: object, told: str
) -> None:
    (bart / "model.safetensors").unlink()
    (bart / "model.safetensors.index.json").write_text(json.dumps(index), "utf-8")
    assert told.format(bart) in refusal(imported(bart, home), home).message


def test_weights_in_several_files_are_each_named_once(bart: Path) -> None:
    (bart / "model.safetensors").rename(bart / "second.safetensors")
    names = {"a": "second.safetensors", "b": "first.safetensors", "c": "first.safetensors"}
    (bart / "first.safetensors").write_bytes(b"")
    (bart / "model.safetensors.index.json").write_text(json.dumps({"weight_map": names}), "utf-8")
    assert check_weights(bart) == (bart / "first.safetensors", bart / "second.safetensors")


@pytest.mark.skipif(getattr(os, "geteuid", lambda: 0)() == 0, reason="root may list every folder")
def test_a_folder_that_cannot_be_listed_is_named(bart: Path) -> None:
    (bart / "model.safetensors").rename(bart / "first.safetensors")
    index = {"weight_map": {"a": "first.safetensors"}}
    (bart / "model.safetensors.index.json").write_text(json.dumps(index), "utf-8")
    bart.chmod(0o300)
    try:
        with pytest.raises(EpitomeError, match="cannot be read"):
            check_weights(bart)
    finally:
        bart.chmod(0o700)


@pytest.mark.parametrize(
    "filler", ["a: [" + "[" * 3_000, "x: &x 1\n" * 120_000, "# \n" * 350_000],
    ids=["nested", "anchors", "comments"],
)  # fmt: skip
def test_a_model_card_of_which_the_head_has_no_end_is_not_read(bart: Path, filler: str) -> None:
    head = "license: mit\n" + filler
    (bart / "README.md").write_text(f"---\n{head.ljust(1_000_000)}\n---\n# A model\n", "utf-8")
    assert look_through(bart).licence == ""
    (bart / "README.md").write_text("---\nlicense: mit\n---\n" + "x" * 1_000_000, "utf-8")
    assert look_through(bart).licence == "MIT"


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"num_labels": 10**9}, "“num_labels” was “1000000000”; a whole number from 0 to 10"),
        ({"encoder_layers": 10**6}, "“encoder_layers” was “1000000”"),
        ({"vocab_size": "many"}, "“vocab_size” was “many”"),
        ({"vocab_size": 10**12}, "“vocab_size” was “1000000000000”"),
        ({"d_model": [16]}, "“d_model” was “[16]”"),
        ({"eos_token_id": ["</s>"]}, "“eos_token_id” was"),
        ({"task_specific_params": []}, "“task_specific_params” holds no settings"),
        ({"task_specific_params": {"summarization": 3}}, "“task_specific_params” holds no"),
        ({"vocab_size": 10**8}, "describes a model of about 1\u202f60"),
        ({"encoder_attention_heads": 0}, "cannot make a model of the type “bart”"),
        ({"encoder_attention_heads": 3}, "cannot make a model of the type “bart”"),
        ({"activation_function": "evil"}, "cannot make a model of the type “bart”"),
        ({"model_type": "evil"}, "cannot make a model of the type “evil”"),
        ({"quantization_config": {"quant_method": "gptq", "bits": 4}}, "cannot be read"),
        ({"auto_map": {"AutoModel": "evil.Model"}}, "needs Python code of its own"),
    ],
    ids=lambda each: str(each)[:40],
)
def test_a_configuration_of_odd_values_is_refused_before_it_does_harm(
    bart: Path, home: Path, changes: dict[str, Any], told: str
) -> None:
    change_config(bart, **changes)
    assert told in refusal(imported(bart, home), home).message


def test_a_chat_model_of_odd_values_is_refused(tmp_path: Path, home: Path) -> None:
    folder = chat_folder(tmp_path / "chat")
    change_config(folder, num_hidden_layers=10**5)
    assert "“num_hidden_layers” was" in refusal(imported(folder, home), home).message


@pytest.mark.parametrize(
    "values",
    [
        {"suppress_tokens": 7}, {"compile_config": [1]}, {"watermarking_config": {"cls": 1}},
        {"cache_implementation": {}}, {"early_stopping": ""}, {"num_return_sequences": [None]},
        {"self": 1}, {"forced_eos_token_id": "x"}, {"eos_token_id": [None]},
        {"eos_token_id": [2, 10**9]}, {"forced_bos_token_id": 10**9}, {"num_beams": 10**9},
        {"decoder_start_token_id": VOCABULARY}, {"max_length": 10**30}, {"min_length": 10**9},
        {"length_penalty": 1e300}, {"no_repeat_ngram_size": [3]}, {"evil": {"a": [{"b": 10**40}]}},
    ],
    ids=lambda each: str(each)[:40],
)  # fmt: skip
def test_a_configuration_of_writing_of_odd_values_is_refused_or_not_used(
    bart: Path, home: Path, values: dict[str, Any]
) -> None:
    file = bart / "generation_config.json"
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | values), "utf-8")
    last = imported(bart, home)
    if isinstance(last, Finished):
        settings = SummariseSettings(length="2s", model=str(last.result))
        *_, last = run_inline(SummariseJob(SourceRef(text=TEXTS[0]), settings), StopToken())
    assert isinstance(last, Finished | Failed)
    assert isinstance(last, Finished) or not last.details, last.details


@pytest.mark.parametrize("said", [-1, -1e308, 0, 1, True, 10**400, "x", [], {"a": 1}])
def test_an_odd_length_that_a_tokenizer_names_is_not_used(
    bart: Path, home: Path, said: object
) -> None:
    (bart / "tokenizer_config.json").write_text(json.dumps({"model_max_length": said}), "utf-8")
    last = imported(bart, home)
    assert isinstance(last, Finished) or not last.details, last.details


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"max_position_embeddings": "x"}, "“max_position_embeddings” was “x”"),
        ({"decoder_layers": -1}, "“decoder_layers” was “-1”"),
        ({"d_model": 17}, "cannot make a model of the type “pegasus”"),
    ],
    ids=str,
)
def test_a_pegasus_of_odd_values_is_not_converted(
    tmp_path: Path, home: Path, changes: dict[str, Any], told: str
) -> None:
    folder = library_folder("pegasus", tmp_path / "pegasus")
    change_config(folder, **changes)
    job = ConvertModelJob(folder, home / "data" / "runs", ConvertSettings(length=128, window=16))
    *_, last = run_inline(job, StopToken())
    assert told in refusal(last, home).message


# GGUF


def taken_in(file: Path, home: Path) -> Event:
    job = ImportGGUFJob(file, home / "data" / "runs", ImportSettings(prompt="{text}"))
    *_, last = run_inline(job, StopToken())
    return last


def _without(name: str) -> Callable[[dict[str, Any]], None]:
    return lambda values: values.pop(name)


def _with(name: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda values: values.update({name: value})


@needs_gguf
@pytest.mark.parametrize(
    "change",
    [
        _with("tokenizer.ggml.scores", Typed(6, [0.0])),
        _with("tokenizer.ggml.token_type", Typed(5, [1])),
        _with("tokenizer.ggml.tokens", Typed(4, [1] * 90)),
        _with("general.alignment", "x"),
        _with("general.alignment", 3),
        _with("llama.attention.head_count", 0),
        _with("llama.block_count", 2**31),
        _with("llama.embedding_length", 2**31),
        _with("tokenizer.ggml.model", "evil"),
        _without("tokenizer.ggml.tokens"),
        _without("llama.block_count"),
    ],
)
def test_a_gguf_file_that_would_end_the_program_is_refused(
    tmp_path: Path, home: Path, change: Callable[[dict[str, Any]], None]
) -> None:
    values = tiny_values()
    change(values)
    file = tmp_path / "a.gguf"
    file.write_bytes(gguf_bytes(values, tiny_tensors()))
    refusal(taken_in(file, home), home)


@needs_gguf
@pytest.mark.parametrize("gone", ["token_embd.weight", "blk.0.attn_q.weight", "output_norm.weight"])
def test_a_tensor_that_is_missing_from_a_gguf_file_is_named(
    tmp_path: Path, home: Path, gone: str
) -> None:
    tensors = tiny_tensors()
    del tensors[gone]
    file = tmp_path / "a.gguf"
    file.write_bytes(gguf_bytes(tiny_values(), tensors))
    last = refusal(taken_in(file, home), home)
    assert last.message == f"The weights in {file} are not whole: “{gone}” is missing."


@needs_gguf
def test_what_llama_cpp_writes_last_is_not_taken_for_the_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = tiny_values()
    _with("tokenizer.ggml.scores", Typed(6, [0.0]))(values)
    file = tmp_path / "a.gguf"
    file.write_bytes(gguf_bytes(values, tiny_tensors()))
    late = "import atexit, os; atexit.register(os.write, 2, b'0.00.012.345 E late'); "
    monkeypatch.setattr(trial, "_CODE", late + trial._CODE)
    with pytest.raises(EpitomeError, match="cannot"):
        check_loads(file)


@needs_gguf
def test_a_whole_gguf_file_is_tried_once(tmp_path: Path, home: Path) -> None:
    file = tiny_gguf(tmp_path / "a.gguf")
    check_loads(file)
    last = taken_in(file, home)
    assert isinstance(last, Finished)
