"""A copied command does the same in the shell of its system."""

import shlex
import subprocess
import sys

import pytest

from core.system.shell import shell_line

WORDS = ["epitome", "summarise", "C:\\My files\\a b.pdf", "--model", 'it\'s "mine" & yours']


@pytest.mark.parametrize(
    ("word", "windows", "others"),
    [
        ("report.pdf", "report.pdf", "report.pdf"),
        ("my report.pdf", '"my report.pdf"', "'my report.pdf'"),
        ("C:\\a\\b.pdf", "C:\\a\\b.pdf", "'C:\\a\\b.pdf'"),
        ("it's.pdf", '"it\'s.pdf"', "'it'\"'\"'s.pdf'"),
        ("a&b.pdf", '"a&b.pdf"', "'a&b.pdf'"),
        ("", '""', "''"),
    ],
)
def test_a_word_is_quoted_for_the_shell_of_the_system(word: str, windows: str, others: str) -> None:
    assert shell_line([word], "win32") == windows
    assert shell_line([word], "linux") == shell_line([word], "darwin") == others


@pytest.mark.skipif(sys.platform == "win32", reason="another shell")
def test_a_shell_gives_the_words_back() -> None:
    line = shell_line(["printf", "%s\\n", *WORDS])
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == WORDS
    assert shlex.split(line)[2:] == WORDS
