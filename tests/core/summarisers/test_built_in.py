"""Which sentences the built-in summariser ranks."""

from core.distribution.resources import resource
from core.documents.document import Block, Document, Kind, Source
from core.documents.readers.door import read_pasted
from core.events import result_of
from core.stop import StopToken
from core.summaries.summary import Length
from core.summarisers.built_in import rank_document
from core.summarisers.choice import choose
from core.summarisers.scoring.scores import shipped_ranker


def _ranked(*blocks: Block) -> list[str]:
    document = Document.from_blocks(blocks, title="", source=Source("a.txt"))
    ranking = result_of(rank_document(document, StopToken()))
    assert ranking.by_words.num_rankable == len(ranking.by_words.indices)
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
    assert english.for_language("en") is english.for_language("") is english
    german = english.for_language("de").background
    common, (other,) = german.row_indices(["der", "und", "nicht"]), german.row_indices(["bruck"])
    assert (german.idf[common] < 0.5).all()
    assert german.idf[other] == english.background.idf[-1]


def test_a_summary_of_a_real_text_leans_on_nothing_and_asks_nothing() -> None:
    text = resource("samples", "article.md").read_text("utf-8")
    document = result_of(read_pasted(text, "", StopToken()))
    ranking = result_of(rank_document(document, StopToken()))
    told = [sentence.text for sentence in choose(document, ranking, Length(5)).sentences]
    assert len(told) == 5
    assert not [text for text in told if text.startswith(("It ", "They ", "This ", "But "))]
    assert not [text for text in told if text.endswith(("?", ":"))]
