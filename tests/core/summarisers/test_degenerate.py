"""Texts of ruined models are told from texts."""

import pytest

from core.summarisers.degenerate import describe_degenerate


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "nothing"),
        (" \n\t", "nothing"),
        ("#####", "no words, only “#####”"),
        (". , . , !", "no words, only “.,.,!”"),
        ("-" * 40, "no words, only “------------…”"),
        ("a" * 40, "the same over and over, “aaaaaaaaaaaa…”"),
        ("a a a a a a a a", "the same over and over, “aaaaaaaa”"),
        ("0" * 30 + " end", "the same over and over, “000000000000…”"),
        ("the the the the the the", "the same over and over, “thethethethe…”"),
        ("The pump. " * 7 + "The pu",
         "the same over and over, “Thepump.Thep…”"),
        ("Hello " + "the " * 100, "the same over and over, “Hellothethet…”"),
        ("The report says the " + "piles piles " * 50, "the same over and over, “Thereportsay…”"),
        ("The pump failed at noon today. " * 20, "the same over and over, “Thepumpfaile…”"),
        ("quay quay quayouncil quay quayngineer quay quay stone quay quay wall quay quay " * 6,
         "the same over and over, “quayquayquay…”"),
        ("QQQSQQDQQeaQQQQormQQQQaQQQQbQQQQQ" * 10, "the same over and over, “QQQSQQDQQeaQ…”"),
        ("The bridge was closed at noon. " * 9 + "�" * 120,
         "bytes that are no text, “Thebridgewas…”"),
        ("水" * 9, "the same over and over, “水水水水水水水水水”"),
    ],
)  # fmt: skip
def test_what_is_no_text_is_named(text: str, fault: str) -> None:
    assert describe_degenerate(text) == fault


@pytest.mark.parametrize(
    "text",
    [
        "The pump failed at noon, and the crew replaced two valves.",
        "Oooh!",
        "No. No. No.",
        "7",
        "泵在中午发生故障。",
        "Section 1.1.1.1.1 was cut.",
        "Total: 1,000,000,000,000 euros",
        "He said that that that that he used was wrong.",
    ],
)
def test_a_text_is_a_text(text: str) -> None:
    assert describe_degenerate(text) == ""
