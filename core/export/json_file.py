"""A summary as JSON, in the envelope that the command prints too."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from core.documents.document import LeftOut, Reading
from core.documents.languages import AUTO, language_of
from core.export.parts import clean, quotation
from core.summaries.summary import Doubt, Evidence, OutlineEntry, Quotable, Summary, SummarySentence


def render_json(summary: Summary, document: Quotable, quotations: bool = True) -> bytes:
    """The summary in the envelope of ``epitome summarise --json``, always with its evidence."""
    read = summary.read
    language = AUTO if read.language_guessed else read.language
    settings = {"length": str(summary.length), "model": summary.model, "language": language}
    timings_s = {"total": summary.seconds}
    return to_json(summary_envelope(summary, document, settings, timings_s))


def to_json(value: Any) -> bytes:
    """Plain values as indented JSON in UTF-8, ended by a line feed."""
    text = json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)
    return (text + "\n").encode("utf-8", "replace")


def envelope(
    command: str,
    document: Quotable | None,
    settings: dict[str, Any],
    result: dict[str, Any],
    timings_s: dict[str, float],
    warnings: Iterable[str] = (),
) -> dict[str, Any]:
    """What every command prints with ``--json``.

    Args:
        command: Its name.
        document: What it read; None when it read nothing.
        settings: All its settings, those left alone included; never a password.
        result: What it made.
        timings_s: Seconds by step.
        warnings: What a reader of the result should know, one sentence each.

    Returns:
        Plain values for `to_json`.
    """
    return {
        "schema": f"epitome.{command}/1",
        "inputs": [document_facts(document)] if document else [],
        "settings": settings,
        "result": result,
        "timings_s": {step: round(seconds, 4) for step, seconds in timings_s.items()},
        "warnings": list(warnings),
    }


def summary_envelope(
    summary: Summary,
    document: Quotable,
    settings: dict[str, Any],
    timings_s: dict[str, float],
    outline: Iterable[OutlineEntry] = (),
) -> dict[str, Any]:
    """The envelope of one summary.

    Args:
        summary: The summary.
        document: The document it was made of.
        settings: The settings that made it.
        timings_s: Seconds by step.
        outline: The headings of the document.

    Returns:
        Plain values for `to_json`.
    """
    read = summary.read
    result: dict[str, Any] = {
        "sentences": [sentence_value(document, sentence) for sentence in summary.sentences],
        "edits": {
            "dropped": [_evidence(document, item) for item in summary.edits.dropped],
            "replaced": [_evidence(document, item) for item in summary.edits.replaced],
        },
        "read": reading_value(read),
    }
    if headings := [asdict(entry) for entry in outline]:
        result["outline"] = headings
    warnings = dict.fromkeys((*read.notes, *summary.notes))
    return envelope("summarise", document, settings, result, timings_s, warnings)


def reading_value(read: Reading) -> dict[str, Any]:
    """The coverage of a source, as plain values."""
    return {
        "words": read.words,
        "of_words": read.of_words,
        "pages": read.pages,
        "of_pages": read.of_pages,
        "language": {
            "code": read.language,
            "name": language_of(read.language).name,
            "guessed": read.language_guessed,
        },
        "left_out": [_left_out(item) for item in read.left_out],
    }


def document_facts(document: Quotable) -> dict[str, Any]:
    """What an envelope says of an input."""
    return {
        "path": document.source.path or document.source.name,
        "sha256": document.source.sha256,
        "title": clean(document.title),
        "words": document.reading.words,
        "pages": document.reading.of_pages,
    }


def sentence_value(document: Quotable, sentence: SummarySentence) -> dict[str, Any]:
    """A sentence with its evidence, as plain values."""
    return {
        "text": clean(sentence.text),
        "speaker": clean(sentence.speaker),
        "evidence": [_evidence(document, item) for item in sentence.evidence],
        "score": sentence.score,
        "pinned": sentence.pinned,
        "doubts": [_doubt(sentence, item) for item in sentence.doubts],
        "trimmed": sentence.trimmed,
        "spelt_out": sentence.spelt_out,
        "question": clean(sentence.question),
    }


def _doubt(sentence: SummarySentence, item: Doubt) -> dict[str, Any]:
    return {
        "start": item.start,
        "end": item.end,
        "kind": item.kind,
        "elsewhere": item.elsewhere,
        "text": clean(sentence.text[item.start : item.end]),
    }


def _evidence(document: Quotable, item: Evidence) -> dict[str, Any]:
    return {
        "start": item.start,
        "end": item.end,
        "page": item.page,
        "sentence": item.sentence,
        "paragraph": item.paragraph,
        "quotation": quotation(document, item),
    }


def _left_out(item: LeftOut) -> dict[str, Any]:
    return {
        "what": item.what,
        "why": item.why,
        "words": item.words,
        "pages": list(item.pages),
    }
