"""What commands that make models have in common: the family, its options, its presets."""

import argparse
from typing import Any

from core.cli.options import WrongUsageError, add_options
from core.models.families import BUILT_FAMILIES, DEFAULT_FAMILY, PRESETS, REGISTRY
from core.settings import Settings, field_names


def add_model_options(parser: argparse.ArgumentParser, *others: type[Settings]) -> None:
    """Adds the family, the preset and the options of all families.

    Args:
        parser: What they are added to.
        *others: Settings whose options are added elsewhere; what they share is not added here.
    """
    families = BUILT_FAMILIES.classes
    parser.add_argument(
        "--preset", choices=list(PRESETS), metavar="|".join(PRESETS),
        help="Preset, which also sets the family; other options override it",
    )  # fmt: skip
    parser.add_argument(
        "--family", metavar="|".join(families), default=argparse.SUPPRESS,
        help=f"Model family (default: {DEFAULT_FAMILY})",
    )  # fmt: skip
    added = {"family"}.union(*(other.model_fields for other in others))
    names = [name for name in field_names(BUILT_FAMILIES) if name not in added]
    owners = sorted(dict.fromkeys(map(BUILT_FAMILIES.owners, names)), key=lambda each: -len(each))
    for whose in owners:
        first, *rest = whose
        title = "any family" if len(whose) == len(families) else f"family {' or '.join(whose)}"
        left_out = {n for n in families[first].model_fields if BUILT_FAMILIES.owners(n) != whose}
        add_options(
            parser.add_argument_group(f"the model, {title}"),
            families[first],
            added | left_out,
            {name: families[name] for name in rest},
        )


def add_folder_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of models that come from a folder."""
    shared = {name for kind in BUILT_FAMILIES.classes.values() for name in kind.model_fields}
    for family in REGISTRY.values():
        if not family.is_built:
            group = parser.add_argument_group("the model, of a Hugging Face folder")
            add_options(group, family.settings, shared | family.settings.hidden_fields)


def preset_of(options: argparse.Namespace) -> dict[str, Any]:
    """The values of the preset that was typed.

    Args:
        options: What was typed.

    Returns:
        The preset's; none if none was typed.

    Raises:
        WrongUsageError: If another family was typed.
    """
    if not options.preset:
        return {}
    preset = PRESETS[options.preset]
    if getattr(options, "family", preset.family) != preset.family:
        raise WrongUsageError(
            f"The preset {options.preset} is one of the family {preset.family}; the family was "
            f"{options.family}.",
            "Leave out --preset or --family.",
        )
    return preset.model_dump()
