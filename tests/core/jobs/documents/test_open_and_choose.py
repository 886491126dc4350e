"""From a file to a summary: what the window and the command line do."""

from pathlib import Path

import numpy as np
import pytest

from core.distribution.resources import resource
from core.documents.document import Block, Document, Kind, Source
from core.events import Failed, Finished, Message, Progress, result_of
from core.jobs.call import CallJob
from core.jobs.documents.open_document import DocumentRanked, DocumentRead, OpenJob
from core.jobs.run import run_inline
from core.jobs.sources.sources import SourceRef
from core.jobs.summaries.summarise import SummariseJob, SummariseSettings
from core.library.kept_copy import read_copy
from core.stop import StopToken
from core.summaries.summary import Length
from core.summarisers.built_in import rank_document
from core.summarisers.choice import choose

SAMPLES = ("patent.pdf", "report.docx", "article.md")


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_read_ranked_and_summarised_the_same_every_time(name: str) -> None:
    job = SummariseJob(SourceRef(path=resource("samples", name)), SummariseSettings(length="6s"))
    texts = []
    for _ in range(2):
        *_, last = run_inline(job, StopToken())
        assert isinstance(last, Finished)
        summary, document = last.result.summary, last.result.document
        texts.append(summary.text)
        assert len(summary.sentences) == 6
        for sentence in summary.sentences:
            (evidence,) = sentence.evidence
            quoted = document.text[evidence.start : evidence.end]
            assert " ".join(quoted.split()) == sentence.text
            assert bool(evidence.page) == (name == "patent.pdf")
    assert texts[0] == texts[1]


def test_the_window_gets_the_document_before_its_ranking(tmp_path: Path) -> None:
    kept = tmp_path / "document.bin"
    source = SourceRef(path=resource("samples", "article.md"))
    events = list(run_inline(OpenJob(source, kept), StopToken()))
    kinds = [type(event) for event in events if not isinstance(event, Progress)]
    assert kinds[1:] == [DocumentRead, DocumentRanked, Finished]
    assert read_copy(kept).title == "The clock that listens to the sea"


def test_a_document_is_opened_and_ranked_in_the_language_that_was_said() -> None:
    text = "Sie wussten es. Der Rat ersetzt die Brücke, die seit der Flut nicht mehr steht. " * 2
    german, italian = (
        list(run_inline(OpenJob(SourceRef(text=text), language=code), StopToken()))
        for code in ("auto", "it")
    )
    for events, code, sentences in ((german, "de", 4), (italian, "it", 2)):
        assert isinstance(events[-1], Finished)
        (document,) = (event.document for event in events if isinstance(event, DocumentRead))
        (ranked,) = (event for event in events if isinstance(event, DocumentRanked))
        assert document.reading.language == code
        assert len(ranked.ranking.starts) == sentences


def test_a_document_opens_also_where_no_copy_of_it_can_be_kept(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    source = SourceRef(path=resource("samples", "article.md"))
    events = list(run_inline(OpenJob(source, tmp_path / "file" / "document.bin"), StopToken()))
    told = [event.text for event in events if isinstance(event, Message)]
    assert len(told) == 1
    assert told[0].startswith("The document cannot be restored after a crash.")
    assert isinstance(events[-1], Finished)


def test_a_kept_copy_gives_the_same_summary(tmp_path: Path) -> None:
    kept = tmp_path / "document.bin"
    source = SourceRef(path=resource("samples", "patent.pdf"))

    def summary_of(job: OpenJob) -> str:
        events = list(run_inline(job, StopToken()))
        document = next(e.document for e in events if isinstance(e, DocumentRead))
        ranked = next(e.ranking for e in events if isinstance(e, DocumentRanked))
        *_, last = run_inline(CallJob(choose, document, ranked, Length(5)), StopToken())
        assert isinstance(last, Finished)
        return str(last.result.text)

    assert summary_of(OpenJob(source, kept)) == summary_of(OpenJob(SourceRef(kept=kept)))


def test_a_damaged_copy_is_told(tmp_path: Path) -> None:
    kept = tmp_path / "document.bin"
    kept.write_bytes(b"not one")
    *_, last = run_inline(OpenJob(SourceRef(kept=kept)), StopToken())
    assert last == Failed(
        "The saved copy of the document is damaged.", "Open the document's file again."
    )


def test_only_running_text_is_ranked() -> None:
    blocks = [
        Block("Heat pumps move heat from cold to warm places.", Kind.HEADING, 1),
        Block("A heat pump moves heat. It needs power for that. Cold places lose heat."),
        Block("Fig. 1: Heat pump moves heat and heat and heat.", Kind.CAPTION),
        Block("[1] A. Heat, Heat pumps move heat, 1999.", Kind.REFERENCE),
    ]
    document = Document.from_blocks(blocks, title="T", source=Source("t"))
    ranking = result_of(rank_document(document, StopToken()))
    paragraphs = {document.paragraph_at(int(ranking.starts[i])) for i in ranking.by_words.indices}
    assert paragraphs == {1}
    assert 1 <= ranking.by_words.num_rankable <= 3


def test_a_document_of_headings_alone_is_ranked_all_the_same() -> None:
    blocks = [Block(f"Heading number {n} of many", Kind.HEADING, 1) for n in range(5)]
    document = Document.from_blocks(blocks, title="T", source=Source("t"))
    assert len(result_of(rank_document(document, StopToken())).by_words.indices) == 5


def test_scripts_without_latin_letters_are_ranked() -> None:
    text = "热泵把热量从冷处搬到热处。它需要电力。没有电力就没有热量。猫在睡觉。"
    document = Document.from_blocks([Block(text)], title="T", source=Source("t"))
    ranking = result_of(rank_document(document, StopToken()))
    assert len(ranking.by_words.indices) == 4
    assert np.all(np.isfinite(ranking.by_words.scores))


def test_a_stop_ends_the_job_at_once() -> None:
    stop = StopToken()
    stop.request("cancel")
    events = list(run_inline(OpenJob(SourceRef(text="Some words. " * 40)), stop))
    assert type(events[-1]).__name__ == "Stopped"
