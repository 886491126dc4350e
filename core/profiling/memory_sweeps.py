"""What memory and time are drawn against, which parts can be switched off, and what fits.

All from settings: nothing is built, and torch is not loaded.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.errors import EpitomeError
from core.models.families import get_family
from core.models.family import SettingsChange as SettingsChange
from core.models.settings import ModelSettings
from core.profiling.crossing import crossing_of
from core.profiling.forecast import Forecast as Forecast
from core.profiling.memory_fields import changed_by
from core.profiling.point_forecast import forecast_point
from core.profiling.settings import ProfileSettings
from core.profiling.sweep import Point, parse_axis, point_at
from core.profiling.sweep import Value as Value
from core.profiling.sweep import is_logarithmic as is_logarithmic
from core.profiling.sweep import is_number as is_number
from core.profiling.sweep import shown as shown

_LARGEST = {"length": 1 << 24, "source_length": 1 << 24, "target_length": 1 << 24, "batch": 1 << 20}
_DEEPEST = 1 << 12  # layers
_STEP = 1.05


@dataclass(frozen=True)
class Machine:
    """What a forecast needs to know of the machine.

    Args:
        cores: Processor cores.
        on_gpu: Whether steps run on a GPU.
        rate: Operations a second of one core; None for the usual.
        limit_bytes: The memory that a step may take; 0 where nobody knows.
    """

    cores: int = 2
    on_gpu: bool = False
    rate: float | None = None
    limit_bytes: int = 0


@dataclass(frozen=True)
class VariedField:
    """A field that memory and time can be drawn against.

    Args:
        name: The field.
        title: As a person reads it.
        values: What is usually tried, as it is typed.
        unit: What its numbers count; for the sentence on what fits.
        can_fit: Whether memory grows with it, so that there is a largest value that fits.
    """

    name: str
    title: str
    values: str
    unit: str = ""
    can_fit: bool = False


_FIELDS = (
    VariedField("length", "Length", "1024..32768x2", "tokens", can_fit=True),
    VariedField("source_length", "Source length", "512..16384x2", "tokens", can_fit=True),
    VariedField("target_length", "Target length", "128..2048x2", "tokens", can_fit=True),
    VariedField("depth", "Depth", "2..12+2", "layers", can_fit=True),
    VariedField("encoder_depth", "Encoder depth", "2..12+2", "encoder layers", can_fit=True),
    VariedField("decoder_depth", "Decoder depth", "2..12+2", "decoder layers", can_fit=True),
    VariedField("width", "Width", "256..1536+256"),
    VariedField("heads", "Heads", "1..16x2"),
    VariedField("rounds", "Rounds", "1,2,4,8"),
    VariedField("bucket_size", "Bucket size", "32..512x2"),
    VariedField("window", "Window", "32..512x2"),
    VariedField("chunk_size", "Chunk size", "32..512x2"),
    VariedField("batch", "Batch size", "1..16x2", "rows", can_fit=True),
    VariedField("ff_chunks", "Feed-forward chunks", "1,2,5,10,20,50"),
    VariedField("precision", "Precision", "fp32,bf16"),
    VariedField("vocabulary_size", "Vocabulary", "1024..65536x4"),
)


def varied_fields(model: ModelSettings) -> tuple[VariedField, ...]:
    """What can be drawn against for a model's family, in the order of the list."""
    known = {*type(model).model_fields, *ProfileSettings.model_fields}
    return tuple(each for each in _FIELDS if each.name in known)


def parts_of(model: ModelSettings, step: ProfileSettings) -> tuple[SettingsChange, ...]:
    """The changes that make a difference to a model: those it has already are left out."""
    parts = get_family(model).switches
    if step.batch > 1:
        parts += (SettingsChange("One row at a time", {"accumulate": step.batch}),)
    found = []
    for part in parts:
        if "kept_mib" in part.values and not getattr(model, "reversible", False):
            continue  # without reversible layers it changes nothing
        try:
            changed = changed_by(model, step, dict(part.values))
        except EpitomeError:
            continue
        if changed != (model, step):
            found.append(part)
    return tuple(found)


