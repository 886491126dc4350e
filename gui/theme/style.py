"""The palette and the style sheet, both made from the tokens; Fusion is the style beneath."""

from collections.abc import Mapping

from PySide6.QtGui import QColor, QPalette

_ROLES = {
    QPalette.ColorRole.Window: "window",
    QPalette.ColorRole.WindowText: "text",
    QPalette.ColorRole.Base: "surface",
    QPalette.ColorRole.AlternateBase: "sunken",
    QPalette.ColorRole.Text: "text",
    QPalette.ColorRole.Button: "raised",
    QPalette.ColorRole.ButtonText: "text",
    QPalette.ColorRole.BrightText: "err",
    QPalette.ColorRole.ToolTipBase: "raised",
    QPalette.ColorRole.ToolTipText: "text",
    QPalette.ColorRole.PlaceholderText: "text3",
    QPalette.ColorRole.Highlight: "accent",
    QPalette.ColorRole.HighlightedText: "accentText",
    QPalette.ColorRole.Accent: "accent",
    QPalette.ColorRole.Link: "accent",
    QPalette.ColorRole.LinkVisited: "accent",
    QPalette.ColorRole.Light: "raised",
    QPalette.ColorRole.Midlight: "line",
    QPalette.ColorRole.Mid: "line",
    QPalette.ColorRole.Dark: "line2",
    QPalette.ColorRole.Shadow: "line2",
}

_SCROLL_HANDLE_ALPHA = 0.55  # at rest; whole under the pointer

_DISABLED_ROLES = (
    QPalette.ColorRole.WindowText,
    QPalette.ColorRole.Text,
    QPalette.ColorRole.ButtonText,
)


def palette(tokens: Mapping[str, str]) -> QPalette:
    """The palette: selections, placeholders, links and native dialogs read it, not the sheet.

    Args:
        tokens: Colours by name.

    Returns:
        A palette with every role set.
    """
    made = QPalette()
    for role, token in _ROLES.items():
        made.setColor(role, QColor(tokens[token]))
    for role in _DISABLED_ROLES:
        made.setColor(QPalette.ColorGroup.Disabled, role, QColor(tokens["disabled"]))
    return made


def style_sheet(tokens: Mapping[str, str]) -> str:
    """The style sheet of what Qt draws itself; our own widgets paint themselves.

    Args:
        tokens: Colours by name.

    Returns:
        Qt style sheet text.
    """
    handle = QColor(tokens["line2"])
    handle.setAlphaF(_SCROLL_HANDLE_ALPHA)
    scroll = handle.name(QColor.NameFormat.HexArgb)
    return _SHEET.format_map({**tokens, "scroll": scroll})


_SHEET = """
QLineEdit {{
    background: {surface}; color: {text}; border: 1px solid {line2}; border-radius: 6px;
    padding: 0 10px; placeholder-text-color: {text3};
    selection-background-color: {accent}; selection-color: {accentText};
}}
QLineEdit:focus {{ border: 2px solid {accent}; padding: 0 9px; }}
QLineEdit[error="true"] {{ border-color: {err}; }}
QLineEdit:disabled {{ background: {sunken}; color: {disabled}; border: 1px solid {line}; }}
QPlainTextEdit, QTextEdit {{
    background: {surface}; color: {text}; border: 1px solid {line2}; border-radius: 6px;
    padding: 6px; selection-background-color: {accent}; selection-color: {accentText};
}}
QPlainTextEdit:focus, QTextEdit:focus {{ border: 2px solid {accent}; padding: 5px; }}
QMenu {{
    background: {raised}; color: {text};
    border: 1px solid {line}; border-radius: 10px; padding: 6px;
}}
QMenu::item {{ padding: 6px 10px 6px 36px; min-height: 20px; }}
QMenu[lines="1"]::item, QMenu[lines="2"]::item {{ padding: 6px 12px; }}
QMenu[lines="2"]::item {{ min-height: 36px; }}
QMenu::separator {{ height: 1px; background: {line}; margin: 6px 4px; }}
QComboBox {{ combobox-popup: 0; }}
QComboBox QAbstractItemView {{
    background: {raised}; color: {text}; border: 1px solid {line}; border-radius: 10px;
    padding: 5px; outline: 0;
}}
QComboBox QAbstractItemView::item {{ min-height: 30px; padding: 0 10px; border-radius: 6px; }}
QComboBox QAbstractItemView::item:selected {{ background: {accentSoft}; color: {text}; }}
QToolTip {{
    background: {raised}; color: {text};
    border: 1px solid {line}; border-radius: 6px; padding: 5px 9px;
}}
QScrollArea {{ border: 0; background: transparent; }}
QScrollBar:vertical {{ background: transparent; width: 12px; margin: 0; }}
QScrollBar:horizontal {{ background: transparent; height: 12px; margin: 0; }}
QScrollBar::handle {{ background: {scroll}; border-radius: 2px; }}
QScrollBar::handle:hover, QScrollBar::handle:pressed {{ background: {line2}; }}
QScrollBar::handle:vertical {{ min-height: 32px; margin: 2px 3px 2px 4px; }}
QScrollBar::handle:horizontal {{ min-width: 32px; margin: 4px 2px 3px 2px; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QSplitter::handle {{ background: {line}; }}
"""
