"""The history of summaries: kept, searched, changed, limited, rescued, forgotten."""

import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import EpitomeError
from core.library.history import History, connect
from core.library.history_entry import Limits
from core.library.history_rescue import rescue
from core.library.history_schema import SCHEMA
from tests.helpers.databases import OpenedDatabases
from tests.helpers.histories import DAY_S, STILL_S, an_entry


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "data" / "history.sqlite")


def titles(history: History, wanted: str = "", **more: object) -> list[str]:
    return [entry.title for entry in history.search(wanted, **more)]  # type: ignore[arg-type]


def test_the_newest_comes_first_with_all_that_is_known_of_it(history: History) -> None:
    assert history.search() == () and history.count() == {"all": 0, "starred": 0, "trash": 0}
    history.keep(an_entry("Old", made_s=STILL_S), an_entry("New", "One. ", made_s=STILL_S + 9))
    new, old = history.search()
    assert (new.title, old.title) == ("New", "Old")
    assert (new.path, new.name, new.length) == ("/papers/clock.md", "clock.md", "9s")
    assert (new.sentences, new.model, new.first) == (1, "built-in", "One. ")
    kept = history.open(new.id)
    assert kept is not None and (kept.entry, kept.kept) == (new, "{}")
    assert history.open("nobody") is None


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("elec", ["Cell"]),
        ("ELECTRO ly", ["Cell"]),
        ("müll", ["Müller"]),
        ("mull", ["Müller"]),
        ("bericht.pdf", ["Müller"]),
        ("zebra", []),
        ('"', []),
        ("c", ["Cell", "漢字"]),
        ("字文", ["漢字"]),
        ("100%", ["Cell"]),
        ("%", ["Cell"]),
    ],
)
def test_words_are_found_as_they_are_typed(history: History, wanted: str, found: list[str]) -> None:
    history.keep(
        an_entry("Cell", "The electrolyte and lye are 100% solid.", made_s=STILL_S + 2),
        an_entry("Müller", "The quay.", path="/papers/bericht.pdf", made_s=STILL_S + 1),
        an_entry("漢字", "漢字文書の要約。", made_s=STILL_S),
    )
    assert titles(history, wanted) == found


def test_the_entry_of_an_open_document_follows_it_and_none_is_listed_twice(
    history: History,
) -> None:
    first = an_entry("Clock", "One.", id="a")
    history.keep(first)
    history.rename("a", "My clock")
    history.star("a", True)
    history.keep(an_entry("Clock", "One.", "Two.", id="a", made_s=STILL_S + 5))
    (entry,) = history.search("two")
    assert (entry.title, entry.starred, entry.sentences) == ("My clock", 1, 2)
    assert history.search("clock one") and not history.search("three")
    history.keep(an_entry("Clock", "One.", "Two.", id="b", made_s=STILL_S + 60))
    (again,) = history.search()
    assert (again.id, again.made_s) == ("a", STILL_S + 60)
    history.keep(an_entry("Clock", "Three.", id="b"))
    assert len(history.search()) == 2


def test_a_summary_made_again_by_way_of_another_length_is_listed_once(history: History) -> None:
    history.keep(an_entry("Clock", "Three.", id="earlier"))
    for said in ("Three.", "Four.", "Three."):  # the document is opened again, its slider moved
        history.keep(an_entry("Clock", said, id="open"))
    assert [entry.id for entry in history.search()] == ["earlier"]
    history.keep(an_entry("Clock", "Four.", id="open"))
    assert sorted(entry.id for entry in history.search()) == ["earlier", "open"]
    assert not history.search("three", shown="trash")


def test_an_entry_that_a_person_spoke_of_stays_beside_the_same_earlier_one(
    history: History,
) -> None:
    history.keep(an_entry("Clock", "Three.", id="earlier"))
    history.keep(an_entry("Clock", "Four.", id="open"))
    history.star("open", True)
    history.keep(an_entry("Clock", "Three.", id="open"))
    assert [entry.id for entry in history.search("three")] == ["earlier"]
    assert [entry.id for entry in history.search("four", shown="starred")] == ["open"]


@pytest.mark.parametrize(
    ("typed", "found"), [("\ud83d", []), ("時\ud800", []), ("harbour \udce9", ["Harbour"])]
)
def test_half_a_surrogate_pair_may_be_searched_for(
    history: History, typed: str, found: list[str]
) -> None:
    history.keep(an_entry("Harbour", id="b"))
    assert titles(history, typed) == found


