"""`epitome corpus` and `epitome tokenizer`: from documents to a corpus and its vocabulary."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.cli.main import main
from core.data.corpus import open_corpus
from core.data.tokenizer import Tokenizer
from tests.helpers.command import epitome
from tests.helpers.corpora import SUMMARIES, TEXTS, write_pairs
from tests.helpers.schemas import validate

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    """A Parquet file of 60 documents with summaries."""
    return write_pairs(tmp_path / "pairs.parquet", TEXTS, SUMMARIES)


def result(capsys: Captured, *words: str) -> dict[str, Any]:
    assert main([*words, "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    validate(value, words[0])
    found: dict[str, Any] = value["result"]
    return found


def test_without_out_there_are_numbers_only(pairs: Path, home: Path, capsys: Captured) -> None:
    assert main(["corpus", str(pairs)]) == 0
    out, err = capsys.readouterr()
    lines = [line.split() for line in out.splitlines()]
    assert lines[0] == ["documents", "words", "median", "longest", "summary", "median",
                        "longest", "share"]  # fmt: skip
    assert [line[:2] for line in lines[1:]] == [
        ["train", "48"], ["validation", "6"], ["test", "6"], ["all", "60"],
    ]  # fmt: skip
    assert "documents from “document”, summaries from “summary”" in err
    assert not [path for path in home.rglob("*") if path.is_file()]


def test_a_corpus_and_a_tokenizer_are_found_by_name(
    pairs: Path, home: Path, capsys: Captured
) -> None:
    made = result(capsys, "corpus", str(pairs), "--out", "small", "--make", "gsg")
    assert made["make"] == "gsg" and made["documents"] == 60
    assert made["folder"] == str(home / "data" / "corpora" / "small")
    corpus = open_corpus("small")
    assert corpus.counts == {name: of["documents"] for name, of in made["splits"].items()}
    assert corpus.fingerprint == made["fingerprint"]
    trained = result(capsys, "tokenizer", "small", "--size", "380", "--out", "words")
    tokenizer = Tokenizer.load(home / "data" / "tokenizers" / "words")
    assert trained["vocabulary_size"] == tokenizer.vocabulary_size == 380
    assert trained["fingerprint"] == tokenizer.fingerprint
    assert trained["characters_per_token"] > 1.5


def test_a_folder_can_be_named_instead(pairs: Path, tmp_path: Path, capsys: Captured) -> None:
    corpus, words = tmp_path / "here" / "corpus", tmp_path / "here" / "words"
    assert main(["corpus", str(pairs), "--out", str(corpus)]) == 0
    assert main(["tokenizer", str(corpus), "--size", "5000", "--out", str(words)]) == 0
    _, err = capsys.readouterr()
    assert f"The corpus is in {corpus}." in err and f"The tokenizer is in {words}." in err
    assert "tokens and not 5\u202f000: the texts repeat no other piece." in err


def test_all_settings_of_gap_sentences_can_be_typed(pairs: Path, capsys: Captured) -> None:
    words = ["--strategy", "independent-document", "--count", "2", "--left-in", "0.5",
             "--noise", "0.1", "--masking", "remove", "--seed", "3"]  # fmt: skip
    made = result(capsys, "corpus", str(pairs), "--out", "c", "--make", "gsg", *words)
    assert made["make"] == "gsg"
    corpus = open_corpus("c")
    assert corpus.masking == "remove"
    assert {len(row["gaps"]) for row in corpus.rows("train")} == {2}
    assert {sum(row["stays"]) for row in corpus.rows("train")} == {1}


def test_what_is_left_out_is_told(tmp_path: Path, capsys: Captured) -> None:
    source = write_pairs(tmp_path / "p.parquet", [*TEXTS, "", TEXTS[0]], [*SUMMARIES, "A.", ""])
    assert main(["corpus", str(source), "--out", "c"]) == 0
    err = capsys.readouterr().err
    assert "Left out: 1 row (rows without a document)." in err
    assert "Left out: 1 row (rows without a summary)." in err
    lines = (open_corpus("c").folder / "skipped.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["origin"] for line in lines] == [f"{source}:61", f"{source}:62"]


def test_the_same_document_in_two_splits_is_told(tmp_path: Path, capsys: Captured) -> None:
    near = TEXTS[0].replace("boiler", "kettle", 1)
    write_pairs(tmp_path / "s" / "train.parquet", TEXTS[:20], SUMMARIES[:20])
    write_pairs(tmp_path / "s" / "test.parquet", [TEXTS[3], *TEXTS[20:24]], SUMMARIES[:5])
    write_pairs(tmp_path / "s" / "validation.parquet", [near, *TEXTS[30:33]], SUMMARIES[:4])
    made = result(capsys, "corpus", str(tmp_path / "s"), "--out", "kept")
    assert {name: of["documents"] for name, of in made["splits"].items()} == {
        "train": 20, "validation": 4, "test": 5,
    }  # fmt: skip
    assert made["duplicates"]["in_two_splits"] >= 1
    leaked = [pair["splits"] for pair in made["duplicates"]["examples"]]
    assert ["test", "train"] in leaked or ["train", "test"] in leaked
    assert main(["corpus", str(tmp_path / "s")]) == 0
    assert "stand in two splits: what is tested was trained on." in capsys.readouterr().err
    again = result(capsys, "corpus", str(tmp_path / "s"), "--split", "80/10/10", "--out", "new")
    assert again["duplicates"]["in_two_splits"] == 0
    assert again["duplicates"]["pairs"] == made["duplicates"]["pairs"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["corpus"], "No source was named. Name files, folders or data sets."),
        (["corpus", "x", "--split", "80/20"], "“split” was '80/20': it should be three shares"),
        (["corpus", "x", "--processes", "0"], "“processes” was '0'"),
        (["corpus", "x", "--make", "poems"], "“make” was 'poems'"),
        (["corpus", "x", "--out", " "], "The name of a folder is empty."),
        (["tokenizer", "x"], "A corpus and --out are asked for."),
        (["tokenizer", "x", "--size", "300", "--out", "y"], "“size” was '300'"),
    ],
)
def test_wrong_usage_is_code_2(words: list[str], told: str, capsys: Captured) -> None:
    assert main(words) == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["corpus", "nowhere"], "There is no file or folder nowhere. Check the name."),
        (["corpus", "hf:poems"], "“hf:poems” is not a known data set"),
        (["tokenizer", "none", "--out", "y"], "There is no corpus in"),
    ],
)
def test_a_failure_is_code_1(words: list[str], told: str, capsys: Captured) -> None:
    assert main(words) == 1
    assert told in capsys.readouterr().err


def test_what_is_there_is_never_written_over(pairs: Path, capsys: Captured) -> None:
    assert main(["corpus", str(pairs), "--out", "c"]) == 0
    assert main(["tokenizer", "c", "--size", "330", "--out", "t"]) == 0
    capsys.readouterr()
    assert main(["corpus", str(pairs), "--out", "c"]) == 1
    assert "already exists. Choose another name, or delete it." in capsys.readouterr().err
    assert main(["tokenizer", "c", "--size", "340", "--out", "t"]) == 1
    assert "already. Choose another name, or delete it." in capsys.readouterr().err


def test_the_job_file_is_printed_and_read(pairs: Path, tmp_path: Path, capsys: Captured) -> None:
    words = ["corpus", str(pairs), "--make", "text", "--split", "50/50/0", "--out", "c"]
    assert main([*words, "--print-config"]) == 0
    file = tmp_path / "job.toml"
    file.write_text(capsys.readouterr().out, "utf-8")
    assert main(["corpus", "--config", str(file)]) == 0
    assert open_corpus("c").counts == {"train": 30, "validation": 30}
    assert main(["tokenizer", "c", "--size", "330", "--out", "t", "--print-config"]) == 0
    assert 'sources = ["c"]' in capsys.readouterr().out


def test_several_processes_give_what_one_gives(pairs: Path, tmp_path: Path, home: Path) -> None:
    for count in ("1", "2"):
        folder = tmp_path / count
        code, _, err = epitome("corpus", str(pairs), "--processes", count, "--out", str(folder))
        assert code == 0, err
    one, two = (open_corpus(tmp_path / count) for count in ("1", "2"))
    assert one.fingerprint == two.fingerprint
    assert list(one.rows("train")) == list(two.rows("train"))
