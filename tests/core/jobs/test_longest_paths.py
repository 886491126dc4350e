"""Paths of the files that the program makes in a folder, whose length Windows limits."""

from pathlib import Path

from core.library.named_folders import LONGEST_INSIDE
from tests.helpers.prepared import pairs_corpus
from tests.helpers.runs import finished_run, kept_corpus, tiny_plan

WHILE_WRITTEN = len(".epitome-4294967295-01234567.tmp")
IN_TRASH = len("-0123456789abcdef")


def test_the_longest_path_inside_a_run_or_a_corpus_is_known(tmp_path: Path) -> None:
    run = finished_run(tmp_path / "run", tiny_plan(kept_corpus(), rouge_rows=0))
    corpus = pairs_corpus(tmp_path / "corpus")
    for folder in (run, corpus):
        inside = [str(path.relative_to(folder)) for path in folder.rglob("*")]
        longest = max(inside, key=len)
        assert len(longest) + WHILE_WRITTEN + IN_TRASH <= LONGEST_INSIDE, longest
