"""The form, as a person uses it."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from core.data.settings import CorpusSettings
from core.decoding.settings import DecodingSettings
from core.gsg.settings import GapSentenceSettings
from core.library.preferences import Preferences
from core.models.reformer.settings import ReformerSettings
from core.numbers import THIN_SPACE
from core.profiling.settings import ProfileSettings
from core.settings import Settings
from core.training.settings import TrainSettings
from docs.scenes.forms import build
from gui.forms import field_row, form
from gui.forms.amount_editors import LengthEditor, SliderEditor
from gui.forms.controls import Controls
from gui.forms.editors import ChoiceEditor, LineEditor, NameEditor, Offer, SwitchEditor
from gui.forms.fields import describe
from gui.forms.form import STACKED_BELOW_PX, Form
from gui.forms.given_row import Given
from gui.forms.list_editors import ListEditor
from gui.forms.state import FormState
from gui.theme.theme import Theme
from gui.widgets.inputs.menu import Menu
from tests.gui.forms.test_state import Mixed, Source

REAL = (TrainSettings, ReformerSettings, DecodingSettings, ProfileSettings, GapSentenceSettings)


def shown(qtbot: QtBot, form: Form, width: int = 700) -> Form:
    qtbot.addWidget(form)
    form.resize(width, 900)
    with qtbot.waitExposed(form):
        form.show()
    form.activateWindow()
    qtbot.waitUntil(form.isActiveWindow)
    return form


@pytest.fixture
def made(qtbot: QtBot, theme: Theme) -> Form:
    groups = {"Layers": ("kinds", "widths"), "Place": ("device", "out")}
    return shown(qtbot, Form(theme, FormState(Mixed), groups=groups))


def line(form: Form, name: str) -> QLineEdit:
    editor = form.rows[name].editor
    assert isinstance(editor, LineEditor)
    return editor.field


def give(qtbot: QtBot, form: Form, name: str, text: str) -> None:
    form.go_to(name)
    line(form, name).selectAll()
    qtbot.keyClicks(line(form, name), text)
    qtbot.keyClick(line(form, name), Qt.Key.Key_Return)


def test_a_difference_is_read_whole_where_controls_stand_below(qtbot: QtBot, theme: Theme) -> None:
    words = {None: "Automatic", "gsg": "Gap sentences"}
    state = FormState(CorpusSettings, CorpusSettings(), CorpusSettings(make="gsg"))
    form = Form(theme, state, words=words, compared_with="default")
    row = shown(qtbot, form, STACKED_BELOW_PX - 80).rows["make"]
    assert row.difference.text() == "default: Automatic"
    qtbot.waitUntil(lambda: row.difference.width() >= row.difference.sizeHint().width() - 4)
    assert row.reset.mapTo(row, row.reset.rect().topRight()).x() <= row.width()


@pytest.mark.parametrize("settings", REAL)
def test_every_field_of_the_real_settings_is_shown_and_turned(
    qtbot: QtBot, theme: Theme, settings: type[Settings]
) -> None:
    form = shown(qtbot, Form(theme, FormState(settings)))
    for head in (group.head for group in form.groups.values()):
        head.setChecked(True)
    for field in form.state.fields:
        form.state.reset()
        form.refresh()
        row, before = form.rows[field.name], form.state.value(field.name)
        assert row.isVisibleTo(form)
        turn(qtbot, row.editor)
        assert form.state.value(field.name) != before, field.name
        assert field.name in form.state.changed
        assert row.reset.isVisible()
        qtbot.mouseClick(row.reset, Qt.MouseButton.LeftButton)
        assert form.state.value(field.name) == before


def turn(qtbot: QtBot, editor: Any) -> None:
    """Gives a control another value by pointer or keys."""
    match editor:
        case SwitchEditor():
            qtbot.keyClick(editor.switch, Qt.Key.Key_Space)
        case ChoiceEditor(segmented=control) if control is not None:
            keys = [control.part(str(i)) for i in range(len(editor._values))]
            part = next(part for part in keys if not part.isChecked())
            qtbot.mouseClick(part, Qt.MouseButton.LeftButton)
        case ChoiceEditor():
            key = Qt.Key.Key_Up if editor.combo.currentIndex() else Qt.Key.Key_Down
            qtbot.keyClick(editor.combo, key)
            editor.combo.activated.emit(editor.combo.currentIndex())
        case ListEditor():
            qtbot.mouseClick(editor.adder, Qt.MouseButton.LeftButton)
        case LineEditor():
            old = editor.field.text()
            editor.field.selectAll()
            qtbot.keyClicks(editor.field, "0.5" if old != "0.5" and "." in old else "7")


def test_a_value_is_checked_on_leaving_and_mended_on_typing(qtbot: QtBot, made: Form) -> None:
    row, field = made.rows["rows"], line(made, "rows")
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "100")
    assert row.told == "Rows of a step. 1 to 64."
    assert made.state.settings is None
    field.clearFocus()
    assert row.told == "Must be at most 64."
    assert field.text() == "100"
    assert field.property("error")
    assert field.accessibleDescription() == "Must be at most 64."
    field.setFocus()
    qtbot.keyClick(field, Qt.Key.Key_0)
    assert row.told == "Rows of a step. 1 to 64.", "wrong still, but being typed"
    qtbot.keyClick(field, Qt.Key.Key_Backspace)
    qtbot.keyClick(field, Qt.Key.Key_Backspace)
    assert row.told == "Rows of a step. 1 to 64."
    assert not field.property("error")


def test_an_error_stays_while_another_field_is_changed(qtbot: QtBot, made: Form) -> None:
    give(qtbot, made, "rows", "100")
    give(qtbot, made, "most", "200")
    assert made.rows["rows"].told == "Must be at most 64."


def test_an_error_is_announced_once(
    qtbot: QtBot, made: Form, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    for module in (field_row, form):
        monkeypatch.setattr(module, "announce", lambda _, told, **__: said.append(told))
    give(qtbot, made, "rows", "100")
    line(made, "rows").clearFocus()
    assert said == ["Rows: Must be at most 64."]


def test_numbers_are_shown_as_they_are_read(qtbot: QtBot, made: Form) -> None:
    give(qtbot, made, "most", "16k")
    assert line(made, "most").text() == f"16{THIN_SPACE}000"
    give(qtbot, made, "rate", "1e-5")
    assert made.state.settings is not None
    assert (made.state.settings.most, made.state.settings.rate) == (16000, 1e-5)


def test_arrows_step_a_whole_number_within_its_bounds(qtbot: QtBot, made: Form) -> None:
    give(qtbot, made, "rows", "2")
    for _ in range(3):
        qtbot.keyClick(line(made, "rows"), Qt.Key.Key_Down)
    assert made.state.value("rows") == 1


def test_an_empty_line_says_none(qtbot: QtBot, made: Form) -> None:
    made.go_to("clip")
    line(made, "clip").selectAll()
    qtbot.keyClick(line(made, "clip"), Qt.Key.Key_Delete)
    assert line(made, "clip").placeholderText() == "none"
    assert made.state.settings is not None
    assert made.state.settings.clip is None


def test_an_empty_line_says_what_it_means_where_that_is_known(qtbot: QtBot, theme: Theme) -> None:
    corpus = shown(qtbot, Form(theme, FormState(CorpusSettings), words={None: "Automatic"}))
    assert line(corpus, "split").placeholderText() == "automatic"
    give(qtbot, corpus, "split", "70/20/10")
    line(corpus, "split").selectAll()
    qtbot.keyClick(line(corpus, "split"), Qt.Key.Key_Delete)
    assert corpus.state.settings is not None and corpus.state.settings.split is None


def test_a_difference_is_told_and_taken_back(qtbot: QtBot, made: Form) -> None:
    row = made.rows["rows"]
    assert not row.reset.isVisible()
    give(qtbot, made, "rows", "7")
    assert row.difference.text() == "preset: 4"
    qtbot.mouseClick(row.reset, Qt.MouseButton.LeftButton)
    assert made.state.value("rows") == 4
    assert not row.difference.isVisible()
    assert line(made, "rows").hasFocus()


def test_basic_fields_are_open_and_the_rest_is_folded(qtbot: QtBot, made: Form) -> None:
    assert made.rows["rows"].isVisible()
    assert not made.rows["rate"].isVisible()
    assert list(made.groups) == ["Layers", "Place", "More"]
    head = made.groups["More"].head
    assert head.told == "Rate 0.0001, clip 1, fast off"
    assert head.accessibleDescription().startswith("folded")
    qtbot.keyClick(head, Qt.Key.Key_Space)
    assert made.rows["rate"].isVisible()
    assert head.accessibleDescription().startswith("open")


def test_rows_come_a_few_at_a_time_and_in_order(qtbot: QtBot, theme: Theme) -> None:
    basic = ["batch", "steps", "learning_rate", "warm_up", "seed", "keep"]
    form = Form(theme, FormState(TrainSettings), basic=basic)
    qtbot.addWidget(form)
    assert 0 < len(form.rows) < len(basic)
    form.rows[basic[-1]]  # asked for before its turn
    assert list(form.rows) == basic


def test_a_group_of_fields_that_are_not_there_is_refused(theme: Theme) -> None:
    with pytest.raises(KeyError, match="row"):
        Form(theme, FormState(Mixed), groups={"Layers": ["row"]})


def test_only_what_changed_is_shown(qtbot: QtBot, made: Form) -> None:
    give(qtbot, made, "rate", "0.5")
    made.only_changed.setChecked(True)
    line(made, "rate").clearFocus()
    made.refresh()
    assert [name for name, row in made.rows.items() if row.isVisible()] == ["rate"]


def test_a_list_grows_and_shrinks(qtbot: QtBot, made: Form) -> None:
    made.go_to("kinds")
    kinds = made.rows["kinds"].editor
    assert isinstance(kinds, ListEditor)
    qtbot.mouseClick(kinds.adder, Qt.MouseButton.LeftButton)
    choice = kinds.editors[1]["kinds"]
    assert isinstance(choice, ChoiceEditor)
    assert choice.segmented is not None
    qtbot.mouseClick(choice.segmented.part("1"), Qt.MouseButton.LeftButton)
    assert made.state.value("kinds") == ("lsh", "local")
    qtbot.mouseClick(kinds.removers[0], Qt.MouseButton.LeftButton)
    assert made.state.value("kinds") == ("local",)
    qtbot.mouseClick(kinds.removers[0], Qt.MouseButton.LeftButton)
    assert made.rows["kinds"].told == "At least 1 needed; add one."
    assert kinds.adder.hasFocus()


def test_a_table_takes_rows(qtbot: QtBot, made: Form) -> None:
    made.go_to("sources")
    table = made.rows["sources"].editor
    assert isinstance(table, ListEditor)
    qtbot.mouseClick(table.adder, Qt.MouseButton.LeftButton)
    corpus, share = (table.editors[0][name].control for name in ("corpus", "share"))
    qtbot.keyClicks(corpus, "reports")
    assert isinstance(share, QLineEdit)
    share.selectAll()
    qtbot.keyClicks(share, "0.25")
    assert made.state.value("sources") == (Source(corpus="reports", share=0.25),)


def test_names_are_offered_when_asked(qtbot: QtBot, theme: Theme) -> None:
    field = next(field for field in describe(Mixed) if field.name == "device")
    offers = {"device": Offer(lambda: ["cpu", "cuda"])}
    editor = Controls(theme, offers).make(field)
    assert isinstance(editor, NameEditor)
    qtbot.addWidget(editor)
    editor.show()
    qtbot.mouseClick(editor.button, Qt.MouseButton.LeftButton)
    (menu,) = editor.findChildren(Menu)
    with qtbot.waitSignal(editor.edited) as told:
        menu.actions()[1].trigger()
    assert told.args == ["cuda"]
    menu.close()


def test_a_bounded_number_is_drawn_as_a_slider(qtbot: QtBot, theme: Theme) -> None:
    form = shown(qtbot, Form(theme, FormState(Mixed), sliders=("rows",)))
    editor = form.rows["rows"].editor
    assert isinstance(editor, SliderEditor)
    assert (editor.slider.minimum(), editor.slider.maximum()) == (1, 64)
    qtbot.keyClick(editor.slider, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: form.state.value("rows") == 5)
    assert editor.field.text() == "5"
    editor.field.setFocus()
    editor.field.selectAll()
    qtbot.keyClicks(editor.field, "100")
    editor.field.clearFocus()
    assert form.rows["rows"].told == editor.field.error == "Must be at most 64."
    qtbot.mouseClick(form.rows["rows"].reset, Qt.MouseButton.LeftButton)
    assert (editor.slider.value(), editor.field.text()) == (4, "4")


@pytest.mark.parametrize("name", ["most", "rate", "clip"])
def test_a_number_without_two_bounds_is_no_slider(theme: Theme, name: str) -> None:
    field = next(field for field in describe(Mixed) if field.name == name)
    controls = Controls(theme, sliders=(name,))
    if field.optional:
        assert isinstance(controls.make(field), LineEditor)
    else:
        with pytest.raises(ValueError, match="cannot be a slider"):
            controls.make(field)


def test_a_length_is_a_number_and_its_unit(qtbot: QtBot, theme: Theme) -> None:
    form = shown(qtbot, Form(theme, FormState(Preferences)))
    editor = form.rows["length"].editor
    assert isinstance(editor, LengthEditor)
    qtbot.mouseClick(editor.unit.part("share"), Qt.MouseButton.LeftButton)
    editor.field.setFocus()
    editor.field.selectAll()
    qtbot.keyClicks(editor.field, "2.5")
    assert form.state.value("length") == "2.5%"
    assert form.rows["length"].difference.text() == "preset: 9 sentences"
    qtbot.keyClicks(editor.field, "x")
    editor.field.clearFocus()
    assert "2.5x" in form.rows["length"].told and editor.field.text() == "2.5x"
    qtbot.mouseClick(form.rows["length"].reset, Qt.MouseButton.LeftButton)
    assert (editor.field.text(), editor.unit.value) == ("9", "sentences")


def test_a_folder_is_typed(qtbot: QtBot, made: Form, tmp_path: Path) -> None:
    give(qtbot, made, "out", str(tmp_path))
    assert made.state.value("out") == tmp_path
    line(made, "out").clear()
    line(made, "out").textEdited.emit("")
    assert made.state.value("out") is None


def test_problems_are_shown_and_the_first_gets_the_keyboard(qtbot: QtBot, made: Form) -> None:
    made.state.put("rate", "2")
    assert made.show_problems()
    assert made.rows["rate"].told == "Must be below 1."
    assert line(made, "rate").hasFocus()
    made.state.put("rate", "0.5")
    assert not made.show_problems()


def test_what_is_wrong_between_fields_stands_at_the_foot(qtbot: QtBot, made: Form) -> None:
    give(qtbot, made, "rows", "9")
    told = [label.text() for label in made.findChildren(QLabel) if label.isVisible()]
    assert "“Rows” must not be above “Most”, but 9 is." in told


def test_controls_have_names_descriptions_and_buddies(qtbot: QtBot, made: Form) -> None:
    for name, row in made.rows.items():
        label = next(each for each in row.findChildren(QLabel) if each.text() == row.title)
        assert label.buddy() is not None, name
        interface = QAccessible.queryAccessibleInterface(row.editor.control)
        assert row.title in interface.text(QAccessible.Text.Name), name
    assert line(made, "rows").accessibleDescription() == "Rows of a step. 1 to 64. rows"


@pytest.mark.parametrize("width", [STACKED_BELOW_PX + 40, STACKED_BELOW_PX - 40, 420])
def test_nothing_overlaps_at_any_width(qtbot: QtBot, theme: Theme, width: int) -> None:
    page = build(theme, (width, 900))
    qtbot.addWidget(page)
    with qtbot.waitExposed(page):
        page.show()
    form = page.findChild(Form)
    assert form is not None
    for row in form.rows.values():
        if row.isVisible():
            assert row.width() <= form.width()
            assert inside(row, row.editor)
            assert inside(row, row.reset)


def inside(row: QWidget, part: QWidget) -> bool:
    at = part.mapTo(row, part.rect().topLeft())
    return row.rect().contains(at) and at.x() + part.width() <= row.width()


def test_the_line_of_a_group_may_be_in_other_words(qtbot: QtBot, theme: Theme) -> None:
    brief = {"optimizer": "{0}", "adam_beta2": "β2 {0}"}
    groups = {"Optimiser": ("optimizer", "adam_beta2"), "Documents": ("too_long", "padding")}
    words = {"window": "keep a window"}
    state = FormState(TrainSettings, TrainSettings(too_long="window"))
    form = Form(theme, state, groups=groups, words=words, brief=brief)
    qtbot.addWidget(form)
    assert form.groups["Optimiser"].head.told == "Adam, β2 0.999"
    assert form.groups["Documents"].head.told == "Long documents keep a window, padding lengths"


def test_what_is_given_stands_first_and_cannot_be_edited(qtbot: QtBot, theme: Theme) -> None:
    form = Form(theme, FormState(TrainSettings), basic=("steps",))
    qtbot.addWidget(form)
    form.show_given([Given("Length", "1 024 tokens", "All documents fit.")])
    (row,) = form.given
    assert (row.title, row.told, row.value) == ("Length", "All documents fit.", "1 024 tokens")
    form.show_given([])
    assert form.given == ()


def test_tab_goes_down_the_form_though_its_rows_are_made_late(qtbot: QtBot, theme: Theme) -> None:
    groups = {"Layers": ("kinds", "widths"), "Place": ("device", "out")}
    form = shown(qtbot, Form(theme, FormState(Mixed), groups=groups))
    for each in form.groups.values():
        each.head.setChecked(True)
    names = [field.name for field in form.state.fields]
    qtbot.waitUntil(lambda: all(dict.__contains__(form.rows, name) for name in names))
    qtbot.wait(1)
    tops, stop = [], form.only_changed.nextInFocusChain()
    while stop is not None and stop is not form.only_changed:
        if (
            form.isAncestorOf(stop)
            and stop.isVisible()
            and stop.focusPolicy() & Qt.FocusPolicy.TabFocus
        ):
            tops.append(stop.mapTo(form, stop.rect().center()).y())
        stop = stop.nextInFocusChain()
    assert len(tops) > 8 and all(a <= b + 8 for a, b in pairwise(tops)), tops
