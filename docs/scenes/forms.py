"""Forms of real settings, with what differs from a preset and what is wrong."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from core.models.reformer.settings import PRESETS, ReformerSettings
from core.settings import Settings, option
from core.training.settings import RunSettings, TrainSettings
from gui.forms.editors import Offer
from gui.forms.form import Form
from gui.forms.state import FormState
from gui.theme.theme import Theme
from gui.widgets.display.plane import Divider, Plane

_GROUPS = {
    "Optimiser": ("optimizer", "learning_rate", "schedule", "warm_up", "weight_decay", "clip"),
    "Validation": (
        "validate_every",
        "validate_rows",
        "rouge_rows",
        "samples",
        "best_by",
        "patience",
    ),
    "Precision and device": ("precision", "device", "threads", "deterministic"),
}
_ATTENTION = {"Attention": ("attention", "rounds", "bucket_size", "buckets", "rotations")}


class _Source(Settings):
    """One corpus of a mixture."""

    corpus: str = option("", "Corpus", "Its name.")
    share: float = option(1.0, "Share", "How often it is drawn.", gt=0, le=1)
    read: bool = option(True, "Read whole", "Whether all of it is read.")


class _Mixture(RunSettings):
    """What a table of rows looks like."""

    sources: tuple[_Source, ...] = option(
        (), "Sources", "Corpora that are drawn from, and how often.", basic=True
    )


def build(theme: Theme, size: tuple[int, int]) -> QWidget:
    """The page; `grab()` it once it is shown. A narrow one has the first form alone."""
    page = Plane(theme, "surface")
    page.setFixedSize(*size)
    row = QHBoxLayout(page)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(0)
    row.addWidget(_scrolled(theme, [_training(theme)]), 1)
    if size[0] >= 1200:
        row.addWidget(Divider(theme, Qt.Orientation.Vertical))
        row.addWidget(_scrolled(theme, [_mixture(theme), _model(theme)]), 1)
    return page


def _scrolled(theme: Theme, forms: list[Form]) -> QWidget:
    area, plane = QScrollArea(), Plane(theme, "surface")
    column = QVBoxLayout(plane)
    column.setContentsMargins(32, 4, 32, 16)
    column.setSpacing(8)
    for form in forms:
        column.addWidget(form)
    column.addStretch(1)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setWidget(plane)
    return area


def _training(theme: Theme) -> Form:
    state = FormState(TrainSettings, TrainSettings(steps=50_000, batch=32))
    form = Form(theme, state, groups=_GROUPS)
    _type(form, "batch", "16")
    _type(form, "steps", "none of them")
    form.groups["Optimiser"].head.setChecked(True)
    _type(form, "learning_rate", "0.0008")
    _type(form, "clip", "")
    _type(form, "best_by", "rouge")
    form.show_problems()
    return form


def _mixture(theme: Theme) -> Form:
    rows = (_Source(corpus="patents-eu", share=0.7), _Source(corpus="reports", share=0.3))
    state = FormState(_Mixture, values=_Mixture(sources=rows, corpus="patents-eu"))
    offers = {"corpus": Offer(lambda: ["patents-eu", "reports"]), "start_from": Offer(folders=True)}
    return Form(theme, state, offers=offers, compared_with="default")


def _model(theme: Theme) -> Form:
    form = Form(theme, FormState(ReformerSettings, PRESETS["small"]), groups=_ATTENTION)
    _type(form, "length", "16384")
    _type(form, "attention", ("local", "lsh", "full"))
    form.groups["Attention"].head.setChecked(True)
    return form


def _type(form: Form, name: str, raw: object) -> None:
    row = form.rows[name]
    row.edited.emit(name, raw)
    row.committed.emit(name)
