"""Imported models are fine-tuned by LoRA: resumed to the bit, merged, exported."""

from pathlib import Path

import pytest
import torch

from core.cli.main import main
from core.distribution.parts import part_of
from core.errors import EpitomeError
from core.events import Finished
from core.jobs.models.export_model import ExportModelJob
from core.jobs.models.import_folder import ImportFolderJob, ImportSettings
from core.jobs.models.import_model import ImportModelJob
from core.jobs.run import run_inline
from core.models.batch import Batch, PairBatch
from core.models.builders import build
from core.models.hugging_face.folder import read_settings
from core.models.hugging_face.lora import is_addition, merged, plain_name, targets_of
from core.models.hugging_face.model import HuggingFaceModel, make_inner
from core.models.hugging_face.settings import HuggingFaceSettings
from core.models.parts.randomness import Randomness
from core.models.weights import named_weights, read_tensors
from core.runs.folder import RunFolder
from core.runs.model_card import ModelCard
from core.stop import StopToken
from core.training.plan import RunPlan
from core.writing.opened_model import open_model
from tests.helpers.library_folders import FAMILIES, FUSED, chat_folder, library_folder
from tests.helpers.runs import stopped_run, tiny_corpus

needs_part = pytest.mark.skipif(
    not part_of("lora").is_installed, reason="the part “lora” (peft) is not installed"
)
PAIR = PairBatch(
    Batch(torch.tensor([[11, 45, 92, 17, 8]])),
    Batch(torch.tensor([[2, 20, 21, 22]]), torch.tensor([[20, 21, 22, 2]])),
)
WORDS = (
    "--batch 4 --validate-rows 2 --max-length 6 --threads 1 --device cpu --too-long window "
    "--source-length 64 --lora-rank 4 --lora-alpha 8 --learning-rate 0.01 --warm-up 0"
)


def adapted(folder: Path, **values: object) -> HuggingFaceModel:
    """The model of a folder with additions of rank 4."""
    told = read_settings(folder).model_dump() | {"lora_rank": 4, **values}
    model = build(HuggingFaceSettings.checked(told))
    assert isinstance(model, HuggingFaceModel)
    model.read_folder(folder)
    return model


def folder_of(family: str, folder: Path) -> Path:
    if family in FAMILIES:
        return library_folder(family, folder)
    return chat_folder(folder, prefix=family, **FUSED.get(family, {}))


def imported(folder: Path, home: Path) -> Path:
    chosen = ImportSettings(prompt="{text}")
    *_, last = run_inline(ImportFolderJob(folder, home / "data" / "runs", chosen), StopToken())
    assert isinstance(last, Finished), last
    result: Path = last.result
    return result


@needs_part
@pytest.mark.parametrize("family", [*FAMILIES, "Llama", *FUSED])
def test_every_family_learns_by_its_additions_alone(family: str, tmp_path: Path) -> None:
    made = folder_of(family, tmp_path / family)
    model = adapted(made)
    plain = build(model.settings.without_lora)
    assert isinstance(plain, HuggingFaceModel)
    plain.read_folder(made)
    assert model.loss(PAIR).item() == pytest.approx(plain.loss(PAIR).item(), rel=1e-5)
    model.loss(PAIR, Randomness(0, 1, (0,))).backward()
    for name, weight in model.named_parameters():
        assert weight.requires_grad is is_addition(name)
        if name.endswith("lora_B.default.weight"):
            assert weight.grad is not None and weight.grad.abs().max() > 0, name
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if is_addition(name):
                weight.normal_(0, 0.3)
    changed = model.loss(PAIR).item()
    assert changed != pytest.approx(plain.loss(PAIR).item(), rel=1e-3)
    plain.take(merged(named_weights(model), model.settings), made)
    assert plain.loss(PAIR).item() == pytest.approx(changed, rel=1e-4)


