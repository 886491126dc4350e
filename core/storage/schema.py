"""Versions of the files that hold settings, and the steps that lead from each to the next.

To change what a file means, append a function to `MIGRATIONS`. It knows the names of that time as
plain strings: settings classes change, a migration never does.

Versions of the program may be used side by side, so an older one leaves a file alone that names a
newer schema (`core.errors.check_not_newer`). Every file of the home that a program rewrites names
its version first, under `KEY` where the file has no other name for it; raise the version whenever
an older program would misread the file or lose something by writing it.
"""

from collections.abc import Callable
from typing import Any

Values = dict[str, Any]
Migration = Callable[[Values], Values]
KEY = "schema_version"


def migrated(file: Values) -> Values:
    """What a file of settings, or a job file, means today.

    Args:
        file: All values of the file, tables as dictionaries. It is not changed. A file that names
            no version is taken to be of today's.

    Returns:
        The values of the current version, without their version number.

    Raises:
        ValueError: If the version is unknown; says which are known, as the end of a sentence.
    """
    version = file.get(KEY, SCHEMA_VERSION)
    if type(version) is not int or not 1 <= version <= SCHEMA_VERSION:
        raise ValueError(
            f"has schema version {version}; this program reads versions 1 to {SCHEMA_VERSION}"
        )
    values = {name: value for name, value in file.items() if name != KEY}
    for migrate in MIGRATIONS[version - 1 :]:
        values = migrate(values)
    return values


def _say_that_nothing_is_clipped(file: Values) -> Values:
    """Version 1 had no word for "none" and left such a setting out of the files it wrote.

    Only `clip` had another default. A file written by hand that leaves it out means that default;
    one written by the program, which has every other setting, means that nothing is clipped.
    """
    train = file.get("train")
    if not isinstance(train, dict) or "clip" in train or not train.keys() >= _ALWAYS_WRITTEN:
        return file
    return file | {"train": train | {"clip": "none"}}


_ALWAYS_WRITTEN = frozenset(
    "batch precision learning_rate smoothing device objective steps accumulate too_long padding "
    "optimizer weight_decay schedule warm_up validate_every validate_rows rouge_rows samples "
    "best_by keep spike most_skipped deterministic seed".split()
)


def _drop_engine_of_corpora(file: Values) -> Values:
    """Version 2 chose between this program's processes and Ray, which prepared the same corpus."""
    work = file.get("work")
    if file.get("command") != "corpus" or not isinstance(work, dict):
        return file
    return file | {"work": {name: value for name, value in work.items() if name != "engine"}}


MIGRATIONS: tuple[Migration, ...] = (_say_that_nothing_is_clipped, _drop_engine_of_corpora)
"""`MIGRATIONS[n - 1]` gives all values of a file of version n as version n + 1 has them."""

SCHEMA_VERSION = len(MIGRATIONS) + 1
"""The version that this program writes."""


def number_of(schema: object, name: str) -> int | None:
    """The version in a schema's name: 2 for "epitome.comparison/2".

    Args:
        schema: What a file says.
        name: The schema without its version, such as "epitome.comparison".

    Returns:
        The version; None where it is another schema, or none.
    """
    head, _, number = schema.partition("/") if isinstance(schema, str) else ("", "", "")
    return int(number) if head == name and number.isdecimal() and len(number) < 10 else None
