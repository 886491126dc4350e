"""The sentences for files that cannot be read: what was wrong, and the one thing to do."""

import errno
import re
from collections.abc import Iterable
from typing import Final

from core.documents.budget import OVER
from core.documents.document import LeftOut
from core.documents.readers.formats import list_formats
from core.errors import EpitomeError, is_too_long, of_system
from core.numbers import format_count, format_size

SAVED_AS_PDF: Final = (
    "Save it as a PDF and open that; text recognition (OCR) then reads its pictures."
)
_PICTURES = re.compile(r"\d+ pictures?")
_CONVERT = {  # formats that hold a text, and how to get at it
    "doc": ("an old Word file (.doc)", "Open it in Word or LibreOffice and save it as .docx."),
    "xls": ("an old Excel workbook (.xls)", "Open it in Excel or LibreOffice and save it as .csv."),
    "ppt": (
        "an old PowerPoint presentation (.ppt)",
        "Open it in PowerPoint or LibreOffice and save it as .pptx.",
    ),
}
_SAVE_AS = {
    ".xlsx": "Open it in Excel or LibreOffice and save it as .csv.",
    ".msg": "Open it in Outlook and save the message as .eml, PDF or plain text.",
    "archive": "Unpack it, and open one of the documents in it.",
    "picture": "Save it as PNG or JPEG, and open that.",
    "scanned": "Convert it to a PDF that contains its text.",
    "PostScript": "Convert it to PDF.",
    "OpenDocument": "Save it as PDF.",
    "Pages": "Open it in its own program and export it as .docx, .pptx, .csv or PDF.",
    "XML": "Save its text as .docx, HTML or plain text.",
}


def missing(name: str, folder: str) -> EpitomeError:
    """For a path where there is nothing."""
    return EpitomeError(
        f"There is no file “{name}” in {'this folder' if folder == '.' else folder}.",
        "Check whether it was moved or renamed, and open it from its new place.",
    )


def vanished(name: str) -> EpitomeError:
    """For a file that was there a moment ago."""
    return EpitomeError(
        f"“{name}” disappeared while it was being read.",
        "Check that its disk is still connected, and open it again.",
    )


def changed(name: str) -> EpitomeError:
    """For a file that another program wrote to meanwhile."""
    return EpitomeError(
        f"“{name}” changed while it was being read.",
        "Wait until the other program has finished with it, and open it again.",
    )


def not_opened(name: str, error: OSError) -> EpitomeError:
    """For what the system refuses, by the system's own reason."""
    if error.errno in (errno.EACCES, errno.EPERM):
        return EpitomeError(
            f"You do not have permission to read “{name}”.",
            "Ask its owner for permission, or copy it to a folder of your own.",
        )
    if is_too_long(error):
        return EpitomeError("The file’s name is too long.", "Rename it, and open it again.")
    if error.errno in (errno.ENOENT, errno.ESTALE, errno.ENODEV, errno.ENXIO):
        return vanished(name)
    remedy = "Copy it to another disk and open it from there."
    return of_system(error, f"“{name}” cannot be read", remedy)


def is_folder(name: str) -> EpitomeError:
    """For a folder where a file was meant."""
    return EpitomeError(f"“{name}” is a folder, not a file.", "Open one of the files in it.")


def closed_folder(name: str) -> EpitomeError:
    """For a folder that may not be looked into."""
    return EpitomeError(
        f"You do not have permission to read the folder “{name}”.",
        "Ask its owner for permission, or leave it out.",
    )


def not_a_file(name: str) -> EpitomeError:
    """For devices, pipes and sockets."""
    return EpitomeError(
        f"“{name}” is a device or a pipe, not a regular file.",
        "Save its output as a file, and open that.",
    )


def empty(name: str) -> EpitomeError:
    """For a file of no bytes."""
    return EpitomeError(
        f"“{name}” is empty (0 bytes).", "Get a new copy of the file, or open another one."
    )


def has_pictures(left_out: Iterable[LeftOut]) -> bool:
    """True if pictures of a document were not read, which may hold its text."""
    return any(_PICTURES.fullmatch(item.what) for item in left_out)


def blank(name: str, left_out: Iterable[LeftOut] = ()) -> EpitomeError:
    """For a file without a word.

    Args:
        name: The name of the file in the message.
        left_out: The parts of it that were not read.

    Returns:
        The error; of pictures that may hold its text it says how that is recognised.
    """
    pictures = [item.what for item in left_out if _PICTURES.fullmatch(item.what)]
    if pictures:
        return EpitomeError(f"“{name}” contains no words, only {pictures[0]}.", SAVED_AS_PDF)
    return EpitomeError(
        f"“{name}” contains no words, only white space or symbols.",
        "Open a file that contains text.",
    )


def too_large(name: str, num_bytes: int, allowed_bytes: int, kind: str) -> EpitomeError:
    """For more than the program can read in bounded memory.

    Args:
        name: What to call the file.
        num_bytes: Its size.
        allowed_bytes: The largest size for its kind.
        kind: Its kind in the plural ("text files").

    Returns:
        The error.
    """
    return EpitomeError(
        f"“{name}” has {format_size(num_bytes)}; {kind} can have up to "
        f"{format_size(allowed_bytes)}.",
        "Split it into smaller files, and open them one by one.",
    )


