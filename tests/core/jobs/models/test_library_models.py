"""A folder of the transformers library is checked, imported, used, trained further, converted."""

import errno
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from core.cli.main import main
from core.data.preparing import prepare
from core.data.settings import CorpusSettings
from core.evaluation.predictors import predictor_for
from core.evaluation.settings import ScoreSettings
from core.events import Event, Failed, Finished, Message
from core.jobs.call import CallJob
from core.jobs.models.convert_model import ConvertModelJob, ConvertSettings
from core.jobs.models.describe_models import described
from core.jobs.models.import_folder import (
    FolderFacts,
    ImportFolderJob,
    ImportSettings,
    LookThroughJob,
)
from core.jobs.models.list_models import list_models
from core.jobs.run import run_inline
from core.jobs.sources.sources import SourceRef
from core.jobs.summaries.summarise import Summarised, SummariseJob, SummariseSettings
from core.library.folders import Folders
from core.models.hugging_face import longer
from core.models.hugging_face.conversion_report import conversion_lines, read_conversion
from core.models.hugging_face.longer import compare, to_longer
from core.models.hugging_face.longer_pegasus import to_pegasus_x
from core.models.hugging_face.model import HuggingFaceModel
from core.models.hugging_face.settings import HuggingFaceSettings
from core.models.weights import read_tensors
from core.runs.folder import RunFolder
from core.runs.model_card import read_model_card, write_model_card
from core.stop import StopToken
from core.system.shell import shell_line
from core.training.plan import RunPlan
from tests.helpers.corpora import SUMMARIES, TEXTS, write_pairs
from tests.helpers.library_folders import chat_folder, library_folder
from tests.helpers.runs import curve, stopped_run, tiny_corpus
from tests.helpers.schemas import validate

LONG = "\n\n".join(TEXTS[:6])


