"""Models are evaluated and compared from the Models panel; the scores stand there afterwards."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from core.data.corpus_facts import CorpusFacts
from core.evaluation.settings import EvaluateSettings, ScoreSettings
from core.evaluation.systems import System
from core.jobs.models.describe_models import DescribedModel
from core.runs.evaluations import Evaluation, KeptGroup, KeptScore
from gui.main_window import MainWindow
from gui.panels.models.panel import ModelsPanel
from gui.panels.models.score_words import scores_of
from gui.panels.models.scoring import Scoring, usual_settings
from gui.panels.models.state import BUILT_IN, ModelsState
from tests.helpers.pair_files import ROWS, write_rows
from tests.helpers.windows import WIDE, end_window, show_window, toasts, words_on

ROWS_OF = {"train": 80, "validation": 10, "test": 10}
CORPORA = (
    CorpusFacts(Path("/corpora/notes"), "notes", "text", ROWS_OF),
    CorpusFacts(Path("/corpora/letters"), "letters", "pairs", {"train": 50, "validation": 10}),
    CorpusFacts(Path("/corpora/torn"), "torn", "pairs", ROWS_OF, fault="It is damaged."),
)
MODEL = DescribedModel(Path("/runs/tuned"), "Patents, short")


def prepared(compares: bool = False) -> Scoring:
    scoring = Scoring(MODEL, compares, {"built-in": "Built-in"}, "built-in" if compares else "")
    scoring.settings = usual_settings(compares)
    scoring.take_corpora(CORPORA)
    return scoring


def test_only_whole_corpora_of_pairs_are_offered() -> None:
    scoring = prepared()
    assert [each.name for each in scoring.corpora] == ["letters"]
    assert scoring.pairs == Path("/corpora/letters") and scoring.splits == ("train", "validation")
    assert scoring.usual_split == "validation"
    assert scoring.problem == "“letters” has no test split; choose train or validation."


def test_what_is_missing_is_said_before_it_begins() -> None:
    scoring = Scoring(MODEL, compares=True, settings=ScoreSettings())
    assert scoring.problem == "Choose a corpus of pairs, or a file."
    scoring.pairs = Path("pairs.jsonl")
    assert scoring.problem == "Choose what it is compared with."
    scoring.against, scoring.settings = "lead", None
    assert scoring.problem == "Correct the marked settings first."
    scoring.settings = ScoreSettings()
    assert not scoring.problem and scoring.usual_split == "test"


def test_the_command_does_the_same_as_the_job() -> None:
    scoring = prepared()
    scoring.settings = EvaluateSettings(limit=7, split="validation", length="3s")
    assert scoring.command == (
        "epitome evaluate --model tuned --corpus letters --length 3s --limit 7 --split validation"
    )
    assert scoring.job.systems == (System(str(MODEL.folder)),)
    compared = prepared(compares=True)
    compared.pairs, compared.settings = Path("my pairs.jsonl"), ScoreSettings(stem=True)
    assert compared.command == (
        "epitome compare --model built-in --model tuned --pairs 'my pairs.jsonl' --stem"
    )
    assert [each.name for each in compared.job.systems] == ["built-in", str(MODEL.folder)]


def test_a_model_is_compared_with_all_but_itself_and_those_that_cannot_be_used() -> None:
    state = ModelsState()
    others = [DescribedModel(Path(f"/runs/{name}"), name) for name in ("a", "b")]
    state.take([*others, DescribedModel(Path("/runs/c"), "c", fault="It is damaged.")])
    state.choose("/runs/a")
    assert list(state.others()) == ["built-in", "/runs/b", "lead"]
    state.choose(BUILT_IN)
    assert list(state.others()) == ["/runs/a", "/runs/b", "lead"]


@pytest.fixture
def window(qtbot: QtBot, home: Path) -> Iterator[MainWindow]:
    window = show_window(home)
    window.resize(*WIDE)
    qtbot.waitUntil(window.isActiveWindow)
    yield window
    end_window(window)


@pytest.fixture
def panel(qtbot: QtBot, window: MainWindow) -> ModelsPanel:
    window.show_panel("models")
    panel = window.panel("models")
    assert isinstance(panel, ModelsPanel)
    qtbot.waitUntil(lambda: panel.state.is_known)
    return panel


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    return write_rows(tmp_path / "pairs.jsonl", ROWS)


def test_content_words_and_groups_stand_among_the_scores() -> None:
    def scores(*values: float) -> tuple[KeptScore, ...]:
        names = ("rouge-1 f1", "rouge-1 recall", "rouge-2 f1", "content precision")
        return tuple(KeptScore(*each) for each in zip(names, "%%%%", values, strict=True))

    groups = (
        KeptGroup("kind", "mixed", 7, scores(30, 31, 10, 90)),
        KeptGroup("length", "20 to 39 words", 1, scores(20, 21, 5, 80)),
    )
    kept = Evaluation("pairs.jsonl", "a", 8, 0, "60w", "", scores(40, 41, 20, 95), groups=groups)
    (table,) = scores_of(None, (kept,))
    assert table.rows == (
        ("ROUGE-1 F1", "40.0"),
        ("ROUGE-2 F1", "20.0"),
        ("Content words, precision", "95.0"),
        ("References: mixed", "30.0 / 10.0  7 documents"),
        ("Length: 20 to 39 words", "20.0 / 5.0  1 document"),
    )


def press(qtbot: QtBot, widget: QWidget) -> None:
    qtbot.mouseClick(widget, Qt.MouseButton.LeftButton)


def test_a_model_is_evaluated_on_a_file_then_compared(
    qtbot: QtBot, window: MainWindow, panel: ModelsPanel, pairs: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(pairs), ""))
    assert "Not evaluated yet." not in words_on(panel.details), "nothing is shown of nothing"
    press(qtbot, panel.details.evaluate)
    page = panel.scoring
    assert page.isVisible() and page.pairs.hasFocus() and not page.begin.isEnabled()
    assert "Choose a corpus of pairs, or a file." in words_on(page)
    page.pairs.activated.emit(page.pairs.count() - 1)  # "A file of pairs…"
    assert page.begin.isEnabled() and page.form is not None
    assert not page.form.rows["split"].isVisible(), "a file has no splits"
    assert page.command.line == (
        f"epitome evaluate --model built-in --pairs {pairs} --limit 100 --intervals"
    )
    press(qtbot, page.begin)
    assert panel.details.isVisible()
    (job,) = [job for job in window.jobs.jobs if job.title == "Evaluating Built-in"]
    assert job.obey is not None
    qtbot.waitUntil(lambda: bool(panel.state.built_in_evaluations))
    told = "3 documents of pairs.jsonl, summaries of 100 words, 95 % intervals."
    qtbot.waitUntil(lambda: told in words_on(panel.details))
    assert "“Built-in” was scored on 3 documents of pairs.jsonl" in toasts(window)[0]
    assert panel.list.model().index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole).endswith("pairs")

    press(qtbot, panel.details.compare)
    assert page.against.isVisible() and page.against.currentText().startswith("The first")
    panel.commands()["start"]()
    qtbot.waitUntil(lambda: len(panel.state.built_in_evaluations) == 2)
    qtbot.waitUntil(lambda: "then the difference to lead." in words_on(panel.details))
    newest = panel.state.built_in_evaluations[0]
    assert newest.against == "lead" and newest.scores[0].ahead is not None


def test_an_evaluation_is_cancelled_and_leaves_no_scores(
    qtbot: QtBot, window: MainWindow, panel: ModelsPanel, pairs: Path
) -> None:
    press(qtbot, panel.details.evaluate)
    panel.scoring.choose_pairs(pairs)
    panel.scoring.start()
    (job,) = [job for job in window.jobs.jobs if job.title == "Evaluating Built-in"]
    window.jobs.wish(job.key, "cancel")
    qtbot.waitUntil(lambda: all(job.state != "running" for job in window.jobs.jobs))
    panel.look()
    qtbot.waitUntil(lambda: not panel._is_looking)
    assert panel.state.built_in_evaluations == ()


def test_escape_and_another_model_leave_the_page(qtbot: QtBot, panel: ModelsPanel) -> None:
    press(qtbot, panel.details.compare)
    assert panel.is_scoring
    assert panel.escape() and not panel.is_scoring and panel.details.compare.hasFocus()
    press(qtbot, panel.details.evaluate)
    panel.select(BUILT_IN)
    assert not panel.is_scoring


def test_a_file_that_is_none_is_told(
    qtbot: QtBot, window: MainWindow, panel: ModelsPanel, tmp_path: Path
) -> None:
    press(qtbot, panel.details.evaluate)
    panel.scoring.choose_pairs(tmp_path / "gone.jsonl")
    panel.scoring.start()
    qtbot.waitUntil(lambda: any("gone.jsonl" in told for told in toasts(window)))


def test_all_deeds_are_in_sight_where_the_window_is_small(
    qtbot: QtBot, window: MainWindow, panel: ModelsPanel
) -> None:
    window.resize(1024, 640)
    details = panel.details

    def fits() -> bool:
        buttons = (details.summarise, details.evaluate, details.compare)
        page = details.page.viewport()
        places = [each.mapTo(page, each.rect().bottomRight()) for each in buttons]
        return all(page.rect().contains(place) for place in places)

    qtbot.waitUntil(fits)
