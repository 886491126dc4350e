"""The report of a converted model, kept in its folder."""

from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from core.models.hugging_face.conversion import Conversion
from core.numbers import THIN_SPACE, format_count, format_quantity, format_share, format_size
from core.storage.files import write_json
from core.storage.parsing import parse_json
from core.storage.regular_files import read_regular

_FILE = "conversion.json"
_MEBIBYTE = 2**20
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def write_conversion(folder: Path, report: Conversion) -> None:
    """Keeps a report; fails as `core.storage.files.write_json` does."""
    write_json(folder / _FILE, asdict(report))


def read_conversion(folder: Path) -> Conversion | None:
    """The report of a converted model; None where the model was not converted."""
    with suppress(OSError, ValueError, TypeError, KeyError):
        values = parse_json(read_regular(folder / _FILE))
        return Conversion(**{**values, "kept_full": tuple(values["kept_full"])})
    return None


def conversion_lines(report: Conversion) -> list[tuple[str, str]]:
    """Names and values of a report, in words."""
    reads = f"{format_count(report.length_before)} → {format_count(report.length)} tokens"
    same = "the same next token everywhere"
    if report.same_tokens < 1:
        same = f"the same next token at {format_share(report.same_tokens, 1)} of the positions"
    outputs = f"largest difference {_small(report.difference)} nats, {same}"
    rows = [
        ("Made from", report.source),
        ("Reads at once", reads),
        ("Replaced", f"self-attention of {format_quantity(report.layers, 'encoder layer')}"),
        ("Window", f"{format_count(report.window)} tokens"),
        *(_of_pegasus_x(report) if report.global_tokens else _of_led(report)),
        ("Still full", "; ".join(report.kept_full)),
        (f"On {format_quantity(report.compared_tokens, 'token')}", outputs),
    ]
    if report.peak_mib:
        peak = format_size(round(report.peak_mib * _MEBIBYTE))
        rows.append(("Memory", f"{peak} to read one text of this length, beside the weights"))
    return rows


def _small(number: float) -> str:
    """A number far below 1: "4.8 × 10⁻⁶"."""
    digits, _, power = f"{number:.1e}".partition("e")
    raised = str(int(power)).translate(_RAISED)
    return f"{digits}{THIN_SPACE}×{THIN_SPACE}10{raised}" if number else "0"


def _of_led(report: Conversion) -> list[tuple[str, str]]:
    return [
        ("Positions", f"old table repeated {report.copies:.3g} times"),
        ("Global projections", f"{report.global_projections}, copies of query, key and value"),
    ]


def _of_pegasus_x(report: Conversion) -> list[tuple[str, str]]:
    lost = f"biases of attention, the largest {_small(report.lost_bias)}" if report.lost_bias else (
        "biases of attention, all of them 0"
    )  # fmt: skip
    return [
        ("Positions", "computed by the same sinusoids"),
        ("Global tokens", f"{report.global_tokens} new ones, which begin as words"),
        ("Left out", lost),
    ]
