"""ctranslate2 writes what PyTorch writes, and is used only where it can."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoModelForSeq2SeqLM

from core.decoding.engine import EngineChoice, searches_alike
from core.decoding.settings import DecodingSettings
from core.decoding.streaming import Decided, Decoded
from core.distribution.parts import part_of
from core.errors import EpitomeError
from core.events import Finished
from core.jobs.models.import_folder import ImportFolderJob, ImportSettings
from core.jobs.run import run_inline
from core.jobs.sources.sources import SourceRef
from core.jobs.summaries.summarise import Summarised, SummariseJob, SummariseSettings
from core.models.weights import read_tensors, write_tensors
from core.runs.checkpoints import Checkpoints
from core.stop import StopToken
from core.training.origins import origin_of
from core.writing.engines import FOLDER, engine_for, open_with
from core.writing.writing_model import WritingModel
from tests.helpers.corpora import TEXTS
from tests.helpers.library_folders import chat_folder, library_folder
from tests.helpers.shelf import copied, kept

needs_part = pytest.mark.skipif(
    not part_of("fast").is_installed, reason="the part “fast” (ctranslate2) is not installed"
)
LONG = "\n\n".join(TEXTS[:6])
SOURCES = [[11, 45, 92, 17, 300, 5, 8], [200, 31, 77], [40, 41, 42, 43, 44, 45, 46, 47, 48, 49]]
GREEDY = DecodingSettings(max_length=10, block_repeats=2, min_length=3)
BEAMS = DecodingSettings(
    beams=3, max_length=10, length_penalty=0.6, block_repeats=0, end_of_search="full"
)
CHATS = ("llama", "mistral", "qwen2")


def folder_of(kind: str, place: Path) -> Path:
    """A tiny random model as a download."""
    if kind not in CHATS:
        return library_folder(kind, place)
    return chat_folder(place, prefix=kind.capitalize())


def imported(folder: Path, home: Path, **settings: object) -> Path:
    """Imports a folder as a person does; gives the model's."""
    job = ImportFolderJob(
        folder, home / "data" / "runs", ImportSettings.checked({"prompt": "{text}", **settings})
    )
    *_, last = run_inline(job, StopToken())
    assert isinstance(last, Finished), last
    result: Path = last.result
    return result


def imported_bart(home: Path) -> Path:
    """A copy of a model that is imported once for the tests of this file."""

    def make(other: Path) -> None:
        imported(library_folder("bart", other / "bart"), other)

    copied(kept("a home with a BART", make) / "data", home / "data")
    return home / "data" / "runs" / "bart"


def written(
    model: WritingModel, settings: DecodingSettings, stop: StopToken | None = None
) -> list[Decoded]:
    """What a model writes of the sources; what it told token by token is the same."""
    told: dict[int, list[int]] = {number: [] for number in range(len(SOURCES))}
    done: dict[int, Decoded] = {}
    for news in model.write(SOURCES, settings, stop or StopToken()):
        told[news.row] += news.ids
        if news.done:
            done[news.row] = news.done
    for number, text in done.items():
        assert tuple(told[number]) == text.ids
    return [done[number] for number in range(len(SOURCES))]


def ids_of(texts: Sequence[Decoded]) -> list[tuple[int, ...]]:
    return [text.ids for text in texts]


@needs_part
@pytest.mark.parametrize("kind", ["bart", "mbart", "pegasus", "t5", *CHATS])
def test_in_32_bits_it_writes_the_same_tokens(kind: str, home: Path, tmp_path: Path) -> None:
    run = imported(folder_of(kind, tmp_path / kind), home)
    theirs, ours = open_with(run, "torch"), open_with(run, "ctranslate2")
    texts: set[tuple[int, ...]] = set()
    for settings in (GREEDY, BEAMS):
        expected, found = written(theirs, settings), written(ours, settings)
        assert ids_of(found) == ids_of(expected), settings
        assert [text.ended for text in found] == [text.ended for text in expected]
        texts |= set(ids_of(found))
    for one, other in zip(found, expected, strict=True):  # of the beams
        assert one.normalised == pytest.approx(other.normalised, abs=1e-3)
        assert one.score == pytest.approx(other.score, abs=1e-2)
    assert len(texts) > len(found), "they differ by their source"


