"""`epitome summarise`: results on standard output, all else on standard error."""

import errno
import io
import json
import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

from core.cli.main import COMMANDS, _says_closed_pipe, main
from core.library.folders import Folders
from core.library.history import History
from core.library.history_entry import Entry
from core.library.preferences import Preferences, save_preferences
from core.version import VERSION
from tests.core.cli.conftest import SENTENCES
from tests.helpers.command import PROGRAM, ROOT, epitome, start, wait_until
from tests.helpers.endless_pdf import endless_pdf
from tests.helpers.schemas import validate
from tests.helpers.systems import on_posix

Captured = pytest.CaptureFixture[str]
NONE = str(Path("/none"))  # as this system writes it


def test_one_source_gives_its_sentences_alone(report: Path, capsys: Captured) -> None:
    assert main(["summarise", str(report), "--length", "3s"]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert len(lines) == 3 and set(lines) <= set(SENTENCES)
    assert lines == sorted(lines, key=SENTENCES.index)
    assert err.startswith("Read all ") and "3 sentences, " in err


def test_the_outline_has_headings_and_the_first_good_sentence_of_each(
    tmp_path: Path, capsys: Captured
) -> None:
    source = tmp_path / "bridge.md"
    body = " ".join(SENTENCES)
    source.write_text(f"# The bridge\n\n## Part one\n\n{body}\n\n## Part two\n", "utf-8")
    assert main(["summarise", str(source), "--outline"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if "art" in line[:8]] == ["  Part one", "  Part two"]
    (told,) = (line for line in lines if line.startswith("      "))
    assert told.strip() in SENTENCES
    assert main(["summarise", str(source), "--json", "--outline"]) == 0
    out, err = capsys.readouterr()
    assert "so --outline changes nothing" in err
    value = json.loads(out)
    validate(value, "summarise")
    assert [entry["title"] for entry in value["result"]["outline"]][-2:] == ["Part one", "Part two"]


def test_a_name_that_is_no_model_is_told_as_such(report: Path, capsys: Captured) -> None:
    assert main(["summarise", str(report), "--model", "nosuch"]) == 1
    out, err = capsys.readouterr()
    assert not out and "“nosuch” is no model; built-in is" in err
    assert "See epitome list models." in err


def test_quiet_says_nothing_but_the_result(report: Path, capsys: Captured) -> None:
    assert main(["summarise", str(report), "--quiet"]) == 0
    out, err = capsys.readouterr()
    assert out and err == ""


def test_evidence_brings_paragraphs_and_quotations(report: Path, capsys: Captured) -> None:
    assert main(["summarise", str(report), "--length", "2s", "--evidence"]) == 0
    out = capsys.readouterr().out
    assert "Where each sentence comes from" in out and "[1] para. " in out
    assert "Read all " in out


def test_json_is_the_envelope_of_the_schema(report: Path, capsys: Captured) -> None:
    assert main(["summarise", str(report), "--json", "--length", "2s"]) == 0
    value = json.loads(capsys.readouterr().out)
    validate(value, "summarise")
    usual = {"prompt": "", "engine": "auto", "language": "auto", "column": "", "lines": "auto"}
    assert value["settings"] == {"length": "2s", "model": "built-in", **usual}
    assert value["inputs"][0]["title"] == "A lithium cell"
    assert set(value["timings_s"]) == {"read", "rank", "choose"}
    for sentence in value["result"]["sentences"]:
        (evidence,) = sentence["evidence"]
        assert evidence["quotation"] == sentence["text"]


@pytest.mark.parametrize("ending", ["md", "txt", "html", "docx", "json"])
def test_out_writes_a_file_and_prints_nothing(
    report: Path, tmp_path: Path, capsys: Captured, ending: str
) -> None:
    path = tmp_path / f"out.{ending}"
    assert main(["summarise", str(report), "--out", str(path)]) == 0
    out, err = capsys.readouterr()
    assert out == "" and f"written to {path}." in err
    assert path.stat().st_size > 300
    if ending == "json":
        validate(json.loads(path.read_bytes()), "summarise")


def test_a_folder_gives_a_list_and_one_failure_stops_nothing(
    folder: Path, capsys: Captured
) -> None:
    assert main(["summarise", str(folder), "--json"]) == 1
    out, err = capsys.readouterr()
    values = json.loads(out)
    validate(values, "summarise")
    assert [Path(value["inputs"][0]["path"]).name for value in values] == ["a.md", "b.txt"]
    assert f"{folder}: 1 file passed over (1 .png)." in err
    assert err.rstrip().endswith(
        f"1 of 3 sources failed: {folder / 'broken.pdf'}. The others are done."
    )
    assert "Traceback" not in err


def test_a_folder_of_which_all_is_left_out_says_so(folder: Path, capsys: Captured) -> None:
    assert main(["summarise", str(folder), "--exclude", "*"]) == 1
    assert "not left out by --exclude (*)" in capsys.readouterr().err


def test_include_and_exclude_choose_in_folders(folder: Path, capsys: Captured) -> None:
    assert main(["summarise", str(folder), "--exclude", "*.pdf", "--quiet"]) == 0
    assert main(["summarise", str(folder), "--include", "deep/*", "--json"]) == 0
    value = json.loads(capsys.readouterr().out.partition("[\n")[2].join(["[", ""]))
    assert [Path(item["inputs"][0]["path"]).name for item in value] == ["b.txt"]
    assert main(["summarise", str(folder), "--include", "*.odt"]) == 1
    assert "The folder holds no file that is taken as a source (*.odt)." in capsys.readouterr().err


def test_several_sources_are_written_into_a_folder(
    folder: Path, report: Path, tmp_path: Path, capsys: Captured
) -> None:
    out = tmp_path / "new" / "summaries"
    twin = report.with_suffix(".txt")
    twin.write_text(" ".join(SENTENCES), "utf-8")
    command = ["summarise", str(report), str(twin), str(folder / "a.md"), "--out", str(out)]
    assert main([*command, "--format", "txt"]) == 0
    assert sorted(path.name for path in out.iterdir()) == ["a.txt", "report-2.txt", "report.txt"]


def test_a_folder_that_is_there_takes_a_single_summary_too(
    report: Path, tmp_path: Path, capsys: Captured
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    assert main(["summarise", str(report), "--out", str(out)]) == 0
    assert [path.name for path in out.iterdir()] == ["report.md"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--include", "*.pdf"], "--include and --exclude change nothing."),
        (["--json", "--evidence"], "--evidence changes nothing."),
        (["--format", "txt"], "--format changes nothing."),
    ],
)
def test_an_option_that_changes_nothing_is_told(
    report: Path, capsys: Captured, words: list[str], told: str
) -> None:
    assert main(["summarise", str(report), *words]) == 0
    assert told in capsys.readouterr().err.splitlines()[0]


def test_standard_input_is_a_source(
    report: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = io.TextIOWrapper(io.BytesIO(report.read_bytes()), "utf-8")
    monkeypatch.setattr(sys, "stdin", given)
    assert main(["summarise", "-", "--length", "10%"]) == 0
    assert capsys.readouterr().out.strip() in SENTENCES


def test_the_job_file_is_printed_and_read(report: Path, tmp_path: Path, capsys: Captured) -> None:
    command = ["summarise", str(report), "--length", "2s", "--evidence", "--print-config"]
    assert main(command) == 0
    file = tmp_path / "job.toml"
    file.write_text(capsys.readouterr().out, "utf-8")
    assert main(["summarise", "--config", str(file), "--no-evidence"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "The following arguments are required: COMMAND. See epitome --help."),
        (["fly"], "“fly” is not a command; the commands are " + ", ".join(COMMANDS) + "."),
        (["summarise"], "No source was named. Name a file, a folder, or - for a pipe."),
        (["summarise", "-", "-"], "Standard input (-) was named twice."),
        (["summarise", "x", "--length", "short"], "The length “short” is not one"),
        (["summarise", "x", "--out", "y.pages"], "“.pages” is not a format of summaries"),
        (["summarise", "x", "y", "--out", "z.md"], "“z.md” is one file"),
        (["summarise", "x", "--format", "pdf"], "“format” was 'pdf'"),
        (["summarise", "-", "--password-file", "-"], "cannot be both the source and the password"),
        (["summarise", "x", "--password-file", NONE], f"The password file {NONE} cannot be read"),
        (["summarise", "x", "--config", NONE], f"The job file {NONE} cannot be read"),
        (["summarise", "x", "--seed", "1"], "“--seed” is not an option of epitome summarise."),
    ],
)
def test_wrong_usage_is_code_2_and_one_sentence(
    words: list[str], told: str, capsys: Captured
) -> None:
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == "" and told in err and err.count("\n") == 1


def test_a_failure_is_code_1_one_sentence_and_a_remedy(tmp_path: Path, capsys: Captured) -> None:
    missing = tmp_path / "none.pdf"
    assert main(["summarise", str(missing)]) == 1
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and str(missing) in err


def test_a_place_that_cannot_be_written_is_told(
    report: Path, tmp_path: Path, capsys: Captured
) -> None:
    assert main(["summarise", str(report), "--out", str(tmp_path / "no" / "x.md")]) == 1
    assert "There is no folder" in capsys.readouterr().err
    assert main(["summarise", str(report), "--out", str(report)]) == 1
    assert "is one of the sources" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--version"], ["--help"], ["summarise", "--help"]])
def test_help_and_version_end_well(words: list[str], capsys: Captured) -> None:
    assert main(words) == 0
    told = capsys.readouterr().out
    assert told == f"epitome {VERSION}\n" if words == ["--version"] else "usage: epitome" in told


def an_encrypted_pdf(path: Path) -> None:
    from reportlab.lib.pdfencrypt import StandardEncryption
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(str(path), encrypt=StandardEncryption("open sesame", canPrint=0))
    for number, sentence in enumerate(SENTENCES):
        canvas.drawString(50, 800 - 20 * number, sentence)
    canvas.save()


def test_a_password_file_opens_an_encrypted_source_and_is_never_shown(
    tmp_path: Path, capsys: Captured
) -> None:
    pdf, secret = tmp_path / "locked.pdf", tmp_path / "secret"
    an_encrypted_pdf(pdf)
    assert main(["summarise", str(pdf)]) == 1
    told = capsys.readouterr().err
    assert "opens only with its password. Put it into a file, and name that with" in told
    secret.write_text("wrong", "utf-8")
    assert main(["summarise", str(pdf), "--password-file", str(secret)]) == 1
    assert "--password-file." in capsys.readouterr().err
    secret.write_text("open sesame\n", "utf-8")
    command = ["summarise", str(pdf), "--password-file", str(secret)]
    assert main([*command, "--json"]) == 0
    told = "".join(capsys.readouterr())
    assert main([*command, "--print-config"]) == 0
    assert "sesame" not in told + capsys.readouterr().out
    code, out, _ = epitome("summarise", str(pdf), "--password-file", "-", given=b"open sesame\n")
    assert code == 0 and out


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such terminals")
def test_on_a_terminal_there_is_a_bar_and_a_password_is_asked_for(tmp_path: Path) -> None:
    pdf = tmp_path / "locked.pdf"
    an_encrypted_pdf(pdf)
    told, out = on_a_terminal(["summarise", str(pdf)], {b"Password of": b"open sesame\n"})
    assert out.decode().splitlines()[0] in SENTENCES
    assert f"Password of {pdf}: " in told
    assert "░" in told
    assert "sesame" not in told


def on_a_terminal(words: list[str], answers: dict[bytes, bytes]) -> tuple[str, bytes]:
    """What a person sees at a terminal who answers questions, and the result."""
    screen, keyboard = os.openpty()
    process = subprocess.Popen(
        [*PROGRAM, *words],
        stdin=keyboard,
        stderr=keyboard,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        start_new_session=True,
    )
    os.close(keyboard)
    told = b""
    with process, os.fdopen(screen, "r+b", buffering=0) as terminal:
        with suppress(OSError):  # which is how a terminal says that the other side is gone
            while seen := terminal.read(4096):
                told += seen
                for question in [question for question in answers if question in told]:
                    terminal.write(answers.pop(question))
        assert process.stdout
        return told.decode(), process.stdout.read()


def test_a_reader_that_has_enough_is_no_failure(report: Path) -> None:
    with start("summarise", *[str(report)] * 40, "--length", "100%") as process:
        assert process.stdout and process.stderr
        process.stdout.close()
        err = process.stderr.read().decode()
    assert process.returncode == 0
    assert "Traceback" not in err and "Broken" not in err


@pytest.mark.parametrize(
    ("error", "system", "is_closed"),
    [
        (BrokenPipeError(errno.EPIPE, "Broken pipe"), "linux", True),
        (BrokenPipeError(errno.EPIPE, "Broken pipe"), "win32", True),
        (OSError(errno.EINVAL, "Invalid argument"), "win32", True),
        (OSError(errno.EINVAL, "Invalid argument"), "linux", False),
        (OSError(errno.EINVAL, "Invalid argument"), "darwin", False),
        (OSError(errno.EINVAL, "Invalid argument", "a?b.txt"), "win32", False),
        (OSError(errno.ENOSPC, "No space left on device"), "win32", False),
        (ValueError("errno 22"), "win32", False),
    ],
)
def test_windows_says_of_a_closed_pipe_that_the_argument_is_invalid(
    error: Exception, system: str, is_closed: bool
) -> None:
    assert _says_closed_pipe(error, system) == is_closed


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no SIGINT to one child")
@pytest.mark.parametrize("blocked", [True, False], ids=["waiting for a pipe", "at work"])
def test_ctrl_c_is_code_130_and_says_what_is_kept(
    report: Path, tmp_path: Path, blocked: bool
) -> None:
    second = tmp_path / "long.txt"
    if not blocked:
        second.write_text("\n\n".join(" ".join(SENTENCES) for _ in range(12_000)), "utf-8")
    out = tmp_path / "out"
    last = "-" if blocked else str(second)
    with start("summarise", str(report), last, "--out", str(out)) as process:
        assert process.stderr
        first = process.stderr.readline()
        process.stderr.readline()  # what was read of the first
        process.send_signal(signal.SIGINT)
        _, err = process.communicate()
    assert b"written to" in first
    assert process.returncode == 130, err.decode()
    assert f"Interrupted. 1 of 2 summaries kept in {out}." in err.decode()
    assert [path.name for path in out.iterdir()] == ["report.md"]


def unshared() -> tuple[str, ...]:
    """A command that starts another without any network, where the system allows it."""
    code = os.system("unshare -rn true 2>/dev/null") if sys.platform == "linux" else 1
    return ("unshare", "-rn") if code == 0 else ()


def test_it_works_with_the_network_cut(report: Path, folder: Path) -> None:
    # Every child of the tests is cut off by tests/helpers/offline; this one has no network at all.
    code, out, err = epitome("summarise", str(report), "--json", before=unshared())
    assert code == 0, err
    validate(json.loads(out), "summarise")


def test_it_loads_no_window_and_no_training() -> None:
    _, out, err = epitome_modules()
    heavy = {"PySide6", "gui", "torch", "transformers", "scipy", "pyarrow", "numba", "matplotlib"}
    assert not heavy & {name.partition(".")[0] for name in json.loads(out)}, err


def epitome_modules() -> tuple[int, str, str]:
    code = "import sys, json, core.cli.main; print(json.dumps(list(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    return done.returncode, done.stdout, done.stderr


def schema_breaks(value: Any) -> bool:
    try:
        validate(value, "summarise")
    except AssertionError:
        return True
    return False


def test_the_schema_refuses_what_is_not_in_it(report: Path, capsys: Captured) -> None:
    main(["summarise", str(report), "--json"])
    value = json.loads(capsys.readouterr().out)
    assert schema_breaks({**value, "more": 1})
    assert schema_breaks({**value, "schema": "epitome.summarise/2"})
    assert schema_breaks({**value, "settings": {**value["settings"], "password": "x"}})


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (["summarize", "a.md"], "“summarize” is not a command; the commands are summarise, read, "),
        (
            ["summarise", "a.md", "--lenght", "5s"],
            "“--lenght” is not an option of epitome",
        ),
        (["gsg", "a.md", "b.md"], "“b.md” is one name more than epitome gsg takes."),
        (["summarise", ""], "A source has an empty name."),
    ],
)
def test_what_was_mistyped_is_named(typed: list[str], told: str, capsys: Captured) -> None:
    assert main(typed) == 2
    assert told in capsys.readouterr().err