@pytest.fixture(scope="module")
def bart(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return library_folder("bart", tmp_path_factory.mktemp("downloads") / "tiny-bart")


def last_of(job: LookThroughJob | ImportFolderJob | ConvertModelJob) -> Event:
    *_, last = run_inline(job, StopToken())
    return last


def imported(folder: Path, home: Path, **settings: object) -> Path:
    done = last_of(
        ImportFolderJob(folder, home / "data" / "runs", ImportSettings.checked(dict(settings)))
    )
    assert isinstance(done, Finished), done
    result: Path = done.result
    return result


def summarised(text: str, model: str, **settings: str) -> Summarised:
    job = SummariseJob(
        SourceRef(text=text), SummariseSettings(length="3s", model=model, **settings)
    )
    *_, last = run_inline(job, StopToken())
    assert isinstance(last, Finished), last
    result: Summarised = last.result
    return result


def test_a_folder_is_looked_through_without_loading_it(bart: Path) -> None:
    done = last_of(LookThroughJob(bart))
    assert isinstance(done, Finished)
    facts = done.result
    assert isinstance(facts, FolderFacts)
    assert (facts.licence, facts.languages) == ("Apache 2.0", ("English", "xx"))
    assert facts.settings.source_length == 96
    assert facts.parameters > 10_000 and facts.size_bytes >= 4 * facts.parameters


def test_too_little_memory_is_said_before_the_import(bart: Path) -> None:
    done = last_of(LookThroughJob(bart))
    assert isinstance(done, Finished)
    assert done.result.memory_warning == ""
    small = replace(done.result, parameters=500_000_000, free_bytes=10**9)
    told = "The model needs 2.0 GB of memory for its weights alone; 1.0 GB are free."
    assert small.memory_warning.replace("\u202f", " ").replace("\xa0", " ") == told


def test_what_its_authors_set_and_nobody_heeds_is_said(bart: Path, home: Path) -> None:
    shutil.copytree(bart, odd := home / "odd")
    file = odd / "generation_config.json"
    file.write_text(
        json.dumps(json.loads(file.read_text("utf-8")) | {"repetition_penalty": 1.5}), "utf-8"
    )
    job = ImportFolderJob(odd, home / "data" / "runs", ImportSettings())
    warned = [e.text for e in run_inline(job, StopToken()) if isinstance(e, Message)]
    assert [told for told in warned if "also set repetition_penalty, which" in told]
    told = summarised(TEXTS[0], str(odd)).summary.notes
    assert [note for note in told if "also set repetition_penalty, which" in note]


def test_a_folder_is_scored_like_any_system(bart: Path, home: Path) -> None:
    imported(bart, home)
    settings = ScoreSettings(length="30w")
    texts = [
        list(predictor_for(name, settings, StopToken()).summaries([LONG]))
        for name in ("tiny-bart", str(bart))
    ]
    assert texts[0] == texts[1] and texts[0][0]


def test_an_imported_model_summarises_a_long_document_in_parts(bart: Path, home: Path) -> None:
    folder = imported(bart, home)
    model = described(folder)
    assert model is not None and model.fault == ""
    (listed,) = run_inline(CallJob(list_models, folder.parent), StopToken())
    assert listed == Finished({"tiny-bart": "tiny-bart"}), "it is in the window's model box"
    assert (model.name, model.room, model.step) == ("tiny-bart", 94, 0)
    assert read_model_card(RunFolder(folder)).licence == "Apache 2.0"
    summary = summarised(LONG, "tiny-bart").summary
    assert summary.model == "tiny-bart"
    assert any("parts of up to 94 tokens" in note for note in summary.notes)
    assert summary.sentences


def test_a_folder_that_was_not_imported_writes_the_same(bart: Path, home: Path) -> None:
    imported(bart, home)
    texts = [
        [each.text for each in summarised(LONG, name, engine="torch").summary.sentences]
        for name in ("tiny-bart", str(bart))
    ]
    assert texts[0] == texts[1]


def test_an_imported_model_is_fine_tuned_and_its_length_is_chosen(
    bart: Path, home: Path, tmp_path: Path
) -> None:
    imported(bart, home)
    corpus = tiny_corpus(tmp_path / "pairs")
    words = (
        "--steps 2 --batch 4 --accumulate 2 --validate-every 2 --validate-rows 2 --max-length 6 "
        "--threads 1 --device cpu --source-length 64 --checkpointing --precision bf16 "
        "--freeze inner.model.encoder --too-long window --out tuned"
    )
    assert main(["train", "--from", "tiny-bart", "--corpus", str(corpus), *words.split()]) == 0
    runs = home / "data" / "runs"
    plan = RunPlan.load(RunFolder(runs / "tuned"))
    assert isinstance(plan.model, HuggingFaceSettings)
    assert plan.model.source_length == 64 and plan.model.checkpointing
    before = read_tensors(runs / "tiny-bart/checkpoints/step-00000000/model.safetensors")
    after = read_tensors(runs / "tuned/checkpoints/step-00000002/model.safetensors")
    encoder, decoder = (
        f"inner.model.{side}.layers.0.fc1.weight" for side in ("encoder", "decoder")
    )
    assert before[encoder].equal(after[encoder]) and not before[decoder].equal(after[decoder])


def test_sparse_attention_resumes_to_the_bit_where_short_texts_are_between_long_ones(
    home: Path, tmp_path: Path
) -> None:
    """Over short texts the library changes the attention, and once did so for the texts after."""
    sparse = {"attention_type": "block_sparse", "block_size": 8, "num_random_blocks": 1}
    folder = tmp_path / "tiny-bigbird"
    imported(library_folder("bigbird_pegasus", folder, dropout=0.1, **sparse), home)
    texts = [text[: 60 if number % 2 else None] for number, text in enumerate(TEXTS)]
    source = write_pairs(tmp_path / "pairs.parquet", texts, SUMMARIES)
    settings = CorpusSettings.checked({"make": "pairs", "split": "80/20/0"})
    corpus, runs = tmp_path / "pairs", home / "data" / "runs"
    for _ in prepare((str(source),), settings, corpus, StopToken()):
        pass
    words = (
        "--steps 6 --batch 1 --validate-every 2 --validate-rows 4 --rouge-rows 1 --max-length 6 "
        "--threads 1 --device cpu --source-length 64 --too-long window --learning-rate 0.01"
    )
    begun = ["train", "--from", folder.name, "--corpus", str(corpus), *words.split()]
    assert main([*begun, "--out", "whole"]) == 0
    plan = RunPlan.load(RunFolder(runs / "whole"))
    for after in (1, 2, 3):
        stopped_run(runs / f"after-{after}", plan, "stop", after=after)
        assert main(["train", "--resume", f"after-{after}"]) == 0
        assert curve(runs / f"after-{after}") == curve(runs / "whole")
        last = "checkpoints/step-00000006/model.safetensors"
        one, other = (read_tensors(runs / name / last) for name in ("whole", f"after-{after}"))
        assert all(one[name].equal(other[name]) for name in one)


def test_a_prompt_is_seen_and_changed(home: Path, tmp_path: Path) -> None:
    chat = chat_folder(tmp_path / "tiny-chat", max_position_embeddings=512)
    folder = imported(chat, home)
    plan = RunPlan.load(RunFolder(folder))
    assert isinstance(plan.model, HuggingFaceSettings)
    assert plan.model.prompt.startswith("Summarise the following text")
    own = summarised(LONG, "tiny-chat").summary
    other = summarised(LONG, "tiny-chat", prompt="Say it in French: {text}").summary
    assert any(note.startswith("The prompt was “Summarise the following") for note in own.notes)
    assert "The prompt was “Say it in French: {text}”." in other.notes
    assert len([note for note in own.notes if "parts of up to" in note]) == 1
    assert [each.text for each in own.sentences] != [each.text for each in other.sentences]


def test_summaries_of_another_prompt_are_not_taken_for_the_same(home: Path, tmp_path: Path) -> None:
    folder = imported(chat_folder(tmp_path / "tiny-chat"), home, prompt="One: {text}")
    settings = ScoreSettings(length="30w")
    before = predictor_for("tiny-chat", settings, StopToken()).description
    card = read_model_card(RunFolder(folder))
    write_model_card(RunFolder(folder), replace(card, prompt="Two: {text}"))
    after = predictor_for("tiny-chat", settings, StopToken()).description
    assert "“One: {text}”" in before and "“Two: {text}”" in after


def test_a_chat_model_learns_in_the_same_loop(home: Path, tmp_path: Path) -> None:
    imported(chat_folder(tmp_path / "tiny-chat"), home, prompt="{text}")
    corpus = tiny_corpus(tmp_path / "pairs")
    words = (
        "--steps 4 --batch 4 --validate-every 4 --validate-rows 2 --max-length 6 --threads 1 "
        "--device cpu --too-long window --learning-rate 0.01 --warm-up 0 --out tuned"
    )
    assert main(["train", "--from", "tiny-chat", "--corpus", str(corpus), *words.split()]) == 0
    events = (home / "data/runs/tuned/events.jsonl").read_text("utf-8").splitlines()
    losses = [json.loads(line) for line in events if '"StepDone"' in line]
    told = [str(each) for each in losses]
    assert len(told) == 4


def removed(name: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).unlink()


def written(name: str, text: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_text(text, "utf-8")


def configured(**values: object) -> Callable[[Path], object]:
    def change(folder: Path) -> None:
        for name in ("config.json", "generation_config.json"):
            file = folder / name
            file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | values), "utf-8")

    return change


