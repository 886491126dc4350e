"""Trains on two hosts, and looks what happens when one of them is gone.

    sudo .venv/bin/python tests/benchmarks/two_hosts.py        # some five minutes

The hosts are two network namespaces joined by a pair of virtual cables, each with a disk of its own
(`tests/helpers/two_hosts.py`), so Linux and root are needed. A tiny run with dropout and hashing is
made by one process, then by a process on each host: launched by torchrun, and by accelerate. Sums
in another order differ in the last digit, by which a vector may fall into another bucket; so one
run more is made without hashing, whose losses must be alike to its end. Then programs are killed
and the cable is cut, runs are resumed on one host and on both, and hosts that do not go together
are tried. A row each goes to `results/two_hosts.csv`: how many steps from the
first have the losses of the one process (to 1e-6), the largest difference of any step, the exit
codes, how long the host that was left took to end, and what it said.
"""

import argparse
import csv
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from core.runs.events_file import read_events  # noqa: E402
from core.training.plan import RunPlan  # noqa: E402
from tests.helpers.runs import run_events, tiny_corpus, tiny_plan  # noqa: E402
from tests.helpers.two_hosts import NoHostsError, TwoHosts, accelerate, torchrun  # noqa: E402

RESULTS = Path(__file__).parent / "results" / "two_hosts.csv"
COLUMNS = (
    "case", "steps", "steps_alike", "largest_difference", "exit_codes", "seconds_to_end", "said",
)  # fmt: skip
ALMOST = 1e-6
STEPS, LOST_AT = 120, 40
PATIENCE_S = 300.0


def main() -> int:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        try:
            hosts = TwoHosts(Path(folder) / "hosts")
        except NoHostsError as error:
            print(f"Two hosts cannot be made here: {error}")
            return 1
        try:
            rows = Trial(hosts, Path(folder)).rows()
        finally:
            hosts.close()
    with RESULTS.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    (plain,) = (row for row in rows if row["case"] == "trained without hashing")
    return 0 if plain["steps_alike"] == STEPS else 1


