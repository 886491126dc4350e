"""What every format says, in words; the formats only lay it out."""

import re
from dataclasses import dataclass
from html import escape

from core.summaries.summary import Doubt, Evidence, Quotable, Summary, SummarySentence
from core.summaries.summary_lines import (
    coverage_line,
    describe_doubt,
    describe_left_out,
    language_line,
    support_line,
)
from core.version import VERSION

EVIDENCE_HEADING = "Where each sentence comes from"
READ_HEADING = "What was read"
MADE_HEADING = "How it was made"
_MOST_QUOTED, _LONGEST_QUOTE = 20, 80
NO_SUPPORT = "No support was found in the source."

_VERBATIM = "every sentence is quoted verbatim from the source"
_ADAPTED = (
    "every sentence is quoted from the source; openings that join a sentence to its place, "
    "citations and references in brackets are taken out, and square brackets spell out "
    "abbreviations"
)
# What no XML file may hold, and what has no place in a line of text.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_LINE_BREAKS = re.compile("[ \t]*[\t\r\n\x85\u2028\u2029][ \t\r\n\x85\u2028\u2029]*")


@dataclass(frozen=True)
class Passage:
    """One piece of evidence, ready to be printed.

    Args:
        place: "p. 7, [0032]".
        quotation: What the source says there, on one line, without quotation marks.
    """

    place: str
    quotation: str


def clean(text: str) -> str:
    """Text on one line, without what no file format can hold."""
    return _on_one_line(text).strip()


def clean_lines(text: str) -> str:
    """Text with its line breaks, without what no file format can hold."""
    return _CONTROL.sub("\ufffd", text)


def _on_one_line(text: str) -> str:
    return _CONTROL.sub("\ufffd", _LINE_BREAKS.sub(" ", text))


def title_of(summary: Summary) -> str:
    """The title, or the source's name when there is none."""
    return clean(summary.title) or clean(summary.source.name) or "Summary"


def place(evidence: Evidence) -> str:
    """Where a piece of evidence stands: "p. 7, [0032]", or "para. 12" without pages."""
    label = evidence.paragraph
    paragraph = label if label.startswith("[") else f"para. {label}"
    return f"p. {evidence.page}, {paragraph}" if evidence.page else paragraph


def quotation(document: Quotable, evidence: Evidence) -> str:
    """The words of the source, on one line."""
    return clean(document.passage(evidence.start, evidence.end))


def passages(document: Quotable, sentence: SummarySentence) -> list[Passage]:
    """The evidence of one sentence, ready to be printed; empty when nothing supports it."""
    return [Passage(place(item), quotation(document, item)) for item in sentence.evidence]


def doubt_lines(sentence: SummarySentence) -> list[str]:
    """What in a sentence the source does not have, a sentence each."""
    return [clean(describe_doubt(sentence, doubt)) for doubt in sentence.doubts]


def pieces(sentence: SummarySentence) -> list[tuple[str, Doubt | None]]:
    """The words of a sentence, clean, in pieces: those that are doubtful, and those between."""
    found: list[tuple[str, Doubt | None]] = []
    at = 0
    for doubt in sentence.doubts:
        found.append((sentence.text[at : doubt.start], None))
        found.append((sentence.text[doubt.start : doubt.end], doubt))
        at = doubt.end
    found.append((sentence.text[at:], None))
    return [(_on_one_line(words), doubt) for words, doubt in found if words]


def reference(title: str, sentence: SummarySentence) -> str:
    """A sentence with its source, as it is copied: “…” (title, p. 7, [0032]).

    Args:
        title: The document's title.
        sentence: The sentence.

    Returns:
        One line; several places are separated by semicolons, a sentence without evidence has the
        title alone, and the speaker of a transcript stands before the title.
    """
    places = "; ".join(place(item) for item in sentence.evidence)
    source = ", ".join(part for part in (clean(sentence.speaker), clean(title), places) if part)
    return f"“{clean(sentence.text)}” ({source})" if source else f"“{clean(sentence.text)}”"


def reference_html(title: str, sentence: SummarySentence) -> str:
    """`reference` as a paragraph of HTML, for the clipboard."""
    places = "; ".join(place(item) for item in sentence.evidence)
    cited = f"<cite>{escape(clean(title))}</cite>" if clean(title) else ""
    parts = [escape(clean(sentence.speaker)), cited, escape(places)]
    source = ", ".join(part for part in parts if part)
    words = f"“{escape(clean(sentence.text))}”"
    return f"<p>{words} ({source})</p>" if source else f"<p>{words}</p>"


def reading_lines(summary: Summary) -> list[str]:
    """What was read and what was not, a sentence or two each; the same for the same summary."""
    furniture = [item for item in summary.read.left_out if not item.missed]
    lines = [line for line in (coverage_line(summary, timed=False), support_line(summary)) if line]
    if furniture:
        told = "; ".join(describe_left_out(item) for item in furniture)
        lines.append(f"Taken out, without loss: {told}.")
    lines.append(language_line(summary.read))
    lines += dict.fromkeys((*summary.read.notes, *summary.notes))
    return [clean(line) for line in lines]


def edit_lines(summary: Summary, document: Quotable) -> list[str]:
    """What was pinned, dropped and replaced by hand, a sentence each."""
    pinned = [str(n) for n, sentence in enumerate(summary.sentences, 1) if sentence.pinned]
    lines = [f"Pinned by hand: {_listed(pinned)}."] if pinned else []
    edits = summary.edits
    for deed, taken_out in (("Dropped", edits.dropped), ("Replaced", edits.replaced)):
        quotes = [f"“{_beginning(document, item)}” ({place(item)})" for item in taken_out]
        if quotes:
            more = len(quotes) - _MOST_QUOTED
            told = "; ".join(quotes[:_MOST_QUOTED]) + (f"; and {more} more" if more > 0 else "")
            lines.append(f"{deed} by hand: {told}.")
    return lines


def _listed(numbers: list[str]) -> str:
    return f"sentence{'' if len(numbers) == 1 else 's'} {', '.join(numbers)}"


def _beginning(document: Quotable, evidence: Evidence) -> str:
    words = quotation(document, evidence)
    return words if len(words) <= _LONGEST_QUOTE else f"{words[: _LONGEST_QUOTE - 1].rstrip()}…"


def made_lines(summary: Summary, document: Quotable) -> list[str]:
    """What made the summary, its length and what was edited; no date: files can be compared."""
    model = _made_by(summary)
    lines = [
        f"Made by Epitome {VERSION} with {model}.",
        f"Requested length: {summary.length}.",
    ]
    if summary.source.sha256:
        lines.append(f"Source: {summary.source.name}, SHA-256 {summary.source.sha256}.")
    lines += edit_lines(summary, document)
    return [clean(line) for line in lines]


def _made_by(summary: Summary) -> str:
    if summary.model != "built-in":
        return f"the model {summary.model}"
    adapted = any(each.trimmed or each.spelt_out for each in summary.sentences)
    return f"its built-in summariser: {_ADAPTED if adapted else _VERBATIM}"
