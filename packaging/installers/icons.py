"""The program's icon in the formats of other systems, drawn from `packaging/linux/epitome.svg`."""

import subprocess
import tempfile
from pathlib import Path

from installers.tree import ROOT

SVG = ROOT / "packaging" / "linux" / "epitome.svg"
_MAC_SIZES_PX = (16, 32, 128, 256, 512)


def write_ico(file: Path) -> None:
    """Writes the icon for Windows."""
    _draw(file, 256)


def write_side_picture(file: Path) -> None:
    """Writes the picture beside the last page of the installer for Windows."""
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QColor, QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    width, height, icon = 328, 628, 160  # twice what NSIS shows without scaling
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor("#e9ecf3"))
    painter = QPainter(image)
    place = QRectF((width - icon) / 2, 96, icon, icon)
    QSvgRenderer(str(SVG)).render(painter, place)
    painter.end()
    if not image.save(str(file)):
        raise OSError(f"{file} cannot be written")


def write_icns(file: Path) -> None:
    """Writes the icon for macOS, with its own `iconutil`."""
    with tempfile.TemporaryDirectory(suffix=".iconset") as folder:
        for size in _MAC_SIZES_PX:
            _draw(Path(folder) / f"icon_{size}x{size}.png", size)
            _draw(Path(folder) / f"icon_{size}x{size}@2x.png", 2 * size)
        subprocess.run(["iconutil", "-c", "icns", "-o", file, folder], check=True)


def _draw(file: Path, size_px: int) -> None:
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    image = QImage(size_px, size_px, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(str(SVG)).render(painter)
    painter.end()
    if not image.save(str(file)):
        raise OSError(f"{file} cannot be written")
