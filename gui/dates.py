"""Days and times as a user reads them."""

from datetime import date, datetime

from PySide6.QtCore import QCoreApplication, QLocale


def _tr(text: str) -> str:
    return QCoreApplication.translate("Dates", text)


def format_date(day: date, now: date | None = None) -> str:
    """Formats a day: "3 Nov 2025"; in the year of `now` without its year."""
    words = f"{day.day} {_tr(day.strftime('%b'))}"
    return words if now is not None and day.year == now.year else f"{words} {day.year}"


def format_moment(moment_s: float, now: datetime) -> str:
    """Formats day and time: "14 Nov 2026, 22:13".

    Args:
        moment_s: Seconds since 1970.
        now: The present, with its time zone.

    Returns:
        The words.
    """
    then = datetime.fromtimestamp(moment_s, now.tzinfo)
    return f"{format_date(then)}, {then:%H:%M}"


def format_when(moment_s: float, now: datetime) -> str:
    """Formats a moment as short as it can be: "14:05", "3 Nov", "3 Nov 2025"."""
    then = datetime.fromtimestamp(moment_s, now.tzinfo)
    return f"{then:%H:%M}" if _days_before(then, now) <= 1 else format_date(then, now)


def name_day_group(moment_s: float, now: datetime) -> str:
    """Names a group of days: "Today", "Yesterday", "Earlier this week" or "November 2026"."""
    then = datetime.fromtimestamp(moment_s, now.tzinfo)
    days = _days_before(then, now)
    if days < 7:
        names = (_tr("Today"), _tr("Yesterday"), _tr("Earlier this week"))
        return names[min(max(days, 0), 2)]
    month = QLocale(QLocale.Language.English).standaloneMonthName(then.month)
    return f"{_tr(month)} {then.year}"


def _days_before(then: datetime, now: datetime) -> int:
    return (now.date() - then.date()).days
