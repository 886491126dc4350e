"""The table of keys."""

from itertools import combinations

from pytestqt.qtbot import QtBot

from gui.panel_table import panel_table
from gui.shortcuts import Shortcut, places, shortcut, shortcuts


def meet(one: Shortcut, other: Shortcut) -> bool:
    """Whether both can act at the same moment."""
    wheres = {one.where, other.where}
    if len(wheres) == 1 or "everywhere" in wheres or "document" in wheres:
        return True
    return "text" in wheres


def test_no_two_deeds_share_a_key_where_they_meet(qtbot: QtBot) -> None:
    for one, other in combinations(shortcuts(), 2):
        if meet(one, other):
            shared = [keys for keys in one.sequences if keys in other.sequences]
            assert not shared, (one.key, other.key, shared)


def test_every_key_can_be_pressed_and_has_words(qtbot: QtBot) -> None:
    for each in shortcuts():
        assert each.title
        assert each.sequences
        assert all(keys.count() == 1 for keys in each.sequences), each.key
        assert all(keys.toString() for keys in each.sequences), each.key


def test_names_are_unique_and_places_in_order(qtbot: QtBot) -> None:
    names = [each.key for each in shortcuts()]
    assert len(set(names)) == len(names)
    order = list(places())
    found = [order.index(each.where) for each in shortcuts()]
    assert found == sorted(found)


def test_caps_show_keys_as_they_are_written(qtbot: QtBot) -> None:
    shown = {key: shortcut(key).shown for key in ("larger", "smaller", "copy_summary", "drop")}
    assert shown["larger"] == ("Ctrl +",)
    assert shown["smaller"] == ("Ctrl −",)
    assert shown["copy_summary"] == ("Ctrl Shift C",)
    assert shown["drop"] == ("Delete",)
    assert shortcut("next_sentence").shown == ("J", "↓")
    assert shortcut("start").shown == ("Ctrl Enter",)  # of two keys, which have one name
    assert shortcut("next_document").shown == ("Ctrl Page Down", "Ctrl Tab")


def test_the_list_names_the_keys_of_lists_charts_and_regions(qtbot: QtBot) -> None:
    shown = {
        where: {keys for s in shortcuts() if s.where == where for keys in s.shown}
        for where in places()
    }
    assert {"Enter", "Delete", "F2", "S"} <= shown["list"]
    assert {"→", "←", "+", "−", "0"} <= shown["chart"]
    assert {"F6", "Shift F6", "Shift F10"} <= shown["everywhere"]


def test_no_deed_has_the_name_of_a_panel_which_its_key_would_show(qtbot: QtBot) -> None:
    deeds = {each.key for each in shortcuts()}
    assert not deeds & {entry.name for entry in panel_table()}
