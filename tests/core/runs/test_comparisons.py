"""Comparisons are kept whole: what is read is what was kept, and damage is said."""

import errno
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.errors import EpitomeError, ExistsError
from core.runs.comparisons import (
    COMPARISON_FILE,
    ComparedTexts,
    keep_comparison,
    open_comparison,
    read_about,
    read_texts,
)
from tests.helpers.comparisons import large_comparison


def test_what_is_kept_is_read_again(tmp_path: Path) -> None:
    folder = large_comparison(tmp_path / "kept", 50)
    opened = open_comparison(folder)
    assert len(opened) == 50 and opened.about == read_about(folder)
    assert opened.values.shape == (2, 50, 3)
    measured = opened.measure("rouge-1 f1")
    assert measured is not None and np.array_equal(measured, opened.values[:, :, 0])
    assert opened.measure("bleu-4") is None
    for number in (0, 17, 49):
        assert read_texts(folder, number).document.startswith(f"Report {number}.")


def test_texts_of_any_script_are_kept(tmp_path: Path) -> None:
    opened = open_comparison(large_comparison(tmp_path / "kept", 2))
    texts = [
        ComparedTexts("ein\n\nzwei 𝔸", "réf", ("<b>", "")),
        ComparedTexts("", "\ud800", ("", "x")),
    ]
    keep_comparison(tmp_path / "other", opened.about, opened.names, opened.values, texts)
    assert [read_texts(tmp_path / "other", n) for n in (0, 1)] == texts


def test_a_comparison_replaces_the_one_before_on_request_only(tmp_path: Path) -> None:
    opened = open_comparison(large_comparison(tmp_path / "kept", 3))
    about = replace(opened.about, pairs="others")
    texts = [ComparedTexts("", "", ("a", "b"))] * 3
    with pytest.raises(ExistsError):
        keep_comparison(opened.folder, about, opened.names, opened.values, texts)
    assert open_comparison(opened.folder).about.pairs != "others"
    keep_comparison(opened.folder, about, opened.names, opened.values, texts, replace=True)
    assert open_comparison(opened.folder).about.pairs == "others"


def test_the_comparison_before_stays_until_the_new_one_is_whole(tmp_path: Path) -> None:
    folder = large_comparison(tmp_path / "kept", 3)
    opened, before = open_comparison(folder), sorted(folder.iterdir())

    def texts() -> Iterator[ComparedTexts]:
        yield ComparedTexts("", "", ("a", "b"))
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(EpitomeError, match="No space left"):
        keep_comparison(folder, opened.about, opened.names, opened.values, texts())
    assert sorted(folder.iterdir()) == before
    assert len(open_comparison(folder)) == 3
    assert read_texts(folder, 2).document.startswith("Report 2.")


def test_a_folder_without_a_comparison_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EpitomeError, match="holds no comparison") as caught:
        open_comparison(tmp_path)
    assert "epitome compare --out" in caught.value.remedy


@pytest.mark.parametrize("name", [COMPARISON_FILE, "documents.json", "values.npy"])
@pytest.mark.parametrize("data", [b"", b"{}", b"\xff\xfe"])
def test_damage_is_said(tmp_path: Path, name: str, data: bytes) -> None:
    folder = large_comparison(tmp_path / "kept", 3)
    (folder / name).write_bytes(data)
    with pytest.raises(EpitomeError, match="is damaged") as caught:
        open_comparison(folder)
    assert caught.value.remedy == "Delete the folder, and compare again."


@pytest.mark.parametrize("name", ["texts.jsonl", "texts.npy"])
def test_damaged_texts_are_said(tmp_path: Path, name: str) -> None:
    folder = large_comparison(tmp_path / "kept", 3)
    (folder / name).write_bytes(b"torn")
    with pytest.raises(EpitomeError, match="is damaged"):
        read_texts(folder, 2)


def test_scores_of_other_documents_are_no_comparison(tmp_path: Path) -> None:
    folder = large_comparison(tmp_path / "kept", 3)
    other = large_comparison(tmp_path / "other", 4)
    (folder / "values.npy").write_bytes((other / "values.npy").read_bytes())
    with pytest.raises(EpitomeError, match="is damaged"):
        open_comparison(folder)