def test_notes_are_searched_and_trash_is_kept_apart(history: History) -> None:
    history.keep(an_entry("A", id="a"), an_entry("B", id="b"))
    history.annotate("a", "for the harbour meeting")
    assert titles(history, "harbour") == ["A"]
    history.star("a", True)
    history.delete(["a"])
    assert titles(history) == ["B"] and titles(history, shown="starred") == []
    assert titles(history, "harbour", shown="trash") == ["A"]
    assert history.count() == {"all": 1, "starred": 0, "trash": 1}
    history.restore(["a"])
    assert titles(history, shown="starred") == ["A"]
    history.delete(["a"])
    assert history.empty_trash() == 1
    assert history.open("a") is None and titles(history) == ["B"]
    assert b"harbour" not in all_bytes(history.file.parent)


def test_age_and_size_have_limits_but_stars_stay(history: History) -> None:
    history.keep(*(an_entry(f"{n}", id=f"{n}", made_s=STILL_S + n * DAY_S) for n in range(4)))
    history.star("0", True)
    new = an_entry("new", id="new")
    assert history.keep(new, limits=Limits(days=100_000)) == 0
    assert history.keep(new, limits=Limits(days=1)) == 4  # all are older, but one has a star
    assert titles(history) == ["0"]
    large = [an_entry(f"L{n}", kept="x" * 400_000, made_s=STILL_S * 2 + n) for n in range(5)]
    assert history.keep(*large, limits=Limits(megabytes=1)) == 3
    assert titles(history) == ["L4", "L3", "0"]


def test_the_limits_act_though_nothing_new_is_kept(history: History) -> None:
    assert history.prune(Limits(days=1)) == 0 and not history.file.exists()
    history.keep(*(an_entry(name, id=name, made_s=STILL_S) for name in ("old", "star", "trash")))
    history.star("star", True)
    history.delete(["trash"])
    assert history.prune(Limits(days=100_000)) == 0
    with closing(sqlite3.connect(history.file)) as database, database:
        long_ago_s = time.time() - 31 * DAY_S
        database.execute("UPDATE entries SET trashed = ? WHERE id = 'trash'", (long_ago_s,))
    assert history.prune(Limits()) == 0
    assert history.count()["trash"] == 0 and titles(history) == ["star", "old"]
    assert history.prune(Limits(days=1)) == 1
    assert titles(history) == ["star"]


def test_the_limits_of_an_older_program_do_not_touch_a_newer_history(history: History) -> None:
    history.keep(an_entry("Old", made_s=STILL_S))
    with closing(sqlite3.connect(history.file)) as database:
        database.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    before = history.file.read_bytes()
    assert history.prune(Limits(days=1)) == 0
    assert history.file.read_bytes() == before


def test_two_windows_write_at_once(history: History) -> None:
    code = (
        "import sys; from pathlib import Path; from core.library.history import History\n"
        "from tests.helpers.histories import an_entry\n"
        "for n in range(20): History(Path(sys.argv[1])).keep(an_entry(sys.argv[2] + str(n)))"
    )
    windows = [
        subprocess.Popen([sys.executable, "-c", code, str(history.file), name]) for name in "ab"
    ]
    assert [window.wait() for window in windows] == [0, 0]
    assert len(history.search()) == 40


def test_what_was_kept_survives_a_kill_at_any_moment(history: History) -> None:
    code = (
        "import sys; from pathlib import Path; from core.library.history import History\n"
        "from tests.helpers.histories import an_entry\n"
        "for n in range(10_000):\n"
        "    History(Path(sys.argv[1])).keep(an_entry(f'Kept {n}', kept='x' * 50_000))\n"
        "    print(n, flush=True)"
    )
    window = subprocess.Popen(
        [sys.executable, "-c", code, str(history.file)], stdout=subprocess.PIPE, text=True
    )
    assert window.stdout is not None
    for _ in range(6):
        last = int(window.stdout.readline())
    window.kill()
    window.stdout.close()
    window.wait()
    assert len(history.search()) > last and history.take_note() == ""
    history.keep(an_entry("After"))
    assert titles(history, "after") == ["After"]


def test_a_newer_history_is_refused_with_a_sentence(history: History) -> None:
    history.keep(an_entry())
    with closing(sqlite3.connect(history.file)) as database:
        database.execute("PRAGMA user_version = 9")
    with pytest.raises(EpitomeError, match="was made by a newer Epitome"):
        history.search()
    with pytest.raises(EpitomeError, match="newer Epitome"):
        history.keep(an_entry("B"))


