"""Small files of documents and references, in every format that is read."""

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

Row = dict[str, Any]

DOCUMENT = (
    "The separator of the cell is cast directly onto the cathode. Lithium metal reduces sulphide "
    "electrolytes when the two are in contact.\n\nA layer of lithium nitride between the two stops "
    "this reaction. The layer is grown by exposing the foil to dry nitrogen. Below thirty "
    "nanometres the layer is not continuous."
)
OTHER = (
    "The pump runs while the valve is open. The valve opens when the pressure falls below three "
    "bar. A second valve opens at two bar, and a lamp is lit.\n\nThe lamp goes out when the "
    "pressure is above three bar again. The pump is lubricated once a year."
)
ROWS: list[Row] = [
    {"id": "cell", "document": DOCUMENT, "summary": "A layer of lithium nitride stops it."},
    {"id": "pump", "document": OTHER, "summary": "Valves open when the pressure falls.\nA lamp."},
    {"id": "both", "document": f"{OTHER}\n\n{DOCUMENT}", "summary": "A pump, and a cell."},
]


def write_rows(path: Path, rows: Sequence[Row]) -> Path:
    """Writes rows in the format that the file's name says, and gives the file back."""
    if path.suffix == ".parquet":
        import pyarrow as pa
        from pyarrow.parquet import write_table

        write_table(pa.Table.from_pylist(list(rows)), path)
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    else:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, rows[0], delimiter="\t" if path.suffix == ".tsv" else ",")
            writer.writeheader()
            writer.writerows(rows)
    return path
