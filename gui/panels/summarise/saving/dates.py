"""Days and times as a person reads them."""

from datetime import datetime

from gui.panels.summarise.saving.export_actions import tr


def day_of(moment: str, now: datetime | None = None) -> str:
    """The day of a moment, in the person's own time zone.

    Args:
        moment: In ISO 8601, with its time zone.
        now: The present; None for the clock's.

    Returns:
        "today", "yesterday", "3 Nov", or "3 Nov 2025" in another year; empty for what is no moment.
    """
    try:
        then = datetime.fromisoformat(moment).astimezone()
    except ValueError:
        return ""
    now = (now or datetime.now()).astimezone()
    days = (now.date() - then.date()).days
    if days in (0, 1):
        return tr("yesterday") if days else tr("today")
    date = f"{then.day} {tr(then.strftime('%b'))}"
    return date if then.year == now.year else f"{date} {then.year}"


def time_of(moment: str, now: datetime | None = None) -> str:
    """The day of a moment, and the time when it was today or yesterday: "today, 14:05"."""
    day = day_of(moment, now)
    if day not in (tr("today"), tr("yesterday")):
        return day
    return f"{day}, {datetime.fromisoformat(moment).astimezone():%H:%M}"