class Trial:
    """All that is tried, on hosts that have a corpus each."""

    def __init__(self, hosts: TwoHosts, folder: Path) -> None:
        self.hosts = hosts
        self.corpus = hosts.disk / "corpus"
        made = tiny_corpus(folder / "corpus")
        for disk in hosts.disks:
            shutil.copytree(made, disk / "corpus")
        self.losses = {}
        for name, plan in self.plans(made, STEPS).items():
            run_events(folder / name, plan)
            self.losses[name] = losses(folder / name)
        for disk in hosts.disks:
            self.write_jobs(disk, STEPS)

    def plans(self, corpus: Path, steps: int, **train: object) -> dict[str, RunPlan]:
        plan = tiny_plan(corpus, steps=steps, checkpoint_every=4, **{"batch": 20, **train})
        local = plan.model.model_copy(update={"attention": ("local",)})
        return {"job": plan, "local": RunPlan(plan.run, local, plan.train, plan.decoding)}

    def write_jobs(self, disk: Path, steps: int, **train: object) -> None:
        for name, plan in self.plans(self.corpus, steps, **train).items():
            (disk / f"{name}.toml").write_text(plan.to_toml(), "utf-8")

    def rows(self) -> list[dict[str, object]]:
        rows = []
        for case in (
            self.trained_by_torchrun, self.trained_without_hashing, self.trained_by_accelerate,
            self.second_killed, self.resumed_on_one, self.first_killed, self.cable_cut,
            self.resumed_on_both, self.other_versions, self.other_corpus, self.other_job,
        ):  # fmt: skip
            row = {"case": case.__name__.replace("_", " "), **case()}
            rows.append(dict.fromkeys(COLUMNS, "") | row)
            print(", ".join(f"{name}: {value}" for name, value in row.items()), flush=True)
        return rows

    # --- what is tried ---

    def trained_by_torchrun(self) -> dict[str, object]:
        return self._trained("by-torchrun", torchrun)

    def trained_without_hashing(self) -> dict[str, object]:
        return self._trained("without-hashing", torchrun, "local")

    def trained_by_accelerate(self) -> dict[str, object]:
        return self._trained("by-accelerate", accelerate)

    def _trained(
        self, name: str, launcher: Callable[..., list[object]], job: str = "job"
    ) -> dict[str, object]:
        both = self._begun(name, launcher, job=job)
        told = [process.communicate(timeout=PATIENCE_S)[0] for process in both]
        assert not (self.hosts.disks[1] / name).exists()
        return (
            self._compared(name, job)
            | codes(both)
            | {"said": "" if ended_well(both) else last(told)}
        )

    def second_killed(self) -> dict[str, object]:
        return self._one_lost("second", lambda both: self.hosts.kill(both[1]), left=0)

    def resumed_on_one(self) -> dict[str, object]:
        words = [sys.executable, "-m", "core.cli", "train", "--resume", self.hosts.disk / "second"]
        alone = self.hosts.start(0, words)
        told, _ = alone.communicate(timeout=PATIENCE_S)
        return self._compared("second") | codes([alone]) | {"said": resumed(told)}

    def first_killed(self) -> dict[str, object]:
        return self._one_lost("first", lambda both: self.hosts.kill(both[0]), left=1)

    def cable_cut(self) -> dict[str, object]:
        row = self._one_lost("cut", lambda both: self.hosts.cut_cable(), left=0)
        self.hosts.join_cable()
        return row

    def resumed_on_both(self) -> dict[str, object]:
        both = [
            self.hosts.start(host, torchrun(host, "--resume", self.hosts.disk / "cut"))
            for host in (0, 1)
        ]
        told = [process.communicate(timeout=PATIENCE_S)[0] for process in both]
        return self._compared("cut") | codes(both) | {"said": resumed(told[0])}

    def other_versions(self) -> dict[str, object]:
        planted = self.hosts.disks[1] / "planted" / "numpy-1.0.dist-info"
        planted.mkdir(parents=True)
        (planted / "METADATA").write_text(
            "Metadata-Version: 2.1\nName: numpy\nVersion: 1.0\n", "utf-8"
        )
        path = f"{self.hosts.disk / 'planted'}:{ROOT}"
        return self._refused("other-versions", {"PYTHONPATH": path})

    def other_corpus(self) -> dict[str, object]:
        card = self.hosts.disks[1] / "corpus" / "corpus.toml"
        before = card.read_text("utf-8")
        card.write_text(before.replace("tiny-pairs", "others"), "utf-8")
        row = self._refused("other-corpus")
        card.write_text(before, "utf-8")
        return row

    def other_job(self) -> dict[str, object]:
        self.write_jobs(self.hosts.disks[1], STEPS, batch=10)
        return self._refused("other-job")

    def _refused(self, name: str, more: dict[str, str] | None = None) -> dict[str, object]:
        both = self._begun(name, torchrun, more)
        began_s = time.monotonic()
        told = [process.communicate(timeout=PATIENCE_S)[0] for process in both]
        seconds = round(time.monotonic() - began_s, 1)
        return codes(both) | {"seconds_to_end": seconds, "said": last(told)}

    def _one_lost(
        self, name: str, lose: "Callable[[list[subprocess.Popen[str]]], None]", left: int
    ) -> dict[str, object]:
        """Takes a host away in the middle of a run, and waits for the other."""
        both = self._begun(name, torchrun)
        run = self.hosts.disks[0] / name
        while len(losses(run)) < LOST_AT:
            assert both[0].poll() is None, both[0].communicate()[0]
            time.sleep(0.01)
        lose(both)
        began_s, at = time.monotonic(), len(losses(run))
        told, _ = both[left].communicate(timeout=PATIENCE_S)
        seconds = round(time.monotonic() - began_s, 1)
        self.hosts.kill(both[1 - left])
        both[1 - left].communicate()
        row: dict[str, object] = {"steps": at, "seconds_to_end": seconds, "said": last([told])}
        return row | codes([both[left]])

    def _begun(
        self,
        name: str,
        launcher: Callable[..., list[object]],
        more: dict[str, str] | None = None,
        job: str = "job",
    ) -> "list[subprocess.Popen[str]]":
        """A new run on both hosts; the second may have another environment."""
        words = ["--config", self.hosts.disk / f"{job}.toml", "--out", self.hosts.disk / name]
        environments = ({}, more or {})
        return [
            self.hosts.start(host, launcher(host, *words), environments[host]) for host in (0, 1)
        ]

    def _compared(self, name: str, job: str = "job") -> dict[str, object]:
        found, wanted = losses(self.hosts.disks[0] / name), self.losses[job]
        if len(found) != len(wanted):
            return {"steps": len(found), "steps_alike": 0}
        apart = [abs(a - b) for a, b in zip(found, wanted, strict=True)]
        alike = next((at for at, each in enumerate(apart) if each > ALMOST), len(apart))
        largest = f"{max(apart):.2g}"
        return {"steps": len(found), "steps_alike": alike, "largest_difference": largest}


def losses(run: Path) -> list[float]:
    """The losses of a run's steps; of one that was made twice, the last."""
    if not (run / "events.jsonl").exists():
        return []
    events = [each for each in read_events(run / "events.jsonl") if each.kind == "StepDone"]
    return list({each.values["step"]: each.values["loss"] for each in events}.values())


def codes(processes: "list[subprocess.Popen[str]]") -> dict[str, object]:
    return {"exit_codes": " ".join(str(process.returncode) for process in processes)}


def ended_well(processes: "list[subprocess.Popen[str]]") -> bool:
    return all(process.returncode == 0 for process in processes)


def last(told: list[str]) -> str:
    """The last that each program has said, once: why it failed."""
    said = [[line for line in each.splitlines() if line.startswith("train: ")] for each in told]
    found = [lines[-1].removeprefix("train: ") for lines in said if lines]
    return " | ".join(dict.fromkeys(found)) or " | ".join(each[-300:] for each in told)


def resumed(told: str) -> str:
    return next((line for line in told.splitlines() if "resum" in line.lower()), "")


if __name__ == "__main__":
    sys.exit(main())
