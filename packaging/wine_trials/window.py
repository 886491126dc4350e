"""The window under Wine, started as from the Start menu, used by keys and mouse."""

import argparse
import shutil

from installers.trying import SAMPLE, step
from installers.wine import LOCAL, Wine

from wine_trials.screen import (
    WAIT_S,
    close_window,
    fill_dialog,
    press,
    take_picture,
    wait_for_window,
    wait_until,
    wait_until_still,
)
from wine_trials.source import PYTHON


def try_window(bare: Wine, options: argparse.Namespace) -> None:
    """The window opens and reads without standard streams, as from the Start menu, and closes."""
    shutil.rmtree(bare.host(f"{LOCAL}\\Epitome"), ignore_errors=True)  # of an earlier trial
    for sample in SAMPLE.parent.iterdir():
        shutil.copy(sample, bare.folder)
    start = "from gui.app import main; raise SystemExit(main())"
    program = ("Z:\\src\\.venv\\Scripts\\pythonw.exe", "-P", "-c", start, f"Z:\\{SAMPLE.name}")
    process = bare.start(
        "wine", PYTHON, "Z:\\src\\packaging\\windows\\wine\\start_menu.py", *program
    )
    step("the window opens", lambda: wait_for_window(bare, "Epitome"))
    step("the document is read", lambda: wait_for_window(bare, "Solid-state lithium cell"))
    wait_until_still(bare)
    take_picture(bare, options.pictures / "window.png")
    step("a dialog opens another one", lambda: open_by_dialog(bare))
    step("a batch of two is done", lambda: run_batch(bare))
    take_picture(bare, options.pictures / "batch.png")
    step("the window closes", lambda: close_window(bare))
    output, errors = process.communicate(timeout=WAIT_S)
    assert "exit 0" in output, output + errors


def open_by_dialog(bare: Wine) -> str:
    """Opens a document by the system's dialog, with keys and the mouse."""
    press(bare, wait_for_window(bare, "Epitome"), "ctrl+o")
    fill_dialog(bare, "Open documents", "Z:\\report.docx")
    return wait_for_window(bare, "Ground water in the Upper Rhine")


def run_batch(bare: Wine) -> str:
    """Summarises two documents in a process of their own, and waits until both are done."""
    window = wait_for_window(bare, "Epitome")
    press(bare, window, "ctrl+2", "ctrl+o")
    fill_dialog(bare, "Add documents", '"Z:\\report.docx" "Z:\\article.md"')
    wait_until_still(bare)
    press(bare, window, "ctrl+Return")
    queue = bare.host(f"{LOCAL}\\Epitome\\jobs\\queue.json")
    wait_until(
        lambda: queue.exists() and '"state": "finished"' in queue.read_text("utf-8"),
        "The batch does not end.",
    )
    return wait_until_still(bare)
