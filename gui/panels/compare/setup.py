"""A comparison that is being set up: on what, of which systems, how. Without Qt."""

import hashlib
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.data.corpus_facts import CorpusFacts
from core.distribution.parts import part_of
from core.distribution.resources import resource
from core.errors import EpitomeError
from core.evaluation.settings import Metric, ScoreSettings
from core.jobs.evaluation.score import ScoreJob, score_models
from core.runs.comparisons import OpenedComparison
from core.settings import option_words
from core.system.shell import shell_line
from gui.panels.compare.words import tr

READY_MODELS = ("built-in", "lead", "gap-sentences", "random")
_SPLITS = ("train", "validation", "test")
_DOCUMENTS = 100
_SIGNS = re.compile(r"[^\w-]+")


def usual_settings() -> ScoreSettings:
    """The settings that a form begins with: few documents, and all that the panel shows."""
    metrics: tuple[Metric, ...] = (
        "rouge-1", "rouge-2", "rouge-l", "novelty", "support", "words",
    )  # fmt: skip
    if part_of("training").is_installed:
        metrics = (*metrics[:3], "bleu", *metrics[3:])
    return ScoreSettings(limit=_DOCUMENTS, metrics=metrics, by=("kind", "length"))


@dataclass
class Setup:
    """What shall be compared.

    Attributes:
        corpora: The corpora there are.
        pairs: The corpus, the file or the folder that is chosen; None for none.
        models: The models that are chosen, by name or folder.
        files: The files of predictions that are chosen.
        settings: How they are scored; None while a value of the form is wrong.
        folder: The comparison that is made larger; None for a new one.
        missing: The chosen models that are not on this computer any more.
    """

    corpora: tuple[CorpusFacts, ...] = ()
    pairs: Path | None = None
    models: list[str] = field(default_factory=lambda: ["built-in", "lead"])
    files: list[Path] = field(default_factory=list)
    settings: ScoreSettings | None = None
    folder: Path | None = None
    missing: tuple[str, ...] = ()

    @classmethod
    def of(cls, opened: OpenedComparison) -> "Setup":
        """The choices that an open comparison was made with; what it wrote is used again."""
        about = opened.about
        models = [system.name for system in about.systems if not system.is_file]
        files = [Path(system.name) for system in about.systems if system.is_file]
        try:
            settings = ScoreSettings.checked(
                {name: about.settings[name] for name in ScoreSettings.model_fields}
            )
        except (EpitomeError, KeyError):
            settings = usual_settings()
        return cls((), Path(about.path), models, files, settings, opened.folder)

    def take_corpora(self, corpora: Sequence[CorpusFacts]) -> None:
        """Offers corpora; the first with references is chosen where nothing is."""
        self.corpora = tuple(each for each in corpora if not each.fault)
        with_pairs = [each for each in self.corpora if each.make == "pairs"]
        if self.pairs is None and with_pairs:
            self.pairs = with_pairs[0].folder

    @property
    def corpus(self) -> CorpusFacts | None:
        """The corpus that is chosen; None for anything else."""
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

    def take_models(self, models: Collection[str]) -> None:
        """Notes which of the chosen models are not among those there are."""
        known = {*READY_MODELS, *models}
        self.missing = tuple(model for model in self.models if model not in known)

    def turn_model(self, name: str, chosen: bool) -> None:
        """Chooses a model, or leaves it out."""
        if chosen and name not in self.models:
            self.models.append(name)
        elif not chosen and name in self.models:
            self.models.remove(name)

    def add_files(self, paths: Sequence[Path]) -> None:
        """Adds files of predictions, each once."""
        self.files = list(dict.fromkeys([*self.files, *paths]))

    @property
    def num_systems(self) -> int:
        """How many systems are compared."""
        return len(self.models) + len(self.files)

    @property
    def _settings(self) -> ScoreSettings | None:
        """The settings; without references only the length of summaries makes groups."""
        if self.settings is None or self.settings.references:
            return self.settings
        by = tuple(each for each in self.settings.by if each == "length")
        return self.settings.model_copy(update={"by": by})

    @property
    def problem(self) -> str:
        """Why it cannot begin now; empty when it can."""
        if self.pairs is None:
            return tr("Choose a corpus, a table of pairs, or documents.")
        if not self.num_systems:
            return tr("Choose at least one model, or add a file of summaries.")
        if gone := [model for model in self.missing if model in self.models]:
            words = tr("“{model}” is not on this computer any more: leave it out.")
            return words.format(model=Path(gone[0]).name)
        if self.settings is None:
            return tr("Correct the marked settings first.")
        if self.splits and self.settings.split not in self.splits:
            words = tr("“{corpus}” has no {split} split; choose {splits}.")
            splits = tr(" or ").join(self.splits)
            return words.format(corpus=self.pairs.name, split=self.settings.split, splits=splits)
        return ""

    @property
    def name(self) -> str:
        """What the comparison is called: the same choices give the same name.

        So a comparison that was cancelled goes on with the summaries that it has.
        """
        base = self.pairs.stem if self.pairs is not None and self.corpus is None else ""
        base = self.corpus.name if self.corpus is not None else base
        chosen = repr((str(self.pairs), self.models, [str(f) for f in self.files], self.settings))
        code = hashlib.sha256(chosen.encode()).hexdigest()[:6]
        return f"{_SIGNS.sub('-', base).strip('-') or 'comparison'}-{code}"

    def job(self, comparisons: Path) -> ScoreJob:
        """What does it.

        Args:
            comparisons: The folder of all comparisons.

        Returns:
            The job; it keeps what it writes, and goes on with that when it is run again.
        """
        settings = self._settings
        assert self.pairs is not None and settings is not None and not self.problem
        out = self._out(comparisons)
        return score_models(self.models, self.pairs, settings, self.files, out, replace=True)

    def command(self, comparisons: Path) -> str:
        """The command that does the same."""
        words = ["epitome", "compare" if self.num_systems > 1 else "evaluate"]
        words += [word for model in self.models for word in ("--model", Path(model).name)]
        words += [word for path in self.files for word in ("--predictions", str(path))]
        if self.pairs is not None:
            words += ["--corpus", self.pairs.name] if self.corpus else ["--pairs", str(self.pairs)]
        words += option_words(self._settings or usual_settings())
        words += ["--out", str(self._out(comparisons))]
        return shell_line([*words, "--force"] if self.folder else words)

    def _out(self, comparisons: Path) -> Path:
        return self.folder or comparisons / self.name


def example_job(comparisons: Path) -> ScoreJob:
    """Compares three ways to pick sentences of the program's own samples.

    Args:
        comparisons: The folder of all comparisons.

    Returns:
        The job.
    """
    settings = usual_settings().model_copy(
        update={"references": False, "limit": None, "length": "120w", "by": ("length",)}
    )
    models = ("built-in", "gap-sentences", "lead")
    return score_models(
        models, resource("samples"), settings, out=comparisons / "example", replace=True
    )
