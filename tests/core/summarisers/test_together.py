"""One summary of several documents: shared points with all who say them, then what differs."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.document import Block, Document, Source
from core.export.combined import COMBINED_FORMATS, lines_of, render_combined
from core.export.excerpt import KeptSummary
from core.stop import StopToken
from core.summaries.length import Length
from core.summaries.summary import Evidence, Summary, SummarySentence
from core.summarisers.together import combine

WALL = "The harbour wall of the northern basin was repaired with granite blocks."
WALL_AGAIN = "Granite blocks repaired the old harbour wall of the northern basin."
COST = "The repair of the lock gates cost 410 000 crowns in 2019."
COST_AGAIN = "The repair of the lock gates cost 530 000 crowns in 2019."
FERRY = "The ferry to the island stopped running in winter."
FISH = "Herring fishing declined after the new quota."


def kept(name: str, *sentences: str, language: str = "") -> KeptSummary:
    """A document, each sentence on a page of its own; the first is the best."""
    blocks = [Block(text, page=number) for number, text in enumerate(sentences, 1)]
    document = Document.from_blocks(
        blocks, title=name, source=Source(f"{name}.pdf"), num_pages=len(blocks)
    )
    made = []
    for number, text in enumerate(sentences):
        start = document.text.index(text)
        evidence = Evidence.at(document, number, start, start + len(text))
        made.append(SummarySentence(text, (evidence,), 1.0 - number / 10))
    read = replace(document.reading, language=language)
    summary = Summary(name, document.source, tuple(made), Length(40), read)
    return KeptSummary.of(summary, document)


def test_what_several_say_is_one_point_with_all_of_them() -> None:
    documents = [kept("A", FERRY, WALL), kept("B", WALL_AGAIN), kept("C", FISH)]
    combined = combine(documents, Length(9), StopToken())
    (shared,) = combined.shared
    assert {voice.document for voice in shared.voices} == {0, 1}
    assert {point.text for point in combined.differing} == {FERRY, FISH}
    places = [(line.name, line.place, line.quotation) for line in lines_of(combined, shared)]
    assert ("A", "p. 2, para. 2", WALL) in places and ("B", "p. 1, para. 1", WALL_AGAIN) in places


def test_the_same_with_other_numbers_is_no_shared_point() -> None:
    combined = combine([kept("A", FERRY, COST), kept("B", COST_AGAIN)], Length(9), StopToken())
    assert combined.shared == ()
    point = combined.differing[0]
    assert len(point.voices) == len(point.contrary) == 1
    assert {point.text, point.contrary[0].sentence.text} == {COST, COST_AGAIN}
    assert combined.notes == ("No point was found that several documents share.",)
    told = render_combined(combined, ".txt").decode()
    assert "With other numbers or names, or to the contrary: " in told


@pytest.mark.parametrize(
    ("language", "one", "other", "is_same"),
    [
        ("en", "410,000", "410000", True),
        ("en", "410 000", "410,000", True),
        ("en", "1,410,000.5", "1410000.5", True),
        ("en", "2.500", "2500", False),
        ("de", "2.500", "2500", True),
        ("de", "2.500,5", "2500,5", True),
        ("de", "2,500", "2500", False),
        ("en", "410,000", "411,000", False),
        ("en", "2.10", "2.1", False),
    ],
)
def test_a_number_is_the_same_however_it_is_written(
    language: str, one: str, other: str, is_same: bool
) -> None:
    documents = [
        kept(name, COST.replace("410 000", number), language=language)
        for name, number in (("A", one), ("B", other))
    ]
    combined = combine(documents, Length(9), StopToken())
    assert bool(combined.shared) == is_same
    assert any(point.contrary for point in combined.differing) != is_same


def test_the_same_of_something_else_is_no_shared_point() -> None:
    there, here = (f"The lock gates of the port of {name} leak in winter." for name in ("Ur", "Ys"))
    combined = combine([kept("A", there, FERRY), kept("B", here)], Length(9), StopToken())
    assert combined.shared == () and len(combined.differing[0].contrary) == 1


DENIED = {
    "The tenant may sublet the flat to other persons of the town.": (
        "The tenant may not sublet the flat to other persons of the town."
    ),
    "The landlord is liable for damage to furniture by water.": (
        "The landlord isn’t liable for damage to furniture by water."
    ),
    "Le propriétaire répond des dégâts causés aux meubles par l’eau.": (
        "Le propriétaire ne répond pas des dégâts causés aux meubles par l’eau."
    ),
}


@pytest.mark.parametrize(("said", "denied"), DENIED.items())
def test_what_one_says_and_another_denies_is_no_shared_point(said: str, denied: str) -> None:
    language = "fr" if said.startswith("Le ") else "en"
    documents = [in_language(kept("A", said, FERRY), language), kept("B", denied, FISH)]
    documents[1] = in_language(documents[1], language)
    combined = combine(documents, Length(9), StopToken())
    assert combined.shared == ()
    point = combined.differing[0]
    assert {point.text, point.contrary[0].sentence.text} == {said, denied}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "The tenant does not have to sublet the flat of the town.",
            "The tenant doesn't have to sublet the flat of the town.",
        ),
        (
            "The court gave case No. 5 of the lock gates to a judge.",
            "The court gave case 5 of the lock gates to a judge.",
        ),
    ],
)
def test_what_both_deny_is_shared_and_a_number_denies_nothing(one: str, other: str) -> None:
    combined = combine([kept("A", one), kept("B", other)], Length(9), StopToken())
    assert len(combined.shared) == 1


def in_language(document: KeptSummary, code: str) -> KeptSummary:
    read = replace(document.summary.read, language=code)
    return replace(document, summary=replace(document.summary, read=read))


def test_every_document_has_its_say_where_there_is_room() -> None:
    others = [f"Nothing of note was said about subject {word} here." for word in "abcdefg"]
    long = kept("Long", *others)
    combined = combine([long, kept("B", FERRY), kept("C", FISH)], Length(3), StopToken())
    assert {point.voices[0].document for point in combined.points} == {0, 1, 2}


def test_a_document_does_not_agree_with_itself() -> None:
    combined = combine([kept("A", WALL, WALL_AGAIN), kept("B", FISH)], Length(9), StopToken())
    assert combined.shared == ()


def test_every_format_says_who_says_what() -> None:
    combined = combine([kept("A", WALL), kept("B", WALL_AGAIN, FISH)], Length(9), StopToken())
    for suffix in COMBINED_FORMATS:
        data = render_combined(combined, suffix)
        assert data == render_combined(combined, suffix)
        if suffix != ".docx":
            text = data.decode()
            assert WALL in text and FISH in text and "B" in text


INCOME = "The income elasticity of demand is the change in quantity divided by that in income."
PRICE = "The price elasticity of demand is the change in quantity divided by that in price."


def test_the_same_form_with_another_word_is_another_point() -> None:
    combined = combine([kept("A", INCOME), kept("B", PRICE)], Length(9), StopToken())
    assert combined.shared == ()
    assert [point.contrary for point in combined.differing] == [(), ()]


def weakened(document: KeptSummary, at: int, **changes: object) -> KeptSummary:
    sentences = list(document.summary.sentences)
    sentences[at] = replace(sentences[at], **changes)  # type: ignore[arg-type]
    return replace(document, summary=replace(document.summary, sentences=tuple(sentences)))


@pytest.mark.parametrize("weakness", [{"score": 0.0}, {"leans": True}])
def test_a_weak_or_leaning_sentence_supports_others_and_is_no_point_itself(
    weakness: dict[str, object],
) -> None:
    others = (FERRY, COST, INCOME)
    one = weakened(kept("A", *others, WALL), 3, **weakness)
    combined = combine([one, kept("B", FISH)], Length(20), StopToken())
    assert {point.text for point in combined.points} == {*others, FISH}
    combined = combine([one, kept("B", WALL_AGAIN)], Length(20), StopToken())
    (shared,) = combined.shared
    assert shared.text == WALL_AGAIN and len(shared.voices) == 2


def test_a_document_that_repeats_itself_is_told_once() -> None:
    combined = combine([kept("A", WALL, WALL_AGAIN), kept("B", FISH)], Length(9), StopToken())
    assert [point.text for point in combined.points] == [WALL, FISH]


def test_documents_that_there_was_no_room_for_are_named() -> None:
    documents = [kept("A", FERRY), kept("B", FISH), kept("C", PRICE)]
    combined = combine(documents, Length(2), StopToken())
    assert combined.notes[-1] == "Nothing of C is in it; a longer summary has more."


def test_points_of_one_document_stand_together_in_its_order() -> None:
    documents = [kept("A", FERRY, COST), kept("B", FISH, INCOME)]
    combined = combine(documents, Length(9), StopToken())
    assert [point.text for point in combined.points] == [FERRY, COST, FISH, INCOME]


WORDS = st.lists(
    st.sampled_from("wall quay ferry lock gate crane basin pier 1 2 3".split()),
    min_size=1, max_size=8,
).map(lambda words: f"The {' '.join(words)}.")  # fmt: skip


@given(
    texts=st.lists(st.lists(WORDS, min_size=1, max_size=4, unique=True), min_size=2, max_size=4),
    length=st.one_of(
        st.integers(1, 9).map(lambda n: Length(n)),
        st.integers(1, 60).map(lambda n: Length(n, "words")),
    ),
)
def test_a_combined_summary_keeps_its_length_and_quotes_its_documents(
    texts: list[list[str]], length: Length
) -> None:
    documents = [kept(f"D{number}", *several) for number, several in enumerate(texts)]
    combined = combine(documents, length, StopToken())
    if length.unit == "sentences":
        assert len(combined.points) <= length.value
    else:
        words = sum(len(point.voices[0].sentence.text.split()) for point in combined.points)
        assert words <= length.value
    seen = set()
    for point in combined.points:
        for voice in (*point.voices, *point.contrary):
            assert voice.sentence.text in texts[voice.document]
            assert (voice.document, voice.sentence.text) not in seen
            seen.add((voice.document, voice.sentence.text))
        several = [voice.document for voice in (*point.voices, *point.contrary)]
        assert len(several) == len(set(several))
    for point in combined.shared:
        assert len(point.voices) > 1


def test_the_order_of_equal_documents_does_not_change_what_is_shared() -> None:
    one, two = kept("A", WALL, FERRY), kept("B", WALL_AGAIN, FISH)
    there, back = (
        combine(documents, Length(9), StopToken()) for documents in ([one, two], [two, one])
    )
    assert {len(point.voices) for point in there.shared} == {2}
    assert len(there.shared) == len(back.shared)
    assert replace(there, documents=()).length == back.length
