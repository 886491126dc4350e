"""Whatever is named in the place of a file, a command ends with a sentence."""

import os
import sys
from pathlib import Path

import pytest

from core.cli.main import main
from core.storage import regular_files

Captured = pytest.CaptureFixture[str]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")


@pytest.fixture(autouse=True)
def short_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A minute is too long for a test."""
    read = regular_files.read_given
    given = read.__defaults__
    assert given is not None
    monkeypatch.setattr(read, "__defaults__", (*given[:-1], 0.05))


@pytest.fixture
def pipe(tmp_path: Path) -> str:
    """A named pipe that nobody writes into."""
    os.mkfifo(tmp_path / "pipe.jsonl")
    return str(tmp_path / "pipe.jsonl")


ZERO = "/dev/zero"
COMMANDS = [
    ["summarise", ZERO],
    ["summarise", "PIPE"],
    ["summarise", "REPORT", "--config", ZERO],
    ["summarise", "REPORT", "--config", "PIPE"],
    ["summarise", "REPORT", "--password-file", ZERO],
    ["summarise", "REPORT", "--password-file", "PIPE"],
    ["summarise", "REPORT", "--model", "PIPE"],
    ["read", ZERO],
    ["read", "PIPE"],
    ["gsg", ZERO],
    ["gsg", ZERO, "--lines"],
    ["gsg", "PIPE", "--lines"],
    ["gsg", "REPORT", "--config", ZERO],
    ["gsg", ZERO, "--row", "1"],
    ["corpus", ZERO],
    ["corpus", "PIPE"],
    ["corpus", "PIPE", "--config", "PIPE"],
    ["measure", "PIPE"],
    ["tokenizer", "PIPE", "--out", "OUT"],
    ["train", "--config", ZERO],
    ["train", "--corpus", "PIPE", "--out", "OUT"],
    ["train", "--from", "PIPE", "--corpus", "PIPE", "--out", "OUT"],
    ["train", "--resume", "PIPE"],
    ["profile", "--config", "PIPE"],
    ["gauge", "PIPE"],
    ["evaluate", "--pairs", "PIPE", "--predictions", ZERO],
    ["evaluate", "--pairs", ZERO, "--predictions", "PIPE"],
    ["evaluate", "--pairs", "PIPE", "--model", "PIPE"],
    ["compare", "--pairs", "PIPE", "--model", "built-in", "--model", "PIPE"],
    ["judgements", ZERO],
    ["judgements", "PIPE"],
    ["bundle", "PIPE"],
    ["models", "import", "PIPE"],
    ["models", "import", ZERO],
    ["models", "show", "PIPE"],
]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_pipe_or_a_device_ends_a_command_with_a_sentence(
    words: list[str], pipe: str, report: Path, tmp_path: Path, capsys: Captured
) -> None:
    named = {"PIPE": pipe, "REPORT": str(report), "OUT": str(tmp_path / "out")}
    assert main([named.get(word, word) for word in words]) in (1, 2)
    out, err = capsys.readouterr()
    assert not out
    assert "Something in the program went wrong" not in err
    assert err.count("\n") <= 2 and err.endswith(".\n"), err


@pytest.mark.parametrize(
    "words", [["summarise", "-"], ["read", "-"], ["gsg", "-"], ["gsg", "-", "--lines"]]
)
def test_standard_input_without_end_is_read_to_a_limit(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    with open(ZERO, encoding="utf-8") as zero:  # noqa: PTH123 - as a shell does
        monkeypatch.setattr(sys, "stdin", zero)
        assert main(words) == 1
    err = capsys.readouterr().err
    assert "“Standard input” has more than 50\u202fMB, the maximum for text files." in err


def test_a_password_without_end_is_read_to_a_limit(
    report: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open(ZERO, encoding="utf-8") as zero:  # noqa: PTH123 - as a shell does
        monkeypatch.setattr(sys, "stdin", zero)
        assert main(["summarise", str(report), "--password-file", "-", "--length", "2s"]) == 0
