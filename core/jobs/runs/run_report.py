"""A report of a run as one HTML file: curves, results, samples, settings, and how to repeat it."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

import numpy as np

from core.events import Event, Finished, Progress
from core.jobs.runs.compare_runs import ComparedRun, CompareRunsJob, results
from core.jobs.runs.run_history import RunHistory
from core.jobs.training.run_plan import plan_in
from core.numbers import format_count
from core.runs.about import read_about
from core.runs.folder import RunFolder
from core.stop import StopToken
from core.storage.atomic_files import write_whole
from core.storage.growable_array import Floats
from core.storage.parsing import parse_json
from core.storage.regular_files import read_regular
from core.system.shell import shell_line
from core.training.train_command import train_words

_WIDTH, _HEIGHT, _LEFT, _BOTTOM = 860, 300, 52, 26
_MOST_POINTS, _MOST_SAMPLES = 1200, 4
_SMOOTH_SHARE = 0.02  # of the steps, the width of the running mean


@dataclass(frozen=True)
class RunReportJob:
    """Writes the report of a run.

    Args:
        folder: The run's.
        out: The file.
        replace: Whether a file that is there is replaced.
    """

    folder: Path
    out: Path
    replace: bool = False

    def run(self, stop: StopToken) -> Iterator[Event]:
        """Writes.

        Args:
            stop: Read while the run is read.

        Yields:
            How far it is; at the end `Finished` with the path.

        Raises:
            EpitomeError: If the run cannot be read, or nothing can be written there.
        """
        run: ComparedRun | None = None
        for event in CompareRunsJob((self.folder,)).run(stop):
            if isinstance(event, Progress):
                yield event
            elif isinstance(event, Finished):
                (run,) = event.result
        assert run is not None
        write_whole(self.out, _page(run).encode("utf-8", "replace"), replace=self.replace)
        yield Finished(self.out)


def _page(run: ComparedRun) -> str:
    folder, plan = RunFolder(run.folder), plan_in(run.folder)
    about = read_about(folder)
    parts = [
        f"<h1>{escape(run.title)}</h1>",
        f"<p>{escape(about.notes)}</p>" if about.notes else "",
        _table([(line.title, line.words[0]) for line in results([run])]),
        "<h2>Loss</h2>",
        _curves(run.history),
        _rouge(run.history),
        _samples(run.history),
        "<h2>Settings</h2><p>Those that differ from the defaults come first.</p>",
        _table(
            [
                (line.title, line.words)
                for line in sorted(run.lines, key=lambda each: not each.differs)
            ]
        ),
        "<h2>To make it again</h2>",
        f"<pre>{escape(shell_line(train_words(plan, run.folder.name)))}</pre>",
        _details("The whole job, for epitome train --config", plan.to_toml()),
        _details("Versions, device and command of the last start", _text(folder.environment_file)),
        _details("The corpus, with the digest of its rows", _text(_card(plan.run.corpus))),
    ]
    return _FRAME.format(title=escape(run.title), body="\n".join(filter(None, parts)))


def _card(corpus: str) -> Path:
    return Path(corpus) / "corpus.toml"


def _text(path: Path) -> str:
    """A text file; empty where there is none."""
    try:
        text = read_regular(path).decode("utf-8", "replace")
        return json.dumps(parse_json(text), indent=1) if path.suffix == ".json" else text
    except (OSError, ValueError):
        return ""


def _details(title: str, text: str) -> str:
    if not text:
        return ""
    return f"<details><summary>{escape(title)}</summary><pre>{escape(text)}</pre></details>"


def _table(rows: Sequence[tuple[str, str]]) -> str:
    cells = (f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in rows)
    return f"<table>{''.join(cells)}</table>"


def _rouge(history: RunHistory) -> str:
    found = [each for _, each in history.validations if each.rouge]
    if not found:
        return ""
    names = list(found[-1].rouge)
    head = "".join(f"<th>ROUGE-{escape(name)}</th>" for name in names)
    rows = "".join(
        f"<tr><td>{format_count(each.step)}</td><td>{each.loss:.3f}</td>"
        + "".join(f"<td>{100 * each.rouge.get(name, 0):.1f}</td>" for name in names)
        + "</tr>"
        for each in found
    )
    return f"<h2>Validations</h2><table><tr><th>Step</th><th>Loss</th>{head}</tr>{rows}</table>"


def _samples(history: RunHistory) -> str:
    last = {sample.row: sample for _, sample in history.samples}
    if not last:
        return ""
    texts = "".join(
        f"<h3>Row {format_count(row + 1)} of the validation split, step "
        f"{format_count(sample.step)}</h3><p><b>Reference.</b> {escape(sample.reference)}</p>"
        f"<p><b>Model.</b> {escape(sample.text)}</p>"
        for row, sample in list(last.items())[:_MOST_SAMPLES]
    )
    return f"<h2>Samples</h2>{texts}"


def _curves(history: RunHistory) -> str:
    """Each step's loss, its running mean, and the validation losses, as SVG."""
    steps, losses = history.column("step"), history.column("loss")
    finite = np.isfinite(losses)
    steps, losses = steps[finite], losses[finite]
    if len(steps) < 2:
        return "<p>The run has no steps yet.</p>"
    low, high = (float(each) for each in np.percentile(losses, (0.2, 99.8)))
    high = high if high > low else low + 1
    plane = _Plane(float(steps[0]), float(steps[-1]), low, high)
    every = max(1, len(steps) // _MOST_POINTS)
    size = max(1, int(_SMOOTH_SHARE * len(losses)))
    mean = np.convolve(losses, np.ones(size) / size, "valid")
    middle = steps[size - 1 :]
    found = [each for _, each in history.validations if np.isfinite(each.loss)]
    dots = "".join(plane.dot(each.step, each.loss) for each in found)
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="Loss by step">'
        f"{plane.grid()}{plane.line(steps[::every], losses[::every], 'each')}"
        f"{plane.line(middle[::every], mean[::every], 'mean')}{dots}</svg>"
        '<p class="key">Thin: each step. Thick: running mean. Dots: validation.</p>'
    )


