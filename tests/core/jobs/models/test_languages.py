"""Documents in many languages, from the file to the summary with its evidence."""

import json
import re
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest

from core.cli.main import main
from core.distribution.resources import resource
from core.documents.document import Kind, count_words
from core.events import Finished
from core.jobs.run import run_inline
from core.jobs.sources.sources import SourceRef
from core.jobs.summaries.summarise import Summarised, SummariseJob, SummariseSettings
from core.stop import StopToken
from core.summarisers.presentation.trimming import trim_sentence
from core.summarisers.rules.defects import rules_for
from tests.helpers.schemas import validate

FOLDER = Path(__file__).parents[3] / "reference" / "languages" / "documents"
DOCUMENTS = sorted(FOLDER.glob("*.md"))
EUROPEAN = ("de", "en", "es", "fr", "it", "nl", "pt", "ru")
NO_STOPS = "th"  # Thai marks no ends of sentences

# What no summary may hold: a pointer, an item of a list, a caption, an entry of the references.
RUBBLE = {
    "de": ["Siehe Abb.", "Tabelle 2", "eine Hängebrücke", "Abbildung 1", "Straßenbau (2023)"],
    "en": ["See Fig.", "Figure 1"],
    "es": ["Véase", "La tabla 3", "multas", "Figura 1", "Granada"],
    "fr": ["Voir la", "Le tableau", "aides-bergers", "Figure 1", "Bilan annuel"],
    "it": ["Si veda", "La tabella", "ascensore", "Figura 1", "Torino"],
    "nl": ["Zie afb", "Tabel 3", "rivierarm", "Figuur 1", "Nijmegen"],
    "pt": ["Ver a fig", "A tabela", "granito", "Figura 1", "Setúbal"],
    "ru": ["См. рис", "В табл", "канатную", "Рисунок 1", "Пермь"],
}
# Headings that a plain text gives away by their words.
NAMED = {
    "de": {"ausgangslage", "fazit", "literatur"},
    "en": {"results", "conclusion"},
    "es": {"antecedentes", "resultados", "conclusiones", "referencias"},
    "fr": {"conclusion", "bibliographie"},
    "it": {"conclusioni", "bibliografia"},
    "nl": {"achtergrond", "conclusie", "literatuur"},
    "pt": {"contexto", "resultados", "conclusão", "referências"},
    "ru": {"результаты", "выводы", "литература"},
}


def summarised(path: Path, length: str, language: str = "auto") -> Summarised:
    settings = SummariseSettings(length=length, language=language)
    *_, last = run_inline(SummariseJob(SourceRef(path=path), settings), StopToken())
    assert isinstance(last, Finished)
    return last.result


def test_there_is_a_document_in_each_of_the_languages_that_are_promised() -> None:
    assert {*EUROPEAN, "zh", "ja", "ar", "ko", "th"} == {path.stem for path in DOCUMENTS}


@pytest.mark.parametrize("length", ["3s", "9s", "60w", "30%"])
@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_a_summary_is_whole_sentences_with_their_evidence(path: Path, length: str) -> None:
    made = summarised(path, length)
    document, summary = made.document, made.summary
    assert (summary.read.language, summary.read.language_guessed) == (path.stem, True)
    assert summary.sentences
    rules = rules_for(path.stem)
    last = -2
    for sentence in summary.sentences:
        (evidence,) = sentence.evidence
        quotation = document.text[evidence.start : evidence.end]
        whole = " ".join(quotation.split())
        assert sentence.text == trim_sentence(whole, path.stem)
        if rules is not None:
            assert path.stem == NO_STOPS or rules.find_defect(whole) is None
            assert not rules.is_dependent(whole) or evidence.sentence == last + 1
        assert evidence.sentence > last
        last = evidence.sentence
    limit = {"60w": 60, "30%": 0.3 * count_words(document.text)}.get(length)
    assert limit is None or summary.words <= limit


