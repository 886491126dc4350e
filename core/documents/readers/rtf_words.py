"""What the control words of RTF mean for its text."""

from collections.abc import Callable
from typing import Any

CHARACTERS = {
    "tab": "\t",
    "line": "\n",
    "lbr": "\n",
    "emdash": "—",
    "endash": "–",
    "bullet": "•",
    "lquote": "‘",
    "rquote": "’",
    "ldblquote": "“",
    "rdblquote": "”",
    "emspace": " ",
    "enspace": " ",
    "qmspace": " ",
    "softline": "\n",
}
SIGNS = {"~": "\u00a0", "_": "-", "{": "{", "}": "}", "\\": "\\"}
# Where the text of a group goes; that of all other groups that begin with a star goes nowhere.
FLOWS = {
    "footnote": "note",
    "annotation": "comment",
    "shptxt": "box",
    "listtext": "mark",
    "dptxbxtext": "box",
    "pntext": "mark",
    "fonttbl": "fonts",
    "stylesheet": "styles",
    "title": "title",
    "fldinst": "field",
    "ffl": "entry",
    "objclass": "class",
    "upr": "fallback",
    **dict.fromkeys(("header", "headerl", "headerr", "headerf"), "running"),
    **dict.fromkeys(("footer", "footerl", "footerr", "footerf"), "running"),
}
PASSED = frozenset(
    (
        *("colortbl", "filetbl", "listtable", "listoverridetable", "revtbl", "rsidtbl"),
        *("author", "operator", "subject", "keywords", "doccomm", "company", "manager", "comment"),
        *("category", "hlinkbase", "creatim", "revtim", "printim", "buptim", "xe", "tc", "rxe"),
        *("ftnsep", "ftnsepc", "ftncn", "aftnsep", "aftnsepc", "aftncn", "nonshppict", "shprslt"),
        *("objdata", "objname", "template", "nonesttables", "private", "datafield"),
    )
)
SILENT = ("shpinst", "shp", "shpgrp", "info", "object", "do")  # only groups inside them are read
ENDS = frozenset(("par", "sect", "page", "column", "cell", "nestcell", "row"))
SWITCHES = {
    "v": "hidden",
    "deleted": "deleted",
    "b": "bold",
    "revised": "",
    "strike": "struck",
    "striked": "struck",
    "htmlrtf": "in_markup",
}
SHIFTS = {"super": 1, "up": 1, "sub": -1, "dn": -1, "nosupersub": 0}  # raised 1, lowered -1
FORMATS: dict[str, Callable[[int], dict[str, Any]]] = {
    "s": lambda number: {"style": number},
    "outlinelevel": lambda number: {"outline": number},
    "ls": lambda number: {"in_list": number > 0},
    "ilvl": lambda number: {"depth": number},
    "intbl": lambda number: {"in_table": True},
    "dropcapli": lambda number: {"drop_cap": number > 0},
}
MOST_FALLBACKS = 100
STARRED = (
    *("shppict", "annotation", "shpinst", "shpgrp", "do", "footnote", "fldinst", "ffl"),
    *("formfield", "objclass", "ud"),
)
MEANT = frozenset(
    (
        *(*CHARACTERS, *SWITCHES, *SHIFTS, *FORMATS, *ENDS, *PASSED, *SILENT, *FLOWS, *STARRED),
        *("u", "uc", "plain", "pard", "f", "af", "rtlch", "ltrch", "ftnalt", "fromhtml"),
        *("pict", "mmath", "field", "result", "fldrslt", "fftype", "ffres", "ffdefres"),
        *("fcharset", "cpg", "ansicpg", "deff", "mac", "pc", "pca"),
    )
)
"""All words that mean something, but those of looks; most words of a file do not."""
