"""Which sentences the built-in summariser ranks."""

from core.documents.document import Block, Document, Kind, Source
from core.events import result_of
from core.stop import StopToken
from core.summarisers.built_in import in_language, rank_document, shipped_ranker


def _ranked(*blocks: Block) -> list[str]:
    document = Document.from_blocks(blocks, title="", source=Source("a.txt"))
    ranking = result_of(rank_document(document, StopToken()))
    assert ranking.eligible == len(ranking.by_words.indices)
    spans = zip(ranking.starts.tolist(), ranking.ends.tolist(), strict=True)
    texts = [document.text[start:end] for start, end in spans]
    return [texts[index] for index in sorted(ranking.by_words.indices.tolist())]


def test_what_says_nothing_alone_is_not_ranked() -> None:
    told = "The council agreed to rebuild the bridge."
    blocks = [Block(told), Block("None."), Block("The bridge has three parts:"), Block("so that,")]
    assert _ranked(*blocks, Block("Bridges", Kind.HEADING, 1)) == [told]


def test_a_repeated_sentence_is_ranked_where_it_stands_first() -> None:
    once, again = "The wind is older than the sea.", "Nobody remembers where we are."
    assert _ranked(Block(again), Block(f"{once} {again}"), Block(once)) == [again, once]


def test_a_text_of_fragments_alone_is_ranked_whole() -> None:
    assert _ranked(Block("Yes."), Block("No: ", Kind.LIST_ITEM)) == ["Yes.", "No:"]
    assert _ranked(Block("Bridges", Kind.HEADING, 1)) == ["Bridges"]


def test_in_another_language_its_function_words_are_common_and_no_others_known() -> None:
    english = shipped_ranker()
    assert in_language(english, "en") is in_language(english, "") is english
    german = in_language(english, "de").background
    common, (other,) = german.spots(["der", "und", "nicht"]), german.spots(["bruck"])
    assert (german.rarity[common] < 0.5).all()
    assert german.rarity[other] == english.background.rarity[-1]


def test_what_leans_on_a_sentence_stands_after_it_or_nowhere() -> None:
    document = Document.from_blocks(
        [
            Block("This is what nobody expected. The council agreed to rebuild the bridge."),
            Block("It will cost two million. However, the county pays half of that."),
            Block("See below for the plans. These are the main points."),
        ],
        title="",
        source=Source("a.txt"),
    )
    ranking = result_of(rank_document(document, StopToken()))
    texts = [
        document.text[start:end] for start, end in zip(ranking.starts, ranking.ends, strict=True)
    ]
    council, cost, county = (
        next(index for index, text in enumerate(texts) if text.startswith(word))
        for word in ("The council", "It will", "However")
    )
    assert ranking.by_words.indices.tolist() == [council, cost, county]
    assert ranking.leans_on.tolist() == [-1, -1, council, cost, -1, -1]
