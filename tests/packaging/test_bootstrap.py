"""What `bootstrap.py` decides; the real installing is tried by `.ci/run` on a bare machine."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from core.distribution.system_libraries import Library
from tests.helpers.planted_modules import plant_modules

NOWHERE = Library("libnowhere.so.1", "libnowhere1", "nowhere-libs")

FILE = Path(__file__).parents[2] / "packaging" / "bootstrap.py"


@pytest.fixture
def bootstrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module, with its `.venv` in a temporary folder."""
    spec = importlib.util.spec_from_file_location("bootstrap", FILE)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(module, "STAMP", tmp_path / ".venv" / module.STAMP.name)
    return module


@pytest.mark.parametrize(
    ("argv", "command", "with_training", "passed_on"),
    [
        (["run"], "run", False, []),
        (["run", "--with-training"], "run", True, []),
        (["run", "--", "gsg", "a.txt", "--lines"], "run", False, ["gsg", "a.txt", "--lines"]),
        (["run", "--", "--", "x"], "run", False, ["--", "x"]),
        (["test"], "test", False, []),
        (["test", "-k", "gsg", "tests/core"], "test", False, ["-k", "gsg", "tests/core"]),
        (["test", "--", "-x"], "test", False, ["-x"]),
        (["check"], "check", False, []),
    ],
)
def test_arguments_are_split(
    bootstrap: ModuleType,
    argv: list[str],
    command: str,
    with_training: bool,
    passed_on: list[str],
) -> None:
    options, rest = bootstrap.parse(argv)
    assert (options.command, options.with_training, rest) == (command, with_training, passed_on)


