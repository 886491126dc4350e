import pytest

from core.errors import EpitomeError
from core.evaluation.settings import ALL, EvaluateSettings, ScoreSettings


@pytest.mark.parametrize(
    ("typed", "wished"),
    [
        (["rouge-1", "bleu"], ("rouge-1", "bleu")),
        (["bleu, rouge-1", "bleu"], ("bleu", "rouge-1")),
        (["all"], ALL),
        (["words", "all"], ("words", *(name for name in ALL if name != "words"))),
    ],
)
def test_metrics_are_named_once_in_their_order(typed: list[str], wished: tuple[str, ...]) -> None:
    assert ScoreSettings.checked({"metrics": typed}).metrics == wished


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"metrics": ["rouge-5"]}, "“metrics.0” was 'rouge-5': it should be 'rouge-1', "),
        ({"metrics": []}, "“metrics” was empty"),
        ({"metrics": 3}, "“metrics” was 3"),
        ({"length": "long"}, "The length “long” is not one"),
        ({"limit": 0}, "“limit” was 0"),
        ({"sentence_breaks": "none"}, "“sentence_breaks” was 'none'"),
        ({"scorer": "rouge-score", "metrics": ["rouge-w"]}, "computes no rouge-w"),
        ({"scorer": "rouge-score", "tokenizer": "unicode"}, "words of a–z and 0–9 only"),
    ],
)
def test_what_cannot_be_meant_is_told(values: dict[str, object], told: str) -> None:
    with pytest.raises(EpitomeError) as caught:
        EvaluateSettings.checked(values)
    assert told in str(caught.value)
