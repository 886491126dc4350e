"""Every model family is trained, resumed, read and measured by the same commands."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.cli.main import main
from core.data.examples import open_examples, tokenise
from core.data.preparing import prepare
from core.data.settings import CorpusSettings
from core.data.tokenizer import Tokenizer
from core.events import Failed, Finished, Message, Stopped, result_of
from core.models.batch import PairBatch
from core.models.hugging_face.settings import HuggingFaceSettings
from core.models.language_model.settings import LanguageModelSettings
from core.models.reformer.encoder_decoder_settings import ReformerEncoderDecoderSettings
from core.models.settings import ModelSettings
from core.models.transformer.settings import TransformerSettings
from core.models.weights import read_tensors
from core.runs.folder import RunFolder
from core.stop import StopToken
from core.training.events import StepDone, ValidationDone
from core.training.plan import RunPlan
from core.training.rows import rows_of
from tests.helpers.corpora import SUMMARIES, TEXTS, write_pairs
from tests.helpers.foreign_tokenizers import saved
from tests.helpers.runs import MODEL, curve, finished_run, run_events, tiny_corpus, tiny_plan
from tests.helpers.tiny_bart import save_bart, tiny_bart
from tests.helpers.tiny_gpt2 import save_gpt2

Captured = pytest.CaptureFixture[str]
ENCODER_DECODER = ReformerEncoderDecoderSettings(
    vocabulary_size=400, source_length=192, target_length=64, width=16, encoder_depth=2,
    decoder_depth=2, heads=2, encoder_attention=("full", "local"), window=16, dropout=0.1,
)  # fmt: skip
TRANSFORMER = TransformerSettings(
    vocabulary_size=400, source_length=192, target_length=64, width=16, encoder_depth=5,
    decoder_depth=3, heads=3, head_width=8, chunk_size=16, compression=4, dropout=0.1,
    encoder_attention=("full", "local", "shifted", "light-convolution", "memory-compressed"),
    decoder_attention=("full", "light-convolution", "memory-compressed"),
)  # fmt: skip
LANGUAGE_MODEL = LanguageModelSettings(
    vocabulary_size=400, length=192, width=16, depth=2, heads=2, dropout=0.1,
)  # fmt: skip
PAIR_FAMILIES = pytest.mark.parametrize(
    "model", [ENCODER_DECODER, TRANSFORMER], ids=lambda model: model.family
)
TYPED = (
    "--source-length 192 --target-length 64 --width 16 "
    "--encoder-depth 1 --decoder-depth 1 --heads 2 --steps 3 --batch 4 --validate-every 3 "
    "--validate-rows 4 --rouge-rows 2 --max-length 6 --threads 1 --device cpu"
).split()


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_corpus(tmp_path_factory.mktemp("corpora") / "tiny")


@pytest.fixture(scope="module")
def gaps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus of gap sentences, and a tokenizer beside it."""
    folder = tmp_path_factory.mktemp("corpora")
    source = write_pairs(folder / "pairs.parquet", TEXTS, SUMMARIES)
    settings = CorpusSettings.checked({"make": "gsg", "split": "80/20/0"})
    for _ in prepare((str(source),), settings, folder / "gaps", StopToken()):
        pass
    Tokenizer.train([*TEXTS, *SUMMARIES], 400).save(folder / "gaps" / "tokenizer")
    return folder / "gaps"