@pytest.mark.parametrize("argv", [[], ["walk"], ["run", "file.pdf"], ["check", "--fast"]])
def test_wrong_usage_ends_with_2(argv: list[str]) -> None:
    done = subprocess.run([sys.executable, FILE, *argv], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert "usage: bootstrap.py" in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lacks libraries")
def test_without_rights_the_one_command_is_printed(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bootstrap.os, "getuid", lambda: 1000)
    monkeypatch.setattr(bootstrap.shutil, "which", lambda name: f"/usr/bin/{name}")
    with pytest.raises(bootstrap.Halt) as halt:
        bootstrap.ensure_system([NOWHERE])
    assert str(halt.value) == (
        "System packages are missing. Run: "
        "sudo apt-get install -y --no-install-recommends libnowhere1"
    )


def test_without_apt_the_packages_of_both_families_are_named(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bootstrap.shutil, "which", lambda name: None)
    with pytest.raises(bootstrap.Halt) as halt:
        bootstrap.ensure_system([NOWHERE])
    assert str(halt.value) == (
        "The system library libnowhere.so.1 is missing.\n"
        "Debian and Ubuntu: sudo apt-get install libnowhere1\n"
        "Fedora: sudo dnf install nowhere-libs"
    )


@pytest.mark.skipif(sys.platform != "linux", reason="Xvfb is of Linux")
def test_a_clean_machine_gets_a_screen_and_a_pointer_for_the_tests(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[list[str]] = []
    monkeypatch.setattr(bootstrap.shutil, "which", lambda name: None)
    monkeypatch.setattr(bootstrap, "missing_libraries", lambda libraries: (NOWHERE, NOWHERE))
    monkeypatch.setattr(bootstrap.os, "getuid", lambda: 0)
    monkeypatch.setattr(bootstrap, "succeeds", lambda command: ran.append(command) or True)
    bootstrap.ensure_pointer()
    assert ran[-1][-3:] == ["xvfb", "xdotool", "libnowhere1"]


@pytest.mark.skipif(sys.platform != "linux", reason="Xvfb is of Linux")
@pytest.mark.parametrize("user", [0, 1000])
def test_without_a_pointer_the_other_tests_are_run(
    bootstrap: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    user: int,
) -> None:
    monkeypatch.setattr(bootstrap.shutil, "which", lambda name: None)
    monkeypatch.setattr(bootstrap.os, "getuid", lambda: user)
    monkeypatch.setattr(bootstrap, "succeeds", lambda command: False)
    bootstrap.ensure_pointer()
    assert "the tests with a real pointer are skipped" in capsys.readouterr().err


def test_stamp_of_other_requirements_counts_for_nothing(bootstrap: ModuleType) -> None:
    stamp = bootstrap.STAMP
    stamp.parent.mkdir()
    assert bootstrap.installed_extras(stamp, "a") is None
    stamp.write_text(json.dumps({"fingerprint": "a", "extras": ["dev"]}), "utf-8")
    assert bootstrap.installed_extras(stamp, "a") == {"dev"}
    assert bootstrap.installed_extras(stamp, "b") is None
    stamp.write_text("{torn", "utf-8")
    assert bootstrap.installed_extras(stamp, "a") is None


def finish(bootstrap: ModuleType, *extras: str) -> None:
    """Leaves what a finished installation leaves."""
    python = Path(bootstrap.program("python"))
    python.parent.mkdir(parents=True)
    python.touch()
    written = {"fingerprint": bootstrap.fingerprint(), "extras": extras}
    bootstrap.STAMP.write_text(json.dumps(written), "utf-8")


def test_parts_are_asked_for_by_name(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[set[str]] = []
    monkeypatch.setattr(bootstrap, "run", lambda passed_on, extras: asked.append(extras) or 0)
    for argv in (["run"], ["run", "--with-scans"], ["run", "--with-scans", "--with-training"]):
        assert bootstrap.main(argv) == 0
    assert asked == [set(), {"scans"}, {"scans", "training"}]


def test_second_start_installs_nothing(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands: list[list[str]] = []
    monkeypatch.setattr(bootstrap, "succeeds", lambda command: commands.append(command) or True)
    finish(bootstrap, "dev", "training")
    for extras in (set(), {"training"}, {"dev", "training"}):
        bootstrap.ensure_installed(extras)
    assert commands == []


def test_what_was_installed_stays_when_more_is_asked_for(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands: list[list[str]] = []
    monkeypatch.setattr(bootstrap, "succeeds", lambda command: commands.append(command) or True)
    monkeypatch.setattr(bootstrap, "prefer_cpu_torch", lambda: None)
    finish(bootstrap, "dev")
    bootstrap.ensure_installed({"training"})
    assert commands[-1][-1] == f"{bootstrap.ROOT}[dev,training]"
    assert bootstrap.installed_extras(bootstrap.STAMP, bootstrap.fingerprint()) == {
        "dev",
        "training",
    }


def test_what_was_installed_stays_when_other_versions_are_pinned(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands: list[list[str]] = []
    monkeypatch.setattr(bootstrap, "succeeds", lambda command: commands.append(command) or True)
    monkeypatch.setattr(bootstrap, "prefer_cpu_torch", lambda: None)
    finish(bootstrap, "scans", "training")
    monkeypatch.setattr(bootstrap, "fingerprint", lambda: "of another version")
    bootstrap.ensure_installed(set())
    assert commands[-1][-1] == f"{bootstrap.ROOT}[scans,training]"
    assert bootstrap.installed_extras(bootstrap.STAMP, "of another version") == {
        "scans",
        "training",
    }


def test_what_was_installed_is_known_after_an_update_that_failed(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bootstrap, "prefer_cpu_torch", lambda: None)
    finish(bootstrap, "training")
    monkeypatch.setattr(bootstrap, "fingerprint", lambda: "of another version")
    monkeypatch.setattr(bootstrap, "succeeds", lambda command: "--editable" not in command)
    with pytest.raises(bootstrap.Halt):
        bootstrap.ensure_installed({"scans"})
    assert bootstrap.installed_extras(bootstrap.STAMP, "of another version") is None
    commands: list[list[str]] = []
    monkeypatch.setattr(bootstrap, "succeeds", lambda command: commands.append(command) or True)
    bootstrap.ensure_installed(set())
    assert commands[-1][-1] == f"{bootstrap.ROOT}[training]"


def test_a_folder_that_was_moved_is_installed_from_where_it_lies_now(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    commands: list[list[str]] = []
    monkeypatch.setattr(bootstrap, "succeeds", lambda command: commands.append(command) or True)
    finish(bootstrap, "scans")
    bootstrap.ensure_installed(set())
    assert commands == []
    monkeypatch.setattr(bootstrap, "VENV", bootstrap.VENV.rename(tmp_path / ".moved"))
    monkeypatch.setattr(bootstrap, "STAMP", bootstrap.VENV / bootstrap.STAMP.name)
    bootstrap.ensure_installed(set())
    assert commands[-1][-1] == f"{bootstrap.ROOT}[scans]"


@pytest.mark.parametrize("told", [b"", b"{}", b"[]", b"\xff", b'{"part": "of a newer program"}'])
def test_a_damaged_note_of_an_added_part_does_not_keep_from_installing(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, told: bytes
) -> None:
    commands: list[list[str]] = []
    monkeypatch.setattr(bootstrap, "succeeds", lambda command: commands.append(command) or True)
    finish(bootstrap)
    for name, note in (("scans", b'{"part": "scans"}'), ("torn", told)):
        part = bootstrap.VENV / "epitome-parts" / name
        part.mkdir(parents=True)
        (part / "part.json").write_bytes(note)
    bootstrap.ensure_installed({"dev"})
    assert commands[-1][-1] == f"{bootstrap.ROOT}[dev,scans]"


def test_checks_run_in_the_environment_wherever_it_lies(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands: list[list[str]] = []
    monkeypatch.setattr(bootstrap, "succeeds", lambda command: commands.append(command) or False)
    assert bootstrap.check() == 1
    assert {command[0] for command in commands} == {bootstrap.program("python")}
    help_of = [sys.executable, *commands[3][1:3], "--help"]  # the one that is no module
    assert "--no-cache" in subprocess.run(help_of, capture_output=True, text=True).stdout


def test_everything_that_is_downloaded_is_checked_by_its_hash(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands: list[list[str]] = []
    monkeypatch.setattr(bootstrap, "succeeds", lambda command: commands.append(command) or True)
    finish(bootstrap)
    bootstrap.ensure_installed({"dev"})
    installs = [command for command in commands if "install" in command]
    assert len(installs) == 3
    for command in installs:
        assert "--require-hashes" in command or {"--no-deps", "--no-build-isolation"} <= {*command}


def test_the_build_for_the_cpu_needs_nothing_of_cuda(bootstrap: ModuleType) -> None:
    with_cuda, without = (bootstrap.locked({"training"}, with_cuda=each) for each in (True, False))
    for name in ("torch", "triton", "nvidia-cublas", "cuda-toolkit"):
        assert f"\n{name}==" in with_cuda and f"\n{name}==" not in without, name
    assert "\ntokenizers==" in without and "\nnumpy==" in without


def test_failed_installation_does_not_count_as_one(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish(bootstrap)
    monkeypatch.setattr(bootstrap, "succeeds", lambda command: "--editable" not in command)
    with pytest.raises(bootstrap.Halt, match="Run the same command to try again"):
        bootstrap.ensure_installed({"dev"})
    assert bootstrap.installed_extras(bootstrap.STAMP, bootstrap.fingerprint()) is None


def test_a_half_made_environment_is_made_again_without_modules_of_the_current_folder(
    bootstrap: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = Path(bootstrap.program("python"))
    python.parent.mkdir(parents=True)
    if sys.platform == "win32":
        python.write_bytes(b"")
    else:
        python.symlink_to("/nowhere/python3")
    here = tmp_path / "here"
    plant_modules(here, "venv", "ensurepip", "pip", "json", "subprocess")
    monkeypatch.chdir(here)
    bootstrap.ensure_venv()
    bootstrap.ensure_venv()  # looks whether the first one is whole
    assert bootstrap.succeeds(bootstrap.pip("--help"))
    assert not (here / "was-run").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is always a display")
def test_without_display_the_command_line_is_named(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    finish(bootstrap)
    assert bootstrap.main(["run"]) == 1
    out, err = capfd.readouterr()
    assert out == ""
    assert "There is no display" in err
    assert "epitome summarise FILE" in err


def test_torch_is_pinned_where_bootstrap_looks(bootstrap: ModuleType) -> None:
    training = bootstrap.project()["optional-dependencies"]["training"]
    assert any(item.startswith("torch==") for item in training)
