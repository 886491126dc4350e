"""What History says of a summary."""

from datetime import UTC, datetime

from core.library.history_entry import Entry
from gui.panels.history.words import list_facts

HASH = "0123456789abcdef" * 4
ENTRY = Entry(
    id="1", title="The clock", name="clock.md", path="/papers/clock.md", sha256=HASH,
    model="built-in", length="9s", language="auto", edits=0, sentences=9, words=218,
    origin="window", made_s=1_795_000_000.0, starred=0, note="", first="It ticks.", trashed_s=None,
)  # fmt: skip


def test_a_summary_says_of_which_file_it_is_by_place_and_hash() -> None:
    rows = dict(list_facts(ENTRY, datetime(2026, 11, 26, tzinfo=UTC)))
    assert rows["Document"] == "/papers/clock.md"
    assert rows["SHA-256"] == "0123456789abcdef…"
    assert rows["Summary"] == "9 sentences, 218 words; asked for 9 sentences"
