"""Subtitles and court transcripts with numbered lines, as plain text."""

import pytest

from core.documents.document import Kind
from core.documents.readers.recordings import SUBTITLES, without_line_numbers
from tests.helpers.reader_checks import read, texts

_WEBVTT = """WEBVTT

1
00:00:00.000 --> 00:00:04.000
<v Ann Reed>So the question is whether the mill

2
00:00:04.000 --> 00:00:06.500 align:start
<v Ann Reed>still grinds <i>corn</i>.</v>

3
00:00:07.000 --> 00:00:09.000
<v Bo Stone>It does so every day of the week.</v>

4
00:00:09.000 --> 00:00:12.000
<v Ann Reed>Who mends the wheel when it breaks?</v>

5
00:00:12.000 --> 00:00:15.000
<v Bo Stone>The village does, and it has for years.</v>

6
00:00:15.000 --> 00:00:18.000
<v Ann Reed>Who pays the village for all of its work?</v>

7
00:00:18.000 --> 00:00:20.000
<v Bo Stone>Nobody has paid it for anything until now.</v>
"""
_SUBRIP = """1
00:00:00,000 --> 00:00:04,000
The mill on the river has ground
corn for the village

2
00:00:04,000 --> 00:00:08,000
since it was built.

3
00:00:08,000 --> 00:00:12,000
It stands still in winter.
"""


def _numbered(*lines: str) -> str:
    return "\n".join(f"{number:2}    {line}" for number, line in enumerate(lines, 1))


_PAGE = (
    "Q.   Were you at the mill on the night of the fourth of May, when the",
    "wheel broke for the first time?",
    "A.   I was there with two other people from the village, and we heard",
    "the wheel break at about ten.",
    "Q.   Who was with you on that night at the mill, if you can say it now?",
    "A.   Ann Reed and her brother were there, and nobody but these two.",
    "Q.   Did any of them see who it was that broke the wheel on that night?",
    "A.   None of us has ever seen who it was, and nobody knows to this day.",
    "Q.   When did you tell the village that the wheel of the mill was broken?",
    "A.   We told the village on the morning after, when all of us were back.",
)


def test_subtitles_with_voices_are_a_transcript() -> None:
    document = read(_WEBVTT.encode(), "talk.vtt")
    assert SUBTITLES in document.reading.notes
    assert document.speaker_names == ("Ann Reed", "Bo Stone")
    assert texts(document)[0] == "Ann Reed: So the question is whether the mill still grinds corn."
    assert len(texts(document)) == 6


def test_subtitles_without_voices_are_paragraphs() -> None:
    document = read(_SUBRIP.encode(), "talk.srt")
    assert texts(document) == [
        "The mill on the river has ground corn for the village since it was built. "
        "It stands still in winter."
    ]


_ROLLING = """WEBVTT
Kind: captions

00:00:00.000 --> 00:00:02.500 align:start position:0%
~
so<00:00:00.320><c> today</c><00:00:00.640><c> we</c><00:00:00.800><c> talk</c>

00:00:02.500 --> 00:00:02.510 align:start position:0%
so today we talk
~

00:00:02.510 --> 00:00:05.000 align:start position:0%
so today we talk
about<00:00:02.800><c> pumps</c><00:00:03.200><c> and</c>

00:00:05.000 --> 00:00:05.010 align:start position:0%
about pumps and
~

00:00:05.010 --> 00:00:08.000 align:start position:0%
about pumps and
[Music] mills

00:00:08.000 --> 00:00:09.000
[Applause]
""".replace("~", " ")


def test_lines_that_stay_on_the_screen_are_read_once() -> None:
    assert texts(read(_ROLLING.encode(), "talk.vtt")) == ["so today we talk about pumps and mills"]


def test_what_two_say_in_one_cue_and_sounds_are_no_items_of_a_list() -> None:
    cues = ("- Who built it?\n- My father.", "(wheel creaking)", "No.", "No.", "He said\nno more.")
    text = "".join(
        f"{n}\n00:00:{n:02},000 --> 00:00:{n:02},900\n{cue}\n\n" for n, cue in enumerate(cues, 1)
    )
    assert texts(read(text.encode(), "talk.srt")) == [
        "Who built it? My father. No. No. He said no more."
    ]


def test_voices_whose_family_name_comes_first_are_speakers() -> None:
    text = _WEBVTT.replace("Ann Reed", "Reed, Ann (Mill)").replace("Bo Stone", "Stone, Bo")
    assert read(text.encode(), "talk.vtt").speaker_names == ("Ann Reed", "Bo Stone")


@pytest.mark.parametrize(
    "label",
    [
        "00:0{n}:10\t{name}:\t",
        "14:0{n}:10\t From {name} : ",
        "14:0{n}:10 From {name} to Everyone : ",
    ],
)
def test_lines_of_a_meeting_with_tabs_are_turns_and_no_table(label: str) -> None:
    said = (
        ("Ann Lee", "Good morning, can you all hear me?"),
        ("Bo Ray", "Yes, we can. The pump was repaired last week."),
        ("Ann Lee", "Then we agree to start it on Monday."),
        ("Cem Oz", "I would rather wait for the inspector who comes on Tuesday."),
        ("Bo Ray", "That is one day later, and nobody needs the water before."),
        ("Cem Oz", "Thank you, that would be fine with me."),
    )
    lines = [label.format(n=n, name=name) + words for n, (name, words) in enumerate(said)]
    document = read("\n".join(lines), "meeting.txt")
    assert len(texts(document, Kind.PARAGRAPH)) == len(said)
    assert document.speaker_names == ("Ann Lee", "Bo Ray", "Cem Oz")


def test_numbers_of_lines_are_left_out_and_told() -> None:
    document = read(f"{_numbered(*_PAGE)}\n\n{_numbered(*_PAGE)}".encode(), "court.txt")
    assert document.speaker_names == ("Question", "Answer")
    assert texts(document, Kind.PARAGRAPH)[0] == (
        "Q. Were you at the mill on the night of the fourth of May, when the wheel broke for the "
        "first time?"
    )
    (left_out,) = document.reading.left_out
    assert (left_out.what, left_out.words, left_out.missed) == ("line numbers", 20, False)


def test_a_numbered_list_keeps_its_numbers() -> None:
    text = _numbered(*(f"The wheel number {number} turns." for number in range(30)))
    assert without_line_numbers(text) == (text, [])