def model_words(model: ModelSettings) -> str:
    """What a model is in a few words: "LSH, reversible", "Full attention, stored layers"."""
    words = [_attention(get_family(model).attention_kinds(model)), _layers(model)]
    if (shortening := getattr(model, "shortening", 1)) > 1:
        words.append(f"source shortened by {shortening}")
    told = ", ".join(filter(None, words))
    return told[:1].upper() + told[1:]


def _attention(kinds: tuple[str, ...]) -> str:
    if any(kind.startswith("lsh") for kind in kinds):
        return "LSH"
    names = dict.fromkeys(kinds)
    if list(names) == ["full"]:
        return "full attention"
    if all(kind.startswith("local") or kind == "shifted" for kind in names):
        return "shifted local attention" if "shifted" in names else "local attention"
    return {"light-convolution": "light convolutions"}.get(kinds[0], f"{kinds[0]} attention")


def _layers(model: ModelSettings) -> str:
    if getattr(model, "checkpointing", False):
        return "checkpointing"
    if not hasattr(model, "reversible"):
        return ""
    return "reversible" if model.reversible else "stored layers"


def axis_values(text: str) -> tuple[str, ...]:
    """The values of an axis as they are typed: "1024..8192x2" or "1,2,4".

    Args:
        text: As typed.

    Returns:
        Each value as a text.

    Raises:
        EpitomeError: If it cannot be meant.
    """
    return parse_axis(f"values={''.join(text.split())}").values


def point_for(model: ModelSettings, step: ProfileSettings, name: str, value: str) -> Point:
    """One point of a sweep; fails as `core.profiling.sweep.point_at` does."""
    return point_at(model, step, name, value)


def forecast_of(point: Point, machine: Machine) -> Forecast:
    """Memory by part and time of a point's step on a machine."""
    on_gpu = machine.on_gpu and point.step.device != "cpu"
    return forecast_point(point, cores=machine.cores, on_gpu=on_gpu, rate=machine.rate)


def largest_that_fits(
    model: ModelSettings,
    step: ProfileSettings,
    name: str,
    machine: Machine,
    factor: float = 1.0,
) -> int | None:
    """The largest value of a field with which a step is forecast to fit.

    Args:
        model: The model.
        step: The step.
        name: A field with which memory grows.
        machine: What there is.
        factor: Measured over forecast memory, where that is known.

    Returns:
        The value; 0 where none fits; None where the limit is not known. Nothing is asked of values
        that nobody tries: more than 4,096 layers, or 16 million tokens.
    """
    if not machine.limit_bytes:
        return None

    def fits(value: int) -> bool:
        point = _copied(model, step, name, value)
        return factor * forecast_of(point, machine).peak_bytes <= machine.limit_bytes

    return _largest(fits, _LARGEST.get(name, _DEEPEST))


def _copied(model: ModelSettings, step: ProfileSettings, name: str, value: int) -> Point:
    """A point whose value is not checked: memory is asked for at values between all others."""
    if name in type(model).model_fields:
        model = model.model_copy(update={name: value})
    else:
        step = step.model_copy(update={name: value})
    return Point(model, step, model.row_length, {})


def _largest(fits: Callable[[int], bool], most: int) -> int:
    """The largest number that fits, by doubling and halving; no larger than `most`.

    Memory falls at a few lengths, where activations are no longer stored, so a little more than
    what does not fit may fit again.
    """
    if not fits(1):
        return 0
    high = 2
    while high <= most and fits(high):
        high *= 2
    if high > most:
        return most
    low = _between(fits, high // 2, high)
    again = [value for value in (round(low * _STEP**n) for n in range(1, 16)) if fits(value)]
    return min(_between(fits, again[-1], round(again[-1] * _STEP)) if again else low, most)


def _between(fits: Callable[[int], bool], low: int, high: int) -> int:
    """The largest number below `high` that fits, to half a percent; `low` fits."""
    while high - low > max(1, low // 256):
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def pays_from(
    lengths: Sequence[int], own_s: Sequence[float], full_s: Sequence[float]
) -> float | None:
    """From which length hashing is faster than full attention.

    Args:
        lengths: In tokens, rising.
        own_s: Time of a step with hashing at each.
        full_s: Time of a step with full attention at each.

    Returns:
        The length; the shortest where it always is; None where it is not at the longest.
    """
    ratios = {n: own / full for n, own, full in zip(lengths, own_s, full_s, strict=True) if full}
    return crossing_of(ratios) if ratios else None
