"""Each file of a filled home goes bad in turn: it is named, and no other file is lost.

Each in some of the ways; `tests/benchmarks/damages.py` tries each in all of them, in the window.
"""

import hashlib
import random
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from core.cli.main import main
from tests.helpers.damage import DAMAGES
from tests.helpers.full_home import full_home

Captured = pytest.CaptureFixture[str]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")


LISTED_BY = {"runs": ("runs", "models"), "corpora": ("corpora",), "tokenizers": ("tokenizers",)}
"""By folder of data, the lists that read it."""

A_TURN = 4
"""Of the files, every fourth is tried in a way, beginning with another one for each way."""


def scribble(file: Path) -> None:
    """Overwrites some bytes in the middle."""
    data, chance = bytearray(file.read_bytes()), random.Random(file.name)
    for _ in range(max(1, len(data) // 50)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    file.write_bytes(data)


def close(file: Path) -> None:
    file.chmod(0o444)


KINDS_OF_DAMAGE: dict[str, Callable[[Path], None]] = {
    **DAMAGES,
    "a table of numbers": lambda file: file.write_text("0 = 1\n", "utf-8"),
    "an empty object": lambda file: file.write_text("{}", "utf-8"),
    "null": lambda file: file.write_text("null", "utf-8"),
    "scribbled on": scribble,
    "empty": lambda file: file.write_bytes(b""),
    "read-only": close,
}


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Path]]:
    home = tmp_path_factory.mktemp("filled") / "home"
    return home, full_home(home)


def fingerprints(home: Path, files: list[Path], but: Path) -> dict[Path, str]:
    """What is in each regular file but one."""
    return {
        file: hashlib.sha256((home / file).read_bytes()).hexdigest()
        for file in files
        if file != but and (home / file).is_file()
    }


def damaged(filled: tuple[Path, list[Path]], home: Path, file: Path, damage: str) -> None:
    part = Path(*file.parts[:2])
    shutil.copytree(filled[0] / part, home / part)
    if (home / file).stat().st_size or damage != "scribbled on":
        KINDS_OF_DAMAGE[damage](home / file)


@pytest.mark.parametrize("damage", KINDS_OF_DAMAGE)
def test_lists_are_told_whatever_became_of_a_file(
    filled: tuple[Path, list[Path]], tmp_path: Path, capsys: Captured, damage: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    listed = [file for file in filled[1] if file.parts[1] in LISTED_BY]
    first = list(KINDS_OF_DAMAGE).index(damage) % A_TURN
    for number, file in enumerate(listed[first::A_TURN]):
        home = tmp_path / str(number)
        damaged(filled, home, file, damage)
        before = fingerprints(home, filled[1], file)
        monkeypatch.setenv("EPITOME_HOME", str(home))
        for kind in LISTED_BY[file.parts[1]]:
            code = main(["list", kind])
            out, err = capsys.readouterr()
            assert "Something in the program" not in err and "Traceback" not in err, (file, err)
            assert code == 0, (file, kind, err)
            for path in (home / "data" / file.parts[1]).iterdir():
                is_new = path.name == "queued"
                gone = kind == "models" and file.parent.parent.name == "checkpoints"
                assert path.name in out + err or is_new or gone, (file, kind, out, err)
        assert fingerprints(home, filled[1], file) == before, file
        shutil.rmtree(home)
