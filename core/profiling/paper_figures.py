"""The memory and time figures of the papers: what they vary, and what the papers say of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from core.models.settings import ModelSettings
from core.numbers import format_count
from core.profiling.memory_fields import ProfileSettings, changed_by, preset_model

Told = Literal["at", "fits", "growth", "speed-up", "memory-ratio", "time-ratio"]


@dataclass(frozen=True)
class PaperNumber:
    """A number that a paper gives, and how ours is found.

    Args:
        what: What it is of, a few words.
        paper: What the paper says.
        kind: "at": memory at a value; "fits": the largest value that fits; "growth": memory at the
            last value over that at the first; "speed-up": time of the first variant over that of
            this one; "memory-ratio", "time-ratio": of this variant over the last one.
        variant: Which of the figure's variants, from 0.
        value: At which value, as it is typed; empty for the last.
    """

    what: str
    paper: str
    kind: Told
    variant: int = 0
    value: str = ""


@dataclass(frozen=True)
class PaperFigure:
    """A figure or table of a paper.

    Args:
        title: As a person reads it.
        preset: Where the model begins.
        values: The fields in which it differs from the preset.
        axis: The field that is varied.
        tried: Its values, as they are typed.
        variants: The fields in which each variant differs; one that differs in none if empty.
        numbers: What the paper says.
    """

    title: str
    preset: str
    values: Mapping[str, Any]
    axis: str
    tried: str
    variants: tuple[Mapping[str, Any], ...] = ({},)
    numbers: tuple[PaperNumber, ...] = ()
    step: Mapping[str, Any] = field(default_factory=lambda: {"steps": 1, "warm_up": 1})

    @property
    def base(self) -> tuple[ModelSettings, ProfileSettings]:
        """The model and its step."""
        step = ProfileSettings.model_validate(dict(self.step))
        return changed_by(preset_model(self.preset), step, dict(self.values))

    @property
    def models(self) -> tuple[tuple[ModelSettings, ProfileSettings], ...]:
        """Those of each variant."""
        model, step = self.base
        return tuple(changed_by(model, step, dict(changes)) for changes in self.variants)


_OWN = {"kept_mib": 0}
_DEPTHS, _LENGTHS = "2..12+2", "2048,4096,8192,12288,16384,20480,24576,40960,81920"
_DEEP = {**_OWN, "depth": 16}
_FULL: Mapping[str, Any] = {"attention": ("full",)}
_STORED: Mapping[str, Any] = {"reversible": False}
_ONE = "Pre-training Reformer language models"


def _one(number: int, what: str, axis: str, tried: str, *numbers: PaperNumber, **more: Any
         ) -> PaperFigure:  # fmt: skip
    values = more.pop("values", _OWN)
    return PaperFigure(f"Figure {number}: {what}", "paper", values, axis, tried,
                       numbers=numbers, **more)  # fmt: skip


def _kind(what: str, paper: str, at: int) -> PaperNumber:
    return PaperNumber(what, paper, "speed-up", at, "400")


FIGURES: dict[str, tuple[PaperFigure, ...]] = {
    _ONE: (
        _one(
            6, "width", "width", "512..1536+256",
            PaperNumber("Peak at width 1 536", "under 6 GiB", "at", value="1536"),
        ),
        _one(
            7, "depth", "depth", _DEPTHS,
            PaperNumber("Memory at depth 12 over depth 2", "about 1", "growth"),
        ),
        _one(
            8, "hash rounds", "rounds", "1,2,4,8",
            PaperNumber("Peak with 8 rounds", "over 6 GiB", "at", value="8"),
        ),
        _one(9, "heads", "heads", "1..16x2"),
        _one(
            10, "bucket size", "bucket_size", "64..512x2",
            PaperNumber("Peak with buckets of 512", "over 10 GiB", "at", value="512"),
        ),
        _one(11, "batch size", "batch", "1..8x2"),
        _one(
            12, "feed-forward chunks", "ff_chunks", "1,2,5,10,20,50",
            PaperNumber("Memory with 50 chunks over 1", "about 1", "growth"),
            values=_DEEP,
        ),
        _one(
            13, "LSH and full attention, by length", "length", _LENGTHS,
            PaperNumber("Longest with LSH", f"{format_count(81_920)} tokens", "fits", 0),
            PaperNumber("Longest with full attention", f"{format_count(8_192)} tokens", "fits", 1),
            variants=({}, _FULL),
            values=_DEEP,
        ),
        _one(
            14, "reversible layers, by depth", "depth", _DEPTHS,
            PaperNumber("Depth 12 over 2, reversible", "about 1", "growth", 0),
            PaperNumber("Depth 12 over 2, stored layers", "grows with depth", "growth", 1),
            variants=({}, _STORED),
        ),
        _one(
            15, "reversible layers, by length", "length", _LENGTHS,
            PaperNumber("Longest with stored layers", f"{format_count(20_480)} tokens", "fits", 1),
            variants=({}, _STORED),
        ),
    ),
    "Faster Transformers for text summarization": (
        PaperFigure(
            "Speed of encoder attention", "paper-2", {}, "source_length", "400,800,1200,1600,2000",
            (
                {},
                {"shortening": 4},
                {"encoder_attention": ("light-convolution",)},
                {"encoder_attention": ("local",)},
                {"encoder_attention": ("local", "shifted")},
                {"encoder_attention": ("memory-compressed",)},
            ),
            (
                _kind("Source shortened, faster by", "1.62", 1),
                _kind("Light convolutions", "1.08", 2),
                _kind("Local attention", "1.13", 3),
                _kind("Shifted local attention", "1.13", 4),
                _kind("Memory-compressed attention", "1.01", 5),
            ),
            {"steps": 3, "warm_up": 1},
        ),
    ),
    "Document summarization with Longformer (tutorial)": (
        PaperFigure(
            "Checkpointing", "paper-2",
            {"encoder_attention": ("local",), "encoder_depth": 6, "decoder_depth": 6,
             "chunk_size": 256},
            "source_length", "1024..8192x2",
            ({}, {"checkpointing": True}),
            (
                PaperNumber("Memory without checkpointing over with", "2.3", "memory-ratio", 0),
                PaperNumber("Time with checkpointing over without", "1.24", "time-ratio", 1),
            ),
        ),
    ),
}  # fmt: skip
"""By paper. Where it says no number, the curve is drawn alone."""
