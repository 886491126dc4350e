"""What the Corpus panel shows and allows, without Qt."""

import shlex
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.data.gaps import gap_row
from core.data.settings import CorpusSettings
from core.documents.words import rouge_words
from core.gsg.settings import GapPairSettings
from core.jobs.corpora.browse_corpus import ReadRowJob
from core.jobs.corpora.preview_sources import SourcePreview
from core.jobs.corpora.shade_gaps import OrderGapsJob
from gui.panels.corpus.gaps_state import (
    MASK,
    SHOWN_CHARACTERS,
    GapsState,
    ordinal,
    training_command,
)
from gui.panels.corpus.state import NewCorpus, suggested_name, with_column
from tests.helpers.corpora import TEXTS, write_table
from tests.helpers.prepared import pairs_corpus, prepare, result

PAIRS = SourcePreview("a.csv", "table", columns=("text", "sum"), document="text", summary="sum")


@pytest.fixture
def new(tmp_path: Path) -> NewCorpus:
    return NewCorpus(tmp_path / "corpora")


def test_it_is_named_after_its_first_source_until_a_person_names_it(new: NewCorpus) -> None:
    assert new.add(["/data/news.csv.gz", "/data/notes"])
    assert new.name == "news" and not new.add(["/data/notes"])
    new.remove("/data/news.csv.gz")
    assert new.sources == ("/data/notes",)
    new.name, new.named_by_hand = "mine", True
    new.add(["/data/other"])
    assert new.name == "mine"


def test_a_name_that_is_taken_is_not_suggested(tmp_path: Path) -> None:
    (tmp_path / "news").mkdir()
    (tmp_path / "news-2").mkdir()
    assert suggested_name("/data/news.csv", tmp_path) == "news-3"
    assert suggested_name("hf:xsum", tmp_path) == "xsum"
    assert suggested_name("/", tmp_path) == "corpus"


def test_what_keeps_it_from_being_prepared_is_said(new: NewCorpus, tmp_path: Path) -> None:
    assert new.problem == "Add files, folders or tables first."
    new.add(["a.csv"])
    assert new.problem == ""
    new.previews = (replace(PAIRS, fault="No column.", remedy="Choose it."),)
    assert new.problem == "Correct or remove the marked sources first."
    new.previews = (replace(PAIRS, summary=""),)
    new.settings = CorpusSettings(make="pairs")
    assert new.problem == "a.csv has no summaries, which pairs need. Choose their column."
    new.previews = (PAIRS,)
    assert new.problem == "" and new.make == "pairs"
    new.name = "  "
    assert new.problem == "Give the corpus a name."
    (tmp_path / "corpora" / "taken").mkdir(parents=True)
    new.name = "taken"
    assert "Choose another" in new.problem
    new.settings = None
    assert new.problem == "Correct the marked settings first."


def test_the_command_names_sources_and_what_differs(new: NewCorpus) -> None:
    new.add(["/my data/news.csv"])
    new.settings = CorpusSettings.checked({"make": "gsg", "unique": True, "include": ["*.md"]})
    words = ["--unique", "--make", "gsg", "--include", "*.md", "--out", "news"]
    assert shlex.split(new.command) == ["epitome", "corpus", "/my data/news.csv", *words]


def test_a_column_is_never_read_as_both() -> None:
    settings = with_column(CorpusSettings(), "summary", "text")
    assert settings.summary_column == "text"
    settings = with_column(settings, "document", "text")
    assert (settings.document_column, settings.summary_column) == ("text", "")


@pytest.mark.parametrize(("number", "told"), [(1, "1st"), (2, "2nd"), (13, "13th"), (23, "23rd")])
def test_places_in_an_order_are_told(number: int, told: str) -> None:
    assert ordinal(number) == told


def test_the_command_makes_the_training_data() -> None:
    settings = GapPairSettings.checked({"rouge": "2", "ratio": 0.2})
    line = "epitome corpus letters --make gsg --rouge 2 --ratio 0.2 --out letters-gsg"
    assert training_command("letters", settings, "letters-gsg") == line