@needs_part
def test_gradient_checkpointing_gives_the_same_gradients(tmp_path: Path) -> None:
    folder = library_folder("bart", tmp_path / "bart", dropout=0.1)
    found = []
    for checkpointing in (False, True):
        model = adapted(folder, checkpointing=checkpointing)
        model.loss(PAIR, Randomness(0, 1, (0,))).backward()
        found.append([each.grad for each in model.parameters() if each.requires_grad])
    assert all(one.equal(other) for one, other in zip(*found, strict=True))


@needs_part
def test_targets_are_chosen_by_name(tmp_path: Path) -> None:
    folder = library_folder("bart", tmp_path / "bart")
    model = adapted(folder, lora_targets="fc1, fc2")
    names = {name for name, _ in model.named_parameters() if is_addition(name)}
    assert names and all(".fc1." in name or ".fc2." in name for name in names)
    with pytest.raises(EpitomeError) as refused:
        adapted(folder, lora_targets="query")
    assert refused.value.message == "No layer of this model is named “query”."
    assert "fc1, fc2, k_proj" in refused.value.remedy


@pytest.mark.parametrize(
    ("family", "names"),
    [
        ("bart", {"q_proj", "v_proj"}),
        ("led", {"query", "value", "q_proj", "v_proj"}),
        ("bigbird_pegasus", {"query", "value", "q_proj", "v_proj"}),
        ("t5", {"q", "v"}),
        ("prophetnet", {"query_proj", "value_proj"}),
        ("Llama", {"q_proj", "v_proj"}),
        ("Phi3", {"qkv_proj"}),
        ("GPTNeoX", {"query_key_value"}),
        ("GPT2", {"c_attn"}),
        ("Falcon", {"query_key_value"}),
        ("Bloom", {"query_key_value"}),
        ("Mpt", {"Wqkv"}),
        ("GPTBigCode", {"c_attn"}),
        ("CodeGen", {"qkv_proj"}),
        ("Glm", {"q_proj", "v_proj"}),
    ],
)
def test_queries_and_values_get_additions_also_where_they_are_fused(
    family: str, names: set[str], tmp_path: Path
) -> None:
    settings = read_settings(folder_of(family, tmp_path / family))
    found = targets_of(make_inner(settings), settings)
    assert {name.rpartition(".")[2] for name in found} == names


@needs_part
def test_square_layers_that_are_stored_the_other_way_round_are_merged(tmp_path: Path) -> None:
    folder = folder_of("GPT2", tmp_path / "gpt2")
    model = adapted(folder, lora_targets="c_proj, c_fc")
    plain = build(model.settings.without_lora)
    assert isinstance(plain, HuggingFaceModel)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if is_addition(name):
                weight.normal_(0, 0.3)
    plain.take(merged(named_weights(model), model.settings), folder)
    assert plain.loss(PAIR).item() == pytest.approx(model.loss(PAIR).item(), rel=1e-4)


@needs_part
@pytest.mark.parametrize("part", ["lora_A.default", "lora_B.default", "base_layer"])
def test_additions_of_which_a_part_is_missing_are_refused(part: str, tmp_path: Path) -> None:
    model = adapted(folder_of("bart", tmp_path / "bart"))
    weights = named_weights(model)
    gone = next(name for name in weights if name.endswith(f"{part}.weight"))
    del weights[gone]
    with pytest.raises(EpitomeError) as refused:
        merged(weights, model.settings)
    assert refused.value.message == f"What LoRA has learnt is not whole: “{gone}” is missing."


@needs_part
def test_additions_of_another_rank_or_none_at_all_are_refused(tmp_path: Path) -> None:
    model = adapted(folder_of("bart", tmp_path / "bart"))
    weights = named_weights(model)
    other = model.settings.model_copy(update={"lora_rank": 8})
    none = {name: each for name, each in weights.items() if not is_addition(name)}
    bare = {plain_name(name): each for name, each in none.items()}
    for given, settings, told in (
        (weights, other, "LoRA rank is 8, and its weights have rank 4."),
        (weights, other.without_lora, "LoRA rank is 0, and its weights have rank 4."),
        (bare, model.settings, "LoRA rank is 4, and its weights have no additions."),
        (none, model.settings, "and 21 more tensors are missing."),
    ):
        with pytest.raises(EpitomeError) as refused:
            merged(given, settings)
        assert refused.value.message.endswith(told)