@needs_part
@torch.no_grad()
def test_forbidden_tokens_in_a_beam_search_are_as_in_the_library(
    home: Path, tmp_path: Path
) -> None:
    ours = open_with(imported_bart(home), "ctranslate2")
    wanted = BEAMS.model_copy(update={"block_repeats": 2, "min_length": 3})
    folder = library_folder("bart", tmp_path / "bart")
    theirs = AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    special = ours.tokenizer.special
    expected = []
    for source in SOURCES:
        row = torch.tensor([[*special.before, *source, *special.after]])
        made = theirs.generate(
            input_ids=row, num_beams=3, max_new_tokens=10, min_new_tokens=3, do_sample=False,
            no_repeat_ngram_size=2, length_penalty=0.6, early_stopping=True,
            renormalize_logits=True, forced_eos_token_id=None,
        )  # fmt: skip
        ids = made[0].tolist()[1:]
        expected.append(tuple(ids[: ids.index(2)] if 2 in ids else ids))
    assert ids_of(written(ours, wanted)) == expected


@needs_part
def test_an_imported_model_is_prepared_and_the_summary_says_what_computed_it(home: Path) -> None:
    run = imported_bart(home)
    assert (run / FOLDER / "8-bit" / "model.bin").is_file()
    summary = summarised("bart").summary
    assert summary.sentences
    assert any(
        note.startswith("Computed by ctranslate2 with weights of 8") for note in summary.notes
    )
    exact, plain = summarised("bart", "ctranslate2").summary, summarised("bart", "torch").summary
    assert [each.text for each in exact.sentences] == [each.text for each in plain.sentences]
    assert "Computed by ctranslate2." in exact.notes
    assert not any("ctranslate2" in note for note in plain.notes)


def summarised(model: str, engine: EngineChoice = "auto") -> Summarised:
    job = SummariseJob(
        SourceRef(text=LONG), SummariseSettings(length="3s", model=model, engine=engine)
    )
    *_, last = run_inline(job, StopToken())
    assert isinstance(last, Finished), last
    result: Summarised = last.result
    return result


@needs_part
def test_other_weights_are_converted_again(home: Path) -> None:
    run = imported_bart(home)
    before = ids_of(written(open_with(run, "ctranslate2"), GREEDY))
    weights = read_tensors(run / "checkpoints/step-00000000/model.safetensors")
    name = "inner.model.decoder.layers.1.fc2.weight"
    weights[name] = weights[name] * 30
    made = {"model.safetensors": lambda path: write_tensors(path, weights)}
    Checkpoints(run).write(1, made, {})
    Checkpoints(run).name("best", 1)
    after = ids_of(written(open_with(run, "ctranslate2"), GREEDY))
    assert after == ids_of(written(open_with(run, "torch"), GREEDY)) != before
    assert sorted(path.name for path in (run / FOLDER).iterdir()) == ["32-bit", "8-bit"]


class AtSecondLook(StopToken):
    """A wish to stop that comes when it has been looked for once."""

    looked = 0

    def __bool__(self) -> bool:
        self.looked += 1
        if self.looked > 1:
            self.request("stop")
        return super().__bool__()


@needs_part
@pytest.mark.parametrize("beams", [1, 3])
def test_a_wish_to_stop_ends_the_writing(beams: int, home: Path) -> None:
    run = imported_bart(home)
    model = open_with(run, "ctranslate2")
    settings = DecodingSettings(beams=beams, max_length=80, min_length=80, block_repeats=0)
    news: list[Decided] = list(model.write(SOURCES, settings, AtSecondLook()))
    ends = {each.row: each.done.ended for each in news if each.done}
    assert set(ends) == {0, 1, 2}
    assert "stopped" in ends.values()


@needs_part
def test_a_source_that_is_too_long_is_refused_and_a_small_room_is_kept(home: Path) -> None:
    run = imported_bart(home)
    model = open_with(run, "ctranslate2")
    with pytest.raises(EpitomeError, match="Text 1 has 97 tokens; this model reads up to 96"):
        list(model.write([[5] * 95], GREEDY, StopToken()))
    much = DecodingSettings(max_length=500, min_length=500, block_repeats=0)
    told = written(model, much), written(open_with(run, "torch"), much)
    assert ids_of(told[0]) == ids_of(told[1])
    assert {text.ended for text in told[0]} == {"room"}


