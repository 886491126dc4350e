"""The commands of `docs/train.md`, as they stand there, on a few small documents."""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.cli.main import main
from tests.helpers.command import ROOT
from tests.helpers.corpora import SUMMARIES, TEXTS

PAGE = (ROOT / "docs" / "train.md").read_text("utf-8")
BLOCK = re.compile(r"^```\n(.*?)^```", re.MULTILINE | re.DOTALL)
NEW_MODEL = ["--width", "16", "--length", "256", "--bucket-size", "16", "--rouge-rows", "1"]


def commands(section: str) -> Iterator[list[str]]:
    """What is typed after ``epitome`` in a section of the page."""
    body = PAGE.partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    for block in BLOCK.findall(body):
        for line in block.replace("\\\n", " ").splitlines():
            program, *words = shlex.split(line)
            assert program == "epitome"
            yield words


def smaller(words: list[str]) -> list[str]:
    """The same command with a tiny model and few steps; later options count."""
    if words[0] == "tokenizer":
        return [*words, "--size", "400"]
    if words[0] != "train" or "--resume" in words:
        return words
    model = [] if "--from" in words else NEW_MODEL
    return [*words, *model, "--steps", "4", "--validate-every", "2"]


@pytest.fixture
def documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the page takes for granted: a folder of documents, a report and a table of pairs."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "Documents" / "reports"
    folder.mkdir(parents=True)
    for number, text in enumerate(TEXTS[:40]):
        (folder / f"{number}.{'md' if number % 2 else 'txt'}").write_text(text, "utf-8")
    (tmp_path / "report.pdf").write_bytes((ROOT / "resources/samples/patent.pdf").read_bytes())
    rows = [{"document": text, "summary": SUMMARIES[n]} for n, text in enumerate(TEXTS)]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "pairs.jsonl").write_text(lines, "utf-8")


@pytest.mark.slow
def test_the_commands_of_the_page_work_in_their_order(
    documents: None, capsys: pytest.CaptureFixture[str]
) -> None:
    recipe = list(commands("Fifteen minutes"))
    pairs = list(commands("With summaries written by people"))
    assert [words[0] for words in recipe] == ["corpus", "tokenizer", "train", "train", "summarise"]
    assert [words[0] for words in pairs] == ["corpus", "train", "evaluate", "compare"]
    for words in [*recipe, *pairs]:
        expanded = [str(Path(word).expanduser()) if word[0] == "~" else word for word in words]
        assert main(smaller(expanded)) == 0, capsys.readouterr().err
    assert "second" in capsys.readouterr().out
