"""The Models panel in its window, as a person uses it."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QPoint, Qt, QUrl, Slot
from PySide6.QtGui import QAccessible, QDesktopServices
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from core.jobs.models.describe_models import ModelsFound
from core.models.model_file import SUFFIX
from core.runs.evaluations import Evaluation, KeptScore, keep_evaluation
from core.runs.folder import RunFolder, at_work
from core.runs.model_card import read_model_card
from gui.main_window import MainWindow
from gui.panels.models.panel import ModelsPanel
from gui.panels.models.state import BUILT_IN
from gui.panels.models.words import kin_words
from gui.panels.summarise.state import Phase
from tests.helpers.models import STILL_S, a_model
from tests.helpers.pair_files import write_rows
from tests.helpers.prepared import pairs_corpus
from tests.helpers.windows import (
    ARTICLE,
    WIDE,
    desk,
    drop,
    end_window,
    files_data,
    open_file,
    show_window,
    the_menu,
    toasts,
    words_on,
)

NARROW = (720, 450)


@pytest.fixture
def window(qtbot: QtBot, home: Path) -> Iterator[MainWindow]:
    window = show_window(home)
    window.resize(*WIDE)
    qtbot.waitUntil(window.isActiveWindow)
    yield window
    end_window(window)


def fill(window: MainWindow) -> tuple[Path, Path]:
    runs = window.folders.runs
    base = a_model(runs, "base", step=50, objective="gsg", is_whole=True)
    rouge = {"1": 0.412, "2": 0.2, "L": 0.3}
    tuned = a_model(runs, "tuned", start_from=base, rouge=rouge, when_s=STILL_S + 1, is_whole=True)
    return base, tuned


def shown(qtbot: QtBot, window: MainWindow, num_models: int) -> ModelsPanel:
    """The panel, once so many models are listed."""
    window.show_panel("models")
    panel = window.panel("models")
    assert isinstance(panel, ModelsPanel)
    qtbot.waitUntil(lambda: panel.state.is_known and len(panel.state.models) == num_models)
    return panel


@pytest.fixture
def panel(qtbot: QtBot, window: MainWindow) -> ModelsPanel:
    fill(window)
    return shown(qtbot, window, 2)


def choose(panel: ModelsPanel, name: str) -> None:
    panel.choose({"model": name})


def said(panel: ModelsPanel) -> tuple[str, str, str]:
    """Name, notes and licence of the chosen model."""
    model = panel.state.selected
    assert model is not None
    return model.title, model.notes, model.card.licence


def press(qtbot: QtBot, widget: QWidget) -> None:
    qtbot.mouseClick(widget, Qt.MouseButton.LeftButton)


def test_before_anything_is_trained_the_built_in_one_is_there(
    qtbot: QtBot, window: MainWindow
) -> None:
    panel = shown(qtbot, window, 0)
    words = words_on(panel)
    assert "1 model" in words and "No model was trained yet." in words
    assert "Ready at once, in any language." in words
    assert not panel.details.foot.isVisible() and not panel.details.title.pencil.isVisible()


def test_the_page_of_the_built_in_one_tells_languages_size_and_scores(
    qtbot: QtBot, window: MainWindow
) -> None:
    panel = shown(qtbot, window, 0)
    assert panel.state.selected is None
    qtbot.waitUntil(lambda: "Polish" in words_on(panel.details))
    words = words_on(panel.details)
    assert "English, in which it is most exact" in words and "1.1\u202fMB" in words
    assert "Apache 2.0" in words and "4\u202f195 documents" in words
    assert "32.47 (31.78 to 33.15)" in words and "2.29 (2.08 to 2.48)" in words
    assert "python tests/benchmarks/summaries.py" in words
    assert not panel.details.licence.isVisible() and not panel.details.foot.isVisible()


def test_languages_of_a_model_trained_before_they_were_recorded_are_found(
    qtbot: QtBot, window: MainWindow
) -> None:
    corpus = pairs_corpus(window.folders.corpora / "letters")
    run = a_model(window.folders.runs, "old", corpus="letters")
    job = RunFolder(run).job_file
    job.write_text(job.read_text("utf-8").replace("/corpora/letters", str(corpus)), "utf-8")
    panel = shown(qtbot, window, 1)
    choose(panel, "old")
    qtbot.waitUntil(lambda: "English" in words_on(panel.details))
    assert read_model_card(RunFolder(run)).languages == ("English",)


def test_a_card_tells_what_a_model_is(panel: ModelsPanel) -> None:
    told = [
        panel.list.model().index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole)
        for row in range(3)
    ]
    assert told[0].startswith("Built-in. always there. A trained ranker.")
    size = told[1].partition("Size ")[2].partition(",")[0]
    assert size.endswith("kB") and told[1] == (
        "tuned. trained here, experimental. Reformer language model, trained on summaries. "
        f"Reads 7 tokens, Size {size}, Licence yours. 41.2 ROUGE-1, 20 documents"
    )
    assert "pre-trained on gap sentences" in told[2]


def test_details_tell_lineage_scores_and_facts(qtbot: QtBot, panel: ModelsPanel) -> None:
    choose(panel, "tuned")
    told = "Validation at step 100: the loss of 100 examples, ROUGE of 20 summaries."
    for words in (told, "2.500 nats per token", "41.2", "patents"):
        qtbot.waitUntil(lambda words=words: words in words_on(panel.details))  # type: ignore[misc]
    lineage = panel.details.lineage
    assert [kin.title for kin in lineage.kin] == ["random weights", "base", "tuned"]
    row = lineage.accessible_part(1)
    assert row.name == "base, pre-trained on gap sentences, patents, 50 steps, generation 2"
    qtbot.mouseClick(lineage, Qt.MouseButton.LeftButton, pos=row.rect.center())
    assert panel.state.selected is not None and panel.state.selected.name == "base"
    lineage.setFocus()
    qtbot.keyClick(lineage, Qt.Key.Key_Down)
    qtbot.keyClick(lineage, Qt.Key.Key_Return)
    assert panel.state.selected.name == "tuned"


def test_an_evaluation_stands_before_the_validation(
    qtbot: QtBot, window: MainWindow, panel: ModelsPanel
) -> None:
    scores = (KeptScore("rouge-1 f1", "%", 40.5, 39.0, 42.0), KeptScore("rouge-lsum f1", "%", 30.0))
    kept = Evaluation("held out.jsonl", "a", 20, 100, "120w", "2026-11-22", scores,
                      {"rouge": "No stemming."})  # fmt: skip
    keep_evaluation(RunFolder(window.folders.runs / "tuned"), kept)
    panel.look()
    choose(panel, "tuned")
    qtbot.waitUntil(lambda: "No stemming." in words_on(panel.details))
    qtbot.waitUntil(lambda: "Validation at step 100" in words_on(panel.details))
    words = words_on(panel.details)
    told = "20 documents of held out.jsonl at step 100, summaries of 120 words, 95 % intervals."
    assert told in words and "40.5  ±\u202f1.5" in words and "ROUGE-Lsum F1" in words
    assert "Validation at step 100" in words
    spoken = panel.list.model().index(1, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.endswith("40.5 ±\u202f1.5 ROUGE-1, held out")


def test_arrow_keys_move_along_the_list(qtbot: QtBot, panel: ModelsPanel) -> None:
    panel.list.setFocus()
    seen = []
    for _ in range(3):
        seen.append(panel.state.selected and panel.state.selected.name)
        qtbot.keyClick(panel.list, Qt.Key.Key_Down)
    assert seen == [None, "tuned", "base"]
    rect, _ = panel.list.focus_shape()
    assert panel.list.viewport().rect().contains(rect)


def test_the_list_is_filtered_found_and_sorted(qtbot: QtBot, panel: ModelsPanel) -> None:
    strip = panel.strip
    strip.find_field.setText("tun")
    assert panel.list.titles == ["tuned"]
    strip.find_field.setText("nothing of this kind")
    assert "No model matches “nothing of this kind”." in words_on(panel)
    strip.find_field.clear()
    press(qtbot, strip.choices.part("imported"))
    assert "No model was imported yet." in words_on(panel)
    press(qtbot, strip.choices.part("all"))
    assert len(panel.list.titles) == 3


def test_summarise_with_it_chooses_the_model_there(
    qtbot: QtBot, window: MainWindow, panel: ModelsPanel
) -> None:
    choose(panel, "tuned")
    press(qtbot, panel.details.summarise)
    assert window.rail.value == "summarise"
    assert desk(window).state.model == "tuned"
    assert "summaries by tuned" in words_on(window)
    window.show_panel("models")
    panel.select(BUILT_IN)
    press(qtbot, panel.details.summarise)
    assert desk(window).state.model == "built-in"
    assert "summaries by" not in words_on(window)
    open_file(qtbot, window)
    assert desk(window).state.phase is Phase.READY


def test_a_deleted_model_is_taken_back(
    qtbot: QtBot, window: MainWindow, panel: ModelsPanel
) -> None:
    choose(panel, "tuned")
    press(qtbot, panel.details.delete)
    qtbot.waitUntil(lambda: len(panel.state.models) == 1)
    assert panel.state.chosen == BUILT_IN
    assert any("“tuned” is in the trash" in told for told in toasts(window))
    assert not (window.folders.runs / "tuned").exists()
    (window.folders.runs / "tuned").mkdir()  # another one of this name
    panel.commands()["undo"]()
    qtbot.waitUntil(lambda: any("exists again" in told for told in toasts(window)))
    (window.folders.runs / "tuned").rmdir()
    again = next(each.action for each in window.toasts.shown if "exists again" in each.sentence)
    assert again is not None
    press(qtbot, again)
    qtbot.waitUntil(lambda: len(panel.state.models) == 2)
    assert (window.folders.runs / "tuned" / "job.toml").exists()
    panel.commands()["undo"]()
    assert len(panel.state.models) == 2, "there is nothing more to undo"


def test_the_delete_key_deletes_and_never_the_built_in_one(
    qtbot: QtBot, panel: ModelsPanel
) -> None:
    panel.select(BUILT_IN)
    panel.list.setFocus()
    qtbot.keyClick(panel.list, Qt.Key.Key_Delete)
    assert len(panel.state.models) == 2
    choose(panel, "base")
    qtbot.keyClick(panel.list, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: [model.name for model in panel.state.models] == ["tuned"])


def test_a_model_in_training_is_not_deleted(
    qtbot: QtBot, window: MainWindow, panel: ModelsPanel
) -> None:
    with at_work(RunFolder(window.folders.runs / "tuned")):
        panel.look()
        qtbot.waitUntil(lambda: any(model.is_training for model in panel.state.models))
        choose(panel, "tuned")
        assert not panel.details.delete.isEnabled()
        assert "It is being trained" in words_on(panel.details)
        panel.row_actions.delete()
    assert (window.folders.runs / "tuned").exists()


def test_a_job_that_begins_meanwhile_keeps_its_model(
    qtbot: QtBot, window: MainWindow, panel: ModelsPanel
) -> None:
    choose(panel, "tuned")
    with at_work(RunFolder(window.folders.runs / "tuned")):
        panel.row_actions.delete()
        qtbot.waitUntil(lambda: any("has not ended" in told for told in toasts(window)))
    assert (window.folders.runs / "tuned").exists()


def test_a_name_licence_and_notes_are_kept(
    qtbot: QtBot, window: MainWindow, panel: ModelsPanel
) -> None:
    choose(panel, "tuned")
    folder, details = window.folders.runs / "tuned", panel.details
    press(qtbot, details.title.pencil)
    details.title.field.setText("")
    qtbot.keyClicks(details.title.field, "Patents, short")
    qtbot.keyClick(details.title.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: said(panel)[0] == "Patents, short")
    details.notes.setFocus()
    qtbot.keyClicks(details.notes, "Good ones.")
    details.licence.setFocus()
    details.licence.selectAll()
    qtbot.keyClicks(details.licence, "CC BY 4.0")
    panel.list.setFocus()
    qtbot.waitUntil(lambda: said(panel) == ("Patents, short", "Good ones.", "CC BY 4.0"))
    about = json.loads((folder / "about.json").read_text("utf-8"))
    assert (about["title"], about["notes"]) == ("Patents, short", "Good ones.")
    assert panel.state.selected is not None
    assert panel.state.selected.name == "tuned", "its folder stays"
    press(qtbot, details.summarise)
    qtbot.waitUntil(lambda: "summaries by Patents, short" in words_on(window))


def test_escape_leaves_the_name_as_it_is(qtbot: QtBot, panel: ModelsPanel) -> None:
    choose(panel, "tuned")
    press(qtbot, panel.details.title.pencil)
    qtbot.keyClicks(panel.details.title.field, "something else")
    assert panel.escape()
    assert not panel.details.title.field.isVisible()
    assert panel.state.selected is not None and panel.state.selected.title == "tuned"
    assert not panel.escape()


def test_what_is_typed_is_kept_when_another_model_is_chosen_or_the_window_closes(
    qtbot: QtBot, window: MainWindow, panel: ModelsPanel
) -> None:
    choose(panel, "tuned")
    panel.details.notes.setPlainText("Typed.")
    choose(panel, "base")
    panel.details.notes.setPlainText("Also typed.")
    window.close()
    notes = [
        json.loads((window.folders.runs / name / "about.json").read_text("utf-8"))["notes"]
        for name in ("tuned", "base")
    ]
    assert notes == ["Typed.", "Also typed."]


def test_a_damaged_model_says_what_is_wrong_and_writes_nothing(
    qtbot: QtBot, window: MainWindow
) -> None:
    _, tuned = fill(window)
    (tuned / "job.toml").write_text("[run\n", "utf-8")
    panel = shown(qtbot, window, 2)
    choose(panel, "tuned")
    assert "Its file job.toml cannot be read" in words_on(panel.details)
    assert not panel.details.summarise.isEnabled()
    assert panel.details.delete.isEnabled()


def test_without_the_training_part_a_trained_model_says_why_it_cannot_write(
    qtbot: QtBot, panel: ModelsPanel
) -> None:
    choose(panel, "tuned")
    panel._take(ModelsFound(panel.state.models, 7, can_write=False))
    assert not panel.details.summarise.isEnabled()
    assert "install it in Settings" in words_on(panel.details)
    panel.select(BUILT_IN)
    assert panel.details.summarise.isEnabled()
    assert "install it" not in words_on(panel.details)


class OpenedDocument(QObject):
    """Takes what would be shown by the file manager."""

    def __init__(self) -> None:
        super().__init__()
        self.urls: list[str] = []

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        self.urls.append(url.toLocalFile())


def test_the_folder_is_shown(qtbot: QtBot, window: MainWindow, panel: ModelsPanel) -> None:
    opened = OpenedDocument()
    QDesktopServices.setUrlHandler("file", opened, "open")
    try:
        choose(panel, "tuned")
        press(qtbot, panel.details.open_folder)
    finally:
        QDesktopServices.unsetUrlHandler("file")
    assert opened.urls == [str(window.folders.runs / "tuned")]


def test_where_there_is_room_for_one_side_a_switch_shows_the_other(
    qtbot: QtBot, window: MainWindow, panel: ModelsPanel
) -> None:
    assert not panel.header.switch.isVisible()
    window.resize(*NARROW)
    qtbot.waitUntil(lambda: panel.header.switch.isVisible())
    assert panel.list.isVisible() and not panel.details.isVisible()
    panel.list.setFocus()
    qtbot.keyClick(panel.list, Qt.Key.Key_Return)
    assert panel.details.isVisible() and not panel.list.isVisible()
    assert panel.escape()
    assert panel.list.isVisible() and panel.list.hasFocus()


def test_a_model_that_was_trained_meanwhile_is_listed(
    qtbot: QtBot, window: MainWindow, panel: ModelsPanel
) -> None:
    choose(panel, "base")
    a_model(window.folders.runs, "newest", when_s=STILL_S + 9)
    window.show_panel("summarise")
    window.show_panel("models")
    qtbot.waitUntil(lambda: len(panel.state.models) == 3)
    assert panel.state.selected is not None and panel.state.selected.name == "base"


def test_every_control_has_a_name(panel: ModelsPanel) -> None:
    choose(panel, "tuned")
    nameless = []
    for widget in panel.findChildren(QWidget):
        stops = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        if widget.isVisible() and stops:
            interface = QAccessible.queryAccessibleInterface(widget)
            if not interface.text(QAccessible.Text.Name):
                nameless.append(widget)
    assert nameless == []


def test_a_press_on_a_card_chooses_it(qtbot: QtBot, panel: ModelsPanel) -> None:
    row = panel.list.visualRect(panel.list.model().index(2, 0))
    qtbot.mouseClick(
        panel.list.viewport(), Qt.MouseButton.LeftButton, pos=row.topLeft() + QPoint(40, 40)
    )
    assert panel.state.selected is not None and panel.state.selected.name == "base"


def test_a_model_is_exported_and_imported_again(
    qtbot: QtBot, window: MainWindow, panel: ModelsPanel, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    file = tmp_path / f"tuned{SUFFIX}"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "tuned"), ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(file), ""))
    choose(panel, "tuned")
    press(qtbot, panel.details.export)
    qtbot.waitUntil(lambda: any("Exported to tuned" in told for told in toasts(window)))
    assert file.exists()
    press(qtbot, panel.importing)
    menu = the_menu(window)
    folder, gguf, exported = menu.actions()
    assert gguf.text().startswith("GGUF file…")
    assert folder.text().startswith("Hugging Face folder…")
    menu.close()
    exported.trigger()
    qtbot.waitUntil(lambda: len(panel.state.models) == 3)
    qtbot.waitUntil(lambda: panel.state.selected is not None
                    and panel.state.selected.name == "tuned-2")  # fmt: skip
    qtbot.waitUntil(lambda: "imported" in words_on(panel.details))
    assert "cannot be used" not in words_on(panel.details)
    assert [kin.title for kin in panel.details.lineage.kin] == ["random weights", "base", "tuned-2"]
    assert panel.details.licence.text() == "yours"
    base = panel.details.lineage.kin[1]
    assert base.key == str(window.folders.runs / "base")
    assert "not on this computer" not in kin_words(base.model)
    assert any("nothing in it was run" in told for told in toasts(window))


def test_a_deleted_model_that_is_imported_again_is_the_users_own_and_keeps_its_relatives(
    qtbot: QtBot, window: MainWindow, panel: ModelsPanel, tmp_path: Path
) -> None:
    choose(panel, "base")
    panel.row_actions.export_to(file := tmp_path / f"base{SUFFIX}")
    qtbot.waitUntil(file.exists)
    panel.row_actions.delete()
    qtbot.waitUntil(lambda: len(panel.state.models) == 1)
    panel.row_actions.import_from(file)
    qtbot.waitUntil(lambda: len(panel.state.models) == 2)
    base, tuned = panel.state.named("base"), panel.state.named("tuned")
    assert base is not None and tuned is not None and base.card.own
    assert panel.state.licence(base) == panel.state.licence(tuned) == "yours"
    told = [(kin.title, kin.key) for kin in panel.state.lineage(tuned)]
    assert told == [
        ("random weights", ""), ("base", str(base.folder)), ("tuned", str(tuned.folder)),
    ]  # fmt: skip


def test_an_evaluation_that_fails_comes_back_to_its_form_as_it_was_filled_in(
    qtbot: QtBot, window: MainWindow, panel: ModelsPanel, tmp_path: Path
) -> None:
    table = write_rows(tmp_path / "pairs.jsonl", [{"text": "A text.", "note": "A word."}])
    panel.select(BUILT_IN)
    panel.set_up_scoring(False)
    page = panel.scoring
    page.choose_pairs(table)
    assert page.form is not None and page._form_state is not None
    page._form_state.put("limit", "7")
    page._refresh()
    page.start()
    assert not panel.is_scoring
    qtbot.waitUntil(lambda: any("“Summary column”" in told for told in toasts(window)))
    panel.set_up_scoring(True)
    panel._go_back()
    (toast,) = window.toasts.shown
    toast.action.click()
    assert panel.is_scoring and page.scoring.pairs == table and not page.scoring.compares
    assert page.scoring.settings is not None and page.scoring.settings.limit == 7


def test_a_file_that_is_no_model_is_refused(
    qtbot: QtBot, window: MainWindow, panel: ModelsPanel, tmp_path: Path
) -> None:
    file = tmp_path / f"evil{SUFFIX}"
    file.write_text("no model", "utf-8")
    assert drop(window, files_data(file))
    qtbot.waitUntil(lambda: any("cannot be imported" in told for told in toasts(window)))
    assert window.rail.value == "models" and len(panel.state.models) == 2
    assert window.jobs.front is None


def test_a_document_that_is_dropped_here_is_opened_where_it_is_read(
    window: MainWindow, panel: ModelsPanel
) -> None:
    assert drop(window, files_data(ARTICLE))
    assert window.rail.value == "summarise"
