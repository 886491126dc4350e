"""The Summarise panel in the real window, as a person uses it."""

import shlex
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.export.formats import FORMATS
from core.jobs.sources.sources import SourceRef
from core.summaries.summary import Length, LengthUnit
from gui.main_window import MainWindow
from gui.panels.summarise.state import Phase
from gui.widgets.inputs.drop_zone import DropZone
from tests.helpers.epub_files import encrypted, epub_file
from tests.helpers.patience import PATIENCE_S
from tests.helpers.pptx_files import Slide, pptx_file, shape
from tests.helpers.windows import (
    ARTICLE,
    PATENT,
    desk,
    drop,
    files_data,
    hover,
    leave,
    open_file,
    text_data,
    texts,
    the_menu,
    toasts,
    wait_for,
    words_on,
)

PARAGRAPH = (
    "The harbour was dredged in nineteen seventy and again ten years later. Since then the tide "
    "runs faster through the northern gap, and the sand bank has moved by forty metres. Pilots "
    "asked for new buoys, which were laid in the spring of the following year. The survey found "
    "that the channel keeps its depth without further work. Only the inner basin silts up, and it "
    "is cleared every second winter by a small barge."
)


# A document comes


def paste(window: MainWindow) -> None:
    desk(window).paste()


def test_pasted_text_is_summarised(qtbot: QtBot, window: MainWindow) -> None:
    QGuiApplication.clipboard().setText(PARAGRAPH)
    paste(window)
    wait_for(qtbot, window)
    assert "inner basin" in desk(window).source.view.document.text  # type: ignore[union-attr]
    assert texts(window)


def test_pasted_html_keeps_its_headings(qtbot: QtBot, window: MainWindow) -> None:
    html = f"<h1>The harbour</h1><p>{PARAGRAPH}</p><h2>Costs</h2><p>{PARAGRAPH}</p>"
    QGuiApplication.clipboard().setMimeData(text_data("The harbour", html))
    paste(window)
    wait_for(qtbot, window)
    assert [title for _, _, title in desk(window).source.view.outline()] == [
        "The harbour",
        "Costs",
    ]


def test_pasted_files_are_opened(qtbot: QtBot, window: MainWindow) -> None:
    QGuiApplication.clipboard().setMimeData(files_data(ARTICLE))
    paste(window)
    wait_for(qtbot, window)
    assert desk(window).state.opened.document.source.name == ARTICLE.name  # type: ignore[union-attr]


def test_empty_clipboard_is_told(window: MainWindow) -> None:
    QGuiApplication.clipboard().clear()
    paste(window)
    assert toasts(window) == ["The clipboard contains no text Copy some text, or open a file."]
    assert desk(window).state.phase is Phase.EMPTY


@pytest.mark.parametrize("where", ["panel", "zone", "rail"])
def test_dropped_file_is_opened_wherever_it_falls(
    qtbot: QtBot, window: MainWindow, where: str
) -> None:
    targets: dict[str, QWidget] = {
        "panel": desk(window),
        "zone": window.panel("summarise").empty.findChildren(DropZone)[0],
        "rail": window,
    }
    assert drop(targets[where], files_data(ARTICLE))
    wait_for(qtbot, window)


