"""What was measured, as a person and as a spreadsheet read it."""

import csv
import io

from core.profiling.table import Table, to_csv
from tests.helpers.measurements import FAILURE, MEASURED, done, failed, sweep


def test_the_table_has_its_columns_under_their_names() -> None:
    points = sweep("length=1024,24576", "reversible=on,off")
    table = Table(points)
    head, first = table.lines(done(points[0]))
    (second,) = table.lines(done(points[3], step_s=12.3, matmul_flops=2_460_000_000_000))
    assert head.split() == (
        "length reversible step s first s tokens/s peak MiB work MiB GFLOP of rate".split()
    )
    assert cells(first) == "1\u202f024 on 0.5000 2.00 8\u202f192 100 60 1.0 50%".split(" ")
    assert cells(second) == "24\u202f576 off 12.30 2.00 333 100 60 2\u202f460.0 5000%".split(" ")
    assert len(head) == len(first) == len(second)


def cells(line: str) -> list[str]:
    """The cells of a line; a thin space inside a number parts none."""
    return [cell for cell in line.split(" ") if cell]


def test_a_gpu_has_three_memories() -> None:
    (point,) = sweep()
    memory = {"allocated_bytes": 70 * 2**20, "reserved_bytes": 90 * 2**20}
    memory["driver_bytes"] = 110 * 2**20
    head, row = Table((point,)).lines(done(point, **memory))
    assert head.split()[5:] == "peak MiB allocated reserved driver work MiB GFLOP of rate".split()
    assert cells(row)[3:8] == ["100", "70", "90", "110", "30"]


def test_a_point_that_failed_says_why_and_the_next_goes_on() -> None:
    points = sweep("depth=1,2")
    table = Table(points)
    _, first = table.lines(failed(points[0]))
    assert first.split(maxsplit=1) == ["1", FAILURE]
    assert len(list(table.lines(done(points[1])))) == 1


def test_a_spreadsheet_reads_back_every_number() -> None:
    points = sweep("attention=full,lsh+local", "length=512,1024", "ff_chunks=none,2")
    rows = list(csv.DictReader(io.StringIO(to_csv(
        points, [done(points[0]), failed(points[7])]
    ).decode())))  # fmt: skip
    first, last = rows
    assert (first["attention"], first["length"], first["ff_chunks"]) == ("full", "512", "none")
    assert (last["attention"], last["length"], last["ff_chunks"]) == ("lsh+local", "1024", "2")
    assert float(first["step_s"]) == MEASURED.step_s
    assert [float(t) for t in first["step_times_s"].split()] == list(MEASURED.step_times_s)
    assert int(first["working_bytes"]) == MEASURED.peak_bytes - MEASURED.state_bytes
    assert float(first["fraction_of_rate"]) == 0.5
    assert (first["allocated_bytes"], first["failure"]) == ("", "")
    assert (last["step_s"], last["failure"]) == ("", FAILURE)


def test_an_empty_sweep_is_a_header() -> None:
    head = to_csv(sweep("depth=1,2"), ()).decode()
    assert head.startswith("depth,length,device,threads,") and head.endswith(",failure\n")
    assert head.count("\n") == 1
