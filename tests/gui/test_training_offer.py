"""Panels that work with the training part say what for, and offer it where it is missing."""

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from core.distribution.parts import Part, part_of
from core.events import Failed
from gui.main_window import MainWindow
from gui.training_offer import TrainingOffer
from gui.widgets.display.label import Label
from gui.widgets.display.sign import Sign
from gui.workers.part_installer import PartState
from tests.helpers.windows import words_on

PURPOSES = {
    "corpus": "A corpus is what a model is trained on",
    "train": "Models are trained with PyTorch",
    "memory": "Measuring runs real steps with PyTorch",
    "compare": "Models that you trained or imported write their summaries with PyTorch",
}


@pytest.fixture
def missing(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Part, "is_installed", property(lambda part: False))
    window.parts._put("training", PartState("missing"))


def shown(window: MainWindow, name: str) -> Any:
    window.show_panel(name)
    return window.panel(name)


@pytest.mark.usefixtures("missing")
@pytest.mark.parametrize("name", PURPOSES)
def test_a_panel_says_what_it_would_do_with_it_and_offers_it_below_its_head(
    window: MainWindow, name: str
) -> None:
    panel = shown(window, name)
    offer = panel.offer
    assert isinstance(offer, TrainingOffer) and offer.isVisible()
    assert PURPOSES[name] in words_on(offer)
    assert offer.offer.install.isVisible()
    assert offer.offer.install.text().startswith("Install training")
    top = offer.mapTo(panel, offer.rect().topLeft()).y()
    assert top >= panel.header.mapTo(panel, panel.header.rect().bottomLeft()).y()
    assert offer in panel.regions()
    sign, words = offer.findChild(Sign), offer.findChild(Label)
    assert abs(sign.geometry().center().y() - words.geometry().center().y()) <= 4
    window.parts._put("training", PartState("installed"))
    assert not offer.isVisible()


@pytest.mark.usefixtures("missing")
@pytest.mark.parametrize("name", PURPOSES)
def test_an_offer_shows_how_far_it_is_and_why_it_failed(
    qtbot: QtBot, window: MainWindow, name: str
) -> None:
    offer = shown(window, name).offer
    window.parts._put("training", PartState("installing", "Downloading: 60 of 200 MB", 0.3))
    assert "Downloading: 60 of 200 MB" in words_on(offer)
    assert "What is downloaded whole is kept" in words_on(offer)
    assert offer.offer.cancel.isVisible() and not offer.offer.install.isVisible()
    failure = Failed("The index cannot be reached.", "Connect to the network.", "offline")
    window.parts._put("training", PartState("missing", failure=failure))
    assert "The index cannot be reached. Connect to the network." in words_on(offer)
    assert offer.offer.install.isVisible() and "downloaded whole" not in words_on(offer)
    qtbot.mouseClick(offer.offer.copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == part_of("training").command
    window.parts._put("training", PartState("installed"))


@pytest.mark.usefixtures("missing")
def test_a_new_job_has_the_offer_below_its_own_head(window: MainWindow) -> None:
    panel = shown(window, "train")
    panel.new_job()
    page = panel.new_page
    (offer,) = page.findChildren(TrainingOffer)
    assert offer.isVisible() and "Models are trained with PyTorch" in words_on(offer)
    assert offer.y() >= page.header.geometry().bottom()
    assert offer in panel.regions()
    window.parts._put("training", PartState("installed"))
    panel.show_runs()
