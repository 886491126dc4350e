"""Predictions that are read, and predictions that grow row by row whatever happens."""

import json
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import EpitomeError
from core.evaluation.pairs import Pairs, read_pairs
from core.evaluation.predictions import FILE_NAME, read_predictions, write_predictions
from core.evaluation.settings import ScoreSettings
from core.events import result_of
from core.stop import Stopping, StopToken
from core.storage.files import FileLock
from tests.helpers.pair_files import ROWS, write_rows

DOCUMENTS = ("first\ud800 text", "second — “text”", "third\ntext", "")
UPPER = tuple(document.upper() for document in DOCUMENTS)


@dataclass
class Shouting:
    """Writes documents in capitals, and remembers which it was asked for."""

    description: str = "shouting"
    asked: list[str] = field(default_factory=list)

    def summaries(self, documents: Iterable[str]) -> Iterator[str]:
        for document in documents:
            self.asked.append(document)
            yield document.upper()


def write(
    folder: Path | None, predictor: Shouting, documents: tuple[str, ...] = DOCUMENTS
) -> tuple[str, ...]:
    return result_of(write_predictions(predictor, documents, folder, StopToken()))


def test_predictions_are_those_of_the_writer_with_a_folder_and_without(tmp_path: Path) -> None:
    assert write(None, Shouting()) == UPPER
    assert write(tmp_path / "new" / "folder", Shouting()) == UPPER
    rows = (tmp_path / "new" / "folder" / FILE_NAME).read_text("utf-8").splitlines()
    assert [json.loads(row)["prediction"] for row in rows] == list(UPPER)


@given(st.data())
def test_torn_at_any_byte_the_file_is_gone_on_with(data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / FILE_NAME
        write(Path(name), Shouting())
        whole = file.read_bytes()
        torn = whole[: data.draw(st.integers(0, len(whole)), "bytes left")]
        file.write_bytes(torn)
        predictor = Shouting()
        assert write(Path(name), predictor) == UPPER
        assert predictor.asked == list(DOCUMENTS[torn.count(b"\n") :])
        assert file.read_bytes() == whole


def test_stopped_in_the_midst_what_was_written_is_kept(tmp_path: Path) -> None:
    stop, predictor = StopToken(), Shouting()
    steps = write_predictions(predictor, DOCUMENTS, tmp_path, stop)
    for progress in steps:
        if progress.done == 2:
            stop.request("stop")
            break
    with pytest.raises(Stopping):
        next(steps)
    assert write(tmp_path, predictor) == UPPER
    assert predictor.asked == list(DOCUMENTS)  # none of them twice


def test_fewer_documents_take_the_first_and_leave_the_others(tmp_path: Path) -> None:
    write(tmp_path, Shouting())
    before = (tmp_path / FILE_NAME).read_bytes()
    predictor = Shouting()
    assert write(tmp_path, predictor, DOCUMENTS[:2]) == UPPER[:2]
    assert (predictor.asked, (tmp_path / FILE_NAME).read_bytes()) == ([], before)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("shouting", "whispering", "written by “whispering”, not by “shouting”"),
        ('"number": 1', '"number": 7', "damaged in row 2"),
        ("prediction", "forecast", "damaged in row 1"),
    ],
)
def test_what_others_wrote_is_not_gone_on_with(
    tmp_path: Path, old: str, new: str, told: str
) -> None:
    write(tmp_path, Shouting())
    file = tmp_path / FILE_NAME
    file.write_text(file.read_text("utf-8").replace(old, new), "utf-8")
    with pytest.raises(EpitomeError) as caught:
        write(tmp_path, Shouting())
    assert f"are {told}. Name another folder, or delete them." in str(caught.value)


def test_predictions_of_other_documents_are_not_gone_on_with(tmp_path: Path) -> None:
    write(tmp_path, Shouting())
    with pytest.raises(EpitomeError, match=r"are of other documents, from row 2 on\."):
        write(tmp_path, Shouting(), (DOCUMENTS[0], "another", "third"))


def test_two_processes_do_not_write_into_one_folder(tmp_path: Path) -> None:
    lock = FileLock(tmp_path / f".{FILE_NAME}.lock")
    assert lock.acquire()
    try:
        with pytest.raises(EpitomeError, match="Another process is writing predictions into"):
            write(tmp_path, Shouting())
    finally:
        lock.release()
    assert write(tmp_path, Shouting()) == UPPER


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder", "utf-8")
    with pytest.raises(EpitomeError, match=r"Predictions cannot be kept in .*file"):
        write(tmp_path / "file", Shouting())


# --- ready ones ---


@pytest.fixture
def pairs(tmp_path: Path) -> Pairs:
    return read_pairs(write_rows(tmp_path / "pairs.jsonl", ROWS), ScoreSettings())