@needs_part
def test_what_it_does_not_know_is_computed_by_pytorch(home: Path, tmp_path: Path) -> None:
    led = imported(library_folder("led", tmp_path / "led"), home)
    assert engine_for(origin_of(led)) == "torch"
    with pytest.raises(EpitomeError, match="ctranslate2 does not compute models of the kind led"):
        open_with(led, "ctranslate2")
    folder = library_folder("pegasus", tmp_path / "pegasus")
    (folder / "generation_config.json").write_text(json.dumps({"num_beams": 4}), "utf-8")
    pegasus = imported(folder, home)
    assert engine_for(origin_of(pegasus)) == "torch", "its search ends otherwise"
    told = open_with(pegasus, "ctranslate2").remarks[-1]
    assert told.endswith("It ends a beam search earlier than this model's settings ask.")


@needs_part
@pytest.mark.parametrize(
    ("kind", "config", "told"),
    [
        (
            "Llama",
            {"rope_scaling": {"rope_type": "llama3", "factor": 4.0, "low_freq_factor": 1.0,
             "high_freq_factor": 4.0, "original_max_position_embeddings": 64}},
            "models whose positions are scaled by llama3",
        ),
        ("Llama", {"head_dim": 16}, "a llama with heads of 16 numbers"),
        ("Mistral", {"sliding_window": 16}, "a mistral with an attention window of 16 tokens"),
    ],
)  # fmt: skip
def test_what_it_would_compute_otherwise_is_computed_by_pytorch(
    kind: str, config: dict[str, Any], told: str, home: Path, tmp_path: Path
) -> None:
    run = imported(chat_folder(tmp_path / "chat", prefix=kind, **config), home)
    assert engine_for(origin_of(run)) == "torch"
    assert not (run / FOLDER).exists()
    with pytest.raises(EpitomeError, match=f"^ctranslate2 does not compute {told}\\. "):
        open_with(run, "ctranslate2")
    assert len(written(open_with(run, "auto"), GREEDY)) == len(SOURCES)


@needs_part
@pytest.mark.parametrize(
    ("kind", "config"),
    [
        ("Llama", {"rope_scaling": {"rope_type": "linear", "factor": 4.0}}),
        ("Llama", {"rope_theta": 500.0}),
        ("Mistral", {"head_dim": 16}),
        ("Qwen2", {"sliding_window": 4}),
    ],
)
def test_chat_models_of_other_shapes_write_the_same_tokens(
    kind: str, config: dict[str, Any], home: Path, tmp_path: Path
) -> None:
    run = imported(chat_folder(tmp_path / "chat", prefix=kind, **config), home)
    theirs, ours = open_with(run, "torch"), open_with(run, "ctranslate2")
    assert ids_of(written(ours, GREEDY)) == ids_of(written(theirs, GREEDY))


def test_without_the_part_pytorch_computes(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.distribution.parts.Part.is_installed", False)
    run = imported(library_folder("bart", tmp_path / "bart"), home)
    assert not (run / FOLDER).exists()
    assert not any("ctranslate2" in remark for remark in open_with(run, "auto").remarks)
    with pytest.raises(EpitomeError) as refused:
        open_with(run, "ctranslate2-int8")
    assert refused.value.message == "The part “Faster models” (ctranslate2) is not installed."
    assert refused.value.remedy == f"Run {part_of('fast').command}."


@pytest.mark.parametrize(
    ("changes", "alike"),
    [
        ({}, True),
        ({"beams": 4}, False),
        ({"beams": 4, "end_of_search": "full"}, True),
        ({"beams": 4, "end_of_search": "full", "length_penalty": 0}, False),
        ({"beams": 4, "end_of_search": "certain"}, False),
    ],
)
def test_only_a_search_that_ends_alike_is_handed_over(changes: dict[str, Any], alike: bool) -> None:
    assert searches_alike(DecodingSettings(**changes)) is alike


def test_a_chat_folder_of_each_kind_opens(tmp_path: Path) -> None:
    for kind in CHATS:
        model = AutoModelForCausalLM.from_pretrained(folder_of(kind, tmp_path / kind))
        assert model.config.model_type == kind
