"""The draft of a job that is being set up is found again, or named where it cannot be."""

from pathlib import Path

import pytest

from core.events import Finished, Message
from core.jobs.run import run_inline
from core.jobs.training.drafts import ReadDraftJob, write_draft
from core.stop import StopToken


@pytest.mark.parametrize(
    "text", ["[1", "[1, 2]", '{"chosen": 5}', '{"fields": [1]}', '{"corpus": ["a"]}']
)
def test_a_damaged_draft_is_set_aside_and_named(tmp_path: Path, text: str) -> None:
    file = tmp_path / "train-draft.json"
    file.write_text(text, "utf-8")
    told, last = run_inline(ReadDraftJob(file), StopToken())
    assert isinstance(told, Message) and "train-draft.json is damaged" in told.text
    assert last == Finished({}) and (tmp_path / "train-draft.damaged.json").exists()
    write_draft(file, {"name": "mine"})
    kept = {"name": "mine", "chosen": [], "fields": {}}
    assert list(run_inline(ReadDraftJob(file), StopToken())) == [Finished(kept)]