def ends_with(ids: object) -> Callable[[Path], object]:
    return configured(eos_token_id=ids)


def starts_with(id: object) -> Callable[[Path], object]:
    return configured(decoder_start_token_id=id, bos_token_id=None)


def with_integers(folder: Path) -> None:
    file = folder / "model.safetensors"
    save_file({name: each.to(torch.int32) for name, each in load_file(file).items()}, file)


@pytest.mark.parametrize(
    ("change", "told", "kind"),
    [
        (removed("config.json"), "There is no config.json in", "no-model"),
        (
            lambda folder: (folder / "model.safetensors").rename(folder / "pytorch_model.bin"),
            "are pickled (pytorch_model.bin); a pickle can run any program, so only safetensors",
            "pickle",
        ),
        (removed("model.safetensors"), "There are no weights", "no-weights"),
        (removed("tokenizer.json"), "There is no tokenizer", "no-tokenizer"),
        (
            written("tokenizer_config.json", '{"auto_map": {"a": "b"}}'),
            "needs Python code of its own (auto_map), which Epitome never runs.",
            "remote-code",
        ),
        (
            written("config.json", '{"model_type": "gpt2"}'),
            "Only encoder-decoders and chat models are read; this model is a gpt2",
            "",
        ),
        (ends_with([]), "The model's generation settings name no token that ends its texts.", ""),
        (ends_with(None), "The model's generation settings name no token that ends its texts.", ""),
        (ends_with([2, 100_000]), "name the token 100000, and the model knows", ""),
        (ends_with(100_000), "name the token 100000, and the model knows", ""),
        (
            starts_with(None),
            "The model's generation settings name no token that its texts start with.",
            "",
        ),
        (starts_with(100_000), "name the token 100000, and the model knows", ""),
        (with_integers, "have a number format that Epitome does not read", ""),
        (
            lambda folder: (folder / "model.safetensors").write_bytes(b"12345678{}"),
            "so the model is damaged or incomplete.",
            "",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_imported_says_why(
    change: Callable[[Path], object], told: str, kind: str, bart: Path, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(bart, tmp_path / "changed"))
    change(folder)
    done = last_of(ImportFolderJob(folder, tmp_path / "runs"))
    assert isinstance(done, Failed)
    assert told in done.message and done.remedy
    assert done.kind == kind
    assert not list((tmp_path / "runs").glob("*")) if (tmp_path / "runs").exists() else True


@pytest.mark.parametrize("ids", [[], None])
def test_a_chat_model_without_an_end_is_not_imported(
    ids: object, home: Path, tmp_path: Path
) -> None:
    folder = chat_folder(tmp_path / "chat")
    ends_with(ids)(folder)
    done = last_of(ImportFolderJob(folder, tmp_path / "runs"))
    assert isinstance(done, Failed) and "name no token that ends its texts" in done.message


def test_nothing_in_a_folder_is_executed(bart: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(bart, tmp_path / "changed"))
    config = json.loads((folder / "config.json").read_text("utf-8"))
    config["auto_map"] = {"AutoModelForSeq2SeqLM": "evil.Model"}
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    mark = tmp_path / "mark"
    (folder / "evil.py").write_text(f"open({str(mark)!r}, 'w').write('run')", "utf-8")
    assert isinstance(last_of(ImportFolderJob(folder, tmp_path / "runs")), Failed)
    assert not mark.exists()


def test_a_bart_is_made_longer_and_says_what_was_done(bart: Path, home: Path) -> None:
    runs = home / "data" / "runs"
    settings = ConvertSettings(length=256, window=64)
    done = last_of(ConvertModelJob(imported(bart, home), runs, settings))
    assert isinstance(done, Finished), done
    report = read_conversion(done.result)
    assert report is not None
    assert (report.length_before, report.length, report.window) == (96, 256, 64)
    assert (report.layers, report.global_projections) == (2, 6)
    assert report.copies == pytest.approx(256 / 96)
    assert report.difference < 2e-3 and report.same_tokens == 1
    assert report.peak_mib >= 0 and report.compared_tokens > 20
    assert len(report.kept_full) == 2
    theirs = read_tensors(bart / "model.safetensors")
    ours = read_tensors(done.result / "checkpoints/step-00000000/model.safetensors")
    rows = theirs["model.encoder.embed_positions.weight"][2:]
    table = ours["inner.led.encoder.embed_positions.weight"]
    assert table.equal(torch.cat([rows, rows, rows])[:256])
    layer = "inner.led.encoder.layers.1.self_attn.longformer_self_attn"
    query = theirs["model.encoder.layers.1.self_attn.q_proj.weight"]
    assert ours[f"{layer}.query.weight"].equal(query)
    assert ours[f"{layer}.query_global.weight"].equal(query)
    summary = summarised(LONG, done.result.name).summary
    assert "Global attention: the first token." in summary.notes
    assert any("parts of up to 254 tokens" in note for note in summary.notes)


@torch.no_grad()
def test_a_longer_bart_is_the_same_model_on_texts_within_half_a_window(bart: Path) -> None:
    model = HuggingFaceModel(HuggingFaceSettings.from_folder(bart))
    model.read_folder(bart)
    longer = to_longer(model, 256, 32)
    gaps = {}
    for size in (16, 80):
        source, target = torch.arange(10, 10 + size)[None], torch.tensor([[2, 7, 9]])
        gaps[size] = compare(model.double(), longer.double(), source, target)
    assert gaps[16][0] < 1e-3 and gaps[16][1] == 1  # LED takes its softmax in 32 bits
    assert gaps[80][0] > 0.1, "a longer text is read within the window"


def without_biases(model: Any) -> None:
    """As published PEGASUS models are: their attention has no biases."""
    for name, weight in model.named_parameters():
        if "_proj.bias" in name:
            weight.data.zero_()


@torch.no_grad()
def test_a_longer_pegasus_is_the_same_model_within_half_a_block_but_for_its_global_tokens(
    tmp_path: Path,
) -> None:
    folder = library_folder("pegasus", tmp_path / "pegasus", without_biases)
    model = HuggingFaceModel(HuggingFaceSettings.from_folder(folder))
    model.read_folder(folder)
    config = {name: value for name, value in json.loads(model.settings.architecture).items()
              if name in longer._COPIED}  # fmt: skip
    target = torch.tensor([[0, 7, 9]])
    for size, is_same in ((16, True), (80, False)):
        source = torch.arange(10, 10 + size)[None]
        bare = to_pegasus_x(model, config, 256, 32, global_tokens=0)
        gap, same = compare(model, bare, source, target)
        assert (gap < 1e-4 and same == 1) is is_same, (size, gap)
    whole = to_longer(model, 256, 32)
    gap, _ = compare(model, whole, torch.arange(10, 26)[None], target)
    assert gap > 1e-3, "global tokens are attended to"


def test_a_pegasus_is_made_longer_and_says_what_was_done(home: Path, tmp_path: Path) -> None:
    for name, change, lost in (("exact", without_biases, 0.0), ("biased", None, 0.5)):
        if change is None:

            def change(model: Any) -> None:
                without_biases(model)
                model.model.encoder.layers[0].self_attn.v_proj.bias.data.fill_(0.5)

        folder = library_folder("pegasus", tmp_path / name, change)
        runs, settings = home / "data" / "runs", ConvertSettings(length=256, window=64)
        done = last_of(ConvertModelJob(imported(folder, home), runs, settings))
        assert isinstance(done, Finished), done
        report = read_conversion(done.result)
        assert report is not None
        assert (report.length_before, report.length, report.window) == (96, 256, 64)
        assert (report.layers, report.global_tokens, report.lost_bias) == (2, 32, lost)
        lines = dict(conversion_lines(report))
        assert lines["Positions"] == "computed by the same sinusoids"
        assert lines["Left out"].startswith("biases of attention")
        assert report.difference > 0 and report.compared_tokens > 20
        summary = summarised(LONG, done.result.name).summary
        assert any("parts of up to 25" in note for note in summary.notes)


@pytest.mark.parametrize(
    ("family", "length", "window", "told"),
    [
        ("t5", 256, 64, "Only BART and PEGASUS models can be converted; this model is a t5."),
        ("bart", 96, 16, "The new length was 96; it must be above the 96 tokens"),
        ("bart", 250, 64, "The window was 64; it must be even and divide the new length, 250."),
    ],
)
def test_what_cannot_be_converted_says_why(
    family: str, length: int, window: int, told: str, tmp_path: Path
) -> None:
    folder = library_folder(family, tmp_path / family)
    done = last_of(
        ConvertModelJob(folder, tmp_path / "runs", ConvertSettings(length=length, window=window))
    )
    assert isinstance(done, Failed) and done.message.startswith(told)


def test_the_command_imports_converts_and_shows(
    bart: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["models", "import", str(bart), "--out", "mine", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    validate(told, "models")
    assert told["result"]["name"] == "mine" and told["result"]["conversion"] is None
    words = "models convert mine --length 192 --window 32 --out".split()
    assert main([*words, "now longer"]) == 0
    told = capsys.readouterr()
    assert "self-attention of 2 encoder layers" in told.out
    assert shell_line(["--model", "now longer"]) in told.err, "to be pasted into a terminal"
    assert main(["models", "show", "now longer", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    validate(told, "models")
    assert told["result"]["conversion"]["length"] == 192
    assert main(["models", "show", "now longer", "--window", "3"]) == 2
    assert "--window means nothing for epitome models show." in capsys.readouterr().err


def test_a_name_that_was_typed_and_is_taken_is_refused(
    bart: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["models", "import", str(bart), "--out", "mine"]) == 0
    for action in ("import", "convert"):
        capsys.readouterr()
        assert main(["models", action, str(bart), "--out", "mine"]) == 1
        told = capsys.readouterr().err
        assert "There is a model or another folder" in told
        assert "Choose another name, or delete it." in told
    assert main(["models", "import", str(bart)]) == 0  # without a name it finds one
    assert {each.name for each in Folders.under(home).runs.iterdir()} == {"mine", bart.name}


@pytest.fixture
def disk(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on another disk than the home, where there is no room on that of the home."""
    rename, usage = Path.replace, shutil.disk_usage

    def renamed(source: Path, target: Path) -> Path:
        if source.is_relative_to(home) != target.is_relative_to(home):
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        return rename(source, target)

    def used(place: Path) -> object:
        return usage(place)._replace(free=0) if place.is_relative_to(home) else usage(place)

    monkeypatch.setattr(Path, "replace", renamed)
    monkeypatch.setattr("shutil.disk_usage", used)
    return tmp_path / "disk"


def test_a_model_is_imported_and_converted_to_another_disk(
    bart: Path, home: Path, disk: Path
) -> None:
    folder = imported(bart, home, out=str(disk / "models" / "mine"))
    assert folder == disk / "models" / "mine" and RunFolder(folder).exists
    chosen = ConvertSettings(length=192, window=32, out=str(disk / "longer"))
    done = last_of(ConvertModelJob(folder, home / "data" / "runs", chosen))
    assert done == Finished(disk / "longer")
    assert sorted(each.name for each in disk.iterdir()) == ["longer", "models"]
    full = last_of(ImportFolderJob(bart, home / "data" / "runs"))
    assert isinstance(full, Failed) and full.message.startswith("There is no room for the model")


def test_an_earlier_run_of_a_library_model_still_opens(bart: Path, home: Path) -> None:
    """Files of runs that were trained before these settings existed lack them."""
    folder = imported(bart, home)
    file = folder / "job.toml"
    new = ("prompt", "global_", "checkpointing", "opening", "closing", "sentence_ends")
    lines = [line for line in file.read_text("utf-8").splitlines() if not line.startswith(new)]
    file.write_text("\n".join(lines), "utf-8")
    plan = RunPlan.load(RunFolder(folder))
    assert isinstance(plan.model, HuggingFaceSettings)
    assert (plan.model.prompt, plan.model.global_attention) == ("{text}", "none")
    assert summarised(TEXTS[0], "tiny-bart").summary.model == "tiny-bart"


def test_events_of_a_run_tell_its_global_attention(home: Path, tmp_path: Path) -> None:
    led = library_folder("led", tmp_path / "tiny-led")
    corpus = tiny_corpus(tmp_path / "pairs")
    words = (
        "--steps 1 --batch 2 --validate-every 1 --validate-rows 2 --max-length 4 --threads 1 "
        "--device cpu --too-long window --global-attention sentence-ends --global-tokens 2 --out r"
    )
    assert main(["train", "--from", str(led), "--corpus", str(corpus), *words.split()]) == 0
    events = (home / "data/runs/r/events.jsonl").read_text("utf-8")
    assert "Global attention: sentence ends and the first 2 tokens." in events
