"""A row for each setting, made from its field of `Preferences`."""

from dataclasses import replace

from PySide6.QtCore import QCoreApplication, Signal

from core.library.preferences import Preferences
from gui.forms.amount_editors import SliderEditor
from gui.forms.controls import Controls
from gui.forms.fields import describe
from gui.panels.settings.rows import Row
from gui.theme.theme import Theme
from gui.widgets.display.label import Label
from gui.widgets.support.announce import announce

translate = QCoreApplication.translate

FIELDS = {field.name: field for field in describe(Preferences)}
_SLIDERS = ("reading_size", "line_width")


class SettingRow(Row):
    """A setting with the control that a form gives its field; its words come from the field."""

    edited = Signal(str, object)
    """Its name, and what a person typed or chose."""
    committed = Signal(str)
    """Its name: the person is done with it."""

    def __init__(self, theme: Theme, name: str, more_help: str = "") -> None:
        """A row for a setting.

        Args:
            theme: The look.
            name: The setting's.
            more_help: Goes on after its own line of help.
        """
        title, own = _tr(FIELDS[name].title), _tr(FIELDS[name].help)
        help_text = "; ".join(filter(None, (own.removesuffix("."), more_help)))
        super().__init__(theme, title, help_text)
        self.field = replace(FIELDS[name], title=title)
        controls = Controls(theme, words=_words_of_values(name), sliders=_SLIDERS, at_once=True)
        self.editor = controls.make(self.field)
        self.editor.describe(own)
        self.editor.edited.connect(lambda raw: self.edited.emit(name, raw))
        self.editor.committed.connect(lambda: self.committed.emit(name))
        self.add(self.editor)

    def show_problem(self, sentence: str) -> None:
        """Says what is wrong with its value instead of the help; "" for nothing."""
        if sentence and sentence != self.told:
            announce(self, f"{self.title}: {sentence}", urgent=True)
        self.show_error(sentence)
        self.editor.set_error(sentence)
        self.editor.describe(sentence or _tr(self.field.help))


def size_row(theme: Theme, more_help: str) -> SettingRow:
    """The row of the text size: its slider goes from a small A to a large one."""
    row = SettingRow(theme, "reading_size", more_help)
    assert isinstance(row.editor, SliderEditor)
    row.editor.show_unit(row.field.unit)
    row.editor.put_ends(Label(theme, "A", "small", "text2"), Label(theme, "A", "title", "text2"))
    return row


def _words_of_values(name: str) -> dict[object, str]:
    return {
        "source-serif": translate("Settings", "Source Serif"),
        "inter": translate("Settings", "Inter"),
        "system": (
            translate("Settings", "System")
            if name == "text_face"
            else translate("Settings", "As the system")
        ),
        "light": translate("Settings", "Light"),
        "dark": translate("Settings", "Dark"),
        "off": translate("Settings", "Off"),
    }


def _tr(words: str) -> str:
    return translate("Settings", words)