@pytest.mark.parametrize("code", EUROPEAN)
def test_rubble_is_in_no_summary_however_long(code: str) -> None:
    told = summarised(FOLDER / f"{code}.md", "100%").summary.text
    assert [piece for piece in RUBBLE[code] if piece in told] == []


def as_text(code: str) -> bytes:
    """The document without marks: headings are lines of their own."""
    text = (FOLDER / f"{code}.md").read_text("utf-8")
    return re.sub(r"^#+ ", "", text, flags=re.MULTILINE).encode()


def as_pdf(code: str) -> bytes:
    """The document set in narrow columns of pages, as words do not end where lines do."""
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont
    from reportlab.platypus import Paragraph, SimpleDocTemplate

    font = resource("fonts", "SourceSerif4-Regular.ttf")
    pdfmetrics.registerFont(TTFont("Source Serif", str(font)))
    body = ParagraphStyle("body", fontName="Source Serif", fontSize=11, leading=14)
    head = ParagraphStyle("head", body, fontSize=16, leading=20, spaceBefore=10, spaceAfter=6)
    lines = [line for line in (FOLDER / f"{code}.md").read_text("utf-8").split("\n") if line]
    story = [Paragraph(line.lstrip("#- "), head if line[0] == "#" else body) for line in lines]
    SimpleDocTemplate(buffer := BytesIO(), pagesize=(320, 500), leftMargin=30).build(story)
    return buffer.getvalue()


@pytest.mark.parametrize("made", [as_text, as_pdf])
@pytest.mark.parametrize("code", EUROPEAN)
def test_sections_references_and_captions_are_known_without_marks(
    code: str, made: Callable[[str], bytes]
) -> None:
    job = SummariseJob(SourceRef(data=made(code), name="report"), SummariseSettings(length="100%"))
    *_, last = run_inline(job, StopToken())
    assert isinstance(last, Finished)
    summary = last.result.summary
    assert summary.read.language == code
    pieces = [piece for piece in RUBBLE[code] if piece[0].isupper()]  # a list has no marks there
    assert [piece for piece in pieces if piece in summary.text] == []
    document = last.result.document
    heads = document.kinds == Kind.HEADING
    named = {document.paragraph(index).lower() for index in range(len(heads)) if heads[index]}
    assert NAMED[code] <= named


@pytest.mark.parametrize("code", [code for code in EUROPEAN if code != "en"])
def test_a_short_summary_begins_with_the_lead_and_holds_a_later_part(code: str) -> None:
    summary = summarised(FOLDER / f"{code}.md", "5s").summary
    paragraphs = [int(sentence.evidence[0].paragraph) for sentence in summary.sentences]
    assert paragraphs[0] == 1
    assert paragraphs[-1] > 4


def test_the_command_tells_the_guess_and_takes_another_language(
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = str(FOLDER / "de.md")
    assert main(["summarise", path, "--length", "2s"]) == 0
    assert "Language: German (guessed)." in capsys.readouterr().err
    assert main(["summarise", path, "--length", "2s", "--language", "nl", "--json"]) == 0
    out, err = capsys.readouterr()
    value = json.loads(out)
    validate(value, "summarise")
    assert value["settings"]["language"] == "nl"
    told = {"code": "nl", "name": "Dutch", "guessed": False}
    assert value["result"]["read"]["language"] == told
    assert "Language: Dutch (chosen)." in err


def test_a_language_that_there_is_not_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["summarise", str(FOLDER / "de.md"), "--language", "german"]) == 2
    told = capsys.readouterr().err
    assert "“german” is no language; auto is allowed" in told
    assert "de (German)" in told


def test_exports_say_which_language_was_taken(tmp_path: Path) -> None:
    path = tmp_path / "out.md"
    assert main(["summarise", str(FOLDER / "ru.md"), "--out", str(path), "--quiet"]) == 0
    assert "Language: Russian (guessed)." in path.read_text("utf-8")
