"""The options that a window shows make the same settings again."""

import argparse
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from core.cli.options import add_options, checked
from core.data.settings import CorpusSettings
from core.gsg.settings import GapSentenceSettings
from core.settings import option_words


def parsed(words: list[str]) -> CorpusSettings:
    parser = argparse.ArgumentParser()
    add_options(parser, CorpusSettings)
    return checked(CorpusSettings, vars(parser.parse_args(words)))


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "make": st.sampled_from(["gsg", "pairs", "text", None]),
            "strategy": st.sampled_from(["random", "lead", "independent-document"]),
            "unique": st.booleans(),
            "ratio": st.sampled_from([0.1, 0.15, 0.3]),
            "count": st.none() | st.integers(1, 9),
            "include": st.lists(st.sampled_from(["*.pdf", "a b", "*.md"])).map(tuple),
            "document_column": st.sampled_from(["", "text", "two words"]),
            "split": st.sampled_from([None, "70/20/10"]),
        },
    )
)
def test_options_make_the_settings_they_were_made_of(values: dict[str, Any]) -> None:
    settings = CorpusSettings.checked(values)
    assert parsed(option_words(settings)) == settings


def test_what_is_as_usual_is_left_out() -> None:
    assert option_words(CorpusSettings()) == []
    usual = CorpusSettings.checked({"ratio": 0.2})
    assert option_words(usual, usual) == []
    assert option_words(CorpusSettings(), usual) == ["--ratio", "0.3"]
    assert option_words(GapSentenceSettings.checked({"unique": True})) == ["--unique"]