def test_ready_predictions_are_read_in_order(tmp_path: Path, pairs: Pairs) -> None:
    rows = [{"number": n, "generated": f"text {n}"} for n in range(3)]
    path = write_rows(tmp_path / "ready.csv", rows)
    wished = ("text 0", "text 1", "text 2")
    told = "Guessed: the predictions of “ready.csv” are in “generated”."
    assert read_predictions(path, "", pairs) == (wished, told)
    assert read_predictions(path, "generated", pairs) == (wished, "")
    assert read_predictions(path, "number", pairs)[0] == ("0", "1", "2")


def test_what_was_written_can_be_read_as_ready(tmp_path: Path, pairs: Pairs) -> None:
    documents = pairs.documents or ()
    written = write(tmp_path, Shouting(), documents)
    assert read_predictions(tmp_path / FILE_NAME, "", pairs)[0] == written
    write(tmp_path / "other", Shouting(), documents[::-1])
    with pytest.raises(EpitomeError, match=r"Row 1 of “predictions.jsonl” is the summary of ano"):
        read_predictions(tmp_path / "other" / FILE_NAME, "", pairs)


def test_more_predictions_than_documents_that_were_taken_are_the_first(
    tmp_path: Path, pairs: Pairs
) -> None:
    first = read_pairs(pairs.path, ScoreSettings(limit=2))
    path = write_rows(tmp_path / "ready.jsonl", [{"output": str(n)} for n in range(3)])
    assert read_predictions(path, "", first)[0] == ("0", "1")


def test_predictions_are_not_guessed_to_be_of_the_readable_files(tmp_path: Path) -> None:
    documents = ("first", "third")
    gapped = Pairs(tmp_path / "texts", ("a", "c"), ("", ""), documents, is_cut=True, has_gaps=True)
    path = write_rows(tmp_path / "ready.jsonl", [{"output": str(n)} for n in range(4)])
    with pytest.raises(EpitomeError, match="Some files of “texts” cannot be read"):
        read_predictions(path, "", gapped)
    assert read_predictions(path, "", replace(gapped, has_gaps=False))[0] == ("0", "1")
    write(tmp_path / "kept", Shouting(), (*documents, "more"))  # says what each row is of
    assert read_predictions(tmp_path / "kept" / FILE_NAME, "", gapped)[0] == ("FIRST", "THIRD")


@pytest.mark.parametrize(
    ("rows", "column", "told"),
    [
        ([{"output": "a"}] * 2, "", "holds 2 predictions for 3 documents. Score the first ones "),
        ([{"output": "a"}] * 4, "", "holds more predictions than the 3 documents"),
        ([{"this": "a"}] * 3, "", "no column of predictions that could be guessed; its columns"),
        ([{"this": "a"}] * 3, "that", "There is no column “that”; there are this. Name one of"),
    ],
)
def test_what_cannot_be_meant_for_these_documents_is_told(
    tmp_path: Path, pairs: Pairs, rows: list[dict[str, str]], column: str, told: str
) -> None:
    with pytest.raises(EpitomeError) as caught:
        read_predictions(write_rows(tmp_path / "ready.jsonl", rows), column, pairs)
    assert told in str(caught.value)


def test_plain_text_has_a_summary_in_each_line(pairs: Pairs, tmp_path: Path) -> None:
    path = tmp_path / "theirs.txt"
    path.write_bytes("\ufeffOne.\r\n\r\nThree, größer.\n".encode())
    assert read_predictions(path, "", pairs) == (("One.", "", "Three, größer."), "")
    path.write_text("One.\nTwo.\n", "utf-8")
    with pytest.raises(EpitomeError, match="holds 2 predictions for 3 documents"):
        read_predictions(path, "", pairs)
    path.write_bytes(b"\xff\xfe\n\n\n")
    with pytest.raises(EpitomeError, match="is not UTF-8 text"):
        read_predictions(path, "", pairs)


@pytest.mark.parametrize(
    "last",
    [
        '{"number": 0, "mine": "precious"}',
        '{"number": 0, "document_sha256": "another"',
        '{row}, "mine": 1}',
        '{row}"} and more',
    ],
)
@pytest.mark.parametrize("rows", [0, 1])
def test_a_last_line_of_another_file_is_not_taken_off(tmp_path: Path, last: str, rows: int) -> None:
    file = tmp_path / FILE_NAME
    write(tmp_path, Shouting())
    lines = file.read_text("utf-8").splitlines(keepends=True)
    foreign = last.replace("{row}", lines[rows].removesuffix("}\n"))
    foreign = foreign.replace('"number": 0', f'"number": {rows}')
    file.write_text("".join(lines[:rows]) + foreign, "utf-8")
    before = file.read_bytes()
    with pytest.raises(EpitomeError, match=f"damaged in row {rows + 1}"):
        write(tmp_path, Shouting())
    assert file.read_bytes() == before


def test_a_torn_line_after_all_documents_stays(tmp_path: Path) -> None:
    file = tmp_path / FILE_NAME
    write(tmp_path, Shouting())
    file.write_bytes(file.read_bytes() + b"precious")
    before = file.read_bytes()
    assert write(tmp_path, Shouting()) == UPPER
    assert file.read_bytes() == before
