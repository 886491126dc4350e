"""The chat template of a language model, taken apart into what stands round a prompt."""

import json
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from core.errors import EpitomeError
from core.models.hugging_face.files import read_if_there
from core.numbers import format_count
from core.storage.parsing import parse_json
from core.system.bounded_child import Answer, ask

MARK = "EPITOME-PROMPT"
"""The prompt that a template is tried with."""

_TEMPLATE_FILE = "chat_template.jinja"
_CODE = "from core.models.hugging_face.chat_template import main; main()"
MOST_CHARACTERS = 200_000


def chat_frame(folder: Path, named: dict[str, Any]) -> tuple[str, str] | None:
    """What a chat template puts before and after a single prompt.

    The template is a Jinja program. It is rendered once, in the library's sandbox, which reaches
    neither files nor Python; and in a process of its own, for it may loop without end.

    Args:
        folder: The model's folder.
        named: What its `tokenizer_config.json` says.

    Returns:
        Both texts, special tokens written out; None where there is no template.

    Raises:
        EpitomeError: If the template fails, or shows the prompt neither as a text nor as a list of
            contents once.
    """
    template = read_if_there(folder / _TEMPLATE_FILE) or _in_settings(named)
    if not template:
        return None
    tokens = {name: _token(value) for name, value in named.items() if name.endswith("_token")}
    answer = _rendered(template, tuple(sorted(tokens.items())))
    told = str(parse_json(answer.text)) if answer.outcome == "done" else answer
    return frame_in(told, folder)


def frame_in(rendered: str | Answer, place: Path) -> tuple[str, str]:
    """What a rendered template has before and after the prompt.

    Args:
        rendered: `MARK` as the template shows it; or why it could not be rendered.
        place: Where the template stands.

    Returns:
        Both texts.

    Raises:
        EpitomeError: If the template failed, or does not show the prompt once.
    """
    if isinstance(rendered, Answer):
        raise _refused(place, rendered.why)
    if len(rendered) > MOST_CHARACTERS:
        most = format_count(MOST_CHARACTERS)
        raise _refused(place, f"it makes more than {most} characters of a prompt")
    before, mark, after = rendered.partition(MARK)
    if not mark or not after or MARK in after:
        raise _refused(place, "it does not show a prompt once, and the model's turn after it")
    return before, after


@lru_cache(maxsize=32)
def _rendered(template: str, tokens: tuple[tuple[str, str], ...]) -> Answer:
    given = json.dumps({"template": template, "tokens": dict(tokens)}).encode()
    return ask(_CODE, given)


def main() -> None:
    """What the child does: renders the template on standard input, and prints it as JSON."""
    given = parse_json(sys.stdin.buffer.read())
    from transformers.utils.chat_template_utils import render_jinja_template

    def render(content: Any) -> str:
        made: Any = render_jinja_template(
            [[{"role": "user", "content": content}]],
            chat_template=given["template"],
            add_generation_prompt=True,
            **given["tokens"],
        )
        return str(made[0][0])[: MOST_CHARACTERS + 1]

    try:
        # Templates of models that also take pictures expect a list of contents: of a text they
        # show nothing, or fail.
        rendered = _first_good(
            lambda: render(MARK), lambda: render([{"type": "text", "text": MARK}])
        )
    except MemoryError:
        raise
    except Exception as error:  # the template is a program, and may raise anything
        raise SystemExit(str(error).strip().partition("\n")[0] or type(error).__name__) from None
    print(json.dumps(rendered))  # noqa: T201 - to the parent


def _first_good(*renders: Callable[[], str]) -> str:
    """The first rendering that shows the prompt; else the first, or what it raised."""
    for render in renders:
        with suppress(Exception):
            if MARK in (shown := render()):
                return shown
    return renders[0]()


def _in_settings(named: dict[str, Any]) -> str:
    """The template in the tokenizer's settings; of several the default one."""
    template = named.get("chat_template") or ""
    if isinstance(template, list):
        entries = [each for each in template if isinstance(each, dict)]
        by_name = {str(each.get("name")): each.get("template", "") for each in entries}
        template = by_name.get("default", "")
    return str(template)


def _token(value: Any) -> str:
    return str(value.get("content", "") if isinstance(value, dict) else value or "")


def _refused(place: Path, why: str) -> EpitomeError:
    told = why.strip().partition("\n")[0].rstrip(".")
    return EpitomeError(
        f"The chat template in {place} cannot be used ({told}).",
        "Take the model from where it was first published.",
    )