@needs_part
@pytest.mark.parametrize("family", ["bart", "Phi3", "GPT2"])
def test_a_run_resumes_to_the_bit_and_its_export_needs_no_part(
    family: str, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = imported(folder_of(family, tmp_path / "tiny-model"), home)
    corpus, runs = tiny_corpus(tmp_path / "pairs"), home / "data" / "runs"
    begun = ["train", "--from", "tiny-model", "--corpus", str(corpus), *WORDS.split()]
    often = ["--steps", "4", "--validate-every", "2"]
    assert main([*begun, *often, "--out", "whole"]) == 0
    stopped_run(runs / "halves", RunPlan.load(RunFolder(runs / "whole")), "stop", after=2)
    assert not (runs / "halves/checkpoints/step-00000004").exists()
    assert main(["train", "--resume", "halves"]) == 0
    last = "checkpoints/step-00000004/model.safetensors"
    whole, halves = read_tensors(runs / "whole" / last), read_tensors(runs / "halves" / last)
    assert whole.keys() == halves.keys()
    assert all(whole[name].equal(halves[name]) for name in whole)
    before = read_tensors(base / "checkpoints/step-00000000/model.safetensors")
    assert any(name.endswith("lora_B.default.weight") and whole[name].any() for name in whole)
    kept = without_additions(whole)
    assert all(kept[name].equal(before[name]) for name in before), "the weights stay"
    events = (runs / "whole" / "events.jsonl").read_text("utf-8")
    assert "LoRA: " in events and "weights are trained." in events
    file = tmp_path / "tuned.epitome-model"
    *_, done = run_inline(ExportModelJob(runs / "whole", file, ModelCard()), StopToken())
    assert isinstance(done, Finished), done
    monkeypatch.setattr("core.distribution.parts.Part.is_installed", False)
    *_, done = run_inline(ImportModelJob(file, runs), StopToken())
    assert isinstance(done, Finished), done
    found, opened = open_model(done.result), open_model(runs / "whole")
    assert isinstance(found.settings, HuggingFaceSettings) and not found.settings.lora_rank
    for name, weight in named_weights(opened.model).items():
        assert weight.equal(named_weights(found.model)[name])


def without_additions(weights: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """The weights that LoRA leaves as they are, by their plain names."""
    return {plain_name(name): each for name, each in weights.items() if not is_addition(name)}


@needs_part
def test_a_run_starts_from_what_another_has_learnt_by_lora(home: Path, tmp_path: Path) -> None:
    imported(library_folder("bart", tmp_path / "tiny-bart"), home)
    corpus, runs = tiny_corpus(tmp_path / "pairs"), home / "data" / "runs"
    words = ["--corpus", str(corpus), *WORDS.split(), "--steps", "2", "--validate-every", "2"]
    assert main(["train", "--from", "tiny-bart", *words, "--out", "first"]) == 0
    assert main(["train", "--from", "first", *words, "--out", "second"]) == 0
    learnt = read_tensors(runs / "first/checkpoints/step-00000002/model.safetensors")
    plan = RunPlan.load(RunFolder(runs / "first")).model
    assert isinstance(plan, HuggingFaceSettings)
    begun = read_tensors(runs / "second/checkpoints/step-00000002/model.safetensors")
    expected = merged(learnt, plan)
    kept = without_additions(begun)
    assert all(kept[name].equal(expected[name]) for name in expected)


def test_without_the_part_training_says_how_to_get_it(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    imported(library_folder("bart", tmp_path / "tiny-bart"), home)
    monkeypatch.setattr("core.distribution.parts.Part.is_installed", False)
    corpus = tiny_corpus(tmp_path / "pairs")
    words = ["train", "--from", "tiny-bart", "--corpus", str(corpus), *WORDS.split()]
    assert main([*words, "--steps", "2", "--out", "tuned"]) == 1
    told = capsys.readouterr().err
    assert "The part “LoRA fine-tuning” (peft) is not installed." in told
    assert part_of("lora").command in told