def test_a_file_that_looks_like_an_option_is_told_how_to_write_it(
    report: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(report.parent)
    report.rename("-report.md")
    assert main(["summarise", "-report.md"]) == 2
    assert "Write ./-report.md for the file of that name." in capsys.readouterr().err


@on_posix  # Windows says that there is no such file
def test_a_name_that_is_too_long_is_told_like_any_other(capsys: Captured) -> None:
    assert main(["summarise", "a" * 300]) == 1
    assert "The file’s name is too long." in capsys.readouterr().err


@on_posix
def test_a_name_cannot_command_the_terminal(report: Path, capsys: Captured) -> None:
    name = report.with_name("a\n\x1b[31m.md")
    report.rename(name)
    assert main(["summarise", str(name), str(name)]) == 0
    err = capsys.readouterr().err
    assert "\x1b" not in err and "a��[31m.md: Read all" in err


def test_empty_standard_input_is_called_by_its_name() -> None:
    code, _, err = epitome("summarise", "-")
    assert code == 1 and "“Standard input” is empty (0 bytes)." in err


def test_lengths_keep_all_their_digits(report: Path, capsys: Captured) -> None:
    for length in ("1234567w", "9" * 30 + "s"):
        assert main(["summarise", str(report), "--length", length]) == 0
    assert main(["summarise", str(report), "--length", "9" * 400 + "s"]) == 2
    assert "is not one: whole sentences" in capsys.readouterr().err


def test_a_printed_job_brings_no_notes_on_what_was_not_typed(
    report: Path, tmp_path: Path, capsys: Captured
) -> None:
    main(["summarise", str(report), "--include", "*.md", "--print-config"])
    job = tmp_path / "job.toml"
    job.write_text(capsys.readouterr().out, "utf-8")
    assert main(["summarise", "--config", str(job)]) == 0
    assert "change" not in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="a shell closes the streams")
