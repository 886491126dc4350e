import pytest

from core.errors import EpitomeError
from core.gsg.settings import GapPairSettings, GapSentenceSettings


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"rouge": "L"}, "ROUGE-L is allowed with the independent strategies only; the strategy"),
        ({"rouge": "L", "strategy": "sequential-pairwise"}, "ROUGE-L is allowed"),
        (
            {"rouge": "L", "strategy": "independent-pairwise", "unique": True},
            "“unique” is allowed with ROUGE-1 and ROUGE-2 only",
        ),
        ({"aggregate": "max"}, "“max” is allowed with the pairwise strategies only"),
        ({"algorithm": "paper"}, "“paper” is allowed with the pairwise strategies only"),
        ({"noise": 0.2}, "Noise is allowed with the independent strategies only"),
        ({"ratio_to": 0.1}, "“ratio_to” must not be below the ratio, but 0.1 is below 0.3"),
        ({"ratio": 1.0}, "“ratio” was 1.0"),
        ({"count": 0}, "“count” was 0"),
        ({"strategy": "best"}, "“strategy” was 'best'"),
    ],
)
def test_what_does_not_go_together_is_refused(values, message):
    with pytest.raises(EpitomeError, match=message):
        GapSentenceSettings.checked(values)


def test_every_field_has_a_title_and_a_line_of_help():
    for name, info in GapSentenceSettings.model_fields.items():
        assert info.title and info.description, name


def test_settings_come_back_from_a_file(tmp_path):
    wanted = GapSentenceSettings(strategy="independent-pairwise", rouge="L", count=4)
    wanted.save(tmp_path / "gsg.toml")
    assert GapSentenceSettings.load(tmp_path / "gsg.toml") == wanted


def test_leaving_picked_sentences_in_needs_gaps() -> None:
    with pytest.raises(EpitomeError, match="“left_in” is allowed with the maskings"):
        GapPairSettings.checked({"left_in": 0.1, "masking": "keep"})
