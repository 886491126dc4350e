"""Text that was encoded twice ("2002â€“03", "Â£5"): found, and put right.

`ftfy` knows which runs of characters are such damage and how it came about. A line is repaired only
if all its characters outside ASCII are part of the damage, so that a text *about* encodings keeps
its examples. A line that mixes damage with sound characters is repaired only in a text in which
lines of the first sort are the majority.
"""

import re

REPAIRED = "Characters that had been encoded twice (such as “â€“” for “–”) were repaired."

# The first of two bytes of UTF-8 as Windows-1252, Mac Roman, Windows-1250 or Windows-1251 show it,
# and a second one that is not ASCII either. It finds far too much, but quickly.
_LIKELY = re.compile(r"[Â-ôĂăĐđŃ√¬‚][^\x00-\x7f]|[РС][^\x00-\x7fА-яё]")
_PARTS = "decode_inconsistent_utf8"  # ftfy's name for a repair of only parts of a line
_BOUNDARY = re.compile(r"([\n<>])")  # tags are boundaries too: a whole page may be one line
_LOST_BYTE = re.compile(r"â€(?=[\s.,;:!?)]|$)")  # the byte 9D of ”, which Windows-1252 lacks


def repair(text: str) -> str:
    """The text without the damage of a second encoding; the same text where there is none."""
    if text.isascii() or not _LIKELY.search(text):
        return text
    lines = _BOUNDARY.split(text)
    whole: dict[int, str] = {}
    mixed: dict[int, str] = {}
    for index, line in enumerate(lines):
        if line.isascii() or not _LIKELY.search(line):
            continue
        fixed, steps = _fixed(line)
        if steps:
            (mixed if _PARTS in steps else whole)[index] = fixed
    if len(mixed) >= max(1, len(whole)):
        return text
    for index, fixed in (whole | mixed).items():
        lines[index] = fixed
    return "".join(lines)


def _fixed(line: str) -> tuple[str, list[str]]:
    """A line repaired, and the steps of it."""
    import ftfy

    found = ftfy.fix_encoding_and_explain(_LOST_BYTE.sub("â€\x9d", line))
    return str(found.text), [str(step.parameter) for step in found.explanation or ()]
