"""Each help page shows examples, and each of them can be typed as it stands."""

import shlex

import pytest

from core.cli.main import _EXAMPLES, COMMANDS, build_parser, main

OF_COMMANDS = [(name, example) for name, entry in COMMANDS.items() for example in entry.examples]
# They ask for a run that is there; `test_train.py` resumes one and starts from one.
NEED_A_RUN = ("--from", "--resume")


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_two_to_five_examples(command: str) -> None:
    assert 2 <= len(COMMANDS[command].examples) <= 5


@pytest.mark.parametrize(
    ("command", "example"), OF_COMMANDS, ids=[example.command for _, example in OF_COMMANDS]
)
def test_each_example_is_accepted(
    command: str, example: object, capsys: pytest.CaptureFixture[str]
) -> None:
    program, *typed = shlex.split(example.command)  # type: ignore[attr-defined]
    if command == "train":
        pytest.importorskip("torch")
    assert (program, typed[0]) == ("epitome", command)
    options = build_parser().parse_args(typed)
    assert options.command == command
    if hasattr(options, "print_config") and not set(NEED_A_RUN) & set(typed):
        shown = [] if "--print-config" in typed else ["--print-config"]
        assert main([*typed, *shown]) == 0, capsys.readouterr().err
        assert f'command = "{command}"' in capsys.readouterr().out


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_ends_with_its_examples(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    below = lines[lines.index("examples:") + 1 :]
    examples = COMMANDS[command].examples
    assert below == [
        line for each in examples for line in (f"  # {each.meaning}", f"  {each.command}")
    ]
    assert all(len(line) <= 100 for line in below)


def test_main_help_begins_with_opening_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    top = text.splitlines()[:3]
    assert top[0].split() == ["usage:", "epitome", "open", "the", "window"]
    assert top[1].split()[:2] == ["epitome", "FILE..."]
    assert all(f"    {name} " in text for name in COMMANDS)
    for example in _EXAMPLES[1:]:
        assert example.command in text
        if "--help" not in example.command:
            build_parser().parse_args(shlex.split(example.command)[1:])


def test_prose_of_a_help_page_is_wrapped(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["profile", "--help"]) == 0
    before, _, _ = capsys.readouterr().out.partition("\nexamples:")
    prose = before.rpartition("\n\n--vary:")[2].splitlines()
    assert len(prose) > 5
    assert all(len(line) <= 80 for line in prose)
