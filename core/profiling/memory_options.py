"""What saves memory in a training step of any family, to be measured side by side."""

from core.models.settings import ModelSettings, PairSettings
from core.profiling.settings import ProfileSettings

OPTION = "option"
"""The name of what differs, beside what is varied."""


def options_of(
    model: ModelSettings, step: ProfileSettings, length: int
) -> list[tuple[str, dict[str, str]]]:
    """The options that change a step, the step itself first and all of them together last.

    Args:
        model: The model.
        step: The step.
        length: Tokens of a row.

    Returns:
        Names, and the fields of the model or of the step that they set, as they are typed. What
        the step has already is left out.
    """
    if isinstance(model, PairSettings):
        truncated = {"source_length": str(model.source_length // 2)}
    else:
        truncated = {"length": str(length // 2)}
    options = {"half the length": truncated}
    if step.precision != "bf16":
        options["bf16"] = {"precision": "bf16"}
    if step.batch > step.accumulate:
        options["accumulation"] = {"accumulate": str(step.batch)}
    if can_checkpoint(model):
        options["checkpointing"] = {"checkpointing": "on"}
    together = {name: value for each in options.values() for name, value in each.items()}
    return [("none", {}), *options.items(), ("all", together)]


def can_checkpoint(model: ModelSettings) -> bool:
    """Whether recomputing layers saves memory; reversible ones store nothing as it is."""
    is_off = getattr(model, "checkpointing", None) is False
    return is_off and not getattr(model, "reversible", False)