def test_a_full_disk_is_said_and_what_was_there_stays(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    history.keep(an_entry("A"))
    connect = sqlite3.connect

    def connect_to_a_full_disk(*args: object, **kwargs: object) -> sqlite3.Connection:
        database: sqlite3.Connection = connect(*args, **kwargs)  # type: ignore[call-overload]
        database.execute("PRAGMA max_page_count = 1")  # SQLite then finds no room, as on a disk
        return database

    with monkeypatch.context() as full:
        full.setattr(sqlite3, "connect", connect_to_a_full_disk)
        with pytest.raises(EpitomeError, match="disk is full") as told:
            history.keep(an_entry("B", kept="x" * 100_000))
    assert told.value.kind == "full"
    assert titles(history) == ["A"]


def test_a_disk_without_room_for_what_lies_beside_the_history_is_full(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    history.keep(an_entry("A"))
    error = sqlite3.OperationalError("disk I/O error")  # as SQLite says it then
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
    usage = shutil.disk_usage(history.file.parent)

    def connect(*args: object, **kwargs: object) -> sqlite3.Connection:
        raise error

    monkeypatch.setattr(sqlite3, "connect", connect)
    with pytest.raises(EpitomeError, match="disk I/O error"):
        history.search()
    monkeypatch.setattr(shutil, "disk_usage", lambda place: usage._replace(free=8_192))
    with pytest.raises(EpitomeError, match="the disk is full") as told:
        history.keep(an_entry("B"))
    assert told.value.kind == "full"


def test_a_damaged_history_is_set_aside_and_what_can_be_read_is_rescued(history: History) -> None:
    history.keep(*(an_entry(f"Title{n}", kept="y" * 3000, id=f"{n}") for n in range(200)))
    data = bytearray(history.file.read_bytes())
    middle = len(data) // 2 // 4096 * 4096
    data[middle : middle + 3 * 4096] = b"\xff" * 3 * 4096
    history.file.write_bytes(data)
    for n in range(200):
        history.annotate(f"{n}", "seen")  # whichever touches the damage rebuilds
        history.open(f"{n}")
    note = history.take_note()
    assert note.startswith("The history was damaged.") and "history.damaged.sqlite" in note
    assert history.take_note() == ""
    assert 150 < len(history.search("title", most=999)) < 200
    assert history.file.with_name("history.damaged.sqlite").exists()
    history.keep(an_entry("After"))
    assert titles(history, "after") == ["After"]


def test_what_is_no_database_is_set_aside_too(history: History) -> None:
    history.file.parent.mkdir()
    history.file.write_bytes(b"This was overwritten. " * 500)
    assert history.search() == ()
    assert "0 summaries" in history.take_note()
    history.keep(an_entry("A"))
    assert titles(history) == ["A"]


def test_what_is_no_database_is_not_left_open(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    history.file.parent.mkdir()
    history.file.write_bytes(b"This was overwritten. " * 500)
    opened = OpenedDatabases(monkeypatch, "core.library.history")
    with pytest.raises(sqlite3.DatabaseError):
        connect(history.file)
    assert len(opened) == 1 and opened.count_open() == 0


def test_forgetting_leaves_no_byte(history: History) -> None:
    secret = "The heliotrope ledger lists seventeen keepers."
    entries = [an_entry(f"Ledger {n}", f"{secret} {n}", kept=f"[{secret}]") for n in range(30)]
    history.keep(*entries)
    history.annotate(entries[0].id, "heliotrope note")
    history.delete([entries[1].id])
    aside = history.file.with_name("history.damaged.sqlite")
    aside.write_bytes(secret.encode())
    assert b"heliotrope" in all_bytes(history.file.parent).lower()
    history.forget()
    left = all_bytes(history.file.parent).lower()
    for word in (b"heliotrope", b"ledger", b"seventeen", b"keepers", b"papers"):
        assert word not in left
    history.keep(an_entry("After"))
    assert titles(history) == ["After"]


def all_bytes(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


def test_a_history_of_the_first_schema_is_brought_up_to_date(history: History) -> None:
    history.keep(an_entry("Old", id="o"))
    with closing(sqlite3.connect(history.file)) as database:
        database.execute("ALTER TABLE entries DROP COLUMN documents")
        database.execute("PRAGMA user_version = 1")
        database.commit()
    (entry,) = history.search()
    assert (entry.id, entry.documents) == ("o", 1)
    history.keep(replace(an_entry("New", id="n"), documents=3))
    assert {each.id: each.documents for each in history.search()} == {"o": 1, "n": 3}


def test_a_damaged_history_of_the_first_schema_is_rescued_too(history: History) -> None:
    history.keep(*(an_entry(f"Title{n}", kept="y" * 3000, id=f"{n}") for n in range(60)))
    with closing(sqlite3.connect(history.file)) as database:
        database.execute("ALTER TABLE entries DROP COLUMN documents")
        database.execute("PRAGMA user_version = 1")
        database.commit()
    data = bytearray(history.file.read_bytes())
    middle = len(data) // 2 // 4096 * 4096
    data[middle : middle + 3 * 4096] = b"\xff" * 3 * 4096
    history.file.write_bytes(data)
    aside, count = rescue(history.file)
    assert aside is not None and 30 < count < 60
    assert {entry.documents for entry in history.search("title", most=99)} == {1}
