"""The source as it is read: long documents, with evidence marked, found words and selection."""

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import ClassVar

import numpy as np
from PySide6.QtCore import QPoint, QPointF, QRectF, Signal
from PySide6.QtGui import QFontMetricsF, QPaintEvent
from PySide6.QtWidgets import QWidget

from core.documents.document import Document, Kind
from gui.theme.theme import Theme
from gui.widgets.finder import Finder
from gui.widgets.flow import Flow
from gui.widgets.flow_area import FlowArea
from gui.widgets.marks import Mark, Marks
from gui.widgets.pieces import STYLES, Pieces, Style, guess_lines, spaces_above, style_codes
from gui.widgets.reading_paint import paint_reading
from gui.widgets.text_block import TextBlock
