"""What all pictures share: a window, waiting until it has worked, and the file of a picture."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from PySide6.QtCore import QEventLoop, QRect, QTimer
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication, QWidget

from core.library.folders import Folders
from core.library.preferences import Preferences
from gui.main_window import MainWindow
from gui.theme.theme import Scheme, Theme

WIDE, LAPTOP, MEDIUM, SMALL = (1440, 900), (1366, 768), (1000, 700), (720, 450)
PATIENCE_MS = 30_000
COMMON_COLOURS = 128
_FRAME = "#868781"


@contextmanager
def window(scheme: Scheme, size: tuple[int, int]) -> Iterator[MainWindow]:
    """The real window with an empty home."""
    with tempfile.TemporaryDirectory() as home:
        theme = Theme(scheme=scheme, motion="off")
        theme.apply()
        preferences = Preferences(theme=scheme, motion="off")
        shown = MainWindow(theme, preferences, Folders.under(Path(home)))
        shown.resize(*size)
        shown.show()
        shown.begin([])
        yield shown
        shown.close()
        shown.deleteLater()
        settle()


def settle(until: Callable[[], bool] = lambda: True) -> None:
    """Lets the window work until something is so."""
    loop, timer, limit = QEventLoop(), QTimer(), QTimer(singleShot=True)
    timer.timeout.connect(lambda: until() and loop.quit())
    limit.timeout.connect(loop.quit)
    timer.start(60)
    limit.start(PATIENCE_MS)
    loop.exec()
    if not until():
        raise TimeoutError("the window did not get there")


def save(widget: QWidget, path: Path) -> None:
    """Writes a picture in 256 colours, which keeps it under 300 KB and looks the same."""
    grabbed = widget.grab()
    for above in (QApplication.activeModalWidget(), QApplication.activePopupWidget()):
        if above is not None:
            painter = QPainter(grabbed)
            place = QRect(widget.mapFromGlobal(above.pos()), above.size())
            painter.drawPixmap(place.topLeft(), above.grab())
            if above.isModal():  # without a frame of the system its edge would not be seen
                painter.setPen(QColor(_FRAME))
                painter.drawRect(place.adjusted(-1, -1, 0, 0))
            painter.end()
    drawn = grabbed.toImage().convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(drawn.constBits(), np.uint8).reshape(drawn.height(), -1)
    pixels = rows[:, : 3 * drawn.width()].reshape(-1, 3)
    colours, where, counts = np.unique(pixels, axis=0, return_inverse=True, return_counts=True)
    colours = colours.astype(np.int64)
    palette = colours[_telling(colours, counts)]
    nearest = np.concatenate(
        [
            np.argmin(((part[:, None] - palette[None]) ** 2).sum(2), axis=1)
            for part in np.array_split(colours, 1 + len(colours) // 2_000)
        ]
    )
    indices = nearest[where.ravel()].astype(np.uint8).reshape(drawn.height(), drawn.width())
    picture = Image.fromarray(indices, "P")
    picture.putpalette(palette.astype(np.uint8).tobytes())
    picture.save(path, optimize=True)


def _telling(colours: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Indices of 256 colours: the commonest, then whatever is farthest from those there are."""
    chosen = np.argsort(-counts, kind="stable")[:COMMON_COLOURS].tolist()
    distance = np.min([((colours - colours[index]) ** 2).sum(1) for index in chosen], axis=0)
    while len(chosen) < min(256, len(colours)):
        chosen.append(int(np.argmax(distance)))
        distance = np.minimum(distance, ((colours - colours[chosen[-1]]) ** 2).sum(1))
    return np.array(chosen)
