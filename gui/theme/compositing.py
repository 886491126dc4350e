"""Whether the screen can show windows with see-through corners.

An X server without a compositing manager paints them black. Qt 6 does not tell, so the X server is
asked who owns the selection that stands for compositing.
"""

import ctypes
from ctypes import POINTER, Structure, byref, c_char_p, c_int, c_uint8, c_uint16, c_uint32, c_void_p
from functools import cache

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QGuiApplication, QPainterPath, QRegion
from PySide6.QtWidgets import QWidget


class _Cookie(Structure):
    _fields_ = (("sequence", c_uint32),)


class _Reply(Structure):
    """What the X server answers to both questions: an atom, or a window."""

    _fields_ = (
        ("type", c_uint8),
        ("pad", c_uint8),
        ("sequence", c_uint16),
        ("length", c_uint32),
        ("value", c_uint32),
    )


@cache
def has_compositor() -> bool:
    """Whether see-through corners are shown as such; True where nobody can tell."""
    if QGuiApplication.platformName() != "xcb":
        return True
    try:
        return _asked_of_x()
    except (OSError, AttributeError, ValueError):  # another libxcb, or none
        return True


def _asked_of_x() -> bool:
    xcb = ctypes.CDLL("libxcb.so.1")
    xcb.xcb_connect.argtypes, xcb.xcb_connect.restype = (c_char_p, POINTER(c_int)), c_void_p
    for function in ("xcb_connection_has_error", "xcb_disconnect"):
        getattr(xcb, function).argtypes = (c_void_p,)
    xcb.xcb_intern_atom.argtypes = (c_void_p, c_uint8, c_uint16, c_char_p)
    xcb.xcb_get_selection_owner.argtypes = (c_void_p, c_uint32)
    screen = c_int()
    connection = xcb.xcb_connect(None, byref(screen))
    try:
        if xcb.xcb_connection_has_error(connection):
            return True
        selection = f"_NET_WM_CM_S{screen.value}".encode()
        atom = _answer(xcb, "intern_atom", connection, 0, len(selection), selection)
        return bool(_answer(xcb, "get_selection_owner", connection, atom))
    finally:
        xcb.xcb_disconnect(connection)


def _answer(xcb: ctypes.CDLL, question: str, connection: int, *arguments: object) -> int:
    ask, reply = getattr(xcb, f"xcb_{question}"), getattr(xcb, f"xcb_{question}_reply")
    ask.restype, reply.restype = _Cookie, POINTER(_Reply)
    reply.argtypes = (c_void_p, _Cookie, c_void_p)
    found = reply(connection, ask(connection, *arguments), None)
    return int(found.contents.value) if found else 0  # its 32 bytes are not worth freeing


def round_corners(popup: QWidget, radius: int) -> None:
    """Lets what lies behind a pop-up's round corners show through.

    Args:
        popup: It; paints its own plate. Called before it is shown, and whenever it has another
            size: where nothing shines through, the corners are cut off.
        radius: Of its corners, in px.
    """
    if has_compositor():
        popup.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
    else:
        path = QPainterPath()
        path.addRoundedRect(QRectF(popup.rect()), radius, radius)
        popup.setMask(QRegion(path.toFillPolygon().toPolygon()))
