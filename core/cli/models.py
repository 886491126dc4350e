"""What commands that make models have in common: the family, its options, its presets."""

import argparse
from typing import Any, get_args

from core.cli.options import WrongUsageError, add_options
from core.models.reformer.settings import PRESETS, PresetName
from core.models.settings import BUILT_FAMILIES, DEFAULT_FAMILY
from core.settings import Settings


def add_model_options(parser: argparse.ArgumentParser, *others: type[Settings]) -> None:
    """Adds the family, the preset and the options of all families.

    Args:
        parser: What they are added to.
        *others: Settings whose options are added elsewhere; what they share is not added here.
    """
    presets, families = get_args(PresetName), list(BUILT_FAMILIES.classes)
    parser.add_argument(
        "--preset", choices=presets, metavar="|".join(presets),
        help="Preset of the family reformer; other options override it",
    )  # fmt: skip
    parser.add_argument(
        "--family", metavar="|".join(families), default=argparse.SUPPRESS,
        help=f"Model family (default: {DEFAULT_FAMILY})",
    )  # fmt: skip
    classes = list(BUILT_FAMILIES.classes.items())
    added = {"family"}.union(*(other.model_fields for other in others))
    shared = set.intersection(*(set(each.model_fields) for _, each in classes))
    group = parser.add_argument_group("the model, any family")
    first = classes[0][1]
    add_options(group, first, added | (first.model_fields.keys() - shared), dict(classes[1:]))
    for name, each in classes:
        group = parser.add_argument_group(f"the model, family {name}")
        add_options(group, each, added | shared)


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
