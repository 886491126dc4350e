"""A new job while it is set up: what is chosen, what follows, what is missing; without Qt."""

import re
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from core.data.corpus_facts import CorpusFacts
from core.decoding.settings import DecodingSettings
from core.errors import EpitomeError
from core.jobs.training.job_grid import grid_of
from core.jobs.training.job_presets import BUILT_IN, JobPreset
from core.models.settings import ModelSettings
from core.numbers import format_quantity
from core.profiling.machine_refusals import refusals
from core.profiling.suggestion_reasons import reasons
from core.profiling.training_suggestions import Machine, fits_machine, suggest
from core.settings import Settings
from core.training.plan import RunPlan
from core.training.settings import Objective, RunSettings, TrainSettings
from core.training.train_command import Option, train_options
from core.training.training_fields import flat_of, plan_of_flat
from gui.control_words import explain
from gui.forms.given_row import Given
from gui.forms.state import FormState

OBJECTIVE_OF: Final[Mapping[str, Objective]] = {
    "gsg": "gsg",
    "pairs": "summary",
    "text": "language-model",
}
_SHORT: Final[Mapping[str, str]] = {"gsg": "gsg", "summary": "pairs", "language-model": "lm"}
_OF_EVERY_MODEL: Final = frozenset(TrainSettings.model_fields) | frozenset(
    DecodingSettings.model_fields
)
"""Fields that mean the same for every kind of model: what was set there stays with another one."""
_COPIED: Final = "copied"
_MODEL_ONLY: Final = frozenset({"vocabulary_size"})
_SIGNS = re.compile(r"[^\w.-]+")

GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "Attention": (
        "attention", "rounds", "bucket_size", "buckets", "rotations", "encoder_attention", "window",
        "decoder_attention", "chunk_size", "kernel_size", "compression", "shortening",
    ),
    "Network": (
        "width", "depth", "encoder_depth", "decoder_depth", "heads", "head_width",
        "feed_forward_width", "norm", "vocabulary_size", "positions", "axial_rows",
        "source_embeddings", "shared_layers", "shared_embeddings", "tied_embeddings", "smear",
        "pointer", "dropout",
    ),
    "Documents": ("too_long", "padding", "domain_adaptive"),
    "Optimiser": (
        "optimizer", "adam_beta2", "adam_epsilon", "schedule", "warm_up", "clip", "weight_decay",
        "smoothing", "freeze",
    ),
    "Validation and samples": (
        "validate_rows", "rouge_rows", "samples", "best_by", "patience", "checkpoint_every", "keep",
        "max_length", "min_length", "beams", "block_repeats", "length_penalty", "end_of_search",
    ),
    "Precision and memory": (
        "precision", "accumulate", "reversible", "checkpointing", "kept_mib", "ff_chunks",
        "loss_chunks", "device", "threads", "deterministic", "lora_rank", "lora_alpha",
        "lora_targets",
    ),
}  # fmt: skip
BASIC: Final = (
    "length", "source_length", "target_length", "batch", "steps", "learning_rate", "validate_every",
)  # fmt: skip


