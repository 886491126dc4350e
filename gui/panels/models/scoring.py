"""Models that are to be scored: on what, against which other, and how. Without Qt."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.data.corpus_facts import CorpusFacts
from core.evaluation.settings import EvaluateSettings, ScoreSettings
from core.jobs.evaluation.score import ScoreJob, score_models
from core.jobs.models.describe_models import DescribedModel
from core.settings import option_words
from core.system.shell import shell_line
from gui.panels.models.words import title_of, tr

BUILT_IN, LEAD = "built-in", "lead"
_SPLITS = ("train", "validation", "test")
_DOCUMENTS = 100


def usual_settings(compares: bool) -> ScoreSettings:
    """The settings a form begins with: few documents, and intervals."""
    if compares:
        return ScoreSettings(limit=_DOCUMENTS)
    return EvaluateSettings(limit=_DOCUMENTS, intervals=True)


@dataclass
class Scoring:
    """An evaluation, or a comparison, that is being set up.

    Attributes:
        model: What is scored; None for the built-in summariser.
        compares: Whether another model is scored on the same documents.
        others: The titles of what it can be compared with, by name or folder.
        against: The one that is chosen; empty for none.
        corpora: The corpora of pairs there are.
        pairs: The corpus or the file of pairs that is chosen; None for none.
        settings: How they are scored; None while a value of the form is wrong.
    """

    model: DescribedModel | None
    compares: bool
    others: Mapping[str, str] = field(default_factory=dict)
    against: str = ""
    corpora: tuple[CorpusFacts, ...] = ()
    pairs: Path | None = None
    settings: ScoreSettings | None = None

    def take_corpora(self, corpora: Sequence[CorpusFacts]) -> None:
        """Offers the corpora that hold pairs; the first is chosen where nothing is."""
        self.corpora = tuple(each for each in corpora if each.make == "pairs" and not each.fault)
        if self.pairs is None and self.corpora:
            self.pairs = self.corpora[0].folder

    @property
    def corpus(self) -> CorpusFacts | None:
        """The corpus that is chosen; None for a file."""
        return next((each for each in self.corpora if each.folder == self.pairs), None)

    @property
    def splits(self) -> tuple[str, ...]:
        """The splits to choose from; none for a file."""
        return () if self.corpus is None else tuple(s for s in _SPLITS if self.corpus.rows.get(s))

    @property
    def usual_split(self) -> str:
        """The split that is for scoring: the test split, or else the validation split."""
        held_out = [split for split in ("test", "validation") if split in self.splits]
        return held_out[0] if held_out else (self.splits[0] if self.splits else "test")

    @property
    def titles(self) -> tuple[str, ...]:
        """What the scored models are called; the one that is compared with is first."""
        own = title_of(self.model)
        return (self.others.get(self.against, self.against), own) if self.compares else (own,)

    @property
    def problem(self) -> str:
        """Why it cannot begin now; empty when it can."""
        if self.pairs is None:
            return tr("Choose a corpus of pairs, or a file.")
        if self.compares and not self.against:
            return tr("Choose what it is compared with.")
        if self.settings is None:
            return tr("Correct the marked settings first.")
        if self.splits and self.settings.split not in self.splits:
            words = tr("“{corpus}” has no {split} split; choose {splits}.")
            splits = tr(" or ").join(self.splits)
            return words.format(corpus=self._pairs_name, split=self.settings.split, splits=splits)
        return ""

    @property
    def job(self) -> ScoreJob:
        """What does it."""
        assert self.pairs is not None and self.settings is not None and not self.problem
        own = BUILT_IN if self.model is None else str(self.model.folder)
        return score_models([self.against, own] if self.compares else [own], self.pairs,
                            self.settings)  # fmt: skip

    @property
    def command(self) -> str:
        """The command that does the same."""
        own = BUILT_IN if self.model is None else self.model.name
        models = [Path(self.against).name, own] if self.compares else [own]
        words = ["epitome", "compare" if self.compares else "evaluate"]
        words += [word for model in models if model for word in ("--model", model)]
        if self.pairs is not None:
            words += ["--corpus" if self.corpus else "--pairs", self._pairs_word]
        return shell_line([*words, *option_words(self.settings or usual_settings(self.compares))])

    @property
    def _pairs_name(self) -> str:
        return "" if self.pairs is None else self.pairs.name

    @property
    def _pairs_word(self) -> str:
        return self._pairs_name if self.corpus else str(self.pairs)
