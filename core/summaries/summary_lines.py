"""What is said of a summary: what was read and left out, its length, and what supports it."""

from collections.abc import Iterator

from core.documents.document import LeftOut, Reading
from core.documents.languages import language_of
from core.numbers import format_count, format_pages, format_quantity, format_seconds, format_share
from core.summaries.summary import Doubt, Summary, SummarySentence


def describe_left_out(item: LeftOut) -> str:
    """What is missing, how much of it and why, as a clause without a full stop."""
    amounts = [format_quantity(item.words, "word")] if item.words else []
    if item.pages:
        amounts.append(format_pages(item.pages))
    amount = f" ({', '.join(amounts)})" if amounts else ""
    return f"{item.what}{amount}, as {item.why}"


def describe_doubt(sentence: SummarySentence, doubt: Doubt) -> str:
    """What is doubtful in a summary sentence, as a sentence of its own."""
    words = f"“{sentence.text[doubt.start : doubt.end]}”"
    if doubt.kind == "negation":
        return f"The source seems to say this without {words}."
    if doubt.kind == "unit":
        return f"The source gives the number in {words} with another unit."
    if doubt.elsewhere:
        return f"{words} is in the source, but in another context."
    return f"{words} is not in the source."


def reading_line(read: Reading) -> str:
    """How much of the source was read: "Read all 14 962 words (30 pages)."."""
    missed_words = sum(item.words for item in read.left_out if item.missed)
    words = format_quantity(read.words, "word")
    if read.complete:
        words = f"all {words}" if read.words != 1 else words
    elif missed_words:
        of_words = format_quantity(read.words + missed_words, "word")
        words = f"{format_count(read.words)} of {of_words}"
    if not read.of_pages:
        return f"Read {words}."
    pages = format_quantity(read.of_pages, "page")
    missed = {page for item in read.left_out if item.missed for page in item.pages}
    if missed and read.pages < read.of_pages:
        pages = f"{format_count(read.pages)} of {pages}"
    return f"Read {words} ({pages})."


def left_out_line(read: Reading) -> str:
    """What a reader of the summary may miss, and why; empty when that is nothing."""
    missed = [describe_left_out(item) for item in read.left_out if item.missed]
    return f"Left out: {'; '.join(missed)}." if missed else ""


def taken_out_line(read: Reading) -> str:
    """What was taken out of the text without loss, such as page numbers; or empty."""
    furniture = [item for item in read.left_out if not item.missed]
    names = ", ".join(dict.fromkeys(item.what for item in furniture))
    words = sum(item.words for item in furniture)
    amount = f" ({format_quantity(words, 'word')})" if words else ""
    return f"Taken out: {names}{amount}." if names else ""


def language_name(read: Reading) -> str:
    """The language of the text, and how it was found: "German (guessed)"."""
    name = language_of(read.language).name
    if not read.language:
        return name
    return f"{name} ({'guessed' if read.language_guessed else 'chosen'})"


def language_line(read: Reading) -> str:
    """The language of the text: "Language: German (guessed)."."""
    instead = "" if read.language else "; the rules for English were used"
    return f"Language: {language_name(read)}{instead}."


def size_line(summary: Summary) -> str:
    """How long a summary is: "9 sentences, 218 words, 1.5 % of the text."."""
    sentences = format_quantity(len(summary.sentences), "sentence")
    share = format_share(summary.words, summary.read.words)
    return f"{sentences}, {format_quantity(summary.words, 'word')}, {share} of the text."


def support_line(summary: Summary) -> str:
    """How much of a summary the source does not support; empty if it supports everything."""
    bare = sum(not one.evidence for one in summary.sentences)
    doubtful = sum(bool(one.evidence and one.doubts) for one in summary.sentences)
    parts = (
        (bare, "no support in the source"),
        (doubtful, "words that the source does not confirm"),
    )
    return " ".join(
        f"{format_quantity(number, 'sentence')} {'has' if number == 1 else 'have'} {what}."
        for number, what in parts
        if number
    )


def notes_of(summary: Summary) -> Iterator[str]:
    """What a reader should know about a summary: what was read first, then warnings."""
    read = summary.read
    first = (coverage_line(summary), language_line(read), support_line(summary))
    said = dict.fromkeys((*first, *read.notes, *summary.notes, taken_out_line(read)))
    yield from (note for note in said if note)


def coverage_line(summary: Summary, *, timed: bool = True) -> str:
    """The line above every summary: what was read, the size of the summary, what is missing.

    Args:
        summary: The summary.
        timed: Whether to include the time taken; reproducible files do not.

    Returns:
        "Read all 14 962 words (30 pages). 9 sentences, 218 words, 1.5 % of the text. 0.4 s.",
        and a further sentence when something is missing (then `Reading.complete` is false).
    """
    seconds = f"{format_seconds(summary.seconds)}." if timed and summary.seconds else ""
    parts = (reading_line(summary.read), size_line(summary), seconds, left_out_line(summary.read))
    return " ".join(part for part in parts if part)


def edits_line(summary: Summary) -> str:
    """What was edited by hand, without a full stop: "1 sentence pinned, 2 dropped"; or ""."""
    counts = {
        "pinned": sum(sentence.pinned for sentence in summary.sentences),
        "dropped": len(summary.edits.dropped),
        "replaced": len(summary.edits.replaced),
    }
    edits = [(count, deed) for deed, count in counts.items() if count]
    if not edits:
        return ""
    (count, deed), *others = edits
    told = [f"{format_count(count)} {deed}" for count, deed in others]
    return ", ".join([f"{format_quantity(count, 'sentence')} {deed}", *told])