def test_dropped_slides_and_e_books_are_opened_and_a_protected_one_is_told(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    slides = tmp_path / "Harbour.pptx"
    slides.write_bytes(
        pptx_file(Slide(shape("The harbour", place="title") + shape(PARAGRAPH))),
    )
    assert drop(desk(window), files_data(slides))
    wait_for(qtbot, window)
    document = desk(window).state.opened.document  # type: ignore[union-attr]
    assert (document.title, document.reading.of_pages) == ("The harbour", 1)
    book = tmp_path / "Harbour.epub"
    book.write_bytes(epub_file({"one": f"<h2>Dredging</h2><p>{PARAGRAPH}</p>"}, title="Harbours"))
    drop(desk(window), files_data(book))
    wait_for(qtbot, window)
    assert desk(window).state.opened.document.title == "Harbours"  # type: ignore[union-attr]
    assert [title for _, _, title in desk(window).source.view.outline()] == ["Dredging"]
    listed = encrypted("OEBPS/text/one.xhtml", "http://ns.adobe.com/adept")
    book.write_bytes(epub_file({"one": "rubble"}, **{"META-INF/encryption.xml": listed}))
    drop(desk(window), files_data(book))
    wait_for(qtbot, window, Phase.FAILED)
    assert "with copy protection" in desk(window).state.failure.message  # type: ignore[union-attr]


def test_dropped_mail_rich_text_and_tables_are_opened_and_sealed_mail_is_told(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    head = b"Subject: The harbour\nFrom: a@example.org\n"
    files = {
        "a.eml": head + b"\n" + PARAGRAPH.encode(),
        "b.rtf": rb"{\rtf1{\info{\title The harbour}}" + PARAGRAPH.encode() + rb"\par}",
        "c.csv": f'title;body\nThe harbour;"{PARAGRAPH}"\n'.encode(),
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
        assert drop(desk(window), files_data(tmp_path / name))
        wait_for(qtbot, window)
        document = desk(window).state.opened.document  # type: ignore[union-attr]
        assert (document.title, document.source.name) == ("The harbour", name)
    (tmp_path / "d.eml").write_bytes(head + b"Content-Type: application/pkcs7-mime\n\nMIAG")
    drop(desk(window), files_data(tmp_path / "d.eml"))
    wait_for(qtbot, window, Phase.FAILED)
    assert "is an encrypted message" in desk(window).state.failure.message  # type: ignore[union-attr]


def test_dropped_text_is_summarised(qtbot: QtBot, window: MainWindow) -> None:
    assert drop(desk(window), text_data(PARAGRAPH))
    wait_for(qtbot, window)


def test_what_cannot_be_read_is_told_when_dropped(window: MainWindow) -> None:
    drop(desk(window), text_data("  "))
    assert toasts(window)[0].startswith("Nothing readable was dropped")


@pytest.mark.parametrize("index", range(3))
def test_sample_is_what_its_card_says(qtbot: QtBot, window: MainWindow, index: int) -> None:
    card = window.panel("summarise").empty.cards()[index]
    qtbot.mouseClick(card, Qt.MouseButton.LeftButton)
    wait_for(qtbot, window)
    document = desk(window).state.opened.document  # type: ignore[union-attr]
    assert (document.reading.words, document.reading.of_pages) == (
        card.sample.words,
        card.sample.pages,
    )
    assert document.title == card.sample.title


def test_recent_documents_are_listed_newest_first_and_open(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    mine = tmp_path / "My harbour.txt"
    mine.write_text(PARAGRAPH, "utf-8")
    open_file(qtbot, window, mine)
    open_file(qtbot, window, ARTICLE)
    qtbot.waitUntil(lambda: window.recents.read()[0].path == str(ARTICLE))
    mine.unlink()
    qtbot.mouseClick(desk(window).header._recent, Qt.MouseButton.LeftButton)
    first, second = the_menu(window).actions()[:2]
    qtbot.waitUntil(lambda: not second.isEnabled())  # its file is gone
    assert first.isEnabled()
    assert "cannot be found" in second.toolTip()
    first.trigger()
    assert desk(window).state.phase is Phase.READING
    wait_for(qtbot, window)


def test_damaged_recents_are_told(qtbot: QtBot, window: MainWindow) -> None:
    window.recents.file.parent.mkdir(parents=True, exist_ok=True)
    window.recents.file.write_text("{not json", "utf-8")
    qtbot.mouseClick(desk(window).header._recent, Qt.MouseButton.LeftButton)
    assert "is damaged. It is kept as" in toasts(window)[0]
    assert not the_menu(window).actions()[0].isEnabled()


# Evidence is lit


def lit(window: MainWindow) -> tuple[int | None, int | None, int | None]:
    panel = desk(window)
    return panel.source.view.look.lit, panel.summary.list.lit, panel.map.lit


def row_middle(window: MainWindow, row: int) -> QPoint:
    rows = desk(window).summary.list
    assert rows.page is not None
    words = rows.page.words(row, dict(rows.shown)[row])
    return words[0].center().toPoint()


def test_pointing_at_a_sentence_lights_its_evidence_everywhere(
    qtbot: QtBot, window: MainWindow
) -> None:
    open_file(qtbot, window)
    rows = desk(window).summary.list
    hover(rows.viewport(), row_middle(window, 1))
    assert lit(window) == (2, 2, 2)
    leave(rows.viewport())
    assert lit(window) == (None, None, None)


def test_pointing_at_evidence_lights_its_sentence(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    view = desk(window).source.view
    view.scroll_to_number(2)
    hover(view.viewport(), view.mark_rects(2)[0].center().toPoint())
    assert lit(window) == (2, 2, 2)
    leave(view.viewport())
    assert lit(window) == (None, None, None)


def test_pointing_at_the_map_lights_both_sides(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window, PATENT)
    map_ = desk(window).map
    hover(map_, tick(window, 3))
    assert lit(window) == (3, 3, 3)
    leave(map_)
    assert lit(window) == (None, None, None)


def tick(window: MainWindow, number: int) -> QPoint:
    """Where a tick of the map is."""
    map_ = desk(window).map
    return next(
        map_.accessible_part(index).rect.center()
        for index in range(map_.accessible_count())
        if map_.accessible_part(index).name.startswith(f"sentence {number},")
    )


def evidence_is_on_screen(window: MainWindow, number: int) -> bool:
    panel = desk(window)
    summary, visible = panel.state.summary, panel.source.view.visible_span()
    assert summary is not None and visible is not None
    return visible[0] <= summary.sentences[number - 1].evidence[0].start < visible[1]


def test_click_on_a_sentence_and_on_the_map_scroll_the_source(
    qtbot: QtBot, window: MainWindow
) -> None:
    open_file(qtbot, window, PATENT)
    rows, map_ = desk(window).summary.list, desk(window).map
    last = len(texts(window))
    assert not evidence_is_on_screen(window, last)
    qtbot.mouseClick(map_, Qt.MouseButton.LeftButton, pos=tick(window, last))
    assert evidence_is_on_screen(window, last)
    qtbot.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=row_middle(window, 0))
    assert evidence_is_on_screen(window, 1)
    assert not evidence_is_on_screen(window, last)


def test_click_on_evidence_shows_its_sentence(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window, PATENT)
    desk(window).summary.length.length_wished.emit(Length(120), False)
    view, rows = (
        desk(window).source.view,
        desk(window).summary.list,
    )
    view.scroll_to_number(40)
    assert 39 not in dict(rows.shown)
    where = view.mark_rects(40)[0].center().toPoint()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert 39 in dict(rows.shown)
    assert lit(window) == (40, 40, 40)


# Length


def test_dragging_the_slider_follows_and_is_one_undo(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window, PATENT)
    panel, slider = (
        desk(window),
        desk(window).summary.length.slider,
    )
    before, followed = texts(window), []
    slider.followed.connect(followed.append)
    middle = slider.height() // 2
    qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=QPoint(40, middle))
    for x in range(41, 100):
        qtbot.mouseMove(slider, QPoint(x, middle))
    qtbot.waitUntil(lambda: bool(followed) and len(texts(window)) == slider.value())
    for x in range(99, 70, -1):
        qtbot.mouseMove(slider, QPoint(x, middle))
    qtbot.waitUntil(lambda: len(texts(window)) == slider.value())
    qtbot.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=QPoint(70, middle))
    assert len(followed) < 20, "redrawn for every pixel"
    assert panel.summary.length.field.value == slider.value() == len(texts(window)) != len(before)
    panel.undo()
    assert texts(window) == before
    assert not panel.state.can_undo
    assert slider.value() == panel.summary.length.field.value == len(before)


def test_two_drags_are_two_undos(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window, PATENT)
    slider, panel = (
        desk(window).summary.length.slider,
        desk(window),
    )
    seen = [len(texts(window))]
    for x in (30, 90):
        qtbot.mouseClick(slider, Qt.MouseButton.LeftButton, pos=QPoint(x, slider.height() // 2))
        qtbot.waitUntil(lambda: len(texts(window)) == slider.value())
        seen.append(len(texts(window)))
    assert len(set(seen)) == 3
    panel.undo()
    assert len(texts(window)) == seen[1]
    panel.undo()
    assert len(texts(window)) == seen[0]


def test_field_sets_the_length_and_says_what_is_allowed(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    field = desk(window).summary.length.field
    field.setFocus()
    field.setText("7")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert len(texts(window)) == 7
    field.setText("twelve")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert "such as 5s, 120w or 10%" in words_on(desk(window).summary.head)
    assert len(texts(window)) == 7
    field.setText("5")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert "such as 5s" not in words_on(desk(window).summary.head)
    assert len(texts(window)) == 5


@pytest.mark.parametrize(
    ("typed", "length"), [("100 %", "100%"), ("1,700 words", "1700w"), ("1000", "1000s")]
)
def test_field_takes_what_the_command_line_takes(
    qtbot: QtBot, window: MainWindow, typed: str, length: str
) -> None:
    open_file(qtbot, window)
    field = desk(window).summary.length.field
    field.setFocus()
    field.setText(typed)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert not field.error
    assert "to choose from; all of them are here." in words_on(desk(window).summary)
    assert str(desk(window).state.length) == length


def num_words(window: MainWindow) -> int:
    return sum(len(text.split()) for text in texts(window))


@pytest.mark.parametrize(
    ("unit", "least", "most"), [("words", 150, 400), ("share", 10, 30), ("sentences", 9, 9)]
)
def test_another_unit_keeps_about_the_length(
    qtbot: QtBot, window: MainWindow, unit: LengthUnit, least: int, most: int
) -> None:
    open_file(qtbot, window)
    before = num_words(window)
    control = desk(window).summary.length
    qtbot.mouseClick(control.unit.part(unit), Qt.MouseButton.LeftButton)
    assert desk(window).state.length.unit == unit
    assert least <= control.field.value <= most
    assert abs(num_words(window) - before) <= 0.1 * before
    if unit != "sentences":
        qtbot.mouseClick(control.unit.part("sentences"), Qt.MouseButton.LeftButton)
        assert abs(num_words(window) - before) <= 0.2 * before
    assert control.slider.accessibleName()


def test_short_text_comes_back_whole_with_a_note(qtbot: QtBot, window: MainWindow) -> None:
    QGuiApplication.clipboard().setText(PARAGRAPH)
    paste(window)
    wait_for(qtbot, window)
    assert len(texts(window)) == 5
    assert "5 sentences" in desk(window).summary._coverage.text()
    assert desk(window).summary._notes.text()
    assert desk(window).summary._notes.isVisible()


def test_lines_of_a_pasted_text_are_joined_and_kept_as_wished(
    qtbot: QtBot, window: MainWindow
) -> None:
    open_file(qtbot, window)
    column = desk(window).summary
    assert not column._lines.isVisible()
    steps = ("take the boats of the river", "carry the nets to the upper room", "count the cards")
    QGuiApplication.clipboard().setText("\n".join(steps * 4))
    paste(window)
    wait_for(qtbot, window)

    def num_paragraphs() -> int:
        opened = desk(window).state.opened
        assert opened is not None
        return opened.document.num_paragraphs

    assert (num_paragraphs(), column._lines.text()) == (12, "Join lines")
    for expected, offered in ((1, "Keep lines"), (12, "Join lines")):
        assert column._lines.isVisible()
        qtbot.mouseClick(column._lines, Qt.MouseButton.LeftButton)
        wait_for(qtbot, window)
        assert (num_paragraphs(), column._lines.text()) == (expected, offered)


# Sentences are pinned, replaced, dropped


def tool(window: MainWindow, row: int, name: str) -> QPoint:
    rows = desk(window).summary.list
    assert rows.page is not None
    hover(rows.viewport(), row_middle(window, row))
    return rows.page.tool_rects(row, dict(rows.shown)[row])[name].center().toPoint()


def use_tool(qtbot: QtBot, window: MainWindow, row: int, name: str, by: str) -> None:
    rows = desk(window).summary.list
    if by == "mouse":
        where = tool(window, row, name)
        qtbot.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=where)
    else:
        keys = {"pin": Qt.Key.Key_P, "replace": Qt.Key.Key_R, "drop": Qt.Key.Key_Delete}
        rows.setFocus(Qt.FocusReason.TabFocusReason)
        qtbot.keyClick(rows, Qt.Key.Key_Home)
        for _ in range(row):
            qtbot.keyClick(rows, Qt.Key.Key_J)
        qtbot.keyClick(rows, keys[name])


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_pinned_sentence_stays_at_any_length(qtbot: QtBot, window: MainWindow, by: str) -> None:
    open_file(qtbot, window)
    kept = texts(window)[3]
    use_tool(qtbot, window, 3, "pin", by)
    desk(window).summary.length.length_wished.emit(Length(1), False)
    assert texts(window) == [kept]
    use_tool(qtbot, window, 0, "pin", by)
    assert not desk(window).state.opened.choices.pinned  # type: ignore[union-attr]


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_replaced_sentence_makes_room_for_another(
    qtbot: QtBot, window: MainWindow, by: str
) -> None:
    open_file(qtbot, window)
    before = texts(window)
    use_tool(qtbot, window, 2, "replace", by)
    assert before[2] not in texts(window)
    assert len(texts(window)) == len(before)


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_dropped_sentence_goes_and_undo_brings_it_back(
    qtbot: QtBot, window: MainWindow, by: str
) -> None:
    open_file(qtbot, window)
    before = texts(window)
    use_tool(qtbot, window, 2, "drop", by)
    assert texts(window) == before[:2] + before[3:]
    desk(window).undo()
    assert texts(window) == before
    desk(window).redo()
    assert texts(window) == before[:2] + before[3:]


def test_keyboard_stays_on_its_place_after_a_drop(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    before = texts(window)
    use_tool(qtbot, window, 2, "drop", "keyboard")
    qtbot.keyClick(desk(window).summary.list, Qt.Key.Key_Delete)
    assert texts(window) == before[:2] + before[4:]


def test_nothing_left_to_replace_with_is_told(qtbot: QtBot, window: MainWindow) -> None:
    QGuiApplication.clipboard().setText(PARAGRAPH)
    paste(window)
    wait_for(qtbot, window)
    use_tool(qtbot, window, 0, "replace", "keyboard")
    assert toasts(window)[0].startswith("Every sentence of the source is in the summary")


# It is taken elsewhere


@pytest.mark.parametrize("suffix", sorted(FORMATS))
def test_every_format_is_written_with_page_references(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, suffix: str
) -> None:
    open_file(qtbot, window, PATENT)
    target = tmp_path / f"summary{suffix}"
    desk(window).outlet.export_to(target)
    qtbot.waitUntil(lambda: bool(toasts(window)))
    assert toasts(window) == [f"Exported to summary{suffix}"]
    written = all_text(target)
    summary = desk(window).state.summary
    assert summary is not None
    for sentence in summary.sentences:
        assert sentence.text.split()[1] in written  # a leading “8.” is escaped in Markdown
    wanted = '"page": ' if suffix == ".json" else "p. "
    assert f"{wanted}{summary.sentences[-1].evidence[0].page}" in written


def all_text(path: Path) -> str:
    if path.suffix != ".docx":
        return path.read_text("utf-8")
    with zipfile.ZipFile(path) as parts:
        return "".join(parts.read(name).decode("utf-8", "replace") for name in parts.namelist())


def test_refused_place_is_told_and_nothing_is_lost(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    open_file(qtbot, window)
    before = texts(window)
    (tmp_path / "a file").write_text("no folder", "utf-8")
    desk(window).outlet.export_to(tmp_path / "a file" / "summary.txt")
    qtbot.waitUntil(lambda: bool(toasts(window)))
    assert toasts(window)[0].startswith("There is no folder")
    assert texts(window) == before


def test_copied_summary_and_sentence_carry_their_references(
    qtbot: QtBot, window: MainWindow
) -> None:
    open_file(qtbot, window, PATENT)
    panel, clipboard = desk(window), QGuiApplication.clipboard()
    panel.outlet.copy_summary()
    lines = clipboard.text().splitlines()
    summary = panel.state.summary
    assert summary is not None
    for line, sentence in zip(lines, summary.sentences, strict=True):
        assert sentence.text in line
        assert f"p. {sentence.evidence[0].page}" in line
    panel.outlet.copy_sentence(2)
    assert clipboard.text() == lines[2]


def test_copied_command_gives_the_same_sentences(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    mine = tmp_path / "It's my harbour.md"
    mine.write_bytes(ARTICLE.read_bytes())
    open_file(qtbot, window, mine)
    desk(window).summary.length.length_wished.emit(Length(120, "words"), False)
    desk(window).outlet.copy_command()
    program, *arguments = shlex.split(QGuiApplication.clipboard().text())
    assert program == "epitome"
    command = [sys.executable, "-c", "from gui.app import main; raise SystemExit(main())"]
    done = subprocess.run(
        [*command, *arguments], capture_output=True, text=True, check=True, timeout=PATIENCE_S
    )
    assert [line for line in done.stdout.splitlines() if line] == texts(window)


def test_command_says_that_it_leaves_out_pins(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    use_tool(qtbot, window, 0, "pin", "keyboard")
    desk(window).outlet.copy_command()
    assert "It leaves out what was edited by hand: 1 sentence pinned." in toasts(window)[-1]


def test_export_menu_offers_every_format(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    qtbot.mouseClick(desk(window).summary.export, Qt.MouseButton.LeftButton)
    shown = " ".join(action.text() for action in the_menu(window).actions())
    assert all(suffix in shown for suffix in FORMATS)


# The same document again


def test_another_document_opened_while_one_is_read_wins(qtbot: QtBot, window: MainWindow) -> None:
    desk(window).open_source(SourceRef(path=PATENT))
    open_file(qtbot, window, ARTICLE)
    assert desk(window).state.opened.document.source.name == ARTICLE.name  # type: ignore[union-attr]


def test_map_frame_scrolls_the_source(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window, PATENT)
    map_, view = desk(window).map, desk(window).source.view
    frame = map_.frame_rect()
    assert frame is not None
    start, end = frame.center().toPoint(), QPointF(frame.center().x(), map_.height() * 0.7)
    qtbot.mousePress(map_, Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(map_, end.toPoint())
    qtbot.mouseRelease(map_, Qt.MouseButton.LeftButton, pos=end.toPoint())
    assert view.first_visible_offset > len(view.document.text) // 3  # type: ignore[union-attr]


def test_a_replaced_sentence_is_marked_and_focused(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    rows, before = desk(window).summary.list, texts(window)
    rows.replace_requested.emit(2)
    (new,) = [row for row, text in enumerate(texts(window)) if text not in before]
    assert rows.new_row == rows.current == new
    assert rows.hasFocus()
    assert rows.lit == new + 1
    assert "new" in rows.accessible_part(new).name
    desk(window).undo()
    assert rows.new_row == -1


def test_any_sentence_of_the_source_can_be_added(qtbot: QtBot, window: MainWindow) -> None:
    open_file(qtbot, window)
    view, before = desk(window).source.view, texts(window)
    document = desk(window).state.opened.document  # type: ignore[union-attr]
    start = document.text.index("The", len(document.text) // 2)
    view._mouse.selection.take(start, start + 3)
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_A)
    assert len(texts(window)) == len(before) + 1
    (new,) = [row for row, text in enumerate(texts(window)) if text not in before]
    assert desk(window).summary.list.new_row == new
    view._mouse.show_menu(view.mapToGlobal(QPoint(50, 50)), QPointF(200, 50))
    action = next(a for a in the_menu(window).actions() if a.text() == "Add to the summary")
    assert action.isEnabled()


def test_a_text_too_short_for_a_summary_is_shown_and_says_so(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    note = tmp_path / "note.txt"
    note.write_text("The mill stands on the river. Its wheel was replaced twice.", "utf-8")
    open_file(qtbot, window, note, Phase.FAILED)
    assert desk(window).source.isVisible()
    assert desk(window).source.view.document is not None
    assert "wheel was replaced" in desk(window).source.view.document.text
    assert "contains 11 words of running text; a summary needs" in words_on(desk(window).failure)
    open_file(qtbot, window)
    assert len(texts(window)) == 9


def test_recent_documents_tell_folder_and_time(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    mine = tmp_path / "harbour" / "clock.md"
    mine.parent.mkdir()
    mine.write_bytes(ARTICLE.read_bytes())
    open_file(qtbot, window, mine)
    qtbot.waitUntil(lambda: window.recents.read()[0].path == str(mine))
    qtbot.mouseClick(desk(window).header._recent, Qt.MouseButton.LeftButton)
    first = the_menu(window).actions()[0]
    assert "\tharbour · today, " in first.text()