@dataclass(frozen=True)
class _Plane:
    left: float
    right: float
    low: float
    high: float

    def x(self, value: float) -> float:
        share = (value - self.left) / max(self.right - self.left, 1)
        return _LEFT + share * (_WIDTH - _LEFT - 12)

    def y(self, value: float) -> float:
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return 10 + (1 - share) * (_HEIGHT - _BOTTOM - 10)

    def line(self, xs: Floats, ys: Floats, kind: str) -> str:
        points = " ".join(
            f"{self.x(x):.1f},{self.y(y):.1f}"
            for x, y in zip(xs.tolist(), ys.tolist(), strict=True)
        )
        return f'<polyline class="{kind}" points="{points}"/>'

    def dot(self, step: float, loss: float) -> str:
        return f'<circle class="dot" cx="{self.x(step):.1f}" cy="{self.y(loss):.1f}" r="3.5"/>'

    def grid(self) -> str:
        made = []
        for share in (0.0, 0.25, 0.5, 0.75, 1.0):
            value = self.low + share * (self.high - self.low)
            y = self.y(value)
            ends = f'x1="{_LEFT}" x2="{_WIDTH}" y1="{y:.1f}" y2="{y:.1f}"'
            made.append(f'<line class="grid" {ends}/>')
            place = f'x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end"'
            made.append(f"<text {place}>{value:.2f}</text>")
            step = self.left + share * (self.right - self.left)
            anchor = "end" if share == 1 else "middle"
            made.append(
                f'<text x="{self.x(step):.1f}" y="{_HEIGHT - 6}" text-anchor="{anchor}">'
                f"{format_count(round(step))}</text>"
            )
        return "".join(made)


_FRAME = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<style>
:root {{ color-scheme: light dark; --text: #1b1c1e; --quiet: #686b70; --line: #dfdfd9;
  --accent: #28509e; --second: #bf4a15; --back: #fff; --sunken: #ecece8; }}
@media (prefers-color-scheme: dark) {{ :root {{ --text: #e8e7e3; --quiet: #989ba1;
  --line: #303338; --accent: #94b4f7; --second: #f29a61; --back: #1b1d20; --sunken: #131417; }} }}
body {{ font: 15px/1.5 Inter, system-ui, sans-serif; color: var(--text); background: var(--back);
  max-width: 880px; margin: 32px auto; padding: 0 16px; }}
h1 {{ font-size: 24px; }} h2 {{ font-size: 17px; margin-top: 32px; }} h3 {{ font-size: 14px; }}
table {{ border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }}
th, td {{ text-align: left; padding: 5px 12px 5px 0; border-bottom: 1px solid var(--line);
  font-weight: 400; vertical-align: top; }}
th {{ color: var(--quiet); }}
pre {{ background: var(--sunken); padding: 12px; border-radius: 6px; overflow-x: auto;
  font: 12px/1.6 "JetBrains Mono", monospace; white-space: pre-wrap; }}
svg {{ width: 100%; }} svg text {{ fill: var(--quiet); font-size: 11px; }}
.grid {{ stroke: var(--line); }} polyline {{ fill: none; stroke: var(--accent); }}
.each {{ stroke-width: 1; opacity: .3; }} .mean {{ stroke-width: 2; }}
.dot {{ fill: var(--second); }} .key {{ color: var(--quiet); font-size: 13px; }}
summary {{ cursor: pointer; padding: 6px 0; }}
</style></head><body>
{body}
</body></html>
"""
