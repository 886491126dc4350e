"""Makes the control of each field of a form, simple or with several values."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from core.settings import NONE
from gui.forms.amount_editors import LengthEditor, SliderEditor
from gui.forms.editors import ChoiceEditor, Editor, LineEditor, NameEditor, Offer, SwitchEditor
from gui.forms.fields import (
    Choice,
    Folder,
    FormField,
    Items,
    Number,
    OnOff,
    SummaryLength,
    Table,
)
from gui.forms.list_editors import ListEditor
from gui.theme.theme import Theme


@dataclass(frozen=True)
class Controls:
    """What the controls of a form have in common.

    Args:
        theme: The look.
        offers: What texts may be filled from, by the name of their field or column.
        words: How the values of choices are called where their own name would not do.
        sliders: Names of bounded whole numbers that are drawn as sliders.
        at_once: Whether a value acts as soon as it is chosen: then on and off is a switch.
    """

    theme: Theme
    offers: Mapping[str, Offer] = field(default_factory=dict)
    words: Mapping[object, str] = field(default_factory=dict)
    sliders: Collection[str] = ()
    at_once: bool = False

    def make(self, field: FormField) -> Editor:
        """The control of any field."""
        if isinstance(field.kind, Items | Table):
            return ListEditor(self.theme, field, self.make_simple)
        return self.make_simple(field, field.title)

    def make_simple(self, field: FormField, name: str) -> Editor:
        """The control of a field that holds one value.

        Args:
            field: Its description.
            name: Accessible name.

        Returns:
            The control.

        Raises:
            ValueError: If it is to be a slider, and is no whole number between two bounds.
        """
        theme, kind, optional = self.theme, field.kind, field.optional
        none: list[object] = [None] if optional else []
        offer = self.offers.get(field.name)
        match kind:
            case Choice(values):
                return ChoiceEditor(theme, name, [*none, *values], {None: "None", **self.words})
            case OnOff() if self.at_once and not none:
                return SwitchEditor(theme, name)
            case OnOff():
                parts = {None: "None", False: "Off", True: "On", **self.words}
                return ChoiceEditor(theme, name, [*none, False, True], parts)
            case Number() if field.name in self.sliders and not none:
                return SliderEditor(theme, name, kind)
            case SummaryLength() if not none:
                return LengthEditor(theme, name)
            case Folder() if offer is None:
                return NameEditor(theme, name, kind, optional, Offer(folders=True))
            case _ if offer is not None:
                return NameEditor(theme, name, kind, optional, offer)
            case _:
                empty = self.words.get(None, NONE).lower()
                return LineEditor(theme, name, kind, optional, empty)
