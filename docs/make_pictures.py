"""Makes the pictures of the window in docs/pictures: `python docs/make_pictures.py [NAME…]`.

Every picture is a grab of the real window, drawn without a screen, after real work on the samples.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SCREEN = ROOT / "docs" / "pictures_of" / "screen.json"  # the usual one is too small for menus
os.environ.setdefault("QT_QPA_PLATFORM", f"offscreen:configfile={SCREEN}")
sys.path.insert(0, str(ROOT))

from PySide6.QtWidgets import QApplication, QWidget  # noqa: E402

from docs.pictures_of import (  # noqa: E402
    batch,
    compare,
    corpus,
    memory,
    models,
    past,
    shell,
    summarise,
    train,
)
from docs.pictures_of.stage import LAPTOP, MEDIUM, SMALL, WIDE, save, settle, window  # noqa: E402
from docs.scenes import charts, components, forms, tables  # noqa: E402
from gui.main_window import MainWindow  # noqa: E402
from gui.theme.theme import Scheme, Theme  # noqa: E402

PICTURES = ROOT / "docs" / "pictures"
TOTAL_BYTES, USED_BYTES = 32 * 10**9, 31 * 10**8
"""What the status bar says of memory, so that pictures do not change with the machine."""

SCENES: dict[str, tuple[Callable[[MainWindow], None], tuple[int, int]]] = {
    "compare-empty": (compare.empty, WIDE),
    "compare": (compare.side_by_side(), WIDE),
    "compare-find": (compare.searched, LAPTOP),
    "compare-documents": (compare.side_by_side("documents"), WIDE),
    "compare-blind": (compare.judged_blind, WIDE),
    "compare-judged": (compare.side_by_side("judging"), WIDE),
    "small-compare": (compare.side_by_side(), SMALL),
    "summarise-empty": (summarise.empty, WIDE),
    "summarise": (summarise.summarised, WIDE),
    "summarise-pinned": (summarise.pinned, WIDE),
    "summarise-returned": (summarise.returned, WIDE),
    "summarise-compared": (summarise.compared, LAPTOP),
    "summarise-reference": (summarise.referenced, WIDE),
    "summarise-references": (summarise.referenced_twice, LAPTOP),
    "small-reference": (summarise.referenced, SMALL),
    "narrow-compared": (summarise.compared, MEDIUM),
    "small-compared": (summarise.compared, SMALL),
    "summarise-reading": (summarise.reading, WIDE),
    "summarise-locked": (summarise.locked, WIDE),
    "summarise-incomplete": (summarise.incomplete, WIDE),
    "summarise-several": (summarise.several, WIDE),
    "summarise-several-failed": (summarise.one_failed_of_several, LAPTOP),
    "narrow-several": (summarise.several_in_menu, MEDIUM),
    "small-several": (summarise.several_in_menu, SMALL),
    "jobs": (shell.jobs, WIDE),
    "small-jobs": (shell.jobs, SMALL),
    "settings": (shell.settings("reading"), WIDE),
    "settings-trash": (shell.trash, WIDE),
    "settings-shortcuts": (shell.settings("shortcuts"), WIDE),
    "settings-about": (shell.with_releases(shell.settings("about")), WIDE),
    "summarise-scan": (shell.without_parts(summarise.scan_offered), WIDE),
    "settings-parts": (shell.without_parts(shell.settings("parts")), WIDE),
    "help": (shell.helping, WIDE),
    "small-help": (shell.helping, SMALL),
    "batch-empty": (batch.empty, WIDE),
    "batch": (batch.running, WIDE),
    "batch-together": (batch.together, WIDE),
    "batch-cluster": (batch.cluster, WIDE),
    "batch-cluster-part": (shell.without_parts(batch.cluster_without_part), LAPTOP),
    "narrow-batch": (batch.running, MEDIUM),
    "small-batch": (batch.running, SMALL),
    "corpus-empty": (corpus.empty, WIDE),
    "corpus-list": (corpus.listed, WIDE),
    "corpus-new": (corpus.new, WIDE),
    "corpus-documents": (corpus.opened("documents"), WIDE),
    "corpus-gsg": (corpus.opened("gaps"), WIDE),
    "corpus-lengths": (corpus.opened("lengths"), WIDE),
    "corpus-skipped": (corpus.opened("skipped"), WIDE),
    "corpus-measures": (corpus.of_pairs("measures"), WIDE),
    "corpus-duplicates": (corpus.of_pairs("duplicates"), WIDE),
    "corpus-part": (shell.without_parts(corpus.empty), LAPTOP),
    "memory-part": (shell.without_parts(memory.forecast), LAPTOP),
    "narrow-corpus-gsg": (corpus.opened("gaps"), MEDIUM),
    "small-corpus-gsg": (corpus.opened("gaps"), SMALL),
    "train-empty": (train.empty, WIDE),
    "train-live": (train.live, WIDE),
    "train-gauges": (train.gauges, WIDE),
    "train-failed": (train.failed, WIDE),
    "train-new": (train.new("fields"), WIDE),
    "train-compare": (train.compare, WIDE),
    "train-seeds": (train.seeds, WIDE),
    "small-train-seeds": (train.seeds, (1024, 640)),
    "train-new-what": (train.new("what"), WIDE),
    "train-new-data": (train.new("data"), WIDE),
    "small-train-live": (train.live, SMALL),
    "memory": (memory.measured(), WIDE),
    "memory-forecast": (memory.forecast, LAPTOP),
    "memory-all": (memory.measured(what="all"), WIDE),
    "memory-paper": (memory.paper, LAPTOP),
    "memory-run": (memory.run, WIDE),
    "memory-parts": (memory.parts, WIDE),
    "memory-settings": (memory.settings, LAPTOP),
    "small-memory": (memory.measured(), SMALL),
    "small-memory-model": (memory.measured("model"), SMALL),
    "models": (models.listed("details"), WIDE),
    "models-none": (models.empty, WIDE),
    "models-compare": (models.scored, WIDE),
    "small-models": (models.listed("models"), SMALL),
    "small-models-details": (models.listed("details"), SMALL),
    "history": (past.history(), WIDE),
    "history-empty": (past.empty, LAPTOP),
    "history-search": (past.history("separator"), LAPTOP),
    "small-history": (past.history(), SMALL),
    "small-history-summary": (past.history(side="summary"), SMALL),
    "settings-history": (shell.settings("history"), WIDE),
    "small-train-failed": (train.failed, (1024, 640)),
    "small-models-compare": (models.scored, SMALL),
    "models-import-menu": (models.importing, LAPTOP),
    "models-import": (models.of_others("import"), WIDE),
    "models-import-refused": (models.of_others("refused"), WIDE),
    "models-convert": (models.of_others("convert"), WIDE),
    "models-converted": (models.of_others("converted"), WIDE),
    "models-prompt": (models.of_others("prompt"), WIDE),
    "small-models-import": (models.of_others("import"), SMALL),
    "small-models-convert": (models.of_others("convert"), SMALL),
    "small-train-new": (train.new("fields"), SMALL),
    "narrow": (summarise.summarised, MEDIUM),
    "narrow-source": (summarise.source_alone, MEDIUM),
    "small": (summarise.summarised, SMALL),
    "small-empty": (summarise.empty, SMALL),
    "small-settings": (shell.settings("reading"), SMALL),
    "small-settings-trash": (shell.trash, SMALL),
}
PAGES: dict[str, Callable[[Theme], QWidget]] = {
    "components": components.build,
    "forms": lambda theme: forms.build(theme, WIDE),
    "small-forms": lambda theme: forms.build(theme, SMALL),
    "charts": lambda theme: charts.build(theme, WIDE),
    "small-charts": lambda theme: charts.build(theme, SMALL),
    "tables": lambda theme: tables.build(theme, WIDE),
    "small-tables": lambda theme: tables.build(theme, SMALL),
}
"""Parts of the window on a page of their own."""


def main(names: list[str]) -> None:
    """Makes all pictures, or those whose names begin with one of the given."""
    app = QApplication.instance() or QApplication([])
    assert app is not None
    PICTURES.mkdir(parents=True, exist_ok=True)
    schemes: tuple[Scheme, ...] = ("light", "dark")
    for scheme in schemes:
        suffix = "" if scheme == "light" else "-dark"
        for name, (scene, size) in SCENES.items():
            if names and not any(name.startswith(begin) for begin in names):
                continue
            with window(scheme, size) as shown:
                scene(shown)
                settle()
                shown.status.memory.show_bytes(USED_BYTES, TOTAL_BYTES)
                QApplication.processEvents()
                save(shown, PICTURES / f"{name}{suffix}.png")
        for name, build in PAGES.items():
            if names and not any(name.startswith(begin) for begin in names):
                continue
            theme = Theme(scheme=scheme, motion="off")
            theme.apply()
            page = build(theme)
            page.show()
            page.activateWindow()
            page.setFocus()
            settle()
            if name.endswith("charts"):
                charts.point_at(page, 17_000)
                settle()
            save(page, PICTURES / f"{name}{suffix}.png")
            page.close()


if __name__ == "__main__":
    main(sys.argv[1:])
