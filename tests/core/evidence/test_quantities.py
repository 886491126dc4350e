"""Numbers, units and dates are the same however they are written."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.evidence.claims import CheckableFacts
from core.evidence.quantities import dates, quantities, rounds_to


@pytest.mark.parametrize(
    ("written", "value", "unit"),
    [
        (["1,000", "1 000", "1\u202f000", "one thousand", "1000"], "1000", ""),
        (["3.5 million", "3,500,000", "3.5-million"], "3500000", ""),
        (["5 %", "5%", "5 percent", "five per cent", "five percent"], "5", "%"),
        (["25 km", "25km", "twenty-five kilometres", "25 kilometers"], "25", "km"),
        (["$20", "20 dollars", "$ 20"], "20", "$"),
        (
            ["$5m", "$5M", "$5 m", "US$5m", "$5mn", "USD 5m", "5m dollars", "$5 million"],
            "5000000",
            "$",
        ),
        (["€3.2bn", "€3.2 bn", "EUR 3.2bn", "3.2bn euros", "€3.2B"], "3200000000", "€"),
        (["10k", "10K", "10,000"], "10000", ""),
        (["5bn", "5 bn", "five billion"], "5000000000", ""),
        (["5m", "5 m", "five metres"], "5", "m"),
        (["10 am", "10am", "10:00 a.m.", "10.00 am", "10:00AM"], "10", "am"),
        (["5:30 pm", "5.30pm", "05:30 p.m."], "5.30001", "pm"),
        (["17:30"], "17.30001", ""),
        (["3x", "3×", "three times", "3-fold"], "3", "-fold"),
        (["205 days", "two hundred and five days", "205-day"], "205", "day"),
        (["3,5", "3.5"], "3.5", ""),
        (["the 21st", "twenty-first"], "21", ""),
    ],
)
def test_one_quantity_in_all_its_spellings(written: list[str], value: str, unit: str) -> None:
    for text in written:
        (found,) = quantities(f"About {text} of it.")
        assert (found.value, found.unit) == (Decimal(value), unit), text


@pytest.mark.parametrize(
    "text", ["p53", "BIP-32", "x86", "3A", "7B", "5k8", "version 5.3.1", "the other someone"]
)
def test_digits_of_a_name_are_no_number(text: str) -> None:
    assert list(quantities(text)) == []


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("It cost $5-6m.", [5_000_000, 6_000_000]),
        ("It cost €5–6 billion.", [5_000_000_000, 6_000_000_000]),
        ("It cost $5-6.", [5, 6]),
    ],
)
def test_both_prices_of_a_range_have_its_scale(text: str, values: list[int]) -> None:
    found = list(quantities(text))
    assert [int(one.value) for one in found] == values
    assert found[0].unit == text[8]


@pytest.mark.parametrize(
    ("source", "sentence", "is_said"),
    [
        ("A rod of 50 cm.", "A rod of 0.5 m.", True),
        ("A rod of 50 cm, and 0.5 kg.", "A rod of 0.5 m.", True),
        ("A rod of 50 cm.", "A rod of 0.6 m.", False),
        ("A rod of 50 cm.", "A rod of 50 m.", False),
        ("A rod of 50 kg.", "A rod of 0.5 m.", False),
        ("It takes 90 minutes.", "It takes 1.5 hours.", True),
        ("It takes 90 minutes.", "It takes 2.5 hours.", False),
        ("It takes 24 months.", "It takes two years.", True),
        ("Then 5m people came.", "Then 5 million people came.", True),
        ("Then 5 million people came.", "Then 5m people came.", True),
        ("Then 5m people came.", "Then 6 million people came.", False),
        ("Then 5 million people came.", "Then 6m people came.", False),
        ("A rod of 5 metres.", "Then 5 million people came.", False),
        ("It cost $5-6m.", "It cost $6 million.", True),
        ("It cost $5-6m.", "It cost $7 million.", False),
        ("It cost $5-6m.", "It cost $5.", False),
    ],
)
def test_as_much_in_another_unit_is_said_and_another_number_is_not(
    source: str, sentence: str, is_said: bool
) -> None:
    (claim,) = CheckableFacts(source).claims(sentence)
    assert bool(claim.places) is is_said


def test_a_time_is_no_rounded_number() -> None:
    (exact,), (rounded,) = quantities("At 10:34."), quantities("At 10:30.")
    assert not rounds_to(exact.value, rounded.value)


def test_words_that_say_a_number_by_the_way_assert_none() -> None:
    found = list(quantities("The first one, twice, in both of a pair."))
    assert found and not any(quantity.claimed for quantity in found)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("From 1990–95.", [1990, 1995]),
        ("In 2019/20.", [2019, 2020]),
        ("In 1999-00.", [1999, 2000]),
        ("In 1990 and 95.", [1990, 95]),
        ("In 1995-90.", [1995, 90]),
        ("At 2010-12-05.", [2010, 12, 5]),
        ("From 1990–95 million.", [1990, 95_000_000]),
    ],
)
def test_the_end_of_a_range_of_years_is_a_year(text: str, values: list[int]) -> None:
    assert [int(one.value) for one in quantities(text)] == values


@pytest.mark.parametrize("text", ["Two thirds left.", "Two-thirds left."])
def test_a_part_in_words_is_no_whole_number(text: str) -> None:
    assert not any(one.claimed for one in quantities(text))


def test_the_numbers_of_a_list_assert_nothing() -> None:
    text = "It needs (1) 5 g of salt, (2) water, and 3) air, as all nine women (4) said (9)."
    found = {text[one.start : one.end]: one.claimed for one in quantities(text)}
    assert found == {
        "1": False, "5 g": True, "2": False, "3": False, "nine": True, "4": False, "9": True,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("12 May 2010", (2010, 5, 12)),
        ("May 12, 2010", (2010, 5, 12)),
        ("2010-05-12", (2010, 5, 12)),
        ("the twelfth of May 2010", (2010, 5, 12)),
        ("12th of May", (0, 5, 12)),
        ("Sept. 2010", (2010, 9, 0)),
    ],
)
def test_dates_in_all_their_spellings(text: str, date: tuple[int, int, int]) -> None:
    (found,) = dates(f"It was on {text}.")
    assert (found.year, found.month, found.day) == date


@pytest.mark.parametrize(
    "text", ["It may rain.", "In May it rains.", "They march on.", "2 may go."]
)
def test_a_month_alone_is_no_date(text: str) -> None:
    assert dates(text) == []


def test_a_date_is_said_by_one_that_says_more() -> None:
    (whole,), (part,), (other,) = dates("12 May 2010"), dates("May 2010"), dates("June 2010")
    assert part.within(whole)
    assert not whole.within(part)
    assert not other.within(whole)


@pytest.mark.parametrize(
    ("exact", "rounded", "whether"),
    [("29.7", "30", False), ("29.74", "29.7", True), ("1249000", "1200000", True),
     ("1249000", "1300000", False), ("3.2", "3", False), ("12", "12.4", False),
     ("12.5", "13", True), ("12.5", "12", True), ("0.125", "0.13", True), ("2.25", "2.3", True),
     ("1.02", "0.98", False), ("12.51", "12", False)],
)  # fmt: skip
def test_a_number_rounds_to_one_of_two_digits_or_more(
    exact: str, rounded: str, whether: bool
) -> None:
    assert rounds_to(Decimal(exact), Decimal(rounded)) is whether


@given(st.text(st.sampled_from("0123456789.,- $%aemnostfivhundred \u202f") | st.characters()))
def test_any_text_is_read_and_spans_lie_in_it(text: str) -> None:
    for found in quantities(text):
        assert 0 <= found.start < found.value_end <= found.end <= len(text)
    for day in dates(text):
        assert 0 <= day.start < day.end <= len(text)