# Gap sentences


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pairs_corpus(tmp_path_factory.mktemp("corpora") / "letters")


def shown(corpus: Path, number: int = 0, **values: object) -> GapsState:
    state = GapsState(GapPairSettings.checked(values))
    state.show(result(ReadRowJob(corpus, number)))
    state.take(result(OrderGapsJob(corpus, number, state.settings)), state.settings)
    return state


def test_a_ratio_chooses_from_the_order_in_hand(corpus: Path) -> None:
    state = shown(corpus)
    assert not state.needs_order
    numbers = []
    for ratio in (0.1, 0.3, 0.5, 0.8):
        state.settings = state.settings.model_copy(update={"ratio": ratio})
        assert not state.needs_order
        numbers.append(len(state.chosen))
    assert numbers == [1, 2, 3, 5]
    state.settings = state.settings.model_copy(update={"masking": "keep", "left_in": 0.5})
    assert not state.needs_order
    state.settings = state.settings.model_copy(update={"rouge": "2"})
    assert state.needs_order


def test_chosen_sentences_are_numbered_in_the_order_of_choosing(corpus: Path) -> None:
    state = shown(corpus, ratio=0.5)
    assert sorted(state.ranks.tolist()) == [0, 0, 0, 1, 2, 3]
    first = int(state.picked[0])
    assert state.ranks[first] == 1 and state.told(first) == "0.21, 1st; chosen 1st, at 0.21"
    assert state.shades.max() == 5
    assert state.counts_line == ("6 sentences", "3 chosen")


def test_random_sentences_have_no_scores(corpus: Path) -> None:
    state = shown(corpus, strategy="random")
    assert state.shades.tolist() == [0] * 6 and state.top == 0.0
    assert state.told(int(state.picked[0])) == "chosen 1st"


@settings(max_examples=20)
@given(
    number=st.integers(0, 59),
    ratio=st.sampled_from([0.1, 0.3, 0.6, 0.9]),
    masking=st.sampled_from(["mask", "remove", "keep"]),
    left_in=st.sampled_from([0.0, 0.5]),
)
def test_input_and_target_are_those_a_model_gets(
    corpus: Path, number: int, ratio: float, masking: str, left_in: float
) -> None:
    values = {"ratio": ratio, "masking": masking, "left_in": 0.0 if masking == "keep" else left_in}
    state = shown(corpus, number, **values)
    row = state.row
    assert row is not None
    made = gap_row(row.document.text, CorpusSettings.checked(values), number)
    assert made is not None
    parts = [made.pieces[0]]
    for gap, stays, piece in zip(made.gaps, made.stays, made.pieces[1:], strict=True):
        parts += [gap if stays else f" {MASK} " if masking == "mask" else " ", piece]
    shown_input = state.input()
    assert shown_input.document.text.split() == "".join(parts).split()
    assert shown_input.is_whole
    target = state.target()
    assert target.document.text.split() == made.summary.split()
    exported = state.export()
    assert exported["input"] == shown_input.document.text
    assert exported["target"] == " ".join(made.summary.split())
    assert [each["index"] for each in exported["picked"]] == list(state.chosen)


def test_a_long_input_is_shown_in_part_and_exported_whole(tmp_path: Path) -> None:
    source = write_table(tmp_path / "long.parquet", {"text": ["\n\n".join(TEXTS)] * 3})
    state = shown(prepare(tmp_path / "long", [source]))
    row, begun = state.row, state.input()
    assert row is not None and len(row.document.text) > 1.3 * SHOWN_CHARACTERS
    assert not begun.is_whole and len(begun.document.text) <= 1.1 * SHOWN_CHARACTERS
    whole = state.export()["input"]
    assert whole.startswith(begun.document.text) and whole.count(MASK) == len(state.chosen)
    # Each mask stands for a sentence; its own four letters are no words of the document.
    assert begun.words == len(rouge_words(whole.replace(MASK, " ")))