def json_too_large(name: str, num_bytes: int, allowed_characters: int) -> EpitomeError:
    """For JSON that is one value, not a row a line, and whose tree would fill the memory."""
    return EpitomeError(
        f"“{name}” has {format_size(num_bytes)} and is one JSON value; such files can have up to "
        f"{format_count(allowed_characters)} characters.",
        "Save it as JSON Lines, with one object on each line.",
    )


def unending(name: str, allowed_bytes: int, kind: str) -> EpitomeError:
    """For a pipe that gives more than the program can read, perhaps without end.

    Args:
        name: What to call it.
        allowed_bytes: The largest size for its kind.
        kind: Its kind in the plural ("text files").

    Returns:
        The error.
    """
    return EpitomeError(
        f"“{name}” has more than {format_size(allowed_bytes)}, the maximum for {kind}.",
        "Split it into smaller files, and open them one by one.",
    )


def not_text(name: str) -> EpitomeError:
    """For bytes that are text in no known encoding."""
    return EpitomeError(
        f"“{name}” contains binary data, not readable text.",
        _open_another(),
    )


def not_read(name: str, what: str) -> EpitomeError:
    """For a known format that has no reader.

    Args:
        name: What to call the file.
        what: What it is, as `sniffing.format_of` says it.

    Returns:
        The error, with the way to get at its text where there is one.
    """
    if what == "locked":
        return locked(name)
    if what in _CONVERT:
        words, remedy = _CONVERT[what]
    else:
        words = what
        remedy = next((text for mark, text in _SAVE_AS.items() if mark in what), _open_another())
    return EpitomeError(f"“{name}” is {words}; only {list_formats()} can be read.", remedy)


def broken(name: str) -> EpitomeError:
    """For a damaged archive or one that is not what its name says."""
    return EpitomeError(
        f"“{name}” is damaged and cannot be unpacked.",
        "Get a new copy of the file, or open it in its own program and save it again.",
    )


def oddly_packed(name: str) -> EpitomeError:
    """For an archive that is packed by a method that no document uses."""
    return EpitomeError(
        f"“{name}” is packed by a method that documents do not use.",
        "Open it in its own program and save it again.",
    )


def locked(name: str) -> EpitomeError:
    """For an office document that is encrypted."""
    return EpitomeError(
        f"“{name}” is an Office file locked with a password, which Epitome cannot read.",
        "Open it in its own program, remove the password, and save it.",
    )


def sealed(name: str) -> EpitomeError:
    """For an encrypted message."""
    return EpitomeError(
        f"“{name}” is an encrypted message, which Epitome cannot read.",
        "Open it in your mail program, and save its text.",
    )


def damaged_message(name: str) -> EpitomeError:
    """For a message whose parts cannot be told apart."""
    return EpitomeError(
        f"The message “{name}” is damaged, and its parts cannot be told apart.",
        "Open it in a mail program, and save its text.",
    )


def message_of_many_parts(name: str, allowed: int) -> EpitomeError:
    """For a message of more parts than mail programs make."""
    return EpitomeError(
        f"The message “{name}” has more than {format_count(allowed)} parts, which is the most that "
        "can be read.",
        "Open it in a mail program, and save its text.",
        OVER,
    )


def too_deep(name: str) -> EpitomeError:
    """For a message whose parts lie in parts without end."""
    return EpitomeError(
        f"The parts of “{name}” are nested too deeply.",
        "Open it in a mail program, and save its text.",
    )


def no_page(name: str) -> EpitomeError:
    """For a web archive without a page."""
    return EpitomeError(
        f"“{name}” is a web archive that contains no page.",
        "Open it in a browser and save it as HTML or PDF.",
    )


def protected_book(name: str) -> EpitomeError:
    """For an e-book that only its seller's programs open."""
    return EpitomeError(
        f"“{name}” is an e-book with copy protection (DRM), which Epitome cannot read.",
        "Read it in its seller’s program, or get a copy without protection.",
    )


def unpacks_to_too_much(name: str, num_bytes: int, unpacked_bytes: int) -> EpitomeError:
    """For an archive that would fill the memory."""
    return EpitomeError(
        f"“{name}” has {format_size(num_bytes)} but would unpack to {format_size(unpacked_bytes)}, "
        "too much for a document.",
        "Open another file. If this one is yours, save its text in a smaller one.",
        OVER,
    )


def too_many_parts(name: str, num_parts: int, allowed: int) -> EpitomeError:
    """For an archive of more parts than a document has."""
    return EpitomeError(
        f"“{name}” is an archive of {format_count(num_parts)} parts; a document has at most "
        f"{format_count(allowed)}.",
        "Unpack it, and open one of the documents in it.",
    )


def no_lines(name: str) -> EpitomeError:
    """For a file that is not plain text where each line is to be a sentence."""
    return EpitomeError(
        f"“{name}” is not plain text; only plain text can have one sentence per line.",
        "Choose a plain text file, or read this one as a document (without “lines”).",
    )


def _open_another() -> str:
    return f"Open another file; {list_formats()} can be read."
