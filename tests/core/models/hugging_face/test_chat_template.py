"""Chat templates that expect the contents of a message in their own ways."""

from pathlib import Path

import pytest

from core.errors import EpitomeError
from core.models.hugging_face.chat_template import chat_frame

pytest.importorskip("transformers")

PIECES = "{% for c in m['content'] %}{{ c['text'] }}{% endfor %}"
STRICT = (
    "{% if m['content'] is string %}{{ raise_exception('a list is needed') }}{% endif %}" + PIECES
)
EITHER = "{% if m['content'] is string %}{{ m['content'] }}{% else %}" + PIECES + "{% endif %}"


@pytest.mark.parametrize("contents", ["{{ m['content'] }}", PIECES, STRICT, EITHER])
def test_a_prompt_is_given_as_text_or_as_a_list_of_contents(tmp_path: Path, contents: str) -> None:
    messages = "{% for m in messages %}<s>" + contents + "</s>{% endfor %}<s>answer"
    assert chat_frame(tmp_path, {"chat_template": messages}) == ("<s>", "</s><s>answer")


def test_the_reason_of_a_refusal_is_that_of_a_prompt_as_text(tmp_path: Path) -> None:
    template = "{{ raise_exception('only with pictures') }}"
    with pytest.raises(EpitomeError, match=r"cannot be used \(only with pictures\)"):
        chat_frame(tmp_path, {"chat_template": template})
