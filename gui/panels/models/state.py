"""What the Models panel shows and allows, without Qt."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from core.jobs.models.describe_models import DescribedModel
from core.runs.evaluations import Evaluation
from core.runs.model_card import ModelCard
from core.storage.portable_names import fold_name
from core.summarisers.built_in_facts import BuiltInFacts

OWN = "yours"
_FROM_NOTHING = "random weights"
"""The licence of a model that holds nothing of anybody else's."""
BUILT_IN = ""
"""The key of the summariser that is always there; the others' keys are their folders."""

Kept = Literal["all", "trained", "imported"]
Order = Literal["newest", "name", "size"]

_ORDERS: dict[Order, Callable[[DescribedModel], tuple[object, ...]]] = {
    "newest": lambda model: (-model.trained_ns,),
    "name": lambda model: (model.title.casefold(),),
    "size": lambda model: (-model.size_bytes,),
}


@dataclass(frozen=True)
class Kin:
    """A line of the lineage.

    Args:
        key: The model's, empty where it is not on this machine.
        title: Its name.
        depth: How many stand above it.
        is_last: Whether no brother or sister follows.
        model: The model; None where it is not on this machine.
    """

    key: str
    title: str
    depth: int
    is_last: bool
    model: DescribedModel | None = None


class ModelsState:
    """Which models there are, which are shown, and which one is chosen."""

    def __init__(self) -> None:
        self.models: tuple[DescribedModel, ...] = ()
        self.is_known = False
        """Whether anybody has looked yet."""
        self.kept: Kept = "all"
        self.order: Order = "newest"
        self.wanted = ""
        self.chosen = BUILT_IN
        self.built_in_bytes, self.can_write = 0, True
        self.built_in_licence = "Apache 2.0"
        self.built_in_evaluations: tuple[Evaluation, ...] = ()
        self.built_in = BuiltInFacts()

    def take(
        self,
        models: Sequence[DescribedModel],
        built_in_bytes: int = 0,
        can_write: bool = True,
        built_in_evaluations: tuple[Evaluation, ...] = (),
        built_in: BuiltInFacts | None = None,
    ) -> bool:
        """Shows what there is now.

        Args:
            models: What was found.
            built_in_bytes: The size of the built-in summariser.
            can_write: Whether the part is installed without which no model can write.
            built_in_evaluations: What the built-in summariser scored, the newest first.
            built_in: What else is known of it; None for nothing new.

        Returns:
            Whether anything is different.
        """
        before = self._known if self.is_known else None
        self.models, self.is_known = tuple(models), True
        self.built_in_bytes, self.can_write = built_in_bytes, can_write
        self.built_in_evaluations = built_in_evaluations
        self.built_in = built_in or self.built_in
        if self.chosen not in {BUILT_IN, *map(key_of, self.models)}:
            self.chosen = BUILT_IN
        return self._known != before

    @property
    def _known(self) -> tuple[object, ...]:
        return self.models, self.can_write, self.built_in_evaluations

    def evaluations(self, model: DescribedModel | None) -> tuple[Evaluation, ...]:
        """What a model scored where it was evaluated, the newest first; None is the built-in."""
        return self.built_in_evaluations if model is None else model.evaluations

    def shown(self) -> list[DescribedModel | None]:
        """The models that are listed; None stands for the built-in summariser, which is first."""
        kept = [model for model in self.models if self._is_kept(model) and self._matches(model)]
        built_in = self.kept == "all" and self._is_in("built-in summariser")
        return [*([None] if built_in else []), *sorted(kept, key=_ORDERS[self.order])]

    def choose(self, key: str) -> None:
        """Chooses a model; one that is not there any more is ignored."""
        if key == BUILT_IN or self.model(key) is not None:
            self.chosen = key

    @property
    def selected(self) -> DescribedModel | None:
        """The chosen model; None for the built-in summariser."""
        return self.model(self.chosen)

    def why_not(self) -> str:
        """Why the chosen model cannot write a summary now; empty where it can."""
        if self.selected is None:
            return ""
        if self.selected.fault:
            return "It cannot be used."
        return "" if self.can_write else "It writes with the training part: install it in Settings."

    def others(self) -> dict[str, str]:
        """The titles of what the chosen model can be compared with, by name or folder."""
        usable = [model for model in self.models if not model.fault and self.can_write]
        found = {str(model.folder): model.title for model in usable if key_of(model) != self.chosen}
        built_in = {} if self.chosen == BUILT_IN else {"built-in": "Built-in"}
        return built_in | found | {"lead": "The first sentences of the document"}

    def model(self, key: str) -> DescribedModel | None:
        """The model of that key, if it is there."""
        return next((model for model in self.models if key_of(model) == key), None)

    def named(self, name: str) -> DescribedModel | None:
        """The model of that folder's name, if it is there."""
        return next((model for model in self.models if model.name == name), None)

    @property
    def size_bytes(self) -> int:
        """What all models take on the disk."""
        return sum(model.size_bytes for model in self.models)

    # Lineage

    def lineage(self, model: DescribedModel) -> list[Kin]:
        """What a model comes from, itself, its siblings, and what came from it.

        Args:
            model: The model.

        Returns:
            Parents before children, each with its depth; the first is what all began with.
        """
        above = self._ancestors(model)
        kin = [self._origin(name, depth, model) for depth, name in enumerate(_origins(above[0]))]
        depth = len(kin)
        for parent in above[:-1]:
            kin.append(Kin(key_of(parent), parent.title, depth, is_last=True, model=parent))
            depth += 1
        beside = self._children(above[-2]) if len(above) > 1 else [model]
        for place, each in enumerate(beside):
            last = place == len(beside) - 1
            kin.append(Kin(key_of(each), each.title, depth, last, each))
            if each is model:
                kin += self._below(model, depth + 1, set())
        return kin

    def _origin(self, name: str, depth: int, of: DescribedModel) -> Kin:
        """An ancestor that is known by its name: a model on this computer, or none of these."""
        here = (each for each in self.models if name in (each.title, each.name) and each is not of)
        model = next(here, None)
        return Kin(key_of(model) if model else "", name, depth, is_last=True, model=model)

    def _ancestors(self, model: DescribedModel) -> list[DescribedModel]:
        """The models on this machine that a model comes from, oldest first; itself is the last."""
        line = [model]
        while (parent := self._parent(line[0])) is not None and parent not in line:
            line.insert(0, parent)
        return line

    def _parent(self, model: DescribedModel) -> DescribedModel | None:
        if model.conversion is not None:
            return self.named(model.conversion.source)
        if not model.start_from or model.card.imported:
            return None
        folder = Path(model.start_from)
        return next((each for each in self.models if each.folder == folder), None)

    def _children(self, model: DescribedModel) -> list[DescribedModel]:
        found = [each for each in self.models if self._parent(each) is model and each is not model]
        return sorted(found, key=lambda each: each.trained_ns)

    def _below(self, model: DescribedModel, depth: int, seen: set[str]) -> list[Kin]:
        """All that came from a model."""
        seen.add(key_of(model))
        kin = []
        children = [each for each in self._children(model) if key_of(each) not in seen]
        for place, each in enumerate(children):
            kin.append(Kin(key_of(each), each.title, depth, place == len(children) - 1, each))
            kin += self._below(each, depth + 1, seen)
        return kin

    def parents(self, model: DescribedModel) -> tuple[str, ...]:
        """The names of all that a model comes from, the first one first."""
        above = self._ancestors(model)
        return (*_origins(above[0]), *(each.title for each in above[:-1]))

    def licence(self, model: DescribedModel) -> str:
        """The licence of a model: what was said of it, or of the nearest one it comes from.

        Args:
            model: The model.

        Returns:
            Its name; empty where the model, or what it comes from, is somebody else's and nobody
            has said.
        """
        own = OWN if _is_own(self._ancestors(model)[0]) else ""
        return self.stated_licence(model) or own

    def stated_licence(self, model: DescribedModel) -> str:
        """The licence that somebody gave a model, or the nearest one it comes from."""
        given = (_licence_in(each.card) for each in reversed(self._ancestors(model)))
        return next(filter(None, given), "")

    # What is listed

    def _is_kept(self, model: DescribedModel) -> bool:
        return self.kept == "all" or (self.kept == "imported") == bool(model.card.imported)

    def _matches(self, model: DescribedModel) -> bool:
        return self._is_in(" ".join((model.title, model.name, model.notes, model.corpus)))

    def _is_in(self, words: str) -> bool:
        return all(part in fold_name(words) for part in fold_name(self.wanted).split())


def key_of(model: DescribedModel | None) -> str:
    """What a model is told apart by."""
    return BUILT_IN if model is None else str(model.folder)


def _licence_in(card: ModelCard) -> str:
    """What a card says; an older program exported its owner's models as "yours"."""
    return "" if card.imported and card.licence == OWN else card.licence


def _is_own(first: DescribedModel) -> bool:
    """Whether nothing of anybody else's is in the weights of a line's first model."""
    card = first.card
    if card.own:
        return card.parents[:1] == (_FROM_NOTHING,)
    return not (card.imported or card.is_damaged or first.start_from)


def _origins(first: DescribedModel) -> tuple[str, ...]:
    """The names of what a line's first model comes from and that is not on this machine."""
    if first.card.imported:
        return first.card.parents
    return (Path(first.start_from).name,) if first.start_from else (_FROM_NOTHING,)
