"""The portable folder for Windows: unpacked, used, moved, and its data beside it."""

import argparse
import shutil
import zipfile

from installers.trying import SAMPLE, step
from installers.wine import LOCAL, Wine

from wine_trials.builds import portable_file
from wine_trials.copies import list_files, use_copy


def try_portable(bare: Wine, options: argparse.Namespace) -> None:
    """Unpacks the portable folder, uses it, moves it, and finds its data beside it."""
    place, moved = "C:\\My stick – 2", "C:\\Moved here"
    shutil.rmtree(bare.host(moved), ignore_errors=True)
    step("unpack the portable folder", lambda: unpack_portable(bare, options, place))
    shutil.copy(SAMPLE, bare.folder)
    usual = list_files(bare.host(LOCAL))
    report = use_copy(bare, f"{place}\\epitome", "portable folder")
    assert f"{place}\\epitome\\home" in report, report
    beside = list_files(bare.host(f"{place}\\epitome\\home"))
    assert beside and list_files(bare.host(LOCAL)) == usual, beside
    bare.host(place).rename(bare.host(moved))
    report = use_copy(bare, f"{moved}\\epitome", "portable folder")
    assert f"{moved}\\epitome\\home" in report, report
    databases = {name for name in beside if name.endswith(".sqlite")}
    assert databases and databases <= list_files(bare.host(f"{moved}\\epitome\\home")), beside
    shutil.rmtree(bare.host(moved))
    print("its data is beside it, and moves with it; nothing is in the usual folders")


def unpack_portable(bare: Wine, options: argparse.Namespace, place: str) -> str:
    """Unpacks the portable folder into a folder."""
    shutil.rmtree(bare.host(place), ignore_errors=True)
    with zipfile.ZipFile(portable_file(options)) as packed:
        packed.extractall(bare.host(place))
    return ""
