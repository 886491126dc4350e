"""Folders of other people's models in the Models panel: looked through, imported, made longer."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from core.jobs.models.convert_model import ConvertSettings
from core.jobs.models.describe_models import DescribedModel
from core.jobs.models.import_folder import FolderFacts
from core.models.hugging_face.conversion import Conversion
from core.models.hugging_face.conversion_report import write_conversion
from core.models.hugging_face.folder import look_through
from core.models.hugging_face.settings import HuggingFaceSettings
from core.runs.folder import RunFolder
from core.runs.model_card import read_model_card
from gui.main_window import MainWindow
from gui.panels.models.panel import ModelsPanel
from gui.panels.models.setting_up import convert_command, import_command, import_settings
from tests.helpers.library_folders import chat_folder, library_folder
from tests.helpers.models import a_model
from tests.helpers.windows import WIDE, end_window, show_window, words_on

BART = {
    "model_type": "bart", "is_encoder_decoder": True, "vocab_size": 100, "eos_token_id": 2,
    "max_position_embeddings": 1024, "encoder_layers": 2, "decoder_start_token_id": 2,
}  # fmt: skip


@pytest.fixture
def window(qtbot: QtBot, home: Path) -> Iterator[MainWindow]:
    window = show_window(home)
    window.resize(*WIDE)
    yield window
    end_window(window)


def bart_settings(**changes: object) -> HuggingFaceSettings:
    return HuggingFaceSettings.checked({"architecture": json.dumps(BART), **changes})


def chat_settings() -> HuggingFaceSettings:
    config = {"model_type": "llama", "vocab_size": 100, "eos_token_id": 2}
    return HuggingFaceSettings.checked(
        {"architecture": json.dumps(config), "opening": "<s>", "closing": "</s>",
         "prompt": "Shorten: {text}"}
    )  # fmt: skip


def shown(qtbot: QtBot, window: MainWindow, num_models: int) -> ModelsPanel:
    window.show_panel("models")
    panel = window.panel("models")
    assert isinstance(panel, ModelsPanel)
    qtbot.waitUntil(lambda: panel.state.is_known and len(panel.state.models) == num_models)
    return panel


def test_a_folder_is_looked_through_before_it_is_imported(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    folder = library_folder("bart", tmp_path / "tiny-bart")
    panel = shown(qtbot, window, 0)
    panel.set_up_import(folder)
    assert "Looking through the folder…" in words_on(panel.page)
    qtbot.waitUntil(lambda: panel.page.form is not None)
    wanted = ("BART encoder-decoder", "96 tokens", "Apache 2.0", "English, xx")
    qtbot.waitUntil(lambda: all(words in words_on(panel.page) for words in wanted))
    assert panel.page.command.line == f"epitome models import {folder}"
    seen: list[Any] = []
    panel.row_actions.import_folder = lambda *told: seen.append(told)  # type: ignore[method-assign]
    panel.page.start()
    ((place, settings, again),) = seen
    assert (place, settings) == (folder, import_settings(look_through(folder)))
    assert not panel.is_setting_up
    again()  # it failed
    assert panel.is_setting_up and panel.page.form is not None
    assert panel.page.command.line == f"epitome models import {folder}"


def facts_of(folder: Path) -> FolderFacts:
    return look_through(folder)


def test_an_imported_folder_is_chosen_in_the_list(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    folder = library_folder("bart", tmp_path / "tiny-bart")
    panel = shown(qtbot, window, 0)
    panel.row_actions.import_folder(folder, import_settings(look_through(folder)))
    qtbot.waitUntil(lambda: len(panel.state.models) == 1)
    qtbot.waitUntil(lambda: panel.state.selected is not None)
    assert "BART encoder-decoder, as its authors trained it." in words_on(panel.details)
    assert "Ready, as it was imported." in words_on(panel.details)
    assert panel.details.convert.isVisible()


def test_a_folder_that_cannot_be_imported_says_why_in_its_place(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    folder = chat_folder(tmp_path / "tiny")
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    panel = shown(qtbot, window, 0)
    panel.set_up_import(folder)
    qtbot.waitUntil(lambda: panel.page.failure.isVisible())
    assert "are pickled (pytorch_model.bin)" in words_on(panel.page)
    assert "“tiny” cannot be imported" in words_on(panel.page)
    assert panel.escape() and not panel.is_setting_up


def test_a_prompt_is_changed_in_the_details(qtbot: QtBot, window: MainWindow) -> None:
    folder = a_model(window.folders.runs, "chat", model=chat_settings())
    panel = shown(qtbot, window, 1)
    panel.choose({"model": "chat"})
    details = panel.details
    assert details.prompt.isVisible() and details.prompt.toPlainText() == "Shorten: {text}"
    details.prompt.set_text("No place for it")
    details.commit()
    assert "Write {text} once" in words_on(details)
    assert read_model_card(RunFolder(folder)).prompt == ""
    details.prompt.set_text("In three sentences: {text}")
    details.commit()
    qtbot.waitUntil(
        lambda: read_model_card(RunFolder(folder)).prompt == "In three sentences: {text}"
    )


def test_a_conversion_is_set_up_and_its_report_is_shown(qtbot: QtBot, window: MainWindow) -> None:
    folder = a_model(window.folders.runs, "bart", model=bart_settings())
    report = Conversion(
        "bart-base", 4096, 1024, 512, 6, 4.0, 18, ("self-attention of the decoder",), 250, 1e-6,
        1.0, 412.0,
    )  # fmt: skip
    write_conversion(folder, report)
    panel = shown(qtbot, window, 1)
    panel.choose({"model": "bart"})
    for words in (
        "old table repeated 4 times",
        "18, copies of query, key and value",
        "432\u202fMB",
    ):
        qtbot.waitUntil(lambda words=words: words in words_on(panel.details))  # type: ignore[misc]
    panel.set_up_conversion()
    assert panel.is_setting_up and panel.page.command.line.startswith("epitome models convert bart")
    assert panel.escape() and not panel.is_setting_up


def test_only_a_bart_can_be_converted(qtbot: QtBot, window: MainWindow) -> None:
    a_model(window.folders.runs, "chat", model=chat_settings())
    panel = shown(qtbot, window, 1)
    panel.choose({"model": "chat"})
    assert not panel.details.convert.isVisible()
    panel.set_up_conversion()
    assert not panel.is_setting_up


def test_commands_leave_out_what_is_as_it_was() -> None:
    facts = FolderFacts(Path("/m/bart"), bart_settings(), 10, 40)
    begun = import_settings(facts)
    assert import_command(facts, begun) == "epitome models import /m/bart"
    changed = begun.model_copy(update={"source_length": 512, "out": "mine"})
    assert import_command(facts, changed) == (
        "epitome models import /m/bart --out mine --source-length 512"
    )
    model = DescribedModel(Path("/r/bart"), "bart", settings=bart_settings())
    assert convert_command(model, ConvertSettings(length=8192, out="bart-8192")) == (
        "epitome models convert bart --length 8192"
    )