@pytest.fixture(scope="module")
def bart(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as `save_pretrained` leaves it, model and tokenizer."""
    folder = saved("bart", tmp_path_factory.mktemp("models") / "bart")
    model = tiny_bart(0, end_bias=0.0, vocabulary_size=400, positions=192)
    return save_bart(model, folder)


def plan_of(corpus: Path, model: ModelSettings, **train: Any) -> RunPlan:
    return replace(tiny_plan(corpus, **train), model=model)


def bart_plan(corpus: Path, bart: Path, **train: Any) -> RunPlan:
    plan = plan_of(corpus, HuggingFaceSettings.from_folder(bart), learning_rate=0.001, **train)
    return replace(plan, run=plan.run.model_copy(update={"start_from": str(bart), "tokenizer": ""}))


def last_of(folder: Path) -> Path:
    return (
        folder / "checkpoints" / json.loads((folder / "last.json").read_text("utf-8"))["checkpoint"]
    )


def bits(folder: Path) -> list[bytes]:
    files = ("model.safetensors", "optimizer.safetensors")
    return [(last_of(folder) / name).read_bytes() for name in files]


def stopped_after(folder: Path, plan: RunPlan, step: int) -> None:
    """Trains so far and stops."""

    class Then(StopToken):
        @property
        def wish(self):  # type: ignore[no-untyped-def]
            events = folder / "events.jsonl"
            there = events.exists() and events.read_bytes().count(b"StepDone") == step
            return "stop" if there else ""

    events = run_events(folder, plan, Then())
    assert events[-1] == Stopped("stop"), events[-1]


@pytest.mark.parametrize(
    ("make", "model", "settings"),
    [
        ("gsg", ENCODER_DECODER, {}),
        ("pairs", ENCODER_DECODER, {"padding": "fixed", "smoothing": 0.1}),
        ("pairs", TRANSFORMER, {"padding": "fixed", "smoothing": 0.1, "adam_beta2": 0.98}),
        ("gsg", TRANSFORMER.model_copy(update={"shortening": 2, "norm": "post"}), {}),
    ],
)
def test_an_encoder_decoder_learns_pairs_and_gap_sentences(
    pairs: Path, gaps: Path, tmp_path: Path, make: str, model: ModelSettings,
    settings: dict[str, Any],
) -> None:  # fmt: skip
    objective = "gsg" if make == "gsg" else "summary"
    plan = plan_of(
        gaps if make == "gsg" else pairs, model, objective=objective, steps=24, batch=4,
        validate_every=24, **settings,
    )  # fmt: skip
    events = run_events(tmp_path / "run", plan)
    steps = [event for event in events if isinstance(event, StepDone)]
    assert isinstance(events[-1], Finished), events[-1]
    assert steps[-1].loss < steps[0].loss - 0.5
    (found,) = (event for event in events if isinstance(event, ValidationDone))
    assert found.rouge.keys() == {"1", "2", "L"}
    assert RunPlan.load(RunFolder(tmp_path / "run")).model == plan.model


@PAIR_FAMILIES
def test_parts_of_an_encoder_decoder_s_step_are_the_whole_step(
    pairs: Path, tmp_path: Path, model: ModelSettings
) -> None:
    losses = []
    for parts in (1, 3):
        plan = plan_of(pairs, model, batch=6, accumulate=parts, rouge_rows=0, steps=3)
        events = run_events(tmp_path / str(parts), plan)
        losses.append([event.loss for event in events if isinstance(event, StepDone)])
    assert losses[0] == pytest.approx(losses[1], rel=2e-4)


@pytest.mark.parametrize("padding", ["lengths", "fixed"])
@pytest.mark.parametrize("model", [LANGUAGE_MODEL, MODEL], ids=lambda model: model.family)
def test_domain_adaptive_steps_learn_the_document_and_the_rest_the_summary(
    pairs: Path, tmp_path: Path, model: ModelSettings, padding: str
) -> None:
    plan = plan_of(
        pairs, model, domain_adaptive=0.5, steps=4, padding=padding, best_by="rouge",
        validate_every=2,
    )  # fmt: skip
    events = run_events(tmp_path / "run", plan)
    assert isinstance(events[-1], Finished), events[-1]
    steps = [event for event in events if isinstance(event, StepDone)]
    adaptive, end_task = steps[:2], steps[2:]
    # All tokens but the divider are learnt, or the summary with its end.
    assert all(0.9 * step.tokens < step.loss_tokens < step.tokens for step in adaptive)
    assert all(step.loss_tokens < 0.4 * step.tokens for step in end_task)
    validations = [event for event in events if isinstance(event, ValidationDone)]
    assert len({event.loss_tokens for event in validations}) == 1  # of the summaries alone
    assert validations[0].loss_tokens < end_task[0].loss_tokens
    told = [event.text for event in events if isinstance(event, Message)]
    assert (
        "Steps 1 to 2 learn document and summary (domain-adaptive), the rest the summary alone "
        "(end task)." in told
    )


@pytest.mark.parametrize("after", [3, 6, 9])
def test_a_stopped_language_model_goes_on_to_the_bit_across_its_objectives(
    pairs: Path, tmp_path: Path, after: int
) -> None:
    """Stopped before, at and after the change from domain-adaptive to end-task training."""
    plan = plan_of(pairs, LANGUAGE_MODEL, domain_adaptive=0.5, best_by="rouge")
    finished_run(tmp_path / "whole", plan)
    stopped_after(tmp_path / "half", plan, after)
    run_events(tmp_path / "half")
    assert curve(tmp_path / "half") == curve(tmp_path / "whole")
    assert bits(tmp_path / "half") == bits(tmp_path / "whole")


def test_parts_of_a_language_model_s_step_are_the_whole_step(pairs: Path, tmp_path: Path) -> None:
    losses = []
    for parts in (1, 3):
        how = {"accumulate": parts, "rouge_rows": 0, "steps": 4}
        plan = plan_of(pairs, LANGUAGE_MODEL, domain_adaptive=0.5, **how)
        events = run_events(tmp_path / str(parts), plan)
        losses.append([event.loss for event in events if isinstance(event, StepDone)])
    assert losses[0] == pytest.approx(losses[1], rel=2e-4)


def test_a_language_model_is_made_by_commands_from_end_to_end(
    pairs: Path, home: Path, tmp_path: Path, capsys: Captured
) -> None:
    few = "--steps 4 --batch 4 --validate-every 2 --validate-rows 4 --rouge-rows 2".split()
    words = (
        "--preset paper-5 --length 192 --width 16 --depth 1 --heads 2 --max-length 6 --threads 1 "
        "--device cpu --out lm"
    ).split()
    data = ["--corpus", str(pairs), "--tokenizer", str(pairs / "tokenizer")]
    assert main(["train", *words, *few, *data]) == 0, capsys.readouterr().err
    plan = RunPlan.load(RunFolder(home / "data" / "runs" / "lm"))
    assert (plan.decoding.beams, plan.decoding.block_repeats) == (3, 3)
    assert (plan.train.domain_adaptive, plan.train.best_by) == (0.5, "rouge")
    assert plan.train.too_long == "start"
    text = tmp_path / "text.txt"
    text.write_text("\n\n".join(TEXTS[:3]), "utf-8")
    capsys.readouterr()
    assert main(["summarise", str(text), "--model", "lm", "--length", "2s", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["settings"]["model"] == "lm"
    source = write_pairs(tmp_path / "test.parquet", TEXTS[:4], SUMMARIES[:4])
    scored = ["evaluate", "--model", "lm", "--pairs", str(source), "--json"]
    assert main(scored) == 0, capsys.readouterr().err
    tuned = ["--from", "lm", "--corpus", str(pairs), "--out", "tuned", "--threads", "1"]
    assert main(["train", *tuned, *few, "--device", "cpu"]) == 0, capsys.readouterr().err


def assert_writes_or_says_so(capsys: Captured, text: Path, model: str) -> None:
    """Asserts that a model of a few steps writes, or that what it wrote is said to be no use."""
    code = main(["summarise", str(text), "--model", model, "--length", "2s", "--json"])
    out, err = capsys.readouterr()
    if code == 0:
        assert json.loads(out)["settings"]["model"] == model
    else:
        assert f"The model {model}" in err and " wrote " in err


def test_a_folder_of_gpt2_is_trained_and_writes_by_commands(
    pairs: Path, home: Path, tmp_path: Path, capsys: Captured
) -> None:
    folder = tmp_path / "gpt2"
    theirs = save_gpt2(folder)
    words = (
        "--steps 2 --batch 4 --validate-every 2 --validate-rows 4 --max-length 6 --threads 1 "
        "--device cpu --source-embeddings zero --preset paper-5 --rouge-rows 2 --learning-rate "
        "1e-9 --out gpt2"
    )
    command = ["train", "--from", str(folder), "--corpus", str(pairs), *words.split()]
    assert main(command) == 0, capsys.readouterr().err
    plan = RunPlan.load(RunFolder(home / "data" / "runs" / "gpt2"))
    assert isinstance(plan.model, LanguageModelSettings)
    assert (plan.model.width, plan.model.source_embeddings) == (16, "zero")
    assert plan.model.vocabulary_size > 400 and plan.train.domain_adaptive == 0.5
    weights = last_of(home / "data" / "runs" / "gpt2") / "model.safetensors"
    found = read_tensors(weights)["layers.1.feed_forward.widen.weight"]
    wanted = theirs.transformer.h[1].mlp.c_fc.weight.detach().t()
    assert (found - wanted).abs().max() < 1e-6
    text = tmp_path / "text.txt"
    text.write_text(TEXTS[0], "utf-8")
    capsys.readouterr()
    assert_writes_or_says_so(capsys, text, "gpt2")


def test_an_encoder_decoder_learns_no_language_model(pairs: Path, tmp_path: Path) -> None:
    plan = plan_of(pairs, ENCODER_DECODER, objective="language-model")
    assert run_events(tmp_path / "run", plan)[-1] == Failed(
        "The objective language-model is not for the family reformer-encoder-decoder, which "
        "learns to write a target from a source.",
        "Choose the objective gsg or summary.",
    )


@pytest.mark.parametrize("family", ["reformer-encoder-decoder", "transformer"])
def test_an_encoder_decoder_is_made_by_commands_from_end_to_end(
    pairs: Path, home: Path, tmp_path: Path, capsys: Captured, family: str
) -> None:
    words = [
        "--family",
        family,
        "--corpus",
        str(pairs),
        "--tokenizer",
        str(pairs / "tokenizer"),
        "--out",
        "pair",
    ]
    assert main(["train", *TYPED, *words]) == 0, capsys.readouterr().err
    job = (home / "data" / "runs" / "pair" / "job.toml").read_text("utf-8")
    assert f'family = "{family}"' in job
    text = tmp_path / "text.txt"
    text.write_text("\n\n".join(TEXTS[:3]), "utf-8")
    capsys.readouterr()
    assert_writes_or_says_so(capsys, text, "pair")
    source = write_pairs(tmp_path / "test.parquet", TEXTS[:4], SUMMARIES[:4])
    code = main(["evaluate", "--model", "pair", "--pairs", str(source), "--json"])
    assert code == 0 or "Nothing of use was written" in capsys.readouterr().err
    tuned = ["--from", "pair", "--corpus", str(pairs), "--out", "tuned", "--threads", "1"]
    few = ["--steps", "2", "--validate-rows", "2", "--rouge-rows", "0", "--device", "cpu"]
    assert main(["train", *tuned, *few]) == 0, capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            "--family reformer-encoder-decoder --rounds 3",
            "“rounds” is a setting of the family reformer, but the family is "
            "reformer-encoder-decoder. Leave it out, or choose --family reformer.",
        ),
        (
            "--encoder-depth 3",
            "“encoder_depth” is a setting of the family reformer-encoder-decoder or transformer, "
            "but the family is reformer. Leave it out, or choose --family reformer-encoder-decoder "
            "or transformer.",
        ),
        (
            "--lora-rank 8",
            "Leave it out, or name a Hugging Face folder with --from.",
        ),
        ("--family perceiver", "“family” was 'perceiver': it should be reformer or"),
        (
            "--family reformer-encoder-decoder --preset paper",
            "The preset paper is one of the family reformer; the family was reformer-enc",
        ),
        ("--family hugging-face", "A Hugging Face model comes from a folder: name it with --from."),
    ],
)
def test_options_of_another_family_are_refused(words: str, told: str, capsys: Captured) -> None:
    assert main(["train", "--corpus", "x", "--tokenizer", "y", *words.split()]) == 2
    assert told in " ".join(capsys.readouterr().err.split())


def test_a_job_file_without_a_family_is_a_reformer_language_model(tmp_path: Path) -> None:
    text = tiny_plan(tmp_path).to_toml()
    assert 'family = "reformer"' in text
    file = tmp_path / "job.toml"
    file.write_text(re.sub(r'(# .*\n)?family = "reformer"\n', "", text), "utf-8")
    assert RunPlan.read(file) == tiny_plan(tmp_path)


def test_a_hugging_face_model_learns_from_its_folder_and_goes_on_to_the_bit(
    pairs: Path, bart: Path, tmp_path: Path
) -> None:
    plan = bart_plan(pairs, bart)
    events = run_events(tmp_path / "whole", plan)
    assert isinstance(events[-1], Finished), events[-1]
    told = [event.text for event in events if isinstance(event, Message)]
    assert f"Starting with the weights of {bart}." in told
    steps = [event for event in events if isinstance(event, StepDone)]
    assert steps[-1].loss < steps[0].loss
    stopped_after(tmp_path / "half", plan, 7)  # after a validation
    run_events(tmp_path / "half")
    assert curve(tmp_path / "half") == curve(tmp_path / "whole")
    assert bits(tmp_path / "half") == bits(tmp_path / "whole")


def test_a_hugging_face_model_learns_to_end_with_its_own_token(pairs: Path, bart: Path) -> None:
    plan, tokenizer = bart_plan(pairs, bart), Tokenizer.load(bart)
    result_of(tokenise(pairs, tokenizer, StopToken()))
    examples = open_examples(pairs, tokenizer, "train")
    other = replace(tokenizer.special, end=tokenizer.special.mask)
    batch = rows_of(examples, plan.model, plan.train, other).batch([0], plan.train)
    assert isinstance(batch, PairBatch) and batch.target.labels is not None
    assert batch.target.labels[0, -1] == 2
    assert batch.target.tokens[0, :2].tolist() == [2, 0]
    assert batch.source.tokens[0, [0, -1]].tolist() == [0, 2]


def test_a_run_with_frozen_weights_goes_on_to_the_bit(
    pairs: Path, bart: Path, tmp_path: Path
) -> None:
    plan = bart_plan(pairs, bart, freeze=("inner.model.encoder", "inner.model.shared"), steps=6)
    assert isinstance(run_events(tmp_path / "whole", plan)[-1], Finished)
    stopped_after(tmp_path / "half", plan, 4)
    run_events(tmp_path / "half")
    assert bits(tmp_path / "half") == bits(tmp_path / "whole")
    theirs, ours = (
        read_tensors(path)
        for path in (bart / "model.safetensors", last_of(tmp_path / "half") / "model.safetensors")
    )
    name = "model.encoder.layers.0.fc1.weight"
    assert ours[f"inner.{name}"].equal(theirs[name])
    name = "model.decoder.layers.0.fc1.weight"
    assert not ours[f"inner.{name}"].equal(theirs[name])


def test_a_hugging_face_model_is_trained_and_writes_by_commands(
    pairs: Path, bart: Path, home: Path, tmp_path: Path, capsys: Captured
) -> None:
    words = (
        "--steps 2 --batch 4 --validate-every 2 --validate-rows 4 --max-length 6 --threads 1 "
        "--device cpu --target-length 40 --out bart"
    )
    command = ["train", "--from", str(bart), "--corpus", str(pairs), *words.split()]
    assert main(command) == 0, capsys.readouterr().err
    plan = RunPlan.load(RunFolder(home / "data" / "runs" / "bart"))
    assert isinstance(plan.model, HuggingFaceSettings)
    assert (plan.model.source_length, plan.model.target_length) == (192, 40)
    bart.rename(tmp_path / "gone")  # the run needs it no more
    try:
        text = tmp_path / "text.txt"
        text.write_text(TEXTS[0], "utf-8")
        capsys.readouterr()
        assert main(["summarise", str(text), "--model", "bart", "--length", "1s", "--json"]) == 0
    finally:
        (tmp_path / "gone").rename(bart)
    assert json.loads(capsys.readouterr().out)["settings"]["model"] == "bart"


def test_another_family_s_options_are_refused_beside_a_folder(bart: Path, capsys: Captured) -> None:
    assert main(["train", "--from", str(bart), "--corpus", "x", "--width", "32"]) == 2
    told = capsys.readouterr().err
    assert "“width” is a setting of the family reformer or reformer-encoder-decoder" in told
    assert "but the family is hugging-face." in told
