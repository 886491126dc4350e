"""A comparison as one HTML page that needs nothing else, follows light and dark, and prints well.

Every text of a person or a model is escaped, and the page forbids itself to load anything.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from core.numbers import format_interval
from core.runs.comparisons import ComparedTexts, Comparison
from core.runs.evaluations import KeptScore, is_clear

_STYLE = """
:root { color-scheme: light dark; --text: #1b1c1e; --quiet: #4e5156; --ground: #ffffff;
  --line: #dfdfd9; --warn: #a8450b; --first: #28509e; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e8e7e3; --quiet: #b9babd; --ground: #1b1d20; --line: #303338;
    --warn: #f29a61; --first: #94b4f7; } }
body { margin: 0 auto; max-width: 80rem; padding: 2rem 1.25rem 4rem; color: var(--text);
  background: var(--ground); font: 1rem/1.5 Inter, system-ui, sans-serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin: 2.5rem 0 0.5rem; }
h3 { font-size: 0.9rem; margin: 1rem 0 0.25rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 0.9rem; }
th, td { padding: 0.35rem 0.9rem 0.35rem 0; border-bottom: 1px solid var(--line);
  text-align: right; } th:first-child, td:first-child { text-align: left; }
small, footer, .quiet { color: var(--quiet); font-size: 0.85rem; }
.texts { display: grid; grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)); gap: 1.5rem; }
.texts p { font: 1rem/1.55 "Source Serif 4", Georgia, serif; white-space: pre-line; margin: 0; }
u { text-decoration: underline dashed 2px var(--warn); text-underline-offset: 0.2em; }
details { margin-top: 0.75rem; } summary { cursor: pointer; color: var(--quiet); }
details p { white-space: pre-line; }
@media print { body { max-width: none; padding: 0; font-size: 10pt; } details { display: none; }
  section { break-inside: avoid; } }
"""

Span = tuple[int, int]
_REFERENCE = "reference words"  # the same for every system


def render_comparison(
    about: Comparison,
    documents: Iterable[tuple[str, ComparedTexts, Sequence[Sequence[Span]]]],
    judged: Iterable[Sequence[str]] = (),
) -> bytes:
    """The page.

    Args:
        about: What was compared.
        documents: The title and the texts of each document that is shown, and for each summary
            the spans of its unsupported sentences.
        judged: Rows of the table of blind judging, its heads first; none for no table.

    Returns:
        HTML in UTF-8.
    """
    title = escape(f"{about.pairs}: {', '.join(system.title for system in about.systems)}")
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">",
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title>",
        f"<style>{_STYLE}</style></head><body>",
        "<main><h1>Comparison of summaries</h1>",
        f"<p>{escape(_facts(about))}</p>",
        *_scores(about),
        *_differences(about),
        *_table("Blind judging", list(judged)),
    ]
    for name, texts, unsupported in documents:
        lines += _document(name, texts, unsupported, about)
    lines += ["</main><footer>", *_recipes(about), "</footer></body></html>"]
    return ("\n".join(lines) + "\n").encode("utf-8", "replace")


def _facts(about: Comparison) -> str:
    split = f", {about.split} split" if about.split else ""
    return f"{about.documents} documents of {about.pairs}{split}. Made {about.made[:10]}."


def _scores(about: Comparison) -> Iterator[str]:
    scores = about.systems[0].scores
    measures = [score for score in scores if not _is_in_csv_alone(score.measure)]
    rows = [["Measure", *(system.title for system in about.systems)]]
    for measure in measures:
        found = (system.score(measure.measure) for system in about.systems)
        rows.append([_head(measure), *(_told(score) if score else "" for score in found)])
    yield from _table("Scores, with 95 % intervals", rows)


def _differences(about: Comparison) -> Iterator[str]:
    first, *others = about.systems
    rows = [["Measure", *(f"{other.title} less {first.title}" for other in others)]]
    for measure in first.scores:
        found = [_ahead(other.score(measure.measure), about.documents) for other in others]
        is_told = not _is_in_csv_alone(measure.measure) and measure.measure != _REFERENCE
        if any(found) and is_told:
            rows.append([_head(measure), *found])
    yield from _table("Differences; * where the 95 % interval excludes 0", rows)


def _is_in_csv_alone(measure: str) -> bool:
    """Whether a measure is a part of another one that the tables have: ROUGE's, not content's."""
    return measure.startswith("rouge") and measure.endswith((" precision", " recall"))


def _ahead(score: KeptScore | None, num_documents: int) -> str:
    """How far a system is ahead of the first: "−18.58 (−22.79 to −14.69) *"."""
    ahead = score.ahead if score is not None else None
    if ahead is None:
        return ""
    star = " *" if is_clear(ahead, num_documents) else ""
    told = f"{ahead.value:+.2f} ({format_interval(ahead.low, ahead.high, '+.2f')}){star}"
    return told.replace("-", "−")


def _table(title: str, rows: Sequence[Sequence[str]]) -> Iterator[str]:
    if len(rows) < 2:
        return
    yield f"<h2>{escape(title)}</h2><table>"
    for at, row in enumerate(rows):
        tag = "td" if at else "th"
        yield "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in row) + "</tr>"
    yield "</table>"


def _document(
    name: str, texts: ComparedTexts, unsupported: Sequence[Sequence[Span]], about: Comparison
) -> Iterator[str]:
    yield f'<section><h2 dir="auto">{escape(name)}</h2><div class="texts">'
    if texts.reference:
        yield f'<div><h3>Reference</h3><p dir="auto">{escape(texts.reference)}</p></div>'
    for system, output, spans in zip(about.systems, texts.outputs, unsupported, strict=True):
        body = _marked(output, spans)
        yield f'<div><h3>{escape(system.title)}</h3><p dir="auto">{body}</p></div>'
    yield "</div>"
    if texts.document:
        yield f'<details><summary>Source</summary><p dir="auto">{escape(texts.document)}</p>'
        yield "</details>"
    yield "</section>"


def _marked(text: str, spans: Sequence[Span]) -> str:
    parts, done = [], 0
    for start, end in spans:
        parts += [escape(text[done:start]), '<u title="no support in the source">',
                  escape(text[start:end]), "</u>"]  # fmt: skip
        done = end
    return "".join([*parts, escape(text[done:])])


def _recipes(about: Comparison) -> Iterator[str]:
    yield "<h2>How the scores were made</h2>"
    for system in about.systems:
        yield f"<p>{escape(system.title)}: {escape(system.description)}</p>"
    yield from (f"<p>{escape(name)}: {escape(told)}.</p>" for name, told in about.recipes.items())
    yield from (f"<p>{escape(warning)}</p>" for warning in about.warnings)


def _head(score: KeptScore) -> str:
    """The name of a measure with its unit: "ROUGE-1 F1, %"."""
    name = score.measure
    if name.startswith(("rouge", "bleu")):
        name = name.upper().replace("ROUGE-LSUM", "ROUGE-Lsum")
    else:
        name = name[:1].upper() + name[1:]
    return f"{name}, %" if score.unit == "%" else name


def _told(score: KeptScore) -> str:
    if score.low is None or score.high is None:
        return f"{score.value:.2f}"
    return f"{score.value:.2f} ({score.low:.2f} to {score.high:.2f})"
