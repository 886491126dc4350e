"""Quotations in running text (`<q>`), with the marks that browsers draw around them."""

from typing import Any

# Outer and inner marks by language, of the style sheet that the HTML standard suggests to browsers.
_MARKS = {
    "en": "“”‘’", "bg": "„“„“", "cs": "„“‚‘", "da": "“”‘’", "de": "„“‚‘", "el": "«»“”",
    "es": "«»“”", "et": "„“«»", "fi": "””’’", "fr": "«»«»", "hr": "„”‘’", "hu": "„”»«",
    "it": "«»“”", "ja": "「」『』", "lt": "„“‚‘", "lv": "“”‘’", "nb": "«»‘’", "nl": "“”‘’",
    "nn": "«»‘’", "no": "«»‘’", "pl": "„”«»", "pt": "“”‘’", "ro": "„”«»", "ru": "«»„“",
    "sk": "„“‚‘", "sl": "„“‚‘", "sq": "«»“”", "sr": "„”’’", "sv": "””’’", "tr": "“”‘’",
    "uk": "«»„“", "zh": "“”‘’",
}  # fmt: skip
_OWN_MARKS = "\"'“”„‟‘’‚‛«»‹›「」『』"


def write_quotation_marks(root: Any) -> None:
    """Writes the marks of quotations into the text, but where it has its own."""
    for quotation in root.iter("q", "{*}q"):
        first = next(filter(str.strip, quotation.itertext()), "").strip()
        if not first or first[0] in _OWN_MARKS:
            continue
        around = list(quotation.iterancestors())
        lang = next(filter(None, (each.get("lang") for each in (quotation, *around))), "en")
        marks = _MARKS.get(lang.lower().split("-")[0], _MARKS["en"])
        inner = 2 * (sum(each.tag == quotation.tag for each in around) % 2)
        quotation.text = f"{marks[inner]}{quotation.text or ''}"
        last = next(quotation.iterchildren(reversed=True), None)
        if last is None:
            quotation.text += marks[inner + 1]
        else:
            last.tail = f"{last.tail or ''}{marks[inner + 1]}"
