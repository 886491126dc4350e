"""The three widgets together, as documentation shows them."""

import pytest
from pytestqt.qtbot import QtBot

from docs.scenes.reading import SIZE_PX, Reading, build, make_document, make_summary
from gui.theme.theme import Theme


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_one_sentence_is_lit_in_all_three(qtbot: QtBot, theme: Theme, scheme: str) -> None:
    theme.set_scheme(scheme)  # type: ignore[arg-type]
    page = build(theme)
    qtbot.addWidget(page)
    reading = page.findChild(Reading)
    assert isinstance(reading, Reading)
    assert {reading.view.look.lit, reading.map.lit, reading.list.lit} == {4}
    image = page.grab().toImage()
    assert (image.width(), image.height()) == SIZE_PX
    strong = theme.color("evStrong").name()
    lit = {
        x for x in range(SIZE_PX[0]) for y in (450, 460) if image.pixelColor(x, y).name() == strong
    }
    assert min(lit) < 740 < 812 < max(lit)


@pytest.mark.parametrize("width", [320, 480, 720, 1440])
def test_every_width_is_drawn_without_text_beyond_its_edge(
    qtbot: QtBot, theme: Theme, width: int
) -> None:
    document = make_document()
    reading = Reading(theme)
    qtbot.addWidget(reading)
    for part in (reading.view, reading.list):
        part.setParent(None)
        qtbot.addWidget(part)
        part.resize(width, 450)
        part.show()
    reading.show_document(document, make_summary(document))
    for part in (reading.view, reading.list):
        image = part.grab().toImage()
        ink = theme.color("text").name()
        edge = {
            image.pixelColor(x, y).name() for x in range(width - 16, width - 13) for y in range(450)
        }
        assert ink not in edge
