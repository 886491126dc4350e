"""Folders of which tensors are missing, of other shapes, or too many, are refused by name."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from core.errors import EpitomeError
from core.models.hugging_face.folder import read_settings
from core.models.hugging_face.model import HuggingFaceModel
from tests.helpers.library_folders import FAMILIES, FUSED, chat_folder, library_folder

CHATS = ("Llama", "Mixtral", *FUSED)
ONE_REMEDY = "Copy all files of the model into the folder again, from where it comes from."


def folder_of(family: str, place: Path) -> Path:
    if family in FAMILIES:
        return library_folder(family, place)
    return chat_folder(place, prefix=family, **FUSED.get(family, {}))


def change(folder: Path, edit: Callable[[dict[str, Tensor]], object]) -> None:
    """Edits the tensors of a folder by name."""
    file = folder / "model.safetensors"
    tensors = load_file(file)
    edit(tensors)
    save_file(tensors, file, metadata={"format": "pt"})


def read(folder: Path) -> HuggingFaceModel:
    model = HuggingFaceModel(read_settings(folder))
    model.read_folder(folder)
    return model


def refusal(folder: Path) -> str:
    with pytest.raises(EpitomeError) as refused:
        read(folder)
    assert refused.value.remedy == ONE_REMEDY
    return refused.value.message


@pytest.mark.parametrize("family", [*FAMILIES, *CHATS])
def test_a_missing_tensor_is_named(family: str, tmp_path: Path) -> None:
    folder = folder_of(family, tmp_path / family)
    computed = ("bias", "embed_positions")  # zeros, and sinusoids
    stored = load_file(folder / "model.safetensors")
    names = [name for name in stored if not any(part in name for part in computed)]
    for gone in (names[0], names[len(names) // 2], names[-1]):
        whole = (folder / "model.safetensors").read_bytes()
        change(folder, lambda tensors, gone=gone: tensors.pop(gone))
        told = refusal(folder)
        assert told.startswith(f"The weights in {folder} are not whole: “")
        assert told.endswith(" missing.")
        assert gone.rpartition(".")[2] in told
        (folder / "model.safetensors").write_bytes(whole)
    read(folder)


def test_of_many_missing_tensors_some_are_named_and_all_are_counted(tmp_path: Path) -> None:
    folder = folder_of("bart", tmp_path / "bart")

    def without_second_layer(tensors: dict[str, Tensor]) -> None:
        for name in [name for name in tensors if "decoder.layers.1." in name]:
            del tensors[name]

    change(folder, without_second_layer)
    assert refusal(folder).endswith(
        "“model.decoder.layers.1.encoder_attn.k_proj.bias”, "
        "“model.decoder.layers.1.encoder_attn.k_proj.weight”, "
        "“model.decoder.layers.1.encoder_attn.out_proj.bias” and 23 more tensors are missing."
    )


def test_all_copies_of_a_tied_tensor_missing_are_missing(tmp_path: Path) -> None:
    folder = folder_of("bart", tmp_path / "bart")
    change(folder, lambda tensors: tensors.pop("model.shared.weight"))
    told = "“lm_head.weight”, “model.decoder.embed_tokens.weight”, “model.encoder.embed_tokens.weig"
    assert told in refusal(folder)


def test_a_tied_tensor_may_be_stored_under_any_of_its_names(tmp_path: Path) -> None:
    folder = folder_of("bart", tmp_path / "bart")
    expected = read(folder).inner.state_dict()

    def rename(tensors: dict[str, Tensor]) -> None:
        tensors["model.encoder.embed_tokens.weight"] = tensors.pop("model.shared.weight")

    change(folder, rename)
    found = read(folder).inner.state_dict()
    assert all(expected[name].equal(found[name]) for name in expected)


def test_sinusoidal_positions_need_not_be_stored(tmp_path: Path) -> None:
    folder = folder_of("pegasus", tmp_path / "pegasus")
    expected = read(folder).inner.state_dict()

    def drop(tensors: dict[str, Tensor]) -> None:
        for side in ("encoder", "decoder"):
            tensors.pop(f"model.{side}.embed_positions.weight", None)

    change(folder, drop)
    found = read(folder).inner.state_dict()
    assert all(expected[name].equal(found[name]) for name in expected)


def test_a_tensor_of_another_shape_is_named_with_both(tmp_path: Path) -> None:
    folder = folder_of("bart", tmp_path / "bart")
    name = "model.encoder.layers.0.fc1.weight"
    change(folder, lambda tensors: tensors.update({name: torch.zeros(32, 15)}))
    assert refusal(folder) == (
        f"The weights in {folder} are not those that config.json describes: “{name}” is "
        "[32, 15] there and [32, 16] in the model."
    )


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_a_tensor_whose_numbers_are_none_is_named(number: float, tmp_path: Path) -> None:
    folder = folder_of("bart", tmp_path / "bart")
    name = "model.encoder.layers.0.fc1.weight"
    change(folder, lambda tensors: tensors[name].view(-1)[7:8].fill_(number))
    with pytest.raises(EpitomeError) as refused:
        read(folder)
    told = f"The weights in {folder} are ruined: “{name}” is not finite."
    assert refused.value.message == told
    assert "the built-in summariser" in refused.value.remedy


def test_layers_that_the_configuration_does_not_have_are_not_left_out(tmp_path: Path) -> None:
    folder = folder_of("bart", tmp_path / "bart")
    file = folder / "config.json"
    file.write_text(
        json.dumps(json.loads(file.read_text("utf-8")) | {"decoder_layers": 1}), "utf-8"
    )
    told = refusal(folder)
    assert "are of a model with more layers than config.json describes: “model.decoder.l" in told
    assert told.endswith(" and 23 more tensors are left over.")


def test_a_head_that_summarising_does_not_need_is_left_out(tmp_path: Path) -> None:
    folder = folder_of("bart", tmp_path / "bart")
    expected = read(folder).inner.state_dict()
    head = {"classification_head.dense.weight": torch.zeros(4, 16)}
    change(folder, lambda tensors: tensors.update(head))
    found = read(folder).inner.state_dict()
    assert all(expected[name].equal(found[name]) for name in expected)


def test_tensors_that_an_index_names_and_no_file_holds_are_missing(tmp_path: Path) -> None:
    folder = folder_of("bart", tmp_path / "bart")
    tensors = load_file(folder / "model.safetensors")
    (folder / "model.safetensors").unlink()
    names = sorted(tensors)
    parts = {"one.safetensors": names[::2], "two.safetensors": names[1::2]}
    index = {name: file for file, some in parts.items() for name in some}
    gone = "model.encoder.layers.1.fc2.weight"
    parts[index[gone]].remove(gone)
    for file, some in parts.items():
        save_file({name: tensors[name] for name in some}, folder / file, metadata={"format": "pt"})
    written = {"metadata": {}, "weight_map": index}
    (folder / "model.safetensors.index.json").write_text(json.dumps(written), "utf-8")
    assert f"“{gone}” is missing." in refusal(folder)


@pytest.mark.parametrize("family", [*FAMILIES, "Llama", "GPT2", "Phi3"])
def test_tied_tensors_that_differ_are_refused(family: str, tmp_path: Path) -> None:
    if family in FAMILIES:
        folder = library_folder(family, tmp_path / family)
    else:
        folder = chat_folder(tmp_path / family, prefix=family, tie_word_embeddings=True)
    names = read(folder).inner.named_parameters(remove_duplicate=False)
    by_tensor: dict[int, list[str]] = {}
    for name, weight in names:
        by_tensor.setdefault(id(weight), []).append(name)
    (tied,) = [names for names in by_tensor.values() if len(names) > 1]
    whole = load_file(folder / "model.safetensors")
    (stored,) = [name for name in tied if name in whole]
    for other in tied:
        if other == stored:
            continue
        change(folder, lambda tensors, other=other: tensors.update({other: whole[stored].clone()}))
        read(folder)  # twice the same is what older files hold
        change(folder, lambda tensors, other=other: tensors[other][3:4].add_(0.5))
        told = refusal(folder)
        assert f"“{stored}”" in told and f"“{other}”" in told and "ties" in told
        save_file(whole, folder / "model.safetensors", metadata={"format": "pt"})


def test_tied_tensors_that_differ_are_found_in_several_files(tmp_path: Path) -> None:
    folder = folder_of("bart", tmp_path / "bart")
    tensors = load_file(folder / "model.safetensors")
    (folder / "model.safetensors").unlink()
    head = {"lm_head.weight": tensors["model.shared.weight"] + 1}
    files = {"one.safetensors": tensors, "two.safetensors": head}
    for file, some in files.items():
        save_file(some, folder / file, metadata={"format": "pt"})
    index = {name: file for file, some in files.items() for name in some}
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": index}), "utf-8")
    assert "“lm_head.weight” and “model.shared.weight”" in refusal(folder)


def test_tied_tensors_that_differ_are_found_without_the_prefix_of_their_names(
    tmp_path: Path,
) -> None:
    folder = folder_of("bart", tmp_path / "bart")

    def strip(tensors: dict[str, Tensor]) -> None:
        for name in list(tensors):
            tensors[name.removeprefix("model.")] = tensors.pop(name)
        tensors["lm_head.weight"] = tensors["shared.weight"] + 1

    change(folder, strip)
    assert "“lm_head.weight” and “shared.weight”" in refusal(folder)


@pytest.mark.parametrize("family", ["bart", "t5", "Llama"])
@pytest.mark.parametrize("kind", [torch.int32, torch.int8, torch.uint8, torch.bool, "F8_E4M3"])
def test_weights_that_are_whole_numbers_are_refused(
    family: str, kind: torch.dtype | str, tmp_path: Path
) -> None:
    folder = folder_of(family, tmp_path / family)
    dtype = torch.float8_e4m3fn if isinstance(kind, str) else kind

    def convert(tensors: dict[str, Tensor]) -> None:
        for name in tensors:
            tensors[name] = tensors[name].to(dtype)

    change(folder, convert)
    with pytest.raises(EpitomeError) as refused:
        read(folder)
    assert "have a number format that Epitome does not read" in refused.value.message
    assert "F32, F16 and BF16" in refused.value.message


@pytest.mark.parametrize("kind", [torch.float16, torch.bfloat16, torch.float64])
def test_weights_of_other_precisions_are_read(kind: torch.dtype, tmp_path: Path) -> None:
    folder = folder_of("bart", tmp_path / "bart")
    change(folder, lambda tensors: tensors.update({n: w.to(kind) for n, w in tensors.items()}))
    read(folder)


def test_whole_numbers_that_are_no_weights_are_read(tmp_path: Path) -> None:
    folder = folder_of("bart", tmp_path / "bart")
    ids = {"model.encoder.embed_positions.position_ids": torch.arange(96)}
    change(folder, lambda tensors: tensors.update(ids))
    read(folder)
