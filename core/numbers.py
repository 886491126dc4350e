"""Numbers as a person reads them, in the window, in files and at the terminal alike.

Thousands are parted by a thin no-break space, which also stands before a unit and %. A terminal
that cannot show it gets a plain space: `core.cli.main`.
"""

THIN_SPACE = "\u202f"
"""Stands in thousands and before a unit or %, and never at the end of a line."""

_SIZE_UNITS = ("kB", "MB", "GB", "TB")


def format_count(number: int) -> str:
    """A whole number as a person reads it: thin no-break spaces in thousands."""
    return f"{number:,}".replace(",", THIN_SPACE)


def format_quantity(number: int, one: str, many: str = "") -> str:
    """A number and what it counts: "1 page", "30 pages"."""
    return f"{format_count(number)} {one if number == 1 else many or one + 's'}"


def format_size(num_bytes: int) -> str:
    """A size as a person reads it: "9 bytes", "1.2 MB", "38 MB"; thousands, not 1,024s."""
    if num_bytes < 1000:
        return format_quantity(num_bytes, "byte").replace(" ", THIN_SPACE)
    value = float(num_bytes)
    for unit in _SIZE_UNITS:
        value /= 1000
        if value < 999.5 or unit == _SIZE_UNITS[-1]:
            break
    return f"{value:.1f}{THIN_SPACE}{unit}" if value < 9.95 else f"{value:.0f}{THIN_SPACE}{unit}"


def format_share(part: float, whole: float) -> str:
    """A share in percent: one decimal below 10, none above."""
    percent = 100 * part / whole if whole else 0.0
    if 0 < percent < 0.05:
        return f"under 0.1{THIN_SPACE}%"
    digits = f"{percent:.1f}".removesuffix(".0") if percent < 9.95 else f"{percent:.0f}"
    return f"{digits}{THIN_SPACE}%"


def format_interval(low: float | None, high: float | None, spec: str) -> str:
    """The ends of an interval in a format: "+0.4 to +3.8", or "–" where there is none."""
    return "–" if low is None or high is None else f"{low:{spec}} to {high:{spec}}"


def format_seconds(seconds: float) -> str:
    """A time as a person says it: "0.4 s", "12 s", "2 min 10 s", "2 h 10 min"."""
    if seconds < 0.05:
        return f"Under 0.1{THIN_SPACE}s"
    if seconds < 9.95:
        return f"{seconds:.1f}{THIN_SPACE}s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole}{THIN_SPACE}s"
    large, small, units = (
        (whole // 60, whole % 60, ("min", "s"))
        if whole < 3600
        else (whole // 3600, whole % 3600 // 60, ("h", "min"))
    )
    return f"{large}{THIN_SPACE}{units[0]} {small}{THIN_SPACE}{units[1]}"


def format_pages(pages: tuple[int, ...]) -> str:
    """Page numbers as a person writes them: "page 3", "pages 3–5, 9"."""
    runs: list[list[int]] = []
    for page in sorted(set(pages)):
        if runs and page == runs[-1][1] + 1:
            runs[-1][1] = page
        else:
            runs.append([page, page])
    parts = [str(first) if first == last else f"{first}–{last}" for first, last in runs]
    return f"{'page' if len(set(pages)) == 1 else 'pages'} {', '.join(parts)}"