class Draft:
    """What stands on the page of a new job.

    What is chosen for the person follows the corpus and the machine as long as they have not
    chosen themselves; the preset of the form is the preset's plan with what follows from these.
    """

    def __init__(self, machine: Machine | None = None) -> None:
        self.machine = machine or Machine()
        self.objective: Objective = "gsg"
        self.corpus: CorpusFacts | None = None
        self.missing_corpus = ""
        """Name of the corpus of a copied or kept job that is not there; no other one is taken."""
        self.start_from: Path | None = None
        self.origin: RunPlan | ModelSettings | None = None
        self.tokenizer = ""
        """That of a copied job; empty for the corpus's own, or that of what it starts from."""
        self.preset: JobPreset = BUILT_IN[0]
        self.name = ""
        self.several = ""
        """Fields with several values each, as `core.jobs.training.job_grid` reads them."""
        self._has_chosen: set[str] = set()
        self._waiting: Mapping[str, Any] = {}
        """Fields of a kept draft until what it starts from is read, which may have more fields."""
        self.form: FormState[Any] = self._new_form()

    # What is chosen

    def choose_objective(self, objective: Objective) -> None:
        """What is to be learnt."""
        self.objective = objective
        self._has_chosen.add("objective")
        if not self.preset.fits(objective):
            self.preset = BUILT_IN[0]
        self.follow()

    def choose_corpus(self, corpus: CorpusFacts, *, by_person: bool = True) -> None:
        """What it learns from."""
        self.corpus, self.tokenizer = corpus, ""
        if by_person:
            self.missing_corpus = ""
            self._has_chosen.add("corpus")
        if "objective" not in self._has_chosen:
            self.objective = OBJECTIVE_OF.get(corpus.make, "gsg")
        self.follow()

    def choose_start(self, folder: Path | None, origin: RunPlan | ModelSettings | None) -> None:
        """What it starts from: a run with its plan, a model with its settings, or nothing."""
        self.start_from, self.origin, self.tokenizer = folder, origin, ""
        self._has_chosen.add("start")
        self.follow()
        self._waiting = {}

    def choose_preset(self, preset: JobPreset) -> None:
        """The settings to begin with; fields that were changed stay so."""
        self.preset = preset
        self._has_chosen.add("preset")
        self.follow()

    def take_machine(self, machine: Machine) -> None:
        """What the machine has."""
        self.machine = machine
        if machine.gpu and "preset" not in self._has_chosen:
            self._choose_for_gpu()
        self.follow()

    def _choose_for_gpu(self) -> None:
        """The largest of the usual presets that fits; the smallest where none does."""
        by_name = {each.name: each for each in BUILT_IN}
        for name in ("large", "small", "quick"):
            self.preset = by_name[name]
            if fits_machine(self._plan_of(self._preset_fields()), self.machine):
                return

    def take_plan(self, plan: RunPlan, corpus: CorpusFacts | None) -> None:
        """Begins with the settings of another run, or of a file."""
        self.objective = plan.train.objective
        self._has_chosen |= {"objective", "preset", "corpus", "start"}
        self.corpus = corpus
        self.missing_corpus = "" if corpus is not None else Path(plan.run.corpus).name
        self.start_from = Path(plan.run.start_from) if plan.run.start_from else None
        self.origin = plan.model if plan.run.start_from else None
        self.tokenizer = plan.run.tokenizer if corpus is not None else ""
        self.preset, self._waiting = _copied(plan), {}
        self.form = self._new_form()

    def follow(self) -> None:
        """Lets the form's preset follow from what is chosen."""
        preset = self._preset_fields()
        if type(preset) is self._class and self._left_out() == self._hidden:
            self.form.set_preset(preset)
            return
        is_same = type(preset) is self._class
        typed = {
            name: self.form.raw(name)
            for name in self.form.changed
            if is_same or name in _OF_EVERY_MODEL
        }
        self.form = self._new_form()
        self._fill({**self._waiting, **typed})

    def _fill(self, typed: Mapping[str, Any]) -> None:
        """Puts what was typed into the fields that are there."""
        shown = {field.name for field in self.form.fields}
        for name, raw in typed.items():
            value = tuple(raw) if isinstance(raw, list) else raw
            if name in shown and self.form.can_hold(name, value):
                self.form.put(name, value)

    # What follows

    @property
    def origin_model(self) -> ModelSettings | None:
        """The model of what it starts from."""
        return self.origin.model if isinstance(self.origin, RunPlan) else self.origin

    def _preset_fields(self) -> Settings:
        plan = self.preset.plan
        if self.origin_model is not None:
            plan = replace(plan, model=self.origin_model)
        fields = flat_of(plan)
        if self.preset.own:
            return fields
        return suggest(fields, self.objective, self.corpus, self.machine, self.origin_model)

    def _left_out(self) -> frozenset[str]:
        """Fields that are not shown: those of a model that is given."""
        model = self.origin_model
        if model is None:
            return frozenset()
        return frozenset(type(model).model_fields) - model.free_fields

    def _new_form(self) -> FormState[Any]:
        preset = self._preset_fields()
        self._class, self._hidden = type(preset), self._left_out()
        return FormState(
            type(preset),
            preset,
            left_out=self._hidden,
            refused=lambda fields: refusals(fields, self.machine),
            several="One value here. Write {0} under “Several values”.",
        )

    @property
    def given(self) -> tuple[Given, ...]:
        """The lengths of a model that is given, and what becomes of longer documents."""
        told = self.reasons
        return tuple(
            Given(
                self.form.field(name).title,
                format_quantity(int(self.form.value(name)), "token"),
                " ".join(filter(None, ("Of the model.", told.get(name, "")))),
            )
            for name in ("length", "source_length", "target_length")
            if name in self._hidden
        )

    @property
    def presets(self) -> tuple[JobPreset, ...]:
        """The program's presets that fit."""
        return tuple(each for each in BUILT_IN if each.fits(self.objective))

    @property
    def values(self) -> dict[str, Any] | None:
        """The fields as they stand; None while anything is wrong."""
        settings = self.form.settings
        return None if settings is None else settings.model_dump()

    @property
    def reasons(self) -> dict[str, str]:
        """What some values mean, by field."""
        values = self.values
        if values is None:
            return {}
        return reasons(values, self.objective, self.corpus, self.machine, self.origin_model)

    @property
    def plan(self) -> RunPlan | None:
        """The job; None while something is missing or wrong."""
        settings = self.form.settings
        return None if settings is None else self._plan_of(settings)

    def _plan_of(self, settings: Settings) -> RunPlan:
        run = RunSettings(
            corpus=self._corpus_word,
            tokenizer=self.tokenizer,
            start_from=str(self.start_from or ""),
        )
        return plan_of_flat(settings, run, self.objective, self.origin_model)

    @property
    def jobs(self) -> tuple[tuple[str, RunPlan], ...]:
        """Names and plans of all jobs that are to be queued: one, or those of a grid.

        Raises:
            EpitomeError: If the several values cannot be meant.
        """
        settings = self.form.settings
        if settings is None:
            return ()
        made = grid_of(settings, self.several)
        return tuple(
            ("-".join(filter(None, (self.name, job.suffix))), self._plan_of(job.fields))
            for job in made
        )

    @property
    def _corpus_word(self) -> str:
        return str(self.corpus.folder) if self.corpus else ""

    @property
    def missing(self) -> str:
        """What keeps the job from starting, a sentence; empty when nothing does."""
        if self.corpus is None:
            return "Choose a corpus first."
        if why := self.refusal(self.corpus):
            return f"{self.corpus.name}{why.removeprefix('It')}"
        if self.form.settings is None:
            count = len(self.form.problems)
            return f"{count} value{'s are' if count > 1 else ' is'} not allowed yet."
        return self.several_problem

    @property
    def several_problem(self) -> str:
        """What is wrong with the several values; empty where nothing is, or nobody can say."""
        if self.form.settings is None:
            return ""
        try:
            grid_of(self.form.settings, self.several)
        except EpitomeError as error:
            return explain(error)
        return ""

    def refusal(self, corpus: CorpusFacts) -> str:
        """Why a corpus does not fit what is to be learnt; empty where it does.

        As long as the person has not said what is to be learnt, that follows from the corpus.
        """
        if "objective" not in self._has_chosen and corpus is not self.corpus:
            return ""
        made = {"gsg": "has gap sentences", "pairs": "has pairs", "text": "has plain documents"}
        needed = {"gsg": "gap sentences", "summary": "pairs of document and summary"}
        wanted = {"gsg": "gsg", "summary": "pairs"}.get(self.objective, corpus.make)
        if corpus.make == wanted:
            return ""
        return f"It {made.get(corpus.make, 'differs')}; {needed[self.objective]} are needed."

    # Kept and taken up again

    def kept(self) -> dict[str, Any]:
        """What is to be found again at the next start: what was chosen, and what was typed."""
        return {
            "objective": self.objective,
            "corpus": self._corpus_word,
            "start_from": str(self.start_from or ""),
            "tokenizer": self.tokenizer,
            "preset": self.preset.name,
            "plan": self.preset.plan.to_json() if self.preset.name == _COPIED else "",
            "name": self.name,
            "several": self.several,
            "chosen": sorted(self._has_chosen),
            "fields": {name: self.form.raw(name) for name in self.form.changed},
        }

    def take_up(
        self, kept: Mapping[str, Any], corpora: Collection[CorpusFacts],
        presets: Collection[JobPreset],
    ) -> None:  # fmt: skip
        """Takes up what `kept` gave, as far as it is still there; what it starts from is not."""
        self._has_chosen = set(map(str, kept.get("chosen", ())))
        objective = kept.get("objective")
        known = (each for each in OBJECTIVE_OF.values() if each == objective)
        self.objective = next(known, self.objective)
        folder = str(kept.get("corpus", ""))
        if folder:
            self.corpus = next((each for each in corpora if str(each.folder) == folder), None)
            self.missing_corpus = "" if self.corpus else Path(folder).name
        self.tokenizer, self.several = str(kept.get("tokenizer", "")), str(kept.get("several", ""))
        name = kept.get("preset")
        self.preset = next((each for each in presets if each.name == name), self.preset)
        if plan := kept.get("plan"):
            with suppress(EpitomeError, ValueError, KeyError, TypeError):  # of another program
                self.preset = _copied(RunPlan.of_json(str(plan)))
        self.follow()
        typed = dict(kept.get("fields", {}))
        self._fill(typed)
        self._waiting = typed if kept.get("start_from") else {}

    def suggested_name(self, taken: Collection[str]) -> str:
        """A name of what makes the job: "reports-gsg-quick", numbered where it is taken."""
        short, corpus = _SHORT[self.objective], self.corpus.name if self.corpus else "run"
        parts = [corpus.removesuffix(f"-{short}"), short]
        parts.append(self.start_from.name if self.start_from else self.preset.title.split(",")[0])
        name = _SIGNS.sub("-", "-".join(parts)).strip("-.").lower()
        number, made = 1, name
        while made in taken:
            number += 1
            made = f"{name}-{number}"
        return made

    def options(self, corpora: Path, runs: Path) -> list[Option] | None:
        """The options of the command that does the same; places by their names where they can.

        None while a value is wrong: there is no command of it. Of several jobs it is the first's.
        """
        if self.form.settings is None or self.several_problem:
            return None
        name, plan = self.jobs[0]
        run = plan.run.model_copy(
            update={
                "corpus": _short(plan.run.corpus, corpora),
                "start_from": _short(plan.run.start_from, runs),
            }
        )
        return train_options(replace(plan, run=run), name)


def _copied(plan: RunPlan) -> JobPreset:
    """The settings of another run, or of a file, to begin with."""
    return JobPreset(_COPIED, "As copied", replace(plan, run=RunSettings()), own=True)


def _short(path: str, under: Path) -> str:
    """The name of a folder under another one; the path of any other."""
    return Path(path).name if path and Path(path).parent == under else path
