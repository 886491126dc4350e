"""A model that writes nothing of use says so wherever it writes, and the built-in is named."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import pytest
import torch

from core.cli.main import main
from core.decoding.settings import DecodingSettings
from core.decoding.streaming import Decided
from core.distribution.parts import part_of
from core.documents.readers.door import read_pasted
from core.errors import UNUSABLE_TEXT, EpitomeError
from core.evaluation.predictions import write_predictions
from core.evaluation.predictors import predictor_of_run
from core.events import Failed, Finished, result_of
from core.jobs.models.import_folder import ImportFolderJob, ImportSettings
from core.jobs.run import run_inline
from core.jobs.sources.sources import SourceRef
from core.jobs.summaries.summarise import SummariseJob, SummariseSettings
from core.jobs.summaries.write_summary import WriteSummaryJob
from core.stop import StopToken
from core.summaries.summary import Length
from core.summarisers.trained import TrainedSummariser
from core.writing.opened_model import OpenedModel, open_model
from tests.helpers.corpora import TEXTS
from tests.helpers.library_folders import chat_folder, library_folder
from tests.helpers.runs import finished_run, kept_corpus, ruin, tiny_plan

OTHER = "Use the built-in summariser or another model"
END, SIGN = 2, 11


def always(token: int) -> Callable[[Any], object]:
    """Makes a BART choose one token, whatever it reads."""

    def change(model: Any) -> None:
        model.final_logits_bias[0, token] = 1e4

    return change


def far_too_large(model: Any) -> None:
    for weight in model.parameters():
        weight.data.fill_(1e30)


def always_the_first(model: Any) -> None:
    for weight in model.parameters():
        weight.data.zero_()


RUINED: dict[str, tuple[Callable[[Any], object], str]] = {
    "ends at once": (always(END), " wrote nothing."),
    "one sign": (always(SIGN), " wrote no words, only “''''''''''''…”."),
    "zeros": (always_the_first, " wrote nothing."),
    "numbers too large": (far_too_large, " are not numbers (NaN)."),
}
ENGINES = ["torch", *(["auto"] if part_of("fast").is_installed else [])]


def imported(folder: Path, home: Path) -> Path:
    job = ImportFolderJob(folder, home / "data" / "runs", ImportSettings())
    *_, last = run_inline(job, StopToken())
    assert isinstance(last, Finished), last
    result: Path = last.result
    return result


@pytest.mark.parametrize("kind", RUINED)
def test_the_command_fails_and_names_the_built_in(
    kind: str, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change, told = RUINED[kind]
    imported(library_folder("bart", tmp_path / "ruined", change), home)
    document = tmp_path / "note.txt"
    document.write_text(TEXTS[0], "utf-8")
    words = ["summarise", str(document), "--model", "ruined", "--engine"]
    for more in ([engine, *json_too] for engine in ENGINES for json_too in ([], ["--json"])):
        assert main([*words, *more]) == 1
        out, err = capsys.readouterr()
        assert not out.strip() or "summary" not in json.loads(out)
        assert told in err and OTHER in err
    out_folder = tmp_path / "out"
    out_folder.mkdir()
    assert main([*words, ENGINES[-1], "--out", str(out_folder)]) == 1
    assert not list(out_folder.rglob("*.md"))


def test_the_window_s_job_fails_with_the_kind_that_offers_the_built_in(
    home: Path, tmp_path: Path
) -> None:
    run = imported(library_folder("bart", tmp_path / "ruined", always(END)), home)
    document = result_of(read_pasted(TEXTS[0], "", StopToken()))
    *_, last = run_inline(WriteSummaryJob(document, run, Length(3)), StopToken())
    assert isinstance(last, Failed) and last.kind == UNUSABLE_TEXT
    assert last.message == "The model ruined wrote nothing."


@pytest.mark.parametrize("number", [1, 3, 17])
def test_no_scores_are_made_of_a_model_that_writes_nothing(
    number: int, home: Path, tmp_path: Path
) -> None:
    run = imported(library_folder("bart", tmp_path / "ruined", always(END)), home)
    stop, documents = StopToken(), tuple(TEXTS[:number])
    for _ in range(2):  # what an earlier attempt kept is not taken for summaries
        with pytest.raises(EpitomeError) as caught:
            predictor = predictor_of_run(run, Length(3), stop)
            result_of(write_predictions(predictor, documents, tmp_path / "kept", stop))
        assert caught.value.kind == UNUSABLE_TEXT
        assert "ruined" in caught.value.message and "built-in" in caught.value.remedy


@dataclass(frozen=True, kw_only=True)
class FirstPartRuined(OpenedModel):
    """A model that writes one sign over and over of the first source."""

    def write(
        self, sources: Sequence[Sequence[int]], settings: DecodingSettings, stop: StopToken
    ) -> Iterator[Decided]:
        for news in super().write(sources, settings, stop):
            if news.row == 0 and news.done:
                news = news._replace(ids=(), done=replace(news.done, ids=(SIGN,) * 9))
            yield news


def test_parts_of_which_nothing_was_written_are_left_out_and_counted(
    home: Path, tmp_path: Path
) -> None:
    model = open_model(imported(library_folder("bart", tmp_path / "tiny"), home))
    faulty = FirstPartRuined(**{each.name: getattr(model, each.name) for each in fields(model)})
    document = result_of(read_pasted("\n\n".join(TEXTS[:4]), "", StopToken()))
    made = TrainedSummariser(faulty).summarise(document, Length(40, "words"), StopToken())
    summary = result_of(made)
    assert summary.sentences
    (note,) = [note for note in summary.notes if "of which the model wrote" in note]
    assert note.startswith("Left out: 2 parts of which the model wrote no words, only “")


def test_a_run_whose_weights_were_ruined_says_so(tmp_path: Path) -> None:
    run = finished_run(tmp_path / "run", tiny_plan(kept_corpus(), rouge_rows=0))
    ruin(run, lambda weights: [each.fill_(torch.nan) for each in weights.values()])
    settings = SummariseSettings(model=str(run))
    *_, last = run_inline(SummariseJob(SourceRef(text=TEXTS[0]), settings), StopToken())
    assert isinstance(last, Failed) and last.kind == UNUSABLE_TEXT
    assert OTHER in last.remedy


def test_a_folder_of_ruined_weights_is_not_even_opened(tmp_path: Path) -> None:
    def ruined(model: Any) -> None:
        for weight in model.parameters():
            weight.data.fill_(torch.nan)

    folder = chat_folder(tmp_path / "chat", ruined)
    settings = SummariseSettings(model=str(folder))
    *_, last = run_inline(SummariseJob(SourceRef(text=TEXTS[0]), settings), StopToken())
    assert isinstance(last, Failed) and last.kind == UNUSABLE_TEXT
    assert "not finite" in last.message and "built-in" in last.remedy
