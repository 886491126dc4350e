"""The doctor's report is true, and says how to mend what is missing."""

import json
import os
import subprocess
import sys
from dataclasses import asdict, replace
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import jsonschema
import psutil
import pytest
from packaging.requirements import Requirement

from core.distribution.packages import is_wanted
from core.distribution.parts import PART_NAMES
from core.distribution.resources import resource
from core.distribution.system_libraries import X11, missing_libraries
from core.documents.readers.recognition import part
from core.events import Finished, Started
from core.jobs.program.doctor import (
    DoctorJob,
    DoctorReport,
    Lack,
    Package,
    SystemLibrary,
    examine,
    render,
)
from core.stop import Stopping, StopToken
from core.version import VERSION
from tests.helpers.hidden_libraries import without_libraries
from tests.helpers.schemas import validate

MAX_INSTALLED_BYTES = 600_000_000
MISSING = missing_libraries(X11) if sys.platform == "linux" else ()
"""What a window on a display needs and this machine does not have: the tests need no display."""


@pytest.fixture(scope="module")
def report() -> DoctorReport:
    started, finished = DoctorJob().run(StopToken())
    assert isinstance(started, Started)
    assert isinstance(finished, Finished)
    assert isinstance(finished.result, DoctorReport)
    return finished.result


def test_machine_is_described(report: DoctorReport) -> None:
    assert report.version == VERSION
    assert report.cores >= 1
    assert 0 < report.memory_free_bytes <= report.memory_bytes == psutil.virtual_memory().total


def test_window_is_small_on_disk(report: DoctorReport) -> None:
    if report.installed_bytes is None:
        pytest.skip("Epitome is not installed as a package here")
    files = distribution("pyside6-essentials").files or []
    qt_bytes = sum(Path(str(file.locate())).stat().st_size for file in files)
    assert qt_bytes < report.installed_bytes <= MAX_INSTALLED_BYTES


def test_versions_are_those_installed(report: DoctorReport) -> None:
    for package in report.packages:
        try:
            version = distribution(package.name).version
        except PackageNotFoundError:
            version = ""
        assert package.version == version


def test_result_fits_its_schema(report: DoctorReport) -> None:
    schema = json.loads(resource("schemas", "doctor.json").read_text("utf-8"))
    envelope = {
        "schema": "epitome.doctor/1",
        "inputs": [],
        "settings": {},
        "result": asdict(report),
        "timings_s": {},
        "warnings": [],
    }
    jsonschema.validate(json.loads(json.dumps(envelope)), schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**envelope, "result": {**envelope["result"], "x": 1}}, schema)


def test_what_is_missing_is_told_with_its_command(report: DoctorReport) -> None:
    lacking = replace(
        report,
        packages=(Package("torch", "", "training"),),
        missing=(Lack("The training part lacks torch.", "python3 x --with-training"),),
    )
    text = render(lacking)
    assert "torch  not installed" in text
    assert "The training part lacks torch.\n  python3 x --with-training" in text


def test_each_optional_part_is_told_with_its_command(report: DoctorReport) -> None:
    assert [each.name for each in report.parts] == list(PART_NAMES)
    gguf = next(each for each in report.parts if each.name == "gguf")
    parts = (replace(gguf, installed=True), replace(gguf, name="lora", title="R", installed=False))
    text = render(replace(report, parts=parts))
    assert "GGUF models  installed\n" in text
    assert f"R            not installed: {gguf.command}\n" in text


def test_languages_of_scans_are_told(report: DoctorReport) -> None:
    text = render(replace(report, scan_languages=("English", "German")))
    assert "Scans     read in English, German\n" in text
    assert "Scans     cannot be read\n" in render(replace(report, scan_languages=()))


def test_part_that_reads_scans_is_missing_with_its_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(part, "find_spec", lambda name: None)
    lack = Lack("The text of scans cannot be read: that part is missing.", part.COMMAND)
    assert lack in examine().missing
    monkeypatch.setattr(part, "platform_tags", lambda: iter(["linux_riscv64"]))
    without = examine()
    assert Lack(part.NOT_OFFERED, "") in without.missing
    assert render(without).endswith(part.NOT_OFFERED)


def test_doctor_names_missing_system_libraries_with_their_packages(tmp_path: Path) -> None:
    before = without_libraries(["libEGL.", "libxcb-cursor."], tmp_path)
    program = [sys.executable, "-c", "from core.cli.main import main; main(['doctor', '--json'])"]
    environment = {name: value for name, value in os.environ.items() if "QT_QPA" not in name}
    done = subprocess.run(
        [*before, *program], env=environment | {"DISPLAY": ":54321"}, capture_output=True, text=True
    )
    told = json.loads(done.stdout)
    validate(told, "doctor")
    missing = told["result"]["missing_libraries"]
    hidden = {"libEGL.so.1", "libxcb-cursor.so.0"} | {library.name for library in MISSING}
    assert {library["name"] for library in missing} == hidden
    assert missing[0]["fedora"] == "libglvnd-egl"
    window = [lack for lack in told["result"]["missing"] if "window" in lack["what"]]
    assert "The system libraries libEGL.so.1" in window[0]["what"]
    assert any("libegl1 libxcb-cursor0" in lack["command"] for lack in window)


@pytest.mark.skipif(bool(MISSING), reason="libraries of the display are missing")
def test_a_display_that_does_not_answer_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
    monkeypatch.setenv("DISPLAY", ":54321")
    told = [lack.what for lack in examine().missing]
    assert "The window cannot open: qt.qpa.xcb: could not connect to display :54321." in told


def test_system_libraries_are_told(report: DoctorReport) -> None:
    egl = SystemLibrary("libEGL.so.1", "libegl1", "libglvnd-egl")
    assert "Libraries missing: libEGL.so.1\n" in render(replace(report, missing_libraries=(egl,)))
    assert "Libraries all found\n" in render(replace(report, missing_libraries=()))


def test_download_and_disk_are_told_in_megabytes(report: DoctorReport) -> None:
    text = render(replace(report, download_bytes=130_400_000, installed_bytes=414_000_000))
    assert "Download  130\u202fMB (measured on " in text
    assert "On disk   414\u202fMB" in text


def test_stop_before_the_look_ends_the_job() -> None:
    stop = StopToken()
    stop.request("cancel")
    with pytest.raises(Stopping):
        list(DoctorJob().run(stop))


@pytest.mark.parametrize(
    ("requirement", "extra", "wanted"),
    [
        ("numpy", "", True),
        ("numpy>=2; python_version >= '3'", "", True),
        ("pywin32; sys_platform == 'no such system'", "", False),
        ("torch==2.13.0; extra == 'training'", "", False),
        ("torch==2.13.0; extra == 'training'", "training", True),
        ("torch; extra == 'training' and sys_platform == 'no such system'", "training", False),
    ],
)
def test_requirement_is_wanted_by_its_system_and_extra(
    requirement: str, extra: str, wanted: bool
) -> None:
    assert is_wanted(Requirement(requirement), extra) == wanted