@pytest.mark.parametrize(
    ("closed", "code", "told"),
    [
        ("<&-", 0, ""),
        ("2>&-", 0, None),
        (">&-", 1, "The result cannot be written to standard output"),
        (">/dev/full", 1, "The result cannot be written to standard output"),
    ],
)
def test_closed_streams_are_told_or_done_without(
    report: Path, closed: str, code: int, told: str | None
) -> None:
    if "full" in closed and not Path("/dev/full").exists():
        pytest.skip("no full device here")
    before = ("sh", "-c", f'"$@" {closed}', "sh")
    found, out, err = epitome("summarise", str(report), "--length", "1s", before=before)
    assert found == code and bool(out) == (code == 0)
    assert told is None or told in err


def test_a_column_of_a_table_can_be_named(tmp_path: Path, capsys: Captured) -> None:
    file = tmp_path / "papers.csv"
    file.write_text(f'Abstract,Body\n"{SENTENCES[0]}","{" ".join(SENTENCES[1:])}"\n' * 4, "utf-8")
    assert main(["summarise", str(file), "--column", "abstract", "--length", "1s"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == [SENTENCES[0]]
    assert "Read column “Abstract” of 2" in err
    assert main(["summarise", str(file), "--column", "text"]) == 1
    told = capsys.readouterr().err
    assert "has no column “text”; it has “Abstract”, “Body”. Name one of these." in told


def test_each_row_of_a_table_is_a_document_on_request(tmp_path: Path, capsys: Captured) -> None:
    file, out = tmp_path / "papers.csv", tmp_path / "out"
    texts = [" ".join(SENTENCES), "", " ".join(reversed(SENTENCES))]
    rows = zip(("A: 1/2", "none", ""), texts, strict=True)
    file.write_text(
        "title,body\n" + "".join(f'"{title}","{text}"\n' for title, text in rows), "utf-8"
    )
    command = ["summarise", str(file), "--rows", "--length", "1s"]
    assert main([*command, "--json"]) == 0
    values = json.loads(capsys.readouterr().out)
    validate(values, "summarise")
    assert [value["inputs"][0]["title"] for value in values] == ["A: 1/2", "papers.csv: row 3"]
    assert all(value["result"]["read"]["words"] == len(texts[0].split()) for value in values)
    assert main([*command, "--column", "BODY", "--out", str(out)]) == 0
    assert sorted(path.name for path in out.iterdir()) == ["papers-1.md", "papers-3.md"]
    assert f"{file}: A: 1/2: written to " in capsys.readouterr().err
    note = tmp_path / "note.md"
    note.write_text(texts[0], "utf-8")
    assert main(["summarise", str(note), *command[1:], "--column", "body"]) == 0
    assert "was ignored" not in capsys.readouterr().err
    assert main([*command, "--together", "--length", "2s", "--quiet"]) == 0
    assert "A: 1/2" in capsys.readouterr().out


def test_rows_of_a_table_that_has_none_are_told_and_the_others_go_on(
    report: Path, tmp_path: Path, capsys: Captured
) -> None:
    numbers, empty = tmp_path / "numbers.csv", tmp_path / "empty.csv"
    numbers.write_text("a,b\n1,2\n3,4\n", "utf-8")
    empty.write_text("a,b\n1,\n3,\n", "utf-8")
    assert main(["summarise", str(numbers), str(report), "--rows"]) == 1
    out, err = capsys.readouterr()
    assert "No column of “numbers.csv” clearly holds texts; it has “a”, “b”." in err
    assert any(sentence in out for sentence in SENTENCES)
    assert main(["summarise", str(numbers), "--rows", "--column", "c"]) == 1
    assert "“numbers.csv” has no column “c”; it has “a”, “b”." in capsys.readouterr().err
    assert main(["summarise", str(empty), "--rows", "--column", "b"]) == 1
    assert "The column “b” of “empty.csv” is empty. Name another" in capsys.readouterr().err
    assert main(["summarise", str(report), "--rows", "--length", "1s"]) == 0
    assert "No table of texts was named, so --rows changes nothing." in capsys.readouterr().err


def test_a_column_is_not_looked_for_in_a_text(report: Path, capsys: Captured) -> None:
    assert main(["summarise", str(report), "--column", "body"]) == 0
    assert "This is Markdown, so the column “body” was ignored." in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no SIGINT to one child")
def test_a_pdf_that_never_ends_can_be_ended(tmp_path: Path) -> None:
    file = tmp_path / "endless.pdf"
    file.write_bytes(endless_pdf())
    with start("summarise", str(file)) as process:
        wait_until(process, lambda: reading_s(process.pid) >= 0.5)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert (process.returncode, out) == (130, b"")
    assert "Interrupted. No summary was finished; nothing was written." in err.decode()


def test_a_pdf_that_never_ends_is_ended_by_a_limit(tmp_path: Path, capsys: Captured) -> None:
    file = tmp_path / "endless.pdf"
    file.write_bytes(endless_pdf())
    assert main(["summarise", str(file)]) == 1
    told = " ".join(capsys.readouterr().err.split())
    assert re.search("takes more than 1.2.GB of memory, the most that is allowed. Split it", told)


def reading_s(pid: int) -> float:
    """Seconds that the processes a command has started, which read files for it, have worked."""
    with suppress(psutil.NoSuchProcess):
        return sum(one.cpu_times().user for one in psutil.Process(pid).children())
    return 0.0


def test_files_are_written_without_quotations_on_request(report: Path, tmp_path: Path) -> None:
    out = tmp_path / "summary.txt"
    assert main(["summarise", str(report), "--out", str(out), "--no-quotations"]) == 0
    bare = out.read_text("utf-8")
    assert "How it was made" in bare
    assert "Where each sentence comes from" not in bare


def kept() -> list[Entry]:
    """The summaries in the history."""
    return list(History(Folders.of_this_user().history_file).search())


def test_summaries_are_kept_in_the_history_and_can_be_left_out(
    report: Path, tmp_path: Path, capsys: Captured
) -> None:
    assert main(["summarise", str(report), "--length", "2s", "--language", "en"]) == 0
    (entry,) = kept()
    assert (entry.path, entry.origin, entry.length, entry.language) == (
        str(report), "command", "2s", "en",
    )  # fmt: skip
    assert main(["summarise", str(report), "--length", "3s", "--out", str(tmp_path / "x.md")]) == 0
    assert len(kept()) == 2
    for left_out in (["--no-history"], ["--outline"]):  # of an outline no summary is shown
        assert main(["summarise", str(report), "--length", "4s", *left_out]) == 0
    assert len(kept()) == 2
    save_preferences(Preferences(private=True), Folders.of_this_user().settings_file)
    assert main(["summarise", str(report), "--length", "5s"]) == 0
    assert len(kept()) == 2


def test_a_history_that_cannot_be_written_is_told_once_and_fails_nothing(
    folder: Path, capsys: Captured
) -> None:
    Folders.of_this_user().history_file.mkdir(parents=True)
    assert main(["summarise", str(folder), "--exclude", "*.pdf"]) == 0
    assert capsys.readouterr().err.count("history.sqlite cannot be used") == 1


def test_the_output_is_the_same_whatever_the_number_of_processes(
    folder: Path, capsys: Captured
) -> None:
    told = []
    for processes in ("1", "3"):
        command = ["summarise", str(folder), "--json", "--no-history", "--processes", processes]
        assert main(command) == 1
        out, err = capsys.readouterr()
        values = json.loads(out)
        validate(values, "summarise")
        for value in values:
            value["timings_s"] = {}
        told.append((values, re.sub(r"(?: Under)? [\d.]+\u202fs\.", "", err)))
    assert told[0] == told[1] and len(told[0][0]) == 2


def test_processes_change_nothing_for_one_source(report: Path, capsys: Captured) -> None:
    assert main(["summarise", str(report), "--processes", "2"]) == 0
    assert "There is one source, so --processes changes nothing." in capsys.readouterr().err
