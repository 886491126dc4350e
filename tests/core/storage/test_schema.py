"""Files of earlier versions still mean what they meant."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.storage.schema import MIGRATIONS, SCHEMA_VERSION, migrated
from core.training.plan import RunPlan

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
FILES = st.dictionaries(st.sampled_from(["train", "run", "clip", "command", "x"]), VALUES)
JOBS = Path(__file__).parents[2] / "reference" / "job_files"


@pytest.mark.parametrize("version", [0, SCHEMA_VERSION + 1, -1, "1", 1.0, True, None, [1]])
def test_an_unknown_version_is_refused(version: Any) -> None:
    with pytest.raises(ValueError, match=r"^has schema version .+; this program reads versions 1 "):
        migrated({"schema_version": version})


@given(FILES, st.integers(1, SCHEMA_VERSION))
def test_any_file_goes_through_every_step_and_stays_as_it_was(
    file: dict[str, Any], version: int
) -> None:
    before = repr(file)
    values = migrated(file | {"schema_version": version})
    assert "schema_version" not in values
    assert migrated(values) == values
    assert repr(file) == before
    assert len(MIGRATIONS) == SCHEMA_VERSION - 1


def test_a_run_begun_without_clipping_has_none_in_its_version_1_file() -> None:
    assert RunPlan.read(JOBS / "version-1-unclipped.toml").train.clip is None


def test_a_run_begun_with_clipping_keeps_it() -> None:
    assert RunPlan.read(JOBS / "version-1.toml").train.clip == 1.0


def test_what_a_hand_written_file_leaves_out_has_its_default(tmp_path: Path) -> None:
    file = tmp_path / "job.toml"
    file.write_text('schema_version = 1\ncommand = "train"\n[train]\nsteps = 7\n', "utf-8")
    plan = RunPlan.read(file)
    assert (plan.train.steps, plan.train.clip) == (7, 1.0)


def test_an_old_plan_written_anew_is_the_same_plan(tmp_path: Path) -> None:
    plan = RunPlan.read(JOBS / "version-1-unclipped.toml")
    (tmp_path / "job.toml").write_text(plan.to_toml(), "utf-8")
    assert RunPlan.read(tmp_path / "job.toml") == plan
